//! What a function of a declaration is given where that is a constant, a choice, or what another
//! function gives.
//!
//! A method that takes `self` stands before one that takes `&mut self`: so numbers and references are
//! told from all else.

#[cfg(feature = "alloc")]
use alloc::{borrow::Cow, boxed::Box, string::String, vec::Vec};

use crate::narrow::{I24, I40, I48, I56, U24, U40, U48, U56};
use crate::ops::Widen;
use crate::pass::Pass;
use crate::{Coded, Encoding, Number};

/// Such a value. What is taken by reference lives as long as the call.
#[derive(Debug)]
pub struct Handed<T>(Option<T>);

impl<T> Handed<T> {
    /// Holds a value.
    #[inline(always)]
    pub const fn new(value: T) -> Self {
        Self(Some(value))
    }
}

/// The value is a number.
pub trait NumberHanded: Sized {
    /// Its type.
    type Number;

    /// The number.
    fn number(self) -> Option<Self::Number>;

    /// The number in the type that the function takes; `None` if it does not fit.
    #[inline(always)]
    fn handed<P>(self) -> Option<P>
    where
        Self::Number: Pass<P>,
    {
        self.number()?.pass()
    }
}

macro_rules! numbers {
    ($($number:ty)*) => {
        $(impl NumberHanded for Handed<$number> {
            type Number = $number;

            #[inline(always)]
            fn number(self) -> Option<$number> {
                self.0
            }
        }

        impl NumberHanded for Handed<Option<$number>> {
            type Number = Option<$number>;

            #[inline(always)]
            fn number(self) -> Option<Option<$number>> {
                self.0
            }
        })*
    };
}

numbers!(u8 u16 u32 u64 i8 i16 i32 i64 usize f32 f64 bool U24 U40 U48 U56 I24 I40 I48 I56);

impl<E: Encoding, T: Number> NumberHanded for Handed<Coded<E, T>> {
    type Number = Coded<E, T>;

    #[inline(always)]
    fn number(self) -> Option<Coded<E, T>> {
        self.0
    }
}

/// The value is a reference already.
pub trait ReferenceHanded {
    /// Its type.
    type Reference;

    /// The reference.
    fn handed(self) -> Option<Self::Reference>;
}

impl<'v, T: ?Sized> ReferenceHanded for Handed<&'v T> {
    type Reference = &'v T;

    #[inline(always)]
    fn handed(self) -> Option<&'v T> {
        self.0
    }
}

/// The value is anything else.
pub trait AnyHanded<T> {
    /// The value as the function takes it.
    fn handed<'v, P>(&'v mut self) -> Option<P>
    where
        T: Give<'v, P>;
}

impl<T> AnyHanded<T> for Handed<T> {
    #[inline(always)]
    fn handed<'v, P>(&'v mut self) -> Option<P>
    where
        T: Give<'v, P>,
    {
        T::give(&mut self.0)
    }
}

/// How a value is given: as it is, or by reference.
#[diagnostic::on_unimplemented(
    message = "a function that takes `{P}` cannot be given a `{Self}`",
    note = "numbers are converted, if they fit; all else is given by reference or as it is, and what may be absent as what is there",
    note = "a function that takes any type (`fn f<T>(_: T)`, `impl Trait`) does not tell what it takes, which is then written `!`; name the type"
)]
pub trait Give<'v, P>: Sized {
    /// What is given; `None` where nothing is there.
    fn give(held: &'v mut Option<Self>) -> Option<P>;
}

#[diagnostic::do_not_recommend]
impl<T> Give<'_, Self> for T {
    #[inline(always)]
    fn give(held: &mut Option<Self>) -> Option<Self> {
        held.take()
    }
}

#[diagnostic::do_not_recommend]
impl<'v, T> Give<'v, &'v Self> for T {
    #[inline(always)]
    fn give(held: &'v mut Option<Self>) -> Option<&'v Self> {
        held.as_ref()
    }
}

#[diagnostic::do_not_recommend]
impl<T> Give<'_, T> for Option<T> {
    #[inline(always)]
    fn give(held: &mut Option<Self>) -> Self {
        held.take().flatten()
    }
}

#[diagnostic::do_not_recommend]
impl<'v, T> Give<'v, &'v T> for Option<T> {
    #[inline(always)]
    fn give(held: &'v mut Option<Self>) -> Option<&'v T> {
        held.as_ref()?.as_ref()
    }
}

#[diagnostic::do_not_recommend]
impl<'v, T, const N: usize> Give<'v, &'v [T]> for [T; N] {
    #[inline(always)]
    fn give(held: &'v mut Option<Self>) -> Option<&'v [T]> {
        held.as_ref().map(Self::as_slice)
    }
}

/// What is lent as what it holds, too, as a reference to it would be.
#[cfg(feature = "alloc")]
macro_rules! lent {
    ($([$($parameter:tt)*] $holder:ty => $held:ty;)*) => {
        $(#[diagnostic::do_not_recommend]
        impl<'v, $($parameter)*> Give<'v, &'v $held> for $holder {
            #[inline(always)]
            fn give(held: &'v mut Option<Self>) -> Option<&'v $held> {
                held.as_deref()
            }
        })*
    };
}

#[cfg(feature = "alloc")]
lent! {
    [] String => str;
    [T] Vec<T> => [T];
    [T: ?Sized] Box<T> => T;
    ['a] Cow<'a, str> => str;
    ['a] Cow<'a, [u8]> => [u8];
}

/// One of two values of which a condition chooses.
#[derive(Debug)]
pub struct Chosen<T>(Option<T>);

impl<T> Chosen<T> {
    /// Holds a value.
    #[inline(always)]
    pub const fn new(value: T) -> Self {
        Self(Some(value))
    }
}

/// The value is a number, and so is the other one, whatever the types of the two.
pub trait NumberChosen {
    /// The type that both have then.
    type Number;

    /// The number.
    fn chosen(self) -> Option<Self::Number>;
}

/// The value is anything else.
pub trait AnyChosen<T> {
    /// The value.
    fn chosen(&mut self) -> Option<T>;
}

impl<T> AnyChosen<T> for Chosen<T> {
    #[inline(always)]
    fn chosen(&mut self) -> Option<T> {
        self.0.take()
    }
}

macro_rules! chosen {
    ($wide:ty, $widen:expr, $($number:ty)*) => {
        $(impl NumberChosen for Chosen<$number> {
            type Number = $wide;

            #[inline(always)]
            fn chosen(self) -> Option<$wide> {
                self.0.map($widen)
            }
        }

        impl NumberChosen for Chosen<&$number> {
            type Number = $wide;

            #[inline(always)]
            fn chosen(self) -> Option<$wide> {
                self.0.copied().map($widen)
            }
        })*
    };
}

impl<E: Encoding, T: Number> NumberChosen for Chosen<Coded<E, T>> {
    type Number = <Coded<E, T> as Widen>::Wide;

    #[inline(always)]
    fn chosen(self) -> Option<Self::Number> {
        self.0.map(Widen::widen)
    }
}

chosen!(u64, Widen::widen, u8 u16 u32 u64 usize U24 U40 U48 U56);
chosen!(i64, Widen::widen, i8 i16 i32 i64 I24 I40 I48 I56);
chosen!(bool, |truth| truth, bool);
chosen!(f32, |number| number, f32);
chosen!(f64, |number| number, f64);
