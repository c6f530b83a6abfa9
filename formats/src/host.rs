//! Finding the parts of a host file in which containers lie.
//!
//! Device code reaches users inside object files, dynamic libraries and static libraries. NVIDIA's
//! tools find it by the name of the section, and so does this module: the wrapper structs in
//! `.nvFatBinSegment` play no part in it, since listings are the same without them.

use core::fmt;
use core::ops::Range;
use std::borrow::ToOwned;
use std::format;
use std::string::String;
use std::vec;
use std::vec::Vec;

use object::elf::{FileHeader32, FileHeader64, SHT_NULL};
use object::read::archive::ArchiveFile;
use object::read::elf::{FileHeader, SectionHeader};
use object::{Endianness, FileKind};

const ELF_MAGIC: &[u8] = b"\x7fELF";
const ARCHIVE_MAGIC: &[u8] = b"!<arch>\n";
const THIN_ARCHIVE_MAGIC: &[u8] = b"!<thin>\n";

/// The sections that hold device code: whole programs, and code that is still to be linked.
const DEVICE_CODE_SECTIONS: [&str; 2] = [".nv_fatbin", "__nv_relfatbin"];

/// The sort of file around the containers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HostKind {
    /// No host at all: the containers are the file.
    Raw,
    /// An ELF file: an object file, a dynamic library, an executable or a cubin.
    Elf,
    /// An `ar` archive, usually a static library; a thin one too.
    Archive,
}

/// A range of the file that may hold containers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// The name that a user knows it by: `file`, `.nv_fatbin` or, in an archive,
    /// `member.o:.nv_fatbin`.
    pub name: String,
    /// Where it lies in the whole file, in bytes; always within the file.
    pub range: Range<usize>,
    /// The archive member that it belongs to.
    pub member: Option<String>,
}

/// What is wrong with an ELF file or an archive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostError {
    what: String,
    offset: Option<usize>,
}

impl HostError {
    fn new(what: impl Into<String>, offset: Option<usize>) -> Self {
        Self { what: what.into(), offset }
    }

    /// Returns where in the whole file the damaged ELF file or archive member begins, in bytes.
    pub fn offset(&self) -> Option<usize> {
        self.offset
    }
}

impl fmt::Display for HostError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)?;
        self.offset.map_or(Ok(()), |offset| write!(f, " (at offset {offset})"))
    }
}

impl core::error::Error for HostError {}

/// Returns what a file is by its magic.
pub fn kind_of(file: &[u8]) -> HostKind {
    if file.starts_with(ELF_MAGIC) {
        HostKind::Elf
    } else if file.starts_with(ARCHIVE_MAGIC) || file.starts_with(THIN_ARCHIVE_MAGIC) {
        HostKind::Archive
    } else {
        HostKind::Raw
    }
}

/// Returns the parts of any host file in which device code is kept, in file order.
///
/// For an ELF file these are all sections named `.nv_fatbin` or `__nv_relfatbin`, for an archive
/// those of each member in turn, for anything else the whole file as one part named `file`. An
/// ELF file without device code, or without section headers, has no parts.
///
/// # Errors
///
/// If the file is an ELF file or an archive but a damaged one, if it is a thin archive, whose
/// members are other files, or if two of the sections overlap.
pub fn device_code_parts(file: &[u8]) -> Result<Vec<Part>, HostError> {
    match kind_of(file) {
        HostKind::Raw => {
            Ok(vec![Part { name: "file".to_owned(), range: 0..file.len(), member: None }])
        }
        HostKind::Elf => device_code_sections(file, 0),
        HostKind::Archive => {
            let mut parts = Vec::new();
            for (member, range) in archive_members(file)? {
                let elf = file.get(range.clone()).unwrap_or_default();
                let sections = device_code_sections(elf, range.start).map_err(|error| {
                    HostError::new(format!("member {member}: {}", error.what), error.offset)
                })?;
                parts.extend(sections.into_iter().map(|part| Part {
                    name: format!("{member}:{}", part.name),
                    member: Some(member.clone()),
                    ..part
                }));
            }
            Ok(parts)
        }
    }
}

