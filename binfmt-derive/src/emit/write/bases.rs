//! Numbers that places count from and that are known too late: `at = data_at + it.offset` where `data_at` is told by
//! the size of another value. No place lies in front of what it counts from, nor between the units that it counts in, so
//! that the writer takes such a number as it is stored, or as an earlier pass has found it.

use proc_macro2::TokenStream;
use quote::quote;

use super::plan::{Plan, mark};
use super::{limits, slots};
use crate::derived::{Of, Point, Source};
use crate::emit::{Emitter, Site, local, text};
use crate::model::{Field, Kind, Space};
use crate::tokens::renamed;

/// The fields that such places of a field count from.
fn of_field(emitter: &Emitter<'_>, field: &Field<'_>) -> Vec<usize> {
    let model = emitter.model;
    let Some(at) = field.words.at.as_ref().filter(|_| field.is_located()) else {
        return Vec::new();
    };
    let point = emitter.ready.places(Space::of(model, field));
    let named = at.value.names().into_iter().filter_map(|name| model.field(name));
    let late = named.filter(|(index, base)| {
        matches!(base.kind, Kind::Scalar(_))
            && !base.is_optional()
            && !base.is_variable()
            && emitter.ready.target(*index) > point
            && emitter.steps.iter().any(|step| step.target == *index && is_size(&step.source))
    });
    late.map(|(index, _)| index).collect()
}

/// Whether a number tells of no place itself: those move with that.
fn is_size(source: &Source<'_>) -> bool {
    matches!(source, Source::Solved(solved) if !matches!(solved.of, Of::Offset(_)))
}

/// Whether a number is taken so, by places of that field.
pub(super) fn is_base(emitter: &Emitter<'_>, field: &Field<'_>, index: usize) -> bool {
    of_field(emitter, field).contains(&index)
}

/// Plans to take them.
pub(super) fn plan(plan: &mut Plan<'_, '_>) {
    let fields = plan.emitter.model.fields();
    let mut all: Vec<usize> =
        fields.iter().flat_map(|field| of_field(plan.emitter, field.one())).collect();
    all.sort_unstable();
    all.dedup();
    let bases = all.into_iter().filter_map(|index| fields.get(index)).map(|field| {
        let [guess, base, moved] = ["base", "likely", "moved"].map(|name| mark(field, name));
        let name = local(&field.name);
        quote! {
            let #guess = __out.guesses(1)?;
            let (#base, #moved) = (__out.guess(#guess, #name), __out.is_learned(#guess));
        }
    });
    let bases: TokenStream = bases.collect();
    plan.at(Point::BEFORE, bases);
}

/// Tells the next pass what such a number is, if values lie where no number can tell of them, counted from there: in
/// front of it, or between units.
pub(super) fn learn(plan: &Plan<'_, '_>, index: usize, field: &Field<'_>) -> TokenStream {
    let rt = &plan.emitter.rt;
    let fields = plan.emitter.model.fields().iter().enumerate();
    let users = fields.filter(|(_, user)| of_field(plan.emitter, user.one()).contains(&index));
    let untold = users.map(|(user, of)| {
        let one = of.one();
        let base = slots::base(plan.emitter, one);
        let told = limits::told(plan.emitter, one, &base, Site::Write);
        let told = quote!(#rt::place::Slot::default() #told);
        if of.parallel.is_some() {
            let (slots, first) = slots::slots_with(plan, user, of);
            let values = local(&of.name);
            return quote!(#rt::parallel::are_untold(&#slots, (#first, #values.len()), &#told));
        }
        let there =
            of.is_optional().then(|| local(&of.name)).map(|name| quote!(#name.is_some() &&));
        let place = slots::slot_of(plan, user);
        quote!(#there !#told.tells_of(#place.at))
    });
    let untold: Vec<TokenStream> = untold.collect();
    if untold.is_empty() {
        return TokenStream::new();
    }
    let [guess, base, moved] = ["base", "likely", "moved"].map(|name| mark(field, name));
    let (name, label, at) = (local(&field.name), text(&field.label), mark(field, "at"));
    // Once its places are found anew, they begin where it is.
    quote! {
        if (#moved && #base != #name) #(|| #untold)* {
            __out.learn_base(#guess, #name, #label, #at)?;
        }
    }
}

/// What is told of places, with the numbers that they count from as the writer takes them.
pub(super) fn taken(emitter: &Emitter<'_>, field: &Field<'_>, told: TokenStream) -> TokenStream {
    bases(emitter, field).fold(told, |told, base| {
        renamed(told, &local(&base.name).to_string(), &mark(base, "likely"))
    })
}

/// A stored place, unless what it counts from has moved behind it.
pub(super) fn kept(emitter: &Emitter<'_>, field: &Field<'_>, stored: TokenStream) -> TokenStream {
    let moved: Vec<_> = bases(emitter, field).map(|base| mark(base, "moved")).collect();
    if moved.is_empty() {
        return stored;
    }
    quote!(if #(#moved)||* { __rt::None } else { #stored })
}

fn bases<'e>(emitter: &'e Emitter<'_>, field: &Field<'_>) -> impl Iterator<Item = &'e Field<'e>> {
    let all = of_field(emitter, field).into_iter();
    all.filter_map(|index| emitter.model.fields().get(index))
}
