//! What a sink hears that watches: where values, fields and checksums begin and end.

use super::{Sink, Writer};
use crate::path::Step;

impl Writer<'_> {
    /// Whether anybody hears where fields and items begin.
    #[inline(always)]
    pub(crate) fn is_watched(&self) -> bool {
        self.mode.watched
    }

    /// Tells the sink something, if it watches; what it covers, it has got before.
    #[inline(always)]
    fn tell(&mut self, event: impl FnOnce(&mut dyn Sink)) {
        if self.mode.watched {
            self.tell_watcher(event);
        }
    }

    #[cold]
    #[inline(never)]
    fn tell_watcher(&mut self, event: impl FnOnce(&mut dyn Sink)) {
        // A sink that watches takes all bytes.
        let _ = self.flush();
        if let Some(sink) = &mut self.sink {
            event(&mut **sink);
        }
    }

    /// A field or an item begins.
    #[inline(always)]
    pub fn enter(&mut self, name: &'static str) {
        self.tell(|sink| sink.enter(Step::Field(name)));
    }

    /// An item begins.
    #[inline(always)]
    pub fn enter_item(&mut self, index: u64) {
        self.tell(|sink| sink.enter(Step::Index(index)));
    }

    /// The field or item that began last ends.
    #[inline(always)]
    pub fn leave(&mut self) {
        self.tell(|sink| sink.leave());
    }

    /// A value begins here.
    #[inline(always)]
    pub fn begin(&mut self) -> u64 {
        self.depth = self.depth.wrapping_add(1);
        self.tell(|sink| sink.begin());
        self.pos()
    }

    /// The value that began last ends.
    #[inline(always)]
    pub fn finish(&mut self) {
        self.depth = self.depth.wrapping_sub(1);
        self.tell(|sink| sink.finish());
    }

    /// A section of the current value begins here.
    pub fn mark(&mut self, section: usize) {
        let pos = self.pos();
        if let Some(starts) = self.sections.as_mut().filter(|_| self.depth == 1)
            && let Some(start) = starts.get_mut(section)
        {
            *start = pos;
        }
    }

    /// Some checksums begin, or cease, to cover what is written.
    pub fn cover(&mut self, sums: u32, on: bool) {
        self.tell(|sink| sink.cover(sums, on));
    }

    /// What is written begins, or ceases, to count as zeros for some checksums.
    pub fn blank(&mut self, sums: u32, on: bool) {
        self.tell(|sink| sink.blank(sums, on));
    }

    /// Whether the checksum of that bit is to be computed.
    pub fn sums(&self, bit: u32) -> bool {
        self.watcher().is_none_or(|sink| sink.sums(bit))
    }

    /// How many checksums are being computed around this writer.
    pub(crate) fn level(&self) -> u32 {
        self.watcher().map_or(0, Sink::level)
    }

    fn watcher(&self) -> Option<&dyn Sink> {
        self.sink.as_deref().filter(|_| self.mode.watched)
    }
}
