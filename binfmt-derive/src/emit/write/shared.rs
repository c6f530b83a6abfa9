//! Values that may share a place: which of them are the same.

use proc_macro2::TokenStream;
use quote::quote;

use crate::emit::local;
use crate::model::{Field, Kind, Model, Space, placed_in};

/// The bytes of a value that may share its place with an equal one.
pub(super) fn bytes(field: &Field<'_>) -> TokenStream {
    let name = local(&field.name);
    let bytes = match field.kind {
        Kind::Text { .. } => quote!(__value.as_bytes()),
        _ => quote!(&__value[..]),
    };
    if field.is_optional() {
        quote!(#name.as_ref().map(|__value| #bytes))
    } else {
        quote!({ let __value = #name; __rt::Some(#bytes) })
    }
}

/// Whether values that may share a place are the same only if they are written as the same bytes: what is
/// written around the bytes or the text of some is not the same for all of them.
pub(super) fn is_compared_as_written(model: &Model<'_>, field: &Field<'_>) -> bool {
    let space = Space::of(model, field);
    let inside = placed_in(model, space).into_iter();
    let fields = inside.filter_map(|index| model.fields().get(index).map(Field::one));
    let shared: Vec<&Field<'_>> = fields.filter(|one| one.words.shared.is_some()).collect();
    let is_open = space.section().and_then(|index| model.fields().get(index));
    if space == Space::Around || is_open.is_some_and(Field::is_open) {
        return true;
    }
    let alone = shared.len() == 1;
    shared.iter().any(|one| {
        // What functions of the user write is not what the value holds.
        let by_hand = one.words.with.is_some() || one.words.map.is_some();
        let is_bytes = matches!(one.kind, Kind::Bytes { .. } | Kind::Text { .. }) && !by_hand;
        !is_bytes || !(is_bare(one) || alone && is_padded_alike(one))
    })
}

/// Whether nothing is written around the bytes or the text of a field.
fn is_bare(field: &Field<'_>) -> bool {
    let words = &field.words;
    let before = words.magic.is_some() || words.pad_before.is_some() || words.prefix.is_some();
    let behind = words.pad_after.is_some() || words.align_after.is_some() || words.pad_to.is_some();
    let end = words.nul.is_some() || words.terminator.is_some() || words.trim.is_some();
    !before && !behind && !end
}

/// Whether the same is written around all values of a field.
fn is_padded_alike(field: &Field<'_>) -> bool {
    let words = &field.words;
    // What fills a room follows from the size of that.
    let room = if words.trim.is_some() || words.nul.is_some() { &words.len } else { &None };
    let pads = [&words.pad_before, &words.pad_after, &words.align_after, &words.pad_to, room];
    pads.into_iter().flatten().all(|pad| pad.value.names().is_empty())
}
