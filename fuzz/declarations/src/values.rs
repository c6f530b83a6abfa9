//! Random values: what a made-up `make` function calls.

use std::cell::{Cell, RefCell};

use binfmt_runtime::{
    BinFormat, Blob, Coded, Cursor, Encoding, Fault, FlatBuffer, FlatBuild, FlatTable, I24, I40,
    I48, I56, Leb128, U24, U40, U48, U56, Writer,
};

use crate::rng::Rng;

/// What optional fields begin with, in either byte order, and what some types do.
const MAGICS: [u8; 8] = *b"OPPOABBA";

/// Makes one value.
#[derive(Debug)]
pub struct Make {
    /// Decides what the value holds.
    pub rng: Rng,
    /// Decides what stands in fields that a writer computes; `None` leaves what it would compute.
    pub nonsense: Option<Rng>,
    /// How many items all sequences may still have.
    items: u64,
    /// How many bytes all sequences of bytes and all texts may still have.
    space: u64,
    /// How many times larger than usual a sequence may be.
    scale: u64,
    /// Whether all is so small that values are often equal, and lie where others do.
    alike: bool,
    /// Whether payloads are read while they are written.
    unread: bool,
    /// How many payloads there are.
    pub payloads: u64,
}

impl Make {
    /// The value of a seed, with nonsense of another seed where the writer computes.
    pub fn new(seed: u64, nonsense: Option<u64>) -> Self {
        Self {
            rng: Rng::new(seed),
            nonsense: nonsense.map(Rng::new),
            items: 40,
            space: 1 << 16,
            scale: 1,
            alike: false,
            unread: false,
            payloads: 0,
        }
    }

    /// The same with so few different sizes, places and bytes that values meet each other.
    pub fn alike(self) -> Self {
        Self { alike: true, ..self }
    }

    /// The same with payloads that nobody has read yet.
    pub fn unread(self) -> Self {
        Self { unread: true, ..self }
    }

    /// The value of a seed, with sequences that may be so many times larger.
    pub fn large(seed: u64, scale: u64) -> Self {
        Self { items: 40 * scale, space: 64 * scale, scale, ..Self::new(seed, None) }
    }

    /// True in so many of 100 cases.
    pub fn percent(&mut self, chance: u64) -> bool {
        self.rng.percent(chance)
    }

    /// One of some.
    pub fn pick<T: Clone>(&mut self, list: &[T]) -> T {
        self.rng.pick(list).clone()
    }

    /// A small number, mostly far below `end`.
    pub fn small(&mut self, end: u64) -> u64 {
        if self.alike {
            // Places are asked for up to 40 or 90, and lengths up to less.
            return self.rng.below(end.min(if end < 40 { 3 } else { 24 }));
        }
        let end = if self.rng.percent(70) { end.min(4) } else { end };
        let few = self.rng.below(end);
        if self.scale > 1 && self.rng.percent(40) { few * self.rng.below(self.scale) } else { few }
    }

    /// The number of a variant, of so many.
    pub fn variant(&mut self, count: u64) -> u64 {
        let count = if self.rng.percent(70) { count.min(4) } else { count };
        self.rng.below(count)
    }

    /// A number that is likely to be special.
    pub fn number(&mut self) -> u64 {
        match self.rng.below(10) {
            0..4 => self.rng.below(8),
            4 => self.rng.below(70),
            5 => 1 << self.rng.below(64),
            6 => (1 << self.rng.below(63)) - 1,
            7 => u64::MAX,
            8 => self.rng.below(256),
            _ if self.rng.percent(10) => u64::from_ne_bytes(MAGICS),
            _ => self.rng.any(),
        }
    }

    /// Any number of a type.
    pub fn num<T: Num>(&mut self) -> T {
        T::of(self.number())
    }

    /// A number between two, or, seldom, any other.
    pub fn range<T: Num>(&mut self, low: u64, high: u64) -> T {
        if self.rng.percent(4) {
            return self.num();
        }
        T::of(low + self.rng.below(high - low + 1))
    }

    /// A float that is equal to itself.
    pub fn float(&mut self) -> f64 {
        self.pick(&[0.0, -0.0, 1.5, -2.25, 1e30, f64::INFINITY, 1e-40])
    }

    /// What the writer will compute, or nonsense.
    pub fn junk<T: Num>(&mut self, value: T) -> T {
        match &mut self.nonsense {
            Some(rng) => T::of(if rng.percent(50) { rng.below(16) } else { rng.any() }),
            None => value,
        }
    }

