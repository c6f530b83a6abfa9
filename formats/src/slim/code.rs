//! Addresses that code computes, found without taking it apart.
//!
//! Bytes that only look like such an instruction pin a container for nothing, which costs space and
//! no correctness.

use core::ops::Range;

use crate::elf::{Content, Elf, Section, SectionFlags, SectionKind};

/// What `adrp` computes the address of.
pub(super) const PAGE: u64 = 0x1000;

/// The sections with code, and their bytes.
pub(super) fn sections<'a>(elf: &Elf<'a>) -> impl Iterator<Item = (Section, &'a [u8])> {
    elf.sections().filter_map(|(section, content)| {
        let is_code = section.flags.contains(SectionFlags::EXECUTE | SectionFlags::ALLOC);
        match content {
            Some(Content::Bytes(SectionKind::Program, content)) if is_code => {
                Some((section, content.bytes))
            }
            _ => None,
        }
    })
}

/// The addresses that `lea` of x86-64 computes from its own: `REX.W 8D`, a register, and how far away.
pub(super) fn addresses<'a>(
    code: &'a [u8],
    start: u64,
    among: &'a Range<u64>,
) -> impl Iterator<Item = u64> + use<'a> {
    let found = (0_u64..).zip(code.windows(7)).filter_map(move |(at, bytes)| {
        let [0x48 | 0x4C, 0x8D, register, distance @ ..] = bytes else { return None };
        let distance = i32::from_le_bytes(*distance.first_chunk()?);
        let next = start.wrapping_add(at).wrapping_add(7);
        (register & 0xC7 == 5).then(|| next.wrapping_add_signed(distance.into()))
    });
    found.filter(|address| among.contains(address))
}

/// The pages whose addresses `adrp` of 64-bit Arm computes from its own.
pub(super) fn pages<'a>(
    code: &'a [u8],
    start: u64,
    among: &'a Range<u64>,
) -> impl Iterator<Item = u64> + use<'a> {
    let words = code.as_chunks::<4>().0.iter().map(|bytes| u32::from_le_bytes(*bytes));
    let found = (start..).step_by(4).zip(words).filter_map(|(at, word)| {
        if word & 0x9F00_0000 != 0x9000_0000 {
            return None;
        }
        // 21 bits: two of them above the opcode, the others above the register; the last is the sign.
        let pages = (word >> 3 & 0x001F_FFFC) | (word >> 29 & 3);
        let pages = (pages << 11).cast_signed() >> 11;
        Some((at & !0xFFF).wrapping_add_signed(i64::from(pages) << 12))
    });
    found.filter(|page| page.saturating_add(PAGE) > among.start && *page < among.end)
}

#[cfg(test)]
mod tests {
    use std::vec::Vec;

    use super::*;

    #[test]
    fn lea_is_found_at_any_place() {
        // lea rdi, [rip + 0x10]; lea r9, [rip - 8]; lea rax, [rbp + 0x10]; mov rax, [rip + 0x10].
        let code = [
            0x90, 0x48, 0x8D, 0x3D, 0x10, 0, 0, 0, 0x4C, 0x8D, 0x0D, 0xF8, 0xFF, 0xFF, 0xFF, 0x48,
            0x8D, 0x45, 0x10, 0x48, 0x8B, 0x05, 0x10, 0, 0, 0,
        ];
        let found = |among: Range<u64>| addresses(&code, 0x1000, &among).collect::<Vec<_>>();
        assert_eq!(found(0..0x2000), [0x1018, 0x1007]);
        assert_eq!(found(0x1010..0x2000), [0x1018]);
    }

    #[test]
    fn adrp_is_found_with_its_sign() {
        // adrp x0, +1 page; adrp x1, -1 page; adrp x2, +0x12345 pages; adr x0, +4.
        let code: Vec<u8> = [0xB000_0000_u32, 0xF0FF_FFE1, 0xB009_1A22, 0x1000_0020]
            .iter()
            .flat_map(|word| word.to_le_bytes())
            .collect();
        let found: Vec<_> = pages(&code, 0x40_0000, &(0..u64::MAX)).collect();
        assert_eq!(found, [0x40_1000, 0x3F_F000, 0x40_0000 + (0x12345 << 12)]);
        let near: Vec<_> = pages(&code, 0x40_0000, &(0x3F_FFFF..0x40_0000)).collect();
        assert_eq!(near, [0x3F_F000]);
    }
}
