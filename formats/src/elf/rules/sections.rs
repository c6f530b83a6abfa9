//! Rules of section headers.

use binfmt_runtime::{Rule, Show, path};

use super::super::{Elf, SECTION_LEN, Section, SectionFlags, SectionKind};
use super::{ADDRESS, Check, ENTRY_SIZE, FIRST, LINK, NAME};

impl Check<'_, '_, '_> {
    pub(super) fn sections(&mut self) {
        let names = self.elf.contents.get(usize::from(self.elf.names_index)).is_some();
        for (section, index) in self.elf.sections.iter().map_while(Result::ok).zip(0_u64..) {
            if index == 0 {
                if section.kind != SectionKind::Null {
                    self.section(index, &FIRST, 0, section.offset);
                }
                continue;
            }
            if names && section.name != 0 && self.elf.name_at(&section).is_none() {
                self.section(index, &NAME, 0, section.name.into());
            }
            self.table_header(index, &section);
            self.lies_in_memory(index, &section);
        }
    }

    /// Tables have items of one length, and another section that belongs to them.
    fn table_header(&mut self, index: u64, section: &Section) {
        let Some(len) = section.kind.item_len() else { return };
        if section.entry_size != len && section.size > 0 {
            self.section(index, &ENTRY_SIZE, len, section.entry_size);
        }
        let count = self.elf.sections.count().unwrap_or(0);
        if u64::from(section.link) >= count {
            self.section(index, &LINK, count, section.link.into());
        }
    }

    /// The bytes of a section in memory are those that its header names.
    fn lies_in_memory(&mut self, index: u64, section: &Section) {
        let loaded = section.flags.contains(SectionFlags::ALLOC)
            && section.size > 0
            && self.elf.has_bytes(section);
        if !loaded || !self.is_linked() {
            return;
        }
        let Section { offset, size, address, .. } = *section;
        if !self.memory.maps(offset, size, address) {
            let expected = self.memory.address_of(offset).unwrap_or(0);
            self.section(index, &ADDRESS, expected, address);
        }
    }

    fn section(&mut self, index: u64, rule: &Rule, expected: u64, found: u64) {
        let len = u64::from(SECTION_LEN);
        let start = self.elf.sections_at.saturating_add(index.saturating_mul(len));
        let range = start..start.saturating_add(len);
        let mut at = self.rules.at(&path!(Elf.sections[index])).over(range);
        at.report(rule, Show::Uint(expected), Show::Uint(found));
    }
}
