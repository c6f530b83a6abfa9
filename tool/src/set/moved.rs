//! A field of another length where an offset says where it lies: it goes behind everything else, and
//! the writer puts the file together.

use super::bytes::range;
use super::resize::{self, Number, Patch, Resized};
use crate::derived::{self, Located};
use crate::json::wide;
use crate::snapshot::Field;
use binfmt_runtime::Step;

/// Other bytes in the last field of a chain, a patch for each byte order: what is located around it is
/// copied to the end, and the numbers that tell its place and length follow.
pub(super) fn moved(file: &[u8], chain: &[&Field], new: &[u8]) -> Result<Vec<Patch>, String> {
    let (at, told) = located(chain).ok_or("nothing says where it lies")?;
    let (inside, field) = (chain.get(at..).unwrap_or_default(), told.field);
    let region = range(field).ok_or("its bytes do not lie in the file")?;
    let mut patches = Vec::new();
    for (order, patch) in
        resize::replaced(file, inside, new)?.into_iter().cycle().take(2).enumerate()
    {
        let copy = resize::patched(file, &patch)?;
        let len = (region.len() + copy.len()).checked_sub(file.len()).ok_or("it is too short")?;
        let content = copy.get(region.start..region.start + len).ok_or("its bytes are missing")?;
        // Offsets in units go on in whole ones.
        let gap = (file.len() - region.start.min(file.len())).next_multiple_of(told.unit);
        let place = region.start + gap;
        let numbers = Resized {
            edits: Vec::new(),
            lengths: told
                .places
                .iter()
                .map(|number| (*number, i128::from(wide(gap / told.unit))))
                .chain(told.lengths.iter().map(|number| (*number, grown(region.len(), len))))
                .chain(around(chain.get(..at).unwrap_or_default(), file.len(), place + len))
                .collect(),
        };
        let numbers = numbers.apply(file, order)?;
        if numbers.iter().any(|(place, bytes)| place.len() != bytes.len()) {
            return Err("the numbers that tell its place have no fixed size".to_owned());
        }
        let mut behind = vec![0; place - file.len()];
        behind.extend_from_slice(content);
        patches.push([(file.len()..file.len(), behind)].into_iter().chain(numbers).collect());
    }
    Ok(patches)
}

/// Other bytes in the last field of a chain, where they are: what lies behind them goes on, and the offsets
/// that say where follow.
pub(super) fn shifted(file: &[u8], chain: &[&Field], new: &[u8]) -> Result<Vec<Patch>, String> {
    let (root, field) = chain.first().zip(chain.last()).ok_or("there is no field")?;
    let place = range(field).ok_or("its bytes do not lie in the file")?;
    let more = grown(place.len(), new.len());
    let mut resized = Resized { edits: vec![(place.clone(), new.to_vec())], lengths: Vec::new() };
    resized.around(chain, more)?;
    if let Some((_, told)) = located(chain) {
        resized.lengths.extend(told.lengths.iter().map(|number| (*number, more)));
    }
    let mut offsets = Vec::new();
    offsets_behind(&mut vec![*root], place.end, &mut offsets);
    // With the paddings that have changed.
    let moved = resized.edits.iter().map(|(place, new)| grown(place.len(), new.len()));
    let moved: i128 = moved.sum();
    let by = |unit: usize| moved / i128::from(wide(unit));
    resized.lengths.extend(offsets.into_iter().map(|(number, unit)| (number, by(unit))));
    // A number is told once, however many say so.
    let mut told = std::collections::HashSet::new();
    resized
        .lengths
        .retain(|(number, _)| told.insert(number.place().map(|place| (place.start, place.end))));
    (0..resized.forms()).map(|form| resized.apply(file, form)).collect()
}

