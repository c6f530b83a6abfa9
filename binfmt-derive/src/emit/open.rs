//! Whether more bytes behind a value could change what is read.

use proc_macro2::TokenStream;
use quote::quote;

use super::Emitter;
use crate::expr::Measure;
use crate::model::{Body, Field, Kind, scalar};

/// The value of `OPEN`.
pub(super) fn open(emitter: &Emitter<'_>) -> TokenStream {
    let model = emitter.model;
    match &model.body {
        Body::Enum { .. } => quote!(false),
        // Variants are told apart by bytes that may not have come yet.
        Body::Union(_) => quote!(true),
        Body::Struct(fields) => {
            // Behind the fields that tell the length of the value, everything lies in a region.
            let known = model.unlimited_fields().unwrap_or(fields.len());
            let parts = fields
                .iter()
                .enumerate()
                .filter(|(index, field)| *index < known || field.is_located())
                .filter_map(|(_, field)| part(emitter, field));
            quote!(false #(|| #parts)*)
        }
    }
}

/// Whether a field is open; `None` where it is seen not to be.
fn part(emitter: &Emitter<'_>, field: &Field<'_>) -> Option<TokenStream> {
    let (rt, words) = (&emitter.rt, &field.words);
    let exprs = [&words.len, &words.condition].into_iter().flatten();
    let mut measures = exprs.flat_map(|word| word.value.measures());
    if measures.any(|(measure, _)| measure == Measure::Remaining) {
        return Some(quote!(true));
    }
    if words.with.is_some() || field.parallel.is_some() {
        return Some(quote!(true));
    }
    let sized = words.prefix.is_some() && !field.kind.is_sequence();
    if words.len.is_some() || words.pad_to.is_some() || sized {
        return None;
    }
    if words.until_end.is_some() || words.until.is_some() || field.goes_to_next() {
        return Some(quote!(true));
    }
    let ty = match field.kind {
        Kind::Scalar(_) | Kind::Auto(..) => return None,
        Kind::Bytes { .. } | Kind::Text { .. } | Kind::Utf16 => return Some(quote!(true)),
        Kind::Seq(item) | Kind::Vec(item) | Kind::Array(item) => {
            if scalar(item).is_some() {
                return None;
            }
            item
        }
        Kind::Nested => field.stored(),
    };
    // A type that contains itself is as open as its other fields.
    let own = matches!(ty, syn::Type::Path(path)
        if path.path.segments.last().is_some_and(|last| last.ident == emitter.model.input.ident || last.ident == "Self"));
    (!own).then(|| quote!(<#ty as #rt::Wire<'_>>::OPEN))
}
