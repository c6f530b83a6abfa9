//! One field: its condition, padding, value, and what an observer is told.

use proc_macro2::TokenStream;
use quote::quote;

use super::each;
use super::floating::floating_room;
use super::located::distance;
use super::shown::leave;
use super::until::{until, until_last};
use crate::attr::Word;
use crate::emit::expr::{Wanted, all_measures, measured};
use crate::emit::magic::{choice, field_magic};
use crate::emit::{Emitter, Site, levels, limits, local, map, prefix, strings};
use crate::expr::{Expr, Measure};
use crate::model::{Field, Kind, is_byte};

/// One field of the sequence, with its padding, condition and rules.
pub(super) fn one_field(emitter: &Emitter<'_>, index: usize, field: &Field<'_>) -> TokenStream {
    let name = local(&field.name);
    let present = present_field(emitter, index, field);
    let rules = rules(emitter, index, field);
    let value = conditional(emitter, index, field, present);
    let remaining = remaining(emitter, field);
    quote! {
        #remaining
        let #name = #value;
        #rules
    }
}

/// What the declaration says of the value of a field.
pub(super) fn rules(emitter: &Emitter<'_>, index: usize, field: &Field<'_>) -> TokenStream {
    let mut rules = emitter.read_rules(Some((index, field)), &field.words.rules);
    rules.extend(limits::read(emitter, index, field));
    rules
}

