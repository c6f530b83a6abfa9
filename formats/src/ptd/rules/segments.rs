//! Segments against the bytes of the file, and the header against both.

use binfmt_runtime::{FbVec, Severity, Show, Step};

use super::{Check, DataSegment, Part};

impl Check<'_, '_, '_> {
    /// Checks every segment alone, and returns where the last one ends; `None` if one is broken.
    pub(super) fn segments(&mut self, segments: &FbVec<'_, DataSegment>) -> Option<u64> {
        let mut last = Some(0);
        for (segment, index) in segments.iter().zip(0_u64..) {
            let Ok(segment) = segment else { continue };
            let (offset, size) = (*segment.offset, *segment.size);
            let Some(end) = offset.checked_add(size) else {
                last = None;
                let place = self.segment_place(index, "size", &segment, segments);
                self.tell(
                    Severity::Error,
                    "ptd.segment",
                    &place,
                    format_args!("a segment of {size} bytes at {offset} ends nowhere: the runtime fails at every key in it"),
                    (Show::Nothing, Show::Uint(size)),
                );
                continue;
            };
            if end > self.data_len {
                last = None;
                let field =
                    if offset > self.data_len || size <= self.data_len { "offset" } else { "size" };
                let place = self.segment_place(index, field, &segment, segments);
                self.tell(
                    Severity::Error,
                    "ptd.segment",
                    &place,
                    format_args!("the segment ends {end} bytes behind the first one, and the file sooner: the runtime fails at every key in it"),
                    (Show::Uint(self.data_len), Show::Uint(end)),
                );
                continue;
            }
            last = last.map(|last| last.max(end));
        }
        last
    }

    pub(super) fn segment_place(
        &self,
        index: u64,
        field: &'static str,
        segment: &DataSegment,
        segments: &FbVec<'_, DataSegment>,
    ) -> Part {
        let value = if field == "offset" { &segment.offset } else { &segment.size };
        let mut part = self.place("segments", index, field, value);
        if value.range().is_empty() {
            part.range = segments.range(index).unwrap_or(part.range);
        }
        part
    }

    /// Compares the header with the file and with the end of the last segment.
    pub(super) fn data_size(&mut self, last: Option<u64>) {
        let (size, base) = (self.file.segment_data_size, self.file.segment_base_offset);
        let shown = (Show::Uint(self.data_len), Show::Uint(size));
        if base.checked_add(size).is_none() {
            let what = format_args!(
                "segments of {size} bytes from {base} end nowhere: the runtime loads the file and fails at every key"
            );
            self.rules.tell(
                Severity::Error,
                "ptd.data_size",
                "segment_data_size",
                what,
                shown.0,
                shown.1,
            );
        } else if size > self.data_len && last.is_some() {
            let what = format_args!(
                "the header promises more bytes of segments than the file has, and than its segments take: the runtime refuses the file"
            );
            self.rules.tell(
                Severity::Error,
                "ptd.data_size",
                "segment_data_size",
                what,
                shown.0,
                shown.1,
            );
        } else if size > self.data_len {
            let what = format_args!(
                "the file ends before its segments do, for it was cut or not copied whole: the runtime refuses it"
            );
            self.rules.tell(
                Severity::Error,
                "ptd.data_size",
                "data",
                what,
                Show::Uint(size),
                Show::Uint(self.data_len),
            );
        } else if let Some(last) = last.filter(|last| size != *last) {
            let what = format_args!(
                "the header does not say where the last segment ends; runtimes accept that"
            );
            self.rules.tell(
                Severity::Warning,
                "ptd.data_size",
                "segment_data_size",
                what,
                Show::Uint(last),
                Show::Uint(size),
            );
        }
        let Some(used) = last.map(|last| last.max(size)) else { return };
        if used < self.data_len {
            let start = base.saturating_add(used);
            let range = start..base.saturating_add(self.data_len);
            let what = format_args!("bytes follow the last segment; no runtime looks at them");
            let shown = (Show::Nothing, Show::Uint(self.data_len.saturating_sub(used)));
            self.rules.tell_at(
                Severity::Warning,
                "ptd.trailing",
                (&[Step::Field("data")], range),
                what,
                shown,
            );
        }
    }
}
