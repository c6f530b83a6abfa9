//! One table: its vtable, and the fields that generated walks ask it for.
//!
//! What stands in the walk of its caller takes the stack of its caller where nothing is optimized, and tables
//! nest: what reads a field is inlined in builds for release alone.

use super::{Buf, FlatUnion, FlatValue, Member, Place, report};
use crate::budget::Limits;
use crate::finding::Fault;
use crate::layout::Layout;
use crate::observe::Observer;
use crate::place::Spans;
use crate::stack;

/// A table that has been found.
#[derive(Clone, Copy, Debug)]
pub struct Table<'a> {
    pub(super) place: Place<'a>,
    vtable: &'a [u8],
    pub(super) layout: &'static Layout,
}

/// What became of a field: a reader stops at once, a validator when it has met all of them.
pub type Met<T> = Result<Result<T, Fault>, Fault>;

/// Which field is asked for: its index in the declaration, and its slot in the vtable.
pub type At = (usize, u16);

impl<'a> Table<'a> {
    /// Finds the vtable of the table at `place`, which is one of type `T`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn open<T: FlatValue<'a>, O: Observer>(
        place: Place<'a>,
        obs: &mut O,
    ) -> Result<Self, Fault> {
        Self::open_as(place, obs, T::FLAT, const { stack::of_table(T::FLAT) })
    }

    /// The same for a table that has been declared so, and whose walk takes so much of the stack.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn open_as<O: Observer>(
        place: Place<'a>,
        obs: &mut O,
        layout: &'static Layout,
        stack: usize,
    ) -> Result<Self, Fault> {
        let near = place.buf.near.deeper(stack).ok_or_else(|| report::too_deep(place, obs))?;
        // Who asks for tables one by one is not led astray: only walks over all of them have to pay.
        if obs.walks_items() {
            report::pay(obs, place, Limits::spend_table)?;
        }
        match Self::vtable(place) {
            Some((_, vtable)) => {
                let place = Place { buf: Buf { near, ..place.buf }, ..place };
                Ok(Self { place, vtable, layout })
            }
            None => Err(report::no_vtable(place, obs)),
        }
    }

    /// Where the vtable begins of the table at `place`, and its bytes.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn vtable(place: Place<'a>) -> Option<(usize, &'a [u8])> {
        let (back, _) = place.number().ok()?;
        let back = isize::try_from(back.cast_signed()).ok()?.wrapping_neg();
        // What wraps lies behind every buffer.
        let pos = place.pos.wrapping_add_signed(back);
        let offset = place.offset().wrapping_add_signed(back);
        let rest = place.buf.file.get(offset..).filter(|_| offset >= place.buf.at)?;
        let len = usize::from(u16::from_le_bytes(*rest.first_chunk()?));
        let bytes = rest.get(..len)?;
        ((pos | len) & 1 == 0).then_some((offset, bytes))
    }

    /// How many slots the table at `place` has, if it is one; nothing pays for it.
    pub(super) fn slots(place: Place<'a>) -> Option<u16> {
        let (_, vtable) = Self::vtable(place)?;
        Some(u16::try_from(vtable.len().saturating_sub(4) >> 1).unwrap_or(u16::MAX))
    }

    /// Where the first byte of the table at `place` and its vtable is, if it is one.
    pub(super) fn first(place: Place<'a>) -> Option<usize> {
        Some(place.offset().min(Self::vtable(place)?.0))
    }

    /// Where the table at `place` ends, as far as it holds its fields itself.
    pub(super) fn end(place: Place<'a>) -> Option<usize> {
        Some(end(place, Self::vtable(place)?.1))
    }

    /// The byte range of what the table holds itself.
    pub fn range(&self) -> (usize, usize) {
        (self.place.offset(), end(self.place, self.vtable))
    }

    /// Where the field of a slot is, if it is stored: so many bytes behind the start of the table.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn slot(&self, slot: u16) -> Option<usize> {
        let entry = entry(self.vtable, usize::from(slot).saturating_mul(2).saturating_add(4));
        (entry > 0).then_some(entry)
    }

    /// A field that may be absent.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn optional<T: FlatValue<'a>, O: Observer, const N: usize>(
        &self,
        obs: &mut O,
        at: At,
        spans: &mut Spans<N>,
    ) -> Met<Option<T>> {
        if O::RECORD {
            return Ok(self.recorded_optional(obs, at, spans));
        }
        match self.slot(at.1) {
            Some(field) => Ok(Ok(Some(self.stored(obs, field)?))),
            None => Ok(Ok(None)),
        }
    }

    /// A field with a default.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn plain<T: FlatValue<'a>, O: Observer, const N: usize>(
        &self,
        obs: &mut O,
        at: At,
        spans: &mut Spans<N>,
        default: Option<T>,
    ) -> Met<T> {
        if O::RECORD {
            return Ok(self.recorded_plain(obs, at, spans, default));
        }
        match (self.slot(at.1), default) {
            (Some(field), _) => Ok(Ok(self.stored(obs, field)?)),
            (None, Some(default)) => Ok(Ok(default)),
            (None, None) => Err(Fault::at(self.place.offset())),
        }
    }

    /// A field for which something stands where it is absent.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn field<T: FlatValue<'a>, O: Observer, const N: usize>(
        &self,
        obs: &mut O,
        at: At,
        spans: &mut Spans<N>,
    ) -> Met<T> {
        if O::RECORD {
            return Ok(self.recorded_plain(obs, at, spans, T::absent()));
        }
        match self.slot(at.1) {
            Some(field) => Ok(Ok(self.stored(obs, field)?)),
            None => match T::absent() {
                Some(default) => Ok(Ok(default)),
                None => Err(Fault::at(self.place.offset())),
            },
        }
    }

    /// A field that must be stored.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn required<T: FlatValue<'a>, O: Observer, const N: usize>(
        &self,
        obs: &mut O,
        at: At,
        spans: &mut Spans<N>,
    ) -> Met<T> {
        self.plain(obs, at, spans, None)
    }

    /// A union, whose tag lies in the slot before.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn union<U: FlatUnion<'a>, O: Observer, const N: usize>(
        &self,
        obs: &mut O,
        at: At,
        spans: &mut Spans<N>,
    ) -> Met<Option<U>> {
        if O::RECORD {
            return Ok(self.recorded_union(obs, at, spans));
        }
        match self.member(at.1) {
            Ok(Some(member)) => Ok(Ok(Some(U::walk(member, obs)?))),
            Ok(None) => Ok(Ok(None)),
            Err(half) => Err(Fault::at(self.place.offset().wrapping_add(half))),
        }
    }

    /// A union that must be stored.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn required_union<U: FlatUnion<'a>, O: Observer, const N: usize>(
        &self,
        obs: &mut O,
        at: At,
        spans: &mut Spans<N>,
    ) -> Met<U> {
        match self.union(obs, at, spans)? {
            Ok(Some(value)) => Ok(Ok(value)),
            Ok(None) if O::RECORD => Ok(Err(self.missing(obs, at))),
            Ok(None) => Err(Fault::at(self.place.offset())),
            Err(fault) => Ok(Err(fault)),
        }
    }

    /// A union that is stored; an error is where the half of it is that is there alone.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn member(&self, slot: u16) -> Result<Option<Member<'a>>, usize> {
        let (tag, value) = (self.slot(slot.saturating_sub(1)), self.slot(slot));
        let Some(tag_at) = tag else { return value.map_or(Ok(None), Err) };
        match (self.place.rest.get(tag_at).copied(), value) {
            (Some(0), _) => Ok(None),
            (Some(tag), Some(value)) => Ok(Some(Member {
                place: self.place.field(value),
                tag_at: self.offset(tag_at),
                tag,
            })),
            _ => Err(tag_at),
        }
    }

    /// The absolute offset of a field.
    #[inline]
    fn offset(&self, field: usize) -> usize {
        self.place.offset().wrapping_add(field)
    }

    /// Reads a field that is stored.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn stored<T: FlatValue<'a>, O: Observer>(&self, obs: &mut O, field: usize) -> Result<T, Fault> {
        match self.place.behind(field).map(Place::target::<T>) {
            Some(Ok(target)) => T::walk(target, obs),
            _ => Err(Fault::at(self.place.offset())),
        }
    }
}

/// A number of a vtable; 0 where it has none.
#[cfg_attr(not(debug_assertions), inline(always))]
fn entry(vtable: &[u8], at: usize) -> usize {
    let number = vtable.get(at..at.saturating_add(2)).and_then(<[u8]>::first_chunk);
    number.map_or(0, |number| usize::from(u16::from_le_bytes(*number)))
}

/// Where a table with this vtable ends.
#[inline]
fn end(place: Place<'_>, vtable: &[u8]) -> usize {
    place.end(entry(vtable, 2).max(4))
}
