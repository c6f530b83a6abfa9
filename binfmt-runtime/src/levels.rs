//! Severity overrides: what findings weigh where a declaration says so. The innermost word counts.

use crate::Severity;
use crate::layout::Level;

/// The overrides of what is open: of fields, of items and of the types of their values.
///
/// Only those that say something are kept, however deep values nest. Without memory nobody makes
/// reports, and findings weigh what they do by themselves.
#[derive(Default)]
pub(crate) struct Levels {
    #[cfg(feature = "alloc")]
    open: alloc::vec::Vec<Open>,
    /// Of the field that the finding belongs to, though it is not inside it.
    about: &'static [Level],
}

/// Overrides, and how deep the path is where they hold.
#[cfg(feature = "alloc")]
struct Open {
    depth: usize,
    levels: &'static [Level],
}

#[cfg(feature = "alloc")]
impl Levels {
    /// A field or an item opens at `depth`; others that deep have ended.
    pub(crate) fn of_field(&mut self, depth: usize, levels: &'static [Level]) {
        while self.open.last().is_some_and(|open| open.depth >= depth) {
            self.open.pop();
        }
        self.push(depth, levels);
    }

    /// The value at `depth` has a declared type. Returns what [`end`](Self::end) asks for.
    pub(crate) fn of_type(&mut self, depth: usize, levels: &'static [Level]) -> usize {
        while self.open.last().is_some_and(|open| open.depth > depth) {
            self.open.pop();
        }
        let outer = self.open.len();
        self.push(depth, levels);
        outer
    }

    /// The value has ended.
    pub(crate) fn end(&mut self, outer: usize) {
        self.open.truncate(outer);
    }

    fn push(&mut self, depth: usize, levels: &'static [Level]) {
        if !levels.is_empty() {
            self.open.push(Open { depth, levels });
        }
    }

    /// What is said about a finding at `depth`, the innermost word first.
    fn layers(&self, depth: usize) -> impl Iterator<Item = &'static [Level]> {
        self.open.iter().rev().filter(move |open| open.depth <= depth).map(|open| open.levels)
    }
}

#[cfg(not(feature = "alloc"))]
impl Levels {
    pub(crate) fn of_field(&mut self, _: usize, _: &'static [Level]) {}

    pub(crate) fn of_type(&mut self, _: usize, _: &'static [Level]) -> usize {
        0
    }

    pub(crate) fn end(&mut self, _: usize) {}

    fn layers(&self, _: usize) -> impl Iterator<Item = &'static [Level]> {
        core::iter::empty()
    }
}

impl Levels {
    /// What is told next belongs to a field beside it.
    pub(crate) fn about(&mut self, levels: &'static [Level]) {
        self.about = levels;
    }

    /// What a finding weighs at `depth`; `None` if it is not to be told.
    pub(crate) fn weigh(&self, depth: usize, code: &str, usual: Severity) -> Option<Severity> {
        let mut layers = core::iter::once(self.about).chain(self.layers(depth)).flatten();
        match layers.find(|(named, _)| *named == code) {
            // A rule that stops writers stays an error, else a valid file could not be rewritten.
            Some(_) if usual == Severity::Error && !is_built_in(code) => Some(usual),
            Some((_, severity)) => *severity,
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
    use super::Levels;
    use crate::Severity::{Error, Note, Warning};

    #[test]
    fn the_innermost_word_counts_at_any_depth() {
        let mut levels = Levels::default();
        levels.of_type(0, &[("padding", Some(Note))]);
        for depth in 1..1000 {
            levels.of_field(depth, &[]);
            levels.of_type(depth, &[("padding", Some(Error))]);
            assert_eq!(levels.weigh(depth, "padding", Warning), Some(Error));
            assert_eq!(levels.weigh(depth, "gap", Warning), Some(Warning));
        }
        levels.of_field(1, &[]);
        assert_eq!(levels.weigh(1, "padding", Warning), Some(Note), "the values have ended");
    }

    #[test]
    fn a_type_inside_a_type_at_the_same_depth_adds_to_it() {
        let mut levels = Levels::default();
        levels.of_type(0, &[("gap", None)]);
        let outer = levels.of_type(0, &[("padding", None)]);
        assert_eq!(levels.weigh(0, "gap", Warning), None);
        assert_eq!(levels.weigh(0, "padding", Warning), None);
        levels.end(outer);
        assert_eq!(levels.weigh(0, "padding", Warning), Some(Warning));
    }

    #[test]
    fn rules_that_stop_writers_stay_errors() {
        let mut levels = Levels::default();
        levels.of_type(0, &[("Part.odd", None), ("checksum", None)]);
        assert_eq!(levels.weigh(0, "Part.odd", Error), Some(Error));
        assert_eq!(levels.weigh(0, "Part.odd", Warning), None);
        assert_eq!(levels.weigh(0, "checksum", Error), None);
    }
}
