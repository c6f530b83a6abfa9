//! Sums over everything that was found.

use std::collections::BTreeMap;
use std::io::{self, Write as _};

use serde_json::{Value, json};

use crate::driver::Entry;
use crate::json::number;
use crate::output::{Out, printable};
use crate::ranges::covered;
use crate::search::{Found, Place};
use crate::sizes;
use crate::table::{self, Side, Table};

/// What was found, summed up.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    files: u64,
    unproven: u64,
    damaged: u64,
    /// Files inside others that were not looked at.
    skipped: u64,
    /// By file, format and section, in the order of the search.
    places: Vec<Row>,
    /// By architecture and kind.
    archs: BTreeMap<(Arch, String), Sum>,
    total: Sum,
}

/// The containers of one format in one section.
#[derive(Debug)]
struct Row {
    file: String,
    format: &'static str,
    section: String,
    sum: Sum,
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
    /// The entries of one container: bytes that several of them share count once.
    fn of<'e>(entries: impl IntoIterator<Item = &'e Entry>) -> Self {
        let (mut sum, mut runs, mut plain) = (Self::default(), Vec::new(), Vec::new());
        for entry in entries {
            sum.entries += 1;
            let run = (entry.offset, entry.stored);
            runs.push(run);
            if entry.decoded == Some(entry.stored) {
                plain.push(run);
            } else {
                sum.decoded = sum.decoded.saturating_add(entry.decoded.unwrap_or(0));
            }
        }
        sum.stored = covered(&mut runs);
        sum.decoded = sum.decoded.saturating_add(covered(&mut plain));
        sum
    }

    fn add(&mut self, more: Self) {
        self.containers += more.containers;
        self.entries += more.entries;
        self.stored = self.stored.saturating_add(more.stored);
        self.decoded = self.decoded.saturating_add(more.decoded);
    }

    fn cells(&self, exact: bool) -> [String; 3] {
        let size = |bytes| sizes::shown(bytes, exact);
        [self.entries.to_string(), size(self.stored), size(self.decoded)]
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
            let entries = &place.container.entries;
            let sum = Sum { containers: 1, ..Sum::of(entries) };
            self.total.add(sum);
            self.place(file, place, first).add(sum);
            let mut archs: BTreeMap<(Arch, String), Vec<&Entry>> = BTreeMap::new();
            for entry in entries {
                let key = (Arch::from(entry.arch.as_str()), entry.kind.clone());
                archs.entry(key).or_default().push(entry);
            }
            for (key, entries) in archs {
                self.archs.entry(key).or_default().add(Sum::of(entries));
            }
        }
    }

    /// Counts what was not looked at.
    pub(crate) fn skip(&mut self, files: u64) {
        self.skipped = self.skipped.saturating_add(files);
    }

    /// The sums of a section; `first` is the first row of the file.
    fn place(&mut self, file: &str, place: &Place, first: usize) -> &mut Sum {
        let section = place.section.as_deref().unwrap_or_default();
        let is_it = |row: &Row| row.section == section && row.format == place.format;
        let known = self.places.iter().skip(first).position(is_it);
        let index = known.map_or(self.places.len(), |known| first + known);
        if known.is_none() {
            let (file, section) = (file.to_owned(), section.to_owned());
            self.places.push(Row { file, format: place.format, section, sum: Sum::default() });
        }
        &mut self.places[index].sum
    }

    pub(crate) fn containers(&self) -> u64 {
        self.total.containers
    }

    /// Writes the tables: where containers are, and what is in them.
    pub(crate) fn write(&self, exact: bool, out: &mut Out<'_>) -> io::Result<()> {
        if self.total.containers > 0 {
            let mut table = self.places_table(exact);
            table.fit(out.width());
            table.shorten("file", 24);
            table.shorten("section", 12);
            table.spare(&["format", "section", "decoded"]);
            table.write(out)?;
            writeln!(out)?;
        }
        if self.total.entries > 0 {
            let mut table = self.archs_table(exact);
            table.fit(out.width());
            table.write(out)?;
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
        let [stored, decoded] = [stored, decoded].map(|bytes| sizes::in_words(bytes, exact));
        let line = format!(
            "{files}, {containers}, {entries}{}, {stored} stored, {decoded} decoded{skipped}",
            printable(&kinds)
        );
        table::wrap(&line, out.line_width(), out)
    }

    /// How many entries there are of each kind.
    fn kinds(&self) -> BTreeMap<&str, u64> {
        let mut kinds = BTreeMap::new();
        for ((_, kind), sum) in &self.archs {
            *kinds.entry(kind.as_str()).or_default() += sum.entries;
        }
        kinds
    }

    fn places_table(&self, exact: bool) -> Table {
        let mut table = Table::new(&[
            ("file", Side::Left),
            ("format", Side::Left),
            ("section", Side::Left),
            ("containers", Side::Right),
            ("entries", Side::Right),
            ("stored", Side::Right),
            ("decoded", Side::Right),
        ]);
        for Row { file, format, section, sum } in &self.places {
            let mut row = vec![printable(file), (*format).to_owned(), printable(section)];
            row.push(sum.containers.to_string());
            row.extend(sum.cells(exact));
            table.row(row);
        }
        table
    }

    fn archs_table(&self, exact: bool) -> Table {
        let mut table = Table::new(&[
            ("arch", Side::Left),
            ("kind", Side::Left),
            ("entries", Side::Right),
            ("stored", Side::Right),
            ("decoded", Side::Right),
        ]);
        for ((Arch(_, arch), kind), sum) in &self.archs {
            let mut row = vec![printable(arch), printable(kind)];
            row.extend(sum.cells(exact));
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

    fn entry(offset: u64, arch: &str, kind: &str) -> Entry {
        let (kind, arch) = (kind.to_owned(), arch.to_owned());
        Entry { kind, arch, offset, stored: 10, decoded: Some(30) }
    }

    fn found(section: Option<&str>, entries: &[Entry]) -> Found {
        let place = |range| Place {
            format: "fake",
            section: section.map(str::to_owned),
            container: Container { range, entries: entries.to_vec() },
        };
        Found { containers: vec![place(0..4), place(4..8)], errors: vec![], unproven: 1 }
    }

    fn written(tally: &Tally, exact: bool, width: Option<usize>) -> String {
        let mut text = Vec::new();
        tally.write(exact, &mut Out::new(&mut text).with_width(width)).unwrap();
        String::from_utf8(text).unwrap()
    }

    #[test]
    fn tables_are_by_place_and_by_architecture() {
        let mut tally = Tally::default();
        let entries =
            [entry(0, "sm_120", "elf"), entry(10, "sm_90", "elf"), entry(20, "sm_90", "ptx")];
        tally.add("lib.so", &found(Some(".x"), &entries));
        assert_eq!(
            written(&tally, false, None),
            "\
file    format  section  containers  entries  stored  decoded
lib.so  fake    .x                2        6      60      180

arch    kind  entries  stored  decoded
sm_90   elf         2      20       60
sm_90   ptx         2      20       60
sm_120  elf         2      20       60

1 file, 2 containers, 6 entries (4 elf, 2 ptx), 60 bytes stored, 180 bytes
    decoded
"
        );
    }

    #[test]
    fn sums_are_no_more_than_there_is() {
        let mut tally = Tally::default();
        let whole = Entry { stored: 1 << 20, decoded: Some(1 << 20), ..entry(0, "", "segment") };
        let inside = Entry { offset: 5, stored: 7, decoded: Some(7), ..whole.clone() };
        tally.add("all.pte", &found(None, &[whole.clone(), inside, whole.clone()]));
        let lies = Entry { stored: u64::MAX, decoded: None, ..whole };
        assert_eq!((tally.total.stored, tally.total.decoded), (2 << 20, 2 << 20));
        let text = written(&tally, false, None);
        assert!(text.contains("2.0 MiB stored, 2.0 MiB decoded"), "{text}");
        assert!(written(&tally, true, None).contains("2097152 bytes stored"));
        tally.add("lies", &found(None, &[lies]));
        assert_eq!(tally.total.decoded, 2 << 20);
    }

    #[test]
    fn nothing_found_is_one_line() {
        let text = written(&Tally::default(), false, None);
        assert_eq!(text, "0 files, 0 containers, 0 entries, 0 bytes stored, 0 bytes decoded\n");
    }

    #[test]
    fn long_names_give_way_on_a_terminal() {
        let mut tally = Tally::default();
        tally.add(&"long/".repeat(40), &found(Some(".nv_fatbin"), &[entry(0, "sm_90", "elf")]));
        let text = written(&tally, false, Some(80));
        assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
        assert!(written(&tally, false, None).contains(&"long/".repeat(40)));
    }
}
