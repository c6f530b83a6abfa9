//! WAV sounds: sized chunks inside sized chunks, padded to even lengths.
//!
//! One file was written by libsndfile: a title, and five samples, which is an odd number. The other one,
//! by the module `wave` of Python, ends with an odd chunk that is not padded.

use binfmt_runtime::{Auto, BinFormat, DefaultArgs, Seq};

/// A RIFF file that holds a sound.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little, magic = b"RIFF", len = size + 8)]
pub(crate) struct Wav<'a> {
    /// Length of what follows it.
    size: Auto<u32>,
    #[bin(one_of = [b"WAVE"])]
    form: [u8; 4],
    #[bin(until_end, check(are_padded(chunks), "a byte of padding is missing between two chunks"))]
    pub(crate) chunks: Seq<'a, Padded<Chunk<'a>>>,
}

/// A chunk and, behind one of an odd length, a byte of padding, which many writers leave out at the end.
#[derive(BinFormat, Debug, Clone, PartialEq)]
pub(crate) struct Padded<T> {
    pub(crate) chunk: T,
    #[bin(optional, magic = b"\0", check(pad.is_none() || len(chunk) % 2 == 1, "an even chunk is padded"))]
    pub(crate) pad: Option<()>,
}

impl<'a, T: BinFormat<'a> + DefaultArgs<'a>> Padded<T> {
    /// A chunk with the byte of padding that it needs.
    pub(crate) fn new(chunk: T) -> Self {
        let pad = is_odd(&chunk).then_some(());
        Self { chunk, pad }
    }
}

/// Whether a chunk ends in front of an odd byte.
fn is_odd<'a, T: BinFormat<'a> + DefaultArgs<'a>>(chunk: &T) -> bool {
    chunk.encoded_len().is_ok_and(|len| len % 2 == 1)
}

/// Whether every chunk in front of another one ends on an even byte.
fn are_padded<'a, T>(chunks: &Seq<'a, Padded<T>>) -> bool
where
    T: BinFormat<'a> + DefaultArgs<'a> + Clone,
{
    let mut before = true;
    chunks.iter().flatten().all(|Padded { chunk, pad }| {
        std::mem::replace(&mut before, pad.is_some() || !is_odd(&chunk))
    })
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
#[bin(little, len = size + 4)]
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
#[bin(little, len = size + 4)]
pub(crate) struct List<'a> {
    size: Auto<u32>,
    /// `INFO`, for one.
    pub(crate) kind: [u8; 4],
    #[bin(until_end, check(are_padded(chunks), "a byte of padding is missing between two chunks"))]
    pub(crate) chunks: Seq<'a, Padded<Tagged<'a>>>,
}

/// The samples, one channel after the other.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
pub(crate) struct Samples<'a> {
    size: Auto<u32>,
    #[bin(len = size)]
    pub(crate) bytes: &'a [u8],
}

/// A chunk of any kind.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
pub(crate) struct Tagged<'a> {
    pub(crate) tag: [u8; 4],
    size: Auto<u32>,
    #[bin(len = size)]
    pub(crate) bytes: &'a [u8],
}

pub(crate) const FILE: &[u8] = include_bytes!("files/libsndfile.wav");
pub(crate) const UNPADDED: &[u8] = include_bytes!("files/python.wav");

fn main() -> std::process::ExitCode {
    binfmt_tool::main_or(&[binfmt_tool::format::<Wav<'_>>("wav")], show)
}

pub(crate) fn show() -> Result<(), Box<dyn std::error::Error>> {
    for file in [FILE, UNPADDED] {
        assert!(Wav::validate(file).findings().is_empty(), "{}", Wav::validate(file));
        assert_eq!(Wav::parse(file)?.to_vec()?, file);
    }
    print!("{}", Wav::inspect(FILE));

    // Fewer samples and a note: every length follows, that of the file too.
    let wav = Wav::parse(FILE)?;
    let mut chunks = wav.chunks.iter().collect::<Result<Vec<_>, _>>()?;
    for padded in &mut chunks {
        if let Chunk::Samples(samples) = &mut padded.chunk {
            let bytes = &samples.bytes[..2];
            *padded = Padded::new(Chunk::Samples(Samples { bytes, ..samples.clone() }));
        }
    }
    let note = Chunk::Other(Tagged { tag: *b"note", size: Auto::new(), bytes: b"cut" });
    chunks.push(Padded::new(note));
    let cut = Wav { chunks: Seq::from(&chunks[..]), ..wav }.to_vec()?;
    assert_eq!(cut.len(), FILE.len() - 4 + 12);
    assert!(Wav::validate(&cut).findings().is_empty());

    // Other samples keep the last chunk unpadded; in front of a note its padding must be there.
    assert_eq!(grown(&[1; 7], None)?.len(), UNPADDED.len() + 2);
    assert!(grown(&[1; 7], Some("in the way")).is_err());
    assert!(Wav::validate(&grown(&[1; 8], Some("behind"))?).findings().is_empty());
    Ok(())
}

/// The sound of Python with other samples, and with a note behind them.
pub(crate) fn grown(bytes: &[u8], note: Option<&str>) -> Result<Vec<u8>, binfmt_runtime::Error> {
    let wav = Wav::parse(UNPADDED)?;
    let mut chunks = wav.chunks.iter().collect::<Result<Vec<_>, _>>()?;
    for padded in &mut chunks {
        if let Chunk::Samples(samples) = &mut padded.chunk {
            samples.bytes = bytes;
        }
    }
    let note = note.map(|text| Tagged { tag: *b"note", size: Auto::new(), bytes: text.as_bytes() });
    chunks.extend(note.map(|note| Padded::new(Chunk::Other(note))));
    Wav { chunks: Seq::from(&chunks[..]), ..wav }.to_vec()
}
