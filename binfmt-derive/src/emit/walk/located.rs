//! Fields that lie at offsets, and the place that they share.

use std::collections::HashSet;

use proc_macro2::TokenStream;
use quote::{ToTokens as _, format_ident, quote};
use syn::Ident;

use super::field::Reading;
use super::floating::floating;
use super::parallel;
use super::starts::up_to_next;
use crate::emit::expr::measured;
use crate::emit::sizes::has_told_padding;
use crate::emit::write::limits::limits;
use crate::emit::{Emitter, Site, local, open, overrides};
use crate::expr::Measure;
use crate::model::{Field, Kind, Space, is_item};
use crate::steps::{Base, Place, Slots, Value, What, all_measures};
use crate::tokens::mention;

/// A look at the place that located fields share.
pub(super) fn slots(emitter: &Emitter<'_>, slots: &Slots) -> TokenStream {
    let rt = &emitter.rt;
    let placements = parallel::placements(emitter, slots.space, &slots.fields);
    match slots.space {
        Space::Section(section) => in_section(emitter, section, slots, &placements),
        Space::Behind => behind_the_sequence(emitter, slots, &placements),
        Space::Around => quote!(if __O::RECORD {
            #placements
            #rt::place::lie_around(__obs, Self::__WIRE, &__placements);
        }),
    }
}

/// A look at what follows the sequence.
fn behind_the_sequence(
    emitter: &Emitter<'_>,
    slots: &Slots,
    placements: &TokenStream,
) -> TokenStream {
    let (rt, inside, extents) = (&emitter.rt, &slots.fields, emitter.extents());
    let can_lie = can_lie(emitter, inside);
    let floating = floating(emitter, inside, &quote!(__sequence_end), slots.space);
    let next = up_to_next_ones(emitter, inside);
    quote! {
        let __sequence_end = __cur.pos();
        let __furthest = #extents.furthest(&[#(#inside),*]);
        #rt::place::advance(__cur, __obs, __furthest)?;
        if __O::RECORD {
            #placements
            let __held = #rt::place::Held {
                span: (__sequence_end, __cur.pos()), start: __start, kept: false, next: &[#(#next),*],
                fill: 0,
            };
            #rt::place::look_at(__cur, __obs, Self::__WIRE, __held, &mut __placements, #can_lie);
            #floating
        }
    }
}

