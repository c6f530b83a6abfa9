//! Files inside files: archives and compressed files, at any depth that a limit allows.
//!
//! What is inside is decoded as a stream into a file without a name, which is mapped: never wholly
//! into memory. What would be too large is skipped, and said.

mod archive;

use std::collections::HashMap;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Read, Seek as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use memmap2::Mmap;

use crate::driver::Driver;
use crate::input::Input;
use crate::map::map;
use crate::output::{self, Outcome, Trouble};
use crate::paths::{self, shown};
use crate::recognise;
use crate::toolbox::Toolbox;

/// How deep archives may lie in archives.
const MOST_DEPTH: u32 = 8;

/// How many bytes one file inside another may have, and all of them.
const MOST_MEMBER: u64 = 4 << 30;
const MOST_TOTAL: u64 = 64 << 30;

/// How many times its stored bytes a member may have: more is only in files made to fill disks.
const MOST_RATIO: u64 = 2000;

/// How many members are looked at.
const MOST_MEMBERS: u64 = 1 << 20;

/// What separates the name of an archive from that of what is in it.
pub(crate) const SEPARATOR: char = '!';

/// What can have files inside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Zip,
    Tar,
    Ar,
    Gzip,
    Zstd,
    Xz,
}

impl Kind {
    /// What a file is by its first bytes; `tar` has its mark further behind.
    pub(crate) fn of(file: &[u8]) -> Option<Self> {
        let starts = |magic: &[u8]| file.starts_with(magic);
        if starts(b"PK\x03\x04") || starts(b"PK\x05\x06") {
            Some(Self::Zip)
        } else if starts(b"\x1f\x8b\x08") {
            Some(Self::Gzip)
        } else if starts(b"\x28\xb5\x2f\xfd") {
            Some(Self::Zstd)
        } else if starts(b"\xfd7zXZ\0") {
            Some(Self::Xz)
        } else if starts(b"!<arch>\n") {
            Some(Self::Ar)
        } else if file.get(257..262) == Some(b"ustar") {
            Some(Self::Tar)
        } else {
            None
        }
    }
}

/// What is left to spend, for one file and everything in it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    member: u64,
    total: u64,
    members: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { member: MOST_MEMBER, total: MOST_TOTAL, members: MOST_MEMBERS }
    }
}

/// Takes what is inside files.
pub(crate) trait Visitor {
    /// A file, and whether it was enough; else what is inside it follows. What was unpacked may be
    /// kept.
    fn file(&mut self, path: &Path, bytes: &[u8], unpacked: Option<&Arc<Content>>) -> bool;

    /// Something that is not looked at.
    fn skipped(&mut self, path: &Path, why: &str);
}

/// Shows a file, and what is inside it, to a visitor.
pub(crate) fn visit(path: &Path, bytes: &[u8], limits: &mut Limits, visitor: &mut dyn Visitor) {
    if !visitor.file(path, bytes, None) {
        inside(path, bytes, 0, limits, visitor);
    }
}

/// Shows what is inside a file to a visitor.
fn inside(path: &Path, bytes: &[u8], depth: u32, limits: &mut Limits, visitor: &mut dyn Visitor) {
    let Some(kind) = Kind::of(bytes) else { return };
    if depth >= MOST_DEPTH {
        visitor.skipped(path, &format!("it lies in {MOST_DEPTH} archives already"));
        return;
    }
    let mut names = Distinct::default();
    let mut take = |member: archive::Member<'_>, limits: &mut Limits| {
        let inner = paths::inner(path, SEPARATOR, &names.give(member.name));
        if limits.members == 0 {
            visitor.skipped(&inner, "there are too many files in it");
            return false;
        }
        limits.members -= 1;
        match member.content {
            Err(why) => visitor.skipped(&inner, &why),
            Ok(content) => match decoded(content, member.stored, limits) {
                Ok(content) => {
                    let content = Arc::new(content);
                    if !visitor.file(&inner, &content, Some(&content)) {
                        inside(&inner, &content, depth + 1, limits, visitor);
                    }
                }
                Err(why) => visitor.skipped(&inner, &why),
            },
        }
        true
    };
    if let Err(why) = archive::members(kind, path, bytes, limits, &mut take) {
        visitor.skipped(path, &why);
    }
}

