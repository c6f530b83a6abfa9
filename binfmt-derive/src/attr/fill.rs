//! What padding consists of: a byte, or several again and again.

use proc_macro2::{Span, TokenStream};
use quote::ToTokens;
use syn::{LitByte, LitByteStr, LitInt};

use super::value::{Reading, Value};

/// The value of `fill`.
pub(crate) enum Fill {
    Number(LitInt),
    Byte(LitByte),
    Bytes(LitByteStr),
}

impl Value for Fill {
    fn read(at: &mut Reading<'_>) -> syn::Result<Self> {
        at.equals()?;
        if at.input.peek(LitByteStr) {
            return at.input.parse().map(Self::Bytes);
        }
        if at.input.peek(LitByte) {
            return at.input.parse().map(Self::Byte);
        }
        at.input.parse().map(Self::Number).map_err(|error| {
            let example = at.example;
            syn::Error::new(error.span(), format!("`fill` is given as in `{example}`"))
        })
    }
}

impl Fill {
    /// What is wrong with it.
    pub(crate) fn wrong(&self) -> Option<(Span, &'static str)> {
        match self {
            Self::Number(number) if number.base10_parse::<u8>().is_err() => {
                Some((number.span(), "`fill` is one byte: 0 to 255"))
            }
            Self::Bytes(bytes) if bytes.value().is_empty() => Some((
                bytes.span(),
                "`fill` has no bytes; write one, or several: `fill = b\"PAD\"`",
            )),
            _ => None,
        }
    }
}

/// The value of `trim`: a byte, or a unit of a text of two bytes each.
pub(crate) struct Unit(pub(crate) LitInt);

impl Value for Unit {
    fn read(at: &mut Reading<'_>) -> syn::Result<Self> {
        at.equals()?;
        if at.input.peek(LitByte) {
            let byte: LitByte = at.input.parse()?;
            return Ok(Self(LitInt::new(&byte.value().to_string(), byte.span())));
        }
        at.input.parse().map(Self).map_err(|error| {
            let example = at.example;
            syn::Error::new(error.span(), format!("`trim` is given as in `{example}` or `b' '`"))
        })
    }
}

/// What padding is written as, zeros where nothing says otherwise.
#[derive(Clone, Copy)]
pub(crate) struct Filling<'m>(pub(crate) Option<&'m Fill>);

impl ToTokens for Filling<'_> {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        match self.0 {
            Some(Fill::Bytes(bytes)) => bytes.to_tokens(tokens),
            Some(Fill::Byte(byte)) => byte.value().to_tokens(tokens),
            Some(Fill::Number(number)) => {
                number.base10_parse::<u8>().unwrap_or(0).to_tokens(tokens);
            }
            None => 0_u8.to_tokens(tokens),
        }
    }
}
