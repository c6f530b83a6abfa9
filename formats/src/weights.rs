//! New elements for the tensors of a file, found by name.
//!
//! [`pte::Edit`](crate::pte::Edit), [`ptd::Edit`](crate::ptd::Edit) and
//! [`rten::Edit`](crate::rten::Edit) take a list of tensors with `set_weights`. Names, types and shapes
//! are compared; all that does not fit is told, and then nothing is changed.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::ops::Range;

use hashbrown::{HashMap, HashSet};

use crate::cast::{CastError, cast};
use crate::tensor::{Misfit, Tensor};

/// How new elements are taken.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Weights {
    /// Whether elements of another type are cast.
    pub cast: bool,
    /// Whether tensors are added that the file does not have.
    pub add: bool,
}

/// Why new elements of a tensor are not taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WeightError {
    /// The name of the tensor.
    pub name: String,
    /// Why.
    pub reason: Reason,
}

impl WeightError {
    /// The file refuses the elements; that is all that is wrong.
    pub(crate) fn refused(name: &str, error: &dyn fmt::Display) -> Vec<Self> {
        let reason = Reason::Refused(alloc::format!("{error}"));
        Vec::from([Self { name: name.into(), reason }])
    }

    /// The elements cannot be read; that is all that is wrong.
    pub(crate) fn unread(name: &str, why: &dyn fmt::Display) -> Vec<Self> {
        let reason = Reason::Unread(alloc::format!("{why}"));
        Vec::from([Self { name: name.into(), reason }])
    }
}

/// Why new elements are not taken.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// The file has no such tensor.
    Unknown {
        /// Some that it has and that would get no new elements.
        others: Vec<String>,
    },
    /// There are two new tensors of this name.
    Twice,
    /// Type or shape differ.
    Misfit(Misfit),
    /// The elements cannot be cast.
    Cast(CastError),
    /// The elements do not lie in this file, but in a `.ptd`.
    External,
    /// The same bytes are those of another tensor, which would change too, or otherwise.
    Shared {
        /// The other one.
        with: String,
    },
    /// The format has no place for new tensors.
    NoPlace,
    /// The new elements cannot be read.
    Unread(String),
    /// The edit refuses them.
    Refused(String),
}

impl fmt::Display for WeightError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, reason } = self;
        match reason {
            Reason::Unknown { others } if others.is_empty() => {
                write!(f, "`{name}`: the file has no such tensor")
            }
            Reason::Unknown { others } => {
                write!(f, "`{name}`: the file has no such tensor; it has `{}`", others.join("`, `"))
            }
            Reason::Twice => write!(f, "`{name}`: two new tensors have this name"),
            Reason::Misfit(Misfit::Blob) => {
                write!(f, "`{name}`: in the file it is a blob without type and shape")
            }
            Reason::Misfit(misfit) => write!(f, "`{name}`: {misfit}"),
            Reason::Cast(error) => write!(f, "`{name}`: {error}"),
            Reason::External => {
                write!(f, "`{name}`: its elements lie in a `.ptd` file and are changed there")
            }
            Reason::Shared { with } => {
                write!(f, "`{name}`: `{with}` has the same bytes, and would change with it")
            }
            Reason::NoPlace => {
                write!(f, "`{name}`: the file has no such tensor, and its format no place for more")
            }
            Reason::Unread(why) | Reason::Refused(why) => write!(f, "`{name}`: {why}"),
        }
    }
}

impl core::error::Error for WeightError {}

/// A tensor that a file has.
pub(crate) struct Old<'a> {
    pub(crate) tensor: Tensor<'a>,
    /// Where its bytes lie, if they lie in the file and are changed in their place.
    pub(crate) range: Option<Range<u64>>,
    /// Whether its elements lie in another file.
    pub(crate) is_external: bool,
}

