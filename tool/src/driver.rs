//! What a format offers to the program.
//!
//! A declared type is a driver as it is ([`format`](crate::format)). What a format has beside its
//! declaration, such as items that can be extracted, is one of the small traits here; it is added to
//! such a format, or told by a [`Driver`] of its own ([`Driver::extras`]).

mod extras;

use std::io::Write;
use std::ops::Range;

use binfmt_formats::pieces::Pieces;
use binfmt_runtime::{Class, Events, Layout, Report, Rule};

pub use crate::pack::{Fields, Packed, Packing};
pub use crate::stream::Unmade;
pub use extras::{
    Build, Configure, Edit, Extras, Items, Metadata, Pack, Places, Summarize, Tensors, Versions,
};

/// One format, or one family of files around it: what its declaration says.
pub trait Driver: Send + Sync {
    /// The name that `--format` takes and that JSON shows.
    fn name(&self) -> &'static str;

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

    /// Whether nothing tells its files but that they can be read: any file that begins as another format
    /// says is of that one.
    fn is_without_magic(&self) -> bool {
        false
    }

    /// Everything that is wrong with the file.
    fn validate(&self, file: &[u8], options: &Options) -> Checked;

    /// Hands every field of a part to `events`, of a damaged one too.
    fn walk(&self, file: &[u8], part: &Part, options: &Options, events: &mut dyn Events);

    /// Writes the file with everything derived computed anew, piece by piece, or says why it cannot be
    /// written.
    fn rewrite_to(&self, file: &[u8], options: &Options, out: &mut dyn Write)
    -> Result<(), Unmade>;

    /// The same in memory.
    fn rewrite(&self, file: &[u8], options: &Options) -> Result<Vec<u8>, String> {
        let mut written = Vec::new();
        match self.rewrite_to(file, options, &mut written) {
            Ok(()) => Ok(written),
            Err(Unmade::Refused(reasons)) => Err(reasons.join("; ")),
            Err(Unmade::Unwritten(error)) => Err(error.to_string()),
        }
    }

    /// The file with everything as close together as it may lie, for formats in which offsets say
    /// where that is; `None` if there is no such way to write it.
    fn compacted(&self, _file: &[u8], _options: &Options) -> Option<Vec<u8>> {
        None
    }

    /// What it has beside its declaration.
    fn extras(&self) -> Extras<'_> {
        Extras::default()
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

impl Part {
    /// The whole file.
    pub fn whole(file: &[u8]) -> Self {
        Self { name: String::new(), range: 0..file.len() }
    }
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
