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
use crate::observe::{Limits, Observer, Read};
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
        place.offset().saturating_add(Self::SIZE)
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
#[derive(Clone, Copy, Debug)]
pub struct Buf<'a> {
    /// The file up to the end of the buffer.
    file: &'a [u8],
    /// The first byte that the buffer owns. Offsets lead on from there, all but those of vtables.
    at: usize,
    near: Near,
}

/// What takes a byte each: where the buffer begins, as far as alignments ask (the last bits), and how
/// many tables are open.
///
/// Handles lie in values, and values are copied. One number is one copy.
#[derive(Clone, Copy, Debug)]
struct Near(u32);

impl Near {
    #[inline(always)]
    fn skew(self) -> usize {
        let [skew, ..] = self.0.to_le_bytes();
        usize::from(skew)
    }

    /// One table further down, if there may be so many.
    #[inline(always)]
    fn deeper(self) -> Option<Self> {
        let [_, depth, ..] = self.0.to_le_bytes();
        (u32::from(depth) < Limits::MAX_DEPTH).then_some(Self(self.0.wrapping_add(0x100)))
    }
}

impl<'a> Buf<'a> {
    /// The bytes up to the end of a file, of which the buffer owns those from `at` on, and which
    /// begins at `base`.
    fn new(file: &'a [u8], at: usize, base: usize) -> Self {
        let [skew, ..] = base.to_le_bytes();
        Self { file, at, near: Near(u32::from(skew)) }
    }

    /// The place at an absolute offset.
    #[inline]
    fn place(self, offset: usize) -> Place<'a> {
        let pos = offset.wrapping_sub(self.near.skew());
        Place { buf: self, pos, rest: self.file.get(offset..).unwrap_or_default() }
    }
}

/// A position in a buffer.
///
/// Walks go on from one place to another by what is left of the buffer, so that one comparison is
/// enough. No sum of a position and what two bytes or a few hold is more than memory has addresses.
#[derive(Clone, Copy, Debug)]
pub struct Place<'a> {
    buf: Buf<'a>,
    /// The absolute offset but for the skew, so that alignments can be seen.
    pos: usize,
    /// What lies here and behind; nothing, if the place lies behind the end of the buffer.
    rest: &'a [u8],
}

/// A place, or a run of items, as handles keep it: without what can be found again. Values are made
/// of many of these, so they have no room that is not used.
#[derive(Clone, Copy)]
struct Kept<'a> {
    file: &'a [u8],
    at: usize,
    pos: usize,
    /// How many items there are from here on, and in the upper half what is near.
    count: u64,
}

