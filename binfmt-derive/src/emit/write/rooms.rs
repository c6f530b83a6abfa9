//! Located fields: their slots, their places, and the rooms they are written in.

use proc_macro2::TokenStream;
use quote::{ToTokens as _, format_ident, quote};
use syn::Ident;

use super::derived::{if_present, len_of_bytes};
use super::each::{add_slots, write_next};
use super::field::{piece, piece_with};
use crate::emit::expr::Wanted;
use crate::emit::{Emitter, Site, local, unraw};
use crate::expr::{Expr, Measure};
use crate::model::{Field, Kind, Model};
use crate::steps::placed_in;

/// The rooms of located fields: one per section, and one behind the sequence.
pub(super) fn all_rooms(emitter: &Emitter<'_>) -> Vec<(Option<usize>, Vec<usize>)> {
    let model = emitter.model;
    let sections =
        model.fields().iter().enumerate().filter(|(_, field)| field.words.section.is_some());
    let mut rooms: Vec<_> =
        sections.map(|(index, _)| (Some(index), placed_in(model, Some(index)))).collect();
    let unplaced = placed_in(model, None);
    if !unplaced.is_empty() {
        rooms.push((None, unplaced));
    }
    rooms
}

/// Gives every located field a slot, and, when really writing, its place.
pub(super) fn rooms(emitter: &Emitter<'_>) -> TokenStream {
    let mut all = TokenStream::new();
    let rt = emitter.rt.clone();
    for (room, (section, fields)) in all_rooms(emitter).into_iter().enumerate() {
        let (slots, end) = room_names(room);
        let in_turn = in_turn(room);
        let in_section = section.is_some();
        let least = section.and_then(|index| emitter.model.fields().get(index)).map(|field| {
            let name = local(&field.name);
            quote!(.max(__sections[#room].saturating_add(#rt::ops::wide(__out.kept(&#name[..]).len()))))
        });
        all.extend(room_slots(emitter, &slots, &fields));
        let inside: Vec<_> =
            fields.iter().filter_map(|index| emitter.model.fields().get(*index)).collect();
        let rebase = rebase(emitter, &inside, &slots);
        all.extend(quote! {
            let (#end, #in_turn) = if __out.counts() {
                (0, true)
            } else {
                #rebase
                let (__end, __in_turn) =
                    #rt::place::place(__out, &mut #slots, __sections[#room], __start, #in_section)?;
                (__end #least, __in_turn)
            };
        });
    }
    all
}

/// The slots of a room: those of single fields first, then those of fields with `for_each`.
fn room_slots(emitter: &Emitter<'_>, slots: &Ident, fields: &[usize]) -> TokenStream {
    let rt = &emitter.rt;
    let fields: Vec<_> =
        fields.iter().filter_map(|index| emitter.model.fields().get(*index)).collect();
    let single: Vec<TokenStream> = fields
        .iter()
        .filter(|field| field.each.is_none())
        .map(|field| slot(emitter, field))
        .collect();
    let several: Vec<TokenStream> = fields
        .iter()
        .filter_map(|field| Some(add_slots(emitter, field, field.each.as_ref()?, slots)))
        .collect();
    let count = single.len();
    if several.is_empty() {
        return quote!(let mut #slots: [#rt::place::Slot<'_>; #count] = [#(#single),*];);
    }
    quote!(let mut #slots = #rt::each::slots(&[#(#single),*]); #(#several)*)
}

/// The local with the slots of the room that a field lies in.
pub(super) fn slots_with(emitter: &Emitter<'_>, field: &Field<'_>) -> Ident {
    let fields = emitter.model.fields();
    let room = all_rooms(emitter).iter().position(|(_, inside)| {
        inside.iter().any(|index| fields.get(*index).is_some_and(|other| other.name == field.name))
    });
    room_names(room.unwrap_or(0)).0
}

pub(super) fn room_names(room: usize) -> (Ident, Ident) {
    (format_ident!("__slots_{room}"), format_ident!("__end_{room}"))
}

/// Whether the slots of a room lie in the order of their declaration.
fn in_turn(room: usize) -> Ident {
    format_ident!("__in_turn_{room}")
}

/// The slot of a located field, or of one value of a field with `for_each`.
pub(super) fn slot(emitter: &Emitter<'_>, field: &Field<'_>) -> TokenStream {
    let rt = emitter.rt.clone();
    let Some(at) = &field.words.at else { return TokenStream::new() };
    let stored = at.value.names().iter().all(|name| {
        emitter.model.field(name).is_none_or(|(_, field)| !matches!(field.kind, Kind::Auto(..)))
    });
    // The start of another field is known only where the room begins; see `rebase`.
    let base = match base_field(emitter, field) {
        Some(_) => quote!(0),
        None => base(emitter, field),
    };
    let floor = if stored {
        let function = emitter.function("at", &at.value, Wanted::Size);
        let call = emitter.call(&function, Site::Write);
        quote!(__out.floor(#call.and_then(|__at| __at.checked_add(#base))))
    } else {
        quote!(::core::option::Option::None)
    };
    let alignment = |word: &'static str, expr: &Option<crate::attr::Word<Expr>>| {
        let function = emitter.function(word, &expr.as_ref()?.value, Wanted::Size);
        let call = emitter.call(&function, Site::Write);
        Some(quote!(#call.unwrap_or(1)))
    };
    let pad = alignment("align_after", &field.words.align_after).unwrap_or_else(|| quote!(1));
    let align = alignment("align_before", &field.words.align_before).unwrap_or_else(|| pad.clone());
    let pad = if field.words.pad_to.is_some() { quote!(1) } else { pad };
    let name = local(&field.name);
    let present = if field.is_optional() { quote!(#name.is_some()) } else { quote!(true) };
    let size = if is_bytes_alone(field) {
        len_of_bytes(emitter, field)
    } else {
        let piece = piece_with(emitter, field, false);
        let index = field.is_element.then(|| quote!(let __index = 0_u64;));
        if_present(
            field,
            &quote!(
                __out.measure_from(__floor.unwrap_or(__start), |__out| { #index #piece ::core::result::Result::Ok(()) })?
            ),
        )
    };
    let shared = shared(field);
    quote! {{
        let __floor: ::core::option::Option<u64> = #floor;
        #rt::place::Slot::new(#present, __floor, #size, (#align, #pad), #shared)
    }}
}

/// Whether a located field is bytes or a text without anything that pads it.
fn is_bytes_alone(field: &Field<'_>) -> bool {
    let words = &field.words;
    field.kind.is_bytes()
        && words.with.is_none()
        && words.map.is_none()
        && words.magic.is_none()
        && words.pad_to.is_none()
        && words.pad_before.is_none()
        && words.pad_after.is_none()
}

/// The bytes of a value that may share its place with an equal one.
fn shared(field: &Field<'_>) -> TokenStream {
    if field.words.shared.is_none() {
        return quote!(::core::option::Option::None);
    }
    let name = local(&field.name);
    let bytes = match field.kind {
        Kind::Text { .. } => quote!(__value.as_bytes()),
        _ => quote!(&__value[..]),
    };
    if field.is_optional() {
        quote!(#name.as_ref().map(|__value| #bytes))
    } else {
        quote!({ let __value = #name; ::core::option::Option::Some(#bytes) })
    }
}

/// What the offsets of a located field count from.
pub(super) fn base(emitter: &Emitter<'_>, field: &Field<'_>) -> TokenStream {
    if let Some(other) = base_field(emitter, field) {
        return base_local(other).to_token_stream();
    }
    match &field.words.base {
        None => quote!(__out.origin),
        Some(base) if base.value == "file" => quote!(0),
        Some(_) => quote!(__start),
    }
}

/// The field that an offset counts from, if it is one.
fn base_field<'m>(emitter: &Emitter<'m>, field: &Field<'_>) -> Option<&'m Field<'m>> {
    emitter.model.fields().get(emitter.model.base_of(field)?)
}

/// The local with the start of a field that offsets count from.
fn base_local(field: &Field<'_>) -> Ident {
    format_ident!("__base_{}", unraw(&field.name))
}

/// The starts of fields that offsets count from; a counting pass finds them on its way.
pub(super) fn bases(emitter: &Emitter<'_>) -> TokenStream {
    let mut all = TokenStream::new();
    for field in emitter.model.fields().iter().filter(|field| is_base(emitter, field)) {
        let (local, mark) = (base_local(field), super::mark_of(emitter, Measure::Start, field));
        all.extend(quote!(let mut #local: u64 = __sections[#mark];));
    }
    all
}

fn is_base(emitter: &Emitter<'_>, field: &Field<'_>) -> bool {
    let mut bases = emitter.model.fields().iter().filter_map(|other| base_field(emitter, other));
    bases.any(|base| base.name == field.name)
}

/// Remembers where a field begins that offsets count from.
pub(super) fn note_base(emitter: &Emitter<'_>, field: &Field<'_>) -> Option<TokenStream> {
    let local = base_local(field);
    (!field.is_element && is_base(emitter, field)).then(|| quote!(#local = __out.pos();))
}

/// Makes stored offsets of a room that count from other fields absolute.
fn rebase(emitter: &Emitter<'_>, fields: &[&Field<'_>], slots: &Ident) -> TokenStream {
    let mut all = TokenStream::new();
    let mut single = 0_usize;
    for field in fields {
        let base = base_field(emitter, field).map(base_local);
        let (first, count) = match &field.each {
            Some(_) => {
                let (first, name) = (super::each::first_of(field), local(&field.name));
                (quote!(#first), quote!(#name.len()))
            }
            None => (quote!(#single), quote!(1)),
        };
        single = single.saturating_add(usize::from(field.each.is_none()));
        all.extend(base.map(|base| {
            quote! {
                for __slot in #slots.iter_mut().skip(#first).take(#count) {
                    __slot.rebase(#base);
                }
            }
        }));
    }
    all
}

/// The offset of a located field, or of the one that is there of several that share the offset.
pub(super) fn offset(emitter: &Emitter<'_>, index: usize) -> TokenStream {
    let fields = emitter.model.fields();
    let Some(field) = fields.get(index) else { return quote!(0) };
    let null = field.words.null.as_ref().map(|null| &null.value);
    let mut value = null.map_or_else(|| quote!(0), |null| quote!(#null));
    let sharing = fields.iter().enumerate().filter(|(_, other)| shares_offset(field, other));
    for (other, sharer) in sharing.collect::<Vec<_>>().into_iter().rev() {
        let slot = slot_offset(emitter, other, sharer);
        let name = local(&sharer.name);
        value = if sharer.is_optional() {
            quote!(if #name.is_some() { #slot } else { #value })
        } else {
            slot
        };
    }
    value
}

/// Whether two located fields lie at the same stored offset.
pub(super) fn shares_offset(field: &Field<'_>, other: &Field<'_>) -> bool {
    match (&field.words.at, &other.words.at) {
        _ if field.name == other.name => true,
        (Some(a), Some(b)) => {
            matches!((&a.value, &b.value), (Expr::Name(a), Expr::Name(b)) if a == b)
        }
        _ => false,
    }
}

/// Where a located field has been placed, counted from its base.
pub(super) fn slot_offset(emitter: &Emitter<'_>, index: usize, field: &Field<'_>) -> TokenStream {
    let base = base(emitter, field);
    let rooms = all_rooms(emitter);
    let fields = emitter.model.fields();
    let place = rooms.iter().enumerate().find_map(|(room, (_, inside))| {
        let single = |index: &&usize| fields.get(**index).is_some_and(|field| field.each.is_none());
        let slot = inside.iter().filter(single).position(|other| *other == index);
        slot.map(|slot| (room, slot))
    });
    let (room, slot) = place.unwrap_or((0, 0));
    let (slots, _) = room_names(room);
    quote!(#slots[#slot].offset_from(#base))
}

/// Writes one room: its located fields in the order of their places, and what lies between them.
pub(super) fn room(emitter: &Emitter<'_>, section: Option<usize>) -> TokenStream {
    let rooms = all_rooms(emitter);
    let Some(room) = rooms.iter().position(|(other, _)| *other == section) else {
        return TokenStream::new();
    };
    let inside = rooms.get(room).map(|(_, inside)| inside.clone()).unwrap_or_default();
    let (slots, end) = room_names(room);
    let in_turn = in_turn(room);
    let rt = emitter.rt.clone();
    let field = section.and_then(|index| emitter.model.fields().get(index));
    let kept = field.map_or_else(
        || quote!(&[][..]),
        |field| {
            let name = local(&field.name);
            quote!(__out.kept(&#name[..]))
        },
    );
    let counted = match field {
        Some(_) => quote!(::core::option::Option::Some(__kept)),
        None => quote!(::core::option::Option::None),
    };
    let fill = field.map_or_else(|| quote!(0), Emitter::fill);
    let fields: Vec<_> =
        inside.iter().filter_map(|index| emitter.model.fields().get(*index)).collect();
    let rebase = rebase(emitter, &fields, &slots);
    let single = fields.iter().filter(|field| field.each.is_none()).enumerate();
    let pieces = single.map(|(slot, field)| {
        let name = local(&field.name);
        let piece = piece(emitter, field);
        if field.is_optional() {
            quote!(#slot => if let ::core::option::Option::Some(__value) = #name { #piece })
        } else {
            quote!(#slot => { let __value = #name; #piece })
        }
    });
    let pieces: Vec<TokenStream> = pieces.collect();
    let several =
        fields.iter().filter_map(|field| Some(write_next(emitter, field, field.each.as_ref()?)));
    let several: Vec<TokenStream> = several.collect();
    quote! {
        __out.mark(#room);
        let __kept: &[u8] = #kept;
        if __out.counts() {
            #rebase
            #rt::place::count(__out, &mut #slots, #counted, __start)?;
        } else {
            let __room = __out.pos();
            if !#in_turn { #rt::place::in_order(&mut #slots); }
            for __slot in #slots.iter().filter(|__slot| __slot.writes()) {
                #rt::place::background(__out, __kept, __room, __slot.at, #fill)?;
                match __slot.id { #(#pieces)* _ => {} }
                #(#several)*
            }
            #rt::place::background(__out, __kept, __room, #end, #fill)?;
        }
    }
}

/// The located fields that lie at the same stored offset, the field itself among them.
pub(crate) fn sharers<'m>(model: &'m Model<'m>, field: &Field<'_>) -> Vec<&'m Field<'m>> {
    model.fields().iter().filter(|other| shares_offset(field, other)).collect()
}
