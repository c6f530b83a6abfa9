//! Everything that is wrong with a file of fat binaries.

use binfmt_formats::fatbin::file::{self, FileError, Part};
use binfmt_formats::fatbin::payload;
use binfmt_formats::fatbin::{Entry, Kind};
use binfmt_runtime::{Class, Finding, Problem, Report, Severity, Show, Text};
use rayon::prelude::*;

use super::items::entry_path;
use super::places::Places;
use binfmt_tool::driver::Options;
use binfmt_tool::item::offset_in;

/// Checks the structure of every part and, if wanted, every payload.
pub(super) fn check(file: &[u8], places: &Places, options: &Options) -> Report {
    let mut report = Report::new();
    if let Some(error) = &places.error {
        report.add(Severity::Error, "", &host_problem(file, error, &format_args!("{error}")));
    }
    for part in &places.parts {
        let structure = file::validate(file, part);
        report.extend(structure.findings().iter().map(|finding| prefixed(finding, part)));
        report.count_left_out(&structure);
        if options.decode {
            report.extend(payloads(file, part, options.max_decoded));
        }
    }
    report
}

fn host_problem<'p>(
    file: &[u8],
    error: &FileError,
    what: &'p std::fmt::Arguments<'p>,
) -> Problem<'p> {
    let offset = match error {
        FileError::Host(error) => error.offset(),
        FileError::Container(_) | FileError::Resized => None,
    };
    let start = offset.unwrap_or(0).min(file.len());
    Problem {
        code: "host",
        class: Class::Malformed,
        start,
        // The magic of what could not be read.
        end: start.saturating_add(4).min(file.len()),
        what: *what,
        expected: Show::Nothing,
        found: Show::Nothing,
    }
}

/// The finding with the part in its path.
fn prefixed(finding: &Finding, part: &Part) -> Finding {
    let mut path = Text::default();
    path.push(format_args!("{}{}", part.path_prefix(), finding.path));
    Finding { path, ..finding.clone() }
}

/// Decodes every payload of a part.
fn payloads(file: &[u8], part: &Part, limit: u64) -> Vec<Finding> {
    let mut entries = Vec::new();
    for placed in file::containers(file, part).map_while(Result::ok) {
        for ((offset, entry), index) in placed.entries().map_while(Result::ok).zip(0_u64..) {
            entries.push((entry_path(part, placed.index, index), offset, entry));
        }
    }
    let decoded = entries.par_iter();
    decoded.filter_map(|(path, offset, entry)| payload(file, path, *offset, entry, limit)).collect()
}

/// Decodes one payload. What is wrong with it concerns the whole entry: the header says how it is
/// stored and how long it is, and either may be the lie.
fn payload(file: &[u8], path: &str, offset: u64, entry: &Entry<'_>, limit: u64) -> Option<Finding> {
    // A disabled entry has no payload that anybody reads.
    if entry.kind == Kind::Invalid {
        return None;
    }
    let error = payload::check(entry, limit).err()?;
    let rule = error.rule();
    let start = usize::try_from(offset).unwrap_or(file.len());
    let payload = usize::try_from(offset_in(file, entry.payload)).unwrap_or(file.len());
    let mut text = Text::default();
    text.push(format_args!("{path}"));
    let problem = Problem {
        code: rule.code,
        class: Class::Invalid,
        start,
        end: payload.saturating_add(entry.payload.len()),
        what: format_args!("{error}"),
        expected: Show::Nothing,
        found: Show::Nothing,
    };
    Some(Finding::new(rule.severity, text, rule.spec, &problem))
}
