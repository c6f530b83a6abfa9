//! Integers of 24, 40, 48 and 56 bits.

use core::cmp::Ordering;
use core::fmt;

use crate::finding::Fault;
use crate::int::{Int, Order};
use crate::layout::Layout;
use crate::observe::Observer;
use crate::ops::Widen;
use crate::value::Value;
use crate::writer::Writer;
use crate::{Cursor, Open, Wire};

/// A number that does not fit into an integer type of this crate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutOfRange(());

impl fmt::Display for OutOfRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the number does not fit into the type")
    }
}

impl core::error::Error for OutOfRange {}

/// `$byte`: the stored bytes, lowest first; `$wide`: the type that they are a number of; `$fill`:
/// what is missing in it; `$whole`: the widest type of the same sign; `$shift`: the bits above.
macro_rules! narrow {
    ($($name:ident $bits:literal $size:literal ($($byte:ident)*) $wide:ident ($($fill:literal)*)
        $whole:ident $value:ident $shift:literal;)*) => { $(
        #[doc = concat!(
            "An integer of ", $bits, " bits; it takes ", $size, " bytes in memory too.\n\n",
            "It is made with `TryFrom`, read with [`get`](Self::get), and in expressions a number \
            like any other.",
        )]
        #[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
        pub struct $name([u8; $size]);

        impl $name {
            /// The number.
            #[inline(always)]
            pub const fn get(self) -> $wide {
                let [$($byte),*] = self.0;
                $wide::from_le_bytes([$($fill,)* $($byte),*]) >> $shift
            }

            /// The number, if it fits.
            pub const fn new(number: $wide) -> Option<Self> {
                let [$($byte,)* ..] = number.to_le_bytes();
                let short = Self([$($byte),*]);
                if short.get() == number { Some(short) } else { None }
            }
        }

        impl Int for $name {
            const SIZE: usize = $size;

            #[inline(always)]
            fn take(cur: &mut Cursor<'_>, order: Order) -> Option<Self> {
                let mut bytes = *cur.take_array::<$size>()?;
                if order == Order::Big {
                    bytes.reverse();
                }
                Some(Self(bytes))
            }

            #[inline(always)]
            fn put(self, out: &mut Writer<'_>, order: Order) -> Result<(), Fault> {
                let mut bytes = self.0;
                if order == Order::Big {
                    bytes.reverse();
                }
                out.put(&bytes)
            }
        }

        impl<'a> Wire<'a> for $name {
            type Args = Order;

            const WIRE: &'static Layout = &Layout::scalar(stringify!($name));
            const MIN_SIZE: usize = $size;
            const FIXED: bool = true;
            const PLAIN: bool = true;
            const SHALLOW: bool = true;
            const OPEN: Open = Open::Never;

            #[inline(always)]
            fn walk<O: Observer>(cur: &mut Cursor<'a>, obs: &mut O, order: Order) -> Result<Self, Fault> {
                crate::walk::int(cur, obs, order)
            }

            #[inline(always)]
            fn emit(&self, out: &mut Writer<'_>, order: Order) -> Result<(), Fault> {
                self.put(out, order)
            }

            fn value(&self) -> Value<'_> {
                Value::$value(self.widen())
            }
        }

        impl Widen for $name {
            type Wide = $whole;

            #[inline(always)]
            fn widen(self) -> $whole {
                $whole::from(self.get())
            }
        }

        impl PartialOrd for $name {
            fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
                Some(self.cmp(other))
            }
        }

        impl Ord for $name {
            fn cmp(&self, other: &Self) -> Ordering {
                self.get().cmp(&other.get())
            }
        }

        impl From<$name> for $whole {
            fn from(number: $name) -> Self {
                number.widen()
            }
        }

        formats!($name: Debug Display LowerHex UpperHex Octal Binary);
        made_from!($name $wide: u8 u16 u32 u64 usize i8 i16 i32 i64 isize);
    )* };
}

/// The number is shown as it would be in the type that holds it.
macro_rules! formats {
    ($name:ident: $($format:ident)*) => { $(
        impl fmt::$format for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::$format::fmt(&self.get(), f)
            }
        }
    )* };
}

macro_rules! made_from {
    ($name:ident $wide:ident: $($from:ident)*) => { $(
        impl TryFrom<$from> for $name {
            type Error = OutOfRange;

            #[inline(always)]
            fn try_from(number: $from) -> Result<Self, OutOfRange> {
                $wide::try_from(number).ok().and_then(Self::new).ok_or(OutOfRange(()))
            }
        }
    )* };
}

narrow! {
    U24 "24" 3 (a b c) u32 (0) u64 Uint 8;
    U40 "40" 5 (a b c d e) u64 (0 0 0) u64 Uint 24;
    U48 "48" 6 (a b c d e f) u64 (0 0) u64 Uint 16;
    U56 "56" 7 (a b c d e f g) u64 (0) u64 Uint 8;
    I24 "24" 3 (a b c) i32 (0) i64 Int 8;
    I40 "40" 5 (a b c d e) i64 (0 0 0) i64 Int 24;
    I48 "48" 6 (a b c d e f) i64 (0 0) i64 Int 16;
    I56 "56" 7 (a b c d e f g) i64 (0) i64 Int 8;
}

impl From<U24> for u32 {
    fn from(number: U24) -> Self {
        number.get()
    }
}

impl From<I24> for i32 {
    fn from(number: I24) -> Self {
        number.get()
    }
}
