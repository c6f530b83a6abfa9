//! The arithmetic of declarations: integers are widened, every step is checked.

mod insisted;
mod signs;

pub(crate) use insisted::same_bytes;
pub use insisted::{has_magic, may_set, same_names};
pub use signs::{Alike, Common, alike, of_one_type};

use crate::finding::Show;

/// An integer that expressions of a declaration may use, and the wide type they use it as.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no number in an expression",
    note = "use integers, enums of numbers or types with `#[bin(bitflags)]`; an `Auto` is computed and not kept, so make it an integer if others use it; call a function of your own for all else"
)]
pub trait Widen: Copy {
    /// `u64` for unsigned, `i64` for signed integers.
    type Wide: Wide;

    /// The value in the wide type.
    fn widen(self) -> Self::Wide;
}

/// A part of a value as a number of expressions: one that may be absent is the number where it is there.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no number in an expression",
    note = "use integers, enums of numbers or types with `#[bin(bitflags)]`; an `Auto` is computed and not kept, so make it an integer if others use it; call a function of your own for all else"
)]
pub trait Operand {
    /// `u64` for unsigned, `i64` for signed integers.
    type Wide: Wide;

    /// The value in the wide type, if it is there.
    fn operand(self) -> Option<Self::Wide>;
}

impl<T: Widen> Operand for T {
    type Wide = T::Wide;

    #[inline(always)]
    fn operand(self) -> Option<T::Wide> {
        Some(self.widen())
    }
}

impl<'v, T> Operand for &'v Option<T>
where
    &'v T: Widen,
{
    type Wide = <&'v T as Widen>::Wide;

    #[inline(always)]
    fn operand(self) -> Option<Self::Wide> {
        self.as_ref().map(Widen::widen)
    }
}

/// A wide integer: `u64` or `i64`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no wide number",
    note = "expressions are computed in `u64` and `i64`"
)]
pub trait Wide: Copy + PartialOrd + Sized + Bits {
    /// Whether numbers below 0 are among them.
    const SIGNED: bool;

    /// 0.
    const ZERO: Self;

    /// By how much a number may be larger because other numbers take more bytes than they need.
    const A_LITTLE: Self;

    /// `a + b`, or `None` on overflow.
    fn add(self, b: Self) -> Option<Self>;
    /// `a - b`, or `None` on overflow.
    fn sub(self, b: Self) -> Option<Self>;
    /// `a * b`, or `None` on overflow.
    fn mul(self, b: Self) -> Option<Self>;
    /// `a / b`, or `None` for a zero divisor.
    fn div(self, b: Self) -> Option<Self>;
    /// `a % b`, or `None` for a zero divisor.
    fn rem(self, b: Self) -> Option<Self>;
    /// `a << b`, or `None` when bits are lost.
    fn shl(self, b: Self) -> Option<Self>;
    /// `a >> b`, or `None` when `b` is not below 64.
    fn shr(self, b: Self) -> Option<Self>;
    /// `a` without its sign.
    fn abs(self) -> u64;
    /// `a & b`.
    #[must_use]
    fn and(self, b: Self) -> Self;
    /// `a | b`.
    #[must_use]
    fn or(self, b: Self) -> Self;
}

/// A computed number in the type that it is declared with, if it fits.
#[inline(always)]
pub fn fit<W, T: TryFrom<W>>(number: W) -> Option<T> {
    T::try_from(number).ok()
}

/// A value that a computed one of type `V` is a copy of.
#[diagnostic::on_unimplemented(
    message = "a computed value of type `{V}` cannot be a copy of a `{Self}`",
    label = "is a `{Self}`",
    note = "a copy has the type of what is copied, which is `Clone`: derive that, or call a function of your own"
)]
pub trait Copied<V> {
    /// The copy.
    fn copied(&self) -> V;
}

#[diagnostic::do_not_recommend]
impl<T: Clone> Copied<Self> for T {
    #[inline(always)]
    fn copied(&self) -> Self {
        self.clone()
    }
}

