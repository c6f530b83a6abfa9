//! What an expert writes, for nodes as the test file has them: constants outside of the graph,
//! operators without attributes.

use crate::flat::{MOST_TABLES, Table};
use crate::fold;
use crate::numbers::{long_at, u32_at};
use crate::race::Writer;

fn open(file: &[u8]) -> Option<Table<'_>> {
    let head = file.first_chunk::<32>()?;
    if head[..8] != *b"RTEN\x02\0\0\0" {
        return None;
    }
    let (offset, len) = (long_at(head, 8)?, long_at(head, 16)?);
    let end = offset.checked_add(len)?;
    if offset < 32 || long_at(head, 24)? < end || long_at(head, 24)? > file.len() {
        return None;
    }
    let root = Table::root(file.get(offset..end)?)?;
    root.u32(0)?;
    if root.has(2) {
        return None;
    }
    root.table(1)?
}

/// Walks the nodes: `each` gets the name and what there is of numbers; `table` hears of every table.
#[inline(always)]
#[allow(clippy::inline_always, reason = "as if the loop stood where it is used")]
fn walk(
    graph: Table<'_>,
    mut table: impl FnMut() -> Option<()>,
    mut each: impl FnMut(&str, u8, Option<u64>) -> Option<()>,
) -> Option<()> {
    for node in graph.vector::<4>(0)?.tables() {
        let node = node?;
        table()?;
        let (kind, data) = (node.u8(1)?, node.table(2)??);
        table()?;
        let mut numbers = 0;
        let mut is_stored = true;
        match kind {
            1 => {
                numbers = u64::from(data.u8(0)? == 43);
                data.no_union(1)?;
                for slot in [3, 4] {
                    for index in data.vector::<4>(slot)?.items() {
                        numbers = fold::index(numbers, u32_at(index, 0));
                    }
                }
            }
            2 => {
                for size in data.required::<4>(0)?.items() {
                    numbers = fold::index(numbers, u32_at(size, 0));
                }
                data.no_union(1)?;
                numbers ^= data.u64(4)? ^ u64::from(data.u16(3)? == 1) << 48;
                is_stored = data.has(4);
            }
            3 => {
                for dim in data.vector::<4>(0)?.tables() {
                    let dim = dim?;
                    table()?;
                    dim.str(1)?;
                    numbers = fold::index(numbers, dim.u32(0)?);
                }
                numbers ^= u64::from(data.u8(1)? == 1) << 48;
            }
            _ => return None,
        }
        each(node.str(0)?, kind, is_stored.then_some(numbers))?;
    }
    for slot in [1, 2, 3] {
        graph.vector::<4>(slot)?;
    }
    Some(())
}

/// Reads the nodes.
pub fn read(file: &[u8]) -> Option<u64> {
    let mut sum = 0;
    walk(
        open(file)?,
        || Some(()),
        |name, kind, numbers| {
            sum = fold::node(sum, name, kind, numbers?);
            Some(())
        },
    )?;
    Some(sum)
}

/// Whether all that the file has can be read.
pub fn is_valid(file: &[u8]) -> Option<u64> {
    let mut left = MOST_TABLES;
    let table = || {
        left = left.checked_sub(1)?;
        Some(())
    };
    walk(open(file)?, table, |_, _, _| Some(())).map(|()| 1)
}

/// Writes the file again.
pub fn write(file: &[u8]) -> Option<Writer<'_>> {
    open(file)?;
    let len = long_at(file.first_chunk::<32>()?, 16)?;
    let (graph, rest) = file[32..].split_at(len);
    Some(Box::new(move || {
        let mut out = Vec::with_capacity(file.len());
        out.extend_from_slice(b"RTEN\x02\0\0\0");
        out.extend_from_slice(&32_u64.to_le_bytes());
        out.extend_from_slice(&(len as u64).to_le_bytes());
        out.extend_from_slice(&((32 + len).next_multiple_of(64) as u64).to_le_bytes());
        out.extend_from_slice(graph);
        out.extend_from_slice(rest);
        Some(out)
    }))
}
