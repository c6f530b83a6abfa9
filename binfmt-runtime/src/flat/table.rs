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
    /// Where the vtable begins, and its bytes.
    vtable_pos: usize,
    vtable: &'a [u8],
}

/// Which field is asked for.
#[derive(Clone, Copy, Debug)]
pub struct At {
    /// The declaration.
    pub layout: &'static Layout,
    /// The index of the field in it.
    pub field: usize,
    /// The slot in the vtable.
    pub slot: u16,
}

impl<'a> Table<'a> {
    /// Finds the vtable of the table at `place`.
    pub fn open<O: Observer>(place: Place<'a>, obs: &mut O) -> Result<Self, Fault> {
        let (mut buf, pos) = (place.buf, place.pos);
        buf.depth = buf.depth.saturating_add(1);
        if buf.depth > Limits::MAX_DEPTH {
            let most = Show::Uint(u64::from(Limits::MAX_DEPTH));
            return Err(tell::stop(obs, "depth", (pos, pos), "tables nest too deeply", most));
        }
        let spent = obs.limits().is_flat_spent();
        if obs.limits().spend_table().is_none() {
            return Err(tell::spent(obs, pos, !spent));
        }
        let back = place.number().map_err(|flaw| tell::flawed(place, obs, flaw, 4))?;
        let back = back.cast_signed();
        match Self::vtable(place, back) {
            Some((vtable_pos, vtable)) => {
                Ok(Self { place: Place { buf, pos }, vtable_pos, vtable })
            }
            None => Err(tell::stop(
                obs,
                "vtable",
                (pos, pos.saturating_add(4)),
                "this does not lead to a vtable in the buffer",
                Show::Int(i64::from(back)),
            )),
        }
    }

    /// The table at `place`, if there is one; nothing pays for it.
    pub(super) fn at(place: Place<'a>) -> Option<Self> {
        let back = place.number().ok()?.cast_signed();
        let (vtable_pos, vtable) = Self::vtable(place, back)?;
        Some(Self { place, vtable_pos, vtable })
    }

    /// Where the vtable begins that lies `back` bytes before the table, and its bytes.
    fn vtable(place: Place<'a>, back: i32) -> Option<(usize, &'a [u8])> {
        let distance = usize::try_from(back.unsigned_abs()).ok()?;
        let vtable = if back > 0 {
            place.pos.checked_sub(distance)?
        } else {
            place.pos.checked_add(distance)?
        };
        let len = place.buf.u16(vtable)?;
        let bytes = place.buf.bytes(vtable, len)?;
        (place.buf.is_aligned(vtable, 2) && len & 1 == 0).then_some((vtable, bytes))
    }

    /// How many slots the vtable has.
    pub fn slots(&self) -> u16 {
        u16::try_from(self.vtable.len().saturating_sub(4) >> 1).unwrap_or(u16::MAX)
    }

    /// Where the first byte of the table and its vtable is.
    pub(super) fn first(&self) -> usize {
        self.place.pos.min(self.vtable_pos)
    }

    /// The byte range of what the table holds itself.
    pub fn range(&self) -> (usize, usize) {
        let buf = self.place.buf;
        let len = self.entry(2).unwrap_or(0);
        let end = self.place.pos.saturating_add(len.max(4));
        (self.place.pos, end.min(buf.file.len()))
    }

