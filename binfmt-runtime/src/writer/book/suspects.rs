//! Numbers that are perhaps used around their values and written as others, which a located writer looks for.

use super::Book;

/// Whether numbers are used around their values that are written as others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Suspects {
    #[default]
    Nothing,
    Something,
    /// A writer that knew where it was has looked, and found nothing.
    Cleared,
}

impl Book {
    /// Nothing that has been found out counts, and somebody must look for such numbers.
    pub(in crate::writer) fn start_over_in_doubt(&mut self) {
        self.start_over();
        self.suspects = Suspects::Something;
    }

    /// Who has looked for such a number looks once more.
    #[cfg(feature = "alloc")]
    pub(super) fn doubt_again(&mut self) {
        if self.suspects != Suspects::Nothing {
            self.suspects = Suspects::Something;
        }
    }

    /// A number is perhaps used otherwise than it is written.
    pub(in crate::writer) fn suspect(&mut self) {
        if self.suspects == Suspects::Nothing {
            self.suspects = Suspects::Something;
        }
    }

    /// Whether somebody must look for such a number.
    pub(in crate::writer) fn suspects(&self) -> bool {
        self.suspects == Suspects::Something
    }

    /// The same, and what was found so far counts no more.
    #[cfg(feature = "alloc")]
    pub(in crate::writer) fn take_suspects(&mut self) -> bool {
        let suspects = self.suspects();
        self.suspects = Suspects::Nothing;
        suspects
    }

    /// Who knew where it was has found none.
    pub(in crate::writer) fn clear_suspects(&mut self) {
        self.suspects = Suspects::Cleared;
    }
}
