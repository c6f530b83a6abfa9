//! What an expert writes.

use crate::flat::{MOST_TABLES, Table, Vector};
use crate::fold::{self, Tensor};
use crate::numbers::{len_at, long_at};
use crate::race::Writer;

/// What a file is made of: the tables and the segments.
struct File<'a> {
    segments: Vector<'a, 4>,
    named: Vector<'a, 4>,
    data: &'a [u8],
}

fn open(file: &[u8]) -> Option<File<'_>> {
    let head = file.first_chunk::<48>()?;
    if head[4..12] != *b"FT01FH01" || len_at(head, 12) < 40 {
        return None;
    }
    let (offset, size) = (long_at(head, 16)?, long_at(head, 24)?);
    let base = long_at(head, 32)?;
    let end = offset.checked_add(size).filter(|end| *end >= 52 && base >= *end)?;
    if offset < 40 {
        return None;
    }
    // The header stands inside the buffer, and no table inside the header. With more slots it would
    // be an older schema, which is not known here.
    let root = Table::at(file.get(48..end)?, len_at(head, 0).checked_sub(48)?)?;
    if root.slots() > 3 || root.u32(0)? != 0 {
        return None;
    }
    let (segments, named) = (root.required(1)?, root.required(2)?);
    Some(File { segments, named, data: file.get(base..)? })
}

/// The name of a tensor and which segment it has.
fn name(named: Table<'_>) -> Option<(&str, u32)> {
    if !named.has(0) {
        return None;
    }
    Some((named.str(0)?, named.u32(1)?))
}

/// The type, the sizes and the order of a tensor.
struct Shape<'a> {
    kind: u8,
    sizes: &'a [[u8; 4]],
    order: &'a [u8],
}

fn shape(layout: Table<'_>) -> Option<Shape<'_>> {
    let (sizes, order) = (layout.required::<4>(1)?, layout.required::<1>(2)?);
    let (sizes, order) = (sizes.items(), order.items().as_flattened());
    Some(Shape { kind: layout.u8(0)?, sizes, order })
}

/// Reads the tensors.
pub fn read(file: &[u8]) -> Option<u64> {
    let File { segments, named, data } = open(file)?;
    let mut sum = 0;
    for named in named.tables() {
        let named = named?;
        let (key, index) = name(named)?;
        let Shape { kind, sizes, order } = shape(named.table(2)??)?;
        let segment = segments.table(index as usize)?;
        let (start, len) =
            (usize::try_from(segment.u64(0)?).ok()?, usize::try_from(segment.u64(1)?).ok()?);
        let bytes = data.get(start..)?.get(..len)?;
        let mut elements = 1_u64;
        for size in sizes.iter().take(256) {
            elements = elements.wrapping_mul(u64::try_from(i32::from_le_bytes(*size)).ok()?);
        }
        sum = fold::tensor(sum, Tensor { key, is_float: kind == 6, elements, order, bytes });
    }
    Some(sum)
}

/// Whether all that the file has can be read.
pub fn is_valid(file: &[u8]) -> Option<u64> {
    let File { segments, named, .. } = open(file)?;
    let mut left = MOST_TABLES;
    let mut table = || {
        left = left.checked_sub(1)?;
        Some(())
    };
    for segment in segments.tables() {
        let segment = segment?;
        table()?;
        segment.u64(0)?;
        segment.u64(1)?;
    }
    for named in named.tables() {
        let named = named?;
        table()?;
        name(named)?;
        if let Some(layout) = named.table(2)? {
            table()?;
            shape(layout)?;
        }
    }
    Some(1)
}

/// Writes the file again.
pub fn write(file: &[u8]) -> Option<Writer<'_>> {
    open(file)?;
    let size = long_at(file.first_chunk::<48>()?, 24)?;
    let (tables, rest) = file.split_at(40 + size);
    Some(Box::new(move || {
        let mut out = Vec::with_capacity(file.len());
        out.extend_from_slice(&tables[..16]);
        out.extend_from_slice(&40_u64.to_le_bytes());
        out.extend_from_slice(&(size as u64).to_le_bytes());
        out.extend_from_slice(&((40 + size).next_multiple_of(16) as u64).to_le_bytes());
        out.extend_from_slice(&tables[40..]);
        out.extend_from_slice(rest);
        Some(out)
    }))
}
