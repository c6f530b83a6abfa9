//! Items whose arguments follow from the item before: a `Vec`, and how such items are written.

#[cfg(feature = "alloc")]
use alloc::vec::Vec;
use core::borrow::Borrow;

use crate::budget::Limits;
use crate::finding::{Error, Fault};
use crate::ops::wide;
use crate::seq::{self, Until};
pub use crate::writer::carry::{AnyItem, Carry, ClonedItem, Copier};
use crate::writer::{Ahead, Writer};
#[cfg(feature = "alloc")]
use crate::{Cursor, Fill, observe::Observer, terminator, vec};
use crate::{Wire, stack};

/// Where a sequence ends.
#[derive(Clone, Copy, Debug)]
pub enum Ends<'e> {
    /// By number, or by what is left of the region.
    Until(Until),
    /// Behind the item for which a condition holds.
    Last,
    /// There, or where fewer bytes than that are left.
    LastOr(usize),
    /// In front of a constant, or where fewer bytes than that are left.
    Before(&'e [u8], usize),
}

impl Ends<'_> {
    /// How many bytes must be left where an item begins.
    fn least(self) -> Option<usize> {
        match self {
            Self::Until(Until::Remaining(least)) | Self::LastOr(least) | Self::Before(_, least) => {
                Some(least)
            }
            Self::Until(Until::Count(_)) | Self::Last => None,
        }
    }
}

/// The item before, and the arguments that it was given.
pub type Before<'i, 'a, T> = (&'i T, <T as Wire<'a>>::Args);

/// Reads items; `args` makes the arguments of each out of the item before it.
#[cfg(feature = "alloc")]
pub fn read<'a, T: Wire<'a>, O: Observer>(
    cur: &mut Cursor<'a>,
    obs: &mut O,
    ends: Ends<'_>,
    args: impl Fn(Option<Before<'_, 'a, T>>, &mut Cursor<'a>, &mut O) -> Result<T::Args, Fault>,
    is_last: impl Fn(&T) -> bool,
) -> Result<Vec<T>, Fault> {
    if obs.limits().descend::<T>().is_none() {
        return Err(seq::too_deep(cur, obs));
    }
    let mut items = vec::Items::new(obs);
    let fill = core::mem::replace(&mut cur.fill, Fill::Open);
    let mut given = None;
    let result = loop {
        match is_at_end(cur, obs, ends, items.count) {
            Ok(false) => {}
            Ok(true) => break Ok(()),
            Err(fault) => break Err(fault),
        }
        let before = cur.remaining();
        let read = args(items.list.last().zip(given), cur, obs)
            .and_then(|args| Ok((vec::read_one(cur, obs, items.count, args)?, args)));
        let last = match read {
            Ok((item, args)) => {
                given = Some(args);
                let last = matches!(ends, Ends::Last | Ends::LastOr(_)) && is_last(&item);
                items.push_linked(item);
                last
            }
            Err(fault) => break Err(fault),
        };
        if last {
            break Ok(());
        }
        if cur.remaining() == before {
            let until = match ends {
                Ends::Until(until) => until,
                _ => Until::Remaining(0),
            };
            if let Err(fault) = seq::without_bytes::<T, O>(cur, obs, until) {
                break Err(fault);
            }
        }
    };
    cur.fill = fill;
    obs.limits().ascend::<T>();
    result.map(|()| items.done(obs))
}

/// Whether the sequence ends in front of the next item.
#[cfg(feature = "alloc")]
fn is_at_end<O: Observer>(
    cur: &mut Cursor<'_>,
    obs: &mut O,
    ends: Ends<'_>,
    done: u64,
) -> Result<bool, Fault> {
    match ends {
        Ends::Until(until) => Ok(until.ends(done, cur.remaining())),
        Ends::Before(end, least) => terminator::is_next(cur, obs, end, least),
        Ends::LastOr(least) => Ok(cur.remaining() < least),
        Ends::Last => Ok(false),
    }
}

/// Writes the items of a `Vec`; `args` makes the arguments of each out of the item before it.
#[cfg(feature = "alloc")]
pub fn emit<'a, T: Wire<'a>>(
    items: &[T],
    out: &mut Writer<'_>,
    ends: Ends<'static>,
    args: impl Fn(Option<Before<'_, 'a, T>>, &mut Writer<'_>) -> Result<T::Args, Fault>,
    carry: &Carry<impl Fn(&T, &dyn Fn(usize) -> Option<u64>) -> Option<T>>,
    is_last: impl Fn(&T) -> bool,
) -> Result<(), Fault> {
    emit_each(items.iter().map(Ok), out, ends, args, carry)?;
    match ends {
        Ends::Last => vec::ends_with(items, out, is_last),
        Ends::LastOr(least) if vec::ends_alone(items, out, is_last)? => {
            out.ahead(0, Ahead::Fewer(wide(least))).map(drop)
        }
        _ => Ok(()),
    }
}

/// Writes items one after the other, wherever they come from.
pub(crate) fn emit_each<'a, T: Wire<'a>, I: Borrow<T>>(
    items: impl Iterator<Item = Result<I, Error>>,
    out: &mut Writer<'_>,
    ends: Ends<'static>,
    args: impl Fn(Option<Before<'_, 'a, T>>, &mut Writer<'_>) -> Result<T::Args, Fault>,
    carry: &Carry<impl Fn(&T, &dyn Fn(usize) -> Option<u64>) -> Option<T>>,
) -> Result<(), Fault> {
    let outer = out.descend(stack::of::<T>())?;
    let mut entry = None;
    let (mut before, mut given): (Option<I>, Option<T::Args>) = (None, None);
    let mut learned = None;
    for (item, index) in items.zip(0_u64..) {
        let before_it = before.as_ref().map(Borrow::borrow);
        let written = match learned.as_ref().zip(before_it) {
            Some((learned, it)) => {
                Some(out.written_as((it, index.saturating_sub(1)), learned, &carry.copy)?)
            }
            None => None,
        };
        out.enter_item(index);
        // Where the last one begins there must be enough; then there is at all others.
        match (ends.least().filter(|least| T::MIN_SIZE < *least), entry) {
            (Some(_), Some(entry)) => out.ahead_again(entry),
            (Some(least), None) => entry = Some(out.ahead(0, Ahead::Enough(wide(least)))?),
            (None, _) => {}
        }
        if let Ends::Before(end, _) = ends {
            out.ahead(0, Ahead::NotYet(end))?;
        }
        let item = item.map_err(|error| out.fail_to_read(&error))?;
        let args = args(written.as_ref().or(before_it).zip(given), out)?;
        given = Some(args);
        let from = out.pos();
        let link = out.begin_link(carry.parts);
        item.borrow().emit(out, args)?;
        learned = out.end_link(&link);
        if out.pos() == from {
            match ends {
                Ends::Until(Until::Count(_)) => out.owe(Limits::empty_costs::<T>()),
                _ if out.rules() => return Err(seq::no_bytes(out)),
                _ => {}
            }
        }
        out.leave();
        before = Some(item);
    }
    out.ascend(outer);
    Ok(())
}
