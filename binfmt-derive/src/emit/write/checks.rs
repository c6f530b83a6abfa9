//! Rules, conditions and sizes that must agree, each checked when its numbers are known.

use proc_macro2::TokenStream;
use quote::quote;

use super::measures::{count_of, len_of};
use super::numbers::both;
use super::plan::{Plan, mark};
use super::slots::slot_offset;
use crate::attr::Word;
use crate::derived::{Of, Point, always_computes};
use crate::emit::walk::{condition, place_decides};
use crate::emit::{Emitter, Site, limits, local, text};
use crate::expr::{Expr, Measure};
use crate::model::Field;

/// Plans all checks of a type.
pub(super) fn plan(plan: &mut Plan<'_, '_>) {
    let emitter = plan.emitter;
    let model = emitter.model;
    // All places are learned before one of them is refused, for which another one may be the reason.
    let mut learned = Point::BEFORE;
    for (index, field) in model.fields().iter().enumerate() {
        learned = learned.max(placed(plan, index, field));
    }
    for (index, field) in model.fields().iter().enumerate() {
        presence(plan, index, field);
        sizes(plan, (index, field), learned);
        place(plan, (index, field), learned);
        let at = mark(field, "at");
        let own = own_point(plan, index);
        for (number, rule) in field.words.rules.iter().enumerate() {
            let rule_point = plan.ready.expr(&rule.condition).max(own);
            let check = emitter.write_rule(Some(field), &field.words.rules, number, &quote!(#at));
            plan.at(rule_point, check);
        }
        // Behind the items, which say themselves where they hold other numbers than are written.
        plan.at(plan.ready.written(index), limits::write(emitter, field, &quote!(#at)));
    }
    whole(plan);
    for computed in &model.words.computed {
        let point = plan.ready.expr(&computed.expr);
        plan.at(point, emitter.write_computed(computed));
    }
    for (number, rule) in model.words.rules.iter().enumerate() {
        let point = plan.ready.expr(&rule.condition);
        let check = emitter.write_rule(None, &model.words.rules, number, &quote!(__start));
        plan.at(point, check);
    }
}

/// Whether a number that is there follows from what is measured, so that the two agree: a reader computes that from
/// the number, where no step of it may be below 0.
fn is_computed(plan: &Plan<'_, '_>, of: Of, expr: &Expr) -> bool {
    always_computes(plan.emitter.model, plan.emitter.steps, of) && !expr.may_dip()
}

/// The length of the type that no field is computed from must be that of the value.
fn whole(plan: &mut Plan<'_, '_>) {
    let emitter = plan.emitter;
    let len = emitter.model.words.len.as_ref();
    let Some(len) = len.filter(|len| !is_computed(plan, Of::Total, &len.value)) else { return };
    let call = emitter.size("len", &len.value, Site::Write);
    let point = both(plan, &len.value, Point::end(emitter.model));
    let measured = quote!(__end.checked_sub(__start));
    let mut sections = emitter.model.fields().iter().filter(|field| field.words.section.is_some());
    let (agree, words) = agree_with(emitter, "len", sections.next());
    plan.at(point, quote!(#agree(__out, "", __start, #words, (#call, #measured))?;));
}

/// The point at which a field is looked at: before it is written, or with its place.
fn own_point(plan: &Plan<'_, '_>, index: usize) -> Point {
    let located = plan.emitter.model.fields().get(index).is_some_and(Field::is_located);
    if located { plan.ready.written(index) } else { Point::next(index) }
}

fn presence(plan: &mut Plan<'_, '_>, index: usize, field: &Field<'_>) {
    let decides = place_decides(plan.emitter, field);
    let null = field.words.null.as_ref().filter(|_| decides).and(field.words.at.as_ref());
    let words = [field.words.condition.as_ref(), null];
    let exprs = words.into_iter().flatten().map(|word| plan.ready.expr(&word.value));
    let Some(known) = exprs.max() else { return };
    let (emitter, rt) = (plan.emitter, &plan.emitter.rt);
    let (name, label, at) = (local(&field.name), text(&field.label), mark(field, "at"));
    let condition = condition(emitter, field, Site::Write);
    let exact = field.words.null.is_none() || decides;
    let point = known.max(own_point(plan, index));
    plan.at(
        point,
        quote!(#rt::write::presence(__out, #label, #at, (#condition, #name.is_some()), #exact)?;),
    );
}

/// The function that compares what an expression says with what has been measured, and the words that name it.
fn agree(emitter: &Emitter<'_>, word: &str, expr: &Expr) -> (TokenStream, TokenStream) {
    let sections = expr.measures().into_iter().filter_map(|(_, name)| emitter.model.field(name));
    let mut sections = sections.map(|(_, field)| field);
    agree_with(emitter, word, sections.find(|field| field.words.section.is_some()))
}

/// The same where a section has a length of its own.
fn agree_with(
    emitter: &Emitter<'_>,
    word: &str,
    section: Option<&Field<'_>>,
) -> (TokenStream, TokenStream) {
    let rt = &emitter.rt;
    match section {
        Some(section) => {
            let section = text(&section.label);
            (quote!(#rt::write::agree_in_section), quote!((#word, #section)))
        }
        None => (quote!(#rt::write::agree), quote!(#word)),
    }
}

/// Sizes and counts that no field is computed from must be those of the value.
fn sizes(plan: &mut Plan<'_, '_>, (index, field): (usize, &Field<'_>), learned: Point) {
    let emitter = plan.emitter;
    let (name, label, at) = (local(&field.name), text(&field.label), mark(field, "at"));
    let sizes = [
        (&field.words.len, "len", Of::Len(index), Measure::Len),
        (&field.words.count, "count", Of::Count(index), Measure::Count),
    ];
    for (expr, word, of, measure) in sizes {
        let Some(expr) = expr.as_ref().filter(|expr| !is_computed(plan, of, &expr.value)) else {
            continue;
        };
        let call = emitter.size(word, &expr.value, Site::Write);
        let measured = match of {
            Of::Len(_) => len_of(emitter, field),
            _ => count_of(emitter, field),
        };
        let known = match of {
            Of::Len(_) if field.words.section.is_some() => Point::valued(index),
            Of::Len(_) if field.is_bytes() => plan.ready.measure(measure, index),
            Of::Len(_) => plan.ready.written(index),
            _ => Point::BEFORE,
        };
        let point = both(plan, &expr.value, known).max(own_point(plan, index)).max(learned);
        let (agree, words) = agree(emitter, word, &expr.value);
        let agree = quote! {
            let __measured: u64 = #measured;
            #agree(__out, #label, #at, #words, (#call, __rt::Some(__measured)))?;
        };
        plan.at(
            point,
            if field.is_optional() {
                quote!(if #name.is_some() { #agree })
            } else {
                quote!({ #agree })
            },
        );
    }
}

/// Where a value has been placed, and what the next pass has to know of that; the point at which that is told.
fn placed(plan: &mut Plan<'_, '_>, index: usize, field: &Field<'_>) -> Point {
    if !field.is_located() || field.parallel.is_some() || field.is_view() {
        return Point::BEFORE;
    }
    let (name, at, written) = (local(&field.name), mark(field, "at"), own_point(plan, index));
    let place = super::slots::slot_of(plan, index);
    plan.at(written, quote!(#at = #place.at;));
    let learned = super::places::learned(plan, index, field);
    let Some(word) = field.words.at.as_ref().filter(|_| !learned.is_empty()) else {
        return Point::BEFORE;
    };
    let present = field.is_optional().then(|| quote!(if #name.is_some()));
    let point = plan.ready.expr(&word.value).max(written);
    plan.at(point, quote!(#present { #learned }));
    point
}

/// A place that no field is computed from must be that of the value, and none that says `null`.
fn place(plan: &mut Plan<'_, '_>, (index, field): (usize, &Field<'_>), learned: Point) {
    let (emitter, rt) = (plan.emitter, &plan.emitter.rt);
    let (name, label, at) = (local(&field.name), text(&field.label), mark(field, "at"));
    let written = own_point(plan, index);
    if field.is_view() {
        return;
    }
    let computed = |word: &&Word<Expr>| is_computed(plan, Of::Offset(index), &word.value);
    if let Some(word) = field.words.at.as_ref().filter(|word| !computed(word)) {
        let call = emitter.size("at", &word.value, Site::Write);
        let slot = slot_offset(plan, index, field);
        let present = if field.is_optional() { quote!(#name.is_some()) } else { quote!(true) };
        let point = plan.ready.expr(&word.value).max(written).max(learned);
        let (agree, words) = agree(emitter, "at", &word.value);
        plan.at(
            point,
            quote!(if #present { #agree(__out, #label, #at, #words, (#call, #slot))?; }),
        );
    }
    if let Some(null) = &field.words.null {
        let (null, slot) = (&null.value, slot_offset(plan, index, field));
        plan.at(
            written,
            quote!(if #name.is_some() { #rt::write::not_null(__out, #label, #at, #slot, #null)?; }),
        );
    }
}
