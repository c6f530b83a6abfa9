//! Bytes and texts that are computed from a tag: `calc = tag(body)` on `kind: [u8; 4]`.

use syn::Ident;

use super::{Field, Kind, is_byte};
use crate::expr::{Expr, Measure};

/// Makes the `calc` of a field of bytes, or of a text, which is no number, what it is.
pub(super) fn take(field: &mut Field<'_>) {
    let is_tag = |expr: &Expr| matches!(expr, Expr::Measure(Measure::Tag, _));
    let words = &field.words;
    let by_hand = words.with.is_some() || words.map.is_some() || words.keeper.is_some();
    let owned = field.is_optional() || by_hand || words.magic.is_some();
    let fits = field.of_bytes() || matches!(field.kind, Kind::Text { .. });
    if fits && !owned && words.calc.as_ref().is_some_and(|calc| is_tag(&calc.value)) {
        field.byte_tag = field.words.calc.take();
    }
}

impl Field<'_> {
    /// Whether it is bytes, of a fixed number or of any.
    pub(crate) fn of_bytes(&self) -> bool {
        match self.kind {
            Kind::Bytes { .. } => true,
            Kind::Array(item) => is_byte(item),
            _ => false,
        }
    }

    /// The field from whose tag its bytes, or its text, are computed.
    pub(crate) fn tag_of_bytes(&self) -> Option<&Ident> {
        match &self.byte_tag.as_ref()?.value {
            Expr::Measure(_, name) => Some(name),
            _ => None,
        }
    }
}
