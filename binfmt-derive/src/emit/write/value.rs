//! The value of a field, without its surroundings.

use proc_macro2::TokenStream;
use quote::quote;

use super::parallel::{entries_of, is_table};
use super::plan::{Plan, is_codec, mark, stored_type};
use super::slots::is_offset;
use crate::emit::walk::{copier, last_or, remaining, until_last};
use crate::emit::{Emitter, Site, by_hand, local, map, strings, terminator};
use crate::model::{Field, Kind, Numeric, is_byte, number_type};
use crate::steps::{Ends, Items, Value, What};

/// Writes `__value`, or keeps its place.
pub(super) fn value(plan: &Plan<'_, '_>, index: usize, field: &Field<'_>) -> TokenStream {
    let (emitter, rt) = (plan.emitter, &plan.emitter.rt);
    if field.is_element {
        return plain(emitter, field);
    }
    if plan.ready.is_hole(index) {
        return hole(emitter, field);
    }
    if !plan.is_reserved(index) {
        return plain(emitter, field);
    }
    let region = mark(field, "region");
    let args = emitter.field_args(field, Site::Write);
    if is_table(emitter, field) {
        let (entries, looks) = (entries_of(&field.name), ends_by_sight(field));
        let blanks = super::blank::entry(emitter, &field.name);
        let copier = copier(emitter, field, &quote!(#entries[..]));
        let slack =
            matches!(field.kind, Kind::Seq(_)).then(|| quote!(__out.put(__value.slack())?;));
        return quote! {
            let __passed = #args;
            #region = #rt::parallel::reserve(__out, (&#entries[..], #copier), __passed, #looks, &mut |__entry| { #blanks })?;
            #slack
        };
    }
    let ty = field.inner;
    let listed = matches!(field.kind, Kind::Vec(_));
    let fixed = if is_codec(field) || is_sized(field) || listed {
        quote!(__rt::None)
    } else {
        quote!(<#ty as #rt::Wire<'_>>::FIXED.then_some(<#ty as #rt::Wire<'_>>::MIN_SIZE))
    };
    let looks = super::piece::looks_ahead(field);
    let write = super::blank::value(emitter, field, with_prefix(emitter, field));
    let size = is_sized(field).then(|| quote!(let mut __size = 0_u64;));
    quote! {
        #size
        #region = __out.reserve(#fixed, #looks, &mut |__out| {
            #write
            __rt::Ok(())
        })?;
    }
}

/// Whether a value stands behind its length, which is known when it has been written.
pub(super) fn is_sized(field: &Field<'_>) -> bool {
    field.words.prefix.is_some() && matches!(field.kind, Kind::Nested)
}

/// Writes `__value` where its place is kept, with the length in front of it, which `__size` then is.
pub(super) fn with_prefix(emitter: &Emitter<'_>, field: &Field<'_>) -> TokenStream {
    if is_sized(field) {
        let sized = prefixed(emitter, field, TokenStream::new());
        quote!(__size = #sized;)
    } else {
        plain(emitter, field)
    }
}

/// What is known of a number of variable length that is missing: a field keeps how long it is, an `Auto` does not, and
/// may tell a place.
fn known_of_width(emitter: &Emitter<'_>, field: &Field<'_>) -> Option<TokenStream> {
    if !matches!(field.kind, Kind::Auto(..)) {
        return Some(quote!(.kept()));
    }
    let (target, _) = emitter.model.field(&field.name)?;
    let mut steps = emitter.steps.iter().filter(|step| step.target == target);
    let tells_place = steps.any(|step| step.solved().is_some_and(|solved| is_offset(solved.of)));
    tells_place.then(|| quote!(.of_place()))
}

/// Keeps the place of a number that is missing.
fn hole(emitter: &Emitter<'_>, field: &Field<'_>) -> TokenStream {
    let (rt, hole, name) = (&emitter.rt, mark(field, "hole"), local(&field.name));
    if let Some(word) = &field.words.checksum {
        let ty = match field.kind {
            Kind::Auto(_, ty) => ty,
            _ => field.inner,
        };
        if word.value.over.file {
            let (digest, order) = (&word.value.digest, emitter.order(field));
            let label = crate::emit::text(&crate::emit::unraw(&field.name));
            return quote!(#hole = #rt::checksum::blank_of_file::<#digest, _>(__out, #label, #order)?;);
        }
        return quote!(#hole = #rt::checksum::blank::<#ty>(__out)?;);
    }
    let ty = stored_type(field);
    let stored = if matches!(field.kind, Kind::Auto(..)) {
        quote!(<#ty as ::core::default::Default>::default())
    } else if field.is_optional() {
        quote!(*__value)
    } else {
        quote!(#name)
    };
    if !is_codec(field) {
        let known = field.is_variable().then(|| known_of_width(emitter, field));
        return quote!(#hole = __out.hole::<#ty>(#stored)? #known;);
    }
    let write = plain(emitter, field);
    quote! {
        #hole = __out.reserve(__rt::None, false, &mut |__out| {
            let __value = #stored;
            #write
            __rt::Ok(())
        })?;
    }
}

/// Writes `__value`, of which expressions may use parts.
pub(super) fn plain(emitter: &Emitter<'_>, field: &Field<'_>) -> TokenStream {
    let value = unused(emitter, field);
    let (begin, end) = super::used::around(emitter, field);
    quote!(#begin #value #end)
}

fn unused(emitter: &Emitter<'_>, field: &Field<'_>) -> TokenStream {
    let rt = &emitter.rt;
    if let Some(write) = map::write(emitter, field) {
        return write;
    }
    if let Some(with) = &field.words.with {
        return by_hand::write(emitter, field, &with.value);
    }
    let order = emitter.order(field);
    let args = emitter.field_args(field, Site::Write);
    // An optional scalar is bound by reference, a plain one by value.
    let scalar = if field.is_optional() { quote!(*__value) } else { quote!(__value) };
    let least = if field.has_previous() { None } else { while_left(emitter, field) };
    match field.kind {
        Kind::Scalar(kind) if kind.numeric == Numeric::Bool => {
            quote!(#rt::Wire::emit(&#scalar, __out, #order)?;)
        }
        Kind::Scalar(_) | Kind::Auto(..) => quote!(#rt::Int::put(#scalar, __out, #order)?;),
        Kind::Bytes { .. } | Kind::Text { .. } | Kind::Utf16 => strings::write(emitter, field),
        Kind::Seq(_) if least.is_some() => {
            quote!(let __passed = #args; __value.emit_while(__out, __passed, #least)?;)
        }
        Kind::Seq(_) | Kind::Vec(_) if field.has_previous() => behind_each_other(emitter, field),
        Kind::Seq(_) => quote!(let __passed = #args; __value.emit(__out, __passed)?;),
        Kind::Vec(_) => {
            let items = items(emitter, field);
            quote!(let __passed = #args; #items)
        }
        Kind::Array(item) if is_byte(item) => quote!(__out.put(&__value[..])?;),
        Kind::Array(_) | Kind::Nested => {
            let emit = emitter.emitted(field.words.until_codec.is_some());
            quote!(let __passed = #args; #emit)
        }
    }
}

/// Writes the items of a slice, `__value`, and sees to it that a reader ends behind the last one.
pub(super) fn items(emitter: &Emitter<'_>, field: &Field<'_>) -> TokenStream {
    let rt = &emitter.rt;
    if let Some(least) = while_left(emitter, field) {
        return quote!(#rt::vec::emit_while(__value, __out, __passed, #least)?;);
    }
    if field.words.terminator.is_some() {
        return terminator::items(emitter, field);
    }
    let Some(until) = field.words.until.as_ref().filter(|_| field.until_last()) else {
        return quote!(#rt::vec::emit(__value, __out, __passed)?;);
    };
    let ends = until_last(emitter, &until.value, Site::Write);
    match &field.words.least {
        Some(least) => {
            let least = remaining(emitter, Some(&least.value));
            quote!(#rt::vec::emit_until_or(__value, __out, __passed, #least, #ends)?;)
        }
        None => quote!(#rt::vec::emit_until(__value, __out, __passed, #ends)?;),
    }
}

/// Whether a reader looks at what follows an item to know whether it is the last one.
fn ends_by_sight(field: &Field<'_>) -> bool {
    field.words.terminator.is_some() || field.words.until.is_some()
}

/// Writes items whose arguments follow from the item before.
fn behind_each_other(emitter: &Emitter<'_>, field: &Field<'_>) -> TokenStream {
    let (rt, args) = (&emitter.rt, emitter.previous_args(field, Site::Write));
    let (Kind::Seq(item) | Kind::Vec(item)) = field.kind else { return TokenStream::new() };
    let carry = super::used::carry(emitter, field, item);
    let until = field.words.until.as_ref().filter(|_| field.until_last());
    let last = until.map(|until| until_last(emitter, &until.value, Site::Write));
    let ends = if last.is_some() {
        last_or(emitter, field)
    } else if field.words.terminator.is_some() {
        terminator::before(emitter, field)
    } else if let Some(least) = while_left(emitter, field) {
        quote!(Until(#rt::Until::Remaining(#least)))
    } else {
        quote!(Until(#rt::Until::Count(0)))
    };
    if matches!(field.kind, Kind::Seq(_)) {
        return quote!(__value.emit(__out, #rt::previous::Ends::#ends, #args, #carry)?;);
    }
    let last = last.unwrap_or_else(|| quote!(|_| false));
    quote! {
        let __ends = #rt::previous::Ends::#ends;
        #rt::previous::emit(__value, __out, __ends, #args, #carry, #last)?;
    }
}

/// How many bytes must be left for one more item of a sequence that ends with its region.
fn while_left(emitter: &Emitter<'_>, field: &Field<'_>) -> Option<TokenStream> {
    let index = emitter.model.field(&field.name).map(|(index, _)| index)?;
    emitter.lowered.of(index).iter().find_map(|step| match &step.what {
        What::Value(Value::Items(Items { ends: Ends::Remaining(least), .. })) => {
            Some(remaining(emitter, *least))
        }
        _ => None,
    })
}

/// Writes the length or count that stands in front of `__value`, and the value as `value` does. For
/// a nested value it is an expression: the length.
pub(super) fn prefixed(
    emitter: &Emitter<'_>,
    field: &Field<'_>,
    value: TokenStream,
) -> TokenStream {
    let Some(prefix) = &field.words.prefix else { return value };
    let (rt, ty) = (&emitter.rt, &prefix.value);
    let (number, order) = (number_type(ty), emitter.order(field));
    if is_sized(field) {
        let args = emitter.field_args(field, Site::Write);
        let (begin, end) = super::used::around(emitter, field);
        return quote!({
            let __passed = #args;
            #begin
            let __size =
                #rt::write::sized::<#number, #ty, _>(__out, __value, __passed, #order)?;
            #end
            __size
        });
    }
    let size = match field.kind {
        Kind::Seq(_) => quote!(__value.walk_count()),
        Kind::Vec(_) => quote!(#rt::ops::wide(__value.len())),
        _ => strings::len(emitter, field),
    };
    quote! {
        #rt::write::prefix::<#number, #ty>(__out, #size, #order)?;
        #value
    }
}
