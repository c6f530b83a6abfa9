//! One field, with its padding.

use proc_macro2::TokenStream;
use quote::quote;

use super::numbers::{compute, padded_by, padded_to};
use super::plan::{Plan, is_codec, mark};
use super::value::{prefixed, value};
use crate::derived::{Part, shape_exprs};
use crate::emit::magic::field_magic;
use crate::emit::{Emitter, Site, text, unraw};
use crate::expr::Expr;
use crate::model::{Field, Kind, is_byte, scalar};

/// What writes `__value` as a field.
pub(super) struct Piece {
    /// The value, and what stands in front of it.
    pub(super) value: TokenStream,
    /// The padding behind the value.
    pub(super) behind: TokenStream,
}

/// Writes a field of the sequence.
pub(super) fn piece(plan: &Plan<'_, '_>, index: usize, field: &Field<'_>) -> Piece {
    let before = [
        pad(plan, field, "pad_before", field.words.pad_before.as_ref()),
        pad(plan, field, "align_before", field.words.align_before.as_ref()),
    ];
    let behind = behind(plan, field);
    let value = inside(plan, index, field);
    let name = text(&unraw(&field.name));
    let before: TokenStream = before.into_iter().flatten().collect();
    // Plain bytes fail only where the output is full, whatever their name.
    let nameless = is_plain(field) && before.is_empty() && behind.is_empty();
    let value = if nameless { value } else { quote!(__out.enter(#name); #value __out.leave();) };
    let magic = field_magic(plan.emitter, field).map(|bytes| quote!(__out.put(&#bytes)?;));
    let begin = begin(field);
    Piece {
        value: quote!(#before #magic #begin #value),
        behind: if behind.is_empty() {
            behind
        } else {
            quote!(__out.enter(#name); #behind __out.leave();)
        },
    }
}

/// Writes a located field, or one value of a field with `for_each`; leaves the length in `__size`.
pub(super) fn located(plan: &Plan<'_, '_>, index: usize, field: &Field<'_>) -> TokenStream {
    let before = pad(plan, field, "pad_before", field.words.pad_before.as_ref());
    let value = inside(plan, index, field);
    let behind = behind(plan, field);
    let magic = field_magic(plan.emitter, field).map(|bytes| quote!(__out.put(&#bytes)?;));
    let begin = begin(field);
    // What has no bytes takes no place, and has nothing behind it; but with `pad_to` it has bytes.
    let local = lengths(plan, index, field);
    let (lies, behind) = if behind.is_empty() {
        (quote!(), quote!())
    } else if begin.is_some() {
        (quote!(), quote!(#local #behind))
    } else {
        (quote!(let __lies = __out.pos();), quote!(if __out.pos() != __lies { #local #behind }))
    };
    let name = text(&unraw(&field.name));
    let (enter, leave) = if field.is_element {
        let item = quote!(__out.enter_item(__item););
        (quote!(__out.enter(#name); #item), quote!(__out.leave(); __out.leave();))
    } else {
        (quote!(__out.enter(#name);), quote!(__out.leave();))
    };
    // A section ends where all in it has been written, and everything else with the output.
    let apart = looks_ahead(field) && field.words.place.is_none();
    let open = apart.then(|| quote!(let __apart = __out.open();));
    let close = apart.then(|| quote!(__out.close_last(__apart);));
    quote! {
        #open
        #lies
        #before
        #magic
        #begin
        #enter
        #value
        #behind
        #leave
        #close
    }
}

/// Notes where the space of a padded value begins.
fn begin(field: &Field<'_>) -> Option<TokenStream> {
    field.words.pad_to.as_ref()?;
    let begin = mark(field, "begin");
    let space = looks_ahead(field).then(|| {
        let space = mark(field, "space");
        quote!(#space = __out.open();)
    });
    Some(quote!(#begin = __out.pos(); #space))
}

/// Whether readers of a value may decide by what comes behind it.
pub(super) fn looks_ahead(field: &Field<'_>) -> bool {
    let item = match field.kind {
        Kind::Nested => return !is_codec(field),
        Kind::Seq(item) | Kind::Vec(item) | Kind::Array(item) => item,
        _ => return false,
    };
    !is_codec(field) && scalar(item).is_none()
}

/// The value itself, between the marks of its place.
fn inside(plan: &Plan<'_, '_>, index: usize, field: &Field<'_>) -> TokenStream {
    let own = !field.is_element;
    let (from, to) = (mark(field, "from"), mark(field, "to"));
    let marked = own && plan.is_marked(index);
    let start = marked.then(|| {
        let asked = crate::steps::all_measures(plan.emitter.model).into_iter();
        let mut asked = asked.filter(|(measure, _)| *measure == crate::expr::Measure::Start);
        let asked = asked.any(|(_, other)| other.name == field.name);
        let start = crate::emit::expr::measured(crate::expr::Measure::Start, &field.name);
        let start = asked.then(|| quote!(let #start = #from.saturating_sub(__out.origin);));
        quote!(#from = __out.pos(); #start)
    });
    let stop = marked.then(|| quote!(#to = __out.pos();));
    let mut written = value(plan, index, field);
    if own && plan.measures_len(index) || field.is_located() || field.is_element {
        let size = if own && plan.measures_len(index) {
            let size = mark(field, "size");
            quote!(#size = __size;)
        } else {
            quote!()
        };
        let sized = field.words.prefix.is_some() && matches!(field.kind, Kind::Nested);
        written = if sized {
            let sized = prefixed(plan.emitter, field, TokenStream::new());
            quote!(let __size = #sized; #size)
        } else {
            let counted = quote! {
                let __before = __out.pos();
                #written
                let __size = __out.pos().saturating_sub(__before);
                #size
            };
            prefixed(plan.emitter, field, counted)
        };
    } else {
        let sized = field.words.prefix.is_some() && matches!(field.kind, Kind::Nested);
        written = prefixed(plan.emitter, field, written);
        if sized {
            written = quote!(#written;);
        }
    }
    if field.words.len.is_some() && looks_ahead(field) {
        written = quote!(let __region = __out.open(); #written __out.close(__region););
    }
    let nul = field.words.nul.as_ref().map(|_| match field.kind {
        Kind::Utf16 => quote!(__out.put(&[0, 0])?;),
        _ => quote!(__out.put(&[0])?;),
    });
    quote!(#start #written #nul #stop)
}

/// Whether a field is bytes that are written as they are.
fn is_plain(field: &Field<'_>) -> bool {
    let byte_array = matches!(field.kind, Kind::Array(item) if is_byte(item));
    (field.kind.is_bytes() || byte_array)
        && field.words.with.is_none()
        && field.words.prefix.is_none()
        && field.words.checksum.is_none()
        && !field.looks_for_its_end()
}

/// The padding behind a value.
fn behind(plan: &Plan<'_, '_>, field: &Field<'_>) -> TokenStream {
    let words = &field.words;
    let align = words.align_after.as_ref().filter(|_| words.pad_to.is_none());
    let parts = [
        pad(plan, field, "pad_after", words.pad_after.as_ref()),
        pad(plan, field, "align_after", align),
        pad(plan, field, "pad_to", words.pad_to.as_ref()),
    ];
    let close = (words.pad_to.is_some() && looks_ahead(field)).then(|| {
        let space = mark(field, "space");
        quote!(__out.close(#space);)
    });
    parts.into_iter().flatten().chain(close).collect()
}

fn pad(
    plan: &Plan<'_, '_>,
    field: &Field<'_>,
    word: &'static str,
    expr: Option<&crate::attr::Word<Expr>>,
) -> Option<TokenStream> {
    let (emitter, expr) = (plan.emitter, expr?);
    let (rt, fill) = (&emitter.rt, Emitter::fill(field));
    if let Some(target) = padded_by(emitter, field).filter(|_| word == "pad_to") {
        let (begin, padded) = (mark(field, "begin"), mark(field, "padded"));
        let (align, stored) = padded_to(emitter, target, field);
        return Some(quote! {
            let __has = __out.pos().saturating_sub(#begin);
            #padded = #rt::write::padded(__has, #align, #stored);
            __out.pad_to(#begin, #padded, #fill)?;
        });
    }
    let call = emitter.size(word, &expr.value, Site::Write);
    let pad = match word {
        "pad_to" => {
            let begin = mark(field, "begin");
            quote!(__out.pad_to(#begin, __pad, #fill)?;)
        }
        "pad_before" | "pad_after" => quote!(__out.fill(#fill, __pad)?;),
        _ => quote!(__out.align(__start, __pad, #fill)?;),
    };
    Some(quote!({ let __pad = #rt::write::size(__out, #word, #call)?; #pad }))
}

/// What the padding behind a located value names, and its length tells.
fn lengths(plan: &Plan<'_, '_>, index: usize, field: &Field<'_>) -> TokenStream {
    let model = plan.emitter.model;
    let mut all = TokenStream::new();
    if field.is_element || field.is_bytes() {
        return all;
    }
    let behind: Vec<&Expr> = shape_exprs(field)
        .into_iter()
        .filter(|(_, _, part)| *part == Part::Behind)
        .map(|(_, expr, _)| expr)
        .collect();
    let own = |(measure, name): &(crate::expr::Measure, &syn::Ident)| {
        *measure == crate::expr::Measure::Len && **name == field.name
    };
    if behind.iter().any(|expr| expr.measures().iter().any(own)) {
        let len = crate::emit::expr::measured(crate::expr::Measure::Len, &field.name);
        all.extend(quote!(let #len: u64 = __size;));
    }
    for step in plan.emitter.steps {
        let Some(target) = model.fields().get(step.target) else { continue };
        let named = behind.iter().any(|expr| expr.names().iter().any(|name| **name == target.name));
        if named
            && padded_by(plan.emitter, field).is_none()
            && plan.ready.tells_length(step.target, index)
        {
            all.extend(compute(plan, step, false));
        }
    }
    all
}
