//! Numbers of variable length: what they are computed from must be known before anything is counted.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::{Ident, Type};

use super::derived::{measure, users};
use crate::derived::{Of, Solved, Source};
use crate::emit::prefix::number_type;
use crate::emit::{Emitter, unraw};
use crate::expr::Measure;
use crate::model::{Field, Kind};

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

/// The locals of [`size_local`].
pub(super) fn sizes(emitter: &Emitter<'_>) -> TokenStream {
    let mut all = TokenStream::new();
    for field in emitter.model.fields() {
        if let Some(size) = size_local(emitter, field) {
            let measured = measure(emitter, field);
            all.extend(quote!(let #size: u64 = #measured;));
        }
    }
    all
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
