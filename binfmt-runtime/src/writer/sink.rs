//! Where written bytes go, and who hears where values and fields begin and end.

use crate::finding::Problem;
use crate::path::Step;

/// Takes what a writer has collected; told of the rest only if it watches.
pub(crate) trait Sink {
    /// Takes the next bytes; `None` when they cannot be written.
    fn put(&mut self, bytes: &[u8]) -> Option<()>;

    /// At least so many bytes will follow.
    fn expect(&mut self, _len: usize) {}

    /// What has been taken from the offset on, if it can still be changed.
    fn taken(&mut self, _from: usize) -> Option<&mut [u8]> {
        None
    }

    /// A value begins.
    fn begin(&mut self) {}

    /// The value that began last ends.
    fn finish(&mut self) {}

    /// A field or an item begins.
    fn enter(&mut self, _step: Step) {}

    /// The field or item that began last ends.
    fn leave(&mut self) {}

    /// Whether the checksum of that bit is to be computed.
    fn sums(&self, _bit: u32) -> bool {
        true
    }

    /// How many checksums are being computed by writing into them.
    fn level(&self) -> u32 {
        0
    }

    /// Some checksums begin, or cease, to cover what is written.
    fn cover(&mut self, _sums: u32, _on: bool) {}

    /// What is written begins, or ceases, to count as zeros for some checksums.
    fn blank(&mut self, _sums: u32, _on: bool) {}

    /// Writing stops; told in any case.
    fn fail(&mut self, _problem: &Problem<'_>) {}

    /// Bytes to be written cannot be read; told in any case.
    #[cfg(feature = "std")]
    fn unreadable(&mut self, _error: std::io::Error) {}
}

/// From this size on, in bytes, a `Vec` grows by a quarter: twice the memory would be too much, and
/// such memory is moved by the kernel.
#[cfg(feature = "alloc")]
const LARGE: usize = 1 << 20;

#[cfg(feature = "alloc")]
impl Sink for alloc::vec::Vec<u8> {
    fn put(&mut self, bytes: &[u8]) -> Option<()> {
        self.expect(bytes.len());
        self.extend_from_slice(bytes);
        Some(())
    }

    fn expect(&mut self, len: usize) {
        if self.len() < LARGE {
            self.reserve(len);
        } else if self.capacity().saturating_sub(self.len()) < len {
            self.reserve_exact(len.max(self.len() >> 2));
        }
    }

    fn taken(&mut self, from: usize) -> Option<&mut [u8]> {
        self.get_mut(from..)
    }
}

/// Writes into any [`std::io::Write`] and keeps its error.
#[cfg(feature = "std")]
pub(crate) struct Io<'o> {
    pub(crate) out: &'o mut dyn std::io::Write,
    pub(crate) error: Option<std::io::Error>,
}

#[cfg(feature = "std")]
impl Sink for Io<'_> {
    fn put(&mut self, bytes: &[u8]) -> Option<()> {
        self.out.write_all(bytes).map_err(|error| self.error = Some(error)).ok()
    }

    fn unreadable(&mut self, error: std::io::Error) {
        self.error = Some(error);
    }
}

#[cfg(all(test, feature = "alloc"))]
mod tests {
    use super::*;

    #[test]
    fn a_large_output_grows_by_a_quarter() {
        let (mut put, mut expected) = (alloc::vec![0; LARGE], alloc::vec![0; LARGE]);
        Sink::put(&mut put, &[0; 600]).unwrap();
        Sink::expect(&mut expected, 600);
        for bytes in [put, expected] {
            assert!((LARGE + 600..=LARGE + LARGE / 4).contains(&bytes.capacity()));
        }
    }
}
