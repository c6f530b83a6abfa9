//! `binfmt diff`: the fields in which two files differ.

mod archives;
mod compare;
mod content;

use std::io::Write as _;
use std::path::PathBuf;

use binfmt_runtime::Step;
use serde_json::{Value, json};

use crate::args::ReadArgs;
use crate::driver::{Driver, Options, Part};
use crate::input::Input;
use crate::output::{self, BAD, GOOD, Out, Outcome, Trouble, WARNING, printable};
use crate::snapshot::{Field, Snapshot};
use crate::toolbox::Toolbox;
use crate::validate;
use crate::verb::Verb;
use crate::{json, paths};

use compare::{Change, Kind, compare};
use content::Differences;

/// The paths of the fields in which two trees differ, but for what a writer computes.
pub(crate) fn differences(files: (&[u8], &[u8]), fields: (&Field, &Field)) -> Vec<Vec<Step>> {
    let mut changes = Vec::new();
    compare(files, fields, "", &mut changes);
    changes.retain(|change| !change.is_derived);
    changes.into_iter().map(|change| change.steps).collect()
}

/// Say how two files differ
///
/// Of models and GPU code: the tensors, entries and data that were added, removed, changed or renamed,
/// and what methods take, give and call. Of libraries: the device code by architecture and name, and the
/// sections. Of archives and wheels: the files, and in each the same. What has only moved is counted. Where nothing of that differs,
/// and of other formats, or with --fields: the fields.
///
/// What a writer computes, such as lengths, counts, offsets and checksums, and what has only moved,
/// is counted and not told, unless it is asked for. Items of a list are matched by what is in them. Of
/// coded bytes it is told that they differ, and not what they hold.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  binfmt diff old new
  binfmt diff --values old.pte new.pte
  binfmt diff pkg-1.0-py3-none-any.whl pkg-1.1-py3-none-any.whl
  binfmt diff --fields old.pte new.pte
  binfmt diff --derived old new
  binfmt diff --json old new | jq '.changes[].path'

Exit codes:
  0  the files are equal
  1  they differ, or one is unrecognised; where one is damaged, that is said
  2  wrong usage, or a file that cannot be read")]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of its own")]
struct DiffArgs {
    /// The one file
    #[arg(value_name = "A")]
    old: PathBuf,
    /// The other file
    #[arg(value_name = "B")]
    new: PathBuf,
    /// Tell every field that differs, and not what is in the files
    #[arg(long)]
    fields: bool,
    /// Tell by how much elements of tensors differ
    #[arg(long, conflicts_with_all = ["fields", "derived"])]
    values: bool,
    /// Tell fields that a writer computes, too
    #[arg(long)]
    derived: bool,
    /// One JSON line
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    read: ReadArgs,
}

pub(crate) fn verb() -> Verb {
    Verb::new("diff", run)
}

fn run(args: &DiffArgs, toolbox: &Toolbox, out: &mut Out<'_>) -> Result<Outcome, Trouble> {
    let (old, new) = (Input::open(&args.old)?, Input::open(&args.new)?);
    let format = args.read.format.as_deref();
    let wants_fields = args.fields || args.derived || format.is_some();
    if !wants_fields && let Some(kind) = archives::kind(&old, &new) {
        return archives((&old, &new), kind, (args, toolbox), out);
    }
    let (Some(driver), Some(other)) = (toolbox.choose(&old, format), toolbox.choose(&new, format))
    else {
        if !wants_fields && [&old, &new].iter().all(|file| content::is_told(None, file)) {
            return libraries((&old, &new), args, out);
        }
        let known = |input: &Input| match toolbox.choose(input, format) {
            Some(_) => Outcome::Good,
            None => validate::unrecognised(input),
        };
        return Ok(known(&old).max(known(&new)));
    };
    if driver.name() != other.name() {
        let [old, new] = [&old, &new].map(|input| printable(&input.name()));
        let (driver, other) = (driver.name(), other.name());
        output::error(&format!("{old} is of the format `{driver}`, {new} of `{other}`"));
        return Ok(Outcome::Bad);
    }
    for input in [&old, &new].into_iter().filter(|_| *old != *new) {
        let checked = driver.validate(input, &Options::default());
        if checked.verdict() == "malformed" {
            // It is compared as far as it can be read, and what is missing looks as if it were gone.
            validate::tell_errors(&input.name(), &checked);
        }
    }
    let by_content = !args.fields && !args.derived && content::is_told(Some(driver), &old);
    if by_content && *old != *new && contents((&old, &new), Some(driver), args, out)? {
        return Ok(Outcome::Bad);
    }
    diff((&old, &new), driver, args, out)
}

