//! Constants that values begin with.

use super::short;
use crate::finding::{Class, Fault, Problem, Show};
use crate::layout::Layout;
use crate::observe::Observer;
use crate::ops::wide;
use crate::value::Value;
use crate::{Cursor, Order};

/// Reads a constant.
#[inline(always)]
pub fn magic<O: Observer, const N: usize>(
    cur: &mut Cursor<'_>,
    obs: &mut O,
    expected: [u8; N],
) -> Result<(), Fault> {
    let start = cur.pos();
    obs.enter_extra("magic", start);
    match cur.take_array::<N>() {
        Some(found) if *found == expected => {
            obs.leave(cur.pos(), &Value::Bytes(found));
            Ok(())
        }
        Some(found) => Err(wrong_magic(start, obs, &expected, found)),
        None => Err(short(cur, obs, wide(N))),
    }
}

#[inline(always)]
fn wrong_magic<O: Observer>(start: usize, obs: &mut O, expected: &[u8], found: &[u8]) -> Fault {
    if O::RECORD { report_wrong_magic(start, obs, expected, found) } else { Fault::at(start) }
}

#[cold]
#[inline(never)]
fn report_wrong_magic<O: Observer>(
    start: usize,
    obs: &mut O,
    expected: &[u8],
    found: &[u8],
) -> Fault {
    obs.fail(&Problem {
        code: "magic",
        class: Class::Malformed,
        start,
        end: start.saturating_add(found.len()),
        what: format_args!("the magic is wrong"),
        expected: Show::bytes(expected),
        found: Show::bytes(found),
    })
}

/// Reads one of several constants, which the value keeps.
#[inline(always)]
pub fn magic_of<O: Observer, const N: usize>(
    cur: &mut Cursor<'_>,
    obs: &mut O,
    known: &[[u8; N]],
) -> Result<[u8; N], Fault> {
    let start = cur.pos();
    match cur.take_array::<N>() {
        Some(found) if known.contains(found) => Ok(*found),
        Some(found) => Err(none_of_them(start, obs, found)),
        None => Err(short(cur, obs, wide(N))),
    }
}

#[inline(always)]
fn none_of_them<O: Observer>(start: usize, obs: &mut O, found: &[u8]) -> Fault {
    if O::RECORD { report_none_of_them(start, obs, found) } else { Fault::at(start) }
}

#[cold]
#[inline(never)]
fn report_none_of_them<O: Observer>(start: usize, obs: &mut O, found: &[u8]) -> Fault {
    obs.fail(&Problem {
        code: "magic",
        class: Class::Malformed,
        start,
        end: start.saturating_add(found.len()),
        what: format_args!("the magic is none of those declared"),
        expected: Show::Nothing,
        found: Show::bytes(found),
    })
}

/// The byte order that a magic stands for.
#[inline(always)]
pub fn order_of<const N: usize>(found: &[u8; N], big: &[[u8; N]]) -> Order {
    if big.contains(found) { Order::Big } else { Order::Little }
}

/// Whether a value of the type begins here, going by its magic.
#[inline(always)]
pub fn there(cur: &Cursor<'_>, layout: &'static Layout) -> bool {
    layout.begins(cur.rest(), cur.order)
}
