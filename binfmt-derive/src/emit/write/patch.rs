//! Lengths that are stored when what they tell of has been written, where the output is memory: then
//! nothing has to be counted first. Any other output gets them by counting.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::Ident;

use super::derived::{solve, users};
use super::variable::stored_type;
use crate::derived::{Of, Solved, Source, Step};
use crate::emit::{Emitter, plain, unraw};
use crate::model::Field;
use crate::steps::{all_exprs, all_measures};

/// Whether a step can wait: its number is plain, and nothing but the length that it tells names it.
pub(super) fn can_wait(emitter: &Emitter<'_>, step: &Step<'_>) -> bool {
    let model = emitter.model;
    let (Source::Solved(solved), Some(target)) = (&step.source, model.fields().get(step.target))
    else {
        return false;
    };
    let told = match solved.of {
        Of::Whole => super::rooms::all_rooms(emitter).is_empty() && !asks_places(emitter),
        Of::Len(index) => model.fields().get(index).is_some_and(|field| {
            step.target < index
                && !field.kind.is_bytes()
                && field.words.prefix.is_none()
                && !field.is_located()
                && field.words.section.is_none()
                && users(emitter, target, solved.of).len() == 1
        }),
        Of::Count(_) | Of::PadTo(_) | Of::Offset(_) => false,
    };
    let words = &target.words.names;
    told && plain::is_number(emitter, target)
        && words.iter().all(|word| word == "little" || word == "big")
        && model.words.lets.is_none()
        && model.all_words().all(|words| words.checksum.is_none())
        && is_named_once(emitter, target)
}

/// Whether an expression asks where fields lie, which only counting tells beforehand.
fn asks_places(emitter: &Emitter<'_>) -> bool {
    all_measures(emitter.model).iter().any(|(measure, _)| measure.is_place())
}

/// Whether one expression names a field, and nothing else: no rule, no text, no argument.
fn is_named_once(emitter: &Emitter<'_>, field: &Field<'_>) -> bool {
    let model = emitter.model;
    let exprs = all_exprs(model);
    let named = exprs.iter().flat_map(|expr| expr.names()).filter(|name| **name == field.name);
    let name = unraw(&field.name);
    let part = |letter: char| letter.is_alphanumeric() || letter == '_';
    let written = model.all_words().flat_map(|words| words.text.split(|letter| !part(letter)));
    named.count() == 1 && written.filter(|word| *word == name).count() == 1
}

/// The step that waits for what is measured.
fn waiting<'e>(emitter: &'e Emitter<'_>, of: Of) -> Option<(&'e Step<'e>, &'e Solved<'e>)> {
    emitter.steps.iter().find_map(|step| match &step.source {
        Source::Solved(solved) if solved.of == of && can_wait(emitter, step) => {
            Some((step, solved))
        }
        _ => None,
    })
}

/// Whether the length of the whole value can wait.
pub(super) fn whole_waits(emitter: &Emitter<'_>) -> bool {
    waiting(emitter, Of::Whole).is_some()
}

/// Remembers where a number is stored that waits, `at` bytes behind the next one.
pub(crate) fn keep_place(emitter: &Emitter<'_>, field: &Field<'_>, at: usize) -> TokenStream {
    let mut steps = emitter.steps.iter();
    let waits = steps.any(|step| {
        let target = emitter.model.fields().get(step.target);
        target.is_some_and(|target| target.name == field.name) && can_wait(emitter, step)
    });
    if !waits {
        return TokenStream::new();
    }
    let (rt, place) = (&emitter.rt, place_of(field));
    quote!(let #place: u64 = __out.pos().saturating_add(#rt::ops::wide(#at));)
}

fn place_of(field: &Field<'_>) -> Ident {
    format_ident!("__place_{}", unraw(&field.name))
}

/// Stores the number that waits for the length of a field, which begins at `__at` and ends here.
pub(super) fn len(emitter: &Emitter<'_>, field: &Field<'_>) -> TokenStream {
    let fields = emitter.model.fields();
    let index = fields.iter().position(|other| !field.is_element && other.name == field.name);
    index.map(|index| store(emitter, Of::Len(index), &quote!(__at))).unwrap_or_default()
}

/// Stores the number that waits for the length of the whole value, which ends here.
pub(super) fn whole(emitter: &Emitter<'_>) -> TokenStream {
    store(emitter, Of::Whole, &quote!(__start))
}

fn store(emitter: &Emitter<'_>, of: Of, start: &TokenStream) -> TokenStream {
    let Some((step, solved)) = waiting(emitter, of) else { return TokenStream::new() };
    let Some(target) = emitter.model.fields().get(step.target) else { return TokenStream::new() };
    let (place, order) = (place_of(target), emitter.order(target));
    let measured = quote!(__out.pos().saturating_sub(#start));
    let ty = stored_type(target);
    let value = solve(emitter, target, ty, solved, &measured);
    quote! {
        if __out.patches() {
            let __number: #ty = #value;
            __out.patch(#place, __number, #order)?;
        }
    }
}
