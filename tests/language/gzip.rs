//! gzip files (RFC 1952), whose members end where their compressed bytes do, as other programs write
//! them.

use binfmt_runtime::{BinFormat, Crc32, Deflate, Digest, Encoded};

use super::{findings, stopped, survives};

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Gzip {
    #[bin(until_end)]
    members: Vec<Member>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little, magic = b"\x1f\x8b")]
struct Member {
    #[bin(one_of = [8])]
    method: u8,
    #[bin(check(flags < 0x20, "{flags:#x} has bits without a meaning"))]
    flags: u8,
    modified: u32,
    effort: u8,
    system: u8,
    #[bin(flag = flags & 4, prefix = u16)]
    extra: Option<Vec<u8>>,
    #[bin(flag = flags & 8, until = b'\0')]
    name: Option<Vec<u8>>,
    #[bin(flag = flags & 16, until = b'\0')]
    comment: Option<Vec<u8>>,
    #[bin(flag = flags & 2, checksum(Low, over = ..=comment))]
    header_sum: Option<[u8; 2]>,
    #[bin(until_codec)]
    content: Encoded<Deflate, Content>,
    #[bin(checksum(Crc32, over = decoded(content)))]
    sum: u32,
    #[bin(calc = decoded_len(content) & 0xffff_ffff)]
    size: u32,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Content {
    #[bin(until_end)]
    bytes: Vec<u8>,
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

/// By GNU gzip 1.12.
const GNU: &[u8] =
    b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03KLJ\xe6\x02\x00N\x81\x88G\x04\x00\x00\x00";
/// By the module of Python, with a name.
const PYTHON: &[u8] = b"\x1f\x8b\x08\x08\x00\x00\x00\x00\x02\xffnotes.txt\x00\xcbH\xcd\xc9\xc9W\xc8@\x90\x00\x80\x88\xf9\xe5\x11\x00\x00\x00";
/// By zlib, with everything that a header may have.
const FULL: &[u8] = b"\x1f\x8b\x08\x1f\x07\x00\x00\x00\x00\xff\x06\x00AB\x02\x00xyn\x00c\x00\xa7XK\xcc\xc9Q\xc8OS\xc8,\x01\x00r|\xda\xbf\x09\x00\x00\x00";
/// By zlib: stored, with fixed codes, and nothing at all.
const THREE: &[u8] = b"\x1f\x8b\x08\x00\x07\x00\x00\x00\x00\xff\x01\x06\x00\xf9\xffstored\x0b\xf9CV\x06\x00\x00\x00\x1f\x8b\x08\x00\x07\x00\x00\x00\x00\xffK\xcb\xacHMQH#\x91\x04\x00\xa2\x99\xfb!6\x00\x00\x00\x1f\x8b\x08\x10\x07\x00\x00\x00\x00\xff\x00\x03\x00\x00\x00\x00\x00\x00\x00\x00\x00";

fn contents(gzip: &Gzip) -> Vec<&str> {
    gzip.members.iter().map(|one| str::from_utf8(&one.content.bytes).unwrap()).collect()
}

#[test]
fn members_of_other_programs_are_kept() {
    for (file, contents) in [
        (GNU, &["abc\n"][..]),
        (PYTHON, &["hello hello hello"]),
        (FULL, &["all of it"]),
        (THREE, &["stored", &"fixed ".repeat(9), ""]),
    ] {
        assert!(findings::<Gzip>(file).is_empty());
        assert_eq!(self::contents(&Gzip::parse(file).unwrap()), contents);
        survives::<Gzip>(file, ());
    }
    let all = [THREE, FULL, GNU, THREE, PYTHON].concat();
    assert!(findings::<Gzip>(all.clone().leak()).is_empty());
    let read = Gzip::parse(&all).unwrap();
    assert_eq!(read.members.len(), 9);
    assert_eq!(read.to_vec().unwrap(), all);
    let full = &read.members[3];
    assert_eq!(full.extra.as_deref(), Some(&b"AB\x02\0xy"[..]));
    assert_eq!((full.name.as_deref(), full.comment.as_deref()), (Some(&b"n"[..]), Some(&b"c"[..])));
}

#[test]
fn members_grow() {
    let all = [FULL, GNU, THREE].concat();
    let mut gzip = Gzip::parse(&all).unwrap();
    gzip.members[0].name = Some(b"another".to_vec());
    gzip.members[1].content.bytes = b"abc\n".repeat(50);
    gzip.members[4].comment = None;
    let written = gzip.to_vec().unwrap();
    assert!(Gzip::validate(&written).findings().is_empty(), "{}", Gzip::validate(&written));
    let read = Gzip::parse(&written).unwrap();
    assert_eq!(contents(&read), contents(&gzip));
    assert_ne!(read.members[0].header_sum, gzip.members[0].header_sum, "it covers the name");
    assert_eq!((read.members[1].size, read.members[4].flags), (200, 0));
    // What has not changed is as it was, wherever it lies now.
    let stored = &THREE[..29];
    assert!(written.windows(stored.len()).any(|bytes| bytes == stored));
}

#[test]
fn damage_is_told_with_the_member() {
    let all = [GNU, FULL, PYTHON].concat();
    let damaged = |at: usize, byte: u8| {
        let mut copy = all.clone();
        copy[at] = byte;
        copy.leak()
    };
    let second = GNU.len();
    assert_eq!(
        findings::<Gzip>(damaged(second + 18, b'm')),
        ["error members[1].header_sum checksum"]
    );
    let size = second + FULL.len() - 4;
    assert_eq!(findings::<Gzip>(damaged(size, 8)), ["error members[1].size derived"]);
    assert_eq!(stopped::<Gzip>(damaged(second + 24, 7)), "members[1].content codec");
    assert_eq!(stopped::<Gzip>(all[..second + 30].to_vec().leak()), "members[1].content codec");
    assert_eq!(stopped::<Gzip>(&[GNU, b"\0"].concat().leak()[..]), "members[1].magic end");
}
