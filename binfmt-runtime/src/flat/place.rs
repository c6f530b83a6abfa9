//! Places in a buffer, and how handles keep them.

use super::{FlatValue, report};
use crate::budget::Limits;
use crate::finding::{Error, Fault};
use crate::observe::{Observer, Read};
use crate::stack::Stack;

/// The bytes that a buffer owns, and what its alignments count from.
#[derive(Clone, Copy, Debug)]
pub struct Buf<'a> {
    /// The file up to the end of the buffer.
    pub(super) file: &'a [u8],
    /// The first byte that the buffer owns. Offsets lead on from there, all but those of vtables.
    pub(super) at: usize,
    pub(super) near: Near,
}

/// What takes few bytes: where the buffer begins, as far as alignments ask (the last bits), how many
/// tables are open, and what they take of the stack.
///
/// Handles lie in values, and values are copied. One number is one copy.
#[derive(Clone, Copy, Debug)]
pub(super) struct Near(u32);

impl Near {
    #[inline(always)]
    pub(super) fn new(skew: u8, depth: u8, stack: Stack) -> Self {
        let [low, high] = stack.units().to_le_bytes();
        Self(u32::from_le_bytes([skew, depth, low, high]))
    }

    #[inline(always)]
    pub(super) fn skew(self) -> usize {
        let [skew, ..] = self.0.to_le_bytes();
        usize::from(skew)
    }

    /// One table further down, whose walk takes so many bytes of the stack, if there may be so many.
    #[inline(always)]
    pub(super) fn deeper(self, bytes: usize) -> Option<Self> {
        let [skew, depth, open @ ..] = self.0.to_le_bytes();
        let stack = Stack::from_units(u16::from_le_bytes(open)).with(bytes)?;
        let near = Self::new(skew, depth.wrapping_add(1), stack);
        (!self.is_deep()).then_some(near)
    }

    /// Whether tables nest so deeply that it is their number that keeps others out, not their size.
    #[inline(always)]
    pub(super) fn is_deep(self) -> bool {
        let [_, depth, ..] = self.0.to_le_bytes();
        u32::from(depth) >= Limits::MAX_DEPTH
    }
}

impl<'a> Buf<'a> {
    /// The bytes up to the end of a file, of which the buffer owns those from `at` on, and which
    /// begins at `base`; the walks around it take so much of the stack.
    pub(super) fn new(file: &'a [u8], at: usize, base: usize, stack: Stack) -> Self {
        let [skew, ..] = base.to_le_bytes();
        Self { file, at, near: Near::new(skew, 0, stack) }
    }

    /// The place at an absolute offset.
    #[inline]
    pub(super) fn place(self, offset: usize) -> Place<'a> {
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
    pub(super) buf: Buf<'a>,
    /// The absolute offset but for the skew, so that alignments can be seen.
    pub(super) pos: usize,
    /// What lies here and behind; nothing, if the place lies behind the end of the buffer.
    pub(super) rest: &'a [u8],
}

/// A place, or a run of items, as handles keep it: without what can be found again. Values are made
/// of many of these, so they have no room that is not used.
#[derive(Clone, Copy)]
pub(super) struct Kept<'a> {
    file: &'a [u8],
    at: usize,
    pos: usize,
    /// How many items there are from here on, and in the upper half what is near.
    count: u64,
}

