//! Whether passes still find out something new.

use super::Book;
use super::room::PATIENCE;

/// How many passes back a state is known.
const KNOWN: usize = 32;

/// How often a state may come back: what numbers do not tell may have changed.
const OFTEN: usize = 3;

/// The last states of a book.
#[derive(Debug, Default)]
pub(super) struct Turns {
    states: [Option<u64>; KNOWN],
    next: usize,
}

impl Turns {
    /// Whether another pass may find out what this one has not. Passes that go round in circles need not be waited
    /// for: what is done when patience is at an end is done at once.
    pub(super) fn go_on(&mut self, book: &mut Book) -> bool {
        let state = book.sum_of_state();
        let again = self.states.iter().filter(|known| **known == Some(state)).count();
        if let Some(place) = self.states.get_mut(self.next) {
            *place = Some(state);
        }
        self.next = self.next.wrapping_add(1) % KNOWN;
        if again < OFTEN {
            return true;
        }
        *self = Self::default();
        book.ends_patience()
    }
}

impl Book {
    /// A number for all that is known.
    pub(super) fn sum_of_state(&self) -> u64 {
        let numbers = self.numbers.iter();
        #[cfg(feature = "alloc")]
        let numbers = numbers.chain(self.apart.numbers());
        numbers.fold(0, |sum: u64, number| {
            let number = number.map_or(0, |number| number.wrapping_add(1));
            (sum.rotate_left(5) ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15)
        })
    }

    /// What is done behind many passes is done from now on; `false` if it has been.
    fn ends_patience(&mut self) -> bool {
        let had = self.rounds < PATIENCE;
        self.rounds = self.rounds.max(PATIENCE);
        had
    }
}
