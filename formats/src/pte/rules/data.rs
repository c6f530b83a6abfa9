//! Named data: indices and keys.

use alloc::collections::BTreeMap;

use binfmt_runtime::{Rules, Show, path};

use super::super::program::{NamedData, Program};
use super::{View, table};
use crate::shared::{index as below, wide};

/// Every key is there once, and leads to a segment.
pub(super) fn named(view: &View<'_>, program: &mut Rules<'_>) {
    let list = view.program.named_data();
    let count = view.program.segments().count();
    let mut seen = BTreeMap::new();
    for (named, index) in list.iter().zip(0_u64..) {
        if !view.spend() {
            return;
        }
        let Ok(named) = named else { continue };
        if !view.spend_all(named.key.map_or(0, |key| wide(key.len()))) {
            return;
        }
        let range = named.key.map(|key| view.range_of(key, program));
        let mut at = program.at(&path!(Program.named_data[index])).over(list.range(index));
        let segment = i64::from(named.segment_index);
        let field = &mut at.at(&path!(NamedData.segment_index));
        below(field, &table::NAMED_SEGMENT, segment, count);
        let Some(key) = named.key else { continue };
        if let Some(first) = seen.get(key) {
            let key = &mut at.at(&path!(NamedData.key)).over(range);
            repeated(view, *first, named.segment_index, key);
        } else {
            seen.insert(key, named.segment_index);
        }
    }
}

fn repeated(view: &View<'_>, first: u32, second: u32, key: &mut Rules<'_>) {
    let segment = |index: u32| view.program.segments().get(index.into())?.ok();
    let same = first == second || segment(first) == segment(second);
    let rule = if same { &table::NAMED_REPEATED } else { &table::NAMED_CONFLICT };
    key.report(rule, Show::Uint(first.into()), Show::Uint(second.into()));
}
