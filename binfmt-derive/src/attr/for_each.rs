//! `for_each = entries`, `for_each = groups.offsets`: the table that values belong to.

use syn::{Ident, Token};

use super::value::{Reading, Value};

/// A field that is a table, or one that holds some.
pub(crate) struct TablePath {
    pub(crate) field: Ident,
    /// The names that lead from the field, or from each of its items, to the table.
    pub(crate) path: Vec<Ident>,
}

impl Value for TablePath {
    fn read(at: &mut Reading<'_>) -> syn::Result<Self> {
        let field = at.value()?;
        let mut path = Vec::new();
        while at.input.peek(Token![.]) {
            at.input.parse::<Token![.]>()?;
            path.push(at.input.parse().map_err(|error: syn::Error| {
                syn::Error::new(
                    error.span(),
                    "a table in a value has a name: `for_each = groups.offsets`",
                )
            })?);
        }
        Ok(Self { field, path })
    }
}
