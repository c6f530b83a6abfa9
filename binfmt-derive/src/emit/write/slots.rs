//! Located fields: their slots, and what they lie in.

use proc_macro2::TokenStream;
use quote::{ToTokens as _, format_ident, quote};
use syn::Ident;

use super::bases;
use super::limits::{limits, lowest, units_behind};
use super::measures::if_present;
use super::parallel::first_of;
use super::places;
use super::plan::{Plan, mark};
use super::shared;
use crate::derived::{Of, Point, Step, is_set_place, leader};
use crate::emit::walk::{free, is_kept, least_left};
use crate::emit::{Emitter, Site, local, strings, text};
use crate::model::{Field, Kind, Space, placed_in, sharers};
use crate::steps::{Base, Value, What};

/// The slots of a region, by its number.
pub(super) fn slots_name(slot_region: usize) -> Ident {
    format_ident!("__slots_{slot_region}")
}

/// What is known of a slot before the value is placed.
struct Known {
    present: TokenStream,
    /// The stored offset, and what it counts from.
    stored: TokenStream,
    base: TokenStream,
    align: Option<TokenStream>,
    shared: Option<TokenStream>,
    empty: Option<TokenStream>,
    /// What follows from the words alone.
    limits: TokenStream,
}

impl Known {
    fn of(plan: &Plan<'_, '_>, field: &Field<'_>) -> Option<Self> {
        let emitter = plan.emitter;
        let (index, _) = emitter.model.field(&field.name)?;
        let place = emitter.lowered.place(index)?;
        // What tells of the values of a table is told of no single one.
        let known = |index: usize| {
            field.is_element && plan.ready.target(index) <= plan.ready.places(place.space)
        };
        let stored = place.at.names().iter().all(|name| {
            let field = emitter.model.field(name);
            field.is_none_or(|(index, field)| !matches!(field.kind, Kind::Auto(..)) || known(index))
        });
        let mut floats = None;
        let stored = if let Some(place) = places::stored(plan, index, field) {
            place
        } else if is_taken_first(plan, field) {
            mark(field, "floor").to_token_stream()
        } else if keeps_late(plan, field) {
            let read = places::as_read(plan, (field, place.at), plan.ready.places(place.space));
            floats = (read.is_none() && !stored).then(|| quote!(.floats()));
            read.unwrap_or_else(|| quote!(__rt::None))
        } else if stored {
            let call = emitter.size("at", place.at, Site::Write);
            places::kept(emitter, field, &call)
        } else {
            floats = Some(quote!(.floats()));
            quote!(__rt::None)
        };
        let align = place.align.map(|(word, to)| {
            let call = emitter.size(word, to, Site::Write);
            quote!(#call.unwrap_or(1))
        });
        let name = local(&field.name);
        let stored = bases::kept(emitter, field, stored);
        let present = if field.is_optional() { quote!(#name.is_some()) } else { quote!(true) };
        let free = free(emitter, index, field);
        let (shared, twins) = if !place.shared {
            (None, quote!())
        } else if shared::is_compared_as_written(emitter.model, field) {
            (None, quote!(.encoded().paid_unless(#free)))
        } else {
            (Some(shared::bytes(field)), quote!(.paid_unless(#free)))
        };
        let (base, empty) = (base(emitter, field), empty(emitter, index, field));
        let limits = limits(emitter, field, &base, Site::Write);
        let last = places::is_last(plan, index, field).then(|| quote!(.last()));
        let rest = takes_rest(emitter, index, field);
        // Elsewhere a region begins behind what offsets into it count from.
        let behind = (place.space == Space::Around).then(|| quote!(.not_before(#base)));
        let is_fixed = place.at.names().is_empty() && place.at.measures().is_empty();
        let fixed = is_fixed.then(|| quote!(.fixed()));
        let limits = quote!(#twins #limits #floats #fixed #last #rest #behind);
        Some(Self { present, stored, base, align, shared, empty, limits })
    }
}

/// The slot of a located field, and what stands in front of it.
pub(super) fn slot(
    plan: &Plan<'_, '_>,
    field: &Field<'_>,
    name: &Ident,
) -> (TokenStream, TokenStream) {
    let rt = &plan.emitter.rt;
    let Some(known) = Known::of(plan, field) else { return Default::default() };
    let Known { present, stored, base, align, shared, empty, limits } = known;
    let led = places::led(plan, field);
    let align = align.map(|align| quote!(.on(#align)));
    let shared = shared.map(|shared| quote!(.sharing(#shared)));
    let empty = empty.map(|empty| quote!(.empty(#empty)));
    let slot = quote! {
        #rt::place::Slot::of(#present, #name, #base) #align #shared #empty #limits #led
    };
    (quote!(let #name = #stored;), slot)
}

/// Which slot of the region the place of a field follows from, with which it moves.
pub(in crate::emit) fn led_by(emitter: &Emitter<'_>, field: &Field<'_>) -> Option<u8> {
    let model = emitter.model;
    let (index, _) = model.field(&field.name)?;
    let leader = leader(model, emitter.steps, index)?;
    let inside = placed_in(model, Space::of(model, field)).into_iter();
    let mut single =
        inside.filter(|one| model.fields().get(*one).is_some_and(|one| one.parallel.is_none()));
    // A writer keeps in mind which of so many have moved.
    let number = single.position(|one| one == leader).filter(|number| *number < 64)?;
    u8::try_from(number).ok()
}

/// That a slot moves with another one, in which units its number counts from there, and whether that may be below 0.
pub(in crate::emit) fn led(
    emitter: &Emitter<'_>,
    field: &Field<'_>,
    site: Site,
) -> Option<TokenStream> {
    let slot = led_by(emitter, field)?;
    let (index, _) = emitter.model.field(&field.name)?;
    let leader = leader(emitter.model, emitter.steps, index)?;
    let units = units_behind(emitter, field, leader, site);
    let lowest = lowest(emitter, field, site).map(|lowest| quote!(.reaches_back(#lowest)));
    Some(quote!(.led_by(#slot) #units #lowest))
}

/// The slots of the values of a field with `for_each`: what they have in common, and what is told of
/// one of them, `__slot`.
pub(super) fn slot_of_each(plan: &Plan<'_, '_>, element: &Field<'_>) -> (TokenStream, TokenStream) {
    let rt = &plan.emitter.rt;
    let Some(known) = Known::of(plan, element) else { return Default::default() };
    let Known { present, stored, base, align, shared, empty, limits } = known;
    let led = led(plan.emitter, element, Site::Write);
    let led = led.map(|led| quote!(#led.apart(#rt::place::Apart::OfItem)));
    let limits = quote!(#limits #led);
    let like = if limits.is_empty() {
        quote!(__rt::None)
    } else {
        quote!(__rt::Some(&#rt::place::Slot::default() #limits))
    };
    let align = align.unwrap_or_else(|| quote!(1));
    let [shared, empty] = [shared, empty].map(|one| one.unwrap_or_else(|| quote!(__rt::None)));
    let tell = quote! {
        __slot.tell((#present, #empty), (#stored, #base), #align, #shared);
    };
    (like, tell)
}

/// That the value takes what is left of its region.
pub(in crate::emit) fn takes_rest(
    emitter: &Emitter<'_>,
    index: usize,
    field: &Field<'_>,
) -> Option<TokenStream> {
    let least = least_left(emitter, index, field).filter(|_| !field.goes_to_next())?;
    let label = text(&field.label);
    Some(quote!(.up_to_end(#label, #least)))
}

/// Whether a value has no bytes, as far as it can be said before it is written.
fn empty(emitter: &Emitter<'_>, index: usize, field: &Field<'_>) -> Option<TokenStream> {
    let rt = &emitter.rt;
    let some = |value: TokenStream| Some(quote!(__rt::Some(#value)));
    let any =
        |what: fn(&What<'_>) -> bool| emitter.lowered.of(index).iter().any(|step| what(&step.what));
    if any(|what| {
        matches!(what, What::Magic(_) | What::Nul { .. } | What::Terminator | What::Prefix(_))
    }) {
        return some(quote!(false));
    }
    if any(|what| {
        matches!(
            what,
            What::Pad { .. } | What::Region(_) | What::Value(Value::With(..) | Value::Map(..))
        )
    }) {
        return None;
    }
    match field.kind {
        Kind::Scalar(_) | Kind::Auto(..) => some(quote!(false)),
        Kind::Bytes { .. } | Kind::Text { .. } | Kind::Utf16 => {
            let len = if_present(field, &strings::len(emitter, field));
            some(quote!(#len == 0))
        }
        Kind::Nested | Kind::Array(_) => {
            let ty = field.inner;
            Some(quote!((<#ty as #rt::Wire<'_>>::MIN_SIZE > 0).then_some(false)))
        }
        Kind::Seq(_) | Kind::Vec(_) => None,
    }
}

/// Whether a stored offset must be taken before numbers that it names are computed anew.
fn is_taken_first(plan: &Plan<'_, '_>, field: &Field<'_>) -> bool {
    let model = plan.emitter.model;
    let Some((index, _)) = model.field(&field.name).filter(|_| !field.is_element) else {
        return false;
    };
    let Some(at) = field.words.at.as_ref().filter(|_| places::of(plan, index).is_none()) else {
        return false;
    };
    let measured = |(measure, name)| {
        let field = model.field(name);
        field.is_none_or(|(other, _)| plan.ready.measure(measure, other) == Point::BEFORE)
    };
    let named = || at.value.names().into_iter().filter_map(|name| model.field(name));
    let computed = |index: usize| plan.emitter.steps.iter().any(|step| step.target == index);
    named().all(|(_, field)| !matches!(field.kind, Kind::Auto(..)))
        && at.value.measures().into_iter().all(measured)
        && (is_set_place(model, index)
            || named().any(|(other, _)| {
                computed(other)
                    && (plan.ready.target(other) <= plan.ready.comes(index)
                        || plan.as_stored.contains(&other))
            }))
}

/// Whether a stored offset asks for what is known only behind the value, and so is kept from the second pass on.
pub(super) fn keeps_late(plan: &Plan<'_, '_>, field: &Field<'_>) -> bool {
    let place = plan.emitter.model.field(&field.name);
    let place = place.and_then(|(index, _)| Some((index, plan.emitter.lowered.place(index)?)));
    place.is_some_and(|(index, place)| {
        places::stored(plan, index, field).is_none()
            && !is_taken_first(plan, field)
            && places::measures_late(plan, index, place.at)
    })
}

/// The stored offsets that must be taken first.
pub(super) fn floors(plan: &Plan<'_, '_>) -> TokenStream {
    let mut all = places::guesses(plan);
    for field in plan.emitter.model.fields().iter().filter(|field| is_taken_first(plan, field)) {
        let Some(at) = &field.words.at else { continue };
        let (call, floor) = (plan.emitter.size("at", &at.value, Site::Write), mark(field, "floor"));
        let stored = places::kept(plan.emitter, field, &call);
        all.extend(quote!(let #floor = #stored;));
    }
    all
}

/// What the offsets of a located field count from.
pub(super) fn base(emitter: &Emitter<'_>, field: &Field<'_>) -> TokenStream {
    let index = emitter.model.field(&field.name).map(|(index, _)| index);
    let place = index.and_then(|index| emitter.lowered.place(index));
    match place.map(|place| place.base) {
        Some(Base::Field(other)) => {
            let other = emitter.model.fields().get(other).map(|other| mark(other, "from"));
            quote!(#other)
        }
        Some(Base::File) => quote!(0),
        Some(Base::Start) => quote!(__start),
        Some(Base::Origin) | None => quote!(__out.origin),
    }
}

/// The offset of a located field, or of the one that is there of several that share the offset.
pub(super) fn offset(plan: &Plan<'_, '_>, index: usize) -> TokenStream {
    let model = plan.emitter.model;
    let some = |value: TokenStream| quote!(__rt::Some(#value));
    let Some(field) = model.fields().get(index) else { return some(quote!(0)) };
    let null = field.words.null.as_ref().map(|null| &null.value);
    let mut value = some(null.map_or_else(|| quote!(0), |null| quote!(#null)));
    let sharing: Vec<&Field<'_>> =
        sharers(model, field).into_iter().map(|(_, sharer)| sharer).collect();
    let tells =
        |step: &&Step<'_>| step.solved().is_some_and(|solved| solved.of == Of::Offset(index));
    let given = plan.emitter.steps.iter().find(tells);
    let target = given.and_then(|step| model.fields().get(step.target));
    let kept = target
        .and_then(|target| is_kept(plan.emitter, target, &sharing, Site::Write))
        .zip(field.words.at.as_ref());
    if let Some((kept, at)) = kept {
        let stored = plan.emitter.size("at", &at.value, Site::Write);
        value = quote!(if #kept { #stored } else { #value });
    }
    for (other, sharer) in sharers(model, field).into_iter().rev() {
        let slot = slot_offset(plan, other, sharer);
        let name = local(&sharer.name);
        value = if sharer.is_optional() {
            quote!(if #name.is_some() { #slot } else { #value })
        } else {
            slot
        };
    }
    value
}

/// The slot of a single located field.
pub(super) fn slot_of(plan: &Plan<'_, '_>, index: usize) -> TokenStream {
    let fields = plan.emitter.model.fields();
    let place = plan.slot_regions.iter().enumerate().find_map(|(number, slot_region)| {
        let single =
            |index: &&usize| fields.get(**index).is_some_and(|field| field.parallel.is_none());
        let slot = slot_region.inside.iter().filter(single).position(|other| *other == index);
        slot.map(|slot| (number, slot))
    });
    let (number, slot) = place.unwrap_or((0, 0));
    let slots = slots_name(number);
    quote!(#slots[#slot])
}

/// Where a located field has been placed, counted from where offsets count from; 0 where it is absent.
pub(super) fn place(plan: &Plan<'_, '_>, index: usize, field: &Field<'_>) -> TokenStream {
    let (slot, name) = (slot_of(plan, index), local(&field.name));
    let place = quote!(__out.from_origin(#slot.at)?);
    if field.is_optional() {
        return quote!(if #name.is_some() { #place } else { 0 });
    }
    place
}

/// Where a located field has been placed, counted from its base: an `Option<u64>`.
pub(super) fn slot_offset(plan: &Plan<'_, '_>, index: usize, field: &Field<'_>) -> TokenStream {
    let (slot, base) = (slot_of(plan, index), base(plan.emitter, field));
    quote!(#slot.offset_from(#base))
}

/// The slots that a field with `for_each` is in, and the number of its first one.
pub(super) fn slots_with(plan: &Plan<'_, '_>, index: usize, field: &Field<'_>) -> (Ident, Ident) {
    let slot_region =
        plan.slot_regions.iter().position(|slot_region| slot_region.inside.contains(&index));
    (slots_name(slot_region.unwrap_or(0)), first_of(field))
}

/// Whether a number is that of an offset.
pub(super) fn is_offset(of: Of) -> bool {
    matches!(of, Of::Offset(_))
}
