//! The tables of fields with `for_each`: the numbers that tell where the values lie, set when these are
//! written.

use proc_macro2::TokenStream;
use quote::quote;
use syn::Ident;

use super::item_numbers::{measured, told_by};
use super::parallel::{bind, entries_of, holds_tables, is_table, sizes_of};
use super::plan::{Plan, mark};
use super::slots::{base, is_offset, slots_with};
use super::{item_sets, item_sums};
use crate::derived::{EntrySet, EntryStep, Of, Point, entry_sets, entry_steps, is_told_alone};
use crate::emit::walk::{condition, copier, groups, items_of};
use crate::emit::{Emitter, Site, local, text};
use crate::model::{Field, Model, Parallel};

/// What is done with the entries of one table.
struct Filled {
    /// When all their numbers are known.
    point: Point,
    sums: TokenStream,
    body: TokenStream,
}

/// Plans to write the tables when all their numbers are known.
pub(super) fn plan(plan: &mut Plan<'_, '_>) {
    let emitter = plan.emitter;
    for (index, field) in emitter.model.fields().iter().enumerate() {
        if is_table(emitter, field) {
            let filled = filled(plan, index, &field.name);
            plan.at(filled.point, written(emitter, field, &filled));
        } else if holds_tables(emitter, field) {
            inside(plan, index, field);
        }
    }
}

/// Writes the entries of a table.
fn written(emitter: &Emitter<'_>, field: &Field<'_>, filled: &Filled) -> TokenStream {
    let Filled { sums, body, .. } = filled;
    let (rt, region, entries) = (&emitter.rt, mark(field, "region"), entries_of(&field.name));
    let (args, label) = (emitter.field_args(field, Site::Write), text(&field.label));
    let copier = copier(emitter, field, &quote!(#entries[..]));
    let (parts, held) = (super::used::parts(emitter, field), super::used::of_table(emitter, field));
    let write = super::value::items(emitter, field);
    let mut beside = emitter.model.fields().iter().filter_map(|other| other.parallel.as_ref());
    let named =
        beside.any(|one| one.table == field.name && one.element.sizes_name_before().is_some());
    let before = named.then(|| quote!(let __before = __done.last();));
    quote! {{
        let __passed = #args;
        #sums
        #rt::parallel::write_over(__out, #region, (#label, #parts, #held), (&#entries[..], #copier), __passed, &mut |__out, __done, __at, __entry| {
            let __index = __done.len();
            #before
            #body
            __rt::Ok(())
        }, &mut |__out, __value| {
            #write
            __rt::Ok(())
        })?;
    }}
}