    /// So many bytes; zeros, magics and terminators are likely.
    pub fn bytes(&mut self, len: u64) -> Vec<u8> {
        let len = self.space_for(len);
        if self.alike {
            return (0..len).map(|_| self.rng.below(2) as u8).collect();
        }
        let mut bytes: Vec<u8> = (0..len)
            .map(|_| match self.rng.below(4) {
                0 => 0,
                1 => self.pick(b"ABMKRx@\x20\xff\x01\x02"),
                _ => self.rng.any() as u8,
            })
            .collect();
        // What begins like an optional field that is not there.
        if self.rng.percent(3) {
            bytes.iter_mut().zip(MAGICS).for_each(|(byte, magic)| *byte = magic);
        }
        bytes
    }

    /// A payload of so many bytes.
    pub fn payload(&mut self, len: u64) -> Blob<'static> {
        let bytes: &'static [u8] = self.bytes(len).leak();
        self.payloads += 1;
        if !self.unread {
            return Blob::from(bytes);
        }
        let reader: &'static RefCell<&'static [u8]> = Box::leak(Box::new(RefCell::new(bytes)));
        Blob::from_reader(reader, bytes.len() as u64)
    }

    /// So many bytes, one of which may be `fill` only seldom.
    pub fn bytes_without(&mut self, len: u64, fill: u8) -> Vec<u8> {
        let mut bytes = self.bytes(len);
        if !self.percent(5) {
            bytes.iter_mut().filter(|byte| **byte == fill).for_each(|byte| *byte = fill ^ 0x51);
        }
        bytes
    }

    /// A text of so many bytes.
    pub fn text(&mut self, len: u64) -> String {
        let len = self.space_for(len);
        if self.alike {
            return (0..len).map(|_| self.pick(&['a', 'b'])).collect();
        }
        let mut text = String::new();
        while (text.len() as u64) < len {
            let left = len - text.len() as u64;
            let next = match self.rng.below(12) {
                0 if left >= 2 => 'é',
                1 if left >= 4 => '𝄞',
                2 => ' ',
                3 if self.rng.percent(5) => '\0',
                _ => char::from(b'a' + self.rng.below(26) as u8),
            };
            text.push(next);
        }
        text
    }

    /// A text without fill or terminator, in most cases.
    pub fn text_without(&mut self, len: u64, fill: u8) -> String {
        let text = self.text(len);
        if self.percent(5) {
            return text;
        }
        let clean = |c: char| if c == char::from(fill) || c == '\0' { 'q' } else { c };
        text.chars().map(clean).collect()
    }

    /// How many bytes there are: the wanted number, unless values would become too large.
    fn space_for(&mut self, wanted: u64) -> u64 {
        let got = wanted.min(self.space);
        self.space -= got;
        got
    }

    /// How many items a sequence has: the wanted number, unless values would become too large.
    pub fn items(&mut self, wanted: u64) -> u64 {
        let got = wanted.min(self.items);
        self.items -= got;
        got
    }

    /// Some items, so many if there is room for them.
    pub fn vec<T>(&mut self, wanted: u64, mut item: impl FnMut(&mut Self) -> T) -> Vec<T> {
        let len = self.items(wanted);
        (0..len).map(|_| item(self)).collect()
    }

    /// A value for each item of a table.
    pub fn each<I, T>(&mut self, table: &[I], mut value: impl FnMut(&mut Self, &I) -> T) -> Vec<T> {
        table.iter().map(|item| value(self, item)).collect()
    }
}

/// A value that lives as long as the program, so that others can borrow it.
pub fn take<T: ?Sized>(value: Box<T>) -> &'static T {
    Box::leak(value)
}

/// The bytes of a value, for a field that others look into.
pub fn viewed<T: BinFormat<'static, Args = ()>>(value: T) -> Vec<u8> {
    value.to_vec_with(()).expect("what is seen can be written")
}

/// What is seen in such bytes.
pub fn sight<T: BinFormat<'static, Args = ()>>(bytes: &[u8]) -> T {
    T::parse_with(take(bytes.into()), ()).expect("what is seen can be read")
}

/// A number of any integer type.
pub trait Num: Copy {
    /// The lowest bits of a number.
    fn of(number: u64) -> Self;
    /// The number; a negative one is a large one.
    fn get(self) -> u64;
}

