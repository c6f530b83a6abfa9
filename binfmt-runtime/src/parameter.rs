//! What can stand for a type parameter of a declared type.

use crate::array::ArrayItem;
use crate::narrow::{I24, I40, I48, I56, U24, U40, U48, U56};
use crate::{Coded, DefaultArgs, Encoding, NumberOf, Order, Wire};

/// What can stand for a type parameter where a byte order is known: a number, an array or a tuple of
/// such values, or a declared type that can be read without arguments.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot stand for a type parameter",
    note = "a number can, and `[u8; 4]`, and a type with `#[derive(BinFormat)]` that is read without arguments"
)]
pub trait Parameter<'a>: Wire<'a> {
    /// The arguments of a value whose numbers have that order; a declared type has its own.
    fn args(order: Order) -> Self::Args;
}

/// What can stand for a type parameter where no byte order is known.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot stand for a type parameter where no byte order is known",
    note = "for numbers, give the type with the parameter an order: `little`, `big` or `endian = inherit`",
    note = "besides, a type with `#[derive(BinFormat)]` that is read without arguments can"
)]
pub trait Unordered<'a>: Wire<'a> {
    /// The arguments of a value.
    fn args() -> Self::Args;
}

#[diagnostic::do_not_recommend]
impl<'a, T: DefaultArgs<'a>> Parameter<'a> for T {
    #[inline(always)]
    fn args(_: Order) -> T::Args {
        T::default_args()
    }
}

#[diagnostic::do_not_recommend]
impl<'a, T: DefaultArgs<'a>> Unordered<'a> for T {
    #[inline(always)]
    fn args() -> T::Args {
        T::default_args()
    }
}

/// What is read where a byte order is known and nothing else is passed: a declared type, or a number
/// under another name.
#[diagnostic::on_unimplemented(
    message = "`{Self}` takes arguments that have no default",
    note = "pass them, `args(name = value)`, or give every argument of the type a default",
    note = "a number by another name (`type Size = u16`) takes a byte order: add `little` or `big` to the type"
)]
pub trait Ordered<'a>: Wire<'a> {
    /// The arguments of a value whose numbers have that order; a declared type has its own.
    fn in_order(order: Order) -> Self::Args;
}

#[diagnostic::do_not_recommend]
impl<'a, T: Parameter<'a>> Ordered<'a> for T {
    #[inline(always)]
    fn in_order(order: Order) -> T::Args {
        T::args(order)
    }
}

macro_rules! numbers {
    ($($number:ty)*) => { $(
        impl Parameter<'_> for $number {
            #[inline(always)]
            fn args(order: Order) -> Order {
                order
            }
        }
    )* };
}

macro_rules! without_order {
    ($($number:ty)*) => { $(
        impl Unordered<'_> for $number {
            #[inline(always)]
            fn args() -> Order {
                Order::Little
            }
        }
    )* };
}

numbers! { u8 u16 u32 u64 i8 i16 i32 i64 f32 f64 bool U24 U40 U48 U56 I24 I40 I48 I56 }
without_order! { u8 i8 bool }

impl<E: Encoding, T: NumberOf<E::Wide>> Parameter<'_> for Coded<E, T> {
    #[inline(always)]
    fn args(order: Order) -> Order {
        order
    }
}

impl<E: Encoding, T: NumberOf<E::Wide>> Unordered<'_> for Coded<E, T> {
    #[inline(always)]
    fn args() -> Order {
        Order::Little
    }
}

impl<'a, T: Parameter<'a> + ArrayItem, const N: usize> Parameter<'a> for [T; N] {
    #[inline(always)]
    fn args(order: Order) -> T::Args {
        T::args(order)
    }
}

impl<'a, T: Unordered<'a> + ArrayItem, const N: usize> Unordered<'a> for [T; N] {
    #[inline(always)]
    fn args() -> T::Args {
        T::args()
    }
}

macro_rules! tuples {
    ($(($($part:ident)*))*) => { $(
        impl<'a, $($part: Parameter<'a>),*> Parameter<'a> for ($($part,)*) {
            #[inline(always)]
            fn args(order: Order) -> Self::Args {
                ($($part::args(order),)*)
            }
        }

        impl<'a, $($part: Unordered<'a>),*> Unordered<'a> for ($($part,)*) {
            #[inline(always)]
            fn args() -> Self::Args {
                ($($part::args(),)*)
            }
        }
    )* };
}

tuples! {
    (A) (A B) (A B C) (A B C D) (A B C D E) (A B C D E F) (A B C D E F G) (A B C D E F G H)
}
