//! Values beside a table.

use proc_macro2::Span;
use syn::{Ident, Type};

use super::Field;
use crate::expr::Expr;

/// A field with `for_each`: one value for every item of a table.
pub(crate) struct Parallel<'s> {
    /// The table: a name that all fields beside it have in common.
    pub(crate) table: Ident,
    /// The field that is the table, or holds it.
    pub(crate) root: Ident,
    /// The names that lead from that field, or from each of its items, to the table.
    pub(crate) path: Vec<Ident>,
    /// Whether it is not just a field: it lies in one, or in its items, may be absent, or is what functions
    /// of the user make of the bytes.
    pub(crate) inner: bool,
    /// One of the values; it has the words that say where and how large each is.
    pub(crate) element: Box<Field<'s>>,
    /// The checksum of a value, which a number of its item keeps.
    pub(crate) sum: Option<ItemSum>,
}

impl Parallel<'_> {
    /// Whether the table lies in the value of this field.
    pub(crate) fn is_inside(&self, field: &Field<'_>) -> bool {
        self.inner && self.root == field.name
    }
}

/// A checksum that a number of an item keeps.
pub(crate) struct ItemSum {
    pub(crate) span: Span,
    pub(crate) digest: Type,
    /// The number, as the declaration names it: `it.sum`.
    pub(crate) number: Expr,
}
