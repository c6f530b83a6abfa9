//! Fields with `for_each`: one value for every item of a table.

use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::{Ident, Member};

use super::field::value;
use crate::derived::{Of, entry_steps};
use crate::emit::expr::measured;
use crate::emit::{Emitter, Site, local, unraw};
use crate::expr::{Expr, Measure};
use crate::model::{self, Field, Kind};
use crate::steps::{Parallel, Step};

/// Reads a value for every item of the table.
pub(super) fn sequence(
    emitter: &Emitter<'_>,
    index: usize,
    element: &Field<'_>,
    parallel: Parallel,
    steps: &[Step<'_>],
) -> TokenStream {
    let (rt, table) = (&emitter.rt, parallel.table);
    let Some(table_field) = emitter.model.fields().get(table) else { return TokenStream::new() };
    let own = emitter.model.fields().get(index).and_then(|field| field.parallel.as_ref());
    let (items, names) = (items(emitter, own, table_field), names_of_item(emitter, own));
    let value = value(emitter, index, element, steps);
    let (ty, apart) = (element.ty, element.is_located());
    let read = quote! {
        #rt::parallel::read::<_, _, #ty>(
            __obs,
            #items,
            __spans.get(#table),
            (Self::WIRE, #index, __cur.pos(), #apart),
            |__obs, __entry| {
                #names
                __rt::Ok(#value)
            },
        )?
    };
    if apart {
        return read;
    }
    quote! {{
        let __from = __cur.pos();
        let __open = ::core::mem::replace(&mut __cur.fill, #rt::Fill::Open);
        let __list = #read;
        __cur.fill = __open;
        if __O::RECORD {
            __obs.leave(__cur.pos(), &#rt::Value::Items(__rt::Some(#rt::ops::wide(__list.len()))));
        }
        __spans.set(#index, __from, __cur.pos());
        __list
    }}
}

/// The items of a table, one after the other.
pub(super) fn items(
    emitter: &Emitter<'_>,
    parallel: Option<&model::Parallel<'_>>,
    table: &Field<'_>,
) -> TokenStream {
    let (rt, name) = (&emitter.rt, local(&table.name));
    let inside = parallel.and_then(|parallel| inside(emitter, parallel, table, &name));
    match (inside, table.kind) {
        (Some(inside), _) => inside,
        (None, Kind::Seq(_)) => quote!(#name.iter()),
        (None, _) => quote!(#rt::parallel::Cloned::of(&#name)),
    }
}

/// Binds what expressions name of the item `__entry`: `it`, by value where that is a number, `index`
/// and `group`.
pub(super) fn names_of_item(
    emitter: &Emitter<'_>,
    parallel: Option<&model::Parallel<'_>>,
) -> TokenStream {
    if parallel.is_some_and(|parallel| parallel.inner) {
        return quote! {
            let __a_it = &__entry.value.value;
            let __group = __entry.value.group;
            let __entry_index = __entry.value.index;
        };
    }
    let by_value = emitter.entry_is_scalar();
    let it = if by_value { quote!(__entry.value) } else { quote!(&__entry.value) };
    quote! {
        let __a_it = #it;
        let __entry_index = __entry.index;
    }
}

/// The items of the tables that lie in other values, one after the other.
fn inside(
    emitter: &Emitter<'_>,
    parallel: &model::Parallel<'_>,
    holder: &Field<'_>,
    name: &Ident,
) -> Option<TokenStream> {
    let (rt, ty) = (&emitter.rt, emitter.model.group_type(parallel)?);
    let groups = groups(parallel, holder, &quote!(#name), false);
    let holder = match holder.kind {
        _ if parallel.path.is_empty() => quote!(Table),
        Kind::Nested => quote!(One),
        _ => quote!(Items),
    };
    let items = items_of(emitter, parallel, &quote!(__group), false);
    Some(quote! {{
        let __groups: &[#ty] = #groups;
        #rt::parallel::Inside::of(__groups, #rt::parallel::Holder::#holder, |__group| #items)
    }})
}

/// The values that hold tables, as a slice: `name` is the field that they are.
pub(in crate::emit) fn groups(
    parallel: &model::Parallel<'_>,
    holder: &Field<'_>,
    name: &TokenStream,
    is_set: bool,
) -> TokenStream {
    let list = matches!(holder.kind, Kind::Vec(_) | Kind::Array(_)) && !parallel.path.is_empty();
    match (list, holder.is_optional() && !parallel.path.is_empty(), is_set) {
        (true, false, false) => quote!(&(#name)[..]),
        (true, false, true) => quote!(&mut (#name)[..]),
        (true, true, false) => quote!((#name).as_ref().map_or(&[][..], |__list| &__list[..])),
        (true, true, true) => {
            quote!((#name).as_mut().map_or(&mut [][..], |__list| &mut __list[..]))
        }
        (false, true, false) => quote!((#name).as_slice()),
        (false, true, true) => quote!((#name).as_mut_slice()),
        (false, false, false) => quote!(::core::slice::from_ref(&#name)),
        (false, false, true) => quote!(::core::slice::from_mut(&mut #name)),
    }
}

/// The items of a table inside a value: what is no table is told where it is named.
pub(in crate::emit) fn items_of(
    emitter: &Emitter<'_>,
    parallel: &model::Parallel<'_>,
    holder: &TokenStream,
    is_set: bool,
) -> TokenStream {
    let (rt, path) = (&emitter.rt, &parallel.path);
    let span = Span::call_site().located_at(path.last().unwrap_or(&parallel.root).span());
    if path.is_empty() {
        let items = if is_set { quote!(items_mut) } else { quote!(items) };
        return quote_spanned!(span=> #rt::parallel::InnerTable::#items(#holder));
    }
    if is_set {
        quote_spanned!(span=> #rt::parallel::InnerTable::items_mut(&mut #holder #(.#path)*))
    } else {
        quote_spanned!(span=> #rt::parallel::InnerTable::items(&#holder #(.#path)*))
    }
}

/// The locals in which validators keep the places of the values of such fields.
pub(super) fn all_places(emitter: &Emitter<'_>) -> TokenStream {
    let rt = &emitter.rt;
    let apart =
        |field: &&Field<'_>| field.parallel.is_some() && field.is_located() && !field.is_view();
    let several = emitter.model.fields().iter().filter(apart).map(placements_of);
    quote!(#(let mut #several = #rt::parallel::places();)*)
}

/// Numbers of an item that tell of a value which is not there get lost when it is written.
pub(super) fn claims_of_absent(emitter: &Emitter<'_>, field: usize) -> TokenStream {
    let rt = &emitter.rt;
    // An item whose number is no null offset keeps what it says; so does the offset itself.
    let null = emitter.model.fields().get(field).and_then(|field| field.one().words.null.as_ref());
    if null.is_none() {
        return TokenStream::new();
    }
    let steps = entry_steps(emitter.model, field).into_iter();
    let lost = steps.filter(|step| !matches!(step.solved.of, Of::Offset(_)));
    let all = lost.map(|step| {
        let call = emitter.size("claim", step.target, Site::Walk);
        quote!(#rt::parallel::of_absent(__obs, __entry, 0, #call);)
    });
    quote!(if __O::RECORD { #(#all)* })
}

/// Compares the checksum that an item keeps with that of the value that has just been read.
pub(super) fn sum(emitter: &Emitter<'_>, field: usize) -> TokenStream {
    let parallel = emitter.model.fields().get(field).and_then(|field| field.parallel.as_ref());
    let Some(sum) = parallel.and_then(|parallel| parallel.sum.as_ref()) else {
        return TokenStream::new();
    };
    let (rt, digest, told) = (&emitter.rt, &sum.digest, number_of(emitter, field, &sum.number));
    let (item, number) = (item(emitter, field), place_of(&sum.number, &quote!((*__item))));
    // Another type than that of the checksum is told where the number is named.
    let span = Span::call_site().located_at(sum.number.ends().1);
    let stored =
        quote_spanned!(span=> #rt::parallel::stored::<<#digest as #rt::Digest>::Sum, _>(#number));
    quote! {
        if __O::RECORD && __obs.walks_items() {
            let __whole = (__at, __cur.pos());
            #item
            let __stored = #stored;
            let __number = #told;
            #rt::parallel::verify::<#digest, __O, _>(__obs, __cur.file(), __whole, __stored, &__number);
        }
    }
}

/// Compares what is set in an item with what it stores, when its value has just been read.
pub(super) fn sets(emitter: &Emitter<'_>, field: usize) -> TokenStream {
    let model = emitter.model;
    let Some(own) = model.fields().get(field) else { return TokenStream::new() };
    let (rt, element) = (&emitter.rt, own.one());
    let all = element.item_setters().iter().map(|(number, value)| {
        let call = emitter.size("set", value, Site::Walk);
        let found = place_of(number, &quote!((*__item)));
        let told = number_of(emitter, field, number);
        quote! {
            let __number = #told;
            let __found = #rt::ops::to_size(#rt::ops::Widen::widen(#found));
            #rt::parallel::compare(__obs, &__number, #call, __found);
        }
    });
    let all: TokenStream = all.collect();
    if all.is_empty() {
        return all;
    }
    let (measures, item) = (measures(emitter, element), item(emitter, field));
    quote! {
        if __O::RECORD && __obs.walks_items() {
            #item
            let __this = &__value;
            #measures
            #all
        }
    }
}

/// The item by its type, which nothing before may have told the compiler.
fn item(emitter: &Emitter<'_>, field: usize) -> Option<TokenStream> {
    let parallel = emitter.model.fields().get(field)?.parallel.as_ref()?;
    if parallel.inner {
        return Some(quote!(let __item = &__entry.value.value;));
    }
    let ty = emitter.model.entry_type(parallel)?;
    Some(quote!(let __item: &#ty = &__entry.value;))
}

/// What the expressions of a `set` ask of the value that has just been read, but for its length.
fn measures(emitter: &Emitter<'_>, element: &Field<'_>) -> TokenStream {
    let rt = &emitter.rt;
    let mut all = TokenStream::new();
    for (measure, name) in asked(emitter, element) {
        let local = measured(measure, name);
        let is = match measure {
            Measure::Count if matches!(element.kind, Kind::Seq(_)) => {
                quote!(__this.counted(__obs)?)
            }
            Measure::Count => quote!(#rt::ops::wide(__this.len())),
            Measure::Tag => quote!(#rt::Tagged::tag(__this)),
            Measure::Decoded => quote!(#rt::encoded::decoded_len(__this)),
            _ => continue,
        };
        all.extend(quote!(let #local: u64 = #is;));
    }
    all
}

/// What the expressions of a `set` ask of the value of an item, each once.
fn asked<'f>(emitter: &Emitter<'_>, element: &'f Field<'_>) -> Vec<(Measure, &'f Ident)> {
    let mut all = Vec::new();
    let measures = element.item_setters().iter().flat_map(|(_, value)| value.measures());
    for one in measures.filter(|(_, name)| emitter.model.value_of(name).is_some()) {
        if !all.contains(&one) {
            all.push(one);
        }
    }
    all
}

/// Keeps the length of the value of an item, where a `set` asks for it.
pub(super) fn len_of_value(
    emitter: &Emitter<'_>,
    element: &Field<'_>,
    prefixed: bool,
) -> Option<TokenStream> {
    let mut asked = asked(emitter, element).into_iter();
    let (measure, name) = asked.find(|(measure, _)| *measure == Measure::Len)?;
    let (rt, local) = (&emitter.rt, measured(measure, name));
    let from = if prefixed { quote!(__from) } else { quote!(__at) };
    Some(quote!(let #local: u64 = #rt::ops::wide(__cur.pos().wrapping_sub(#from));))
}

/// A number of the item, as findings name it.
fn number_of(emitter: &Emitter<'_>, field: usize, number: &Expr) -> TokenStream {
    let (rt, table) = (&emitter.rt, emitter.lowered.table(field).unwrap_or_default());
    let parallel = emitter.model.fields().get(field).and_then(|field| field.parallel.as_ref());
    let path = parallel.iter().flat_map(|parallel| &parallel.path).map(unraw);
    let members = number.part().map(|(_, members)| members).unwrap_or_default();
    let names = members.iter().map(|member| match member {
        Member::Named(name) => unraw(name),
        Member::Unnamed(index) => format!("_{}", index.index),
    });
    quote! {
        #rt::parallel::Number {
            entry: __entry, place: (Self::WIRE, #table, #field), path: &[#(#path),*], names: &[#(#names),*],
        }
    }
}

/// The place that a number of `it` has in an entry.
pub(in crate::emit) fn place_of(expr: &Expr, entry: &TokenStream) -> TokenStream {
    match expr {
        Expr::Field(inner, member) => {
            let inner = place_of(inner, entry);
            quote!(#inner.#member)
        }
        _ => entry.clone(),
    }
}

/// The local in which a validator keeps the places of the values of a field.
pub(super) fn placements_of(field: &Field<'_>) -> Ident {
    format_ident!("__lays_{}", unraw(&field.name))
}

/// A field starts, or an item of one with `for_each`.
pub(super) fn enter(index: usize, field: &Field<'_>, at: &TokenStream) -> TokenStream {
    if field.is_element {
        quote!(__obs.enter_item(__entry.index, #at);)
    } else {
        quote!(__obs.enter(Self::WIRE, #index, #at);)
    }
}

/// What stands before or behind the value of an item: its magic and its padding.
pub(super) fn about_item(field: &Field<'_>, steps: &TokenStream) -> TokenStream {
    if !field.is_element || steps.is_empty() {
        return steps.clone();
    }
    quote! {
        let __depth = __obs.depth();
        __obs.reopen_item(__entry.index);
        #steps
        __obs.close(__depth);
    }
}

/// Whether values of the field may share their bytes: then those of the value are remembered without
/// what stands around it.
pub(super) fn keeps_own(field: &Field<'_>) -> bool {
    field.is_element && field.is_located() && field.words.shared.is_some()
}

/// Remembers where a field lies.
pub(super) fn note_span(
    index: usize,
    field: &Field<'_>,
    start: &TokenStream,
    end: &TokenStream,
) -> TokenStream {
    note_value(index, field, &quote!((#start, #end)), (start, end))
}

/// The same, with the bytes of the value alone.
pub(super) fn note_value(
    index: usize,
    field: &Field<'_>,
    own: &TokenStream,
    (start, end): (&TokenStream, &TokenStream),
) -> TokenStream {
    if !field.is_element {
        return quote!(__spans.set(#index, #start, #end););
    }
    if !field.is_located() {
        return TokenStream::new();
    }
    if field.is_view() {
        return quote!(__spans.widen(#index, #start, #end););
    }
    let placements = placements_of(field);
    quote! {
        __spans.widen(#index, #start, #end);
        if __O::RECORD {
            #placements.push((#own, (#start, #end)));
        }
    }
}

/// A local with the places of some located fields and of all their values.
pub(super) fn placements(emitter: &Emitter<'_>, fields: &[usize]) -> TokenStream {
    let (rt, extents) = (&emitter.rt, emitter.extents());
    let all = fields.iter().filter_map(|index| Some((*index, emitter.model.fields().get(*index)?)));
    let shared = |index| emitter.lowered.place(index).is_some_and(|place| place.shared);
    let (several, single): (Vec<_>, Vec<_>) = all.partition(|(_, field)| field.parallel.is_some());
    let single = single.into_iter().map(|(index, _)| {
        let shared = shared(index);
        let (own, all) = (quote!(__spans.get(#index)), quote!(#extents.get(#index)));
        quote!(#rt::place::Placement::of_field(#index, #own, #all, #shared))
    });
    let single = quote!([#(#single),*]);
    if several.is_empty() {
        return quote!(let mut __placements = #single;);
    }
    let several = several.into_iter().map(|(index, field)| {
        let (placements, shared) = (placements_of(field), shared(index));
        quote!(#rt::parallel::add_placements(&mut __placements, #index, &#placements, #shared);)
    });
    quote! {
        let mut __placements = #rt::parallel::placements(&#single);
        #(#several)*
    }
}