/// What becomes of new tensors.
pub(crate) struct Fitted<'r> {
    /// New bytes, as the file stores them, by the index of the old tensor.
    pub(crate) changed: Vec<(usize, Cow<'r, [u8]>)>,
    /// The indices of those that the file does not have.
    pub(crate) added: Vec<usize>,
}

/// How many names a message lists.
const MOST_NAMES: usize = 3;

/// Compares new tensors with those of a file.
pub(crate) fn fit<'r>(
    old: &[Old<'_>],
    new: &[Tensor<'r>],
    how: Weights,
    can_add: bool,
) -> Result<Fitted<'r>, Vec<WeightError>> {
    let mut by_name: HashMap<&str, Vec<usize>> = HashMap::new();
    for (old, at) in old.iter().zip(0_usize..) {
        by_name.entry(&old.tensor.name).or_default().push(at);
    }
    let (mut changed, mut added, mut errors) = (Vec::new(), Vec::new(), Vec::new());
    let mut seen = HashSet::new();
    for (tensor, index) in new.iter().zip(0_usize..) {
        let mut refuse = |reason| errors.push(WeightError { name: tensor.name.clone(), reason });
        if !seen.insert(&tensor.name) {
            refuse(Reason::Twice);
            continue;
        }
        match by_name.get(tensor.name.as_str()) {
            None if how.add && can_add => added.push(index),
            None if how.add => refuse(Reason::NoPlace),
            None => refuse(Reason::Unknown { others: without_new(old, new) }),
            Some(places) => {
                for (at, old) in places.iter().filter_map(|at| Some((*at, old.get(*at)?))) {
                    match fitted(old, tensor, how) {
                        Ok(bytes) => changed.push((at, bytes)),
                        Err(reason) => {
                            refuse(reason);
                            break;
                        }
                    }
                }
            }
        }
    }
    errors.extend(shared(old, &changed));
    if errors.is_empty() { Ok(Fitted { changed, added }) } else { Err(errors) }
}

/// Some tensors of the file that no new one names.
fn without_new(old: &[Old<'_>], new: &[Tensor<'_>]) -> Vec<String> {
    let names: HashSet<&str> = new.iter().map(|tensor| tensor.name.as_str()).collect();
    let mut others: Vec<String> = Vec::new();
    for name in old.iter().map(|old| &old.tensor.name) {
        if others.len() < MOST_NAMES && !names.contains(name.as_str()) && !others.contains(name) {
            others.push(name.clone());
        }
    }
    others
}

/// New elements as the file stores them.
fn fitted<'r>(old: &Old<'_>, new: &Tensor<'r>, how: Weights) -> Result<Cow<'r, [u8]>, Reason> {
    if old.is_external {
        return Err(Reason::External);
    }
    let own = old.tensor.scalar_type.ok_or(Reason::Misfit(Misfit::Blob))?;
    let given = new.scalar_type.ok_or_else(|| Reason::Unread("it has no type".into()))?;
    let rows = new.rows().ok_or_else(|| Reason::Unread("it has no elements".into()))?;
    let rows = rows.map_err(|error| Reason::Unread(alloc::format!("{error}")))?;
    // The shape first: elements that belong elsewhere are not worth a cast.
    if old.tensor.shape != new.shape {
        let (expected, found) = (old.tensor.shape.clone(), new.shape.clone());
        return Err(Reason::Misfit(Misfit::Shape { expected, found }));
    }
    if own == given || !how.cast {
        return taken(&old.tensor, given, &new.shape, rows);
    }
    let rows = match rows {
        Cow::Borrowed(rows) => cast(given, own, rows),
        Cow::Owned(rows) => cast(given, own, &rows).map(|rows| Cow::Owned(rows.into_owned())),
    };
    taken(&old.tensor, own, &new.shape, rows.map_err(Reason::Cast)?)
}

