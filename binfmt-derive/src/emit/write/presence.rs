//! What the writer does for fields that may be absent, and for the magic that a value keeps.

use std::collections::HashMap;

use proc_macro2::TokenStream;
use quote::{ToTokens as _, quote};

use super::plan::{Plan, mark};
use crate::derived::Point;
use crate::emit::magic::choice;
use crate::emit::{Emitter, local, text};
use crate::expr::Expr;
use crate::model::{Field, Flag, Kind};

/// Sets the bits that say which fields are there.
pub(super) fn set_flags(emitter: &Emitter<'_>) -> TokenStream {
    let rt = &emitter.rt;
    let fields = emitter.model.fields();
    let mut all = TokenStream::new();
    for (flag, sharing) in by_bit(fields) {
        // Fields that share a bit are there together, which is checked later.
        let inverted = |field: &&Field<'_>| field.flag.as_ref().is_some_and(|flag| flag.inverted);
        let (unset, set): (Vec<&Field<'_>>, Vec<_>) = sharing.into_iter().partition(inverted);
        let present = if set.is_empty() {
            let names = unset.iter().map(|field| local(&field.name));
            quote!(!(#(#names.is_some())||*))
        } else {
            let names = set.iter().map(|field| local(&field.name));
            quote!(#(#names.is_some())||*)
        };
        let bits = &fields[flag.index];
        let (name, label, ty) = (local(&bits.name), text(&bits.label), bits.ty);
        let bit = bit(&flag.bit);
        all.extend(match bits.kind {
            Kind::Nested => quote! {
                const { ::core::assert!(#bit.bits().is_power_of_two(), "a `flag` is one bit") };
                let #name = &{
                    let mut __bits = ::core::clone::Clone::clone(#name);
                    __bits.set(#bit, #present);
                    __bits
                };
            },
            _ => {
                // A number is checked by the derive.
                let one = matches!(flag.bit, Expr::Path(_)).then(|| {
                    quote!(const { ::core::assert!(#bit.is_power_of_two(), "a `flag` is one bit") };)
                });
                quote! {
                    #one
                    let #name: #ty = #rt::write::bit(__out, #label, #name, #rt::ops::Widen::widen(#bit), #present)?;
                }
            }
        });
    }
    all
}

/// Plans to tell of flags that are others than the value holds.
pub(super) fn plan(plan: &mut Plan<'_, '_>) {
    let fields = plan.emitter.model.fields();
    for (index, bits) in fields.iter().enumerate() {
        if !is_flagged(fields, index) {
            continue;
        }
        let (name, label, at) = (local(&bits.name), text(&bits.label), mark(bits, "at"));
        let held = plan.emitter.held(&bits.member);
        let report = match bits.kind {
            Kind::Nested => {
                let same = quote!(#name.bits() == #held.bits());
                quote!(__out.computed_as(&[#label], #at, #same)?;)
            }
            _ => quote!(__out.computed(&[#label], #at, (#held, #name))?;),
        };
        plan.at(Point::begun(index), report);
    }
}

/// Whether a field has bits that say which others are there.
pub(super) fn is_flagged(fields: &[Field<'_>], index: usize) -> bool {
    fields.iter().any(|field| field.flag.as_ref().is_some_and(|flag| flag.index == index))
}

/// Every bit with the fields that it says are there, in the order of the first of them.
fn by_bit<'f, 's>(fields: &'f [Field<'s>]) -> Vec<(&'f Flag, Vec<&'f Field<'s>>)> {
    let mut places: HashMap<(usize, String), usize> = HashMap::new();
    let mut all: Vec<(&Flag, Vec<&Field<'_>>)> = Vec::new();
    for field in fields {
        let Some(flag) = &field.flag else { continue };
        let place = *places.entry((flag.index, bit(&flag.bit).to_string())).or_insert(all.len());
        if place == all.len() {
            all.push((flag, Vec::new()));
        }
        all[place].1.push(field);
    }
    all
}

fn bit(bit: &Expr) -> TokenStream {
    match bit {
        Expr::Int(value, _) => quote!(#value),
        Expr::Path(path) => path.to_token_stream(),
        _ => TokenStream::new(),
    }
}

/// The magic that a value keeps must be one of those declared.
pub(super) fn keeper(emitter: &Emitter<'_>) -> Option<TokenStream> {
    let field = emitter.model.fields().iter().find(|field| field.words.keeper.is_some())?;
    let (rt, name, label) = (&emitter.rt, local(&field.name), text(&field.label));
    let choice = choice(emitter.model);
    Some(quote!(#rt::write::magic_of(__out, #label, #name, #choice)?;))
}
