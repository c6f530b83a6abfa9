//! Plain fields: nothing but a number of Rust or a short array of bytes, which is most of most formats.
//!
//! They have steps of their own, so that a declaration of many costs little to build: a recorder is
//! told of a run of them by one call, and a run is written at once.

use proc_macro2::{Literal, TokenStream};
use quote::{ToTokens as _, quote};

use super::write::keep_place;
use super::{Emitter, checksum, local, walk};
use crate::model::Field;
use crate::steps::{PlainKind, Step, What};

impl PlainKind<'_> {
    /// What a recorder is told, as in the `struct` of Python.
    fn shape(self) -> String {
        let Self::Number(ty, _) = self else { return format!("{}s", self.size()) };
        let shape = match ty.to_token_stream().to_string().as_str() {
            "u8" => "B",
            "u16" => "H",
            "u32" => "I",
            "u64" => "Q",
            "i8" => "b",
            "i16" => "h",
            "i32" => "i",
            "i64" => "q",
            "f32" => "f",
            _ => "d",
        };
        shape.to_owned()
    }
}

/// Whether a field is a plain number.
pub(super) fn is_number(emitter: &Emitter<'_>, field: &Field<'_>) -> bool {
    matches!(of(emitter, field), Some(PlainKind::Number(..)))
}

fn of<'m>(emitter: &Emitter<'m>, field: &Field<'_>) -> Option<PlainKind<'m>> {
    let (index, _) = emitter.model.field(&field.name)?;
    match emitter.lowered.of(index).first()?.what {
        What::Plain(plain) => Some(plain.kind),
        _ => None,
    }
}

/// Reads the plain fields that begin some groups of steps, up to and with the first that has rules.
/// Returns the groups behind them; `None` if the first is no plain field.
///
/// A recorder tells them all by one call, before they are read.
pub(super) fn read<'s, 'm>(
    emitter: &Emitter<'_>,
    mut groups: &'s [&'s [Step<'m>]],
) -> Option<(TokenStream, &'s [&'s [Step<'m>]])> {
    let rt = &emitter.rt;
    let fields = emitter.model.fields();
    let first = groups.first()?.first()?.field?;
    let order = emitter.order(fields.get(first)?);
    let (mut shapes, mut loads, mut len) = (String::new(), TokenStream::new(), 0_usize);
    let (mut at, mut behind) = (None, TokenStream::new());
    while let [[Step { field: Some(index), what: What::Plain(plain) }, rules @ ..], rest @ ..] = groups
        && let Some(field) = fields.get(*index)
        // The order may be told by a field of the run, and is known behind it.
        && emitter.order(field).to_string() == order.to_string()
    {
        let (name, end) = (local(&field.name), len.saturating_add(plain.kind.size()));
        loads.extend(match plain.kind {
            PlainKind::Number(ty, _) => {
                let len = Literal::usize_unsuffixed(len);
                quote!(let #name: #ty = #rt::load(__run, #len, #order);)
            }
            PlainKind::Bytes(count) => {
                quote!(let #name = #rt::walk::load_bytes::<#count>(__run, #len);)
            }
        });
        if plain.noted {
            at = Some(quote!(let __at = __cur.pos();));
            let [index, from, to] = [*index, len, end].map(Literal::usize_unsuffixed);
            loads.extend(quote!(__spans.note(#index, __at, #from, #to);));
        }
        shapes.push_str(&plain.kind.shape());
        (len, groups) = (end, rest);
        behind = walk::rules(emitter, *index, field, rules);
        // What the declaration says of a field is looked at before the next one is read.
        if !behind.is_empty() {
            break;
        }
    }
    let [len, first] = [len, first].map(Literal::usize_unsuffixed);
    let run = quote! {
        #at
        let __run: &[u8; #len] = #rt::run(__cur, __obs, &mut __spans, #first, #shapes, #order)?;
        #loads
        #behind
    };
    (!shapes.is_empty()).then_some((run, groups))
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
        let Some(plain) = of(emitter, field) else { return false };
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
            PlainKind::Number(..) => quote!(#rt::Plain::store(#name, __run, #at, #order);),
            PlainKind::Bytes(_) => quote!(#rt::write::store_bytes(#name, __run, #at);),
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
                if let __rt::Some(__run) = __out.take::<#len>()? {
                    #stores
                }
            });
        }
        written
    }
}
