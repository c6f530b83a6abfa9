//! The integers that encodings have.

use super::{Coded, Encoding};
use crate::ops::Widen;
use crate::value::Value;
use crate::{Leb, SignedLeb};

/// An integer that a [`Coded`] number may be.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no number that an encoding can have",
    note = "use `u8` to `u64` or `i8` to `i64`"
)]
pub trait Number: Copy + Default + Widen + TryFrom<<Self as Widen>::Wide> {
    /// Its encoding as LEB128.
    type Leb: Encoding<Wide = Self::Wide>;

    /// The number as an inspector shows it.
    fn rendered(self) -> Value<'static>;
}

/// An integer that a [`Coded`] number may be whose encoding has numbers of the type `W`: an unsigned one for `u64`,
/// and a signed one for `i64`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no number of this encoding, whose numbers are `{W}`",
    note = "use `u8` to `u64` for an encoding of unsigned numbers, and `i8` to `i64` for one of signed numbers, as `Zigzag` is"
)]
pub trait NumberOf<W>: Number + Widen<Wide = W> {}

macro_rules! numbers {
    ($($ty:ident $leb:ident $value:ident;)*) => { $(
        impl NumberOf<<$ty as Widen>::Wide> for $ty {}

        impl Number for $ty {
            type Leb = $leb;

            fn rendered(self) -> Value<'static> {
                Value::$value(Widen::widen(self))
            }
        }

        impl<E: Encoding> From<Coded<E, $ty>> for $ty {
            fn from(number: Coded<E, $ty>) -> Self {
                number.get()
            }
        }
    )* };
}

numbers! {
    u8 Leb Uint;
    u16 Leb Uint;
    u32 Leb Uint;
    u64 Leb Uint;
    i8 SignedLeb Int;
    i16 SignedLeb Int;
    i32 SignedLeb Int;
    i64 SignedLeb Int;
}
