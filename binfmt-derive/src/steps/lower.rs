//! The list of a declaration, out of its model.

use super::plain;
use super::value::value;
use super::{
    Base, Parallel, Place, Plain, Presence, Region, Slots, Step, Steps, What, all_exprs,
    all_measures, rule_codes,
};
use crate::attr::{Filling, TerminatorRole, Word};
use crate::expr::{Expr, Measure};
use crate::model::checksum::Sum;
use crate::model::limits::item_rules;
use crate::model::{Field, Kind, Model, Space, placed_in};

/// Lowers a declaration.
pub(crate) fn lower<'m>(model: &'m Model<'m>) -> Steps<'m> {
    let mut lower = Lower::of(model);
    lower.of_type(What::Enter);
    let order = model.order_known();
    if order == Some(0) {
        lower.of_type(What::Order);
    }
    if let Some(magic) = &model.words.magic {
        lower.of_type(What::Magic(&magic.value));
    }
    let (last, known) = (lower.filling_field(), model.unlimited_fields());
    let limit = |fields| {
        let len = model.words.len.as_ref().filter(|_| known == Some(fields))?;
        Some(What::Limit { len: &len.value, known: fields })
    };
    if let Some(limit) = limit(0) {
        lower.of_type(limit);
    }
    for (index, field) in in_sequence(model) {
        lower.of_field(index, field, Some(index) == last);
        if order == Some(index.saturating_add(1)) {
            lower.of_type(What::Order);
        }
        if let Some(limit) = limit(index.saturating_add(1)) {
            lower.of_type(limit);
        }
    }
    for (index, field) in model.fields().iter().enumerate().filter(|(_, field)| field.is_located())
    {
        lower.starts(index, field);
        lower.of_field(index, field, false);
    }
    lower.slots();
    lower.end();
    lower.steps
}

struct Lower<'m> {
    model: &'m Model<'m>,
    steps: Steps<'m>,
    /// What expressions ask for, by field.
    measures: Vec<Vec<Measure>>,
    /// Whether there are checksums, which ask where values end.
    sums: bool,
    /// The fields that lie in no run, because more than their value is needed of them.
    apart: Vec<bool>,
    /// The fields whose places a fast reader may ask for.
    noted: Vec<bool>,
}

impl<'m> Lower<'m> {
    fn of(model: &'m Model<'m>) -> Self {
        let fields = model.fields();
        let index = |name: &syn::Ident| model.field(name).map(|(index, _)| index);
        let (mut apart, mut noted) = (vec![false; fields.len()], vec![false; fields.len()]);
        let mark = |list: &mut [bool], index: Option<usize>| {
            if let Some(entry) = index.and_then(|index| list.get_mut(index)) {
                *entry = true;
            }
        };
        for field in fields {
            mark(&mut apart, field.parallel.as_ref().and_then(|parallel| index(&parallel.root)));
            mark(&mut noted, model.base_of(field));
        }
        for name in all_exprs(model).into_iter().flat_map(Expr::names) {
            mark(&mut noted, index(name));
        }
        let sums = model.all_words().any(|words| words.checksum.is_some());
        for ((field, apart), noted) in fields.iter().zip(&mut apart).zip(&mut noted) {
            let words = &field.words;
            *apart |= words.level.is_some() || words.checksum.is_some() || model.is_transparent();
            *noted |= sums || words.calc.is_some() || !words.rules.is_empty();
        }
        let measures: Vec<(Measure, usize)> = all_measures(model)
            .into_iter()
            .filter_map(|(measure, field)| Some((measure, index(&field.name)?)))
            .collect();
        let mut by_field = vec![Vec::new(); fields.len()];
        for (measure, index) in &measures {
            if let Some(list) = by_field.get_mut(*index) {
                list.push(*measure);
            }
        }
        let steps = Steps { list: Vec::new(), fields: vec![0..0; fields.len()], measures };
        Self { model, steps, measures: by_field, sums, apart, noted }
    }

    fn of_type(&mut self, what: What<'m>) {
        self.steps.list.push(Step { field: None, what });
    }

