//! Parts of nested values that expressions around them use.
//!
//! The writer of a nested value computes numbers in it. What an expression outside has used must be
//! what is written, so the writer is told which parts are used.

use std::collections::{HashMap, HashSet};

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Ident, Member, Type};

use super::plan::is_codec;
use crate::emit::{Emitter, member_names, unraw};
use crate::expr::{Expr, Measure};
use crate::model::{
    Field, Kind, Model, Owner, Parallel, Use, is_entry, is_group, is_parameter, item_of, scalar,
};

/// A part of a nested value: the names of members, from the outermost to the part.
pub(crate) type Part = Vec<String>;

/// What stands in front of and behind the writing of a value of which parts are used.
pub(super) fn around(emitter: &Emitter<'_>, field: &Field<'_>) -> (TokenStream, TokenStream) {
    match of(emitter, field) {
        Some(parts) => (quote!(let __using = __out.using(#parts);), quote!(__out.used(__using);)),
        None => (TokenStream::new(), TokenStream::new()),
    }
}

/// The used parts of a field, or of its items.
pub(super) fn parts(emitter: &Emitter<'_>, field: &Field<'_>) -> TokenStream {
    of(emitter, field).unwrap_or_else(|| quote!(&[]))
}

/// The parts that expressions use of each field, by its name.
pub(crate) fn used_parts(model: &Model<'_>) -> HashMap<String, Vec<Part>> {
    let mut used: HashMap<String, Vec<Part>> = HashMap::new();
    for one in model.exprs() {
        if matches!(one.row.name, "warn" | "note") {
            continue;
        }
        for (name, path) in
            one.expr.used_parts(&|name, members, method| asks(model, name, members, method))
        {
            let mut part = member_names(&path);
            // What the next item is given is learned when it is written.
            if is_carried(name, &part) {
                continue;
            }
            if let Some(parallel) = beside(model, &one).filter(|_| is_entry(name)) {
                part.splice(0..0, parallel.path.iter().map(unraw));
            }
            for field in fields_of(model, &one, name) {
                let parts = used.entry(field).or_default();
                if !parts.contains(&part) {
                    parts.push(part.clone());
                }
            }
        }
    }
    used
}

/// Whether a part is one of the item before.
fn is_carried(name: &Ident, part: &[String]) -> bool {
    !part.is_empty() && name.to_string().starts_with("__previous_")
}

/// The parts of items that the next one is given, as they are written: their members, each once.
fn carried_parts<'f>(field: &'f Field<'_>) -> Vec<Vec<&'f Member>> {
    let mut carried: Vec<Vec<&Member>> = Vec::new();
    for (name, path) in field.previous_arguments().flat_map(|(_, expr)| expr.parts()) {
        if is_carried(name, &member_names(&path)) && !carried.contains(&path) {
            carried.push(path);
        }
    }
    carried
}

/// What learns these parts: their names, and a copy of an item with others in their place.
pub(super) fn carry(emitter: &Emitter<'_>, field: &Field<'_>, item: &Type) -> TokenStream {
    let (rt, carried) = (&emitter.rt, carried_parts(field));
    let names = carried.iter().map(|path| member_names(path));
    let names = names.map(|part| quote!(&[#(#part),*]));
    let put = carried.iter().enumerate().map(|(index, path)| {
        let place = quote!((&mut __item.#(#path).*));
        quote!(__number(#index).is_none_or(|__number| #rt::setter::Blank(#place).put(__number)))
    });
    quote!(&#rt::previous::Carry {
        parts: const { #rt::used::of::<#item>(&[#(#names),*]) },
        copy: |__item: &#item, __number: &dyn ::core::ops::Fn(::core::primitive::usize) -> __rt::Option<::core::primitive::u64>| {
            use #rt::previous::{AnyItem as _, ClonedItem as _};
            use #rt::setter::{AnyBlank as _, NumberBlank as _};
            let mut __item = (&#rt::previous::Copier::<#item>::NEW).copy(__item)?;
            (true #(&& #put)*).then_some(__item)
        },
    })
}

/// Whether a method asks whether a part is there, or how many items there are, and uses no number in it.
fn asks(model: &Model<'_>, name: &Ident, members: &[&Member], method: &Ident) -> bool {
    if method == "is_some" || method == "is_none" {
        return true;
    }
    let counts = method == "len" || method == "is_empty";
    let own = model.field(name).filter(|_| members.is_empty());
    counts && own.is_some_and(|(_, field)| field.kind.is_sequence() || field.kind.is_bytes())
}

/// The numbers of a table, or of what holds tables, that expressions use as they are held, not as those
/// that are written: all but the words beside the table, which name them by `it`.
pub(super) fn of_table(emitter: &Emitter<'_>, field: &Field<'_>) -> TokenStream {
    let model = emitter.model;
    let mut used: Vec<Part> = Vec::new();
    for one in model.exprs() {
        if matches!(one.row.name, "warn" | "note") {
            continue;
        }
        let ask =
            |name: &Ident, members: &[&Member], method: &Ident| asks(model, name, members, method);
        let parts = one.expr.used_parts(&ask).into_iter();
        let parts = parts.filter(|(name, _)| !is_entry(name));
        let parts =
            parts.filter(|(name, _)| fields_of(model, &one, name).contains(&unraw(&field.name)));
        used.extend(parts.map(|(_, path)| member_names(&path)));
    }
    used.extend(keys(field));
    let table = unraw(&field.name);
    let parts = used.iter().map(|part| quote!(&[#table #(, #part)*]));
    quote!(&[#(#parts),*])
}

/// What items are compared by.
fn keys(field: &Field<'_>) -> impl Iterator<Item = Part> {
    // What compares items by a method may look at all of them.
    let keys = [&field.words.unique, &field.words.sorted_by].into_iter().flatten();
    let keys = keys.map(|word| word.value.as_ref().and_then(Expr::part));
    keys.map(|key| key.map(|(_, path)| member_names(&path)).unwrap_or_default())
}

/// The fields whose values the walk of a reader uses, as a whole or in part. The last item and the one
/// before are not among them: who reads items keeps these by itself.
pub(crate) fn used_values(model: &Model<'_>) -> HashSet<String> {
    let mut used = HashSet::new();
    for one in model.exprs() {
        if matches!(one.row.name, "warn" | "note") {
            continue;
        }
        for name in one.expr.names() {
            let name_of = unraw(name);
            if item_of(&name_of).is_none() {
                used.extend(fields_of(model, &one, name));
            }
        }
        let counted = one.expr.measures().into_iter();
        used.extend(counted.filter(|(of, _)| *of == Measure::Count).map(|(_, name)| unraw(name)));
    }
    // A table tells of values that are read behind it.
    let tables = model.fields().iter().filter_map(|field| field.parallel.as_ref());
    used.extend(tables.map(|table| unraw(&table.root)));
    used
}

fn of(emitter: &Emitter<'_>, field: &Field<'_>) -> Option<TokenStream> {
    let ty = declared(field).filter(|ty| !is_parameter(emitter.model, ty))?;
    let used = emitter.used.get(&unraw(&field.name));
    let mut parts: Vec<Part> = used.cloned().unwrap_or_default();
    parts.extend(keys(field));
    let rt = &emitter.rt;
    let parts = parts.iter().map(|part| quote!(&[#(#part),*]));
    let parts: Vec<TokenStream> = parts.collect();
    (!parts.is_empty()).then(|| quote!(const { #rt::used::of::<#ty>(&[#(#parts),*]) }))
}

/// The declared type of a field, or of its items.
fn declared<'m>(field: &Field<'m>) -> Option<&'m Type> {
    let ty = match field.kind {
        Kind::Nested => field.inner,
        Kind::Seq(item) | Kind::Vec(item) | Kind::Array(item) => item,
        _ => return None,
    };
    (!is_codec(field) && scalar(ty).is_none()).then_some(ty)
}

/// The names of fields for which, or for an item of which, a name in an expression stands.
fn fields_of(model: &Model<'_>, one: &Use<'_>, name: &Ident) -> Vec<String> {
    if let Some(parallel) = beside(model, one)
        && (is_entry(name) || is_group(name))
    {
        return vec![unraw(&parallel.root)];
    }
    let name = unraw(name);
    let mut item = ["__last_", "__previous_", "__value_"].into_iter();
    let item: Option<String> = item.find_map(|of| Some(name.strip_prefix(of)?.into()));
    item.into_iter().chain([name]).collect()
}

/// What the values are beside, in one of whose words an expression stands.
fn beside<'m>(model: &'m Model<'_>, one: &Use<'_>) -> Option<&'m Parallel<'m>> {
    let Owner::Element(index) = one.owner else { return None };
    model.fields().get(index)?.parallel.as_ref()
}
