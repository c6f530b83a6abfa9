//! What a value is wanted for whose type a declaration does not see: a condition, a byte order, an
//! alignment, what is not read, or what is written with other numbers.

use crate::Order;

/// What may stand for a condition.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no condition; compare it: `.. != 0`",
    note = "a condition is a truth value: a comparison, a `bool`, or what a function of your own gives that says `bool`"
)]
pub trait Condition {
    /// Whether it holds.
    fn holds(&self) -> bool;
}

impl Condition for bool {
    #[inline(always)]
    fn holds(&self) -> bool {
        *self
    }
}

#[diagnostic::do_not_recommend]
impl<T: Condition> Condition for &T {
    #[inline(always)]
    fn holds(&self) -> bool {
        T::holds(self)
    }
}

/// Whether a condition holds whose type is not seen.
#[inline(always)]
pub fn holds<T: Condition>(condition: &T) -> bool {
    condition.holds()
}

/// What may stand for a byte order.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no byte order; write `endian = if order == 2 {{ Order::Big }} else {{ Order::Little }}`",
    note = "a byte order is an `Order`: a constant, an argument, or what a function of your own gives"
)]
pub trait ByteOrder {
    /// The order.
    fn byte_order(&self) -> Order;
}

impl ByteOrder for Order {
    #[inline(always)]
    fn byte_order(&self) -> Order {
        *self
    }
}

#[diagnostic::do_not_recommend]
impl<T: ByteOrder> ByteOrder for &T {
    #[inline(always)]
    fn byte_order(&self) -> Order {
        T::byte_order(self)
    }
}

/// A byte order whose type is not seen.
#[inline(always)]
pub fn byte_order<T: ByteOrder>(order: &T) -> Order {
    order.byte_order()
}

/// A wide number that is aligned.
#[diagnostic::on_unimplemented(
    message = "`align_up` takes unsigned numbers, and this one is signed; call a function of your own"
)]
pub trait Unsigned {
    /// The number.
    fn unsigned(self) -> u64;
}

impl Unsigned for u64 {
    #[inline(always)]
    fn unsigned(self) -> u64 {
        self
    }
}

/// A number that is aligned, whose type is not seen.
#[inline(always)]
pub fn unsigned<W: Unsigned>(number: W) -> u64 {
    number.unsigned()
}

/// The type of a field with `skip`.
#[diagnostic::on_unimplemented(
    message = "a field with `skip` is made by `Default`, and `{Self}` has none",
    label = "has no `Default`",
    note = "derive `Default` on `{Self}`, or say what the field holds: `skip, default = ..`"
)]
pub trait Skipped: Default {}

#[diagnostic::do_not_recommend]
impl<T: Default> Skipped for T {}

/// What a field holds that is not read.
#[inline(always)]
#[must_use]
pub fn skipped<T: Skipped>() -> T {
    T::default()
}

/// The type of a field with numbers that the writer sets.
#[diagnostic::on_unimplemented(
    message = "a writer puts numbers into a copy of the value, and `{Self}` is no `Clone`",
    label = "cannot be copied",
    note = "derive `Clone` on `{Self}`"
)]
pub trait Settable: Clone {}

#[diagnostic::do_not_recommend]
impl<T: Clone> Settable for T {}

/// The copy into which a writer puts numbers.
#[inline(always)]
#[must_use]
pub fn to_be_set<T: Settable>(value: &T) -> T {
    value.clone()
}
