//! `binfmt validate`: everything that is wrong.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::io::{self, Write};
use std::path::Path;

use binfmt_runtime::{Finding, LeftOut, Report, Severity};
use serde_json::{Value, json};

use crate::args::ValidateArgs;
use crate::driver::{Checked, Driver, Options};
use crate::input::Input;
use crate::nest;
use crate::output::{self, BAD, GOOD, Out, Outcome, Trouble, WARNING, printable};
use crate::toolbox::Toolbox;
use crate::verb::Verb;
use crate::{json, recognise};

pub(crate) fn verb() -> Verb {
    Verb::new("validate", run)
}

fn run(args: &ValidateArgs, toolbox: &Toolbox, out: &mut Out<'_>) -> Result<Outcome, Trouble> {
    let options = args.check.options();
    let mut worst = Outcome::Good;
    for path in &args.files {
        if out.is_closed() {
            break;
        }
        let outcome = match Input::open(path) {
            Ok(input) => {
                let driver = toolbox.choose(&input, args.read.format.as_deref());
                let mut each = |input: &Input, driver: &dyn Driver| {
                    Judged::new(input, Some(driver), &options).tell(args.json, out)
                };
                let inside = match driver {
                    Some(_) => None,
                    None => nest::each_known(&input, toolbox, &mut each),
                };
                match inside {
                    Some(outcome) => outcome?,
                    None => Judged::new(&input, driver, &options).tell(args.json, out)?,
                }
            }
            Err(trouble) => {
                output::error(&trouble.to_string());
                if args.json {
                    json::line(out, &unreadable(path, &trouble))?;
                    out.flush()?;
                }
                Outcome::Trouble
            }
        };
        worst = worst.max(outcome);
    }
    Ok(worst)
}

/// How many findings of each severity are told of one file; nobody reads more.
const MOST: usize = 1000;

/// The line of a file that cannot be read, so that every file has one.
fn unreadable(path: &Path, trouble: &Trouble) -> Value {
    let finding = json!({
        "severity": "error",
        "code": "unreadable",
        "path": "",
        "start": 0,
        "end": 0,
        "message": trouble.to_string(),
    });
    json!({
        "file": path.to_string_lossy(),
        "format": null,
        "variant": null,
        "verdict": "unreadable",
        "findings": [finding],
    })
}

/// A file and what is said about it.
struct Judged {
    file: String,
    format: Option<&'static str>,
    verdict: &'static str,
    checked: Checked,
}

impl Judged {
    fn new(input: &Input, driver: Option<&dyn Driver>, options: &Options) -> Self {
        let file = input.name();
        if let Some(driver) = driver {
            let checked = driver.validate(input, options);
            Self { file, format: Some(driver.name()), verdict: checked.verdict(), checked }
        } else {
            let checked = Checked { variant: None, report: recognise::report(input) };
            let verdict = if checked.report.is_ok() { "nothing" } else { "unrecognised" };
            Self { file, format: None, verdict, checked }
        }
    }

    fn tell(&self, json: bool, out: &mut Out<'_>) -> Result<Outcome, Trouble> {
        if json {
            json::line(out, &self.to_json())?;
        } else {
            self.write(out)?;
        }
        out.flush()?;
        Ok(self.outcome())
    }

    fn outcome(&self) -> Outcome {
        if self.checked.report.is_ok() { Outcome::Good } else { Outcome::Bad }
    }

    /// The findings to tell, in file order, and how many are left out.
    fn told(&self) -> (Vec<&Finding>, u64) {
        let all = self.checked.report.findings();
        let mut left = [Severity::Error, Severity::Warning, Severity::Note].map(|of| (of, MOST));
        let mut told = Vec::new();
        for finding in all {
            if let Some((_, left)) =
                left.iter_mut().find(|(severity, left)| *severity == finding.severity && *left > 0)
            {
                *left -= 1;
                told.push(finding);
            }
        }
        let more = self.checked.report.left_out().map(|more| more.count).sum::<u64>();
        let left_out = json::wide(all.len() - told.len()) + more;
        (told, left_out)
    }

    fn to_json(&self) -> Value {
        let (told, left_out) = self.told();
        let mut line = json!({
            "file": self.file,
            "format": self.format,
            "variant": self.checked.variant,
            "verdict": self.verdict,
            "findings": told.into_iter().map(json::finding).collect::<Vec<_>>(),
        });
        if left_out > 0 {
            line["left_out"] = left_out.into();
            let of_codes = self.checked.report.left_out();
            let of_codes: Vec<_> = of_codes.map(|more| json::left_out(&more)).collect();
            if !of_codes.is_empty() {
                line["left_out_of"] = of_codes.into();
            }
        }
        line
    }

    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let style = if self.outcome() == Outcome::Good { GOOD } else { BAD };
        write!(out, "{}: {style}{}{style:#}", printable(&self.file), self.verdict)?;
        match (self.format, &self.checked.variant) {
            (Some(format), Some(variant)) => writeln!(out, " ({format}, {variant})")?,
            (Some(format), None) => writeln!(out, " ({format})")?,
            (None, _) => writeln!(out)?,
        }
        for alike in causes_first(self.checked.report.findings().iter().collect()) {
            write_alike(&alike, &self.checked.report, out)?;
        }
        Ok(())
    }
}

/// How many findings of one code are told as text.
const MOST_ALIKE: usize = 20;

