//! Parts of nested values that expressions around them use.
//!
//! The writer of a nested value computes numbers in it. What an expression outside has used must be
//! what is written, so the writer is told which parts are used.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Ident, Member, Type};

use super::plan::is_codec;
use crate::emit::{Emitter, unraw};
use crate::expr::Expr;
use crate::model::{Field, Kind, Owner, Parallel, Use, is_group, is_parameter, scalar};

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

fn of(emitter: &Emitter<'_>, field: &Field<'_>) -> Option<TokenStream> {
    let ty = declared(field).filter(|ty| !is_parameter(emitter.model, ty))?;
    let mut parts: Vec<Vec<String>> = Vec::new();
    for one in emitter.model.exprs() {
        if matches!(one.row.name, "warn" | "note") {
            continue;
        }
        for (name, path) in one.expr.parts() {
            let mut part = members(&path);
            if let Some(parallel) = beside(emitter, &one).filter(|_| name == "it") {
                part.splice(0..0, parallel.path.iter().map(unraw));
            }
            if names(emitter, field, &one, name) && !parts.contains(&part) {
                parts.push(part);
            }
        }
    }
    // What compares items by a method may look at all of them.
    let keys = [&field.words.unique, &field.words.sorted_by].into_iter().flatten();
    let keys = keys.map(|word| word.value.as_ref().and_then(Expr::part));
    parts.extend(keys.map(|key| key.map(|(_, path)| members(&path)).unwrap_or_default()));
    let rt = &emitter.rt;
    let parts = parts.iter().map(|part| quote!(&[#(#part),*]));
    let parts: Vec<TokenStream> = parts.collect();
    (!parts.is_empty())
        .then(|| quote!(const { #rt::used::parts(<#ty as #rt::Wire<'_>>::WIRE, &[#(#parts),*]) }))
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

/// Whether a name in an expression stands for a field, or for an item of it.
fn names(emitter: &Emitter<'_>, field: &Field<'_>, one: &Use<'_>, name: &Ident) -> bool {
    if let Some(parallel) = beside(emitter, one)
        && (name == "it" || is_group(name))
    {
        return parallel.root == field.name;
    }
    let last = name.to_string();
    let item = ["__last_", "__previous_", "__value_"].into_iter();
    let mut item = item.filter_map(|of| last.strip_prefix(of));
    *name == field.name || item.any(|own| unraw(&field.name) == own)
}

/// What the values are beside, in one of whose words an expression stands.
fn beside<'m>(emitter: &Emitter<'m>, one: &Use<'_>) -> Option<&'m Parallel<'m>> {
    let Owner::Element(index) = one.owner else { return None };
    emitter.model.fields().get(index)?.parallel.as_ref()
}

/// The names of members, as the declaration of their type has them.
pub(super) fn members(members: &[&Member]) -> Vec<String> {
    let name = |member: &&Member| match member {
        Member::Named(member) => unraw(member),
        Member::Unnamed(index) => format!("_{}", index.index),
    };
    members.iter().map(name).collect()
}
