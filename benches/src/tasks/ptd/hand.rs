//! What an expert writes.

use crate::flat::Table;
use crate::fold::{self, Tensor};
use crate::numbers::{len_at, long_at, u32_at};
use crate::race::Writer;

/// What a file is made of: the header, the buffer and the segments.
struct File<'a> {
    root: Table<'a>,
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
    Some(File { root: Table::root(file.get(..end)?)?, data: file.get(base..)? })
}

/// A tensor, with its bytes if that is asked for.
fn tensor<'a>(named: Table<'a>) -> Option<(&'a str, u32, Table<'a>)> {
    Some((named.str(0)?, named.u32(1)?, named.table(2)??))
}

/// Reads the tensors.
pub fn read(file: &[u8]) -> Option<u64> {
    let File { root, data } = open(file)?;
    if root.u32(0)? != 0 {
        return None;
    }
    let segments = root.vector::<4>(1)?;
    let mut sum = 0;
    for named in root.vector::<4>(2)?.tables() {
        let (key, index, layout) = tensor(named?)?;
        let segment = segments.table(index as usize)?;
        let (start, len) =
            (usize::try_from(segment.u64(0)?).ok()?, usize::try_from(segment.u64(1)?).ok()?);
        let bytes = data.get(start..)?.get(..len)?;
        let sizes = layout.vector::<4>(1)?.items().iter();
        let elements = sizes.fold(1, |all, size| all * u64::from(u32_at(size, 0)));
        let order = layout.vector::<1>(2)?.items().as_flattened();
        sum =
            fold::tensor(sum, Tensor { key, is_float: layout.u8(0)? == 6, elements, order, bytes });
    }
    Some(sum)
}

/// Whether all that the file has can be read.
pub fn is_valid(file: &[u8]) -> Option<u64> {
    let File { root, .. } = open(file)?;
    if root.u32(0)? != 0 {
        return None;
    }
    for segment in root.vector::<4>(1)?.tables() {
        let segment = segment?;
        segment.u64(0)?;
        segment.u64(1)?;
    }
    for named in root.vector::<4>(2)?.tables() {
        let (_, _, layout) = tensor(named?)?;
        layout.u8(0)?;
        layout.vector::<4>(1)?;
        layout.vector::<1>(2)?;
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
