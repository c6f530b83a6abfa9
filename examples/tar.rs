//! TAR archives: numbers as octal text, a checksum over the header, files in blocks of 512 bytes.
//!
//! The file was written by GNU tar.

use binfmt_runtime::encodings::Octal;
use binfmt_runtime::{BinFormat, ByteSum, Coded, Digest, Reserved};

/// An archive: files, two empty blocks, and more of them up to the size of a tape's record.
#[derive(BinFormat, Debug, Clone, PartialEq)]
pub(crate) struct Tar {
    /// No name is empty, so the first NUL is that of an empty block.
    #[bin(until = peek(b"\0"))]
    pub(crate) files: Vec<File>,
    #[bin(until_end)]
    pub(crate) end: Vec<Reserved<512>>,
}

/// A file and its header.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(computed(is_file: bool = kind == b'0' || kind == 0, "whether it is no folder, link or device"))]
pub(crate) struct File {
    #[bin(len = 100, trim = 0)]
    pub(crate) name: String,
    pub(crate) mode: Coded<Octal<8>, u32>,
    pub(crate) owner: Coded<Octal<8>, u32>,
    pub(crate) group: Coded<Octal<8>, u32>,
    /// The length of the data; the writer computes it.
    pub(crate) size: Coded<Octal<12>, u64>,
    /// Seconds since 1970.
    pub(crate) modified: Coded<Octal<12>, u64>,
    #[bin(checksum(HeaderSum, over = name..=prefix))]
    pub(crate) sum: [u8; 8],
    pub(crate) kind: u8,
    #[bin(len = 100, trim = 0)]
    pub(crate) link: String,
    #[bin(one_of = [b"ustar\x0000", b"ustar  \x00"])]
    pub(crate) mark: [u8; 8],
    #[bin(len = 32, trim = 0)]
    pub(crate) owner_name: String,
    #[bin(len = 32, trim = 0)]
    pub(crate) group_name: String,
    pub(crate) device: [u8; 16],
    #[bin(len = 155, trim = 0, pad_after = 12)]
    pub(crate) prefix: String,
    #[bin(len = size, align_after = 512)]
    pub(crate) data: Vec<u8>,
}

/// The sum of all bytes of a header, in which its own are spaces.
#[derive(Default)]
struct HeaderSum(ByteSum<u32>);

impl Digest for HeaderSum {
    type Sum = [u8; 8];

    fn update(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    fn finish(self) -> [u8; 8] {
        let text = format!("{:06o}\0 ", self.0.finish() + 8 * u32::from(b' '));
        text.as_bytes().try_into().unwrap_or_default()
    }
}

pub(crate) const FILE: &[u8] = include_bytes!("files/gnu.tar");

fn main() -> std::process::ExitCode {
    binfmt_tool::main_or(&[binfmt_tool::format::<Tar>("tar")], show)
}

pub(crate) fn show() -> Result<(), Box<dyn std::error::Error>> {
    assert!(Tar::validate(FILE).is_ok(), "{}", Tar::validate(FILE));
    let mut tar = Tar::parse(FILE)?;
    assert_eq!(tar.to_vec()?, FILE);
    for file in &mut tar.files {
        println!("{} {} bytes, mode {:o}", file.name, file.size, file.mode.get());
        // A longer file: size and checksum follow, and what is behind it moves.
        if file.is_file() == Some(true) {
            file.data.resize(700, b'!');
        }
    }
    let grown = Tar::parse(&tar.to_vec()?)?;
    let file = grown.files.first().ok_or("the archive is empty")?;
    assert_eq!((file.size.get(), file.data.len()), (700, 700));
    assert!(Tar::is_valid(&grown.to_vec()?));
    Ok(())
}
