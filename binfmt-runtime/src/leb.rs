//! LEB128: integers of variable length, seven bits a byte.

use core::cmp::Ordering;
use core::fmt;
use core::hash::{Hash, Hasher};

use crate::finding::{Class, Fault, Problem, Severity, Show};
use crate::int::{Int, Order};
use crate::layout::Layout;
use crate::observe::Observer;
use crate::ops::Widen;
use crate::value::Value;
use crate::writer::Writer;
use crate::{Cursor, Wire};

/// An integer stored as LEB128, lowest bits first: `Leb128<u32>` unsigned, `Leb128<i32>` signed.
///
/// An encoding may be longer than the number needs, as linkers make it to patch it later. Its length
/// is kept as the least one to write, and is no part of comparisons.
#[derive(Clone, Copy, Default)]
pub struct Leb128<T> {
    number: T,
    /// The least number of bytes to write.
    least: u8,
}

/// The longest encoding that is read: no number of 64 bits needs more bytes.
const MAX_LEN: u8 = 10;

impl<T> Leb128<T> {
    /// A number that is written as short as it can be.
    pub const fn new(number: T) -> Self {
        Self { number, least: 1 }
    }

    /// The same number, written with at least `len` bytes; 10 at most.
    #[must_use]
    pub fn padded(self, len: u8) -> Self {
        Self { least: len.min(MAX_LEN), ..self }
    }

    /// The number.
    #[inline(always)]
    pub fn get(self) -> T {
        self.number
    }

    /// The number in the place of a stored one, whose length it keeps.
    #[doc(hidden)]
    #[must_use]
    pub fn in_place_of(self, stored: &Self) -> Self {
        Self { least: stored.least, ..self }
    }
}

/// An integer that LEB128 can store.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no number for `Leb128`",
    note = "use `u8` to `u64` or `i8` to `i64`"
)]
pub trait Number: Copy + Into<i128> + TryFrom<i128> + Widen {
    /// Whether the highest bit of an encoding is its sign.
    const SIGNED: bool;

    /// The number as an inspector shows it.
    fn shown(self) -> Value<'static>;
}

macro_rules! numbers {
    ($($ty:ident $signed:literal $value:ident;)*) => { $(
        impl Number for $ty {
            const SIGNED: bool = $signed;

            fn shown(self) -> Value<'static> {
                Value::$value(self.widen())
            }
        }

        impl From<$ty> for Leb128<$ty> {
            fn from(number: $ty) -> Self {
                Self::new(number)
            }
        }

        impl From<Leb128<$ty>> for $ty {
            fn from(number: Leb128<$ty>) -> Self {
                number.get()
            }
        }
    )* };
}

numbers! {
    u8 false Uint;
    u16 false Uint;
    u32 false Uint;
    u64 false Uint;
    i8 true Int;
    i16 true Int;
    i32 true Int;
    i64 true Int;
}

/// The lowest seven bits of a number.
fn low(number: i128) -> u8 {
    u8::try_from(number & 0x7f).unwrap_or_default()
}

/// Whether `rest` says nothing more behind a byte with `bits`.
fn ends<T: Number>(rest: i128, bits: u8) -> bool {
    rest == if T::SIGNED && bits & 0x40 != 0 { -1 } else { 0 }
}

/// How many bytes a number needs.
fn needed<T: Number>(number: T) -> u8 {
    let (mut rest, mut len) = (number.into(), 0_u8);
    loop {
        let bits = low(rest);
        rest >>= 7;
        len = len.saturating_add(1);
        if ends::<T>(rest, bits) {
            return len;
        }
    }
}

/// Why an encoding cannot be read.
enum Broken {
    /// The input ends.
    Short,
    /// So many bytes are no number of the type.
    TooWide(u8),
}

#[inline(always)]
fn decode<T: Number>(cur: &mut Cursor<'_>) -> Result<(T, u8), Broken> {
    match cur.rest().first() {
        Some(byte) if *byte < if T::SIGNED { 0x40 } else { 0x80 } => {
            let number = T::try_from(i128::from(*byte)).map_err(|_| Broken::TooWide(1))?;
            cur.take(1);
            Ok((number, 1))
        }
        _ => decode_long(cur),
    }
}

fn decode_long<T: Number>(cur: &mut Cursor<'_>) -> Result<(T, u8), Broken> {
    let (mut number, mut unit, mut len) = (0_i128, 1_i128, 0_u8);
    for byte in cur.rest().iter().take(usize::from(MAX_LEN)) {
        len = len.saturating_add(1);
        // Ten times seven bits fit.
        number |= i128::from(byte & 0x7f).wrapping_mul(unit);
        unit <<= 7;
        if byte & 0x80 != 0 {
            continue;
        }
        if T::SIGNED && byte & 0x40 != 0 {
            number = number.wrapping_sub(unit);
        }
        let number = T::try_from(number).map_err(|_| Broken::TooWide(len))?;
        cur.take(u64::from(len));
        return Ok((number, len));
    }
    Err(if len == MAX_LEN { Broken::TooWide(len) } else { Broken::Short })
}

