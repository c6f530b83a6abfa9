//! Tables as recorders read them: every field is told of, be it stored, absent or damaged.

use super::table::At;
use super::{FlatUnion, FlatValue, Member, Place, Table, report};
use crate::finding::{Fault, Show};
use crate::observe::Observer;
use crate::place::Spans;
use crate::value::Value;

impl<'a> Table<'a> {
    /// A field that may be absent.
    #[inline(never)]
    pub(super) fn recorded_optional<T: FlatValue<'a>, O: Observer, const N: usize>(
        &self,
        obs: &mut O,
        at: At,
        spans: &mut Spans<N>,
    ) -> Result<Option<T>, Fault> {
        match self.slot(at.1) {
            Some(field) => self.recorded(obs, at, spans, self.place.field(field)).map(Some),
            None => {
                self.absent(obs, at, spans, &Value::Absent);
                Ok(None)
            }
        }
    }

    /// A field with a default, or one that must be stored.
    #[inline(never)]
    pub(super) fn recorded_plain<T: FlatValue<'a>, O: Observer, const N: usize>(
        &self,
        obs: &mut O,
        at: At,
        spans: &mut Spans<N>,
        default: Option<T>,
    ) -> Result<T, Fault> {
        match (self.slot(at.1), default) {
            (Some(field), _) => self.recorded(obs, at, spans, self.place.field(field)),
            (None, Some(default)) => {
                self.absent(obs, at, spans, &default.value());
                Ok(default)
            }
            (None, None) => Err(self.missing(obs, at)),
        }
    }

    /// Reads a field that is stored, and tells of it.
    fn recorded<T: FlatValue<'a>, O: Observer, const N: usize>(
        &self,
        obs: &mut O,
        (field, _): At,
        spans: &mut Spans<N>,
        place: Place<'a>,
    ) -> Result<T, Fault> {
        let depth = obs.depth();
        let result = match place.target::<T>() {
            Ok(target) => {
                let start = target.offset();
                obs.enter(self.layout, field, start);
                let value = target.walk::<T, O>(obs);
                if let Ok(value) = &value {
                    let end = value.end(target);
                    spans.set(field, start, end);
                    obs.leave(end, &value.value());
                } else {
                    spans.set(field, start, start);
                }
                value
            }
            Err(flaw) => {
                obs.enter(self.layout, field, place.reported_offset());
                Err(report::flawed(place, obs, flaw, T::SIZE))
            }
        };
        if result.is_err() {
            obs.unwind(depth, place.reported_offset());
        }
        result
    }

    /// A union that may be absent.
    #[inline(never)]
    pub(super) fn recorded_union<U: FlatUnion<'a>, O: Observer, const N: usize>(
        &self,
        obs: &mut O,
        at: At,
        spans: &mut Spans<N>,
    ) -> Result<Option<U>, Fault> {
        match self.member(at.1) {
            Ok(Some(member)) => self.recorded_member(obs, at, spans, member).map(Some),
            Ok(None) => {
                self.absent(obs, at, spans, &Value::Absent);
                Ok(None)
            }
            Err(half) => Err(self.half_union(obs, at, half)),
        }
    }

    /// Reads a union that is stored, and tells of it.
    fn recorded_member<U: FlatUnion<'a>, O: Observer, const N: usize>(
        &self,
        obs: &mut O,
        (field, _): At,
        spans: &mut Spans<N>,
        member: Member<'a>,
    ) -> Result<U, Fault> {
        let depth = obs.depth();
        let start = member.target().unwrap_or(member.place).reported_offset();
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
    fn absent<O: Observer, const N: usize>(
        &self,
        obs: &mut O,
        (field, _): At,
        spans: &mut Spans<N>,
        value: &Value<'_>,
    ) {
        let (start, end) = self.range();
        spans.set(field, start, end);
        obs.enter(self.layout, field, start);
        obs.leave(start, value);
    }

    #[cold]
    pub(super) fn missing<O: Observer>(&self, obs: &mut O, (field, _): At) -> Fault {
        let depth = obs.depth();
        obs.reopen(self.layout, field);
        let what = "the table does not store this field, and it must";
        let fault = report::stop(obs, "required", self.range(), what, Show::Nothing);
        obs.close(depth);
        fault
    }

    #[cold]
    fn half_union<O: Observer>(&self, obs: &mut O, (field, _): At, half: usize) -> Fault {
        let place = self.place.field(half);
        let (depth, start) = (obs.depth(), place.reported_offset());
        obs.enter(self.layout, field, start);
        let what = "a union has a tag and a value, and only one of them is stored";
        let fault = report::stop(obs, "union", (start, place.end(1)), what, Show::Nothing);
        obs.unwind(depth, start);
        fault
    }
}
