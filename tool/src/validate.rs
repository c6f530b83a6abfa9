//! `binfmt validate`: everything that is wrong.

mod all;

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use binfmt_runtime::{Finding, Severity};
use serde_json::{Value, json};

use crate::args::ValidateArgs;
use crate::driver::{Checked, Driver, Options};
use crate::input::Input;
use crate::nest;
use crate::output::{self, BAD, GOOD, Out, Outcome, Trouble, printable};
use crate::toolbox::Toolbox;
use crate::verb::Verb;
use crate::{findings, json, paths, recognise};

pub(crate) use findings::tell_errors;

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
                    if args.all {
                        return all::tell((input, driver), &options, args.json, out);
                    }
                    Judged::new(input, driver, &options).tell(args.json, out)
                };
                match driver {
                    Some(driver) => each(&input, driver)?,
                    None => {
                        let within = nest::within(&input, toolbox, &mut each)?;
                        let alone = within.outcome == Outcome::Good;
                        let outer = match within.found {
                            0 => Judged::unknown(&input, alone).tell(args.json, out)?,
                            _ => Outcome::Good,
                        };
                        within.outcome.max(outer)
                    }
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
    let mut line = json!({
        "file": paths::shown(path),
        "format": null,
        "variant": null,
        "verdict": "unreadable",
        "findings": [finding],
    });
    paths::put_exact(&mut line, "file", path);
    line
}

/// A file and what is said about it.
pub(crate) struct Judged {
    file: PathBuf,
    format: Option<&'static str>,
    verdict: &'static str,
    checked: Checked,
}

impl Judged {
    pub(crate) fn new(input: &Input, driver: &dyn Driver, options: &Options) -> Self {
        let file = input.path().to_owned();
        let checked = driver.validate(input, options);
        Self { file, format: Some(driver.name()), verdict: checked.verdict(), checked }
    }

    /// A file of no known format, and whether all that lies in it was looked at.
    pub(crate) fn unknown(input: &Input, is_whole: bool) -> Self {
        let file = input.path().to_owned();
        let checked = Checked { variant: None, report: recognise::report(input, is_whole) };
        let verdict = if checked.report.is_ok() { "nothing" } else { "unrecognised" };
        Self { file, format: None, verdict, checked }
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

    /// The line without its findings.
    fn head(&self) -> Value {
        let mut head = json!({
            "file": paths::shown(&self.file),
            "format": self.format,
            "variant": self.checked.variant,
            "verdict": self.verdict,
        });
        paths::put_exact(&mut head, "file", &self.file);
        head
    }

    pub(crate) fn to_json(&self) -> Value {
        let (told, left_out) = self.told();
        let mut line = self.head();
        line["findings"] = told.into_iter().map(json::finding).collect::<Vec<_>>().into();
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

    fn write(&self, out: &mut Out<'_>) -> io::Result<()> {
        self.write_head(out)?;
        findings::write(&self.checked.report, out)
    }

    fn write_head(&self, out: &mut Out<'_>) -> io::Result<()> {
        let style = if self.outcome() == Outcome::Good { GOOD } else { BAD };
        let what = match (self.format, &self.checked.variant) {
            (Some(format), Some(variant)) => format!(" ({format}, {variant})"),
            (Some(format), None) => format!(" ({format})"),
            (None, _) => String::new(),
        };
        let verdict = self.verdict;
        let name = out.name(&paths::shown(&self.file), what.chars().count() + verdict.len() + 2);
        writeln!(out, "{name}: {style}{verdict}{style:#}{}", printable(&what))
    }
}

/// Says on stderr what a file of no known format is.
pub(crate) fn unrecognised(input: &Input) -> Outcome {
    let hint = match nest::Kind::of(input) {
        Some(_) => "; FILE!NAME is a file in it",
        None => "",
    };
    output::error(&format!("{}: {}{hint}", input.name(), recognise::describe(input)));
    Outcome::Bad
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fake::{Fake, GOOD as GOOD_FILE, OPTIONS, input};

    fn judged(bytes: &[u8], driver: Option<&dyn Driver>) -> Judged {
        match driver {
            Some(driver) => Judged::new(&input(bytes), driver, &OPTIONS),
            None => Judged::unknown(&input(bytes), true),
        }
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
            judged.checked.report.add(Severity::Note, "", &problem(start));
        }
        judged.checked.report.add(Severity::Error, "", &problem(MOST + 5));
        let line = judged.to_json();
        let findings = line["findings"].as_array().unwrap();
        assert_eq!((findings.len(), &line["left_out"]), (MOST + 1, &5.into()));
        assert_eq!(findings.last().unwrap()["severity"], "error");
        let mut text = Vec::new();
        let mut plain = anstream::StripStream::new(&mut text);
        judged.write(&mut Out::new(&mut plain)).unwrap();
        let text = String::from_utf8(text).unwrap();
        let of_code = json!([{"severity": "note", "code": "x", "count": 5}]);
        assert_eq!(line["left_out_of"], of_code);
        let lines: Vec<_> = text.lines().collect();
        assert!(lines[1].starts_with("  error"), "{text}");
        assert_eq!(lines.len(), 1 + 1 + findings::MOST_ALIKE + 1, "{text}");
        assert_eq!(lines.last(), Some(&"           and 985 more [x]; --all tells them"));
    }

    #[test]
    fn findings_are_lines_below_the_verdict() {
        let mut text = Vec::new();
        let judged = judged(&GOOD_FILE[..GOOD_FILE.len() - 1], Some(&Fake));
        let mut plain = anstream::StripStream::new(&mut text);
        judged.write(&mut Out::new(&mut plain)).unwrap();
        let text = String::from_utf8(text).unwrap();
        let mut lines = text.lines();
        assert_eq!(lines.next(), Some("test.box: malformed (fake, v1)"));
        assert!(lines.next().is_some_and(|line| line.starts_with("  error    boxes[1]")), "{text}");
    }
}
