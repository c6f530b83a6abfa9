//! A field with other bytes, and what around it says how long it is.

use std::ops::Range;

use binfmt_runtime::{NodeValue, Step};

use super::bytes::{integer, range};
use crate::derived;
use crate::snapshot::Field;

/// Bytes that take the place of others.
pub(super) type Edit = (Range<usize>, Vec<u8>);

/// The file with other bytes in the last field of a chain: one copy for each byte order of the numbers
/// that say how long it is. Paddings behind it follow, too.
pub(super) fn replaced(file: &[u8], chain: &[&Field], new: &[u8]) -> Result<Vec<Vec<u8>>, String> {
    let field = chain.last().ok_or("there is no field")?;
    let place = range(field).ok_or("its bytes do not lie in the file")?;
    let grown = wide(new.len()) - wide(place.len());
    let mut resized = Resized { edits: vec![(place, new.to_vec())], lengths: Vec::new() };
    if grown != 0 {
        resized.around(chain, grown)?;
    }
    let orders = if resized.lengths.is_empty() { 1 } else { 2 };
    (0..orders).map(|order| resized.apply(file, order)).collect()
}

pub(super) struct Resized<'s> {
    pub(super) edits: Vec<Edit>,
    /// Numbers, and by how much they grow.
    pub(super) lengths: Vec<(&'s Field, i128)>,
}

impl<'s> Resized<'s> {
    /// From the field outwards: what is in it has grown, then its padding, then what it lies in.
    pub(super) fn around(&mut self, chain: &[&'s Field], mut grown: i128) -> Result<(), String> {
        for (index, field) in chain.iter().enumerate().rev() {
            for ty in field.ty.map(derived::shapes).unwrap_or_default() {
                self.grow(field, derived::lengths(ty.words), grown);
                let last = field.inside.last().filter(|last| last.step == Step::Field("padding"));
                if let (Some(bytes), true) = (derived::alignment(ty.words), index + 1 < chain.len())
                {
                    grown += self.pad(last.and_then(range), field, bytes, grown)?;
                }
            }
            let parent = index.checked_sub(1).and_then(|at| chain.get(at));
            self.beside(chain, index, grown);
            let (Some(parent), Some(declared)) = (parent, field.declared) else { continue };
            self.grow(parent, derived::lengths(declared.words), grown);
            if let Some(bytes) = derived::alignment(declared.words) {
                let at = parent.inside.iter().position(|inside| std::ptr::eq(inside, *field));
                let next = at.and_then(|at| parent.inside.get(at + 1));
                let next = next.filter(|next| next.step == Step::Field("padding"));
                grown += self.pad(next.and_then(range), field, bytes, grown)?;
            }
        }
        Ok(())
    }

    /// The item of a table that tells how long the item of a list beside it is.
    fn beside(&mut self, chain: &[&'s Field], index: usize, grown: i128) {
        let of = |back: usize| index.checked_sub(back).and_then(|at| chain.get(at)).copied();
        let (Some(item), Some(list), Some(holder)) = (of(0), of(1), of(2)) else { return };
        let (Step::Index(at), Some(declared)) = (item.step, list.declared) else { return };
        let Some((table, names)) = derived::beside(declared.words) else { return };
        let item = usize::try_from(at).ok().and_then(|at| holder.field(table)?.inside.get(at));
        match item {
            Some(number) if names == ["it"] => self.lengths.push((number, grown)),
            Some(item) => self.grow(item, names, grown),
            None => {}
        }
    }

    fn grow(&mut self, of: &'s Field, names: Vec<&str>, grown: i128) {
        let fields = names.into_iter().filter_map(|name| of.field(name));
        let numbers = fields.filter(|field| matches!(field.value, Some(NodeValue::Uint(_))));
        self.lengths.extend(numbers.map(|number| (number, grown)));
    }

    /// Makes a padding fit again, and says by how much it grows.
    fn pad(
        &mut self,
        padding: Option<Range<usize>>,
        padded: &Field,
        bytes: u64,
        grown: i128,
    ) -> Result<i128, String> {
        let end = usize::try_from(padded.end).map_err(|_| "it lies too far behind")?;
        let place = padding.unwrap_or(end..end);
        let old = wide(place.len());
        let new = (old - grown).rem_euclid(i128::from(bytes));
        let len = usize::try_from(new).map_err(|_| "its padding is too long")?;
        self.edits.push((place, vec![0; len]));
        Ok(new - old)
    }

    pub(super) fn apply(&self, file: &[u8], order: usize) -> Result<Vec<u8>, String> {
        let mut edits = self.edits.clone();
        for (length, grown) in &self.lengths {
            let Some(NodeValue::Uint(old)) = length.value else { continue };
            let place = range(length).ok_or("its length does not lie in the file")?;
            let stored = integer(i128::from(old) + grown, place.len())?;
            edits.push((place, stored.get(order).cloned().unwrap_or_default()));
        }
        // From the end, so that places stay where they are.
        edits.sort_by_key(|(place, _)| std::cmp::Reverse((place.start, place.end)));
        let mut copy = file.to_vec();
        for (place, bytes) in edits {
            if copy.get(place.clone()).is_none() {
                return Err("what says how long it is lies outside the file".to_owned());
            }
            copy.splice(place, bytes);
        }
        Ok(copy)
    }
}

fn wide(len: usize) -> i128 {
    i128::try_from(len).unwrap_or(i128::MAX)
}
