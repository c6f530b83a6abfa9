//! How much of the stack a walk takes, by the types of what it reads.
//!
//! Values nest only through sequences, boxes and tables, and each of these levels is paid from
//! [`Limits::MAX_STACK`](crate::Limits::MAX_STACK). What a level takes is estimated from the declaration alone,
//! as builds without optimization have it: they keep every field some times, and every local apart. So all
//! observers, and all builds, stop at the same level.

use crate::Wire;

/// How often a value lies on the stack while it is read.
const COPIES: usize = 24;

/// What the sequence, box or table takes that the value lies in.
const LEVEL: usize = 6 << 10;

/// More than that is not counted for one level: a few levels of any type are always read.
const MOST: usize = 192 << 10;

/// What the walk over a value takes, with the value itself.
pub const fn of<'a, T: Wire<'a>>() -> usize {
    let frame = if T::FRAME < MOST { T::FRAME } else { MOST };
    size_of::<T>().saturating_mul(COPIES).saturating_add(frame).saturating_add(LEVEL)
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
