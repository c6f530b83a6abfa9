//! PNG pictures: chunks with checksums; those that nobody knows are kept.
//!
//! The file was written by Pillow.

use binfmt_runtime::{Auto, BinFormat, Crc32, Seq};

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
    #[bin(len = length)]
    pub(crate) data: &'a [u8],
    /// CRC-32 of type and data; the writer computes it.
    #[bin(checksum(Crc32, over = kind..=data))]
    pub(crate) crc: u32,
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

    let mut chunks = png.chunks.iter().collect::<Result<Vec<_>, _>>()?;
    for chunk in &chunks {
        println!("{} {} bytes", String::from_utf8_lossy(&chunk.kind), chunk.data.len());
    }
    let header = Header::parse(chunks.first().ok_or("no chunk")?.data)?;
    assert_eq!((header.width, header.height, header.color), (8, 8, Color::Rgb));

    // Another comment: its length and its checksum follow.
    let comment = chunks.iter_mut().find(|chunk| chunk.kind == *b"tEXt").ok_or("no comment")?;
    comment.data = b"Comment\0another one";
    let written = Png { chunks: Seq::from(&chunks[..]) }.to_vec()?;
    assert!(Png::validate(&written).findings().is_empty());

    // A flipped bit is found.
    let mut damaged = FILE.to_vec();
    damaged[110] ^= 1;
    println!("{}", Png::validate(&damaged));
    assert_eq!(Png::validate(&damaged).findings()[0].code, "checksum");
    Ok(())
}
