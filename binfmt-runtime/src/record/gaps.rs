//! Gaps that hold only fill, told as one finding.

use crate::finding::{Finding, Problem};
use crate::ops::wide;
use crate::text::Text;

/// All gaps of a walk that hold only fill.
pub(super) struct Gaps {
    first: Finding,
    count: u64,
    bytes: u64,
}

impl Gaps {
    pub(super) fn new(first: Finding) -> Self {
        let bytes = first.end.saturating_sub(first.start);
        Self { first, count: 1, bytes }
    }

    pub(super) fn add(&mut self, gap: &Problem<'_>) {
        self.count = self.count.saturating_add(1);
        self.bytes = self.bytes.saturating_add(wide(gap.end.saturating_sub(gap.start)));
        self.first.start = self.first.start.min(wide(gap.start));
        self.first.end = self.first.end.max(wide(gap.end));
    }

    /// The finding: of one gap that itself, of several their number and what they lie in.
    pub(super) fn summary(self) -> Finding {
        if self.count == 1 {
            return self.first;
        }
        let mut message = Text::default();
        message.push(format_args!(
            "{} gaps that hold only fill, {} bytes in all, belong to no field",
            self.count, self.bytes
        ));
        Finding { message, path: Text::default(), ..self.first }
    }
}
