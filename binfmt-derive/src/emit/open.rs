//! Whether more bytes behind a value could change what is read.

use proc_macro2::TokenStream;
use quote::quote;

use super::Emitter;
use crate::attr::{Terminator, TerminatorRole, Word};
use crate::expr::Measure;
use crate::model::{Body, Field, Kind, Model, Variant, scalar, variant_magics};

/// The value of `OPEN`.
pub(super) fn open(emitter: &Emitter<'_>) -> TokenStream {
    let (rt, model) = (&emitter.rt, emitter.model);
    match &model.body {
        Body::Enum { .. } => quote!(#rt::Open::Never),
        Body::Union(variants) if are_told_early(model, variants) => {
            let parts = variants.iter().filter_map(|variant| {
                let ty = variant.ty?;
                Some(if variant.words.until_codec.is_some() { Part::Open } else { of_type(ty) })
            });
            any_of(emitter, &parts.collect::<Vec<_>>())
        }
        Body::Union(_) => quote!(#rt::Open::Always),
        Body::Struct(fields) => {
            // Behind the fields that tell the length of the value, everything lies in a region.
            let known = model.unlimited_fields().unwrap_or(fields.len());
            let parts: Vec<_> = fields
                .iter()
                .enumerate()
                .filter(|(index, field)| *index < known || field.is_located())
                .map(|(_, field)| part(field))
                .collect();
            any_of(emitter, &parts)
        }
    }
}

/// Whether more bytes could change what is read of any of some parts.
fn any_of(emitter: &Emitter<'_>, parts: &[Part<'_>]) -> TokenStream {
    let rt = &emitter.rt;
    if parts.iter().any(|part| matches!(part, Part::Open)) {
        return quote!(#rt::Open::Always);
    }
    let types: Vec<_> = parts
        .iter()
        .filter_map(|part| match part {
            Part::As(ty) => Some(ty),
            Part::Open | Part::Closed => None,
        })
        .collect();
    if types.is_empty() {
        return quote!(#rt::Open::Never);
    }
    quote!(#rt::Open::Parts(&[#(|| <#types as #rt::Wire<'_>>::OPEN),*]))
}

/// Whether variants are told apart by an argument, or by magics that stand in front of them, none of which is the
/// beginning of another one: bytes behind the value do not change which it is.
fn are_told_early(model: &Model<'_>, variants: &[Variant<'_>]) -> bool {
    let words = &model.words;
    if words.tag.is_some() {
        return true;
    }
    let magics: Vec<Vec<Vec<u8>>> =
        variants.iter().map(|variant| variant_magics(model, variant)).collect();
    if words.peek.is_some() || magics.iter().any(Vec::is_empty) {
        return false;
    }
    let all = || magics.iter().flatten().enumerate();
    let begins = |(number, one): (usize, &Vec<u8>)| {
        all().any(|(other, longer)| number != other && longer.starts_with(one))
    };
    let lens = || magics.iter().flatten().map(Vec::len);
    // Numbers are turned in the other byte order.
    !all().any(begins) && (!model.has_ordered_magics() || lens().min() == lens().max())
}

/// Whether a section stays as long as it is, however many bytes follow the input.
pub(super) fn is_sized(section: &Field<'_>) -> bool {
    matches!(part(section), Part::Closed)
}

/// Whether more bytes could change what is read of a field.
enum Part<'a> {
    Open,
    Closed,
    /// As they could of a value of this type.
    As(&'a syn::Type),
}

fn part<'a>(field: &'a Field<'_>) -> Part<'a> {
    let words = &field.words;
    let exprs = [&words.len, &words.condition].into_iter().flatten();
    let mut measures = exprs.flat_map(|word| word.value.measures());
    if measures.any(|(measure, _)| measure == Measure::Remaining) {
        return Part::Open;
    }
    // The magic that says whether an optional field is there may not have come yet.
    if words.with.is_some() || field.parallel.is_some() || words.optional.is_some() {
        return Part::Open;
    }
    let sized = words.prefix.is_some() && !field.kind.is_sequence();
    if words.len.is_some() || words.pad_to.is_some() || sized {
        return Part::Closed;
    }
    let last = |word: &Word<Terminator>| word.value.role == TerminatorRole::PeekedLast;
    let to_the_end = words.until_end.is_some()
        || words.until.is_some()
        || words.least.is_some()
        || words.terminator.as_ref().is_some_and(last);
    if to_the_end || field.goes_to_next() {
        return Part::Open;
    }
    match field.kind {
        Kind::Scalar(_) | Kind::Auto(..) => Part::Closed,
        Kind::Bytes { .. } | Kind::Text { .. } | Kind::Utf16 => Part::Open,
        Kind::Seq(item) | Kind::Vec(item) | Kind::Array(item) => of_item(item),
        Kind::Nested => Part::As(field.stored()),
    }
}

fn of_item(item: &syn::Type) -> Part<'_> {
    if scalar(item).is_some() { Part::Closed } else { Part::As(item) }
}

/// The same of the value of a variant, which is nothing but that.
fn of_type(ty: &syn::Type) -> Part<'_> {
    match Kind::of(ty) {
        Kind::Scalar(_) => Part::Closed,
        Kind::Array(item) => of_item(item),
        Kind::Nested => Part::As(ty),
        _ => Part::Open,
    }
}
