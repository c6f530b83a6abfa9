//! Damaged copies of a file: cut off, and changed where the fields are.

use alloc::vec::Vec;
use core::ops::Range;

use crate::tree::{Node, Tree};

/// How many bytes all damaged copies of one file may have together.
const BUDGET: usize = 1 << 24;

/// Damaged copies of a file, each with the range that was changed.
pub fn mutations<'f>(
    file: &'f [u8],
    tree: &Tree,
) -> impl Iterator<Item = (Range<usize>, Vec<u8>)> + use<'f> {
    let most = BUDGET.checked_div(file.len().max(1)).unwrap_or(1).max(64);
    let mut fields = Vec::new();
    leaves(&tree.root, &mut fields);
    let step = file.len().saturating_mul(4).checked_div(most).unwrap_or(0).max(1);
    let cuts = (0..file.len()).step_by(step);
    let cut = cuts.map(|len| (len..file.len(), file.get(..len).unwrap_or_default().to_vec()));
    let changed = changes(file, &fields).into_iter().take(most);
    let changed = changed.map(|(at, bytes)| {
        let mut copy = file.to_vec();
        let range = at..at.saturating_add(bytes.len());
        if let Some(slot) = copy.get_mut(range.clone()) {
            slot.copy_from_slice(&bytes);
        }
        (range, copy)
    });
    changed.chain(cut)
}

/// The ranges of all fields that have no other inside.
fn leaves(node: &Node, fields: &mut Vec<Range<usize>>) {
    let place = |offset: u64| usize::try_from(offset).unwrap_or(usize::MAX);
    if node.children.is_empty() && node.end > node.start {
        fields.push(place(node.start)..place(node.end));
    }
    node.children.iter().for_each(|child| leaves(child, fields));
}

/// New bytes for the fields, the simplest change of every field first.
fn changes(file: &[u8], fields: &[Range<usize>]) -> Vec<(usize, Vec<u8>)> {
    let mut rounds: Vec<Vec<(usize, Vec<u8>)>> = Vec::new();
    for (field, index) in fields.iter().zip(0_usize..) {
        let Some(bytes) = file.get(field.clone()) else { continue };
        // Fields of the same size, such as those of the item before, may be equal or out of order.
        let earlier = fields.get(..index).unwrap_or_default().iter().rev();
        let same = earlier.filter(|other| other.len() == field.len()).take(8);
        let copies = same.filter_map(|other| file.get(other.clone())).map(<[u8]>::to_vec);
        let new = simple(bytes).into_iter().chain(copies).filter(|new| new != bytes);
        for (new, round) in new.zip(0_usize..) {
            if rounds.len() <= round {
                rounds.push(Vec::new());
            }
            if let Some(list) = rounds.get_mut(round) {
                list.push((field.start, new));
            }
        }
    }
    rounds.into_iter().flatten().collect()
}

/// Other values for a field: its neighbours, the ends of what it can hold, single bits.
fn simple(bytes: &[u8]) -> Vec<Vec<u8>> {
    let mut list = Vec::new();
    let ends = [bytes.len().saturating_sub(1), 0];
    for at in ends {
        for change in [1_u8, 0xff, 2, 0xfe, 3, 0xfd] {
            list.push(with(bytes, at, |byte| byte.wrapping_add(change)));
        }
    }
    for fill in [0, 0xff, 0x20, b'A'] {
        list.push(alloc::vec![fill; bytes.len()]);
    }
    for at in ends {
        for small in 0..=64 {
            let mut zeros = alloc::vec![0; bytes.len()];
            if let Some(slot) = zeros.get_mut(at) {
                *slot = small;
            }
            list.push(zeros);
        }
    }
    for at in (0..bytes.len()).take(16) {
        for bit in 0..8_u32 {
            list.push(with(bytes, at, |byte| byte ^ 1_u8.wrapping_shl(bit)));
        }
    }
    list
}

fn with(bytes: &[u8], at: usize, change: impl FnOnce(u8) -> u8) -> Vec<u8> {
    let mut copy = bytes.to_vec();
    if let Some(byte) = copy.get_mut(at) {
        *byte = change(*byte);
    }
    copy
}
