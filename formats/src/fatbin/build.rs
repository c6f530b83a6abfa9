//! New containers, and files with other code in them.

use std::borrow::Cow;
use std::string::String;
use std::vec::Vec;

use core::fmt;

use binfmt_runtime::{BinFormat, Error};
use hashbrown::HashMap;

use super::codec::{self, Codec};
use super::file::{self, FileError, Located};
use super::payload::{self, PayloadError};
use super::{Arch, Container, Entry, Flags, Item, Kind, Options, Region};
use crate::shared::wide;

/// An entry that is to be written: code as it is, which is stored with a codec then.
///
/// ```
/// use binfmt_formats::fatbin::codec::Codec;
/// use binfmt_formats::fatbin::{Draft, Kind, container, file};
///
/// let mut drafts = Vec::new();
/// for (arch, code) in [("sm_80", b"some code"), ("sm_90a", b"more code")] {
///     let mut draft = Draft::new(Kind::Nvvm, arch.parse()?, &code[..]);
///     draft.codec = Codec::Zstd;
///     draft.name = Some(b"kernel.cu"[..].into());
///     drafts.push(draft);
/// }
/// let bytes = container(&drafts)?;
/// let second = file::entries(&bytes)?.nth(1).unwrap()?;
/// assert_eq!(second.entry.architecture().to_string(), "sm_90a");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Draft<'a> {
    /// What the code is.
    pub kind: Kind,
    /// What it is for; the flags say more about how it was compiled.
    pub arch: Arch,
    /// How it is stored.
    pub codec: Codec,
    /// Version of the code, major and minor: of PTX, of the cubin's ABI.
    pub code_version: (u16, u16),
    /// The identifier, usually a source file name.
    pub name: Option<Cow<'a, [u8]>>,
    /// Options of the compiler that is to finish the code.
    pub options: Option<Cow<'a, [u8]>>,
    /// The code. PTX gets the NUL that the tools write behind it.
    pub code: Cow<'a, [u8]>,
}

impl<'a> Draft<'a> {
    /// Code without a name, stored plain.
    pub fn new(kind: Kind, arch: Arch, code: impl Into<Cow<'a, [u8]>>) -> Self {
        let (name, options) = (None, None);
        Self {
            kind,
            arch,
            codec: Codec::None,
            code_version: (0, 0),
            name,
            options,
            code: code.into(),
        }
    }

    fn entry<'e>(&'e self, stored: &'e Stored) -> Entry<'e> {
        let plain = Entry::plain(self.kind, self.arch.number, &stored.bytes);
        let options = self.options.as_deref().or(self.kind.needs_options().then_some(&[]));
        Entry {
            flags: plain.flags | self.arch.flags.difference(Flags::CODECS) | self.codec.flag(),
            uncompressed_len: stored.decoded_len,
            code_major: self.code_version.0,
            code_minor: self.code_version.1,
            name: self.name.as_deref(),
            // Any offset but 0 says that there is one; the writer puts in the real one.
            name_offset: u32::from(self.name.is_some()).saturating_mul(64),
            options_offset: u32::from(options.is_some()).saturating_mul(64),
            options: options.map(Options::new),
            ..plain
        }
    }
}

/// Why code cannot be put into a file.
#[derive(Debug)]
#[non_exhaustive]
pub enum BuildError {
    /// The file cannot be read, or not be written.
    File(FileError),
    /// Code is not what its kind says.
    Code(PayloadError),
    /// An entry is of a kind whose code cannot be changed: several members share it, or it is
    /// obfuscated.
    Closed(String),
    /// An encoder failed.
    Encode(std::io::Error),
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(error) => error.fmt(f),
            Self::Code(error) => error.fmt(f),
            Self::Closed(path) => {
                write!(
                    f,
                    "{path}: code that members share, or that is obfuscated, cannot be changed"
                )
            }
            Self::Encode(error) => write!(f, "the code cannot be encoded: {error}"),
        }
    }
}

impl core::error::Error for BuildError {}

impl From<Error> for BuildError {
    fn from(error: Error) -> Self {
        Self::File(FileError::Container(error))
    }
}

impl From<FileError> for BuildError {
    fn from(error: FileError) -> Self {
        Self::File(error)
    }
}

/// Bytes of a payload, and how many they decode to; 0 if they are stored plain.
struct Stored {
    bytes: Vec<u8>,
    decoded_len: u64,
}

