//! Sums over everything that was found.

use std::collections::BTreeMap;
use std::io::{self, Write};

use serde_json::{Value, json};

use crate::driver::Entry;
use crate::json::number;
use crate::output::printable;
use crate::search::{Found, Place};
use crate::table::{Side, Table};

/// What was found, summed up.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    files: u64,
    unproven: u64,
    damaged: u64,
    /// Files inside others that were not looked at.
    skipped: u64,
    /// By file and section, in the order of the search.
    places: Vec<(String, String, Sum)>,
    /// By architecture and kind.
    archs: BTreeMap<(Arch, String), Sum>,
    total: Sum,
}

#[derive(Clone, Copy, Debug, Default)]
struct Sum {
    containers: u64,
    entries: u64,
    stored: u64,
    decoded: u64,
}

/// An architecture, sorted by its number.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Arch(u64, String);

impl From<&str> for Arch {
    fn from(name: &str) -> Self {
        let digits: String = name
            .chars()
            .skip_while(|c| !c.is_ascii_digit())
            .take_while(char::is_ascii_digit)
            .collect();
        Self(digits.parse().unwrap_or(u64::MAX), name.to_owned())
    }
}

impl Sum {
    fn add(&mut self, entry: &Entry) {
        self.entries += 1;
        self.stored = self.stored.saturating_add(entry.stored);
        self.decoded = self.decoded.saturating_add(entry.decoded.unwrap_or(0));
    }

    fn cells(&self) -> [String; 3] {
        [self.entries, self.stored, self.decoded].map(|number| number.to_string())
    }
}

impl Tally {
    /// Counts what was found in one file.
    pub(crate) fn add(&mut self, file: &str, found: &Found) {
        self.files += 1;
        self.unproven += found.unproven;
        self.damaged += crate::json::wide(found.errors.len());
        let first = self.places.len();
        for place in &found.containers {
            self.total.containers += 1;
            let index = self.place(file, place, first);
            for entry in &place.container.entries {
                self.total.add(entry);
                let key = (Arch::from(entry.arch.as_str()), entry.kind.clone());
                self.archs.entry(key).or_default().add(entry);
                if let Some((_, _, sum)) = self.places.get_mut(index) {
                    sum.add(entry);
                }
            }
        }
    }

    /// Counts what was not looked at.
    pub(crate) fn skip(&mut self, files: u64) {
        self.skipped = self.skipped.saturating_add(files);
    }

    /// Counts the container in the row of its section, and says which row that is.
    fn place(&mut self, file: &str, place: &Place, first: usize) -> usize {
        let section = place.section.as_deref().unwrap_or_default();
        let known = self.places.iter().skip(first).position(|(_, name, _)| name == section);
        let index = known.map_or(self.places.len(), |known| first + known);
        if known.is_none() {
            self.places.push((file.to_owned(), section.to_owned(), Sum::default()));
        }
        if let Some((_, _, sum)) = self.places.get_mut(index) {
            sum.containers += 1;
        }
        index
    }

    pub(crate) fn containers(&self) -> u64 {
        self.total.containers
    }

