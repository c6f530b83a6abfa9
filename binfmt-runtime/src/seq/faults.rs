//! What is wrong with a sequence: too deep, without bytes, or with bytes behind it.

use super::Until;
use crate::Cursor;
use crate::finding::{Class, Fault, Problem, Show};
use crate::observe::Observer;
use crate::ops::wide;
use crate::place::{self, Visited};

#[inline(always)]
pub(crate) fn too_deep<O: Observer>(cur: &Cursor<'_>, obs: &mut O) -> Fault {
    too_deep_at(cur.pos(), obs)
}

#[inline(always)]
pub(crate) fn too_deep_at<O: Observer>(pos: usize, obs: &mut O) -> Fault {
    if O::RECORD { report_too_deep(pos, obs) } else { Fault::at(pos) }
}

#[cold]
#[inline(never)]
fn report_too_deep<O: Observer>(pos: usize, obs: &mut O) -> Fault {
    let (what, most) = obs.limits().too_deep();
    obs.fail(&Problem {
        code: "depth",
        class: Class::Malformed,
        start: pos,
        end: pos,
        what: format_args!("{what}"),
        expected: Show::Uint(most),
        found: Show::Nothing,
    })
}

/// An item took no bytes: it would never end a sequence that runs to the end of its region, and
/// where items are counted, no input would limit how many there are.
#[inline(always)]
pub(crate) fn without_bytes<T, O: Observer>(
    cur: &Cursor<'_>,
    obs: &mut O,
    until: Until,
) -> Result<(), Fault> {
    match until {
        Until::Remaining(_) => Err(stuck(cur, obs)),
        Until::Count(_) => match obs.limits().spend_empty::<T>() {
            Some(()) => Ok(()),
            None => Err(place::spent(obs, (cur.pos(), cur.pos()), Visited::Here)),
        },
    }
}

#[inline(always)]
pub(crate) fn stuck<O: Observer>(cur: &Cursor<'_>, obs: &mut O) -> Fault {
    if O::RECORD { report_stuck(cur, obs) } else { Fault::at(cur.pos()) }
}

#[cold]
#[inline(never)]
fn report_stuck<O: Observer>(cur: &Cursor<'_>, obs: &mut O) -> Fault {
    obs.fail(&endless(cur))
}

/// A sequence that runs to the end of its region has an item of no bytes.
pub(crate) fn endless(cur: &Cursor<'_>) -> Problem<'static> {
    Problem {
        code: "size",
        class: Class::Malformed,
        start: cur.pos(),
        end: cur.end(),
        what: format_args!("an item of no bytes would repeat for ever"),
        expected: Show::Nothing,
        found: Show::Nothing,
    }
}

/// Bytes behind the last item that nobody claims.
pub(crate) fn trailing(cur: &Cursor<'_>) -> Problem<'static> {
    Problem {
        code: "trailing",
        class: Class::Invalid,
        start: cur.pos(),
        end: cur.end(),
        what: format_args!("bytes follow that belong to nothing"),
        expected: Show::Uint(0),
        found: Show::Uint(wide(cur.remaining())),
    }
}
