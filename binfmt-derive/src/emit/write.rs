//! The writer: one pass over the fields, strictly forward.
//!
//! What is known before layout is computed first. Every other number is a hole until the point at
//! which it is known; conditions and rules are checked when their numbers are.

mod bases;
mod blank;
mod checks;
mod early_measures;
mod item_numbers;
mod item_sets;
mod item_sums;
pub(in crate::emit) mod limits;
mod measures;
mod numbers;
mod own_width;
mod padded;
mod parallel;
mod piece;
mod places;
mod plan;
mod presence;
mod run;
mod sections;
mod sequence;
mod set;
mod shaping;
mod shared;
mod slot_regions;
pub(super) mod slots;
mod sums;
mod tables;
mod terms;
pub(super) mod used;
pub(super) mod valid;
mod value;
mod view;
mod wholes;

use std::collections::HashSet;

use proc_macro2::{TokenStream, TokenTree};
use quote::quote;

pub(super) use self::measures::{count_of, if_present};
pub(super) use self::padded::{told_sizes, widths_in_units};
use self::plan::Plan;
use super::magic::{self, dynamic_order, type_magic};
use super::{Emitter, Site, local};
use crate::derived::{Item, Point, order};
use crate::model::{Field, Kind};

/// The body of `emit` for a struct.
pub(crate) fn emit(emitter: &Emitter<'_>) -> TokenStream {
    let model = emitter.model;
    let mut plan = planned(emitter);
    let origin_again = model.words.origin.as_ref().map(|_| quote!(__out.origin = __origin;));
    let entries = parallel::entries(emitter);
    let flags = presence::set_flags(emitter);
    let wholes = wholes::computed(emitter);
    let (locals, decoded) = (plan.locals(), plan.kept_decoded());
    let floors = slots::floors(&plan);
    let first = plan.up_to(Point::BEFORE);
    let (set_order, take_back) = magic::around(emitter, &quote!(__out));
    let order = dynamic_order(emitter, Site::Write);
    let keeper = presence::keeper(emitter);
    let magic = type_magic(emitter).map(|bytes| quote!(__out.put(&#bytes)?;));
    let sequence = sequence::sequence(&mut plan);
    let end = plan.up_to(Point::filled(model));
    let mut sums = plan.rest();
    sums.extend(emitter.ends_with_its_region());
    sums.extend(sections::as_held(&plan));
    let align = align(emitter);
    let limited = model.words.len.is_some();
    let open = limited.then(|| quote!(let __limited = __out.open();));
    let close = limited.then(|| quote!(__out.close(__limited);));
    let valid = valid::valid(emitter);
    let kept = super::skip::compare_kept(emitter);
    let rt = &emitter.rt;
    let is_open = model.fields().iter().any(Field::is_open);
    let begin_open = is_open.then(|| quote!(let __open = #rt::place::begin_open(__out);));
    let end_open = is_open.then(|| quote!(#rt::place::end_open(__out, __open);));
    let rest = quote! {
        #begin_open
        #first
        #set_order
        #order
        #keeper
        #magic
        #sequence
        let __end = __out.pos();
        #end
        #sums
        #end_open
        #close
        #align
        #take_back
        #origin_again
        __rt::Ok(())
    };
    let rest = quote!(#entries #floors #flags #wholes #locals #decoded #rest);
    let head = head(&plan, &rest);
    let body = quote!(#valid #open #kept #head #rest);
    match sums::holds(&plan) {
        Some(needed) => quote!(__out.hold(#needed, |__out| { #body })),
        None if sections::holds_values(emitter) => quote!(__out.hold_used(|__out| { #body })),
        None => body,
    }
}

/// What is done where, behind what it needs.
fn planned<'e, 'm>(emitter: &'e Emitter<'m>) -> Plan<'e, 'm> {
    let mut plan = Plan::new(emitter);
    // What a place in front asks for is told to the next pass first: where that was taken otherwise, the rest may fail.
    early_measures::plan(&mut plan);
    numbers::plan(&mut plan);
    presence::plan(&mut plan);
    sums::plan(&mut plan);
    // A circle has been reported already.
    for item in order(emitter.model, emitter.steps).unwrap_or_default() {
        match item {
            Item::Step(step) => numbers::step(&mut plan, step),
            Item::Set(index, number) => set::plan(&mut plan, index, number),
        }
    }
    tables::plan(&mut plan);
    view::plan(&mut plan);
    checks::plan(&mut plan);
    own_width::plan(&mut plan);
    places::plan(&mut plan);
    plan
}

/// Where the value begins, and the fields that the rest of the body names.
fn head(plan: &Plan<'_, '_>, rest: &TokenStream) -> TokenStream {
    let origin = &plan.emitter.model.words.origin;
    let origin = origin.as_ref().map(|_| quote!(__out.origin = __start;));
    let mut named = HashSet::new();
    names_of(rest, &mut named);
    let fields = plan.emitter.model.fields().iter().enumerate();
    let fields = fields.filter(|(index, field)| {
        !plan.writes_as_held(*index) || named.contains(&local(&field.name).to_string())
    });
    let bindings = fields.map(|(_, field)| binding(plan.emitter, field));
    let wire = named.contains("__wire").then(|| plan.emitter.own_layout());
    quote! {
        #wire
        let __start = __out.pos();
        let __origin = __out.origin;
        #origin
        #(#bindings)*
    }
}

fn names_of(tokens: &TokenStream, names: &mut HashSet<String>) {
    for token in tokens.clone() {
        match token {
            TokenTree::Group(group) => names_of(&group.stream(), names),
            TokenTree::Ident(name) => drop(names.insert(name.to_string())),
            _ => {}
        }
    }
}

/// A field as the rest of the body sees it: scalars by value, all else by reference.
pub(super) fn binding(emitter: &Emitter<'_>, field: &Field<'_>) -> TokenStream {
    let (name, held) = (local(&field.name), emitter.held(&field.member));
    match field.kind {
        // Whether the number is there is all that the struct says.
        Kind::Auto(_, ty) if field.is_optional() => quote! {
            let #name = &#held.as_ref().map(|_| <#ty as ::core::default::Default>::default());
        },
        Kind::Auto(..) => quote!(),
        Kind::Scalar(_) if !field.is_optional() => quote!(let #name = #held;),
        _ => quote!(let #name = &#held;),
    }
}

/// The padding of the type, behind its length and what checksums cover.
fn align(emitter: &Emitter<'_>) -> Option<TokenStream> {
    let (rt, align) = (&emitter.rt, emitter.model.words.align_after.as_ref()?);
    let call = emitter.size("align_after", &align.value, Site::Write);
    Some(quote! {
        let __size = #rt::write::size(__out, "align_after", #call)?;
        __out.align(__start, __size, 0)?;
    })
}
