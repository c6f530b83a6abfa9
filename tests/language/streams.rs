//! Owned values from streams: any split of the input gives the same values.

use std::io::{self, ErrorKind, Read};

use binfmt_runtime::{Auto, BinFormat, Reserved, Stream};

#[derive(BinFormat, Debug, PartialEq)]
#[bin(little, magic = b"REC", align_after = 4, args(wide: bool = false))]
struct Record {
    count: Auto<u16>,
    #[bin(count = count)]
    names: Vec<Name>,
    #[bin(if = wide)]
    more: Option<u64>,
    kind: Kind,
    reserved: Reserved<2>,
}

#[derive(BinFormat, Debug, PartialEq)]
struct Name {
    len: Auto<u8>,
    #[bin(len = len, nul)]
    text: String,
}

#[derive(BinFormat, Debug, PartialEq)]
#[repr(u8)]
enum Kind {
    One = 1,
}

/// Its body is open, but lies in a region.
#[derive(BinFormat, Debug, PartialEq)]
#[bin(big, len = size)]
struct Boxed {
    size: u16,
    #[bin(until_end)]
    body: Vec<Name>,
}

#[derive(BinFormat, Debug, PartialEq)]
struct Tail {
    head: u8,
    #[bin(until_end)]
    rest: Vec<u8>,
}

/// Two types that contain one another; where one ends shows.
#[derive(BinFormat, Debug, PartialEq)]
struct Folder {
    count: Auto<u8>,
    #[bin(count = count)]
    entries: Vec<Entry>,
}

#[derive(BinFormat, Debug, PartialEq)]
struct Entry {
    kind: u8,
    #[bin(if = kind == 1)]
    folder: Option<Box<Folder>>,
}

/// Two more, of which the second one is open.
#[derive(BinFormat, Debug, PartialEq)]
struct Outer {
    kind: u8,
    #[bin(if = kind == 1)]
    inner: Option<Box<Inner>>,
}

#[derive(BinFormat, Debug, PartialEq)]
struct Inner {
    outer: Outer,
    #[bin(until_end)]
    rest: Vec<u8>,
}

/// A source that gives so many bytes at a time, and then nothing more.
struct Dribble<'b> {
    bytes: &'b [u8],
    step: usize,
    /// How many bytes have been asked for in vain.
    past: bool,
}

impl Read for Dribble<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let len = self.step.min(out.len()).min(self.bytes.len());
        let (head, rest) = self.bytes.split_at(len);
        out[..len].copy_from_slice(head);
        self.bytes = rest;
        self.past |= len == 0;
        Ok(len)
    }
}

fn stream(bytes: &[u8], step: usize) -> Stream<Dribble<'_>> {
    Stream::new(Dribble { bytes, step, past: false })
}

fn record(names: &[&str]) -> Record {
    let names = names.iter().map(|text| Name { len: Auto::new(), text: (*text).to_owned() });
    Record {
        count: Auto::new(),
        names: names.collect(),
        more: None,
        kind: Kind::One,
        reserved: Reserved::default(),
    }
}

#[test]
fn any_split_gives_the_same_values_and_nothing_behind_them_is_lost() {
    let records = [record(&["a", "", "long name"]), record(&[]), record(&["x"; 300])];
    let mut bytes: Vec<u8> = records.iter().flat_map(|record| record.to_vec().unwrap()).collect();
    let boxed = b"\0\x08\x02hi\0\0\0";
    bytes.extend(boxed);
    bytes.extend(b"\x07tail");
    for step in [1, 2, 3, 7, 64, 1000, usize::MAX] {
        let mut stream = stream(&bytes, step);
        for record in &records {
            assert_eq!(stream.read::<Record>().unwrap(), *record, "{step} bytes at a time");
        }
        assert_eq!(stream.read::<Boxed>().unwrap(), Boxed::parse(boxed).unwrap());
        assert!(!stream.is_at_end().unwrap());
        assert_eq!(stream.read::<Tail>().unwrap(), Tail { head: 7, rest: b"tail".to_vec() });
        assert!(stream.is_at_end().unwrap());
    }
}

#[test]
fn a_value_is_there_before_the_stream_ends() {
    let bytes = record(&["a", "b"]).to_vec().unwrap();
    let mut stream = stream(&bytes, 1);
    stream.read::<Record>().unwrap();
    assert!(stream.buffered().is_empty());
    assert!(!stream.into_inner().past, "nothing is waited for behind the value");
}

