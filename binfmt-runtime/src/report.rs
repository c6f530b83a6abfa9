//! The validator: everything that a recording walk had to say.

use alloc::vec::Vec;
use core::fmt;

use crate::budget::Limits;
use crate::finding::{Finding, Problem, Severity};
use crate::observe::Events;
use crate::record::{record, recorded};
use crate::{Cursor, Wire};

/// All findings about a file, in file order.
///
/// Of one code and severity it keeps the first [`MOST`](Self::MOST), and counts the others: what is
/// left out changes no verdict.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    findings: Vec<Finding>,
    counts: Vec<Count>,
    /// Codes of which something was found that the declaration has switched off.
    silenced: Vec<&'static str>,
}

/// How many findings of a code were not kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// How much they weigh.
    pub severity: Severity,
    /// Their code.
    pub code: &'static str,
    /// How many there are.
    pub count: u64,
}

/// The findings of a code and severity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Count {
    severity: Severity,
    code: &'static str,
    found: u64,
}

impl Report {
    /// How many findings of one code and severity are kept.
    pub const MOST: u64 = 1000;

    /// A report that has nothing to say yet.
    pub const fn new() -> Self {
        Self { findings: Vec::new(), counts: Vec::new(), silenced: Vec::new() }
    }

    /// The findings that are kept, in file order.
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// The findings of weight [`Severity::Error`].
    pub fn errors(&self) -> impl Iterator<Item = &Finding> {
        self.findings.iter().filter(|finding| finding.severity == Severity::Error)
    }

    /// How many more findings there are of the codes of which not all are kept.
    pub fn left_out(&self) -> impl Iterator<Item = LeftOut> {
        self.counts.iter().filter(|count| count.found > Self::MOST).map(|count| LeftOut {
            severity: count.severity,
            code: count.code,
            count: count.found.saturating_sub(Self::MOST),
        })
    }

    /// Whether there is no error; warnings and notes are allowed.
    pub fn is_ok(&self) -> bool {
        self.errors().next().is_none()
    }

    /// Adds a finding at its place in the file.
    pub fn push(&mut self, finding: Finding) {
        if self.admit(finding.severity, finding.code, 1) {
            let at = self.findings.partition_point(|other| other.place() <= finding.place());
            self.findings.insert(at, finding);
        }
    }

    /// Adds findings, each at its place in the file.
    pub fn extend(&mut self, findings: impl IntoIterator<Item = Finding>) {
        for finding in findings {
            self.keep(finding);
        }
        self.sort();
    }

    /// Adds the number of findings that another report has left out.
    pub fn count_left_out(&mut self, other: &Self) {
        for LeftOut { severity, code, count } in other.left_out() {
            self.admit(severity, code, count);
        }
    }

    /// Describes `problem` as a finding at `path`, and adds it.
    pub fn add(&mut self, severity: Severity, path: &str, problem: &Problem<'_>) {
        let mut text = crate::Text::default();
        text.push(format_args!("{path}"));
        self.push(Finding::new(severity, text, None, problem));
    }

    /// Whether something of this code was found that the declaration has switched off.
    #[cfg(feature = "laws")]
    pub(crate) fn is_silenced(&self, code: &str) -> bool {
        self.silenced.contains(&code)
    }

    /// Adds a finding behind all others.
    fn keep(&mut self, finding: Finding) {
        if self.admit(finding.severity, finding.code, 1) {
            self.findings.push(finding);
        }
    }

    fn sort(&mut self) {
        self.findings.sort_by_key(Finding::place);
    }

    /// Counts findings; whether one more is kept.
    fn admit(&mut self, severity: Severity, code: &'static str, more: u64) -> bool {
        let same = |count: &&mut Count| (count.severity, count.code) == (severity, code);
        match self.counts.iter_mut().find(same) {
            Some(count) => {
                count.found = count.found.saturating_add(more);
                count.found <= Self::MOST
            }
            None => {
                self.counts.push(Count { severity, code, found: more });
                true
            }
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for finding in &self.findings {
            writeln!(f, "{}: {finding}", finding.severity.name())?;
        }
        for LeftOut { severity, code, count } in self.left_out() {
            writeln!(f, "{}: and {count} more [{code}]", severity.name())?;
        }
        Ok(())
    }
}

impl Events for Report {
    fn finding(&mut self, finding: Finding) {
        self.keep(finding);
    }

    fn silenced(&mut self, code: &'static str) {
        if !self.silenced.contains(&code) {
            self.silenced.push(code);
        }
    }

    fn end(&mut self, _: usize, _: Option<&crate::Value<'_>>) {
        self.sort();
    }
}

pub(crate) fn validate<'a, T: Wire<'a>>(cur: Cursor<'a>, limits: Limits, args: T::Args) -> Report {
    let mut report = Report::new();
    record(cur, limits, &recorded::<T>(args), &mut report);
    report
}

/// A report of one finding.
pub(crate) fn of(finding: Finding) -> Report {
    let mut report = Report::new();
    report.push(finding);
    report
}