macro_rules! rust {
    ($($ty:ident)*) => { $(
        impl Num for $ty {
            fn of(number: u64) -> Self { number as Self }
            fn get(self) -> u64 { self as u64 }
        }
        impl<E: Encoding> Num for Coded<E, $ty> {
            fn of(number: u64) -> Self { Self::new(number as $ty) }
            fn get(self) -> u64 { Coded::get(self) as u64 }
        }
    )* };
}

rust!(u8 u16 u32 u64 i8 i16 i32 i64);

impl<const N: usize> Num for [u8; N] {
    fn of(number: u64) -> Self {
        let mut bytes = number.to_le_bytes().into_iter().cycle();
        std::array::from_fn(|_| bytes.next().unwrap_or(0))
    }
    fn get(self) -> u64 {
        self.iter().fold(0, |number, byte| number << 8 | u64::from(*byte))
    }
}

macro_rules! narrow {
    ($($ty:ident $wide:ident $bits:literal)*) => { $(
        impl Num for $ty {
            fn of(number: u64) -> Self {
                let shift = <$wide>::BITS - $bits;
                Self::new(((number as $wide) << shift) >> shift).expect("it fits")
            }
            fn get(self) -> u64 { <$ty>::get(self) as u64 }
        }
    )* };
}

narrow!(U24 u32 24 U40 u64 40 U48 u64 48 U56 u64 56 I24 i32 24 I40 i64 40 I48 i64 48 I56 i64 56);

/// A number in an expression.
pub fn n<T: Num>(number: T) -> u64 {
    number.get()
}

macro_rules! steps {
    ($($name:ident $method:ident;)*) => { $(
        /// A step of an expression; what the language refuses has some result.
        pub fn $name(a: u64, b: u64) -> u64 { a.$method(b) }
    )* };
}

steps! { add wrapping_add; sub wrapping_sub; mul wrapping_mul; }

/// A quotient.
pub fn div(a: u64, b: u64) -> u64 {
    a.checked_div(b).unwrap_or(0)
}

/// A remainder.
pub fn rem(a: u64, b: u64) -> u64 {
    a.checked_rem(b).unwrap_or(0)
}

/// Shifted up.
pub fn shl(a: u64, b: u64) -> u64 {
    a.checked_shl(b as u32).unwrap_or(0)
}

/// Shifted down.
pub fn shr(a: u64, b: u64) -> u64 {
    a.checked_shr(b as u32).unwrap_or(0)
}

/// Common bits.
pub fn and(a: u64, b: u64) -> u64 {
    a & b
}

/// Bits of either.
pub fn or(a: u64, b: u64) -> u64 {
    a | b
}

/// Rounded up.
pub fn align_up(a: u64, b: u64) -> u64 {
    a.checked_next_multiple_of(b).unwrap_or(0)
}

/// A buffer with a table, which is read as it was made.
///
/// Most tables that are made up by number break a rule or have a number that has a name.
pub fn buffer<T>(g: &mut Make, make: fn(&mut Make) -> T) -> FlatBuffer<'static, T>
where
    T: FlatTable<'static> + FlatBuild<'static> + std::fmt::Debug + PartialEq,
{
    let written = (0..1000).find_map(|_| {
        let table = make(g);
        Some((table.to_buffer().ok()?, table))
    });
    let (bytes, table) = written.expect("one of many tables can be written");
    let bytes: &'static [u8] = bytes.leak();
    let buffer = FlatBuffer::parse(bytes).expect("the buffer is read");
    let read: T = buffer.root().expect("the table is read");
    let report = FlatBuffer::<T>::validate(bytes);
    assert!(report.is_ok(), "{report} of {table:?}");
    assert_eq!(read, table, "the table is read as it was");
    assert_eq!(read.to_buffer().expect("another buffer"), bytes, "it is written again the same");
    buffer
}

/// What `map` makes of a number, without loss.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wrapped(pub u16);

impl From<u16> for Wrapped {
    fn from(number: u16) -> Self {
        Self(number ^ 0x5555)
    }
}

/// What is stored for it.
pub fn unwrapped(value: &Wrapped) -> u16 {
    value.0 ^ 0x5555
}

/// What `map` makes of some numbers alone.
pub fn twice(stored: u8) -> Option<u16> {
    (stored < 0xf0).then_some(u16::from(stored) * 2)
}

/// What is stored for it.
pub fn half(number: &u16) -> Option<u8> {
    u8::try_from(number / 2).ok().filter(|_| number.is_multiple_of(2))
}

/// What an expression gives any number to, if it fits.
pub fn narrow(number: u16) -> i8 {
    i8::try_from(number % 100).unwrap_or(0)
}

