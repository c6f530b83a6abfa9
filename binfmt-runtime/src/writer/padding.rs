//! Padding: bytes that belong to no value, of which an output may have only so many.

use super::{Pattern, Writer};
use crate::finding::{Fault, Show};
use crate::ops::wide;

/// How many bytes of padding an output may have beyond what it has of other bytes: a stored offset
/// may name any place, and must not make the output as large as that.
const MAX_FILL: u64 = 1 << 30;

impl Writer<'_> {
    /// Writes `len` times the same byte.
    #[inline(always)]
    pub fn fill(&mut self, fill: impl Pattern, len: u64) -> Result<(), Fault> {
        fill.put(self, len)
    }

    /// Writes padding of one byte.
    #[inline(always)]
    pub(crate) fn fill_with_byte(&mut self, byte: u8, len: u64) -> Result<(), Fault> {
        if len == 0 {
            return Ok(());
        }
        // What is behind the end of the buffer's bytes belongs to nobody, where there is a sink.
        if len < 8
            && self.sink.is_some()
            && let Some(space) =
                self.buffer.get_mut(self.filled..).and_then(<[u8]>::first_chunk_mut)
            && let Ok(len) = usize::try_from(len)
        {
            *space = [byte; 8];
            self.filled = self.filled.wrapping_add(len);
            return Ok(());
        }
        self.fill_some(byte, len)
    }

    /// Counts padding, of which there may be only so much.
    pub(crate) fn account(&mut self, len: u64) -> Result<(), Fault> {
        self.padding = self.padding.saturating_add(len);
        let others = self.pos().saturating_add(len).saturating_sub(self.padding);
        if self.padding.saturating_sub(others) > MAX_FILL {
            return Err(self.too_large(len));
        }
        Ok(())
    }

    #[inline(never)]
    fn fill_some(&mut self, byte: u8, len: u64) -> Result<(), Fault> {
        match self.account(len) {
            Err(_) if self.learns() => Ok(()),
            accounted => accounted.and_then(|()| self.repeat(byte, len)),
        }
    }

    /// Writes `len` times the same byte, which nothing limits.
    pub(crate) fn repeat(&mut self, byte: u8, len: u64) -> Result<(), Fault> {
        if !self.keeps {
            self.skip(len);
            return Ok(());
        }
        let mut left = len;
        loop {
            let space = self.buffer.get_mut(self.filled..).unwrap_or_default();
            let most = usize::try_from(left).unwrap_or(usize::MAX).min(space.len());
            space.get_mut(..most).unwrap_or_default().fill(byte);
            self.filled = self.filled.saturating_add(most);
            left = left.saturating_sub(wide(most));
            if left == 0 {
                return Ok(());
            }
            self.make_space(1)?;
        }
    }

    #[cold]
    fn too_large(&mut self, len: u64) -> Fault {
        let what = format_args!("the output would have more than 1 GiB of padding");
        self.fail("space", what, Show::Nothing, Show::Uint(len))
    }

    /// Writes padding up to a multiple of `align`, counted from `start`.
    #[inline(always)]
    pub fn align(&mut self, start: u64, align: u64, fill: impl Pattern) -> Result<(), Fault> {
        match crate::ops::gap(self.pos().wrapping_sub(start), align) {
            Some(gap) => self.fill(fill, gap),
            None => Err(self.overflow("align")),
        }
    }

    /// Writes padding until `len` bytes have been written since `start`.
    #[inline(always)]
    pub fn pad_to(&mut self, start: u64, len: u64, fill: impl Pattern) -> Result<(), Fault> {
        match start.checked_add(len).and_then(|end| end.checked_sub(self.pos())) {
            Some(more) => self.fill(fill, more),
            None if self.takes_any() => Ok(()),
            None => Err(self.too_long(start, len)),
        }
    }

    #[cold]
    fn too_long(&mut self, start: u64, len: u64) -> Fault {
        let what = format_args!("the value is longer than the space kept for it");
        let found = Show::Uint(self.pos().saturating_sub(start));
        self.fail_at(start, "size", what, Show::Uint(len), found)
    }
}
