//! Numbers of items that `set` computes: in which order, and that they are known where they are used.

use super::shape::exprs as shape_exprs;
use super::{EntryStep, Of, Point, Ready, entry_steps, entry_steps_in};
use crate::errors::Errors;
use crate::expr::{Expr, Measure};
use crate::model::{Field, Model, Parallel};
use syn::Ident;

/// One number of an item that `set` of a field with `for_each` gives a value.
#[derive(Clone, Copy)]
pub(crate) struct EntrySet<'m> {
    /// Index of the field with `for_each`.
    pub(crate) field: usize,
    /// The number, as the declaration names it: `it.width`.
    pub(crate) number: &'m Expr,
    pub(crate) value: &'m Expr,
}

impl EntrySet<'_> {
    /// Whether its value, or another expression, uses a number of the item.
    fn is_used_in(&self, value: &Expr) -> bool {
        value.parts().iter().any(|(name, path)| self.number.overlaps((name, path)))
    }
}

/// The fields with a value for every item of a table.
pub(super) fn beside<'m>(
    model: &'m Model<'_>,
    table: &Ident,
) -> impl Iterator<Item = (usize, &'m Field<'m>, &'m Parallel<'m>)> {
    let fields = model.fields().iter().enumerate();
    let fields = fields.filter_map(|(index, field)| Some((index, field, field.parallel.as_ref()?)));
    fields.filter(move |(_, _, parallel)| parallel.table == *table)
}

/// All that is set in the items of a table, each behind what it needs; `Err` with what needs itself,
/// and what it needs for that.
pub(crate) fn entry_sets<'m>(
    model: &'m Model<'_>,
    table: &Ident,
) -> Result<Vec<EntrySet<'m>>, (&'m Expr, &'m Expr)> {
    let sets = beside(model, table).flat_map(|(field, _, parallel)| {
        let list = parallel.element.item_setters().iter();
        list.map(move |(number, value)| EntrySet { field, number, value })
    });
    let mut waiting: Vec<EntrySet<'m>> = sets.collect();
    let mut all = Vec::new();
    while let Some(first) = waiting.first() {
        let needed = |set: &EntrySet<'m>| {
            waiting.iter().find(|other| other.is_used_in(set.value)).map(|other| other.number)
        };
        let ready = waiting.iter().position(|set| needed(set).is_none());
        let Some(ready) = ready else {
            return Err((first.number, needed(first).unwrap_or(first.number)));
        };
        all.push(waiting.remove(ready));
    }
    Ok(all)
}

/// Whether a number of an item that a size tells is known before its value is written.
pub(crate) fn is_step_known(model: &Model<'_>, ready: &Ready<'_>, step: &EntryStep<'_>) -> bool {
    let element = model.fields().get(step.field).map(Field::one);
    let measured = match step.solved.of {
        Of::Len(_) => element.is_some_and(Field::is_bytes),
        Of::Count(_) => true,
        _ => false,
    };
    measured && ready.terms(&step.solved) == Point::BEFORE && !step.follows_another()
}

/// Whether a number that is set is known before the values of the field at `index` are written.
pub(crate) fn is_set_known(
    model: &Model<'_>,
    ready: &Ready<'_>,
    set: &EntrySet<'_>,
    (index, table): (usize, &Ident),
) -> bool {
    let steps = entry_steps_in(model, table);
    let mut late_steps = steps.iter().filter(|step| !is_step_known(model, ready, step));
    let others = entry_sets(model, table).unwrap_or_default();
    let mut needed = others.iter().filter(|other| other.is_used_in(set.value));
    let asked = set.value.measures();
    let mut asked =
        asked.iter().filter_map(|(measure, name)| Some((*measure, model.value_of(name)?)));
    let known = |(measure, element): (Measure, &Field<'_>)| match measure {
        Measure::Count | Measure::Tag => true,
        Measure::Len => element.is_bytes() && element.cut().is_none(),
        _ => false,
    };
    ready.expr(set.value) <= ready.comes(index)
        && asked.all(known)
        && !late_steps.any(|step| {
            let parts = set.value.parts();
            parts.iter().any(|(name, path)| step.target.overlaps((name, path)))
        })
        && needed.all(|other| is_set_known(model, ready, other, (index, table)))
}

