//! `map(u32, from, into)`.

use syn::parse::ParseStream;
use syn::{Ident, Path, Token, Type, parenthesized};

/// What is stored, and the functions that convert it.
pub(crate) struct Map {
    pub(crate) stored: Type,
    pub(crate) from: Path,
    pub(crate) into: Path,
}

pub(super) fn map(input: ParseStream<'_>, word: &Ident) -> syn::Result<Map> {
    let wrong = || {
        let message = "`map` takes the stored type and two functions, from it and into it: `map(u32, from_stored, into_stored)`";
        syn::Error::new(word.span(), message)
    };
    if !input.peek(syn::token::Paren) {
        return Err(wrong());
    }
    let inner;
    parenthesized!(inner in input);
    let stored = inner.parse().map_err(|_| wrong())?;
    inner.parse::<Token![,]>().map_err(|_| wrong())?;
    let from = inner.parse().map_err(|_| wrong())?;
    inner.parse::<Token![,]>().map_err(|_| wrong())?;
    let into = inner.parse().map_err(|_| wrong())?;
    if !inner.is_empty() {
        return Err(wrong());
    }
    Ok(Map { stored, from, into })
}