/// A copy of a value, as a computed one.
#[inline(always)]
pub fn copied<V, T: Copied<V>>(value: &T) -> V {
    value.copied()
}

/// A computed value in a text, which may say that there is none.
#[derive(Debug)]
pub struct Known<T>(pub Option<T>);

macro_rules! known {
    ($($form:ident)*) => {
        $(impl<T: core::fmt::$form> core::fmt::$form for Known<T> {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                match &self.0 {
                    Some(value) => value.fmt(f),
                    None => f.write_str("nothing"),
                }
            }
        })*
    };
}

known!(Display LowerHex UpperHex Binary Octal);

macro_rules! wide {
    ($wide:ty: $($int:ty)*) => {
        $(impl Widen for $int {
            type Wide = $wide;

            #[inline(always)]
            fn widen(self) -> $wide {
                <$wide>::from(self)
            }
        })*

        impl Wide for $wide {
            const SIGNED: bool = <$wide>::MIN != 0;
            const ZERO: Self = 0;
            const A_LITTLE: Self = 16;

            #[inline(always)]
            fn add(self, b: Self) -> Option<Self> {
                self.checked_add(b)
            }

            #[inline(always)]
            fn sub(self, b: Self) -> Option<Self> {
                self.checked_sub(b)
            }

            #[inline(always)]
            fn mul(self, b: Self) -> Option<Self> {
                self.checked_mul(b)
            }

            #[inline(always)]
            fn div(self, b: Self) -> Option<Self> {
                self.checked_div(b)
            }

            #[inline(always)]
            fn rem(self, b: Self) -> Option<Self> {
                self.checked_rem(b)
            }

            #[inline(always)]
            fn shl(self, b: Self) -> Option<Self> {
                let bits = u32::try_from(b).ok()?;
                let shifted = self.checked_shl(bits)?;
                (shifted.checked_shr(bits)? == self).then_some(shifted)
            }

            #[inline(always)]
            fn shr(self, b: Self) -> Option<Self> {
                self.checked_shr(u32::try_from(b).ok()?)
            }

            #[inline(always)]
            fn abs(self) -> u64 {
                self.abs_diff(0)
            }

            #[inline(always)]
            fn and(self, b: Self) -> Self {
                self & b
            }

            #[inline(always)]
            fn or(self, b: Self) -> Self {
                self | b
            }
        }
    };
}

wide!(u64: u8 u16 u32 u64);
wide!(i64: i8 i16 i32 i64);

impl Widen for usize {
    type Wide = u64;

    #[inline(always)]
    fn widen(self) -> u64 {
        wide(self)
    }
}

impl<T: Widen> Widen for &T {
    type Wide = T::Wide;

    #[inline(always)]
    fn widen(self) -> T::Wide {
        (*self).widen()
    }
}

/// A length or offset of this machine as a `u64`; no machine has wider ones.
#[inline(always)]
pub fn wide(len: usize) -> u64 {
    u64::try_from(len).unwrap_or(u64::MAX)
}

/// The next multiple of `align` that is not below `value`; `None` on overflow.
///
/// An alignment of 0 or 1 leaves the value as it is, so that an alignment from data cannot
/// divide by zero.
#[inline(always)]
pub fn align_up(value: u64, align: u64) -> Option<u64> {
    if align.is_power_of_two() {
        return value.checked_add(value.wrapping_neg() & align.wrapping_sub(1));
    }
    match value.checked_rem(align) {
        None | Some(0) => Some(value),
        Some(past) => value.checked_add(align.checked_sub(past)?),
    }
}

/// How many bytes lead to the next multiple of `align` from `distance` bytes behind where it counts from; a
/// distance that has wrapped is one in front of that.
#[inline(always)]
pub fn gap(distance: u64, align: u64) -> Option<u64> {
    if align.is_power_of_two() {
        return Some(distance.wrapping_neg() & align.wrapping_sub(1));
    }
    if distance > u64::MAX >> 1 {
        return distance.wrapping_neg().checked_rem(align).or(Some(0));
    }
    align_up(distance, align)?.checked_sub(distance)
}