/// Code as it is stored.
fn stored(kind: Kind, codec: Codec, code: &[u8]) -> Result<Stored, BuildError> {
    payload::content(kind, code).map_err(BuildError::Code)?;
    if kind.is_ptx() && code.starts_with(b"\x7fELF") {
        return Err(BuildError::Code(PayloadError::NotPtx));
    }
    let mut whole = Cow::Borrowed(code);
    if kind.is_ptx() && code.last() != Some(&0) {
        whole.to_mut().push(0);
    }
    if codec == Codec::None {
        // The tools fill plain payloads up, and store no length beside that.
        let len = whole.len().next_multiple_of(8);
        whole.to_mut().resize(len, 0);
        return Ok(Stored { bytes: whole.into_owned(), decoded_len: 0 });
    }
    let bytes = codec::encode(codec, &whole).map_err(BuildError::Encode)?;
    Ok(Stored { bytes, decoded_len: wide(whole.len()) })
}

/// A container with these entries.
pub fn container(drafts: &[Draft<'_>]) -> Result<Vec<u8>, BuildError> {
    let stored = drafts.iter().map(|it| stored(it.kind, it.codec, &it.code));
    let stored: Vec<Stored> = stored.collect::<Result<_, _>>()?;
    let entries = drafts.iter().zip(&stored).map(|(draft, stored)| draft.entry(stored));
    let entries: Vec<Entry<'_>> = entries.collect();
    Ok(Container::new(&entries).to_vec()?)
}

/// What becomes of an entry.
#[derive(Debug, Clone)]
pub enum Change<'a> {
    /// It gets other code, stored with the codec that it has.
    Code(Cow<'a, [u8]>),
    /// It goes.
    Drop,
}

/// A raw file with changed entries, which `change` is asked for by their paths, and with new ones at
/// the end of its last container. Everything else stays as it is, but where it lies.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/corpus/fatbin/");
/// use binfmt_formats::fatbin::{Change, file, rebuild};
///
/// let old = std::fs::read(format!("{folder}n13_multi.fatbin"))?;
/// assert_eq!(rebuild(&old, &mut |_| None, &[])?, old);
/// let first = |path: &str| (path == "items[0].entries[0]").then_some(Change::Drop);
/// let new = rebuild(&old, &mut { first }, &[])?;
/// assert_eq!(file::entries(&new)?.count() + 1, file::entries(&old)?.count());
/// # Ok(())
/// # }
/// ```
pub fn rebuild<'c>(
    file: &[u8],
    change: &mut dyn FnMut(&str) -> Option<Change<'c>>,
    added: &[Draft<'_>],
) -> Result<Vec<u8>, BuildError> {
    let fates = fates(file, change)?;
    let stored = added.iter().map(|it| stored(it.kind, it.codec, &it.code));
    let stored: Vec<Stored> = stored.collect::<Result<_, _>>()?;
    // Entries that borrow from new code are read after that has been made.
    let (region, behind) = Region::parse_prefix(file)?;
    let items: Vec<Item<'_>> = region.items.iter().collect::<Result<_, _>>()?;
    let last = items.iter().rposition(|item| matches!(item, Item::Container(_)));
    let mut entries = Vec::new();
    for (item, index) in items.iter().zip(0_usize..) {
        let mut kept = Vec::new();
        if let Item::Container(container) = item {
            for (entry, at) in container.entries.iter().zip(0_u64..) {
                kept.extend(fated(
                    entry?,
                    fates.get(&std::format!("items[{index}].entries[{at}]")),
                ));
            }
        }
        if last == Some(index) {
            kept.extend(added.iter().zip(&stored).map(|(draft, stored)| draft.entry(stored)));
        }
        entries.push(kept);
    }
    let mut out = Vec::new();
    for (item, entries) in items.iter().zip(&entries) {
        let item = match item {
            Item::Gap => Item::Gap,
            Item::Container(container) => Item::Container(Container {
                size: 0,
                entries: (&entries[..]).into(),
                ..container.clone()
            }),
        };
        out.extend_from_slice(&item.to_vec()?);
    }
    if last.is_none() && !added.is_empty() {
        out.extend_from_slice(&container(added)?);
    }
    out.extend_from_slice(behind);
    Ok(out)
}

/// An entry as it is now, if it stays.
fn fated<'e>(entry: Entry<'e>, fate: Option<&'e Option<Stored>>) -> Option<Entry<'e>> {
    match fate {
        None => Some(entry),
        Some(None) => None,
        Some(Some(code)) => Some(Entry {
            payload: &code.bytes,
            padded_len: 0,
            stored_len: 0,
            uncompressed_len: code.decoded_len,
            ..entry
        }),
    }
}

/// The entries that change, by their paths: new code, or none for one that goes.
fn fates<'c>(
    file: &[u8],
    change: &mut dyn FnMut(&str) -> Option<Change<'c>>,
) -> Result<HashMap<String, Option<Stored>>, BuildError> {
    let mut fates = HashMap::new();
    for located in file::entries(file)? {
        let Located { path, entry, .. } = located?;
        let fate = match change(&path) {
            None => continue,
            Some(Change::Drop) => None,
            Some(Change::Code(_)) if entry.is_closed() => return Err(BuildError::Closed(path)),
            Some(Change::Code(code)) => Some(stored(entry.kind, entry.flags.codec(), &code)?),
        };
        fates.insert(path, fate);
    }
    Ok(fates)
}

