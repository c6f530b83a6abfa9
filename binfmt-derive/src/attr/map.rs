//! `map(u32, from, into)`.

use syn::parse::ParseStream;
use syn::{Path, Token, Type, parenthesized};

use super::value::{Reading, Value};
use crate::ungroup;

/// What is stored, and the functions that convert it.
pub(crate) struct Map {
    pub(crate) stored: Type,
    pub(crate) from: Path,
    pub(crate) into: Path,
}

impl Value for Map {
    fn read(at: &mut Reading<'_>) -> syn::Result<Self> {
        let wrong = at.wrong(format!(
            "`map` takes the stored type and two functions, from it and into it: `{}`",
            at.example
        ));
        if !at.input.peek(syn::token::Paren) {
            return Err(wrong);
        }
        let inner;
        parenthesized!(inner in at.input);
        Self::parts(&inner).map_err(|_| wrong)
    }
}

impl Map {
    fn parts(input: ParseStream<'_>) -> syn::Result<Self> {
        let stored = input.call(ungroup::parsed)?;
        input.parse::<Token![,]>()?;
        let from = input.parse()?;
        input.parse::<Token![,]>()?;
        let into = input.parse()?;
        if input.is_empty() { Ok(Self { stored, from, into }) } else { Err(input.error("")) }
    }
}
