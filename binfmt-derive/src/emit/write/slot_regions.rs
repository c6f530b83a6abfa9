//! Located values are written with their region: the fields of a section, or what lies behind the sequence.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::Ident;

use super::parallel::{add_slots, write_next};
use super::piece::located;
use super::plan::Plan;
use super::slots::{slot, slots_name};
use super::{places, sections};
use crate::emit::{local, text};
use crate::model::{Field, Space};

/// How many single values are written where they stand in the code. Their slots are a type in a type, which
/// rustc follows so far only.
const MOST_IN_TURN: usize = 16;

/// Writes what lies in a section, or behind the sequence: its located fields in the order of their
/// places, and what lies between them.
pub(super) fn slot_region(plan: &Plan<'_, '_>, space: Space) -> TokenStream {
    let (rt, model) = (&plan.emitter.rt, plan.emitter.model);
    let Some(number) = plan.slot_regions.iter().position(|slot_region| slot_region.space == space)
    else {
        return TokenStream::new();
    };
    let slots = slots_name(number);
    let inside = inside(plan, number);
    let (has_tables, one) = pieces(plan, &inside);
    if space == Space::Around {
        let made = made(plan, &slots, &inside);
        return quote!(#made #rt::place::write_around(__out, &mut #slots, &mut #one)?;);
    }
    let section = space.section().and_then(|index| Some((index, model.fields().get(index)?)));
    let listed = listed(plan, &slots, section.map(|(_, field)| field), (&inside, has_tables), &one);
    let made = listed.is_some().then(|| made(plan, &slots, &inside));
    let write = listed.unwrap_or_else(|| {
        let (count, (locals, chain)) = (inside.len(), chain(plan, &inside));
        quote! {
            #locals
            let #slots =
                #rt::place::write::<#count, _, _>(__out, &#chain, __slot_region, #one)?;
        }
    });
    let region = sections::region(plan, section);
    let (from, fill_up) = sections::whole_units(plan, section).unzip();
    quote! {
        #made
        let __slot_region = #region;
        #from
        #write
        #fill_up
    }
}

/// Writes values whose slots are a list: one function for all of them knows of tables, and of values that end where
/// the next one begins. `None` where they are few and single, and are written where they stand in the code.
fn listed(
    plan: &Plan<'_, '_>,
    slots: &Ident,
    section: Option<&Field<'_>>,
    (inside, has_tables): (&[(usize, &Field<'_>)], bool),
    one: &TokenStream,
) -> Option<TokenStream> {
    let rt = &plan.emitter.rt;
    if section.is_some_and(Field::is_open) {
        return Some(
            quote!(#rt::place::write_open(__out, &mut #slots, __slot_region, &mut #one)?;),
        );
    }
    if section.is_some_and(|section| section.words.grow.is_some()) {
        return Some(
            quote!(#rt::place::write_down(__out, &mut #slots, __slot_region, &mut #one)?;),
        );
    }
    let next = inside.iter().find(|(_, field)| field.goes_to_next());
    let several = has_tables
        || inside.len() > MOST_IN_TURN
        || inside.iter().any(|(index, one)| places::is_last(plan, *index, one));
    if !several && next.is_none() {
        return None;
    }
    let ends = next.map(|(_, field)| {
        let label = text(&field.label);
        quote! {
            if #rt::place::ends_with_last(&#slots, __last) {
                #rt::write::ends(__out, #label, 1)?;
            }
        }
    });
    let last = ends.is_some().then(|| quote!(let __last =));
    Some(quote! {
        let __begin = __out.pos();
        #last #rt::place::write_all(__out, &mut #slots, __slot_region, __begin, &mut #one)?;
        #ends
    })
}

/// The fields of a region, by their numbers.
fn inside<'m>(plan: &Plan<'_, 'm>, slot_region: usize) -> Vec<(usize, &'m Field<'m>)> {
    let region = plan.slot_regions.get(slot_region);
    let inside = region.map(|region| region.inside.as_slice()).unwrap_or_default();
    let fields = plan.emitter.model.fields();
    inside.iter().filter_map(|index| Some((*index, fields.get(*index)?))).collect()
}

/// The function that writes the value of a slot, and whether it writes those of tables.
fn pieces(plan: &Plan<'_, '_>, inside: &[(usize, &Field<'_>)]) -> (bool, TokenStream) {
    let single = inside.iter().filter(|(_, field)| field.parallel.is_none()).enumerate();
    let pieces = single.map(|(slot, (index, field))| {
        let name = local(&field.name);
        let piece = located(plan, *index, field);
        let is_missing = plan.ready.is_hole(*index);
        if field.is_optional() {
            quote!(#slot => if let __rt::Some(__value) = #name {
                #piece
                return __rt::Ok(__size);
            })
        } else {
            let value = (!is_missing).then(|| quote!(let __value = #name;));
            quote!(#slot => { #value #piece return __rt::Ok(__size); })
        }
    });
    let pieces: Vec<TokenStream> = pieces.collect();
    let several = inside.iter().filter_map(|(index, field)| {
        Some(write_next(plan, *index, field, field.parallel.as_ref()?))
    });
    let several: Vec<TokenStream> = several.collect();
    let one = quote! {
        |__out, __id| {
            match __id { #(#pieces)* _ => {} }
            #(#several)*
            __rt::Ok(0)
        }
    };
    (!several.is_empty(), one)
}

/// The slots of single fields one behind the other, and the locals with their stored places.
fn chain(plan: &Plan<'_, '_>, inside: &[(usize, &Field<'_>)]) -> (TokenStream, TokenStream) {
    let mut locals = TokenStream::new();
    let mut slots = Vec::new();
    for (number, (_, field)) in inside.iter().enumerate() {
        let name = format_ident!("__place_{number}");
        let (place, slot) = slot(plan, field, &name);
        locals.extend(place);
        slots.push(slot);
    }
    (locals, slots.iter().rev().fold(quote!(()), |rest, slot| quote!((#slot, #rest))))
}

/// The slots of a region: those of single fields first, then those of fields with `for_each`.
fn made(plan: &Plan<'_, '_>, slots: &Ident, inside: &[(usize, &Field<'_>)]) -> TokenStream {
    let rt = &plan.emitter.rt;
    let single = inside.iter().filter(|(_, field)| field.parallel.is_none());
    let single = single.map(|(_, field)| {
        let (place, slot) = slot(plan, field, &format_ident!("__place"));
        quote!({ #place #slot })
    });
    let single: Vec<TokenStream> = single.collect();
    let several: Vec<TokenStream> = inside
        .iter()
        .filter_map(|(_, field)| Some(add_slots(plan, field, field.parallel.as_ref()?, slots)))
        .collect();
    let count = single.len();
    if several.is_empty() {
        return quote!(let mut #slots: [#rt::place::Slot<'_>; #count] = [#(#single),*];);
    }
    let names = inside.iter().filter(|(_, field)| field.parallel.is_some());
    let names = names.map(|(_, field)| local(&field.name));
    quote! {
        let mut #slots = #rt::parallel::slots(&[#(#single),*], 0_usize #(.saturating_add(#names.len()))*);
        #(#several)*
    }
}
