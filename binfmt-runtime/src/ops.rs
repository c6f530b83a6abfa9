//! The arithmetic of declarations: integers are widened, every step is checked.

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

/// Two wide integers that are computed with each other: with a sign where one of them has one.
pub trait Beside<B> {
    /// `i64` where one of both is signed, else `u64`.
    type Wide: Wide;

    /// Both in that type, or `None` for one that is too large for it.
    fn beside(self, other: B) -> Option<(Self::Wide, Self::Wide)>;
}

macro_rules! beside {
    ($($a:ty, $b:ty => $wide:ty;)*) => {
        $(impl Beside<$b> for $a {
            type Wide = $wide;

            #[inline(always)]
            fn beside(self, other: $b) -> Option<($wide, $wide)> {
                Some((self.try_into().ok()?, other.try_into().ok()?))
            }
        })*
    };
}

beside! {
    u64, u64 => u64;
    u64, i64 => i64;
    i64, u64 => i64;
    i64, i64 => i64;
}

/// Two numbers, whose types a declaration does not see, in the type that they are computed in.
#[inline(always)]
pub fn of_one_type<A: Beside<B>, B>(a: A, b: B) -> Option<(A::Wide, A::Wide)> {
    a.beside(b)
}

/// A wide integer with the sign of another one, which a condition chooses between.
#[diagnostic::on_unimplemented(
    message = "one of these numbers is signed and one is not",
    note = "the numbers that an `if` chooses between are both signed or both unsigned, where their types are not seen; call a function of your own"
)]
pub trait Alike<B> {
    /// The same number.
    fn alike(other: B) -> Self;
}

impl Alike<Self> for u64 {
    #[inline(always)]
    fn alike(other: Self) -> Self {
        other
    }
}

impl Alike<Self> for i64 {
    #[inline(always)]
    fn alike(other: Self) -> Self {
        other
    }
}

/// A number in the type of the one that a condition chooses in its place, which has the same sign.
#[inline(always)]
pub fn alike<A: Alike<B>, B>(number: B) -> A {
    A::alike(number)
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

/// Fails to compile if arguments are not passed by the names, and in the order, of their type.
///
/// # Panics
///
/// The names differ.
pub const fn same_names(of: &str, declared: &[&str], passed: &[&str]) {
    // That there are more or fewer, their types say.
    if declared.len() != passed.len() {
        return;
    }
    let (mut left, mut others, mut same) = (declared, passed, true);
    while let ([first, rest @ ..], [other, behind @ ..]) = (left, others) {
        same &= same_bytes(first.as_bytes(), other.as_bytes());
        (left, others) = (rest, behind);
    }
    let text = Message::new()
        .text("`args(..)` passes the arguments that a type declares, by name and in its order; `")
        .text(of)
        .text("` declares ")
        .names(declared)
        .text(", and is given ")
        .names(passed);
    assert!(same, "{}", text.as_str());
}

/// A message that is put together when a program is compiled; what does not fit is cut.
struct Message {
    bytes: [u8; 512],
    len: usize,
}

impl Message {
    const fn new() -> Self {
        Self { bytes: [0; 512], len: 0 }
    }

    const fn text(mut self, text: &str) -> Self {
        let mut left = text.as_bytes();
        while let [byte, rest @ ..] = left {
            if let Some((place, _)) = self.bytes.split_at_mut(self.len).1.split_first_mut() {
                *place = *byte;
                self.len = self.len.saturating_add(1);
            }
            left = rest;
        }
        self
    }

    /// A list of names.
    const fn names(mut self, names: &[&str]) -> Self {
        if names.is_empty() {
            return self.text("none");
        }
        self = self.text("`");
        let mut left = names;
        while let [name, rest @ ..] = left {
            self = self.text(name);
            if !rest.is_empty() {
                self = self.text(", ");
            }
            left = rest;
        }
        self.text("`")
    }

    const fn as_str(&self) -> &str {
        match core::str::from_utf8(self.bytes.split_at(self.len).0) {
            Ok(text) => text,
            Err(_) => {
                "`args(..)` passes the arguments that a type declares, by name and in its order"
            }
        }
    }
}

/// Fails to compile if the writer of a type computes the field that is to be set.
///
/// # Panics
///
/// The type computes the field.
pub const fn may_set(layout: &crate::Layout, name: &str) {
    let mut fields = layout.fields;
    while let [field, rest @ ..] = fields {
        assert!(
            !field.computed || !same_bytes(field.name.as_bytes(), name.as_bytes()),
            "the writer of the type computes this field from others; remove it here, or the word that computes it there"
        );
        fields = rest;
    }
}

/// Fails to compile if nothing tells whether an optional value is there.
///
/// # Panics
///
/// The type has no magic.
pub const fn has_magic(layout: &crate::Layout) {
    let has = !layout.magic.is_empty() || !layout.peeked.1.is_empty();
    assert!(has, "`optional` looks for a magic, and this type has none");
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

pub(crate) const fn same_bytes(mut a: &[u8], mut b: &[u8]) -> bool {
    while let ([first, rest @ ..], [other, others @ ..]) = (a, b) {
        if *first != *other {
            return false;
        }
        (a, b) = (rest, others);
    }
    a.is_empty() && b.is_empty()
}
