//! The bytes of values that may share a place, to be compared.

#[cfg(feature = "alloc")]
use alloc::vec::Vec;

#[cfg(feature = "alloc")]
use super::Purpose;
use super::Writer;
#[cfg(feature = "alloc")]
use super::region::Emit;
#[cfg(feature = "alloc")]
use crate::finding::Fault;
#[cfg(feature = "alloc")]
use crate::ops::wide;
#[cfg(feature = "alloc")]
use crate::place::Phase;

/// A value is compared with others by its own bytes, and by those of the values inside it that lie in an open
/// section around, one behind the other: values of two types may have the same bytes and nothing inside.
#[cfg(feature = "alloc")]
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Compared {
    own: Vec<u8>,
    inside: Vec<u8>,
}

impl Writer<'_> {
    /// Whether the bytes are compared with those of other values; without memory none are.
    pub(crate) fn compares(&self) -> bool {
        #[cfg(feature = "alloc")]
        let compares = self.purpose == Purpose::Compare;
        #[cfg(not(feature = "alloc"))]
        let compares = false;
        compares
    }

    /// The bytes that `emit` writes at an offset, whatever rules say; `None` if it fails.
    #[cfg(feature = "alloc")]
    pub(crate) fn bytes_at(&mut self, at: u64, emit: &mut Emit<'_>) -> Option<Vec<u8>> {
        self.own_bytes_at(at, emit).map(|(bytes, _)| bytes)
    }

    /// What others are compared with that may share the place of a value, and how many bytes it has with the
    /// padding behind it.
    #[cfg(feature = "alloc")]
    pub(crate) fn compared_at(&mut self, at: u64, emit: &mut Emit<'_>) -> Option<(Compared, u64)> {
        if let Some(book) = &mut self.book {
            book.inside.clear();
        }
        let (mut own, len) = self.own_bytes_at(at, emit)?;
        let size = wide(own.len());
        own.truncate(len);
        let inside = self.book.as_mut().map(|book| core::mem::take(&mut book.inside));
        Some((Compared { own, inside: inside.unwrap_or_default() }, size))
    }

    /// A value that lies inside the one that is compared, with what makes a place of its number.
    #[cfg(feature = "alloc")]
    pub(crate) fn compare_inside(
        &mut self,
        at: u64,
        place: [u64; 3],
        emit: &mut Emit<'_>,
    ) -> Result<(), Fault> {
        let from = self.book.as_ref().map_or(0, |book| book.inside.len());
        let Some(bytes) = self.bytes_at(at, emit) else { return Err(self.unsettled(at)) };
        let Some(book) = &mut self.book else { return Ok(()) };
        // Lengths behind the bytes, so that no other values can have these.
        book.inside.extend_from_slice(&bytes);
        let lens = [bytes.len(), book.inside.len().saturating_sub(from)].map(wide);
        let numbers = place.into_iter().chain(lens);
        book.inside.extend(numbers.flat_map(u64::to_le_bytes));
        Ok(())
    }

    /// The bytes of a value, and how many of them there are without the padding behind a value that may share
    /// them.
    #[cfg(feature = "alloc")]
    fn own_bytes_at(&mut self, at: u64, emit: &mut Emit<'_>) -> Option<(Vec<u8>, usize)> {
        let mut memory = super::sink::Memory { start: at, ..Default::default() };
        let mut buffer = [0; super::BUFFER];
        let inner = Writer { sink: Some(&mut memory), ..Writer::new(&mut buffer) };
        let mut inner = Writer { base: at, purpose: Purpose::Compare, ..self.beside(inner) };
        inner.book = self.book.as_deref_mut();
        inner.in_phase(Phase::Passes, |inner| emit(inner).and_then(|()| inner.flush())).ok()?;
        let own = usize::try_from(inner.own_end.saturating_sub(at)).ok();
        let own = own.filter(|own| *own > 0 && *own < memory.bytes.len());
        let len = own.unwrap_or(memory.bytes.len());
        Some((memory.bytes, len))
    }

    /// A value that others may have the bytes of ends here; padding may follow.
    pub fn own_ends(&mut self) {
        #[cfg(feature = "alloc")]
        (self.own_end = self.pos());
    }
}
