//! Regions of padded values: how large they are, and which number tells that.

use proc_macro2::TokenStream;
use quote::quote;

use super::numbers::counts;
use super::terms::sums;
use crate::derived::{Of, Solved, Source, Step, entry_steps};
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

/// The sizes that the number of a padded field can tell, or those of several branches, as far as constants say so.
pub(in crate::emit) fn told_sizes(emitter: &Emitter<'_>, field: &Field<'_>) -> TokenStream {
    let index = emitter.model.field(&field.name).map(|(index, _)| index);
    let tells = |solved: &&Solved<'_>| Some(solved.of) == index.map(Of::PadTo);
    let mut sizes = constant_sizes(emitter, None);
    for solved in emitter.steps.iter().filter_map(Step::solved).filter(tells) {
        let own = constant_sizes(emitter, Some(solved));
        let Some(counts) = counts(emitter, solved) else { return own };
        sizes = quote!(if #counts { #own } else { #sizes });
    }
    sizes
}

/// Those of one number.
fn constant_sizes(emitter: &Emitter<'_>, told: Option<&Solved<'_>>) -> TokenStream {
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

/// The sizes that a number can tell which counts in units, or the numbers of several branches; `None` without one.
pub(super) fn sizes_in_units<'s>(
    emitter: &Emitter<'_>,
    all: impl Iterator<Item = &'s Solved<'s>>,
) -> Option<TokenStream> {
    let rt = &emitter.rt;
    let sum = |terms: &[TokenStream]| quote!(0_u64 #(.saturating_add(#terms.unwrap_or(0)))*);
    let mut sizes = None;
    for solved in all {
        let unit = solved.mul.map_or_else(
            || quote!(1),
            |unit| {
                let unit = emitter.size("term", unit, Site::Write);
                quote!(#unit.unwrap_or(1))
            },
        );
        let (add, sub) = sums(emitter, (&solved.add, &solved.sub), Site::Write);
        let (add, sub) = (sum(&add), sum(&sub));
        let own = quote!(#rt::write::Sizes { unit: #unit, add: #add, sub: #sub });
        let Some(counts) = counts(emitter, solved) else { return Some(own) };
        let others = sizes.unwrap_or_else(|| quote!(#rt::write::Sizes { unit: 1, add: 0, sub: 0 }));
        sizes = Some(quote!(if #counts { #own } else { #others }));
    }
    sizes
}

/// Those that the number of a width can tell, if that counts in units.
pub(in crate::emit) fn widths_in_units(
    emitter: &Emitter<'_>,
    field: &Field<'_>,
) -> Option<TokenStream> {
    let (index, _) = emitter.model.field(&field.name)?;
    let counts = |solved: &&Solved<'_>| {
        let whole = solved.inner.as_ref().is_none_or(|inner| inner.mul.is_none());
        solved.of == Of::Len(index) && solved.mul.is_some() && !solved.taken_off && whole
    };
    if field.is_element {
        let steps = entry_steps(emitter.model, index);
        return sizes_in_units(emitter, steps.iter().map(|step| &step.solved).filter(counts));
    }
    sizes_in_units(emitter, emitter.steps.iter().filter_map(Step::solved).filter(counts))
}

/// The number that tells the length of a field with its padding, if that is known behind it.
pub(super) fn padded_by<'m>(emitter: &Emitter<'m>, field: &Field<'_>) -> Option<&'m Field<'m>> {
    let (index, _) = emitter.model.field(&field.name)?;
    let step = emitter.steps.iter().find(|step| {
        matches!(&step.source, Source::Solved(Solved { of: Of::PadTo(of), .. }) if *of == index)
    })?;
    emitter.model.fields().get(step.target).filter(|_| !field.is_bytes() && !field.is_element)
}
