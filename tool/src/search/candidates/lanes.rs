//! One pass over aligned numbers of four bytes that compares each with all magics.

/// How long a number is, in bytes.
pub(super) const LANE: usize = 4;

/// How many bytes are compared at once: the compiler makes a few vector instructions of a block.
const BLOCK: usize = 64;

/// Calls `found` with the place of every number that is one of `magics`, and with its index there.
/// Numbers lie at multiples of four bytes of `bytes`.
pub(super) fn find(bytes: &[u8], magics: &[u32], mut found: impl FnMut(usize, usize)) {
    let (blocks, rest) = bytes.as_chunks::<BLOCK>();
    let mut each = |start: usize, block: &[u8]| {
        for (at, lane) in (start..).step_by(LANE).zip(block.as_chunks().0) {
            let number = u32::from_le_bytes(*lane);
            let equal = magics.iter().enumerate().filter(|(_, magic)| **magic == number);
            equal.for_each(|(index, _)| found(at, index));
        }
    };
    for (start, block) in (0..).step_by(BLOCK).zip(blocks) {
        if holds_any(block, magics) {
            each(start, block);
        }
    }
    each(blocks.len() * BLOCK, rest);
}

/// Whether one of the numbers of a block is one of `magics`. Nothing is left early: a branch for
/// each comparison would cost more than all of them.
#[inline]
fn holds_any(block: &[u8; BLOCK], magics: &[u32]) -> bool {
    let mut numbers = [0; BLOCK / LANE];
    for (number, lane) in numbers.iter_mut().zip(block.as_chunks().0) {
        *number = u32::from_le_bytes(*lane);
    }
    let mut equal = [0_u32; BLOCK / LANE];
    for magic in magics {
        for (equal, number) in equal.iter_mut().zip(numbers) {
            // All bits, as a vector comparison leaves them.
            *equal |= if number == *magic { u32::MAX } else { 0 };
        }
    }
    equal.iter().fold(0, |any, equal| any | equal) != 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_place_and_magic_is_found_in_order() {
        let magics = [u32::from_le_bytes(*b"BOXS"), u32::from_le_bytes(*b"FOUR")];
        for len in 0..3 * BLOCK {
            for at in 0..len {
                let mut bytes = vec![b'x'; len];
                for (place, magic) in [(at, b"BOXS"), (at + 8, b"FOUR")] {
                    if let Some(place) = bytes.get_mut(place..place + LANE) {
                        place.copy_from_slice(magic);
                    }
                }
                let mut places = Vec::new();
                find(&bytes, &magics, |at, index| places.push((at, index)));
                let fits = |(place, _): &(usize, usize)| place % LANE == 0 && place + LANE <= len;
                let expected = [(at, 0), (at + 8, 1)].into_iter().filter(fits);
                assert_eq!(places, expected.collect::<Vec<_>>(), "{at} of {len}");
            }
        }
    }
}
