//! What makes a file of GPU code big.

use std::string::{String, ToString as _};
use std::vec::Vec;

use super::file::{self, FileError, Placed};
use super::{Entry, Kind};
use crate::shared::{offset_within, wide};
use crate::summary::{Claims, Facts, Purpose, Summary};

/// What claims more than what lies around it: the file, a container, an entry, its payload.
const HOST: u8 = 0;
const CONTAINER: u8 = 1;
const ENTRY: u8 = 2;
const PAYLOAD: u8 = 3;

/// What makes a file big: code by architecture, kind and name, and what lies around it. What is inside
/// the code is not decoded; [`functions`] does that for an entry.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/corpus/fatbin/");
/// use binfmt_formats::fatbin;
/// use binfmt_formats::summary::Facet;
///
/// let file = std::fs::read(format!("{folder}n13_multi.fatbin"))?;
/// let summary = fatbin::summary(&file)?;
/// assert!(summary.by(Facet::Arch).iter().any(|it| it.name.as_deref() == Some("sm_90")));
/// # Ok(())
/// # }
/// ```
pub fn summary(file: &[u8]) -> Result<Summary, FileError> {
    let mut claims = Claims::default();
    let mut unread = Vec::new();
    for part in file::parts(file)? {
        if !part.path_prefix().is_empty() {
            claims.add(0..u64::MAX, HOST, Facts::of(Purpose::Host));
        }
        for placed in file::containers(file, &part) {
            match placed {
                Ok(placed) => container(file, &placed, &part.name, &mut claims),
                Err(error) => unread.push(std::format!("{}{error}", part.path_prefix())),
            }
        }
    }
    let len = wide(file.len());
    Ok(Summary { len, pieces: claims.settle(len), unread, ..Summary::default() })
}

fn container(file: &[u8], placed: &Placed<'_>, part: &str, claims: &mut Claims) {
    let Placed { offset, container, .. } = placed;
    let entries = offset.saturating_add(container.header_len.into());
    let end = entries.saturating_add(container.size);
    claims.add(*offset..end, CONTAINER, Facts::of(Purpose::Padding).at(part));
    claims.add(*offset..entries, ENTRY, Facts::of(Purpose::Header).at(part));
    for (offset, entry) in placed.entries().map_while(Result::ok) {
        let header = offset..offset.saturating_add(entry.header_len.into());
        claims.add(header, ENTRY, Facts::of(Purpose::Tables).at(part));
        let start = offset_within(file, entry.payload).unwrap_or(u64::MAX);
        let end = start.saturating_add(wide(entry.payload.len()));
        claims.add(start..end, PAYLOAD, code(&entry).at(part));
    }
}

/// What is known about the payload of an entry.
fn code(entry: &Entry<'_>) -> Facts {
    let mut facts = Facts::of(purpose(entry.kind));
    facts.dtype = Some(entry.kind.name());
    facts.codec = Some(entry.flags.codec().name());
    let members = entry.members.as_ref().filter(|_| entry.kind == Kind::Concat);
    let members = members.iter().flat_map(|table| table.members.iter()).map_while(Result::ok);
    let mut archs: Vec<String> = members.map(|it| it.architecture().to_string()).collect();
    archs.sort_unstable();
    archs.dedup();
    facts.arch = Some(match &archs[..] {
        [] => entry.architecture().to_string(),
        archs => archs.join(" + "),
    });
    let name = entry.name.filter(|name| !name.is_empty());
    facts.name = name.map(|name| String::from_utf8_lossy(name).into_owned());
    facts
}

const fn purpose(kind: Kind) -> Purpose {
    match kind {
        Kind::Elf | Kind::ElfAlternate | Kind::OldCubin | Kind::Concat => Purpose::Code,
        Kind::Ptx | Kind::RelocPtx | Kind::Nvvm | Kind::TileIr => Purpose::Intermediate,
        Kind::Index => Purpose::Tables,
        Kind::Invalid | Kind::Other(_) => Purpose::Unused,
    }
}

/// The functions of an entry, and of its members, the largest first; nothing for code that has yet to
/// be compiled. The payload is decoded, to `limit` bytes at most.
#[cfg(all(feature = "codecs", feature = "elf"))]
pub fn functions(
    located: &file::Located<'_>,
    limit: u64,
) -> Result<Vec<crate::summary::Function>, super::kernels::KernelError> {
    use super::kernels::{self, KernelError};
    use super::payload;

    let file::Located { path, entry, .. } = located;
    let mut all = Vec::new();
    let mut add = |kind: Kind, path: &str, arch: super::Arch, code: &[u8]| {
        if !kind.is_elf() {
            return Ok(());
        }
        let code = payload::content(kind, code).map_err(KernelError::Payload)?;
        all.extend(kernels::of_cubin(code)?.into_iter().map(|it| crate::summary::Function {
            name: it.name,
            path: path.into(),
            arch: arch.to_string(),
            len: it.len,
            is_kernel: it.is_entry,
        }));
        Ok(())
    };
    if entry.kind.is_elf() {
        let code = payload::decode(entry, limit).map_err(KernelError::Payload)?;
        add(entry.kind, path, entry.architecture(), &code)?;
    } else if let Some(table) = entry.members.as_ref().filter(|_| entry.kind == Kind::Concat) {
        let blob = payload::decode(entry, limit).map_err(KernelError::Payload)?;
        for (member, index) in table.members.iter().map_while(Result::ok).zip(0_u64..) {
            let code = payload::member(&blob, &member).map_err(KernelError::Payload)?;
            let path = std::format!("{path}.members[{index}]");
            add(member.kind, &path, member.architecture(), code)?;
        }
    }
    all.sort_by(|a, b| (b.len, &a.name).cmp(&(a.len, &b.name)));
    Ok(all)
}
