//! What a format offers to the program.
//!
//! A declared type is a driver as it is ([`format`](crate::format)). A format that has more to say,
//! such as what lies in its files under which name, implements [`Driver`] itself.

use std::io::Write;
use std::ops::Range;

use binfmt_formats::pieces::Pieces;
use binfmt_formats::summary::Summary;
use binfmt_runtime::{Class, Events, Finding, Layout, Report, Rule};
use clap::{Arg, ArgMatches};
use serde_json::Value;

use crate::edit::Edits;
use crate::item::Item;
pub use crate::pack::{Fields, Packed, Packing};
use crate::plain::Format;
pub use crate::stream::Unmade;
use crate::tensor::Tensor;

/// One format, or one family of files around it.
pub trait Driver: Send + Sync {
    /// The name that `--format` takes and that JSON shows.
    fn name(&self) -> &'static str;

    /// The options of this format alone, under names that no other has.
    fn args(&self) -> Vec<Arg> {
        Vec::new()
    }

    /// The same format, told what the user said; `None` if it has no options.
    fn configured(&self, _matches: &ArgMatches) -> Option<Format> {
        None
    }

    /// The declaration of its files.
    fn layout(&self) -> &'static Layout;

    /// What its files are, in a few words.
    fn about(&self) -> &'static str {
        self.layout().doc.trim().lines().next().unwrap_or_default().trim_end_matches('.')
    }

    /// The rules that no declaration has: those that are checked by hand.
    fn rules(&self) -> Vec<&'static [Rule]> {
        Vec::new()
    }

    /// Whether the file is meant to be of this format, damaged or not.
    fn detect(&self, file: &[u8]) -> bool;

    /// Everything that is wrong with the file.
    fn validate(&self, file: &[u8], options: &Options) -> Checked;

    /// What is walked one after the other: the whole file, or every place in a host file.
    fn parts(&self, file: &[u8], _options: &Options) -> Vec<Part> {
        vec![Part { name: String::new(), range: 0..file.len() }]
    }

    /// Hands every field of a part to `events`, of a damaged one too.
    fn walk(&self, file: &[u8], part: &Part, options: &Options, events: &mut dyn Events);

    /// Everything that can be extracted, as far as the file can be read; `stem` is the name of the
    /// file without its extension.
    fn list<'f>(&self, file: &'f [u8], stem: &str, options: &Options) -> Vec<Item<'f>>;

    /// What a listing says about the file as a whole, such as what makes it big.
    fn summary(&self, _file: &[u8], _options: &Options) -> Vec<(&'static str, Value)> {
        Vec::new()
    }

    /// Whether it is known what makes files of this format big.
    fn has_summary(&self) -> bool {
        false
    }

    /// What makes the file big, and what it can do, or why it cannot be read.
    fn summarize(&self, _file: &[u8], _options: &Options) -> Option<Result<Summary, String>> {
        None
    }

    /// Every tensor, and what lies beside them under a name, or why not all of them can be read.
    fn tensors<'f>(&self, _file: &'f [u8], _options: &Options) -> Result<Vec<Tensor<'f>>, String> {
        Ok(Vec::new())
    }

    /// What may hold numbers and is none of the tensors, such as the blob of a backend.
    fn closed(&self, _file: &[u8]) -> Vec<String> {
        Vec::new()
    }

    /// Whether files of this format can have tensors.
    fn has_tensors(&self) -> bool {
        false
    }

    /// A file with these tensors, if files of this format can be made from any; and what has no
    /// place in it.
    fn build<'f>(&self, _tensors: &[Tensor<'f>]) -> Option<Built<'f>> {
        None
    }

    /// The versions of the format that a file can be brought to: a name and what it means.
    fn versions(&self) -> &'static [(&'static str, &'static str)] {
        &[]
    }

    /// The whole file in one of these versions, or why it cannot be.
    fn to_version(&self, _file: &[u8], _version: &str) -> Result<Vec<u8>, String> {
        Err(format!("a file of the format `{}` has no such version", self.name()))
    }

    /// Whether files of this format have texts that say where they come from.
    fn has_metadata(&self) -> bool {
        false
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

    /// The file with everything as close together as it may lie, for formats in which offsets say
    /// where that is; `None` if there is no such way to write it.
    fn compacted(&self, _file: &[u8], _options: &Options) -> Option<Vec<u8>> {
        None
    }

    /// Writes the same, piece by piece where the format can.
    fn rewrite_to(
        &self,
        file: &[u8],
        options: &Options,
        out: &mut dyn Write,
    ) -> Result<(), Unmade> {
        let bytes = self.rewrite(file, options).map_err(Unmade::because)?;
        Ok(out.write_all(&bytes)?)
    }

    /// Whether files of this format can be edited.
    fn has_edits(&self) -> bool {
        false
    }

    /// Writes the file with other data in it, or says why it cannot be changed so.
    fn edit<'f>(
        &self,
        _file: &'f [u8],
        _edits: &Edits<'f>,
        _out: &mut dyn Write,
    ) -> Result<(), Unmade> {
        Err(Unmade::because(format!("files of the format `{}` cannot be edited", self.name())))
    }

    /// Whether files of this format can be made from their items.
    fn has_pack(&self) -> bool {
        false
    }

    /// Whether a manifest has an item; not what others are made of, too.
    fn is_packed(&self, _item: &Item<'_>) -> bool {
        true
    }

    /// Writes a file that is made of items, or says why there is none.
    fn pack(&self, _packing: &Packing<'_>, _out: &mut dyn Write) -> Result<(), Unmade> {
        Err(Unmade::because(format!(
            "in a file of the format `{}`, items can only be replaced by others of their length",
            self.name()
        )))
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
pub type Text<'f> = (&'static str, Option<&'f str>);

/// The new text under a name.
#[derive(Clone, Copy, Debug)]
pub struct Change<'a> {
    /// The name, one that the format has.
    pub name: &'a str,
    /// The new text; `None` removes it.
    pub text: Option<&'a str>,
}

