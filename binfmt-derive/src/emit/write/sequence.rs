//! The fields that follow one another, and located ones where they lie.

use proc_macro2::TokenStream;
use quote::quote;

use super::parallel::in_sequence;
use super::piece::piece;
use super::plan::{Plan, mark};
use super::run::Run;
use super::slot_regions::slot_region;
use crate::derived::Point;
use crate::emit::walk::least_left;
use crate::emit::{local, magic, terminator, text};
use crate::expr::Measure;
use crate::model::{Field, Model, Space};
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
        all.extend(note_rest(model, field));
        if field.words.section.is_some() {
            all.extend(section(plan, index, field));
            all.extend(plan.up_to(Point::valued(index)));
            continue;
        }
        if let Some(parallel) = &field.parallel {
            all.extend(in_sequence(plan, index, field, parallel));
            all.extend(plan.up_to(Point::valued(index)));
            continue;
        }
        let name = local(&field.name);
        let piece = piece(plan, index, field);
        let is_missing = plan.ready.is_hole(index);
        let open = |what: &TokenStream| match field.is_optional() {
            _ if what.is_empty() => TokenStream::new(),
            true => quote!(if let __rt::Some(__value) = #name { #what }),
            false if is_missing => quote!({ #what }),
            false => quote!({ let __value = #name; #what }),
        };
        // What is absent begins and ends where it would lie.
        let nowhere = (field.is_optional() && plan.is_marked(index)).then(|| {
            let (from, to) = (mark(field, "from"), mark(field, "to"));
            quote!((#from, #to) = (__out.pos(), __out.pos());)
        });
        let ahead = absent_ahead(plan, field);
        let absent =
            (nowhere.is_some() || ahead.is_some()).then(|| quote!(else { #nowhere #ahead }));
        let known = plan.up_to(Point::valued(index));
        let rest = ends_with_the_region(plan, index, field);
        if absent.is_none() && rest.is_empty() && known.is_empty() {
            all.extend(open(&piece.whole()));
            continue;
        }
        let (value, behind) = piece.parts();
        let (value, behind) = (open(&value), open(&behind));
        all.extend(quote!(#value #absent #rest #known #behind));
    }
    all.extend(run.write(plan));
    all.extend(plan.up_to(Point::sequence(model)));
    all.extend(slot_region(plan, Space::Around));
    all.extend(slot_region(plan, Space::Behind));
    all
}

/// Notes where what is left of the region begins, if an expression asks for it.
fn note_rest(model: &Model<'_>, field: &Field<'_>) -> Option<TokenStream> {
    let asks = |(measure, other): (Measure, &Field<'_>)| {
        measure == Measure::Remaining && other.name == field.name
    };
    let rest = mark(field, "rest");
    let again = field.asks_behind_padding().then(|| quote!(mut));
    all_measures(model).into_iter().any(asks).then(|| quote!(let #again #rest = __out.pos();))
}

/// Writes a section: the located fields in it, and what lies between them.
fn section(plan: &mut Plan<'_, '_>, index: usize, field: &Field<'_>) -> TokenStream {
    let (from, to) = (mark(field, "from"), mark(field, "to"));
    let begun = plan.up_to(Point::begun(index));
    let slot_region = slot_region(plan, Space::Section(index));
    let behind = terminator::behind(plan.emitter, field);
    let name = text(&field.label);
    let behind = (!behind.is_empty()).then(|| quote!(__out.enter(#name); #behind __out.leave();));
    let rest = ends(plan, index, field);
    quote! {
        #from = __out.pos();
        #begun
        let __section = __out.open();
        #slot_region
        __out.close(__section);
        #rest
        #behind
        #to = __out.pos();
    }
}

/// What a reader asks of the end of a field, if the field is there.
fn ends_with_the_region(plan: &Plan<'_, '_>, index: usize, field: &Field<'_>) -> TokenStream {
    let Some(ends) = ends(plan, index, field) else { return TokenStream::new() };
    let name = local(&field.name);
    if field.is_optional() { quote!(if #name.is_some() { #ends }) } else { ends }
}

/// Insists that a reader, which goes on while enough of the region is left, ends where the value of
/// the field does: what follows it there must be less than that.
pub(super) fn ends(plan: &Plan<'_, '_>, index: usize, field: &Field<'_>) -> Option<TokenStream> {
    let least = least_left(plan.emitter, index, field)?;
    let (rt, label) = (&plan.emitter.rt, text(&field.label));
    Some(quote!(#rt::write::ends(__out, #label, #least)?;))
}

/// Insists that what follows an absent field does not begin with the magic that readers look for.
fn absent_ahead(plan: &Plan<'_, '_>, field: &Field<'_>) -> Option<TokenStream> {
    field.words.optional.as_ref()?;
    let (rt, label, ty) = (&plan.emitter.rt, text(&field.label), field.inner);
    let magics = match magic::field_magics(plan.emitter, field) {
        Some(bytes) => quote!(#rt::Ahead::Absent(#bytes)),
        None => quote!(#rt::Ahead::NoneOf(<#ty as #rt::Wire<'_>>::WIRE, __out.order)),
    };
    Some(quote!(let __magics = #magics; #rt::write::absent(__out, #label, __magics)?;))
}
