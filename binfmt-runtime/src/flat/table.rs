//! One table: its vtable, and the fields that generated walks ask it for.

use super::{FlatUnion, FlatValue, Member, Place, tell};
use crate::finding::{Fault, Show};
use crate::layout::Layout;
use crate::observe::{Limits, Observer};
use crate::place::Spans;
use crate::value::Value;

/// A table that has been found.
#[derive(Clone, Copy, Debug)]
pub struct Table<'a> {
    place: Place<'a>,
    vtable: &'a [u8],
    layout: &'static Layout,
}

/// What became of a field: a reader stops at once, a validator when it has met all of them.
pub type Met<T> = Result<Result<T, Fault>, Fault>;

/// Which field is asked for: its index in the declaration, and its slot in the vtable.
pub type At = (usize, u16);

#[inline(always)]
fn met<T, O: Observer>(field: Result<T, Fault>) -> Met<T> {
    if O::RECORD { Ok(field) } else { field.map(Ok) }
}

impl<'a> Table<'a> {
    /// Finds the vtable of the table at `place`, which has been declared so.
    #[inline]
    pub fn open<O: Observer>(
        place: Place<'a>,
        obs: &mut O,
        layout: &'static Layout,
    ) -> Result<Self, Fault> {
        let mut place = place;
        let near = &mut place.buf.near;
        if u32::from(near.depth) >= Limits::MAX_DEPTH {
            return Err(tell::too_deep(place, obs));
        }
        near.depth = near.depth.saturating_add(1);
        // Whoever asks for one table after the other pays for each of them.
        if obs.walks_items() {
            tell::pay(obs, place.pos, Limits::spend_table)?;
        }
        match Self::vtable(place) {
            Some((_, vtable)) => Ok(Self { place, vtable, layout }),
            None => Err(tell::no_vtable(place, obs)),
        }
    }

    /// Where the vtable begins of the table at `place`, and its bytes.
    #[inline]
    fn vtable(place: Place<'a>) -> Option<(usize, &'a [u8])> {
        let (back, _) = place.number().ok()?;
        let back = isize::try_from(back.cast_signed()).ok()?;
        // What wraps lies behind every buffer.
        let pos = place.pos.wrapping_add_signed(back.wrapping_neg());
        let rest = place.buf.owned_from(pos)?;
        let len = usize::from(u16::from_le_bytes(*rest.first_chunk()?));
        let bytes = rest.get(..len)?;
        (place.buf.is_aligned(pos, 2) && len & 1 == 0).then_some((pos, bytes))
    }

    /// How many slots the table at `place` has, if it is one; nothing pays for it.
    pub(super) fn slots(place: Place<'a>) -> Option<u16> {
        let (_, vtable) = Self::vtable(place)?;
        Some(u16::try_from(vtable.len().saturating_sub(4) >> 1).unwrap_or(u16::MAX))
    }

    /// Where the first byte of the table at `place` and its vtable is, if it is one.
    pub(super) fn first(place: Place<'a>) -> Option<usize> {
        Some(place.pos.min(Self::vtable(place)?.0))
    }

    /// Where the table at `place` ends, as far as it holds its fields itself.
    pub(super) fn end(place: Place<'a>) -> Option<usize> {
        Some(end(place, Self::vtable(place)?.1))
    }

    /// The byte range of what the table holds itself.
    pub fn range(&self) -> (usize, usize) {
        (self.place.pos, end(self.place, self.vtable))
    }

