//! Eager sequences: `Vec<T>`.

use alloc::vec::Vec;

use crate::finding::{Fault, Show};
use crate::observe::Observer;
use crate::ops::wide;
use crate::seq::{self, Until};
use crate::terminator;
use crate::writer::{Ahead, Writer};
use crate::{Cursor, Fill, Wire};

/// Reads the items of a `Vec`, whose room grows with the bytes that are really there.
pub fn read<'a, T: Wire<'a>, O: Observer>(
    cur: &mut Cursor<'a>,
    obs: &mut O,
    until: Until,
    args: T::Args,
) -> Result<Vec<T>, Fault> {
    let all = wide(cur.remaining());
    let smallest = wide(T::MIN_SIZE);
    let reserve = match until {
        Until::Count(count) if count.saturating_mul(smallest) > all => {
            return Err(crate::walk::short(cur, obs, count.saturating_mul(smallest)));
        }
        Until::Count(count) => reserve::<T>(count, cur.remaining(), obs.stops()),
        Until::Remaining(_) => 0,
    };
    if obs.limits().descend::<T>().is_none() {
        return Err(seq::too_deep(cur, obs));
    }
    // A copy can live in registers where a field behind a reference cannot.
    let mut at = *cur;
    let items = read_each(&mut at, obs, until, reserve, args);
    *cur = at;
    obs.limits().ascend::<T>();
    items
}

/// Reads items up to the first one that `ends` the sequence.
pub fn read_until<'a, T: Wire<'a>, O: Observer>(
    cur: &mut Cursor<'a>,
    obs: &mut O,
    args: T::Args,
    ends: impl Fn(&T) -> bool,
) -> Result<Vec<T>, Fault> {
    read_until_or(cur, obs, args, 0, ends)
}

/// Reads items up to the first one that `ends` the sequence, or until fewer bytes than `needed` are
/// left.
pub fn read_until_or<'a, T: Wire<'a>, O: Observer>(
    cur: &mut Cursor<'a>,
    obs: &mut O,
    args: T::Args,
    needed: usize,
    ends: impl Fn(&T) -> bool,
) -> Result<Vec<T>, Fault> {
    if obs.limits().descend::<T>().is_none() {
        return Err(seq::too_deep(cur, obs));
    }
    let mut items = Vec::new();
    let fill = core::mem::replace(&mut cur.fill, Fill::Open);
    let result = loop {
        let before = cur.remaining();
        if before < needed {
            break Ok(items);
        }
        match read_one(cur, obs, wide(items.len()), args) {
            Ok(item) => {
                let last = ends(&item);
                items.push(item);
                if last {
                    break Ok(items);
                }
            }
            Err(fault) => break Err(fault),
        }
        // An item of no bytes would be read again and again.
        if cur.remaining() == before {
            break Err(seq::stuck(cur, obs));
        }
    };
    cur.fill = fill;
    obs.limits().ascend::<T>();
    result
}

/// Reads items up to a constant, which is left to be read.
pub fn read_before<'a, T: Wire<'a>, O: Observer>(
    cur: &mut Cursor<'a>,
    obs: &mut O,
    args: T::Args,
    end: &[u8],
) -> Result<Vec<T>, Fault> {
    if obs.limits().descend::<T>().is_none() {
        return Err(seq::too_deep(cur, obs));
    }
    let mut items = Vec::new();
    let fill = core::mem::replace(&mut cur.fill, Fill::Open);
    let result = loop {
        let before = cur.remaining();
        if cur.rest().starts_with(end) {
            break Ok(items);
        }
        if before == 0 {
            break Err(terminator::missing(cur, obs, end));
        }
        match read_one(cur, obs, wide(items.len()), args) {
            Ok(item) => items.push(item),
            Err(fault) => break Err(fault),
        }
        if cur.remaining() == before {
            break Err(seq::stuck(cur, obs));
        }
    };
    cur.fill = fill;
    obs.limits().ascend::<T>();
    result
}

#[inline(always)]
pub(crate) fn read_one<'a, T: Wire<'a>, O: Observer>(
    cur: &mut Cursor<'a>,
    obs: &mut O,
    index: u64,
    args: T::Args,
) -> Result<T, Fault> {
    obs.enter_item(index, cur.pos());
    let item = obs.nested::<T>(cur, args)?;
    if O::RECORD {
        obs.leave(cur.pos(), &item.value());
    }
    Ok(item)
}

#[inline(always)]
fn read_each<'a, T: Wire<'a>, O: Observer>(
    cur: &mut Cursor<'a>,
    obs: &mut O,
    until: Until,
    reserve: usize,
    args: T::Args,
) -> Result<Vec<T>, Fault> {
    let mut items = Vec::with_capacity(reserve);
    let fill = core::mem::replace(&mut cur.fill, Fill::Open);
    loop {
        items = read_into_space(items, cur, obs, until, args)?;
        if until.ends(wide(items.len()), cur.remaining()) {
            break;
        }
        items = with_more_space(items);
    }
    cur.fill = fill;
    Ok(items)
}

