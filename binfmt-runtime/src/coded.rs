//! Numbers in an encoding of their own: of variable length, as text, in decimal digits.

mod standard;

use core::fmt;

use crate::finding::{Class, Fault, Problem, Severity, Show};
use crate::int::{Int, Order};
use crate::layout::Layout;
use crate::observe::Observer;
use crate::ops::{Wide, Widen, wide};
use crate::value::Value;
use crate::writer::Writer;
use crate::{Cursor, Leb, SignedLeb, Wire};

/// A way to store a number: how it is read and written, and which of several forms it has.
///
/// A [`Coded`] number in such an encoding is a number like any other: a field, an `Auto`, a
/// `prefix`, a tag, part of every expression.
///
/// ```
/// use binfmt_runtime::{Auto, BinFormat, Coded, Decoded, Encoding, Undecodable};
///
/// /// The length of a BER value: one byte up to 127, else the number of bytes that follow.
/// #[derive(Debug)]
/// struct Length;
///
/// impl Encoding for Length {
///     type Wide = u64;
///     /// How many bytes there are to it.
///     type Form = u8;
///     const NAME: &'static str = "Length";
///     const FORM: u8 = 0;
///     const MOST: u8 = 9;
///
///     fn decode(bytes: &[u8]) -> Result<Decoded<Self>, Undecodable> {
///         let (first, rest) = bytes.split_first().ok_or(Undecodable::Short)?;
///         if *first < 0x80 {
///             return Ok(Decoded { number: u64::from(*first), len: 1, form: 1 });
///         }
///         let more = *first - 0x80;
///         if more == 0 || more > 8 {
///             return Err(Undecodable::Malformed(1));
///         }
///         let rest = rest.get(..usize::from(more)).ok_or(Undecodable::Short)?;
///         let number = rest.iter().fold(0, |number, byte| number << 8 | u64::from(*byte));
///         Ok(Decoded { number, len: more + 1, form: more + 1 })
///     }
///
///     fn encode(number: u64, form: u8, bytes: &mut [u8; 16]) -> Option<u8> {
///         if number < 0x80 && form < 2 {
///             bytes[0] = u8::try_from(number).ok()?;
///             return Some(1);
///         }
///         let needed = 8 - number.leading_zeros() / 8;
///         let more = u8::try_from(needed).ok()?.max(form.saturating_sub(1)).clamp(1, 8);
///         bytes[0] = 0x80 + more;
///         let from = 8 - usize::from(more);
///         bytes[1..=usize::from(more)].copy_from_slice(&number.to_be_bytes()[from..]);
///         Some(more + 1)
///     }
///
///     fn padded(_: u8, len: u8) -> u8 {
///         len
///     }
/// }
///
/// #[derive(BinFormat, Debug, PartialEq)]
/// struct Octets {
///     #[bin(one_of = [4])]
///     tag: u8,
///     len: Auto<Coded<Length, u32>>,
///     #[bin(len = len)]
///     data: Vec<u8>,
/// }
///
/// let octets = Octets { tag: 4, len: Auto::new(), data: vec![7; 200] };
/// assert_eq!(octets.to_vec()?[..4], [4, 0x81, 200, 7]);
/// assert_eq!(Octets::parse(&octets.to_vec()?)?, octets);
/// # Ok::<(), binfmt_runtime::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no encoding of numbers",
    note = "implement `Encoding` for it: `Coded<{Self}, u32>` is a number in that encoding"
)]
pub trait Encoding: Sized {
    /// The numbers that it has: `u64`, or `i64` where they are signed.
    type Wide: Wide + fmt::Debug;

    /// What is kept of a stored number, so that it is written as it was: mostly its length.
    type Form: Copy;

    /// The name of the encoding, in layouts.
    const NAME: &'static str;

    /// The form of numbers that have not been read, and the only one that is not reported.
    const FORM: Self::Form;

    /// The fewest bytes of a number.
    const LEAST: usize = 1;

