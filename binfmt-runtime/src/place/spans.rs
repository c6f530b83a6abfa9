//! Where the fields of a value lie, which a walk keeps for errors, offsets and rules.

use crate::finding::Fault;
use crate::int::{Order, Plain};
use crate::layout::Layout;
use crate::observe::Observer;
use crate::ops::Wide;
use crate::walk::{self, About, Claim};
use crate::{Cursor, Wire};

/// The byte ranges of the `N` fields of a value.
#[derive(Debug)]
pub struct Spans<const N: usize> {
    layout: &'static Layout,
    spans: [(usize, usize); N],
}

impl<const N: usize> Spans<N> {
    /// No field has been read yet.
    #[inline(always)]
    pub fn new(layout: &'static Layout) -> Self {
        Self { layout, spans: [(0, 0); N] }
    }

    /// The declaration of the value.
    #[inline(always)]
    pub(crate) fn layout(&self) -> &'static Layout {
        self.layout
    }

    /// A field begins here.
    #[inline(always)]
    pub fn enter<O: Observer>(&self, cur: &Cursor<'_>, obs: &mut O, field: usize) -> usize {
        let start = cur.pos();
        obs.enter(self.layout, field, start);
        start
    }

    /// Remembers the range of a field.
    #[inline(always)]
    pub fn set(&mut self, field: usize, start: usize, end: usize) {
        if let Some(span) = self.spans.get_mut(field) {
            *span = (start, end);
        }
    }

    /// Remembers the range of a field by what lies before its ends from `at` on.
    #[inline(always)]
    pub fn note(&mut self, field: usize, at: usize, start: usize, end: usize) {
        self.set(field, at.wrapping_add(start), at.wrapping_add(end));
    }

    /// The number of a field at `from` in a run that begins at `at`, and its range.
    #[inline(always)]
    pub fn load<T: Plain>(
        &mut self,
        field: usize,
        (run, at): (&[u8], usize),
        from: usize,
        order: Order,
    ) -> T {
        self.note(field, at, from, from.wrapping_add(size_of::<T>()));
        T::load(run, from, order)
    }

    /// Reads a field that is a plain number, and keeps its range; `shape` is its letter, as in runs.
    #[inline(always)]
    pub fn number<T: Plain, O: Observer>(
        &mut self,
        cur: &mut Cursor<'_>,
        obs: &mut O,
        field: usize,
        shape: &'static str,
        order: Order,
    ) -> Result<T, Fault> {
        if O::RECORD {
            let layout = self.layout;
            obs.run(*cur, self.from(field), layout, field, shape, order)?;
        }
        let at = cur.pos();
        match T::take(cur, order) {
            Some(number) => {
                self.note(field, at, 0, size_of::<T>());
                Ok(number)
            }
            None => Err(Fault::at(at)),
        }
    }

    /// Reads a field that is a value of another type.
    #[inline(always)]
    pub fn nested<'a, T: Wire<'a>, O: Observer>(
        &mut self,
        cur: &mut Cursor<'a>,
        obs: &mut O,
        field: usize,
        args: T::Args,
    ) -> Result<T, Fault> {
        let at = self.enter(cur, obs, field);
        let value = obs.nested::<T>(cur, args)?;
        self.set(field, at, cur.pos());
        leave(cur, obs, &value);
        Ok(value)
    }

    /// Reads a field that is as many bytes as an expression says.
    #[inline(always)]
    pub fn bytes<'a, O: Observer>(
        &mut self,
        cur: &mut Cursor<'a>,
        obs: &mut O,
        field: usize,
        len: Option<u64>,
        claim: Claim,
    ) -> Result<&'a [u8], Fault> {
        let at = self.enter(cur, obs, field);
        let bytes = walk::sized(cur, obs, len, claim)?;
        self.set(field, at, cur.pos());
        obs.leave_bytes(cur.pos(), bytes);
        Ok(bytes)
    }

    /// Where the ranges of a field and of those behind it are kept.
    #[inline(always)]
    pub fn from(&mut self, field: usize) -> &mut [(usize, usize)] {
        self.spans.get_mut(field..).unwrap_or_default()
    }

    /// Compares a field with the number that it is computed from; `kept` is the least and the most that it
    /// can hold.
    pub fn calculated<O: Observer, W: Wide>(
        &self,
        obs: &mut O,
        field: usize,
        expected: Option<W>,
        found: W,
        kept: (W, W),
    ) {
        let depth = obs.depth();
        obs.reopen(self.layout, field);
        walk::calculated(obs, self.get(field), expected, found, kept);
        obs.close(depth);
    }

    /// Compares a field with the tag that it is computed from.
    pub fn tagged<O: Observer>(&self, obs: &mut O, field: usize, is_same: bool) {
        if !is_same {
            let depth = obs.depth();
            obs.reopen(self.layout, field);
            walk::other_tag(obs, self.get(field));
            obs.close(depth);
        }
    }

    /// Compares a field that is no number with what its function gives, if that gives anything.
    pub fn made<O: Observer>(&self, obs: &mut O, field: usize, is_same: Option<bool>) {
        if is_same != Some(true) {
            let depth = obs.depth();
            obs.reopen(self.layout, field);
            walk::other_made(obs, self.get(field), is_same);
            obs.close(depth);
        }
    }

    /// Compares a field that tells of others, none of which is there, with what it is to be then.
    pub fn of_absent<O: Observer>(
        &self,
        obs: &mut O,
        field: usize,
        expected: u64,
        found: Option<u64>,
    ) {
        let depth = obs.depth();
        obs.reopen(self.layout, field);
        walk::of_absent(obs, self.get(field), expected, found);
        obs.close(depth);
    }

    /// The range of a field.
    #[inline(always)]
    pub fn get(&self, field: usize) -> (usize, usize) {
        self.spans.get(field).copied().unwrap_or_default()
    }

    /// A claim of a field.
    #[inline(always)]
    pub fn claim(&self, field: usize) -> Claim {
        Claim::of(self.layout, field, self.get(field))
    }

    /// A claim of the field that begins here.
    #[inline(always)]
    pub fn own(&self, cur: &Cursor<'_>, field: usize) -> Claim {
        Claim::of(self.layout, field, (cur.pos(), cur.end()))
    }

    /// What a rule about a field speaks of.
    #[inline(always)]
    pub fn about(&self, field: usize) -> About {
        About { field: Some((self.layout, field)), span: self.get(field) }
    }

    /// What a rule about the only field of a type speaks of: the value, which has no field.
    #[inline(always)]
    pub fn only(&self, field: usize) -> About {
        About { field: None, span: self.get(field) }
    }

    /// Adds the range of one more item of a field.
    #[inline(always)]
    pub fn widen(&mut self, field: usize, start: usize, end: usize) {
        if let Some(span) = self.spans.get_mut(field) {
            *span =
                if *span == (0, 0) { (start, end) } else { (span.0.min(start), span.1.max(end)) };
        }
    }

    /// Where the furthest of some fields ends, even if it has no bytes.
    #[inline(always)]
    pub fn furthest(&self, fields: &[usize]) -> usize {
        fields.iter().map(|field| self.get(*field).1).max().unwrap_or(0)
    }

    /// All ranges, by field.
    pub fn all(&self) -> &[(usize, usize)] {
        &self.spans
    }
}

/// A value of that type has been read, and ends here.
#[inline(always)]
pub fn leave<'a, T: Wire<'a>, O: Observer>(cur: &Cursor<'_>, obs: &mut O, value: &T) {
    if O::RECORD {
        obs.leave(cur.pos(), &value.value());
    }
}
