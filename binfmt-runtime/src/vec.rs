//! Eager sequences: `Vec<T>`.

use alloc::vec::Vec;

use crate::finding::Fault;
use crate::observe::Observer;
use crate::ops::wide;
use crate::seq::{self, Until};
use crate::writer::{Backend, Writer};
use crate::{Cursor, Fill, Wire};

/// Reads the items of a `Vec`, whose room grows with the bytes that are really there.
pub fn read<'a, T: Wire<'a>, O: Observer>(
    cur: &mut Cursor<'a>,
    obs: &mut O,
    until: Until,
    args: T::Args,
) -> Result<Vec<T>, Fault> {
    let all = wide(cur.remaining());
    let smallest = wide(T::MIN_SIZE.max(1));
    let reserve = match until {
        Until::Count(count) if count.saturating_mul(smallest) > all => {
            return Err(crate::walk::short(cur, obs, count.saturating_mul(smallest)));
        }
        Until::Count(count) => reserve::<T>(count, cur.remaining()),
        Until::Remaining(_) => 0,
    };
    if obs.limits().descend().is_none() {
        return Err(seq::too_deep(cur, obs));
    }
    let items = read_each(cur, obs, until, reserve, args);
    obs.limits().ascend();
    items
}

fn read_each<'a, T: Wire<'a>, O: Observer>(
    cur: &mut Cursor<'a>,
    obs: &mut O,
    until: Until,
    reserve: usize,
    args: T::Args,
) -> Result<Vec<T>, Fault> {
    let mut items = Vec::with_capacity(reserve);
    let fill = core::mem::replace(&mut cur.fill, Fill::Open);
    while !until.ends(wide(items.len()), cur.remaining()) {
        let before = cur.remaining();
        obs.enter_item(wide(items.len()), cur.pos());
        let item = obs.nested::<T>(cur, args)?;
        if O::RECORD {
            obs.leave(cur.pos(), &item.value());
        }
        items.push(item);
        if cur.remaining() == before && matches!(until, Until::Remaining(_)) {
            return Err(seq::stuck(cur, obs));
        }
    }
    cur.fill = fill;
    Ok(items)
}

/// How many items to make room for: as many as claimed, but no more memory than the input has.
fn reserve<T>(count: u64, input: usize) -> usize {
    let most = input.checked_div(size_of::<T>()).unwrap_or(input);
    usize::try_from(count).unwrap_or(usize::MAX).min(most)
}

/// Writes the items.
pub fn emit<'a, T: Wire<'a>, B: Backend>(
    items: &[T],
    out: &mut Writer<B>,
    args: T::Args,
) -> Result<(), Fault> {
    seq::write_items(items, out, args)
}
