//! How the values of a declaration reach arguments and functions.

use crate::narrow::{I24, I40, I48, I56, U24, U40, U48, U56};
use crate::ops::Widen;
use crate::{Coded, Encoding, Number};

/// A value that is passed as an argument: an integer is converted, all else is cloned.
#[diagnostic::on_unimplemented(
    message = "an argument of type `{P}` cannot be given a `{Self}`",
    note = "integers are converted, if they fit; all else has the type of the argument and is `Clone`",
    note = "a type without `args(..)` takes no arguments, which is the type `()`; a function that takes any type (`fn f<T>(_: T)`) does not tell what it takes, which is then written `!`, so name the type"
)]
pub trait Pass<P> {
    /// The value in the type of the argument; `None` if it does not fit.
    fn pass(&self) -> Option<P>;

    /// The same while numbers are found out: for a number that cannot be computed, or does not fit, 0 is as good.
    #[inline]
    fn pass_any(&self) -> Option<P> {
        self.pass()
    }
}

#[diagnostic::do_not_recommend]
impl<T: Clone> Pass<Self> for T {
    #[inline(always)]
    fn pass(&self) -> Option<Self> {
        Some(self.clone())
    }
}

/// A constant of bytes, which is written as a reference to an array.
#[diagnostic::do_not_recommend]
impl<const N: usize> Pass<[u8; N]> for &[u8; N] {
    #[inline(always)]
    fn pass(&self) -> Option<[u8; N]> {
        Some(**self)
    }
}

#[diagnostic::do_not_recommend]
impl<'v, const N: usize> Pass<&'v [u8]> for &'v [u8; N] {
    #[inline(always)]
    fn pass(&self) -> Option<&'v [u8]> {
        Some(*self)
    }
}

macro_rules! converted {
    ($from:ty => $($to:ty)*) => {
        $(#[diagnostic::do_not_recommend]
        impl Pass<$to> for $from {
            #[inline(always)]
            fn pass(&self) -> Option<$to> {
                <$to>::try_from(self.widen()).ok()
            }

            #[inline]
            fn pass_any(&self) -> Option<$to> {
                Some(self.pass().unwrap_or_default())
            }
        })*
    };
}

converted!(u8 => u16 u32 u64 i8 i16 i32 i64 usize);
converted!(u16 => u8 u32 u64 i8 i16 i32 i64 usize);
converted!(u32 => u8 u16 u64 i8 i16 i32 i64 usize);
converted!(u64 => u8 u16 u32 i8 i16 i32 i64 usize);
converted!(i8 => u8 u16 u32 u64 i16 i32 i64 usize);
converted!(i16 => u8 u16 u32 u64 i8 i32 i64 usize);
converted!(i32 => u8 u16 u32 u64 i8 i16 i64 usize);
converted!(i64 => u8 u16 u32 u64 i8 i16 i32 usize);
converted!(U24 => u8 u16 u32 u64 i8 i16 i32 i64 usize);
converted!(U40 => u8 u16 u32 u64 i8 i16 i32 i64 usize);
converted!(U48 => u8 u16 u32 u64 i8 i16 i32 i64 usize);
converted!(U56 => u8 u16 u32 u64 i8 i16 i32 i64 usize);
converted!(I24 => u8 u16 u32 u64 i8 i16 i32 i64 usize);
converted!(I40 => u8 u16 u32 u64 i8 i16 i32 i64 usize);
converted!(I48 => u8 u16 u32 u64 i8 i16 i32 i64 usize);
converted!(I56 => u8 u16 u32 u64 i8 i16 i32 i64 usize);
converted!(usize => u8 u16 u32 u64 i8 i16 i32 i64);