fn taken<'r>(
    old: &Tensor<'_>,
    ty: crate::scalar_type::ScalarType,
    shape: &[u64],
    rows: Cow<'r, [u8]>,
) -> Result<Cow<'r, [u8]>, Reason> {
    match rows {
        Cow::Borrowed(rows) => old.take(ty, shape, rows).map_err(Reason::Misfit),
        Cow::Owned(rows) => {
            let stored = old.take(ty, shape, &rows).map_err(Reason::Misfit)?;
            Ok(Cow::Owned(stored.into_owned()))
        }
    }
}

/// Tensors that would change other ones: those share bytes with them, and do not get the same.
fn shared(old: &[Old<'_>], changed: &[(usize, Cow<'_, [u8]>)]) -> Vec<WeightError> {
    let new: HashMap<usize, &[u8]> = changed.iter().map(|(at, bytes)| (*at, &**bytes)).collect();
    let places = old.iter().zip(0_usize..);
    let places = places.filter_map(|(old, at)| Some((old.range.clone()?, at)));
    let mut places: Vec<_> = places.filter(|(range, _)| !range.is_empty()).collect();
    places.sort_by_key(|(range, at)| (range.start, range.end, *at));
    let mut errors = Vec::new();
    let mut last: Option<(Range<u64>, usize)> = None;
    for (range, at) in places {
        if let Some((before, other)) = last.clone().filter(|(before, _)| range.start < before.end) {
            let (mine, others) = (new.get(&at), new.get(&other));
            let is_harmless = mine == others && (mine.is_none() || range == before);
            if !is_harmless {
                let (one, two) = if mine.is_some() { (at, other) } else { (other, at) };
                let name = |at: usize| old.get(at).map(|it| it.tensor.name.clone());
                let (name, with) = (name(one).unwrap_or_default(), name(two).unwrap_or_default());
                errors.push(WeightError { name, reason: Reason::Shared { with } });
            }
        }
        if last.as_ref().is_none_or(|(before, _)| before.end <= range.end) {
            last = Some((range, at));
        }
    }
    errors
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString as _;
    use alloc::vec;

    use super::*;
    use crate::scalar_type::ScalarType;

    fn tensor<'f>(name: &str, bytes: &'f [u8]) -> Tensor<'f> {
        Tensor {
            path: name.into(),
            name: name.into(),
            scalar_type: Some(ScalarType::Byte),
            shape: vec![2],
            dim_order: vec![],
            bytes: Some(bytes),
        }
    }

    fn old(name: &str, range: Range<u64>) -> Old<'static> {
        Old { tensor: tensor(name, &[0; 2]), range: Some(range), is_external: false }
    }

    #[test]
    fn other_tensors_do_not_change_too() {
        let apart = [old("a", 0..2), old("b", 2..4)];
        let same = [old("a", 0..2), old("b", 0..2)];
        let across = [old("a", 0..2), old("b", 1..3)];
        let (one, two) = (tensor("a", &[1, 1]), tensor("b", &[1, 1]));
        let other = tensor("b", &[1, 2]);
        for (old, new, expected) in [
            (&apart, vec![one.clone()], None),
            (
                &same,
                vec![one.clone()],
                Some("`a`: `b` has the same bytes, and would change with it"),
            ),
            (
                &same,
                vec![two.clone()],
                Some("`b`: `a` has the same bytes, and would change with it"),
            ),
            (&same, vec![one.clone(), two.clone()], None),
            (
                &same,
                vec![one.clone(), other],
                Some("`b`: `a` has the same bytes, and would change with it"),
            ),
            (
                &across,
                vec![one.clone()],
                Some("`a`: `b` has the same bytes, and would change with it"),
            ),
            (
                &across,
                vec![one, two],
                Some("`b`: `a` has the same bytes, and would change with it"),
            ),
            (&across, vec![], None),
        ] {
            let found = fit(old, &new, Weights::default(), false);
            let found = found.err().map(|errors| errors[0].to_string());
            assert_eq!(found.as_deref(), expected);
        }
    }
}