/// Names in one archive: several members may have the same one.
#[derive(Default)]
struct Distinct(HashMap<OsString, u64>);

impl Distinct {
    /// The name, with its number behind it from the second one on.
    fn give(&mut self, name: OsString) -> OsString {
        let count = self.0.entry(name.clone()).or_insert(0);
        *count += 1;
        let mut name = name;
        if *count > 1 {
            name.push(format!("@{count}"));
        }
        name
    }
}

/// The content of a member: in memory if it is small, else in a map of a file without a name.
#[derive(Debug)]
pub(crate) enum Content {
    Small(Vec<u8>),
    Mapped(Mmap),
}

impl std::ops::Deref for Content {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Self::Small(bytes) => bytes,
            Self::Mapped(map) => map,
        }
    }
}

/// Up to this size, in bytes, a member is kept in memory.
const SMALL: usize = 1 << 20;

/// What one member of an archive has in it.
pub(crate) fn unpacked(content: &mut dyn Read, stored: u64) -> Result<Content, String> {
    decoded(content, Some(stored), &mut Limits::default())
}

/// What a stream holds that has no end known before: a long one goes through a file without a name.
pub(crate) fn streamed(content: &mut dyn Read) -> io::Result<Content> {
    let whole = kept(content, MOST_MEMBER)?;
    whole.ok_or_else(|| {
        let why =
            format!("it does not end within {MOST_MEMBER} bytes; only regular files may be longer");
        io::Error::new(io::ErrorKind::FileTooLarge, why)
    })
}

fn decoded(
    content: &mut dyn Read,
    stored: Option<u64>,
    limits: &mut Limits,
) -> Result<Content, String> {
    let ratio = stored.map_or(u64::MAX, |stored| stored.saturating_mul(MOST_RATIO).max(1 << 20));
    let most = limits.member.min(limits.total).min(ratio);
    let content = kept(content, most).map_err(|error| format!("it cannot be unpacked: {error}"))?;
    let content = content.ok_or_else(|| format!("it is larger than {most} bytes when unpacked"))?;
    limits.total = limits.total.saturating_sub(crate::json::wide(content.len()));
    Ok(content)
}

/// What a stream holds: in memory if it is small, else in a file without a name; `None` if there is
/// more than `most`.
fn kept(content: &mut dyn Read, most: u64) -> io::Result<Option<Content>> {
    let mut content = content.take(most.saturating_add(1));
    let mut start = Vec::new();
    let small = u64::try_from(SMALL).unwrap_or(u64::MAX);
    let mut len = io::copy(&mut content.by_ref().take(small), &mut start)?;
    if start.len() < SMALL {
        return Ok((len <= most).then_some(Content::Small(start)));
    }
    let mut file = tempfile::tempfile()?;
    file.write_all(&start)?;
    len = len.saturating_add(io::copy(&mut content, &mut file)?);
    if len > most {
        return Ok(None);
    }
    file.rewind()?;
    map(&file).map(|map| Some(Content::Mapped(map)))
}

/// A file that is named inside another: `a.whl!pkg/libx.so`. `None` if no first part is a file.
pub(crate) fn open(path: &Path) -> Option<Result<Arc<Content>, String>> {
    if path.exists() {
        return None;
    }
    let name = path.as_os_str().as_encoded_bytes();
    let ends =
        (0..name.len()).filter(|at| name.get(*at).copied().map(char::from) == Some(SEPARATOR));
    let outers = ends.map(|end| PathBuf::from(paths::from_bytes(name.get(..end).unwrap_or(name))));
    let outer = outers.into_iter().find(|outer| outer.is_file())?;
    let bytes = File::open(&outer).and_then(|file| map(&file)).ok()?;
    let mut wanted = Wanted { path, found: None, why: None };
    visit(&outer, &bytes, &mut Limits::default(), &mut wanted);
    let why = wanted.why.unwrap_or_else(|| "there is no such file in that file".to_owned());
    Some(wanted.found.ok_or(why))
}

/// What a verb does with a file of a known format.
pub(crate) type Then<'t> = dyn FnMut(&Input, &dyn Driver) -> Result<Outcome, Trouble> + 't;

