//! Declares a format, writes a file, reads it back, and asks what is wrong with a damaged one.

use binfmt_runtime::{Auto, BinFormat, Seq};

/// A list of named blobs.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little, magic = b"BLOB", len = size)]
struct Blobs<'a> {
    /// Length of the whole list; on the wire, not in the struct.
    size: Auto<u32>,
    #[bin(check(version == 1, "version {version} is not supported"))]
    version: u16,
    count: Auto<u16>,
    #[bin(count = count)]
    items: Seq<'a, Blob<'a>>,
}

/// One blob, padded so that the next one starts on 4 bytes.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little, align_after = 4)]
struct Blob<'a> {
    name_len: Auto<u16>,
    data_len: Auto<u32>,
    #[bin(len = name_len)]
    name: &'a str,
    #[bin(len = data_len)]
    data: &'a [u8],
}

fn main() -> std::process::ExitCode {
    binfmt_tool::main_or(&[binfmt_tool::format::<Blobs<'_>>("blobs")], || {
        damaged_report().map(|report| print!("{report}"))
    })
}

pub(crate) fn damaged_report() -> Result<String, binfmt_runtime::Error> {
    let blob = |name, data| Blob { name_len: Auto::new(), data_len: Auto::new(), name, data };
    let list = [blob("first", &[1, 2, 3]), blob("second", b"payload")];
    let blobs =
        Blobs { size: Auto::new(), version: 1, count: Auto::new(), items: Seq::from(&list[..]) };

    // Sizes, counts and padding are computed; the reader borrows and allocates nothing.
    let mut bytes = blobs.to_vec()?;
    assert_eq!(Blobs::parse(&bytes)?, blobs);
    assert!(Blobs::is_valid(&bytes));

    // A damaged file: everything that is wrong with it, and where.
    bytes[8] = 9;
    bytes[34] = 200;
    Ok(Blobs::validate(&bytes).to_string())
}
