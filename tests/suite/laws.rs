//! The laws, as for every declared type, and reports.

use binfmt_runtime::{Report, Severity};

#[path = "../language/laws.rs"]
mod of_the_language;

pub(crate) use of_the_language::{hold, round_trip};

/// A report without errors, else a panic that shows them.
#[track_caller]
pub(crate) fn assert_no_error(name: &str, report: &Report) {
    let errors: Vec<_> =
        report.findings().iter().filter(|f| f.severity == Severity::Error).collect();
    assert!(errors.is_empty(), "{name}: {errors:#?}");
}
