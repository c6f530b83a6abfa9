//! Zip archives and wheels: members with device code become smaller, everything else stays as it is
//! stored.

mod members;
mod saved;

use std::io::{Cursor, Write as _};
use std::path::{Path, PathBuf};

use ::zip::ZipArchive;
use binfmt_tool::input::Input;
use binfmt_tool::output::{Out, Outcome, Trouble, error, printable, warning};
use binfmt_tool::save::save_with;

use super::wheel::{Name, Record};
use super::{SlimArgs, target};
use members::{Members, Stopped};

/// The largest list of files that is read, in bytes.
const MOST_TEXT: u64 = 64 << 20;

type Archive<'a> = ZipArchive<Cursor<&'a [u8]>>;

/// Whether a file is an archive that this part takes.
pub(super) fn is(file: &[u8]) -> bool {
    file.starts_with(b"PK\x03\x04") || file.starts_with(b"PK\x05\x06")
}

/// What makes an archive a wheel.
struct Wheel {
    name: Name,
    /// The name of the member `RECORD`, and what it says.
    record: (String, Record),
    /// The name of the member `WHEEL`, and its text.
    about: (String, String),
    is_signed: bool,
}

impl Wheel {
    /// `None` for other archives.
    fn find(input: &Input, archive: &mut Archive<'_>) -> Result<Option<Self>, Trouble> {
        let top = |name: &&str| {
            let (folder, _) = name.split_once('/').unwrap_or_default();
            let rest = name.get(folder.len()..).unwrap_or_default();
            folder.ends_with(".dist-info") && rest == "/RECORD"
        };
        let names: Vec<_> = archive.file_names().filter_map(Result::ok).collect();
        let records: Vec<_> = names.iter().map(AsRef::as_ref).filter(top).collect();
        let is_named = input.path().extension().is_some_and(|it| it.eq_ignore_ascii_case("whl"));
        let record = match *records.as_slice() {
            [record] => record.to_owned(),
            [] if !is_named => return Ok(None),
            [] => return Err(trouble(input, "a wheel without its list of files, RECORD")),
            _ => return Err(trouble(input, "a wheel with several lists of files, RECORD")),
        };
        let folder = record.trim_end_matches("RECORD").to_owned();
        let signatures = [format!("{record}.jws"), format!("{record}.p7s")];
        let is_signed = names.iter().any(|name| signatures.iter().any(|it| it == name));
        drop(names);
        let about = format!("{folder}WHEEL");
        let text =
            text(archive, &about).map_err(|why| trouble(input, &format!("{about}: {why}")))?;
        let rows = self::text(archive, &record).and_then(Record::parse);
        let rows = rows.map_err(|why| trouble(input, &format!("{record}: {why}")))?;
        let name = Name::parse(input.path()).ok_or_else(|| {
            trouble(input, "the name of a wheel is NAME-VERSION-PYTHON-ABI-PLATFORM.whl")
        })?;
        Ok(Some(Self { name, record: (record, rows), about: (about, text), is_signed }))
    }
}

fn trouble(input: &Input, why: &str) -> Trouble {
    Trouble::new(format!("{}: {why}", input.name()))
}

/// The text of a member.
fn text(archive: &mut Archive<'_>, name: &str) -> Result<String, String> {
    use std::io::Read as _;

    let member = archive.by_name(name).map_err(|error| error.to_string())?;
    if member.size() > MOST_TEXT {
        return Err("it is too long".to_owned());
    }
    let mut text = String::new();
    let read = member.take(MOST_TEXT).read_to_string(&mut text);
    read.map(|_| text).map_err(|error| error.to_string())
}

/// The file to write, and the build tag of a wheel.
fn destination(
    wheel: Option<&Wheel>,
    args: &SlimArgs,
    devices: &[u32],
) -> Result<(Option<PathBuf>, Option<Name>), Trouble> {
    let Some(wheel) = wheel else { return Ok((args.output.clone(), None)) };
    let new = wheel.name.slimmed(devices);
    let Some(path) = &args.output else { return Ok((None, Some(new))) };
    if path.is_dir() {
        return Ok((Some(path.join(new.file_name())), Some(new)));
    }
    match Name::parse(path).filter(|name| name.can_follow(&wheel.name)) {
        Some(name) => Ok((Some(path.clone()), Some(name))),
        None => Err(Trouble::new(format!(
            "{}: a wheel with other content has a build tag of its own in its name; give a folder, \
             or a name as {}",
            path.display(),
            new.file_name()
        ))),
    }
}

pub(super) fn run(input: &Input, args: &SlimArgs, out: &mut Out<'_>) -> Result<Outcome, Trouble> {
    if args.punch {
        return Err(trouble(
            input,
            "there can be no holes in an archive; --zero compresses as well",
        ));
    }
    let unreadable = |error: ::zip::result::ZipError| trouble(input, &error.to_string());
    let mut archive = ZipArchive::new(Cursor::new(&**input)).map_err(unreadable)?;
    if archive.has_duplicate_names() {
        return Err(trouble(input, "several members have one name"));
    }
    let wheel = Wheel::find(input, &mut archive)?;
    let options = args.options();
    let (path, name) = destination(wheel.as_ref(), args, &options.devices)?;
    let mut members = Members::new(input, wheel.as_ref(), name.as_ref(), &options, args.json);
    let saved = match &path {
        None => members.go(&mut archive, None),
        Some(path) => save_with(&target(path)?, args.existing(), |file, written| {
            members.go(&mut archive, Some(&mut *file))?;
            // What comes from elsewhere, such as standard input, has none.
            if let Ok(read) = std::fs::metadata(&args.file) {
                file.set_permissions(read.permissions())?;
            }
            saved::check(input, &mut archive, written, &members)
        }),
    };
    finish(input, saved, &members, path.as_deref(), args, out)
}

/// Says what was done.
fn finish(
    input: &Input,
    saved: Result<(), Stopped>,
    members: &Members<'_>,
    path: Option<&Path>,
    args: &SlimArgs,
    out: &mut Out<'_>,
) -> Result<Outcome, Trouble> {
    let outcome = match saved {
        Ok(()) => Outcome::Good,
        Err(Stopped::Unchanged) => members.unchanged(),
        Err(Stopped::Refused(refusal)) => {
            return super::one::refused(input, &refusal, args.json, out);
        }
        Err(Stopped::Wrong(why)) => {
            error(&printable(&format!("{}: {why}", input.name())));
            return Ok(Outcome::Bad);
        }
        Err(Stopped::Io(error)) => {
            return Err(super::unwritten(path.unwrap_or(input.path()), &error));
        }
    };
    let new = path.filter(|_| outcome == Outcome::Good);
    if args.json {
        members.json(new, &args.options(), out)?;
    } else {
        members.text(new, out)?;
    }
    out.flush()?;
    for told in members.told() {
        warning(&printable(&format!("{}!{told}", input.name())));
    }
    if members.wheel.is_some_and(|wheel| wheel.is_signed) && outcome == Outcome::Good {
        let told = "the signature of its list of files does not hold for the new wheel";
        warning(&printable(&format!("{}: {told}", input.name())));
    }
    Ok(outcome)
}