/// Goes on with a file of a known format, or with every such file inside an archive; a file that is
/// neither is told as such.
pub(crate) fn each(
    input: &Input,
    toolbox: &Toolbox,
    format: Option<&str>,
    then: &mut Then<'_>,
) -> Result<Outcome, Trouble> {
    if let Some(driver) = toolbox.choose(input, format) {
        return then(input, driver);
    }
    let within = within(input, toolbox, then)?;
    if within.found > 0 {
        return Ok(within.outcome);
    }
    let (name, what) = (input.name(), recognise::describe(input));
    let inside =
        if Kind::of(input).is_some() { "; nothing in it is of a known format" } else { "" };
    output::error(&format!("{name}: {what}{inside}"));
    Ok(Outcome::Bad.max(within.outcome))
}

/// What was found inside a file.
pub(crate) struct Within {
    /// How many files of a known format.
    pub(crate) found: u64,
    /// The worst of them; what is skipped is no good either.
    pub(crate) outcome: Outcome,
}

/// Goes on with every file of a known format inside an archive; what is skipped is told.
pub(crate) fn within(
    input: &Input,
    toolbox: &Toolbox,
    then: &mut Then<'_>,
) -> Result<Within, Trouble> {
    let outer = input.path();
    let outcome = Ok(Outcome::Good);
    let mut known = Known { outer, toolbox, then, outcome, found: 0, skipped: Vec::new() };
    visit(outer, input, &mut Limits::default(), &mut known);
    let skipped = output::errors(known.skipped.into_iter());
    Ok(Within { found: known.found, outcome: known.outcome?.max(skipped) })
}

struct Known<'k, 't> {
    outer: &'k Path,
    toolbox: &'k Toolbox,
    then: &'k mut Then<'t>,
    outcome: Result<Outcome, Trouble>,
    found: u64,
    skipped: Vec<String>,
}

impl Visitor for Known<'_, '_> {
    fn file(&mut self, path: &Path, bytes: &[u8], unpacked: Option<&Arc<Content>>) -> bool {
        let (Some(content), Ok(outcome)) = (unpacked, &self.outcome) else { return false };
        let Some(driver) = self.toolbox.choose(bytes, None) else { return false };
        self.found += 1;
        let input = Input::unpacked(path, &inner_name(self.outer, path), content);
        let next = (self.then)(&input, driver);
        self.outcome = next.map(|next| next.max(*outcome));
        true
    }

    fn skipped(&mut self, path: &Path, why: &str) {
        self.skipped.push(format!("{} is skipped: {why}", shown(path)));
    }
}

/// The name of a file in the outermost one.
pub(crate) fn inner_name(outer: &Path, path: &Path) -> PathBuf {
    let [outer, path] = [outer, path].map(|path| path.as_os_str().as_encoded_bytes());
    let inner = path.get(outer.len().saturating_add(1)..).unwrap_or_default();
    paths::from_bytes(inner).into()
}

struct Wanted<'w> {
    path: &'w Path,
    found: Option<Arc<Content>>,
    why: Option<String>,
}

impl Wanted<'_> {
    /// Whether what is wanted lies in a file, or is it.
    fn is_in(&self, path: &Path) -> bool {
        let bytes = OsStr::as_encoded_bytes;
        let rest = bytes(self.path.as_os_str()).strip_prefix(bytes(path.as_os_str()));
        rest.is_some_and(|rest| rest.first().is_none_or(|next| char::from(*next) == SEPARATOR))
    }
}

impl Visitor for Wanted<'_> {
    fn file(&mut self, path: &Path, _: &[u8], unpacked: Option<&Arc<Content>>) -> bool {
        if path.as_os_str() == self.path.as_os_str() && self.found.is_none() {
            self.found = unpacked.cloned();
        }
        self.found.is_some() || !self.is_in(path)
    }

    fn skipped(&mut self, path: &Path, why: &str) {
        if self.is_in(path) {
            self.why = Some(why.to_owned());
        }
    }
}

/// Whether an archive that is not compressed has others in it.
pub(crate) fn has_archives(file: &[u8]) -> bool {
    let members = binfmt_formats::host::archive_files(file).unwrap_or_default();
    let inside = |range: std::ops::Range<usize>| file.get(range).and_then(Kind::of).is_some();
    members.into_iter().any(|(_, range)| inside(range))
}

#[cfg(test)]
mod made;
#[cfg(test)]
mod tests;
