//! How much of the stack a walk over a value takes, which bounds how deep values of its type nest.

use proc_macro2::TokenStream;
use quote::quote;
use syn::Type;

use super::Emitter;
use crate::model::{Body, Field, Kind};
use crate::steps::What;

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
    let (own, calls): (usize, Vec<&Type>) = match &emitter.model.body {
        Body::Enum { .. } => return None,
        Body::Struct(fields) => {
            let own =
                fields.iter().enumerate().map(|(index, field)| of_field(emitter, index, field));
            let calls = fields.iter().filter(|field| field.parallel.is_none()).filter_map(nested);
            (own.sum(), calls.collect())
        }
        Body::Union(variants) => {
            (variants.len() * 1024, variants.iter().filter_map(|variant| variant.ty).collect())
        }
    };
    let (rt, own) = (&emitter.rt, own + WALK);
    if own <= ASSUMED && calls.is_empty() {
        return None;
    }
    let frame = if calls.is_empty() {
        quote!(#own)
    } else {
        quote!(#rt::stack::frame(#own, &[#(<#calls as #rt::Wire<'_>>::FRAME),*]))
    };
    Some(quote!(const FRAME: usize = #frame;))
}

/// What the locals of one field take.
fn of_field(emitter: &Emitter<'_>, index: usize, field: &Field<'_>) -> usize {
    let mut steps = emitter.lowered.of(index).iter();
    if field.parallel.is_some() {
        9 << 10
    } else if field.is_located() {
        5632
    } else if steps.all(|step| matches!(step.what, What::Plain(_))) {
        192
    } else {
        3584
    }
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
