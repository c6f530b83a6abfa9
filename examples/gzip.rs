//! gzip files: members one behind the other, each a header whose parts a byte of flags announces,
//! compressed bytes that say themselves where they end, and the checksum of what these decode to.
//!
//! The file was written by GNU gzip.

use binfmt_runtime::{BinFormat, Crc32, Deflate, Digest, Encoded};

/// A file: `cat a.gz b.gz` is one, too.
#[derive(BinFormat, Debug, Clone, PartialEq)]
pub(crate) struct Gzip {
    #[bin(until_end)]
    pub(crate) members: Vec<Member>,
}

/// What was compressed as one.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little, magic = b"\x1f\x8b", spec = "RFC 1952, 2.3")]
pub(crate) struct Member {
    /// Deflate, the only method there is.
    #[bin(one_of = [8])]
    pub(crate) method: u8,
    #[bin(check(flags < 0x20, "{flags:#x} has bits without a meaning"))]
    pub(crate) flags: u8,
    /// Seconds since 1970; 0 for none.
    pub(crate) modified: u32,
    /// How hard the compressor tried.
    pub(crate) effort: u8,
    pub(crate) system: u8,
    #[bin(flag = flags & 4, prefix = u16)]
    pub(crate) extra: Option<Vec<u8>>,
    /// The name of the file, in Latin-1.
    #[bin(flag = flags & 8, until = b'\0')]
    pub(crate) name: Option<Vec<u8>>,
    #[bin(flag = flags & 16, until = b'\0')]
    pub(crate) comment: Option<Vec<u8>>,
    #[bin(flag = flags & 2, checksum(Low, over = ..=comment))]
    pub(crate) header_sum: Option<[u8; 2]>,
    #[bin(until_codec)]
    pub(crate) content: Encoded<Deflate, Content>,
    #[bin(checksum(Crc32, over = decoded(content)))]
    pub(crate) sum: u32,
    #[bin(calc = decoded_len(content) & 0xffff_ffff)]
    pub(crate) size: u32,
}

/// What is compressed.
#[derive(BinFormat, Debug, Clone, PartialEq)]
pub(crate) struct Content {
    #[bin(until_end)]
    pub(crate) bytes: Vec<u8>,
}

/// The lower half of a CRC-32.
#[derive(Default)]
struct Low(Crc32);

impl Digest for Low {
    type Sum = [u8; 2];

    fn update(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    fn finish(self) -> [u8; 2] {
        let [low, high, ..] = self.0.finish().to_le_bytes();
        [low, high]
    }
}

pub(crate) const FILE: &[u8] = include_bytes!("files/gnu.gz");

fn main() -> std::process::ExitCode {
    binfmt_tool::main_or(&[binfmt_tool::format::<Gzip>("gzip")], show)
}

pub(crate) fn show() -> Result<(), Box<dyn std::error::Error>> {
    assert!(Gzip::validate(FILE).findings().is_empty());
    let gzip = Gzip::parse(FILE)?;
    // The bytes of another compressor are kept.
    assert_eq!(gzip.to_vec()?, FILE);
    for member in &gzip.members {
        let name = member.name.as_deref().unwrap_or_default();
        println!("{} has {} bytes", String::from_utf8_lossy(name), member.size);
    }

    let file = [FILE, &grown(gzip)?].concat();
    assert!(Gzip::validate(&file).findings().is_empty());
    let read = Gzip::parse(&file)?;
    assert_eq!(read.members.len(), 2);
    assert_eq!(read.to_vec()?, file);

    // Content that is not the one that was compressed is found, though it can be decoded.
    let mut damaged = [FILE, FILE].concat();
    let at = damaged.len() - 8;
    damaged[at] ^= 1;
    println!("{}", Gzip::validate(&damaged));
    assert_eq!(Gzip::validate(&damaged).findings()[0].path.as_str(), "members[1].sum");
    Ok(())
}

/// A copy with more content, a longer name, a comment, and a checksum of the header.
pub(crate) fn grown(mut gzip: Gzip) -> Result<Vec<u8>, binfmt_runtime::Error> {
    for member in &mut gzip.members {
        member.name = Some(b"a-longer-name-of-the-notes.txt".to_vec());
        member.comment = Some(b"It has a comment.".to_vec());
        member.header_sum = Some([0; 2]);
        member.content.bytes.extend(b"one more line\n".repeat(500));
    }
    gzip.to_vec()
}
