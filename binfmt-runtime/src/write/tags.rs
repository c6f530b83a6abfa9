//! Tags of variants, which must stand for the variant that is written.

use core::fmt;

use crate::finding::{Fault, Show};
use crate::writer::Writer;

/// The tag that tells a variant must be one of that variant.
#[inline(always)]
pub fn tag(
    out: &mut Writer<'_>,
    (agrees, variant): (bool, usize),
    expected: u64,
    found: u64,
) -> Result<(), Fault> {
    out.trace((variant, expected));
    if agrees || !out.checks() { Ok(()) } else { Err(wrong_tag(out, expected, found)) }
}

/// The same of a tag that is bytes or a text.
pub fn tag_of_bytes(
    out: &mut Writer<'_>,
    (agrees, variant): (bool, usize),
    found: &[u8],
) -> Result<(), Fault> {
    out.trace((variant, 0));
    if agrees || !out.checks() {
        return Ok(());
    }
    let what = format_args!("the tag stands for another variant");
    Err(out.fail("tag", what, Show::Nothing, Show::bytes(found)))
}

/// The same of a tag of several parts.
pub fn tag_of_parts(
    out: &mut Writer<'_>,
    (agrees, variant): (bool, usize),
    found: fmt::Arguments<'_>,
) -> Result<(), Fault> {
    out.trace((variant, 0));
    if agrees || !out.checks() {
        return Ok(());
    }
    let what = format_args!("the tag {found} stands for another variant");
    Err(out.fail("tag", what, Show::Nothing, Show::Nothing))
}

#[cold]
fn wrong_tag(out: &mut Writer<'_>, expected: u64, found: u64) -> Fault {
    if expected == found {
        let what = format_args!("the tag that the variant holds stands for another variant");
        return out.fail("tag", what, Show::Nothing, Show::Hex(found));
    }
    let what = format_args!("the tag stands for another variant");
    out.fail("tag", what, Show::Hex(expected), Show::Hex(found))
}

/// The tag that a variant keeps: its numbers, and then its bytes.
#[inline(never)]
pub fn kept_tag(out: &mut Writer<'_>, numbers: &[u64], runs: &[&[u8]]) {
    if out.is_located() {
        for number in numbers {
            out.trace_bytes(&number.to_le_bytes());
        }
        for run in runs {
            out.trace_bytes(run);
        }
    }
}
