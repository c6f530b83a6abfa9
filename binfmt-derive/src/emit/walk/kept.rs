//! Values that a walk must not throw away, though it only looks at them.

use proc_macro2::TokenStream;
use quote::quote;

use crate::emit::{Emitter, unraw};
use crate::model::{Field, Kind, scalar};

/// What stands in front of and behind the reading of a field.
pub(super) fn around(emitter: &Emitter<'_>, field: &Field<'_>) -> (TokenStream, TokenStream) {
    if is_kept(emitter, field) {
        (quote!(let __drops = __obs.set_drops(false);), quote!(__obs.set_drops(__drops);))
    } else {
        (TokenStream::new(), TokenStream::new())
    }
}

/// Whether expressions use the value, or a function of the user does.
fn is_kept(emitter: &Emitter<'_>, field: &Field<'_>) -> bool {
    let one = field.one();
    let takes_memory = match one.kind {
        Kind::Vec(_) | Kind::Nested => true,
        Kind::Array(item) => scalar(item).is_none(),
        Kind::Bytes { owned } | Kind::Text { owned } => owned,
        Kind::Seq(_) | Kind::Scalar(_) | Kind::Auto(..) | Kind::Utf16 => false,
    };
    let by_hand = one.words.with.is_some() || one.words.map.is_some();
    let is_used = emitter.kept.contains(&unraw(&field.name));
    by_hand || is_used && (takes_memory || field.parallel.is_some())
}
