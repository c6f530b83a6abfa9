//! Ranges of a file.

/// How many bytes lie in at least one of some ranges, each an offset and a length.
pub fn covered(ranges: &mut [(u64, u64)]) -> u64 {
    ranges.sort_unstable();
    let (mut reached, mut bytes) = (0_u64, 0_u64);
    for &mut (offset, len) in ranges {
        let (start, end) = (offset.max(reached), offset.saturating_add(len));
        bytes = bytes.saturating_add(end.saturating_sub(start));
        reached = reached.max(end);
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shared_bytes_are_counted_once() {
        assert_eq!(covered(&mut [(8, 4), (0, 4), (8, 4), (10, 6), (0, 0)]), 12);
        assert_eq!(covered(&mut [(u64::MAX, 4)]), 0);
        assert_eq!(covered(&mut []), 0);
    }
}
