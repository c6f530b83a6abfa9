//! Constants that end bytes, texts and items.

use crate::Cursor;
use crate::finding::{Fault, Problem, Show};
use crate::observe::Observer;
use crate::ops::wide;
use crate::value::Value;
use crate::writer::{Ahead, Writer};
use crate::{place, walk};

/// Where a constant begins in some bytes.
#[inline(always)]
fn find(bytes: &[u8], end: &[u8]) -> Option<usize> {
    match end {
        [one] => bytes.iter().position(|byte| byte == one),
        _ => bytes.windows(end.len().max(1)).position(|window| window == end),
    }
}

/// Reads up to a constant, which is left to be read, or is `kept` at the end.
#[inline(always)]
pub fn until<'a, O: Observer>(
    cur: &mut Cursor<'a>,
    obs: &mut O,
    end: &[u8],
    kept: bool,
) -> Result<&'a [u8], Fault> {
    let len =
        find(cur.rest(), end).map(|len| if kept { len.saturating_add(end.len()) } else { len });
    match len.and_then(|len| cur.take(wide(len))) {
        Some(bytes) => Ok(bytes),
        None => Err(missing(cur, obs, end)),
    }
}

/// The same, up to the end of the region where the constant is not there.
#[inline(always)]
pub fn until_or_end<'a>(cur: &mut Cursor<'a>, end: &[u8], kept: bool) -> &'a [u8] {
    let rest = cur.rest();
    let len = find(rest, end).map(|len| if kept { len.saturating_add(end.len()) } else { len });
    cur.take(wide(len.unwrap_or(rest.len()))).unwrap_or_default()
}

/// Reads up to the last place of a constant, which is left to be read. What has been looked at behind
/// it is paid for.
pub fn until_last<'a, O: Observer>(
    cur: &mut Cursor<'a>,
    obs: &mut O,
    end: &[u8],
) -> Result<&'a [u8], Fault> {
    let len = cur.rest().windows(end.len().max(1)).rposition(|window| window == end);
    let Some(bytes) = len.and_then(|len| cur.take(wide(len))) else {
        return Err(missing(cur, obs, end));
    };
    match obs.limits().spend(wide(cur.remaining())) {
        Some(()) => Ok(bytes),
        None => Err(place::spent(obs, (cur.pos(), cur.end()), place::Visited::Here)),
    }
}

/// Whether items end in front of the next one: a constant is there, or fewer bytes than `least` are left. Where
/// nothing but the constant ends them, and all that is left is the beginning of it, the rest of it is missing:
/// what is there is no item.
#[cfg(feature = "alloc")]
pub(crate) fn is_next<O: Observer>(
    cur: &mut Cursor<'_>,
    obs: &mut O,
    end: &[u8],
    least: usize,
) -> Result<bool, Fault> {
    if cur.remaining() < least || cur.rest().starts_with(end) {
        return Ok(true);
    }
    if least == 0 && end.starts_with(cur.rest()) {
        return Err(missing(cur, obs, end));
    }
    Ok(false)
}

/// Takes a constant that has been found.
#[inline(always)]
pub fn take(cur: &mut Cursor<'_>, end: &[u8]) {
    let _ = cur.take(wide(end.len()));
}

/// Takes a constant that has been found behind items, which have no part in it.
#[inline(always)]
pub fn behind_items<O: Observer>(cur: &mut Cursor<'_>, obs: &mut O, end: &[u8]) {
    obs.enter_extra("terminator", cur.pos());
    take(cur, end);
    obs.leave(cur.pos(), &Value::Bytes(end));
}

/// The constant is not there, for which all bytes have been looked at: who goes on elsewhere pays.
#[cold]
fn missing<O: Observer>(cur: &mut Cursor<'_>, obs: &mut O, end: &[u8]) -> Fault {
    let fault = if O::RECORD { report(cur, obs, end) } else { Fault::at(cur.pos()) };
    cur.skip_all();
    fault
}

#[cold]
#[inline(never)]
fn report<O: Observer>(cur: &Cursor<'_>, obs: &mut O, end: &[u8]) -> Fault {
    obs.fail(&Problem {
        code: "until",
        class: walk::ended(cur).0,
        start: cur.pos(),
        end: cur.end(),
        what: format_args!("nothing ends the field"),
        expected: Show::bytes(end),
        found: Show::Nothing,
    })
}

/// What follows must begin with a constant, or have fewer bytes than `least`.
pub fn comes_or(out: &mut Writer<'_>, end: &'static [u8], least: usize) -> Result<(), Fault> {
    out.ahead(0, Ahead::ComesOr(end, wide(least))).map(drop)
}

/// A value that ends in front of a constant does not begin it earlier.
pub fn is_behind(out: &mut Writer<'_>, value: &[u8], end: &[u8]) -> Result<(), Fault> {
    let begins = |at: usize| {
        let rest = value.get(at..).unwrap_or_default().iter().chain(end);
        rest.take(end.len()).eq(end)
    };
    match (0..value.len()).find(|at| begins(*at)) {
        None => Ok(()),
        Some(at) => Err(inside(out, at, end)),
    }
}

/// A value that holds the constant at its end holds it nowhere else.
pub fn is_last(out: &mut Writer<'_>, value: &[u8], end: &[u8]) -> Result<(), Fault> {
    match find(value, end) {
        Some(at) if at.saturating_add(end.len()) == value.len() => Ok(()),
        Some(at) => Err(inside(out, at, end)),
        None => {
            let what = format_args!("the value does not end with what ends it");
            Err(out.fail("until", what, Show::bytes(end), Show::bytes(value)))
        }
    }
}

/// A value that ends in front of a constant or with its region: what must follow it for that.
pub fn is_behind_or_end(
    out: &mut Writer<'_>,
    value: &[u8],
    end: &'static [u8],
) -> Result<(), Fault> {
    if let Some(at) = find(value, end) {
        return Err(inside(out, at, end));
    }
    // Behind a value whose end begins the constant, the constant itself would be found too early.
    let begins = (1..end.len()).any(|part| {
        let (behind, rest) = end.split_at(part);
        value.ends_with(behind) && end.starts_with(rest)
    });
    let what = if begins { Ahead::Fewer(1) } else { Ahead::ComesOr(end, 1) };
    out.ahead(wide(value.len()), what).map(drop)
}

/// A value that holds the constant at its end holds it nowhere else, and one that does not ends with its region.
pub fn is_last_or_end(out: &mut Writer<'_>, value: &[u8], end: &[u8]) -> Result<(), Fault> {
    if find(value, end).is_some() {
        return is_last(out, value, end);
    }
    out.ahead(wide(value.len()), Ahead::Fewer(1)).map(drop)
}

#[cold]
fn inside(out: &mut Writer<'_>, at: usize, end: &[u8]) -> Fault {
    let what = format_args!("the value would end at byte {at} of it when it is read");
    out.fail("until", what, Show::Nothing, Show::bytes(end))
}

/// A reader would stop in front of an item.
#[cfg(feature = "alloc")]
#[cold]
pub(crate) fn item(out: &mut Writer<'_>, index: usize) -> Fault {
    out.enter_item(wide(index));
    let what = format_args!("the item is what ends the sequence when it is read");
    out.fail("until", what, Show::Nothing, Show::Nothing)
}
