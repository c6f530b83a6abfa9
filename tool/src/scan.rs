//! `binfmt scan`: containers anywhere in files and folders.

mod tally;

use std::io;
use std::path::PathBuf;

use indicatif::ProgressBar;
use rayon::prelude::*;
use serde_json::{Value, json};

use crate::args::ScanArgs;
use crate::driver::{Driver, Entry, Options};
use crate::files::Files;
use crate::input::Input;
use crate::output::{self, Out, Outcome, Trouble, printable};
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
    let drivers: Vec<&dyn Driver> = toolbox
        .drivers()
        .filter(|driver| args.read.format.as_deref().is_none_or(|name| driver.name() == name))
        .collect();
    scan(&args.paths, &drivers, &Options::default(), args.json, out)
}

fn scan(
    paths: &[PathBuf],
    drivers: &[&dyn Driver],
    options: &Options,
    json: bool,
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
                tell(result, &mut tally, json, out).map(|outcome| worst.max(outcome))
            })
        });
        worst = told?;
        bar.set_message(format!("{} containers", tally.containers()));
    }
    bar.finish_and_clear();
    if json {
        json::line(out, &json!({ "summary": tally.to_json() }))?;
    } else {
        tally.write(out)?;
    }
    let nothing = if tally.containers() == 0 { Outcome::Bad } else { Outcome::Good };
    Ok(worst.max(nothing))
}

fn one(
    (path, size): &(PathBuf, u64),
    drivers: &[&dyn Driver],
    options: &Options,
    bar: &ProgressBar,
) -> Result<(String, Found), Trouble> {
    let found = Input::open(path).map(|input| (input.name(), search(&input, drivers, options)));
    bar.inc(*size);
    found
}

/// Prints what was found in one file, and counts it.
fn tell(
    result: Result<(String, Found), Trouble>,
    tally: &mut Tally,
    json: bool,
    out: &mut Out<'_>,
) -> io::Result<Outcome> {
    let (file, found) = match result {
        Ok(found) => found,
        Err(trouble) => {
            output::error(&printable(&trouble.to_string()));
            return Ok(Outcome::Trouble);
        }
    };
    tally.add(&file, &found);
    if json {
        for container in &found.containers {
            json::line(out, &container_to_json(&file, container))?;
        }
    }
    for error in &found.errors {
        output::error(&printable(&format!("{file}: {error}")));
    }
    Ok(if found.errors.is_empty() { Outcome::Good } else { Outcome::Bad })
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
    use std::path::Path;

    use super::*;
    use crate::fake::{Fake, GOOD, OPTIONS};

    fn scanned(paths: &[&Path], json: bool) -> (Outcome, String) {
        let mut text = Vec::new();
        let paths: Vec<_> = paths.iter().map(|path| path.to_path_buf()).collect();
        let outcome = scan(&paths, &[&Fake], &OPTIONS, json, &mut Out::new(&mut text)).unwrap();
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