    /// Writes the tables: where containers are, and what is in them.
    pub(crate) fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        if self.total.containers > 0 {
            self.places_table().write(out)?;
            writeln!(out)?;
        }
        if self.total.entries > 0 {
            self.archs_table().write(out)?;
            writeln!(out)?;
        }
        let Sum { containers, entries, stored, decoded } = self.total;
        let files = counted(self.files, "file", "files");
        let containers = counted(containers, "container", "containers");
        let entries = counted(entries, "entry", "entries");
        let kinds: Vec<_> =
            self.kinds().iter().map(|(kind, count)| format!("{count} {kind}")).collect();
        let kinds =
            if kinds.is_empty() { String::new() } else { format!(" ({})", kinds.join(", ")) };
        let skipped = match self.skipped {
            0 => String::new(),
            skipped => format!(", {skipped} skipped"),
        };
        writeln!(
            out,
            "{files}, {containers}, {entries}{}, {stored} bytes stored, {decoded} bytes decoded{skipped}",
            printable(&kinds)
        )
    }

    /// How many entries there are of each kind.
    fn kinds(&self) -> BTreeMap<&str, u64> {
        let mut kinds = BTreeMap::new();
        for ((_, kind), sum) in &self.archs {
            *kinds.entry(kind.as_str()).or_default() += sum.entries;
        }
        kinds
    }

    fn places_table(&self) -> Table {
        let mut table = Table::new(&[
            ("file", Side::Left),
            ("section", Side::Left),
            ("containers", Side::Right),
            ("entries", Side::Right),
            ("stored", Side::Right),
            ("decoded", Side::Right),
        ]);
        for (file, section, sum) in &self.places {
            let mut row = vec![printable(file), printable(section), sum.containers.to_string()];
            row.extend(sum.cells());
            table.row(row);
        }
        table
    }

    fn archs_table(&self) -> Table {
        let mut table = Table::new(&[
            ("arch", Side::Left),
            ("kind", Side::Left),
            ("entries", Side::Right),
            ("stored", Side::Right),
            ("decoded", Side::Right),
        ]);
        for ((Arch(_, arch), kind), sum) in &self.archs {
            let mut row = vec![printable(arch), printable(kind)];
            row.extend(sum.cells());
            table.row(row);
        }
        table
    }

    /// The summary as the last JSON line shows it.
    pub(crate) fn to_json(&self) -> Value {
        let row = |((Arch(_, arch), kind), sum): (&(Arch, String), &Sum)| {
            json!({
                "arch": arch,
                "kind": kind,
                "entries": number(sum.entries),
                "stored_size": number(sum.stored),
                "decoded_size": number(sum.decoded),
            })
        };
        json!({
            "files": number(self.files),
            "containers": number(self.total.containers),
            "entries": number(self.total.entries),
            "stored_size": number(self.total.stored),
            "decoded_size": number(self.total.decoded),
            "damaged": number(self.damaged),
            "unproven": number(self.unproven),
            "skipped": number(self.skipped),
            "by_kind": self.kinds(),
            "by_arch": self.archs.iter().map(row).collect::<Vec<_>>(),
        })
    }
}

fn counted(count: u64, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::driver::Container;

    fn entry(arch: &str, kind: &str) -> Entry {
        Entry { kind: kind.to_owned(), arch: arch.to_owned(), stored: 10, decoded: Some(30) }
    }

    fn found(section: Option<&str>, entries: &[Entry]) -> Found {
        let place = |range| Place {
            format: "fake",
            section: section.map(str::to_owned),
            container: Container { range, entries: entries.to_vec() },
        };
        Found { containers: vec![place(0..4), place(4..8)], errors: vec![], unproven: 1 }
    }

    #[test]
    fn tables_are_by_place_and_by_architecture() {
        let mut tally = Tally::default();
        tally.add(
            "lib.so",
            &found(
                Some(".x"),
                &[entry("sm_120", "elf"), entry("sm_90", "elf"), entry("sm_90", "ptx")],
            ),
        );
        let mut out = Vec::new();
        tally.write(&mut out).unwrap();
        assert_eq!(
            String::from_utf8(out).unwrap(),
            "\
file    section  containers  entries  stored  decoded
lib.so  .x                2        6      60      180

arch    kind  entries  stored  decoded
sm_90   elf         2      20       60
sm_90   ptx         2      20       60
sm_120  elf         2      20       60

1 file, 2 containers, 6 entries (4 elf, 2 ptx), 60 bytes stored, 180 bytes decoded
"
        );
    }

    #[test]
    fn nothing_found_is_one_line() {
        let mut out = Vec::new();
        Tally::default().write(&mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert_eq!(text, "0 files, 0 containers, 0 entries, 0 bytes stored, 0 bytes decoded\n");
    }
}
