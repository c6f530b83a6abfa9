//! ELF files themselves.
//!
//! Most ELF files are looked at for what lies in them; so this format is taken when it is asked for.

use std::borrow::Cow;
use std::io::Write;

use binfmt_formats::elf::{Elf, RULES, Section, SectionKind};
use binfmt_runtime::{BinFormat as _, Events, Layout, Rule};
use binfmt_tool::driver::{Checked, Driver, Extras, Items, Options, Part, Unmade};
use binfmt_tool::item::Item;
use serde_json::Value;

/// Object files, shared libraries and programs of 64 bits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ElfDriver;

impl Driver for ElfDriver {
    fn name(&self) -> &'static str {
        "elf"
    }

    fn layout(&self) -> &'static Layout {
        Elf::LAYOUT
    }

    fn rules(&self) -> Vec<&'static [Rule]> {
        vec![RULES]
    }

    fn detect(&self, _: &[u8]) -> bool {
        false
    }

    fn validate(&self, file: &[u8], _: &Options) -> Checked {
        let kind = Elf::parse(file).ok().map(|elf| format!("{:?}", elf.kind).to_lowercase());
        Checked { variant: kind, report: Elf::validate(file) }
    }

    fn walk(&self, file: &[u8], part: &Part, _: &Options, events: &mut dyn Events) {
        Elf::inspect_in_into(file, part.range.clone(), (), events);
    }

    fn rewrite_to(&self, file: &[u8], _: &Options, out: &mut dyn Write) -> Result<(), Unmade> {
        Unmade::by_writer(Elf::parse(file).map_err(Unmade::because)?.write_to(out))
    }

    fn extras(&self) -> Extras<'_> {
        Extras { items: Some(self), ..Extras::default() }
    }
}

impl Items for ElfDriver {
    fn list<'f>(&self, file: &'f [u8], _: &str, _: &Options) -> Vec<Item<'f>> {
        let Ok(elf) = Elf::parse(file) else { return Vec::new() };
        let sections =
            elf.sections().enumerate().filter(|(_, (it, _))| it.kind != SectionKind::Null);
        sections.map(|(index, (section, _))| item(file, &elf, index, &section)).collect()
    }
}

fn item<'f>(file: &'f [u8], elf: &Elf<'f>, index: usize, section: &Section) -> Item<'f> {
    let name = elf.name_of(section);
    let range = section.file_range();
    let bytes = usize::try_from(range.start).ok().zip(usize::try_from(range.end).ok());
    let bytes = bytes.and_then(|(start, end)| file.get(start..end)).unwrap_or_default();
    let is_file = elf.has_bytes(section);
    let bytes = if is_file { bytes } else { &[] };
    Item {
        path: format!("sections[{index}]"),
        kind: format!("{:?}", section.kind).to_lowercase(),
        name: Some(name.to_vec()),
        offset: section.offset,
        stored_size: if is_file { section.size } else { 0 },
        columns: vec![("address", Value::from(format!("{:#x}", section.address)))],
        details: vec![],
        file_name: format!("{index:02}{}", String::from_utf8_lossy(name)),
        is_file,
        promised: None,
        payload: Box::new(move || Ok(Cow::Borrowed(bytes))),
    }
}
