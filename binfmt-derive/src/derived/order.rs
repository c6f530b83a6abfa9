//! Numbers that the writer computes and numbers that it sets, each behind those that it needs.

use syn::Member;

use super::{Source, Step};
use crate::expr::Expr;
use crate::model::{Field, Model};

/// What the writer does about numbers that others need.
#[derive(Clone, Copy)]
pub(crate) enum Item<'s, 'm> {
    /// It computes a field.
    Step(&'s Step<'m>),
    /// It sets numbers of a nested value: that of the field at this index.
    Set(usize),
}

/// Everything in order; `Err` with a field of those that need one another.
pub(crate) fn order<'s, 'm>(
    model: &'m Model<'_>,
    steps: &'s [Step<'m>],
) -> Result<Vec<Item<'s, 'm>>, usize> {
    let sets = model.fields().iter().enumerate().filter(|(_, field)| !field.setters().is_empty());
    let steps = steps.iter().map(Item::Step);
    let mut waiting: Vec<Item<'s, 'm>> =
        steps.chain(sets.map(|(index, _)| Item::Set(index))).collect();
    let mut all = Vec::new();
    while let Some(first) = waiting.first() {
        let first = first.field();
        let ready = waiting.iter().position(|item| !item.needs_one_of(model, &waiting));
        let Some(ready) = ready else { return Err(first) };
        all.push(waiting.remove(ready));
    }
    Ok(all)
}

impl<'m> Item<'_, 'm> {
    /// The field that it is about.
    fn field(&self) -> usize {
        match self {
            Self::Step(step) => step.target,
            Self::Set(index) => *index,
        }
    }

    fn exprs(&self, model: &'m Model<'_>) -> Vec<&'m Expr> {
        match self {
            Self::Step(Step { source: Source::Calc(expr), .. }) => vec![*expr],
            Self::Step(Step { source: Source::Solved(solved), .. }) => {
                solved.mul.iter().chain(&solved.add).chain(&solved.sub).copied().collect()
            }
            Self::Set(index) => {
                let setters = model.fields().get(*index).map(Field::setters).unwrap_or_default();
                setters.iter().map(|(_, expr)| expr).collect()
            }
        }
    }

    /// Whether it needs a number that others of the list compute or set.
    fn needs_one_of(&self, model: &'m Model<'_>, waiting: &[Self]) -> bool {
        self.exprs(model).into_iter().any(|expr| {
            let set: Vec<usize> = uses_set(model, expr).map(|(index, _)| index).collect();
            let named = expr.names().into_iter().filter_map(|name| model.field(name));
            let named: Vec<usize> = named.map(|(index, _)| index).collect();
            waiting.iter().any(|other| match other {
                Self::Set(index) => set.contains(index),
                // A `calc` may name its own field.
                Self::Step(step) => {
                    let own = matches!(self, Self::Step(_)) && self.field() == step.target;
                    !own && named.contains(&step.target)
                }
            })
        })
    }
}

/// The fields of which an expression uses a number that the writer sets, and the expression's name
/// for each.
pub(crate) fn uses_set<'e>(
    model: &'e Model<'_>,
    expr: &'e Expr,
) -> impl Iterator<Item = (usize, &'e syn::Ident)> {
    expr.parts().into_iter().filter_map(|(name, path)| {
        let (index, field) = model.field(name)?;
        let set = field.setters().iter().any(|(member, _)| match path.first() {
            None => true,
            Some(Member::Named(first)) => first == member,
            Some(Member::Unnamed(_)) => false,
        });
        set.then_some((index, name))
    })
}
