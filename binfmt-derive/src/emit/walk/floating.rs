//! Located values and regions whose offset or size is an `Auto`: nothing keeps where they were.

use proc_macro2::TokenStream;
use quote::quote;

use super::parallel;
use crate::derived::{Of, Solved, Source, is_computed_place, leader};
use crate::emit::write::limits::limits;
use crate::emit::write::slots::{led, led_by, takes_rest};
use crate::emit::write::told_sizes;
use crate::emit::{Emitter, Site, local};
use crate::model::{Field, Kind, Space};
use crate::steps::{Base, Region, What};

/// Compares the places of values of one region with those that the writer would give them.
pub(super) fn floating(
    emitter: &Emitter<'_>,
    inside: &[usize],
    region: &TokenStream,
    space: Space,
) -> Option<TokenStream> {
    let (rt, fields, extents) = (&emitter.rt, emitter.model.fields(), emitter.extents());
    let fields: Vec<_> =
        inside.iter().filter_map(|index| Some((*index, fields.get(*index)?))).collect();
    let (several, single): (Vec<_>, Vec<_>) =
        fields.into_iter().partition(|(_, field)| field.parallel.is_some());
    if !single.iter().any(|(index, _)| floats(emitter, *index)) {
        return None;
    }
    let is_down = space.section().is_some_and(|section| {
        emitter.model.fields().get(section).is_some_and(|field| field.words.grow.is_some())
    });
    // Others may have to make room for what no field keeps.
    let placed = single.iter().enumerate();
    let placed: Vec<_> =
        placed.map(|(slot, (index, _))| quote!((#slot, #index, #extents.get(#index).0))).collect();
    let led: Vec<_> = several.iter().filter_map(|(index, _)| of_items(emitter, *index)).collect();
    let slots = slots(emitter, &single, &several, &led, space);
    let section = space.section();
    if let Some(section) = section.filter(|_| is_down) {
        return Some(quote! {
            #slots
            #rt::place::floating_down(
                __cur, __obs, Self::__WIRE, &mut __slots, (__spans.get(#section), __start), &[#(#placed),*],
            );
        });
    }
    let section = match section {
        Some(section) => quote!(__rt::Some(__spans.get(#section).1)),
        None => quote!(__rt::None),
    };
    let compared = quote! {
        #rt::place::floating(
            __cur, __obs, Self::__WIRE, &mut __slots, (#region, __start, #section), &[#(#placed),*],
        )
    };
    if several.is_empty() {
        return Some(quote!(#slots #compared;));
    }
    let (count, placements) = (single.len(), parallel::placements_in(space));
    Some(quote! {
        #slots
        if #compared {
            #rt::place::floating_items(
                __obs, Self::__WIRE, (&__slots, #count), &#placements,
            );
        }
    })
}

/// The slots that the writer makes of the values of a region: those of single fields first, and then those of tables,
/// of which some follow others that no field keeps.
fn slots(
    emitter: &Emitter<'_>,
    single: &[(usize, &Field<'_>)],
    several: &[(usize, &Field<'_>)],
    led: &[TokenStream],
    space: Space,
) -> TokenStream {
    let rt = &emitter.rt;
    let single = single.iter().map(|(index, field)| slot(emitter, *index, field));
    if several.is_empty() {
        return quote!(let mut __slots = [#(#single),*];);
    }
    let next = several.iter().filter(|(_, field)| field.goes_to_next()).map(|(index, _)| index);
    let placements = parallel::placements_in(space);
    quote! {
        let mut __slots = #rt::parallel::slots(&[#(#single),*], 0);
        let __floating: &[(usize, #rt::place::Slot<'_>)] = &[#(#led),*];
        #rt::parallel::add_placed(&mut __slots, &#placements, &[#(#next),*], __floating);
    }
}

/// The slot of the values of a table whose places count from one that no field keeps.
fn of_items(emitter: &Emitter<'_>, index: usize) -> Option<TokenStream> {
    let rt = &emitter.rt;
    let (model, place) = (emitter.model, emitter.lowered.place(index)?);
    leader(model, emitter.steps, index).filter(|leads| floats(emitter, *leads))?;
    let slot = led_by(emitter, model.fields().get(index)?.one())?;
    // What an item says of its own alignment is known where it is read alone.
    let align = place.align.filter(|(_, to)| to.names().is_empty());
    let align = align.map(|(word, to)| {
        let call = emitter.size(word, to, Site::Walk);
        quote!(.on(#call.unwrap_or(1)))
    });
    let apart = quote!(#rt::place::Apart::OfItem);
    Some(quote!((#index, #rt::place::Slot::aligned(1) #align .led_by(#slot).apart(#apart))))
}

/// Whether no field of the struct keeps the offset.
fn floats(emitter: &Emitter<'_>, index: usize) -> bool {
    if is_computed_place(emitter.model, emitter.steps, index) {
        return false;
    }
    let names = emitter.lowered.place(index).map(|place| place.at.names()).unwrap_or_default();
    names.into_iter().filter_map(|name| emitter.model.field(name)).any(|(_, field)| is_auto(field))
}

fn is_auto(field: &Field<'_>) -> bool {
    matches!(field.kind, Kind::Auto(..))
}

/// The slot that the writer makes of a field, by what has been read.
fn slot(emitter: &Emitter<'_>, index: usize, field: &Field<'_>) -> TokenStream {
    let (rt, extents) = (&emitter.rt, emitter.extents());
    let (floor, floats) = if floats(emitter, index) {
        (quote!(__rt::None), Some(quote!(.floats())))
    } else {
        (quote!(__rt::Some(#rt::ops::wide(__span.0))), None)
    };
    let place = emitter.lowered.place(index);
    let align = place.and_then(|place| place.align);
    let pad = emitter.lowered.of(index).iter().find_map(|step| match step.what {
        What::Align { word, to, .. } => Some((word, to)),
        _ => None,
    });
    let [align, pad] = [align, pad].map(|align| match align {
        Some((word, to)) => emitter.size(word, to, Site::Walk),
        None => quote!(__rt::Some(1)),
    });
    let base = match place.map(|place| place.base) {
        Some(Base::Field(other)) => quote!(#rt::ops::wide(__spans.get(#other).0)),
        Some(Base::File) => quote!(0),
        Some(Base::Start) => quote!(#rt::ops::wide(__start)),
        Some(Base::Origin) | None => quote!(#rt::ops::wide(__cur.origin)),
    };
    let (limits, rest) =
        (limits(emitter, field, &base, Site::Walk), takes_rest(emitter, index, field));
    let led = led(emitter, field, Site::Walk);
    let name = local(&field.name);
    let present = if field.is_optional() { quote!(#name.is_some()) } else { quote!(true) };
    let shares = place.is_some_and(|place| place.shared);
    let shares = shares.then(|| quote!(.shares_at((__span.0, __spans.get(#index).1))));
    quote! {{
        let __span = #extents.get(#index);
        let __size = #rt::ops::wide(__span.1.wrapping_sub(__span.0));
        #rt::place::Slot::new(
            #present, #floor, __size, (#align.unwrap_or(1), #pad.unwrap_or(1)),
        ) #shares #limits #floats #rest #led
    }}
}

/// Compares the size of a region that is not kept with the one that the writer would give it.
pub(super) fn floating_region(
    emitter: &Emitter<'_>,
    index: usize,
    region: Region<'_>,
) -> Option<TokenStream> {
    let fields = emitter.model.fields();
    let floats = emitter.steps.iter().any(|step| {
        let Source::Solved(Solved { of: Of::PadTo(padded), .. }) = &step.source else {
            return false;
        };
        *padded == index && fields.get(step.target).is_some_and(is_auto)
    });
    if !floats {
        return None;
    }
    let (rt, claim) = (&emitter.rt, emitter.claim(region.size, index));
    let align = region.align.map(|align| emitter.size("align_after", align, Site::Walk));
    let align = align.unwrap_or_else(|| quote!(__rt::Some(1)));
    let sizes = told_sizes(emitter, fields.get(index)?);
    Some(quote! {
        if __O::RECORD {
            #rt::place::floating_region(
                __obs, #claim, __size, __cur.pos().wrapping_sub(__at), #align, #sizes,
            );
        }
    })
}
