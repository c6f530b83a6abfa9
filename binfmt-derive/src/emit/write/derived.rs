//! The values that the writer computes.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::{Ident, Type};

use super::field::value;
use super::rooms::{all_rooms, offset, room_names};
use super::{END_MARK, patch, variable};
use crate::attr::{Args, Word};
use crate::derived::{Of, Solved, Source, Step, early};
use crate::emit::expr::Wanted;
use crate::emit::{Emitter, Site, local, prefix, strings, text, unraw};
use crate::expr::Expr;
use crate::model::{Field, Kind};

/// Computes every derived field, in an order in which each knows what it needs: first what the sizes
/// of located fields depend on, then the others.
pub(super) fn steps(emitter: &Emitter<'_>) -> (TokenStream, TokenStream) {
    let early = early(emitter.model, emitter.steps);
    let mut done = Vec::new();
    let (first, others): (Vec<_>, Vec<_>) =
        emitter.steps.iter().partition(|step| early.contains(&step.target));
    (some_steps(emitter, &first, &mut done), some_steps(emitter, &others, &mut done))
}

/// Some steps, behind those that are `done`.
fn some_steps(emitter: &Emitter<'_>, steps: &[&Step<'_>], done: &mut Vec<usize>) -> TokenStream {
    let mut all = TokenStream::new();
    for step in steps {
        let Some(field) = emitter.model.fields().get(step.target) else { continue };
        let (name, shown) = (local(&field.name), text(&unraw(&field.name)));
        let stored = variable::stored_type(field);
        let ty = prefix::number_type(stored);
        let rt = emitter.rt.clone();
        let value = match &step.source {
            Source::Calc(expr) => {
                let own = expr.names().into_iter().any(|other| *other == field.name);
                let zero = (own && matches!(field.kind, Kind::Auto(..)))
                    .then(|| quote!(let #name = <#stored as ::core::default::Default>::default();));
                let function = emitter.function("calc", expr, Wanted::Size);
                let call = emitter.call(&function, Site::Write);
                quote!({ #zero #rt::write::convert::<#ty>(__out, #shown, #call)? })
            }
            Source::Solved(solved) => {
                let value = solved_value(emitter, field, ty, solved);
                if patch::can_wait(emitter, step) {
                    let later = quote!(::core::default::Default::default());
                    quote!(if __out.patches() { #later } else { #value })
                } else {
                    value
                }
            }
        };
        all.extend(variable::bind(&rt, field, &name, &value));
        done.push(step.target);
        all.extend(variable::now_known(emitter, done));
    }
    all
}

/// The values of some terms of a sum.
pub(super) fn terms(emitter: &Emitter<'_>, list: &[&Expr]) -> Vec<TokenStream> {
    let call = |expr: &&Expr| {
        let function = emitter.function("term", expr, Wanted::Size);
        emitter.call(&function, Site::Write)
    };
    list.iter().map(call).collect()
}

/// The number that stands for what has been measured.
pub(super) fn solve(
    emitter: &Emitter<'_>,
    target: &Field<'_>,
    ty: &Type,
    solved: &Solved<'_>,
    measured: &TokenStream,
) -> TokenStream {
    let (rt, shown) = (&emitter.rt, text(&unraw(&target.name)));
    let (add, sub) = (terms(emitter, &solved.add), terms(emitter, &solved.sub));
    // Mostly a field is the size itself, and nothing has to be solved.
    if solved.mul.is_none() && add.is_empty() && sub.is_empty() {
        return quote! {{
            let __measured: u64 = #measured;
            #rt::write::convert::<#ty>(__out, #shown, ::core::option::Option::Some(__measured))?
        }};
    }
    let mul = solved.mul.and_then(|mul| terms(emitter, &[mul]).pop());
    let mul = mul.unwrap_or_else(|| quote!(::core::option::Option::Some(1)));
    quote! {{
        let __measured: u64 = #measured;
        #rt::write::solve::<#ty>(__out, #shown, __measured, #mul, &[#(#add),*], &[#(#sub),*])?
    }}
}

pub(super) fn solved_value(
    emitter: &Emitter<'_>,
    target: &Field<'_>,
    ty: &Type,
    solved: &Solved<'_>,
) -> TokenStream {
    let solve = |value: &TokenStream| solve(emitter, target, ty, solved, value);
    let (value, always) = source_value(emitter, target, solved.of);
    let mut value = solve(&value);
    // What belongs to a field that is not there is 0; several that exclude one another may share it.
    let users = users(emitter, target, solved.of);
    if users.iter().all(|user| user.is_optional()) && !users.is_empty() {
        value = quote!(::core::default::Default::default());
        for user in users.iter().rev() {
            let measured = match solved.of {
                Of::Count(_) => count_of(emitter, user),
                _ => len_of(emitter, user),
            };
            let (name, solved) = (local(&user.name), solve(&measured));
            value = quote!(if #name.is_some() { #solved } else { #value });
        }
    }
    if always || target.is_variable() || counts(emitter, target) {
        value
    } else {
        quote!(if __out.counts() { ::core::default::Default::default() } else { #value })
    }
}

/// The fields whose length or count a field tells: the one it is solved for, and others that name it
/// alone.
pub(crate) fn users<'m>(emitter: &Emitter<'m>, target: &Field<'_>, of: Of) -> Vec<&'m Field<'m>> {
    let (Of::Len(own) | Of::Count(own)) = of else { return Vec::new() };
    let word = |field: &'m Field<'m>| match of {
        Of::Count(_) => field.words.count.as_ref(),
        _ => field.words.len.as_ref(),
    };
    let fields = emitter.model.fields().iter().enumerate();
    let users = fields.filter(|(index, field)| {
        let named = word(field)
            .is_some_and(|word| matches!(&word.value, Expr::Name(name) if *name == target.name));
        *index == own || (named && field.is_optional())
    });
    users.map(|(_, field)| field).collect()
}

/// Whether the size of something else depends on a field, so that counting needs it too.
fn counts(emitter: &Emitter<'_>, field: &Field<'_>) -> bool {
    emitter.model.all_words().any(|words| {
        let pads = [&words.pad_before, &words.pad_after, &words.align_before, &words.align_after];
        let pads = pads.into_iter().flatten().map(|word| &word.value);
        let passed = match &words.args {
            Some(Word { value: Args::Passed(list), .. }) => list.as_slice(),
            _ => &[],
        };
        pads.chain(passed.iter().map(|(_, expr)| expr)).any(|expr| {
            expr.names().contains(&&field.name)
                || expr.measures().iter().any(|(_, name)| **name == field.name)
        })
    })
}

pub(super) fn source_value(
    emitter: &Emitter<'_>,
    target: &Field<'_>,
    of: Of,
) -> (TokenStream, bool) {
    let fields = emitter.model.fields();
    match of {
        Of::Whole => (quote!(__sections[#END_MARK].saturating_sub(__start)), false),
        Of::Count(index) => {
            (fields.get(index).map(|field| count_of(emitter, field)).unwrap_or_default(), true)
        }
        Of::Len(index) => match fields.get(index) {
            Some(field) if field.words.section.is_some() => {
                let room = all_rooms(emitter)
                    .iter()
                    .position(|(section, _)| *section == Some(index))
                    .unwrap_or(0);
                let (_, end) = room_names(room);
                (quote!(#end.saturating_sub(__sections[#room])), false)
            }
            Some(field) => (len_of(emitter, field), field.kind.is_bytes()),
            None => (quote!(0), true),
        },
        Of::PadTo(index) => (
            fields.get(index).map(|field| padded(emitter, target, field)).unwrap_or_default(),
            // Anything but bytes is counted once, with its room; see `room_in_count`.
            fields.get(index).is_some_and(|field| field.kind.is_bytes()),
        ),
        Of::Offset(index) => (offset(emitter, index), false),
    }
}

/// The room that a padded field gets: what it had, or what it needs, rounded up.
pub(super) fn padded(emitter: &Emitter<'_>, target: &Field<'_>, field: &Field<'_>) -> TokenStream {
    let rt = emitter.rt.clone();
    let len = if field.kind.is_bytes() {
        len_of_bytes(emitter, field)
    } else {
        let value = prefix::write(emitter, field, value(emitter, field));
        if_present(
            field,
            &quote!(__out.measure(|__out| { #value ::core::result::Result::Ok(()) })?),
        )
    };
    let (align, stored) = room_of(emitter, target, field);
    quote!(#rt::write::padded(#len, #align, #stored))
}

/// The length of bytes or a text, with what belongs to it.
pub(super) fn len_of_bytes(emitter: &Emitter<'_>, field: &Field<'_>) -> TokenStream {
    let nul = u64::try_from(strings::nul_size(field)).unwrap_or_default();
    let prefix = prefix::len(emitter, field).map(|len| quote!(.saturating_add(#len)));
    let len = strings::len(emitter, field);
    if_present(field, &quote!(#len.saturating_add(#nul) #prefix))
}

/// The alignment of a padded field, and the room that it had.
fn room_of(
    emitter: &Emitter<'_>,
    target: &Field<'_>,
    field: &Field<'_>,
) -> (TokenStream, TokenStream) {
    let align = field.words.align_after.as_ref().map(|align| {
        let function = emitter.function("align_after", &align.value, Wanted::Size);
        emitter.call(&function, Site::Write)
    });
    let align = align.map_or_else(|| quote!(1), |call| quote!(#call.unwrap_or(1)));
    let stored = if matches!(target.kind, Kind::Auto(..)) {
        quote!(::core::option::Option::None)
    } else {
        let pad_to = field.words.pad_to.as_ref().map(|word| {
            let function = emitter.function("pad_to", &word.value, Wanted::Size);
            emitter.call(&function, Site::Write)
        });
        quote!(__out.floor(#pad_to))
    };
    (align, stored)
}

/// The rooms of padded fields that are counted as they are written: the stored sizes, before they
/// are computed anew.
pub(super) fn stored_rooms(emitter: &Emitter<'_>) -> TokenStream {
    let mut all = TokenStream::new();
    for (step, solved) in emitter.steps.iter().filter_map(|step| match &step.source {
        Source::Solved(solved) => Some((step, solved)),
        Source::Calc(_) => None,
    }) {
        let Of::PadTo(index) = solved.of else { continue };
        let fields = emitter.model.fields();
        let (Some(target), Some(field)) = (fields.get(step.target), fields.get(index)) else {
            continue;
        };
        if !field.kind.is_bytes() {
            let (align, stored) = room_of(emitter, target, field);
            let name = room_name(field);
            all.extend(quote!(let #name: (u64, ::core::option::Option<u64>) = (#align, #stored);));
        }
    }
    all
}

/// The local that [`stored_rooms`] makes for a field, if it makes one.
pub(super) fn room_in_count(emitter: &Emitter<'_>, field: &Field<'_>) -> Option<Ident> {
    let solved = emitter.steps.iter().any(|step| match &step.source {
        Source::Solved(Solved { of: Of::PadTo(index), .. }) => {
            emitter.model.fields().get(*index).is_some_and(|other| other.name == field.name)
        }
        _ => false,
    });
    (solved && !field.kind.is_bytes()).then(|| room_name(field))
}

fn room_name(field: &Field<'_>) -> Ident {
    format_ident!("__room_{}", unraw(&field.name))
}

/// Calls `with` for the value of a field, or gives 0 if it is absent.
pub(super) fn if_present(field: &Field<'_>, with: &TokenStream) -> TokenStream {
    let name = local(&field.name);
    if field.is_optional() {
        quote!(match #name { ::core::option::Option::Some(__value) => #with, ::core::option::Option::None => 0 })
    } else {
        quote!({ let __value = #name; #with })
    }
}

/// The encoded length of a field's value, without padding.
pub(super) fn len_of(emitter: &Emitter<'_>, field: &Field<'_>) -> TokenStream {
    if field.kind.is_bytes() && field.words.with.is_none() {
        return if_present(field, &strings::len(emitter, field));
    }
    let measured = measure(emitter, field);
    match variable::size_local(emitter, field) {
        Some(size) => quote!(#size),
        None if counts(emitter, field) => measured,
        None => quote!(if __out.counts() { 0 } else { #measured }),
    }
}

/// The encoded length of a field, by counting it.
pub(super) fn measure(emitter: &Emitter<'_>, field: &Field<'_>) -> TokenStream {
    let value = value(emitter, field);
    if_present(field, &quote!(__out.measure(|__out| { #value ::core::result::Result::Ok(()) })?))
}

pub(super) fn count_of(emitter: &Emitter<'_>, field: &Field<'_>) -> TokenStream {
    let rt = &emitter.rt;
    match field.kind {
        Kind::Seq(_) => if_present(field, &quote!(__value.walk_count())),
        _ => if_present(field, &quote!(#rt::ops::wide(__value.len()))),
    }
}
