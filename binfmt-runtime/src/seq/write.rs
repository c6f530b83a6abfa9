//! Writing items, wherever they come from.

use crate::budget::Limits;
use crate::finding::{Error, Fault, Show};
use crate::ops::wide;
use crate::writer::{Ahead, Writer};
use crate::{Wire, stack};

/// Writes items one after the other.
pub(crate) fn write_items<'a, T: Wire<'a>>(
    items: &[T],
    out: &mut Writer<'_>,
    args: T::Args,
) -> Result<(), Fault> {
    out.level::<T>(|out| {
        if out.is_located() {
            return write_located(items, out, args);
        }
        out.expect(items.len().saturating_mul(T::MIN_SIZE));
        if T::MIN_SIZE == 0 {
            return items.iter().try_for_each(|item| write_any(item, out, args));
        }
        items.iter().try_for_each(|item| item.emit(out, args))
    })
}

/// Writes an item that may have no bytes, which readers pay for.
pub(crate) fn write_any<'a, T: Wire<'a>>(
    item: &T,
    out: &mut Writer<'_>,
    args: T::Args,
) -> Result<(), Fault> {
    let from = out.pos();
    item.emit(out, args)?;
    if out.pos() == from {
        out.owe(Limits::empty_costs::<T>());
    }
    Ok(())
}

/// Writes items that a reader takes while at least so many bytes are left.
pub(crate) fn write_while<'a, T: Wire<'a>, I: core::borrow::Borrow<T>>(
    items: impl Iterator<Item = Result<I, Error>>,
    out: &mut Writer<'_>,
    args: T::Args,
    least: usize,
) -> Result<(), Fault> {
    let outer = out.descend(stack::of::<T>())?;
    let mut entry = None;
    for (item, index) in items.zip(0_u64..) {
        // Where the last one begins there must be enough; then there is at all others.
        match entry {
            _ if T::MIN_SIZE >= least => {}
            Some(entry) => out.ahead_again(entry),
            None => entry = Some(out.ahead(0, Ahead::Enough(wide(least)))?),
        }
        out.enter_item(index);
        let from = out.pos();
        match item {
            Ok(item) => item.borrow().emit(out, args)?,
            Err(error) => return Err(out.fail_to_read(&error)),
        }
        if out.pos() == from && out.rules() {
            return Err(no_bytes(out));
        }
        out.leave();
    }
    out.ascend(outer);
    Ok(())
}

/// No reader gets beyond an item of no bytes where nothing counts the items.
#[cold]
pub(crate) fn no_bytes(out: &mut Writer<'_>) -> Fault {
    let what = format_args!("an item of no bytes would repeat for ever");
    out.fail("until", what, Show::Nothing, Show::Nothing)
}

/// Whether a reader takes every item that is written, for each has as many bytes as it looks for.
pub(crate) fn is_plain_end<'a, T: Wire<'a>>(least: usize) -> bool {
    T::MIN_SIZE >= least.max(1)
}

#[inline(never)]
fn write_located<'a, T: Wire<'a>>(
    items: &[T],
    out: &mut Writer<'_>,
    args: T::Args,
) -> Result<(), Fault> {
    items.iter().zip(0_u64..).try_for_each(|(item, index)| {
        out.enter_item(index);
        write_any(item, out, args)?;
        out.leave();
        Ok(())
    })
}
