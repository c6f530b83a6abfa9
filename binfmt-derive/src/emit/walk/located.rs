//! Fields that lie at offsets, and the room that they share.

use proc_macro2::TokenStream;
use quote::quote;

use super::each;
use super::field::{conditional, present_field};
use super::floating::floating;
use crate::emit::expr::Wanted;
use crate::emit::{Emitter, Site, layout, levels, limits, local};
use crate::model::{Field, Kind, Model};

/// The fields that lie at offsets, in declaration order, and a look at the room they share.
pub(super) fn located(emitter: &Emitter<'_>) -> TokenStream {
    let model = emitter.model;
    let mut all = TokenStream::new();
    for field in model.fields().iter().filter(|field| field.each.is_some()) {
        let (rt, lays) = (&emitter.rt, each::lays_of(field));
        all.extend(quote!(let mut #lays = #rt::each::places();));
    }
    for (index, field) in model.fields().iter().enumerate().filter(|(_, field)| field.is_located())
    {
        let name = local(&field.name);
        let value = match &field.each {
            Some(each) => emitter.with_row(field, || each::sequence(emitter, index, each)),
            None => {
                let read = located_field(emitter, index, field);
                conditional(emitter, index, field, read)
            }
        };
        let rules = emitter.read_rules(Some((index, field)), &field.words.rules);
        let items = limits::read(emitter, index, field);
        all.extend(quote! { let #name = #value; #rules #items });
    }
    let rt = &emitter.rt;
    for (section, field) in
        model.fields().iter().enumerate().filter(|(_, field)| field.words.section.is_some())
    {
        let inside = placed_in(model, Some(section));
        let lays = each::lays(emitter, &inside);
        let floating = floating(emitter, &inside, &quote!(__spans.get(#section).0), true);
        let look = quote! {
            #lays
            #rt::place::look_at(__cur, __obs, Self::WIRE, __spans.get(#section), &mut __lays, true);
            #floating
        };
        let look = levels::about(emitter, field, look);
        all.extend(quote!(if __O::RECORD { #look }));
    }
    let unplaced = placed_in(model, None);
    if !unplaced.is_empty() {
        let lays = each::lays(emitter, &unplaced);
        let floating = floating(emitter, &unplaced, &quote!(__sequence_end), false);
        all.extend(quote! {
            let __sequence_end = __cur.pos();
            let __furthest = __spans.furthest(&[#(#unplaced),*]);
            #rt::place::advance(__cur, __obs, __furthest)?;
            if __O::RECORD {
                #lays
                let __room = (__sequence_end, __cur.pos());
                #rt::place::look_at(__cur, __obs, Self::WIRE, __room, &mut __lays, false);
                #floating
            }
        });
    }
    all
}

/// The located fields of a section, or those without one.
pub(crate) fn placed_in(model: &Model<'_>, section: Option<usize>) -> Vec<usize> {
    let fields = model.fields().iter().enumerate().filter(|(_, field)| field.is_located());
    fields
        .filter(|(_, field)| {
            let place = field.one().words.place.as_ref();
            let place = place.and_then(|place| model.field(&place.value));
            place.map(|(index, _)| index) == section
        })
        .map(|(index, _)| index)
        .collect()
}

pub(super) fn located_field(emitter: &Emitter<'_>, index: usize, field: &Field<'_>) -> TokenStream {
    let Some(at) = &field.words.at else { return TokenStream::new() };
    let function = emitter.function("at", &at.value, Wanted::Size);
    let call = emitter.call(&function, Site::Walk);
    let read = present_field(emitter, index, field);
    let rt = &emitter.rt;
    let base = match &field.words.base {
        None => quote!(__cur.origin),
        Some(base) if base.value == "file" => quote!(0_usize),
        Some(_) => match emitter.model.base_of(field) {
            Some(other) => quote!(__spans.get(#other).0),
            None => quote!(__start),
        },
    };
    let claim = emitter.claim(&at.value, field);
    // Within a section the field cannot reach out of it, so that what is read stays linear.
    let section = field.words.place.as_ref().and_then(|place| emitter.model.field(&place.value));
    let locate = match section {
        Some((index, section)) => {
            let name = local(&section.name);
            let bytes = match section.kind {
                Kind::Bytes { owned: false } => quote!(#name),
                _ => quote!(__cur.range(__spans.get(#index).0, __spans.get(#index).1)),
            };
            let start = quote!(__spans.get(#index).0);
            let lead = lead(emitter, field, index, &quote!(#start.wrapping_sub(#base)));
            quote!(#rt::place::locate_within(__cur, __obs, (#bytes, #start), #lead, __offset, #claim)?)
        }
        None => quote!(#rt::place::locate(__cur, __obs, #base, __offset, #claim)?),
    };
    let inner = field.stored();
    let free = match field.kind {
        Kind::Bytes { owned: false } if !field.looks_for_its_end() => quote!(true),
        Kind::Nested | Kind::Array(_) if field.words.with.is_none() => {
            quote!(<#inner as #rt::Wire<'_>>::SHALLOW)
        }
        _ => quote!(false),
    };
    let pay = quote!(if !#free { #rt::place::pay(__obs, __from, &__there)?; });
    let note = each::note_span(index, field, &quote!(__from), &quote!(__cur.pos()));
    quote! {{
        let __offset = #rt::walk::size(__obs, "at", #call, #claim)?;
        let mut __there = #locate;
        let __from = __there.pos();
        let __lies = __from;
        let __read = { let __cur = &mut __there; let __read = #read; #note __read };
        #pay
        __read
    }}
}

/// How far behind the start of the value the walk is: told by the section where that is constant,
/// for there it costs no position.
pub(super) fn distance(emitter: &Emitter<'_>, field: &Field<'_>) -> TokenStream {
    let computed = quote!(__cur.pos().wrapping_sub(__start));
    let place = field.words.place.as_ref().and_then(|place| emitter.model.field(&place.value));
    let Some((index, section)) = place else { return computed };
    let name = local(&section.name);
    let (fixed, lead) = layout::sizes_before(emitter, index);
    quote! {
        if #fixed {
            (#lead).wrapping_add(#name.len()).wrapping_sub(__cur.remaining())
        } else {
            #computed
        }
    }
}

/// How far behind its base a section begins: a constant where all before it has a fixed size.
pub(super) fn lead(
    emitter: &Emitter<'_>,
    field: &Field<'_>,
    section: usize,
    computed: &TokenStream,
) -> TokenStream {
    let own = match &field.words.base {
        Some(base) => base.value == "start",
        None => emitter.model.words.origin.is_some(),
    };
    if !own {
        return computed.clone();
    }
    let (fixed, len) = layout::sizes_before(emitter, section);
    quote!(if #fixed { #len } else { #computed })
}