#[test]
fn types_that_contain_one_another_are_read_as_early_as_their_fields_allow() {
    let leaf = |kind| Entry { kind, folder: None };
    let folder = Folder { count: Auto::default(), entries: vec![leaf(7)] };
    let bytes = folder.to_vec().unwrap();
    let outer = Folder {
        count: Auto::default(),
        entries: vec![Entry { kind: 1, folder: Some(Box::new(folder)) }, leaf(2)],
    };
    let mut all = outer.to_vec().unwrap();
    all.extend(&bytes);
    for step in [1, 3, 100] {
        let mut stream = stream(&all, step);
        assert_eq!(stream.read::<Folder>().unwrap().to_vec().unwrap(), &all[..5]);
        assert!(!stream.into_inner().past, "nothing is waited for behind the value");
    }
    // Behind the inner value, all that comes belongs to it.
    let value = stream(b"\x01\x02abc", 2).read::<Outer>().unwrap();
    assert_eq!(value.inner.unwrap().rest, b"abc");
}

#[test]
fn arguments_are_passed_on() {
    let wide = Record { more: Some(5), ..record(&["a"]) };
    let bytes = wide.to_vec_with(true).unwrap();
    assert_eq!(stream(&bytes, 3).read_with::<Record, bool>(true).unwrap(), wide);
}

#[test]
fn a_value_that_is_cut_off_says_what_is_missing() {
    let bytes = record(&["abc"]).to_vec().unwrap();
    for len in 0..bytes.len() {
        let mut stream = stream(&bytes[..len], 2);
        let error = stream.read::<Record>().unwrap_err();
        assert_eq!(error.kind(), ErrorKind::UnexpectedEof, "{error}");
        let same = Record::parse(&bytes[..len]).unwrap_err();
        assert_eq!(error.to_string(), same.to_string());
        assert_eq!(stream.buffered().len(), len, "the stream stays where it is");
    }
}

#[test]
fn a_value_that_is_wrong_is_refused_before_the_rest_has_come() {
    let mut stream = stream(b"REX\0\0\x01\0\0", 3);
    let error = stream.read::<Record>().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidData);
    assert!(error.to_string().ends_with("[magic]"), "{error}");
    assert_eq!(stream.buffered(), b"REX");
}

#[test]
fn what_a_file_claims_makes_no_room() {
    let info = allocation_counter::measure(|| {
        let mut stream = stream(b"\xff\xff\x01", 2);
        assert_eq!(stream.read::<Boxed>().unwrap_err().kind(), ErrorKind::UnexpectedEof);
    });
    assert!(info.bytes_max < 1 << 18, "{} bytes", info.bytes_max);
}

#[test]
fn a_declared_type_in_one_of_binrw_leaves_the_source_where_it_ends() {
    use binfmt_runtime::binrw::Declared;
    use binrw::{BinReaderExt as _, BinWriterExt as _};

    let values = [record(&["a", "long name"]), record(&[])];
    let mut source = io::Cursor::new(Vec::new());
    for value in values {
        source.write_le(&Declared(value)).unwrap();
    }
    source.get_mut().push(7);
    source.set_position(0);
    let names = |record: Declared<Record>| record.0.names.len();
    assert_eq!(names(source.read_le().unwrap()), 2);
    assert_eq!(names(source.read_le().unwrap()), 0);
    let before = source.position();
    let error = source.read_le::<Declared<Record>>().unwrap_err();
    assert!(error.to_string().contains("[end]"), "{error}");
    assert_eq!(source.position(), before, "an error rewinds");
    assert_eq!(source.read_le::<u8>().unwrap(), 7);
}

#[test]
fn failures_of_the_source_are_passed_on() {
    struct Broken(u8);
    impl Read for Broken {
        fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
            self.0 += 1;
            match self.0 {
                1 => Err(ErrorKind::Interrupted.into()),
                2 => {
                    out[0] = 0;
                    Ok(1)
                }
                _ => Err(ErrorKind::TimedOut.into()),
            }
        }
    }
    let mut stream = Stream::new(Broken(0));
    assert_eq!(stream.read::<Boxed>().unwrap_err().kind(), ErrorKind::TimedOut);
    assert_eq!(stream.buffered(), [0]);
}

/// Fields that are there when their magic, or that of their type, is.
#[derive(BinFormat, Debug, PartialEq)]
struct Marked {
    first: u8,
    #[bin(optional, magic = b"Z")]
    own: Option<u8>,
    #[bin(optional, prefix = u8, magic = b"YY")]
    sized: Option<Vec<u8>>,
    #[bin(optional)]
    typed: Option<Mark>,
}

#[derive(BinFormat, Debug, PartialEq)]
#[bin(magic = b"MM")]
struct Mark {
    number: u8,
}

#[test]
fn an_optional_field_waits_for_its_magic() {
    for file in [&b"1Z2MM3"[..], b"1MM3", b"1YY\x01aMM3", b"1Z2YY\0"] {
        let (whole, rest) = Marked::parse_prefix(file).unwrap();
        assert!(rest.is_empty());
        let one = stream(file, 1).read::<Marked>().unwrap();
        assert_eq!(one, whole, "{file:?}");
    }
}
