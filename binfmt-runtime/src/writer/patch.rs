//! Numbers that tell the length of what is behind them: in memory they are stored when it has been
//! written, so that nothing is counted before.

use super::Writer;
use crate::finding::Fault;
use crate::int::{Int, Order};
use crate::ops::wide;

impl Writer<'_> {
    /// Whether what has been written can still be changed.
    #[inline(always)]
    pub fn patches(&self) -> bool {
        self.mode.patches
    }

    /// Stores a number over the one that was written at `at` in its place.
    #[inline(always)]
    pub fn patch<T: Int>(&mut self, at: u64, number: T, order: Order) -> Result<(), Fault> {
        // A number is never split: it lies in the buffer, or has been handed on.
        let place = match at.checked_sub(self.base) {
            Some(at) => usize::try_from(at).ok().and_then(|at| self.buffer.get_mut(at..)),
            None => self.handed_on(at),
        };
        match place.and_then(|place| place.get_mut(..T::SIZE)) {
            Some(place) => number.put(&mut Writer::new(place), order),
            None => Err(self.full(wide(T::SIZE))),
        }
    }

    /// What the sink has got from the offset on.
    #[inline(never)]
    fn handed_on(&mut self, at: u64) -> Option<&mut [u8]> {
        let at = usize::try_from(at).ok()?;
        self.sink.as_mut().and_then(|sink| sink.taken(at))
    }
}
