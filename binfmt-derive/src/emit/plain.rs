//! Plain numbers: fields that are nothing but a number of Rust, which is most of most formats.
//!
//! They have steps of their own, so that a declaration of many costs little to build: one call reads
//! such a field and tells the observer, and a run of them is written at once.

use proc_macro2::TokenStream;
use quote::quote;
use syn::Type;

use super::expr::all_measures;
use super::{Emitter, checksum, local};
use crate::model::{Field, Kind};

/// Words that change nothing about how a number is read and written.
const HARMLESS: &[&str] =
    &["little", "big", "calc", "check", "error", "warn", "note", "range", "one_of"];

/// The numbers of Rust that have a byte order.
const NUMBERS: &[&str] = &["u8", "u16", "u32", "u64", "i8", "i16", "i32", "i64", "f32", "f64"];

/// The type of a field that is a plain number, with its size.
fn number<'m>(emitter: &Emitter<'_>, field: &Field<'m>) -> Option<(&'m Type, usize)> {
    let (scalar, ty) = match field.kind {
        Kind::Scalar(scalar) => (scalar, field.inner),
        Kind::Auto(scalar, ty) => (scalar, ty),
        _ => return None,
    };
    let named = matches!(ty, Type::Path(path)
        if path.path.get_ident().is_some_and(|name| NUMBERS.iter().any(|number| name == number)));
    let asked = all_measures(emitter.model).iter().any(|(_, other)| other.name == field.name);
    let plain = named
        && !asked
        && !field.is_optional()
        && !emitter.model.is_transparent()
        && field.words.names.iter().all(|word| HARMLESS.iter().any(|harmless| word == harmless));
    plain.then_some((ty, usize::from(scalar.size)))
}

/// Reads a plain number as a field; `None` for all other fields.
pub(super) fn read(emitter: &Emitter<'_>, index: usize, field: &Field<'_>) -> Option<TokenStream> {
    let (ty, _) = number(emitter, field)?;
    let (rt, order) = (&emitter.rt, emitter.order(field));
    // A `?` makes three times as much of it.
    Some(quote! {
        match #rt::walk::number::<#ty, __O>(
            __cur, __obs, __spans.slot(#index), Self::WIRE, #index, #order,
        ) {
            ::core::result::Result::Ok(__value) => __value,
            ::core::result::Result::Err(__fault) => return ::core::result::Result::Err(__fault),
        }
    })
}

/// Plain numbers that follow one another, collected to be written at once.
#[derive(Default)]
pub(super) struct Run {
    parts: Vec<(TokenStream, usize)>,
}

impl Run {
    /// Takes a field that is a plain number; says whether it did.
    pub(super) fn take(&mut self, emitter: &Emitter<'_>, field: &Field<'_>) -> bool {
        let Some((_, size)) = number(emitter, field) else { return false };
        // Where a checksum begins or ends to cover bytes, they are written apart.
        let (begin, end) = checksum::around(emitter, field);
        if !begin.is_empty() || !end.is_empty() {
            return false;
        }
        let (rt, order, name) = (&emitter.rt, emitter.order(field), local(&field.name));
        let at = self.len();
        self.parts.push((quote!(#rt::Int::store(#name, &mut __run, #at, #order);), size));
        true
    }

    fn len(&self) -> usize {
        self.parts.iter().map(|(_, size)| size).sum()
    }

    /// Writes what has been collected.
    pub(super) fn write(&mut self) -> Option<TokenStream> {
        let len = self.len();
        let stores = std::mem::take(&mut self.parts).into_iter().map(|(store, _)| store);
        (len > 0).then(|| {
            quote! {{
                let mut __run = [0_u8; #len];
                #(#stores)*
                __out.put(&__run)?;
            }}
        })
    }
}
