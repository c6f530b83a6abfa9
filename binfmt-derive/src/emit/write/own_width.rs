//! Numbers that are computed from how wide a value is, and tell that themselves, perhaps by way of others: each must be
//! the same when that width is known. `align_up(len(text), 8)` is, and `len(text) + 1` is not.

use proc_macro2::TokenStream;
use quote::quote;

use super::measures::len_of;
use super::numbers::{calculated, held_number};
use super::plan::{Plan, mark};
use super::set;
use crate::derived::{Point, Source, Step};
use crate::emit::expr::measured;
use crate::emit::{Emitter, local, text};
use crate::expr::{Expr, Measure};
use crate::model::Field;

/// Plans that all of them are looked at.
pub(super) fn plan(plan: &mut Plan<'_, '_>) {
    let emitter = plan.emitter;
    for step in emitter.steps {
        calc(plan, step);
    }
    for (index, field) in emitter.model.fields().iter().enumerate() {
        for (number, setter) in field.setters().iter().enumerate() {
            let Some((known, widths)) = widths(plan, &setter.1) else { continue };
            let check = set::stays(emitter, field, setter);
            plan.at(known.max(plan.ready.set_to(index, number)), quote!(#widths #check));
        }
    }
}

/// A number that has a `calc`.
fn calc(plan: &mut Plan<'_, '_>, step: &Step<'_>) {
    let emitter = plan.emitter;
    let (Source::Calc(calc), Some(field)) = (&step.source, emitter.model.fields().get(step.target))
    else {
        return;
    };
    let Some((known, widths)) = widths(plan, calc) else { return };
    let (name, label, at) = (local(&field.name), text(&field.label), mark(field, "at"));
    let (held, again) = (held_number(field), calculated(emitter, field, calc));
    let check = quote! {
        #widths
        let __again = #again;
        __rt::write::stays(__out, (#label, #at), (#held, __again))?;
    };
    plan.at(
        known.max(plan.ready.target(step.target)).max(Point::begun(step.target)),
        if field.is_optional() {
            quote!(if let __rt::Some(__held) = #name { #check })
        } else {
            quote!({ #check })
        },
    );
}

/// How wide the values are whose width an expression asks for and a number tells, and when that is known; `None` if
/// there are none.
fn widths(plan: &Plan<'_, '_>, expr: &Expr) -> Option<(Point, TokenStream)> {
    let emitter = plan.emitter;
    let measures = expr.measures().into_iter().filter(|(measure, _)| *measure == Measure::Len);
    let told = measures.filter_map(|(_, name)| told_width(emitter, name));
    let known = told.clone().map(|(_, len)| plan.ready.expr(len)).max()?;
    let widths = told.map(|(field, _)| {
        let (name, width) = (measured(Measure::Len, &field.name), len_of(emitter, field));
        quote!(let #name: u64 = #width;)
    });
    Some((known, widths.collect()))
}

/// A value whose fill is cut when it is read, and what tells its width.
fn told_width<'m>(emitter: &Emitter<'m>, name: &syn::Ident) -> Option<(&'m Field<'m>, &'m Expr)> {
    let (_, field) = emitter.model.field(name)?;
    let len = &field.words.len.as_ref().filter(|_| field.cut().is_some())?.value;
    (!len.names().is_empty()).then_some((field, len))
}
