//! Segments against the file and against one another.

use alloc::vec::Vec;

use binfmt_runtime::{Severity, Show};

use super::super::DataSegment;
use super::{Ends, Route, Site, Tell, View, header};

const SPEC: &str = "executorch program.fbs, DataSegment";

/// Looks at every segment.
pub(super) fn check(view: &View<'_>, tell: &mut Tell<'_, '_>) -> Ends {
    let segments = view.program.segments();
    let (mut ends, mut lies) = (Ends { last: 0, known: true }, Vec::new());
    let mut before = 0;
    for (segment, index) in segments.iter().zip(0_u64..) {
        if !tell.spend() {
            break;
        }
        let Ok(segment) = segment else { continue };
        let route = Route::field("segments").item(index);
        let site = Site { route, range: segments.range(index), spec: SPEC };
        if segment.size == 0 {
            continue;
        }
        if !view.header {
            header::no_header(tell.rules, "there is no header, and there are segments");
            return Ends::default();
        }
        alignment(view, &segment, &site, tell);
        // The runtime of 1.5 does not mind the order. It computes other numbers if two offsets were
        // swapped, and the same if two rows were; the file does not say which it was.
        if segment.offset < before {
            let what = format_args!("the segment lies before the one in front of it in the table");
            tell.warn("segment-order", &site, what);
        }
        before = segment.offset;
        if let Some(end) = inside(view, &segment, &site, tell) {
            ends.last = ends.last.max(end);
            lies.push((segment.offset, end, index));
        } else {
            ends.known = false;
        }
    }
    overlaps(view, &mut lies, tell);
    ends
}

/// Where the segment ends, if that is in the file.
fn inside(
    view: &View<'_>,
    segment: &DataSegment,
    site: &Site,
    tell: &mut Tell<'_, '_>,
) -> Option<u64> {
    let end = segment.offset.checked_add(segment.size);
    let Some(end) = end.filter(|end| view.base.checked_add(*end).is_some()) else {
        let what = format_args!(
            "offset and size of the segment do not fit into 64 bits; a runtime wraps around, reads other bytes of the file, and computes with them"
        );
        tell.tell(
            Severity::Error,
            "segment-overflow",
            site,
            what,
            (Show::Nothing, Show::Uint(segment.offset)),
        );
        return None;
    };
    let Some(room) = view.room else { return Some(end) };
    if end > room {
        let what = format_args!(
            "the segment reaches behind the end of the file; a runtime refuses the method that uses it"
        );
        let values = (Show::Uint(room), Show::Uint(end));
        tell.tell(Severity::Error, "segment-size", site, what, values);
        return None;
    }
    Some(end)
}

fn alignment(view: &View<'_>, segment: &DataSegment, site: &Site, tell: &mut Tell<'_, '_>) {
    let offset = segment.offset;
    if !offset.is_multiple_of(8) {
        let what = format_args!(
            "the segment begins at {offset:#x}, which is no multiple of 8: what is in it would be read from wrong addresses"
        );
        tell.error("segment-align", site, what);
    } else if !offset.is_multiple_of(16) && view.base.is_multiple_of(16) {
        let what = format_args!(
            "the segment begins at {offset:#x}; tools align segments to 16 bytes or more"
        );
        tell.warn("segment-align", site, what);
    }
}

/// Segments share all of their bytes or none.
fn overlaps(view: &View<'_>, lies: &mut [(u64, u64, u64)], tell: &mut Tell<'_, '_>) {
    lies.sort_unstable();
    let segments = view.program.segments();
    let mut farthest: Option<(u64, u64, u64)> = None;
    for &(start, end, index) in lies.iter() {
        if let Some(other) =
            farthest.filter(|other| start < other.1 && (other.0, other.1) != (start, end))
        {
            // The later one in the table is the one that is out of order.
            let (first, second) = (index.min(other.2), index.max(other.2));
            let route = Route::field("segments").item(second);
            let site = Site { route, range: segments.range(second), spec: SPEC };
            let what = format_args!(
                "the segment overlaps segment {first}; a runtime would compute with bytes of the other one"
            );
            tell.error("segment-overlap", &site, what);
        }
        if farthest.is_none_or(|other| end > other.1) {
            farthest = Some((start, end, index));
        }
    }
}
