//! The search for containers anywhere in a file.

mod candidates;

use std::ops::Range;

use binfmt_formats::host;
use binfmt_runtime::Finding;

use crate::driver::{Container, Driver, Options};
use crate::json::wide;

use candidates::{Candidates, Searched};

/// How many steps may be spent on walks that lead nowhere, besides one per 64 bytes of the file,
/// which no honest walk exceeds.
const WASTE: u64 = 1 << 20;

/// How many damaged containers of a file are looked at to say why.
const EXPLAINED: usize = 20;

/// What was found in one file.
#[derive(Debug)]
pub struct Found {
    /// In file order; they do not overlap.
    pub containers: Vec<Place>,
    /// What looks like damage.
    pub errors: Vec<String>,
    /// How many times a magic was no container, as happens in any code that knows the format.
    pub unproven: u64,
}

/// A container and where it is.
#[derive(Debug)]
pub struct Place {
    /// The name of its format.
    pub format: &'static str,
    /// The section of an ELF file, if it is one.
    pub section: Option<String>,
    /// What it is.
    pub container: Container,
}

/// Finds every container in a file.
pub fn search(file: &[u8], drivers: &[&dyn Driver], options: &Options) -> Found {
    let mut found = Found { containers: Vec::new(), errors: Vec::new(), unproven: 0 };
    let mut candidates = Candidates::new(file, drivers);
    let mut sections = None;
    let mut end = 0;
    let mut last_end = None;
    let mut waste = WASTE.saturating_add(wide(file.len()) / 64);
    while let Some((at, searched)) = candidates.next_from(end) {
        let section = section_at(sections.get_or_insert_with(|| Sections::of(file)), at);
        match searched.places.prove(file, at, options) {
            Ok(container) => {
                end = container.range.end.max(at + 1);
                last_end = Some(end);
                let section = section.map(str::to_owned);
                found.containers.push(Place { format: searched.name, section, container });
            }
            Err(steps) if steps > waste => {
                found.errors.push(format!("gave up at {at:#x}: too many containers lead nowhere"));
                break;
            }
            Err(steps) => {
                waste -= steps;
                end = at + 1;
                let damaged = damage(searched, at, section, last_end == Some(at));
                found.unproven(damaged, || searched.places.damage(file, at, options));
            }
        }
    }
    found
}

impl Found {
    /// Counts a place that is no container; `damaged` says so if it should be one.
    fn unproven(&mut self, damaged: Option<String>, why: impl FnOnce() -> Option<Finding>) {
        let Some(damaged) = damaged else {
            self.unproven += 1;
            return;
        };
        // Saying why means walking it once more.
        let why = if self.errors.len() < EXPLAINED { why() } else { None };
        self.errors.push(why.map_or(damaged.clone(), |why| format!("{damaged}: {why}")));
    }
}

/// Says where damage is: only where nothing else than a container can be meant.
fn damage(
    Searched { name, places }: Searched<'_>,
    at: usize,
    section: Option<&str>,
    follows: bool,
) -> Option<String> {
    match section {
        Some(section) if places.owns(section) => {
            Some(format!("the {name} container at {at:#x} in {section} is damaged"))
        }
        _ if follows => {
            Some(format!("the {name} container at {at:#x}, behind another, is damaged"))
        }
        None if at == 0 => Some(format!("the {name} container at the start is damaged")),
        _ => None,
    }
}

/// The sections of an ELF file, or of the members of an archive.
struct Sections(Vec<(Range<usize>, String)>);

impl Sections {
    /// Sections only give names to places, so a file without readable ones has none.
    fn of(file: &[u8]) -> Self {
        let mut sections = Vec::new();
        match host::kind_of(file) {
            host::HostKind::Raw => {}
            host::HostKind::Elf => {
                let parts = host::elf_sections(file, 0).unwrap_or_default();
                sections.extend(parts.into_iter().map(|part| (part.range, part.name)));
            }
            host::HostKind::Archive => {
                for (member, range) in host::archive_members(file).unwrap_or_default() {
                    let elf = file.get(range.clone()).unwrap_or_default();
                    let parts = host::elf_sections(elf, range.start).unwrap_or_default();
                    let named = |part: host::Part| (part.range, format!("{member}:{}", part.name));
                    sections.extend(parts.into_iter().map(named));
                }
            }
        }
        sections.sort_by_key(|(range, _)| range.start);
        Self(sections)
    }
}

/// The name of the section that a place lies in.
fn section_at(sections: &Sections, at: usize) -> Option<&str> {
    let behind = sections.0.partition_point(|(range, _)| range.start <= at);
    let (range, name) = sections.0.get(..behind)?.last()?;
    range.contains(&at).then_some(name.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fake::{Fake, OPTIONS};

    #[track_caller]
    fn check(file: &[u8], expected: &[Range<usize>], unproven: u64) {
        let found = search(file, &[&Fake], &OPTIONS);
        let ranges: Vec<_> =
            found.containers.iter().map(|place| place.container.range.clone()).collect();
        assert_eq!(ranges, expected);
        assert_eq!(found.unproven, unproven);
    }

    #[test]
    fn aligned_containers_are_found() {
        check(b"BOXS\0...BOXS\x01a\0.", &[0..5, 8..15], 0);
        check(b"..BOXS\0.", &[], 0);
        check(b"", &[], 0);
    }

    #[test]
    fn containers_inside_containers_are_skipped() {
        check(b"BOXS\x0b...BOXS\0...\0...BOXS\0", &[0..17, 20..25], 0);
    }

    #[test]
    fn damage_at_the_start_is_an_error_and_elsewhere_a_coincidence() {
        check(b"BOXS\0...BOXS\xffBOXBOXS\0", &[0..5, 16..21], 1);
        let found = search(b"BOXS\xff", &[&Fake], &OPTIONS);
        assert_eq!(found.errors, ["the fake container at the start is damaged"]);
        let found = search(b"BOXS\x02ab\0BOXS\xff", &[&Fake], &OPTIONS);
        assert_eq!(found.errors, ["the fake container at 0x8, behind another, is damaged"]);
    }

    #[test]
    fn sections_are_told_by_place() {
        let named = |range, name: &str| (range, name.to_owned());
        let sections = Sections(vec![named(4..8, ".a"), named(8..9, ".b")]);
        assert_eq!(
            [0, 4, 7, 8, 9].map(|at| section_at(&sections, at)),
            [None, Some(".a"), Some(".a"), Some(".b"), None]
        );
    }
}
