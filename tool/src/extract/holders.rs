//! Items whose bytes other items have, too: a segment and the tensors in it.

use std::borrow::Cow;

use crate::item::Item;
use crate::json::wide;

/// Which items nothing is lost without: their bytes lie in items of kinds that come later, but for
/// zeros between them.
pub(super) fn holders(file: &[u8], items: &[&Item<'_>]) -> Vec<bool> {
    let mut kinds: Vec<&str> = Vec::new();
    for item in items {
        if !kinds.contains(&item.kind.as_str()) {
            kinds.push(&item.kind);
        }
    }
    let mut holders = vec![false; items.len()];
    let mut later = Runs::default();
    for kind in kinds.into_iter().rev() {
        let of_kind = || items.iter().zip(0..).filter(|(item, _)| item.kind == kind);
        for (item, index) in of_kind() {
            let is_holder = later.covers(file, item) && is_stored(item);
            if let Some(holder) = holders.get_mut(index) {
                *holder = is_holder;
            }
        }
        later.add(
            of_kind().map(|(item, _)| (item.offset, item.offset.saturating_add(item.stored_size))),
        );
    }
    holders
}

/// Whether what is extracted are the bytes of the file themselves.
fn is_stored(item: &Item<'_>) -> bool {
    item.promised.is_none()
        && matches!((item.payload)(), Ok(Cow::Borrowed(bytes)) if wide(bytes.len()) == item.stored_size)
}

/// Ranges that do not touch, in order.
#[derive(Default)]
struct Runs(Vec<(u64, u64)>);

impl Runs {
    fn add(&mut self, runs: impl Iterator<Item = (u64, u64)>) {
        let mut all: Vec<_> =
            self.0.drain(..).chain(runs.filter(|(start, end)| start < end)).collect();
        all.sort_unstable();
        for (start, end) in all {
            match self.0.last_mut() {
                Some((_, reached)) if start <= *reached => *reached = end.max(*reached),
                _ => self.0.push((start, end)),
            }
        }
    }

    /// Whether an item lies in these ranges, but for zeros.
    fn covers(&self, file: &[u8], item: &Item<'_>) -> bool {
        let (mut at, end) = (item.offset, item.offset.saturating_add(item.stored_size));
        let first = self.0.partition_point(|(_, reached)| *reached <= at);
        let inside = self.0.get(first..).unwrap_or_default();
        let inside = inside.iter().take_while(|(start, _)| *start < end);
        let mut is_any = false;
        for (start, reached) in inside {
            if !is_zero(file, at, *start) {
                return false;
            }
            is_any = true;
            at = at.max(*reached);
        }
        is_any && is_zero(file, at, end)
    }
}

fn is_zero(file: &[u8], start: u64, end: u64) -> bool {
    let range = usize::try_from(start).ok().zip(usize::try_from(end).ok());
    let between = range.filter(|(start, end)| start < end);
    let bytes = between.map_or(Some(&[][..]), |(start, end)| file.get(start..end));
    bytes.is_some_and(|bytes| bytes.iter().all(|byte| *byte == 0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item<'f>(file: &'f [u8], kind: &str, offset: usize, len: usize) -> Item<'f> {
        let bytes = &file[offset..offset + len];
        Item {
            path: String::new(),
            kind: kind.to_owned(),
            name: None,
            offset: wide(offset),
            stored_size: wide(len),
            columns: vec![],
            details: vec![],
            file_name: String::new(),
            is_file: true,
            promised: None,
            payload: Box::new(move || Ok(Cow::Borrowed(bytes))),
        }
    }

    #[track_caller]
    fn check(file: &[u8], items: &[Item<'_>], expected: &[bool]) {
        let items: Vec<_> = items.iter().collect();
        assert_eq!(holders(file, &items), expected);
    }

    #[test]
    fn holders_are_what_others_have_whole() {
        let file = b"abcd\0\0efgh";
        let of = |kind, offset, len| item(file, kind, offset, len);
        let (segment, tensor) = ("segment", "tensor");
        check(
            file,
            &[of(segment, 0, 10), of(tensor, 0, 4), of(tensor, 6, 4)],
            &[true, false, false],
        );
        // A byte that is no zero would be lost.
        check(file, &[of(segment, 0, 10), of(tensor, 0, 3), of(tensor, 6, 4)], &[false; 3]);
        check(file, &[of(segment, 0, 10), of(tensor, 0, 4)], &[false; 2]);
        // Of one kind each has its name, and what comes later is the part that is wanted.
        check(file, &[of(tensor, 0, 4), of(tensor, 0, 4), of(segment, 0, 4)], &[true, true, false]);
        check(file, &[of(tensor, 0, 4), of(tensor, 0, 4)], &[false; 2]);
        check(file, &[of(segment, 4, 2), of(tensor, 0, 4)], &[false; 2]);
        let chain = [of(segment, 0, 4), of("named", 0, 4), of(tensor, 0, 4)];
        check(file, &chain, &[true, true, false]);
    }

    #[test]
    fn what_is_decoded_holds_nothing() {
        let file = b"abcd";
        let decoded = Item {
            payload: Box::new(|| Ok(Cow::Owned(b"longer than stored".to_vec()))),
            ..item(file, "elf", 0, 4)
        };
        check(file, &[decoded, item(file, "ptx", 0, 4)], &[false; 2]);
    }
}
