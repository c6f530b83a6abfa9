//! Rules of what lies in sections.

use binfmt_runtime::{Rule, Seq, Show, Step, Wire, path};

use super::super::{
    Content, Dynamic, Dynamics, Elf, RelativeTable, Relocation, Relocations, Section, Symbol,
    Symbols, tag,
};
use super::{
    Check, DYNAMIC_END, PLACE, RELATIVE_PLACE, RELOCATION_SYMBOL, SYMBOL_NAME, SYMBOL_SECTION,
    TABLE, TABLE_LEN, TABLE_SECTION, WORD,
};

/// Where an item lies, and how long it is.
struct Item {
    index: u64,
    start: u64,
    len: u64,
}

impl<'c, 'a> Check<'c, '_, 'a> {
    pub(super) fn tables(&mut self) {
        let elf = self.elf;
        for ((section, content), index) in elf.sections().zip(0_u64..) {
            match content {
                Some(Content::Symbols(_, table)) => self.symbols(index, &section, table),
                Some(Content::Relocations(table)) => self.relocations(index, &section, table),
                Some(Content::RelativeTable(table)) => self.relative(index, &section, table),
                Some(Content::Dynamic(table)) => self.dynamic(index, &section, table),
                _ => {}
            }
        }
    }

    fn linked(&self, section: &Section) -> Option<&'c Content<'a>> {
        self.elf.contents.get(usize::try_from(section.link).ok()?)?.as_ref()
    }

    fn symbols(&mut self, content: u64, section: &Section, table: &Symbols<'_>) {
        let texts = self.linked(section).and_then(Content::texts_len);
        let count = self.elf.sections.count().unwrap_or(0);
        for (symbol, item) in items(section, &table.symbols, 24) {
            if let Some(len) =
                texts.filter(|len| symbol.name != 0 && u64::from(symbol.name) >= *len)
            {
                let path = path!(Elf.contents[content], Symbols.symbols[item.index], Symbol.name);
                self.tell(&path, &item, &SYMBOL_NAME, len, symbol.name.into());
            }
            if symbol.is_defined() && u64::from(symbol.section) >= count {
                let path =
                    path!(Elf.contents[content], Symbols.symbols[item.index], Symbol.section);
                self.tell(&path, &item, &SYMBOL_SECTION, count, symbol.section.into());
            }
        }
    }

    fn relocations(&mut self, content: u64, section: &Section, table: &Relocations<'_>) {
        let symbols = match self.linked(section) {
            Some(Content::Symbols(_, symbols)) => {
                items(section, &symbols.symbols, 24).count().try_into().unwrap_or(0)
            }
            _ => 0,
        };
        let places = self.is_linked() && section.address != 0;
        for (relocation, item) in items(section, &table.relocations, 24) {
            if relocation.symbol() != 0 && relocation.symbol() >= symbols {
                let path = path!(
                    Elf.contents[content],
                    Relocations.relocations[item.index],
                    Relocation.info
                );
                self.tell(&path, &item, &RELOCATION_SYMBOL, symbols, relocation.symbol());
            }
            if places && relocation.kind() != 0 && !self.memory.contains(relocation.place) {
                let path = path!(
                    Elf.contents[content],
                    Relocations.relocations[item.index],
                    Relocation.place
                );
                self.tell(&path, &item, &PLACE, 0, relocation.place);
            }
        }
    }

    fn relative(&mut self, content: u64, section: &Section, table: &RelativeTable<'_>) {
        let mut known = false;
        for (word, item) in items(section, &table.words, 8) {
            let is_address = word & 1 == 0;
            if is_address && self.is_linked() && !self.memory.contains(word) {
                let path = path!(Elf.contents[content], RelativeTable.words[item.index]);
                self.tell(&path, &item, &RELATIVE_PLACE, 0, word);
            } else if !is_address && !known {
                let path = path!(Elf.contents[content], RelativeTable.words[item.index]);
                self.tell(&path, &item, &WORD, 0, word);
            }
            known = true;
        }
    }

    fn dynamic(&mut self, content: u64, section: &Section, table: &Dynamics<'_>) {
        let mut ended = false;
        for (entry, item) in items(section, &table.entries, 16) {
            if entry.tag == tag::NULL {
                ended = true;
                break;
            }
            let path = path!(Elf.contents[content], Dynamics.entries[item.index], Dynamic.value);
            if let Some(len) = entry.item_len().filter(|len| *len != entry.value) {
                self.tell(&path, &item, &TABLE_LEN, len, entry.value);
            }
            if !entry.is_table() || !self.is_linked() {
                continue;
            }
            if self.memory.offset_of(entry.value).is_none() {
                self.tell(&path, &item, &TABLE, 0, entry.value);
            } else if let Some(address) = self.address_by(&entry).filter(|it| *it != entry.value) {
                self.tell(&path, &item, &TABLE_SECTION, address, entry.value);
            }
        }
        if !ended && section.size > 0 {
            let item = Item { index: 0, start: section.offset, len: section.size };
            let path = path!(Elf.contents[content], Dynamics.entries);
            self.tell(&path, &item, &DYNAMIC_END, 0, 1);
        }
    }

    /// The address that the section of a table has by its header.
    fn address_by(&self, entry: &Dynamic) -> Option<u64> {
        let kind = entry.section_kind()?;
        let mut sections = self.elf.sections.iter().map_while(Result::ok);
        Some(sections.find(|section| section.kind == kind)?.address)
    }

    fn tell(&mut self, path: &[Step], item: &Item, rule: &Rule, expected: u64, found: u64) {
        let range = item.start..item.start.saturating_add(item.len);
        self.rules.at(path).over(range).report(rule, Show::Uint(expected), Show::Uint(found));
    }
}

/// The items of a table, each with its place.
fn items<'a, T: Wire<'a> + Clone>(
    section: &Section,
    table: &Seq<'a, T>,
    len: u64,
) -> impl Iterator<Item = (T, Item)> + use<'a, T> {
    let start = section.offset;
    table.iter().map_while(Result::ok).zip(0_u64..).map(move |(value, index)| {
        let start = start.saturating_add(index.saturating_mul(len));
        (value, Item { index, start, len })
    })
}
