//! Words that list names with types or values.

use syn::parse::ParseStream;
use syn::punctuated::Punctuated;
use syn::{Ident, Token, Type, WherePredicate};

use super::Place;
use super::value::{Reading, Value, equals, separated};
use crate::expr::{Expr, OR};

/// `args(..)`: parameters of a type, or values for those of a field's type; `set(..)`: values.
pub(crate) enum Args {
    Declared(Vec<Parameter>),
    Passed(Vec<(Ident, Expr)>),
}

/// One parameter of a type.
pub(crate) struct Parameter {
    pub(crate) name: Ident,
    pub(crate) ty: Type,
    pub(crate) default: Option<Expr>,
}

const NO_COMMA: &str = "an argument ends here; a comma is missing";

impl Args {
    /// The values that are passed.
    pub(crate) fn passed(&self) -> &[(Ident, Expr)] {
        if let Self::Passed(list) = self { list } else { &[] }
    }

    /// The same, to be changed.
    pub(crate) fn passed_mut(&mut self) -> Vec<&mut Expr> {
        match self {
            Self::Passed(list) => list.iter_mut().map(|(_, expr)| expr).collect(),
            Self::Declared(_) => Vec::new(),
        }
    }

    /// The parameters that are declared.
    pub(crate) fn declared(&self) -> &[Parameter] {
        if let Self::Declared(list) = self { list } else { &[] }
    }
}

impl Value for Args {
    fn read(at: &mut Reading<'_>) -> syn::Result<Self> {
        if at.word == "set" {
            let inner = at.list("nothing is set in `set()`; remove it")?;
            return separated(&inner, NO_COMMA, setter).map(Self::Passed);
        }
        if at.place == Place::Type {
            at.example = "args(name: Type = default)";
            let inner = at.list("there are no arguments in `args()`; remove it")?;
            return separated(&inner, NO_COMMA, parameter).map(Self::Declared);
        }
        let inner = at.list("there are no arguments in `args()`; remove it")?;
        separated(&inner, NO_COMMA, argument).map(Self::Passed)
    }

    fn exprs(&self) -> Vec<&Expr> {
        self.passed().iter().map(|(_, expr)| expr).collect()
    }

    fn exprs_mut(&mut self) -> Vec<&mut Expr> {
        self.passed_mut()
    }
}

/// `let(name = e)`; its expressions are a part of those that use the names.
impl Value for Vec<(Ident, Expr)> {
    fn read(at: &mut Reading<'_>) -> syn::Result<Self> {
        let inner = at.list("there are no values in `let()`; remove it")?;
        separated(&inner, NO_COMMA, |input| named(input, "a value"))
    }
}

/// `bound(T: Copy)`: what a type parameter must be able to do.
impl Value for Vec<WherePredicate> {
    fn read(at: &mut Reading<'_>) -> syn::Result<Self> {
        let inner = at.list("there are no bounds in `bound()`; remove it")?;
        let list = Punctuated::<WherePredicate, Token![,]>::parse_terminated(&inner);
        list.map(|list| list.into_iter().collect()).map_err(|error| {
            syn::Error::new(error.span(), format!("bounds are given as in `{}`", at.example))
        })
    }
}

/// `name: Type = default`.
fn parameter(input: ParseStream<'_>) -> syn::Result<Parameter> {
    let name = argument_name(input, "an argument is given as `name: Type`")?;
    if !input.peek(Token![:]) {
        let message = format!("argument `{name}` needs a type: `{name}: Type`");
        return Err(syn::Error::new(name.span(), message));
    }
    input.parse::<Token![:]>()?;
    let ty = input.parse()?;
    let mut default = None;
    if input.peek(Token![=]) {
        input.parse::<Token![=]>()?;
        default = Some(input.parse()?);
    }
    Ok(Parameter { name, ty, default })
}

/// `name = value`, or a name that is its own value.
fn named(input: ParseStream<'_>, what: &str) -> syn::Result<(Ident, Expr)> {
    let name = argument_name(input, "an argument is given as `name = value`")?;
    if input.peek(Token![=]) {
        equals(input, &name, "args(name = value)")?;
        return Ok((name, input.parse()?));
    }
    if input.is_empty() || input.peek(Token![,]) {
        return Ok((name.clone(), Expr::Name(name)));
    }
    Err(syn::Error::new(name.span(), format!("{what} is given as `name = value`")))
}

/// An argument, of items also `name = previous.part or first`.
fn argument(input: ParseStream<'_>) -> syn::Result<(Ident, Expr)> {
    let (name, value) = named(input, "an argument")?;
    if !input.peek(Ident) {
        return Ok((name, value));
    }
    let or: Ident = input.parse()?;
    if or != OR {
        return Err(syn::Error::new(or.span(), NO_COMMA));
    }
    Ok((name, Expr::Builtin(or, vec![value, input.parse()?])))
}

/// `size = len(data)`: a field of the field's type, and its value.
fn setter(input: ParseStream<'_>) -> syn::Result<(Ident, Expr)> {
    let example = "set(size = len(data))";
    let name = argument_name(input, "a field is set as in `set(size = len(data))`")?;
    equals(input, &name, example)?;
    Ok((name, input.parse()?))
}

fn argument_name(input: ParseStream<'_>, message: &str) -> syn::Result<Ident> {
    input.parse().map_err(|error| syn::Error::new(error.span(), message))
}
