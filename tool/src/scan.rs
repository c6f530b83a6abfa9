//! `binfmt scan`: containers anywhere in files and folders.

mod tally;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use indicatif::ProgressBar;
use rayon::prelude::*;
use serde_json::{Value, json};

use crate::args::ScanArgs;
use crate::driver::{Driver, Entry, Options};
use crate::files::Files;
use crate::input::Input;
use crate::nest::{self, Content, Limits, Visitor};
use crate::output::{self, Out, Outcome, Trouble, printable};
use crate::paths::{self, shown};
use crate::search::{Found, Place, search};
use crate::toolbox::Toolbox;
use crate::verb::Verb;
use crate::{json, progress};

use tally::Tally;

/// How many files are searched before anything is printed: enough to keep all cores busy.
const BATCH: usize = 256;

pub(crate) fn verb() -> Verb {
    Verb::new("scan", run)
}

fn run(args: &ScanArgs, toolbox: &Toolbox, out: &mut Out<'_>) -> Result<Outcome, Trouble> {
    #[cfg(feature = "catalogue")]
    if let Some(path) = &args.output {
        let contents = crate::catalogue::Contents { hash: args.hash, check: false };
        return crate::catalogue::parquet::write(&args.paths, path, contents, toolbox, out);
    }
    let drivers: Vec<&dyn Driver> = toolbox
        .drivers()
        .filter(|driver| args.read.format.as_deref().is_none_or(|name| driver.name() == name))
        .collect();
    let form = if args.json { Form::Json } else { Form::Text { exact: args.bytes } };
    scan(&args.paths, &drivers, &Options::default(), form, out)
}

/// How the result is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Json,
    Text { exact: bool },
}

fn scan(
    paths: &[PathBuf],
    drivers: &[&dyn Driver],
    options: &Options,
    form: Form,
    out: &mut Out<'_>,
) -> Result<Outcome, Trouble> {
    let found = Files::below(paths);
    let mut worst = Outcome::Good;
    for trouble in &found.troubles {
        output::error(&printable(trouble));
        worst = Outcome::Trouble;
    }
    let bar =
        progress::bytes(found.files.iter().fold(0, |sum, (_, size)| sum.saturating_add(*size)));
    let mut tally = Tally::default();
    for batch in found.files.chunks(BATCH) {
        if out.is_closed() {
            break;
        }
        let results: Vec<_> =
            batch.par_iter().map(|file| one(file, drivers, options, &bar)).collect();
        let told = bar.suspend(|| {
            results.into_iter().try_fold(worst, |worst, result| {
                tell(result, &mut tally, form, out).map(|outcome| worst.max(outcome))
            })
        });
        worst = told?;
        bar.set_message(format!("{} containers", tally.containers()));
    }
    bar.finish_and_clear();
    match form {
        Form::Json => json::line(out, &json!({ "summary": tally.to_json() }))?,
        Form::Text { exact } => tally.write(exact, out)?,
    }
    let nothing = if tally.containers() == 0 { Outcome::Bad } else { Outcome::Good };
    Ok(worst.max(nothing))
}

fn one<'s>(
    (path, size): &(PathBuf, u64),
    drivers: &'s [&'s dyn Driver],
    options: &'s Options,
    bar: &ProgressBar,
) -> Result<Scanned<'s>, Trouble> {
    let input = Input::open(path)?;
    let mut scanned = Scanned { drivers, options, found: Vec::new(), skipped: Vec::new() };
    nest::visit(path, &input, &mut Limits::default(), &mut scanned);
    bar.inc(*size);
    Ok(scanned)
}

/// What was found in a file, and in the files inside it.
struct Scanned<'s> {
    drivers: &'s [&'s dyn Driver],
    options: &'s Options,
    found: Vec<(PathBuf, Found)>,
    skipped: Vec<String>,
}

