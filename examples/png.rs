//! PNG pictures: chunks with checksums; those that nobody knows are kept.
//!
//! The file was written by Pillow.

use binfmt_runtime::{Auto, BinFormat, Crc32, Encoded, Seq, Zlib};

/// A picture: the signature, then chunks up to the end of the file.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(big, magic = b"\x89PNG\r\n\x1a\n", spec = "PNG, 5")]
pub(crate) struct Png<'a> {
    /// `IHDR` first, `IEND` last.
    #[bin(until_end)]
    pub(crate) chunks: Seq<'a, Chunk<'a>>,
}

/// One chunk, whatever it holds.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(big, spec = "PNG, 5.3")]
pub(crate) struct Chunk<'a> {
    length: Auto<u32>,
    /// Four letters; a small first one says that a reader may skip the chunk.
    #[bin(check(are_letters(kind), "the type is no four letters"))]
    pub(crate) kind: [u8; 4],
    #[bin(len = length, args(kind))]
    pub(crate) data: Data<'a>,
    /// CRC-32 of type and data; the writer computes it.
    #[bin(checksum(Crc32, over = kind..=data))]
    pub(crate) crc: u32,
}

/// What is in a chunk, by its type.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(big, tag = kind, args(kind: [u8; 4]))]
pub(crate) enum Data<'a> {
    #[bin(id = b"IHDR")]
    Header(Header),
    #[bin(id = b"tEXt")]
    Text(Text<'a>),
    #[bin(id = b"zTXt")]
    Compressed(Compressed),
    /// Pixels are one stream in all `IDAT` together, so no chunk can be decoded alone.
    #[bin(other)]
    Other([u8; 4], Bytes<'a>),
}

/// What is in `tEXt`, in Latin-1.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(spec = "PNG, 11.3.3.2")]
pub(crate) struct Text<'a> {
    #[bin(until = b'\0')]
    pub(crate) keyword: &'a [u8],
    #[bin(until_end)]
    pub(crate) text: &'a [u8],
}

/// What is in `zTXt`.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(spec = "PNG, 11.3.3.3")]
pub(crate) struct Compressed {
    #[bin(until = b'\0')]
    pub(crate) keyword: Vec<u8>,
    #[bin(one_of = [0])]
    pub(crate) method: u8,
    #[bin(until_end)]
    pub(crate) text: Encoded<Zlib, Latin1>,
}

/// A text, as it is when it is not compressed.
#[derive(BinFormat, Debug, Clone, PartialEq)]
pub(crate) struct Latin1 {
    #[bin(until_end)]
    pub(crate) text: Vec<u8>,
}

/// Whatever else there is.
#[derive(BinFormat, Debug, Clone, PartialEq)]
pub(crate) struct Bytes<'a> {
    #[bin(until_end)]
    pub(crate) bytes: &'a [u8],
}

/// What is in `IHDR`.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(big, spec = "PNG, 11.2.1")]
pub(crate) struct Header {
    #[bin(check(width > 0, "the picture has no width"))]
    pub(crate) width: u32,
    #[bin(check(height > 0, "the picture has no height"))]
    pub(crate) height: u32,
    #[bin(one_of = [1, 2, 4, 8, 16])]
    pub(crate) depth: u8,
    pub(crate) color: Color,
    #[bin(one_of = [0])]
    pub(crate) compression: u8,
    #[bin(one_of = [0])]
    pub(crate) filter: u8,
    #[bin(range = 0..=1)]
    pub(crate) interlace: u8,
}

/// How a pixel is stored.
#[derive(BinFormat, Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Color {
    Gray = 0,
    Rgb = 2,
    Palette = 3,
    GrayAlpha = 4,
    Rgba = 6,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "expressions pass arrays by reference")]
fn are_letters(kind: &[u8; 4]) -> bool {
    kind.iter().all(u8::is_ascii_alphabetic)
}

pub(crate) const FILE: &[u8] = include_bytes!("files/pillow.png");

fn main() -> std::process::ExitCode {
    binfmt_tool::main_or(&[binfmt_tool::format::<Png<'_>>("png")], show)
}

pub(crate) fn show() -> Result<(), Box<dyn std::error::Error>> {
    assert!(Png::validate(FILE).findings().is_empty());
    let png = Png::parse(FILE)?;
    assert_eq!(png.to_vec()?, FILE);

    for chunk in &png.chunks {
        let chunk = chunk?;
        println!("{} {:?}", String::from_utf8_lossy(&chunk.kind), chunk.data);
    }
    let first = png.chunks.get(0).ok_or("no chunk")??;
    let Data::Header(header) = first.data else { return Err("no header".into()) };
    assert_eq!((header.width, header.height, header.color), (8, 8, Color::Rgb));

    // Another comment, and a compressed one: lengths and checksums follow.
    let written = grown(&png)?;
    assert!(Png::validate(&written).findings().is_empty());

    // A flipped bit is found.
    let mut damaged = FILE.to_vec();
    damaged[110] ^= 1;
    println!("{}", Png::validate(&damaged));
    assert_eq!(Png::validate(&damaged).findings()[0].code, "checksum");
    Ok(())
}

/// A copy with a longer comment, and one more in front of the end.
pub(crate) fn grown(png: &Png<'_>) -> Result<Vec<u8>, binfmt_runtime::Error> {
    let mut chunks = png.chunks.iter().collect::<Result<Vec<_>, _>>()?;
    for chunk in &mut chunks {
        if let Data::Text(comment) = &mut chunk.data {
            comment.text = b"another one, which is longer";
        }
    }
    let text = Latin1 { text: b"a text that repeats itself. ".repeat(40) };
    let keyword = b"Description".to_vec();
    let data = Data::Compressed(Compressed { keyword, method: 0, text: text.into() });
    let compressed = Chunk { length: Auto::new(), kind: *b"zTXt", data, crc: 0 };
    chunks.insert(chunks.len() - 1, compressed);
    Png { chunks: Seq::from(&chunks[..]) }.to_vec()
}
