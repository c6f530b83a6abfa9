//! What is known of the values of a table, and of its items, before any of them is read.

use proc_macro2::TokenStream;
use quote::quote;

use super::located::free;
use crate::emit::Emitter;
use crate::emit::frame::of_values;
use crate::model::{Field, Kind};

/// What is known of a field with `for_each` before it is read.
pub(super) fn sequence_of(emitter: &Emitter<'_>, index: usize, element: &Field<'_>) -> TokenStream {
    let (rt, table) = (&emitter.rt, emitter.lowered.table(index).unwrap_or_default());
    let place = emitter.lowered.place(index);
    let lies = match place {
        Some(_) if element.is_view() => quote!(Viewed),
        Some(_) => quote!(Apart),
        None => quote!(Beside),
    };
    let (shared, stack) = (place.is_some_and(|place| place.shared), of_values(emitter, element));
    let free = place.map_or_else(|| quote!(false), |_| free(emitter, index, element));
    let item = item_extent(emitter, table);
    quote! {
        const {
            &#rt::parallel::Sequence {
                layout: Self::__WIRE, field: #index, table: #table, item: #item,
                lies: #rt::parallel::Lies::#lies, free: #free, shared: #shared,
                stack: #stack,
            }
        }
    }
}

/// How many bytes each item of a table has at least, and whether all have as many: then it is known where each lies.
fn item_extent(emitter: &Emitter<'_>, table: usize) -> TokenStream {
    let rt = &emitter.rt;
    let in_a_row = |field: &&Field<'_>| {
        let words = &field.words;
        words.with.is_none() && words.map.is_none() && words.terminator.is_none()
    };
    match emitter.model.fields().get(table).filter(in_a_row).map(|field| &field.kind) {
        Some(Kind::Vec(item) | Kind::Array(item)) => {
            quote!(<#item as #rt::Wire<'_>>::EXTENT)
        }
        _ => quote!((0, false)),
    }
}
