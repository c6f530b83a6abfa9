//! Tables of which several schemas exist: the number of slots tells them apart.

use super::{FlatValue, Place, Table, report};
use crate::finding::{Fault, Show};
use crate::observe::Observer;

/// The first schema with room for all slots of the table at `place`; the first of all if there is
/// no vtable, so that it says what is wrong.
pub fn schema(place: Place<'_>, most: &[u16]) -> usize {
    let slots = Table::slots(place).unwrap_or(0);
    most.iter().position(|most| slots <= *most).unwrap_or(most.len())
}

/// Walks a table in one of its schemas.
pub fn walk<'a, T: FlatValue<'a>, O: Observer>(place: Place<'a>, obs: &mut O) -> Result<T, Fault> {
    place.walk(obs)
}

/// A table with more slots than any schema has.
#[inline(always)]
pub fn unknown_schema<O: Observer>(place: Place<'_>, obs: &mut O) -> Fault {
    let span = (place.offset(), place.offset().saturating_add(4));
    let what = "the table has more slots than any schema that is declared";
    let found = Table::slots(place).map_or(Show::Nothing, |slots| Show::Uint(u64::from(slots)));
    report::stop(obs, "slots", span, what, found)
}
