//! `binfmt extract`: what is in a file, as files.

mod holders;
mod write;

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use serde_json::json;

use crate::args::ExtractArgs;
use crate::driver::{Driver, Options};
use crate::filter::{Filter, Matched};
use crate::input::Input;
use crate::item::Item;
use crate::names::Names;
use crate::output::{self, Out, Outcome, Trouble, printable};
use crate::paths::{self, shown};
use crate::save::Existing;
use crate::toolbox::Toolbox;
use crate::verb::Verb;
use crate::{json, nest, pack, tensor, validate};

use write::{Failure, How, Session, Shared, Written};

pub(crate) fn verb() -> Verb {
    Verb::new("extract", run)
}

fn run(args: &ExtractArgs, toolbox: &Toolbox, out: &mut Out<'_>) -> Result<Outcome, Trouble> {
    let input = Input::open(&args.file)?;
    let filter = Filter(args.filter.clone());
    let target = Target {
        folder: &args.output,
        existing: if args.force { Existing::Replace } else { Existing::Keep },
        filter: &filter,
        json: args.json,
        npy: args.npy,
        resume: args.resume,
        // What shares bytes may be changed apart from each other.
        all: args.all || args.manifest,
        manifest: args.manifest,
        max_total: args.max_total,
    };
    let options = args.decode.options();
    let (mut matched, mut names, session) =
        (Matched::default(), Names::default(), Session::default());
    let mut known = false;
    let outcome =
        nest::each(&input, toolbox, args.read.format.as_deref(), &mut |input, driver| {
            known = true;
            // What lies in an archive has a folder of its own, named after its file.
            let folder = input.inner().map(|inner| target.folder.join(names.give(&shown(inner))));
            let target = Target { folder: folder.as_deref().unwrap_or(target.folder), ..target };
            extract((input, driver), &options, (&target, &session, &mut matched), out)
        })?;
    // Of a damaged file nobody knows what was in it.
    if known && matched.all == 0 && outcome == Outcome::Good {
        output::warning(&format!("{}: there is nothing in this file", input.name()));
    }
    Ok(outcome.max(matched.tell(&input, &filter)))
}

/// Where to write what.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of its own")]
struct Target<'a> {
    folder: &'a Path,
    existing: Existing,
    filter: &'a Filter,
    json: bool,
    /// Whether tensors become arrays of `NumPy`.
    npy: bool,
    /// Whether what is there already is kept.
    resume: bool,
    /// Whether bytes are written that other items have, too.
    all: bool,
    /// Whether a manifest is written.
    manifest: bool,
    /// How many bytes all files together may have.
    max_total: u64,
}

