//! When each number is known while a value is written.

use syn::Ident;

use super::order::uses_set;
use super::{
    Item, Of, Solved, Source, Step, conditions_of_absent, entry_steps, order, told, users,
};
use crate::attr::Endian;
use crate::errors::Errors;
use crate::expr::{Expr, Measure};
use crate::model::checksum;
use crate::model::{Field, Kind, Model, Space};

/// How far a writer has got. For every field there are three points: it comes next, its place has
/// begun, its value is written; the padding behind the value is written before the next one comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Point(usize);

impl Point {
    /// Nothing has been written: the point before layout.
    pub(crate) const BEFORE: Self = Self(0);

    /// A field comes next.
    pub(crate) fn next(field: usize) -> Self {
        Self(field.saturating_mul(3))
    }

    /// The place of a field has begun, behind its padding and magic.
    pub(crate) fn begun(field: usize) -> Self {
        Self(field.saturating_mul(3).saturating_add(1))
    }

    /// The value of a field is written.
    pub(crate) fn valued(field: usize) -> Self {
        Self(field.saturating_mul(3).saturating_add(2))
    }

    /// All fields of the sequence are written.
    pub(crate) fn sequence(model: &Model<'_>) -> Self {
        Self::next(model.fields().len())
    }

    /// All but the checksums is written.
    pub(crate) fn end(model: &Model<'_>) -> Self {
        Self::begun(model.fields().len())
    }

    /// What is set in tables is in them, too.
    pub(crate) fn filled(model: &Model<'_>) -> Self {
        Self::end(model).behind()
    }

    /// A checksum has been computed, by its number in their order.
    pub(crate) fn sum(model: &Model<'_>, number: usize) -> Self {
        Self(Self::filled(model).0.saturating_add(1).saturating_add(number))
    }

    /// The next point.
    fn behind(self) -> Self {
        Self(self.0.saturating_add(1))
    }
}

/// When the numbers of a declaration are known.
pub(crate) struct Ready<'m> {
    model: &'m Model<'m>,
    /// When the value of each field is known.
    targets: Vec<Point>,
    /// When each of the numbers that the writer sets in the value of each field is in it.
    sets: Vec<Vec<Point>>,
    /// The field whose length, or padded length, each field tells.
    lengths: Vec<Option<usize>>,
}