/// Plans to write a value that holds tables, with all numbers of their entries and what `set` computes.
fn inside(plan: &mut Plan<'_, '_>, index: usize, field: &Field<'_>) {
    let emitter = plan.emitter;
    let rt = &emitter.rt;
    let setters = 0..field.setters().len();
    let set = setters.map(|number| plan.ready.set_to(index, number));
    let mut point = set.fold(plan.ready.written(index), Point::max);
    let mut sums = TokenStream::new();
    let set = super::blank::tables(emitter, field).into_iter().map(|parallel| {
        let filled = filled(plan, index, &parallel.table);
        point = point.max(filled.point);
        sums.extend(filled.sums);
        let (body, entries) = (filled.body, entries_of(&parallel.table));
        let items = items_of(emitter, parallel, &quote!(__group), true);
        let groups = groups(parallel, field, &quote!(__copy), true);
        quote! {
            let mut __set = #entries.clone();
            for (__index, __entry) in __set.iter_mut().enumerate() {
                let __at = __out.pos();
                #body
            }
            #rt::parallel::put_back(#groups, |__group| #items, __set);
        }
    });
    let set: TokenStream = set.collect();
    let (name, label, ty) = (local(&field.name), text(&field.label), field.ty);
    let (region, write) = (mark(field, "region"), super::value::plain(emitter, field));
    let (over, write) = super::set::over(plan, index, &write);
    let write = if field.is_optional() {
        quote!(if let __rt::Some(__value) = &__copy { #write })
    } else {
        quote!(let __value = &__copy; #write)
    };
    let held = super::used::of_table(emitter, field);
    let lengthened = (!field.setters().is_empty()).then(|| {
        let lengthened = super::set::lengthened(emitter, field, &quote!(__copy));
        quote!(if __out.has_room() #lengthened)
    });
    let write_over = quote! {
        #sums
        __out.#over(#region, &mut |__out| {
            let mut __copy = #rt::wanted::to_be_set::<#ty>(#name);
            let __using = __out.using(#held);
            #set
            __out.used(__using);
            #lengthened
            __out.enter(#label);
            #write
            __out.leave();
            __rt::Ok(())
        })?;
    };
    let there = field.is_optional().then(|| quote!(if #name.is_some()));
    plan.at(point, quote!(#there { #write_over }));
}

/// What is done with every entry of a table, in the field at `index`.
fn filled(plan: &Plan<'_, '_>, index: usize, table: &Ident) -> Filled {
    let (emitter, model) = (plan.emitter, plan.emitter.model);
    let point = plan.ready.written(index).max(plan.ready.filled(table));
    let (mut body, mut sums) = (TokenStream::new(), TokenStream::new());
    // A view looks at the items as they are written.
    let mut looks = TokenStream::new();
    for (index, other) in model.fields().iter().enumerate() {
        let parallel = other.parallel.as_ref().filter(|parallel| parallel.table == *table);
        let Some(parallel) = parallel else { continue };
        let own = entry_steps(model, index);
        if other.is_view() {
            let look = || super::view::of_entry(plan, index, other, parallel);
            looks.extend(emitter.with_entry(other, look));
            continue;
        }
        sums.extend(item_sums::computed(plan, index, other, parallel));
        body.extend(emitter.with_entry(other, || told(plan, index, other, parallel, &own)));
    }
    let sets = entry_sets(model, table).unwrap_or_default();
    if agrees_late(model, table) {
        body.extend(in_items(plan, table, &sets));
    }
    body.extend(looks);
    Filled { point, sums, body }
}

/// Whether more is set in an entry when one field has set its numbers: by `set`, or by another field, which
/// may set the same.
fn agrees_late(model: &Model<'_>, table: &Ident) -> bool {
    let telling = model.fields().iter().filter(|field| {
        !field.is_view() && field.parallel.as_ref().is_some_and(|other| other.table == *table)
    });
    telling.count() > 1 || entry_sets(model, table).is_ok_and(|sets| !sets.is_empty())
}

/// What is done with one value and its slot.
fn with_value(
    plan: &Plan<'_, '_>,
    index: usize,
    field: &Field<'_>,
    what: &TokenStream,
) -> TokenStream {
    if what.is_empty() {
        return TokenStream::new();
    }
    let name = local(&field.name);
    let slot = if field.is_located() {
        let (slots, first) = slots_with(plan, index, field);
        quote!(#slots.get(#first.saturating_add(__index)))
    } else {
        let sizes = sizes_of(field);
        quote!(#sizes.get(__index))
    };
    quote! {
        if let (__rt::Some(__one), __rt::Some(__slot)) =
            (#name.get(__index), #slot)
        {
            #what
        }
    }
}

/// Sets the numbers of one entry that follow from sizes, places and checksums. What nothing sets must
/// agree, which is looked at when all is set.
fn told(
    plan: &Plan<'_, '_>,
    index: usize,
    field: &Field<'_>,
    parallel: &Parallel<'_>,
    steps: &[EntryStep<'_>],
) -> TokenStream {
    let puts: TokenStream = steps.iter().map(|step| told_by(plan, field, parallel, step)).collect();
    let sum = item_sums::put(plan, field, parallel);
    let agree = (!agrees_late(plan.emitter.model, &parallel.table)).then(|| {
        let bound = bind(plan.emitter, parallel, &quote!(__one), &quote!(&*__entry));
        let agree = agree(plan, field, parallel);
        quote!(#bound #agree)
    });
    with_value(plan, index, field, &quote!(#puts #sum #agree))
}

/// Sets what `set` computes, when sizes, places and checksums are in the entry; then all must agree.
fn in_items(plan: &Plan<'_, '_>, table: &Ident, sets: &[EntrySet<'_>]) -> TokenStream {
    let emitter = plan.emitter;
    let mut all = TokenStream::new();
    for one in sets {
        let Some(field) = emitter.model.fields().get(one.field) else { continue };
        let put = item_sets::put(plan, one, &quote!((*__entry)));
        all.extend(with_value(plan, one.field, field, &put));
    }
    for (index, field) in emitter.model.fields().iter().enumerate() {
        let parallel = field.parallel.as_ref().filter(|other| other.table == *table);
        let Some(parallel) = parallel.filter(|_| !field.is_view()) else { continue };
        let agree = emitter.with_entry(field, || {
            let bound = bind(emitter, parallel, &quote!(__one), &quote!(&*__entry));
            let agree = agree(plan, field, parallel);
            if agree.is_empty() { agree } else { quote!(#bound #agree) }
        });
        all.extend(with_value(plan, index, field, &agree));
    }
    all
}

/// What the entries say in the end must be so.
fn agree(plan: &Plan<'_, '_>, field: &Field<'_>, parallel: &Parallel<'_>) -> TokenStream {
    let (emitter, rt) = (plan.emitter, &plan.emitter.rt);
    let (element, label) = (&parallel.element, text(&field.label));
    let given = [
        ("at", &element.words.at, Of::Offset(0)),
        ("len", &element.words.len, Of::Len(0)),
        ("count", &element.words.count, Of::Count(0)),
    ];
    let (mut all, mut absent) = (TokenStream::new(), TokenStream::new());
    for (word, expr, of) in given {
        let Some(expr) =
            expr.as_ref().filter(|expr| !is_told_alone(emitter.model, parallel, &expr.value))
        else {
            continue;
        };
        let call = emitter.size(word, &expr.value, Site::Write);
        let measured = measured(emitter, element, of);
        all.extend(quote! {
            #rt::parallel::agree(__out, #label, __at, #word, #call, #measured)?;
        });
        // With a factor that is 0 no number may say that a value is absent.
        if let Some(null) = element.words.null.as_ref().filter(|_| is_offset(of)) {
            let null = &null.value;
            // Where the condition says that there is no value, the offset need not.
            let may_be = element.words.condition.is_some().then(|| {
                let condition = condition(emitter, element, Site::Write);
                quote!(if #condition)
            });
            absent = quote!(else #may_be {
                #rt::parallel::agree(__out, #label, __at, #word, #call, __rt::Some(#null))?;
            });
        }
    }
    let own = local(&element.name);
    if element.is_optional() {
        let null = element.words.null.as_ref().map(|null| {
            let (null, base) = (&null.value, base(emitter, element));
            quote!(#rt::parallel::not_null(__out, #label, __at, __slot.offset_from(#base), #null)?;)
        });
        all = quote!(if #own.is_some() { #all #null } #absent);
    }
    if element.words.condition.is_some() {
        let condition = condition(emitter, element, Site::Write);
        let exact = element.words.null.is_none();
        all.extend(
            quote!(#rt::write::presence(__out, #label, __at, (#condition, #own.is_some()), #exact)?;),
        );
    }
    all
}
