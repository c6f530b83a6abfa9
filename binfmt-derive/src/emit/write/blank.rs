//! Numbers that the writer sets are 0 where the values with them are measured: what they are before decides
//! nothing.

use proc_macro2::TokenStream;
use quote::quote;
use syn::Ident;

use super::parallel::{entries_of, stored};
use crate::derived::entry_steps_in;
use crate::emit::walk::{groups, items_of, place_of};
use crate::emit::{Emitter, local};
use crate::expr::Expr;
use crate::model::{Field, Parallel};

/// Sets all numbers of an entry, `__entry`, to 0 that the fields beside its table tell.
pub(super) fn entry(emitter: &Emitter<'_>, table: &Ident) -> TokenStream {
    let fields = emitter.model.fields().iter().filter(|field| !field.is_view());
    let beside = fields.filter_map(|field| field.parallel.as_ref());
    let beside: Vec<_> = beside.filter(|parallel| parallel.table == *table).collect();
    let Some(parallel) = beside.first() else { return TokenStream::new() };
    let told = entry_steps_in(emitter.model, table).into_iter().map(|step| step.target);
    let set = beside.iter().flat_map(|parallel| parallel.element.item_setters());
    let set = set.filter(|(_, value)| is_number(emitter, value)).map(|(number, _)| number);
    let mut numbers: Vec<&Expr> = Vec::new();
    for number in told.chain(set) {
        if !numbers.iter().any(|known| known.is_same(number)) {
            numbers.push(number);
        }
    }
    let (rt, entry) = (&emitter.rt, stored(parallel, quote!((*__entry))));
    let traits = traits(rt);
    let places = numbers.into_iter().map(|number| place_of(number, &entry));
    let blanks: Vec<_> =
        places.map(|place| quote!(#rt::setter::Blank(&mut #place).blank();)).collect();
    if blanks.is_empty() { TokenStream::new() } else { quote!({ #traits #(#blanks)* }) }
}

/// What `write` does with `__value`, with 0 for each number in it that the writer sets.
pub(super) fn value(emitter: &Emitter<'_>, field: &Field<'_>, write: TokenStream) -> TokenStream {
    let setters = field.setters().iter().filter(|(_, value)| is_number(emitter, value));
    let members: Vec<_> = setters.map(|(member, _)| member).collect();
    let tables = tables(emitter, field);
    if members.is_empty() && tables.is_empty() {
        return write;
    }
    let (rt, name, ty) = (&emitter.rt, local(&field.name), field.ty);
    let inside = tables.into_iter().map(|parallel| {
        let (entries, blanks) = (entries_of(&parallel.table), entry(emitter, &parallel.table));
        let items = items_of(emitter, parallel, &quote!(__group), true);
        let groups = groups(parallel, field, &quote!(__blank), true);
        quote! {
            let mut __set = #entries.clone();
            for __entry in &mut __set {
                #blanks
            }
            #rt::parallel::put_back(#groups, |__group| #items, __set);
        }
    });
    let write = if field.is_optional() {
        quote!(if let __rt::Some(__value) = &__blank { #write })
    } else {
        quote!(let __value = &__blank; #write)
    };
    let traits = (!members.is_empty()).then(|| traits(rt));
    quote! {
        #traits
        let mut __blank = #rt::wanted::to_be_set::<#ty>(#name);
        #(#rt::setter::Blank(&mut __blank.#members).blank();)*
        #(#inside)*
        #write
    }
}

fn traits(rt: &TokenStream) -> TokenStream {
    quote!(use #rt::setter::{AnyBlank as _, NumberBlank as _};)
}

/// The tables that lie in a value, each once.
pub(super) fn tables<'m>(emitter: &Emitter<'m>, field: &Field<'_>) -> Vec<&'m Parallel<'m>> {
    let parallel = emitter.model.fields().iter().filter_map(|other| other.parallel.as_ref());
    let mut tables: Vec<&Parallel<'_>> = Vec::new();
    for parallel in parallel.filter(|parallel| parallel.is_inside(field)) {
        if tables.iter().all(|known| known.table != parallel.table) {
            tables.push(parallel);
        }
    }
    tables
}

/// A condition sets a `bool`, which says no size.
fn is_number(emitter: &Emitter<'_>, value: &Expr) -> bool {
    !emitter.model.is_condition(value)
}
