//! Magics in front of variants: looked at, read, and written.

use crate::Cursor;
use crate::finding::{Fault, Show};
use crate::int::{Int, Order};
use crate::observe::Observer;
use crate::ops::wide;
use crate::value::Value;
use crate::writer::Writer;

/// The number that comes next, lowest byte first; it is not read yet.
#[inline(always)]
pub fn peek<T: Int>(cur: &Cursor<'_>) -> Option<T> {
    T::take(&mut { *cur }, Order::Little)
}

/// The number that comes so many bytes behind here, in the byte order of the value around.
#[inline(always)]
pub fn peek_in_order<T: Int>(cur: &Cursor<'_>, at: u64) -> Option<T> {
    let mut ahead = *cur;
    ahead.take(at)?;
    T::take(&mut ahead, cur.order)
}

/// No magic of a variant comes so many bytes behind here; where the input ends inside of one, it is cut short. Those
/// that are numbers are turned in the other byte order.
#[inline(always)]
pub fn no_magic<O: Observer>(
    cur: &Cursor<'_>,
    obs: &mut O,
    magics: (u64, &[&[u8]], bool),
) -> Fault {
    if O::RECORD { report_no_magic(cur, obs, magics) } else { Fault::at(cur.pos()) }
}

#[cold]
#[inline(never)]
fn report_no_magic<O: Observer>(
    cur: &Cursor<'_>,
    obs: &mut O,
    (at, magics, turned): (u64, &[&[u8]], bool),
) -> Fault {
    let turned = turned && cur.order == Order::Big;
    let there = usize::try_from(at).ok().and_then(|at| cur.rest().get(at..)).unwrap_or_default();
    let begins = |magic: &&&[u8]| {
        if turned {
            magic.iter().rev().zip(there).all(|(byte, there)| byte == there)
        } else {
            magic.starts_with(there)
        }
    };
    let longer = magics.iter().filter(|magic| there.len() < magic.len());
    match longer.filter(begins).map(|magic| magic.len()).min() {
        Some(len) => crate::walk::short(cur, obs, at.saturating_add(wide(len))),
        None => crate::walk::no_variant(cur, obs),
    }
}

/// Reads a constant that has been compared already.
#[inline(always)]
pub fn known_magic<O: Observer, const N: usize>(
    cur: &mut Cursor<'_>,
    obs: &mut O,
) -> Result<[u8; N], Fault> {
    obs.enter_extra("magic", cur.pos());
    match cur.take_array::<N>() {
        Some(found) => {
            obs.leave(cur.pos(), &Value::Bytes(found));
            Ok(*found)
        }
        None => Err(crate::walk::short(cur, obs, wide(N))),
    }
}

/// Writes the magic that a variant keeps, which must be one of its own.
pub fn put_magic(out: &mut Writer<'_>, kept: &[u8], known: &[&[u8]]) -> Result<(), Fault> {
    if known.contains(&kept) {
        return out.put(kept);
    }
    let what = format_args!("the magic is none of those of the variant");
    Err(out.fail("magic", what, Show::Nothing, Show::bytes(kept)))
}
