//! How much of the stack a walk takes, by the types of what it reads.
//!
//! Values nest only through sequences, boxes and tables, and each of these levels is paid from
//! [`Limits::MAX_STACK`](crate::Limits::MAX_STACK). What a level takes is estimated from the declaration alone,
//! as builds without optimization have it: they keep every field some times, and every local apart. So all
//! observers, and all builds, stop at the same level.

use crate::layout::Layout;
use crate::{Limits, Wire};

/// How often a value lies on the stack while it is read.
const COPIES: usize = 24;

/// What the sequence, box or table takes that the value lies in.
const LEVEL: usize = 6 << 10;

/// More than that is not counted for one level, which is read in any case beside the outermost.
const MOST: usize = 768 << 10;

/// What the walk over a value takes, with the value itself.
pub const fn of<'a, T: Wire<'a>>() -> usize {
    let frame = if T::FRAME < MOST { T::FRAME } else { MOST };
    size_of::<T>().saturating_mul(COPIES).saturating_add(frame).saturating_add(LEVEL)
}

/// What values of such sizes take that lie beside the one that is read: arguments, computed values and the like. Small
/// ones are part of what each field takes.
pub const fn locals(mut sizes: &[usize]) -> usize {
    let mut all = 0_usize;
    while let [first, rest @ ..] = sizes {
        if *first > SMALL {
            all = all.saturating_add(first.saturating_mul(COPIES));
        }
        sizes = rest;
    }
    all
}

/// How large a value is that is not counted apart.
const SMALL: usize = 64;

/// What the walk over a table of a `FlatBuffers` schema takes: each field and rule has its own locals.
pub(crate) const fn of_table(layout: &Layout) -> usize {
    let mut rows = layout.rules.len();
    let mut fields = layout.fields;
    while let [field, rest @ ..] = fields {
        rows = rows.saturating_add(field.rules.len()).saturating_add(1);
        fields = rest;
    }
    let bytes = rows.saturating_mul(1280).saturating_add(12 << 10);
    if bytes < MOST { bytes } else { MOST }
}

/// How much of the stack the walks take that are open.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stack {
    units: u16,
}

/// In what it is counted.
const UNIT: usize = 64;

/// How many units keep others out.
const FULL: u16 = 24576;

/// How many all walks take, with the outermost one: 1.75 of the two megabytes that threads have.
const ALL: u16 = 28672;

const _: () = assert!(Limits::MAX_STACK == 24576 * 64, "the limit is `FULL` units");

impl Stack {
    /// No walk is open.
    pub(crate) const EMPTY: Self = Self { units: 0 };

    /// A value from [`units`](Self::units).
    #[inline(always)]
    pub(crate) fn from_units(units: u16) -> Self {
        Self { units }
    }

    #[inline(always)]
    pub(crate) fn units(self) -> u16 {
        self.units
    }

    /// With one more walk, which takes so many bytes; `None` if those that are open take all there is, or if it
    /// is too large beside them and the outermost one, which nobody counts and which may take as much. One level
    /// inside that is always read.
    #[inline(always)]
    pub(crate) fn with(self, bytes: usize) -> Option<Self> {
        let own = units(bytes);
        let units = self.units.saturating_add(own);
        let fits = self.units < FULL && units.saturating_add(own) <= ALL;
        (self.units == 0 || fits).then_some(Self { units })
    }

    /// Without that walk.
    #[inline(always)]
    pub(crate) fn without(self, bytes: usize) -> Self {
        Self { units: self.units.saturating_sub(units(bytes)) }
    }
}

/// How many units so many bytes are; no more than can be added to what is not full, so that the sum less
/// the same is what it was.
#[inline(always)]
fn units(bytes: usize) -> u16 {
    let units = u16::try_from(bytes.div_ceil(UNIT)).unwrap_or(u16::MAX);
    units.min(u16::MAX - FULL)
}

/// What a walk takes that has `own` locals and calls one of some others.
pub const fn frame(own: usize, mut calls: &[usize]) -> usize {
    let mut most = 0;
    while let [first, rest @ ..] = calls {
        if *first > most {
            most = *first;
        }
        calls = rest;
    }
    own.saturating_add(most)
}
