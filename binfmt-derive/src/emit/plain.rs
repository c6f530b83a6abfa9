//! Plain fields: nothing but a number of Rust or a short array of bytes, which is most of most formats.
//!
//! They have steps of their own, so that a declaration of many costs little to build: a recorder is
//! told of a run of them by one call, and a run is written at once.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use syn::{Expr, ExprLit, Lit, Type};

use super::expr::{all_exprs, all_measures};
use super::write::keep_place;
use super::{Emitter, checksum, local};
use crate::model::{Field, Kind, is_byte};

/// Words that change nothing about how a number is read and written.
const HARMLESS: &[&str] =
    &["little", "big", "calc", "check", "error", "warn", "note", "range", "one_of"];

/// The numbers of Rust that have a byte order.
const NUMBERS: &[&str] = &["u8", "u16", "u32", "u64", "i8", "i16", "i32", "i64", "f32", "f64"];

/// A field without anything around it.
enum Plain<'m> {
    /// A number of that type and size.
    Number(&'m Type, usize),
    /// An array of so many bytes.
    Bytes(usize),
}

impl<'m> Plain<'m> {
    fn of(emitter: &Emitter<'_>, field: &Field<'m>) -> Option<Self> {
        let asked = all_measures(emitter.model).iter().any(|(_, other)| other.name == field.name);
        let mut each = emitter.model.fields().iter().filter_map(|other| other.each.as_ref());
        let is_table = each.any(|each| each.table == field.name);
        let plain = !asked
            && !is_table
            && !field.is_optional()
            && !emitter.model.is_transparent()
            && field
                .words
                .names
                .iter()
                .all(|word| HARMLESS.iter().any(|harmless| word == harmless));
        if !plain {
            return None;
        }
        let (scalar, ty) = match field.kind {
            Kind::Scalar(scalar) => (scalar, field.inner),
            Kind::Auto(scalar, ty) => (scalar, ty),
            Kind::Array(item) if is_byte(item) => return array_len(field.inner).map(Self::Bytes),
            _ => return None,
        };
        let named = matches!(ty, Type::Path(path)
            if path.path.get_ident().is_some_and(|name| NUMBERS.iter().any(|number| name == number)));
        named.then(|| Self::Number(ty, usize::from(scalar.size)))
    }

    fn size(&self) -> usize {
        match self {
            Self::Number(_, size) => *size,
            Self::Bytes(len) => *len,
        }
    }

    /// What a recorder is told.
    fn shape(&self, rt: &TokenStream) -> TokenStream {
        match self {
            Self::Number(ty, _) => {
                let name = Ident::new(&quote!(#ty).to_string().to_uppercase(), Span::call_site());
                quote!(#rt::walk::PlainKind::#name)
            }
            Self::Bytes(len) => quote!(#rt::walk::PlainKind::Bytes(#len)),
        }
    }
}

/// Whether a field is a plain number.
pub(super) fn is_number(emitter: &Emitter<'_>, field: &Field<'_>) -> bool {
    matches!(Plain::of(emitter, field), Some(Plain::Number(..)))
}

/// The length of an array that is written as a number.
fn array_len(ty: &Type) -> Option<usize> {
    let Type::Array(array) = ty else { return None };
    let Expr::Lit(ExprLit { lit: Lit::Int(len), .. }) = &array.len else { return None };
    // Long ones are better off without a copy.
    len.base10_parse().ok().filter(|len| *len <= 64)
}

/// Whether nothing that a fast reader does asks where a field lies.
fn is_unasked(emitter: &Emitter<'_>, index: usize, field: &Field<'_>) -> bool {
    let model = emitter.model;
    field.words.names.iter().all(|word| word == "little" || word == "big")
        && model.all_words().all(|words| words.checksum.is_none())
        && model.fields().iter().all(|other| model.base_of(other) != Some(index))
        && !all_exprs(model).into_iter().any(|expr| expr.names().contains(&&field.name))
}

/// Reads the plain fields from the one at `first` on, up to and with the first that `ends` the run;
/// `None` if that is no plain field. Returns how many there are.
///
/// A recorder tells them all by one call, before they are read.
pub(super) fn read(
    emitter: &Emitter<'_>,
    first: usize,
    ends: impl Fn(usize, &Field<'_>) -> bool,
) -> Option<(usize, TokenStream)> {
    let rt = &emitter.rt;
    let fields = emitter.model.fields();
    let order = emitter.order(fields.get(first)?);
    let (mut shapes, mut loads, mut len) = (Vec::new(), TokenStream::new(), 0_usize);
    for (index, field) in fields.iter().enumerate().skip(first) {
        let Some(plain) = Plain::of(emitter, field) else { break };
        // The order may be told by a field of the run, and is known behind it.
        if emitter.order(field).to_string() != order.to_string() {
            break;
        }
        let name = local(&field.name);
        loads.extend(match &plain {
            Plain::Number(ty, _) => {
                quote!(let #name = <#ty as #rt::Plain>::load(__run, #len, #order);)
            }
            Plain::Bytes(count) => {
                quote!(let #name = #rt::walk::load_bytes::<#count>(__run, #len);)
            }
        });
        let end = len.saturating_add(plain.size());
        if !is_unasked(emitter, index, field) {
            loads.extend(quote!(__spans.note(#index, __at, #len, #end);));
        }
        shapes.push(plain.shape(rt));
        len = end;
        if ends(index, field) {
            break;
        }
    }
    let run = quote! {
        let __at = __cur.pos();
        if __O::RECORD {
            __obs.run(*__cur, __spans.from(#first), Self::WIRE, #first, &[#(#shapes),*], #order)?;
        }
        let ::core::option::Option::Some(__run) = __cur.take_array::<#len>() else {
            return ::core::result::Result::Err(#rt::Fault::at(__at));
        };
        #loads
    };
    (!shapes.is_empty()).then_some((shapes.len(), run))
}

/// The most bytes that are written at once; the writer has room for as many.
const MOST: usize = 512;

/// Plain fields that follow one another, collected to be written at once.
#[derive(Default)]
pub(super) struct Run {
    /// What writes the fields before those that are collected.
    written: TokenStream,
    /// What must be known of the places of fields.
    places: TokenStream,
    stores: TokenStream,
    len: usize,
}

impl Run {
    /// Takes a field that is plain; says whether it did.
    pub(super) fn take(&mut self, emitter: &Emitter<'_>, field: &Field<'_>) -> bool {
        let Some(plain) = Plain::of(emitter, field) else { return false };
        // Where a checksum begins or ends to cover bytes, they are written apart.
        let (begin, end) = checksum::around(emitter, field);
        if !begin.is_empty() || !end.is_empty() {
            return false;
        }
        if self.len.saturating_add(plain.size()) > MOST {
            self.written = self.write();
        }
        let (rt, order, name) = (&emitter.rt, emitter.order(field), local(&field.name));
        let at = self.len;
        self.places.extend(keep_place(emitter, field, at));
        self.stores.extend(match plain {
            Plain::Number(..) => quote!(#rt::Plain::store(#name, __run, #at, #order);),
            Plain::Bytes(_) => quote!(#rt::write::store_bytes(#name, __run, #at);),
        });
        self.len = at.saturating_add(plain.size());
        true
    }

    /// Writes what has been collected.
    pub(super) fn write(&mut self) -> TokenStream {
        let Self { mut written, places, stores, len } = std::mem::take(self);
        if len > 0 {
            written.extend(quote! {
                #places
                if let ::core::option::Option::Some(__run) = __out.take::<#len>()? {
                    #stores
                }
            });
        }
        written
    }
}