    /// The most bytes of a number, 16 at most.
    const MOST: u8;

    /// The number at the start of `bytes`, which may go on behind it.
    ///
    /// # Errors
    ///
    /// The bytes end inside the number, or are none.
    fn decode(bytes: &[u8]) -> Result<Decoded<Self>, Undecodable>;

    /// Writes a number, in a form if it can have that, and returns how many bytes it takes; `None`
    /// if the encoding has no such number.
    fn encode(number: Self::Wide, form: Self::Form, bytes: &mut [u8; 16]) -> Option<u8>;

    /// The form in which a number takes `len` bytes, where there is one: a number that is computed
    /// when its place has been passed may need fewer bytes than are kept for it.
    fn padded(form: Self::Form, _len: u8) -> Self::Form {
        form
    }
}

/// A number that has been read.
#[derive(Clone, Copy, Debug)]
pub struct Decoded<E: Encoding> {
    /// The number.
    pub number: E::Wide,
    /// How many bytes it takes.
    pub len: u8,
    /// What is kept of them.
    pub form: E::Form,
}

/// Why bytes are no number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Undecodable {
    /// They end inside it.
    Short,
    /// So many bytes are none.
    Malformed(u8),
}

/// A number in an [`Encoding`]: `Coded<Vlq, u32>`.
///
/// The form in which it was stored is kept, and is no part of comparisons.
pub struct Coded<E: Encoding, T> {
    number: T,
    form: E::Form,
}

impl<E: Encoding, T> Coded<E, T> {
    /// A number in the form of new ones.
    pub const fn new(number: T) -> Self {
        Self { number, form: E::FORM }
    }

    /// The number.
    #[inline(always)]
    pub fn get(self) -> T {
        self.number
    }

    /// The same number, written with `len` bytes or as many as it needs, where the encoding has
    /// such a form.
    #[must_use]
    pub fn padded(self, len: u8) -> Self {
        Self { form: E::padded(self.form, len.min(E::MOST)), ..self }
    }

    /// The number in the place of a stored one, whose form it keeps.
    #[doc(hidden)]
    #[must_use]
    pub fn in_place_of(self, stored: &Self) -> Self {
        Self { form: stored.form, ..self }
    }
}

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

