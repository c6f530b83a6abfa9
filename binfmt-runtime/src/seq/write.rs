//! Writing items, wherever they come from.

use crate::Wire;
use crate::finding::{Error, Fault, Show};
use crate::writer::Writer;

/// Writes items one after the other.
pub(crate) fn write_items<'a, T: Wire<'a>>(
    items: &[T],
    out: &mut Writer<'_>,
    args: T::Args,
) -> Result<(), Fault> {
    if out.is_located() {
        return write_located(items, out, args);
    }
    out.expect(items.len().saturating_mul(T::MIN_SIZE));
    items.iter().try_for_each(|item| item.emit(out, args))
}

#[inline(never)]
fn write_located<'a, T: Wire<'a>>(
    items: &[T],
    out: &mut Writer<'_>,
    args: T::Args,
) -> Result<(), Fault> {
    items.iter().zip(0_u64..).try_for_each(|(item, index)| {
        out.enter_item(index);
        item.emit(out, args)?;
        out.leave();
        Ok(())
    })
}

#[cold]
pub(crate) fn broken_item(out: &mut Writer<'_>, error: &Error) -> Fault {
    let what = format_args!("the item cannot be read: {error}");
    out.fail(error.finding().code, what, Show::Nothing, Show::Nothing)
}