/// Whether tools look for containers in the sections of that name.
pub fn is_device_code_section(name: &str) -> bool {
    DEVICE_CODE_SECTIONS.contains(&name)
}

fn device_code_sections(elf: &[u8], base: usize) -> Result<Vec<Part>, HostError> {
    let mut parts = elf_sections(elf, base)?;
    parts.retain(|part| is_device_code_section(&part.name));
    parts.sort_by_key(|part| part.range.start);
    // A small file could otherwise name the same bytes thousands of times, each to be searched.
    let mut end = 0;
    for part in &parts {
        if part.range.start < end {
            let what = format!("section {} overlaps another one", part.name);
            return Err(HostError::new(what, Some(part.range.start)));
        }
        end = part.range.end;
    }
    Ok(parts)
}

/// Returns all sections of an ELF file that have bytes in it, in the order of its section table.
///
/// `base` is where in the whole file `elf` begins; the ranges count from the start of the whole
/// file, in bytes. Empty sections and those that do not lie wholly within `elf` are left out. A
/// name that is not text has replacement characters, one that cannot be found is empty.
///
/// # Errors
///
/// If the ELF header, the section table or the place of the section names is damaged.
pub fn elf_sections(elf: &[u8], base: usize) -> Result<Vec<Part>, HostError> {
    match FileKind::parse(elf) {
        Ok(FileKind::Elf32) => sections_of::<FileHeader32<Endianness>>(elf, base),
        Ok(FileKind::Elf64) => sections_of::<FileHeader64<Endianness>>(elf, base),
        _ => Err(HostError::new("the file is cut off or is not an ELF file", Some(base))),
    }
}

fn sections_of<Elf: FileHeader<Endian = Endianness>>(
    elf: &[u8],
    base: usize,
) -> Result<Vec<Part>, HostError> {
    let damaged =
        |error: object::Error| HostError::new(format!("damaged ELF file: {error}"), Some(base));
    let header = Elf::parse(elf).map_err(damaged)?;
    let endian = header.endian().map_err(damaged)?;
    let table = header.sections(endian, elf).map_err(damaged)?;
    let mut parts = Vec::new();
    for section in table.iter().filter(|section| section.sh_type(endian) != SHT_NULL) {
        let range = section.file_range(endian).and_then(|(start, len)| range_of(start, len));
        let Some(range) = range.filter(|range| !range.is_empty() && range.end <= elf.len()) else {
            continue;
        };
        let (Some(start), Some(end)) = (base.checked_add(range.start), base.checked_add(range.end))
        else {
            continue;
        };
        // One section with a bad name must not hide the others.
        let name = table.section_name(endian, section).unwrap_or_default();
        let name = String::from_utf8_lossy(name).into_owned();
        parts.push(Part { name, range: start..end, member: None });
    }
    Ok(parts)
}

/// Returns the members of an archive that are ELF files: name and range in the file, in bytes.
///
/// # Errors
///
/// If a member header is damaged, if a member does not lie within the file, or if the archive is a
/// thin one, which only names the files that its members are.
pub fn archive_members(file: &[u8]) -> Result<Vec<(String, Range<usize>)>, HostError> {
    let is_elf = |range: &Range<usize>| {
        file.get(range.clone()).is_some_and(|bytes| bytes.starts_with(ELF_MAGIC))
    };
    let members = archive_files(file)?.into_iter().filter(|(_, range)| is_elf(range));
    Ok(members.map(|(name, range)| (String::from_utf8_lossy(&name).into_owned(), range)).collect())
}

/// The name of a member, and where its bytes lie in the archive.
pub type ArchiveMember = (Vec<u8>, Range<usize>);

