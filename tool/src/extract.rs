//! `binfmt extract`: what is in a file, as files.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use rayon::prelude::*;
use serde_json::json;

use crate::args::ExtractArgs;
use crate::driver::{Driver, Options};
use crate::filter::Filter;
use crate::input::Input;
use crate::item::Item;
use crate::names::Names;
use crate::output::{self, Out, Outcome, Trouble, printable};
use crate::save::{Existing, save};
use crate::toolbox::Toolbox;
use crate::verb::Verb;
use crate::{json, tensor, validate};

pub(crate) fn verb() -> Verb {
    Verb::new("extract", run)
}

fn run(args: &ExtractArgs, toolbox: &Toolbox, out: &mut Out<'_>) -> Result<Outcome, Trouble> {
    let input = Input::open(&args.file)?;
    let Some(driver) = toolbox.choose(&input, args.read.format.as_deref()) else {
        return Ok(validate::unrecognised(&input));
    };
    let options = args.decode.options();
    let filter = Filter(args.filter.clone());
    let target = Target {
        folder: &args.output,
        existing: if args.force { Existing::Replace } else { Existing::Keep },
        filter: &filter,
        json: args.json,
        npy: args.npy,
        max_total: args.max_total,
    };
    extract(&input, driver, &options, &target, out)
}

/// Where to write what.
#[derive(Clone, Copy, Debug)]
struct Target<'a> {
    folder: &'a Path,
    existing: Existing,
    filter: &'a Filter,
    json: bool,
    /// Whether tensors become arrays of `NumPy`.
    npy: bool,
    /// How many bytes all files together may have.
    max_total: u64,
}

/// What has been written so far, and whether that was all.
struct Full {
    failed: AtomicBool,
    written: AtomicU64,
}

/// Why an item was not written.
enum Failure {
    Undecoded(String),
    Unwritten(io::Error),
    /// Another one could not be written, and neither could this one.
    GivenUp,
    /// All files together would be too large.
    TooMuch,
}

fn extract(
    input: &Input,
    driver: &dyn Driver,
    options: &Options,
    target: &Target<'_>,
    out: &mut Out<'_>,
) -> Result<Outcome, Trouble> {
    let structure = validate::tell_errors(&input.name(), &driver.validate(input, options));
    let mut items = driver.list(input, &input.stem(), options);
    if target.npy {
        tensor::npy_items(&mut items, driver.tensors(input, options).unwrap_or_default());
    }
    let planned = plan(items, target);
    if planned.is_empty() {
        return Ok(structure.max(tell_nothing(input, target)));
    }
    make_folder(target.folder)?;
    keep_existing(&planned, target)?;
    let full = Full { failed: AtomicBool::new(false), written: AtomicU64::new(0) };
    let written: Vec<_> =
        planned.par_iter().map(|(item, path)| write_unless(&full, item, path, target)).collect();
    let mut worst = structure;
    let mut left_out = 0_usize;
    for ((item, path), result) in planned.iter().zip(written) {
        worst = worst.max(match result {
            Ok(size) => tell_written(item, path, size, target, out)?,
            Err(Failure::GivenUp) => {
                left_out += 1;
                Outcome::Trouble
            }
            Err(failure) => tell_failure(input, item, path, failure),
        });
    }
    if left_out > 0 {
        output::error(&format!("and {left_out} more files are not written"));
    }
    out.flush()?;
    Ok(worst)
}

/// Writes an item, unless one before it could not be written: a full disk is told once.
fn write_unless(
    full: &Full,
    item: &Item<'_>,
    path: &Path,
    target: &Target<'_>,
) -> Result<u64, Failure> {
    if full.failed.load(Ordering::Relaxed) {
        return Err(Failure::GivenUp);
    }
    let result = write_item(full, item, path, target);
    match result {
        // Two threads may meet the full disk at once.
        Err(Failure::Unwritten(_) | Failure::TooMuch)
            if full.failed.swap(true, Ordering::Relaxed) =>
        {
            Err(Failure::GivenUp)
        }
        other => other,
    }
}

/// Gives every wanted item its path. Names are given before filtering, so that an item is always
/// called the same.
fn plan<'f>(items: Vec<Item<'f>>, target: &Target<'_>) -> Vec<(Item<'f>, PathBuf)> {
    let all = Names::give_all(items).into_iter().map(|item| {
        let path = target.folder.join(&item.file_name);
        (item, path)
    });
    all.filter(|(item, _)| item.is_file).filter(|(item, _)| target.filter.takes(item)).collect()
}

fn make_folder(folder: &Path) -> Result<(), Trouble> {
    fs::create_dir_all(folder).map_err(|error| {
        Trouble::new(format!("{}: the folder cannot be made: {error}", folder.display()))
    })
}

