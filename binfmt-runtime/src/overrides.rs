//! Severity overrides: what findings weigh where a declaration says so. The innermost word counts.

use crate::Severity;
use crate::layout::Override;

/// The overrides of what is open: of fields, of items and of the types of their values.
///
/// Only those that say something are kept, however deep values nest. Without memory nobody makes
/// reports, and findings weigh what they do by themselves.
#[derive(Default)]
pub(crate) struct Overrides {
    #[cfg(feature = "alloc")]
    open: alloc::vec::Vec<Open>,
    /// Of the field that the finding belongs to, though it is not inside it.
    about: &'static [Override],
}

/// Overrides, and how deep the path is where they hold.
#[cfg(feature = "alloc")]
struct Open {
    depth: usize,
    overrides: &'static [Override],
}

#[cfg(feature = "alloc")]
impl Overrides {
    /// A field or an item opens at `depth`; others that deep have ended.
    pub(crate) fn of_field(&mut self, depth: usize, overrides: &'static [Override]) {
        while self.open.last().is_some_and(|open| open.depth >= depth) {
            self.open.pop();
        }
        self.push(depth, overrides);
    }

    /// The value at `depth` has a declared type. Returns what [`end`](Self::end) asks for.
    pub(crate) fn of_type(&mut self, depth: usize, overrides: &'static [Override]) -> usize {
        while self.open.last().is_some_and(|open| open.depth > depth) {
            self.open.pop();
        }
        let outer = self.open.len();
        self.push(depth, overrides);
        outer
    }

    /// The value has ended.
    pub(crate) fn end(&mut self, outer: usize) {
        self.open.truncate(outer);
    }

    fn push(&mut self, depth: usize, overrides: &'static [Override]) {
        if !overrides.is_empty() {
            self.open.push(Open { depth, overrides });
        }
    }

    /// What is said about a finding at `depth`, the innermost word first.
    fn layers(&self, depth: usize) -> impl Iterator<Item = &'static [Override]> {
        self.open.iter().rev().filter(move |open| open.depth <= depth).map(|open| open.overrides)
    }
}

#[cfg(not(feature = "alloc"))]
impl Overrides {
    pub(crate) fn of_field(&mut self, _: usize, _: &'static [Override]) {}

    pub(crate) fn of_type(&mut self, _: usize, _: &'static [Override]) -> usize {
        0
    }

    pub(crate) fn end(&mut self, _: usize) {}

    fn layers(&self, _: usize) -> impl Iterator<Item = &'static [Override]> {
        core::iter::empty()
    }
}

impl Overrides {
    /// What is told next belongs to a field beside it.
    pub(crate) fn about(&mut self, overrides: &'static [Override]) {
        self.about = overrides;
    }

    /// What a finding weighs at `depth`; `None` if it is not to be told.
    pub(crate) fn weigh(&self, depth: usize, code: &str, usual: Severity) -> Option<Severity> {
        let find = |code: &str| {
            let mut layers = core::iter::once(self.about).chain(self.layers(depth)).flatten();
            layers.find(|(named, _)| *named == code)
        };
        match find(code) {
            // A rule that stops writers stays an error, else a valid file could not be rewritten.
            Some(_) if usual == Severity::Error && !is_built_in(code) => Some(usual),
            Some((_, severity)) => *severity,
            // Bytes between values that are lost weigh no less than those that are kept.
            None if code == "unkept" && find("gap") == Some(&("gap", Some(Severity::Error))) => {
                Some(Severity::Error)
            }
            None => Some(usual),
        }
    }
}

/// Rules have the name of their type in their code, or one of their own.
fn is_built_in(code: &str) -> bool {
    matches!(code, "derived" | "checksum" | "overlap" | "region")
}

#[cfg(all(test, feature = "alloc"))]
mod tests {
    use super::Overrides;
    use crate::Severity::{Error, Note, Warning};

    #[test]
    fn bytes_that_are_lost_weigh_no_less_than_those_that_are_kept() {
        let mut overrides = Overrides::default();
        overrides.of_type(0, &[("gap", Some(Error))]);
        assert_eq!(overrides.weigh(0, "unkept", Warning), Some(Error));
        overrides.of_field(1, &[("unkept", None)]);
        assert_eq!(overrides.weigh(1, "unkept", Warning), None);
        let mut overrides = Overrides::default();
        overrides.of_type(0, &[("gap", Some(Note))]);
        assert_eq!(overrides.weigh(0, "unkept", Warning), Some(Warning));
    }

    #[test]
    fn the_innermost_word_counts_at_any_depth() {
        let mut overrides = Overrides::default();
        overrides.of_type(0, &[("padding", Some(Note))]);
        for depth in 1..1000 {
            overrides.of_field(depth, &[]);
            overrides.of_type(depth, &[("padding", Some(Error))]);
            assert_eq!(overrides.weigh(depth, "padding", Warning), Some(Error));
            assert_eq!(overrides.weigh(depth, "gap", Warning), Some(Warning));
        }
        overrides.of_field(1, &[]);
        assert_eq!(overrides.weigh(1, "padding", Warning), Some(Note), "the values have ended");
    }

    #[test]
    fn a_type_inside_a_type_at_the_same_depth_adds_to_it() {
        let mut overrides = Overrides::default();
        overrides.of_type(0, &[("gap", None)]);
        let outer = overrides.of_type(0, &[("padding", None)]);
        assert_eq!(overrides.weigh(0, "gap", Warning), None);
        assert_eq!(overrides.weigh(0, "padding", Warning), None);
        overrides.end(outer);
        assert_eq!(overrides.weigh(0, "padding", Warning), Some(Warning));
    }

    #[test]
    fn rules_that_stop_writers_stay_errors() {
        let mut overrides = Overrides::default();
        overrides.of_type(0, &[("Part.odd", None), ("checksum", None)]);
        assert_eq!(overrides.weigh(0, "Part.odd", Error), Some(Error));
        assert_eq!(overrides.weigh(0, "Part.odd", Warning), None);
        assert_eq!(overrides.weigh(0, "checksum", Error), None);
    }
}
