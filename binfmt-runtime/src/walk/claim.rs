//! What says how long a value is, how many there are, or where it lies.

use crate::Cursor;
use crate::layout::{ANY_NUMBER, Layout};
use crate::observe::Observer;

/// The field whose value a size, count or offset came from.
#[derive(Clone, Copy, Debug)]
pub struct Claim {
    /// The declaration that the field is part of.
    pub layout: &'static Layout,
    /// Its index.
    pub field: usize,
    /// The item of that field, if it is one of several, and how deep the path was at its start. What
    /// lies in a table inside the field may have no item of the field.
    pub item: Option<(Option<u64>, usize)>,
    /// Its byte range.
    pub span: (usize, usize),
    /// The names that lead from its value to the number.
    pub part: &'static [&'static str],
    /// Whether the range is that of the value, and not of more around it.
    pub exact: bool,
    /// Whether it comes from the bytes that are left in front of the end of the input, of which more might come.
    pub incomplete: bool,
}

impl Claim {
    /// A claim of a field.
    #[inline(always)]
    pub fn of(layout: &'static Layout, field: usize, span: (usize, usize)) -> Self {
        Self { layout, field, item: None, span, part: &[], exact: true, incomplete: false }
    }

    /// The same of a number in its value.
    #[inline(always)]
    #[must_use]
    pub fn part(self, part: &'static [&'static str]) -> Self {
        Self { part, ..self }
    }

    /// The same where values are read beside items, of which this is the claim.
    #[inline(always)]
    #[must_use]
    pub fn beside(self, item: &Self) -> Self {
        Self { item: item.item.map(|(_, depth)| (None, depth)), ..self }
    }

    /// The same of how many bytes are left where `cur` is.
    #[inline(always)]
    #[must_use]
    pub fn of_rest(self, cur: &Cursor<'_>) -> Self {
        Self { incomplete: !cur.bounded, ..self }
    }

    /// Names the field in the path, in the place of the open one or behind what is open; the bytes of the number.
    pub(crate) fn name<O: Observer>(&self, obs: &mut O, in_place: bool) -> (usize, usize) {
        match self.item {
            Some((item, depth)) => {
                obs.close(depth);
                obs.reopen(self.layout, self.field);
                if let Some(item) = item {
                    obs.reopen_item(item);
                }
            }
            None if in_place => obs.blame(self.layout, self.field),
            None => obs.reopen(self.layout, self.field),
        }
        self.trail(|layout, index| obs.reopen(layout, index))
    }

    /// Goes to the number; its bytes.
    fn trail(&self, mut visit: impl FnMut(&'static Layout, usize)) -> (usize, usize) {
        let start = Some(self.span.0).filter(|_| self.exact);
        let mut trail = Trail::of(self.layout, self.field, start);
        for name in self.part {
            let Some((layout, index)) = trail.go(name) else { break };
            visit(layout, index);
        }
        trail.range().unwrap_or(self.span)
    }
}

/// The way from a value to a number in it.
pub(crate) struct Trail {
    /// The declaration of the value that has been reached.
    inside: Option<&'static Layout>,
    start: Option<usize>,
    size: Option<usize>,
    /// The least and the largest number that the field can hold.
    pub(crate) bounds: (i128, i128),
}

impl Trail {
    /// Begins at the value of a field, of which it is perhaps known where it starts.
    pub(crate) fn of(layout: &'static Layout, field: usize, start: Option<usize>) -> Self {
        let inside = layout.field(field).nested.map(|nested| nested());
        Self { inside, start, size: None, bounds: ANY_NUMBER }
    }

    /// Goes to a field of the value: its declaration, and its index in that, unless the value has none.
    pub(crate) fn go(&mut self, name: &str) -> Option<(&'static Layout, usize)> {
        let layout = self.inside?;
        let index = layout.fields.iter().position(|field| field.name == name);
        let index = index.unwrap_or(usize::MAX);
        let own = layout.field(index);
        let start = self.start.zip(own.offset);
        self.start = start.map(|(start, offset)| start.saturating_add(offset));
        (self.size, self.bounds) = (own.size, own.bounds());
        self.inside = own.nested.map(|nested| nested());
        Some((layout, index))
    }

    /// The bytes of the field that has been reached, where they are known.
    pub(crate) fn range(&self) -> Option<(usize, usize)> {
        let (start, size) = self.start.zip(self.size)?;
        Some((start, start.saturating_add(size)))
    }
}
