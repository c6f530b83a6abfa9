//! Integers, floats and truth values in either byte order.

use crate::finding::Fault;
use crate::layout::Layout;
use crate::observe::Observer;
use crate::value::Value;
use crate::writer::Writer;
use crate::{Cursor, Open, Wire};

/// Byte order of multi-byte numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Least significant byte first.
    Little,
    /// Most significant byte first.
    Big,
}

/// A number: of fixed size, or of variable length and then [`Coded`](crate::Coded).
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no number of a fixed size",
    note = "use `u8` to `u64`, `i8` to `i64`, `f32`, `f64`, or a type such as `U24`"
)]
pub trait Int: Copy {
    /// Size in bytes; the smallest one, if it varies.
    const SIZE: usize;

    /// Whether the size depends on the number.
    const VARIABLE: bool = false;

    /// Reads the number, or nothing when the input ends.
    fn take(cur: &mut Cursor<'_>, order: Order) -> Option<Self>;

    /// Reads the number and tells `obs` what is wrong with it; `kept` if its form is.
    #[inline(always)]
    fn read<O: Observer>(
        cur: &mut Cursor<'_>,
        obs: &mut O,
        order: Order,
        _kept: bool,
    ) -> Result<Self, Fault> {
        match Self::take(cur, order) {
            Some(number) => Ok(number),
            None => Err(crate::walk::short(cur, obs, crate::ops::wide(Self::SIZE))),
        }
    }

    /// How many bytes the number takes.
    #[doc(hidden)]
    #[inline(always)]
    fn width(self) -> usize {
        Self::SIZE
    }

    /// How many bytes the place of the number has at least, whatever the number will be.
    #[doc(hidden)]
    #[inline(always)]
    fn least_width(self) -> usize {
        Self::SIZE
    }

    /// Whether it would take fewer bytes if it were a little less: one that tells where bytes lie behind it may be so
    /// large because it takes so many.
    #[doc(hidden)]
    #[inline(always)]
    fn is_tight(self) -> bool {
        false
    }

    /// The number as it is written into a place of `len` bytes.
    #[doc(hidden)]
    #[inline(always)]
    #[must_use]
    fn padded_to(self, _len: usize) -> Self {
        self
    }

    /// Writes the number.
    fn put(self, out: &mut Writer<'_>, order: Order) -> Result<(), Fault>;
}

/// A number of Rust, which is read and written with others at once.
pub trait Plain: Int {
    /// The number at `at` in a run of plain fields, which has room for all of them.
    fn load(run: &[u8], at: usize, order: Order) -> Self;

    /// Stores the number at `at` in a run of plain fields.
    fn store(self, run: &mut [u8], at: usize, order: Order);
}

macro_rules! numbers {
    ($($ty:ident $size:literal $value:ident($to:ty);)*) => {
        $(
            impl Int for $ty {
                const SIZE: usize = $size;

                #[inline(always)]
                fn take(cur: &mut Cursor<'_>, order: Order) -> Option<Self> {
                    let bytes = *cur.take_array::<$size>()?;
                    Some(match order {
                        Order::Little => Self::from_le_bytes(bytes),
                        Order::Big => Self::from_be_bytes(bytes),
                    })
                }

                #[inline(always)]
                fn put(self, out: &mut Writer<'_>, order: Order) -> Result<(), Fault> {
                    out.put(&match order {
                        Order::Little => self.to_le_bytes(),
                        Order::Big => self.to_be_bytes(),
                    })
                }
            }

            impl Plain for $ty {
                #[inline(always)]
                fn load(run: &[u8], at: usize, order: Order) -> Self {
                    let bytes = run.get(at..).and_then(<[u8]>::first_chunk).copied();
                    let bytes = bytes.unwrap_or_default();
                    match order {
                        Order::Little => Self::from_le_bytes(bytes),
                        Order::Big => Self::from_be_bytes(bytes),
                    }
                }

                #[inline(always)]
                fn store(self, run: &mut [u8], at: usize, order: Order) {
                    if let Some(space) = run.get_mut(at..).and_then(<[u8]>::first_chunk_mut) {
                        *space = match order {
                            Order::Little => self.to_le_bytes(),
                            Order::Big => self.to_be_bytes(),
                        };
                    }
                }
            }

            impl<'a> Wire<'a> for $ty {
                type Args = Order;

                const WIRE: &'static Layout = &Layout::scalar(stringify!($ty));
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
                    Value::$value(<$to>::from(*self))
                }
            }
        )*
    };
}

numbers! {
    u8 1 Uint(u64);
    u16 2 Uint(u64);
    u32 4 Uint(u64);
    u64 8 Uint(u64);
    i8 1 Int(i64);
    i16 2 Int(i64);
    i32 4 Int(i64);
    i64 8 Int(i64);
    f32 4 Float(f64);
    f64 8 Float(f64);
}

impl<'a> Wire<'a> for bool {
    type Args = Order;

    const WIRE: &'static Layout = &Layout::scalar("bool");
    const MIN_SIZE: usize = 1;
    const FIXED: Self = true;
    const PLAIN: Self = true;
    const SHALLOW: Self = true;
    const OPEN: Open = Open::Never;

    #[inline(always)]
    fn walk<O: Observer>(cur: &mut Cursor<'a>, obs: &mut O, order: Order) -> Result<Self, Fault> {
        match crate::walk::int::<u8, O>(cur, obs, order)? {
            0 => Ok(false),
            1 => Ok(true),
            found => Err(crate::walk::unknown(cur, obs, 1, u64::from(found))),
        }
    }

    #[inline(always)]
    fn emit(&self, out: &mut Writer<'_>, order: Order) -> Result<(), Fault> {
        u8::from(*self).put(out, order)
    }

    fn value(&self) -> Value<'_> {
        Value::Bool(*self)
    }
}