/// A look at a section.
fn in_section(
    emitter: &Emitter<'_>,
    section: usize,
    slots: &Slots,
    placements: &TokenStream,
) -> TokenStream {
    let (rt, inside) = (&emitter.rt, &slots.fields);
    let Some(field) = emitter.model.fields().get(section) else { return TokenStream::new() };
    let begin = quote!(__spans.get(#section).0);
    let floating = floating(emitter, inside, &begin, slots.space);
    let (fill, can_lie) = (Emitter::fill(field), can_lie(emitter, inside));
    let next = up_to_next_ones(emitter, inside);
    let look_at = if field.is_open() { quote!(look_at_open) } else { quote!(look_at) };
    let look = quote! {
        #placements
        let __held = #rt::place::Held {
            span: __spans.get(#section), start: __start, kept: true, next: &[#(#next),*], fill: #fill,
        };
        #rt::place::#look_at(__cur, __obs, Self::__WIRE, __held, &mut __placements, #can_lie);
        #floating
    };
    let look = overrides::about(emitter, field, look);
    quote!(if __O::RECORD { #look })
}

/// The fields whose values go up to the next one.
fn up_to_next_ones(emitter: &Emitter<'_>, inside: &[usize]) -> Vec<usize> {
    let fields = emitter.model.fields();
    let goes = |index: &usize| fields.get(*index).is_some_and(|field| field.one().goes_to_next());
    inside.iter().copied().filter(goes).collect()
}

/// What reads a value in an open section: values of that value may lie there, too.
pub(super) fn in_the_open(emitter: &Emitter<'_>, space: Space, read: TokenStream) -> TokenStream {
    let rt = &emitter.rt;
    let section = space.section().and_then(|index| emitter.model.fields().get(index));
    if section.is_none_or(|section| !section.is_open()) {
        return read;
    }
    quote! {{
        #rt::place::reopen_section(__obs);
        let __visited = #read;
        #rt::place::close_section(__obs);
        __visited
    }}
}

/// A function that tells, for the fields that cannot lie everywhere, where a writer places them.
fn can_lie(emitter: &Emitter<'_>, inside: &[usize]) -> TokenStream {
    let rt = &emitter.rt;
    let arms = inside.iter().filter_map(|index| {
        let field = emitter.model.fields().get(*index)?.one();
        let place = emitter.lowered.place(*index)?;
        let base = base(place.base);
        let base = quote!(#rt::ops::wide(#base));
        let limits = limits(emitter, field, &base, Site::Walk);
        let align = match place.align {
            // What an item tells of its own alignment is not known here.
            Some((_, to)) if to.names().iter().any(|name| is_item(name)) => {
                return None;
            }
            Some((word, to)) => {
                let call = emitter.size(word, to, Site::Walk);
                quote!(#call.unwrap_or(1))
            }
            None if limits.is_empty() => return None,
            None => quote!(1),
        };
        Some(quote! {
            #index => __rt::Some(#rt::place::Slot::aligned(#align) #limits),
        })
    });
    let arms: Vec<TokenStream> = arms.collect();
    if arms.is_empty() {
        return quote!(&|_| __rt::None);
    }
    quote!(&|__field| match __field { #(#arms)* _ => __rt::None })
}

/// What the offset of a located field counts from, for a reader.
pub(super) fn base(base: Base) -> TokenStream {
    match base {
        Base::Origin => quote!(__cur.origin),
        Base::File => quote!(0_usize),
        Base::Field(other) => quote!(__spans.get(#other).0),
        Base::Start => quote!(__start),
    }
}

/// Reads a field where it lies; `present` reads it there.
pub(super) fn located(
    emitter: &Emitter<'_>,
    index: usize,
    field: &Field<'_>,
    place: Place<'_>,
    present: &Reading,
) -> Reading {
    let rt = &emitter.rt;
    let call = emitter.size("at", place.at, Site::Walk);
    let claim = emitter.claim(place.at, index);
    // Within a section the field cannot reach out of it, so that what is read stays linear.
    let locate = match place.space.section() {
        Some(section) => {
            let section = section_name(section, place.base);
            quote!(#section.at(__cur, __obs, __offset, #claim)?)
        }
        None => {
            let (base, from) = (base(place.base), region(field, place));
            quote!(#rt::place::at(#from, __obs, #base, __offset, #claim)?)
        }
    };
    let free = free(emitter, index, field);
    let ends = field.goes_to_next().then(|| up_to_next(emitter, place.space));
    let (steps, value) = (&present.steps, present.result());
    // What lies at an offset and has no bytes takes no place.
    let lies = mention(steps.clone(), "__lies").then(|| quote!(let __lies = __cur.pos();));
    let read = quote!(#[inline(always)] |__cur, __obs| { #lies #steps #value });
    let visit = if emitter.lowered.has_extents() {
        let place = quote!((#index, #free));
        quote!(#rt::place::with_extents(__obs, __cur, __there, #place, &mut __extents, #read))
    } else {
        let place = quote!((Self::__WIRE, #index, #free));
        quote!(#rt::place::visited(__obs, __cur, __there, #place, #read))
    };
    let start = begins(emitter, field);
    let steps = quote!(let __offset = #call; let __there = #locate; #start #ends);
    Reading::by_call(steps, in_the_open(emitter, place.space, visit))
}

/// The cursor whose region a located field lies in. What ends the value lies in its region; what belongs to others
/// lies anywhere in the file.
pub(super) fn region(field: &Field<'_>, place: Place<'_>) -> TokenStream {
    if field.one().is_view() || place.space == Space::Around {
        quote!(&__cur.in_file())
    } else {
        quote!(__cur)
    }
}

/// Keeps where a field lies, if an expression asks for it.
fn begins(emitter: &Emitter<'_>, field: &Field<'_>) -> Option<TokenStream> {
    let (rt, start) = (&emitter.rt, measured(Measure::Start, &field.name));
    let mut asked = all_measures(emitter.model).into_iter();
    asked
        .any(|(measure, other)| measure == Measure::Start && other.name == field.name)
        .then(|| quote!(#start = #rt::ops::wide(__there.pos().wrapping_sub(__cur.origin));))
}

/// The local with the section that fields lie in whose offsets count from that base.
fn section_name(section: usize, base: Base) -> Ident {
    match base {
        Base::Origin => format_ident!("__section_{section}"),
        Base::Start => format_ident!("__section_{section}_of_value"),
        Base::File => format_ident!("__section_{section}_of_file"),
        Base::Field(other) => format_ident!("__section_{section}_of_{other}"),
    }
}

/// The locals with the sections that single fields lie in.
pub(super) fn sections(emitter: &Emitter<'_>) -> TokenStream {
    let mut known: HashSet<Ident> = HashSet::new();
    let mut all = TokenStream::new();
    for (index, field) in emitter.model.fields().iter().enumerate() {
        let place = emitter.lowered.place(index).filter(|_| field.parallel.is_none());
        let Some((place, index)) = place.and_then(|place| Some((place, place.space.section()?)))
        else {
            continue;
        };
        let name = section_name(index, place.base);
        let bytes = section_bytes(emitter, index);
        if !known.insert(name.clone()) {
            continue;
        }
        let (base, sized) = (base(place.base), is_sized(emitter, index));
        let from = if counts_from_value(emitter, place.base) {
            quote!(section)
        } else {
            quote!(section_from)
        };
        all.extend(quote! {
            let __lead = const { Self::__WIRE.field(#index).offset };
            let #name = __spans.#from((#index, #sized), #bytes, __lead, #base);
        });
    }
    all
}

/// Whether a section stays as long as it is, however many bytes follow the input.
fn is_sized(emitter: &Emitter<'_>, section: usize) -> bool {
    emitter.model.fields().get(section).is_some_and(open::is_sized)
}

/// The bytes of a section.
fn section_bytes(emitter: &Emitter<'_>, section: usize) -> TokenStream {
    match emitter.model.fields().get(section) {
        Some(field) if matches!(field.kind, Kind::Bytes { owned: false }) => {
            local(&field.name).into_token_stream()
        }
        _ => quote!(__cur.range(__spans.get(#section).0, __spans.get(#section).1)),
    }
}

/// The section that a field lies in: its bytes, where it begins, whether it stays as long as it is, and how far it
/// begins behind what the offset counts from.
pub(super) fn section(emitter: &Emitter<'_>, place: &Place<'_>) -> Option<TokenStream> {
    let section = place.space.section()?;
    let (bytes, base) = (section_bytes(emitter, section), base(place.base));
    let start = quote!(__spans.get(#section).0);
    let lead = lead(emitter, place.base, section, &quote!(#start.wrapping_sub(#base)));
    let sized = is_sized(emitter, section);
    Some(quote!(((&#bytes[..], #start, #sized), #lead)))
}

/// Whether reading the value costs the same however long it is.
pub(in crate::emit) fn free(emitter: &Emitter<'_>, index: usize, field: &Field<'_>) -> TokenStream {
    let (rt, stored) = (&emitter.rt, field.stored());
    // A writer compares all of a view with what lies there.
    if field.is_view() || has_told_padding(field) {
        return quote!(false);
    }
    let value = emitter.lowered.of(index).iter().find_map(|step| match &step.what {
        What::Value(value) => Some(value),
        _ => None,
    });
    match value {
        Some(Value::Bytes(bytes)) if matches!(field.kind, Kind::Bytes { owned: false }) => {
            let free = bytes.stop.is_none() && bytes.cut.is_none();
            quote!(#free)
        }
        Some(Value::Nested(_) | Value::ByteArray | Value::Map(..))
            if matches!(field.kind, Kind::Nested | Kind::Array(_)) =>
        {
            quote!(<#stored as #rt::Wire<'_>>::SHALLOW)
        }
        _ => quote!(false),
    }
}

/// How far behind the start of the value the walk is.
pub(super) fn distance(emitter: &Emitter<'_>, index: usize, field: &Field<'_>) -> TokenStream {
    let computed = quote!(__cur.pos().wrapping_sub(__start));
    let place = emitter.lowered.place(index);
    let Some((place, section)) = place.and_then(|place| Some((place, place.space.section()?)))
    else {
        return computed;
    };
    if !field.is_element {
        let name = section_name(section, place.base);
        return quote!(#name.distance(__cur, __start));
    }
    quote! {
        match const { Self::__WIRE.field(#section).offset } {
            __rt::Some(__lead) => {
                let (__begin, __end) = __spans.get(#section);
                __lead.wrapping_add(__end.wrapping_sub(__begin)).wrapping_sub(__cur.remaining())
            }
            __rt::None => #computed,
        }
    }
}

/// How far behind its base a section begins: a constant where all before it has a fixed size.
fn lead(emitter: &Emitter<'_>, base: Base, section: usize, computed: &TokenStream) -> TokenStream {
    if !counts_from_value(emitter, base) {
        return computed.clone();
    }
    quote!(const { Self::__WIRE.field(#section).offset }.unwrap_or(#computed))
}

/// Whether offsets count from the start of the value.
fn counts_from_value(emitter: &Emitter<'_>, base: Base) -> bool {
    match base {
        Base::Start => true,
        Base::Origin => emitter.model.words.origin.is_some(),
        Base::File | Base::Field(_) => false,
    }
}
