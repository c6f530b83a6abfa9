//! What a walk has to say about a file: faults, problems and findings.
//!
//! The fast walk only knows *that* it stopped and where, a [`Fault`] of one word. The recording
//! walk over the same bytes stops at the same place and knows the rest: a [`Finding`] with code,
//! path, byte range, expected and found. An [`Error`] is the finding that stopped a reader or a
//! writer, so the reader and the validator never tell two stories.

use core::fmt;

use crate::text::{Boxed, Text};

/// How much a finding weighs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Worth knowing; nothing is wrong.
    Note,
    /// Allowed, but not what the tools write.
    Warning,
    /// The file breaks a rule.
    Error,
}

impl Severity {
    /// The lower-case word that reports use.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// What kind of damage an error is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Class {
    /// Bytes are missing at the end.
    Incomplete,
    /// The walk cannot go on.
    Malformed,
    /// A rule is broken; the value could be read.
    Invalid,
}

/// The small error of the fast walk: where it stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Absolute offset, in bytes, of the field that could not be read or written.
    pub offset: usize,
}

impl Fault {
    /// A fault at an absolute offset.
    #[cold]
    pub const fn at(offset: usize) -> Self {
        Self { offset }
    }
}

/// A value as an error message shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Show {
    /// Nothing to show.
    Nothing,
    /// A number, shown in decimal.
    Uint(u64),
    /// A signed number, shown in decimal.
    Int(i64),
    /// A bit pattern, shown in hexadecimal.
    Hex(u64),
    /// A few bytes, shown in hexadecimal, with the number of bytes shown.
    Bytes([u8; 16], u8),
    /// A word.
    Word(&'static str),
}

impl Show {
    /// Shows the first bytes of `bytes`.
    pub fn bytes(bytes: &[u8]) -> Self {
        let mut head = [0; 16];
        let mut len = 0_u8;
        for (slot, byte) in head.iter_mut().zip(bytes) {
            *slot = *byte;
            len = len.saturating_add(1);
        }
        Self::Bytes(head, len)
    }
}

impl fmt::Display for Show {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nothing => Ok(()),
            Self::Uint(value) => write!(f, "{value}"),
            Self::Int(value) => write!(f, "{value}"),
            Self::Hex(value) => write!(f, "{value:#x}"),
            Self::Word(word) => f.write_str(word),
            Self::Bytes(_, 0) => f.write_str("no bytes"),
            Self::Bytes(head, len) => {
                for (index, byte) in head.iter().take(usize::from(*len)).enumerate() {
                    let space = if index == 0 { "" } else { " " };
                    write!(f, "{space}{byte:02x}")?;
                }
                Ok(())
            }
        }
    }
}

/// Something wrong, as the walk that meets it describes it.
#[derive(Debug)]
pub struct Problem<'p> {
    /// Stable name of the rule that is broken.
    pub code: &'static str,
    /// What kind of damage it is.
    pub class: Class,
    /// Absolute offset of the first byte concerned.
    pub start: usize,
    /// Absolute offset behind the last byte concerned.
    pub end: usize,
    /// What is wrong, in the words of the format.
    pub what: fmt::Arguments<'p>,
    /// What should be there.
    pub expected: Show,
    /// What is there.
    pub found: Show,
}

/// One thing that a validator has to say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// How much it weighs.
    pub severity: Severity,
    /// Stable name of the rule, such as `magic` or `Entry.arch`.
    pub code: &'static str,
    /// What kind of damage it is.
    pub class: Class,
    /// Where in the declaration, such as `entries[3].payload`; empty for the whole value.
    pub path: Text,
    /// Absolute offset of the first byte concerned.
    pub start: u64,
    /// Absolute offset behind the last byte concerned.
    pub end: u64,
    /// Where the coded bytes lie, if `start` and `end` are offsets in what they decode to.
    pub coded_at: Option<u64>,
    /// What is wrong, with what was expected and found.
    pub message: Text,
    /// What should be there.
    pub expected: Show,
    /// What is there.
    pub found: Show,
    /// Where the rule is specified.
    pub spec: Option<&'static str>,
    /// The bytes around the place.
    pub window: Window,
}

/// A few bytes of the file around a finding, on a multiple of 16.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Window {
    /// Absolute offset of the first byte.
    pub start: u64,
    bytes: [u8; 32],
    len: u8,
}