    /// Where the field of a slot is, if it is stored.
    #[inline]
    fn slot(&self, slot: u16) -> Option<Place<'a>> {
        let offset = entry(self.vtable, usize::from(slot).saturating_mul(2).saturating_add(4));
        (offset > 0).then(|| self.place.behind(offset))
    }

    /// A field that may be absent.
    #[inline]
    pub fn optional<T: FlatValue<'a>, O: Observer, const N: usize>(
        &self,
        obs: &mut O,
        at: At,
        spans: &mut Spans<N>,
    ) -> Met<Option<T>> {
        met::<_, O>(match self.slot(at.1) {
            Some(place) => self.stored(obs, at, spans, place).map(Some),
            None => {
                self.absent(obs, at, spans, &Value::Absent);
                Ok(None)
            }
        })
    }

    /// A field with a default.
    #[inline]
    pub fn plain<T: FlatValue<'a>, O: Observer, const N: usize>(
        &self,
        obs: &mut O,
        at: At,
        spans: &mut Spans<N>,
        default: Option<T>,
    ) -> Met<T> {
        met::<_, O>(match (self.slot(at.1), default) {
            (Some(place), _) => self.stored(obs, at, spans, place),
            (None, Some(default)) => {
                self.absent(obs, at, spans, &default.value());
                Ok(default)
            }
            (None, None) => Err(self.missing(obs, at)),
        })
    }

    /// A field that must be stored.
    #[inline]
    pub fn required<T: FlatValue<'a>, O: Observer, const N: usize>(
        &self,
        obs: &mut O,
        at: At,
        spans: &mut Spans<N>,
    ) -> Met<T> {
        self.plain(obs, at, spans, None)
    }

    /// A union, whose tag lies in the slot before.
    #[inline]
    pub fn union<U: FlatUnion<'a>, O: Observer, const N: usize>(
        &self,
        obs: &mut O,
        at: At,
        spans: &mut Spans<N>,
    ) -> Met<Option<U>> {
        met::<_, O>(self.union_of(obs, at, spans))
    }

    /// A union that must be stored.
    pub fn required_union<U: FlatUnion<'a>, O: Observer, const N: usize>(
        &self,
        obs: &mut O,
        at: At,
        spans: &mut Spans<N>,
    ) -> Met<U> {
        met::<_, O>(match self.union_of(obs, at, spans) {
            Ok(Some(value)) => Ok(value),
            Ok(None) => Err(self.missing(obs, at)),
            Err(fault) => Err(fault),
        })
    }

    #[inline]
    fn union_of<U: FlatUnion<'a>, O: Observer, const N: usize>(
        &self,
        obs: &mut O,
        at: At,
        spans: &mut Spans<N>,
    ) -> Result<Option<U>, Fault> {
        let tag_place = self.slot(at.1.saturating_sub(1));
        let tag = tag_place.map(|place| (place.pos, place.buf.array(place.pos)));
        match (tag, self.slot(at.1)) {
            (None, None) | (Some((_, Some([0]))), _) => {
                self.absent(obs, at, spans, &Value::Absent);
                Ok(None)
            }
            (Some((tag_pos, Some([tag]))), Some(place)) => {
                let member = Member { place, tag_pos, tag };
                if O::RECORD {
                    return self.told_union(obs, at, spans, member).map(Some);
                }
                U::walk(member, obs).map(Some)
            }
            (_, value) => Err(self.half_union(obs, at, tag_place.or(value))),
        }
    }

    /// Reads a field that is stored.
    #[inline]
    fn stored<T: FlatValue<'a>, O: Observer, const N: usize>(
        &self,
        obs: &mut O,
        at: At,
        spans: &mut Spans<N>,
        place: Place<'a>,
    ) -> Result<T, Fault> {
        if O::RECORD {
            return self.told(obs, at, spans, place);
        }
        match place.target::<T>() {
            Ok(target) => T::walk(target, obs),
            Err(_) => Err(Fault::at(place.pos)),
        }
    }

    /// Reads a field that is stored, and tells of it.
    #[inline(never)]
    fn told<T: FlatValue<'a>, O: Observer, const N: usize>(
        &self,
        obs: &mut O,
        (field, _): At,
        spans: &mut Spans<N>,
        place: Place<'a>,
    ) -> Result<T, Fault> {
        let depth = obs.depth();
        let result = match place.target::<T>() {
            Ok(target) => {
                obs.enter(self.layout, field, target.pos);
                let value = target.walk::<T, O>(obs);
                if let Ok(value) = &value {
                    let end = value.end(target);
                    spans.set(field, target.pos, end);
                    obs.leave(end, &value.value());
                } else {
                    spans.set(field, target.pos, target.pos);
                }
                value
            }
            Err(flaw) => {
                obs.enter(self.layout, field, place.shown());
                Err(tell::flawed(place, obs, flaw, T::SIZE))
            }
        };
        if result.is_err() {
            obs.unwind(depth, place.shown());
        }
        result
    }

    /// Reads a union that is stored, and tells of it.
    fn told_union<U: FlatUnion<'a>, O: Observer, const N: usize>(
        &self,
        obs: &mut O,
        (field, _): At,
        spans: &mut Spans<N>,
        member: Member<'a>,
    ) -> Result<U, Fault> {
        let depth = obs.depth();
        let start = member.target().unwrap_or(member.place).shown();
        obs.enter(self.layout, field, start);
        let result = U::walk(member, obs);
        if let Ok(value) = &result {
            let end = member.end();
            spans.set(field, start, end);
            obs.leave(end, &value.value());
        } else {
            spans.set(field, start, start);
            obs.unwind(depth, start);
        }
        result
    }

    /// A field that is not stored is shown as a part of the table without bytes.
    #[inline(always)]
    fn absent<O: Observer, const N: usize>(
        &self,
        obs: &mut O,
        (field, _): At,
        spans: &mut Spans<N>,
        value: &Value<'_>,
    ) {
        if O::RECORD {
            let (start, end) = self.range();
            spans.set(field, start, end);
            obs.enter(self.layout, field, start);
            obs.leave(start, value);
        }
    }

    #[cold]
    fn missing<O: Observer>(&self, obs: &mut O, (field, _): At) -> Fault {
        let depth = obs.depth();
        obs.reopen(self.layout, field);
        let what = "the table does not store this field, and it must";
        let fault = tell::stop(obs, "required", self.range(), what, Show::Nothing);
        obs.close(depth);
        fault
    }

    #[cold]
    fn half_union<O: Observer>(
        &self,
        obs: &mut O,
        (field, _): At,
        one: Option<Place<'a>>,
    ) -> Fault {
        let one = one.unwrap_or(self.place);
        let (depth, start) = (obs.depth(), one.shown());
        obs.enter(self.layout, field, start);
        let span = (start, start.saturating_add(1).min(one.buf.file.len()));
        let what = "a union has a tag and a value, and only one of them is stored";
        let fault = tell::stop(obs, "union", span, what, Show::Nothing);
        obs.unwind(depth, start);
        fault
    }
}

/// A number of a vtable; 0 where it has none.
#[inline]
fn entry(vtable: &[u8], at: usize) -> usize {
    let number = vtable.get(at..at.saturating_add(2)).and_then(<[u8]>::first_chunk);
    number.map_or(0, |number| usize::from(u16::from_le_bytes(*number)))
}

/// Where a table with this vtable ends.
fn end(place: Place<'_>, vtable: &[u8]) -> usize {
    place.pos.saturating_add(entry(vtable, 2).max(4)).min(place.buf.file.len())
}