macro_rules! numbers {
    ($($ty:ident $leb:ident $value:ident;)*) => { $(
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

impl<E: Encoding, T: Number> From<T> for Coded<E, T> {
    fn from(number: T) -> Self {
        Self::new(number)
    }
}

/// Reads a number, and says how many bytes it takes.
#[inline(always)]
fn decode<E, T>(cur: &mut Cursor<'_>) -> Result<(Coded<E, T>, u8), Undecodable>
where
    E: Encoding,
    T: Number + Widen<Wide = E::Wide>,
{
    let Decoded { number, len, form } = E::decode(cur.rest())?;
    let number = T::try_from(number).map_err(|_| Undecodable::Malformed(len))?;
    match cur.take(u64::from(len)) {
        Some(_) => Ok((Coded { number, form }, len)),
        None => Err(Undecodable::Short),
    }
}

impl<E, T> Coded<E, T>
where
    E: Encoding,
    T: Number + Widen<Wide = E::Wide>,
{
    /// The bytes of the number.
    pub(crate) fn bytes(self, bytes: &mut [u8; 16]) -> Option<&[u8]> {
        const { assert!(E::MOST <= 16, "a number has 16 bytes at most") };
        let len = E::encode(self.number.widen(), self.form, bytes)?;
        bytes.get(..usize::from(len))
    }

    /// Tells of a number that is stored in another form than it would be written anew.
    fn note_form<O: Observer>(self, cur: &Cursor<'_>, obs: &mut O, len: u8, kept: bool) {
        let mut bytes = [0; 16];
        let end = cur.pos();
        let start = end.saturating_sub(usize::from(len));
        let stored = cur.file().get(start..end);
        let new = Self::new(self.number).bytes(&mut bytes);
        if new.is_some() && new == stored {
            return;
        }
        let longer = new.is_some_and(|new| new.len() < usize::from(len));
        let (code, what) = match (longer, kept) {
            (true, true) => ("overlong", "the number takes more bytes than it needs"),
            (true, false) => {
                ("canonical", "the number takes more bytes than it needs, which is not kept")
            }
            (false, true) => ("canonical", "the number is stored in another form than a new one"),
            (false, false) => (
                "canonical",
                "the number is stored in another form than a new one, which is not kept",
            ),
        };
        obs.note(
            Severity::Warning,
            &Problem {
                code,
                class: Class::Invalid,
                start,
                end,
                what: format_args!("{what}"),
                expected: Show::Nothing,
                found: Show::Uint(u64::from(len)),
            },
        );
    }
}

impl<E, T> Int for Coded<E, T>
where
    E: Encoding,
    T: Number + Widen<Wide = E::Wide>,
{
    const SIZE: usize = E::LEAST;
    const VARIABLE: bool = true;

    #[inline(always)]
    fn take(cur: &mut Cursor<'_>, _order: Order) -> Option<Self> {
        decode(cur).ok().map(|(number, _)| number)
    }

    #[inline(always)]
    fn read<O: Observer>(
        cur: &mut Cursor<'_>,
        obs: &mut O,
        _order: Order,
        kept: bool,
    ) -> Result<Self, Fault> {
        match decode::<E, T>(cur) {
            Ok((number, len)) => {
                if O::RECORD {
                    number.note_form(cur, obs, len, kept);
                }
                Ok(number)
            }
            Err(broken) => Err(unreadable(cur, obs, broken)),
        }
    }

    fn width(self) -> usize {
        self.bytes(&mut [0; 16]).map_or(Self::SIZE, <[u8]>::len)
    }

    fn least_width(self) -> usize {
        Self { number: T::default(), form: self.form }.width()
    }

    fn padded_to(self, len: usize) -> Self {
        self.padded(u8::try_from(len).unwrap_or(E::MOST))
    }

    fn put(self, out: &mut Writer<'_>, _order: Order) -> Result<(), Fault> {
        match self.bytes(&mut [0; 16]) {
            Some(bytes) => out.put(bytes),
            None => {
                let what = format_args!("the encoding has no such number");
                Err(out.fail("overflow", what, Show::Nothing, Show::Nothing))
            }
        }
    }
}

#[inline(always)]
fn unreadable<O: Observer>(cur: &Cursor<'_>, obs: &mut O, broken: Undecodable) -> Fault {
    if O::RECORD { report_unreadable(cur, obs, broken) } else { Fault::at(cur.pos()) }
}

#[cold]
#[inline(never)]
fn report_unreadable<O: Observer>(cur: &Cursor<'_>, obs: &mut O, broken: Undecodable) -> Fault {
    let Undecodable::Malformed(len) = broken else {
        return crate::walk::short(cur, obs, wide(cur.remaining()).saturating_add(1));
    };
    let len = usize::from(len).min(cur.remaining());
    obs.fail(&Problem {
        code: "value",
        class: Class::Malformed,
        start: cur.pos(),
        end: cur.pos().saturating_add(len),
        what: format_args!("the bytes are no number of this type"),
        expected: Show::Nothing,
        found: Show::bytes(cur.rest().get(..len).unwrap_or_default()),
    })
}

impl<'a, E, T> Wire<'a> for Coded<E, T>
where
    E: Encoding,
    T: Number + Widen<Wide = E::Wide>,
{
    type Args = Order;

    const WIRE: &'static Layout = &Layout::scalar(E::NAME);
    const MIN_SIZE: usize = E::LEAST;
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
        self.number.rendered()
    }
}

impl<E: Encoding, T: Number> Widen for Coded<E, T> {
    type Wide = T::Wide;

    #[inline(always)]
    fn widen(self) -> T::Wide {
        self.number.widen()
    }
}
