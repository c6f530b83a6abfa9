//! What a format offers to the program.
//!
//! A driver is the glue between one format of `binfmt-formats` and the subcommands; it lies in
//! `drivers/`. A new format is one file there and one line in [`ALL`].

use std::ops::Range;

use binfmt_runtime::{Class, Finding, Layout, Report, Rule, Tree};
use clap::ValueEnum;
use serde_json::Value;

use crate::args::Target;
use crate::drivers;
use crate::edit::Edits;
use crate::item::Item;
use crate::tensor::Tensor;

/// Every format, in the order in which they are tried.
static ALL: &[&dyn Driver] = &[
    &drivers::fatbin::FatbinDriver,
    &drivers::pte::PteDriver,
    &drivers::pte::BpteDriver,
    &drivers::ptd::PtdDriver,
    &drivers::vpt::VptDriver,
    // Last, as files without a magic are tried.
    &drivers::rten::RtenDriver,
];

/// One format, or one family of files around it.
pub(crate) trait Driver: Sync {
    /// The name that `--format` takes and that JSON shows.
    fn name(&self) -> &'static str;

    /// The declaration of its files.
    fn layout(&self) -> &'static Layout;

    /// The rules that no declaration has: those that are checked by hand.
    fn rules(&self) -> Vec<&'static [Rule]> {
        Vec::new()
    }

    /// Whether the file is meant to be of this format, damaged or not.
    fn detect(&self, file: &[u8]) -> bool;

    /// Everything that is wrong with the file.
    fn validate(&self, file: &[u8], options: &Options) -> Checked;

    /// Every field; one part for a plain file, one per place for a host file.
    fn inspect(&self, file: &[u8], options: &Options) -> Vec<Part>;

    /// Everything that can be extracted, as far as the file can be read; `stem` is the name of the
    /// file without its extension.
    fn list<'f>(&self, file: &'f [u8], stem: &str, options: &Options) -> Vec<Item<'f>>;

    /// What a listing says about the file as a whole, such as what makes it big.
    fn summary(&self, _file: &[u8], _options: &Options) -> Vec<(&'static str, Value)> {
        Vec::new()
    }

    /// Every tensor, and what lies beside them under a name, as far as the file can be read.
    fn tensors<'f>(&self, _file: &'f [u8], _options: &Options) -> Vec<Tensor<'f>> {
        Vec::new()
    }

    /// Whether files of this format can have tensors.
    fn has_tensors(&self) -> bool {
        false
    }

    /// The whole file in another version of its format, or why it cannot be.
    fn to_version(&self, _file: &[u8], _target: Target) -> Result<Vec<u8>, String> {
        Err(format!("a file of the format `{}` has no such version", self.name()))
    }

    /// The texts that say where the file comes from, of all names that the format has, as far as they
    /// can be read; `None` if it has none.
    fn metadata<'f>(&self, _file: &'f [u8]) -> Option<Vec<Text<'f>>> {
        None
    }

    /// The file with some of these texts changed, or why it cannot be written.
    fn with_metadata(&self, _file: &[u8], _changes: &[Change<'_>]) -> Result<Vec<u8>, String> {
        Err(format!("a file of the format `{}` has no metadata", self.name()))
    }

    /// The file with everything derived computed anew, or why it cannot be written.
    fn rewrite(&self, file: &[u8], options: &Options) -> Result<Vec<u8>, String>;

    /// The file with other data in it, or why it cannot be changed so.
    fn edit<'f>(&self, _file: &'f [u8], _edits: &Edits<'f>) -> Result<Vec<u8>, String> {
        Err(format!("files of the format `{}` cannot be edited", self.name()))
    }

    /// The constants that a container of this format can start with, or nearly so, for `scan`.
    fn magics(&self) -> &'static [[u8; 4]] {
        &[]
    }

    /// How many bytes of a container lie in front of that constant: a multiple of 4.
    fn before_magic(&self) -> usize {
        0
    }

    /// The container that starts at `at`, if it can be walked to its end; else how many steps the
    /// walk took, so that a search can tell when it is being kept busy.
    fn prove(&self, _file: &[u8], _at: usize, _options: &Options) -> Result<Container, u64> {
        Err(1)
    }

    /// What is wrong with the container that starts at `at` and cannot be walked to its end.
    fn damage(&self, _file: &[u8], _at: usize, _options: &Options) -> Option<Finding> {
        None
    }

    /// Whether a magic in this section is always the start of a container.
    fn owns(&self, _section: &str) -> bool {
        false
    }
}

/// A name, and the text that is stored under it.
pub(crate) type Text<'f> = (&'static str, Option<&'f str>);

