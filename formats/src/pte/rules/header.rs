//! What the header says about the file.

use binfmt_runtime::{Rules, Show, path};

use super::super::{Bare, Extended, HEAD_LEN};
use super::{Ends, table};
use crate::shared::{is_zero, wide};

/// The header against the length of the file and against itself.
pub(super) fn check(file: &Extended<'_>, rules: &mut Rules<'_>) {
    short(rules);
    let lead = file.program.lead();
    if !is_zero(lead) {
        let mut program = rules.at(&path!(Extended.program));
        let start = program.range().start;
        program = program.over(start..start.saturating_add(wide(lead.len())));
        program.report(&table::LEAD, Show::Nothing, Show::Nothing);
    }
    if let Some(size) = file.data_size.filter(|_| file.has_segments_behind()) {
        let room = wide(file.segments.len());
        if size > room {
            let mut at = rules.at(&path!(Extended.data_size));
            at.report(&table::DATA_SIZE_CUT, Show::Uint(room), Show::Uint(size));
        }
    }
}

/// A runtime asks for the first 64 bytes before it looks at any.
fn short(rules: &mut Rules<'_>) {
    let len = rules.range().end;
    if len < HEAD_LEN {
        rules.report(&table::SHORT, Show::Uint(HEAD_LEN), Show::Uint(len));
    }
}

/// Segments that begin inside the program: either number may be the wrong one.
pub(super) fn base_in_program(file: &Extended<'_>, used: bool, rules: &mut Rules<'_>) {
    if file.has_segments_behind() || !used {
        return;
    }
    let start = rules.at(&path!(Extended.program_size)).range().start;
    let at = rules.at(&path!(Extended.segment_base));
    let range = start..at.range().end;
    let rule = if file.segment_base == 0 { &table::BASE_ZERO } else { &table::BASE_INSIDE };
    at.over(range).report(rule, Show::Uint(file.program_size), Show::Uint(file.segment_base));
}

/// What the header says about the end of the last segment, and what follows there.
pub(super) fn ends(file: &Extended<'_>, ends: &Ends, rules: &mut Rules<'_>) {
    if !file.has_segments_behind() || !ends.known {
        return;
    }
    let room = wide(file.segments.len());
    let last = ends.last;
    if let Some(size) = file.data_size.filter(|size| *size <= room && *size != last) {
        let mut at = rules.at(&path!(Extended.data_size));
        at.report(&table::DATA_SIZE_END, Show::Uint(last), Show::Uint(size));
    }
    let end = file.data_size.unwrap_or(0).max(last);
    if end < room {
        let segments = rules.at(&path!(Extended.segments));
        let range = segments.range().start.saturating_add(end)..segments.range().end;
        let found = Show::Uint(room.saturating_sub(end));
        segments.over(range).report(&table::TRAILING, Show::Uint(0), found);
    }
    if last > 0 {
        base_alignment(file.segment_base, &mut rules.at(&path!(Extended.segment_base)));
    }
}

fn base_alignment(base: u64, at: &mut Rules<'_>) {
    if !base.is_multiple_of(8) {
        at.report(&table::BASE_ALIGN, Show::Word("a multiple of 8"), Show::Hex(base));
    } else if !base.is_multiple_of(16) {
        at.report(&table::BASE_ALIGN_16, Show::Word("a multiple of 16"), Show::Hex(base));
    }
}

/// A file without a header that looks as if it had one.
pub(super) fn missing(file: &Bare<'_>, rules: &mut Rules<'_>) {
    short(rules);
    if let Some([b'e', b'h', a, b]) = file.program.bytes().first_chunk()
        && a.is_ascii_digit()
        && b.is_ascii_digit()
    {
        let program = rules.at(&path!(Bare.program));
        let start = program.range().start;
        let found = Show::bytes(&[b'e', b'h', *a, *b]);
        program.over(start..start.saturating_add(4)).report(
            &table::HEADER_VERSION,
            Show::Word("eh00"),
            found,
        );
    }
}

/// Reports that there is no header in front of a program with segments.
pub(super) fn no_header(program: &mut Rules<'_>) {
    let start = program.range().start;
    let mut at = program.at(&[]).over(start..start.saturating_add(4));
    at.report(&table::HEADER_MISSING, Show::Word("eh00"), Show::Nothing);
}
