//! Eager sequences: `Vec<T>`.

use alloc::vec::Vec;

use crate::finding::Fault;
use crate::observe::Observer;
use crate::ops::wide;
use crate::seq::{self, Until};
use crate::terminator;
use crate::{Cursor, Fill, Wire};

mod write;

pub use write::{
    emit, emit_before, emit_before_or, emit_unlike, emit_until, emit_until_or, emit_while,
};
pub(crate) use write::{ends_alone, ends_with};

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
    // Apart, for without optimization each takes the stack of all that is in it.
    let items = if obs.drops() {
        look_at_each::<T, O>(cur, obs, until, args).map(|()| Vec::new())
    } else {
        read_kept(cur, obs, until, reserve, args)
    };
    obs.limits().ascend::<T>();
    items
}

/// Reads the items and keeps them.
#[inline]
fn read_kept<'a, T: Wire<'a>, O: Observer>(
    cur: &mut Cursor<'a>,
    obs: &mut O,
    until: Until,
    reserve: usize,
    args: T::Args,
) -> Result<Vec<T>, Fault> {
    // A copy can live in registers where a field behind a reference cannot.
    let mut at = *cur;
    let items = read_each(&mut at, obs, until, reserve, args);
    *cur = at;
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
    let mut items = Items::new(obs);
    let fill = core::mem::replace(&mut cur.fill, Fill::Open);
    let result = loop {
        let before = cur.remaining();
        if before < needed {
            break Ok(());
        }
        match read_one(cur, obs, items.count, args) {
            Ok(item) => {
                let last = ends(&item);
                items.push(item);
                if last {
                    break Ok(());
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
    result.map(|()| items.done(obs))
}

/// Reads items up to a constant, which is left to be read.
pub fn read_before<'a, T: Wire<'a>, O: Observer>(
    cur: &mut Cursor<'a>,
    obs: &mut O,
    args: T::Args,
    end: &[u8],
) -> Result<Vec<T>, Fault> {
    read_before_or(cur, obs, args, 0, end)
}

/// Reads items up to a constant, which is left to be read, or until fewer bytes than `needed` are left.
pub fn read_before_or<'a, T: Wire<'a>, O: Observer>(
    cur: &mut Cursor<'a>,
    obs: &mut O,
    args: T::Args,
    needed: usize,
    end: &[u8],
) -> Result<Vec<T>, Fault> {
    if obs.limits().descend::<T>().is_none() {
        return Err(seq::too_deep(cur, obs));
    }
    let mut items = Items::of(obs.drops());
    let fill = core::mem::replace(&mut cur.fill, Fill::Open);
    let result = loop {
        match terminator::is_next(cur, obs, end, needed) {
            Ok(false) => {}
            ended => break ended.map(drop),
        }
        let before = cur.remaining();
        match read_one(cur, obs, items.count, args) {
            Ok(item) => items.push(item),
            Err(fault) => break Err(fault),
        }
        if cur.remaining() == before {
            break Err(seq::stuck(cur, obs));
        }
    };
    cur.fill = fill;
    obs.limits().ascend::<T>();
    result.map(|()| items.list)
}

/// The items that have been read, or only their number.
pub(crate) struct Items<T> {
    pub(crate) list: Vec<T>,
    pub(crate) count: u64,
    drops: bool,
}

impl<T> Items<T> {
    fn of(drops: bool) -> Self {
        Self { list: Vec::new(), count: 0, drops }
    }

    /// The same where each item is looked at by expressions, and so kept until the next one.
    pub(crate) fn new<O: Observer>(obs: &mut O) -> Self {
        Self::of(obs.set_drops(false))
    }

    /// All of them, behind the last one.
    pub(crate) fn done<O: Observer>(self, obs: &mut O) -> Vec<T> {
        obs.set_drops(self.drops);
        self.list
    }

    pub(crate) fn push(&mut self, item: T) {
        self.count = self.count.wrapping_add(1);
        if !self.drops {
            self.list.push(item);
        }
    }

    /// Keeps the item for the next one.
    pub(crate) fn push_linked(&mut self, item: T) {
        if self.drops {
            self.list.clear();
        }
        self.count = self.count.wrapping_add(1);
        self.list.push(item);
    }
}

/// Looks at the items, and keeps none of them.
fn look_at_each<'a, T: Wire<'a>, O: Observer>(
    cur: &mut Cursor<'a>,
    obs: &mut O,
    until: Until,
    args: T::Args,
) -> Result<(), Fault> {
    let fill = core::mem::replace(&mut cur.fill, Fill::Open);
    let mut done = 0_u64;
    while !until.ends(done, cur.remaining()) {
        let before = cur.remaining();
        read_one::<T, O>(cur, obs, done, args)?;
        done = done.wrapping_add(1);
        if T::MIN_SIZE == 0 && cur.remaining() == before {
            seq::without_bytes::<T, O>(cur, obs, until)?;
        }
    }
    cur.fill = fill;
    Ok(())
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
