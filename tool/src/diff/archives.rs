//! Archives: which of their files came, went and changed, and what is different in those that did.
//!
//! Files are told apart by name, and compared by hash first. Only those that changed and are of a known
//! format are looked into, one after the other, unpacked on the disk.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;
use std::sync::Arc;

use sha2::{Digest as _, Sha256};

use super::content::{self, Differences};
use crate::driver::{Driver, Options};
use crate::input::Input;
use crate::json::wide;
use crate::nest::{self, Content, Kind, Limits, SEPARATOR, Visitor};
use crate::paths::shown;
use crate::toolbox::Toolbox;

/// What two archives are, if both are.
pub(super) fn kind(old: &[u8], new: &[u8]) -> Option<&'static str> {
    Kind::of(old).zip(Kind::of(new)).map(|_| "archive")
}

/// A file in an archive.
struct Member {
    hash: [u8; 32],
    len: u64,
}

/// How two archives differ, and what could not be looked at.
pub(super) fn compare(
    (old, new): (&Input, &Input),
    toolbox: &Toolbox,
    values: bool,
) -> (Differences, Vec<String>) {
    let (mut found, mut skipped) = (Differences::default(), Vec::new());
    let (olds, news) = (members(old, toolbox, &mut skipped), members(new, toolbox, &mut skipped));
    came_and_went(&olds, &news, &mut found);
    let differ = |(name, member): (&String, &Member)| {
        let other = news.get(name)?;
        (other.hash != member.hash).then(|| name.clone())
    };
    let changed: BTreeSet<String> = olds.iter().filter_map(differ).collect();
    let mut kept = HashMap::new();
    let mut again = Vec::new();
    each(old, toolbox, &mut again, &mut |name, content| {
        if changed.contains(&name) {
            kept.insert(name, Arc::clone(content));
        }
    });
    each(new, toolbox, &mut again, &mut |name, content| {
        if let Some(before) = kept.remove(&name) {
            for (archive, bytes) in [(old, &before), (new, content)] {
                let driver = toolbox.choose(bytes, None);
                let checked = driver.map(|driver| driver.validate(bytes, &Options::default()));
                if checked.is_some_and(|checked| checked.verdict() == "malformed") {
                    let archive = archive.name();
                    let why = "it is damaged, and compared as far as it can be read";
                    skipped.push(format!("{archive}{SEPARATOR}{name}: {why}"));
                }
            }
            file(&name, (&before, content), toolbox, values, &mut found);
        }
    });
    (found, skipped)
}

/// Files of one archive alone; one with the same bytes under another name was renamed.
fn came_and_went(
    olds: &BTreeMap<String, Member>,
    news: &BTreeMap<String, Member>,
    found: &mut Differences,
) {
    let len = |member: &Member| vec![format!("{} bytes", member.len)];
    let mut added: Vec<_> = news.iter().filter(|(name, _)| !olds.contains_key(*name)).collect();
    for (name, member) in olds.iter().filter(|(name, _)| !news.contains_key(*name)) {
        let same = |(_, other): &(&String, &Member)| other.hash == member.hash && member.len > 0;
        match added.iter().position(same) {
            Some(at) => {
                let (new, _) = added.remove(at);
                found.file("renamed", name.clone(), vec![format!("now {new}")]);
            }
            None => found.file("removed", name.clone(), len(member)),
        }
    }
    for (name, member) in added {
        found.file("added", name.clone(), len(member));
    }
}

/// What is different in a file: in what is in it, or at least in its bytes.
fn file(
    name: &str,
    (old, new): (&[u8], &[u8]),
    toolbox: &Toolbox,
    values: bool,
    found: &mut Differences,
) {
    let [driver, other] = [old, new].map(|file| toolbox.choose(file, None));
    let is_same = driver.map(Driver::name) == other.map(Driver::name);
    let inner = if is_same && content::is_told(driver, old) && content::is_told(other, new) {
        content::compare((old, new), driver, values)
    } else {
        Differences::default()
    };
    if inner.all.is_empty() {
        let what = if old.len() == new.len() {
            "other bytes".to_owned()
        } else {
            format!("{} bytes become {}", old.len(), new.len())
        };
        found.file("changed", name.to_owned(), vec![what]);
    }
    found.add(&format!("{name}{SEPARATOR}"), inner);
}

fn members(
    archive: &Input,
    toolbox: &Toolbox,
    skipped: &mut Vec<String>,
) -> BTreeMap<String, Member> {
    let mut members = BTreeMap::new();
    each(archive, toolbox, skipped, &mut |name, content| {
        let hash = Sha256::digest(&***content).into();
        members.insert(name, Member { hash, len: wide(content.len()) });
    });
    members
}

/// Shows every file of an archive that is not an archive itself, under its name there.
fn each(
    archive: &Input,
    toolbox: &Toolbox,
    skipped: &mut Vec<String>,
    then: &mut dyn FnMut(String, &Arc<Content>),
) {
    let mut each = Each { outer: archive.path(), toolbox, then, skipped };
    nest::visit(archive.path(), archive, &mut Limits::default(), &mut each);
}

struct Each<'e> {
    outer: &'e Path,
    toolbox: &'e Toolbox,
    then: &'e mut dyn FnMut(String, &Arc<Content>),
    skipped: &'e mut Vec<String>,
}

impl Visitor for Each<'_> {
    fn file(&mut self, path: &Path, bytes: &[u8], unpacked: Option<&Arc<Content>>) -> bool {
        let Some(content) = unpacked else { return false };
        if Kind::of(bytes).is_some() && self.toolbox.choose(bytes, None).is_none() {
            return false;
        }
        (self.then)(shown(&nest::inner_name(self.outer, path)), content);
        true
    }

    fn skipped(&mut self, path: &Path, why: &str) {
        self.skipped.push(format!("{} is not compared: {why}", shown(path)));
    }
}
