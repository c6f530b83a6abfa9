//! Constants that values begin with, and byte orders that are told by the file.

use proc_macro2::Span;
use syn::parse::{Parse, ParseStream};
use syn::{Ident, LitByteStr, LitInt, Token, bracketed};

use super::value::{Reading, Value, separated};
use super::{Order, Place};
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
        if !at.input.peek(syn::token::Bracket) {
            let magic = at.input.parse()?;
            if at.input.peek(Token![..]) || at.input.peek(Token![|]) {
                return Err(syn::Error::new(at.input.span(), several(at.place)));
            }
            return Ok(Self::One(magic));
        }
        if at.place != Place::Type {
            let place = at.place.name();
            let message = format!("a {place} has one magic; a choice of them goes on a type");
            return Err(at.wrong(message));
        }
        let inner;
        bracketed!(inner in at.input);
        separated(&inner, "a magic ends here; a comma is missing", Alternative::parse)
            .map(Self::Several)
    }
}

/// What to write where a magic would be one of several.
fn several(place: Place) -> &'static str {
    match place {
        Place::Type => {
            "a magic is one constant, or a choice of some, `magic = [b\"II\", b\"MM\"]`; a number that may be any of a range is a field: `#[bin(range = 1..=5)] version: u8`"
        }
        Place::Variant => {
            "a magic is one constant; a variant that stands for several keeps which: read a number in front of the enum, and say `tag = kind` on it and `id = 1..=5` here"
        }
        Place::Field => {
            "a magic is one constant; a number that may be any of several is a field: `#[bin(range = 1..=5)] version: u8`"
        }
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