/// Reads items until there is no room or the sequence ends. Room is made before an item is read, so
/// that no item must be kept aside meanwhile; and the items come and go by value, so that their
/// number can live in a register.
#[inline(always)]
fn read_into_space<'a, T: Wire<'a>, O: Observer>(
    mut items: Vec<T>,
    cur: &mut Cursor<'a>,
    obs: &mut O,
    until: Until,
    args: T::Args,
) -> Result<Vec<T>, Fault> {
    while items.len() < items.capacity() && !until.ends(wide(items.len()), cur.remaining()) {
        let before = cur.remaining();
        items.push(read_one(cur, obs, wide(items.len()), args)?);
        if T::MIN_SIZE == 0 && cur.remaining() == before {
            seq::without_bytes::<T, O>(cur, obs, until)?;
        }
    }
    Ok(items)
}

#[inline(never)]
fn with_more_space<T>(mut items: Vec<T>) -> Vec<T> {
    items.reserve(1);
    items
}

/// How many items to make room for: as many as claimed, but no more memory than the input has. What
/// goes on behind an item that fails makes little room at a time, for it may meet many such claims.
fn reserve<T>(count: u64, input: usize, stops: bool) -> usize {
    let memory = if stops { input } else { input.min(1024) };
    let most = memory.checked_div(size_of::<T>()).unwrap_or(memory);
    usize::try_from(count).unwrap_or(usize::MAX).min(most)
}

/// Writes the items.
pub fn emit<'a, T: Wire<'a>>(
    items: &[T],
    out: &mut Writer<'_>,
    args: T::Args,
) -> Result<(), Fault> {
    seq::write_items(items, out, args)
}

/// Writes items that a reader takes while at least so many bytes are left.
pub fn emit_while<'a, T: Wire<'a>>(
    items: &[T],
    out: &mut Writer<'_>,
    args: T::Args,
    least: usize,
) -> Result<(), Fault> {
    if seq::is_plain_end::<T>(least) {
        return seq::write_items(items, out, args);
    }
    seq::write_while::<T, _>(items.iter().map(Ok), out, args, least)
}

/// Writes items of which the last one, and no other, `ends` the sequence.
pub fn emit_until<'a, T: Wire<'a>>(
    items: &[T],
    out: &mut Writer<'_>,
    args: T::Args,
    ends: impl Fn(&T) -> bool,
) -> Result<(), Fault> {
    ends_with(items, out, ends)?;
    seq::write_items(items, out, args)
}

/// Writes items of which the last one alone may `end` the sequence; where it does not, fewer bytes
/// than `least` may follow.
pub fn emit_until_or<'a, T: Wire<'a>>(
    items: &[T],
    out: &mut Writer<'_>,
    args: T::Args,
    least: usize,
    ends: impl Fn(&T) -> bool,
) -> Result<(), Fault> {
    let open = ends_alone(items, out, ends)?;
    seq::write_while::<T, _>(items.iter().map(Ok), out, args, least)?;
    if open {
        out.ahead(0, Ahead::Fewer(wide(least)))?;
    }
    Ok(())
}

/// No item but the last one `ends` the sequence; whether that does not either.
pub(crate) fn ends_alone<T>(
    items: &[T],
    out: &mut Writer<'_>,
    ends: impl Fn(&T) -> bool,
) -> Result<bool, Fault> {
    match items.iter().position(ends) {
        Some(first) if first.saturating_add(1) != items.len() => Err(wrong_end(out, Some(first))),
        first => Ok(first.is_none()),
    }
}

/// The last item, and no other, `ends` the sequence.
pub(crate) fn ends_with<T>(
    items: &[T],
    out: &mut Writer<'_>,
    ends: impl Fn(&T) -> bool,
) -> Result<(), Fault> {
    let first = items.iter().position(ends);
    if first.is_none_or(|first| first.saturating_add(1) != items.len()) {
        return Err(wrong_end(out, first));
    }
    Ok(())
}

/// Writes items of which none is the number that ends them.
pub fn emit_unlike<'a, T: Wire<'a>>(
    items: &[T],
    out: &mut Writer<'_>,
    args: T::Args,
    ends: impl Fn(&T) -> bool,
) -> Result<(), Fault> {
    match items.iter().position(ends) {
        Some(index) => Err(terminator::item(out, index)),
        None => seq::write_items(items, out, args),
    }
}

/// Writes items of which none begins with the constant that ends them.
pub fn emit_before<'a, T: Wire<'a>>(
    items: &[T],
    out: &mut Writer<'_>,
    args: T::Args,
    end: &'static [u8],
) -> Result<(), Fault> {
    items.iter().zip(0_u64..).try_for_each(|(item, index)| {
        out.enter_item(index);
        out.ahead(0, Ahead::NotYet(end))?;
        let from = out.pos();
        item.emit(out, args)?;
        if out.pos() == from && out.rules() {
            return Err(seq::no_bytes(out));
        }
        out.leave();
        Ok(())
    })
}

#[cold]
fn wrong_end(out: &mut Writer<'_>, first: Option<usize>) -> Fault {
    match first {
        Some(first) => {
            out.enter_item(wide(first));
            let what = format_args!("the item ends the sequence, and others follow");
            out.fail("until", what, Show::Nothing, Show::Nothing)
        }
        None => {
            let what = format_args!("the last item does not end the sequence");
            out.fail("until", what, Show::Nothing, Show::Nothing)
        }
    }
}
