//! What words cannot say: rules between segments, sections and tables.

mod sections;
mod segments;
mod tables;

use binfmt_runtime::Rules;

use super::{Elf, FileKind};

binfmt_runtime::rule_table! {
    /// The rules of ELF files that are checked by hand.
    pub const RULES;
    "gABI, Program Header" {
        SEGMENT_END: error "elf.elf.segments.end", "the segment reaches behind the end of the file";
        ORDER: error "elf.elf.segments.order", "loaded segments ascend by their addresses";
        OVERLAP: error "elf.elf.segments.overlap", "the segment shares memory with the one before it";
        HEADERS: error "elf.elf.segments.headers", "the segment of the program headers is not where they are";
        UNLOADED: error "elf.elf.segments.loaded", "the dynamic linker needs the segment, and no loaded segment has these bytes at this address";
    }
    "gABI, Section Header" {
        FIRST: error "elf.elf.sections.first", "the first section is an empty one";
        NAME: error "elf.section.name.range", "the name does not lie in the section of names";
        LINK: error "elf.section.link.range", "there is no such section";
        ENTRY_SIZE: error "elf.section.entry-size.known", "items of such a table have another length";
        ADDRESS: warning "elf.section.address.segment", "no loaded segment has the bytes of the section at its address";
    }
    "gABI, Symbol Table" {
        SYMBOL_NAME: error "elf.symbol.name.range", "the name does not lie in the section of texts";
        SYMBOL_SECTION: error "elf.symbol.section.range", "there is no such section";
    }
    "gABI, Relocation" {
        RELOCATION_SYMBOL: error "elf.relocation.info.symbol", "there is no such symbol";
        PLACE: error "elf.relocation.place.segment", "no loaded segment has the place";
    }
    "gABI, Relative Relocation Table" {
        WORD: error "elf.relative-table.words.first", "no address comes before the bits";
        RELATIVE_PLACE: error "elf.relative-table.words.segment", "no loaded segment has the place";
    }
    "gABI, Dynamic Section" {
        DYNAMIC_END: error "elf.dynamics.entries.end", "no tag 0 ends the list";
        TABLE: error "elf.dynamic.value.segment", "no loaded segment has a table at this address";
        TABLE_LEN: error "elf.dynamic.value.len", "items of such a table have another length";
        TABLE_SECTION: warning "elf.dynamic.value.section", "the section of that table has another address";
    }
}

/// Finding out which parts of a file agree.
struct Check<'c, 'r, 'a> {
    rules: &'c mut Rules<'r>,
    elf: &'c Elf<'a>,
    memory: super::Memory,
}

pub(super) fn file(elf: &Elf<'_>, rules: &mut Rules<'_>) {
    let mut check = Check { rules, elf, memory: elf.memory() };
    check.segments();
    check.sections();
    check.tables();
}

impl Check<'_, '_, '_> {
    /// Whether segments and addresses have a meaning: in no object file.
    fn is_linked(&self) -> bool {
        matches!(self.elf.kind, FileKind::Shared | FileKind::Executable)
            && !self.memory.loads.is_empty()
    }
}
