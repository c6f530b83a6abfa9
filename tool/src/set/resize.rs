//! A field with other bytes, and what around it says how long it is.

use std::ops::Range;

use binfmt_runtime::{Layout, NodeValue, Step};

use super::bytes::{self, range};
use crate::derived;
use crate::snapshot::Field;

/// A number of the file that says where something lies, or how long it is.
#[derive(Clone, Copy, Debug)]
pub(super) enum Number<'s> {
    Field(&'s Field),
    /// One of the bytes of a field, which are no fields of their own.
    Byte(usize),
}

impl<'s> Number<'s> {
    /// The number that a field is.
    pub(super) fn of(field: &'s Field) -> Option<Self> {
        whole(field).map(|_| Self::Field(field))
    }

    /// The number that an item of a table is.
    pub(super) fn of_item(table: &'s Field, index: u64) -> Option<Self> {
        let byte = || {
            let mut bytes = table.bytes.clone()?;
            bytes.nth(usize::try_from(index).ok()?)
        };
        match table.item(index) {
            Some(item) => Self::of(item),
            None => byte().map(Self::Byte),
        }
    }

    pub(super) fn place(self) -> Option<Range<usize>> {
        match self {
            Self::Field(field) => range(field),
            Self::Byte(at) => Some(at..at.checked_add(1)?),
        }
    }

    fn is_coded(self) -> bool {
        matches!(self, Self::Field(field) if field.is_coded)
    }

    /// What may be stored where it lies if it grows by so much.
    fn grown(self, file: &[u8], grown: i128) -> Result<Vec<Vec<u8>>, String> {
        let stored = self.place().and_then(|place| file.get(place));
        let stored = stored.ok_or("what says how long it is lies outside the file")?;
        match self {
            Self::Field(field) => {
                let old = whole(field).ok_or("what says how long it is is no number")?;
                bytes::stored(field, old + grown, stored)
            }
            Self::Byte(_) => {
                let old = stored.first().copied().unwrap_or(0);
                bytes::integer(i128::from(old) + grown, 1)
            }
        }
    }
}

/// The number that a field is.
fn whole(field: &Field) -> Option<i128> {
    match field.value {
        Some(NodeValue::Uint(number)) => Some(number.into()),
        Some(NodeValue::Int(number)) => Some(number.into()),
        _ => None,
    }
}

/// Bytes that take the place of others.
pub(super) type Edit = (Range<usize>, Vec<u8>);

/// What makes another file of one: edits from its end on, so that places stay where they are.
pub(super) type Patch = Vec<Edit>;

/// The file that a patch makes.
pub(super) fn patched(file: &[u8], patch: &Patch) -> Result<Vec<u8>, String> {
    let mut copy = file.to_vec();
    for (place, bytes) in patch {
        if copy.get(place.clone()).is_none() {
            return Err("what says how long it is lies outside the file".to_owned());
        }
        copy.splice(place.clone(), bytes.iter().copied());
    }
    Ok(copy)
}

/// Other bytes in the last field of a chain: a patch for each form of the numbers that say how long it is.
/// Paddings behind it follow, too.
pub(super) fn replaced(file: &[u8], chain: &[&Field], new: &[u8]) -> Result<Vec<Patch>, String> {
    let field = chain.last().ok_or("there is no field")?;
    let place = range(field).ok_or("its bytes do not lie in the file")?;
    let grown = wide(new.len()) - wide(place.len());
    let mut resized = Resized { edits: vec![(place, new.to_vec())], lengths: Vec::new() };
    if grown != 0 {
        resized.around(chain, grown)?;
    }
    (0..resized.forms()).map(|form| resized.apply(file, form)).collect()
}

/// Other bytes in a room that stays as long as it is, with what may fill the rest of it.
pub(super) fn in_room(file: &[u8], field: &Field, new: &[u8]) -> Result<Vec<Patch>, String> {
    let start = range(field).ok_or("its bytes do not lie in the file")?.start;
    let end = usize::try_from(field.end).map_err(|_| "it lies too far behind")?;
    let Some(room) = file.get(start..end).filter(|room| room.len() >= new.len()) else {
        return Ok(Vec::new());
    };
    let last = room.last().copied().unwrap_or(0);
    let filled = |fill: u8| {
        let rest = std::iter::repeat_n(fill, room.len() - new.len());
        vec![(start..end, new.iter().copied().chain(rest).collect())]
    };
    let mut fills = vec![last, 0, b' '];
    fills.dedup();
    Ok(fills.into_iter().map(filled).collect())
}

pub(super) struct Resized<'s> {
    pub(super) edits: Vec<Edit>,
    /// Numbers, and by how much they grow.
    pub(super) lengths: Vec<(Number<'s>, i128)>,
}