/// Returns every member of an `ar` archive, whatever it is.
///
/// # Errors
///
/// As [`archive_members`].
pub fn archive_files(file: &[u8]) -> Result<Vec<ArchiveMember>, HostError> {
    if file.starts_with(THIN_ARCHIVE_MAGIC) {
        let what = "thin archive: its members are other files, which have to be read themselves";
        return Err(HostError::new(what, None));
    }
    let damaged =
        |error: object::Error, offset| HostError::new(format!("damaged archive: {error}"), offset);
    let archive = ArchiveFile::parse(file).map_err(|error| damaged(error, None))?;
    let mut members = Vec::new();
    let mut next_header = None;
    for member in archive.members() {
        let member = member.map_err(|error| damaged(error, next_header))?;
        let (start, len) = member.file_range();
        let range = range_of(start, len).filter(|range| file.get(range.clone()).is_some());
        let Some(range) = range else {
            let name = String::from_utf8_lossy(member.name());
            let what = format!("damaged archive: member {name} goes beyond the end of the file");
            return Err(HostError::new(what, usize::try_from(start).ok()));
        };
        next_header = range.end.checked_next_multiple_of(2);
        members.push((member.name().to_vec(), range));
    }
    Ok(members)
}

fn range_of(start: u64, len: u64) -> Option<Range<usize>> {
    let end = usize::try_from(start.checked_add(len)?).ok()?;
    Some(usize::try_from(start).ok()?..end)
}

#[cfg(test)]
mod tests {
    use std::string::ToString;

    use super::*;

    fn corpus(name: &str) -> Vec<u8> {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/corpus/fatbin/");
        std::fs::read(format!("{folder}{name}")).unwrap()
    }

    fn named(parts: &[Part]) -> Vec<(&str, Range<usize>)> {
        parts.iter().map(|part| (part.name.as_str(), part.range.clone())).collect()
    }

    /// An archive in the GNU layout with the given members.
    fn archive(members: &[(&str, &[u8])]) -> Vec<u8> {
        let mut file = ARCHIVE_MAGIC.to_vec();
        for (name, bytes) in members {
            let header = format!("{name:<16}{:<12}{:<6}{:<6}{:<8}", 0, 0, 0, 644);
            file.extend_from_slice(format!("{header}{:<10}`\n", bytes.len()).as_bytes());
            file.extend_from_slice(bytes);
            file.resize(file.len().next_multiple_of(2), b'\n');
        }
        file
    }

    #[test]
    fn a_host_is_known_by_its_magic() {
        assert_eq!(kind_of(b"\x7fELF\x02"), HostKind::Elf);
        assert_eq!(kind_of(b"!<arch>\n"), HostKind::Archive);
        assert_eq!(kind_of(b"!<thin>\n"), HostKind::Archive);
        assert_eq!(kind_of(b"!<arch>"), HostKind::Raw);
        assert_eq!(kind_of(b""), HostKind::Raw);
    }

    #[test]
    fn a_raw_file_is_one_part() {
        let parts = device_code_parts(b"\x50\xED\x55\xBA rest").unwrap();
        assert_eq!(named(&parts), [("file", 0..9)]);
    }

    #[test]
    fn sections_are_found_by_name() {
        for (name, part) in [
            ("host13.o", (".nv_fatbin", 1808..15856)),
            ("emb13.o", (".nv_fatbin", 64..3800)),
            ("host13_rdc.o", ("__nv_relfatbin", 1744..3544)),
            ("host13_rdc_lto.o", ("__nv_relfatbin", 1744..4544)),
            ("emb12_rel.o", ("__nv_relfatbin", 64..1600)),
        ] {
            let parts = device_code_parts(&corpus(name)).unwrap();
            assert_eq!(named(&parts), [part], "{name}");
        }
    }

    #[test]
    fn an_elf_file_can_lie_anywhere() {
        let elf = corpus("emb13.o");
        for padding in 0..9 {
            let file = [vec![0; padding], elf.clone()].concat();
            let sections = elf_sections(&file[padding..], padding).unwrap();
            let fatbin = sections.iter().find(|part| part.name == ".nv_fatbin").unwrap();
            assert_eq!(file[fatbin.range.clone()], elf[64..3800]);
        }
    }

