//! How much of the stack a walk over a value takes, which bounds how deep values of its type nest.

use proc_macro2::TokenStream;
use quote::quote;
use syn::Type;

use super::Emitter;
use crate::model::{Body, Field, Kind, scalar};
use crate::steps::{Step, What};

/// What every walk takes.
const WALK: usize = 512;

/// What the runtime assumes of a type that says nothing.
const ASSUMED: usize = 2 << 10;

/// `FRAME`, where it is more than what is assumed. The numbers are what builds without optimization were
/// seen to take.
pub(super) fn frame(emitter: &Emitter<'_>) -> Option<TokenStream> {
    // Tables of buffers count their levels by themselves.
    if emitter.model.words.flatbuffer.is_some() {
        return None;
    }
    let mut tried = None;
    let (own, calls): (usize, Vec<&Type>) = match &emitter.model.body {
        Body::Enum { .. } => return None,
        Body::Struct(fields) => {
            let own =
                fields.iter().enumerate().map(|(index, field)| of_field(emitter, index, field));
            let calls = fields.iter().filter(|field| field.parallel.is_none()).filter_map(nested);
            (own.sum::<usize>() + of_type(emitter), calls.collect())
        }
        Body::Union(variants) => {
            // Each variant is read and written in a function of its own, but what is tried lies here, too.
            let copies = emitter.model.words.probe.is_some().then_some(variants.len() * 4);
            tried = copies.map(|copies| quote!(+ ::core::mem::size_of::<Self>() * #copies));
            let calls = variants.iter().filter_map(|variant| variant.ty).collect();
            (variants.len() * 48 + (4 << 10), calls)
        }
    };
    let (rt, own) = (&emitter.rt, own + WALK);
    let locals = locals(emitter);
    if own <= ASSUMED && calls.is_empty() && locals.is_empty() {
        return None;
    }
    let locals = (!locals.is_empty())
        .then(|| quote!(+ #rt::stack::locals(&[#(::core::mem::size_of::<#locals>()),*])));
    let frame = if calls.is_empty() {
        quote!(#own #locals)
    } else {
        quote!(#rt::stack::frame(#own #tried #locals, &[#(<#calls as #rt::Wire<'_>>::FRAME),*]))
    };
    Some(quote!(const FRAME: usize = #frame;))
}

/// The types of what lies on the stack beside the value: its arguments and computed values, what a field is converted
/// from, items of tables, and what checksums are computed with; numbers are small.
fn locals<'m>(emitter: &Emitter<'m>) -> Vec<&'m Type> {
    let model = emitter.model;
    let arguments = model.parameters().iter().map(|parameter| &parameter.ty);
    let computed = model.words.computed.iter().map(|computed| &computed.ty);
    let of_fields = model.fields().iter().flat_map(|field| {
        let words = &field.words;
        let entry = field.parallel.as_ref().and_then(|parallel| model.entry_type(parallel));
        let stored = words.map.as_ref().map(|map| &map.value.stored);
        let digest = words.checksum.as_ref().map(|checksum| &checksum.value.digest);
        entry.into_iter().chain(stored).chain(digest)
    });
    let is_small = |ty: &Type| match ty {
        Type::Path(_) => scalar(ty).is_some(),
        Type::Reference(_) => true,
        _ => false,
    };
    arguments.chain(computed).chain(of_fields).filter(|ty| !is_small(ty)).collect()
}

/// What the locals of one field take.
fn of_field(emitter: &Emitter<'_>, index: usize, field: &Field<'_>) -> usize {
    let steps = emitter.lowered.of(index).iter();
    if field.parallel.is_some() || field.is_located() {
        9 << 10
    } else if steps.clone().all(|step| matches!(step.what, What::Plain(_))) {
        192
    } else {
        // The first two rules are in it.
        3584 + RULE * rules(steps).saturating_sub(2)
    }
}

/// What a rule takes.
const RULE: usize = 1152;

/// What the rules and the computed values of the type take.
fn of_type(emitter: &Emitter<'_>) -> usize {
    let steps = || emitter.lowered.all().iter().filter(|step| step.field.is_none());
    let computed = steps().filter(|step| matches!(step.what, What::Computed(_))).count();
    RULE * rules(steps()) + 768 * computed
}

fn rules<'s, 'm: 's>(steps: impl Iterator<Item = &'s Step<'m>>) -> usize {
    steps.filter(|step| matches!(step.what, What::Rule(..))).count()
}

/// What the level of the values beside the items of a table takes.
pub(super) fn of_values(emitter: &Emitter<'_>, element: &Field<'_>) -> TokenStream {
    let rt = &emitter.rt;
    nested(element).map_or_else(|| quote!(0), |ty| quote!(#rt::stack::of::<#ty>()))
}

/// The type whose walk that of a field calls, if it is no sequence, which is a level of its own.
fn nested<'f>(field: &'f Field<'_>) -> Option<&'f Type> {
    let calls = matches!(field.kind, Kind::Nested | Kind::Array(_)) && field.words.with.is_none();
    calls.then(|| field.stored())
}
