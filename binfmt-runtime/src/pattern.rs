//! What padding consists of.

use crate::finding::{Fault, Show};
use crate::writer::Writer;

/// One byte, or several again and again, the first of which begins the padding.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no padding",
    note = "padding is a byte, or several: `0xff`, `b\"PAD\"`"
)]
pub trait Pattern: Copy {
    /// The bytes, at least one.
    fn bytes(&self) -> &[u8];

    /// Writes so many bytes of padding.
    fn put(self, out: &mut Writer<'_>, len: u64) -> Result<(), Fault>;

    /// How the bytes are shown.
    fn shown(&self) -> Show;
}

impl Pattern for u8 {
    #[inline(always)]
    fn bytes(&self) -> &[u8] {
        core::slice::from_ref(self)
    }

    #[inline(always)]
    fn put(self, out: &mut Writer<'_>, len: u64) -> Result<(), Fault> {
        out.fill_with_byte(self, len)
    }

    fn shown(&self) -> Show {
        Show::Hex(u64::from(*self))
    }
}

impl<const N: usize> Pattern for &'static [u8; N] {
    fn bytes(&self) -> &[u8] {
        *self
    }

    fn put(self, out: &mut Writer<'_>, len: u64) -> Result<(), Fault> {
        out.fill_with(self, len)
    }

    fn shown(&self) -> Show {
        Show::bytes(*self)
    }
}

/// Where padding differs first from what it is to be.
pub(crate) fn differs(padding: &[u8], pattern: &[u8]) -> Option<usize> {
    match pattern {
        [byte] => padding.iter().position(|other| other != byte),
        _ => padding.iter().zip(pattern.iter().cycle()).position(|(a, b)| a != b),
    }
}

/// So many bytes of several are written at once.
const PART: usize = 256;

impl Writer<'_> {
    /// Writes several bytes again and again.
    #[inline(never)]
    fn fill_with(&mut self, pattern: &[u8], len: u64) -> Result<(), Fault> {
        if len == 0 || !self.keeps() {
            return self.fill_with_byte(0, len);
        }
        self.account(len)?;
        let mut part = [0; PART];
        for (byte, of) in part.iter_mut().zip(pattern.iter().cycle()) {
            *byte = *of;
        }
        let whole = PART.checked_rem(pattern.len()).map_or(PART, |rest| PART.saturating_sub(rest));
        let part = part.get(..whole).filter(|part| !part.is_empty()).unwrap_or(pattern);
        let mut left = usize::try_from(len).unwrap_or(usize::MAX);
        while left > 0 {
            let part = part.get(..left).unwrap_or(part);
            self.put(part)?;
            left = left.saturating_sub(part.len().max(1));
        }
        Ok(())
    }
}
