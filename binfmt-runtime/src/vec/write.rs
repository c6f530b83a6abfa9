//! Writing the items of a `Vec`.

use crate::finding::{Fault, Show};
use crate::ops::wide;
use crate::writer::{Ahead, Writer};
use crate::{Wire, seq, terminator};

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
    seq::write_items(items, out, args)?;
    ends_with(items, out, ends)
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
    seq::write_while::<T, _>(items.iter().map(Ok), out, args, least)?;
    if ends_alone(items, out, ends)? {
        out.ahead(0, Ahead::Fewer(wide(least)))?;
    }
    Ok(())
}

/// No item but the last one `ends` the sequence; whether that does not either.
///
/// Asked when the items have been written, for an item may hold an old number that says otherwise; an
/// error names that.
pub(crate) fn ends_alone<T>(
    items: &[T],
    out: &mut Writer<'_>,
    ends: impl Fn(&T) -> bool,
) -> Result<bool, Fault> {
    match items.iter().position(ends) {
        _ if out.is_draft() || out.learns() => Ok(false),
        Some(first) if first.saturating_add(1) != items.len() => Err(wrong_end(out, Some(first))),
        first => Ok(first.is_none()),
    }
}

/// The last item, and no other, `ends` the sequence; asked when the items have been written, too.
pub(crate) fn ends_with<T>(
    items: &[T],
    out: &mut Writer<'_>,
    ends: impl Fn(&T) -> bool,
) -> Result<(), Fault> {
    let first = items.iter().position(ends);
    let is_judged = !out.is_draft() && !out.learns();
    if is_judged && first.is_none_or(|first| first.saturating_add(1) != items.len()) {
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
    emit_before_or(items, out, args, 0, end)
}

/// The same, where a reader stops, too, when fewer bytes than `least` are left.
pub fn emit_before_or<'a, T: Wire<'a>>(
    items: &[T],
    out: &mut Writer<'_>,
    args: T::Args,
    least: usize,
    end: &'static [u8],
) -> Result<(), Fault> {
    let mut entry = None;
    let mut each = |(item, index): (&T, u64), out: &mut Writer<'_>| {
        // Where the last one begins there must be enough; then there is at all others.
        match entry {
            _ if T::MIN_SIZE >= least => {}
            Some(entry) => out.ahead_again(entry),
            None => entry = Some(out.ahead(0, Ahead::Enough(wide(least)))?),
        }
        out.enter_item(index);
        out.ahead(0, Ahead::NotYet(end))?;
        let from = out.pos();
        item.emit(out, args)?;
        if out.pos() == from && out.rules() {
            return Err(seq::no_bytes(out));
        }
        out.leave();
        Ok(())
    };
    out.level::<T>(|out| items.iter().zip(0_u64..).try_for_each(|item| each(item, out)))
}

#[cold]
fn wrong_end(out: &mut Writer<'_>, first: Option<usize>) -> Fault {
    match first {
        Some(first) => {
            out.enter_item(wide(first));
            let what = format_args!(
                "the item ends the sequence, and others follow; if a number in it is old, write what `settle` gives"
            );
            out.fail("until", what, Show::Nothing, Show::Nothing)
        }
        None => {
            let what = format_args!("the last item does not end the sequence");
            out.fail("until", what, Show::Nothing, Show::Nothing)
        }
    }
}
