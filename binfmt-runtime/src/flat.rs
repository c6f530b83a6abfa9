//! `FlatBuffers`: tables that lie anywhere in a buffer and point at one another.
//!
//! Positions are absolute, as everywhere; alignments count from where the buffer begins. A buffer
//! owns a run of the file and nothing outside it, even where the header of a container is inserted
//! into it and its first bytes are fields of the container.

mod buffer;
#[cfg(feature = "alloc")]
mod build;
mod inline;
mod lazy;
mod placed;
mod schema;
mod table;
mod tell;
mod union;
mod value;
mod vector;

use crate::finding::{Error, Fault};
use crate::layout::Layout;
use crate::observe::{Observer, Read};
use crate::value::Value;

pub use buffer::{FlatBuffer, FlatTable, Root};
#[cfg(feature = "alloc")]
pub use build::{Builder, FlatBuild, FlatBuildUnion, Part, put_inline, unknown_union};
pub use inline::{enum_default, inline, stands_for_absent, struct_align};
pub use lazy::FbRef;
pub use placed::Placed;
pub use schema::{schema, unknown_schema, walk};
pub use table::{At, Table};
pub use union::{FlatUnion, Member, unknown_member};
pub use value::table_end;
pub use vector::{FbItems, FbVec};

/// A type that a field of a table, or an item of a vector, can have.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot stand in a `FlatBuffers` table",
    label = "needs `#[bin(flatbuffer)]`",
    note = "declare `{Self}` with `#[derive(BinFormat)]` and `#[bin(flatbuffer)]`; numbers, `&str`, `&[u8]` and `FbVec` need no declaration"
)]
pub trait FlatValue<'a>: Sized {
    /// The declaration as static data.
    const WIRE: &'static Layout;

    /// How many bytes stand in the table or vector: 4 for what is reached through an offset.
    const SIZE: usize;

    /// What those bytes are aligned to.
    const ALIGN: usize;

    /// Whether those bytes are an offset.
    const OFFSET: bool;

    /// Whether any bytes are a value, so that many of them need not be looked at.
    const PLAIN: bool = false;

    /// Whether something stands for the value where it is absent and no default is declared.
    const HAS_DEFAULT: bool = true;

    /// The value at `place`, behind its offset.
    fn walk<O: Observer>(place: Place<'a>, obs: &mut O) -> Result<Self, Fault>;

    /// Where the bytes of the value at `place` end.
    fn extent(place: Place<'a>) -> usize {
        place.pos.saturating_add(Self::SIZE)
    }

    /// What stands for an absent value.
    fn absent() -> Option<Self>;

    /// The value as an inspector shows it.
    fn value(&self) -> Value<'_>;
}

/// The bytes that a buffer owns, and what its alignments count from.
#[derive(Clone, Copy, Debug)]
pub struct Buf<'a> {
    /// The file up to the end of the buffer.
    file: &'a [u8],
    /// The first byte that the buffer owns.
    at: usize,
    /// Where the buffer begins.
    base: usize,
    /// How many tables are open.
    depth: u32,
}

impl<'a> Buf<'a> {
    /// A run of the bytes that the buffer owns.
    #[inline]
    fn bytes(self, pos: usize, len: usize) -> Option<&'a [u8]> {
        if pos < self.at {
            return None;
        }
        self.file.get(pos..)?.get(..len)
    }

    #[inline]
    fn array<const N: usize>(self, pos: usize) -> Option<[u8; N]> {
        self.bytes(pos, N)?.first_chunk().copied()
    }

    #[inline]
    fn u16(self, pos: usize) -> Option<usize> {
        self.array(pos).map(|bytes| usize::from(u16::from_le_bytes(bytes)))
    }

    #[inline]
    fn u32(self, pos: usize) -> Option<u32> {
        self.array(pos).map(u32::from_le_bytes)
    }

    /// Whether a position is a multiple of `align`, a power of two.
    #[inline]
    fn is_aligned(self, pos: usize, align: usize) -> bool {
        pos.wrapping_sub(self.base) & align.wrapping_sub(1) == 0
    }
}

/// A position in a buffer.
#[derive(Clone, Copy, Debug)]
pub struct Place<'a> {
    buf: Buf<'a>,
    pos: usize,
}

/// Why nothing can be read at a place.
#[derive(Clone, Copy)]
enum Flaw {
    /// It leaves the buffer.
    Outside,
    /// It lies on a wrong multiple.
    Misaligned(usize),
    /// The offset there points out of the buffer.
    Points(u32),
}

impl<'a> Place<'a> {
    /// The place, if it has as many bytes as `T` takes there, on the right multiple.
    #[inline]
    fn holds(self, size: usize, align: usize) -> Result<(), Flaw> {
        if !self.buf.is_aligned(self.pos, align) {
            return Err(Flaw::Misaligned(align));
        }
        self.buf.bytes(self.pos, size).map(|_| ()).ok_or(Flaw::Outside)
    }

    /// The place as a report tells it: at the end of the file, if it lies behind that.
    fn shown(self) -> usize {
        self.pos.min(self.buf.file.len())
    }

    /// Where the value begins that a table or vector has here: at the end of the offset, if it is one.
    #[inline]
    fn target<T: FlatValue<'a>>(self) -> Result<Self, Flaw> {
        if T::OFFSET {
            return self.follow();
        }
        self.holds(T::SIZE, T::ALIGN)?;
        Ok(self)
    }

    /// A number of 32 bits here, on a multiple of 4.
    #[inline]
    fn number(self) -> Result<u32, Flaw> {
        if !self.buf.is_aligned(self.pos, 4) {
            return Err(Flaw::Misaligned(4));
        }
        self.buf.u32(self.pos).ok_or(Flaw::Outside)
    }

    /// The place that the offset here points at.
    #[inline]
    fn follow(self) -> Result<Self, Flaw> {
        let offset = self.number()?;
        let pos = usize::try_from(offset).ok().and_then(|offset| self.pos.checked_add(offset));
        let target = pos.filter(|pos| self.buf.bytes(*pos, 1).is_some());
        target.map(|pos| Self { pos, ..self }).ok_or(Flaw::Points(offset))
    }

    /// The length in front of a text or vector, and where the items begin.
    #[inline]
    fn counted(self) -> Result<(usize, Self), Flaw> {
        let count = self.number()?;
        let count = usize::try_from(count).map_err(|_| Flaw::Outside)?;
        Ok((count, Self { pos: self.pos.saturating_add(4), ..self }))
    }

    /// Walks the value here; findings inside name where it is specified.
    #[inline]
    fn walk<T: FlatValue<'a>, O: Observer>(self, obs: &mut O) -> Result<T, Fault> {
        if !O::RECORD || T::WIRE.spec.is_none() {
            return T::walk(self, obs);
        }
        let outer = obs.specified(T::WIRE.spec);
        let result = T::walk(self, obs);
        obs.specified(outer);
        result
    }

    /// Reads a value of its own: one that nothing has read yet.
    fn read<T: FlatValue<'a>>(self) -> Result<T, Error> {
        let mut read = Read::new(self.buf.file.len());
        T::walk(self, &mut read)
            .map_err(|fault| crate::record::locate_flat::<T>(self, self.buf.file, fault))
    }

    /// Reads the value that a table or vector has here.
    fn read_here<T: FlatValue<'a>>(self) -> Result<T, Error> {
        match self.target::<T>() {
            Ok(target) => target.read(),
            Err(flaw) => Err(tell::error(self, flaw, T::SIZE)),
        }
    }
}