impl<'a> Kept<'a> {
    #[inline]
    pub(super) fn place(self) -> Place<'a> {
        let [.., a, b, c, d] = self.count.to_le_bytes();
        let near = Near(u32::from_le_bytes([a, b, c, d]));
        let buf = Buf { file: self.file, at: self.at, near };
        buf.place(self.pos.wrapping_add(near.skew()))
    }

    /// The file up to the end of the buffer.
    pub(super) fn file(self) -> &'a [u8] {
        self.file
    }

    #[inline]
    pub(super) fn items(self) -> u32 {
        let [a, b, c, d, ..] = self.count.to_le_bytes();
        u32::from_le_bytes([a, b, c, d])
    }

    /// Leaves out one item of `size` bytes, if there are any.
    #[inline]
    pub(super) fn pass(&mut self, size: usize) -> Option<()> {
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
pub(super) enum Flaw {
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
    pub(super) fn offset(self) -> usize {
        self.pos.wrapping_add(self.buf.near.skew())
    }

    /// The place as a report tells it: at the end of the file, if it lies behind that.
    pub(super) fn reported_offset(self) -> usize {
        self.offset().min(self.buf.file.len())
    }

    /// The absolute offset `len` bytes from here, but for what leaves the buffer.
    pub(super) fn end(self, len: usize) -> usize {
        self.offset().saturating_add(len).min(self.buf.file.len())
    }

    #[inline]
    pub(super) fn keep(self, count: u32) -> Kept<'a> {
        let Self { buf: Buf { file, at, near }, pos, .. } = self;
        Kept { file, at, pos, count: u64::from(count) | u64::from(near.0) << 32 }
    }

    /// Whether this is a multiple of `align`, a power of two that a byte holds.
    #[inline(always)]
    pub(super) fn is_aligned(self, align: usize) -> bool {
        self.pos & align.wrapping_sub(1) == 0
    }

    /// The place `len` bytes behind this one, if that is in the buffer or at its end.
    #[inline(always)]
    pub(super) fn behind(self, len: usize) -> Option<Self> {
        Some(Self { pos: self.pos.wrapping_add(len), rest: self.rest.get(len..)?, ..self })
    }

    /// The place of a field of the table here, be it in the buffer or not.
    #[inline(always)]
    pub(super) fn field(self, len: usize) -> Self {
        let rest = self.rest.get(len..).unwrap_or_default();
        Self { pos: self.pos.wrapping_add(len), rest, ..self }
    }

    /// Where the value begins that a table has here: at the end of the offset, if it is one.
    #[inline(always)]
    pub(super) fn target<T: FlatValue<'a>>(self) -> Result<Self, Flaw> {
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
    pub(super) fn item<T: FlatValue<'a>>(self) -> Result<Self, Flaw> {
        if !T::OFFSET {
            return Ok(self);
        }
        let offset = self.rest.first_chunk().ok_or(Flaw::Outside)?;
        self.led_by(u32::from_le_bytes(*offset))
    }

    /// A number of 32 bits here, on a multiple of 4, and what lies behind it.
    #[inline(always)]
    pub(super) fn number(self) -> Result<(u32, Self), Flaw> {
        if !self.is_aligned(4) {
            return Err(Flaw::Misaligned(4));
        }
        let (number, rest) = self.rest.split_first_chunk().ok_or(Flaw::Outside)?;
        Ok((u32::from_le_bytes(*number), Self { pos: self.pos.wrapping_add(4), rest, ..self }))
    }

    /// The place that an offset points at which stands here.
    #[inline(always)]
    pub(super) fn led_by(self, offset: u32) -> Result<Self, Flaw> {
        let target = usize::try_from(offset).ok().and_then(|offset| self.behind(offset));
        target.filter(|target| !target.rest.is_empty()).ok_or(Flaw::Points(offset))
    }

    /// Walks the value here; findings inside name where it is specified.
    ///
    /// Walks of tables stand where they are called, so that nobody makes values which nobody wants. A
    /// recorder has them once.
    #[inline]
    pub(super) fn walk<T: FlatValue<'a>, O: Observer>(self, obs: &mut O) -> Result<T, Fault> {
        if O::RECORD { self.recorded(obs) } else { T::walk(self, obs) }
    }

    #[inline(never)]
    fn recorded<T: FlatValue<'a>, O: Observer>(self, obs: &mut O) -> Result<T, Fault> {
        if T::FLAT.spec.is_none() {
            return T::walk(self, obs);
        }
        let outer = obs.specified(T::FLAT.spec);
        let result = T::walk(self, obs);
        obs.specified(outer);
        result
    }

    /// Whether the value here can be read, or so many items.
    #[inline(always)]
    pub(super) fn check<T: FlatValue<'a>, O: Observer>(
        self,
        obs: &mut O,
        items: Option<u32>,
    ) -> Result<(), Fault> {
        check::<T, O>(self.buf.file, self.buf.at, self.pos, self.buf.near, items, obs)
    }

    /// Reads a value of its own: one that nothing has read yet.
    #[inline]
    pub(super) fn read<T: FlatValue<'a>>(self) -> Result<T, Error> {
        match T::walk(self, &mut Read::new(self.buf.file.len())) {
            Ok(value) => Ok(value),
            Err(_) => Err(self.why::<T>(false)),
        }
    }

    /// Reads the value that a vector has here.
    #[inline]
    pub(super) fn read_item<T: FlatValue<'a>>(self) -> Result<T, Error> {
        let read = &mut Read::new(self.buf.file.len());
        match self.item::<T>().map(|target| T::walk(target, read)) {
            Ok(Ok(value)) => Ok(value),
            _ => Err(self.why::<T>(true)),
        }
    }

    /// Why the value here cannot be read, or the item.
    #[inline(always)]
    fn why<T: FlatValue<'a>>(self, is_item: bool) -> Error {
        report::why::<T>(self.buf.file, self.buf.at, self.pos, self.buf.near, is_item)
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