/// The numbers that say where the fields behind a place lie, each with its unit.
fn offsets_behind<'s>(
    stack: &mut Vec<&'s Field>,
    end: usize,
    offsets: &mut Vec<(Number<'s>, usize)>,
) {
    let Some(field) = stack.last().copied() else { return };
    let words = field.declared.map(|declared| declared.words).unwrap_or_default();
    // What counts from something that moves, too, stays as it is.
    let is_behind = field.start >= wide(end) && base(stack, words) < wide(end);
    if is_behind && derived::is_place(words) {
        offsets.extend(Number::of(field).map(|number| (number, 1)));
    }
    if is_behind && let Some(told) = stack.len().checked_sub(1).and_then(|at| told(stack, at)) {
        offsets.extend(told.places.iter().map(|number| (*number, told.unit)));
    }
    for inside in &field.inside {
        stack.push(inside);
        offsets_behind(stack, end, offsets);
        stack.pop();
    }
}

/// Where the offset of the last of some fields in each other counts from.
fn base(stack: &[&Field], words: &'static str) -> u64 {
    let around = stack.split_last().map(|(_, around)| around).unwrap_or_default();
    let list = around.iter().rev().find_map(|list| list.declared).map(|list| list.words);
    let words = if words.is_empty() { list.unwrap_or_default() } else { words };
    let parent = around.last();
    match derived::base(words) {
        Some("file") => 0,
        Some("start") => parent.map_or(0, |parent| parent.start),
        Some(name) => {
            let beside = around.iter().rev().find_map(|around| around.field(name));
            beside.map_or(0, |field| field.start)
        }
        None => {
            let origin =
                around.iter().rev().find(|around| around.ty.is_some_and(derived::is_origin));
            origin.map_or(0, |origin| origin.start)
        }
    }
}

fn grown(old: usize, new: usize) -> i128 {
    i128::from(wide(new)) - i128::from(wide(old))
}

/// What says where a field lies, and how long it is.
struct Told<'s> {
    field: &'s Field,
    places: Vec<Number<'s>>,
    lengths: Vec<Number<'s>>,
    /// How many bytes one of its offsets counts.
    unit: usize,
}

/// The innermost located field of a chain, and its index.
fn located<'s>(chain: &[&'s Field]) -> Option<(usize, Told<'s>)> {
    (1..chain.len()).rev().find_map(|at| Some((at, told(chain, at)?)))
}

fn told<'s>(chain: &[&'s Field], at: usize) -> Option<Told<'s>> {
    let (field, parent) = (*chain.get(at)?, *chain.get(at.checked_sub(1)?)?);
    let (words, (of, index)) = match field.step {
        // An item of a list beside a table: the item of the table tells.
        Step::Index(index) => {
            let words = derived::located(parent.declared?.words)?;
            let holder = *chain.get(at.checked_sub(2)?)?;
            let table = holder.field(words.table?)?;
            (words, (table, Some(index)))
        }
        Step::Decoded => return None,
        Step::Field(_) => {
            let words = derived::located(field.declared?.words)?;
            if words.table.is_some() {
                return None;
            }
            (words, (parent, None))
        }
    };
    let Located { at: places, len: lengths, unit, .. } = words;
    let (places, lengths) = (numbers(of, index, &places), numbers(of, index, &lengths));
    // Of a sum of several nobody can tell which one is to grow.
    (places.len() == 1).then_some(Told { field, places, lengths, unit })
}

/// The numbers of some names in a value, or in an item of a table, which `it` is itself.
fn numbers<'s>(of: &'s Field, index: Option<u64>, names: &[&str]) -> Vec<Number<'s>> {
    let Some(index) = index else {
        return names.iter().filter_map(|name| of.field(name)).filter_map(Number::of).collect();
    };
    if names == ["it"] {
        return Number::of_item(of, index).into_iter().collect();
    }
    of.item(index).map(|item| numbers(item, None, names)).unwrap_or_default()
}

/// What the fields around are told to be long, where they reach to the end of the file.
fn around<'s>(
    chain: &[&'s Field],
    old_end: usize,
    new_end: usize,
) -> impl Iterator<Item = (Number<'s>, i128)> {
    let more = grown(old_end, new_end);
    let to_end = chain.iter().filter(move |field| field.end == wide(old_end));
    to_end.flat_map(move |field| {
        let shapes = field.ty.map(derived::shapes).unwrap_or_default();
        let names = shapes.into_iter().flat_map(|ty| derived::lengths(ty.words));
        let numbers = names.filter_map(|name| field.field(name)).filter_map(Number::of);
        numbers.map(move |number| (number, more)).collect::<Vec<_>>()
    })
}
