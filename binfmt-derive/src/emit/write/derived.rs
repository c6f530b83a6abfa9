//! The values that the writer computes.

use proc_macro2::TokenStream;
use quote::quote;

use super::END_MARK;
use super::field::value;
use super::rooms::{all_rooms, offset, room_names};
use crate::derived::{Of, Solved, Source};
use crate::emit::expr::Wanted;
use crate::emit::{Emitter, Site, local, text, unraw};
use crate::expr::Expr;
use crate::model::{Field, Kind};

/// Computes every derived field, in an order in which each knows what it needs.
pub(super) fn steps(emitter: &Emitter<'_>) -> TokenStream {
    let mut all = TokenStream::new();
    let steps = emitter.steps;
    for step in steps {
        let Some(field) = emitter.model.fields().get(step.target) else { continue };
        let (name, shown) = (local(&field.name), text(&unraw(&field.name)));
        let ty = match field.kind {
            Kind::Auto(_, ty) => ty,
            _ => field.ty,
        };
        let rt = emitter.rt.clone();
        let value = match &step.source {
            Source::Calc(expr) => {
                let own = expr.names().into_iter().any(|other| *other == field.name);
                let zero = (own && matches!(field.kind, Kind::Auto(..)))
                    .then(|| quote!(let #name: #ty = 0;));
                let function = emitter.function("calc", expr, Wanted::Size);
                let call = emitter.call(&function, Site::Write);
                quote!({ #zero #rt::write::convert::<#ty, __B>(__out, #shown, #call)? })
            }
            Source::Solved(solved) => solved_value(emitter, field, ty, solved),
        };
        all.extend(quote!(let #name: #ty = #value;));
    }
    all
}

pub(super) fn solved_value(
    emitter: &Emitter<'_>,
    target: &Field<'_>,
    ty: &syn::Type,
    solved: &Solved<'_>,
) -> TokenStream {
    let shown = text(&unraw(&target.name));
    let rt = emitter.rt.clone();
    let terms = |list: &[&Expr]| -> Vec<TokenStream> {
        list.iter()
            .map(|expr| {
                let function = emitter.function("term", expr, Wanted::Size);
                emitter.call(&function, Site::Write)
            })
            .collect()
    };
    let (add, sub) = (terms(&solved.add), terms(&solved.sub));
    let mul = solved.mul.map(|mul| terms(&[mul]));
    let mul = mul
        .and_then(|mut list| list.pop())
        .unwrap_or_else(|| quote!(::core::option::Option::Some(1)));
    let (value, always) = source_value(emitter, target, solved.of);
    let solve = quote! {
        {
            let __measured: u64 = #value;
            #rt::write::solve::<#ty, __B>(__out, #shown, __measured, #mul, &[#(#add),*], &[#(#sub),*])?
        }
    };
    if always { solve } else { quote!(if __B::COUNTS { 0 } else #solve) }
}

/// What a field is derived from, and whether the counting pass needs it too.
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
            true,
        ),
        Of::Offset(index) => (offset(emitter, index), false),
    }
}

/// The room that a padded field gets: what it had, or what it needs, rounded up.
pub(super) fn padded(emitter: &Emitter<'_>, target: &Field<'_>, field: &Field<'_>) -> TokenStream {
    let rt = emitter.rt.clone();
    let nul = u64::from(field.words.nul.is_some());
    let len = if field.kind.is_bytes() {
        if_present(field, &quote!(#rt::ops::wide(__value.len()).saturating_add(#nul)))
    } else {
        let value = value(emitter, field);
        if_present(
            field,
            &quote!(__out.measure(|__out| { #value ::core::result::Result::Ok(()) })?),
        )
    };
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
        quote!(#pad_to)
    };
    quote!(#rt::write::padded(#len, #align, #stored))
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
    let rt = emitter.rt.clone();
    if field.kind.is_bytes() && field.words.with.is_none() {
        return if_present(field, &quote!(#rt::ops::wide(__value.len())));
    }
    let value = value(emitter, field);
    let measured = if_present(
        field,
        &quote!(__out.measure(|__out| { #value ::core::result::Result::Ok(()) })?),
    );
    quote!(if __B::COUNTS { 0 } else { #measured })
}

pub(super) fn count_of(emitter: &Emitter<'_>, field: &Field<'_>) -> TokenStream {
    let rt = &emitter.rt;
    match field.kind {
        Kind::Seq(_) => if_present(field, &quote!(__value.walk_count())),
        _ => if_present(field, &quote!(#rt::ops::wide(__value.len()))),
    }
}