impl<'m> Ready<'m> {
    /// The points of all fields; `steps` compute them, each behind those that it needs.
    pub(crate) fn of(model: &'m Model<'m>, steps: &[Step<'_>]) -> Self {
        let count = model.fields().len();
        let mut ready = Self {
            model,
            targets: vec![Point::BEFORE; count],
            sets: model
                .fields()
                .iter()
                .map(|field| vec![Point::BEFORE; field.setters().len()])
                .collect(),
            lengths: vec![None; count],
        };
        // A circle of checksums has been reported already.
        let sums = checksum::in_order(&mut Errors::default(), model);
        for (number, sum) in sums.iter().enumerate() {
            ready.set(sum.field, Point::sum(model, number));
        }
        // What covers the file is computed behind all that one value knows.
        for (index, _) in checksum::over_file(model) {
            ready.set(index, Point::sum(model, sums.len()));
        }
        let needed = needed(model, steps);
        // A circle has been reported already.
        for item in order(model, steps).unwrap_or_default() {
            let step = match item {
                Item::Step(step) => step,
                Item::Set(field, number) => {
                    let point = ready.when_set(field, number);
                    let sets = ready.sets.get_mut(field);
                    if let Some(set) = sets.and_then(|sets| sets.get_mut(number)) {
                        *set = point;
                    }
                    continue;
                }
            };
            let mut point = ready.step(step);
            // What nothing else needs earlier is computed where it is written.
            if !needed[step.target] && !ready.field(step.target).is_located() {
                point = point.max(Point::next(step.target));
            }
            ready.set(step.target, point);
            if let (Source::Solved(Solved { of: Of::Len(of) | Of::PadTo(of), .. }), Some(own)) =
                (&step.source, ready.lengths.get_mut(step.target))
            {
                *own = Some(*of);
            }
        }
        ready
    }

    fn set(&mut self, field: usize, point: Point) {
        if let Some(target) = self.targets.get_mut(field) {
            *target = point;
        }
    }

    fn field(&self, index: usize) -> &'m Field<'m> {
        &self.model.fields()[index]
    }

    /// When the value of a field is known.
    pub(crate) fn target(&self, index: usize) -> Point {
        self.targets.get(index).copied().unwrap_or(Point::BEFORE)
    }

    /// Whether the value of a field is missing when the field is written.
    pub(crate) fn is_hole(&self, index: usize) -> bool {
        self.target(index) > self.comes(index)
    }

    /// Whether a field tells how long another one is, which is known behind the value.
    pub(crate) fn sets_length_of(&self, target: usize, of: usize) -> bool {
        self.lengths.get(target).is_some_and(|own| *own == Some(of))
    }

    /// The last point before a field is written.
    pub(crate) fn comes(&self, index: usize) -> Point {
        let field = self.field(index);
        if !field.is_located() {
            return Point::next(index);
        }
        match Space::of(self.model, field) {
            Space::Section(section) => Point::next(section),
            Space::Behind | Space::Around => Point::sequence(self.model),
        }
    }

    /// The point from which on the values of a space get their places.
    pub(crate) fn places(&self, space: Space) -> Point {
        match space {
            Space::Section(section) => Point::begun(section),
            Space::Behind | Space::Around => Point::sequence(self.model),
        }
    }

    /// When a field has been written; a located one with all that lie beside it.
    pub(crate) fn written(&self, index: usize) -> Point {
        let field = self.field(index);
        match Space::of(self.model, field) {
            _ if !field.is_located() => Point::valued(index),
            Space::Section(section) => Point::valued(section),
            Space::Behind | Space::Around => Point::end(self.model),
        }
    }

    /// When all that an expression names is known.
    pub(crate) fn expr(&self, expr: &Expr) -> Point {
        let names = expr.names_of_values().into_iter();
        let names = names.filter_map(|name| Some(self.target(self.model.field(name)?.0)));
        let measures = expr
            .measures()
            .into_iter()
            .filter_map(|(measure, name)| Some(self.measure(measure, self.model.field(name)?.0)));
        let set = uses_set(self.model, expr).map(|used| self.set_to(used.field, used.number));
        names.chain(measures).chain(set).max().unwrap_or(Point::BEFORE)
    }

    /// When a number that the writer sets in a nested value is in it.
    pub(crate) fn set_to(&self, index: usize, number: usize) -> Point {
        let sets = self.sets.get(index).and_then(|sets| sets.get(number));
        sets.copied().unwrap_or(Point::BEFORE)
    }

    /// When a number that the writer sets in a nested value is known; where that is behind the place
    /// of the value, it is written over.
    fn when_set(&self, index: usize, number: usize) -> Point {
        match self.field(index).setters().get(number).map(|(_, expr)| self.expr(expr)) {
            Some(point) if point > self.comes(index) => point.max(self.written(index)),
            Some(point) => point,
            None => Point::BEFORE,
        }
    }

    /// When a measure of a field is known.
    pub(crate) fn measure(&self, measure: Measure, index: usize) -> Point {
        match measure {
            Measure::Count | Measure::Tag => Point::BEFORE,
            Measure::Len => self.len(index),
            Measure::Start if !self.field(index).is_located() => Point::begun(index),
            Measure::Start | Measure::End => self.written(index),
            Measure::Decoded => self.decoded(index),
            Measure::Remaining => Point::end(self.model),
        }
    }

    /// When a value has been encoded with all numbers that are set in it.
    fn decoded(&self, index: usize) -> Point {
        // It is written over where the last of them is known.
        let sets = self.sets.get(index).into_iter().flatten().map(|point| point.behind());
        let tables = self.model.fields().iter().filter_map(|field| field.parallel.as_ref());
        let inside = tables.filter(|parallel| parallel.is_inside(self.field(index)));
        let filled = inside
            .map(|parallel| self.filled(&parallel.table).behind().max(Point::filled(self.model)));
        sets.chain(filled).fold(self.written(index), Point::max)
    }

    /// When all numbers of the entries of a table are known.
    pub(crate) fn filled(&self, table: &Ident) -> Point {
        let known = self.model.fields().iter().enumerate().filter_map(|(index, field)| {
            let parallel = field.parallel.as_ref().filter(|parallel| parallel.table == *table)?;
            let own = entry_steps(self.model, index);
            let terms = own.iter().map(|step| self.terms(&step.solved));
            let words = &parallel.element.words;
            let agreed = [&words.at, &words.len, &words.count, &words.condition];
            let agreed = agreed.into_iter().flatten().map(|word| self.expr(&word.value));
            let set = parallel.element.item_setters();
            let set = set.iter().map(|(_, value)| self.expr(value));
            Some(terms.chain(agreed).chain(set).fold(self.written(index), Point::max))
        });
        known.max().unwrap_or(Point::BEFORE)
    }

    fn len(&self, index: usize) -> Point {
        let field = self.field(index);
        if field.words.section.is_some() {
            return Point::valued(index);
        }
        if !field.is_bytes() {
            return self.written(index);
        }
        let width = field.words.len.as_ref().filter(|_| field.cut().is_some());
        width.map_or(Point::BEFORE, |width| self.expr(&width.value))
    }

    fn step(&self, step: &Step<'_>) -> Point {
        match &step.source {
            Source::Calc(expr) => self.expr(expr),
            Source::Solved(solved) => {
                let target = self.field(step.target);
                self.terms(solved).max(self.measured(target, solved.of))
            }
        }
    }

    /// When the terms beside the number itself are known.
    pub(crate) fn terms(&self, solved: &Solved<'_>) -> Point {
        solved.terms().into_iter().map(|term| self.expr(term)).max().unwrap_or(Point::BEFORE)
    }

    /// When what a number is derived from is known.
    pub(crate) fn measured(&self, target: &Field<'_>, of: Of) -> Point {
        match of {
            Of::Total => Point::end(self.model),
            Of::Offset(index) => self.written(index),
            Of::Len(own) | Of::Count(own) => {
                let users = users(self.model, target, of).into_iter();
                let users = users.filter_map(|user| self.model.field(&user.name));
                let each = users.map(|(index, user)| {
                    let told = told(index, user, target).filter(|_| index != own);
                    self.size(told.map_or_else(|| of.of_field(index), |told| told.of))
                });
                each.max().unwrap_or(Point::BEFORE)
            }
            Of::PadTo(index) => self.padded(index),
        }
    }

    /// When the size of one field is known.
    fn size(&self, of: Of) -> Point {
        match of {
            Of::Len(index) if self.field(index).words.section.is_some() => Point::valued(index),
            Of::Len(index) => self.len(index),
            _ => Point::BEFORE,
        }
    }

    fn padded(&self, index: usize) -> Point {
        let field = self.field(index);
        match &field.words.align_after {
            _ if !field.is_bytes() && field.is_located() => self.written(index),
            _ if !field.is_bytes() => Point::next(index.saturating_add(1)),
            Some(align) => self.expr(&align.value),
            None => Point::BEFORE,
        }
    }
}

/// Which fields anything but a rule and the word that tells them names, so that they may be needed
/// earlier.
fn needed(model: &Model<'_>, steps: &[Step<'_>]) -> Vec<bool> {
    let own = steps.iter().filter_map(|step| match &step.source {
        Source::Calc(expr) => Some((step.target, *expr)),
        Source::Solved(_) => None,
    });
    let absent = steps.iter().flat_map(|step| {
        conditions_of_absent(model, step).into_iter().map(|expr| (step.target, expr))
    });
    let own = own.chain(absent).flat_map(|(target, expr)| {
        fields(model, expr).into_iter().filter(move |index| *index != target)
    });
    let terms = steps.iter().filter_map(|step| match &step.source {
        Source::Calc(_) => None,
        Source::Solved(solved) => Some(solved.terms()),
    });
    let order = match model.words.endian.as_ref().map(|word| &word.value) {
        Some(Endian::Computed(expr)) => Some(expr),
        _ => None,
    };
    let shapes = model.fields().iter().flat_map(|field| {
        let shapes = super::shape::exprs(field.one()).into_iter().map(|(_, expr, _)| expr);
        shapes.chain(field.setters().iter().map(|(_, expr)| expr))
    });
    let others = terms.flatten().chain(order).chain(shapes);
    let mut needed: Vec<bool> = model.fields().iter().map(has_variable_width).collect();
    for index in own.chain(others.flat_map(|expr| fields(model, expr))) {
        needed[index] = true;
    }
    needed
}

/// The fields that an expression names.
fn fields(model: &Model<'_>, expr: &Expr) -> Vec<usize> {
    expr.names().into_iter().filter_map(|name| Some(model.field(name)?.0)).collect()
}

fn has_variable_width(field: &Field<'_>) -> bool {
    matches!(field.kind, Kind::Scalar(scalar) | Kind::Auto(scalar, _) if scalar.variable)
}
