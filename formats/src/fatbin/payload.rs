//! What is inside the entries: decoding payloads, and checking that they are what they claim.

use std::borrow::Cow;
use std::string::{String, ToString};

use core::fmt;

use super::codec::{self, Codec, DecodeError};
use super::{Entry, Flags, Kind, Member};
#[cfg(feature = "host")]
use crate::elf_len::elf_len;

/// How many bytes a payload may decode to, unless told otherwise: 256 MiB.
pub const DEFAULT_LIMIT: u64 = 256 << 20;

/// Why a payload is not what its header says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PayloadError {
    /// The stored bytes do not decode to the length that the header says.
    Decode(DecodeError),
    /// The payload is obfuscated, and no tool can read it.
    Obfuscated,
    /// The payload of an ELF entry is not a whole ELF file.
    NotElf,
    /// A member does not lie in the decoded payload.
    MemberOutside,
    /// Members share bytes of the decoded payload.
    MembersOverlap,
}

impl PayloadError {
    /// The code that findings carry.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Decode(_) => "decode",
            Self::Obfuscated => "obfuscated",
            Self::NotElf => "elf",
            Self::MemberOutside => "member",
            Self::MembersOverlap => "member-overlap",
        }
    }
}

impl fmt::Display for PayloadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Decode(error) => fmt::Display::fmt(error, f),
            Self::Obfuscated => {
                f.write_str("the payload is obfuscated; only the CUDA driver can read it")
            }
            Self::NotElf => f.write_str("the payload is not a whole ELF file"),
            Self::MemberOutside => f.write_str("the member does not lie in the decoded payload"),
            Self::MembersOverlap => f.write_str("members share bytes of the decoded payload"),
        }
    }
}

impl core::error::Error for PayloadError {}

impl From<DecodeError> for PayloadError {
    fn from(error: DecodeError) -> Self {
        Self::Decode(error)
    }
}

/// Decodes the payload of an entry, to `limit` bytes at most.
pub fn decode<'a>(entry: &Entry<'a>, limit: u64) -> Result<Cow<'a, [u8]>, PayloadError> {
    if entry.flags.contains(Flags::OBFUSCATED) {
        return Err(PayloadError::Obfuscated);
    }
    match entry.flags.codec() {
        Codec::None => Ok(Cow::Borrowed(entry.payload)),
        codec => {
            Ok(Cow::Owned(codec::decode(codec, entry.payload, entry.uncompressed_len, limit)?))
        }
    }
}

/// The part of a decoded payload that a member is.
pub fn member<'b>(blob: &'b [u8], member: &Member<'_>) -> Result<&'b [u8], PayloadError> {
    let start = usize::try_from(member.blob_offset).ok();
    let end = u64::from(member.blob_offset)
        .checked_add(member.len)
        .and_then(|end| usize::try_from(end).ok());
    let range = start.zip(end).and_then(|(start, end)| blob.get(start..end));
    range.ok_or(PayloadError::MemberOutside)
}

/// The code itself: an ELF file by its own length, PTX without trailing NULs, anything else whole
/// (observed: this is what `cuobjdump` extracts).
pub fn content(kind: Kind, decoded: &[u8]) -> Result<&[u8], PayloadError> {
    if kind.is_elf() {
        let len = elf_content_len(decoded).ok_or(PayloadError::NotElf)?;
        return decoded.get(..len).ok_or(PayloadError::NotElf);
    }
    if kind.is_ptx() {
        let end =
            decoded.iter().rposition(|byte| *byte != 0).map_or(0, |last| last.saturating_add(1));
        return Ok(decoded.get(..end).unwrap_or(decoded));
    }
    Ok(decoded)
}

#[cfg(feature = "host")]
fn elf_content_len(decoded: &[u8]) -> Option<usize> {
    elf_len(decoded)
}

/// Without `host` nothing knows ELF files, and padding stays where it is.
#[cfg(not(feature = "host"))]
fn elf_content_len(decoded: &[u8]) -> Option<usize> {
    decoded.starts_with(b"\x7fELF").then_some(decoded.len())
}

/// Decodes the payload and checks what is in it; nothing is kept but what an ELF check needs.
pub fn check(entry: &Entry<'_>, limit: u64) -> Result<(), PayloadError> {
    let looks_inside = entry.kind.is_elf() || entry.kind == Kind::Concat;
    if !looks_inside && entry.flags.is_compressed() && !entry.flags.contains(Flags::OBFUSCATED) {
        let codec = entry.flags.codec();
        codec::decode_to(codec, entry.payload, entry.uncompressed_len, limit, &mut |_| {})?;
        return Ok(());
    }
    let blob = decode(entry, limit)?;
    if entry.kind.is_elf() {
        content(entry.kind, &blob)?;
    }
    // Members that share bytes would be looked into again and again.
    if entry.members.as_ref().is_some_and(|table| super::kind::overlapping(table).is_some()) {
        return Err(PayloadError::MembersOverlap);
    }
    let members = entry.members.iter().flat_map(|members| members.members.iter());
    for record in members.map_while(Result::ok) {
        content(record.kind, member(&blob, &record)?)?;
    }
    Ok(())
}

/// The architecture as tools write it: `sm_90a`.
pub fn arch_name(arch: u32, flags: Flags) -> String {
    let mut name = String::from("sm_");
    name.push_str(&arch.to_string());
    name.push_str(flags.arch_suffix());
    name
}
