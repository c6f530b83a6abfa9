//! Enums of numbers: values that stand for numbers, and for others only if the enum keeps them.

use crate::finding::{Fault, Show};
use crate::int::{Int, Order};
use crate::observe::Observer;
use crate::ops::{Bits as _, Widen, show_number};
use crate::setter::{Settable, signed_as};
use crate::value::Value;
use crate::writer::Writer;
use crate::{Cursor, walk};

/// An enum of numbers.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no enum of numbers",
    note = "derive `BinFormat` on an enum with `#[repr(u8)]` or the like"
)]
pub trait Named: Sized {
    /// The type of the numbers.
    type Number: Copy + Widen + Settable + TryFrom<u64>;

    /// The value that a number stands for, if it has one.
    fn of_number(number: Self::Number) -> Option<Self>;

    /// The number of the value, and its name, if the declaration knows it.
    fn numbered(&self) -> (Self::Number, Option<&'static str>);

    /// The number of the value.
    #[inline(always)]
    fn number(&self) -> Self::Number {
        self.numbered().0
    }

    /// The name of the value, if the declaration knows it.
    fn name(&self) -> Option<&'static str> {
        self.numbered().1
    }
}

/// The number of an enum, to be compared with the tag that it is computed from.
pub fn number_of<T: Named>(value: &T) -> u64 {
    value.number().widen().bits()
}

/// The value of an enum of numbers that stands for a tag; the one that is `held` counts for nothing.
pub fn of_tag<T: Named>(
    out: &mut Writer<'_>,
    name: &'static str,
    held: &T,
    tag: u64,
) -> Result<T, Fault> {
    let at = out.pos();
    let number = signed_as(held, tag);
    let Some(value) = held.replaced(number).filter(reads_back) else {
        return Err(has_no_value(out, name, at, show_number(Some(number))));
    };
    out.computed_as(&[name], at, number_of(held) == tag)?;
    Ok(value)
}

/// A number that a field gets from others, and that none of its values stands for.
#[cold]
pub(crate) fn has_no_value(
    out: &mut Writer<'_>,
    field: &'static str,
    at: u64,
    number: Show,
) -> Fault {
    out.enter(field);
    let what = format_args!("no value of the field stands for this number");
    out.fail_at(at, "derived", what, Show::Nothing, number)
}

/// What an inspector shows of a named number.
pub fn value<T: Named>(value: &T) -> Value<'_> {
    Value::Enum { number: value.number().widen().bits(), name: value.name() }
}

/// Reads a number and finds the value that it stands for.
#[inline(always)]
pub fn read<T: Named<Number: Int>, O: Observer>(
    cur: &mut Cursor<'_>,
    obs: &mut O,
    order: Order,
) -> Result<T, Fault> {
    let number = walk::int::<T::Number, O>(cur, obs, order)?;
    match T::of_number(number) {
        Some(value) => Ok(value),
        None => Err(walk::unknown(cur, obs, T::Number::SIZE, number.widen().bits())),
    }
}

/// Whether a number is read back as this variant, and not as another one that stands for it.
#[inline(always)]
pub(crate) fn reads_back<T: Named>(value: &T) -> bool {
    let own = core::mem::discriminant(value);
    T::of_number(value.number()).is_some_and(|read| core::mem::discriminant(&read) == own)
}

/// Writes the number of an enum that keeps those without a name; all others are those of one variant each.
#[inline(always)]
pub fn put<T: Named<Number: Int>>(
    out: &mut Writer<'_>,
    value: &T,
    order: Order,
) -> Result<(), Fault> {
    let (number, name) = value.numbered();
    if name.is_none() { put_kept(out, value, order) } else { number.put(out, order) }
}

/// The same of an enum with variants that keep one of several numbers.
#[inline(always)]
pub fn put_kept<T: Named<Number: Int>>(
    out: &mut Writer<'_>,
    value: &T,
    order: Order,
) -> Result<(), Fault> {
    if !reads_back(value) {
        return Err(of_another(out, T::of_number(value.number()).is_some(), number_of(value)));
    }
    value.number().put(out, order)
}

#[cold]
pub(crate) fn of_another(out: &mut Writer<'_>, is_named: bool, number: u64) -> Fault {
    let what = if is_named {
        format_args!("the number is that of another variant, and would be read back as that")
    } else {
        format_args!("the number is none of this variant, and would not be read back")
    };
    out.fail("value", what, Show::Nothing, Show::Uint(number))
}
