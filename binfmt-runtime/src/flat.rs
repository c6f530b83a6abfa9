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
pub use table::{At, Met, Table};
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
    #[inline]
    fn extent(place: Place<'a>) -> usize {
        place.pos.saturating_add(Self::SIZE)
    }

    /// Where the bytes of this value end, which has been read at `place`.
    #[inline]
    fn end(&self, place: Place<'a>) -> usize {
        Self::extent(place)
    }

    /// What stands for an absent value.
    fn absent() -> Option<Self>;

    /// The value as an inspector shows it.
    fn value(&self) -> Value<'_>;
}

/// The bytes that a buffer owns, and what its alignments count from.
///
/// Handles are made of this, and values of many handles, so it is kept small.
#[derive(Clone, Copy, Debug)]
pub struct Buf<'a> {
    /// The file up to the end of the buffer.
    file: &'a [u8],
    /// The first byte that the buffer owns. Offsets lead on from there, all but those of vtables.
    at: usize,
    near: Near,
}

/// What takes a byte each of a handle.
#[derive(Clone, Copy, Debug)]
struct Near {
    /// Where the buffer begins, as far as alignments ask: the last bits.
    skew: u8,
    /// How many tables are open.
    depth: u8,
    #[expect(dead_code, reason = "what it leaves unused is its use")]
    mark: Mark,
}

/// Has one value; the others that a byte has are left to tell what holds a handle from what holds
/// none.
#[derive(Clone, Copy, Debug)]
#[repr(u8)]
enum Mark {
    Read,
}

impl<'a> Buf<'a> {
    /// The bytes up to the end of a file, of which the buffer owns those from `at` on, and which
    /// begins at `base`.
    fn new(file: &'a [u8], at: usize, base: usize) -> Self {
        let [skew, ..] = base.to_le_bytes();
        Self { file, at, near: Near { skew, depth: 0, mark: Mark::Read } }
    }

    /// A run of bytes that lies at `at` or behind it, as all do that offsets lead to.
    #[inline]
    fn bytes(self, pos: usize, len: usize) -> Option<&'a [u8]> {
        self.file.get(pos..)?.get(..len)
    }

    /// What lies from `pos` on, which may be anywhere.
    #[inline]
    fn owned_from(self, pos: usize) -> Option<&'a [u8]> {
        if pos < self.at { None } else { self.file.get(pos..) }
    }

    #[inline]
    fn array<const N: usize>(self, pos: usize) -> Option<[u8; N]> {
        self.file.get(pos..)?.first_chunk().copied()
    }

    #[inline]
    fn u32(self, pos: usize) -> Option<u32> {
        self.array(pos).map(u32::from_le_bytes)
    }

    /// Whether a position is a multiple of `align`, a power of two that a byte holds.
    #[inline]
    fn is_aligned(self, pos: usize, align: usize) -> bool {
        pos.wrapping_sub(usize::from(self.near.skew)) & align.wrapping_sub(1) == 0
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

    /// Where the value begins that a table has here: at the end of the offset, if it is one.
    #[inline]
    fn target<T: FlatValue<'a>>(self) -> Result<Self, Flaw> {
        if T::OFFSET {
            return self.follow();
        }
        self.holds(T::SIZE, T::ALIGN)?;
        Ok(self)
    }

    /// The same for a vector, which has seen to it that its items are aligned.
    #[inline]
    fn item<T: FlatValue<'a>>(self) -> Result<Self, Flaw> {
        if !T::OFFSET {
            return Ok(self);
        }
        self.led_by(self.buf.u32(self.pos).ok_or(Flaw::Outside)?)
    }

    /// A number of 32 bits here, on a multiple of 4, and what lies behind it.
    #[inline]
    fn number(self) -> Result<(u32, &'a [u8]), Flaw> {
        if !self.buf.is_aligned(self.pos, 4) {
            return Err(Flaw::Misaligned(4));
        }
        let bytes = self.buf.file.get(self.pos..).and_then(<[u8]>::split_first_chunk);
        let (number, rest) = bytes.ok_or(Flaw::Outside)?;
        Ok((u32::from_le_bytes(*number), rest))
    }

    /// The place that the offset here points at.
    #[inline]
    fn follow(self) -> Result<Self, Flaw> {
        self.led_by(self.number()?.0)
    }

    #[inline]
    fn led_by(self, offset: u32) -> Result<Self, Flaw> {
        let pos = usize::try_from(offset).ok().and_then(|offset| self.pos.checked_add(offset));
        let target = pos.filter(|pos| *pos < self.buf.file.len());
        target.map(|pos| Self { pos, ..self }).ok_or(Flaw::Points(offset))
    }

    /// The length in front of a text or vector, and all that lies behind it.
    #[inline]
    fn counted(self) -> Result<(usize, &'a [u8]), Flaw> {
        let (count, rest) = self.number()?;
        Ok((usize::try_from(count).map_err(|_| Flaw::Outside)?, rest))
    }

    /// The place so many bytes behind this one.
    #[inline]
    fn behind(self, len: usize) -> Self {
        Self { pos: self.pos.saturating_add(len), ..self }
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
    #[inline]
    fn read<T: FlatValue<'a>>(self) -> Result<T, Error> {
        let mut read = Read::new(self.buf.file.len());
        T::walk(self, &mut read)
            .map_err(|fault| crate::record::locate_flat::<T>(self, self.buf.file, fault))
    }

    /// Reads the value that a vector has here.
    #[inline]
    fn read_item<T: FlatValue<'a>>(self) -> Result<T, Error> {
        match self.item::<T>() {
            Ok(target) => target.read(),
            Err(flaw) => Err(tell::error(self, flaw, T::SIZE)),
        }
    }
}
