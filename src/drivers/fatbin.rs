//! Fat binaries: raw ones, and those in ELF files and archives.

mod blobs;
mod check;
mod file_names;
mod items;
mod pack;
mod places;
mod prove;
mod summary;

use std::io::Write;

use binfmt_formats::fatbin::file;
use binfmt_formats::fatbin::{self, MAGIC, Magic, Region, payload};
use binfmt_formats::host::{self, HostKind};
use binfmt_formats::summary::Summary;
use binfmt_runtime::{BinFormat as _, Events, Finding, Layout, Rule};

use binfmt_tool::driver::{
    self, Checked, Container, Driver, Extras, Items, Options, Pack, Packing, Part, Summarize,
    Unmade,
};
use binfmt_tool::item::Item;

use places::Places;

#[derive(Debug)]
pub(crate) struct FatbinDriver;

impl Driver for FatbinDriver {
    fn name(&self) -> &'static str {
        "fatbin"
    }

    fn about(&self) -> &'static str {
        "NVIDIA device code (fat binaries)"
    }

    fn layout(&self) -> &'static Layout {
        Region::LAYOUT
    }

    fn rules(&self) -> Vec<&'static [Rule]> {
        vec![fatbin::RULES, file::RULES, payload::RULES]
    }

    fn detect(&self, file: &[u8]) -> bool {
        match host::kind_of(file) {
            HostKind::Raw => is_magic(file),
            HostKind::Elf | HostKind::Archive => !Places::of(file).parts.is_empty(),
        }
    }

    fn validate(&self, file: &[u8], options: &Options) -> Checked {
        let report = check::check(file, &Places::of(file), options);
        let variant = match host::kind_of(file) {
            HostKind::Raw => "raw",
            HostKind::Elf => "elf",
            HostKind::Archive => "archive",
        };
        Checked { variant: Some(variant.to_owned()), report }
    }

    fn walk(&self, file: &[u8], part: &Part, _: &Options, events: &mut dyn Events) {
        Region::inspect_in_into(file, part.range.clone(), (), events);
    }

    fn rewrite_to(&self, file: &[u8], _: &Options, out: &mut dyn Write) -> Result<(), Unmade> {
        Unmade::by_writer(file::rewrite_to(file, out))
    }

    fn extras(&self) -> Extras<'_> {
        Extras {
            items: Some(self),
            places: Some(self),
            summarize: Some(self),
            pack: Some(self),
            ..Extras::default()
        }
    }
}

impl Items for FatbinDriver {
    fn list<'f>(&self, file: &'f [u8], stem: &str, options: &Options) -> Vec<Item<'f>> {
        items::items(file, &Places::of(file), stem, options)
    }
}

impl driver::Places for FatbinDriver {
    fn parts(&self, file: &[u8], _: &Options) -> Vec<Part> {
        let part = |part: &file::Part| Part {
            name: if part.path_prefix().is_empty() { String::new() } else { part.name.clone() },
            range: part.range.clone(),
        };
        Places::of(file).parts.iter().map(part).collect()
    }

    fn magics(&self) -> &'static [[u8; 4]] {
        &[MAGIC]
    }

    fn prove(&self, file: &[u8], at: usize, _: &Options) -> Result<Container, u64> {
        prove::prove(file, at)
    }

    fn damage(&self, file: &[u8], at: usize, _: &Options) -> Option<Finding> {
        fatbin::Container::validate_in(file, at..file.len(), ()).errors().next().cloned()
    }

    fn owns(&self, section: &str) -> bool {
        let name = section.rsplit_once(':').map_or(section, |(_, name)| name);
        host::is_device_code_section(name)
    }
}

impl Summarize for FatbinDriver {
    fn summarize(&self, file: &[u8], options: &Options) -> Result<Summary, String> {
        summary::summarize(file, options)
    }
}

impl Pack for FatbinDriver {
    fn pack(&self, packing: &Packing<'_>, out: &mut dyn Write) -> Result<(), Unmade> {
        pack::pack(packing, out)
    }
}

/// Whether a raw file starts as a container, by the document or in fact.
fn is_magic(file: &[u8]) -> bool {
    Magic::BYTES.iter().any(|magic| file.starts_with(magic))
}
