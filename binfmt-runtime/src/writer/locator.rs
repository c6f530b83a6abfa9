//! Why writing failed: the value is written again, into nothing, by a writer that knows where it is.

use super::Writer;
use super::used::Used;
use crate::Text;
use crate::finding::{Class, Error, Fault, Finding, Problem, Severity, Show};
use crate::path::{Path, Step};

/// Knows where in the declaration a writer is.
#[derive(Debug)]
pub(crate) struct Locator {
    pub(super) path: Path,
    pub(super) used: Used,
    /// The item of a table whose numbers are computed, and the depth of the path there.
    pub(super) item: Option<(usize, u64)>,
    pub(super) found: Option<Finding>,
    /// What has been met so far, and where: see `trace.rs`.
    pub(super) trace: super::trace::Trace,
    /// Whether that has all that decides how bytes are read.
    pub(super) is_traced: bool,
    /// Where numbers stand that follow from what is written.
    #[cfg(feature = "alloc")]
    pub(super) derived: alloc::vec::Vec<core::ops::Range<u64>>,
}

impl Default for Locator {
    fn default() -> Self {
        Self {
            path: Path::default(),
            used: Used::default(),
            item: None,
            found: None,
            trace: super::trace::Trace::default(),
            is_traced: true,
            #[cfg(feature = "alloc")]
            derived: alloc::vec::Vec::new(),
        }
    }
}

impl Locator {
    /// Begins with another pass: what the one before has found may be because of what it has learned.
    pub(super) fn begin(&mut self) {
        *self = Self::default();
    }

    #[cold]
    pub(super) fn fail(&mut self, problem: &Problem<'_>) {
        if self.found.is_none() {
            let path = self.path.render();
            self.found = Some(Finding::new(Severity::Error, path, None, problem));
        }
    }
}

impl Writer<'_> {
    /// Whether anybody asks where fields and items begin.
    #[inline(always)]
    pub(crate) fn is_located(&self) -> bool {
        self.locator.is_some()
    }

    /// A field begins.
    #[inline(always)]
    pub fn enter(&mut self, name: &'static str) {
        if self.is_located() {
            self.go_down(Step::Field(name));
        }
    }

    /// An item begins.
    #[inline(always)]
    pub fn enter_item(&mut self, index: u64) {
        if self.is_located() {
            self.go_down(Step::Index(index));
        }
    }

    /// A field is to be told of; one value of it, where the numbers of the item beside that are set.
    pub(crate) fn enter_told(&mut self, name: &'static str) {
        let located = self.locator.as_ref();
        let item = located
            .and_then(|locator| locator.item.filter(|(depth, _)| *depth == locator.path.depth()));
        self.enter(name);
        if let Some((_, index)) = item {
            self.enter_item(index);
        }
    }

    /// The field or item that began last ends.
    #[inline(always)]
    pub fn leave(&mut self) {
        if self.is_located() {
            self.go_up();
        }
    }

    /// A part of the value that is read when it is asked for cannot be: the error of its reader, at the path of the
    /// part. Its offsets are those of the file that is read.
    #[cold]
    pub(crate) fn fail_to_read(&mut self, error: &Error) -> Fault {
        let finding = error.finding();
        if let Some(locator) = self.locator.as_mut().filter(|locator| locator.found.is_none()) {
            let (mut path, inside) = (locator.path.render(), finding.path.as_str());
            let joined = path.as_str().is_empty() || inside.is_empty() || inside.starts_with('[');
            path.push(format_args!("{}{inside}", if joined { "" } else { "." }));
            locator.found = Some(Finding { path, ..finding.clone() });
        }
        Fault::at(usize::try_from(finding.start).unwrap_or(usize::MAX))
    }

    /// Whether a trace has what is met here: how often it is measured says nothing of a value.
    pub(super) fn is_traced(&self) -> bool {
        self.rules() && !self.measures
    }

    #[cold]
    #[inline(never)]
    fn go_down(&mut self, step: Step) {
        let (at, is_written) = (self.pos(), self.is_traced());
        if let Some(locator) = &mut self.locator {
            if is_written {
                locator.trace.step(step, at);
            }
            locator.path.push(step);
        }
    }

    #[cold]
    #[inline(never)]
    fn go_up(&mut self) {
        let (at, is_written) = (self.pos(), self.is_traced());
        if let Some(locator) = &mut self.locator {
            if is_written {
                locator.trace.number(at);
            }
            locator.path.truncate(locator.path.depth().saturating_sub(1));
        }
    }
}

/// The error of a fault that nothing else explains: the output is full.
#[cold]
pub(super) fn full(fault: Fault) -> Error {
    let what =
        format_args!("the output takes no more bytes, or a reader gives fewer than promised");
    error("space", Class::Incomplete, fault.offset, what)
}

/// The error of a value of which bytes decide something that a reader has not given yet.
#[cfg(feature = "std")]
#[cold]
pub(super) fn unread() -> Error {
    let what = format_args!(
        "bytes that a reader gives decide how the value is written, and are read last; give the `Blob` its bytes"
    );
    error("reader", Class::Invalid, 0, what)
}

/// The code of that error.
pub(super) const UNSETTLED: &str = "unsettled";

/// What it says of a number, or of a place.
pub(super) const NEVER_SETTLES: &str =
    "numbers of the value depend on how it is written, and that on them";

/// The same of a value that can be written as if it were new.
pub(super) const SETTLES_ANEW: &str = "numbers of the value depend on how it is written, and that on them, while it keeps places and bytes that it was read with; `compact()` writes it without";

/// The error of a value whose numbers are others each time that it is written with them.
#[cold]
pub(super) fn unsettled() -> Error {
    error(UNSETTLED, Class::Invalid, 0, format_args!("{NEVER_SETTLES}"))
}

fn error(code: &'static str, class: Class, at: usize, what: core::fmt::Arguments<'_>) -> Error {
    let (expected, found) = (Show::Nothing, Show::Nothing);
    let problem = Problem { code, class, start: at, end: at, what, expected, found };
    Error::new(Finding::new(Severity::Error, Text::default(), None, &problem))
}
