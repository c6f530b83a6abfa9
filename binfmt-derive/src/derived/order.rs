//! Numbers that the writer computes and numbers that it sets, each behind those that it needs.

use std::collections::{BTreeSet, HashMap, HashSet};

use syn::Member;

use super::{Source, Step, conditions_of_absent};
use crate::expr::{Expr, Measure};
use crate::model::{Field, Model};

/// What the writer does about numbers that others need.
#[derive(Clone, Copy)]
pub(crate) enum Item<'s, 'm> {
    /// It computes a field.
    Step(&'s Step<'m>),
    /// It sets a number of the nested value of the field at the first index: the one at the second.
    Set(usize, usize),
}

/// Everything in order; `Err` with a field of those that need one another.
pub(crate) fn order<'s, 'm>(
    model: &'m Model<'_>,
    steps: &'s [Step<'m>],
) -> Result<Vec<Item<'s, 'm>>, usize> {
    let sets = model.fields().iter().enumerate().flat_map(|(field, value)| {
        (0..value.setters().len()).map(move |number| Item::Set(field, number))
    });
    let items: Vec<Item<'s, 'm>> = steps.iter().map(Item::Step).chain(sets).collect();
    let places: HashMap<Makes, usize> =
        items.iter().enumerate().map(|(place, item)| (item.makes(), place)).collect();
    let needs =
        |absent: bool| items.iter().map(|item| item.needs(model, &places, absent)).collect();
    // Of fields that ask for the numbers of each other, old ones count where they are not there.
    let sorted = behind_needs(needs(true)).or_else(|_| behind_needs(needs(false)));
    let sorted = sorted.map_err(|first| items[first].field())?;
    Ok(sorted.into_iter().map(|place| items[place]).collect())
}

/// The places of a list, each behind those that it needs; `Err` with the first that cannot come.
///
/// Of those that wait for nothing the first comes next, so that a list with nothing to put in order
/// stays as it is.
pub(super) fn behind_needs(mut needs: Vec<HashSet<usize>>) -> Result<Vec<usize>, usize> {
    let mut users = vec![Vec::new(); needs.len()];
    for (place, needs) in needs.iter().enumerate() {
        for need in needs {
            users[*need].push(place);
        }
    }
    let free = needs.iter().enumerate().filter(|(_, needs)| needs.is_empty());
    let mut ready: BTreeSet<usize> = free.map(|(place, _)| place).collect();
    let mut sorted = Vec::new();
    while let Some(next) = ready.pop_first() {
        sorted.push(next);
        for user in &users[next] {
            needs[*user].remove(&next);
            if needs[*user].is_empty() {
                ready.insert(*user);
            }
        }
    }
    match needs.iter().position(|needs| !needs.is_empty()) {
        Some(waiting) => Err(waiting),
        None => Ok(sorted),
    }
}

impl<'m> Item<'_, 'm> {
    /// The field that it is about.
    fn field(&self) -> usize {
        match self {
            Self::Step(step) => step.target,
            Self::Set(index, _) => *index,
        }
    }

    fn exprs(&self, model: &'m Model<'m>) -> Vec<&'m Expr> {
        match self {
            Self::Step(Step { source: Source::Calc(expr), .. }) => vec![*expr],
            Self::Step(Step { source: Source::Solved(solved), .. }) => solved.terms(),
            Self::Set(index, number) => {
                let setters = model.fields().get(*index).map(Field::setters).unwrap_or_default();
                setters.get(*number).map(|(_, expr)| expr).into_iter().collect()
            }
        }
    }

    fn makes(&self) -> Makes {
        match self {
            Self::Step(step) => Makes::Field(step.target),
            Self::Set(index, number) => Makes::Part(*index, *number),
        }
    }

    /// The places of the items that it needs, of all; those, too, that decide what it is where what it tells of is
    /// `absent`.
    fn needs(
        &self,
        model: &'m Model<'m>,
        places: &HashMap<Makes, usize>,
        absent: bool,
    ) -> HashSet<usize> {
        // A `calc` may name its own field.
        let own = match self {
            Self::Step(step) => Some(step.target),
            Self::Set(..) => None,
        };
        let conditions = match self {
            Self::Step(step) if absent => conditions_of_absent(model, step),
            _ => Vec::new(),
        };
        let exprs = self.exprs(model).into_iter().chain(conditions);
        let needs = exprs.flat_map(|expr| {
            let named = expr.names().into_iter().filter_map(|name| Some(model.field(name)?.0));
            let named = named.filter(|index| Some(*index) != own).map(Makes::Field);
            named.chain(uses_set(model, expr).map(|used| Makes::Part(used.field, used.number)))
        });
        needs.filter_map(|made| places.get(&made).copied()).collect()
    }
}

/// What an item of the list makes known.
#[derive(PartialEq, Eq, Hash)]
enum Makes {
    Field(usize),
    Part(usize, usize),
}

/// A number that the writer sets in a nested value and an expression uses.
pub(crate) struct Used<'e> {
    /// The index of the field with the value.
    pub(crate) field: usize,
    /// Its place among the numbers that are set there.
    pub(crate) number: usize,
    /// The name of the field in the expression.
    pub(crate) name: &'e syn::Ident,
}

/// The numbers that the writer sets in nested values and an expression uses: all of them, if it asks how many bytes
/// such a value decodes to.
pub(crate) fn uses_set<'e>(model: &'e Model<'_>, expr: &'e Expr) -> impl Iterator<Item = Used<'e>> {
    let parts = expr.parts().into_iter();
    let decoded = expr.measures().into_iter().filter(|(measure, _)| *measure == Measure::Decoded);
    parts.chain(decoded.map(|(_, name)| (name, Vec::new()))).flat_map(|(name, path)| {
        let found = model.field(name).into_iter();
        found.flat_map(move |(field, value)| {
            let setters = value.setters().iter().enumerate();
            let path = path.clone();
            let used = setters.filter(move |(_, (member, _))| match path.first() {
                None => true,
                Some(Member::Named(first)) => first == member,
                Some(Member::Unnamed(_)) => false,
            });
            used.map(move |(number, _)| Used { field, number, name })
        })
    })
}
