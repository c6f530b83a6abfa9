//! Checksums: digests over bytes of a value, some of which count as zeros or are left out.

mod of_file;
mod sums;

pub(crate) use of_file::SumOfFile;
pub use of_file::{blank_of_file, verify_file};
pub use sums::{ByteSum, WordSum};

use crate::Order;
use crate::finding::{Class, Fault, Problem, Severity, Show};
use crate::observe::Observer;
use crate::ops::wide;
use crate::walk::Claim;
use crate::writer::{Hole, Writer};

/// An algorithm that turns bytes into a checksum; the type that `checksum(T, ..)` names.
///
/// ```
/// use binfmt_runtime::{BinFormat, Digest};
///
/// /// The last byte of Intel HEX records: all bytes add up to 0.
/// #[derive(Default)]
/// struct ToZero(u8);
///
/// impl Digest for ToZero {
///     type Sum = u8;
///
///     fn update(&mut self, bytes: &[u8]) {
///         self.0 = bytes.iter().fold(self.0, |sum, byte| sum.wrapping_add(*byte));
///     }
///
///     fn finish(self) -> u8 {
///         self.0.wrapping_neg()
///     }
/// }
///
/// #[derive(BinFormat)]
/// struct Pair {
///     a: u8,
///     b: u8,
///     #[bin(checksum(ToZero, over = a..=b))]
///     sum: u8,
/// }
///
/// assert_eq!(Pair { a: 1, b: 2, sum: 0 }.to_vec()?, [1, 2, 0xfd]);
/// assert_eq!(Pair::validate(&[1, 2, 3]).findings()[0].code, "checksum");
/// # Ok::<(), binfmt_runtime::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not compute checksums",
    label = "needs `Digest`",
    note = "use `Crc32`, `Adler32`, `ByteSum` or `WordSum` of the runtime, or implement `Digest` for `{Self}`"
)]
pub trait Digest: Default {
    /// What comes out: an unsigned integer or an array of bytes, in the type of the field.
    type Sum: Sum;

    /// Takes the next bytes.
    fn update(&mut self, bytes: &[u8]);

    /// The checksum of all bytes taken.
    fn finish(self) -> Self::Sum;
}

/// What a checksum is stored as: `u8` to `u64`, or an array of bytes.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be compared as a checksum",
    note = "a digest gives a `u8`, `u16`, `u32`, `u64` or an array of bytes"
)]
pub trait Sum: Copy + PartialEq {
    /// What stands for a checksum that is not computed.
    const ZERO: Self;

    /// The checksum as an error shows it.
    fn show(&self) -> Show;

    /// Gives `then` the checksum as it is stored.
    #[doc(hidden)]
    fn with_bytes<R>(self, order: Order, then: &mut dyn FnMut(&[u8]) -> R) -> R;
}

/// A field, or a number of an item, that keeps a checksum.
#[diagnostic::on_unimplemented(
    message = "the checksum is a `{S}`, and a `{Self}` cannot keep it",
    label = "is a `{Self}`",
    note = "give the field, or the number of the item, the type of the checksum"
)]
pub trait Keeps<S>: Copy {
    /// The checksum that it keeps.
    fn kept(&mut self) -> &mut S;

    /// It with that checksum.
    fn keeping(sum: S) -> Self;
}

impl<const N: usize> Keeps<[u8; N]> for [u8; N] {
    fn kept(&mut self) -> &mut [u8; N] {
        self
    }

    fn keeping(sum: [u8; N]) -> Self {
        sum
    }
}

/// The checksum of what a field holds, and the other way round.
pub type Kept<T, S> = (fn(S) -> T, fn(T) -> S);

/// How a field keeps a checksum. Readers and writers ask for it in one place of the declaration, so that one
/// that cannot is told of once.
#[inline(always)]
pub fn kept<D: Digest<Sum = T>, T: Sum, S: Keeps<T>>() -> Kept<T, S> {
    (|mut stored| *stored.kept(), S::keeping)
}

macro_rules! sums {
    ($($int:ty)*) => {
        $(impl Sum for $int {
            const ZERO: Self = 0;

            fn show(&self) -> Show {
                Show::Hex(u64::from(*self))
            }

            fn with_bytes<R>(self, order: Order, then: &mut dyn FnMut(&[u8]) -> R) -> R {
                then(&match order {
                    Order::Little => self.to_le_bytes(),
                    Order::Big => self.to_be_bytes(),
                })
            }
        }

        impl Keeps<$int> for $int {
            fn kept(&mut self) -> &mut $int {
                self
            }

            fn keeping(sum: $int) -> Self {
                sum
            }
        })*
    };
}

