//! Witnesses: files that break one rule and nothing else.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::ops::Range;

use crate::Finding;
use crate::layout::Layout;
use crate::report::Report;

/// A change of a valid file that breaks one rule alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Witness {
    /// The code of the rule.
    pub code: &'static str,
    /// The number of the file that was changed; `None` for a witness that was supplied.
    pub file: Option<usize>,
    /// The bytes that were changed.
    pub changed: Range<usize>,
    /// The file that breaks the rule.
    pub bytes: Vec<u8>,
}

/// The rules of a declaration and of all in it, each with its witness.
#[derive(Clone, Debug)]
pub struct Witnesses {
    name: &'static str,
    rules: Vec<(&'static str, Option<Witness>)>,
}

impl Witnesses {
    pub(crate) fn of(layout: &'static Layout) -> Self {
        let mut rules: Vec<(&'static str, Option<Witness>)> = Vec::new();
        let (mut seen, mut waiting) = (Vec::new(), alloc::vec![layout]);
        while let Some(layout) = waiting.pop() {
            if seen.contains(&layout.name) {
                continue;
            }
            seen.push(layout.name);
            for rule in layout.all_rules() {
                if rules.iter().all(|(code, _)| *code != rule.code) {
                    rules.push((rule.code, None));
                }
            }
            let nested = layout.fields.iter().filter_map(|field| field.nested);
            waiting.extend(nested.map(|nested| nested()));
        }
        Self { name: layout.name, rules }
    }

    /// What was found, one for each rule at most.
    pub fn found(&self) -> impl Iterator<Item = &Witness> {
        self.rules.iter().filter_map(|(_, witness)| witness.as_ref())
    }

    /// The codes of the rules without a witness.
    pub fn missing(&self) -> Vec<&'static str> {
        let missing = self.rules.iter().filter(|(_, witness)| witness.is_none());
        missing.map(|(code, _)| *code).collect()
    }

    /// Looks whether a damaged copy is a witness: it has one finding more than the file, or this one
    /// instead of others, at the bytes that were changed.
    pub(crate) fn look(
        &mut self,
        file: usize,
        before: &Report,
        after: &Report,
        changed: Range<usize>,
        bytes: &[u8],
    ) {
        let same =
            |a: &Finding, b: &Finding| (a.code, &a.path, a.start) == (b.code, &b.path, b.start);
        let mut new = after
            .findings()
            .iter()
            .filter(|finding| !before.findings().iter().any(|other| same(other, finding)));
        let (Some(one), None) = (new.next(), new.next()) else { return };
        let place = |offset: u64| usize::try_from(offset).unwrap_or(usize::MAX);
        let (start, end) = one.coded_at.map_or((one.start, one.end), |at| (at, u64::MAX));
        if place(start) >= changed.end || place(end) <= changed.start {
            return;
        }
        self.put(one.code, || Witness {
            code: one.code,
            file: Some(file),
            changed,
            bytes: bytes.to_vec(),
        });
    }

    /// Takes a witness that was supplied, if it is one.
    pub(crate) fn take(&mut self, code: &str, report: &Report, bytes: &[u8]) -> Result<(), String> {
        let finding = report.findings().iter().find(|finding| finding.code == code);
        let others = report.errors().any(|error| error.code != code);
        let (Some(finding), false) = (finding, others) else {
            return Err(format!("this is no witness of `{code}`:\n{report}"));
        };
        if self.rules.iter().all(|(known, _)| *known != code) {
            return Err(format!("there is no rule `{code}`"));
        }
        let (code, changed) = (finding.code, 0..bytes.len());
        self.put(code, || Witness { code, file: None, changed, bytes: bytes.to_vec() });
        Ok(())
    }

    fn put(&mut self, code: &str, witness: impl FnOnce() -> Witness) {
        let rule = self.rules.iter_mut().find(|(known, _)| *known == code);
        if let Some((_, slot @ None)) = rule {
            *slot = Some(witness());
        }
    }
}

impl fmt::Display for Witnesses {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (found, all) = (self.found().count(), self.rules.len());
        write!(f, "{}: {found} of {all} rules have a witness", self.name)?;
        let missing = self.missing();
        if missing.is_empty() {
            return Ok(());
        }
        write!(f, "; without: {}", missing.join(", "))
    }
}