impl Window {
    /// The bytes of `file` around `offset`; none if it does not lie in the file.
    pub fn around(file: &[u8], offset: usize) -> Self {
        let start = offset.min(file.len().saturating_sub(1)) & !0xf;
        let mut window = Self { start: crate::ops::wide(start), ..Self::default() };
        for (slot, byte) in window.bytes.iter_mut().zip(file.get(start..).unwrap_or_default()) {
            *slot = *byte;
            window.len = window.len.saturating_add(1);
        }
        window
    }

    /// The bytes.
    pub fn bytes(&self) -> &[u8] {
        self.bytes.get(..usize::from(self.len)).unwrap_or_default()
    }
}

impl fmt::Display for Window {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (row, offset) in self.bytes().chunks(16).zip((self.start..).step_by(16)) {
            write!(f, "\n  {offset:#010x} ")?;
            row.iter().try_for_each(|byte| write!(f, " {byte:02x}"))?;
        }
        Ok(())
    }
}

impl Finding {
    /// Where the bytes concerned lie in the file, or the coded bytes that they are decoded from.
    pub fn place(&self) -> u64 {
        self.coded_at.unwrap_or(self.start)
    }

    /// Describes `problem` as found at `path`.
    pub fn new(
        severity: Severity,
        path: Text,
        spec: Option<&'static str>,
        problem: &Problem<'_>,
    ) -> Self {
        let mut message = Text::default();
        message.push(problem.what);
        match (problem.expected, problem.found) {
            (Show::Nothing, Show::Nothing) => {}
            (Show::Nothing, found) => message.push(format_args!("; found {found}")),
            (expected, Show::Nothing) => message.push(format_args!("; expected {expected}")),
            (expected, found) => {
                message.push(format_args!("; expected {expected}, found {found}"));
            }
        }
        Self {
            severity,
            code: problem.code,
            class: problem.class,
            path,
            start: crate::ops::wide(problem.start),
            end: crate::ops::wide(problem.end),
            coded_at: None,
            message,
            expected: problem.expected,
            found: problem.found,
            spec,
            window: Window::default(),
        }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = if self.path.as_str().is_empty() { "(whole value)" } else { self.path.as_str() };
        write!(f, "{path} at {:#x}..{:#x}", self.start, self.end)?;
        if let Some(at) = self.coded_at {
            write!(f, " of what is decoded from {at:#x}")?;
        }
        write!(f, ": {} [{}]", self.message, self.code)?;
        if !f.alternate() {
            return Ok(());
        }
        if let Some(spec) = self.spec {
            write!(f, " (see {spec})")?;
        }
        fmt::Display::fmt(&self.window, f)
    }
}

/// The finding that stopped a reader or a writer.
///
/// ```
/// use binfmt_runtime::BinFormat;
///
/// #[derive(BinFormat, Debug)]
/// #[bin(little, magic = b"DEMO")]
/// struct Demo {
///     version: u16,
/// }
///
/// let error = Demo::parse(b"DEMO\x01").unwrap_err();
/// assert_eq!(error.finding().path.as_str(), "version");
/// assert_eq!(
///     error.to_string(),
///     "version at 0x4..0x5: the input ends here; expected 2, found 1 [end]"
/// );
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Error(Boxed<Finding>);

impl Error {
    /// Wraps the finding that stopped the walk.
    #[cold]
    pub fn new(finding: Finding) -> Self {
        Self(Boxed::from(finding))
    }

    /// The same about a part of a value: its path begins with the step to that part.
    #[cfg(feature = "alloc")]
    #[cold]
    pub(crate) fn within(self, step: crate::path::Step) -> Self {
        let mut finding = *self.0;
        let mut path = Text::default();
        let dot = if finding.path.as_str().is_empty() || finding.path.as_str().starts_with('[') {
            ""
        } else {
            "."
        };
        path.push(format_args!("{step}{dot}{}", finding.path));
        finding.path = path;
        Self::new(finding)
    }

    /// What stopped the walk: code, path, range, expected and found.
    pub fn finding(&self) -> &Finding {
        &self.0
    }

    /// What kind of damage it is.
    pub fn class(&self) -> Class {
        self.0.class
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        #[cfg(feature = "laws")]
        crate::laws::errors::met();
        write!(f, "Error({self})")
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self.finding(), f)
    }
}

impl core::error::Error for Error {}

#[cfg(feature = "std")]
impl From<Error> for std::io::Error {
    fn from(error: Error) -> Self {
        Self::new(std::io::ErrorKind::InvalidData, error)
    }
}
