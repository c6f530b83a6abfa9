//! Located fields: their slots, their places, and the rooms they are written in.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::Ident;

use super::derived::if_present;
use super::field::piece;
use crate::emit::expr::Wanted;
use crate::emit::walk::placed_in;
use crate::emit::{Emitter, Site, local};
use crate::expr::Expr;
use crate::model::{Field, Kind, Model};

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
    for (room, (_, fields)) in all_rooms(emitter).into_iter().enumerate() {
        let (slots, end) = room_names(room);
        let list: Vec<TokenStream> = fields.iter().map(|index| slot(emitter, *index)).collect();
        let count = list.len();
        let section = all_rooms(emitter).get(room).and_then(|(section, _)| *section);
        let in_section = section.is_some();
        let least = section.and_then(|index| emitter.model.fields().get(index)).map(|field| {
            let name = local(&field.name);
            quote!(.max(__sections[#room].saturating_add(#rt::ops::wide(#name.len()))))
        });
        all.extend(quote! {
            let mut #slots: [#rt::place::Slot; #count] = [#(#list),*];
            let #end = if __out.counts() {
                0
            } else {
                #rt::place::place(__out, &mut #slots, __sections[#room], __start, #in_section)? #least
            };
        });
    }
    all
}

pub(super) fn room_names(room: usize) -> (Ident, Ident) {
    (format_ident!("__slots_{room}"), format_ident!("__end_{room}"))
}

pub(super) fn slot(emitter: &Emitter<'_>, index: usize) -> TokenStream {
    let rt = emitter.rt.clone();
    let Some(field) = emitter.model.fields().get(index) else { return TokenStream::new() };
    let Some(at) = &field.words.at else { return TokenStream::new() };
    let stored = at.value.names().iter().all(|name| {
        emitter.model.field(name).is_none_or(|(_, field)| !matches!(field.kind, Kind::Auto(..)))
    });
    let base = base(field);
    let floor = if stored {
        let function = emitter.function("at", &at.value, Wanted::Size);
        let call = emitter.call(&function, Site::Write);
        quote!(#call.and_then(|__at| __at.checked_add(#base)))
    } else {
        quote!(::core::option::Option::None)
    };
    let align = match &field.words.align_after {
        Some(align) => {
            let function = emitter.function("align_after", &align.value, Wanted::Size);
            let call = emitter.call(&function, Site::Write);
            quote!(#call.unwrap_or(1))
        }
        None => quote!(1),
    };
    let present = if field.is_optional() {
        let name = local(&field.name);
        quote!(#name.is_some())
    } else {
        quote!(true)
    };
    let piece = piece(emitter, field);
    let size = if_present(
        field,
        &quote!(
            __out.measure_from(__floor.unwrap_or(__start), |__out| { #piece ::core::result::Result::Ok(()) })?
        ),
    );
    quote! {{
        let __floor: ::core::option::Option<u64> = #floor;
        #rt::place::Slot::new(#present, __floor, #size, #align)
    }}
}

/// What the offsets of a located field count from.
pub(super) fn base(field: &Field<'_>) -> TokenStream {
    match &field.words.base {
        None => quote!(__out.origin),
        Some(base) if base.value == "file" => quote!(0),
        Some(_) => quote!(__start),
    }
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
    let base = base(field);
    let rooms = all_rooms(emitter);
    let place = rooms.iter().enumerate().find_map(|(room, (_, inside))| {
        inside.iter().position(|other| *other == index).map(|slot| (room, slot))
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
    let rt = emitter.rt.clone();
    let field = section.and_then(|index| emitter.model.fields().get(index));
    let background = field.map_or_else(
        || quote!(&[][..]),
        |field| {
            let name = local(&field.name);
            quote!(&#name[..])
        },
    );
    let counted = match field {
        Some(_) => quote!(::core::option::Option::Some(#background)),
        None => quote!(::core::option::Option::None),
    };
    let fill = field.map_or_else(|| quote!(0), Emitter::fill);
    let pieces = inside.iter().enumerate().filter_map(|(slot, index)| {
        let field = emitter.model.fields().get(*index)?;
        let name = local(&field.name);
        let piece = piece(emitter, field);
        Some(if field.is_optional() {
            quote!(#slot => if let ::core::option::Option::Some(__value) = #name { #piece })
        } else {
            quote!(#slot => { let __value = #name; #piece })
        })
    });
    let pieces: Vec<TokenStream> = pieces.collect();
    quote! {
        __out.mark(#room);
        if __out.counts() {
            #rt::place::count(__out, &mut #slots, #counted, __start)?;
        } else {
            let __room = __out.pos();
            while let ::core::option::Option::Some((__slot, __at)) = #rt::place::next(&mut #slots) {
                #rt::place::background(__out, #background, __room, __at, #fill)?;
                match __slot { #(#pieces)* _ => {} }
            }
            #rt::place::background(__out, #background, __room, #end, #fill)?;
        }
    }
}

/// The located fields that lie at the same stored offset, the field itself among them.
pub(crate) fn sharers<'m>(model: &'m Model<'m>, field: &Field<'_>) -> Vec<&'m Field<'m>> {
    model.fields().iter().filter(|other| shares_offset(field, other)).collect()
}
