//! Ready [encodings](crate::Encoding) of numbers: what `Coded<E, u32>` takes for `E`.
//!
//! | encoding | bytes | numbers | formats that have it |
//! |---|---|---|---|
//! | [`Leb`], [`SignedLeb`] as [`Leb128<T>`](crate::Leb128) | 1 to 10, seven bits each, the lowest first | 64 bits | DWARF, Wasm, Protocol Buffers |
//! | [`Zigzag`] | the same, with the sign in the lowest bit | 64 bits, signed | Protocol Buffers (`sint64`), Avro |
//! | [`Vlq<N>`](Vlq) | 1 to `N`, seven bits each, the highest first | `7 * N` bits, 64 at most | MIDI (`Vlq<4>`), object identifiers of ASN.1, Git packs |
//! | [`Vlq9`] | 1 to 9, the same, and eight bits in the ninth | 64 bits | `SQLite` |
//! | [`DerLen`] | 1, or one that counts the 1 to 8 behind it | 64 bits | lengths of DER and BER |
//! | [`Quic`] | 1, 2, 4 or 8, as the highest two bits say | 62 bits | QUIC, HTTP/3 |
//! | [`Octal<N>`](Octal) | `N`: octal digits and a NUL | `3 * (N - 1)` bits in new ones | TAR |
//! | [`ZeroFilled<BASE, N>`](ZeroFilled) | `N`: digits of a base, zeros in front | `N` digits, 64 bits at most | `cpio` (`ZeroFilled<16, 8>`, and `ZeroFilled<8, 6>` in old ones) |
//! | [`SpaceFilled<BASE, N>`](SpaceFilled) | `N`: digits of a base, spaces behind | the same | `ar` (`SpaceFilled<10, 10>`, `SpaceFilled<8, 8>`) |
//! | [`Bcd<N>`](Bcd) | `N`: two decimal digits each, the higher one first | `2 * N` digits | clocks, cards, telephony |
//!
//! A reader accepts what an encoding can say, also in more bytes than a number needs. Such a form is a
//! warning of a validator, and kept when the file is written again: `overlong` where a new number would be
//! shorter, `canonical` where it would be other bytes of that length. In an `Auto` and a `prefix` nothing is
//! kept, and both are `canonical`. Bytes that are no number stop a reader with `value`, or with `end` where
//! the file ends inside one, and a number that an encoding has not is refused by the writer with `overflow`.
//!
//! Nothing here needs memory or the standard library. [`Encoding`](crate::Encoding) has an example of one
//! that is written by hand.
//!
//! ```
//! use binfmt_runtime::encodings::{Octal, Vlq};
//! use binfmt_runtime::{Auto, BinFormat, Coded};
//!
//! #[derive(BinFormat, Debug, PartialEq)]
//! struct Note {
//!     mode: Coded<Octal<8>, u32>,
//!     len: Auto<Coded<Vlq<4>, u32>>,
//!     #[bin(len = len)]
//!     text: String,
//! }
//!
//! let note = Note { mode: Coded::new(0o644), len: Auto::new(), text: "x".repeat(200) };
//! let bytes = note.to_vec()?;
//! assert_eq!(bytes[..11], *b"0000644\0\x81\x48x");
//! assert_eq!(Note::parse(&bytes)?, note);
//!
//! // One byte more than the number needs: a length that is computed is written anew.
//! let longer = b"0000644\0\x80\x01x";
//! assert_eq!(Note::validate(longer).findings()[0].code, "canonical");
//! assert_eq!(Note::parse(longer)?.to_vec()?, *b"0000644\0\x01x");
//! # Ok::<(), binfmt_runtime::Error>(())
//! ```

mod bcd;
mod der;
mod leb;
mod quic;
mod text;
mod vlq;
mod zigzag;

pub use bcd::Bcd;
pub use der::DerLen;
pub use leb::{Leb, Leb128, SignedLeb};
pub use quic::Quic;
pub use text::{Octal, SpaceFilled, ZeroFilled};
pub use vlq::{Vlq, Vlq9};
pub use zigzag::Zigzag;

/// The width of an encoding of `N` bytes.
const fn width<const N: usize>() -> u8 {
    assert!(N > 0 && N <= 16, "a number has 1 to 16 bytes");
    N.to_le_bytes()[0]
}

/// Writes the lowest bytes of a number, the highest of them first, into all of `bytes`.
fn put_big(number: u64, bytes: &mut [u8]) {
    for (byte, bits) in bytes.iter_mut().rev().zip(number.to_le_bytes()) {
        *byte = bits;
    }
}

/// The number that bytes are, the highest first.
fn big(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0, |number, byte| number << 8 | u64::from(*byte))
}