/// What the values of a field need of their items before they are written: all that is
/// set and decides their shape, and what that follows from.
pub(crate) fn sets_before<'m>(model: &'m Model<'_>, parallel: &Parallel<'_>) -> Vec<EntrySet<'m>> {
    let mut needed: Vec<EntrySet<'m>> = Vec::new();
    let exprs = shape_exprs(&parallel.element);
    for set in entry_sets(model, &parallel.table).unwrap_or_default().into_iter().rev() {
        let shapes = exprs.iter().any(|(_, expr, _)| set.is_used_in(expr));
        if shapes || needed.iter().any(|other| set.is_used_in(other.value)) {
            needed.insert(0, set);
        }
    }
    needed
}

/// Reports numbers that are set where something else tells them, that need themselves, or that are
/// known too late.
pub(super) fn check(errors: &mut Errors, model: &Model<'_>) {
    let mut tables: Vec<&Ident> = Vec::new();
    for field in model.fields() {
        let Some(parallel) = &field.parallel else { continue };
        let own = entry_steps_in(model, &parallel.table);
        for (number, _) in parallel.element.item_setters() {
            told_otherwise(errors, model, parallel, number, &own);
        }
        if !tables.contains(&&parallel.table) {
            tables.push(&parallel.table);
        }
    }
    for step in (0..model.fields().len()).flat_map(|index| entry_steps(model, index)) {
        uses_what_is_set(errors, model, &step);
    }
    for table in tables {
        let Err((number, needed)) = entry_sets(model, table) else { continue };
        let (number_text, needed_text) = (number.rendered(), needed.rendered());
        let by_way = if number.is_same(needed) {
            String::new()
        } else {
            format!(" by way of `{needed_text}`")
        };
        errors.add_range(
            number.ends(),
            format!("`{number_text}` is computed from itself{by_way}; change one of the circle"),
        );
    }
}

/// A size, a place or a checksum tells the number already.
fn told_otherwise(
    errors: &mut Errors,
    model: &Model<'_>,
    parallel: &Parallel<'_>,
    number: &Expr,
    steps: &[EntryStep<'_>],
) {
    let text = number.rendered();
    let step = steps.iter().find(|step| step.target.is_same(number));
    if let Some(step) = step
        && let Some(field) = model.fields().get(step.field)
    {
        let word = match step.solved.of {
            Of::Len(_) => "len",
            Of::Count(_) => "count",
            _ => "at",
        };
        let message = format!(
            "`{word}` of `{}` says already what `{text}` is when written; remove it here",
            field.name
        );
        return errors.add_range(number.ends(), message);
    }
    let mut sums = beside(model, &parallel.table).filter_map(|(_, _, other)| other.sum.as_ref());
    if sums.any(|sum| sum.number.is_same(number)) {
        let message = format!("`{text}` keeps a checksum already; remove it here");
        errors.add_range(number.ends(), message);
    }
}

/// A size is solved for a number of the item before others are set.
fn uses_what_is_set(errors: &mut Errors, model: &Model<'_>, step: &EntryStep<'_>) {
    let Some(field) = model.fields().get(step.field) else { return };
    let Some(parallel) = &field.parallel else { return };
    let sets = entry_sets(model, &parallel.table).unwrap_or_default();
    for term in step.solved.terms() {
        let Some(set) = sets.iter().find(|set| set.is_used_in(term)) else { continue };
        let (number, target) = (set.number.rendered(), step.target.rendered());
        errors.add_range(
            term.ends(),
            format!("`{target}` is computed from this before `set` computes `{number}`; use numbers of the item that nothing computes"),
        );
    }
}

/// Reports numbers that decide how values are written and are known only when that has happened.
pub(super) fn check_shape(errors: &mut Errors, model: &Model<'_>, ready: &Ready<'_>) {
    for (index, field) in model.fields().iter().enumerate() {
        // A view is looked at when all is set.
        let Some(parallel) = field.parallel.as_ref().filter(|_| !field.is_view()) else { continue };
        let sets = entry_sets(model, &parallel.table).unwrap_or_default();
        for (word, expr, _) in shape_exprs(&parallel.element) {
            let late = sets.iter().find(|set| {
                set.is_used_in(expr) && !is_set_known(model, ready, set, (index, &parallel.table))
            });
            let Some(late) = late else { continue };
            let (text, own) = (late.number.rendered(), &field.name);
            errors.add_range(
                expr.ends(),
                format!("`set` computes `{text}` when more has been written, and `{word}` of `{own}` needs it before; use a number of the item that nothing computes"),
            );
        }
    }
}
