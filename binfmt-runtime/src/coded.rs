//! Numbers in an encoding of their own: of variable length, as text, in decimal digits.

mod number;
mod standard;

use core::fmt;

use crate::finding::{Class, Fault, Problem, Severity, Show};
use crate::int::{Int, Order};
use crate::layout::Layout;
use crate::observe::Observer;
use crate::ops::{Wide, Widen, wide};
use crate::value::Value;
use crate::writer::Writer;
use crate::{Cursor, Wire};

pub use number::{Number, NumberOf};

/// A way to store a number: how it is read and written, and which of several forms it has.
///
/// A [`Coded`] number in such an encoding is a number like any other: a field, an `Auto`, a
/// `prefix`, a tag, part of every expression. Many are ready: [`encodings`](crate::encodings).
///
/// ```
/// use binfmt_runtime::{Auto, BinFormat, Coded, Decoded, Encoding, Undecodable};
///
/// /// A number of Bitcoin: one byte up to 252, else 253 to 255 and 2, 4 or 8 bytes, the lowest first.
/// #[derive(Debug)]
/// struct Compact;
///
/// impl Encoding for Compact {
///     type Wide = u64;
///     /// How many bytes there are to it.
///     type Form = u8;
///     const NAME: &'static str = "Compact";
///     const FORM: u8 = 1;
///     const MOST: u8 = 9;
///
///     fn decode(bytes: &[u8]) -> Result<Decoded<Self>, Undecodable> {
///         let (first, rest) = bytes.split_first().ok_or(Undecodable::Short)?;
///         let more = match *first {
///             253.. => 2 << (first - 253),
///             number => return Ok(Decoded { number: number.into(), len: 1, form: 1 }),
///         };
///         let rest = rest.get(..more).ok_or(Undecodable::Short)?;
///         let number = rest.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte));
///         let len = u8::try_from(more).map_err(|_| Undecodable::Short)? + 1;
///         Ok(Decoded { number, len, form: len })
///     }
///
///     fn encode(number: u64, form: u8, bytes: &mut [u8; 16]) -> Option<u8> {
///         let all = [(1, 0), (3, 253), (5, 254), (9, 255)];
///         let needed = match number {
///             ..253 => 1,
///             253..0x1_0000 => 3,
///             0x1_0000..0x1_0000_0000 => 5,
///             _ => 9,
///         };
///         let (len, mark) = all.into_iter().find(|(len, _)| *len >= needed.max(form))?;
///         let (at, bits) = if len == 1 { (0, 1) } else { (1, usize::from(len) - 1) };
///         bytes[0] = mark;
///         bytes[at..at + bits].copy_from_slice(&number.to_le_bytes()[..bits]);
///         Some(len)
///     }
///
///     fn padded(_: u8, len: u8) -> u8 {
///         len
///     }
/// }
///
/// #[derive(BinFormat, Debug, PartialEq)]
/// struct Script {
///     len: Auto<Coded<Compact, u32>>,
///     #[bin(len = len)]
///     code: Vec<u8>,
/// }
///
/// let script = Script { len: Auto::new(), code: vec![7; 300] };
/// assert_eq!(script.to_vec()?[..4], [253, 0x2c, 1, 7]);
/// assert_eq!(Script::parse(&script.to_vec()?)?, script);
/// # Ok::<(), binfmt_runtime::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no encoding of numbers",
    note = "implement `Encoding` for it: `Coded<{Self}, u32>` is a number in that encoding"
)]
pub trait Encoding: Sized {
    /// The numbers that it has: `u64`, or `i64` where they are signed.
    type Wide: Wide + fmt::Debug;

    /// What is kept of a stored number, so that it is written as it was: mostly its length. It tells apart all forms
    /// of a number that `decode` takes; `()` is for an encoding that takes one.
    type Form: Copy;

    /// The name of the encoding, in layouts.
    const NAME: &'static str;

    /// The form of numbers that have not been read, and the only one that is not reported.
    const FORM: Self::Form;

    /// The fewest bytes of a number, of which there is one at least.
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

/// A number in an [`Encoding`]: `Coded<Vlq<4>, u32>`.
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
    T: NumberOf<E::Wide>,
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
    T: NumberOf<E::Wide>,
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
    T: NumberOf<E::Wide>,
{
    const SIZE: usize = {
        assert!(E::LEAST > 0, "an `Encoding` whose `LEAST` is 0: a number has one byte at least");
        E::LEAST
    };
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

    fn is_tight(self) -> bool {
        let less = self.number.widen().sub(Wide::A_LITTLE).unwrap_or(T::default().widen());
        let len = E::encode(less, E::FORM, &mut [0; 16]);
        len.is_some_and(|len| usize::from(len) < self.width())
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
    T: NumberOf<E::Wide>,
{
    type Args = Order;

    const WIRE: &'static Layout = &Layout::scalar(E::NAME);
    const MIN_SIZE: usize = <Self as Int>::SIZE;
    const FIXED: bool = false;
    const PLAIN: bool = true;
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
