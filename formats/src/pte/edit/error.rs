//! Why a program cannot be changed.

use alloc::string::String;

use binfmt_runtime::Error;

/// Why a program cannot be changed.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum EditError {
    /// It cannot be read or written.
    Format(Error),
    /// The file that would be written breaks this rule.
    Broken(Error),
    /// The bytes of this segment do not lie in the file.
    MissingSegment(u64),
    /// There is no such segment.
    NoSegment(u64),
    /// There is no constant of that index that a tensor of known size uses.
    NoConstant(u32),
    /// There is no first state of that index in that list that a tensor of known size uses.
    NoState {
        /// The index of the list in `mutable_data_segments`.
        list: u64,
        /// The index in that list.
        index: u32,
    },
    /// There is no data with this key.
    NoKey(String),
    /// There is data with this key already.
    KeyExists(String),
    /// A tensor has another number of bytes.
    Len {
        /// How many bytes its type and its sizes make.
        expected: u64,
        /// How many there are.
        found: u64,
    },
    /// The tensor has no bytes in this file.
    NotStored,
    /// There are more segments, or they are larger, than a file can have.
    TooLarge,
    /// Segments are aligned to a power of two between 16 and 65,536.
    Align(u64),
}

impl core::fmt::Display for EditError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Format(error) => error.fmt(f),
            Self::Broken(error) => write!(f, "the file would break a rule: {error}"),
            Self::MissingSegment(index) => write!(f, "segment {index} does not lie in the file"),
            Self::NoSegment(index) => write!(f, "there is no segment {index}"),
            Self::NoConstant(index) => write!(f, "no tensor has constant {index}"),
            Self::NoState { list, index } => {
                write!(f, "no tensor has first state {index} of list {list}")
            }
            Self::NoKey(key) => write!(f, "there is no data with the key `{key}`"),
            Self::KeyExists(key) => write!(f, "there is data with the key `{key}` already"),
            Self::Len { expected, found } => {
                write!(f, "type and sizes make {expected} bytes, and {found} do not fit")
            }
            Self::NotStored => f.write_str("the tensor has no bytes in this file"),
            Self::TooLarge => f.write_str("there are more bytes or segments than a file can have"),
            Self::Align(align) => {
                write!(f, "{align} is no alignment; use a power of two between 16 and 65,536")
            }
        }
    }
}

impl core::error::Error for EditError {}

impl From<Error> for EditError {
    fn from(error: Error) -> Self {
        Self::Format(error)
    }
}