/// Solves `field * mul + add - sub == value` for `field`; `None` when no whole number does.
pub fn invert(value: u64, mul: u64, add: u64, sub: u64) -> Option<u64> {
    let scaled = value.checked_add(sub)?.checked_sub(add)?;
    (scaled.checked_rem(mul)? == 0).then(|| scaled.checked_div(mul))?
}

/// A wide integer as a size; `None` if it is negative.
#[inline(always)]
pub fn to_size<W: TryInto<u64>>(value: W) -> Option<u64> {
    value.try_into().ok()
}

/// A wide integer as a signed number; `None` if it is too large.
#[inline(always)]
pub fn to_signed<W: TryInto<i64>>(value: W) -> Option<i64> {
    value.try_into().ok()
}

/// What numbers without a sign make, of which one may be taken off another: computed as it is written, or with a sign.
pub fn difference<N: TryFrom<u64> + From<i64>>(
    plain: impl FnOnce() -> Option<u64>,
    signed: impl FnOnce() -> Option<i64>,
) -> Option<N> {
    let plain = plain().and_then(|number| N::try_from(number).ok());
    plain.or_else(|| signed().map(N::from))
}

/// Whether less is left than `most`, or one of both cannot be computed.
#[inline(always)]
pub fn is_less(left: Option<u64>, most: Option<u64>) -> bool {
    left.zip(most).is_none_or(|(left, most)| left < most)
}

/// What an expression gives that is computed where it stands.
#[inline(always)]
pub fn computed<T>(compute: impl FnOnce() -> Option<T>) -> Option<T> {
    compute()
}

/// A number as a size.
#[inline(always)]
pub fn size<N: Widen<Wide = u64>>(number: N) -> Option<u64> {
    Some(number.widen())
}

/// A wide integer as a bit pattern.
pub fn to_bits<W: Bits>(value: W) -> u64 {
    value.bits()
}

/// A wide integer in an error.
pub(crate) fn to_show<W: Bits>(value: W) -> Show {
    value.show()
}

/// A number of any type, which may be none.
pub(crate) fn show_number(number: Option<i128>) -> Show {
    let unsigned = number.and_then(to_size).map(Show::Uint);
    unsigned.or_else(|| number.and_then(to_signed).map(Show::Int)).unwrap_or(Show::Nothing)
}

/// An integer that has a bit pattern.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no bits to be shown",
    note = "expressions are computed in `u64` and `i64`"
)]
pub trait Bits {
    /// Two's complement in 64 bits.
    fn bits(self) -> u64;

    /// The number in an error.
    fn show(self) -> Show;
}

impl Bits for u64 {
    fn bits(self) -> u64 {
        self
    }

    fn show(self) -> Show {
        Show::Uint(self)
    }
}

impl Bits for i64 {
    fn bits(self) -> u64 {
        self.cast_unsigned()
    }

    fn show(self) -> Show {
        Show::Int(self)
    }
}

/// The smallest of some sizes; usable where a constant is needed.
pub const fn least(mut sizes: &[usize]) -> usize {
    let mut least = usize::MAX;
    while let [first, rest @ ..] = sizes {
        if *first < least {
            least = *first;
        }
        sizes = rest;
    }
    least
}

/// A number of bytes in memory; more than there can be is as good as the most there can be.
pub fn to_len<W: Widen<Wide = u64>>(value: W) -> usize {
    usize::try_from(value.widen()).unwrap_or(usize::MAX)
}

/// Bytes of a number, lowest first, in the order given.
#[inline(always)]
pub fn in_order<const N: usize>(mut bytes: [u8; N], order: crate::Order) -> [u8; N] {
    if order == crate::Order::Big {
        bytes.reverse();
    }
    bytes
}

/// A byte order, which is computed without steps that could fail.
#[inline(always)]
pub fn order(order: Option<crate::Order>) -> crate::Order {
    order.unwrap_or(crate::Order::Little)
}