/// What the formats are told.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Whether validating decodes payloads.
    pub decode: bool,
    /// The largest payload that may be decoded, in bytes.
    pub max_decoded: u64,
}

impl Default for Options {
    fn default() -> Self {
        Self { decode: false, max_decoded: 256 << 20 }
    }
}

/// A file that was made from tensors.
#[derive(Debug)]
pub struct Built<'f> {
    /// The file, or why there is none.
    pub file: Result<Pieces<'f>, String>,
    /// What has no place in it, one sentence each.
    pub left_out: Vec<String>,
}

/// What a validator found.
#[derive(Debug, Default)]
pub struct Checked {
    /// Which of several layouts the file has.
    pub variant: Option<String>,
    /// What was found.
    pub report: Report,
}

impl Checked {
    /// The one word for the file.
    pub fn verdict(&self) -> &'static str {
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

/// A part of a file that is walked by itself.
#[derive(Clone, Debug)]
pub struct Part {
    /// Where it lies in a host file; empty for the whole file.
    pub name: String,
    /// Its bytes in the file.
    pub range: Range<usize>,
}

/// A container that `scan` found.
#[derive(Debug)]
pub struct Container {
    /// Its bytes in the file.
    pub range: Range<usize>,
    /// What is in it.
    pub entries: Vec<Entry>,
}

/// What `scan` says about an entry, without decoding it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// What it is, such as `elf`.
    pub kind: String,
    /// Such as `sm_90a`; empty if the format has no architectures.
    pub arch: String,
    /// Absolute offset of its bytes in the file.
    pub offset: u64,
    /// How many bytes it takes there; of entries that share a payload each has a part of it.
    pub stored: u64,
    /// How many bytes the header promises after decoding; `None` if the stored ones cannot hold that.
    pub decoded: Option<u64>,
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
            checked.report.add(severity, "", &problem);
        }
        checked
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
