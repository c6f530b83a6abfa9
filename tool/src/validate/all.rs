//! Every finding, however many there are: they are told as they are found, and none is kept.

use std::collections::HashSet;
use std::io::{self, Write as _};

use binfmt_runtime::{Events, Finding};

use super::Judged;
use crate::driver::{Driver, Options};
use crate::input::Input;
use crate::output::{Out, Outcome, Trouble};
use crate::{findings, json};

/// What a file is, and everything that a walk over it finds; then what only the format's driver
/// looks for, as far as a report keeps that.
pub(super) fn tell(
    (input, driver): (&Input, &dyn Driver),
    options: &Options,
    json: bool,
    out: &mut Out<'_>,
) -> Result<Outcome, Trouble> {
    let judged = Judged::new(input, driver, options);
    if json {
        let head = json::escaped(&judged.head().to_string()).into_owned();
        write!(out, "{},\"findings\":[", head.strip_suffix('}').unwrap_or(&head))?;
    } else {
        judged.write_head(out)?;
    }
    let mut all = All { json, told: 0, codes: HashSet::new(), out, result: Ok(()) };
    for part in driver.parts(input, options) {
        driver.walk(input, &part, options, &mut all);
    }
    let walked = std::mem::take(&mut all.codes);
    let others = judged.checked.report.findings().iter();
    for finding in others.filter(|finding| !walked.contains(finding.code)) {
        all.one(finding);
    }
    all.result?;
    if json {
        writeln!(out, "]}}")?;
    }
    out.flush()?;
    Ok(judged.outcome())
}

struct All<'a, 'o> {
    json: bool,
    told: u64,
    codes: HashSet<&'static str>,
    out: &'a mut Out<'o>,
    result: io::Result<()>,
}

impl All<'_, '_> {
    fn one(&mut self, finding: &Finding) {
        if self.result.is_err() {
            return;
        }
        self.result = if self.json {
            let comma = if self.told == 0 { "" } else { "," };
            write!(self.out, "{comma}{}", json::escaped(&json::finding(finding).to_string()))
        } else {
            findings::write_one(finding, self.out)
        };
        self.told = self.told.saturating_add(1);
    }
}

impl Events for All<'_, '_> {
    fn finding(&mut self, finding: Finding) {
        self.codes.insert(finding.code);
        self.one(&finding);
    }
}
