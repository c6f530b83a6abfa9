//! The members of an archive, one after the other: only one is unpacked at a time.

use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::io::{self, BufWriter, Read as _, Write as _};
use std::path::Path;

use ::zip::ZipWriter;
use ::zip::result::ZipError;
use ::zip::write::SimpleFileOptions;
use binfmt_formats::slim::{self, Options, Plan, Refusal};
use binfmt_tool::input::Input;
use binfmt_tool::json::{self, number, wide};
use binfmt_tool::output::{Out, Outcome, printable};
use binfmt_tool::sizes;
use binfmt_tool::table::{Side, Table};
use serde_json::{Value, json};

use super::super::report::{self, Tallies};
use super::super::wheel::{Name, Sum, with_build};
use super::{Archive, Wheel};

/// How an archive begins that can have device code, and how many bytes tell it.
const HEAD: u64 = 8;

/// What a list of hashes has for a file that no list has.
const PLAIN: &str = "sha256=";

/// Why there is no new archive.
pub(super) enum Stopped {
    /// Nothing would go.
    Unchanged,
    Refused(Refusal),
    /// The archive, or what it says about itself, is wrong.
    Wrong(String),
    Io(io::Error),
}

impl From<io::Error> for Stopped {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl From<ZipError> for Stopped {
    fn from(error: ZipError) -> Self {
        match error {
            ZipError::Io(error) => Self::Io(error),
            other => Self::Wrong(other.to_string()),
        }
    }
}

/// A member with device code, and what became of it.
struct Done {
    name: String,
    old_len: u64,
    new_len: u64,
    refusal: Option<Refusal>,
}

type Writer<'f> = ZipWriter<BufWriter<&'f mut File>>;

pub(super) struct Members<'m> {
    input: &'m Input,
    pub(super) wheel: Option<&'m Wheel>,
    /// The name of the new wheel.
    name: Option<&'m Name>,
    options: &'m Options,
    tallies: Tallies,
    done: Vec<Done>,
    /// What is to be said about members.
    told: Vec<String>,
    /// The hashes of members that are others in the new archive.
    pub(super) sums: HashMap<String, Sum>,
    /// All that is known of members, if it is to be shown.
    json: Option<Vec<Value>>,
}

impl<'m> Members<'m> {
    pub(super) fn new(
        input: &'m Input,
        wheel: Option<&'m Wheel>,
        name: Option<&'m Name>,
        options: &'m Options,
        as_json: bool,
    ) -> Self {
        let (done, told, json) = (Vec::new(), Vec::new(), as_json.then(Vec::new));
        let (tallies, sums) = (Tallies::default(), HashMap::new());
        Self { input, wheel, name, options, tallies, done, told, sums, json }
    }

    /// Plans every member, and writes the new archive if there is a file for it.
    pub(super) fn go(
        &mut self,
        archive: &mut Archive<'_>,
        file: Option<&mut File>,
    ) -> Result<(), Stopped> {
        let mut writer = file.map(|file| ZipWriter::new(BufWriter::with_capacity(1 << 16, file)));
        for index in 0..archive.len() {
            let name = archive.by_index_raw(index)?.name()?.into_owned();
            if self.wheel.is_some_and(|wheel| name == wheel.record.0) {
                continue;
            }
            if !self.member(archive, index, &name, writer.as_mut())?
                && let Some(writer) = &mut writer
            {
                writer.raw_copy_file(archive.by_index_raw(index)?)?;
            }
        }
        if self.changed() == 0 {
            return Err(Stopped::Unchanged);
        }
        let Some(mut writer) = writer else { return Ok(()) };
        if let Some(Wheel { record: (name, record), .. }) = self.wheel {
            let text = record.with(&self.sums).map_err(Stopped::Wrong)?;
            let options = archive.by_name(name)?.options();
            self.sums.insert(name.clone(), plain().same_of(text.as_bytes())?);
            put(&mut writer, name, options, text.as_bytes())?;
        }
        writer.set_raw_comment(archive.comment().into())?;
        writer.finish()?.flush()?;
        Ok(())
    }

