//! Why a payload does not decode.

use core::fmt;
use std::string::String;

use super::Codec;

/// Why a payload does not decode to what its header says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DecodeError {
    pub(super) codec: Codec,
    pub(super) cause: Cause,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Cause {
    OverLimit { claimed: u64, limit: u64 },
    Impossible { claimed: u64, most: u64 },
    Shorter { decoded: u64, claimed: u64 },
    Longer { claimed: u64 },
    CutShort,
    Damaged(String),
    Left { count: u64 },
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let codec = self.codec;
        match &self.cause {
            Cause::OverLimit { claimed, limit } => {
                write!(f, "the header claims {claimed} decoded bytes, the limit is {limit}")
            }
            Cause::Impossible { claimed, most } => write!(
                f,
                "the header claims {claimed} decoded bytes, \
                 an {codec} payload of this size holds at most {most}"
            ),
            Cause::Shorter { decoded, claimed } => {
                write!(
                    f,
                    "the {codec} stream decodes to {decoded} bytes, the header says {claimed}"
                )
            }
            Cause::Longer { claimed } => write!(
                f,
                "the {codec} stream decodes to more than the {claimed} bytes that the header says"
            ),
            Cause::CutShort => write!(f, "the {codec} stream is cut short"),
            Cause::Damaged(what) => write!(f, "the {codec} stream is damaged: {what}"),
            Cause::Left { count: 1 } => write!(f, "1 byte is left after the {codec} stream"),
            Cause::Left { count } => write!(f, "{count} bytes are left after the {codec} stream"),
        }
    }
}

impl core::error::Error for DecodeError {}
