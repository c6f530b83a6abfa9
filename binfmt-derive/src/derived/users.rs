//! The fields of which one number tells: several that exclude one another may share it.

use super::linear::linear;
use super::{Of, Solved, Source, Step};
use crate::attr::Word;
use crate::expr::Expr;
use crate::model::{Field, Model, sharers};

impl Of {
    /// What tells the length or the count of a field.
    fn word<'f>(self, field: &'f Field<'_>) -> Option<&'f Expr> {
        let words = &field.words;
        match self {
            Self::Len(_) => Some(&words.len.as_ref()?.value),
            Self::Count(_) => Some(&words.count.as_ref()?.value),
            _ => None,
        }
    }
}

/// The fields whose length or count a field tells: the one it is solved for, and others that may be absent
/// and of which it tells in the same way, or with nothing but constants.
pub(crate) fn users<'m>(model: &'m Model<'m>, target: &Field<'_>, of: Of) -> Vec<&'m Field<'m>> {
    let (Of::Len(own) | Of::Count(own)) = of else { return Vec::new() };
    let users = model.fields().iter().enumerate().filter(|(index, field)| {
        let tells = || is_told_alike(model, of, field) || told(*index, field, target).is_some();
        *index == own || (field.is_optional() && !field.is_view() && tells())
    });
    users.map(|(_, field)| field).collect()
}

/// The field of which a number tells, and others that may be absent and of which the same expression tells.
pub(crate) fn told_alike<'m>(model: &'m Model<'m>, of: Of) -> Vec<&'m Field<'m>> {
    let Some((own, field)) = of.field().and_then(|own| Some((own, model.fields().get(own)?)))
    else {
        return Vec::new();
    };
    if matches!(of, Of::Offset(_)) {
        return sharers(model, field).into_iter().map(|(_, sharer)| sharer).collect();
    }
    let alike = model.fields().iter().enumerate().filter(|(index, field)| {
        let other = || field.is_optional() && !field.is_view() && is_told_alike(model, of, field);
        *index == own || other()
    });
    alike.map(|(_, field)| field).collect()
}

/// Whether the expression that tells of one field tells of this one, too.
fn is_told_alike(model: &Model<'_>, of: Of, field: &Field<'_>) -> bool {
    let own = of.field().and_then(|own| of.word(model.fields().get(own)?));
    of.word(field).zip(own).is_some_and(|(one, other)| one.is_equal(other))
}

/// The conditions of fields that are not there, which then decide what the number is that tells of them.
pub(super) fn conditions_of_absent<'m>(model: &'m Model<'m>, step: &Step<'_>) -> Vec<&'m Expr> {
    let (Source::Solved(solved), Some(target)) = (&step.source, model.fields().get(step.target))
    else {
        return Vec::new();
    };
    let users = users(model, target, solved.of).into_iter();
    let conditions = users.filter_map(|user| Some(&user.words.condition.as_ref()?.value));
    conditions.filter(|condition| condition.names().contains(&&target.name)).collect()
}

/// What a number tells of a field, where nothing but constants stands beside it.
pub(crate) fn told<'m>(
    index: usize,
    field: &'m Field<'_>,
    target: &Field<'_>,
) -> Option<Solved<'m>> {
    let words = [(&field.words.count, Of::Count(index)), (&field.words.len, Of::Len(index))];
    let holds = |expr: &Expr| expr.names().iter().any(|name| **name == target.name);
    let is = |expr: &Expr| matches!(expr, Expr::Name(name) if *name == target.name);
    let told = |(word, of): (&'m Option<Word<Expr>>, Of)| {
        let expr = &word.as_ref()?.value;
        let only = expr.names().iter().all(|name| **name == target.name);
        linear(expr, of, &holds, &is).filter(|_| only && expr.measures().is_empty())
    };
    words.into_iter().find_map(told)
}