    /// Writes a member anew, if it is to be another one.
    fn member(
        &mut self,
        archive: &mut Archive<'_>,
        index: usize,
        name: &str,
        writer: Option<&mut Writer<'_>>,
    ) -> Result<bool, Stopped> {
        if let (Some(Wheel { about, .. }), Some(new)) = (self.wheel, self.name)
            && about.0 == name
        {
            let text = with_build(&about.1, new.build().unwrap_or_default());
            self.remember(name, about.1.as_bytes(), text.as_bytes())?;
            let options = archive.by_index_raw(index)?.options();
            return writer.map_or(Ok(true), |writer| put(writer, name, options, text.as_bytes()));
        }
        let Some((old, options)) = self.unpacked(archive, index, name)? else { return Ok(false) };
        let plan = match slim::plan(&old, self.options) {
            Ok(plan) => plan,
            Err(refusal) if slim::may_have_code(&old) => {
                return self.refused(name, wide(old.len()), refusal).map(|()| false);
            }
            Err(_) => return Ok(false),
        };
        self.note(name, &old, &plan);
        if !plan.changes {
            return Ok(false);
        }
        let mut file = tempfile::tempfile()?;
        let mut out = BufWriter::with_capacity(1 << 16, &mut file);
        plan.write(&old, &mut out)?;
        out.flush()?;
        drop(out);
        let new = Input::mapped(&file, Path::new(name))?;
        slim::check(&old, &new, &plan).map_err(Stopped::Refused)?;
        self.remember(name, &old, &new)?;
        writer.map_or(Ok(true), |writer| put(writer, name, options, &new))
    }

    /// What a member has in it, if it can have device code.
    fn unpacked(
        &mut self,
        archive: &mut Archive<'_>,
        index: usize,
        name: &str,
    ) -> Result<Option<(Input, SimpleFileOptions)>, Stopped> {
        let mut head = Vec::new();
        let can = match archive.by_index(index) {
            Ok(member) if !member.is_file() => return Ok(None),
            Ok(member) => member.take(HEAD).read_to_end(&mut head).map_err(|it| it.to_string()),
            Err(error) => Err(error.to_string()),
        };
        if let Err(why) = can {
            self.told.push(format!("{name}: stays as it is, for it cannot be unpacked: {why}"));
            return Ok(None);
        }
        if !slim::may_be_host(&head) {
            return Ok(None);
        }
        let mut member = archive.by_index(index)?;
        let (options, stored) = (member.options(), member.compressed_size());
        let wrong = |why| Stopped::Wrong(format!("{name}: {why}"));
        let input = Input::unpacking(Path::new(name), &mut member, stored).map_err(wrong)?;
        Ok(Some((input, options)))
    }

    /// Takes note of a member that changes: its hash is that of the list, and the new one follows.
    fn remember(&mut self, name: &str, old: &[u8], new: &[u8]) -> Result<(), Stopped> {
        let listed = match self.wheel {
            None => plain(),
            Some(wheel) => {
                let wrong = |why| Stopped::Wrong(format!("{}: {why}: {name}", wheel.record.0));
                let listed = wheel.record.1.of(name).map_err(wrong)?;
                if listed.same_of(old)? != listed {
                    let why = "it has another hash for this file, which is damaged or was changed";
                    return Err(wrong(why.to_owned()));
                }
                listed
            }
        };
        self.sums.insert(name.to_owned(), listed.same_of(new)?);
        Ok(())
    }

    fn note(&mut self, name: &str, old: &Input, plan: &Plan) {
        self.tallies.add(plan);
        let (old_len, new_len) = (wide(old.len()), plan.new_len());
        self.done.push(Done { name: name.to_owned(), old_len, new_len, refusal: None });
        let notes = plan.notes.iter().map(|note| format!("{name}: {}", report::note(note)));
        self.told.extend(notes);
        if plan.changes && slim::is_of_nvidia(old) {
            self.told.push(format!("{name}: {}", super::super::OF_NVIDIA));
        }
        if let Some(json) = &mut self.json {
            json.push(json!({
                "name": name,
                "changes": plan.changes,
                "bytes": number(old_len),
                "new_bytes": number(new_len),
                "notes": plan.notes.iter().map(report::note).collect::<Vec<_>>(),
                "codes": Tallies::of(plan).json(),
                "containers": plan.containers.iter().map(report::container).collect::<Vec<_>>(),
            }));
        }
    }

