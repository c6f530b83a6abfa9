//! One row of a catalogue.

use binfmt_runtime::{Finding, Report, Severity};
use serde_json::{Map, Value};

use crate::item::{Item, Measured};
use crate::json;

/// A file, or an item in it.
#[derive(Clone, Debug, Default)]
pub(super) struct Row {
    pub(super) file: String,
    pub(super) member: Option<String>,
    pub(super) path: Option<String>,
    pub(super) format: Option<&'static str>,
    pub(super) variant: Option<String>,
    pub(super) kind: Option<String>,
    pub(super) arch: Option<String>,
    pub(super) name: Option<String>,
    pub(super) name_hex: Option<String>,
    pub(super) dtype: Option<String>,
    pub(super) shape: Option<Vec<u64>>,
    pub(super) offset: Option<u64>,
    pub(super) stored_size: Option<u64>,
    pub(super) size: Option<u64>,
    pub(super) sha256: Option<String>,
    /// Why it cannot be decoded.
    pub(super) error: Option<String>,
    /// What else `list --json` says of it.
    pub(super) details: Option<String>,
    /// The one word for the file.
    pub(super) verdict: &'static str,
    /// For a file, all that was found; for an item, what was found in it.
    pub(super) problems: Vec<Problem>,
    /// How many findings are not told.
    pub(super) left_out: u64,
}

/// Something that was found.
#[derive(Clone, Debug)]
pub(super) struct Problem {
    pub(super) severity: &'static str,
    pub(super) code: String,
    pub(super) path: String,
    pub(super) start: u64,
    pub(super) end: u64,
    pub(super) message: String,
}

impl Problem {
    /// What is wrong with a file as a whole.
    pub(super) fn of_file(code: &str, message: String) -> Self {
        let severity = Severity::Error.name();
        Self { severity, code: code.to_owned(), path: String::new(), start: 0, end: 0, message }
    }

    fn new(finding: &Finding) -> Self {
        Self {
            severity: finding.severity.name(),
            code: finding.code.to_owned(),
            path: finding.path.as_str().to_owned(),
            start: finding.place(),
            end: finding.coded_at.unwrap_or(finding.end),
            message: finding.message.as_str().to_owned(),
        }
    }

    /// Whether it lies at or below that path.
    fn is_in(&self, path: &str) -> bool {
        let rest = self.path.strip_prefix(path);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[', ':']))
    }
}

/// Everything that was found, in the order of paths, and how much is not told.
pub(super) fn problems(report: &Report) -> (Vec<Problem>, u64) {
    let mut problems: Vec<_> = report.findings().iter().map(Problem::new).collect();
    problems.sort_by(|a, b| (&a.path, a.start).cmp(&(&b.path, b.start)));
    (problems, report.left_out().fold(0, |sum, more| sum.saturating_add(more.count)))
}

impl Row {
    /// The row of a file that has these bytes.
    pub(super) fn with_len(self, bytes: &[u8]) -> Self {
        let len = Some(json::wide(bytes.len()));
        Self { stored_size: len, size: len, ..self }
    }

    /// The row of an item in the file of this row.
    pub(super) fn of_item(&self, item: &Item<'_>, measured: &Measured) -> Self {
        let (key, name) = json::name(item.name.as_deref());
        let name = name.as_str().map(str::to_owned);
        let (name, name_hex) = if key == "name" { (name, None) } else { (None, name) };
        let of = |wanted: &str| {
            let mut all = item.columns.iter().chain(&item.details);
            all.find(|(key, _)| *key == wanted).map(|(_, value)| value)
        };
        let text = |key| of(key).and_then(Value::as_str).map(str::to_owned);
        let from = self.problems.partition_point(|problem| problem.path < item.path);
        let below = self.problems.get(from..).unwrap_or_default().iter();
        let below = below.take_while(|problem| problem.path.starts_with(&item.path));
        Self {
            file: self.file.clone(),
            member: self.member.clone(),
            path: Some(item.path.clone()),
            format: self.format,
            variant: self.variant.clone(),
            kind: Some(item.kind.clone()),
            arch: text("arch"),
            name,
            name_hex,
            dtype: text("dtype"),
            shape: of("shape").and_then(shape),
            offset: Some(item.offset),
            stored_size: Some(item.stored_size),
            size: measured.size.as_ref().ok().copied(),
            sha256: measured.sha256.clone(),
            error: measured.size.as_ref().err().cloned(),
            details: details(item),
            verdict: self.verdict,
            problems: below.filter(|problem| problem.is_in(&item.path)).cloned().collect(),
            left_out: 0,
        }
    }
}

/// The sizes of a tensor; `None` if one of them is no number.
fn shape(value: &Value) -> Option<Vec<u64>> {
    let size = |size: &Value| size.as_u64().or_else(|| size.as_str()?.parse().ok());
    value.as_array()?.iter().map(size).collect()
}

/// What has no column of its own, as JSON.
fn details(item: &Item<'_>) -> Option<String> {
    let mut rest = Map::new();
    for (key, value) in item.columns.iter().chain(&item.details) {
        let told = match *key {
            "arch" | "dtype" => value.is_string() || value.is_null(),
            "shape" => value.is_null() || shape(value).is_some(),
            _ => false,
        };
        if !told {
            rest.insert((*key).to_owned(), value.clone());
        }
    }
    if item.is_file {
        rest.insert("file_name".to_owned(), item.file_name.as_str().into());
    }
    (!rest.is_empty()).then(|| json::escaped(&Value::Object(rest).to_string()).into_owned())
}
