//! Findings by the fields that they are about, so that those are in the page.

use std::collections::HashMap;

use binfmt_runtime::{Finding, Step};

use crate::pattern::{Pattern, Want};

/// A place in the tree that findings lead to.
#[derive(Debug, Default)]
struct Place {
    fields: HashMap<String, usize>,
    items: HashMap<u64, usize>,
    /// Whether a finding is about this very place.
    is_end: bool,
    /// The row that the page has of it.
    row: Option<usize>,
}

/// The places that findings lead to.
#[derive(Debug, Default)]
pub(super) struct Marks {
    places: Vec<Place>,
    /// Where each part of the file begins.
    parts: HashMap<String, usize>,
    /// The place of each finding.
    findings: Vec<Option<usize>>,
}

impl Marks {
    pub(super) fn new<'f>(findings: impl IntoIterator<Item = &'f Finding>) -> Self {
        let mut marks = Self::default();
        for finding in findings {
            let pattern = finding.path.as_str().parse::<Pattern>().ok();
            let place = pattern.map(|pattern| marks.add(&pattern));
            marks.findings.push(place);
        }
        marks
    }

    fn add(&mut self, pattern: &Pattern) -> usize {
        let new = self.places.len();
        let mut at = *self.parts.entry(pattern.part.clone()).or_insert(new);
        self.grow(at);
        for want in pattern.steps() {
            let new = self.places.len();
            let Some(place) = self.places.get_mut(at) else { break };
            at = match want {
                Want::Field(name) => *place.fields.entry(name.clone()).or_insert(new),
                Want::Index(index) => *place.items.entry(*index).or_insert(new),
                Want::AnyField | Want::AnyIndex | Want::Decoded => break,
            };
            self.grow(at);
        }
        if let Some(place) = self.places.get_mut(at) {
            place.is_end = true;
        }
        at
    }

    fn grow(&mut self, at: usize) {
        if at == self.places.len() {
            self.places.push(Place::default());
        }
    }

    /// The place where a part of the file begins.
    pub(super) fn part(&self, name: &str) -> Option<usize> {
        self.parts.get(name).copied()
    }

    /// The place one step further.
    pub(super) fn step(&self, at: usize, step: Step) -> Option<usize> {
        let place = self.places.get(at)?;
        match step {
            Step::Field("") => Some(at),
            Step::Field(name) => place.fields.get(name).copied(),
            Step::Index(index) => place.items.get(&index).copied(),
            Step::Decoded => None,
        }
    }

    /// Whether a finding is about this very place.
    pub(super) fn is_end(&self, at: usize) -> bool {
        self.places.get(at).is_some_and(|place| place.is_end)
    }

    /// Remembers the row of a place.
    pub(super) fn found(&mut self, at: usize, row: usize) {
        if let Some(place) = self.places.get_mut(at) {
            place.row.get_or_insert(row);
        }
    }

    /// The row of each finding, as far as it is known.
    pub(super) fn rows(&self) -> impl Iterator<Item = Option<usize>> {
        self.findings.iter().map(|at| at.and_then(|at| self.places.get(at)?.row))
    }
}
