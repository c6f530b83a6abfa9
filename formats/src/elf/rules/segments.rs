//! Rules between segments.

use core::ops::Range;

use binfmt_runtime::{Rule, Rules, Show, path};

use super::super::{Elf, HEADER_LEN, SEGMENT_LEN, Segment, SegmentKind};
use super::{Check, HEADERS, ORDER, OVERLAP, SEGMENT_END, UNLOADED};
use crate::shared::wide;

impl Check<'_, '_, '_> {
    pub(super) fn segments(&mut self) {
        let file_len = wide(self.elf.body.len()).saturating_add(HEADER_LEN.into());
        let mut before: Option<Segment> = None;
        for (segment, index) in self.elf.segments().zip(0_u64..) {
            let end = segment.file_range().end;
            if segment.file_size > 0 && end > file_len {
                self.segment(index, &SEGMENT_END, file_len, end);
            }
            match segment.kind {
                SegmentKind::Load => {
                    self.follows(index, before.as_ref(), &segment);
                    before = Some(segment);
                }
                SegmentKind::Headers => self.headers(index, &segment),
                SegmentKind::Dynamic | SegmentKind::ThreadLocal | SegmentKind::GnuReadOnly
                    if self.is_linked() =>
                {
                    self.loaded(index, &segment);
                }
                _ => {}
            }
        }
    }

    fn follows(&mut self, index: u64, before: Option<&Segment>, segment: &Segment) {
        let Some(before) = before else { return };
        if segment.address < before.address {
            self.segment(index, &ORDER, before.address, segment.address);
        } else if segment.address < before.memory_range().end {
            self.segment(index, &OVERLAP, before.memory_range().end, segment.address);
        }
    }

    /// Its own headers are where the file header says that they are.
    fn headers(&mut self, index: u64, segment: &Segment) {
        let count = self.elf.segments.map_or(0, |it| it.count().unwrap_or(0));
        let len = count.saturating_mul(SEGMENT_LEN.into());
        if segment.offset != self.elf.segments_at {
            self.segment(index, &HEADERS, self.elf.segments_at, segment.offset);
        } else if segment.file_size != len {
            self.segment(index, &HEADERS, len, segment.file_size);
        } else {
            self.loaded(index, segment);
        }
    }

    fn loaded(&mut self, index: u64, segment: &Segment) {
        let Segment { offset, file_size, address, .. } = *segment;
        if file_size > 0 && !self.memory.maps(offset, file_size, address) {
            let found = self.memory.address_of(offset).unwrap_or(0);
            self.segment(index, &UNLOADED, found, address);
        }
    }

    fn segment(&mut self, index: u64, rule: &Rule, expected: u64, found: u64) {
        let range = segment_range(self.elf, index);
        let mut at: Rules<'_> = self.rules.at(&path!(Elf.segments[index])).over(range);
        at.report(rule, Show::Uint(expected), Show::Uint(found));
    }
}

fn segment_range(elf: &Elf<'_>, index: u64) -> Range<u64> {
    let len = u64::from(SEGMENT_LEN);
    let start = elf.segments_at.saturating_add(index.saturating_mul(len));
    start..start.saturating_add(len)
}
