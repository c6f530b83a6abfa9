//! Regions of padded values: how large they are, and which number tells that.

use proc_macro2::TokenStream;
use quote::quote;

use crate::derived::{Of, Solved, Source};
use crate::emit::{Emitter, Site};
use crate::expr::Expr;
use crate::model::{Field, Kind};

/// The alignment of a padded field, and the length that it had with its padding.
pub(super) fn padded_to(
    emitter: &Emitter<'_>,
    target: &Field<'_>,
    field: &Field<'_>,
) -> (TokenStream, TokenStream) {
    let align = field
        .words
        .align_after
        .as_ref()
        .map(|align| emitter.size("align_after", &align.value, Site::Write));
    let align = align.map_or_else(|| quote!(1), |call| quote!(#call.unwrap_or(1)));
    let stored = if matches!(target.kind, Kind::Auto(..)) {
        quote!(__rt::None)
    } else {
        let pad_to = field
            .words
            .pad_to
            .as_ref()
            .map(|word| emitter.size("pad_to", &word.value, Site::Write));
        quote!(__out.floor(#pad_to))
    };
    (align, stored)
}

/// The sizes that the number of a padded field can tell, as far as constants say so.
pub(in crate::emit) fn told_sizes(emitter: &Emitter<'_>, field: &Field<'_>) -> TokenStream {
    let index = emitter.model.field(&field.name).map(|(index, _)| index);
    let told = emitter.steps.iter().find_map(|step| match &step.source {
        Source::Solved(solved) if Some(solved.of) == index.map(Of::PadTo) => Some(solved),
        _ => None,
    });
    let number = |term: &&Expr| if let Expr::Int(number, _) = term { Some(*number) } else { None };
    let sum = |terms: &[&Expr]| {
        terms.iter().map(number).try_fold(0_u64, |sum, term| sum.checked_add(term?))
    };
    let sizes = told.filter(|solved| !solved.taken_off && !solved.is_scaled()).and_then(|solved| {
        let unit = solved.mul.as_ref().map_or(Some(1), number)?;
        Some((unit, sum(&solved.add)?, sum(&solved.sub)?))
    });
    let (rt, (unit, add, sub)) = (&emitter.rt, sizes.unwrap_or((1, 0, 0)));
    quote!(#rt::write::Sizes { unit: #unit, add: #add, sub: #sub })
}

/// The number that tells the length of a field with its padding, if that is known behind it.
pub(super) fn padded_by<'m>(emitter: &Emitter<'m>, field: &Field<'_>) -> Option<&'m Field<'m>> {
    let (index, _) = emitter.model.field(&field.name)?;
    let step = emitter.steps.iter().find(|step| {
        matches!(&step.source, Source::Solved(Solved { of: Of::PadTo(of), .. }) if *of == index)
    })?;
    emitter.model.fields().get(step.target).filter(|_| !field.is_bytes() && !field.is_element)
}
