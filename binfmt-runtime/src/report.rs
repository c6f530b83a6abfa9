//! The validator: everything that a recording walk had to say.

use alloc::vec::Vec;
use core::fmt;

use crate::finding::{Finding, Problem, Severity};
use crate::observe::{Events, Observer};
use crate::record::{Recorded, Recorder, recorded};
use crate::{Cursor, Wire};

/// All findings about a file, in file order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    findings: Vec<Finding>,
}

impl Report {
    /// A report that has nothing to say yet.
    pub const fn new() -> Self {
        Self { findings: Vec::new() }
    }

    /// All findings, in file order.
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// The findings of weight [`Severity::Error`].
    pub fn errors(&self) -> impl Iterator<Item = &Finding> {
        self.findings.iter().filter(|finding| finding.severity == Severity::Error)
    }

    /// Whether there is no error; warnings and notes are allowed.
    pub fn is_ok(&self) -> bool {
        self.errors().next().is_none()
    }

    /// Adds a finding at its place in the file.
    pub fn push(&mut self, finding: Finding) {
        let at = self.findings.partition_point(|other| other.start <= finding.start);
        self.findings.insert(at, finding);
    }

    /// Adds findings, each at its place in the file.
    pub fn extend(&mut self, findings: impl IntoIterator<Item = Finding>) {
        self.findings.extend(findings);
        self.findings.sort_by_key(|finding| finding.start);
    }

    /// Describes `problem` as a finding at `path`, and adds it.
    pub fn tell(&mut self, severity: Severity, path: &str, problem: &Problem<'_>) {
        let mut text = crate::Text::default();
        text.push(format_args!("{path}"));
        self.push(Finding::new(severity, text, None, problem));
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.findings
            .iter()
            .try_for_each(|finding| writeln!(f, "{}: {finding}", finding.severity.name()))
    }
}

#[derive(Default)]
struct Collect(Vec<Finding>);

impl Events for Collect {
    fn finding(&mut self, finding: Finding) {
        self.0.push(finding);
    }
}

pub(crate) fn validate<'a, T: Wire<'a>>(cur: Cursor<'a>, args: T::Args) -> Report {
    collect(cur, &recorded::<T>(args))
}

/// What is the same for all types.
#[inline(never)]
fn collect<'a>(mut cur: Cursor<'a>, value: &dyn Recorded<'a>) -> Report {
    let mut collect = Collect::default();
    let mut recorder = Recorder::new(&mut collect, cur.file());
    // A fault has been told as a finding already.
    if value.walk(&mut cur, &mut recorder).is_ok() {
        trailing(&cur, &mut recorder);
    }
    let mut report = Report::new();
    report.extend(collect.0);
    report
}

/// A report of one finding.
pub(crate) fn of(finding: Finding) -> Report {
    Report { findings: alloc::vec![finding] }
}

/// Bytes may follow, but somebody should know.
#[inline(never)]
pub(crate) fn trailing(cur: &Cursor<'_>, recorder: &mut Recorder<'_>) {
    if cur.remaining() > 0 {
        recorder.note(Severity::Warning, &crate::seq::trailing(cur));
    }
}
