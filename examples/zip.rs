//! ZIP archives: a trailer at the end, a directory in front of it, and the files that it points to.
//!
//! The files were written by the module `zipfile` of Python. The trailer, which a comment of any length
//! follows, is searched for from the end. Archives with several disks, with 64-bit sizes or with sizes
//! behind the data are not read.

use binfmt_runtime::{Auto, BinFormat, Crc32, Digest};

/// An archive: files, behind all of them their directory, and the trailer.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
pub(crate) struct Zip<'a> {
    #[bin(section, until = peek_last(b"PK\x05\x06"))]
    pub(crate) archive: &'a [u8],
    #[bin(magic = b"PK\x05\x06", one_of = [0])]
    pub(crate) disk: u16,
    #[bin(one_of = [0])]
    pub(crate) dir_disk: u16,
    #[bin(calc = entries)]
    pub(crate) entries_here: Auto<u16>,
    pub(crate) entries: Auto<u16>,
    /// Programs look for the directory right in front of the trailer, so its place follows from its length.
    pub(crate) dir_len: u32,
    #[bin(calc = len(archive) - dir_len)]
    pub(crate) dir_at: u32,
    pub(crate) comment_len: Auto<u16>,
    #[bin(len = comment_len)]
    pub(crate) comment: &'a [u8],
    #[bin(at = len(archive) - dir_len, base = archive, place = archive, count = entries, len = dir_len)]
    pub(crate) dir: Vec<Entry<'a>>,
    #[bin(for_each = dir, at = it.offset, place = archive)]
    pub(crate) files: Vec<File<'a>>,
}

/// What the directory says of a file.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little, magic = b"PK\x01\x02")]
pub(crate) struct Entry<'a> {
    pub(crate) made_by: u16,
    pub(crate) facts: Facts,
    pub(crate) name_len: Auto<u16>,
    pub(crate) extra_len: Auto<u16>,
    pub(crate) comment_len: Auto<u16>,
    #[bin(one_of = [0])]
    pub(crate) disk: u16,
    pub(crate) internal: u16,
    pub(crate) external: u32,
    /// Where the file lies in the archive; the writer computes it.
    pub(crate) offset: u32,
    #[bin(len = name_len)]
    pub(crate) name: &'a [u8],
    #[bin(len = extra_len)]
    pub(crate) extra: &'a [u8],
    #[bin(len = comment_len)]
    pub(crate) comment: &'a [u8],
}

/// A file with its header.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little, magic = b"PK\x03\x04")]
pub(crate) struct File<'a> {
    #[bin(set(packed = len(data)))]
    pub(crate) facts: Facts,
    pub(crate) name_len: Auto<u16>,
    pub(crate) extra_len: Auto<u16>,
    #[bin(len = name_len)]
    pub(crate) name: &'a [u8],
    #[bin(len = extra_len)]
    pub(crate) extra: &'a [u8],
    #[bin(len = facts.packed)]
    pub(crate) data: &'a [u8],
}

/// What header and directory both say of a file.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
pub(crate) struct Facts {
    pub(crate) needs: u16,
    #[bin(check(flags & 8 == 0, "the sizes follow the data"))]
    pub(crate) flags: u16,
    pub(crate) method: Method,
    pub(crate) time: u16,
    pub(crate) date: u16,
    pub(crate) crc: u32,
    pub(crate) packed: u32,
    pub(crate) size: u32,
}

/// How a file is packed.
#[derive(BinFormat, Debug, Clone, Copy, PartialEq)]
#[bin(little)]
#[repr(u16)]
pub(crate) enum Method {
    Stored = 0,
    Deflated = 8,
    #[bin(other)]
    Other(u16),
}

pub(crate) const FILE: &[u8] = include_bytes!("files/python.zip");
pub(crate) const COMMENTED: &[u8] = include_bytes!("files/python-comment.zip");

fn main() -> std::process::ExitCode {
    binfmt_tool::main_or(&[binfmt_tool::format::<Zip<'_>>("zip")], show)
}

pub(crate) fn show() -> Result<(), Box<dyn std::error::Error>> {
    assert!(Zip::validate(FILE).findings().is_empty(), "{}", Zip::validate(FILE));
    let zip = Zip::parse(FILE)?;
    assert_eq!(zip.to_vec()?, FILE);
    for file in &zip.files {
        let name = String::from_utf8_lossy(file.name);
        println!("{name} {:?} {} bytes", file.facts.method, file.facts.size);
    }

    // A longer file, one more and one less: offsets, sizes and the place of the directory follow.
    let mut longer = zip.clone();
    longer.put(0, b"a text that is longer than the one that was here");
    let mut more = longer.clone();
    more.add(b"new.txt", b"one more file");
    let mut fewer = more.clone();
    fewer.remove(1);
    for changed in [longer, more, fewer] {
        let bytes = changed.to_vec()?;
        assert!(Zip::validate(&bytes).is_ok(), "{}", Zip::validate(&bytes));
        let read = Zip::parse(&bytes)?;
        assert_eq!(read.files, changed.files);
        assert_eq!(bytes.len(), usize::try_from(read.dir_at + read.dir_len)? + 22);
    }

    // Without files nothing is left but the trailer, in an archive that keeps no room for what was there.
    let empty = Zip { files: vec![], dir: vec![], ..zip };
    assert_eq!(empty.compact().to_vec()?.len(), 22);

    // Another comment, which must not look like a trailer.
    let zip = Zip { comment: b"another one", ..Zip::parse(COMMENTED)? };
    assert_eq!(Zip::parse(&zip.to_vec()?)?, zip);
    assert!(Zip { comment: b"PK\x05\x06", ..zip }.to_vec().is_err());
    Ok(())
}

impl<'a> Zip<'a> {
    /// Gives a file other content, which is stored as it is.
    pub(crate) fn put(&mut self, at: usize, data: &'a [u8]) {
        let mut sum = Crc32::default();
        sum.update(data);
        let len = u32::try_from(data.len()).unwrap_or(u32::MAX);
        let (file, entry) = (&mut self.files[at], &mut self.dir[at]);
        let facts = Facts {
            method: Method::Stored,
            crc: sum.finish(),
            packed: len,
            size: len,
            ..entry.facts
        };
        entry.facts = facts.clone();
        *file = File { facts, data, ..file.clone() };
    }

    /// Adds a file like the last one, behind it.
    pub(crate) fn add(&mut self, name: &'a [u8], data: &'a [u8]) {
        let Some(at) = self.files.len().checked_sub(1) else { return };
        self.files.push(File { name, ..self.files[at].clone() });
        self.dir.push(Entry { name, ..self.dir[at].clone() });
        self.put(at + 1, data);
    }

    pub(crate) fn remove(&mut self, at: usize) {
        self.files.remove(at);
        self.dir.remove(at);
    }
}