fn extract(
    (input, driver): (&Input, &dyn Driver),
    options: &Options,
    (target, session, matched): (&Target<'_>, &Session, &mut Matched),
    out: &mut Out<'_>,
) -> Result<Outcome, Trouble> {
    let structure = validate::tell_errors(&input.name(), &driver.validate(input, options));
    let mut items = driver.list(input, &input.stem(), options);
    if target.npy {
        tensor::npy_items(&mut items, driver.tensors(input, options).unwrap_or_default());
    }
    if target.manifest {
        let pack = driver.extras().pack;
        match pack.filter(|_| structure == Outcome::Good) {
            Some(pack) => items.retain(|item| pack.is_packed(item)),
            None => return Ok(structure.max(tell_unpackable(input, driver))),
        }
    }
    let planned = plan(input, items, target, matched);
    if planned.is_empty() && !target.manifest {
        return Ok(structure);
    }
    make_folder(target.folder)?;
    keep_existing(&planned, target)?;
    if let (true, Some(name)) = (target.existing == Existing::Keep, manifest_of(target)) {
        let path = target.folder.join(name);
        return Err(Trouble::new(format!(
            "{}: this file exists; --force replaces it",
            path.display()
        )));
    }
    let shared = Shared::of(input);
    let write = |(item, path): &(Item<'_>, PathBuf)| session.write((item, path), target, &shared);
    let written: Vec<_> = planned.par_iter().map(write).collect();
    let worst = structure.max(tell_all(input, &planned, written, (target, session), out)?);
    if target.manifest && worst == Outcome::Good {
        let items: Vec<_> = planned.iter().map(|(item, _)| item).collect();
        let written = pack::write(target.folder, input, driver, &items, target.existing);
        let path = target.folder.join(pack::MANIFEST);
        written.map_err(|error| Trouble::writing_file(&path, &error))?;
    }
    out.flush()?;
    Ok(worst)
}

/// Says what became of every item, and links what shares its bytes with another one that is there.
fn tell_all(
    input: &Input,
    planned: &[(Item<'_>, PathBuf)],
    written: Vec<Result<Written, Failure>>,
    (target, session): (&Target<'_>, &Session),
    out: &mut Out<'_>,
) -> Result<Outcome, Trouble> {
    let mut worst = Outcome::Good;
    let mut left_out = 0_usize;
    for ((item, path), result) in planned.iter().zip(written) {
        let result = result.and_then(|written| match &written.how {
            How::Linked(first) => {
                let how = session.link((item, path), first, target, input)?;
                Ok(Written { how, ..written })
            }
            _ => Ok(written),
        });
        worst = worst.max(match result {
            Ok(written) => tell_written((input, item, path), &written, target, out)?,
            Err(Failure::GivenUp) => {
                left_out += 1;
                Outcome::Bad
            }
            Err(failure) => tell_failure(input, item, path, failure),
        });
    }
    if left_out > 0 {
        output::error(&format!("and {left_out} more files are not written"));
    }
    Ok(worst)
}

/// What is there of a manifest that is to be written.
fn manifest_of(target: &Target<'_>) -> Option<&'static str> {
    if target.manifest { pack::exists(target.folder) } else { None }
}

/// Says that there is no manifest of a file.
fn tell_unpackable(input: &Input, driver: &dyn Driver) -> Outcome {
    if driver.extras().pack.is_none() {
        let name = printable(&input.name());
        let format = driver.name();
        output::error(&format!("{name}: files of the format `{format}` are not packed again"));
    }
    Outcome::Bad
}

/// Gives every wanted item its path. Names are given before filtering, so that an item is always
/// called the same.
fn plan<'f>(
    input: &Input,
    items: Vec<Item<'f>>,
    target: &Target<'_>,
    matched: &mut Matched,
) -> Vec<(Item<'f>, PathBuf)> {
    let named = if target.manifest {
        Names::give_others(items, &[pack::MANIFEST, pack::TEMPLATE])
    } else {
        Names::give_all(items)
    };
    let all = named.into_iter().filter(|item| item.is_file).map(|item| {
        let path = target.folder.join(&item.file_name);
        (item, path)
    });
    let mut planned: Vec<_> = all.collect();
    let all = planned.len();
    planned.retain(|(item, _)| target.filter.takes(item, input));
    matched.add(all, planned.len());
    if !target.all {
        let items: Vec<_> = planned.iter().map(|(item, _)| item).collect();
        let mut holders = holders::holders(input, &items).into_iter();
        planned.retain(|_| holders.next() != Some(true));
    }
    planned
}

fn make_folder(folder: &Path) -> Result<(), Trouble> {
    fs::create_dir_all(folder).map_err(|error| {
        let why = match error.kind() {
            io::ErrorKind::AlreadyExists | io::ErrorKind::NotADirectory => {
                "a file has that name".to_owned()
            }
            io::ErrorKind::PermissionDenied => "you may not write there".to_owned(),
            _ => error.to_string(),
        };
        Trouble::new(format!("{}: the folder cannot be made: {why}", shown(folder)))
    })
}

/// Refuses before anything is written.
fn keep_existing(planned: &[(Item<'_>, PathBuf)], target: &Target<'_>) -> Result<(), Trouble> {
    let exists = |path: &&PathBuf| fs::symlink_metadata(path).is_ok();
    match planned.iter().map(|(_, path)| path).find(exists) {
        Some(path) if target.existing == Existing::Keep && !target.resume => {
            let path = shown(path);
            Err(Trouble::new(format!(
                "{path}: this file exists; --force replaces it, --resume goes on"
            )))
        }
        _ => Ok(()),
    }
}

fn tell_written(
    (input, item, path): (&Input, &Item<'_>, &Path),
    written: &Written,
    target: &Target<'_>,
    out: &mut Out<'_>,
) -> io::Result<Outcome> {
    if !target.json {
        writeln!(out, "{}", printable(&shown(path)))?;
        return Ok(Outcome::Good);
    }
    let size = json::number(written.size);
    let mut line =
        json!({ "path": item.path, "kind": item.kind, "file": shown(path), "size": size });
    paths::put_exact(&mut line, "file", path);
    if input.inner().is_some() {
        line["from"] = input.name().into();
        paths::put_exact(&mut line, "from", input.path());
    }
    match &written.how {
        How::New => {}
        How::Kept => line["kept"] = true.into(),
        How::Linked(first) => {
            line["link"] = shown(first).into();
            paths::put_exact(&mut line, "link", first);
        }
    }
    json::line(out, &line)?;
    Ok(Outcome::Good)
}

fn tell_failure(input: &Input, item: &Item<'_>, path: &Path, failure: Failure) -> Outcome {
    match failure {
        Failure::Undecoded(error) => {
            output::error(&format!("{}: {}: {error}", input.name(), item.path));
            Outcome::Bad
        }
        Failure::Unwritten(error) => {
            output::error(&Trouble::writing_file(path, &error).to_string());
            Outcome::Trouble
        }
        Failure::Differs => {
            let path = shown(path);
            output::error(&format!("{path}: this file has other bytes; --force replaces it"));
            Outcome::Trouble
        }
        Failure::TooMuch => {
            let name = input.name();
            output::error(&format!("{name}: there is more in it than --max-total allows to write"));
            Outcome::Bad
        }
        Failure::GivenUp => Outcome::Bad,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fake::{BROKEN, Fake, GOOD, OPTIONS, input};

    fn run(bytes: &[u8], target: &Target<'_>) -> (Result<Outcome, Trouble>, String) {
        let (mut text, mut matched) = (Vec::new(), Matched::default());
        let (input, session) = (input(bytes), Session::default());
        let to = (target, &session, &mut matched);
        let outcome = extract((&input, &Fake), &OPTIONS, to, &mut Out::new(&mut text));
        let outcome = outcome.map(|outcome| outcome.max(matched.tell(&input, target.filter)));
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
            resume: false,
            all: false,
            manifest: false,
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

    #[test]
    fn interrupted_work_is_gone_on_with() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("_.._box"), b"abc").unwrap();
        let resume = Target { resume: true, json: true, ..target(dir.path()) };
        let (outcome, text) = run(GOOD, &resume);
        assert_eq!(outcome, Ok(Outcome::Good));
        let kept: Vec<bool> = text.lines().map(|line| line.contains(r#""kept":true"#)).collect();
        assert_eq!(kept, [true, false]);
        assert_eq!(fs::read(dir.path().join("_.~2._box")).unwrap(), b"de");
        // Other bytes of the same length are not what was written before.
        fs::write(dir.path().join("_.._box"), b"xyz").unwrap();
        assert_eq!(run(GOOD, &resume).0, Ok(Outcome::Trouble));
        assert_eq!(fs::read(dir.path().join("_.._box")).unwrap(), b"xyz");
        let force = Target { existing: Existing::Replace, ..resume };
        assert_eq!(run(GOOD, &force).0, Ok(Outcome::Good));
        assert_eq!(fs::read(dir.path().join("_.._box")).unwrap(), b"abc");
    }
}
