//! Whole files: raw ones, and, with `host`, ELF files and archives that hold containers.

use std::io;
use std::string::String;
use std::vec::Vec;

use core::fmt;
use core::ops::Range;

use binfmt_runtime::{BinFormat, Class, Error, Problem, Report, Show};

use super::{CONTAINER_HEADER_LEN, Container, Entry, Item, Magic, Region};
#[cfg(feature = "host")]
use crate::host;

/// A part of a file that holds containers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// `file`, or the section, or `member:section` in an archive.
    pub name: String,
    /// Where it lies in the file, in bytes.
    pub range: Range<usize>,
}

impl Part {
    /// What paths of this part begin with: nothing in a raw file.
    pub fn path_prefix(&self) -> String {
        if self.name == RAW { String::new() } else { std::format!("{}:", self.name) }
    }
}

const RAW: &str = "file";

/// Why a file holds no containers, or cannot be written again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FileError {
    /// The ELF file or archive is damaged.
    #[cfg(feature = "host")]
    Host(host::HostError),
    /// A container cannot be read or written.
    Container(Error),
    /// A container would change its size, which in a file of others it cannot.
    Resized,
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            #[cfg(feature = "host")]
            Self::Host(error) => fmt::Display::fmt(error, f),
            Self::Container(error) => fmt::Display::fmt(error, f),
            Self::Resized => f.write_str("a container would change its size within another file"),
        }
    }
}

impl core::error::Error for FileError {}

impl From<Error> for FileError {
    fn from(error: Error) -> Self {
        Self::Container(error)
    }
}

/// The parts of a file that tools look for device code in, in file order.
pub fn parts(file: &[u8]) -> Result<Vec<Part>, FileError> {
    #[cfg(feature = "host")]
    if host::kind_of(file) != host::HostKind::Raw {
        let found = host::device_code_parts(file).map_err(FileError::Host)?;
        return Ok(found
            .into_iter()
            .map(|part| Part { name: part.name, range: part.range })
            .collect());
    }
    Ok(std::vec![Part { name: RAW.into(), range: 0..file.len() }])
}

/// A container with its place.
#[derive(Debug, Clone)]
pub struct Placed<'a> {
    /// Absolute offset of the container, in bytes.
    pub offset: u64,
    /// Its index among the items of its part, gaps counted.
    pub index: u64,
    /// The container.
    pub container: Container<'a>,
}

impl<'a> Placed<'a> {
    /// The entries, each with its absolute offset.
    pub fn entries(&self) -> impl Iterator<Item = Result<(u64, Entry<'a>), Error>> + use<'a> {
        with_offsets(self.container.entries)
    }
}

/// The containers of a part, in file order; the first broken one ends the list.
pub fn containers<'a>(
    file: &'a [u8],
    part: &Part,
) -> impl Iterator<Item = Result<Placed<'a>, Error>> + use<'a> {
    let region = Region::parse_in(file, part.range.clone(), ());
    let (items, error) = match region {
        Ok(region) => (Some(with_offsets(region.items)), None),
        Err(error) => (None, Some(Err(error))),
    };
    let placed = items.into_iter().flatten().zip(0_u64..).filter_map(|(item, index)| match item {
        Ok((offset, Item::Container(container))) => Some(Ok(Placed { offset, index, container })),
        Ok((_, Item::Gap)) => None,
        Err(error) => Some(Err(error)),
    });
    placed.chain(error)
}

/// An entry, wherever it is in a file.
#[derive(Debug, Clone)]
pub struct Located<'a> {
    /// The part that it lies in, as [`Part`] names it.
    pub part: String,
    /// Where it is declared, as findings say it, such as `.nv_fatbin:items[0].entries[3]`.
    pub path: String,
    /// Absolute offset of its header, in bytes.
    pub offset: u64,
    /// The entry.
    pub entry: Entry<'a>,
}

