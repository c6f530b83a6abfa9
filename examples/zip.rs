//! ZIP archives: a trailer at the end, a directory in front of it, and the files that it points to.
//!
//! The files were written by the module `zipfile` of Python. The trailer, which a comment of any length
//! follows, is searched for from the end. Archives with several disks, with 64-bit sizes or with sizes
//! behind the data are not read.

use binfmt_runtime::{Auto, BinFormat, Crc32, Deflate, Digest, Encoded};

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
    #[bin(for_each = dir, at = it.offset, place = archive,
        set(it.crc = value.crc(), it.packed = value.packed, it.size = value.size))]
    pub(crate) files: Vec<File<'a>>,
}

/// What the directory says of a file.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little, magic = b"PK\x01\x02")]
pub(crate) struct Entry<'a> {
    pub(crate) made_by: u16,
    pub(crate) facts: Facts,
    /// Of what the file unpacks to, as the file itself says.
    pub(crate) crc: u32,
    pub(crate) packed: u32,
    pub(crate) size: u32,
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

/// A file with its header. What is packed in another way, or with a password, is kept as it is.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little, magic = b"PK\x03\x04", let(open = facts.flags & 1 == 0,
    is_stored = open && facts.method == Method::Stored,
    is_deflated = open && facts.method == Method::Deflated))]
#[bin(computed(crc: u32 = if is_stored { of_stored } else if is_deflated { of_deflated } else { of_other },
    "the checksum of what the file unpacks to"))]
pub(crate) struct File<'a> {
    pub(crate) facts: Facts,
    #[bin(if = is_stored, checksum(Crc32, over = stored))]
    pub(crate) of_stored: Option<u32>,
    #[bin(if = is_deflated, checksum(Crc32, over = decoded(deflated)))]
    pub(crate) of_deflated: Option<u32>,
    #[bin(if = !is_stored && !is_deflated)]
    pub(crate) of_other: Option<u32>,
    pub(crate) packed: u32,
    pub(crate) size: u32,
    pub(crate) name_len: Auto<u16>,
    pub(crate) extra_len: Auto<u16>,
    #[bin(len = name_len)]
    pub(crate) name: &'a [u8],
    #[bin(len = extra_len)]
    pub(crate) extra: &'a [u8],
    #[bin(if = is_stored, len = packed)]
    pub(crate) stored: Option<&'a [u8]>,
    #[bin(if = is_deflated, len = packed)]
    pub(crate) deflated: Option<Encoded<Deflate, Content>>,
    #[bin(if = !is_stored && !is_deflated, len = packed)]
    pub(crate) other: Option<&'a [u8]>,
}

/// What a file unpacks to.
#[derive(BinFormat, Debug, Clone, PartialEq)]
pub(crate) struct Content {
    #[bin(until_end)]
    pub(crate) bytes: Vec<u8>,
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
        println!("{name} {:?} {} bytes", file.facts.method, file.size);
    }

    // A longer file, one more and one less: offsets, sizes and the place of the directory follow.
    let text = b"a text that is longer than the one that was here";
    let longer = grown(&zip, &Change::Put(0, text));
    let more = grown(&longer, &Change::Add(b"new.txt", b"one more file"));
    let fewer = grown(&more, &Change::Remove(1));
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

/// What is changed in an archive.
pub(crate) enum Change<'a> {
    /// A file has other content, which is stored as it is.
    Put(usize, &'a [u8]),
    /// A file with a name, like the last one and behind it.
    Add(&'a [u8], &'a [u8]),
    Remove(usize),
}

/// The archive with a change.
pub(crate) fn grown<'a>(zip: &Zip<'a>, change: &Change<'a>) -> Zip<'a> {
    let mut zip = zip.clone();
    let (at, data) = match *change {
        Change::Put(at, data) => (at, data),
        Change::Add(name, data) => {
            zip.files.extend(zip.files.last().cloned().map(|file| File { name, ..file }));
            zip.dir.extend(zip.dir.last().cloned().map(|entry| Entry { name, ..entry }));
            (zip.files.len().saturating_sub(1), data)
        }
        Change::Remove(at) => {
            zip.files.remove(at);
            zip.dir.remove(at);
            return zip;
        }
    };
    let mut sum = Crc32::default();
    sum.update(data);
    let len = u32::try_from(data.len()).unwrap_or(u32::MAX);
    let (file, entry) = (&mut zip.files[at], &mut zip.dir[at]);
    entry.facts.method = Method::Stored;
    *file = File {
        facts: entry.facts.clone(),
        of_stored: Some(sum.finish()),
        of_deflated: None,
        of_other: None,
        packed: len,
        size: len,
        stored: Some(data),
        deflated: None,
        other: None,
        ..file.clone()
    };
    zip
}