/// Says how two archives differ, file by file.
fn archives(
    (old, new): (&Input, &Input),
    kind: &str,
    (args, toolbox): (&DiffArgs, &Toolbox),
    out: &mut Out<'_>,
) -> Result<Outcome, Trouble> {
    if **old == **new {
        if args.json {
            json::line(out, &content_line((old, new), kind, &Differences::default(), true))?;
            out.flush()?;
        }
        return Ok(Outcome::Good);
    }
    let (found, skipped) = archives::compare((old, new), toolbox, args.values);
    if args.json {
        json::line(out, &content_line((old, new), kind, &found, false))?;
    } else {
        found.text(out)?;
        if found.all.is_empty() {
            writeln!(out, "the files in the archives are the same, and the archives are not")?;
        }
    }
    out.flush()?;
    Ok(Outcome::Bad.max(output::errors(skipped.into_iter())))
}

/// Says how two libraries differ of which not both have device code.
fn libraries(
    (old, new): (&Input, &Input),
    args: &DiffArgs,
    out: &mut Out<'_>,
) -> Result<Outcome, Trouble> {
    let same = **old == **new;
    if same || !contents((old, new), None, args, out)? {
        if args.json {
            json::line(out, &content_line((old, new), "elf", &Differences::default(), same))?;
        } else if !same {
            writeln!(out, "no section differs, but bytes outside of them do")?;
        }
        out.flush()?;
    }
    Ok(if same { Outcome::Good } else { Outcome::Bad })
}

fn content_line(
    (old, new): (&Input, &Input),
    format: &str,
    found: &Differences,
    same: bool,
) -> Value {
    let mut line = found.to_json();
    line["a"] = old.name().into();
    line["b"] = new.name().into();
    paths::put_exact(&mut line, "a", old.path());
    paths::put_exact(&mut line, "b", new.path());
    line["format"] = format.into();
    line["same"] = same.into();
    line
}

/// Says how two files differ in what is in them; false if they do not.
fn contents(
    (old, new): (&Input, &Input),
    driver: Option<&dyn Driver>,
    args: &DiffArgs,
    out: &mut Out<'_>,
) -> Result<bool, Trouble> {
    let found = content::compare((old, new), driver, args.values);
    if found.all.is_empty() {
        return Ok(false);
    }
    if args.json {
        let format = driver.map_or("elf", Driver::name);
        json::line(out, &content_line((old, new), format, &found, false))?;
    } else {
        found.text(out)?;
        writeln!(out, "--fields tells every field that differs")?;
    }
    out.flush()?;
    Ok(true)
}

fn diff(
    (old, new): (&Input, &Input),
    driver: &dyn Driver,
    args: &DiffArgs,
    out: &mut Out<'_>,
) -> Result<Outcome, Trouble> {
    let mut found = Found::default();
    let same = **old == **new;
    if !same {
        found.compare(old, new, driver);
    }
    let derived = json::wide(found.changes.iter().filter(|change| change.is_derived).count());
    if !args.derived {
        found.changes.retain(|change| !change.is_derived);
    }
    // Something differs that no field says.
    let elsewhere = (!same && found.changes.is_empty() && derived == 0)
        .then(|| old.iter().zip(new.iter()).take_while(|(old, new)| old == new).count())
        .map(json::wide);
    if args.json {
        let mut line = json!({
            "a": old.name(),
            "b": new.name(),
            "format": driver.name(),
            "same": same,
            "changes": found.changes.iter().map(Change::to_json).collect::<Vec<Value>>(),
            "derived": json::number(derived),
            "bytes_at": elsewhere.map(json::number),
            "left_out": json::number(found.left_out),
        });
        paths::put_exact(&mut line, "a", old.path());
        paths::put_exact(&mut line, "b", new.path());
        json::line(out, &line)?;
    } else {
        for change in &found.changes {
            let style = match change.kind {
                Kind::Added => GOOD,
                Kind::Removed => BAD,
                Kind::Changed => WARNING,
            };
            writeln!(out, "{style}{}{style:#}", printable(&change.to_string()))?;
        }
        if let Some(at) = elsewhere {
            writeln!(out, "no field differs, but bytes that none names do, from {at:#x} on")?;
        }
        if derived > 0 && !args.derived {
            let plural = if derived == 1 { "" } else { "s" };
            writeln!(out, "{derived} computed number{plural} differ, too; --derived tells them")?;
        }
        if found.left_out > 0 {
            writeln!(out, "{} more fields are not compared", found.left_out)?;
        }
    }
    out.flush()?;
    Ok(if same { Outcome::Good } else { Outcome::Bad })
}