macro_rules! converted_from_coded {
    ($($to:ty)*) => {
        $(#[diagnostic::do_not_recommend]
        impl<E: Encoding, T: Number> Pass<$to> for Coded<E, T>
        where
            T::Wide: Into<i128>,
        {
            #[inline(always)]
            fn pass(&self) -> Option<$to> {
                let wide: i128 = self.widen().into();
                <$to>::try_from(wide).ok()
            }

            #[inline]
            fn pass_any(&self) -> Option<$to> {
                Some(self.pass().unwrap_or_default())
            }
        })*
    };
}

converted_from_coded!(u8 u16 u32 u64 i8 i16 i32 i64 usize);

macro_rules! converted_from_some {
    ($($to:ty)*) => {
        $(#[diagnostic::do_not_recommend]
        impl<N: Pass<$to>> Pass<$to> for Option<N> {
            #[inline(always)]
            fn pass(&self) -> Option<$to> {
                self.as_ref().and_then(N::pass)
            }

            #[inline]
            fn pass_any(&self) -> Option<$to> {
                Some(self.pass().unwrap_or_default())
            }
        })*
    };
}

// What a type computes of itself is an `Option`; where it is nothing, it cannot be passed.
converted_from_some!(bool u8 u16 u32 u64 i8 i16 i32 i64 usize);

macro_rules! converted_from_wide {
    ($($to:ty)*) => {
        $(#[diagnostic::do_not_recommend]
        impl Pass<$to> for i128 {
            #[inline(always)]
            fn pass(&self) -> Option<$to> {
                <$to>::try_from(*self).ok()
            }

            #[inline]
            fn pass_any(&self) -> Option<$to> {
                Some(self.pass().unwrap_or_default())
            }
        })*
    };
}

converted_from_wide!(u8 u16 u32 u64 i8 i16 i32 i64 usize);

/// A number that an expression has computed: `u64`, or `i128` where it may be below 0.
#[derive(Debug)]
pub struct Computed<W>(pub Option<W>);

#[diagnostic::do_not_recommend]
impl<W: Pass<P> + Default, P> Pass<P> for Computed<W> {
    #[inline(always)]
    fn pass(&self) -> Option<P> {
        self.0.as_ref().and_then(W::pass)
    }

    #[inline]
    fn pass_any(&self) -> Option<P> {
        self.pass().or_else(|| W::default().pass())
    }
}

/// The arguments of a type, made of the values that are passed.
#[diagnostic::on_unimplemented(
    message = "the type takes the arguments `{Self}`, and is given `{V}`",
    note = "`args(..)` passes every argument that the type declares, by name and in its order",
    note = "integers are converted, if they fit; all else has the type of the argument and is `Copy`; an `Auto` is not in the value that says it"
)]
pub trait Arguments<V>: Sized {
    /// The arguments; `None` if a number does not fit.
    fn of(values: V) -> Option<Self>;

    /// The same while numbers are found out.
    fn any_of(values: V) -> Option<Self>;
}

/// Values that are passed. Their types are known before it is asked whether they suit the type that takes them: else
/// rustc would take a mistake for one in the call.
#[derive(Debug)]
pub struct Given<V>(pub V);

impl<V> Given<V> {
    /// The arguments of a type; `None` if a number does not fit, unless any is as good.
    #[inline(always)]
    pub fn to<A: Arguments<V>>(self, any: impl FnOnce() -> bool) -> Option<A>
    where
        V: Copy,
    {
        A::of(self.0).or_else(|| if any() { A::any_of(self.0) } else { None })
    }

    /// The arguments of an item behind one that has had others.
    #[inline(always)]
    pub fn behind<A: Following<V>>(self, before: A) -> Option<A> {
        before.follow(self.0)
    }
}

/// The arguments of an item, made of what the item before says and of the arguments of that.
#[diagnostic::on_unimplemented(
    message = "the type takes the arguments `{Self}`, and is given `{V}`",
    note = "`args(..)` passes every argument that the type declares, by name and in its order",
    note = "integers are converted, if they fit; all else has the type of the argument and is `Copy`; an `Auto` is not in the value that says it"
)]
pub trait Following<V>: Sized {
    /// The arguments; `None` if a number does not fit.
    fn follow(self, values: V) -> Option<Self>;
}

