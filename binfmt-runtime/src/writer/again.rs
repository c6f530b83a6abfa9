//! Whether what has been read is written as the bytes that it was read from.

use super::region::Emit;
use super::{Book, Writer};
use crate::Cursor;
use crate::ops::wide;

/// Whether `emit` writes just the bytes that are `stored` from `start` on; `None` if it fails, or needs more
/// memory.
pub(crate) fn is_written_as(
    cur: &Cursor<'_>,
    start: usize,
    stored: &[u8],
    emit: &mut Emit<'_>,
) -> Option<bool> {
    let mut book = Book::default();
    let mut dry = lying(Writer::dry(&mut book), cur, start);
    emit(&mut dry).ok()?;
    if dry.pos() != wide(start.saturating_add(stored.len())) {
        return Some(false);
    }
    let mut few = [0; 64];
    #[cfg(feature = "alloc")]
    let mut many = alloc::vec![0; if stored.len() > few.len() { stored.len() } else { 0 }];
    let space = few.get_mut(..stored.len());
    #[cfg(feature = "alloc")]
    let space = space.or(Some(&mut many[..]));
    let space = space?;
    let mut book = Book::default();
    let out = Writer { book: Some(&mut book), ..Writer::new(space) };
    emit(&mut lying(out, cur, start)).ok()?;
    Some(space == stored)
}

/// A writer that begins where a value has been read.
fn lying<'w>(out: Writer<'w>, cur: &Cursor<'_>, start: usize) -> Writer<'w> {
    Writer { base: wide(start), origin: wide(cur.origin), order: cur.order, ..out }
}