    /// A member that is refused stays; but a device that is to be kept is not given up.
    fn refused(&mut self, name: &str, len: u64, refusal: Refusal) -> Result<(), Stopped> {
        if refusal.is_of_device() {
            return Err(Stopped::Refused(refusal));
        }
        self.told.push(format!("{name}: stays as it is: {refusal}"));
        if let Some(json) = &mut self.json {
            json.push(json!({ "name": name, "changes": false, "bytes": number(len),
                "new_bytes": number(len), "refused": report::why(&refusal) }));
        }
        let (name, refusal) = (name.to_owned(), Some(refusal));
        self.done.push(Done { name, old_len: len, new_len: len, refusal });
        Ok(())
    }

    /// What it means that nothing changes.
    pub(super) fn unchanged(&self) -> Outcome {
        let refused = self.done.iter().any(|it| it.refusal.is_some());
        if refused { Outcome::Bad } else { Outcome::Nothing }
    }

    pub(super) fn told(&self) -> impl Iterator<Item = &str> {
        // The same words about each library of a package are said once.
        let mut seen = HashSet::new();
        let told = self.told.iter().map(String::as_str);
        told.filter(move |text| seen.insert(text.split_once(": ").map_or(*text, |it| it.1)))
    }

    pub(super) fn text(&self, new: Option<&Path>, out: &mut Out<'_>) -> io::Result<()> {
        use Side::{Left, Right};
        self.tallies.text(out)?;
        let mut table =
            Table::new(&[("MEMBER", Left), ("BYTES", Right), ("NEW", Right), ("LESS", Right)]);
        for Done { name, old_len, new_len, .. } in &self.done {
            let less = sizes::percent(old_len.saturating_sub(*new_len), *old_len);
            table.row(vec![printable(name), old_len.to_string(), new_len.to_string(), less]);
        }
        if !self.done.is_empty() {
            writeln!(out)?;
            table.write(out)?;
        }
        let (file, old) = (printable(&self.input.name()), wide(self.input.len()));
        match new {
            Some(path) => {
                let len = std::fs::metadata(path)?.len();
                let less = sizes::percent(old.saturating_sub(len), old);
                let path = printable(&path.to_string_lossy());
                writeln!(out, "{file}: {old} bytes; {path}: {len}, {less} less")
            }
            None if self.changed() == 0 => writeln!(out, "{file}: nothing goes"),
            None => writeln!(out, "{file}: {} members would be smaller", self.changed()),
        }
    }

    fn changed(&self) -> usize {
        self.done.iter().filter(|it| self.sums.contains_key(&it.name)).count()
    }

    pub(super) fn json(
        &self,
        new: Option<&Path>,
        options: &Options,
        out: &mut Out<'_>,
    ) -> io::Result<()> {
        let new_bytes = new.map(std::fs::metadata).transpose()?.map(|it| number(it.len()));
        let line = json!({
            "file": self.input.name(),
            "output": new.map(|path| path.to_string_lossy()),
            "mode": report::mode(options),
            "devices": options.devices,
            "changes": self.changed() > 0,
            "bytes": number(wide(self.input.len())),
            "new_bytes": new_bytes,
            "codes": self.tallies.json(),
            "members": self.json,
        });
        json::line(out, &line)
    }
}

/// What stands for the hash of a file that no list names.
fn plain() -> Sum {
    Sum { hash: PLAIN.to_owned(), len: 0 }
}

/// Writes a member, compressed as it was.
fn put(
    writer: &mut Writer<'_>,
    name: &str,
    options: SimpleFileOptions,
    bytes: &[u8],
) -> Result<bool, Stopped> {
    let is_large = wide(bytes.len()) >= u64::from(u32::MAX);
    writer.start_file(name, options.large_file(is_large))?;
    writer.write_all(bytes)?;
    Ok(true)
}