impl<'s> Resized<'s> {
    /// From the field outwards: what is in it has grown, then its padding, then what it lies in.
    pub(super) fn around(&mut self, chain: &[&'s Field], mut grown: i128) -> Result<(), String> {
        for (index, field) in chain.iter().enumerate().rev() {
            self.prefix(field, grown);
            for ty in field.ty.map(derived::shapes).unwrap_or_default() {
                self.grow(field, &derived::lengths(ty.words), grown);
                let last = field.inside.last().filter(|last| last.step == Step::Field("padding"));
                if let (Some(bytes), true) = (derived::alignment(ty.words), index + 1 < chain.len())
                {
                    grown += self.pad(last.and_then(range), field, bytes, grown)?;
                }
            }
            let parent = index.checked_sub(1).and_then(|at| chain.get(at));
            self.beside(chain, index, grown);
            let (Some(parent), Some(declared)) = (parent, field.declared) else { continue };
            self.grow(parent, &derived::lengths(declared.words), grown);
            self.set_beside(parent, declared.name, grown);
            if let Some(bytes) = derived::alignment(declared.words) {
                let at = parent.inside.iter().position(|inside| std::ptr::eq(inside, *field));
                let next = at.and_then(|at| parent.inside.get(at + 1));
                let next = next.filter(|next| next.step == Step::Field("padding"));
                grown += self.pad(next.and_then(range), field, bytes, grown)?;
            }
            if derived::located(declared.words).is_some()
                && let Some((root, (place, _))) = chain.first().zip(self.edits.first())
            {
                let place = wide(place.start)..wide(place.end);
                self.sections(root, chain, &place, grown);
            }
        }
        Ok(())
    }

    /// The sections that the place lies in, beside the fields of the chain.
    fn sections(&mut self, of: &'s Field, chain: &[&Field], place: &Range<i128>, grown: i128) {
        for field in &of.inside {
            let words = field.declared.map(|declared| declared.words).unwrap_or_default();
            let is_around =
                i128::from(field.start) <= place.start && place.end <= i128::from(field.end);
            let in_chain = chain.iter().any(|other| std::ptr::eq(*other, field));
            if is_around && !in_chain && derived::is_section(words) {
                self.prefix(field, grown);
                self.grow(of, &derived::lengths(words), grown);
            }
            self.sections(field, chain, place, grown);
        }
    }

    /// The length in front of a value; in front of a list it is a number of items.
    fn prefix(&mut self, field: &'s Field, grown: i128) {
        if !matches!(field.value, Some(NodeValue::Items(_))) {
            self.grow(field, &["prefix"], grown);
        }
    }

    /// The numbers beside a field, or in fields beside it, that are computed from it: it has grown.
    fn set_beside(&mut self, parent: &'s Field, name: &str, grown: i128) {
        for field in &parent.inside {
            let words = field.declared.map(|declared| declared.words).unwrap_or_default();
            if derived::is_calculated(words, name) {
                self.lengths.extend(Number::of(field).map(|number| (number, grown)));
            }
            for path in derived::lengths_set(words, name) {
                let number = path.split('.').try_fold(field, |field, name| field.field(name));
                self.lengths.extend(number.and_then(Number::of).map(|number| (number, grown)));
            }
        }
    }

    /// The item of a table that tells how long the item of a list beside it is; where that counts from the item
    /// before, those behind it, too.
    fn beside(&mut self, chain: &[&'s Field], index: usize, grown: i128) {
        let of = |back: usize| index.checked_sub(back).and_then(|at| chain.get(at)).copied();
        let (Some(item), Some(list), Some(holder)) = (of(0), of(1), of(2)) else { return };
        let (Step::Index(at), Some(declared)) = (item.step, list.declared) else { return };
        let Some((table, names)) = derived::beside(declared.words) else { return };
        let Some(table) = holder.field(table) else { return };
        let told = if derived::counts_from_previous(declared.words) { usize::MAX } else { 1 };
        if names == ["it"] {
            let numbers = (at..).map_while(|at| Number::of_item(table, at)).take(told);
            self.lengths.extend(numbers.map(|number| (number, grown)));
        } else {
            let items = (at..).map_while(|at| table.item(at)).take(told);
            items.for_each(|item| self.grow(item, &names, grown));
        }
    }

    fn grow(&mut self, of: &'s Field, names: &[&'static str], grown: i128) {
        // Of the names in a length, some are no numbers that follow from it.
        let of_shapes = of.ty.map(derived::shapes).unwrap_or_default();
        let of_names = |layout: &&Layout| layout.fields.iter().any(|it| names.contains(&it.name));
        let names = derived::alone(of_shapes.into_iter().find(of_names), names);
        let fields = names.into_iter().filter_map(|name| of.field(name));
        let fields = fields.filter(|field| field.is_derived);
        self.lengths.extend(fields.filter_map(Number::of).map(|number| (number, grown)));
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

    /// How many forms the numbers may have together: two byte orders, each with every form of those that
    /// have one of their own.
    pub(super) fn forms(&self) -> usize {
        let is_coded = self.lengths.iter().any(|(number, _)| number.is_coded());
        match self.lengths.is_empty() {
            true => 1,
            false if is_coded => 2 * bytes::FORMS,
            false => 2,
        }
    }

    /// The edits, with the numbers in one of their forms.
    pub(super) fn apply(&self, file: &[u8], form: usize) -> Result<Patch, String> {
        let mut edits = self.edits.clone();
        for (number, grown) in &self.lengths {
            let place = number.place().ok_or("its length does not lie in the file")?;
            let stored = number.grown(file, *grown)?;
            let form = if number.is_coded() { form / 2 } else { form % 2 };
            edits.push((place, stored.get(form).cloned().unwrap_or_default()));
        }
        edits.sort_by_key(|(place, _)| std::cmp::Reverse((place.start, place.end)));
        Ok(edits)
    }
}

fn wide(len: usize) -> i128 {
    i128::try_from(len).unwrap_or(i128::MAX)
}
