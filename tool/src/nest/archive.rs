//! The members of archives, one after the other.

use std::borrow::Cow;
use std::ffi::{OsStr, OsString};
use std::io::{self, Cursor, Read};
use std::path::Path;

use binfmt_formats::host;

use super::{Kind, Limits};
use crate::paths::from_bytes;

/// How much memory a decoder may take, in bytes: the settings of any tool need less.
const MOST_MEMORY: u64 = 256 << 20;

/// A file in an archive.
pub(super) struct Member<'m> {
    pub(super) name: OsString,
    /// Its bytes as they are unpacked, or why they cannot be.
    pub(super) content: Result<&'m mut dyn Read, String>,
    /// How many bytes it takes in the archive, where that is known.
    pub(super) stored: Option<u64>,
}

/// Takes a member; `false` if that is enough.
pub(super) type Take<'t> = dyn FnMut(Member<'_>, &mut Limits) -> bool + 't;

/// Hands every regular file in an archive to `take`, until it has enough.
pub(super) fn members(
    kind: Kind,
    path: &Path,
    bytes: &[u8],
    limits: &mut Limits,
    take: &mut Take<'_>,
) -> Result<(), String> {
    let stored = Some(crate::json::wide(bytes.len()));
    let mut one = |content: &mut dyn Read| {
        take(Member { name: stem(path), content: Ok(content), stored }, limits);
    };
    match kind {
        Kind::Zip => return zipped(bytes, limits, take),
        Kind::Tar => return tarred(bytes, limits, take),
        Kind::Ar => return arred(bytes, limits, take),
        Kind::Gzip => one(&mut flate2::read::MultiGzDecoder::new(bytes)),
        Kind::Zstd => one(&mut zstd::stream::read::Decoder::new(bytes).map_err(unreadable)?),
        Kind::Xz => {
            let flags = liblzma::stream::CONCATENATED;
            let stream = liblzma::stream::Stream::new_stream_decoder(MOST_MEMORY, flags);
            let stream = stream.map_err(unreadable)?;
            one(&mut liblzma::read::XzDecoder::new_stream(bytes, stream));
        }
    }
    Ok(())
}

fn unreadable(error: impl std::fmt::Display) -> String {
    format!("it cannot be looked into: {error}")
}

/// What a compressed file is called when it is unpacked.
fn stem(path: &Path) -> OsString {
    let separates = |byte: &u8| *byte == b'/' || char::from(*byte) == super::SEPARATOR;
    let name = path.as_os_str().as_encoded_bytes().rsplit(separates).next().unwrap_or_default();
    let dot = name.iter().rposition(|byte| *byte == b'.').filter(|at| *at > 0);
    match dot.and_then(|dot| name.split_at_checked(dot)) {
        Some((stem, b".tgz" | b".txz" | b".tzst")) => from_bytes(&[stem, b".tar"].concat()),
        Some((stem, _)) => from_bytes(stem),
        None => OsStr::new("content").to_owned(),
    }
}

fn arred(bytes: &[u8], limits: &mut Limits, take: &mut Take<'_>) -> Result<(), String> {
    for (name, range) in host::archive_files(bytes).map_err(unreadable)? {
        let mut content = bytes.get(range).unwrap_or_default();
        let stored = Some(crate::json::wide(content.len()));
        if !take(Member { name: from_bytes(&name), content: Ok(&mut content), stored }, limits) {
            return Ok(());
        }
    }
    Ok(())
}

fn zipped(bytes: &[u8], limits: &mut Limits, take: &mut Take<'_>) -> Result<(), String> {
    let mut archive = zip::ZipArchive::new(Cursor::new(bytes)).map_err(unreadable)?;
    let hidden = listed(bytes, archive.central_directory_start()).saturating_sub(archive.len());
    for index in 0..archive.len() {
        let name = archive.name_for_index(index).and_then(Result::ok).map(Cow::into_owned);
        let name = OsString::from(name.unwrap_or_else(|| format!("#{index}")));
        let mut member = match archive.by_index(index) {
            Ok(member) => member,
            Err(error) => {
                if !take(Member { name, content: Err(unreadable(error)), stored: None }, limits) {
                    return Ok(());
                }
                continue;
            }
        };
        if !member.is_file() {
            continue;
        }
        let stored = Some(member.compressed_size());
        if !take(Member { name, content: Ok(&mut member), stored }, limits) {
            return Ok(());
        }
    }
    match hidden {
        0 => Ok(()),
        hidden => Err(format!("{hidden} of its members have the name of another")),
    }
}

/// How many members the directory of an archive has, those too that have the name of another.
fn listed(bytes: &[u8], start: u64) -> usize {
    let mut rest = usize::try_from(start).ok().and_then(|at| bytes.get(at..)).unwrap_or_default();
    let mut count = 0;
    while let Some((head, behind)) = rest.split_at_checked(46) {
        if !head.starts_with(b"PK\x01\x02") {
            break;
        }
        let len = |at: usize| {
            let two = head.get(at..).and_then(<[u8]>::first_chunk);
            two.map_or(0, |two| usize::from(u16::from_le_bytes(*two)))
        };
        rest = behind.get(len(28) + len(30) + len(32)..).unwrap_or_default();
        count += 1;
    }
    count
}

fn tarred(bytes: &[u8], limits: &mut Limits, take: &mut Take<'_>) -> Result<(), String> {
    let mut archive = tar::Archive::new(bytes);
    for member in archive.entries().map_err(unreadable)? {
        let mut member = member.map_err(unreadable)?;
        if !member.header().entry_type().is_file() {
            continue;
        }
        let name = from_bytes(&member.path_bytes());
        let size = member.size();
        let mut content = member.by_ref().chain(io::empty());
        if !take(Member { name, content: Ok(&mut content), stored: Some(size) }, limits) {
            return Ok(());
        }
    }
    Ok(())
}