/// Refuses before anything is written.
fn keep_existing(planned: &[(Item<'_>, PathBuf)], target: &Target<'_>) -> Result<(), Trouble> {
    let exists = |path: &&PathBuf| fs::symlink_metadata(path).is_ok();
    match planned.iter().map(|(_, path)| path).find(exists) {
        Some(path) if target.existing == Existing::Keep => {
            Err(Trouble::new(format!("{}: this file exists; --force replaces it", path.display())))
        }
        _ => Ok(()),
    }
}

fn write_item(
    full: &Full,
    item: &Item<'_>,
    path: &Path,
    target: &Target<'_>,
) -> Result<u64, Failure> {
    let bytes = (item.payload)().map_err(Failure::Undecoded)?;
    let len = json::wide(bytes.len());
    if full.written.fetch_add(len, Ordering::Relaxed).saturating_add(len) > target.max_total {
        return Err(Failure::TooMuch);
    }
    save(path, &bytes, target.existing).map_err(Failure::Unwritten)?;
    Ok(json::wide(bytes.len()))
}

fn tell_written(
    item: &Item<'_>,
    path: &Path,
    size: u64,
    target: &Target<'_>,
    out: &mut Out<'_>,
) -> io::Result<Outcome> {
    let path = path.to_string_lossy();
    if target.json {
        let line = json!({ "path": item.path, "kind": item.kind, "file": path, "size": json::number(size) });
        json::line(out, &line)?;
    } else {
        writeln!(out, "{}", printable(&path))?;
    }
    Ok(Outcome::Good)
}

fn tell_failure(input: &Input, item: &Item<'_>, path: &Path, failure: Failure) -> Outcome {
    match failure {
        Failure::Undecoded(error) => {
            output::error(&printable(&format!("{}: {}: {error}", input.name(), item.path)));
            Outcome::Bad
        }
        Failure::Unwritten(error) => {
            output::error(&Trouble::writing_file(path, &error).to_string());
            Outcome::Trouble
        }
        Failure::TooMuch => {
            let name = printable(&input.name());
            output::error(&format!("{name}: there is more in it than --max-total allows to write"));
            Outcome::Bad
        }
        Failure::GivenUp => Outcome::Trouble,
    }
}

fn tell_nothing(input: &Input, target: &Target<'_>) -> Outcome {
    let name = printable(&input.name());
    if let [_, ..] = target.filter.0.as_slice() {
        let filters = target.filter.0.join("`, `");
        output::error(&format!("{name}: nothing in this file matches `{filters}`"));
        Outcome::Bad
    } else {
        output::warning(&format!("{name}: there is nothing in this file"));
        Outcome::Good
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fake::{BROKEN, Fake, GOOD, OPTIONS, input};

    fn run(bytes: &[u8], target: &Target<'_>) -> (Result<Outcome, Trouble>, String) {
        let mut text = Vec::new();
        let outcome = extract(&input(bytes), &Fake, &OPTIONS, target, &mut Out::new(&mut text));
        (outcome, String::from_utf8(text).unwrap())
    }

    static ALL: Filter = Filter(Vec::new());

    fn target(folder: &Path) -> Target<'_> {
        Target {
            folder,
            existing: Existing::Keep,
            filter: &ALL,
            json: false,
            npy: false,
            max_total: 1 << 20,
        }
    }

    #[test]
    fn every_item_is_a_file() {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path().join("new/out");
        let (outcome, text) = run(GOOD, &target(&folder));
        assert_eq!(outcome, Ok(Outcome::Good));
        assert_eq!(text.lines().count(), 2);
        // The fake calls every item `../box`.
        assert_eq!(fs::read(folder.join("_.._box")).unwrap(), b"abc");
        assert_eq!(fs::read(folder.join("_.~2._box")).unwrap(), b"de");
    }

    #[test]
    fn existing_files_are_kept() {
        let dir = tempfile::tempdir().unwrap();
        let second = dir.path().join("_.~2._box");
        fs::write(&second, b"mine").unwrap();
        let (outcome, _) = run(GOOD, &target(dir.path()));
        assert!(outcome.unwrap_err().to_string().contains("--force"));
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
        let (outcome, _) = run(GOOD, &Target { existing: Existing::Replace, ..target(dir.path()) });
        assert_eq!(outcome, Ok(Outcome::Good));
        assert_eq!(fs::read(second).unwrap(), b"de");
    }

    #[test]
    fn filter_chooses_and_keeps_names() {
        let dir = tempfile::tempdir().unwrap();
        let one = Target {
            filter: &Filter(vec!["boxes[1]".to_owned()]),
            json: true,
            ..target(dir.path())
        };
        let (outcome, text) = run(GOOD, &one);
        assert_eq!(outcome, Ok(Outcome::Good));
        assert!(text.starts_with(r#"{"path":"boxes[1]","kind":"box","file":""#), "{text}");
        assert!(dir.path().join("_.~2._box").exists());
        assert_eq!(
            run(GOOD, &Target { filter: &Filter(vec!["ptx".to_owned()]), ..target(dir.path()) }).0,
            Ok(Outcome::Bad)
        );
    }

    #[test]
    fn damaged_item_is_left_out() {
        let dir = tempfile::tempdir().unwrap();
        assert_eq!(run(BROKEN, &target(dir.path())).0, Ok(Outcome::Bad));
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
    }

    #[test]
    fn no_more_is_written_than_allowed() {
        let dir = tempfile::tempdir().unwrap();
        let little = Target { max_total: 4, ..target(dir.path()) };
        assert_ne!(run(GOOD, &little).0, Ok(Outcome::Good));
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
    }
}
