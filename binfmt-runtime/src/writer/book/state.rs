//! What earlier passes have found out, to come back to it.

use super::Book;
use super::suspects::Suspects;
use crate::writer::apart::Apart;
use crate::writer::numbers::Numbers;

/// All that is known of numbers between two passes.
#[derive(Clone, Debug)]
pub(in crate::writer) struct State {
    numbers: Numbers,
    apart: Apart,
    by_values: bool,
    suspects: Suspects,
}

impl Book {
    /// What is known.
    pub(in crate::writer) fn state(&self) -> State {
        State {
            numbers: self.numbers.clone(),
            apart: self.apart.clone(),
            by_values: self.by_values,
            suspects: self.suspects,
        }
    }

    /// Only that is known.
    pub(in crate::writer) fn go_back_to(&mut self, state: State) {
        self.numbers = state.numbers;
        self.apart = state.apart;
        (self.by_values, self.by_places, self.suspects) = (state.by_values, false, state.suspects);
        (self.lengths, self.again) = (false, false);
        self.widths.clear();
        self.learned.clear();
        self.places.clear();
    }
}
