//! Numbers of items that the writer computes, compared while the value of the item is open.

use super::Entry;
use crate::Layout;
use crate::observe::Observer;
use crate::walk::calculated;

/// One number of an item.
#[derive(Debug)]
pub struct Number<'e, T> {
    /// The item.
    pub entry: &'e Entry<T>,
    /// The declaration, its field that is the table, and the one with the values.
    pub place: (&'static Layout, usize, usize),
    /// The names that lead from what holds the table to it.
    pub path: &'static [&'static str],
    /// The names that lead from the item to the number.
    pub names: &'static [&'static str],
}

impl<T> Number<'_, T> {
    /// Tells something about the number, at its own path and place: its bytes, and the largest number
    /// that they can hold. What the words of the values say about findings counts.
    pub(super) fn tell<O: Observer>(
        &self,
        obs: &mut O,
        tell: impl FnOnce(&mut O, (usize, usize), u64),
    ) {
        let (layout, table, field) = self.place;
        obs.close(self.entry.depth);
        obs.reopen(layout, table);
        let (holder, index) = self.entry.told_by;
        if let Some(holder) = holder {
            obs.reopen_item(holder);
        }
        let (mut start, mut size) = (Some(self.entry.span.0).filter(|_| self.entry.exact), None);
        let mut inside = layout.field(table).nested.map(|nested| nested());
        for (depth, name) in self.path.iter().chain(self.names).enumerate() {
            if depth == self.path.len()
                && let Some(index) = index
            {
                obs.reopen_item(index);
            }
            let Some(own) = inside else { break };
            let index = own.fields.iter().position(|field| field.name == *name);
            let index = index.unwrap_or(usize::MAX);
            obs.reopen(own, index);
            let own = own.field(index);
            start = start.zip(own.offset).map(|(start, offset)| start.saturating_add(offset));
            size = own.size;
            inside = own.nested.map(|nested| nested());
        }
        if let (true, Some(index)) = (self.names.is_empty(), index) {
            obs.reopen_item(index);
            size = None;
        }
        let own = start.zip(size).map(|(start, size)| (start, start.saturating_add(size)));
        let (span, most) = (own.unwrap_or(self.entry.span), size.map_or(u64::MAX, most_in));
        obs.about(layout, field);
        tell(obs, span, most);
        obs.about(layout, usize::MAX);
        // The value of the item is still open.
        obs.close(self.entry.depth);
        obs.reopen(layout, field);
        obs.reopen_item(self.entry.index);
    }
}

/// The largest number that has so many bytes.
fn most_in(size: usize) -> u64 {
    let unused = 8_usize.saturating_sub(size).saturating_mul(8);
    u32::try_from(unused).ok().and_then(|unused| u64::MAX.checked_shr(unused)).unwrap_or(0)
}

/// Compares a number with what the writer would set it to.
pub fn compare<O: Observer, T>(
    obs: &mut O,
    number: &Number<'_, T>,
    expected: Option<u64>,
    found: Option<u64>,
) {
    if expected.is_some() && expected == found {
        return;
    }
    number.tell(obs, |obs, span, most| {
        calculated(obs, span, expected, found.unwrap_or_default(), most);
    });
}