sums!(u8 u16 u32 u64);

impl<const N: usize> Sum for [u8; N] {
    const ZERO: Self = [0; N];

    fn show(&self) -> Show {
        Show::bytes(self)
    }

    fn with_bytes<R>(self, _order: Order, then: &mut dyn FnMut(&[u8]) -> R) -> R {
        then(&self)
    }
}

/// CRC-32 of zip, gzip and PNG.
#[cfg(feature = "crc32")]
#[derive(Clone, Debug, Default)]
pub struct Crc32(crc32fast::Hasher);

#[cfg(feature = "crc32")]
impl Digest for Crc32 {
    type Sum = u32;

    fn update(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    fn finish(self) -> u32 {
        self.0.finalize()
    }
}

/// Adler-32 of zlib.
#[cfg(feature = "adler32")]
#[derive(Clone, Copy, Debug, Default)]
pub struct Adler32(adler2::Adler32);

#[cfg(feature = "adler32")]
impl Digest for Adler32 {
    type Sum = u32;

    fn update(&mut self, bytes: &[u8]) {
        self.0.write_slice(bytes);
    }

    fn finish(self) -> u32 {
        self.0.checksum()
    }
}

/// What a part of the covered bytes counts as, in place of what it is.
#[derive(Clone, Copy)]
enum CountsAs {
    Zeros,
    Nothing,
}

/// Such a part: what it counts as, and where it lies.
type Part = (CountsAs, (u64, u64));

fn zeros(range: (u64, u64)) -> Part {
    (CountsAs::Zeros, range)
}

fn left_out(range: (u64, u64)) -> Part {
    (CountsAs::Nothing, range)
}

/// Digests the bytes of a range, of which some parts count as something else; where these overlap, as the
/// first says.
fn digest<D: Digest>(
    bytes: &[u8],
    range: (u64, u64),
    parts: &(impl Iterator<Item = Part> + Clone),
) -> D::Sum {
    let mut digest = D::default();
    let mut at = range.0;
    while at < range.1 {
        let inside = parts.clone().find(|(_, part)| part.0 <= at && at < part.1);
        let end = match inside {
            Some((_, part)) => part.1,
            // Up to the next part.
            None => {
                let next = parts.clone().filter(|(_, part)| part.0 > at && part.1 > part.0);
                next.map(|(_, part)| part.0).min().unwrap_or(range.1)
            }
        };
        let end = end.min(range.1);
        let index = |at: u64| usize::try_from(at.saturating_sub(range.0)).unwrap_or(usize::MAX);
        let bytes = bytes.get(index(at)..index(end)).unwrap_or_default();
        match inside {
            Some((CountsAs::Zeros, _)) => zeroes(&mut |bytes| digest.update(bytes), bytes.len()),
            Some((CountsAs::Nothing, _)) => {}
            None => digest.update(bytes),
        }
        at = end;
    }
    digest.finish()
}

/// Feeds `len` zero bytes.
fn zeroes(feed: &mut dyn FnMut(&[u8]), len: usize) {
    let block = [0_u8; 64];
    let mut left = len;
    while left > 0 {
        let chunk = block.get(..left).unwrap_or(&block);
        feed(chunk);
        left = left.saturating_sub(chunk.len());
    }
}

/// The checksum of a range of a file.
#[cfg(feature = "alloc")]
pub(crate) fn of_bytes<D: Digest>(
    file: &[u8],
    range: (usize, usize),
    zero: Option<(usize, usize)>,
) -> D::Sum {
    let bytes = file.get(range.0..range.1).unwrap_or_default();
    let zero = zero.map(|zero| (wide(zero.0), wide(zero.1)));
    digest::<D>(bytes, (wide(range.0), wide(range.1)), &zero.iter().copied().map(zeros))
}

/// The checksum of a range of what has been written, all of which is kept.
#[cfg(feature = "alloc")]
pub(crate) fn of_range<D: Digest>(
    out: &mut Writer<'_>,
    (from, to): (u64, u64),
) -> Result<Option<D::Sum>, Fault> {
    if from == to {
        return Ok(Some(D::default().finish()));
    }
    let bytes = out.range(from, to)?;
    Ok(bytes.map(|bytes| digest::<D>(bytes, (from, to), &core::iter::empty())))
}

/// Whether the budget pays for the checksum of a range.
pub(crate) fn pays<O: Observer>(obs: &mut O, range: (usize, usize)) -> bool {
    let mut limits = obs.aside();
    // A digest takes eight bytes where a walk takes one; and values nest 64 deep, each of which may
    // have a checksum over all inside it.
    let paid = limits.spend(wide(range.1.saturating_sub(range.0)) >> 3);
    obs.set_aside(limits);
    paid.is_some()
}

/// The ranges that count as zeros, and those that are left out.
pub type Parts<'a, T> = (&'a [(T, T)], &'a [(T, T)]);

/// Tells of a stored checksum that is not that of the bytes.
pub fn verify<D: Digest<Sum = S>, S: Sum, O: Observer>(
    obs: &mut O,
    claim: Claim,
    file: &[u8],
    range: (usize, usize),
    (zero, except): Parts<'_, usize>,
    stored: S,
) {
    if !pays(obs, range) {
        return crate::place::looked_too_long(obs, claim, "checksum");
    }
    let bytes = file.get(range.0..range.1).unwrap_or_default();
    // What covers the file is computed last, and counts as zeros in all else.
    let of_file = obs.sum_of_file();
    let wide = |range: &(usize, usize)| (wide(range.0), wide(range.1));
    let zero = zero.iter().chain(of_file.as_ref()).map(wide).map(zeros);
    let parts = except.iter().map(wide).map(left_out).chain(zero);
    let computed = digest::<D>(bytes, wide(&range), &parts);
    if computed != stored {
        let what = format_args!("this is not the checksum of {:#x}..{:#x}", range.0, range.1);
        disagree(obs, claim, what, computed.show(), stored.show());
    }
}

#[cold]
fn disagree<O: Observer>(
    obs: &mut O,
    claim: Claim,
    what: core::fmt::Arguments<'_>,
    expected: Show,
    found: Show,
) {
    let depth = obs.depth();
    obs.reopen(claim.layout, claim.field);
    obs.note(
        Severity::Error,
        &Problem {
            code: "checksum",
            class: Class::Invalid,
            start: claim.span.0,
            end: claim.span.1,
            what,
            expected,
            found,
        },
    );
    obs.close(depth);
}

/// The checksum of bytes, all of which are at hand.
pub fn of_all<D: Digest>(bytes: &[u8]) -> D::Sum {
    let mut digest = D::default();
    digest.update(bytes);
    digest.finish()
}

/// Tells of a stored checksum that is not `computed` of what a field decodes to; a field that is
/// absent decodes to nothing.
pub fn verify_decoded<D: Digest<Sum = S>, S: Sum, O: Observer>(
    obs: &mut O,
    claim: Claim,
    of: &'static str,
    computed: Option<S>,
    stored: S,
) {
    let computed = computed.unwrap_or_else(|| of_all::<D>(&[]));
    if computed != stored {
        let what = format_args!("this is not the checksum of what `{of}` decodes to");
        disagree(obs, claim, what, computed.show(), stored.show());
    }
}

/// Stores a checksum that is known in its place.
pub fn store<D: Digest<Sum = S>, S: Sum>(
    out: &mut Writer<'_>,
    hole: Hole,
    computed: Option<S>,
    order: Order,
) -> Result<S, Fault> {
    let sum = computed.unwrap_or_else(|| of_all::<D>(&[]));
    sum.with_bytes(order, &mut |bytes| out.patch(hole.at, bytes))?;
    Ok(sum)
}

/// Keeps the place of a checksum.
pub fn blank<S: Sum>(out: &mut Writer<'_>) -> Result<Hole, Fault> {
    out.blank(size_of::<S>())
}

/// Computes the checksum of a range of what has been written, and stores it in its place; zero where
/// nothing is kept.
pub fn compute<D: Digest<Sum = S>, S: Sum>(
    out: &mut Writer<'_>,
    hole: Hole,
    range: (u64, u64),
    (zero, except): Parts<'_, u64>,
    order: Order,
) -> Result<S, Fault> {
    let Some(bytes) = out.range(range.0, range.1)? else { return Ok(S::ZERO) };
    let parts = except.iter().copied().map(left_out);
    let parts = parts.chain(zero.iter().copied().map(zeros));
    let sum = digest::<D>(bytes, range, &parts);
    sum.with_bytes(order, &mut |bytes| out.patch(hole.at, bytes))?;
    Ok(sum)
}
