//! Where in a file containers are.

use std::collections::HashSet;
use std::ops::Range;

use binfmt_formats::fatbin::file::{self, FileError, Part};
use binfmt_formats::host::{self, HostKind};

use super::FatbinDriver;
use binfmt_tool::driver::Options;

/// The parts of a file that hold containers.
#[derive(Debug)]
pub(super) struct Places {
    /// Those that NVIDIA's tools look at, then those that only a search finds.
    pub(super) parts: Vec<Part>,
    /// Why the file could not be asked for its sections.
    pub(super) error: Option<FileError>,
}

impl Places {
    /// Raw files are one part. In ELF files and archives device code has sections of its own, but
    /// some libraries keep containers in other sections too.
    pub(super) fn of(file: &[u8]) -> Self {
        let (mut parts, error) = match file::parts(file) {
            Ok(parts) => (parts, None),
            Err(error) => (Vec::new(), Some(error)),
        };
        if host::kind_of(file) != HostKind::Raw {
            parts.extend(elsewhere(file, &parts));
        }
        tell_apart(&mut parts);
        Self { parts, error }
    }
}

/// Gives parts that have the name of an earlier one their offset too, so that paths are distinct.
fn tell_apart(parts: &mut [Part]) {
    let mut names = HashSet::new();
    for part in parts {
        while !names.insert(part.name.clone()) {
            part.name = format!("{}@{:#x}", part.name, part.range.start);
        }
    }
}

/// Runs of containers outside the known parts, found by searching.
fn elsewhere(file: &[u8], known: &[Part]) -> Vec<Part> {
    let found = binfmt_tool::search(file, &[&FatbinDriver], &Options::default());
    let mut runs: Vec<Part> = Vec::new();
    for place in found.containers {
        let range = place.container.range;
        if is_known(known, &range) {
            continue;
        }
        let name = place.section.unwrap_or_else(|| format!("{:#x}", range.start));
        match runs.last_mut() {
            Some(run) if run.range.end == range.start && run.name == name => {
                run.range.end = range.end;
            }
            _ => runs.push(Part { name, range }),
        }
    }
    runs
}

/// Whether a range touches a part; parts are in file order and do not overlap.
fn is_known(parts: &[Part], range: &Range<usize>) -> bool {
    let next = parts.partition_point(|part| part.range.end <= range.start);
    parts.get(next).is_some_and(|part| part.range.start < range.end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_one_name_are_told_apart() {
        let part = |name: &str, start| Part { name: name.to_owned(), range: start..start + 1 };
        let mut parts = [part(".a", 0), part(".b", 4), part(".a", 8), part(".a", 16)];
        tell_apart(&mut parts);
        assert_eq!(parts.map(|part| part.name), [".a", ".b", ".a@0x8", ".a@0x10"]);
    }

    #[test]
    fn ranges_are_known_where_they_touch_a_part() {
        let part = |range| Part { name: String::new(), range };
        let parts = [part(4..8), part(12..16)];
        let known = [0..4, 0..5, 7..9, 8..12, 14..15, 16..20].map(|range| is_known(&parts, &range));
        assert_eq!(known, [false, true, true, false, true, false]);
    }
}
