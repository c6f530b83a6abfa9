//! The generated code. Everything here reads the model alone.

mod apart;
mod args;
mod bits;
mod by_hand;
mod checksum;
mod coded;
mod enums;
mod expr;
mod family;
mod flat;
mod frame;
mod impls;
mod layout;
mod limits;
mod magic;
mod map;
mod new;
mod open;
mod overrides;
mod plain;
mod prefix;
mod previous;
mod rest;
mod rule;
mod sizes;
mod skip;
mod strings;
mod terminator;
mod unions;
mod walk;
mod write;

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, HashMap, HashSet};

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::{Ident, Lifetime, LitStr, Member, Type, parse_quote};

use crate::attr::{Filling, Order};
use crate::derived::{Ready, Step};
use crate::model::{Body, Field, Model};
use crate::steps::{self, Steps};

pub(crate) use family::family;
pub(crate) use magic::magic_array;

/// What every part of the emission needs.
pub(crate) struct Emitter<'m> {
    pub(crate) model: &'m Model<'m>,
    pub(crate) steps: &'m [Step<'m>],
    /// When a writer knows each number.
    pub(crate) ready: Ready<'m>,
    /// What happens to the bytes of the declaration, in order.
    pub(crate) lowered: Steps<'m>,
    /// The parts of nested values that expressions use, by the names of the fields.
    used: HashMap<String, Vec<write::used::Part>>,
    /// The fields whose values expressions use.
    kept: HashSet<String>,
    /// What generated code calls the interface that the runtime has for it.
    pub(crate) rt: TokenStream,
    pub(crate) lifetime: Lifetime,
    /// Expression functions, emitted once and called by every product.
    functions: RefCell<Vec<TokenStream>>,
    emitted: RefCell<HashMap<*const crate::expr::Expr, Ident>>,
    /// What the compiler looks at even where nothing is built, once each, by what it is about.
    looked_at: RefCell<BTreeMap<String, TokenStream>>,
    /// The optional field whose value, and not whose `Option`, the expression at hand is about.
    opened: RefCell<Option<Ident>>,
    /// The type of the items that `it` stands for, within the words of a field with `for_each`.
    entry: Cell<Option<&'m Type>>,
    /// Whether `it` is an item of a table inside another value, whose type is not seen.
    inside: Cell<bool>,
    /// The type of the index of an item.
    wide: Type,
}

/// All impls of one declared type.
pub(crate) fn emit<'m>(model: &'m Model<'m>, steps: &'m [Step<'m>]) -> TokenStream {
    let krate = match &model.words.krate {
        Some(path) => path.value.to_token_stream(),
        None => quote!(::binfmt_runtime),
    };
    let lifetime = model.lifetime.cloned().unwrap_or_else(|| parse_quote!('__bin));
    let emitter = Emitter {
        model,
        steps,
        ready: Ready::of(model, steps),
        lowered: steps::lower(model),
        used: write::used::used_parts(model),
        kept: write::used::used_values(model),
        rt: quote!(__rt),
        lifetime,
        functions: RefCell::default(),
        emitted: RefCell::default(),
        looked_at: RefCell::default(),
        opened: RefCell::default(),
        entry: Cell::new(None),
        inside: Cell::new(false),
        wide: parse_quote!(u64),
    };
    let impls = impls(&emitter);
    let looked_at = emitter.looked_at.take().into_values();
    quote! {
        #[allow(
            clippy::trivially_copy_pass_by_ref, clippy::ptr_arg, clippy::ref_option, clippy::ref_option_ref,
            clippy::unnested_or_patterns, unused_mut, unused_variables,
            reason = "one shape of code for every declaration"
        )]
        const _: () = {
            use #krate::__private as __rt;
            #impls
            #(const _: () = #looked_at;)*
        };
    }
}

fn impls(emitter: &Emitter<'_>) -> TokenStream {
    let model = emitter.model;
    if model.is_table() {
        return flat::table(emitter);
    }
    if let Some(variants) = model.schemas() {
        return flat::schemas::emit(emitter, variants);
    }
    if let (true, Body::Union(variants)) = (model.is_flat_union(), &model.body) {
        return flat::union(emitter, variants);
    }
    let products = match (&model.body, &model.words.bits) {
        (Body::Struct(_), Some(storage)) => bits::products(emitter, &storage.value),
        (Body::Struct(_), None) => Products {
            walk: walk::emit(emitter),
            write: write::emit(emitter),
            value: walk::value(emitter),
            sizes: sizes::sizes(emitter),
        },
        (Body::Enum { repr, kept, other, .. }, _) => enums::numbers(emitter, *repr, kept, *other),
        (Body::Union(variants), _) => unions::union(emitter, variants),
    };
    let inline = model.words.flatbuffer.is_some().then(|| flat::inline(emitter));
    let impls = emitter.impls(products);
    quote!(#impls #inline)
}

/// The bodies of the trait's items.
pub(crate) struct Products {
    pub(crate) walk: TokenStream,
    pub(crate) write: TokenStream,
    /// What an inspector shows of the whole value, if that is no group.
    pub(crate) value: Option<TokenStream>,
    /// `MIN_SIZE` and `FIXED`.
    pub(crate) sizes: (TokenStream, TokenStream),
}

impl Emitter<'_> {
    /// What padding of a field consists of.
    pub(crate) fn fill(field: &Field<'_>) -> TokenStream {
        let fill = Filling(field.words.fill.as_ref().map(|fill| &fill.value));
        quote!(#fill)
    }

    /// A field of the value that is written: its own, or one that a variant has lent.
    pub(crate) fn held(&self, member: &Member) -> TokenStream {
        if self.model.part.is_some() { quote!((*__lent.#member)) } else { quote!(self.#member) }
    }
}

/// Where an expression stands, and so what its names are bound to.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Site {
    /// Values that have just been read.
    Walk,
    /// References to the fields of `self`.
    Write,
}

/// The local variable that holds a field.
pub(crate) fn local(name: &Ident) -> Ident {
    format_ident!("__f_{}", unraw(name))
}

/// The local variable that holds an argument.
pub(crate) fn argument(name: &Ident) -> Ident {
    format_ident!("__a_{}", unraw(name))
}

pub(crate) fn unraw(name: &Ident) -> String {
    syn::ext::IdentExt::unraw(name).to_string()
}

/// The names of members, as layouts and paths have them.
pub(crate) fn member_names(members: &[&Member]) -> Vec<String> {
    let name = |member: &&Member| match member {
        Member::Named(member) => unraw(member),
        Member::Unnamed(index) => format!("_{}", index.index),
    };
    members.iter().map(name).collect()
}

pub(crate) fn order(rt: &TokenStream, order: Option<Order>) -> TokenStream {
    match order {
        Some(Order::Big) => quote!(#rt::BE),
        _ => quote!(#rt::LE),
    }
}

/// Nothing, one thing, or a tuple.
pub(crate) fn args_pattern<T: ToTokens>(parts: impl Iterator<Item = T>) -> TokenStream {
    let parts: Vec<T> = parts.collect();
    match parts.as_slice() {
        [one] => one.to_token_stream(),
        _ => quote!((#(#parts),*)),
    }
}

/// A string literal.
pub(crate) fn text(value: &str) -> LitStr {
    LitStr::new(value, Span::call_site())
}
