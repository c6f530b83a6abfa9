//! Numbers of variable length: what they are computed from must be known before anything is counted.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::{Ident, Type};

use super::derived::{len_of, measure, users};
use crate::derived::{Of, Solved, Source, told_by};
use crate::emit::expr::measured;
use crate::emit::prefix::number_type;
use crate::emit::{Emitter, unraw};
use crate::expr::Measure;
use crate::model::{Field, Kind};
use crate::steps::all_measures;

/// The type of a number as it is stored.
pub(super) fn stored_type<'m>(field: &Field<'m>) -> &'m Type {
    match field.kind {
        Kind::Auto(_, ty) => ty,
        _ => field.ty,
    }
}

/// Binds a computed number; one of variable length keeps at least the length that it had.
pub(super) fn bind(
    rt: &TokenStream,
    field: &Field<'_>,
    name: &Ident,
    value: &TokenStream,
) -> TokenStream {
    let ty = number_type(stored_type(field));
    if !field.is_variable() {
        quote!(let #name: #ty = #value;)
    } else if matches!(field.kind, Kind::Auto(..)) {
        quote!(let #name = #rt::Leb128::<#ty>::new(#value);)
    } else {
        quote!(let #name = #rt::Leb128::<#ty>::new(#value).in_place_of(&#name);)
    }
}

/// The local that holds the length of a field from the start, while the value is counted too, because
/// the size of a number depends on it. The field is then not counted again.
pub(super) fn size_local(emitter: &Emitter<'_>, field: &Field<'_>) -> Option<Ident> {
    let counted = !field.kind.is_bytes()
        && emitter.steps.iter().any(|step| {
            let target =
                emitter.model.fields().get(step.target).filter(|target| target.is_variable());
            match (&step.source, target) {
                (Source::Solved(Solved { of: of @ Of::Len(_), .. }), Some(target)) => {
                    users(emitter, target, *of).iter().any(|other| other.name == field.name)
                }
                (Source::Calc(expr), Some(_)) => {
                    expr.measures().contains(&(Measure::Len, &field.name))
                }
                _ => false,
            }
        });
    counted.then(|| format_ident!("__size_{}", unraw(&field.name)))
}

/// The locals of [`size_local`], but for those of fields that are told what is computed first.
pub(super) fn sizes(emitter: &Emitter<'_>) -> TokenStream {
    let fields = emitter.model.fields().iter();
    fields.filter(|field| !is_late(emitter, field)).map(|field| size(emitter, field)).collect()
}

fn size(emitter: &Emitter<'_>, field: &Field<'_>) -> TokenStream {
    match size_local(emitter, field) {
        Some(size) => {
            let measured = measure(emitter, field);
            quote!(let #size: u64 = #measured;)
        }
        None => TokenStream::new(),
    }
}

/// The computed fields that the arguments of a field name, by their indices.
fn awaited(emitter: &Emitter<'_>, field: &Field<'_>) -> Vec<usize> {
    let told = told_by(emitter.model, field).into_iter();
    told.filter(|told| emitter.steps.iter().any(|step| step.target == *told)).collect()
}

/// Whether the size of a field is not known before others are computed.
pub(super) fn is_late(emitter: &Emitter<'_>, field: &Field<'_>) -> bool {
    !awaited(emitter, field).is_empty()
}

/// What is asked of the fields for which the last of the computed fields `done` was the one they
/// waited for.
pub(super) fn now_known(emitter: &Emitter<'_>, done: &[usize]) -> TokenStream {
    let Some((last, before)) = done.split_last() else { return TokenStream::new() };
    let is_ready = |field: &&Field<'_>| {
        let awaited = awaited(emitter, field);
        awaited.contains(last) && awaited.iter().all(|told| told == last || before.contains(told))
    };
    let fields = emitter.model.fields().iter().filter(is_ready);
    fields
        .map(|field| {
            let size = size(emitter, field);
            let len = len_local(emitter, field);
            quote!(#size #len)
        })
        .collect()
}

/// The length of a field, if an expression asks for it.
fn len_local(emitter: &Emitter<'_>, field: &Field<'_>) -> Option<TokenStream> {
    let measures = all_measures(emitter.model);
    let asked = |(measure, other): &(Measure, &Field<'_>)| {
        *measure == Measure::Len && other.name == field.name
    };
    measures.iter().any(asked).then(|| {
        let (name, len) = (measured(Measure::Len, &field.name), len_of(emitter, field));
        quote!(let #name: u64 = #len;)
    })
}

/// Writes a value, or skips it where it has been counted already.
pub(super) fn unless_counted(
    emitter: &Emitter<'_>,
    field: &Field<'_>,
    value: TokenStream,
) -> TokenStream {
    match size_local(emitter, field) {
        Some(size) => quote!(if __out.counts() { __out.skip(#size); } else { #value }),
        None => value,
    }
}
