//! What expressions ask of a field: where it lies, how long it is, and the like.

use proc_macro2::TokenStream;
use quote::quote;

use crate::emit::Emitter;
use crate::emit::expr::{at_type, measured};
use crate::expr::Measure;
use crate::model::{Field, Kind};
use crate::steps::all_measures;

/// Keeps a number about a field that expressions ask for.
pub(super) fn measure_of(
    emitter: &Emitter<'_>,
    field: &Field<'_>,
    measure: Measure,
    prefixed: bool,
) -> TokenStream {
    let (rt, name) = (&emitter.rt, measured(measure, &field.name));
    match measure {
        Measure::Len if prefixed => {
            quote!(#name = #rt::ops::wide(__cur.pos().wrapping_sub(__from));)
        }
        Measure::Len => quote!(#name = #rt::ops::wide(__cur.pos().wrapping_sub(__at));),
        Measure::Count if matches!(field.kind, Kind::Seq(_)) => {
            quote!(#name = __value.counted(__obs)?;)
        }
        Measure::Count => quote!(#name = #rt::ops::wide(__value.len());),
        Measure::Tag => at_type(field, quote!(#name = #rt::Tagged::tag(&__value);)),
        Measure::Decoded => quote!(#name = #rt::encoded::decoded_len(&__value);),
        Measure::Start => quote!(#name = #rt::ops::wide(__at.wrapping_sub(__cur.origin));),
        Measure::End => quote!(#name = #rt::ops::wide(__cur.pos().wrapping_sub(__cur.origin));),
        Measure::Remaining => quote!(#name = #rt::ops::wide(__cur.remaining());),
    }
}

/// What is absent from the sequence begins and ends where it would lie.
pub(super) fn nowhere(emitter: &Emitter<'_>, field: &Field<'_>) -> Option<TokenStream> {
    let measures = all_measures(emitter.model).into_iter();
    let own = measures.filter(|(_, other)| other.name == field.name && !field.is_located());
    let asked: Vec<Measure> = own.map(|(measure, _)| measure).collect();
    let ends = [Measure::Start, Measure::End].into_iter().filter(|end| asked.contains(end));
    let ends: Vec<_> = ends.map(|end| measure_of(emitter, field, end, false)).collect();
    (!ends.is_empty()).then(|| quote!(let __at = __cur.pos(); #(#ends)*))
}
