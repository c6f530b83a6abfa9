//! Where values at offsets begin, for those that end where the next one does.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::Ident;

use super::located::base;
use super::parallel::{items, names_of_item};
use super::presence::condition;
use super::sequence::sequence_of;
use crate::emit::{Emitter, Site};
use crate::model::{Field, Parallel, Space};
use crate::steps::{Place, Slots};

/// The local with the places of a region, in order.
pub(super) fn name(space: Space) -> Ident {
    match space.section() {
        Some(section) => format_ident!("__starts_{section}"),
        None => format_ident!("__starts"),
    }
}

/// Makes a list of where the values of a region begin.
pub(super) fn starts(emitter: &Emitter<'_>, slots: &Slots) -> TokenStream {
    let (rt, fields, name) = (&emitter.rt, emitter.model.fields(), name(slots.space));
    let inside = slots
        .fields
        .iter()
        .filter_map(|index| Some((*index, fields.get(*index)?, emitter.lowered.place(*index)?)));
    let (several, single): (Vec<_>, Vec<_>) =
        inside.partition(|(_, field, _)| field.parallel.is_some());
    let single = single.into_iter().map(|(_, field, place)| start(emitter, field, place));
    let single = quote!([#(#single),*]);
    if several.is_empty() {
        return quote! {
            let mut #name = #single;
            #name.sort_unstable();
        };
    }
    let several = several.into_iter().filter_map(|(index, field, place)| {
        let sequence = sequence_of(emitter, index, field.one());
        Some(of_items(emitter, field, field.parallel.as_ref()?, place, (&name, &sequence)))
    });
    quote! {
        let mut #name = #rt::parallel::starts(&#single);
        #(#several)*
        #name.sort_unstable();
    }
}

/// Adds where the values of a field with `for_each` begin.
fn of_items(
    emitter: &Emitter<'_>,
    field: &Field<'_>,
    parallel: &Parallel<'_>,
    place: Place<'_>,
    (name, sequence): (&Ident, &TokenStream),
) -> TokenStream {
    let (rt, table) = (&emitter.rt, emitter.model.field(&parallel.root));
    let Some((_, table)) = table else { return TokenStream::new() };
    let items = items(emitter, Some(parallel), table);
    let (names, start) = emitter.with_entry(field, || {
        (names_of_item(emitter, Some(parallel)), start(emitter, &parallel.element, place))
    });
    quote! {
        #rt::parallel::add_starts(__obs, &mut #name, #items, #sequence, |__entry| {
            #names
            #start
        });
    }
}

/// Where one value begins, if it is there.
fn start(emitter: &Emitter<'_>, field: &Field<'_>, place: Place<'_>) -> TokenStream {
    let (rt, base) = (&emitter.rt, base(place.base));
    let call = emitter.size("at", place.at, Site::Walk);
    let start = quote!(#rt::place::start_of(#base, #call));
    if !field.is_optional() {
        return start;
    }
    let there = condition(emitter, field, Site::Walk);
    quote!(if #there { #start } else { #rt::place::NOWHERE })
}

/// The cursor `__there` ends where the next value of its region begins.
pub(super) fn up_to_next(emitter: &Emitter<'_>, space: Space) -> TokenStream {
    let (rt, name) = (&emitter.rt, name(space));
    quote!(let mut __there = #rt::place::up_to_next(&__there, __cur.end(), &#name);)
}
