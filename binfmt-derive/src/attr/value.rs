//! What stands behind a word: one way to read it for each type of value.

use syn::parse::{Parse, ParseStream};
use syn::{Ident, LitByteStr, LitInt, LitStr, Path, Token, Type};

use super::{Endian, First, Order, Place, Word};
use crate::errors::Errors;
use crate::expr::Expr;
use crate::ungroup;

/// One word whose value is read.
pub(super) struct Reading<'r> {
    pub(super) errors: &'r mut Errors,
    pub(super) place: Place,
    pub(super) word: &'r Ident,
    pub(super) example: &'static str,
    pub(super) input: ParseStream<'r>,
}

/// The value of a word.
pub(super) trait Value: Sized {
    fn read(at: &mut Reading<'_>) -> syn::Result<Self>;

    fn exprs(&self) -> Vec<&Expr> {
        Vec::new()
    }

    fn exprs_mut(&mut self) -> Vec<&mut Expr> {
        Vec::new()
    }
}

/// Where the value of a word is kept.
pub(super) trait Slot {
    fn put(&mut self, at: &mut Reading<'_>) -> syn::Result<()>;
    fn exprs(&self) -> Vec<&Expr>;
    fn exprs_mut(&mut self) -> Vec<&mut Expr>;
}

impl<T: Value> Slot for Option<Word<T>> {
    fn put(&mut self, at: &mut Reading<'_>) -> syn::Result<()> {
        let value = T::read(at)?;
        if self.is_some() {
            let name = at.word.to_string();
            let what = match name.as_str() {
                "little" | "big" => "the byte order is given already".into(),
                "lsb" | "msb" => "the order of the bits is given already".into(),
                _ => format!("duplicate `{name}`"),
            };
            at.errors.add(at.word.span(), format!("{what}; keep one"));
        }
        *self = Some(Word { span: at.word.span(), value });
        Ok(())
    }

    fn exprs(&self) -> Vec<&Expr> {
        self.as_ref().map(|word| word.value.exprs()).unwrap_or_default()
    }

    fn exprs_mut(&mut self) -> Vec<&mut Expr> {
        self.as_mut().map(|word| word.value.exprs_mut()).unwrap_or_default()
    }
}

impl<T: Value> Slot for Vec<T> {
    fn put(&mut self, at: &mut Reading<'_>) -> syn::Result<()> {
        self.push(T::read(at)?);
        Ok(())
    }

    fn exprs(&self) -> Vec<&Expr> {
        self.iter().flat_map(T::exprs).collect()
    }

    fn exprs_mut(&mut self) -> Vec<&mut Expr> {
        self.iter_mut().flat_map(T::exprs_mut).collect()
    }
}

impl<'r> Reading<'r> {
    /// A mistake at the word itself.
    pub(super) fn wrong(&self, message: impl std::fmt::Display) -> syn::Error {
        syn::Error::new(self.word.span(), message)
    }

    /// The `=` between a word and its value.
    pub(super) fn equals(&self) -> syn::Result<()> {
        equals(self.input, self.word, self.example)
    }

    /// The list in parentheses behind the word, which is not empty.
    pub(super) fn list(&self, empty: &str) -> syn::Result<syn::parse::ParseBuffer<'r>> {
        if !self.input.peek(syn::token::Paren) {
            let (word, example) = (self.word, self.example);
            return Err(self.wrong(format!("`{word}` needs parentheses: `{example}`")));
        }
        let inner;
        syn::parenthesized!(inner in self.input);
        if inner.is_empty() { Err(self.wrong(empty)) } else { Ok(inner) }
    }

    fn alone(&self) -> syn::Result<()> {
        if self.input.peek(Token![=]) || self.input.peek(syn::token::Paren) {
            return Err(self.wrong(format!("`{}` takes no value; write it alone", self.word)));
        }
        Ok(())
    }

    /// `word = value`.
    pub(super) fn value<T: Parse>(&self) -> syn::Result<T> {
        self.value_by(T::parse)
    }

    fn value_by<T>(&self, parse: fn(ParseStream<'_>) -> syn::Result<T>) -> syn::Result<T> {
        self.equals()?;
        self.input.call(parse).map_err(|error| {
            let (word, example) = (self.word, self.example);
            syn::Error::new(error.span(), format!("`{word}` is given as in `{example}`"))
        })
    }
}

/// The `=` between a name and its value.
pub(super) fn equals(input: ParseStream<'_>, word: &Ident, example: &str) -> syn::Result<()> {
    if input.peek(Token![=]) {
        input.parse::<Token![=]>()?;
        if !input.is_empty() && !input.peek(Token![,]) {
            return Ok(());
        }
    }
    Err(syn::Error::new(word.span(), format!("`{word}` needs a value: `{example}`")))
}

/// Things between commas, at least one of which there is.
pub(super) fn separated<T>(
    input: ParseStream<'_>,
    missing: &str,
    mut one: impl FnMut(ParseStream<'_>) -> syn::Result<T>,
) -> syn::Result<Vec<T>> {
    let mut list = Vec::new();
    while !input.is_empty() {
        list.push(one(input)?);
        if input.is_empty() {
            break;
        }
        if !input.peek(Token![,]) {
            return Err(syn::Error::new(input.span(), missing));
        }
        input.parse::<Token![,]>()?;
    }
    Ok(list)
}

macro_rules! plain {
    ($($ty:ty)*) => {
        $(impl Value for $ty {
            fn read(at: &mut Reading<'_>) -> syn::Result<Self> {
                at.value()
            }
        })*
    };
}

plain!(LitInt LitStr LitByteStr Path);

impl Value for Type {
    fn read(at: &mut Reading<'_>) -> syn::Result<Self> {
        at.value_by(ungroup::parsed)
    }
}

impl Value for syn::Expr {
    fn read(at: &mut Reading<'_>) -> syn::Result<Self> {
        at.value_by(ungroup::expression)
    }
}

impl Value for () {
    fn read(at: &mut Reading<'_>) -> syn::Result<Self> {
        at.alone()
    }
}

impl Value for Order {
    fn read(at: &mut Reading<'_>) -> syn::Result<Self> {
        at.alone().map(|()| if at.word == "little" { Self::Little } else { Self::Big })
    }
}

impl Value for First {
    fn read(at: &mut Reading<'_>) -> syn::Result<Self> {
        at.alone().map(|()| if at.word == "lsb" { Self::Lowest } else { Self::Highest })
    }
}

/// The name of a field.
impl Value for Ident {
    fn read(at: &mut Reading<'_>) -> syn::Result<Self> {
        let name: Self = at.value()?;
        if at.input.peek(Token![.]) {
            let message = format!(
                "`{}` names a field of this type, and no part of one; declare a type around `{name}` and its values",
                at.word
            );
            return Err(syn::Error::new(name.span(), message));
        }
        Ok(name)
    }
}

impl Value for Expr {
    fn read(at: &mut Reading<'_>) -> syn::Result<Self> {
        at.equals()?;
        at.input.parse()
    }

    fn exprs(&self) -> Vec<&Expr> {
        vec![self]
    }

    fn exprs_mut(&mut self) -> Vec<&mut Expr> {
        vec![self]
    }
}

impl Value for Endian {
    fn read(at: &mut Reading<'_>) -> syn::Result<Self> {
        at.equals()?;
        at.input.parse()
    }

    fn exprs(&self) -> Vec<&Expr> {
        if let Self::Computed(expr) = self { vec![expr] } else { Vec::new() }
    }

    fn exprs_mut(&mut self) -> Vec<&mut Expr> {
        if let Self::Computed(expr) = self { vec![expr] } else { Vec::new() }
    }
}