/// All entries of a file: of all containers of all its parts, in file order. What cannot be read is an
/// error, and ends its part.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/corpus/fatbin/");
/// use binfmt_formats::fatbin::file;
///
/// // Two containers, one behind the other.
/// let bytes = std::fs::read(format!("{folder}cat_two.fatbin"))?;
/// let paths: Result<Vec<_>, _> = file::entries(&bytes)?.map(|it| it.map(|it| it.path)).collect();
/// let paths = paths?;
/// assert_eq!(paths.first().unwrap(), "items[0].entries[0]");
/// assert!(paths.last().unwrap().starts_with("items[1]"));
/// # Ok(())
/// # }
/// ```
pub fn entries(file: &[u8]) -> Result<impl Iterator<Item = Result<Located<'_>, Error>>, FileError> {
    let parts = parts(file)?.into_iter();
    Ok(parts.flat_map(move |part| {
        let (name, prefix) = (part.name.clone(), part.path_prefix());
        containers(file, &part).flat_map(move |placed| {
            let (part, prefix) = (name.clone(), prefix.clone());
            let (entries, error) = match placed {
                Ok(placed) => (Some((placed.index, placed.entries())), None),
                Err(error) => (None, Some(Err(error))),
            };
            let entries = entries.into_iter().flat_map(move |(container, entries)| {
                let (part, prefix) = (part.clone(), prefix.clone());
                entries.zip(0_u64..).map(move |(entry, index)| {
                    let (offset, entry) = entry?;
                    let path = std::format!("{prefix}items[{container}].entries[{index}]");
                    Ok(Located { part: part.clone(), path, offset, entry })
                })
            });
            entries.chain(error)
        })
    }))
}

fn with_offsets<'a, T: BinFormat<'a> + Clone>(
    seq: binfmt_runtime::Seq<'a, T>,
) -> impl Iterator<Item = Result<(u64, T), Error>> + use<'a, T> {
    let mut items = seq.iter();
    core::iter::from_fn(move || {
        let offset = items.offset().unwrap_or(0);
        items.next().map(|item| item.map(|item| (offset, item)))
    })
}

binfmt_runtime::rule_table! {
    /// The rules of files, which [`validate`] looks at beside the declarations.
    pub const RULES;
    "fat binary document, Fat Binary Header" {
        CUT: error "fatbin.container.size.cut", "a container begins here, and the file ends inside its header";
    }
}

/// Every violation in the containers of a part; payloads are not decoded.
///
/// Fewer bytes than a header has may follow the containers, unless they begin with the magic of one:
/// then the file has been cut short.
pub fn validate(file: &[u8], part: &Part) -> Report {
    let found = Region::validate_in(file, part.range.clone(), ());
    let mut report = Report::new();
    for finding in found.findings() {
        let start = usize::try_from(finding.start).unwrap_or(usize::MAX);
        let rest = file.get(start..part.range.end).unwrap_or_default();
        if finding.code == "trailing" && Magic::BYTES.iter().any(|magic| rest.starts_with(magic)) {
            cut(start..part.range.end, &mut report);
        } else {
            report.push(finding.clone());
        }
    }
    report
}

/// Reports a container that ends inside its header.
fn cut(range: Range<usize>, report: &mut Report) {
    let rule = &CUT;
    let problem = Problem {
        code: rule.code,
        class: Class::Incomplete,
        start: range.start,
        end: range.end,
        what: format_args!("{}", rule.text),
        expected: Show::Uint(CONTAINER_HEADER_LEN),
        found: Show::Uint(crate::shared::wide(range.len())),
    };
    report.add(rule.severity, "items", &problem);
}

/// The file with every container read and written again; all else is copied.
pub fn rewrite(file: &[u8]) -> Result<Vec<u8>, FileError> {
    let mut out = Vec::with_capacity(file.len());
    for piece in rewritten(file)? {
        match piece {
            Piece::Copied(bytes) => out.extend_from_slice(bytes),
            Piece::Written(region) => out.extend(region.to_vec()?),
        }
    }
    Ok(out)
}

/// Writes the same, piece by piece.
///
/// # Errors
///
/// Those of `out`; what cannot be written again is an error of the kind `InvalidData`, and then nothing
/// was written.
pub fn rewrite_to(file: &[u8], out: &mut dyn io::Write) -> io::Result<()> {
    let pieces = rewritten(file);
    for piece in pieces.map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))? {
        match piece {
            Piece::Copied(bytes) => out.write_all(bytes)?,
            Piece::Written(region) => region.write_to(&mut *out)?,
        }
    }
    Ok(())
}

/// A part of a file that is written again.
enum Piece<'a> {
    Copied(&'a [u8]),
    Written(Region<'a>),
}

/// What a file is made of, in its order; everything can be written, and has the length that it had.
fn rewritten(file: &[u8]) -> Result<Vec<Piece<'_>>, FileError> {
    let mut pieces = Vec::new();
    let mut at = 0;
    for Part { range, .. } in parts(file)? {
        let region = Region::parse_in(file, range.clone(), ())?;
        if region.encoded_len()? != crate::shared::wide(range.len()) {
            return Err(FileError::Resized);
        }
        pieces.push(Piece::Copied(file.get(at..range.start).unwrap_or_default()));
        pieces.push(Piece::Written(region));
        at = range.end;
    }
    pieces.push(Piece::Copied(file.get(at..).unwrap_or_default()));
    Ok(pieces)
}
