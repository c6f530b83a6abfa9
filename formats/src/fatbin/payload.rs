//! What is inside the entries: decoding payloads, and checking that they are what they claim.

use std::borrow::Cow;

use core::fmt;
use std::vec::Vec;

use binfmt_runtime::Rule;

pub use super::arch_name;
use super::codec::{self, Codec, DecodeError};
use super::{Entry, Flags, Kind, Member};
#[cfg(feature = "host")]
use crate::elf_len::elf_len;

/// How many bytes a payload may decode to, unless told otherwise: 256 MiB.
pub const DEFAULT_LIMIT: u64 = 256 << 20;

binfmt_runtime::rule_table! {
    /// The rules of payloads, which [`check`] looks at.
    pub const RULES;
    "fat binary document, Entry Structure" {
        UNDECODABLE: error "fatbin.entry.payload.decode", "the stored bytes do not decode to the length that the header says";
        HIDDEN: note "fatbin.entry.payload.obfuscated", "the payload is obfuscated; only the CUDA driver can read it";
        NOT_ELF: error "fatbin.entry.payload.elf", "the entry says that its payload is an ELF file, and it is not a whole one";
        NOT_PTX: error "fatbin.entry.payload.ptx", "the entry says that its payload is PTX, and it is an ELF file";
        MEMBER_NOT_ELF: error "fatbin.member.kind.elf", "the member says that it is an ELF file, and it is not a whole one";
        MEMBER_NOT_PTX: error "fatbin.member.kind.ptx", "the member says that it is PTX, and it is an ELF file";
        OUTSIDE: error "fatbin.member.len.outside", "the member does not lie in the decoded payload";
        SHARED: error "fatbin.members.members.shared", "members share bytes of the decoded payload";
    }
}

/// Why a payload is not what its header says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PayloadError {
    /// The stored bytes do not decode to the length that the header says.
    Decode(DecodeError),
    /// The payload is obfuscated, and no tool can read it.
    Obfuscated,
    /// The payload of an ELF entry is not a whole ELF file.
    NotElf,
    /// The payload of a PTX entry is an ELF file.
    NotPtx,
    /// A member does not lie in the decoded payload.
    MemberOutside,
    /// Members share bytes of the decoded payload.
    MembersOverlap,
    /// A member that says it is an ELF file is not a whole one.
    MemberNotElf,
    /// A member that says it is PTX is an ELF file.
    MemberNotPtx,
}

impl PayloadError {
    /// The rule that is broken, whose code findings carry.
    pub const fn rule(&self) -> &'static Rule {
        match self {
            Self::Decode(_) => &UNDECODABLE,
            Self::Obfuscated => &HIDDEN,
            Self::NotElf => &NOT_ELF,
            Self::NotPtx => &NOT_PTX,
            Self::MemberOutside => &OUTSIDE,
            Self::MembersOverlap => &SHARED,
            Self::MemberNotElf => &MEMBER_NOT_ELF,
            Self::MemberNotPtx => &MEMBER_NOT_PTX,
        }
    }

    /// The same of a member instead of an entry.
    fn of_member(self) -> Self {
        match self {
            Self::NotElf => Self::MemberNotElf,
            Self::NotPtx => Self::MemberNotPtx,
            other => other,
        }
    }
}

impl fmt::Display for PayloadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Decode(error) => fmt::Display::fmt(error, f),
            other => f.write_str(other.rule().text),
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

const ELF_MAGIC: &[u8] = b"\x7fELF";

#[cfg(feature = "host")]
fn elf_content_len(decoded: &[u8]) -> Option<usize> {
    elf_len(decoded)
}

/// Without `host` nothing knows ELF files, and padding stays where it is.
#[cfg(not(feature = "host"))]
fn elf_content_len(decoded: &[u8]) -> Option<usize> {
    decoded.starts_with(ELF_MAGIC).then_some(decoded.len())
}

/// Decodes the payload and checks that it is what its entry and its members say; nothing is kept but
/// what that needs.
pub fn check(entry: &Entry<'_>, limit: u64) -> Result<(), PayloadError> {
    let is_whole = entry.kind.is_elf() || entry.kind == Kind::Concat;
    if !is_whole && entry.flags.is_compressed() && !entry.flags.contains(Flags::OBFUSCATED) {
        return check_head(entry, limit);
    }
    let blob = decode(entry, limit)?;
    says(entry.kind, &blob)?;
    // Members that share bytes would be looked into again and again.
    if entry.members.as_ref().is_some_and(|table| super::kind::overlapping(table).is_some()) {
        return Err(PayloadError::MembersOverlap);
    }
    let members = entry.members.iter().flat_map(|members| members.members.iter());
    for record in members.map_while(Result::ok) {
        says(record.kind, member(&blob, &record)?).map_err(PayloadError::of_member)?;
    }
    Ok(())
}

/// Whether a payload is what its kind says.
fn says(kind: Kind, decoded: &[u8]) -> Result<(), PayloadError> {
    if kind.is_ptx() && decoded.starts_with(ELF_MAGIC) {
        return Err(PayloadError::NotPtx);
    }
    content(kind, decoded).map(|_| ())
}

/// The same of a payload whose first bytes say enough.
fn check_head(entry: &Entry<'_>, limit: u64) -> Result<(), PayloadError> {
    let mut head = Vec::new();
    let mut keep = |bytes: &[u8]| {
        let missing = ELF_MAGIC.len().saturating_sub(head.len());
        head.extend(bytes.iter().take(missing));
    };
    let codec = entry.flags.codec();
    codec::decode_to(codec, entry.payload, entry.uncompressed_len, limit, &mut keep)?;
    says(entry.kind, &head)
}