    /// Where the field of a slot is, if it is stored.
    #[inline]
    pub(super) fn slot(&self, slot: u16) -> Option<Place<'a>> {
        let offset = self.entry(usize::from(slot).saturating_mul(2).saturating_add(4))?;
        let pos = self.place.pos.saturating_add(offset);
        (offset > 0).then_some(Place { pos, ..self.place })
    }

    /// A number of the vtable.
    #[inline]
    fn entry(&self, at: usize) -> Option<usize> {
        let number = self.vtable.get(at..)?.first_chunk()?;
        Some(usize::from(u16::from_le_bytes(*number)))
    }

    /// A field that may be absent.
    #[inline(never)]
    pub fn optional<T: FlatValue<'a>, O: Observer, const N: usize>(
        &self,
        obs: &mut O,
        at: At,
        spans: &mut Spans<N>,
    ) -> Result<Option<T>, Fault> {
        match self.slot(at.slot) {
            Some(place) => stored(obs, at, spans, place).map(Some),
            None => {
                self.absent(obs, at, spans, &Value::Absent);
                Ok(None)
            }
        }
    }

    /// A field with a default.
    pub fn plain<T: FlatValue<'a>, O: Observer, const N: usize>(
        &self,
        obs: &mut O,
        at: At,
        spans: &mut Spans<N>,
        default: Option<T>,
    ) -> Result<T, Fault> {
        match (self.slot(at.slot), default) {
            (Some(place), _) => stored(obs, at, spans, place),
            (None, Some(default)) => {
                self.absent(obs, at, spans, &default.value());
                Ok(default)
            }
            (None, None) => Err(self.missing(obs, at)),
        }
    }

    /// A field that must be stored.
    pub fn required<T: FlatValue<'a>, O: Observer, const N: usize>(
        &self,
        obs: &mut O,
        at: At,
        spans: &mut Spans<N>,
    ) -> Result<T, Fault> {
        self.plain(obs, at, spans, None)
    }

    /// A union, whose tag lies in the slot before.
    pub fn union<U: FlatUnion<'a>, O: Observer, const N: usize>(
        &self,
        obs: &mut O,
        at: At,
        spans: &mut Spans<N>,
    ) -> Result<Option<U>, Fault> {
        let tag_place = self.slot(at.slot.saturating_sub(1));
        let tag = match tag_place {
            Some(place) => place.buf.array(place.pos).map(|[tag]: [u8; 1]| (place, tag)),
            None => None,
        };
        match (tag, self.slot(at.slot)) {
            (Some((tag_place, tag)), Some(place)) if tag != 0 => {
                let member = Member { place, tag_place, tag };
                stored_union(obs, at, spans, member).map(Some)
            }
            (None, None) if tag_place.is_none() => {
                self.absent(obs, at, spans, &Value::Absent);
                Ok(None)
            }
            (Some((_, 0)), _) => {
                self.absent(obs, at, spans, &Value::Absent);
                Ok(None)
            }
            (_, value) => {
                let one = tag_place.or(value).unwrap_or(self.place);
                let (depth, start) = (obs.depth(), one.shown());
                obs.enter(at.layout, at.field, start);
                let span = (start, start.saturating_add(1).min(one.buf.file.len()));
                let what = "a union has a tag and a value, and only one of them is stored";
                let fault = tell::stop(obs, "union", span, what, Show::Nothing);
                obs.unwind(depth, start);
                Err(fault)
            }
        }
    }

    /// A union that must be stored.
    pub fn required_union<U: FlatUnion<'a>, O: Observer, const N: usize>(
        &self,
        obs: &mut O,
        at: At,
        spans: &mut Spans<N>,
    ) -> Result<U, Fault> {
        match self.union(obs, at, spans)? {
            Some(value) => Ok(value),
            None => Err(self.missing(obs, at)),
        }
    }

    /// A field that is not stored is shown as a part of the table without bytes.
    fn absent<O: Observer, const N: usize>(
        &self,
        obs: &mut O,
        at: At,
        spans: &mut Spans<N>,
        value: &Value<'_>,
    ) {
        if !O::RECORD {
            return;
        }
        let (start, end) = self.range();
        spans.set(at.field, start, end);
        obs.enter(at.layout, at.field, start);
        obs.leave(start, value);
    }

    fn missing<O: Observer>(&self, obs: &mut O, at: At) -> Fault {
        let depth = obs.depth();
        obs.reopen(at.layout, at.field);
        let what = "the table does not store this field, and it must";
        let fault = tell::stop(obs, "required", self.range(), what, Show::Nothing);
        obs.close(depth);
        fault
    }
}

/// Reads a field that is stored.
fn stored<'a, T: FlatValue<'a>, O: Observer, const N: usize>(
    obs: &mut O,
    at: At,
    spans: &mut Spans<N>,
    place: Place<'a>,
) -> Result<T, Fault> {
    if !O::RECORD {
        let target = place.target::<T>().map_err(|_| Fault::at(place.shown()))?;
        return target.walk::<T, O>(obs);
    }
    let depth = obs.depth();
    let result = match place.target::<T>() {
        Ok(target) => {
            obs.enter(at.layout, at.field, target.pos);
            let value = target.walk::<T, O>(obs);
            if let Ok(value) = &value {
                let end = T::extent(target);
                spans.set(at.field, target.pos, end);
                obs.leave(end, &value.value());
            } else {
                spans.set(at.field, target.pos, target.pos);
            }
            value
        }
        Err(flaw) => {
            obs.enter(at.layout, at.field, place.shown());
            Err(tell::flawed(place, obs, flaw, T::SIZE))
        }
    };
    if result.is_err() {
        obs.unwind(depth, place.shown());
    }
    result
}

/// Reads a union that is stored.
fn stored_union<'a, U: FlatUnion<'a>, O: Observer, const N: usize>(
    obs: &mut O,
    at: At,
    spans: &mut Spans<N>,
    member: Member<'a>,
) -> Result<U, Fault> {
    let depth = obs.depth();
    let start = member.target().unwrap_or(member.place).shown();
    obs.enter(at.layout, at.field, start);
    let result = U::walk(member, obs);
    if let (true, Ok(value)) = (O::RECORD, &result) {
        let end = member.end();
        spans.set(at.field, start, end);
        obs.leave(end, &value.value());
    } else {
        spans.set(at.field, start, start);
        obs.unwind(depth, start);
    }
    result
}
