//! Why a file is not made smaller.

use alloc::string::{String, ToString};
use core::fmt;

use binfmt_runtime::Rule;

binfmt_runtime::rule_table! {
    /// What a file must be so that it can be made smaller without harm.
    pub const RULES;
    "slim" {
        DAMAGED: error "slim.file.damaged", "the file has errors, or cannot be read";
        KIND: error "slim.file.kind", "only shared libraries, object files, their archives and bare containers are made smaller";
        PROGRAM: error "slim.file.program", "programs are not made smaller";
        BYTE_ORDER: error "slim.file.byte-order", "hosts of GPUs store the lowest byte first";
        MACHINE: error "slim.file.machine", "references in code are known for x86-64 and 64-bit Arm alone";
        NO_CODE: error "slim.file.device-code", "the file has no device code";
        ARCHIVE: error "slim.archive.kind", "archives of this kind are not written";
        JUNK: error "slim.section.gap", "bytes that are no container, and no zeros, lie between or behind containers";
        COMPRESSED: error "slim.section.compressed", "the section is compressed";
        RELOCATIONS: error "slim.relocations.kind", "relocations of this kind are not read, so references could be missed";
        LOST: error "slim.container.device", "the container would lose its last code for a device that is to be kept";
        HEADERS_AT: error "slim.segments.place", "the program headers do not follow the file header, as another tool moves them";
        ROOM: error "slim.segments.room", "there is no room behind the program headers for one more, which taking pages out needs, and filling them with zeros (`--zero`, `--punch`) does not";
        NOTES: error "slim.segments.notes", "a segment covers a part of what would have to move";
        CROSSING: error "slim.segments.crossing", "bytes that would be taken out are a part of something else";
        OVERLAP: error "slim.plan.overlap", "two changes meet, as where two relocations have one place";
        DIFFERENT: error "slim.plan.result", "the new file is not as it was planned; this is a defect of the program";
    }
}

/// Why a file is not made smaller: which rule it breaks, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// The rule, one of [`RULES`].
    pub rule: &'static Rule,
    /// The part of the file that breaks it.
    pub path: String,
    /// Where that part begins, in bytes from the start of the file.
    pub offset: u64,
    /// What should be there.
    pub expected: String,
    /// What is.
    pub found: String,
}

impl Refusal {
    #[expect(clippy::needless_pass_by_value, reason = "numbers are given as they are")]
    pub(super) fn new(
        rule: &'static Rule,
        (path, offset): (&str, u64),
        expected: impl ToString,
        found: impl ToString,
    ) -> Self {
        let (expected, found) = (expected.to_string(), found.to_string());
        Self { rule, path: path.into(), offset, expected, found }
    }

    /// Whether a device that is to be kept would lose its code: what was asked for cannot be done,
    /// whatever the file.
    pub fn is_of_device(&self) -> bool {
        self.rule == &LOST
    }

    /// The same, of a file inside another.
    pub(super) fn inside(mut self, name: &str, start: u64) -> Self {
        let separator = if self.path.is_empty() { "" } else { ":" };
        self.path = alloc::format!("{name}{separator}{}", self.path);
        self.offset = self.offset.saturating_add(start);
        self
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = if self.path.is_empty() { "(whole file)" } else { &self.path };
        write!(f, "{path} at {:#x}: {}", self.offset, self.rule.text)?;
        write!(f, "; expected {}, found {} [{}]", self.expected, self.found, self.rule.code)
    }
}

impl core::error::Error for Refusal {}