    /// All steps of one field, as one where it is plain.
    ///
    /// The `last` one may have what the value around leaves, which plain ones do not ask for; one whose
    /// end others ask for ends where its value does.
    fn of_field(&mut self, index: usize, field: &'m Field<'m>, last: bool) {
        let mut first = self.steps.list.len();
        let measures = self.measures.get(index).cloned().unwrap_or_default();
        let mut whats = Vec::new();
        if measures.contains(&Measure::Remaining) {
            whats.push(What::Measure(Measure::Remaining));
        }
        let table = field.parallel.as_ref().and_then(|parallel| self.model.field(&parallel.root));
        whats.extend(table.map(|(table, _)| What::Parallel(Parallel { table })));
        self.one(field.one(), &measures, &mut whats);
        whats.push(What::Done);
        let rules = &field.words.rules;
        let codes = rule_codes(self.model, Some(field), rules);
        whats.extend(codes.into_iter().zip(rules).map(|(code, rule)| What::Rule(code, rule)));
        whats.extend(item_rules(&field.words).into_iter().map(What::Items));
        let steps = whats.into_iter().map(|what| Step { field: Some(index), what });
        self.steps.list.extend(steps);
        let apart = self.apart.get(index).is_none_or(|apart| *apart);
        let own = self.steps.list.get(first..).unwrap_or_default();
        if let Some(kind) = plain::kind(field, own).filter(|_| !apart) {
            let noted = self.noted.get(index).is_none_or(|noted| *noted);
            let plain = Step { field: Some(index), what: What::Plain(Plain { kind, noted }) };
            // It stands for `Enter`, `Value`, `Leave` and `Done`.
            self.steps.list.splice(first..first.saturating_add(4), [plain]);
        } else if last && !self.sums && !measures.iter().any(|measure| measure.needs_end()) {
            self.steps.list.insert(first, Step { field: None, what: What::Last });
            first = first.saturating_add(1);
        }
        if let Some(range) = self.steps.fields.get_mut(index) {
            *range = first..self.steps.list.len();
        }
    }

