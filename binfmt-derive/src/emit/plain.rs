//! Plain fields: nothing but a number of Rust, or a short array of bytes, which is most of most formats.
//!
//! They have steps of their own, so that a declaration of many costs little to build: a run of them
//! is read at once, told to a recorder by one call, and written at once.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Expr, ExprLit, Lit, Type};

use super::expr::{all_exprs, all_measures};
use super::{Emitter, checksum, local};
use crate::model::{Field, Kind, is_byte};

/// Words that change nothing about how a number is read and written.
const HARMLESS: &[&str] =
    &["little", "big", "calc", "check", "error", "warn", "note", "range", "one_of"];

/// The numbers of Rust that have a byte order.
const NUMBERS: &[&str] = &["u8", "u16", "u32", "u64", "i8", "i16", "i32", "i64", "f32", "f64"];

/// The length of a field that is an array of bytes and nothing else, where it is written as a number.
fn array(emitter: &Emitter<'_>, field: &Field<'_>) -> Option<usize> {
    let (Kind::Array(item), Type::Array(array)) = (field.kind, field.inner) else { return None };
    let Expr::Lit(ExprLit { lit: Lit::Int(len), .. }) = &array.len else { return None };
    let plain = is_byte(item)
        && !all_measures(emitter.model).iter().any(|(_, other)| other.name == field.name)
        && !field.is_optional()
        && !emitter.model.is_transparent()
        && field.words.names.iter().all(|word| HARMLESS.contains(&word.to_string().as_str()));
    // Long ones are better off without a copy.
    len.base10_parse().ok().filter(|len| plain && *len <= 64)
}

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

/// The letter that stands for a number in the recorder's table.
fn letter(ty: &Type) -> Option<u8> {
    let Type::Path(path) = ty else { return None };
    let name = path.path.get_ident()?;
    let index = NUMBERS.iter().position(|number| name == number)?;
    b"BHIQbhiqfd".get(index).copied()
}

/// Whether nothing that stops a reader asks where a field lies.
fn is_unasked(emitter: &Emitter<'_>, index: usize, field: &Field<'_>) -> bool {
    let model = emitter.model;
    field.words.names.iter().all(|word| word == "little" || word == "big")
        && model.all_words().all(|words| words.checksum.is_none())
        && model.fields().iter().all(|other| model.base_of(other) != Some(index))
        && !all_exprs(model).into_iter().any(|expr| expr.names().contains(&&field.name))
}

/// Plain fields that follow one another, read at once; the first index is that of the first field.
///
/// The run ends before a field that `ends` says has to be looked at before the next one is read.
pub(super) fn read(
    emitter: &Emitter<'_>,
    first: usize,
    ends: impl Fn(usize, &Field<'_>) -> bool,
) -> Option<(usize, TokenStream)> {
    let rt = &emitter.rt;
    let fields = emitter.model.fields();
    let order = emitter.order(fields.get(first)?);
    let (mut letters, mut loads) = (Vec::new(), TokenStream::new());
    let (mut len, mut count) = (0_usize, 0_usize);
    for (index, field) in fields.iter().enumerate().skip(first) {
        let number = number(emitter, field);
        let Some(size) = number.map(|(_, size)| size).or_else(|| array(emitter, field)) else {
            break;
        };
        // The order may be told by a field of the run, and is known behind it.
        if emitter.order(field).to_string() != order.to_string() {
            break;
        }
        let name = local(&field.name);
        match number {
            Some((ty, _)) => letters.push(letter(ty)?),
            None => letters.extend([b's', u8::try_from(size).ok()?]),
        }
        count = count.saturating_add(1);
        loads.extend(match number {
            Some((ty, _)) => {
                quote!(let #name = #rt::walk::load::<#ty, __O>(__run, #len, #order);)
            }
            None => quote!(let #name = #rt::walk::load_array::<#size>(__run, #len);),
        });
        let end = len.saturating_add(size);
        if !is_unasked(emitter, index, field) {
            loads.extend(
                quote!(__spans.set(#index, __at.wrapping_add(#len), __at.wrapping_add(#end));),
            );
        }
        len = end;
        if ends(index, field) {
            break;
        }
    }
    let letters_text = proc_macro2::Literal::byte_string(&letters);
    // A `?` makes three times as much of it.
    let run = quote! {
        let __at = __cur.pos();
        let __run = match #rt::walk::run::<__O, #len>(
            __cur,
            __obs,
            __spans.behind(#first),
            &#rt::walk::Run { layout: Self::WIRE, first: #first, letters: #letters_text, order: #order },
        ) {
            ::core::result::Result::Ok(__run) => __run,
            ::core::result::Result::Err(__fault) => return ::core::result::Result::Err(__fault),
        };
        #loads
    };
    (count > 0).then_some((count, run))
}

/// Plain fields that follow one another, collected to be written at once.
#[derive(Default)]
pub(super) struct Run {
    parts: Vec<(TokenStream, usize)>,
}

impl Run {
    /// Takes a plain field; says whether it did.
    pub(super) fn take(&mut self, emitter: &Emitter<'_>, field: &Field<'_>) -> bool {
        let number = number(emitter, field);
        let Some(size) = number.map(|(_, size)| size).or_else(|| array(emitter, field)) else {
            return false;
        };
        // Where a checksum begins or ends to cover bytes, they are written apart.
        let (begin, end) = checksum::around(emitter, field);
        if !begin.is_empty() || !end.is_empty() {
            return false;
        }
        let (rt, order, name) = (&emitter.rt, emitter.order(field), local(&field.name));
        let at = self.len();
        let store = match number {
            Some(_) => quote!(#rt::Int::store(#name, &mut __run, #at, #order);),
            None => quote!(#rt::write::store_array(#name, &mut __run, #at);),
        };
        self.parts.push((store, size));
        true
    }

    fn len(&self) -> usize {
        self.parts.iter().map(|(_, size)| size).sum()
    }

    /// Writes what has been collected.
    pub(super) fn write(&mut self) -> Option<TokenStream> {
        let len = self.len();
        let stores = std::mem::take(&mut self.parts).into_iter().map(|(store, _)| store);
        let len_u64 = u64::try_from(len).unwrap_or(u64::MAX);
        (len > 0).then(|| {
            quote! {
                if __B::STORES {
                    let mut __run = [0_u8; #len];
                    #(#stores)*
                    __out.put(&__run)?;
                } else {
                    __out.skip(#len_u64);
                }
            }
        })
    }
}
