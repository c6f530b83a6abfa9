//! Values at constant places that lie where others always lie.

use super::fits::{bytes, magic, room, told};
use crate::errors::Errors;
use crate::model::{Field, Model, Space};

/// What lies at a known place: its name as messages have it, its first byte, and the one behind it.
struct Extent {
    name: String,
    first: i128,
    behind: i128,
}

/// Checks the places of all located fields.
pub(super) fn check(errors: &mut Errors, model: &Model<'_>) {
    let sequence = sequence(model);
    let mut before: Vec<(&Field<'_>, Extent)> = Vec::new();
    for field in model.fields() {
        let Some(own) = located(field) else { continue };
        let of_sequence = sequence.iter().filter(|_| counts_from_the_start(model, field));
        let beside = before.iter().filter(|(other, _)| is_beside(model, other, field));
        let mut others = of_sequence.chain(beside.map(|(_, extent)| extent));
        if let (Some(other), Some(at)) = (others.find(|other| other.meets(&own)), &field.words.at) {
            let Extent { name, first, behind } = other;
            let last = behind.saturating_sub(1);
            errors.add_range(
                at.value.ends(),
                format!("`{}` lies where {name} lies, in the bytes {first} to {last}; put it behind them, or add `view` if it is the same bytes", own.plain()),
            );
        }
        before.push((field, own));
    }
}

impl Extent {
    fn of(name: String, first: i128, len: i128) -> Option<Self> {
        let behind = first.checked_add(len).filter(|_| len > 0)?;
        Some(Self { name, first, behind })
    }

    fn meets(&self, other: &Self) -> bool {
        self.first < other.behind && other.first < self.behind
    }

    fn plain(&self) -> &str {
        self.name.trim_matches('`')
    }
}

/// The magic and the first fields of the sequence, up to one whose size a file tells.
fn sequence(model: &Model<'_>) -> Vec<Extent> {
    let mut place = magic(model);
    let mut list: Vec<Extent> = Extent::of("the magic".into(), 0, place).into_iter().collect();
    for field in model.fields().iter().filter(|field| !field.is_located()) {
        let words = &field.words;
        let aligned = words.align_before.is_some() || words.align_after.is_some();
        let sure = !field.is_optional() && field.parallel.is_none() && !aligned;
        let Some(len) = bytes(field).filter(|_| sure) else { break };
        let pads = [&words.pad_before, &words.pad_after, &words.pad_to].map(|pad| match pad {
            Some(_) => told(pad),
            None => Some(0),
        });
        let [Some(front), Some(back), Some(_)] = pads else { break };
        place = place.saturating_add(front);
        // The bytes of a keeper are those of the magic, and a section has its values in it.
        if words.keeper.is_none() {
            let own = Extent::of(format!("`{}`", field.name), place, len);
            list.extend(own.filter(|_| words.section.is_none()));
            place = place.saturating_add(room(field)).saturating_add(back);
        }
    }
    list
}

/// What a field at a constant place has there, unless others may lie there, too.
fn located(field: &Field<'_>) -> Option<Extent> {
    let words = &field.words;
    let moved = [&words.pad_before, &words.align_before].into_iter().any(Option::is_some);
    let apart = words.view.is_some() || words.shared.is_some() || field.is_optional() || moved;
    let place = told(&words.at).filter(|_| !apart)?;
    Extent::of(format!("`{}`", field.name), place, bytes(field)?)
}

/// Whether the place of a field counts from the first byte of its value.
fn counts_from_the_start(model: &Model<'_>, field: &Field<'_>) -> bool {
    let from = match &field.words.base {
        Some(base) => base.value == "start",
        None => model.words.origin.is_some(),
    };
    from && Space::of(model, field) == Space::Behind
}

/// Whether the places of two fields count from the same byte, and lie in the same bytes.
fn is_beside(model: &Model<'_>, one: &Field<'_>, other: &Field<'_>) -> bool {
    let base = |field: &Field<'_>| field.words.base.as_ref().map(|base| base.value.to_string());
    base(one) == base(other) && Space::of(model, one) == Space::of(model, other)
}