    /// A field, or one value of several, from its condition to the padding behind it.
    fn one(&self, field: &'m Field<'m>, measures: &[Measure], list: &mut Vec<What<'m>>) {
        let words = &field.words;
        if field.is_optional() {
            list.push(What::If(presence(field)));
        }
        list.extend(self.place(field).map(What::Place));
        let fill = fill(field);
        let pad = |word, size: &'m Option<Word<Expr>>| {
            size.as_ref().map(|size| What::Pad { word, size: &size.value, fill })
        };
        let align = |word, to: &'m Option<Word<Expr>>| {
            to.as_ref().map(|to| What::Align { word, to: &to.value, fill })
        };
        list.extend(pad("pad_before", &words.pad_before));
        // At an offset, an alignment in front says where the writer may place the value.
        if words.at.is_none() {
            list.extend(align("align_before", &words.align_before));
        }
        list.extend(words.magic.as_ref().map(|magic| What::Magic(&magic.value)));
        list.extend(field.asks_behind_padding().then_some(What::Measure(Measure::Remaining)));
        list.push(What::Enter);
        let region = words.pad_to.as_ref().map(|size| {
            let align = words.align_after.as_ref().map(|align| &align.value);
            Region { size: &size.value, align, fill }
        });
        list.extend(region.map(What::Region));
        list.extend(words.prefix.as_ref().map(|prefix| What::Prefix(&prefix.value)));
        list.push(What::Value(value(field)));
        let around = [Measure::Remaining, Measure::End];
        // Where a value at an offset begins is known with that.
        let placed = |measure: &Measure| *measure == Measure::Start && field.is_located();
        let inside = measures.iter().filter(|one| !around.contains(one) && !placed(one));
        list.extend(inside.map(|measure| What::Measure(*measure)));
        let wide = matches!(field.kind, Kind::Utf16);
        list.extend(field.has_nul().then_some(What::Nul { wide }));
        let follows = field.terminator().map(|end| end.role == TerminatorRole::Follows);
        list.extend((follows == Some(true)).then_some(What::Terminator));
        list.extend(measures.contains(&Measure::End).then_some(What::Measure(Measure::End)));
        list.push(What::Leave);
        list.extend(region.map(What::Rest));
        list.extend(pad("pad_after", &words.pad_after));
        // With `pad_to` an alignment only says how the writer rounds the space it makes.
        if words.pad_to.is_none() {
            list.extend(align("align_after", &words.align_after));
        }
    }

    fn place(&self, field: &'m Field<'m>) -> Option<Place<'m>> {
        let words = &field.words;
        let base = match &words.base {
            None => Base::Origin,
            Some(base) if base.value == "file" => Base::File,
            Some(_) => self.model.base_of(field).map_or(Base::Start, Base::Field),
        };
        let space = Space::of(self.model, field);
        let align = |word, to: &'m Option<Word<Expr>>| Some((word, &to.as_ref()?.value));
        let align = align("align_before", &words.align_before)
            .or_else(|| align("align_after", &words.align_after));
        let (at, shared) = (&words.at.as_ref()?.value, words.shared.is_some());
        Some(Place { at, base, space, align, shared })
    }

    /// Where the values begin that share a place with a field, if it is the first that ends where the
    /// next one begins.
    fn starts(&mut self, index: usize, field: &'m Field<'m>) {
        let space = Space::of(self.model, field);
        let fields = placed_in(self.model, space);
        let ends =
            |index: &&usize| self.model.fields().get(**index).is_some_and(Field::goes_to_next);
        if fields.iter().find(ends) == Some(&index) {
            self.of_type(What::Starts(Slots { space, fields }));
        }
    }

    /// What located fields share, once all of them have been read.
    fn slots(&mut self) {
        for space in Space::all(self.model) {
            let fields = placed_in(self.model, space);
            if space.section().is_some() || !fields.is_empty() {
                self.of_type(What::Slots(Slots { space, fields }));
            }
        }
    }

    /// What comes behind all fields.
    fn end(&mut self) {
        let words = &self.model.words;
        if words.len.is_some() || self.steps.measures_any(Measure::Remaining) {
            self.of_type(What::Finish);
        }
        if crate::model::checksum::all(self.model).iter().any(Sum::reaches_the_end) {
            self.of_type(What::Covered);
        }
        if let Some(align) = &words.align_after {
            self.of_type(What::Align {
                word: "align_after",
                to: &align.value,
                fill: Filling(None),
            });
        }
        self.of_type(What::Leave);
        for number in 0..words.computed.len() {
            self.of_type(What::Computed(number));
        }
        for (code, rule) in rule_codes(self.model, None, &words.rules).into_iter().zip(&words.rules)
        {
            self.of_type(What::Rule(code, rule));
        }
        self.of_type(What::Derived);
        self.of_type(What::Checksums);
    }

    /// The last field of the sequence, if nothing of the value follows it.
    fn filling_field(&self) -> Option<usize> {
        let model = self.model;
        let (index, field) = in_sequence(model).last()?;
        let words = &field.words;
        let padded = words.pad_after.is_some()
            || words.align_after.is_some()
            || words.pad_to.is_some()
            || field.has_nul()
            || words.terminator.is_some();
        let aligned = model.words.align_after.is_some() && model.words.len.is_none();
        let unplaced = !placed_in(model, Space::Behind).is_empty();
        // What follows the items must not be counted with them.
        let measured =
            words.count.is_some() && self.steps.measures.contains(&(Measure::Len, index));
        let one = field.parallel.is_none();
        (one && !padded && !aligned && !unplaced && !measured).then_some(index)
    }
}

/// The fields that follow one another.
fn in_sequence<'m>(model: &'m Model<'m>) -> impl Iterator<Item = (usize, &'m Field<'m>)> {
    model.fields().iter().enumerate().filter(|(_, field)| !field.is_located())
}

fn presence<'m>(field: &'m Field<'m>) -> Presence<'m> {
    let words = &field.words;
    Presence {
        condition: words.condition.as_ref().map(|condition| &condition.value),
        magic: words.optional.is_some(),
        null: words.at.as_ref().zip(words.null.as_ref()).map(|(at, null)| (&at.value, &null.value)),
    }
}

fn fill<'m>(field: &'m Field<'m>) -> Filling<'m> {
    Filling(field.words.fill.as_ref().map(|fill| &fill.value))
}