    #[test]
    fn archive_members_come_in_turn() {
        let file = corpus("host13.a");
        let parts = device_code_parts(&file).unwrap();
        assert_eq!(
            parts.iter().map(|part| part.name.as_str()).collect::<Vec<_>>(),
            ["host13.o:.nv_fatbin", "b.o:.nv_fatbin"]
        );
        for part in parts {
            assert_eq!(file[part.range][..4], 0xBA55_ED50_u32.to_le_bytes());
        }
    }

    #[test]
    fn members_that_are_not_elf_are_passed_over() {
        let elf = corpus("emb13.o");
        let file = archive(&[("a.txt/", b"odd"), ("b.o/", &elf)]);
        let start = file.len() - elf.len();
        assert_eq!(archive_members(&file).unwrap(), [("b.o".to_owned(), start..file.len())]);
        let parts = device_code_parts(&file).unwrap();
        assert_eq!(named(&parts), [("b.o:.nv_fatbin", start + 64..start + 3800)]);
        assert_eq!(parts[0].member.as_deref(), Some("b.o"));
    }

    #[test]
    fn damage_is_told() {
        let told = |file: &[u8]| device_code_parts(file).unwrap_err().to_string();
        assert!(told(b"!<thin>\n").starts_with("thin archive"));
        assert_eq!(told(b"\x7fELF"), "the file is cut off or is not an ELF file (at offset 0)");
        let file = archive(&[("b.o/", &corpus("emb13.o"))]);
        assert_eq!(
            told(&file[..file.len() - 2]),
            "damaged archive: member b.o goes beyond the end of the file (at offset 68)"
        );
        let file = archive(&[("b.o/", b"\x7fELF\x02\x01\x01"), ("c.o/", b"")]);
        assert_eq!(
            told(&file),
            "member b.o: the file is cut off or is not an ELF file (at offset 68)"
        );
        let mut file = archive(&[("a/", b"1"), ("b/", b"")]);
        file.truncate(file.len() - 1);
        assert_eq!(told(&file), "damaged archive: Invalid archive member header (at offset 70)");
    }

    /// `host13.o` with another section that says it is device code, at an offset from the end of the
    /// real one.
    fn with_second_section(offset: i64) -> Vec<u8> {
        let mut file = corpus("host13.o");
        let field = |file: &[u8], at: usize| {
            usize::try_from(u64::from_le_bytes(file[at..at + 8].try_into().unwrap())).unwrap()
        };
        let table = field(&file, 0x28);
        let count = usize::from(u16::from_le_bytes(file[0x3c..0x3e].try_into().unwrap()));
        let headers = (1..count).map(|index| table + 64 * index);
        let mut headers = headers.collect::<Vec<_>>();
        let real = headers.iter().position(|at| field(&file, at + 24) == 1808).unwrap();
        let real = headers.remove(real);
        // The one behind it is any other.
        let other = headers[0];
        let header: Vec<u8> = file[real..real + 64].to_vec();
        file[other..other + 64].copy_from_slice(&header);
        let start = u64::try_from(15856 + offset).unwrap();
        file[other + 24..other + 32].copy_from_slice(&start.to_le_bytes());
        file[other + 32..other + 40].copy_from_slice(&16_u64.to_le_bytes());
        file
    }

    #[test]
    fn sections_share_no_bytes() {
        let parts = device_code_parts(&with_second_section(0)).unwrap();
        assert_eq!(named(&parts), [(".nv_fatbin", 1808..15856), (".nv_fatbin", 15856..15872)]);
        for offset in [-1, -16, -14048] {
            let error = device_code_parts(&with_second_section(offset)).unwrap_err();
            assert!(
                error.to_string().contains("section .nv_fatbin overlaps another one"),
                "{error}"
            );
        }
    }

    #[test]
    fn no_prefix_of_a_file_panics() {
        for name in ["host13.a", "emb13.o"] {
            let file = corpus(name);
            for len in (0..file.len()).step_by(7) {
                for part in device_code_parts(&file[..len]).unwrap_or_default() {
                    assert!(part.range.end <= len);
                }
            }
        }
    }
}