impl Visitor for Scanned<'_> {
    fn file(&mut self, path: &Path, bytes: &[u8], _: Option<&Arc<Content>>) -> bool {
        // Archives are looked into; their own bytes would show what is stored as it is twice. A
        // library is searched as one file, which knows the sections of its members.
        let enter = match nest::Kind::of(bytes) {
            Some(nest::Kind::Ar) => nest::has_archives(bytes),
            kind => kind.is_some(),
        };
        if !enter {
            self.found.push((path.to_owned(), search(bytes, self.drivers, self.options)));
        }
        !enter
    }

    fn skipped(&mut self, path: &Path, why: &str) {
        self.skipped.push(format!("{} is skipped: {why}", shown(path)));
    }
}

/// Prints what was found in one file, and counts it.
fn tell(
    result: Result<Scanned<'_>, Trouble>,
    tally: &mut Tally,
    form: Form,
    out: &mut Out<'_>,
) -> io::Result<Outcome> {
    let scanned = match result {
        Ok(scanned) => scanned,
        Err(trouble) => {
            output::error(&printable(&trouble.to_string()));
            return Ok(Outcome::Trouble);
        }
    };
    let mut outcome = Outcome::Good;
    for (path, found) in &scanned.found {
        let file = shown(path);
        tally.add(&file, found);
        if form == Form::Json {
            for container in &found.containers {
                let mut line = container_to_json(&file, container);
                paths::put_exact(&mut line, "file", path);
                json::line(out, &line)?;
            }
        }
        let errors = found.errors.iter().map(|error| format!("{file}: {error}"));
        outcome = outcome.max(output::errors(errors));
    }
    tally.skip(json::wide(scanned.skipped.len()));
    Ok(outcome.max(output::errors(scanned.skipped.into_iter())))
}

fn container_to_json(file: &str, found: &Place) -> Value {
    let entry = |entry: &Entry| {
        json!({
            "kind": entry.kind,
            "arch": entry.arch,
            "stored_size": json::number(entry.stored),
            "decoded_size": entry.decoded.map_or(Value::Null, json::number),
        })
    };
    json!({
        "file": file,
        "format": found.format,
        "offset": json::number(json::wide(found.container.range.start)),
        "size": json::number(json::wide(found.container.range.len())),
        "section": found.section,
        "entries": found.container.entries.iter().map(entry).collect::<Vec<_>>(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fake::{Fake, GOOD, OPTIONS};

    fn scanned(paths: &[&Path], json: bool) -> (Outcome, String) {
        let mut text = Vec::new();
        let paths: Vec<_> = paths.iter().map(|path| path.to_path_buf()).collect();
        let form = if json { Form::Json } else { Form::Text { exact: false } };
        let outcome = scan(&paths, &[&Fake], &OPTIONS, form, &mut Out::new(&mut text)).unwrap();
        (outcome, String::from_utf8(text).unwrap())
    }

    #[test]
    fn json_has_a_line_per_container_and_a_summary() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("a"), [b"....BOXS\x01a\0..", GOOD].concat()).unwrap();
        std::fs::write(dir.path().join("b"), b"nothing").unwrap();
        let (outcome, text) = scanned(&[dir.path()], true);
        assert_eq!(outcome, Outcome::Good);
        let lines: Vec<Value> =
            text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let file = dir.path().join("a").display().to_string();
        assert_eq!(
            lines[0],
            json!({
                "file": file, "format": "fake", "offset": 4, "size": 7, "section": null,
                "entries": [{ "kind": "box", "arch": "sm_1", "stored_size": 1, "decoded_size": 1 }],
            })
        );
        assert_eq!(lines.len(), 2);
        assert_eq!(lines[1]["summary"]["files"], 2);
        assert_eq!(lines[1]["summary"]["containers"], 1);
    }

    #[test]
    fn nothing_found_and_missing_files_are_not_good() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("b"), b"nothing").unwrap();
        assert_eq!(scanned(&[dir.path()], false).0, Outcome::Bad);
        std::fs::write(dir.path().join("b"), GOOD).unwrap();
        assert_eq!(scanned(&[dir.path()], false).0, Outcome::Good);
        assert_eq!(scanned(&[dir.path(), &dir.path().join("gone")], false).0, Outcome::Trouble);
    }
}
