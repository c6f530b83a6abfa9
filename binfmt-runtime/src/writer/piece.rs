//! Values that are written beside the output, before it is known in which order they lie.

use alloc::vec::Vec;

use super::sink::Memory;
use super::{BUFFER, Pass, Purpose, Writer};
use crate::finding::Fault;
use crate::place::{OpenSection, Phase, PieceNumber, go_on, number_of_piece, piece_of};

/// A value with its place.
#[derive(Debug)]
pub(crate) struct Piece {
    /// The offset of its first byte.
    pub(crate) at: u64,
    /// How many bytes it has.
    pub(crate) len: u64,
    /// Its bytes, unless it is only measured.
    bytes: Vec<u8>,
}

/// How the value around is written: what of it is met while it is measured is written like that, too.
#[derive(Clone, Copy)]
pub(crate) struct Manner {
    pub(super) keeps: bool,
    pub(super) purpose: Purpose,
    pub(super) pass: Pass,
    /// Whether it is measured itself.
    pub(crate) measures: bool,
}

impl core::fmt::Debug for Manner {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Manner").field("measures", &self.measures).finish_non_exhaustive()
    }
}

impl Piece {
    /// The same bytes at another place.
    pub(crate) fn moved_to(self, at: u64) -> Self {
        Self { at, ..self }
    }

    /// Whether it has all bytes of a range of the output.
    pub(crate) fn has(&self, from: u64, len: usize) -> bool {
        let from = from.checked_sub(self.at).and_then(|from| usize::try_from(from).ok());
        let end = from.and_then(|from| from.checked_add(len));
        len > 0 && end.is_some_and(|end| end <= self.bytes.len())
    }

    fn range(&mut self, from: u64, len: usize) -> Option<&mut [u8]> {
        let from = usize::try_from(from.checked_sub(self.at)?).ok()?;
        self.bytes.get_mut(from..)?.get_mut(..len)
    }
}

/// A piece whose bytes have been taken, and where it is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Taken {
    pub(super) at: u64,
    number: PieceNumber,
}

impl Writer<'_> {
    /// How values are written here. Checksums may cover them, also where the output keeps nothing.
    pub(crate) fn manner(&self) -> Manner {
        let Self { purpose, pass, measures, .. } = *self;
        Manner { keeps: !measures, purpose, pass, measures }
    }

    /// How values in the closest open section are written.
    pub(super) fn manner_of_section(&mut self) -> Option<Manner> {
        self.open_sections()?.last().map(OpenSection::manner)
    }

    /// What `emit` writes at an offset of the output.
    pub(crate) fn piece(
        &mut self,
        at: u64,
        manner: Manner,
        emit: &mut dyn FnMut(&mut Writer<'_>) -> Result<(), Fault>,
    ) -> Result<Piece, Fault> {
        let mut memory = Memory { start: at, ..Memory::default() };
        let mut buffer = [0; BUFFER];
        let inner = if manner.keeps {
            Writer { sink: Some(&mut memory), ..Writer::new(&mut buffer) }
        } else {
            Writer { keeps: false, ..Writer::new(&mut []) }
        };
        let inner = Writer { base: at, ..self.beside(inner) };
        let mut inner = Writer { purpose: manner.purpose, pass: manner.pass, ..inner };
        (inner.book, inner.locator) = (self.book.as_deref_mut(), self.locator.as_deref_mut());
        inner.padding = self.padding;
        let result = emit(&mut inner).and_then(|()| inner.flush());
        let (end, padding) = (inner.pos(), inner.padding);
        result?;
        self.padding = padding;
        Ok(Piece { at, len: end.saturating_sub(at), bytes: memory.bytes })
    }

    /// The bytes of a range that lie in an open section which is not in the output yet, or is `in_output`
    /// that cannot be reached from here.
    pub(super) fn beside_output(
        &mut self,
        range: (u64, usize),
        in_output: bool,
    ) -> Option<&mut [u8]> {
        let open = self.open_sections().filter(|open| !open.is_empty())?;
        let number = number_of_piece(open, range, in_output)?;
        piece_of(open, number)?.range(range.0, range.1)
    }

    /// Takes the bytes of a piece, if it has all of a range; they are put back.
    pub(super) fn take_piece(&mut self, from: u64, len: usize) -> Option<(Taken, Vec<u8>)> {
        let open = self.open_sections().filter(|open| !open.is_empty())?;
        let number = number_of_piece(open, (from, len), false)?;
        let piece = piece_of(open, number)?;
        Some((Taken { at: piece.at, number }, core::mem::take(&mut piece.bytes)))
    }

    pub(super) fn put_back(&mut self, taken: Taken, bytes: Vec<u8>) {
        let piece = self.open_sections().and_then(|open| piece_of(open, taken.number));
        if let Some(piece) = piece {
            piece.bytes = bytes;
        }
    }

    /// Writes a piece where it lies: here.
    pub(crate) fn put_piece(&mut self, piece: &Piece) -> Result<(), Fault> {
        if self.keeps {
            return self.put(&piece.bytes);
        }
        self.skip(piece.len);
        Ok(())
    }

    /// The open sections around what is being written, the closest last; none where nobody remembers them.
    pub(crate) fn open_sections(&mut self) -> Option<&mut Vec<OpenSection>> {
        Some(&mut self.book.as_mut()?.open)
    }

    /// Writes what in the closest open section becomes something of; what is written may fail, and others
    /// go on.
    pub(crate) fn in_phase<T>(&mut self, phase: Phase, emit: impl FnOnce(&mut Self) -> T) -> T {
        let mark = self.open_sections().map(|open| (open.len(), go_on(open, phase)));
        let result = emit(self);
        if let (Some((len, phase)), Some(open)) = (mark, self.open_sections()) {
            open.truncate(len);
            go_on(open, phase);
        }
        result
    }
}
