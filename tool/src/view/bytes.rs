//! Which bytes a page has: all of a small file, else the start and the end of every field, as much of
//! each as there is room for.

use std::ops::Range;

/// How many bytes a page has.
pub(super) const MOST: u64 = 1 << 19;

/// Bytes are shown in lines of so many.
const LINE: u64 = 16;

/// How much of each field there may be, the most first.
const HEADS: [u64; 8] = [u64::MAX, 1 << 16, 1 << 14, 1 << 12, 1 << 10, 256, 64, 16];

/// Ranges of whole lines in file order, `MOST` bytes at most: what lies around `marks` in any case,
/// of the `fields` as much as possible.
pub(super) fn chosen(len: u64, marks: &[(u64, u64)], fields: &[(u64, u64)]) -> Vec<Range<u64>> {
    if len <= MOST {
        return merged(len, std::iter::once(0..len));
    }
    // Where a file begins and ends is always of interest.
    let mut always = vec![0..4 * LINE, len.saturating_sub(4 * LINE)..len];
    always.extend(marks.iter().map(|(start, end)| {
        start.saturating_sub(2 * LINE)
            ..(*end).min(start.saturating_add(256)).saturating_add(2 * LINE)
    }));
    for head in HEADS {
        let ends = fields.iter().flat_map(|&(start, end)| {
            let tail = end.saturating_sub(LINE).max(start)..end;
            [start..end.min(start.saturating_add(head)), tail]
        });
        let ranges = merged(len, always.iter().cloned().chain(ends));
        if total(&ranges) <= MOST {
            return ranges;
        }
    }
    // More fields than there is room for: the first ones.
    let mut left = MOST;
    let mut ranges = merged(len, always.into_iter());
    ranges.retain(|range| {
        let rest = left.checked_sub(range.end.saturating_sub(range.start));
        left = rest.unwrap_or(left);
        rest.is_some()
    });
    ranges
}

fn total(ranges: &[Range<u64>]) -> u64 {
    ranges.iter().map(|range| range.end.saturating_sub(range.start)).sum()
}

/// The lines that these ranges touch, in order.
fn merged(len: u64, ranges: impl Iterator<Item = Range<u64>>) -> Vec<Range<u64>> {
    let line = |range: Range<u64>| {
        let end = range.end.checked_next_multiple_of(LINE).unwrap_or(len).min(len);
        range.start - range.start % LINE..end
    };
    let mut lines: Vec<_> = ranges.map(line).filter(|range| range.start < range.end).collect();
    lines.sort_unstable_by_key(|range| range.start);
    let mut merged: Vec<Range<u64>> = Vec::new();
    for range in lines {
        match merged.last_mut() {
            Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
            _ => merged.push(range),
        }
    }
    merged
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_files_are_whole() {
        let whole = |len| {
            chosen(len, &[(3, 4)], &[(0, 9)])
                .iter()
                .map(|range| (range.start, range.end))
                .collect::<Vec<_>>()
        };
        assert_eq!(whole(5), [(0, 5)]);
        assert_eq!(chosen(0, &[], &[]), []);
        assert_eq!(whole(MOST), [(0, MOST)]);
    }

    #[test]
    fn large_fields_are_cut() {
        let len = 1 << 30;
        let found = chosen(len, &[(1 << 20, 1 << 29)], &[(0, 100), (4096, 1 << 28)]);
        assert_eq!(
            found,
            [
                0..112,
                4096..4096 + (1 << 16),
                (1 << 20) - 32..(1 << 20) + 256 + 32,
                (1 << 28) - 16..1 << 28,
                len - 64..len,
            ]
        );
    }

    #[test]
    fn pages_stay_small_however_many_fields_there_are() {
        let fields: Vec<_> = (0..1 << 17).map(|at| (at * 100, at * 100 + 50)).collect();
        let found = chosen(1 << 30, &[], &fields);
        assert!(total(&found) <= MOST && total(&found) >= 128);
        let marks: Vec<_> = (0..1 << 17).map(|at| (at * 1000, at * 1000 + 1)).collect();
        assert!(total(&chosen(1 << 30, &marks, &fields)) <= MOST);
        let far = (u64::MAX - 3, u64::MAX);
        assert!(total(&chosen(u64::MAX, &[far], &[far, (9, 3)])) <= MOST);
    }
}
