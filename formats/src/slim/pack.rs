//! Where containers of a section go, and the bytes that this makes.

use alloc::vec::Vec;
use core::ops::Range;

use binfmt_runtime::BinFormat;

use super::containers::Found;
use super::image::{Image, Piece};
use super::refusal::{DAMAGED, Refusal};

/// What every tool aligns containers to.
const ALIGN: u64 = 8;

/// The fixed part of the header of a container.
#[derive(BinFormat, Debug, Clone, Copy, PartialEq, Eq)]
#[bin(little)]
struct Header {
    magic: u32,
    version: u16,
    first_entry: u16,
    size: u64,
}

/// Gives every movable container the first place that is free, around those that stay. None moves
/// behind its old place, so there is always one.
pub(super) fn place(start: u64, containers: &mut [Found]) {
    let used = |it: &Found| it.range.start..it.range.start.saturating_add(it.new_len());
    let pinned: Vec<_> = containers.iter().filter(|it| !it.is_movable()).map(used).collect();
    let mut pinned = pinned.into_iter().peekable();
    let mut at = start;
    for container in containers.iter_mut().filter(|it| it.is_movable()) {
        let len = container.new_len();
        while let Some(next) = pinned.next_if(|it| at.saturating_add(len) > it.start) {
            at = at.max(next.end).checked_next_multiple_of(ALIGN).unwrap_or(u64::MAX);
        }
        container.place = at.min(container.range.start);
        let end = container.place.saturating_add(len);
        at = end.checked_next_multiple_of(ALIGN).unwrap_or(u64::MAX);
    }
}

/// Puts the containers of a section to their places, and gives the ranges that are left, which
/// nothing has been put to.
pub(super) fn put(
    file: &[u8],
    section: Range<u64>,
    containers: &[Found],
    image: &mut Image,
) -> Result<Vec<Range<u64>>, Refusal> {
    let mut sorted: Vec<_> = containers.iter().collect();
    sorted.sort_by_key(|it| it.place);
    let mut gaps = Vec::new();
    let mut at = section.start;
    for container in sorted {
        if container.place > at {
            gaps.push(at..container.place);
        }
        put_container(file, container, image)?;
        at = container.place.saturating_add(container.new_len());
    }
    if section.end > at {
        gaps.push(at..section.end);
    }
    Ok(gaps)
}

fn put_container(file: &[u8], container: &Found, image: &mut Image) -> Result<(), Refusal> {
    if container.place == container.range.start && container.dropped().next().is_none() {
        return image.put(container.place, Piece::Copy(container.range.clone()));
    }
    let path = container.path();
    let start = container.range.start;
    let damaged = |error| Refusal::new(&DAMAGED, (&path, start), "a header", error);
    let bytes = usize::try_from(start).ok().and_then(|start| file.get(start..)).unwrap_or_default();
    let mut header = Header::parse_prefix(bytes).map_err(damaged)?.0;
    header.size = container.new_len().saturating_sub(container.header_len);
    let fixed = header.to_vec().map_err(damaged)?;
    let mut at = container.place;
    let mut push = |piece: Piece| {
        let len = piece.len();
        image.put(at, piece)?;
        at = at.saturating_add(len);
        Ok(())
    };
    let tail = start.saturating_add(crate::shared::wide(fixed.len()));
    push(Piece::Bytes(fixed))?;
    push(Piece::Copy(tail..start.saturating_add(container.header_len).max(tail)))?;
    for member in container.kept() {
        push(Piece::Copy(member.range.clone()))?;
    }
    Ok(())
}
