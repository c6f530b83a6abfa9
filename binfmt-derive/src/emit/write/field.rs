//! One field, with its padding.

use proc_macro2::TokenStream;
use quote::quote;

use super::derived::room_in_count;
use super::each::{is_table, rows_of};
use super::rooms::note_base;
use super::variable::unless_counted;
use super::{mark, patch};
use crate::emit::expr::Wanted;
use crate::emit::magic::field_magic;
use crate::emit::walk::until_last;
use crate::emit::{Emitter, Site, checksum, map, prefix, strings, text, unraw};
use crate::expr::{Expr, Measure};
use crate::model::{Field, Kind, is_byte};

/// Writes `__value` as a field, with its padding.
pub(super) fn piece(emitter: &Emitter<'_>, field: &Field<'_>) -> TokenStream {
    piece_with(emitter, field, true)
}

/// Writes `__value` as a field, with or without what aligns its end.
pub(super) fn piece_with(emitter: &Emitter<'_>, field: &Field<'_>, aligned: bool) -> TokenStream {
    let fill = Emitter::fill(field);
    let name = text(&unraw(&field.name));
    let words = &field.words;
    let rt = emitter.rt.clone();
    let pad = |word: &'static str, expr: &Option<crate::attr::Word<Expr>>| {
        let expr = expr.as_ref()?;
        let function = emitter.function(word, &expr.value, Wanted::Size);
        let call = emitter.call(&function, Site::Write);
        let size = quote!(#rt::write::size(__out, #word, #call)?);
        Some(match word {
            "pad_to" => match room_in_count(emitter, field) {
                Some(room) => quote! {
                    if __out.counts() {
                        let __has = __out.pos().saturating_sub(__at);
                        let __size = #rt::write::padded(__has, #room.0, #room.1);
                        __out.pad_to(__at, __size, #fill)?;
                    } else {
                        let __size = #size;
                        __out.pad_to(__at, __size, #fill)?;
                    }
                },
                None => quote!({ let __size = #size; __out.pad_to(__at, __size, #fill)?; }),
            },
            "pad_before" | "pad_after" => {
                quote!({ let __size = #size; __out.fill(#fill, __size)?; })
            }
            _ => quote!({ let __size = #size; __out.align(__start, __size, #fill)?; }),
        })
    };
    // At an offset, an alignment in front says where the value may be placed.
    let align_before =
        if words.at.is_some() { None } else { pad("align_before", &words.align_before) };
    let before = [pad("pad_before", &words.pad_before), align_before];
    let before: Vec<TokenStream> = before.into_iter().flatten().collect();
    let align_after = if words.pad_to.is_some() || !aligned {
        None
    } else {
        pad("align_after", &words.align_after)
    };
    let behind: Vec<TokenStream> =
        [pad("pad_after", &words.pad_after), align_after].into_iter().flatten().collect();
    // What lies at an offset and has no bytes takes no place, and has nothing behind it.
    let (lies, behind) = if words.at.is_some() && !behind.is_empty() {
        (quote!(let __lies = __out.pos();), quote!(if __out.pos() != __lies { #(#behind)* }))
    } else {
        (quote!(), quote!(#(#behind)*))
    };
    let after = [Some(behind).filter(|behind| !behind.is_empty()), pad("pad_to", &words.pad_to)];
    let after: Vec<TokenStream> = after.into_iter().flatten().collect();
    let value = unless_counted(emitter, field, value(emitter, field));
    let value = prefix::write(emitter, field, value);
    let nul = words.nul.as_ref().map(|_| match field.kind {
        Kind::Utf16 => quote!(__out.put(&[0, 0])?;),
        _ => quote!(__out.put(&[0])?;),
    });
    let magic = field_magic(emitter, field).map(|bytes| quote!(__out.put(&#bytes)?;));
    let start = mark(emitter, Measure::Start, field);
    let base = note_base(emitter, field);
    let start = quote!(#start #base);
    let stop = mark(emitter, Measure::End, field);
    let (begin, end) = checksum::around(emitter, field);
    let patched = patch::len(emitter, field);
    // Plain bytes fail only where the output is full, whatever their name.
    let byte_array = matches!(field.kind, Kind::Array(item) if is_byte(item));
    if (field.kind.is_bytes() || byte_array)
        && before.is_empty()
        && after.is_empty()
        && words.with.is_none()
        && words.prefix.is_none()
        && !field.looks_for_its_end()
    {
        return quote!(#magic #start #begin #value #nul #stop #end);
    }
    let (enter, leave) = if field.is_element {
        (
            quote!(__out.enter(#name); __out.enter_item(__index);),
            quote!(__out.leave(); __out.leave();),
        )
    } else {
        (quote!(__out.enter(#name);), quote!(__out.leave();))
    };
    quote! {
        #lies
        #(#before)*
        #magic
        let __at = __out.pos();
        #start
        #enter
        #begin
        #value
        #patched
        #nul
        #stop
        #end
        #(#after)*
        #leave
    }
}

/// Writes `__value`, without its surroundings.
pub(super) fn value(emitter: &Emitter<'_>, field: &Field<'_>) -> TokenStream {
    let (rt, words) = (&emitter.rt, &field.words);
    if let Some(write) = map::write(emitter, field) {
        return write;
    }
    if let Some(with) = &field.words.with {
        let path = &with.value;
        // A plain scalar is bound by value, all else by reference.
        let by_value = matches!(field.kind, Kind::Scalar(_)) && !field.is_optional();
        let value = if by_value { quote!(&__value) } else { quote!(__value) };
        return quote!(#path::write(#value, __out)?;);
    }
    let order = emitter.order(field);
    let args = emitter.field_args(field, Site::Write);
    if !field.is_element && is_table(emitter, field) {
        let rows = rows_of(&field.name);
        let slack =
            matches!(field.kind, Kind::Seq(_)).then(|| quote!(__out.put(__value.slack())?;));
        return quote!(let __passed = #args; #rt::vec::emit(&#rows, __out, __passed)?; #slack);
    }
    // An optional scalar is bound by reference, a plain one by value.
    let scalar = if field.is_optional() { quote!(*__value) } else { quote!(__value) };
    match field.kind {
        Kind::Scalar(scalar_kind) if scalar_kind.numeric == crate::model::Numeric::Bool => {
            quote!(#rt::Wire::emit(&#scalar, __out, #order)?;)
        }
        Kind::Scalar(_) | Kind::Auto(..) => quote!(#rt::Int::put(#scalar, __out, #order)?;),
        Kind::Bytes { .. } | Kind::Text { .. } | Kind::Utf16 => strings::write(emitter, field),
        Kind::Seq(_) => quote!(let __passed = #args; __value.emit(__out, __passed)?;),
        Kind::Vec(_) if field.until_last() => {
            let until = words.until.as_ref();
            let ends = until.map(|until| until_last(emitter, &until.value, Site::Write));
            quote!(let __passed = #args; #rt::vec::emit_until(__value, __out, __passed, #ends)?;)
        }
        Kind::Vec(_) => quote!(let __passed = #args; #rt::vec::emit(__value, __out, __passed)?;),
        Kind::Array(item) if is_byte(item) => quote!(__out.put(&__value[..])?;),
        Kind::Array(_) | Kind::Nested => {
            quote!(let __passed = #args; #rt::Wire::emit(__value, __out, __passed)?;)
        }
    }
}
