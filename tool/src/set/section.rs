//! What lies in a section beside the values that offsets lead to.

use binfmt_runtime::Step;

use super::bytes::range;
use crate::derived;
use crate::snapshot::Field;

/// The bytes of the section at a path that belong to no value, without those that fill it; `None` if no
/// section is there.
pub(super) fn others(file: &[u8], root: &Field, path: &[Step]) -> Option<Vec<u8>> {
    let mut around = vec![root];
    for step in path {
        let inside = &around.last()?.inside;
        around.push(inside.iter().find(|inside| inside.step == *step)?);
    }
    let section = *around.last()?;
    let words = section.declared.map(|declared| declared.words).unwrap_or_default();
    let place = range(section).filter(|_| derived::is_section(words))?;
    let bytes = file.get(place.clone())?;
    let mut covered = vec![false; bytes.len()];
    cover(root, &around, place.start, &mut covered);
    let rest = bytes.iter().zip(covered).filter(|(byte, covered)| **byte != 0 && !covered);
    Some(rest.map(|(byte, _)| *byte).collect())
}

/// Marks what lies in a section, of all fields but it and those around it.
fn cover(field: &Field, around: &[&Field], start: usize, covered: &mut [bool]) {
    let same = |other: &&Field| std::ptr::eq(*other, field);
    // What is in the section itself, such as its prefix, is no value that lies there.
    if around.last().is_some_and(same) {
        return;
    }
    if !around.iter().any(same)
        && let Some(whole) = whole(field)
    {
        let inside = whole.start.checked_sub(start).zip(whole.end.checked_sub(start));
        let inside = inside.and_then(|(from, to)| covered.get_mut(from..to));
        inside.into_iter().flatten().for_each(|covered| *covered = true);
    }
    field.inside.iter().for_each(|inside| cover(inside, around, start, covered));
}

/// All that a field takes, with what ends it.
fn whole(field: &Field) -> Option<std::ops::Range<usize>> {
    Some(usize::try_from(field.start).ok()?..usize::try_from(field.end).ok()?)
}
