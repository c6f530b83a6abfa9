//! WAV sounds: sized chunks inside sized chunks, padded to even lengths.
//!
//! The file was written by libsndfile: a title, and five samples, which is an odd number.

use binfmt_runtime::{Auto, BinFormat, Seq};

/// A RIFF file that holds a sound.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little, magic = b"RIFF", len = size + 8)]
pub(crate) struct Wav<'a> {
    /// Length of what follows it.
    size: Auto<u32>,
    #[bin(one_of = [b"WAVE"])]
    form: [u8; 4],
    #[bin(until_end)]
    pub(crate) chunks: Seq<'a, Chunk<'a>>,
}

/// The chunks of a sound; unknown ones are kept.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
pub(crate) enum Chunk<'a> {
    #[bin(magic = b"fmt ")]
    Format(Format<'a>),
    #[bin(magic = b"LIST")]
    List(List<'a>),
    #[bin(magic = b"data")]
    Samples(Samples<'a>),
    Other(Tagged<'a>),
}

/// How samples are stored.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little, len = size + 4, align_after = 2)]
pub(crate) struct Format<'a> {
    size: Auto<u32>,
    /// 1 for plain numbers.
    pub(crate) codec: u16,
    #[bin(check(channels > 0, "a sound has at least one channel"))]
    pub(crate) channels: u16,
    pub(crate) rate: u32,
    pub(crate) byte_rate: u32,
    #[bin(warn(byte_rate == rate * block_len, "{byte_rate} bytes a second for {block_len} a sample"))]
    pub(crate) block_len: u16,
    pub(crate) bits: u16,
    /// What other codecs need to know.
    #[bin(until_end)]
    pub(crate) more: &'a [u8],
}

/// A list of chunks, such as title and artist.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little, len = size + 4, align_after = 2)]
pub(crate) struct List<'a> {
    size: Auto<u32>,
    /// `INFO`, for one.
    pub(crate) kind: [u8; 4],
    #[bin(until_end)]
    pub(crate) chunks: Seq<'a, Tagged<'a>>,
}

/// The samples, one channel after the other.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
pub(crate) struct Samples<'a> {
    size: Auto<u32>,
    #[bin(len = size, align_after = 2)]
    pub(crate) bytes: &'a [u8],
}

/// A chunk of any kind.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
pub(crate) struct Tagged<'a> {
    pub(crate) tag: [u8; 4],
    size: Auto<u32>,
    #[bin(len = size, align_after = 2)]
    pub(crate) bytes: &'a [u8],
}

pub(crate) const FILE: &[u8] = include_bytes!("files/libsndfile.wav");

fn main() -> std::process::ExitCode {
    binfmt_tool::main_or(&[binfmt_tool::format::<Wav<'_>>("wav")], show)
}

pub(crate) fn show() -> Result<(), Box<dyn std::error::Error>> {
    assert!(Wav::validate(FILE).findings().is_empty(), "{}", Wav::validate(FILE));
    let wav = Wav::parse(FILE)?;
    assert_eq!(wav.to_vec()?, FILE);
    print!("{}", Wav::inspect(FILE));

    // Fewer samples and a note: every length, that of the file too, and the padding follow.
    let mut chunks = wav.chunks.iter().collect::<Result<Vec<_>, _>>()?;
    for chunk in &mut chunks {
        if let Chunk::Samples(samples) = chunk {
            samples.bytes = &samples.bytes[..2];
        }
    }
    chunks.push(Chunk::Other(Tagged { tag: *b"note", size: Auto::new(), bytes: b"cut" }));
    let cut = Wav { chunks: Seq::from(&chunks[..]), ..wav }.to_vec()?;
    assert_eq!(cut.len(), FILE.len() - 4 + 12);
    assert!(Wav::validate(&cut).findings().is_empty());
    Ok(())
}
