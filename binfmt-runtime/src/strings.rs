//! Strings of fixed width and strings that end with a NUL.

use crate::Cursor;
use crate::finding::{Fault, Problem, Show};
use crate::observe::Observer;
use crate::ops::wide;
use crate::walk;
use crate::writer::Writer;

/// Reads up to the next NUL, which is left to be read.
#[inline(always)]
pub fn until_nul<'a, O: Observer>(cur: &mut Cursor<'a>, obs: &mut O) -> Result<&'a [u8], Fault> {
    let len = cur.rest().iter().position(|byte| *byte == 0);
    match len.and_then(|len| cur.take(wide(len))) {
        Some(bytes) => Ok(bytes),
        None => Err(all_looked_at(cur, obs)),
    }
}

/// Reads up to the next NUL of two bytes, which is left to be read.
pub fn until_wide_nul<'a, O: Observer>(
    cur: &mut Cursor<'a>,
    obs: &mut O,
) -> Result<&'a [u8], Fault> {
    let units = cur.rest().chunks_exact(2).position(|unit| unit == [0, 0]);
    match units.and_then(|units| cur.take(wide(units).checked_mul(2)?)) {
        Some(bytes) => Ok(bytes),
        None => Err(all_looked_at(cur, obs)),
    }
}

/// No NUL is there, for which all bytes have been looked at: who goes on elsewhere pays for them.
#[cold]
fn all_looked_at<O: Observer>(cur: &mut Cursor<'_>, obs: &mut O) -> Fault {
    let fault = endless(cur, obs);
    cur.skip_all();
    fault
}

#[inline(always)]
fn endless<O: Observer>(cur: &Cursor<'_>, obs: &mut O) -> Fault {
    if O::RECORD { report_endless(cur, obs) } else { Fault::at(cur.pos()) }
}

#[cold]
#[inline(never)]
fn report_endless<O: Observer>(cur: &Cursor<'_>, obs: &mut O) -> Fault {
    obs.fail(&Problem {
        code: "nul",
        class: walk::ended(cur).0,
        start: cur.pos(),
        end: cur.end(),
        what: format_args!("no NUL ends the string"),
        expected: Show::Hex(0),
        found: Show::Nothing,
    })
}

/// Reads the NUL of two bytes that ends a text.
pub fn wide_nul<O: Observer>(cur: &mut Cursor<'_>, obs: &mut O) -> Result<(), Fault> {
    walk::nul(cur, obs)?;
    walk::nul(cur, obs)
}

/// Bytes or a text that a value owns; nothing where values are thrown away.
#[inline(always)]
pub fn owned<T: From<B> + Default, B, O: Observer>(bytes: B, obs: &O) -> T {
    if obs.drops() { T::default() } else { T::from(bytes) }
}

/// Cuts the fill off the end.
#[inline(always)]
pub fn cut(bytes: &[u8], fill: u8) -> &[u8] {
    let mut rest = bytes;
    while let [head @ .., last] = rest
        && *last == fill
    {
        rest = head;
    }
    rest
}

/// Cuts the fill off the end of what has just been read, and takes the rest as UTF-8.
pub fn cut_text<'a, O: Observer>(
    cur: &Cursor<'a>,
    obs: &mut O,
    bytes: &'a [u8],
    fill: u8,
) -> Result<&'a str, Fault> {
    let text = cut(bytes, fill);
    core::str::from_utf8(text).map_err(|error| walk::not_utf8(cur, obs, bytes, error.valid_up_to()))
}

/// What has just been read, up to its first NUL; what is behind that is padding.
#[inline(always)]
pub fn before_nul<'a, O: Observer>(cur: &Cursor<'a>, obs: &mut O, bytes: &'a [u8]) -> &'a [u8] {
    let len = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
    let (value, behind) = bytes.split_at_checked(len).unwrap_or((bytes, &[]));
    if O::RECORD {
        walk::unkept(cur.pos(), obs, behind);
    }
    value
}

/// The same as UTF-8.
pub fn text_before_nul<'a, O: Observer>(
    cur: &Cursor<'a>,
    obs: &mut O,
    bytes: &'a [u8],
) -> Result<&'a str, Fault> {
    let text = before_nul(cur, obs, bytes);
    core::str::from_utf8(text).map_err(|error| walk::not_utf8(cur, obs, bytes, error.valid_up_to()))
}

/// The width of a value whose fill is cut: what it needs, or more where that is stored.
pub fn width(len: u64, stored: Option<u64>) -> u64 {
    stored.unwrap_or(0).max(len)
}

/// Writes a value and, behind it, fill up to `width`.
pub fn filled(out: &mut Writer<'_>, bytes: &[u8], width: u64, fill: u8) -> Result<(), Fault> {
    if bytes.last() == Some(&fill) {
        return Err(cut_when_read(out, u64::from(fill)));
    }
    let start = out.pos();
    out.put(bytes)?;
    out.pad_to(start, width, fill)
}

/// The value ends like its fill, so its end would not be read again.
#[cold]
pub(crate) fn cut_when_read(out: &mut Writer<'_>, fill: u64) -> Fault {
    let what = format_args!("the value ends with its fill, which is cut when it is read");
    out.fail("trim", what, Show::Nothing, Show::Hex(fill))
}

/// A value that ends at the first NUL has none inside.
pub fn no_nul(out: &mut Writer<'_>, bytes: &[u8]) -> Result<(), Fault> {
    match bytes.iter().position(|byte| *byte == 0) {
        None => Ok(()),
        Some(at) => Err(nul_inside(out, wide(at))),
    }
}

#[cold]
pub(crate) fn nul_inside(out: &mut Writer<'_>, at: u64) -> Fault {
    let what = format_args!("a NUL inside the string would end it when it is read");
    out.fail("nul", what, Show::Nothing, Show::Uint(at))
}
