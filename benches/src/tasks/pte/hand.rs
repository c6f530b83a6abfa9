//! What an expert writes, for a file with methods of nothing but operators.

use crate::flat::{MOST_TABLES, Table};
use crate::fold;
use crate::numbers::{len_at, long_at, u64_at};
use crate::race::Writer;

/// What a file is made of: the header, the buffer, the bytes between the two and the segments.
struct File<'a> {
    head: &'a [u8; 40],
    root: Table<'a>,
    segments: Option<&'a [u8]>,
}

fn open(file: &[u8]) -> Option<File<'_>> {
    let head = file.first_chunk::<40>()?;
    if head[4..12] != *b"ET12eh00" || len_at(head, 12) < 32 {
        return None;
    }
    let (size, base) = (long_at(head, 16)?, long_at(head, 24)?);
    // The header stands inside the buffer, and no table inside the header.
    let root = Table::at(file.get(40..size)?, len_at(head, 0).checked_sub(40)?)?;
    let segments = if base < size { None } else { Some(file.get(base..)?) };
    Some(File { head, root, segments })
}

/// The bytes of a segment.
fn segment<'a>(file: &File<'a>, table: Table<'_>) -> Option<&'a [u8]> {
    let (offset, size) =
        (usize::try_from(table.u64(0)?).ok()?, usize::try_from(table.u64(1)?).ok()?);
    if size == 0 {
        return Some(&[]);
    }
    file.segments?.get(offset..)?.get(..size)
}

/// What stands in the root and is no segment, name or method: nothing that is known here.
fn rest_of_root(root: Table<'_>) -> Option<()> {
    root.u32(0)?;
    if root.has(5) {
        return None;
    }
    [2, 3, 6].into_iter().try_for_each(|slot| root.no_vector(slot))
}

/// What a method has beside its operators.
fn rest_of_plan(plan: Table<'_>) -> Option<()> {
    plan.str(0)?;
    if let Some(meta) = plan.table(1)? {
        meta.str(0)?;
        meta.str(1)?;
    }
    for slot in [3, 4] {
        plan.vector::<4>(slot)?;
    }
    plan.vector::<4>(5)?;
    plan.vector::<8>(8)?;
    [2, 7, 9].into_iter().try_for_each(|slot| plan.no_vector(slot))
}

/// Reads the segments by name, and the operators.
pub fn read(file: &[u8]) -> Option<u64> {
    let file = open(file)?;
    rest_of_root(file.root)?;
    let segments = file.root.vector::<4>(4)?;
    let mut sum = u64_at(file.head, 32);
    for named in file.root.vector::<4>(7)?.tables() {
        let named = named?;
        let segment = segment(&file, segments.table(named.u32(1)? as usize)?)?;
        if !named.has(0) {
            return None;
        }
        sum = fold::program(sum, named.str(0)?.as_bytes(), segment);
    }
    for plan in file.root.vector::<4>(1)?.tables() {
        let plan = plan?;
        rest_of_plan(plan)?;
        for operator in plan.vector::<4>(6)?.tables() {
            let operator = operator?;
            sum = fold::program(sum, operator.str(0)?.as_bytes(), operator.str(1)?.as_bytes());
        }
    }
    Some(sum)
}

/// Whether all that the file has can be read.
pub fn is_valid(file: &[u8]) -> Option<u64> {
    let root = open(file)?.root;
    rest_of_root(root)?;
    let mut left = MOST_TABLES;
    let mut table = || {
        left = left.checked_sub(1)?;
        Some(())
    };
    for segment in root.vector::<4>(4)?.tables() {
        let segment = segment?;
        table()?;
        segment.u64(0)?;
        segment.u64(1)?;
    }
    for named in root.vector::<4>(7)?.tables() {
        let named = named?;
        table()?;
        named.str(0)?;
        named.u32(1)?;
    }
    for plan in root.vector::<4>(1)?.tables() {
        let plan = plan?;
        rest_of_plan(plan)?;
        for chain in plan.vector::<4>(5)?.tables() {
            let chain = chain?;
            table()?;
            chain.vector::<4>(0)?;
            chain.vector::<4>(1)?;
            chain.no_vector(2)?;
            chain.no_vector(3)?;
        }
        for operator in plan.vector::<4>(6)?.tables() {
            let operator = operator?;
            table()?;
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
