//! Branches that count one number in several ways, written as one sum: `if wide { n } else { n * 2 }` is
//! `n * if wide { 1 } else { 2 }`, which can be solved for the number. Branches that are the same are one:
//! `if old { a } else if new { b } else { a }` is `if !old && new { b } else { a }`.

use proc_macro2::Span;
use syn::Ident;

use super::{Expr, Op};

/// `name * mul + add - sub`; what is not there is 1, or 0.
#[derive(Default)]
struct Line {
    mul: Option<Expr>,
    add: Option<Expr>,
    sub: Option<Expr>,
}

impl Expr {
    /// Writes it so, where one name alone counts in both branches.
    pub(crate) fn merge_branches(&mut self) {
        let Self::If(condition, yes, no) = self else { return };
        yes.merge_branches();
        no.merge_branches();
        let counted = |branch: &Self| -> Vec<Ident> {
            branch.names().into_iter().filter(|name| branch.counts(name)).cloned().collect()
        };
        let names = counted(yes);
        let name = names.first().filter(|_| names.len() == 1 && names == counted(no));
        let lines = name.and_then(|name| Line::of(yes, name).zip(Line::of(no, name)));
        match name.zip(lines) {
            Some((name, (taken, other))) => *self = taken.or(other, condition).times(name.clone()),
            None => self.merge_equal_branches(),
        }
    }

    /// Writes branches that are the same as the last one of them, where the number in it decides.
    fn merge_equal_branches(&mut self) {
        let mut all: Vec<(Self, Self)> = Vec::new();
        let mut equal = false;
        let mut ways = Vec::new();
        self.ways(None, &mut ways);
        for (condition, branch) in ways {
            let known = all.iter().position(|(_, other)| other.is_equal(&branch));
            let Some(known) = known.filter(|_| !branch.names().is_empty()) else {
                all.push((condition, branch));
                continue;
            };
            equal = true;
            let (before, _) = all.remove(known);
            all.push((Self::Binary(Box::new(before), Op::Or, Box::new(condition)), branch));
        }
        let Some((_, last)) = all.pop().filter(|_| equal) else { return };
        *self = all.into_iter().rev().fold(last, |others, (condition, branch)| {
            Self::If(Box::new(condition), Box::new(branch), Box::new(others))
        });
    }

    /// All branches, each behind the condition under which it is taken, given the one that leads here.
    fn ways(&self, when: Option<&Self>, found: &mut Vec<(Self, Self)>) {
        let Self::If(condition, yes, no) = self else {
            return found.extend(when.map(|when| (when.clone(), self.clone())));
        };
        let behind = |condition: Self| match when {
            Some(when) => Self::Binary(Box::new(when.clone()), Op::And, Box::new(condition)),
            None => condition,
        };
        yes.ways(Some(&behind((**condition).clone())), found);
        no.ways(Some(&behind(Self::Not(condition.clone()))), found);
    }

    /// Whether a name stands anywhere but in conditions that choose between numbers.
    pub(crate) fn counts(&self, name: &Ident) -> bool {
        match self {
            Self::If(_, yes, no) => yes.counts(name) || no.counts(name),
            Self::Binary(left, _, right) => left.counts(name) || right.counts(name),
            other => other.names().contains(&name),
        }
    }
}

impl Line {
    /// A sum with the number in one of its terms, once.
    fn of(expr: &Expr, name: &Ident) -> Option<Self> {
        let mut line = Self::default();
        let mut found = false;
        line.take(expr, true, name, &mut found)?;
        found.then_some(line)
    }

    fn take(&mut self, expr: &Expr, added: bool, name: &Ident, found: &mut bool) -> Option<()> {
        let holds = |expr: &Expr| expr.names().contains(&name);
        let is = |expr: &Expr| matches!(expr, Expr::Name(own) if own == name);
        match expr {
            Expr::Binary(left, Op::Add, right) => {
                self.take(left, added, name, found)?;
                return self.take(right, added, name, found);
            }
            Expr::Binary(left, Op::Sub, right) => {
                self.take(left, added, name, found)?;
                return self.take(right, !added, name, found);
            }
            _ if !holds(expr) => {
                let sum = if added { &mut self.add } else { &mut self.sub };
                *sum = Some(match sum.take() {
                    Some(sum) => Expr::Binary(Box::new(sum), Op::Add, Box::new(expr.clone())),
                    None => expr.clone(),
                });
                return Some(());
            }
            Expr::Binary(left, Op::Mul, right) if is(left) && !holds(right) => {
                self.mul = Some((**right).clone());
            }
            Expr::Binary(left, Op::Mul, right) if is(right) && !holds(left) => {
                self.mul = Some((**left).clone());
            }
            _ if is(expr) => {}
            _ => return None,
        }
        let first = !std::mem::replace(found, true);
        (first && added).then_some(())
    }

    /// One line for both ways of a branch.
    fn or(self, other: Self, condition: &Expr) -> Self {
        let choose = |taken: Option<Expr>, other: Option<Expr>, none: u64| {
            let of = |expr: Option<Expr>| expr.unwrap_or(Expr::Int(none, Span::call_site()));
            match (taken, other) {
                (None, None) => None,
                (Some(taken), Some(other)) if taken.is_equal(&other) => Some(taken),
                (taken, other) => {
                    let (taken, other) = (Box::new(of(taken)), Box::new(of(other)));
                    Some(Expr::If(Box::new(condition.clone()), taken, other))
                }
            }
        };
        Self {
            mul: choose(self.mul, other.mul, 1),
            add: choose(self.add, other.add, 0),
            sub: choose(self.sub, other.sub, 0),
        }
    }

    fn times(self, name: Ident) -> Expr {
        let join = |left, op, right: Option<Expr>| match right {
            Some(right) => Expr::Binary(Box::new(left), op, Box::new(right)),
            None => left,
        };
        let number = join(Expr::Name(name), Op::Mul, self.mul);
        join(join(number, Op::Add, self.add), Op::Sub, self.sub)
    }
}
