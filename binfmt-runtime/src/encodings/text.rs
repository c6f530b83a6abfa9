//! Numbers as text of a fixed width.
//!
//! All read the same: spaces in front, spaces and NULs behind, and no digit at all, which is 0. They differ
//! in what a new number is. Other bytes that say the same number are `canonical`, and kept as they are while
//! the number stays.

use super::width;
use crate::coded::{Decoded, Encoding, Undecodable};

/// Octal digits as text in `N` bytes, as in the headers of TAR: zeros in front, and a NUL behind.
///
/// `N` is 2 to 16, and a number has at most 64 bits. A new one has `N - 1` digits and the NUL. A reader takes
/// what tools write beside that: spaces in front, spaces and NULs behind, nothing behind, and no digit at
/// all, which is 0. Other bytes that say the same number are `canonical`, and kept as they are while the
/// number stays. Digits of another base, which GNU tar writes of large numbers, are none.
///
/// In 4 bytes, 15 is `"017\0"`; `" 17 "` and `"0017"` are other forms of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Octal<const N: usize>;

/// Digits of a base as text in `N` bytes, with zeros in front, as in the headers of `cpio`.
///
/// `BASE` is 2 to 16, `N` is 1 to 16, and a number has at most 64 bits. A new one has `N` digits, of which those
/// above 9 are upper-case letters. A reader takes lower-case ones, too, spaces in front, spaces and NULs behind,
/// and no digit at all, which is 0. Other bytes that say the same number are `canonical`, and kept as they are
/// while the number stays.
///
/// As a `ZeroFilled<16, 8>`, 420 is `"000001A4"`; `"000001a4"` and `"1A4     "` are other forms of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ZeroFilled<const BASE: u64, const N: usize>;

/// Digits of a base as text in `N` bytes, with spaces behind, as in the headers of `ar`.
///
/// `BASE` is 2 to 16, `N` is 1 to 16, and a number has at most 64 bits. A new one has as many digits as it
/// needs, of which those above 9 are upper-case letters. A reader takes lower-case ones, too, zeros and spaces in
/// front, NULs behind, and no digit at all, which is 0. Other bytes that say the same number are `canonical`,
/// and kept as they are while the number stays.
///
/// As a `SpaceFilled<10, 6>`, 420 is `"420   "`; `"   420"` and `"000420"` are other forms of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SpaceFilled<const BASE: u64, const N: usize>;

/// A number as text of a fixed width is read, and other forms of it are kept, whatever a new one is.
macro_rules! text {
    ($(($($param:ident: $ty:ty),*) $name:ident<$($arg:ident),*>, $text:literal, $base:expr, $put:ident;)*) => { $(
        impl<$(const $param: $ty),*> Encoding for $name<$($arg),*> {
            type Wide = u64;
            /// The bytes as they are stored.
            type Form = Option<[u8; N]>;

            const NAME: &'static str = $text;
            const FORM: Option<[u8; N]> = None;
            const LEAST: usize = N;
            const MOST: u8 = width::<N>();

            fn decode(bytes: &[u8]) -> Result<Decoded<Self>, Undecodable> {
                let stored = bytes.first_chunk::<N>().ok_or(Undecodable::Short)?;
                match number(stored, const { base($base) }) {
                    Some(number) => Ok(Decoded { number, len: Self::MOST, form: Some(*stored) }),
                    None => Err(Undecodable::Malformed(Self::MOST)),
                }
            }

            fn encode(value: u64, stored: Option<[u8; N]>, bytes: &mut [u8; 16]) -> Option<u8> {
                let bytes = bytes.first_chunk_mut::<N>()?;
                let kept = stored.filter(|stored| number(stored, $base) == Some(value));
                let Some(stored) = kept else {
                    return $put(value, $base, bytes).map(|()| Self::MOST);
                };
                *bytes = stored;
                Some(Self::MOST)
            }
        }
    )* };
}

text! {
    (N: usize) Octal<N>, "Octal", 8, put_ended;
    (BASE: u64, N: usize) ZeroFilled<BASE, N>, "ZeroFilled", BASE, put_zero_filled;
    (BASE: u64, N: usize) SpaceFilled<BASE, N>, "SpaceFilled", BASE, put_space_filled;
}

/// A base for which there are digits.
const fn base(base: u64) -> u64 {
    assert!(base >= 2 && base <= 16, "a base is 2 to 16");
    base
}

/// The number that a text is.
fn number(text: &[u8], base: u64) -> Option<u64> {
    let from = text.iter().position(|byte| *byte != b' ').unwrap_or(text.len());
    let text = text.get(from..).unwrap_or_default();
    let to = text.iter().rposition(|byte| !matches!(byte, b' ' | 0));
    let digits = to.and_then(|to| text.get(..=to)).unwrap_or_default();
    digits.iter().try_fold(0_u64, |number, digit| {
        let digit = char::from(*digit).to_digit(16).map(u64::from)?;
        number.checked_mul(base)?.checked_add(Some(digit).filter(|digit| *digit < base)?)
    })
}

/// A NUL behind digits.
fn put_ended(value: u64, base: u64, bytes: &mut [u8]) -> Option<()> {
    let (end, digits) = bytes.split_last_mut()?;
    *end = 0;
    put_zero_filled(value, base, digits)
}

/// Digits with zeros in front.
fn put_zero_filled(value: u64, base: u64, bytes: &mut [u8]) -> Option<()> {
    let mut rest = value;
    for byte in bytes.iter_mut().rev() {
        let digit = u32::try_from(rest.checked_rem(base)?).ok()?;
        let digit = char::from_digit(digit, 16)?.to_ascii_uppercase();
        *byte = u8::try_from(digit).ok()?;
        rest = rest.checked_div(base)?;
    }
    (rest == 0).then_some(())
}

/// Digits with spaces behind.
fn put_space_filled(value: u64, base: u64, bytes: &mut [u8]) -> Option<()> {
    let len = value.checked_ilog(base).map_or(Some(1), |last| last.checked_add(1))?;
    let (digits, spaces) = bytes.split_at_mut_checked(usize::try_from(len).ok()?)?;
    spaces.fill(b' ');
    put_zero_filled(value, base, digits)
}
