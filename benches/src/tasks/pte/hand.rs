//! What an expert writes, for a file with one method of nothing but operators.

use crate::flat::Table;
use crate::fold;
use crate::numbers::{len_at, long_at, u64_at};
use crate::race::Writer;

/// What a file is made of: the header, the buffer, the bytes between the two and the segments.
struct File<'a> {
    head: &'a [u8; 40],
    root: Table<'a>,
    segments: &'a [u8],
}

fn open(file: &[u8]) -> Option<File<'_>> {
    let head = file.first_chunk::<40>()?;
    if head[4..12] != *b"ET12eh00" || len_at(head, 12) < 32 {
        return None;
    }
    let (size, base) = (long_at(head, 16)?, long_at(head, 24)?);
    let buffer = file.get(..size).filter(|buffer| buffer.len() >= 40)?;
    let segments = if base < size { &file[size..] } else { file.get(base..)? };
    Some(File { head, root: Table::root(buffer)?, segments })
}

/// The bytes of a segment.
fn segment<'a>(file: &File<'a>, table: Table<'_>) -> Option<&'a [u8]> {
    let (offset, size) =
        (usize::try_from(table.u64(0)?).ok()?, usize::try_from(table.u64(1)?).ok()?);
    file.segments.get(offset..)?.get(..size)
}

/// Reads the segments by name, and the operators.
pub fn read(file: &[u8]) -> Option<u64> {
    let file = open(file)?;
    let segments = file.root.vector::<4>(4)?;
    let mut sum = u64_at(file.head, 32);
    for named in file.root.vector::<4>(7)?.tables() {
        let named = named?;
        let segment = segment(&file, segments.table(named.u32(1)? as usize)?)?;
        sum = fold::program(sum, named.str(0)?.as_bytes(), segment);
    }
    for plan in file.root.vector::<4>(1)?.tables() {
        for operator in plan?.vector::<4>(6)?.tables() {
            let operator = operator?;
            sum = fold::program(sum, operator.str(0)?.as_bytes(), operator.str(1)?.as_bytes());
        }
    }
    Some(sum)
}

/// Whether all that the file has can be read.
pub fn is_valid(file: &[u8]) -> Option<u64> {
    let root = open(file)?.root;
    for segment in root.vector::<4>(4)?.tables() {
        let segment = segment?;
        segment.u64(0)?;
        segment.u64(1)?;
    }
    for named in root.vector::<4>(7)?.tables() {
        let named = named?;
        named.str(0)?;
        named.u32(1)?;
    }
    for plan in root.vector::<4>(1)?.tables() {
        let plan = plan?;
        plan.str(0)?;
        for slot in [2, 3, 4, 5, 7] {
            plan.vector::<4>(slot)?;
        }
        plan.vector::<8>(8)?;
        for operator in plan.vector::<4>(6)?.tables() {
            let operator = operator?;
            operator.str(0)?;
            operator.str(1)?;
        }
    }
    Some(1)
}

/// Writes the file again.
pub fn write(file: &[u8]) -> Option<Writer<'_>> {
    let size = long_at(open(file)?.head, 16)?;
    let (tables, rest) = file.split_at(size);
    Some(Box::new(move || {
        let mut out = Vec::with_capacity(file.len());
        out.extend_from_slice(&tables[..16]);
        out.extend_from_slice(&(size as u64).to_le_bytes());
        out.extend_from_slice(&(size.next_multiple_of(16) as u64).to_le_bytes());
        out.extend_from_slice(&tables[32..]);
        out.extend_from_slice(rest);
        Some(out)
    }))
}