#[derive(Default)]
struct Found {
    changes: Vec<Change>,
    left_out: u64,
}

impl Found {
    fn compare(&mut self, old: &[u8], new: &[u8], driver: &dyn Driver) {
        let options = Options::default();
        let [olds, news] = [old, new].map(|file| driver.parts(file, &options));
        let named = |parts: &[Part], name: &str| parts.iter().position(|part| part.name == name);
        for part in &olds {
            let Some(other) = named(&news, &part.name).and_then(|at| news.get(at)) else {
                self.changes.push(Change::part(Kind::Removed, part));
                continue;
            };
            let snapshots = [
                Snapshot::of(old, part, driver, &options),
                Snapshot::of(new, other, driver, &options),
            ];
            self.left_out += snapshots.iter().map(|snapshot| snapshot.left_out).max().unwrap_or(0);
            let [before, after] = &snapshots;
            compare((old, new), (&before.root, &after.root), &part.name, &mut self.changes);
        }
        let added = news.iter().filter(|part| named(&olds, &part.name).is_none());
        self.changes.extend(added.map(|part| Change::part(Kind::Added, part)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fake::{Fake, GOOD, input};

    fn differ(old: &[u8], new: &[u8], json: bool) -> (Outcome, String) {
        let read = ReadArgs { format: None };
        let args = DiffArgs {
            old: "a".into(),
            new: "b".into(),
            fields: false,
            values: false,
            derived: false,
            json,
            read,
        };
        let mut text = Vec::new();
        let files = (input(old), input(new));
        let mut out = anstream::StripStream::new(&mut text);
        let outcome = diff((&files.0, &files.1), &Fake, &args, &mut Out::new(&mut out)).unwrap();
        (outcome, String::from_utf8(text).unwrap())
    }

    #[test]
    fn equal_files_are_good() {
        assert_eq!(differ(GOOD, GOOD, false), (Outcome::Good, String::new()));
        let damaged = &GOOD[..GOOD.len() - 1];
        assert_eq!(differ(damaged, damaged, false).0, Outcome::Good);
    }

    #[test]
    fn items_are_matched_by_what_is_in_them() {
        let (outcome, text) = differ(b"BOXS\x01a\x01b\x01c", b"BOXS\x01a\x02xy\x01c", false);
        assert_eq!(outcome, Outcome::Bad);
        assert_eq!(text, "~ boxes[1]: 62 \"b\" becomes 78 79 \"xy\"\n");
        let (_, text) = differ(b"BOXS\x01a\x01b\x01c", b"BOXS\x01a\x01c", false);
        assert_eq!(text, "- boxes[1]: 62 \"b\"\n");
        let (_, text) = differ(b"BOXS\x01a\x01c", b"BOXS\x01b\x01a\x01c", false);
        assert_eq!(text, "+ boxes[0]: 62 \"b\"\n");
    }

    #[test]
    fn bytes_that_no_field_names_are_told() {
        let (outcome, text) = differ(b"BOXS\x01a\0x", b"BOXS\x01a\0y", false);
        assert_eq!(outcome, Outcome::Bad);
        assert!(text.contains("from 0x7 on"), "{text}");
    }

    #[test]
    fn json_has_every_change() {
        let (_, text) = differ(b"BOXS\x01a", b"BOXS\x01b", true);
        let line: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(line["same"], false);
        let expected = json!([{
            "path": "boxes[0]", "kind": "changed", "derived": false, "from": "61", "to": "62",
        }]);
        assert_eq!(line["changes"], expected);
    }
}