impl<T: Number> Int for Leb128<T> {
    const SIZE: usize = 1;
    const VARIABLE: bool = true;

    #[inline(always)]
    fn take(cur: &mut Cursor<'_>, _order: Order) -> Option<Self> {
        decode(cur).ok().map(|(number, least)| Self { number, least })
    }

    #[inline(always)]
    fn read<O: Observer>(
        cur: &mut Cursor<'_>,
        obs: &mut O,
        _order: Order,
        kept: bool,
    ) -> Result<Self, Fault> {
        match decode::<T>(cur) {
            Ok((number, least)) => {
                if O::RECORD && needed(number) < least {
                    note_padding(cur, obs, least, kept);
                }
                Ok(Self { number, least })
            }
            Err(broken) => Err(unreadable(cur, obs, &broken)),
        }
    }

    fn width(self) -> usize {
        usize::from(needed(self.number).max(self.least))
    }

    fn least_width(self) -> usize {
        usize::from(self.least.max(1))
    }

    fn padded_to(self, len: usize) -> Self {
        self.padded(u8::try_from(len).unwrap_or(MAX_LEN))
    }

    fn put(self, out: &mut Writer<'_>, _order: Order) -> Result<(), Fault> {
        let mut bytes = [0; 10];
        let (mut rest, mut len) = (self.number.into(), 0_usize);
        for byte in &mut bytes {
            let bits = low(rest);
            rest >>= 7;
            len = len.saturating_add(1);
            if ends::<T>(rest, bits) && len >= usize::from(self.least) {
                *byte = bits;
                break;
            }
            *byte = bits | 0x80;
        }
        out.put(bytes.get(..len).unwrap_or_default())
    }
}

#[inline(always)]
fn unreadable<O: Observer>(cur: &Cursor<'_>, obs: &mut O, broken: &Broken) -> Fault {
    if O::RECORD { tell_unreadable(cur, obs, broken) } else { Fault::at(cur.pos()) }
}

#[cold]
#[inline(never)]
fn tell_unreadable<O: Observer>(cur: &Cursor<'_>, obs: &mut O, broken: &Broken) -> Fault {
    let len = match broken {
        Broken::Short => {
            let more = crate::ops::wide(cur.remaining()).saturating_add(1);
            return crate::walk::short(cur, obs, more);
        }
        Broken::TooWide(len) => usize::from(*len),
    };
    obs.fail(&Problem {
        code: "value",
        class: Class::Malformed,
        start: cur.pos(),
        end: cur.pos().saturating_add(len),
        what: format_args!("the number does not fit into its type"),
        expected: Show::Nothing,
        found: Show::bytes(cur.rest().get(..len).unwrap_or_default()),
    })
}

/// The encoding is longer than the number needs.
fn note_padding<O: Observer>(cur: &Cursor<'_>, obs: &mut O, len: u8, kept: bool) {
    let (code, what) = if kept {
        ("overlong", "the number takes more bytes than it needs")
    } else {
        ("canonical", "the number takes more bytes than it needs, which is not kept")
    };
    obs.note(
        Severity::Warning,
        &Problem {
            code,
            class: Class::Invalid,
            start: cur.pos().saturating_sub(usize::from(len)),
            end: cur.pos(),
            what: format_args!("{what}"),
            expected: Show::Nothing,
            found: Show::Uint(u64::from(len)),
        },
    );
}

impl<'a, T: Number> Wire<'a> for Leb128<T> {
    type Args = Order;

    const WIRE: &'static Layout = &Layout::scalar("Leb128");
    const MIN_SIZE: usize = 1;
    const FIXED: bool = false;
    const SHALLOW: bool = true;

    #[inline(always)]
    fn walk<O: Observer>(cur: &mut Cursor<'a>, obs: &mut O, order: Order) -> Result<Self, Fault> {
        Self::read(cur, obs, order, true)
    }

    fn emit(&self, out: &mut Writer<'_>, order: Order) -> Result<(), Fault> {
        self.put(out, order)
    }

    fn value(&self) -> Value<'_> {
        self.number.shown()
    }
}

impl<T: Number> Widen for Leb128<T> {
    type Wide = T::Wide;

    #[inline(always)]
    fn widen(self) -> T::Wide {
        self.number.widen()
    }
}

impl<T: PartialEq> PartialEq for Leb128<T> {
    fn eq(&self, other: &Self) -> bool {
        self.number == other.number
    }
}

impl<T: Eq> Eq for Leb128<T> {}

impl<T: PartialOrd> PartialOrd for Leb128<T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        self.number.partial_cmp(&other.number)
    }
}

impl<T: Ord> Ord for Leb128<T> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.number.cmp(&other.number)
    }
}

impl<T: Hash> Hash for Leb128<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.number.hash(state);
    }
}

impl<T: fmt::Debug> fmt::Debug for Leb128<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.number.fmt(f)
    }
}

impl<T: fmt::Display> fmt::Display for Leb128<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.number.fmt(f)
    }
}