/// Remembers what is left of the region where a field begins that asks for it.
fn remaining(emitter: &Emitter<'_>, field: &Field<'_>) -> Option<TokenStream> {
    let all = all_measures(emitter.model);
    let asks = |(measure, other): &(Measure, &Field<'_>)| {
        *measure == Measure::Remaining && other.name == field.name
    };
    let (rt, name) = (&emitter.rt, measured(Measure::Remaining, &field.name));
    all.iter().any(asks).then(|| quote!(#name = #rt::ops::wide(__cur.remaining());))
}

/// Wraps the reading of a field into its condition.
pub(super) fn conditional(
    emitter: &Emitter<'_>,
    index: usize,
    field: &Field<'_>,
    present: TokenStream,
) -> TokenStream {
    if !field.is_optional() {
        return present;
    }
    let condition = condition(emitter, field, Site::Walk);
    let rt = &emitter.rt;
    let here = quote!(__cur.pos());
    let enter = each::enter(index, field, &here);
    let note = each::note_span(index, field, &here, &here);
    let claims = field.is_element.then(|| each::claims_of_absent(emitter, index));
    quote! {
        if #condition {
            ::core::option::Option::Some(#present)
        } else {
            #note
            #claims
            #enter
            __obs.leave(__cur.pos(), &#rt::Value::Absent);
            ::core::option::Option::None
        }
    }
}

/// Whether an optional field is there: its `if` holds and its offset is not the null one.
pub(crate) fn condition(emitter: &Emitter<'_>, field: &Field<'_>, site: Site) -> TokenStream {
    let mut parts = Vec::new();
    if let Some(word) = &field.words.condition {
        let function = emitter.function("if", &word.value, Wanted::Truth);
        let call = emitter.call(&function, site);
        parts.push(quote!(#call == ::core::option::Option::Some(true)));
    }
    if let (Some(_), Site::Walk) = (&field.words.optional, site) {
        parts.push(there(emitter, field));
    }
    if let (Some(null), Some(at), Site::Walk) = (&field.words.null, &field.words.at, site) {
        let function = emitter.function("at", &at.value, Wanted::Size);
        let call = emitter.call(&function, site);
        let null = &null.value;
        parts.push(quote!(#call != ::core::option::Option::Some(#null)));
    }
    match parts.as_slice() {
        [] => quote!(true),
        [one] => one.clone(),
        _ => quote!(#(#parts)&&*),
    }
}

/// Whether the magic of a field, or that of its type, comes next.
fn there(emitter: &Emitter<'_>, field: &Field<'_>) -> TokenStream {
    let (rt, ty) = (&emitter.rt, field.inner);
    match field_magic(emitter, field) {
        Some(bytes) => quote!(__cur.rest().starts_with(&#bytes)),
        None => quote!({
            const { #rt::ops::has_magic(<#ty as #rt::Wire<'_>>::WIRE) };
            #rt::walk::there(__cur, <#ty as #rt::Wire<'_>>::WIRE)
        }),
    }
}

/// Reads a field that is there; the block's value is that of the field.
pub(super) fn present_field(emitter: &Emitter<'_>, index: usize, field: &Field<'_>) -> TokenStream {
    let rt = emitter.rt.clone();
    // At an offset, an alignment in front says where the writer may place the value.
    let align_before = if field.words.at.is_some() { &None } else { &field.words.align_before };
    let before = padding(
        emitter,
        field,
        &[("pad_before", &field.words.pad_before), ("align_before", align_before)],
    );
    let before = levels::about(emitter, field, before);
    let prefix = prefix::read(emitter, index, field);
    let value = read_value(emitter, field);
    let magic =
        field_magic(emitter, field).map(|bytes| quote!(#rt::walk::magic(__cur, __obs, #bytes)?;));
    let nul = field.words.nul.as_ref().map(|_| match field.kind {
        Kind::Utf16 => quote!(#rt::strings::wide_nul(__cur, __obs)?;),
        _ => quote!(#rt::walk::nul(__cur, __obs)?;),
    });
    let after = padding(
        emitter,
        field,
        &[("pad_after", &field.words.pad_after), ("align_after", &field.words.align_after)],
    );
    let after = levels::about(emitter, field, after);
    // What lies at an offset and has no bytes takes no place, and has nothing behind it.
    let after = if field.words.at.is_some() && !after.is_empty() {
        quote!(if __cur.pos() != __lies { #after })
    } else {
        after
    };
    // The room of a padded field is a region: one check for the value and its padding.
    let (room, rest) = match &field.words.pad_to {
        Some(pad_to) => {
            let function = emitter.function("pad_to", &pad_to.value, Wanted::Size);
            let call = emitter.call(&function, Site::Walk);
            let (claim, fill) = (emitter.claim(&pad_to.value, field), Emitter::fill(field));
            let room = quote! {
                let __size = #rt::walk::size(__obs, "pad_to", #call, #claim)?;
                let mut __room = #rt::walk::room(__cur, __obs, __size, #claim)?;
                let __cur = &mut __room;
            };
            let floating = floating_room(emitter, field, &claim);
            let left = quote!(#rt::walk::padding_left(__cur, __obs, #fill); #floating);
            (room, levels::about(emitter, field, left))
        }
        None => (TokenStream::new(), TokenStream::new()),
    };
    let asked =
        all_measures(emitter.model).into_iter().filter(|(_, other)| other.name == field.name);
    let ends = asked.clone().any(|(measure, _)| measure == Measure::End).then(|| {
        let name = measured(Measure::End, &field.name);
        quote!(#name = #rt::ops::wide(__end.wrapping_sub(__cur.origin));)
    });
    let measures: TokenStream = asked
        .map(|(measure, _)| {
            let name = measured(measure, &field.name);
            match measure {
                Measure::Len if prefix.is_some() => {
                    quote!(#name = #rt::ops::wide(__cur.pos().wrapping_sub(__from));)
                }
                Measure::Len => quote!(#name = #rt::ops::wide(__cur.pos().wrapping_sub(__at));),
                Measure::Count if matches!(field.kind, Kind::Seq(_)) => {
                    quote!(#name = __value.walk_count();)
                }
                Measure::Count => quote!(#name = #rt::ops::wide(__value.len());),
                Measure::Tag => quote!(#name = #rt::Tagged::tag(&__value);),
                Measure::Start => quote!(#name = #rt::ops::wide(__at.wrapping_sub(__cur.origin));),
                // The one is known before the value, the other behind its NUL.
                Measure::Remaining | Measure::End => TokenStream::new(),
            }
        })
        .collect();
    let before = each::about_item(field, &quote!(#before #magic));
    let behind = each::about_item(field, &quote!(#rest #after));
    let leave = leave(&rt, field);
    // What is located, with its padding, is noted where that ends.
    let note =
        (!field.is_element).then(|| each::note_span(index, field, &quote!(__at), &quote!(__end)));
    let (enter, leave) = if emitter.model.is_transparent() {
        (quote!(), quote!())
    } else {
        (each::enter(index, field, &quote!(__at)), leave)
    };
    quote! {{
        #before
        let __at = __cur.pos();
        #enter
        #room
        #prefix
        let __value = #value;
        #measures
        #nul
        let __end = __cur.pos();
        #ends
        #note
        #leave
        #behind
        __value
    }}
}

/// Padding before or after a field, in the order given.
pub(super) fn padding(
    emitter: &Emitter<'_>,
    field: &Field<'_>,
    words: &[(&'static str, &Option<Word<Expr>>)],
) -> TokenStream {
    let fill = Emitter::fill(field);
    let mut all = TokenStream::new();
    // With `pad_to` an alignment only says how the writer rounds the space it makes.
    let padded_to = field.words.pad_to.is_some();
    for (word, expr) in words.iter().filter_map(|(word, expr)| Some((*word, expr.as_ref()?))) {
        if word == "align_after" && padded_to {
            continue;
        }
        let function = emitter.function(word, &expr.value, Wanted::Size);
        let call = emitter.call(&function, Site::Walk);
        let rt = &emitter.rt;
        let claim = emitter.claim(&expr.value, field);
        let distance = distance(emitter, field);
        let size = quote!(let __size = #rt::walk::whole_size(__obs, #word, #call, #claim)?;);
        all.extend(match word {
            "pad_before" | "pad_after" => {
                quote!(#size #rt::walk::pad(__cur, __obs, __size, #fill)?;)
            }
            _ => quote! {
                #size
                let __gap = #rt::walk::gap(#distance, __size);
                let __gap = #rt::walk::whole_size(__obs, #word, __gap, #claim)?;
                #rt::walk::pad(__cur, __obs, __gap, #fill)?;
            },
        });
    }
    all
}

/// The value of a field, without its surroundings.
pub(super) fn read_value(emitter: &Emitter<'_>, field: &Field<'_>) -> TokenStream {
    if let Some(read) = map::read(emitter, field) {
        return read;
    }
    if let Some(with) = &field.words.with {
        let (rt, path) = (&emitter.rt, &with.value);
        return quote!(#rt::walk::with(__cur, __obs, #path::read)?);
    }
    if field.words.keeper.is_some() {
        let (rt, choice) = (&emitter.rt, choice(emitter.model));
        return quote!(#rt::walk::magic_of(__cur, __obs, #choice)?);
    }
    let len = field.words.len.as_ref().map(|word| {
        let function = emitter.function("len", &word.value, Wanted::Size);
        (emitter.call(&function, Site::Walk), emitter.claim(&word.value, field))
    });
    let prefixed = field.words.prefix.is_some() && !field.kind.is_sequence();
    let len = len.or_else(|| {
        prefixed.then(|| (quote!(::core::option::Option::Some(__prefix)), quote!(__claim)))
    });
    let rt = emitter.rt.clone();
    let order = emitter.order(field);
    let args = emitter.field_args(field, Site::Walk);
    let inner = field.inner;
    match field.kind {
        Kind::Scalar(_) if is_bool(field) => quote!(__obs.nested::<bool>(__cur, #order)?),
        Kind::Scalar(_) => quote!(#rt::walk::int::<#inner, __O>(__cur, __obs, #order)?),
        Kind::Auto(_, ty) => quote!(#rt::walk::auto::<#ty, __O>(__cur, __obs, #order)?),
        Kind::Bytes { .. } | Kind::Text { .. } | Kind::Utf16 => {
            strings::read(emitter, field, &bytes(&rt, len.as_ref()))
        }
        Kind::Vec(_) if field.until_last() => {
            let ends = until_last(emitter, field, Site::Walk);
            let read = quote!({ let __passed = #args; #rt::vec::read_until(__cur, __obs, __passed, #ends)? });
            in_region(&rt, len.as_ref(), read, true)
        }
        Kind::Seq(_) | Kind::Vec(_) => {
            let until = until(emitter, field);
            let slack = levels::keeps_leftover(field);
            let read = if let Kind::Seq(item) = field.kind {
                quote!(#rt::Seq::<#item>::read(__cur, __obs, __until, #slack, __passed)?)
            } else {
                quote!(#rt::vec::read(__cur, __obs, __until, __passed)?)
            };
            let read = quote!({ let __passed = #args; let __until = #until; #read });
            in_region(&rt, len.as_ref(), read, matches!(field.kind, Kind::Vec(_)))
        }
        Kind::Array(item) if is_byte(item) => quote!(#rt::walk::array(__cur, __obs)?),
        Kind::Array(_) | Kind::Nested => {
            let read = quote!({ let __passed = #args; __obs.nested::<#inner>(__cur, __passed)? });
            in_region(&rt, len.as_ref(), read, true)
        }
    }
}

pub(super) fn is_bool(field: &Field<'_>) -> bool {
    field.kind.scalar().is_some_and(|scalar| scalar.numeric == crate::model::Numeric::Bool)
}

pub(super) fn bytes(rt: &TokenStream, len: Option<&(TokenStream, TokenStream)>) -> TokenStream {
    match len {
        Some((call, claim)) => quote!(#rt::walk::sized(__cur, __obs, #call, #claim)?),
        None => quote!(#rt::walk::rest(__cur)),
    }
}

/// Reads within an exact region of `len` bytes, if there is a `len`.
pub(super) fn in_region(
    rt: &TokenStream,
    len: Option<&(TokenStream, TokenStream)>,
    read: TokenStream,
    finish: bool,
) -> TokenStream {
    let Some((call, claim)) = len else { return read };
    let finish = finish.then(|| quote!(#rt::walk::finish(__cur, __obs)?;));
    quote!({
        let __size = #rt::walk::size(__obs, "len", #call, #claim)?;
        let mut __part = #rt::walk::sub(__cur, __obs, __size, #claim)?;
        let __cur = &mut __part;
        let __read = #read;
        #finish
        __read
    })
}
