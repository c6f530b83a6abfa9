//! Values that expressions compare: texts and bytes, whatever holds them, and numbers of any types.

use core::cmp::Ordering;

use crate::ops::Widen;

/// What holds bytes that are compared with `b"WAVE"`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be compared with bytes",
    note = "bytes and arrays of them are compared with bytes: `form == b\"WAVE\"`"
)]
pub trait Bytes {
    /// The bytes.
    fn bytes(&self) -> &[u8];
}

#[diagnostic::do_not_recommend]
impl<T: AsRef<[u8]> + ?Sized> Bytes for T {
    #[inline(always)]
    fn bytes(&self) -> &[u8] {
        self.as_ref()
    }
}

/// What holds a text that is compared with `"end"`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be compared with a text",
    note = "texts in UTF-8 are compared with texts: `name == \"end\"`; for all else call a function of your own"
)]
pub trait Text {
    /// The text.
    fn text(&self) -> &str;
}

#[diagnostic::do_not_recommend]
impl<T: AsRef<str> + ?Sized> Text for T {
    #[inline(always)]
    fn text(&self) -> &str {
        self.as_ref()
    }
}

/// The bytes of a value.
#[inline(always)]
pub fn bytes<T: Bytes + ?Sized>(value: &T) -> &[u8] {
    value.bytes()
}

/// The text of a value.
#[inline(always)]
pub fn text<T: Text + ?Sized>(value: &T) -> &str {
    value.text()
}

/// Two values that are compared: integers of any types, texts, bytes, or values that know how.
///
/// The compiler takes the first of the traits that fits: one whose methods take `self`, then one whose
/// methods take `&self`, then the one whose methods take `&mut self`.
#[derive(Debug)]
pub struct Pair<'a, A, B>(pub &'a A, pub &'a B);

/// Both are integers, or stand for some.
pub trait NumberPair: Sized {
    /// Whether they are equal.
    #[inline(always)]
    fn equal(self) -> bool {
        self.compare() == Some(Ordering::Equal)
    }

    /// How the first one compares with the second one.
    fn compare(self) -> Option<Ordering>;
}

impl<'a, A, B> NumberPair for Pair<'a, A, B>
where
    &'a A: Widen<Wide: Into<i128>>,
    &'a B: Widen<Wide: Into<i128>>,
{
    #[inline(always)]
    fn compare(self) -> Option<Ordering> {
        let (a, b): (i128, i128) = (self.0.widen().into(), self.1.widen().into());
        Some(a.cmp(&b))
    }
}

/// Where there is no number, it is no number that the other one is equal to.
impl<'a, A, B> NumberPair for Pair<'a, Option<A>, B>
where
    &'a A: Widen<Wide: Into<i128>>,
    &'a B: Widen<Wide: Into<i128>>,
{
    #[inline(always)]
    fn compare(self) -> Option<Ordering> {
        Pair(self.0.as_ref()?, self.1).compare()
    }
}

/// Where there is no number, it is no number that the other one is equal to.
impl<'a, A, B> NumberPair for Pair<'a, A, Option<B>>
where
    &'a A: Widen<Wide: Into<i128>>,
    &'a B: Widen<Wide: Into<i128>>,
{
    #[inline(always)]
    fn compare(self) -> Option<Ordering> {
        Pair(self.0, self.1.as_ref()?).compare()
    }
}

/// What holds a text or bytes that are compared with any other holder of such.
pub trait Run {
    /// `str` or `[u8]`.
    type Of: Ord + ?Sized;

    /// The text or the bytes.
    fn run(&self) -> &Self::Of;
}

macro_rules! runs {
    ($($holder:ty => $of:ty;)*) => {
        $(impl Run for $holder {
            type Of = $of;

            #[inline(always)]
            fn run(&self) -> &$of {
                self
            }
        })*
    };
}

runs! {
    str => str;
    [u8] => [u8];
}

#[cfg(feature = "alloc")]
runs! {
    alloc::string::String => str;
    alloc::boxed::Box<str> => str;
    alloc::borrow::Cow<'_, str> => str;
    alloc::vec::Vec<u8> => [u8];
    alloc::boxed::Box<[u8]> => [u8];
    alloc::borrow::Cow<'_, [u8]> => [u8];
}

impl<T: Run + ?Sized> Run for &T {
    type Of = T::Of;

    #[inline(always)]
    fn run(&self) -> &T::Of {
        (**self).run()
    }
}

/// Both are texts, or both are bytes.
pub trait RunPair {
    /// Whether they are equal.
    #[inline(always)]
    fn equal(&self) -> bool {
        self.compare() == Some(Ordering::Equal)
    }

    /// How the first one compares with the second one.
    fn compare(&self) -> Option<Ordering>;
}

impl<A: Run, B: Run<Of = A::Of>> RunPair for Pair<'_, A, B> {
    #[inline(always)]
    fn compare(&self) -> Option<Ordering> {
        Some(self.0.run().cmp(self.1.run()))
    }
}

/// A value that knows whether it equals another one.
#[diagnostic::on_unimplemented(
    message = "`{Self}` and `{B}` cannot be compared; compare values of one type, which derives `PartialEq`, or call a function of your own",
    note = "integers, texts and bytes are compared with any others of their kind"
)]
pub trait Equals<B> {
    /// Whether they are equal.
    fn equals(&self, other: &B) -> bool;
}

#[diagnostic::do_not_recommend]
impl<A: PartialEq<B>, B> Equals<B> for A {
    #[inline(always)]
    fn equals(&self, other: &B) -> bool {
        self == other
    }
}

/// A value that knows how it compares with another one.
#[diagnostic::on_unimplemented(
    message = "`{Self}` and `{B}` have no order; compare values of one type, which derives `PartialOrd`, or call a function of your own",
    note = "integers, texts and bytes are compared with any others of their kind"
)]
pub trait Orders<B> {
    /// How the first one compares with the second one.
    fn order(&self, other: &B) -> Option<Ordering>;
}

#[diagnostic::do_not_recommend]
impl<A: PartialOrd<B>, B> Orders<B> for A {
    #[inline(always)]
    fn order(&self, other: &B) -> Option<Ordering> {
        self.partial_cmp(other)
    }
}

/// Both are anything.
pub trait AnyPair<A, B> {
    /// Whether they are equal.
    fn equal(&mut self) -> bool
    where
        A: Equals<B>;
    /// How the first one compares with the second one.
    fn compare(&mut self) -> Option<Ordering>
    where
        A: Orders<B>;
}

impl<A, B> AnyPair<A, B> for Pair<'_, A, B> {
    #[inline(always)]
    fn equal(&mut self) -> bool
    where
        A: Equals<B>,
    {
        self.0.equals(self.1)
    }

    #[inline(always)]
    fn compare(&mut self) -> Option<Ordering>
    where
        A: Orders<B>,
    {
        self.0.order(self.1)
    }
}
