//! Plain fields: nothing but a number of Rust or a short array of bytes, which is most of most formats.
//!
//! They have steps of their own, so that a declaration of many costs little to build: a recorder is
//! told of a run of them by one call, and a run is written at once.

use proc_macro2::{Literal, TokenStream};
use quote::{ToTokens as _, quote};

use super::{Emitter, local, walk};
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
    let step = emitter.model.field(&field.name).map(|(index, _)| emitter.lowered.of(index));
    let what = step.and_then(<[Step<'_>]>::first).map(|step| &step.what);
    matches!(what, Some(What::Plain(plain)) if matches!(plain.kind, PlainKind::Number(..)))
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
    let (mut at, mut behind, mut next) = (None, TokenStream::new(), first);
    let mut numbers = Vec::new();
    while let [[Step { field: Some(index), what: What::Plain(plain) }, rules @ ..], rest @ ..] = groups
        && let Some(field) = fields.get(*index)
        // A recorder counts the fields on; one that is located stands between, and is read later.
        && *index == next
        // The order may be told by a field of the run, and is known behind it.
        && emitter.order(field).to_string() == order.to_string()
    {
        let (name, end) = (local(&field.name), len.saturating_add(plain.kind.size()));
        let [number, from, to] = [*index, len, end].map(Literal::usize_unsuffixed);
        if plain.noted {
            at = Some(quote!(let __at = __cur.pos();));
        }
        loads.extend(match plain.kind {
            PlainKind::Number(ty, _) if plain.noted => {
                numbers.push((name.clone(), ty));
                quote!(let #name: #ty = __spans.load(#number, (__run, __at), #from, #order);)
            }
            PlainKind::Number(ty, _) => {
                quote!(let #name: #ty = #rt::load(__run, #from, #order);)
            }
            PlainKind::Bytes(count) => {
                let note = plain.noted.then(|| quote!(__spans.note(#number, __at, #from, #to);));
                quote!(let #name = #rt::walk::load_bytes::<#count>(__run, #from); #note)
            }
        });
        shapes.push_str(&plain.kind.shape());
        (len, groups, next) = (end, rest, next.saturating_add(1));
        behind = walk::rules(emitter, *index, field, rules);
        // What the declaration says of a field is looked at before the next one is read.
        if !behind.is_empty() {
            break;
        }
    }
    let [len, first] = [len, first].map(Literal::usize_unsuffixed);
    let run = match numbers.as_slice() {
        [(name, ty)] if shapes.len() == 1 => quote! {
            let #name: #ty = __spans.number(__cur, __obs, #first, #shapes, #order)?;
            #behind
        },
        _ => quote! {
            #at
            let __run: &[u8; #len] = #rt::run(__cur, __obs, &mut __spans, #first, #shapes, #order)?;
            #loads
            #behind
        },
    };
    (!shapes.is_empty()).then_some((run, groups))
}
