//! Files that are written byte by byte.

use super::{Numbers, pad, u32_of, u64_of};

/// A VPT in the document's layout: names of 6 to 10 bytes, payloads of 0 to 40.
pub fn vpt(entries: usize) -> Vec<u8> {
    let mut numbers = Numbers(1);
    let mut body = Vec::new();
    for index in 0..entries {
        let name = format!("{index:06}mod.{index}");
        let name = &name.as_bytes()[..6 + numbers.below(5)];
        let payload: Vec<u8> =
            (0..numbers.below(41)).map(|at| (at + index).to_le_bytes()[0]).collect();
        body.extend(u32_of(name.len()));
        body.extend(u32_of(payload.len()));
        body.extend(&payload);
        body.extend(name);
        pad(&mut body);
    }
    let mut file = 0x675C_3ED9_u32.to_le_bytes().to_vec();
    file.extend(u32_of(0));
    file.extend(u32_of(1));
    file.extend(u32_of(0x00C0_FFEE));
    file.extend(u32_of(24 + body.len()));
    file.extend(u32_of(entries));
    file.extend(body);
    file
}

/// A fat binary of one container, its entries in the layout of today's tools: plain and compressed
/// cubins, PTX with options, two of three entries with a name.
pub fn fatbin(entries: usize) -> Vec<u8> {
    let mut numbers = Numbers(2);
    let mut body = Vec::new();
    for _ in 0..entries {
        let is_ptx = numbers.below(3) == 0;
        let is_compressed = numbers.below(2) == 0;
        let arch = [50, 75, 80, 86, 90, 100][numbers.below(6)];
        let payload: Vec<u8> = (0..8 + numbers.below(120)).map(|at| at.to_le_bytes()[0]).collect();

        let mut strings = Vec::new();
        let name = &b"a/source/file/of/some/length.cu"[..10 + numbers.below(20)];
        let name_len = if numbers.below(3) == 0 { 0 } else { name.len() };
        let name_offset = if name_len == 0 { 0 } else { 64 };
        if name_len > 0 {
            strings.extend(name);
            strings.push(0);
            pad(&mut strings);
        }
        let options_offset = if is_ptx { 64 + strings.len() } else { 0 };
        if is_ptx {
            let options = &b"-arch sm_90 --maxrregcount 64 -O3 "[..12 + numbers.below(22)];
            strings.extend(u32_of(options_offset + 8));
            strings.extend(u32_of(options.len()));
            strings.extend(options);
            strings.push(0);
            pad(&mut strings);
        }

        let padded_len = payload.len().next_multiple_of(8);
        let flags = 0x11 | if is_compressed { [0x2000, 0x8000][numbers.below(2)] } else { 0 };
        body.extend(if is_ptx { 1_u16 } else { 2 }.to_le_bytes());
        body.extend(0x101_u16.to_le_bytes());
        body.extend(u32_of(64 + strings.len()));
        body.extend(u64_of(padded_len));
        body.extend(u32_of(if is_compressed { payload.len() } else { 0 }));
        body.extend(u32_of(options_offset));
        body.extend(4_u16.to_le_bytes());
        body.extend(8_u16.to_le_bytes());
        body.extend(u32_of(arch));
        body.extend(u32_of(name_offset));
        body.extend(u32_of(name_len));
        body.extend(u64_of(flags));
        body.extend(u64_of(0));
        body.extend(u64_of(if is_compressed { payload.len() * 3 } else { 0 }));
        body.extend(strings);
        body.extend(&payload);
        pad(&mut body);
    }
    let mut file = 0xBA55_ED50_u32.to_le_bytes().to_vec();
    file.extend(1_u16.to_le_bytes());
    file.extend(16_u16.to_le_bytes());
    file.extend(u64_of(body.len()));
    file.extend(body);
    file
}

/// A plain table of records of 32 bytes.
pub fn records(count: usize) -> Vec<u8> {
    let mut file = b"RECS".to_vec();
    file.extend(u32_of(count));
    let mut numbers = Numbers(3);
    for index in 0..count {
        file.extend(u32_of(index));
        file.extend(u64_of(numbers.below(1 << 31)));
        file.extend((0..5).flat_map(|_| u32_of(numbers.below(1 << 30))));
    }
    file
}

/// Values of sixteen shapes behind a tag of one byte, half of them of the last shape.
pub fn union(count: usize) -> Vec<u8> {
    const LENGTHS: [usize; 16] = [2, 4, 8, 4, 6, 10, 6, 8, 12, 10, 12, 16, 6, 12, 24, 14];
    let mut numbers = Numbers(4);
    let mut file = b"UNIO".to_vec();
    file.extend(u32_of(count));
    for index in 0..count {
        let tag = if index % 2 == 0 { 15 } else { numbers.below(16) };
        file.push(tag.to_le_bytes()[0]);
        file.extend((0..LENGTHS[tag]).map(|_| numbers.below(256).to_le_bytes()[0]));
    }
    file
}

/// A payload of 16 MiB behind its length.
pub fn payload(count: usize) -> Vec<u8> {
    let len = count << 24;
    let mut file = b"BLOB".to_vec();
    file.extend(u64_of(len));
    file.push(1);
    file.resize(12 + len, 2);
    file
}
