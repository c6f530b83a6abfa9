//! Fields with `for_each`: one value for every item of a table.

use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::Ident;

use super::field::present;
use super::item_numbers::claims_of_absent;
use super::located::{self, section};
use super::presence::holds;
use super::sequence::sequence_of;
use super::{behind, starts};
use crate::emit::{Emitter, Site, local};
use crate::model::{self, Field, Kind, Space};
use crate::steps::{Parallel, Place, Step, What};
use crate::tokens::respanned;

/// Reads a value for every item of the table. What walks over single fields have in place are calls
/// here, of functions that all tables share.
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
    let (ty, apart) = (element.ty, element.is_located());
    let (one, base) = (one(emitter, index, element, steps), base(emitter, index, element));
    let (sequence, place) = (sequence_of(emitter, index, element), emitter.lowered.place(index));
    let placements = place.map(|place| placements_in(place.space));
    let placements = placements
        .map_or_else(|| quote!(#rt::parallel::placements()), |placements| quote!(#placements));
    let read = quote! {
        #rt::parallel::read::<_, _, #ty>(
            __obs,
            #items,
            #sequence,
            (__cur.pos(), __spans.get(#table)),
            &mut #placements,
            |__values, __obs, __entry| {
                #names
                #one
                __rt::Ok(())
            },
        )
    };
    let space = place.map_or(Space::Behind, |place| place.space);
    let read = located::in_the_open(emitter, space, read);
    let read = quote!(let (__list, __all) = #read?;);
    if apart {
        return quote!({ #base #read __spans.set(#index, __all.0, __all.1); __list });
    }
    quote! {{
        let __from = __cur.pos();
        let __open = ::core::mem::replace(&mut __cur.fill, #rt::Fill::Open);
        #read
        __cur.fill = __open;
        if __O::RECORD {
            __obs.leave(__cur.pos(), &#rt::Value::Items(__rt::Some(#rt::ops::wide(__list.len()))));
        }
        __spans.set(#index, __from, __cur.pos());
        __list
    }}
}

/// Reads the value of one item, and adds it to the others.
fn one(
    emitter: &Emitter<'_>,
    index: usize,
    element: &Field<'_>,
    steps: &[Step<'_>],
) -> TokenStream {
    match steps {
        [
            Step { what: What::If(presence), .. },
            Step { what: What::Place(place), .. },
            steps @ ..,
        ] => {
            let present = present(emitter, index, element, steps, true);
            let there = visit(emitter, index, element, *place, &quote!(__rt::Some(#present)));
            let condition = holds(emitter, element, *presence, Site::Walk);
            let absent = absent(emitter, index);
            quote!(if #condition { #there } else { #absent })
        }
        [Step { what: What::Place(place), .. }, steps @ ..] => {
            let present = present(emitter, index, element, steps, true);
            visit(emitter, index, element, *place, &present)
        }
        [Step { what: What::If(presence), .. }, steps @ ..] => {
            let present = present(emitter, index, element, steps, false);
            let condition = holds(emitter, element, *presence, Site::Walk);
            let absent = absent(emitter, index);
            quote!(if #condition { let __one = #present; __values.push(__rt::Some(__one)); } else { #absent })
        }
        steps => {
            let value = present(emitter, index, element, steps, false);
            quote!(let __one = #value; __values.push(__one);)
        }
    }
}

/// Where the values of a field lie: what they count from, unless that is all.
fn base(emitter: &Emitter<'_>, index: usize, element: &Field<'_>) -> Option<TokenStream> {
    let (rt, place) = (&emitter.rt, emitter.lowered.place(index)?);
    let section = section(emitter, &place);
    let behind = behind::of_each(emitter, index, element);
    if section.is_none() && !element.goes_to_next() && behind.is_none() {
        return None;
    }
    let starts = if element.goes_to_next() {
        let starts = starts::name(place.space);
        quote!(__rt::Some(&#starts[..]))
    } else {
        quote!(__rt::None)
    };
    let section = match section {
        Some(section) => quote!(__rt::Some(#section)),
        None => quote!(__rt::None),
    };
    let from = located::base(place.base);
    let behind = behind.map_or_else(|| quote!(__rt::None), |behind| quote!(__rt::Some(#behind)));
    Some(quote! {
        let __base =
            #rt::parallel::Base { from: #from, section: #section, starts: #starts, behind: #behind };
    })
}

/// Reads the value of an item where it lies, and adds it to the others.
fn visit(
    emitter: &Emitter<'_>,
    index: usize,
    element: &Field<'_>,
    place: Place<'_>,
    present: &TokenStream,
) -> TokenStream {
    let (rt, region) = (&emitter.rt, located::region(element, place));
    let (call, claim) = (emitter.size("at", place.at, Site::Walk), emitter.claim(place.at, index));
    let (visit, from) = if base(emitter, index, element).is_some() {
        (quote!(visit_in), quote!(&__base))
    } else {
        (quote!(visit), located::base(place.base))
    };
    // Who speaks of the field means its value; others keep away from all of its bytes.
    let keeps = keeps_own(element);
    let own = keeps.then(|| quote!(let mut __own = (0, 0);));
    let begin = keeps.then(|| quote!(__own = (__lies, __lies);));
    let note = keeps.then(|| {
        quote!(if __O::RECORD {
            __values.only(__own);
        })
    });
    let extents =
        emitter.lowered.has_extents().then(|| quote!(__extents.widen(#index, __span.0, __span.1);));
    quote! {
        #own
        let __span = #rt::parallel::#visit(
            __obs, (#region, #from), __values, (&__entry.item, #call, &#claim),
            |__cur, __obs| {
                let __lies = __cur.pos();
                #begin
                __rt::Ok(#present)
            },
        )?;
        #note
        #extents
    }
}

/// The items of a table, one after the other.
pub(super) fn items(
    emitter: &Emitter<'_>,
    parallel: Option<&model::Parallel<'_>>,
    table: &Field<'_>,
) -> TokenStream {
    let (rt, name) = (&emitter.rt, local(&table.name));
    let inside = parallel.and_then(|parallel| inside(emitter, parallel, table, &name));
    let items = match (inside, table.kind) {
        (Some(inside), _) => return inside,
        (None, Kind::Seq(_)) => quote!(#name.iter()),
        (None, _) => {
            let copier = copier(emitter, table, &quote!(#name));
            quote!(#rt::parallel::Cloned::of(&#name, #copier))
        }
    };
    if parallel.is_some_and(names_before) {
        quote!(#rt::parallel::WithBefore::of(#items))
    } else {
        items
    }
}

/// Whether a value needs the item in front of its own.
fn names_before(parallel: &model::Parallel<'_>) -> bool {
    parallel.element.sizes_name_before().is_some()
}

/// The item itself in `__entry`, which may hold more.
pub(super) fn item_in(parallel: &model::Parallel<'_>) -> TokenStream {
    let is_part = parallel.inner || names_before(parallel);
    if is_part { quote!(__entry.value.value) } else { quote!(__entry.value) }
}

/// What copies the items of a table; where they cannot be copied, the word that names the table is wrong.
pub(in crate::emit) fn copier(
    emitter: &Emitter<'_>,
    table: &Field<'_>,
    items: &TokenStream,
) -> TokenStream {
    let rt = &emitter.rt;
    let mut parallel = emitter.model.fields().iter().filter_map(|field| field.parallel.as_ref());
    let word = parallel.find(|parallel| parallel.table == table.name);
    let span = word.map_or_else(Span::call_site, |parallel| parallel.table.span());
    respanned(quote!(#rt::parallel::copier(&#items)), span)
}

/// Binds what expressions name of the item `__entry`: `it`, by value where that is a number, `index`
/// and `group`.
pub(super) fn names_of_item(
    emitter: &Emitter<'_>,
    parallel: Option<&model::Parallel<'_>>,
) -> TokenStream {
    let Some(parallel) = parallel else { return TokenStream::new() };
    let item = item_in(parallel);
    if parallel.inner {
        return quote! {
            let __a_it = &#item;
            let __group = __entry.value.group;
            let __entry_index = __entry.value.index;
        };
    }
    let it = if emitter.entry_is_scalar() { item } else { quote!(&#item) };
    let before = names_before(parallel);
    let before = before.then(|| quote!(let __before = __entry.value.before.as_ref();));
    quote! {
        #before
        let __a_it = #it;
        let __entry_index = __entry.item.index;
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

/// The locals with the places of the values of such fields, one for each region.
pub(super) fn all_placements(emitter: &Emitter<'_>) -> TokenStream {
    let rt = &emitter.rt;
    let mut spaces: Vec<Space> = Vec::new();
    for (index, field) in emitter.model.fields().iter().enumerate() {
        let place = emitter.lowered.place(index).filter(|_| field.parallel.is_some());
        spaces.extend(place.map(|place| place.space).filter(|one| !spaces.contains(one)));
    }
    let all = spaces.into_iter().map(placements_in);
    quote!(#(let mut #all = #rt::parallel::placements();)*)
}

/// Tells that an item has no value.
fn absent(emitter: &Emitter<'_>, index: usize) -> TokenStream {
    let (rt, claims) = (&emitter.rt, claims_of_absent(emitter, index));
    quote!(#claims #rt::parallel::absent(__obs, __cur, __values, &__entry.item);)
}

/// The local with the places of the values of a region, which a validator looks at.
pub(super) fn placements_in(space: Space) -> Ident {
    match space {
        Space::Section(section) => format_ident!("__lays_{section}"),
        Space::Behind => format_ident!("__lays"),
        Space::Around => format_ident!("__lays_around"),
    }
}

/// A field starts, or an item of one with `for_each`.
pub(super) fn enter(
    emitter: &Emitter<'_>,
    index: usize,
    field: &Field<'_>,
    at: &TokenStream,
) -> TokenStream {
    if field.is_element {
        let rt = &emitter.rt;
        quote!(#rt::parallel::enter(__obs, &__entry.item, #at);)
    } else {
        quote!(__obs.enter(Self::__WIRE, #index, #at);)
    }
}

/// What stands before or behind the value of an item: its magic and its padding.
pub(super) fn about_item(field: &Field<'_>, steps: &TokenStream) -> TokenStream {
    if !field.is_element || steps.is_empty() {
        return steps.clone();
    }
    quote! {
        let __depth = __obs.depth();
        __obs.reopen_item(__entry.item.index);
        #steps
        __obs.close(__depth);
    }
}

/// Whether values of the field may share their bytes: then those of the value are remembered without
/// what stands around it.
pub(super) fn keeps_own(field: &Field<'_>) -> bool {
    field.is_element && field.is_located() && !field.is_view() && field.words.shared.is_some()
}

/// A local with the places of some located fields and of all their values.
pub(super) fn placements(emitter: &Emitter<'_>, space: Space, fields: &[usize]) -> TokenStream {
    let (rt, extents) = (&emitter.rt, emitter.extents());
    let all = fields.iter().filter_map(|index| Some((*index, emitter.model.fields().get(*index)?)));
    let (several, single): (Vec<_>, Vec<_>) = all.partition(|(_, field)| field.parallel.is_some());
    let single = single.into_iter().map(|(index, _)| {
        let shared = emitter.lowered.place(index).is_some_and(|place| place.shared);
        quote!(__spans.placement(&#extents, #index, #shared))
    });
    let single = quote!([#(#single),*]);
    if several.is_empty() {
        return quote!(let mut __placements = #single;);
    }
    let several = placements_in(space);
    quote! {
        let mut __placements = #rt::parallel::with_single(&#several, &#single);
    }
}