/// One argument of the next item.
pub trait Link<P> {
    /// The argument, which was `before` for the item before.
    fn link(self, before: P) -> Option<P>;
}

/// An argument that is the same for all items.
#[derive(Debug)]
pub struct Keep;

impl<P> Link<P> for Keep {
    #[inline(always)]
    fn link(self, before: P) -> Option<P> {
        Some(before)
    }
}

impl<P, A: Pass<P>> Link<P> for &A {
    #[inline(always)]
    fn link(self, _: P) -> Option<P> {
        self.pass()
    }
}

#[diagnostic::do_not_recommend]
impl<P, A: Link<P>> Following<(A,)> for P {
    #[inline(always)]
    fn follow(self, (value,): (A,)) -> Option<P> {
        value.link(self)
    }
}

#[diagnostic::do_not_recommend]
impl<P, A: Pass<P>> Arguments<(&A,)> for P {
    #[inline(always)]
    fn of((value,): (&A,)) -> Option<P> {
        value.pass()
    }

    fn any_of((value,): (&A,)) -> Option<P> {
        value.pass_any()
    }
}

macro_rules! tuples {
    ($(($($argument:ident $value:ident $name:ident),*))*) => { $(
        #[diagnostic::do_not_recommend]
        impl<$($argument, $value: Pass<$argument>),*> Arguments<($(&$value,)*)> for ($($argument,)*) {
            #[inline(always)]
            fn of(($($name,)*): ($(&$value,)*)) -> Option<Self> {
                Some(($($name.pass()?,)*))
            }

            fn any_of(($($name,)*): ($(&$value,)*)) -> Option<Self> {
                Some(($($name.pass_any()?,)*))
            }
        }

        #[diagnostic::do_not_recommend]
        impl<$($argument, $value: Link<$argument>),*> Following<($($value,)*)> for ($($argument,)*) {
            #[expect(non_snake_case, reason = "one name less for each argument")]
            #[inline(always)]
            fn follow(self, ($($value,)*): ($($value,)*)) -> Option<Self> {
                let ($($name,)*) = self;
                Some(($($value.link($name)?,)*))
            }
        }
    )* };
}

tuples! {
    (A0 V0 v0, A1 V1 v1)
    (A0 V0 v0, A1 V1 v1, A2 V2 v2)
    (A0 V0 v0, A1 V1 v1, A2 V2 v2, A3 V3 v3)
    (A0 V0 v0, A1 V1 v1, A2 V2 v2, A3 V3 v3, A4 V4 v4)
    (A0 V0 v0, A1 V1 v1, A2 V2 v2, A3 V3 v3, A4 V4 v4, A5 V5 v5)
    (A0 V0 v0, A1 V1 v1, A2 V2 v2, A3 V3 v3, A4 V4 v4, A5 V5 v5, A6 V6 v6)
    (A0 V0 v0, A1 V1 v1, A2 V2 v2, A3 V3 v3, A4 V4 v4, A5 V5 v5, A6 V6 v6, A7 V7 v7)
    (A0 V0 v0, A1 V1 v1, A2 V2 v2, A3 V3 v3, A4 V4 v4, A5 V5 v5, A6 V6 v6, A7 V7 v7, A8 V8 v8)
    (A0 V0 v0, A1 V1 v1, A2 V2 v2, A3 V3 v3, A4 V4 v4, A5 V5 v5, A6 V6 v6, A7 V7 v7, A8 V8 v8, A9 V9 v9)
    (A0 V0 v0, A1 V1 v1, A2 V2 v2, A3 V3 v3, A4 V4 v4, A5 V5 v5, A6 V6 v6, A7 V7 v7, A8 V8 v8, A9 V9 v9, A10 V10 v10)
    (A0 V0 v0, A1 V1 v1, A2 V2 v2, A3 V3 v3, A4 V4 v4, A5 V5 v5, A6 V6 v6, A7 V7 v7, A8 V8 v8, A9 V9 v9, A10 V10 v10, A11 V11 v11)
    (A0 V0 v0, A1 V1 v1, A2 V2 v2, A3 V3 v3, A4 V4 v4, A5 V5 v5, A6 V6 v6, A7 V7 v7, A8 V8 v8, A9 V9 v9, A10 V10 v10, A11 V11 v11, A12 V12 v12)
    (A0 V0 v0, A1 V1 v1, A2 V2 v2, A3 V3 v3, A4 V4 v4, A5 V5 v5, A6 V6 v6, A7 V7 v7, A8 V8 v8, A9 V9 v9, A10 V10 v10, A11 V11 v11, A12 V12 v12, A13 V13 v13)
    (A0 V0 v0, A1 V1 v1, A2 V2 v2, A3 V3 v3, A4 V4 v4, A5 V5 v5, A6 V6 v6, A7 V7 v7, A8 V8 v8, A9 V9 v9, A10 V10 v10, A11 V11 v11, A12 V12 v12, A13 V13 v13, A14 V14 v14)
    (A0 V0 v0, A1 V1 v1, A2 V2 v2, A3 V3 v3, A4 V4 v4, A5 V5 v5, A6 V6 v6, A7 V7 v7, A8 V8 v8, A9 V9 v9, A10 V10 v10, A11 V11 v11, A12 V12 v12, A13 V13 v13, A14 V14 v14, A15 V15 v15)
}

