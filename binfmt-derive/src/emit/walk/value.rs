//! The value of a field, without its surroundings: numbers, bytes, sequences, nested values.

use proc_macro2::TokenStream;
use quote::quote;

use super::field::Reading;
use super::until::{last_or, remaining, until, until_last};
use crate::emit::magic::choice;
use crate::emit::{Emitter, Site, by_hand, map, strings, terminator};
use crate::model::{Field, Kind};
use crate::steps::{Bytes, Ends, Items, Size, Value};

/// The value of a field, without its surroundings.
pub(super) fn read_value(
    emitter: &Emitter<'_>,
    index: usize,
    field: &Field<'_>,
    value: &Value<'_>,
) -> TokenStream {
    let (rt, order, inner) = (&emitter.rt, emitter.order(field), field.inner);
    let len = |size| len(emitter, index, size);
    match value {
        Value::Map(map, size) => {
            in_region(emitter, field, len(*size), map::read(emitter, field, map), true)
        }
        Value::With(path, size) => {
            in_region(emitter, field, len(*size), by_hand::read(emitter, field, path), true)
        }
        Value::Keeper => {
            let choice = choice(emitter.model);
            quote!(#rt::walk::magic_of(__cur, __obs, #choice)?)
        }
        Value::Bool => quote!(__obs.nested::<bool>(__cur, #order)?),
        Value::Number => quote!(#rt::walk::int::<#inner, __O>(__cur, __obs, #order)?),
        Value::Auto(ty) => quote!(#rt::walk::auto::<#ty, __O>(__cur, __obs, #order)?),
        Value::Bytes(bytes) => {
            let raw = match len(bytes.size) {
                Some((call, claim)) if field.is_element => {
                    quote!(#rt::parallel::bytes(__cur, __obs, #call, &#claim)?)
                }
                Some((_, claim)) => quote!(#rt::walk::sized(__cur, __obs, __len, #claim)?),
                None => quote!(#rt::walk::rest(__cur)),
            };
            strings::read(emitter, field, bytes, &raw)
        }
        Value::ByteArray => quote!(#rt::walk::array(__cur, __obs)?),
        Value::Items(items) => read_items(emitter, index, field, items),
        Value::Nested(size) => {
            let args = emitter.field_args(field, Site::Walk);
            let (inner, part) = emitter.walked(inner, matches!(size, Size::Codec));
            let read = match len(*size) {
                Some((call, claim)) if field.is_element => quote!({
                    let __len = #call;
                    let __passed = #args;
                    #rt::parallel::sized::<#inner, __O>(__cur, __obs, (__len, &#claim), __passed)?
                }),
                None if field.is_element => quote!({
                    let __passed = #args;
                    #rt::parallel::nested::<#inner, __O>(__cur, __obs, __passed)? #part
                }),
                len => {
                    let read = quote!({
                        let __passed = #args;
                        __obs.nested::<#inner>(__cur, __passed)? #part
                    });
                    in_region(emitter, field, len, read, true)
                }
            };
            if field.goes_to_next() { finished(rt, &read) } else { read }
        }
    }
}

/// The local with how many bytes a field has, for its value.
pub(super) fn len_in_front(
    emitter: &Emitter<'_>,
    index: usize,
    field: &Field<'_>,
    value: &Value<'_>,
) -> Option<TokenStream> {
    let Value::Bytes(Bytes { size, stop: None, .. }) = value else { return None };
    let (call, _) = len(emitter, index, *size).filter(|_| !field.is_element)?;
    Some(quote!(let __len = #call;))
}

/// A field that is nothing but a value of another type, or bytes as they are, read by one call.
pub(super) fn by_one_call(
    emitter: &Emitter<'_>,
    index: usize,
    field: &Field<'_>,
    one: &Value<'_>,
) -> Option<Reading> {
    if emitter.model.is_transparent() || field.is_element || field.goes_to_next() {
        return None;
    }
    match one {
        Value::Nested(Size::Rest) if matches!(field.kind, Kind::Nested) => {
            // Arguments that cannot be computed are told inside the field.
            let words = &field.words;
            if words.args.is_some() || words.codec.is_some() || words.root.is_some() {
                return None;
            }
            let (ty, args) = (field.inner, emitter.field_args(field, Site::Walk));
            let call = quote!(__spans.nested::<#ty, _>(__cur, __obs, #index, __passed));
            Some(Reading::by_call(quote!(let __passed = #args;), call))
        }
        Value::Bytes(Bytes { size, stop: None, cut: None }) => {
            let is_plain = matches!(field.kind, Kind::Bytes { owned: false })
                && field.words.section.is_none()
                && strings::is_whole(field);
            let (_, claim) = len(emitter, index, *size).filter(|_| is_plain)?;
            let call = quote!(__spans.bytes(__cur, __obs, #index, __len, #claim));
            Some(Reading::by_call(len_in_front(emitter, index, field, one)?, call))
        }
        _ => None,
    }
}

/// A sequence of values, within the region of its length.
fn read_items(
    emitter: &Emitter<'_>,
    index: usize,
    field: &Field<'_>,
    items: &Items<'_>,
) -> TokenStream {
    let (Kind::Seq(item) | Kind::Vec(item)) = field.kind else { return TokenStream::new() };
    let rt = &emitter.rt;
    let linked = field.has_previous();
    let args = if linked && !items.lazy {
        emitter.previous_args(field, Site::Walk)
    } else {
        emitter.field_args(field, Site::Walk)
    };
    let read = match (items.ends, field.kind) {
        _ if linked && !items.lazy => behind_one_another(emitter, index, field, items.ends, &args),
        (Ends::Last(last), _) => {
            let ends = until_last(emitter, last, Site::Walk);
            let read = match &field.words.least {
                Some(word) => {
                    let needed = remaining(emitter, Some(&word.value));
                    quote!(read_until_or::<#item, _>(__cur, __obs, __passed, #needed, #ends))
                }
                None => quote!(read_until::<#item, _>(__cur, __obs, __passed, #ends)),
            };
            quote!({ let __passed = #args; #rt::vec::#read? })
        }
        (Ends::Before, _) => {
            let bytes = terminator::bytes(emitter, field);
            let read = match &field.words.least {
                Some(word) => {
                    let needed = remaining(emitter, Some(&word.value));
                    quote!(read_before_or::<#item, _>(__cur, __obs, __passed, #needed, #bytes))
                }
                None => quote!(read_before::<#item, _>(__cur, __obs, __passed, #bytes)),
            };
            quote!({ let __passed = #args; #rt::vec::#read? })
        }
        (ends, kind) => {
            let until = until(emitter, index, field, ends);
            let read = match kind {
                Kind::Seq(item) if linked => {
                    let (slack, next) = (items.slack, emitter.next_args(field));
                    quote!(#rt::LinkedSeq::<#item>::read(__cur, __obs, __until, #slack, __passed, #next)?)
                }
                Kind::Seq(item) => {
                    let slack = items.slack;
                    quote!(#rt::Seq::<#item>::read(__cur, __obs, __until, #slack, __passed)?)
                }
                _ => quote!(#rt::vec::read::<#item, _>(__cur, __obs, __until, __passed)?),
            };
            quote!({ let __passed = #args; let __until = #until; #read })
        }
    };
    let read = in_region(emitter, field, len(emitter, index, items.size), read, !items.lazy);
    if field.goes_to_next() && !items.lazy { finished(rt, &read) } else { read }
}

/// What has been read fills the region that the cursor is in.
fn finished(rt: &TokenStream, read: &TokenStream) -> TokenStream {
    quote!({
        let __read = #read;
        #rt::walk::finish(__cur, __obs)?;
        __read
    })
}

/// Values each of which gets what the one before it says.
fn behind_one_another(
    emitter: &Emitter<'_>,
    index: usize,
    field: &Field<'_>,
    ends: Ends<'_>,
    args: &TokenStream,
) -> TokenStream {
    let rt = &emitter.rt;
    let (ends, last) = match ends {
        Ends::Last(last) => (last_or(emitter, field), until_last(emitter, last, Site::Walk)),
        Ends::Before => (terminator::before(emitter, field), quote!(|_| false)),
        ends => {
            let until = until(emitter, index, field, ends);
            (quote!(Until(#until)), quote!(|_| false))
        }
    };
    quote!({
        let __ends = #rt::previous::Ends::#ends;
        #rt::previous::read(__cur, __obs, __ends, #args, #last)?
    })
}

/// A number of bytes, and the field that tells it.
fn len(emitter: &Emitter<'_>, index: usize, size: Size<'_>) -> Option<(TokenStream, TokenStream)> {
    match size {
        Size::Rest | Size::Codec => None,
        Size::Len(len) => Some((emitter.size("len", len, Site::Walk), emitter.claim(len, index))),
        Size::Prefix => Some((quote!(__rt::Some(__prefix)), quote!(__claim))),
    }
}

/// Reads within an exact region of `len` bytes, if there is a `len`.
fn in_region(
    emitter: &Emitter<'_>,
    field: &Field<'_>,
    len: Option<(TokenStream, TokenStream)>,
    read: TokenStream,
    finish: bool,
) -> TokenStream {
    let rt = &emitter.rt;
    let Some((call, claim)) = len else { return read };
    if field.is_element {
        let finish = finish.then(|| quote!(#rt::parallel::finish(__cur, __obs)?;));
        return quote!({
            let mut __part = #rt::parallel::part(__cur, __obs, #call, &#claim)?;
            let __cur = &mut __part;
            let __read = #read;
            #finish
            __read
        });
    }
    let finish = finish.then(|| quote!(#rt::walk::finish(__cur, __obs)?;));
    quote!({
        let __len = #call;
        let mut __part = #rt::walk::part(__cur, __obs, __len, #claim)?;
        let __cur = &mut __part;
        let __read = #read;
        #finish
        __read
    })
}