/// What `map` makes of a number with a key.
pub fn opened(stored: u16, key: u64) -> u16 {
    stored ^ u16::from(low(key))
}

/// What is stored for it.
pub fn closed(number: &u16, key: u64) -> u16 {
    number ^ u16::from(low(key))
}

fn low(key: u64) -> u8 {
    key.to_le_bytes()[0]
}

/// What `map` makes of a number with a key, of which there is none below 3.
pub fn unlocked(stored: u16, key: u64) -> Option<u16> {
    (key > 2).then(|| opened(stored, key))
}

/// What is stored for it.
pub fn locked(number: &u16, key: u64) -> Option<u16> {
    (key > 2).then(|| closed(number, key))
}

/// Bytes with a key over them, of which 0 is none: `with = locked_bytes, len = n, args(key)`.
pub mod locked_bytes {
    use super::{Cursor, Fault, Writer, sealed};

    /// Reads all bytes that there are.
    pub fn read(cur: &mut Cursor<'_>, key: u64) -> Result<Vec<u8>, Fault> {
        if key == 0 { Err(Fault::at(cur.pos())) } else { sealed::read(cur, key) }
    }

    /// Writes the bytes.
    pub fn write(plain: &[u8], out: &mut Writer<'_>, key: u64) -> Result<(), Fault> {
        if key == 0 { Err(Fault::at(0)) } else { sealed::write(plain, out, key) }
    }
}

/// Bytes of a known length with a key over them: `with = sealed, len = n, args(key)`.
pub mod sealed {
    use super::{Cursor, Fault, Writer, low};

    /// Reads all bytes that there are.
    pub fn read(cur: &mut Cursor<'_>, key: u64) -> Result<Vec<u8>, Fault> {
        let plain = cur.rest().iter().map(|byte| byte ^ low(key)).collect();
        cur.skip_all();
        Ok(plain)
    }

    /// Writes the bytes.
    pub fn write(plain: &[u8], out: &mut Writer<'_>, key: u64) -> Result<(), Fault> {
        plain.iter().try_for_each(|byte| out.put(&[byte ^ low(key)]))
    }
}

/// Texts that end with a line break: `with = terminated`.
pub mod terminated {
    use super::{Cursor, Fault, Writer};

    /// Reads up to a line break.
    pub fn read(cur: &mut Cursor<'_>) -> Result<String, Fault> {
        let at = cur.pos();
        let text = cur.rest().split(|byte| *byte == b'\n').next().unwrap_or_default();
        let text = std::str::from_utf8(text).map_err(|_| Fault::at(at))?;
        match cur.take(text.len() as u64 + 1) {
            Some(_) => Ok(text.to_owned()),
            None => Err(Fault::at(at)),
        }
    }

    /// Writes the text and a line break.
    pub fn write(text: &str, out: &mut Writer<'_>) -> Result<(), Fault> {
        out.put(text.as_bytes())?;
        out.put(b"\n")
    }
}

/// Numbers from the highest byte on, behind their count: `with = from_the_highest`.
pub mod from_the_highest {
    use super::{Cursor, Fault, Writer};

    /// Reads the count and the numbers.
    pub fn read(cur: &mut Cursor<'_>) -> Result<Vec<u16>, Fault> {
        let at = cur.pos();
        let [count] = *cur.take_array().ok_or(Fault::at(at))?;
        let number = |_| cur.take_array().map(|bytes| u16::from_be_bytes(*bytes));
        (0..count).map(number).collect::<Option<_>>().ok_or(Fault::at(at))
    }

    /// Writes the count and the numbers.
    pub fn write(numbers: &[u16], out: &mut Writer<'_>) -> Result<(), Fault> {
        let Ok(count) = u8::try_from(numbers.len()) else { return Err(Fault::at(0)) };
        out.put(&[count])?;
        numbers.iter().try_for_each(|number| out.put(&number.to_be_bytes()))
    }
}

/// A header that is told a place: `set(at = start(name))`.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
pub struct Header16 {
    /// Anything.
    pub before: u8,
    /// The place.
    pub at: u16,
}

/// One with a wider number.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(big)]
pub struct Header32 {
    /// Anything.
    pub before: u8,
    /// The place.
    pub at: u32,
}

/// An item that ends where its number says, and begins where the one before ended.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little, args(from: u64))]
pub struct Ending {
    /// The end.
    pub end: u16,
    /// Between both.
    #[bin(len = end - from)]
    pub body: Vec<u8>,
}

