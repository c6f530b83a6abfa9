//! What the hand-written rules of several formats ask.

#![allow(dead_code, reason = "a format alone asks less than all of them")]

use binfmt_runtime::{Class, Error, Finding, Problem, Severity, Text};
use binfmt_runtime::{Rule, Rules, Show};

/// No tool aligns to more, and padding of that size costs no memory worth mentioning.
pub(crate) const MOST_ALIGN: u64 = 1 << 16;

/// A length as a number of a file.
pub(crate) fn wide(len: usize) -> u64 {
    u64::try_from(len).unwrap_or(u64::MAX)
}

/// Whether all bytes are 0.
pub(crate) fn is_zero(bytes: &[u8]) -> bool {
    static ZEROS: [u8; 4096] = [0; 4096];
    // Comparing is what every machine does fastest.
    bytes.chunks(ZEROS.len()).all(|chunk| ZEROS.get(..chunk.len()) == Some(chunk))
}

/// How many zeros the bytes begin with.
pub(crate) fn zeros_at(bytes: &[u8]) -> usize {
    let whole = bytes.chunks(4096).take_while(|chunk| is_zero(chunk)).map(<[u8]>::len);
    let whole = whole.fold(0_usize, usize::saturating_add);
    let rest = bytes.get(whole..).unwrap_or_default();
    whole.saturating_add(rest.iter().take_while(|byte| **byte == 0).count())
}

/// Whether every number below the length is there once.
pub(crate) fn is_permutation(order: &[u8]) -> bool {
    let mut seen = [false; 256];
    order.iter().all(|dim| {
        let index = usize::from(*dim);
        let new = seen.get_mut(index).is_some_and(|seen| !core::mem::replace(seen, true));
        new && index < order.len()
    })
}

/// Whether an index is below `count`; reports it if not.
pub(crate) fn index(rules: &mut Rules<'_>, rule: &Rule, index: i64, count: u64) -> bool {
    let fits = u64::try_from(index).is_ok_and(|index| index < count);
    if !fits {
        let most = count.checked_sub(1).map_or(Show::Word("none"), Show::Uint);
        rules.report(rule, most, Show::Int(index));
    }
    fits
}

/// Where a part of some bytes begins in them, if it is one.
pub(crate) fn offset_within(whole: &[u8], part: &[u8]) -> Option<u64> {
    let offset = part.as_ptr().addr().checked_sub(whole.as_ptr().addr())?;
    let end = offset.checked_add(part.len())?;
    (end <= whole.len()).then(|| wide(offset))
}

/// A walk that costs more than the file pays for.
#[cold]
pub(crate) fn too_many(what: &str) -> Error {
    let problem = Problem {
        code: "budget",
        class: Class::Malformed,
        start: 0,
        end: 0,
        what: format_args!("{what}, and there are more of them than the file pays for"),
        expected: Show::Nothing,
        found: Show::Nothing,
    };
    Error::new(Finding::new(Severity::Error, Text::default(), None, &problem))
}
