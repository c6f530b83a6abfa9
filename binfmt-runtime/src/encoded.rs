//! Values in coded bytes: compressed, ciphered, or written in another alphabet.

mod codec;
#[cfg(feature = "deflate")]
mod deflate;
mod ending;
mod kept;
mod output;
mod xor;

use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;
use core::ops::{Deref, DerefMut};

pub use self::codec::{Codec, CodecError, EndsItself, WithoutArguments};
#[cfg(feature = "deflate")]
pub use self::deflate::{Deflate, Zlib};
pub use self::ending::{Ending, emit_ending, ends_itself};
pub(crate) use self::kept::Kept;
pub use self::output::Output;
pub use self::xor::Xor;
use crate::finding::{Class, Fault, Problem, Severity, Show};
use crate::layout::{Layout, Shape};
use crate::observe::Observer;
use crate::ops::wide;
use crate::value::Value;
use crate::writer::Writer;
use crate::{Cursor, DefaultArgs, Fill, Wire, layout, seq};

/// A value whose bytes are coded: `Encoded<Zlib, Entry>` is an `Entry` in compressed bytes.
///
/// It fills the coded bytes, which have a `len`, a `prefix`, run to the end of their region or end by
/// themselves (`until_codec`), and the decoded bytes are an input of their own: offsets inside count
/// from their start, and what is wrong there has a path like `entry(decoded).name`. The type is an
/// owned one, for decoded bytes lie nowhere in the file.
///
/// The coded bytes are kept, and written again as long as they decode to the value; what lies behind
/// them is kept in any case. A value that has changed is encoded anew. Two of them are equal when
/// their values are, however they are coded.
///
/// ```
/// use binfmt_runtime::{Auto, BinFormat, Encoded, Xor};
///
/// #[derive(BinFormat)]
/// struct Saved {
///     key: u8,
///     len: Auto<u8>,
///     #[bin(len = len, codec = Xor(key))]
///     state: Encoded<Xor, State>,
/// }
///
/// #[derive(BinFormat)]
/// #[bin(big)]
/// struct State {
///     level: u8,
///     coins: u16,
/// }
///
/// let file = [0x55, 3, 0x56, 0x54, 0x51];
/// let mut saved = Saved::parse(&file)?;
/// assert_eq!((saved.state.level, saved.state.coins), (3, 0x104));
/// saved.state.level = 4;
/// assert_eq!(saved.to_vec()?, [0x55, 3, 0x51, 0x54, 0x51]);
/// # Ok::<(), binfmt_runtime::Error>(())
/// ```
pub struct Encoded<C, T> {
    value: T,
    read: Option<Coded>,
    codec: PhantomData<fn() -> C>,
}

/// What a value was read from.
#[derive(Clone)]
struct Coded {
    bytes: Vec<u8>,
    /// How many of them are coded; what lies behind them belongs to nothing.
    used: usize,
    /// How many bytes they decode to.
    decoded: u64,
}

impl Coded {
    /// The bytes behind the coded ones.
    fn behind(&self) -> &[u8] {
        self.bytes.get(self.used..).unwrap_or_default()
    }
}

impl<C, T> Encoded<C, T> {
    /// A value that has not been coded yet.
    pub const fn new(value: T) -> Self {
        Self { value, read: None, codec: PhantomData }
    }

    /// The coded bytes that the value was read from, with all that lies behind them.
    pub fn coded(this: &Self) -> Option<&[u8]> {
        this.read.as_ref().map(|read| &read.bytes[..])
    }

    /// How many bytes those decode to.
    pub fn decoded_len(this: &Self) -> Option<u64> {
        this.read.as_ref().map(|read| read.decoded)
    }

    /// The value.
    pub fn into_inner(this: Self) -> T {
        this.value
    }

    fn behind(&self) -> &[u8] {
        self.read.as_ref().map(Coded::behind).unwrap_or_default()
    }
}

/// How many bytes a value was decoded from, for generated code.
#[doc(hidden)]
pub fn decoded_len<C, T>(value: &Encoded<C, T>) -> u64 {
    Encoded::decoded_len(value).unwrap_or_default()
}

/// The codec of a field that gives it no arguments.
#[doc(hidden)]
pub fn codec<C: WithoutArguments>() -> C {
    C::default()
}

impl<'a, C: Codec, A: Copy, T> Wire<'a> for Encoded<C, T>
where
    T: for<'b> Wire<'b, Args = A>,
{
    type Args = (C, A);

    // No declaration, but what it holds may be one.
    const WIRE: &'static Layout = &Layout {
        shape: Shape::Scalar,
        fields: &layout::build::fields(
            0,
            [layout::build::field("(decoded)", <T as Wire<'a>>::WIRE.name).of::<T>()],
        ),
        ..Layout::scalar(C::NAME)
    };
    const MIN_SIZE: usize = 0;
    const FIXED: bool = false;
    const PARAMETERS: &'static [&'static str] = <T as Wire<'a>>::PARAMETERS;

    fn walk<O: Observer>(cur: &mut Cursor<'a>, obs: &mut O, args: (C, A)) -> Result<Self, Fault> {
        Self::read(cur, obs, args, false)
    }

    fn emit(&self, out: &mut Writer<'_>, args: (C, A)) -> Result<(), Fault> {
        self.write(out, args, false)
    }

    fn value(&self) -> Value<'_> {
        self.read.as_ref().map_or(Value::Group, |read| Value::Bytes(&read.bytes))
    }
}

