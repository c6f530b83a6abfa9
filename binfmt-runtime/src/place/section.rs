//! Located fields as a walk reads them: the section that they lie in, and what belongs to each.

use super::{Visited, locate_within, visit};
use crate::Cursor;
use crate::finding::Fault;
use crate::layout::Layout;
use crate::observe::Observer;
use crate::place::{Placement, Spans};
use crate::value::Value;
use crate::walk::{self, Claim};

/// The section that a located field lies in.
#[derive(Clone, Copy, Debug)]
pub struct Section<'a> {
    bytes: &'a [u8],
    start: usize,
    /// Whether it stays as long as it is, however many bytes follow the input.
    sized: bool,
    /// How far behind the start of the value it begins, where that does not depend on the file.
    offset: Option<usize>,
    /// How far behind what offsets count from it begins.
    lead: usize,
}

impl<'a> Section<'a> {
    /// Goes to a field, whose offset an expression says.
    #[inline(always)]
    pub fn at<O: Observer>(
        &self,
        cur: &Cursor<'a>,
        obs: &mut O,
        offset: Option<u64>,
        claim: Claim,
    ) -> Result<Cursor<'a>, Fault> {
        let offset = walk::size_in_front(obs, "at", offset, claim)?;
        locate_within(cur, obs, (self.bytes, self.start, self.sized), self.lead, offset, claim)
    }

    /// How far behind the start of the value a cursor in the section is: told by the section where that
    /// has a constant offset, for there it costs no position.
    #[inline(always)]
    pub fn distance(&self, cur: &Cursor<'_>, start: usize) -> usize {
        match self.offset {
            Some(offset) => offset.wrapping_add(self.bytes.len()).wrapping_sub(cur.remaining()),
            None => cur.pos().wrapping_sub(start),
        }
    }
}

impl<const N: usize> Spans<N> {
    /// The section that a field is, which may be sized, at that offset in the value; offsets in it count from the
    /// value.
    #[inline(always)]
    pub fn section<'a>(
        &self,
        (field, sized): (usize, bool),
        bytes: &'a [u8],
        offset: Option<usize>,
        base: usize,
    ) -> Section<'a> {
        let section = self.section_from((field, sized), bytes, offset, base);
        Section { lead: offset.unwrap_or(section.lead), ..section }
    }

    /// The same where offsets count from somewhere else.
    #[inline(always)]
    pub fn section_from<'a>(
        &self,
        (field, sized): (usize, bool),
        bytes: &'a [u8],
        offset: Option<usize>,
        base: usize,
    ) -> Section<'a> {
        let (start, _) = self.get(field);
        Section { bytes, start, sized, offset, lead: start.wrapping_sub(base) }
    }

    /// A field is absent.
    #[inline(always)]
    pub fn absent<T, O: Observer>(
        &mut self,
        cur: &Cursor<'_>,
        obs: &mut O,
        field: usize,
    ) -> Option<T> {
        let at = self.enter(cur, obs, field);
        self.set(field, at, at);
        obs.leave(at, &Value::Absent);
        None
    }

    /// The place of a located field, which may share its bytes if it is `shared`; `extents` has all bytes
    /// that belong to it.
    #[inline(always)]
    pub fn placement(&self, extents: &Self, field: usize, shared: bool) -> Placement {
        Placement::of_field(field, self.get(field), extents.get(field), shared)
    }
}

/// Reads a located field where it lies.
#[inline(always)]
pub fn visited<'a, T, O: Observer>(
    obs: &mut O,
    outer: &Cursor<'a>,
    mut there: Cursor<'a>,
    (layout, field, free): (&'static Layout, usize, bool),
    read: impl FnOnce(&mut Cursor<'a>, &mut O) -> Result<T, Fault>,
) -> Result<T, Fault> {
    visit(obs, outer, &mut there, (free, Visited::Field(layout, field)), read)
}

/// Reads a located field where it lies, and keeps the range of all that belongs to it.
#[inline(always)]
pub fn with_extents<'a, T, O: Observer, const N: usize>(
    obs: &mut O,
    outer: &Cursor<'a>,
    mut there: Cursor<'a>,
    (field, free): (usize, bool),
    extents: &mut Spans<N>,
    read: impl FnOnce(&mut Cursor<'a>, &mut O) -> Result<T, Fault>,
) -> Result<T, Fault> {
    let from = there.pos();
    let visited = Visited::Field(extents.layout(), field);
    let value = visit(obs, outer, &mut there, (free, visited), read)?;
    extents.set(field, from, there.pos());
    Ok(value)
}
