//! Why writing failed: the value is written again, into nothing, by a writer that knows where it is.

use super::whole::Whole;
use super::{Mode, Sink, Writer};
use crate::Text;
use crate::finding::{Class, Error, Fault, Finding, Problem, Severity, Show};
use crate::path::{Path, Step};

/// Knows where in the declaration a writer is.
#[derive(Default)]
struct ErrorLocator {
    path: Path,
    found: Option<Finding>,
    /// Whether checksums are computed, which fails without saying why.
    sums: bool,
}

impl Sink for ErrorLocator {
    fn put(&mut self, _bytes: &[u8]) -> Option<()> {
        Some(())
    }

    fn sums(&self, _bit: u32) -> bool {
        self.sums
    }

    fn enter(&mut self, step: Step) {
        self.path.push(step);
    }

    fn leave(&mut self) {
        self.path.truncate(self.path.depth().saturating_sub(1));
    }

    fn fail(&mut self, problem: &Problem<'_>) {
        if self.found.is_none() {
            let path = self.path.render();
            self.found = Some(Finding::new(Severity::Error, path, None, problem));
        }
    }
}

/// The error of a writer that has failed; a full output leaves no other trace.
#[cold]
#[inline(never)]
pub(super) fn explain(fault: Fault, compact: bool, value: &dyn Whole) -> Error {
    // A value that fails while it is counted stops before the first byte. What a checksum covers is
    // written without a trace, so what fails there is found without checksums.
    for (counts, sums) in [(true, false), (false, true), (false, false)] {
        let mut locator = ErrorLocator { sums, ..ErrorLocator::default() };
        // Without checksums, rules would see zeros in their place.
        let mode = Mode { counts, keeps: false, rules: sums, observed: true, patches: false };
        let _ = value.emit(&mut Writer::to(&mut [], Some(&mut locator), mode).compact(compact));
        if let Some(found) = locator.found {
            return Error::new(found);
        }
    }
    let full = Problem {
        code: "space",
        class: Class::Incomplete,
        start: fault.offset,
        end: fault.offset,
        what: format_args!("the output takes no more bytes, or a reader gives fewer than promised"),
        expected: Show::Nothing,
        found: Show::Nothing,
    };
    Error::new(Finding::new(Severity::Error, Text::default(), None, &full))
}
