//! What the header says about the file.

use core::ops::Range;

use binfmt_runtime::{Rules, Severity, Show, Step};

use super::super::{Bare, Extended, HEAD_LEN};
use super::{Ends, wide};

const SPEC: &str = "pte document, Headers";

const NOTHING: (Show, Show) = (Show::Nothing, Show::Nothing);

/// Tells something about bytes that are not exactly those of a field.
fn tell(
    rules: &mut Rules<'_>,
    severity: Severity,
    code: &'static str,
    (field, range): (&'static str, Range<usize>),
    what: core::fmt::Arguments<'_>,
    values: (Show, Show),
) {
    rules.specified(SPEC);
    let range = wide(range.start)..wide(range.end);
    rules.tell_at(severity, code, (&[Step::Field(field)], range), what, values);
}

/// The header against the length of the file and against itself.
pub(super) fn check(file: &Extended<'_>, rules: &mut Rules<'_>) {
    short(rules);
    if file.program.lead().iter().any(|byte| *byte != 0) {
        let start = rules.range("program").start;
        let range = start..start.saturating_add(file.program.lead().len());
        let what = format_args!(
            "between the header and the tables are bytes that are not zero, as every tool writes them; no runtime looks at them"
        );
        tell(rules, Severity::Warning, "header-padding", ("program", range), what, NOTHING);
    }
    if let Some(size) = file.data_size.filter(|_| file.has_segments_behind()) {
        let room = wide(file.segments.len());
        if size > room {
            let what = format_args!(
                "the header promises more segment bytes than the file has: it is cut, and a runtime refuses it"
            );
            let values = (Show::Uint(room), Show::Uint(size));
            rules.tell(Severity::Error, "data-size", "data_size", what, values.0, values.1);
        }
    }
}

/// A runtime asks for the first 64 bytes before it looks at any.
fn short(rules: &mut Rules<'_>) {
    let whole = rules.range("");
    if whole.end < usize::try_from(HEAD_LEN).unwrap_or(usize::MAX) {
        let what = format_args!("the file is shorter than the 64 bytes that a runtime reads first");
        rules.error("short", "", what);
    }
}

/// Segments that begin inside the program: either number may be the wrong one.
pub(super) fn base_in_program(file: &Extended<'_>, used: bool, rules: &mut Rules<'_>) {
    if file.has_segments_behind() || !used {
        return;
    }
    let range = rules.range("program_size").start..rules.range("segment_base").end;
    let values = (Show::Uint(file.program_size), Show::Uint(file.segment_base));
    let what = if file.segment_base == 0 {
        format_args!(
            "the segments begin at 0: a runtime would read weights from the header, and compute with them"
        )
    } else {
        format_args!(
            "the segments begin before the program ends: a runtime would read weights from its tables, and compute with them"
        )
    };
    tell(rules, Severity::Error, "segment-base", ("segment_base", range), what, values);
}

/// What the header says about the end of the last segment, and what follows there.
pub(super) fn ends(file: &Extended<'_>, ends: &Ends, rules: &mut Rules<'_>) {
    if !file.has_segments_behind() || !ends.known {
        return;
    }
    let room = wide(file.segments.len());
    let last = ends.last;
    if let Some(size) = file.data_size.filter(|size| *size <= room && *size != last) {
        let what = format_args!(
            "the segments end elsewhere than the header says; a file that is cut may not be noticed"
        );
        let values = (Show::Uint(last), Show::Uint(size));
        rules.tell(Severity::Warning, "data-size", "data_size", what, values.0, values.1);
    }
    let end = file.data_size.unwrap_or(0).max(last);
    if end < room {
        let mut range = rules.range("segments");
        range.start = range.start.saturating_add(usize::try_from(end).unwrap_or(usize::MAX));
        let what = format_args!("bytes follow the last segment");
        tell(rules, Severity::Warning, "trailing", ("segments", range), what, NOTHING);
    }
    if last > 0 {
        base_alignment(file.segment_base, rules);
    }
}

fn base_alignment(base: u64, rules: &mut Rules<'_>) {
    if !base.is_multiple_of(8) {
        let what = format_args!(
            "the segments begin at {base:#x}, which is no multiple of 8: weights would be read from wrong addresses"
        );
        rules.error("segment-align", "segment_base", what);
    } else if !base.is_multiple_of(16) {
        let what =
            format_args!("the segments begin at {base:#x}; tools align them to 16 bytes or more");
        rules.warn("segment-align", "segment_base", what);
    }
}

/// A file without a header that looks as if it had one.
pub(super) fn missing(file: &Bare<'_>, rules: &mut Rules<'_>) {
    short(rules);
    if let Some([b'e', b'h', a, b]) = file.program.bytes().first_chunk()
        && a.is_ascii_digit()
        && b.is_ascii_digit()
    {
        no_header(rules, "the header has another version than `eh00`");
    }
}

/// Tells that there is no header where one must be.
pub(super) fn no_header(rules: &mut Rules<'_>, why: &str) {
    let start = rules.range("program").start;
    let range = start..start.saturating_add(4);
    let what = format_args!(
        "{why}: a runtime takes the file for one without a header, reads weights from offset 0, and computes with them"
    );
    tell(
        rules,
        Severity::Error,
        "no-header",
        ("program", range),
        what,
        (Show::Word("eh00"), Show::Nothing),
    );
}