/// The findings of each code, those first that are likely to be the cause of others: errors before
/// warnings and notes, and what is found once before what is found often.
fn causes_first(findings: Vec<&Finding>) -> Vec<Vec<&Finding>> {
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

fn write_alike(alike: &[&Finding], report: &Report, out: &mut dyn Write) -> io::Result<()> {
    for finding in alike.iter().take(MOST_ALIKE) {
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
    }
    let Some(first) = alike.first() else { return Ok(()) };
    let same = |more: &LeftOut| (more.severity, more.code) == (first.severity, first.code);
    let left_out = report.left_out().find(same).map_or(0, |more| more.count);
    match json::wide(alike.len().saturating_sub(MOST_ALIKE)) + left_out {
        0 => Ok(()),
        more => writeln!(out, "           and {more} more [{}]", first.code),
    }
}

/// Says on stderr what a file of no known format is.
pub(crate) fn unrecognised(input: &Input) -> Outcome {
    output::error(&format!("{}: {}", printable(&input.name()), recognise::describe(input)));
    Outcome::Bad
}

/// Says on stderr what errors a file has, for commands whose data is something else.
pub fn tell_errors(name: &str, checked: &Checked) -> Outcome {
    let message = |finding: &Finding| printable(&format!("{name}: {finding}"));
    output::errors(
        causes_first(checked.report.errors().collect()).into_iter().flatten().map(message),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fake::{Fake, GOOD as GOOD_FILE, OPTIONS, input};

    fn judged(bytes: &[u8], driver: Option<&dyn Driver>) -> Judged {
        Judged::new(&input(bytes), driver, &OPTIONS)
    }

    #[test]
    fn valid_file_has_a_line_without_findings() {
        let judged = judged(GOOD_FILE, Some(&Fake));
        assert_eq!(judged.outcome(), Outcome::Good);
        assert_eq!(
            judged.to_json().to_string(),
            r#"{"file":"test.box","format":"fake","variant":"v1","verdict":"valid","findings":[]}"#
        );
    }

    #[test]
    fn unrecognised_file_has_an_error_with_a_range() {
        let judged = judged(b"", None);
        assert_eq!(judged.outcome(), Outcome::Bad);
        assert_eq!(
            judged.to_json().to_string(),
            concat!(
                r#"{"file":"test.box","format":null,"variant":null,"verdict":"unrecognised","findings":["#,
                r#"{"severity":"error","code":"empty","path":"","start":0,"end":0,"message":"the file is empty"}]}"#
            )
        );
    }

    #[test]
    fn no_more_is_told_than_anybody_reads() {
        let mut judged = judged(GOOD_FILE, Some(&Fake));
        let problem = |start| binfmt_runtime::Problem {
            code: "x",
            class: binfmt_runtime::Class::Invalid,
            start,
            end: start,
            what: format_args!("x"),
            expected: binfmt_runtime::Show::Nothing,
            found: binfmt_runtime::Show::Nothing,
        };
        for start in 0..MOST + 5 {
            judged.checked.report.tell(Severity::Note, "", &problem(start));
        }
        judged.checked.report.tell(Severity::Error, "", &problem(MOST + 5));
        let line = judged.to_json();
        let findings = line["findings"].as_array().unwrap();
        assert_eq!((findings.len(), &line["left_out"]), (MOST + 1, &5.into()));
        assert_eq!(findings.last().unwrap()["severity"], "error");
        let mut text = Vec::new();
        judged.write(&mut anstream::StripStream::new(&mut text)).unwrap();
        let text = String::from_utf8(text).unwrap();
        let of_code = json!([{"severity": "note", "code": "x", "count": 5}]);
        assert_eq!(line["left_out_of"], of_code);
        let lines: Vec<_> = text.lines().collect();
        assert!(lines[1].starts_with("  error"), "{text}");
        assert_eq!(lines.len(), 1 + 1 + MOST_ALIKE + 1, "{text}");
        assert_eq!(lines.last(), Some(&"           and 985 more [x]"));
    }

    #[test]
    fn causes_come_before_what_follows_from_them() {
        let mut checked = Checked::default();
        let problem = |code, start| binfmt_runtime::Problem {
            code,
            class: binfmt_runtime::Class::Invalid,
            start,
            end: start,
            what: format_args!("x"),
            expected: binfmt_runtime::Show::Nothing,
            found: binfmt_runtime::Show::Nothing,
        };
        for start in 0..30 {
            checked.report.tell(Severity::Error, "", &problem("follows", start));
            checked.report.tell(Severity::Warning, "", &problem("odd", start));
        }
        checked.report.tell(Severity::Error, "", &problem("cause", 99));
        checked.report.tell(Severity::Warning, "", &problem("rare", 98));
        let groups = causes_first(checked.report.findings().iter().collect());
        let found: Vec<_> = groups.iter().map(|group| (group[0].code, group.len())).collect();
        assert_eq!(found, [("cause", 1), ("follows", 30), ("rare", 1), ("odd", 30)]);
    }

    #[test]
    fn findings_are_lines_below_the_verdict() {
        let mut text = Vec::new();
        let judged = judged(&GOOD_FILE[..GOOD_FILE.len() - 1], Some(&Fake));
        judged.write(&mut anstream::StripStream::new(&mut text)).unwrap();
        let text = String::from_utf8(text).unwrap();
        let mut lines = text.lines();
        assert_eq!(lines.next(), Some("test.box: malformed (fake, v1)"));
        assert!(lines.next().is_some_and(|line| line.starts_with("  error    boxes[1]")), "{text}");
    }
}
