//! Findings as people read them: what is likely to be the cause first, and of many alike a few.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::io::{self, Write};

use binfmt_runtime::{Finding, LeftOut, Report, Severity};

use crate::driver::Checked;
use crate::json;
use crate::output::{self, BAD, Outcome, WARNING, printable};

/// How many findings of one code are told as text.
pub(crate) const MOST_ALIKE: usize = 20;

/// The findings of each code, those first that are likely to be the cause of others: errors before
/// warnings and notes, and what is found once before what is found often.
pub(crate) fn causes_first<'f>(
    findings: impl Iterator<Item = &'f Finding>,
) -> Vec<Vec<&'f Finding>> {
    let mut groups: Vec<Vec<&Finding>> = Vec::new();
    let mut places: HashMap<(Severity, &str), usize> = HashMap::new();
    for finding in findings {
        let place = *places.entry((finding.severity, finding.code)).or_insert(groups.len());
        match groups.get_mut(place) {
            Some(group) => group.push(finding),
            None => groups.push(vec![finding]),
        }
    }
    // A stable sort leaves equally frequent ones in file order.
    groups.sort_by_key(|group| (Reverse(group.first().map(|first| first.severity)), group.len()));
    groups
}

/// The first of some findings that are alike, and how many more there are.
fn first_alike<'a, 'f>(alike: &'a [&'f Finding], report: &Report) -> (&'a [&'f Finding], u64) {
    let first = alike.get(..MOST_ALIKE).unwrap_or(alike);
    let same = |more: &LeftOut| {
        alike
            .first()
            .is_some_and(|first| (more.severity, more.code) == (first.severity, first.code))
    };
    let left_out = report.left_out().find(same).map_or(0, |more| more.count);
    (first, json::wide(alike.len().saturating_sub(MOST_ALIKE)).saturating_add(left_out))
}

/// Writes what a report says, a few of each code.
pub(crate) fn write(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    for alike in causes_first(report.findings().iter()) {
        let (first, more) = first_alike(&alike, report);
        first.iter().try_for_each(|finding| write_one(finding, out))?;
        if let (Some(finding), 1..) = (first.first(), more) {
            writeln!(out, "           and {more} more [{}]; --all tells them", finding.code)?;
        }
    }
    Ok(())
}

/// Writes a finding, and the bytes around it if it is an error.
pub(crate) fn write_one(finding: &Finding, out: &mut dyn Write) -> io::Result<()> {
    let style = match finding.severity {
        Severity::Error => BAD,
        Severity::Warning => WARNING,
        Severity::Note => anstyle::Style::new(),
    };
    let word = finding.severity.name();
    writeln!(out, "  {style}{word:<7}{style:#}  {}", printable(&finding.to_string()))?;
    if finding.severity == Severity::Error && !finding.window.bytes().is_empty() {
        // The window is rows of hexadecimal, each behind a line break.
        writeln!(out, "{}", finding.window.to_string().trim_start_matches('\n'))?;
    }
    Ok(())
}

/// Says on stderr what errors a file has, for commands whose data is something else.
pub fn tell_errors(name: &str, checked: &Checked) -> Outcome {
    let report = &checked.report;
    for alike in causes_first(report.errors()) {
        let (first, more) = first_alike(&alike, report);
        for finding in first {
            output::error(&format!("{name}: {finding}"));
        }
        if let (Some(finding), 1..) = (first.first(), more) {
            let code = finding.code;
            output::error(&format!(
                "{name}: and {more} more [{code}]; `validate --all` tells them"
            ));
        }
    }
    if report.is_ok() { Outcome::Good } else { Outcome::Bad }
}

#[cfg(test)]
mod tests {
    use binfmt_runtime::{Class, Problem, Show};

    use super::*;

    #[test]
    fn causes_come_before_what_follows_from_them() {
        let mut report = Report::new();
        let problem = |code, start| Problem {
            code,
            class: Class::Invalid,
            start,
            end: start,
            what: format_args!("x"),
            expected: Show::Nothing,
            found: Show::Nothing,
        };
        for start in 0..30 {
            report.add(Severity::Error, "", &problem("follows", start));
            report.add(Severity::Warning, "", &problem("odd", start));
        }
        report.add(Severity::Error, "", &problem("cause", 99));
        report.add(Severity::Warning, "", &problem("rare", 98));
        let groups = causes_first(report.findings().iter());
        let found: Vec<_> = groups.iter().map(|group| (group[0].code, group.len())).collect();
        assert_eq!(found, [("cause", 1), ("follows", 30), ("rare", 1), ("odd", 30)]);
    }
}
