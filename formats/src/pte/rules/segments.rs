//! Segments against the file and against one another.

use alloc::vec::Vec;

use binfmt_runtime::{Rules, Show, path};

use super::super::{DataSegment, Program};
use super::{Ends, View, header, table};

/// Looks at every segment.
pub(super) fn check(view: &View<'_>, program: &mut Rules<'_>) -> Ends {
    let segments = view.program.segments();
    let (mut ends, mut lies) = (Ends { last: 0, known: true }, Vec::new());
    let mut before = 0;
    for (segment, index) in segments.iter().zip(0_u64..) {
        if !view.spend() {
            break;
        }
        let Ok(segment) = segment else { continue };
        if segment.size == 0 {
            continue;
        }
        if !view.header {
            header::no_header(program);
            return Ends::default();
        }
        let at = &mut program.at(&path!(Program.segments[index])).over(segments.range(index));
        alignment(view, &segment, at);
        // The runtime of 1.5 does not mind the order. It computes other numbers if two offsets were
        // swapped, and the same if two rows were; the file does not say which it was.
        if segment.offset < before {
            at.report(&table::SEGMENT_ORDER, Show::Nothing, Show::Hex(segment.offset));
        }
        before = segment.offset;
        if let Some(end) = inside(view, &segment, at) {
            ends.last = ends.last.max(end);
            lies.push((segment.offset, end, index));
        } else {
            ends.known = false;
        }
    }
    overlaps(view, &mut lies, program);
    ends
}

/// Where the segment ends, if that is in the file.
fn inside(view: &View<'_>, segment: &DataSegment, at: &mut Rules<'_>) -> Option<u64> {
    let end = segment.offset.checked_add(segment.size);
    let Some(end) = end.filter(|end| view.base.checked_add(*end).is_some()) else {
        at.report(&table::SEGMENT_WRAP, Show::Nothing, Show::Uint(segment.offset));
        return None;
    };
    let Some(room) = view.room else { return Some(end) };
    if end > room {
        at.report(&table::SEGMENT_END, Show::Uint(room), Show::Uint(end));
        return None;
    }
    Some(end)
}

fn alignment(view: &View<'_>, segment: &DataSegment, at: &mut Rules<'_>) {
    let offset = segment.offset;
    if !offset.is_multiple_of(8) {
        at.report(&table::OFFSET_ALIGN, Show::Word("a multiple of 8"), Show::Hex(offset));
    } else if !offset.is_multiple_of(16) && view.base.is_multiple_of(16) {
        at.report(&table::OFFSET_ALIGN_16, Show::Word("a multiple of 16"), Show::Hex(offset));
    }
}

/// Segments share all of their bytes or none.
fn overlaps(view: &View<'_>, lies: &mut [(u64, u64, u64)], program: &mut Rules<'_>) {
    lies.sort_unstable();
    let segments = view.program.segments();
    let mut farthest: Option<(u64, u64, u64)> = None;
    for &(start, end, index) in lies.iter() {
        if let Some(other) =
            farthest.filter(|other| start < other.1 && (other.0, other.1) != (start, end))
        {
            // The later one in the table is the one that is out of order.
            let (first, second) = (index.min(other.2), index.max(other.2));
            let at = program.at(&path!(Program.segments[second])).over(segments.range(second));
            let values = (Show::Nothing, Show::Nothing);
            { at }.report_with(&table::SEGMENT_OVERLAP, values, format_args!("segment {first}"));
        }
        if farthest.is_none_or(|other| end > other.1) {
            farthest = Some((start, end, index));
        }
    }
}
