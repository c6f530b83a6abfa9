//! What measures are: how long values are, how many items they have, where they lie.

use proc_macro2::TokenStream;
use quote::quote;

use super::plan::mark;
use crate::emit::expr::at_type;
use crate::emit::{Emitter, local, strings};
use crate::expr::Measure;
use crate::model::{Field, Kind, number_type};
use crate::tokens::renamed;

/// What a measure is, once it is known.
pub(super) fn measure_of(
    emitter: &Emitter<'_>,
    measure: Measure,
    field: &Field<'_>,
) -> TokenStream {
    let rt = &emitter.rt;
    let (from, to) = (mark(field, "from"), mark(field, "to"));
    match measure {
        Measure::Len => len_of(emitter, field),
        Measure::Count => count_of(emitter, field),
        Measure::Tag => at_type(field, if_present(field, &quote!(#rt::Tagged::tag(__value)))),
        Measure::Decoded => {
            let decoded = mark(field, "decoded");
            quote!(#decoded)
        }
        Measure::Start => quote!(__out.from_origin(#from)?),
        Measure::End => quote!(__out.from_origin(#to)?),
        Measure::Remaining => {
            let from = mark(field, "rest");
            quote!(__end.saturating_sub(#from))
        }
    }
}

/// The length of bytes or a text, with what belongs to it.
pub(super) fn len_of_bytes(emitter: &Emitter<'_>, field: &Field<'_>) -> TokenStream {
    let rt = &emitter.rt;
    let nul = u64::try_from(strings::nul_size(field)).unwrap_or_default();
    let len = strings::len(emitter, field);
    let prefix = field.words.prefix.as_ref().map(|prefix| {
        let ty = &prefix.value;
        let number = number_type(ty);
        quote!(.saturating_add(#rt::write::prefix_len::<#number, #ty>(#len)))
    });
    let nul = (nul > 0).then(|| quote!(.saturating_add(#nul)));
    if_present(field, &quote!(#len #nul #prefix))
}

/// Calls `with` for the value of a field, or gives 0 if it is absent.
pub(in crate::emit) fn if_present(field: &Field<'_>, with: &TokenStream) -> TokenStream {
    let name = local(&field.name);
    if field.is_optional() {
        quote!(match #name { __rt::Some(__value) => #with, __rt::None => 0 })
    } else {
        renamed(with.clone(), "__value", &name)
    }
}

/// The encoded length of a field's value, without padding.
pub(super) fn len_of(emitter: &Emitter<'_>, field: &Field<'_>) -> TokenStream {
    if field.words.section.is_some() {
        let (from, to) = (mark(field, "from"), mark(field, "to"));
        return quote!(#to.saturating_sub(#from));
    }
    if field.is_bytes() {
        return if_present(field, &strings::len(emitter, field));
    }
    let size = mark(field, "size");
    quote!(#size)
}

/// How many items the value of a field has.
pub(in crate::emit) fn count_of(emitter: &Emitter<'_>, field: &Field<'_>) -> TokenStream {
    let rt = &emitter.rt;
    match field.kind {
        Kind::Seq(_) => if_present(field, &quote!(__value.walk_count())),
        _ => if_present(field, &quote!(#rt::ops::wide(__value.len()))),
    }
}
