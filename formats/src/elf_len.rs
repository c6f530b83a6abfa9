//! The length of an ELF file, told by the file itself.

use core::mem::size_of;

use object::elf::{EM_CUDA, FileHeader32, FileHeader64, SHT_NULL, SectionType};
use object::read::elf::{FileHeader, ProgramHeader, SectionHeader};
use object::{Endianness, FileKind};

/// Section types of NVIDIA's ELF files that stand for memory of the GPU, as `SHT_NOBITS` does: global,
/// local, shared and reserved shared. *Observed* of global and shared memory: the ranges lie across
/// other parts of the file or behind its end. The other two are of the same kind by their names.
const GPU_MEMORY: [u32; 4] = [0x7000_0007, 0x7000_0009, 0x7000_000A, 0x7000_0015];

/// Returns the length in bytes of the ELF file that `bytes` begin with.
///
/// It is the largest end among the file header, the two header tables, the sections that have
/// bytes in the file and the segments. An uncompressed entry of a fat binary needs it: only the
/// padded size of such an entry is written down, and the padding is no part of the ELF.
///
/// Returns `None` when the bytes are not an ELF header of a known class (32 or 64 bits) and byte
/// order, or when any of those parts lies outside `bytes`, that is when the file is cut off.
pub fn elf_len(bytes: &[u8]) -> Option<usize> {
    let end = match FileKind::parse(bytes).ok()? {
        FileKind::Elf32 => end_of::<FileHeader32<Endianness>>(bytes),
        FileKind::Elf64 => end_of::<FileHeader64<Endianness>>(bytes),
        _ => None,
    }?;
    usize::try_from(end).ok().filter(|len| *len <= bytes.len())
}

fn end_of<Elf: FileHeader<Endian = Endianness>>(bytes: &[u8]) -> Option<u64> {
    let header = Elf::parse(bytes).ok()?;
    let endian = header.endian().ok()?;
    // Both calls refuse a table that is not wholly within the bytes.
    let segments = header.program_headers(endian, bytes).ok()?;
    let sections = header.section_headers(endian, bytes).ok()?;

    let mut end = count(size_of::<Elf>()).max(header.e_ehsize(endian).into());
    if !segments.is_empty() {
        end = end.max(table_end(header.e_phoff(endian).into(), segments)?);
    }
    if !sections.is_empty() {
        end = end.max(table_end(header.e_shoff(endian).into(), sections)?);
    }
    for segment in segments {
        let (offset, len) = segment.file_range(endian);
        end = end.max(offset.checked_add(len)?);
    }
    // The size in the unused first section may be the number of sections instead.
    let is_cuda = header.e_machine(endian) == EM_CUDA;
    let has_bytes =
        |kind: SectionType| kind != SHT_NULL && !(is_cuda && GPU_MEMORY.contains(&kind.0));
    for section in sections.iter().filter(|section| has_bytes(section.sh_type(endian))) {
        if let Some((offset, len)) = section.file_range(endian) {
            end = end.max(offset.checked_add(len)?);
        }
    }
    Some(end)
}

fn table_end<T>(offset: u64, table: &[T]) -> Option<u64> {
    offset.checked_add(count(size_of_val(table)))
}

fn count(len: usize) -> u64 {
    u64::try_from(len).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use std::vec::Vec;

    use super::*;

    /// An ELF file of 64 bits: header, one segment, one section, then 10 bytes that both cover.
    fn elf64(big_endian: bool) -> Vec<u8> {
        let put = |file: &mut Vec<u8>, value: u64, len: usize| {
            let le = value.to_le_bytes();
            let bytes = le[..len].iter().copied();
            if big_endian { file.extend(bytes.rev()) } else { file.extend(bytes) }
        };
        let mut file = b"\x7fELF\x02".to_vec();
        file.extend([if big_endian { 2 } else { 1 }, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
        for (value, len) in [(1, 2), (190, 2), (1, 4), (0, 8), (64, 8), (120, 8), (0, 4)] {
            put(&mut file, value, len);
        }
        for value in [64, 56, 1, 64, 1, 0] {
            put(&mut file, value, 2);
        }
        for (value, len) in [(1, 4), (4, 4), (184, 8), (0, 8), (0, 8), (10, 8), (10, 8), (8, 8)] {
            put(&mut file, value, len);
        }
        for (value, len) in [(0, 4), (1, 4), (0, 8), (0, 8), (184, 8), (10, 8)] {
            put(&mut file, value, len);
        }
        file.resize(184, 0);
        file.extend(*b"0123456789");
        file
    }

    #[test]
    fn padding_is_not_counted() {
        for big_endian in [false, true] {
            let mut file = elf64(big_endian);
            assert_eq!(elf_len(&file), Some(194));
            file.resize(200, 0);
            assert_eq!(elf_len(&file), Some(194));
        }
    }

    #[test]
    fn a_file_that_is_cut_off_has_no_length() {
        for big_endian in [false, true] {
            let file = elf64(big_endian);
            for len in 0..file.len() {
                assert_eq!(elf_len(&file[..len]), None, "{len}");
            }
        }
    }

    #[test]
    fn a_section_without_bytes_in_the_file_may_have_any_size() {
        let mut file = elf64(false);
        file[124] = 8;
        file[152..160].fill(0xFF);
        assert_eq!(elf_len(&file), Some(194));
    }

    #[test]
    fn memory_of_the_gpu_may_have_any_size() {
        for (machine, kind, len) in [
            (EM_CUDA.0, 0x7000_0007_u32, Some(194)),
            (EM_CUDA.0, 0x7000_0009, Some(194)),
            (EM_CUDA.0, 0x7000_000A, Some(194)),
            (EM_CUDA.0, 0x7000_0015, Some(194)),
            (EM_CUDA.0, 0x7000_0008, None),
            (3, 0x7000_000A, None),
        ] {
            let mut file = elf64(false);
            file[18..20].copy_from_slice(&machine.to_le_bytes());
            file[124..128].copy_from_slice(&kind.to_le_bytes());
            file[152..160].copy_from_slice(&1_000_000_u64.to_le_bytes());
            assert_eq!(elf_len(&file), len, "{machine} {kind:#x}");
        }
    }

    #[test]
    fn sums_do_not_wrap() {
        for offset in [96, 152] {
            let mut file = elf64(false);
            file[offset..offset + 8].fill(0xFF);
            assert_eq!(elf_len(&file), None);
        }
    }

    #[test]
    fn the_alignment_of_the_bytes_does_not_matter() {
        let mut file = elf64(false);
        for start in 1..9 {
            file.insert(0, 0);
            assert_eq!(elf_len(&file[start..]), Some(194));
        }
    }

    #[test]
    fn other_bytes_have_no_length() {
        for change in [0, 3, 4, 5, 6] {
            let mut file = elf64(false);
            file[change] = 9;
            assert_eq!(elf_len(&file), None, "{change}");
        }
        assert_eq!(elf_len(b""), None);
    }

    #[test]
    fn object_files_are_whole() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/corpus/fatbin/host13.o");
        let file = std::fs::read(path).unwrap();
        assert_eq!(elf_len(&file), Some(file.len()));
    }
}
