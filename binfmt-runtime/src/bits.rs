//! Bit fields: several values in one integer.

use crate::finding::{Class, Fault, Problem, Severity, Show};
use crate::int::{Int, Order};
use crate::named::{self, Named};
use crate::observe::Observer;
use crate::ops::{Bits as _, Widen};
use crate::value::Value;
use crate::writer::Writer;
use crate::{Cursor, walk};

/// A type that a bit field can have: an unsigned integer, a truth value, an enum of numbers.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a bit field",
    label = "use an unsigned integer, `bool`, or an enum of numbers with `#[derive(BinFormat)]`"
)]
pub trait BitField: Sized {
    /// The value of the bits, unless they stand for none.
    fn from_bits(bits: u64) -> Option<Self>;

    /// The bits of the value.
    fn to_bits(&self) -> u64;

    /// Whether the bits are read back as this value, and not as another one of the same bits.
    fn is_itself(&self) -> bool {
        true
    }

    /// The value as an inspector shows it.
    fn rendered(&self) -> Value<'_>;
}

/// A type whose bits the crate `bitflags` has given names; no type is one, for such a type has a
/// method `iter_names` of its own, which stands before that of [`NoNames`].
#[diagnostic::on_unimplemented(
    message = "the bits of `{Self}` have no names",
    label = "needs names",
    note = "give them names: `bitflags! {{ impl {Self}: u8 {{ const FIRST = 1; }} }}`"
)]
pub trait BitNames {}

/// What a type without names has in place of them.
pub trait NoNames {
    /// Nothing, and a message that says so.
    fn iter_names(&self) -> core::iter::Empty<(&'static str, ())>
    where
        Self: BitNames,
    {
        core::iter::empty()
    }
}

impl<T> NoNames for T {}

macro_rules! unsigned {
    ($($ty:ident)*) => { $(
        impl BitField for $ty {
            #[inline(always)]
            fn from_bits(bits: u64) -> Option<Self> {
                Self::try_from(bits).ok()
            }

            #[inline(always)]
            fn to_bits(&self) -> u64 {
                u64::from(*self)
            }

            fn rendered(&self) -> Value<'_> {
                Value::Uint(u64::from(*self))
            }
        }
    )* };
}

unsigned!(u8 u16 u32 u64);

impl BitField for bool {
    #[inline(always)]
    fn from_bits(bits: u64) -> Option<Self> {
        Some(bits != 0)
    }

    #[inline(always)]
    fn to_bits(&self) -> u64 {
        u64::from(*self)
    }

    fn rendered(&self) -> Value<'_> {
        Value::Bool(*self)
    }
}

impl<T: Named> BitField for T {
    #[inline(always)]
    fn from_bits(bits: u64) -> Option<Self> {
        T::Number::try_from(bits).ok().and_then(T::of_number)
    }

    #[inline(always)]
    fn to_bits(&self) -> u64 {
        self.number().widen().bits()
    }

    #[inline(always)]
    fn is_itself(&self) -> bool {
        named::reads_back(self)
    }

    fn rendered(&self) -> Value<'_> {
        named::value(self)
    }
}

/// Reads the integer that holds bit fields.
#[inline(always)]
pub fn load<T: Int + Widen<Wide = u64>, O: Observer>(
    cur: &mut Cursor<'_>,
    obs: &mut O,
    order: Order,
) -> Result<u64, Fault> {
    walk::int::<T, O>(cur, obs, order).map(T::widen)
}

/// Takes a field of `width` bits out of the integer that has just been read, of `size` bytes.
#[inline(always)]
pub fn take<T: BitField, O: Observer>(
    cur: &Cursor<'_>,
    obs: &mut O,
    (all, size): (u64, usize),
    shift: u32,
    width: u32,
) -> Result<T, Fault> {
    let bits = cut(all, shift, width);
    match T::from_bits(bits) {
        Some(value) => Ok(value),
        None => Err(walk::unknown(cur, obs, size, bits)),
    }
}

/// Compares a bit field with the number that it always is.
#[inline(always)]
pub fn constant<O: Observer>(
    obs: &mut O,
    (start, end): (usize, usize),
    found: u64,
    expected: u64,
) -> Result<(), Fault> {
    if found == expected { Ok(()) } else { Err(wrong_constant(obs, (start, end), found, expected)) }
}

#[cold]
#[inline(never)]
fn wrong_constant<O: Observer>(
    obs: &mut O,
    (start, end): (usize, usize),
    found: u64,
    expected: u64,
) -> Fault {
    if !O::RECORD {
        return Fault::at(start);
    }
    obs.fail(&Problem {
        code: "magic",
        class: Class::Malformed,
        start,
        end,
        what: format_args!("the bits are always the same"),
        expected: Show::Uint(expected),
        found: Show::Uint(found),
    })
}

#[inline(always)]
fn cut(all: u64, shift: u32, width: u32) -> u64 {
    let mask = u64::MAX.checked_shr(64_u32.saturating_sub(width)).unwrap_or(0);
    all.checked_shr(shift).unwrap_or(0) & mask
}

/// Looks at `width` bits that no field has, which are zeros, in the integer from `start` on.
#[inline(always)]
pub fn padding<O: Observer>(
    cur: &Cursor<'_>,
    obs: &mut O,
    (all, _): (u64, usize),
    (start, shift, width): (usize, u32, u32),
) {
    if O::RECORD {
        look_at_padding(obs, (start, cur.pos()), cut(all, shift, width));
    }
}

