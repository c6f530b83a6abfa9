//! Bytes in which values lie at offsets.

use syn::{Ident, Token};

use super::value::{Reading, Value};

/// Whose values may lie in a section.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Section {
    /// Those of the type that has it.
    Own,
    /// Those of the values that lie in it, too, where they say `place = around`.
    Open,
}

impl Value for Section {
    fn read(at: &mut Reading<'_>) -> syn::Result<Self> {
        if !at.input.peek(Token![=]) {
            return <()>::read(at).map(|()| Self::Own);
        }
        at.equals()?;
        match at.input.parse::<Ident>() {
            Ok(word) if word == "open" => Ok(Self::Open),
            _ => Err(at.wrong(
                "write `section` alone, or `section = open` where the values in it have values of their own there",
            )),
        }
    }
}
