//! Constants that values begin with, and byte orders that are told by the file.

use proc_macro2::Span;
use syn::parse::{Parse, ParseStream};
use syn::{Ident, LitByteStr, LitInt, Token, bracketed};

use super::value::{Reading, Value, separated};
use super::{Order, Place, Words};
use crate::expr::Expr;

/// A constant; an integer has the width that its suffix gives.
pub(crate) enum Magic {
    Bytes(LitByteStr),
    Int(LitInt),
}

/// One of several constants, and the byte order that it stands for.
pub(crate) struct Alternative {
    pub(crate) magic: Magic,
    pub(crate) order: Option<(Order, Span)>,
}

/// `magic = a`, `magic = [a, b]`, or `magic` alone.
pub(crate) enum Magics {
    One(Magic),
    Several(Vec<Alternative>),
    /// The field keeps the one that is there.
    Kept,
}

/// Where the byte order of a type comes from, if the declaration does not fix it.
pub(crate) enum Endian {
    /// The value around it.
    Inherit,
    /// The magic that is there.
    Magic,
    /// A value of type `Order`.
    Computed(Expr),
}

impl Parse for Magic {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        if input.peek(LitByteStr) {
            return input.parse().map(Self::Bytes);
        }
        if input.peek(LitInt) {
            return input.parse().map(Self::Int);
        }
        let message = "a magic is a byte string or an integer: `b\"ABCD\"` or `0x675C_3ED9u32`";
        Err(syn::Error::new(input.span(), message))
    }
}

impl Value for Magics {
    fn read(at: &mut Reading<'_>) -> syn::Result<Self> {
        if at.place == Place::Field && !at.input.peek(Token![=]) {
            return <()>::read(at).map(|()| Self::Kept);
        }
        at.equals()?;
        if at.place == Place::Variant && !at.input.peek(syn::token::Bracket) {
            let all = of_variant(at.input)?;
            return Ok(match <[Alternative; 1]>::try_from(all) {
                Ok([one]) => Self::One(one.magic),
                Err(several) => Self::Several(several),
            });
        }
        if !at.input.peek(syn::token::Bracket) {
            let magic = at.input.parse()?;
            if at.input.peek(Token![..]) || at.input.peek(Token![|]) {
                return Err(syn::Error::new(at.input.span(), several(at.place)));
            }
            return Ok(Self::One(magic));
        }
        if at.place == Place::Field {
            let message = "a field has one magic; a choice of them goes on a type";
            return Err(at.wrong(message));
        }
        let inner;
        bracketed!(inner in at.input);
        let comma = "a magic ends here; a comma is missing";
        if at.place == Place::Variant {
            let ranges = separated(&inner, comma, of_variant)?;
            return Ok(Self::Several(as_wide_as_first(ranges.into_iter().flatten().collect())));
        }
        separated(&inner, comma, Alternative::parse).map(as_wide_as_first).map(Self::Several)
    }
}

/// The suffix of the first of several integers is that of all, as in an array.
fn as_wide_as_first(mut all: Vec<Alternative>) -> Vec<Alternative> {
    let Some(Alternative { magic: Magic::Int(first), .. }) = all.first() else { return all };
    let suffix = first.suffix().to_owned();
    for one in &mut all {
        if let Magic::Int(number) = &one.magic
            && number.suffix().is_empty()
        {
            one.magic = Magic::Int(LitInt::new(&format!("{number}{suffix}"), number.span()));
        }
    }
    all
}

/// What to write where a magic would be one of several.
fn several(place: Place) -> &'static str {
    match place {
        Place::Type => {
            "a magic is one constant, or a choice of some, `magic = [b\"II\", b\"MM\"]`; a number that may be any of a range is a field: `#[bin(range = 1..=5)] version: u8`"
        }
        Place::Variant => {
            "a variant with several magics lists them, `magic = [b\"II\", b\"MM\"]`, or has a range of bytes, `magic = 0x80u8..=0x8f`; one of wider numbers is a tag: read a number in front of the enum, and say `tag = kind` on it and `id = 300..=999` here"
        }
        Place::Field => {
            "a magic is one constant; a number that may be any of several is a field: `#[bin(range = 1..=5)] version: u8`"
        }
    }
}

/// A magic of a variant, or a range of bytes that are magics: an array for each.
fn of_variant(input: ParseStream<'_>) -> syn::Result<Vec<Alternative>> {
    let one = |magic| Alternative { magic, order: None };
    let first: Magic = input.parse()?;
    if input.peek(Token![=>]) {
        return Err(input.error("variants tell no byte order; a type does, with `endian = magic`"));
    }
    let Magic::Int(low) = &first else {
        let odd = input.peek(Token![..]) || input.peek(Token![|]);
        return if odd { Err(input.error(several(Place::Variant))) } else { Ok(vec![one(first)]) };
    };
    if !input.peek(Token![..]) && !input.peek(Token![|]) {
        return Ok(vec![one(first)]);
    }
    let span = input.span();
    let wrong = || syn::Error::new(span, several(Place::Variant));
    if low.suffix().is_empty() {
        let message = format!("the magic needs its width: `{low}u8`");
        return Err(syn::Error::new(low.span(), message));
    }
    if low.suffix() != "u8" || !input.peek(Token![..=]) {
        return Err(wrong());
    }
    input.parse::<Token![..=]>()?;
    let end: LitInt = input.parse()?;
    let wrong = || syn::Error::new(end.span(), "the range ends with a greater byte");
    let (low, high) = (low.base10_parse::<u8>()?, end.base10_parse::<u8>().map_err(|_| wrong())?);
    if low >= high || !matches!(end.suffix(), "" | "u8") {
        return Err(wrong());
    }
    let byte = |byte: u8| one(Magic::Int(LitInt::new(&format!("{byte}u8"), end.span())));
    Ok((low..=high).map(byte).collect())
}

impl Words {
    /// Where a magic is given, or several of them.
    pub(crate) fn magic_span(&self) -> Option<Span> {
        let one = self.magic.as_ref().map(|word| word.span);
        one.or_else(|| self.magics.as_ref().map(|word| word.span))
    }
}

impl Parse for Alternative {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let magic = input.parse()?;
        if !input.peek(Token![=>]) {
            return Ok(Self { magic, order: None });
        }
        input.parse::<Token![=>]>()?;
        let span = input.span();
        let order = match input.parse::<Ident>() {
            Ok(word) if word == "little" => Order::Little,
            Ok(word) if word == "big" => Order::Big,
            _ => {
                let message = "a magic stands for `little` or `big`: `b\"II\" => little`";
                return Err(syn::Error::new(span, message));
            }
        };
        Ok(Self { magic, order: Some((order, span)) })
    }
}

impl Parse for Endian {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        if input.peek(Ident) && !input.peek2(Token![.]) && !input.peek2(syn::token::Paren) {
            let fork = input.fork();
            let word: Ident = fork.parse()?;
            if word == "little" || word == "big" {
                return Err(syn::Error::new(word.span(), format!("write `{word}` alone")));
            }
            if word == "inherit" || word == "magic" {
                input.parse::<Ident>()?;
                return Ok(if word == "magic" { Self::Magic } else { Self::Inherit });
            }
        }
        input.parse().map(Self::Computed)
    }
}