impl<'a> Kept<'a> {
    #[inline]
    fn place(self) -> Place<'a> {
        let [.., a, b, c, d] = self.count.to_le_bytes();
        let near = Near(u32::from_le_bytes([a, b, c, d]));
        let buf = Buf { file: self.file, at: self.at, near };
        buf.place(self.pos.wrapping_add(near.skew()))
    }

    #[inline]
    fn items(self) -> u32 {
        let [a, b, c, d, ..] = self.count.to_le_bytes();
        u32::from_le_bytes([a, b, c, d])
    }

    /// Leaves out one item of `size` bytes, if there are any.
    #[inline]
    fn pass(&mut self, size: usize) -> Option<()> {
        if self.items() == 0 {
            return None;
        }
        self.count = self.count.wrapping_sub(1);
        self.pos = self.pos.wrapping_add(size);
        Some(())
    }
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
    /// The absolute offset.
    #[inline]
    fn offset(self) -> usize {
        self.pos.wrapping_add(self.buf.near.skew())
    }

    /// The place as a report tells it: at the end of the file, if it lies behind that.
    fn shown(self) -> usize {
        self.offset().min(self.buf.file.len())
    }

    /// The absolute offset `len` bytes from here, but for what leaves the buffer.
    fn end(self, len: usize) -> usize {
        self.offset().saturating_add(len).min(self.buf.file.len())
    }

    #[inline]
    fn keep(self, count: u32) -> Kept<'a> {
        let Self { buf: Buf { file, at, near }, pos, .. } = self;
        Kept { file, at, pos, count: u64::from(count) | u64::from(near.0) << 32 }
    }

    /// Whether this is a multiple of `align`, a power of two that a byte holds.
    #[inline(always)]
    fn is_aligned(self, align: usize) -> bool {
        self.pos & align.wrapping_sub(1) == 0
    }

    /// The place `len` bytes behind this one, if that is in the buffer or at its end.
    #[inline(always)]
    fn behind(self, len: usize) -> Option<Self> {
        Some(Self { pos: self.pos.wrapping_add(len), rest: self.rest.get(len..)?, ..self })
    }

    /// The place of a field of the table here, be it in the buffer or not.
    #[inline(always)]
    fn field(self, len: usize) -> Self {
        let rest = self.rest.get(len..).unwrap_or_default();
        Self { pos: self.pos.wrapping_add(len), rest, ..self }
    }

    /// Where the value begins that a table has here: at the end of the offset, if it is one.
    #[inline(always)]
    fn target<T: FlatValue<'a>>(self) -> Result<Self, Flaw> {
        if T::OFFSET {
            return self.led_by(self.number()?.0);
        }
        if !self.is_aligned(T::ALIGN) {
            return Err(Flaw::Misaligned(T::ALIGN));
        }
        if self.rest.len() < T::SIZE {
            return Err(Flaw::Outside);
        }
        Ok(self)
    }

    /// The same for a vector, which has seen to it that its items are aligned.
    #[inline(always)]
    fn item<T: FlatValue<'a>>(self) -> Result<Self, Flaw> {
        if !T::OFFSET {
            return Ok(self);
        }
        let offset = self.rest.first_chunk().ok_or(Flaw::Outside)?;
        self.led_by(u32::from_le_bytes(*offset))
    }

    /// A number of 32 bits here, on a multiple of 4, and what lies behind it.
    #[inline(always)]
    fn number(self) -> Result<(u32, Self), Flaw> {
        if !self.is_aligned(4) {
            return Err(Flaw::Misaligned(4));
        }
        let (number, rest) = self.rest.split_first_chunk().ok_or(Flaw::Outside)?;
        Ok((u32::from_le_bytes(*number), Self { pos: self.pos.wrapping_add(4), rest, ..self }))
    }

    /// The place that an offset points at which stands here.
    #[inline(always)]
    fn led_by(self, offset: u32) -> Result<Self, Flaw> {
        let target = usize::try_from(offset).ok().and_then(|offset| self.behind(offset));
        target.filter(|target| !target.rest.is_empty()).ok_or(Flaw::Points(offset))
    }

    /// Walks the value here; findings inside name where it is specified.
    ///
    /// Walks of tables stand where they are called, so that nobody makes values which nobody wants. A
    /// recorder has them once.
    #[inline]
    fn walk<T: FlatValue<'a>, O: Observer>(self, obs: &mut O) -> Result<T, Fault> {
        if O::RECORD { self.told(obs) } else { T::walk(self, obs) }
    }

    #[inline(never)]
    fn told<T: FlatValue<'a>, O: Observer>(self, obs: &mut O) -> Result<T, Fault> {
        if T::WIRE.spec.is_none() {
            return T::walk(self, obs);
        }
        let outer = obs.specified(T::WIRE.spec);
        let result = T::walk(self, obs);
        obs.specified(outer);
        result
    }

    /// Whether the value here can be read, or so many items.
    #[inline(always)]
    fn check<T: FlatValue<'a>, O: Observer>(
        self,
        obs: &mut O,
        items: Option<u32>,
    ) -> Result<(), Fault> {
        check::<T, O>(self.buf.file, self.buf.at, self.pos, self.buf.near, items, obs)
    }

    /// Reads a value of its own: one that nothing has read yet.
    #[inline]
    fn read<T: FlatValue<'a>>(self) -> Result<T, Error> {
        match T::walk(self, &mut Read::new(self.buf.file.len())) {
            Ok(value) => Ok(value),
            Err(_) => Err(self.why::<T>(false)),
        }
    }

    /// Reads the value that a vector has here.
    #[inline]
    fn read_item<T: FlatValue<'a>>(self) -> Result<T, Error> {
        let read = &mut Read::new(self.buf.file.len());
        match self.item::<T>().map(|target| T::walk(target, read)) {
            Ok(Ok(value)) => Ok(value),
            _ => Err(self.why::<T>(true)),
        }
    }

    /// Why the value here cannot be read, or the item.
    #[inline(always)]
    fn why<T: FlatValue<'a>>(self, is_item: bool) -> Error {
        tell::why::<T>(self.buf.file, self.buf.at, self.pos, self.buf.near, is_item)
    }
}

/// The parts of a place are passed one by one, as they need no memory then.
#[inline(never)]
fn check<'a, T: FlatValue<'a>, O: Observer>(
    file: &'a [u8],
    at: usize,
    pos: usize,
    near: Near,
    items: Option<u32>,
    obs: &mut O,
) -> Result<(), Fault> {
    let first = Buf { file, at, near }.place(pos.wrapping_add(near.skew()));
    let mut passed = 0;
    for _ in 0..items.unwrap_or(1) {
        let place = first.behind(passed).ok_or(Fault::at(pos))?;
        let target = if items.is_some() { place.item::<T>() } else { Ok(place) };
        T::walk(target.map_err(|_| Fault::at(pos))?, obs)?;
        passed = passed.wrapping_add(T::SIZE);
    }
    Ok(())
}