impl<C: Codec, T> Encoded<C, T> {
    /// Reads a value from all that is left of the region, or from the bytes where the codec `ends`.
    fn read<'a, A: Copy, O: Observer>(
        cur: &mut Cursor<'a>,
        obs: &mut O,
        (codec, args): (C, A),
        ends: bool,
    ) -> Result<Self, Fault>
    where
        T: for<'b> Wire<'b, Args = A>,
    {
        if obs.limits().descend::<T>().is_none() {
            return Err(seq::too_deep(cur, obs));
        }
        let (start, stored, order) = (cur.pos(), cur.rest(), cur.order);
        let keeps = obs.keeps_decoded();
        let decoded = decode(&codec, stored, (start, ends), obs);
        let (Ok((_, reached)) | Err(reached)) = &decoded;
        let stored = if ends { cur.take(wide(*reached)).unwrap_or_default() } else { stored };
        if !ends {
            cur.skip_all();
        }
        let Ok((bytes, used)) = decoded else {
            obs.limits().ascend::<T>();
            return Err(Fault::at(start));
        };
        let mut inner = Cursor::new(&bytes);
        (inner.order, inner.fill) = (order, Fill::Exact);
        let outer = obs.limits().enter_decoded(bytes.len());
        let value = obs.decoded::<T>(&mut inner, args, start);
        obs.limits().leave_decoded(outer);
        obs.limits().ascend::<T>();
        let value = value.map_err(|_| Fault::at(start))?;
        let read = Coded { bytes: stored.to_vec(), used, decoded: wide(bytes.len()) };
        if !read.behind().is_empty() {
            obs.note(Severity::Warning, &behind(start.saturating_add(used), cur.pos()));
        }
        if keeps {
            obs.put_decoded(bytes);
        }
        Ok(Self { value, read: Some(read), codec: PhantomData })
    }

    /// Writes the coded bytes, which fill their region or end where the codec `ends`.
    fn write<A: Copy>(
        &self,
        out: &mut Writer<'_>,
        (codec, args): (C, A),
        ends: bool,
    ) -> Result<(), Fault>
    where
        T: for<'b> Wire<'b, Args = A>,
    {
        if ends && !self.behind().is_empty() {
            return Err(ending::no_end(out, self.behind().len()));
        }
        let keeps = out.keeps_decoded();
        let decoded = out.decoded(&(&self.value, args))?;
        out.note_decoded(wide(decoded.len()));
        self.put_coded(out, &codec, &decoded, ends)?;
        if keeps {
            out.put_decoded(decoded);
        }
        Ok(())
    }

    /// Writes the coded bytes: those that were read, if they decode to the value, else new ones.
    fn put_coded(
        &self,
        out: &mut Writer<'_>,
        codec: &C,
        decoded: &[u8],
        ends: bool,
    ) -> Result<(), Fault> {
        if out.is_probe() && !decoded.is_empty() {
            return out.put(&[0]);
        }
        let fits = |stored: &[u8], behind: &[u8]| {
            is_coded(codec, stored, behind, decoded)
                && (!ends || ending::stops_there(codec, stored, decoded))
        };
        if let Some(read) = &self.read
            && fits(&read.bytes, read.behind())
        {
            return out.put(&read.bytes);
        }
        // A value may lie where one in it begins.
        let place = (core::ptr::from_ref(self).addr(), size_of::<Self>());
        let stored = match out.take_coded(place) {
            Some(stored) if fits(&stored, self.behind()) => stored,
            _ => {
                let stored = encode(codec, self.behind(), decoded, out)?;
                if ends && !ending::stops_there(codec, &stored, decoded) {
                    return Err(ending::goes_on::<C>(out));
                }
                stored
            }
        };
        let put = out.put(&stored);
        out.keep_coded(place, stored);
        put
    }
}

/// The decoded bytes, which are paid for before they are made, and how many coded ones they took; how
/// far the codec has got where there are none.
fn decode<C: Codec, O: Observer>(
    codec: &C,
    stored: &[u8],
    (start, ends): (usize, bool),
    obs: &mut O,
) -> Result<(Vec<u8>, usize), usize> {
    let paid = obs.limits().decodable();
    let (mut bytes, most) = (Vec::new(), paid.min(C::LIMIT));
    let mut out = Output::into(&mut bytes, most);
    let decoded = codec.decode(stored, &mut out);
    let full = out.is_full();
    // What is too much, or damaged, has been made, too.
    obs.limits().spend_decoded(if full { most } else { wide(bytes.len()) });
    let used = decoded.as_ref().ok().copied().filter(|used| *used <= stored.len());
    match used {
        Some(used) if !full => Ok((bytes, used)),
        _ => {
            let at =
                decoded.as_ref().err().map_or(stored.len(), |error| error.at.min(stored.len()));
            // Where bytes end that their codec cannot end, nobody knows.
            let len = if ends { at.saturating_add(1).min(stored.len()) } else { stored.len() };
            let full = full.then_some(most);
            undecodable::<C, O>(obs, (start, start.saturating_add(len)), decoded.err(), full);
            Err(at)
        }
    }
}

