//! Payloads of readers whose bytes decide something: what is written is what bytes in memory would give, or it is
//! refused and nothing is written.

use std::cell::RefCell;
use std::fmt::Debug;
use std::io::Read;

use binfmt_runtime::{Auto, BinFormat, Blob, Crc32, DefaultArgs, Leb128};

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct Summed<'a> {
    #[bin(prefix = u8)]
    table: Vec<Row>,
    #[bin(for_each = table, len = it.len, checksum(Crc32, it.sum))]
    data: Vec<Blob<'a>>,
}

#[derive(BinFormat, Debug, Clone, PartialEq, Default)]
#[bin(little)]
struct Row {
    len: u32,
    sum: u32,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct Placed<'a> {
    #[bin(prefix = u8)]
    table: Vec<At>,
    #[bin(for_each = table, at = it.at, checksum(Crc32, it.sum))]
    data: Vec<Sized<'a>>,
}

#[derive(BinFormat, Debug, Clone, PartialEq, Default)]
#[bin(little)]
struct At {
    at: u32,
    sum: u32,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Sized<'a> {
    #[bin(prefix = u8)]
    data: Blob<'a>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct Headed<'a> {
    #[bin(set(len = len(data), sum = sum))]
    head: Row,
    #[bin(len = head.len)]
    data: Blob<'a>,
    #[bin(checksum(Crc32, over = data))]
    sum: u32,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct Copied<'a> {
    #[bin(set(sum = sum))]
    head: Holder<'a>,
    #[bin(prefix = u8)]
    data: Blob<'a>,
    #[bin(checksum(Crc32, over = data))]
    sum: u32,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct Holder<'a> {
    sum: u32,
    #[bin(prefix = u8)]
    data: Blob<'a>,
}

/// What is set follows from a place behind the payload.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct Indexed<'a> {
    #[bin(set(end = start(tail) + 1))]
    head: Front<'a>,
    #[bin(prefix = u8)]
    tail: Vec<u8>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct Front<'a> {
    end: u16,
    #[bin(prefix = u8)]
    data: Blob<'a>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Chained<'a> {
    #[bin(until_end, args(before = previous.sum or 0))]
    parts: Vec<Part<'a>>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little, args(before: u32))]
struct Part<'a> {
    kind: u32,
    #[bin(prefix = u8, check(before < 0xffff_ffff, "the one before"))]
    data: Blob<'a>,
    #[bin(checksum(Crc32, over = data))]
    sum: u32,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Linked<'a> {
    #[bin(until_end, args(before = previous.sum or 0))]
    parts: Vec<Link<'a>>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little, args(before: u32))]
struct Link<'a> {
    #[bin(calc = before)]
    before_it: u32,
    #[bin(prefix = u8)]
    data: Blob<'a>,
    #[bin(checksum(Crc32, over = data))]
    sum: u32,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Perhaps<'a> {
    #[bin(optional, magic = b"we")]
    there: Option<u8>,
    #[bin(len = 3)]
    data: Blob<'a>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Told<'a> {
    kind: Kind,
    #[bin(len = 3)]
    data: Blob<'a>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(peek = 0)]
enum Kind {
    #[bin(magic = b"w")]
    Word(u8),
    Nothing(Nothing),
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Nothing {}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Ended<'a> {
    #[bin(until = peek(b"we"))]
    front: Vec<u8>,
    #[bin(len = 3)]
    data: Blob<'a>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Viewed<'a> {
    #[bin(prefix = u8)]
    data: Blob<'a>,
    #[bin(at = 2, view, len = 2)]
    view: Vec<u8>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct Ruled<'a> {
    len: Auto<Leb128<u32>>,
    #[bin(checksum(Crc32, over = data), check(sum != 0, "no sum"))]
    sum: u32,
    #[bin(len = len)]
    data: Blob<'a>,
}

/// Every output of the value with readers is that of the value with bytes, or an error with nothing written.
fn as_from_memory<T>(make: impl Fn(&mut dyn FnMut(u64) -> Blob<'static>) -> T)
where
    T: BinFormat<'static> + DefaultArgs<'static> + Debug + PartialEq,
{
    const TEXT: &[u8] = b"weights and more weights";
    let from_memory = {
        let mut rest = TEXT;
        make(&mut |len| {
            let (data, behind) = rest.split_at(usize::try_from(len).unwrap());
            rest = behind;
            Blob::from(data)
        })
    };
    let expected = from_memory.to_vec().ok();
    let with_reader = || {
        let reader: &'static RefCell<dyn Read> = Box::leak(Box::new(RefCell::new(TEXT)));
        make(&mut |len| Blob::from_reader(reader, len))
    };
    let mut stream = Vec::new();
    let streamed = with_reader().write_to(&mut stream);
    let outputs = [
        ("a stream", streamed.map(|()| stream.clone()).map_err(|error| error.to_string())),
        ("a vector", with_reader().to_vec().map_err(|error| error.to_string())),
        ("a slice", {
            let mut slice = vec![0; 100];
            let len = with_reader().write_into(&mut slice).map_err(|error| error.to_string());
            len.map(|len| slice[..len].to_vec())
        }),
    ];
    // No reader is asked for a length: where a checksum of its bytes may decide that, it is not known.
    if let Some(expected) = &expected {
        match with_reader().encoded_len() {
            Ok(len) => assert_eq!(len, expected.len() as u64),
            Err(error) => assert_eq!(error.finding().code, "reader"),
        }
    }
    for (output, written) in outputs {
        match (&expected, written) {
            (Some(expected), Ok(written)) => assert_eq!(&written, expected, "{output}"),
            (Some(_), Err(error)) => panic!("{output}: {error}"),
            (None, Ok(written)) => panic!("{output} is {written:?}, and memory is refused"),
            (None, Err(_)) => assert!(output != "a stream" || stream.is_empty(), "{stream:?}"),
        }
    }
}

#[test]
fn checksums_of_payloads_are_those_of_their_bytes() {
    as_from_memory(|blob| Summed { table: vec![Row::default(); 2], data: vec![blob(3), blob(2)] });
    as_from_memory(|blob| Placed {
        table: vec![At::default(); 2],
        data: vec![Sized { data: blob(3) }, Sized { data: blob(2) }],
    });
    as_from_memory(|blob| Headed { head: Row::default(), data: blob(3), sum: 0 });
    as_from_memory(|blob| Ruled { len: Auto::new(), sum: 0, data: blob(9) });
}

/// A writer puts numbers into a copy of a value, and the payload in it is that of the value, unless it shares its
/// reader with others: nobody knows in which order they are read.
#[test]
fn payloads_in_values_that_are_copied_have_readers_of_their_own() {
    let reader = |bytes: &'static [u8]| {
        let reader: &'static RefCell<dyn Read> = Box::leak(Box::new(RefCell::new(bytes)));
        reader
    };
    let value = |first, second| {
        Copied { head: Holder { sum: 0, data: first }, data: second, sum: 0 }.to_vec()
    };
    let own = |bytes, len| Blob::from_reader(reader(bytes), len);
    let written = value(own(b"abcd", 4), own(b"efg", 3)).unwrap();
    assert_eq!(written, value(Blob::from(&b"abcd"[..]), Blob::from(&b"efg"[..])).unwrap());
    as_from_memory(|blob| {
        let head = Holder { sum: 0, data: blob(3) };
        Copied { head, data: Blob::from(&b"own"[..]), sum: 0 }
    });
    as_from_memory(|blob| Indexed { head: Front { end: 0, data: blob(3) }, tail: vec![1] });
    let shared = reader(b"abcdefg");
    let refused = value(Blob::from_reader(shared, 4), Blob::from_reader(shared, 3)).unwrap_err();
    assert_eq!(refused.finding().code, "reader");
}

#[test]
fn items_that_follow_from_payloads_before_them_do_so_from_their_bytes() {
    let part = |kind, data| Part { kind, data, sum: 0 };
    as_from_memory(|blob| Chained { parts: vec![part(1, blob(3)), part(1, blob(2))] });
    let link = |data| Link { before_it: 0, data, sum: 0 };
    as_from_memory(|blob| Linked { parts: vec![link(blob(3)), link(blob(2)), link(blob(4))] });
}

#[test]
fn what_is_told_by_the_bytes_of_a_payload_is_told_by_those() {
    as_from_memory(|blob| Perhaps { there: None, data: blob(3) });
    as_from_memory(|blob| Perhaps { there: Some(1), data: blob(3) });
    as_from_memory(|blob| Told { kind: Kind::Nothing(Nothing {}), data: blob(3) });
    as_from_memory(|blob| Told { kind: Kind::Word(1), data: blob(3) });
    as_from_memory(|blob| Ended { front: b"ab".to_vec(), data: blob(3) });
    as_from_memory(|blob| Viewed { data: blob(3), view: b"ei".to_vec() });
    as_from_memory(|blob| Viewed { data: blob(3), view: b"ab".to_vec() });
}
