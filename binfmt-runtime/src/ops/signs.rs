//! Signed and unsigned numbers that are computed with each other.

use super::Wide;

/// Two wide integers that are computed with each other: with a sign where one of them has one.
pub trait Common<B> {
    /// `i64` where one of both is signed, else `u64`.
    type Wide: Wide;

    /// Both in that type, or `None` for one that is too large for it.
    fn in_common(self, other: B) -> Option<(Self::Wide, Self::Wide)>;
}

macro_rules! common {
    ($($a:ty, $b:ty => $wide:ty;)*) => {
        $(impl Common<$b> for $a {
            type Wide = $wide;

            #[inline(always)]
            fn in_common(self, other: $b) -> Option<($wide, $wide)> {
                Some((self.try_into().ok()?, other.try_into().ok()?))
            }
        })*
    };
}

common! {
    u64, u64 => u64;
    u64, i64 => i64;
    i64, u64 => i64;
    i64, i64 => i64;
}

/// Two numbers, whose types a declaration does not see, in the type that they are computed in.
#[inline(always)]
pub fn of_one_type<A: Common<B>, B>(a: A, b: B) -> Option<(A::Wide, A::Wide)> {
    a.in_common(b)
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