/// Why bytes cannot be decoded: they are damaged, or there would be more than `most`.
#[cold]
#[inline(never)]
fn undecodable<C: Codec, O: Observer>(
    obs: &mut O,
    (start, end): (usize, usize),
    error: Option<CodecError>,
    most: Option<u64>,
) {
    let problem = |code, at, what, expected, found| Problem {
        code,
        class: Class::Malformed,
        start: at,
        end,
        what,
        expected,
        found,
    };
    let name = C::NAME;
    match (most, error) {
        (Some(most), _) if most < C::LIMIT => {
            let what = format_args!(
                "the bytes decode to more than the budget of the walk pays for, by {name}"
            );
            obs.fail(&problem("budget", start, what, Show::Uint(most), Show::Nothing));
            obs.limits().set_spent();
        }
        (Some(most), _) => {
            let what = format_args!("the bytes decode to more than the limit of {name}");
            obs.fail(&problem("limit", start, what, Show::Uint(most), Show::Nothing));
        }
        (None, error) => {
            let error = error.unwrap_or_else(|| {
                CodecError::at(usize::MAX, "it claims more bytes than there are")
            });
            let what = format_args!("the bytes cannot be decoded by {name}: {}", error.what);
            let at = start.saturating_add(error.at).min(end);
            obs.fail(&problem("codec", at, what, error.expected, error.found));
        }
    }
}

/// Bytes behind the coded ones.
fn behind(start: usize, end: usize) -> Problem<'static> {
    Problem {
        code: "trailing",
        class: Class::Invalid,
        start,
        end,
        what: format_args!("bytes follow the coded ones that belong to nothing"),
        expected: Show::Uint(0),
        found: Show::Uint(wide(end.saturating_sub(start))),
    }
}

/// How many of the coded bytes decode to exactly these ones; `None` if they decode to others.
fn decodes_to<C: Codec>(codec: &C, stored: &[u8], decoded: &[u8]) -> Option<usize> {
    let mut out = Output::same(decoded);
    let used = codec.decode(stored, &mut out).ok()?;
    (out.is_same() && used <= stored.len()).then_some(used)
}

/// Whether these are coded bytes of `decoded` with what lies `behind` them.
fn is_coded<C: Codec>(codec: &C, stored: &[u8], behind: &[u8], decoded: &[u8]) -> bool {
    let used = stored.len().checked_sub(behind.len());
    used.is_some() && decodes_to(codec, stored, decoded) == used
}

/// Coded bytes of a value, with those that lay behind the old ones.
fn encode<C: Codec>(
    codec: &C,
    behind: &[u8],
    decoded: &[u8],
    out: &mut Writer<'_>,
) -> Result<Vec<u8>, Fault> {
    let name = C::NAME;
    if wide(decoded.len()) > C::LIMIT {
        let what = format_args!("the value has more decoded bytes than the limit of {name}");
        let (most, found) = (Show::Uint(C::LIMIT), Show::Uint(wide(decoded.len())));
        return Err(out.fail("limit", what, most, found));
    }
    let mut stored = Vec::new();
    if let Err(error) = codec.encode(decoded, &mut stored) {
        let what = format_args!("the value cannot be encoded by {name}: {}", error.what);
        return Err(out.fail("codec", what, error.expected, error.found));
    }
    stored.extend_from_slice(behind);
    if is_coded(codec, &stored, behind, decoded) {
        return Ok(stored);
    }
    let what = format_args!("what {name} makes of the value does not decode to the same bytes");
    Err(out.fail("codec", what, Show::Nothing, Show::Nothing))
}

impl<'a, C: WithoutArguments, A: Copy, T> DefaultArgs<'a> for Encoded<C, T>
where
    T: for<'b> DefaultArgs<'b> + for<'b> Wire<'b, Args = A>,
{
    fn default_args() -> (C, A) {
        (C::default(), <T as DefaultArgs<'a>>::default_args())
    }
}

impl<C, T> From<T> for Encoded<C, T> {
    fn from(value: T) -> Self {
        Self::new(value)
    }
}

impl<C, T: Default> Default for Encoded<C, T> {
    fn default() -> Self {
        Self::new(T::default())
    }
}

impl<C, T> Deref for Encoded<C, T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

impl<C, T> DerefMut for Encoded<C, T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.value
    }
}

impl<C, T: Clone> Clone for Encoded<C, T> {
    fn clone(&self) -> Self {
        Self { value: self.value.clone(), read: self.read.clone(), codec: PhantomData }
    }
}

impl<C, T: PartialEq> PartialEq for Encoded<C, T> {
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value && self.behind() == other.behind()
    }
}

impl<C, T: Eq> Eq for Encoded<C, T> {}

impl<C, T: fmt::Debug> fmt::Debug for Encoded<C, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Encoded").field(&self.value).finish()
    }
}
