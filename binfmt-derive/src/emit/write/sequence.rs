//! The fields that follow one another, and located ones where they lie.

use proc_macro2::TokenStream;
use quote::quote;

use super::piece::piece;
use super::plan::{Plan, mark};
use super::run::Run;
use super::slots::bed;
use super::sums::touches;
use crate::derived::Point;
use crate::emit::local;
use crate::expr::Measure;
use crate::steps::all_measures;

/// Writes the fields that follow one another, and located fields where they lie.
pub(super) fn sequence(plan: &mut Plan<'_, '_>) -> TokenStream {
    let mut all = TokenStream::new();
    let mut run = Run::default();
    let model = plan.emitter.model;
    for (index, field) in model.fields().iter().enumerate().filter(|(_, field)| !field.is_located())
    {
        if run.take(plan, index, field) {
            continue;
        }
        all.extend(run.write(plan));
        all.extend(plan.note_at(index, field, 0));
        all.extend(plan.up_to(Point::next(index)));
        let measures = all_measures(model);
        let asked = |(measure, other): &(Measure, &crate::model::Field<'_>)| {
            *measure == Measure::Remaining && other.name == field.name
        };
        if measures.iter().any(asked) {
            let rest = mark(field, "rest");
            all.extend(quote!(let #rest = __out.pos();));
        }
        if field.words.section.is_some() {
            let (from, to) = (mark(field, "from"), mark(field, "to"));
            let bed = bed(plan, Some(index));
            all.extend(quote!(#from = __out.pos(); #bed #to = __out.pos();));
            all.extend(plan.up_to(Point::valued(index)));
            continue;
        }
        let name = local(&field.name);
        let piece = piece(plan, index, field);
        let is_missing = plan.ready.is_hole(index);
        let open = |what: &TokenStream| match field.is_optional() {
            _ if what.is_empty() => TokenStream::new(),
            true => quote!(if let ::core::option::Option::Some(__value) = #name { #what }),
            false if is_missing => quote!({ #what }),
            false => quote!({ let __value = #name; #what }),
        };
        let (value, behind) = (open(&piece.value), open(&piece.behind));
        // What is absent has no place, but what is covered may begin or end there.
        let absent = (field.is_optional() && touches(plan.emitter, index)).then(|| {
            let (from, to) = (mark(field, "from"), mark(field, "to"));
            quote!(else { (#from, #to) = (__out.pos(), __out.pos()); })
        });
        let known = plan.up_to(Point::valued(index));
        all.extend(quote!(#value #absent #known #behind));
    }
    all.extend(run.write(plan));
    all.extend(plan.up_to(Point::sequence(model)));
    all.extend(bed(plan, None));
    all
}