impl Entry<'_> {
    /// Whether its code cannot be changed: members share it, or nobody can read it.
    fn is_closed(&self) -> bool {
        self.kind == Kind::Concat || self.flags.contains(Flags::OBFUSCATED)
    }
}

/// Whether a file is one of containers alone, whose code can be changed.
pub fn is_raw(file: &[u8]) -> Result<bool, FileError> {
    Ok(file::parts(file)?.iter().all(|part| part.path_prefix().is_empty()))
}

impl core::str::FromStr for Arch {
    type Err = ArchError;

    /// An architecture as tools write it: `sm_90a`.
    fn from_str(text: &str) -> Result<Self, ArchError> {
        let failed = || ArchError(text.into());
        let number = text.strip_prefix("sm_").or_else(|| text.strip_prefix("compute_"));
        let number = number.ok_or_else(failed)?;
        let (number, flags) = match number.strip_suffix('a') {
            Some(number) => (number, Flags::ARCH_SPECIFIC),
            None => match number.strip_suffix('f') {
                Some(number) => (number, Flags::FAMILY_SPECIFIC),
                None => (number, Flags::empty()),
            },
        };
        let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
        let number = number.parse().ok().filter(|_| is_number).ok_or_else(failed)?;
        Ok(Self { number, flags })
    }
}

/// A text that names no architecture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArchError(String);

impl fmt::Display for ArchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is no architecture; one is called `sm_90`, `sm_90a` or `sm_100f`", self.0)
    }
}

impl core::error::Error for ArchError {}

#[cfg(test)]
mod tests {
    use std::string::ToString as _;

    use super::*;

    #[test]
    fn architectures_are_named_as_tools_do() {
        for name in ["sm_90", "sm_90a", "sm_100f", "sm_0"] {
            assert_eq!(name.parse::<Arch>().unwrap().to_string(), name);
        }
        assert_eq!("compute_75".parse::<Arch>().unwrap().to_string(), "sm_75");
        for name in ["", "90", "sm_", "sm_a", "sm_+9", "sm_90b", "sm_99999999999"] {
            assert_eq!(name.parse::<Arch>().unwrap_err(), ArchError(name.into()));
        }
    }

    #[test]
    fn code_of_every_codec_is_read_again() {
        let arch = Arch { number: 90, flags: Flags::ARCH_SPECIFIC };
        let text = b".version 8.0 // and some more".repeat(20);
        for codec in Codec::ALL {
            let mut draft = Draft::new(Kind::Ptx, arch, &text[..]);
            draft.codec = codec;
            draft.name = Some(Cow::Borrowed(b"k.cu"));
            draft.code_version = (8, 0);
            let bytes = container(&[draft.clone(), draft]).unwrap();
            assert!(Region::validate(&bytes).findings().is_empty(), "{codec}");
            for located in file::entries(&bytes).unwrap() {
                let entry = located.unwrap().entry;
                assert_eq!(entry.name_bytes(), b"k.cu");
                let decoded = payload::decode(&entry, 1 << 20).unwrap();
                assert_eq!(payload::content(Kind::Ptx, &decoded).unwrap(), text);
                payload::check(&entry, 1 << 20).unwrap();
            }
            let other = b".version 8.1";
            let change = &mut |path: &str| {
                path.ends_with("[1]").then_some(Change::Code(Cow::Borrowed(&other[..])))
            };
            let new = rebuild(&bytes, change, &[]).unwrap();
            assert!(Region::validate(&new).findings().is_empty(), "{codec}");
            let codes = file::entries(&new).unwrap().map(|located| {
                let decoded = payload::decode(&located.unwrap().entry, 1 << 20).unwrap();
                payload::content(Kind::Ptx, &decoded).unwrap().to_vec()
            });
            assert_eq!(codes.collect::<Vec<_>>(), [&text[..], other], "{codec}");
        }
    }

    #[test]
    fn code_that_is_not_of_its_kind_is_refused() {
        let arch = Arch { number: 90, flags: Flags::empty() };
        for (kind, code) in [(Kind::Elf, &b"text"[..]), (Kind::Ptx, b"\x7fELF...")] {
            let error = container(&[Draft::new(kind, arch, code)]).unwrap_err();
            assert!(matches!(error, BuildError::Code(_)), "{error}");
        }
    }
}