/// The new text under a name.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Change<'a> {
    pub(crate) name: &'a str,
    pub(crate) text: Option<&'a str>,
}

/// What the formats are told.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Options {
    pub(crate) vpt: VptOptions,
    /// Whether validating decodes payloads.
    pub(crate) decode: bool,
    /// The largest payload that may be decoded, in bytes.
    pub(crate) max_decoded: u64,
}

impl Default for Options {
    fn default() -> Self {
        Self { vpt: VptOptions::default(), decode: false, max_decoded: 256 << 20 }
    }
}

/// What is expected of a Venice Program Table.
#[derive(Clone, Copy, Debug)]
pub(crate) struct VptOptions {
    /// Major and minor version.
    pub(crate) version: (u32, u32),
    /// The vendor, if only one will do.
    pub(crate) vendor: Option<u32>,
    pub(crate) entries: VptEntries,
}

impl Default for VptOptions {
    fn default() -> Self {
        Self { version: (0, 1), vendor: None, entries: VptEntries::Auto }
    }
}

/// The two entry layouts of a Venice Program Table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum VptEntries {
    /// Whichever fits
    #[default]
    Auto,
    /// Two lengths, as documented
    Plain,
    /// Two lengths and flags, as today's tools write them
    Flagged,
}

/// What a validator found.
#[derive(Debug, Default)]
pub(crate) struct Checked {
    /// Which of several layouts the file has.
    pub(crate) variant: Option<String>,
    pub(crate) report: Report,
}

impl Checked {
    /// The one word for the file.
    pub(crate) fn verdict(&self) -> &'static str {
        let stopped = |class| matches!(class, Class::Incomplete | Class::Malformed);
        if self.report.is_ok() {
            "valid"
        } else if self.report.errors().any(|finding| stopped(finding.class)) {
            "malformed"
        } else {
            "invalid"
        }
    }
}

/// A walked part of a file.
#[derive(Debug)]
pub(crate) struct Part {
    /// Where it lies in a host file; empty for the whole file.
    pub(crate) name: String,
    pub(crate) tree: Tree,
}

/// A container that `scan` found.
#[derive(Debug)]
pub(crate) struct Container {
    /// Its bytes in the file.
    pub(crate) range: Range<usize>,
    pub(crate) entries: Vec<Entry>,
}

/// What `scan` says about an entry, without decoding it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) kind: String,
    /// Such as `sm_90a`; empty if the format has no architectures.
    pub(crate) arch: String,
    /// How many bytes it takes in the file; entries that share a payload share its bytes.
    pub(crate) stored: u64,
    /// How many bytes the header promises after decoding; `None` if the stored ones cannot hold that.
    pub(crate) decoded: Option<u64>,
}

/// Every format.
pub(crate) fn all() -> &'static [&'static dyn Driver] {
    ALL
}

/// The names of all formats.
pub(crate) fn names() -> Vec<&'static str> {
    ALL.iter().map(|driver| driver.name()).collect()
}

/// The format with that name.
pub(crate) fn named(name: &str) -> Option<&'static dyn Driver> {
    ALL.iter().find(|driver| driver.name() == name).copied()
}

/// The format with that name, else the one that the file looks like.
pub(crate) fn choose(file: &[u8], format: Option<&str>) -> Option<&'static dyn Driver> {
    let fits = |driver: &&&dyn Driver| match format {
        Some(name) => driver.name() == name,
        None => driver.detect(file),
    };
    ALL.iter().find(fits).copied()
}

#[cfg(test)]
mod tests {
    use binfmt_runtime::{Problem, Severity, Show};

    use super::*;

    fn checked(findings: &[(Severity, Class)]) -> Checked {
        let mut checked = Checked::default();
        for &(severity, class) in findings {
            let problem = Problem {
                code: "x",
                class,
                start: 0,
                end: 1,
                what: format_args!("x"),
                expected: Show::Nothing,
                found: Show::Nothing,
            };
            checked.report.tell(severity, "", &problem);
        }
        checked
    }

    #[test]
    fn magics_are_aligned_as_their_containers() {
        for driver in all() {
            assert!(driver.before_magic().is_multiple_of(4), "{}", driver.name());
        }
    }

    #[test]
    fn verdict_is_that_of_the_worst_error() {
        assert_eq!(checked(&[]).verdict(), "valid");
        assert_eq!(checked(&[(Severity::Warning, Class::Malformed)]).verdict(), "valid");
        assert_eq!(checked(&[(Severity::Error, Class::Invalid)]).verdict(), "invalid");
        let both = [(Severity::Error, Class::Invalid), (Severity::Error, Class::Incomplete)];
        assert_eq!(checked(&both).verdict(), "malformed");
    }
}
