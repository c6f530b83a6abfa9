//! Computed fields against what is stored.

use proc_macro2::TokenStream;
use quote::quote;

use crate::derived::{Of, Source};
use crate::emit::expr::{Wanted, wide};
use crate::emit::{Emitter, Site, local};

/// Compares computed fields with what is stored.
pub(super) fn derived(emitter: &Emitter<'_>) -> TokenStream {
    let mut all = TokenStream::new();
    let steps = emitter.steps;
    for step in steps {
        let Source::Calc(expr) = step.source else { continue };
        let function = emitter.function("calc", expr, Wanted::Size);
        let call = emitter.call(&function, Site::Walk);
        let (rt, target) = (&emitter.rt, step.target);
        let Some(field) = emitter.model.fields().get(target) else { continue };
        let stored = wide(rt, field);
        all.extend(quote! {
            let __depth = __obs.depth();
            __obs.reopen(Self::WIRE, #target);
            #rt::walk::derived(__obs, __spans.get(#target), #call, #stored);
            __obs.close(__depth);
        });
    }
    all.extend(claims_of_absent(emitter));
    if all.is_empty() {
        return all;
    }
    quote!(if __O::RECORD { #all })
}

/// A length or count of a field that is not there is written as 0, so another value gets lost.
pub(super) fn claims_of_absent(emitter: &Emitter<'_>) -> TokenStream {
    let mut all = TokenStream::new();
    let steps = emitter.steps;
    for step in steps {
        let Source::Solved(solved) = &step.source else { continue };
        let (Of::Len(index) | Of::Count(index)) = solved.of else { continue };
        let Some(field) = emitter.model.fields().get(index).filter(|field| field.is_optional())
        else {
            continue;
        };
        let Some(word) = field.words.len.as_ref().or(field.words.count.as_ref()) else { continue };
        let function = emitter.function("len", &word.value, Wanted::Size);
        let call = emitter.call(&function, Site::Walk);
        let (rt, target, name) = (&emitter.rt, step.target, local(&field.name));
        all.extend(quote! {
            if #name.is_none() {
                let __depth = __obs.depth();
                __obs.reopen(Self::WIRE, #target);
                #rt::walk::of_absent(__obs, __spans.get(#target), #call);
                __obs.close(__depth);
            }
        });
    }
    all
}
