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

/// The type of a constant that is an id.
#[diagnostic::on_unimplemented(
    message = "the tag is a number, and `{Self}` is none",
    label = "is no number",
    note = "write a number, or a constant of one; an enum of numbers is compared with an argument of its type"
)]
pub trait IdNumber {}

macro_rules! id_numbers {
    ($($ty:ty)*) => { $(#[diagnostic::do_not_recommend] impl IdNumber for $ty {})* };
}

id_numbers!(u8 u16 u32 u64 usize i8 i16 i32 i64 isize);

/// Insists that an id is a number.
pub const fn id<T: IdNumber>(_: &T) {}

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
