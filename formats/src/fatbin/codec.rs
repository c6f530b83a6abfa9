//! The ways in which a payload is stored, and their undoing.

#[cfg(feature = "codecs")]
mod decode;
#[cfg(feature = "codecs")]
mod encode;
#[cfg(feature = "codecs")]
mod error;
#[cfg(feature = "codecs")]
#[cfg(test)]
mod tests;

use core::fmt;

#[cfg(feature = "codecs")]
pub use decode::{decode, decode_to};
#[cfg(feature = "codecs")]
pub use encode::encode;
#[cfg(feature = "codecs")]
pub use error::DecodeError;

/// How a payload is stored.
///
/// One flag bit of the entry says which; the payload itself cannot be asked, since an LZ4 block
/// has no magic. The enum is there without the feature `codecs` too, which only adds the decoders.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Codec {
    /// As it is: none of the flag bits of a codec is set.
    None,
    /// A zlib stream (RFC 1950), flag 0x1000.
    Zlib,
    /// A bare LZ4 block, flag 0x2000: no header, no lengths, no checksum.
    Lz4,
    /// An LZ4 frame, flag 0x4000.
    Lz4Frame,
    /// One or more zstd frames (RFC 8878), flag 0x8000.
    Zstd,
}

impl Codec {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::None, Self::Zlib, Self::Lz4, Self::Lz4Frame, Self::Zstd];

    /// The codec with that [name](Self::name).
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|codec| codec.name() == name)
    }

    /// The flag that entries have which are stored so; none for plain ones.
    pub const fn flag(self) -> super::Flags {
        match self {
            Self::None => super::Flags::empty(),
            Self::Zlib => super::Flags::ZLIB,
            Self::Lz4 => super::Flags::LZ4,
            Self::Lz4Frame => super::Flags::LZ4_FRAME,
            Self::Zstd => super::Flags::ZSTD,
        }
    }

    /// Returns the name that users see: `none`, `zlib`, `lz4`, `lz4-frame` or `zstd`.
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Zlib => "zlib",
            Self::Lz4 => "lz4",
            Self::Lz4Frame => "lz4-frame",
            Self::Zstd => "zstd",
        }
    }

    /// The most bytes that `stored` bytes can decode to: a header that claims more is wrong, whatever
    /// the payload.
    pub const fn most(self, stored: u64) -> u64 {
        match self {
            Self::None => stored,
            // A match of 258 bytes takes two bits at least.
            Self::Zlib => stored.saturating_mul(1032),
            // A byte lengthens a match by 255 at most.
            Self::Lz4 | Self::Lz4Frame => stored.saturating_mul(255).saturating_add(16),
            // A block of 128 KiB that repeats one byte takes four.
            Self::Zstd => stored.saturating_mul(1 << 15),
        }
    }
}

impl fmt::Display for Codec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
