//! Which fields share a place.

use super::{Field, Model};

/// What located fields lie in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Space {
    /// The bytes of an earlier field.
    Section(usize),
    /// What follows the sequence.
    Behind,
    /// The open section in which the value itself lies.
    Around,
}

impl Space {
    /// Where a located field lies.
    pub(crate) fn of(model: &Model<'_>, field: &Field<'_>) -> Self {
        match &field.one().words.place {
            None => Self::Behind,
            Some(place) if place.value == "around" => Self::Around,
            Some(place) => {
                model.field(&place.value).map_or(Self::Behind, |(index, _)| Self::Section(index))
            }
        }
    }

    /// The field with the bytes, if it is one of the same value.
    pub(crate) fn section(self) -> Option<usize> {
        match self {
            Self::Section(section) => Some(section),
            Self::Behind | Self::Around => None,
        }
    }

    /// Every place that values of a type may have: its sections first.
    pub(crate) fn all(model: &Model<'_>) -> Vec<Self> {
        let sections = model.fields().iter().enumerate();
        let sections = sections.filter(|(_, field)| field.words.section.is_some());
        sections
            .map(|(index, _)| Self::Section(index))
            .chain([Self::Around, Self::Behind])
            .collect()
    }
}

/// The fields that lie in one place and have bytes of their own.
pub(crate) fn placed_in(model: &Model<'_>, space: Space) -> Vec<usize> {
    let is_placed = |field: &Field<'_>| field.is_located() && !field.is_view();
    let fields = model.fields().iter().enumerate().filter(|(_, field)| is_placed(field));
    fields.filter(|(_, field)| Space::of(model, field) == space).map(|(index, _)| index).collect()
}

impl Field<'_> {
    /// Whether it is a section with located values in it.
    pub(crate) fn holds_values(&self, model: &Model<'_>, index: usize) -> bool {
        self.words.section.is_some() && !placed_in(model, Space::Section(index)).is_empty()
    }
}

/// The located fields that lie at the same stored offset, the field itself among them.
pub(crate) fn sharers<'m>(model: &'m Model<'m>, field: &Field<'_>) -> Vec<(usize, &'m Field<'m>)> {
    let shares = |other: &Field<'_>| match (&field.words.at, &other.words.at) {
        _ if field.name == other.name => true,
        _ if other.is_view() => false,
        (Some(a), Some(b)) => a.value.is_equal(&b.value) && !a.value.names().is_empty(),
        _ => false,
    };
    model.fields().iter().enumerate().filter(|(_, other)| shares(other)).collect()
}
