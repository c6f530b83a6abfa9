//! Files inside files: archives and compressed files, at any depth that a limit allows.
//!
//! What is inside is decoded as a stream into a file without a name, which is mapped: never wholly
//! into memory. What would be too large is skipped, and said.

mod archive;

use std::fs::File;
use std::io::{self, Read, Seek as _, Write as _};
use std::path::Path;
use std::sync::Arc;

use memmap2::Mmap;

use crate::driver::Driver;
use crate::input::Input;
use crate::map::map;
use crate::output::{self, Outcome, Trouble};
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
    fn file(&mut self, name: &str, bytes: &[u8], unpacked: Option<&Arc<Content>>) -> bool;

    /// Something that is not looked at.
    fn skipped(&mut self, name: &str, why: &str);
}

/// Shows a file, and what is inside it, to a visitor.
pub(crate) fn visit(name: &str, bytes: &[u8], limits: &mut Limits, visitor: &mut dyn Visitor) {
    if !visitor.file(name, bytes, None) {
        inside(name, bytes, 0, limits, visitor);
    }
}

/// Shows what is inside a file to a visitor.
fn inside(name: &str, bytes: &[u8], depth: u32, limits: &mut Limits, visitor: &mut dyn Visitor) {
    let Some(kind) = Kind::of(bytes) else { return };
    if depth >= MOST_DEPTH {
        visitor.skipped(name, &format!("it lies in {MOST_DEPTH} archives already"));
        return;
    }
    let mut take = |member: archive::Member<'_>, limits: &mut Limits| {
        let inner = format!("{name}{SEPARATOR}{}", member.name);
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
    if let Err(why) = archive::members(kind, name, bytes, limits, &mut take) {
        visitor.skipped(name, &why);
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

fn decoded(
    content: &mut dyn Read,
    stored: Option<u64>,
    limits: &mut Limits,
) -> Result<Content, String> {
    let ratio = stored.map_or(u64::MAX, |stored| stored.saturating_mul(MOST_RATIO).max(1 << 20));
    let most = limits.member.min(limits.total).min(ratio);
    let mut content = content.take(most.saturating_add(1));
    let mut start = Vec::new();
    let failed = |error: io::Error| format!("it cannot be unpacked: {error}");
    let small = u64::try_from(SMALL).unwrap_or(u64::MAX);
    let mut len = io::copy(&mut content.by_ref().take(small), &mut start).map_err(failed)?;
    let mut spilled: Option<File> = None;
    if start.len() == SMALL {
        let mut file = tempfile::tempfile().map_err(failed)?;
        file.write_all(&start).map_err(failed)?;
        len = len.saturating_add(io::copy(&mut content, &mut file).map_err(failed)?);
        spilled = Some(file);
    }
    if len > most {
        return Err(format!("it is larger than {most} bytes when unpacked"));
    }
    limits.total = limits.total.saturating_sub(len);
    match spilled {
        None => Ok(Content::Small(start)),
        Some(mut file) => {
            file.rewind().map_err(failed)?;
            map(&file).map(Content::Mapped).map_err(failed)
        }
    }
}

/// A file that is named inside another: `a.whl!pkg/libx.so`. `None` if the first part is no file.
pub(crate) fn open(path: &Path) -> Option<Result<Arc<Content>, String>> {
    let text = path.to_str()?;
    let (outer, _) = text.split_once(SEPARATOR).filter(|_| !path.exists())?;
    let bytes = File::open(outer).and_then(|file| map(&file)).ok()?;
    let mut wanted = Wanted { name: text, found: None, why: None };
    visit(outer, &bytes, &mut Limits::default(), &mut wanted);
    let why = wanted.why.unwrap_or_else(|| "there is no such file in that file".to_owned());
    Some(wanted.found.ok_or(why))
}

/// The files inside an archive that are of a known format, for verbs that go on with each; and
/// whether there were any. What is skipped is told.
pub(crate) fn each_known(
    input: &Input,
    toolbox: &Toolbox,
    then: &mut dyn FnMut(&Input, &dyn Driver) -> Result<Outcome, Trouble>,
) -> Option<Result<Outcome, Trouble>> {
    Kind::of(input)?;
    let outcome = Ok(Outcome::Good);
    let mut known = Known { toolbox, then, outcome, found: false, skipped: Vec::new() };
    visit(&input.name(), input, &mut Limits::default(), &mut known);
    let skipped = output::errors(known.skipped.into_iter());
    if !known.found && skipped == Outcome::Good {
        return None;
    }
    Some(known.outcome.map(|outcome| outcome.max(skipped)))
}

struct Known<'k> {
    toolbox: &'k Toolbox,
    then: &'k mut dyn FnMut(&Input, &dyn Driver) -> Result<Outcome, Trouble>,
    outcome: Result<Outcome, Trouble>,
    found: bool,
    skipped: Vec<String>,
}

impl Visitor for Known<'_> {
    fn file(&mut self, name: &str, bytes: &[u8], unpacked: Option<&Arc<Content>>) -> bool {
        let (Some(content), Ok(outcome)) = (unpacked, &self.outcome) else { return false };
        let Some(driver) = self.toolbox.choose(bytes, None) else { return false };
        self.found = true;
        let next = (self.then)(&Input::unpacked(name, content), driver);
        self.outcome = next.map(|next| next.max(*outcome));
        true
    }

    fn skipped(&mut self, name: &str, why: &str) {
        self.skipped.push(format!("{name} is skipped: {why}"));
    }
}

struct Wanted<'w> {
    name: &'w str,
    found: Option<Arc<Content>>,
    why: Option<String>,
}

impl Visitor for Wanted<'_> {
    fn file(&mut self, name: &str, _: &[u8], unpacked: Option<&Arc<Content>>) -> bool {
        if name == self.name && self.found.is_none() {
            self.found = unpacked.cloned();
        }
        let inside = self.name.strip_prefix(name).is_some_and(|rest| rest.starts_with(SEPARATOR));
        self.found.is_some() || !inside
    }

    fn skipped(&mut self, name: &str, why: &str) {
        if self.name.starts_with(name) {
            self.why = Some(why.to_owned());
        }
    }
}

#[cfg(test)]
mod tests;