/// The same of bytes, the lowest first.
#[inline(always)]
pub fn padding_in_bytes<O: Observer>(
    cur: &Cursor<'_>,
    obs: &mut O,
    all: &[u8],
    (start, shift, width): (usize, u32, u32),
) {
    if O::RECORD {
        look_at_padding(obs, (start, cur.pos()), cut_from_bytes(all, shift, width));
    }
}

#[inline(never)]
fn look_at_padding<O: Observer>(obs: &mut O, (start, end): (usize, usize), bits: u64) {
    obs.enter_extra("padding", start);
    if bits != 0 {
        obs.note(
            Severity::Warning,
            &Problem {
                code: "padding",
                class: Class::Invalid,
                start,
                end,
                what: format_args!("the padding is not its fill and is not kept"),
                expected: Show::Uint(0),
                found: Show::Uint(bits),
            },
        );
    }
    obs.leave(end, &Value::Uint(bits));
}

/// The bits of a field, in their place.
#[inline(always)]
pub fn put<T: BitField>(
    out: &mut Writer<'_>,
    field: &'static str,
    value: &T,
    shift: u32,
    width: u32,
) -> Result<u64, Fault> {
    let bits = value.to_bits();
    if bits.checked_shr(width).unwrap_or(0) != 0 {
        return too_wide(out, field, bits, width);
    }
    if !value.is_itself() {
        out.enter(field);
        return Err(named::of_another(out, T::from_bits(bits).is_some(), bits));
    }
    Ok(bits.checked_shl(shift).unwrap_or(0))
}

/// A value whose size alone is asked for may hold a number that the writer has yet to set.
#[cold]
fn too_wide(
    out: &mut Writer<'_>,
    field: &'static str,
    bits: u64,
    width: u32,
) -> Result<u64, Fault> {
    if out.is_measuring() {
        return Ok(0);
    }
    out.enter(field);
    let what = format_args!("the value does not fit into {width} bits");
    Err(out.fail("overflow", what, Show::Nothing, Show::Uint(bits)))
}

/// Writes the integer that holds bit fields.
#[inline(always)]
pub fn store<T: Int + TryFrom<u64>>(
    out: &mut Writer<'_>,
    bits: u64,
    order: Order,
) -> Result<(), Fault> {
    match T::try_from(bits) {
        Ok(number) => number.put(out, order),
        // The widths of all fields add up to that of the integer.
        Err(_) => Err(out.overflow("bits")),
    }
}

/// Reads the bytes that bit fields lie in, and puts the lowest first.
#[inline]
pub fn load_bytes<O: Observer, const N: usize>(
    cur: &mut Cursor<'_>,
    obs: &mut O,
    order: Order,
) -> Result<[u8; N], Fault> {
    let Some(mut bytes) = cur.take_array::<N>().copied() else {
        return Err(walk::short(cur, obs, crate::ops::wide(N)));
    };
    if order == Order::Big {
        bytes.reverse();
    }
    Ok(bytes)
}

/// Takes a field of `width` bits out of bytes that have just been read, the lowest first.
#[inline]
pub fn take_from_bytes<T: BitField, O: Observer>(
    cur: &Cursor<'_>,
    obs: &mut O,
    all: &[u8],
    shift: u32,
    width: u32,
) -> Result<T, Fault> {
    let bits = cut_from_bytes(all, shift, width);
    match T::from_bits(bits) {
        Some(value) => Ok(value),
        None => Err(walk::unknown(cur, obs, all.len(), bits)),
    }
}

#[inline]
fn cut_from_bytes(all: &[u8], shift: u32, width: u32) -> u64 {
    spread(shift, width).rev().fold(0_u64, |bits, (byte, bit, _)| {
        let set = all.get(byte).is_some_and(|byte| byte & bit != 0);
        bits << 1 | u64::from(set)
    })
}

/// Puts the bits of a field into the bytes that they lie in, the lowest first.
#[inline]
pub fn put_in_bytes<T: BitField>(
    out: &mut Writer<'_>,
    all: &mut [u8],
    field: &'static str,
    value: &T,
    shift: u32,
    width: u32,
) -> Result<(), Fault> {
    let bits = put(out, field, value, 0, width)?;
    for (byte, bit, index) in spread(shift, width) {
        if let Some(byte) = all.get_mut(byte)
            && bits.checked_shr(index).unwrap_or(0) & 1 != 0
        {
            *byte |= bit;
        }
    }
    Ok(())
}

/// The bits of a field, from the lowest on: the byte of each, its bit there, and its number.
fn spread(shift: u32, width: u32) -> impl DoubleEndedIterator<Item = (usize, u8, u32)> {
    (0..width).map(move |index| {
        let at = shift.saturating_add(index);
        let byte = usize::try_from(at >> 3).unwrap_or(usize::MAX);
        (byte, 1_u8 << (at & 7), index)
    })
}

/// Writes bytes that bit fields lie in, of which the lowest is the first.
#[inline]
pub fn store_bytes<const N: usize>(
    out: &mut Writer<'_>,
    mut bytes: [u8; N],
    order: Order,
) -> Result<(), Fault> {
    if order == Order::Big {
        bytes.reverse();
    }
    out.put(&bytes)
}
