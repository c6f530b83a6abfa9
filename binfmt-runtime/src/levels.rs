//! What findings weigh where a declaration says so: the innermost word counts.

use crate::Severity;
use crate::layout::Level;

const MAX_STEPS: usize = 65;

/// The levels of what is open, by depth: of the field or item, and of the type of its value.
pub(crate) struct Levels {
    open: [[&'static [Level]; 2]; MAX_STEPS],
    /// Of the field that the finding belongs to, though it is not inside it.
    about: &'static [Level],
}

impl Default for Levels {
    fn default() -> Self {
        Self { open: [[&[]; 2]; MAX_STEPS], about: &[] }
    }
}

impl Levels {
    /// A field or an item opens at `depth`.
    pub(crate) fn of_field(&mut self, depth: usize, levels: &'static [Level]) {
        if let Some(slot) = self.open.get_mut(depth) {
            *slot = [levels, &[]];
        }
    }

    /// The value at `depth` has a declared type.
    pub(crate) fn of_type(&mut self, depth: usize, levels: &'static [Level]) {
        if let Some([_, of_type]) = self.open.get_mut(depth) {
            *of_type = levels;
        }
    }

    /// What is told next belongs to a field beside it.
    pub(crate) fn about(&mut self, levels: &'static [Level]) {
        self.about = levels;
    }

    /// What a finding weighs at `depth`.
    pub(crate) fn weigh(&self, depth: usize, code: &str, usual: Severity) -> Severity {
        let open = self.open.iter().take(depth.saturating_add(1)).rev();
        let layers = open.flat_map(|[of_field, of_type]| [*of_type, *of_field]);
        let mut layers = core::iter::once(self.about).chain(layers).flatten();
        let found = layers.find(|(named, _)| *named == code);
        match found {
            // A rule that stops writers stays an error, else a valid file could not be rewritten.
            Some(_) if usual == Severity::Error && !is_built_in(code) => usual,
            Some((_, severity)) => *severity,
            None => usual,
        }
    }
}

/// Rules have the name of their type in their code, or one of their own.
fn is_built_in(code: &str) -> bool {
    matches!(code, "derived" | "checksum" | "overlap" | "region")
}