/// One with a number of variable length.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(args(from: u32))]
pub struct EndingLeb {
    /// The end.
    pub end: Leb128<u32>,
    /// Between both.
    #[bin(len = end - from)]
    pub body: Vec<u8>,
}

/// One whose number is in a header.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(args(from: u16))]
pub struct EndingHead {
    /// The end.
    #[bin(set(at = from + len(body)))]
    pub head: Header16,
    /// Between both.
    #[bin(len = head.at - from)]
    pub body: Vec<u8>,
}

/// An item with the sum of those before.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(big, args(sum: u64))]
pub struct Summed {
    /// What it adds.
    pub step: u8,
    /// The sum.
    #[bin(calc = sum + step)]
    pub total: u32,
    /// Something else.
    #[bin(prefix = u8)]
    pub body: Vec<u8>,
}

/// Bytes with a key over them: `map(Keyed, opened_all, closed_all)`.
#[derive(BinFormat, Debug, Clone, PartialEq)]
pub struct Keyed {
    /// Behind their count.
    #[bin(prefix = u8)]
    pub bytes: Vec<u8>,
}

/// What is stored.
pub fn opened_all(stored: Keyed) -> Vec<u8> {
    stored.bytes.iter().map(|byte| byte ^ 0x55).collect()
}

/// What is stored of it.
#[expect(clippy::ptr_arg, reason = "a conversion takes a reference to the type of the field")]
pub fn closed_all(bytes: &Vec<u8>) -> Keyed {
    Keyed { bytes: bytes.iter().map(|byte| byte ^ 0x55).collect() }
}

/// Bytes that are stored the other way round, up to the end: `map(Whole, turned, turned_back), len = n`.
#[derive(BinFormat, Debug, Clone, PartialEq)]
pub struct Whole {
    /// All that there are.
    #[bin(until_end)]
    pub bytes: Vec<u8>,
}

/// What is stored, unless it begins with one byte.
pub fn turned(stored: Whole) -> Option<Vec<u8>> {
    let bytes: Vec<u8> = stored.bytes.into_iter().rev().collect();
    (bytes.last() != Some(&0xff)).then_some(bytes)
}

/// What is stored of it, unless that stands for nothing.
#[expect(clippy::ptr_arg, reason = "a conversion takes a reference to the type of the field")]
pub fn turned_back(bytes: &Vec<u8>) -> Option<Whole> {
    let fits = bytes.last() != Some(&0xff);
    fits.then(|| Whole { bytes: bytes.iter().rev().copied().collect() })
}

/// A version with a name.
pub const LATER: u8 = 3;

thread_local! {
    /// Whether a function has seen more of a value than its type says.
    static SEEN: Cell<bool> = const { Cell::new(false) };
}

/// Whether `seen` has been called since this was last asked.
pub fn was_seen() -> bool {
    SEEN.take()
}

/// A small number that follows from all of a value.
pub fn seen<T: std::fmt::Debug + ?Sized>(value: &T) -> u64 {
    SEEN.set(true);
    let text = format!("{value:?}");
    text.bytes().fold(7_u64, |sum, byte| (sum * 31 + u64::from(byte)) % 1009) % 4
}

/// Bytes that follow from a value: `calc = made_bytes(name)`.
pub fn made_bytes<T: std::fmt::Debug + ?Sized>(value: &T) -> [u8; 4] {
    let text = format!("{value:?}");
    text.bytes().fold(5_u32, |sum, byte| sum.wrapping_mul(31) ^ u32::from(byte)).to_le_bytes()
}

/// Numbers that do.
pub fn made_numbers<T: std::fmt::Debug + ?Sized>(value: &T) -> [u16; 2] {
    let [a, b, c, d] = made_bytes(value);
    [u16::from_le_bytes([a, b]), u16::from_le_bytes([c, d])]
}

/// A text that does, which not every value has.
pub fn made_text<T: std::fmt::Debug + ?Sized>(value: &T) -> Option<String> {
    let [sum, ..] = made_bytes(value);
    (sum % 16 > 0).then(|| "x".repeat(usize::from(sum % 5)))
}

/// A list that does.
pub fn made_list<T: std::fmt::Debug + ?Sized>(value: &T) -> Vec<u8> {
    let [sum, byte, ..] = made_bytes(value);
    vec![byte; usize::from(sum % 4)]
}

/// The number of an enum of numbers.
pub fn named<T>(value: &T) -> u64
where
    T: binfmt_runtime::Named,
    T::Number: Num,
{
    value.number().get()
}
