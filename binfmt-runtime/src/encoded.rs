//! Values in coded bytes: compressed, ciphered, or written in another alphabet.

mod codec;
mod coding;
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
use self::coding::{behind, decode, encode, is_coded};
#[cfg(feature = "deflate")]
pub use self::deflate::{Deflate, Zlib};
pub use self::ending::{Ending, emit_ending, ends_itself};
pub(crate) use self::kept::Kept;
pub use self::output::Output;
pub use self::xor::Xor;
use crate::finding::{Fault, Severity};
use crate::layout::{Layout, Shape};
use crate::observe::Observer;
use crate::ops::wide;
use crate::union::{Tagged, TaggedBy};
use crate::value::Value;
use crate::writer::Writer;
use crate::{Cursor, DefaultArgs, Fill, Wire, layout, seq, stack};

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

/// What the walk over a coded value takes, with what is decoded: a writer was seen to take some 64 KiB without
/// optimization, for that is written as an output of its own. Such values nest some twenty levels deep; levels
/// without one around them do not pay for it.
const fn level<'a, T: Wire<'a>>() -> usize {
    stack::of::<T>().saturating_add(58 << 10)
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
    #[inline(always)]
    fn read<'a, A: Copy, O: Observer>(
        cur: &mut Cursor<'a>,
        obs: &mut O,
        (codec, args): (C, A),
        ends: bool,
    ) -> Result<Self, Fault>
    where
        T: for<'b> Wire<'b, Args = A>,
    {
        let level = const { level::<T>() };
        if obs.limits().descend_by(level).is_none() {
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
            obs.limits().ascend_by(level);
            return Err(Fault::at(start));
        };
        let mut inner = Cursor::new(&bytes);
        (inner.order, inner.fill) = (order, Fill::Exact);
        let outer = obs.limits().enter_decoded(bytes.len());
        let value = obs.decoded::<T>(&mut inner, args, start);
        obs.limits().leave_decoded(outer);
        obs.limits().ascend_by(level);
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
    #[inline(always)]
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
        let outer = out.descend(level::<T>())?;
        let decoded = out.decoded(&(&self.value, args), self.place(), size_of::<A>() > 0)?;
        out.ascend(outer);
        out.note_decoded(wide(decoded.len()));
        if out.is_located() {
            out.trace_bytes(&decoded);
        }
        self.put_coded(out, &codec, &decoded, ends)?;
        if keeps {
            out.put_decoded(decoded);
        }
        Ok(())
    }

    /// Its address and size: a value may lie where one in it begins.
    fn place(&self) -> (usize, usize) {
        (core::ptr::from_ref(self).addr(), size_of::<Self>())
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
        // As long as numbers are missing in it, what was read tells best how long it will be.
        if let Some(read) = self.read.as_ref().filter(|_| out.is_blank()) {
            return out.put(&read.bytes);
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
        let place = self.place();
        let stored = match out.take_coded(place) {
            Some(stored) if fits(&stored, self.behind()) => stored,
            _ => {
                let Some(stored) = encode(codec, self.behind(), decoded, out)? else {
                    // Most codecs that take a key change no length.
                    return out.repeat(0, wide(decoded.len()));
                };
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

impl<C, T: Tagged> Tagged for Encoded<C, T> {
    fn tag(&self) -> u64 {
        self.value.tag()
    }
}

impl<C, T: TaggedBy> TaggedBy for Encoded<C, T> {
    type Tag = T::Tag;

    fn tag_by(&self) -> T::Tag {
        self.value.tag_by()
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
