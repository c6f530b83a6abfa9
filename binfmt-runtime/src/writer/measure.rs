//! Sizes and places of what has not been written yet: it is written by a writer that only counts.

use super::{MAX_SECTIONS, Mode, Writer};
use crate::finding::Fault;

impl Writer<'_> {
    /// How many bytes `emit` would write here.
    #[inline(always)]
    pub fn measure(
        &self,
        emit: impl FnOnce(&mut Writer<'_>) -> Result<(), Fault>,
    ) -> Result<u64, Fault> {
        self.measure_from(self.pos(), emit)
    }

    /// How many bytes `emit` would write at `pos`.
    #[inline(always)]
    pub fn measure_from(
        &self,
        pos: u64,
        emit: impl FnOnce(&mut Writer<'_>) -> Result<(), Fault>,
    ) -> Result<u64, Fault> {
        let mut counter = self.counter(pos);
        match emit(&mut counter) {
            Ok(()) => Ok(counter.base.saturating_sub(pos)),
            Err(fault) => Err(fault),
        }
    }

    /// A writer at `pos` that only counts.
    fn counter<'o>(&self, pos: u64) -> Writer<'o> {
        Writer { base: pos, ..self.beside(Writer::to(&mut [], None, Mode::COUNTS)) }
    }

    /// Where the sections of the value begin that `emit` would write here.
    pub fn sections(
        &self,
        emit: impl FnOnce(&mut Writer<'_>) -> Result<(), Fault>,
    ) -> Result<[u64; MAX_SECTIONS], Fault> {
        let mut starts = [0; MAX_SECTIONS];
        let counter = self.counter(self.pos());
        emit(&mut Writer { sections: Some(&mut starts), ..counter })?;
        Ok(starts)
    }
}