/// A part of a value that a function is given: a number as it is, all else by reference.
///
/// The compiler takes the first of both traits that fits.
#[derive(Debug)]
pub struct Part<'v, T>(pub &'v T);

/// The part is a number.
pub trait NumberPart {
    /// Its type.
    type Number;

    /// The number.
    fn given(&self) -> Self::Number;

    /// The number in the type that a function takes; `None` if it does not fit.
    #[inline(always)]
    fn passed<P>(&self) -> Option<P>
    where
        Self::Number: Pass<P>,
    {
        self.given().pass()
    }
}

/// The part is anything.
pub trait AnyPart {
    /// A reference to it.
    type Reference;

    /// The reference.
    fn given(&self) -> Self::Reference;

    /// The reference, which always fits.
    #[inline(always)]
    fn passed(&self) -> Option<Self::Reference> {
        Some(self.given())
    }
}

macro_rules! numbers {
    ($($number:ty)*) => {
        $(impl NumberPart for Part<'_, $number> {
            type Number = $number;

            #[inline(always)]
            fn given(&self) -> $number {
                *self.0
            }
        })*
    };
}

numbers!(u8 u16 u32 u64 i8 i16 i32 i64 usize f32 f64 bool U24 U40 U48 U56 I24 I40 I48 I56);

impl<E: Encoding, T: Number> NumberPart for Part<'_, Coded<E, T>> {
    type Number = Coded<E, T>;

    #[inline(always)]
    fn given(&self) -> Coded<E, T> {
        *self.0
    }
}

impl<'v, T> AnyPart for &Part<'v, T> {
    type Reference = &'v T;

    #[inline(always)]
    fn given(&self) -> &'v T {
        self.0
    }
}

/// What a function has given: a value, or an `Option` of one.
#[derive(Debug)]
pub struct Said<T>(pub T);

impl<T> Said<Option<T>> {
    /// The value, if there is one. It stands before the method of the trait.
    #[inline(always)]
    pub fn said(self) -> Option<T> {
        self.0
    }
}

/// The function has given the value itself.
pub trait SaidPlainly<T> {
    /// The value.
    fn said(self) -> Option<T>;
}

impl<T> SaidPlainly<T> for Said<T> {
    #[inline(always)]
    fn said(self) -> Option<T> {
        Some(self.0)
    }
}
