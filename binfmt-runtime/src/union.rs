//! Telling variants apart by reading them.

use crate::finding::{Class, Fault, Problem, Severity, Show};
use crate::observe::{Check, Observer};
use crate::{Cursor, Wire};

/// Compares the variants of a `probe` enum.
///
/// The first variant that passes completely wins; else the first one that walks to its end, though
/// it breaks a rule; else the one whose first error lies farthest.
#[derive(Debug, Default)]
pub struct Probe {
    best: Option<(u8, usize)>,
    chosen: usize,
    passing: usize,
}

impl Probe {
    /// Walks one variant from where `cur` stands.
    pub fn variant<'a, T: Wire<'a>>(&mut self, index: usize, cur: &Cursor<'a>, args: T::Args) {
        let mut cur = *cur;
        let mut check = Check::lenient(cur.file().len());
        let score = match T::walk(&mut cur, &mut check, args) {
            Ok(_) if !check.broken => (2, 0),
            Ok(_) => (1, 0),
            Err(fault) => (0, fault.offset),
        };
        self.passing = self.passing.saturating_add(usize::from(score.0 == 2));
        if self.best.is_none_or(|best| score > best) {
            self.best = Some(score);
            self.chosen = index;
        }
    }

    /// Whether a variant has passed, so that a reader need not look further.
    pub fn passed(&self) -> bool {
        self.passing > 0
    }

    /// The variant to read.
    pub fn chosen(&self) -> usize {
        self.chosen
    }

    /// Tells a validator that the file fits several variants.
    pub fn look<O: Observer>(&self, cur: &Cursor<'_>, obs: &mut O) {
        if self.passing < 2 {
            return;
        }
        obs.note(
            Severity::Note,
            &Problem {
                code: "ambiguous",
                class: Class::Invalid,
                start: cur.pos(),
                end: cur.end(),
                what: format_args!("{} variants fit; the first one is taken", self.passing),
                expected: Show::Nothing,
                found: Show::Nothing,
            },
        );
    }

    /// A probe without variants.
    #[cold]
    pub fn none<O: Observer>(cur: &Cursor<'_>, obs: &mut O) -> Fault {
        crate::walk::no_variant(cur, obs)
    }
}
