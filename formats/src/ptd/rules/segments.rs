//! Segments against the bytes of the file, and the header against both.

use binfmt_runtime::{FbVec, Rules, Show, path};

use super::{Check, DataSegment, FlatTensor, Ptd, table};

impl Check<'_, '_, '_> {
    /// One segment of either schema.
    pub(super) fn segment(&mut self, index: u64, segments: &FbVec<'_, DataSegment>) -> Rules<'_> {
        let path = path!(Ptd.tables, FlatTensor.segments[index]);
        self.rules.at(&path).over(segments.range(index))
    }

    /// Checks every segment alone, and returns where the last one ends; `None` if one is broken.
    pub(super) fn segments(&mut self, segments: &FbVec<'_, DataSegment>) -> Option<u64> {
        let mut last = Some(0);
        for (segment, index) in segments.iter().zip(0_u64..) {
            let Ok(segment) = segment else { continue };
            let (offset, size) = (*segment.offset, *segment.size);
            let data_len = self.data_len;
            let mut at = self.segment(index, segments);
            let Some(end) = offset.checked_add(size) else {
                last = None;
                let mut at = at.at(&path!(DataSegment.size)).over(segment.size.range());
                at.report(&table::SEGMENT_WRAP, Show::Nothing, Show::Uint(size));
                continue;
            };
            if end <= data_len {
                last = last.map(|last| last.max(end));
                continue;
            }
            last = None;
            let (expected, found) = (Show::Uint(data_len), Show::Uint(end));
            if offset > data_len || size <= data_len {
                let mut at = at.at(&path!(DataSegment.offset)).over(segment.offset.range());
                at.report(&table::SEGMENT_START, expected, found);
            } else {
                let mut at = at.at(&path!(DataSegment.size)).over(segment.size.range());
                at.report(&table::SEGMENT_END, expected, found);
            }
        }
        last
    }

    /// Compares the header with the file and with the end of the last segment.
    pub(super) fn data_size(&mut self, last: Option<u64>) {
        let (size, base) = (self.file.segment_data_size, self.file.segment_base_offset);
        let (len, stored) = (Show::Uint(self.data_len), Show::Uint(size));
        let mut at = self.rules.at(&path!(Ptd.segment_data_size));
        if base.checked_add(size).is_none() {
            at.report(&table::DATA_SIZE_WRAP, len, stored);
        } else if size > self.data_len && last.is_some() {
            at.report(&table::DATA_SIZE_MAX, len, stored);
        } else if size > self.data_len {
            self.rules.at(&path!(Ptd.data)).report(&table::DATA_CUT, stored, len);
        } else if let Some(last) = last.filter(|last| size != *last) {
            at.report(&table::DATA_SIZE_END, Show::Uint(last), stored);
        }
        let Some(used) = last.map(|last| last.max(size)) else { return };
        if used < self.data_len {
            let range = base.saturating_add(used)..base.saturating_add(self.data_len);
            let found = Show::Uint(self.data_len.saturating_sub(used));
            let mut at = self.rules.at(&path!(Ptd.data)).over(range);
            at.report(&table::TRAILING, Show::Nothing, found);
        }
    }
}
