//! Damaged copies of a file: cut off, and changed where the fields are.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use crate::tree::{Node, Tree};

/// What all damaged copies of one file may cost together: what goes through everything is as dear as its bytes,
/// and a field or an item is as dear as [`OF_A_NODE`] of them.
const BUDGET: usize = 3 << 21;

/// What a field or an item costs, in bytes.
const OF_A_NODE: usize = 4;

/// What decoded bytes cost, in fields: they are decoded by each walk, and encoded by each writer.
const OF_A_CODEC: usize = 32;

/// The fewest copies, whatever they cost.
const FEWEST: usize = 64;

/// Damaged copies of a file, each with the range that was changed.
pub fn mutations<'f>(
    file: &'f [u8],
    tree: &Tree,
) -> impl Iterator<Item = (Range<usize>, Vec<u8>)> + use<'f> {
    let cost = nodes(&tree.root).saturating_mul(OF_A_NODE).saturating_add(file.len());
    let most = BUDGET.checked_div(cost.max(1)).unwrap_or(1).max(FEWEST);
    let fields = Leaf::all(tree);
    let cuts = cuts(file.len(), &fields, most);
    let cut = cuts.into_iter();
    let cut = cut.map(|len| (len..file.len(), file.get(..len).unwrap_or_default().to_vec()));
    let changed = spread(changes(file, &fields), most).into_iter();
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

/// How many fields, items and other parts there are.
fn nodes(node: &Node) -> usize {
    let own = if node.is_decoded() { OF_A_CODEC } else { 1 };
    node.children.iter().fold(own, |sum, child| sum.saturating_add(nodes(child)))
}

/// All changes, or `most` of them: half of these are the simplest ones, and the others are taken at equal
/// distances from all that is left, in the order of the file, so that every part of it has its share.
fn spread(mut all: Vec<(usize, Vec<u8>)>, most: usize) -> Vec<(usize, Vec<u8>)> {
    if all.len() <= most {
        return all;
    }
    let simplest = most.div_ceil(2);
    let mut rest = all.split_off(simplest);
    rest.sort_by_key(|(at, _)| *at);
    let (len, share) = (rest.len(), most.saturating_sub(simplest));
    let mut due = 0_usize;
    all.extend(rest.into_iter().filter(|_| {
        due = due.saturating_add(share);
        let taken = due >= len;
        due = if taken { due.saturating_sub(len) } else { due };
        taken
    }));
    all
}

/// Where a file is cut off: everywhere at its start, then in the middle of fields and where they end.
fn cuts(len: usize, fields: &[Leaf], most: usize) -> BTreeSet<usize> {
    let ends = fields.iter().flat_map(|field| {
        let Range { start, end } = field.range;
        let middle = start.midpoint(end);
        [start, start.saturating_add(1), middle, end.saturating_sub(1), end]
    });
    let all: BTreeSet<usize> = (0..len.min(256)).chain(ends).filter(|cut| *cut < len).collect();
    let step = all.len().saturating_mul(4).checked_div(most).unwrap_or(0).max(1);
    all.into_iter().step_by(step).collect()
}

/// How many of the alike fields of a sequence get every change; the others share them.
const THOROUGH: usize = 2;

/// A field that has no other inside.
struct Leaf {
    range: Range<usize>,
    /// The path without the numbers of items, which is the same for alike fields of all items.
    path: String,
    /// How many alike fields come before it.
    index: usize,
}

impl Leaf {
    fn all(tree: &Tree) -> Vec<Self> {
        let mut all = Vec::new();
        Self::collect(&tree.root, "", &mut all);
        let mut seen = BTreeMap::<String, usize>::new();
        for leaf in &mut all {
            let count = seen.entry(leaf.path.clone()).or_default();
            leaf.index = *count;
            *count = count.saturating_add(1);
        }
        all
    }

    fn collect(node: &Node, path: &str, all: &mut Vec<Self>) {
        let place = |offset: u64| usize::try_from(offset).unwrap_or(usize::MAX);
        let name = if node.name.starts_with('[') { "[]" } else { node.name.as_str() };
        let path = alloc::format!("{path}.{name}");
        let parts = node.children.iter().filter(|child| !child.is_decoded());
        let has_parts = parts.clone().any(|child| child.end > child.start);
        if !has_parts && node.end > node.start {
            let range = place(node.start)..place(node.end);
            all.push(Self { range, path: path.clone(), index: 0 });
        }
        parts.for_each(|child| Self::collect(child, &path, all));
    }

    /// Whether the field gets the change of that number: alike fields share all but the first few.
    fn gets(&self, change: usize, alike: usize) -> bool {
        let own = change.checked_rem(alike.max(1)).unwrap_or(0);
        self.index < THOROUGH || change < 4 || own == self.index
    }
}

/// New bytes for the fields, the simplest change of every field first.
fn changes(file: &[u8], fields: &[Leaf]) -> Vec<(usize, Vec<u8>)> {
    let mut alike = BTreeMap::<&str, usize>::new();
    for field in fields {
        let count = alike.entry(&field.path).or_default();
        *count = count.saturating_add(1);
    }
    let mut rounds: Vec<Vec<(usize, Vec<u8>)>> = Vec::new();
    for (field, index) in fields.iter().zip(0_usize..) {
        let Some(bytes) = file.get(field.range.clone()) else { continue };
        let alike = alike.get(field.path.as_str()).copied().unwrap_or(1);
        // Fields of the same size, such as those of the item before, may be equal or out of order.
        let earlier = fields.get(..index).unwrap_or_default().iter().rev();
        let same = earlier.filter(|other| other.range.len() == field.range.len()).take(8);
        let copies = same.filter_map(|other| file.get(other.range.clone())).map(<[u8]>::to_vec);
        let simple = simple(bytes).into_iter().zip(0_usize..);
        let simple = simple.filter(|(_, change)| field.gets(*change, alike)).map(|(new, _)| new);
        let new = simple.chain(copies).filter(|new| new != bytes);
        for (new, round) in new.zip(0_usize..) {
            if rounds.len() <= round {
                rounds.push(Vec::new());
            }
            if let Some(list) = rounds.get_mut(round) {
                list.push((field.range.start, new));
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
