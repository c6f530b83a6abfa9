//! Values in coded bytes: compressed, with a key over them, in another alphabet, and inside others.

use binfmt_runtime::{
    Auto, BinFormat, Codec, CodecError, Crc32, Deflate, Encoded, Limits, Output, Seq, Show, Xor,
    Zlib, laws,
};
use std::cell::Cell;

use super::laws::hold;
use super::{findings, refused, stopped};

/// What is coded in most of these tests.
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[bin(big)]
struct Note {
    #[bin(error(kind < 9, "{kind} is no kind"))]
    kind: u16,
    len: Auto<u8>,
    #[bin(len = len)]
    text: String,
}

fn note(kind: u16, text: &str) -> Note {
    Note { kind, len: Auto::new(), text: text.to_owned() }
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[bin(little)]
struct Packed {
    size: u32,
    #[bin(calc = decoded_len(body))]
    unpacked: u32,
    #[bin(len = size)]
    body: Encoded<Zlib, Note>,
    behind: u8,
}

/// A file with a note in a zlib stream that a level other than ours has made.
fn packed(note: &Note, more: &[u8]) -> Vec<u8> {
    let decoded = note.to_vec().unwrap();
    let coded = [&miniz(&decoded), more].concat();
    let sizes = [coded.len(), decoded.len()].map(|len| u32::try_from(len).unwrap().to_le_bytes());
    [&sizes.concat(), &coded[..], &[7]].concat()
}

/// A zlib stream without compression.
fn miniz(bytes: &[u8]) -> Vec<u8> {
    let len = u16::try_from(bytes.len()).unwrap();
    let (mut a, mut b) = (1_u32, 0_u32);
    for byte in bytes {
        a = (a + u32::from(*byte)) % 65521;
        b = (b + a) % 65521;
    }
    let head = [&[0x78, 1, 1][..], &len.to_le_bytes(), &(!len).to_le_bytes()].concat();
    [&head, bytes, &(b << 16 | a).to_be_bytes()].concat()
}

#[test]
fn coded_bytes_are_kept_until_the_value_changes() {
    let file = packed(&note(3, "hello"), b"");
    hold::<Packed>(&file, ());
    let mut value = Packed::parse(&file).unwrap();
    assert_eq!((value.body.kind, &*value.body.text), (3, "hello"));
    assert_eq!(value.to_vec().unwrap(), file, "what another program has compressed");
    let mut streamed = Vec::new();
    value.write_to(&mut streamed).unwrap();
    assert_eq!(streamed, file);
    assert_eq!(value.encoded_len().unwrap(), 28);

    value.body.text = "hello ".repeat(20);
    let written = value.to_vec().unwrap();
    let again = Packed::parse(&written).unwrap();
    assert_eq!(again.body, value.body);
    assert_eq!((again.unpacked, again.behind), (123, 7));
    assert!(written.len() < 60, "it is compressed: {}", written.len());
    assert!(Packed::validate(&written).findings().is_empty());
    hold::<Packed>(&written, ());
    // The old text again: the old bytes.
    value.body.text = "hello".to_owned();
    assert_eq!(value.to_vec().unwrap(), file);
}

#[test]
fn numbers_about_coded_and_decoded_bytes_are_computed() {
    let value = Packed { size: 1, unpacked: 2, body: note(3, "new").into(), behind: 0 };
    let file = value.to_vec().unwrap();
    assert_eq!(u32::from_le_bytes(file[4..8].try_into().unwrap()), 6);
    laws::written_is_read(&Packed::parse(file.leak()).unwrap(), ()).unwrap().unwrap();
    let mut wrong = packed(&note(3, "hello"), b"");
    wrong[4] = 9;
    assert_eq!(findings::<Packed>(wrong.leak()), ["error unpacked derived"]);
}

#[test]
fn what_is_wrong_inside_has_a_path_and_offsets_of_decoded_bytes() {
    let file = packed(&note(3, "hello"), b"");
    // Rules, and bytes that are missing in what is decoded.
    let mut broken = note(11, "hello").to_vec().ok();
    assert!(broken.take().is_none(), "the writer refuses it, too");
    let decoded = [0, 11, 5, b'h', b'e', b'l', b'l', b'o'];
    let rule = around(&decoded);
    let report = Packed::validate(&rule);
    let [one] = report.findings() else { panic!("{report}") };
    assert_eq!((one.path.as_str(), one.start, one.end), ("body(decoded).kind", 0, 2));
    assert_eq!(one.coded_at, Some(8));
    assert_eq!(
        one.to_string(),
        "body(decoded).kind at 0x0..0x2 of what is decoded from 0x8: 11 is no kind [Note.kind]"
    );
    let short = around(&decoded[..6]);
    let error = Packed::parse(&short).unwrap_err();
    assert_eq!(error.finding().path.as_str(), "body(decoded).len");
    assert_eq!(error.class(), binfmt_runtime::Class::Malformed, "no more bytes of the file help");
    let long = around(&[&decoded[..], b"!"].concat());
    assert_eq!(stopped::<Packed>(long.clone().leak()), "body(decoded) leftover");
    for file in [file, rule, short, long] {
        hold::<Packed>(&file, ());
    }

    let tree = Packed::inspect(&packed(&note(3, "hello"), b"")).to_string();
    assert!(tree.contains("(decoded)"), "{tree}");
    let value =
        Packed { body: note(12, "x").into(), ..Packed::parse(&packed(&note(1, ""), b"")).unwrap() };
    let error = value.to_vec().unwrap_err();
    assert_eq!(error.finding().path.as_str(), "body(decoded).kind");
    assert_eq!((error.finding().start, error.finding().coded_at), (0, Some(8)));
}

/// A file around decoded bytes that may be anything.
fn around(decoded: &[u8]) -> Vec<u8> {
    let coded = miniz(decoded);
    let sizes = [coded.len(), decoded.len()].map(|len| u32::try_from(len).unwrap().to_le_bytes());
    [&sizes.concat(), &coded[..], &[7]].concat()
}

#[test]
fn damaged_coded_bytes_stop_a_reader() {
    let file = packed(&note(3, "hello"), b"");
    // The unused bits in front of stored data mean nothing.
    for at in (8..file.len() - 1).filter(|at| *at != 10) {
        let mut damaged = file.clone();
        damaged[at] ^= 0x10;
        let error = Packed::parse(&damaged).unwrap_err();
        let finding = error.finding();
        assert_eq!((finding.code, finding.path.as_str()), ("codec", "body"), "{error}");
        assert!((8..27).contains(&finding.start) && finding.end == 27, "{error}");
        hold::<Packed>(&damaged, ());
    }
    let mut short = file;
    short[0] -= 1;
    assert_eq!(
        Packed::parse(&short).unwrap_err().to_string(),
        "body at 0x1a..0x1a: the bytes cannot be decoded by Zlib: they end too early [codec]"
    );
}

#[test]
fn what_lies_behind_coded_bytes_is_kept() {
    let file = packed(&note(3, "hello"), b"rubbish");
    hold::<Packed>(&file, ());
    let report = Packed::validate(&file);
    let [one] = report.findings() else { panic!("{report}") };
    assert_eq!((one.code, one.start, one.end), ("trailing", 27, 34));
    let mut value = Packed::parse(&file).unwrap();
    assert_eq!(value.to_vec().unwrap(), file);
    value.body.text.push('!');
    let written = value.to_vec().unwrap();
    assert!(written.ends_with(b"rubbish\x07"), "{written:?}");
    assert_eq!(Packed::parse(&written).unwrap().body, value.body);
    assert_ne!(value.body, Encoded::new(note(3, "hello!")), "what lies behind belongs to it");
}

#[test]
fn bombs_are_stopped_by_a_number_of_bytes() {
    // 8 MB of zeros in 8 KB.
    let zeros = vec![0; 8 << 20];
    let mut bomb = Vec::new();
    Zlib.encode(&zeros, &mut bomb).unwrap();
    let file =
        [&u32::try_from(bomb.len()).unwrap().to_le_bytes()[..], &[0; 4], &bomb, &[0]].concat();
    let budget = 64 * (file.len() + 8) as u64 + (1 << 20);
    let peak = allocation_counter::measure(|| {
        let error = Packed::parse(&file).unwrap_err();
        let finding = error.finding();
        assert_eq!((finding.code, finding.path.as_str()), ("budget", "body"));
        assert_eq!(finding.expected, Show::Uint(budget));
    });
    assert!(peak.bytes_max < 3 * budget, "{} bytes at once", peak.bytes_max);
    assert_eq!(Packed::validate(&file).errors().count(), 1);
    assert!(!Packed::is_valid(&file));
    // Who wants it asks for it.
    let large = Limits::for_input(file.len()).decoding(1 << 30);
    let error = large.parse::<Packed>(&file, ()).unwrap_err();
    assert_eq!(error.finding().path.as_str(), "body(decoded)");
    assert_eq!(error.finding().code, "leftover");
}

/// Values in values.
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[bin(big)]
struct Onion {
    kind: u8,
    #[bin(if = kind > 0, until_end)]
    inner: Option<Encoded<Xor, Box<Self>>>,
}

#[test]
fn values_nest_some_twenty_levels_deep() {
    let deep = |depth: u8| (0..=depth).collect::<Vec<u8>>().into_iter().rev().collect::<Vec<u8>>();
    hold::<Onion>(&deep(15), ());
    let mut onion = Onion::parse(deep(15).leak()).unwrap();
    let mut inner = &mut onion;
    for _ in 0..10 {
        inner = inner.inner.as_mut().unwrap();
    }
    assert_eq!(inner.kind, 5);
    inner.inner = None;
    let error = onion.to_vec().unwrap_err();
    let path = error.finding().path.as_str();
    assert_eq!(path, ["inner(decoded)."; 10].concat() + "inner");
    assert_eq!(
        stopped::<Onion>(deep(200).leak()),
        ["inner(decoded)."; 19].concat() + "inner(decoded) depth"
    );
    assert!(!Onion::is_valid(&deep(200)));
}

/// Bodies that a table tells of, each with a key of its own, at offsets.
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[bin(little)]
struct Archive {
    count: Auto<u8>,
    #[bin(count = count)]
    entries: Vec<Entry>,
    #[bin(for_each = entries, at = it.at, len = it.len, codec = Xor(it.key), args(limit = it.key))]
    bodies: Vec<Encoded<Xor, Body>>,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[bin(little)]
struct Entry {
    key: u8,
    at: u16,
    len: u16,
}

/// A located value inside decoded bytes, and an argument.
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[bin(args(limit: u8))]
struct Body {
    #[bin(check(at < limit, "{at} is not below {limit}"))]
    at: u8,
    text_len: Auto<u8>,
    #[bin(at = at, len = text_len)]
    text: String,
}

#[test]
fn bodies_of_a_table_have_codecs_and_arguments_of_their_own() {
    let body = |text: &str| Encoded::new(Body { at: 0, text_len: Auto::new(), text: text.into() });
    let entry = |key| Entry { key, at: 0, len: 0 };
    let archive = Archive {
        count: Auto::new(),
        entries: vec![entry(9), entry(0x20)],
        bodies: vec![body("abc"), body("")],
    };
    let file = archive.to_vec().unwrap();
    assert_eq!(
        file,
        [&[2, 9, 11, 0, 5, 0, 0x20, 16, 0, 2, 0][..], &[11, 10, b'h', b'k', b'j'], &[0x20, 0x20]]
            .concat()
    );
    hold::<Archive>(&file, ());
    let mut read = Archive::parse(&file).unwrap();
    assert_eq!(read.bodies[0].at, 2, "offsets count from the start of the decoded bytes");
    // Another key: the value is the same, and the coded bytes are not.
    read.entries[0].key = 10;
    let written = read.to_vec().unwrap();
    assert_eq!(&written[11..16], [8, 9, b'k', b'h', b'i']);
    assert_eq!(Archive::parse(&written).unwrap().bodies, read.bodies);
    read.entries[0].key = 1;
    assert_eq!(read.to_vec().unwrap_err().finding().path.as_str(), "bodies[0](decoded).at");
}

/// A checksum over coded bytes, one of what is decoded, and items that are read when asked for.
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[bin(little)]
struct Chunks<'a> {
    #[bin(until_end)]
    chunks: Seq<'a, Chunk>,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[bin(little)]
struct Chunk {
    #[bin(prefix = u16)]
    body: Encoded<Deflate, Summed>,
    #[bin(checksum(Crc32, over = body))]
    crc: u32,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[bin(endian = inherit)]
struct Summed {
    number: u16,
    #[bin(checksum(Crc32, over = number))]
    sum: u32,
}

#[test]
fn checksums_lie_around_and_inside() {
    let chunk = |number| Chunk { body: Summed { number, sum: 0 }.into(), crc: 0 };
    let list: Vec<Chunk> = (0..5).map(chunk).collect();
    let file = Chunks { chunks: Seq::from(&list[..]) }.to_vec().unwrap();
    hold::<Chunks<'_>>(&file, ());
    assert!(Chunks::validate(&file).findings().is_empty());
    let read: Result<Vec<Chunk>, _> = Chunks::parse(&file).unwrap().chunks.iter().collect();
    let read = read.unwrap();
    assert_eq!(read[4].body.number, 4);
    assert_ne!(read[4].body.sum, 0, "it is computed");
    let mut streamed = Vec::new();
    Chunks { chunks: Seq::from(&list[..]) }.write_to(&mut streamed).unwrap();
    assert_eq!(streamed, file);
    let mut damaged = file;
    damaged[3] ^= 1;
    hold::<Chunks<'_>>(&damaged, ());
    assert!(!Chunks::validate(&damaged).is_ok());
}

/// Where in its value a codec may be.
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[bin(little, align_after = 4)]
struct Places {
    flags: u8,
    key: [u8; 3],
    #[bin(flag = flags & 1, prefix = u8, codec = Xor::repeated(key))]
    first: Option<Encoded<Xor<[u8; 3]>, Note>>,
    at: u8,
    size: u8,
    #[bin(at = at, len = size, pad_to = 20, null = 0)]
    there: Option<Encoded<Zlib, Note>>,
}

#[test]
fn optional_and_located_values() {
    let first = Some(Encoded::new(note(1, "one")));
    let there = Some(Encoded::new(note(2, "two")));
    for (first, there) in
        [(None, None), (first.clone(), None), (None, there.clone()), (first, there)]
    {
        let value = Places { flags: 0, key: *b"key", first, at: 0, size: 0, there };
        let file = value.to_vec().unwrap();
        hold::<Places>(&file, ());
        let read = Places::parse(&file).unwrap();
        assert_eq!((&read.first, &read.there), (&value.first, &value.there));
        let mut streamed = Vec::new();
        value.write_to(&mut streamed).unwrap();
        assert_eq!(streamed, file);
        laws::written_is_read(&Places::parse(file.leak()).unwrap(), ()).unwrap().unwrap();
    }
}

/// Codecs that do not do what they say.
#[derive(Clone, Copy, Debug, Default)]
struct Odd<const HOW: u8>;

impl<const HOW: u8> Codec for Odd<HOW> {
    const NAME: &'static str = "Odd";
    const LIMIT: u64 = 8;

    fn decode(&self, coded: &[u8], out: &mut Output<'_>) -> Result<usize, CodecError> {
        match HOW {
            // Loses a byte.
            0 => out.put(coded.get(1..).unwrap_or_default())?,
            // Goes on when the limit is reached.
            1 => (0..100).for_each(|_| {
                let _ = out.put(coded);
            }),
            // Claims more than there is.
            2 => {
                out.put(coded)?;
                return Ok(coded.len() + 1);
            }
            _ => out.put(coded)?,
        }
        Ok(coded.len())
    }

    fn encode(&self, decoded: &[u8], coded: &mut Vec<u8>) -> Result<(), CodecError> {
        if HOW == 3 {
            return Err(CodecError::at(0, "it is Monday").with(Show::Uint(1), Show::Uint(2)));
        }
        coded.extend(decoded);
        Ok(())
    }
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Strange<const HOW: u8> {
    #[bin(until_end)]
    text: Encoded<Odd<HOW>, Text>,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Text {
    #[bin(until_end)]
    text: String,
}

#[test]
fn codecs_are_not_trusted() {
    assert_eq!(
        refused(&Strange::<0> { text: Encoded::new(Text { text: "abc".into() }) }),
        "text codec"
    );
    assert_eq!(Strange::<0>::parse(b"abc").unwrap().to_vec().unwrap(), b"abc");
    assert_eq!(stopped::<Strange<1>>(b"abc"), "text limit");
    assert_eq!(stopped::<Strange<2>>(b"abc"), "text codec");
    let refuses = Strange::<3> { text: Encoded::new(Text { text: "abc".into() }) };
    assert_eq!(
        refuses.to_vec().unwrap_err().to_string(),
        "text at 0x0..0x0: the value cannot be encoded by Odd: it is Monday; expected 1, found 2 [codec]"
    );
    let long = Strange::<4> { text: Encoded::new(Text { text: "123456789".into() }) };
    assert_eq!(refused(&long), "text limit");
    assert_eq!(
        Strange::<4>::parse(b"123456789").unwrap_err().to_string(),
        "text at 0x0..0x9: the bytes decode to more than the limit of Odd; expected 8 [limit]"
    );
}

thread_local! {
    static ENCODED: Cell<u32> = const { Cell::new(0) };
}

/// Counts how often it encodes.
#[derive(Clone, Copy, Debug, Default)]
struct Counted;

impl Codec for Counted {
    const NAME: &'static str = "Counted";

    fn decode(&self, coded: &[u8], out: &mut Output<'_>) -> Result<usize, CodecError> {
        out.put(coded)?;
        Ok(coded.len())
    }

    fn encode(&self, decoded: &[u8], coded: &mut Vec<u8>) -> Result<(), CodecError> {
        ENCODED.set(ENCODED.get() + 1);
        coded.extend(decoded);
        Ok(())
    }
}

#[derive(BinFormat, Debug)]
#[bin(little)]
struct Outer {
    #[bin(prefix = u32)]
    inner: Encoded<Counted, Inner>,
    #[bin(prefix = u32)]
    text: Encoded<Counted, Text>,
}

#[derive(BinFormat, Debug)]
#[bin(little)]
struct Inner {
    #[bin(prefix = u32)]
    text: Encoded<Counted, Text>,
}

type Write = fn(&Outer) -> usize;

#[test]
fn a_value_is_encoded_once_however_often_it_is_written() {
    let text = |len| Encoded::new(Text { text: "x".repeat(len) });
    for len in [10, 3 << 19] {
        let value = Outer { inner: Inner { text: text(len) }.into(), text: text(len) };
        let outputs: [Write; 3] = [
            |value| value.to_vec().unwrap().len(),
            |value| usize::try_from(value.encoded_len().unwrap()).unwrap(),
            |value| {
                let mut out = Vec::new();
                value.write_to(&mut out).unwrap();
                out.len()
            },
        ];
        for output in outputs {
            ENCODED.set(0);
            assert_eq!(output(&value), 2 * len + 12);
            assert_eq!(ENCODED.get(), 3, "inner, text of inner, text");
        }
    }
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Empty {
    #[bin(until_end)]
    text: Encoded<Zlib, Text>,
}

#[test]
fn empty_coded_bytes_are_what_the_codec_makes_of_them() {
    assert_eq!(Strange::<4>::parse(b"").unwrap().text.text, "");
    hold::<Strange<4>>(b"", ());
    assert_eq!(stopped::<Empty>(b""), "text codec");
    hold::<Empty>(b"", ());
    let empty = Empty { text: Encoded::new(Text { text: String::new() }) };
    let file = empty.to_vec().unwrap();
    hold::<Empty>(&file, ());
    assert_eq!(Empty::parse(&file).unwrap(), empty);
}

#[derive(BinFormat, Debug)]
struct Large {
    #[bin(until_end)]
    text: Encoded<Zlib, Text>,
}

#[test]
fn a_writer_refuses_what_no_reader_would_decode() {
    // 2 MB of zeros compress so well that a reader's budget does not pay for them.
    let large = Large { text: Encoded::new(Text { text: "0".repeat(2 << 20) }) };
    assert_eq!(refused(&large), "text budget");
    let fits = Large { text: Encoded::new(Text { text: "0".repeat(1 << 20) }) };
    assert_eq!(Large::parse(&fits.to_vec().unwrap()).unwrap().text.text.len(), 1 << 20);
}

/// A value at an offset in front of items that a damaged number may make too many.
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[bin(little)]
struct Lying {
    at: u8,
    count: u8,
    #[bin(count = count)]
    items: Vec<u16>,
    #[bin(at = at)]
    value: u32,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[bin(little)]
struct Parcels {
    head: [u8; 3],
    #[bin(prefix = u8)]
    all: Vec<Parcel>,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[bin(little)]
struct Parcel {
    #[bin(prefix = u8, codec = Xor(0x55))]
    body: Encoded<Xor, Lying>,
    last: u8,
}

#[test]
fn what_ends_too_early_in_coded_bytes_lies_in_them() {
    let lying = |at, items| Lying { at, count: 1, items, value: 7 };
    let parcel = |body| Parcel { body: Encoded::new(body), last: 9 };
    let all = vec![parcel(lying(60, vec![1])), parcel(lying(0, vec![2]))];
    let bytes = Parcels { head: *b"abc", all }.to_vec().unwrap();
    hold::<Parcels>(&bytes, ());
    for at in 0..bytes.len() {
        for damage in [0, 0x55, 0x56, 0xff, 0x7f, 0x15] {
            let mut bytes = bytes.clone();
            bytes[at] = damage;
            hold::<Parcels>(&bytes, ());
        }
    }
}

#[test]
fn the_tag_of_a_coded_enum_is_computed() {
    #[derive(BinFormat, Clone, Debug, PartialEq)]
    #[bin(little)]
    struct Chosen {
        #[bin(calc = tag(body))]
        kind: u8,
        #[bin(calc = tag(named))]
        name: [u8; 2],
        len: Auto<u8>,
        #[bin(len = len, codec = Xor(0x55), args(kind))]
        body: Encoded<Xor, Body>,
        #[bin(prefix = u8, codec = Xor(0x33), args(name))]
        named: Encoded<Xor, Named>,
    }

    #[derive(BinFormat, Clone, Debug, PartialEq)]
    #[bin(little, args(kind: u8), tag = kind)]
    enum Body {
        #[bin(id = 1)]
        Short(u8),
        #[bin(id = 2)]
        Long(u32),
    }

    #[derive(BinFormat, Clone, Debug, PartialEq)]
    #[bin(little, args(name: [u8; 2]), tag = name)]
    enum Named {
        #[bin(id = b"no")]
        Nothing,
        #[bin(id = b"it")]
        Item(u16),
    }

    for (body, named, kind, name) in
        [(Body::Short(1), Named::Item(7), 1, b"it"), (Body::Long(5), Named::Nothing, 2, b"no")]
    {
        let (body, named) = (Encoded::new(body), Encoded::new(named));
        let value = Chosen { kind: 77, name: *b"??", len: Auto::new(), body, named };
        let written = value.to_vec().unwrap();
        let read = Chosen::parse(&written).unwrap();
        assert_eq!((read.kind, &read.name), (kind, name));
        assert_eq!((&read.body, &read.named), (&value.body, &value.named));
        hold::<Chosen>(&written, ());
    }
}

/// Coded bytes in coded bytes.
#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Twice {
    #[bin(prefix = u8, codec = Xor(1))]
    outer: Encoded<Xor, Once>,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Once {
    at: u8,
    #[bin(at = at, prefix = u8, codec = Xor(2))]
    inner: Encoded<Xor, Words>,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Words {
    #[bin(until_end)]
    text: Vec<u8>,
}

fn twice(at: u8, text: &[u8]) -> Twice {
    let inner = Encoded::new(Words { text: text.to_vec() });
    Twice { outer: Encoded::new(Once { at, inner }) }
}

#[test]
fn equal_coded_values_share_a_place_and_others_do_not() {
    #[derive(BinFormat, Clone, Debug, PartialEq)]
    struct Pair {
        at: u8,
        other_at: u8,
        #[bin(at = at, shared)]
        one: Twice,
        #[bin(at = other_at, shared)]
        other: Twice,
    }

    let written = |one, other| {
        let written = Pair { at: 0, other_at: 0, one, other }.to_vec().unwrap();
        hold::<Pair>(&written, ());
        written
    };
    let file = written(twice(0, b"abc"), twice(0, b"abc"));
    assert_eq!(file, [2, 2, 5, 1 ^ 1, 1 ^ 3, 1 ^ b'a' ^ 2, 1 ^ b'b' ^ 2, 1 ^ b'c' ^ 2]);
    let mut changed = Pair::parse(&file).unwrap();
    changed.other.outer.inner.text = b"xyz".to_vec();
    let apart = Pair::parse(&changed.to_vec().unwrap()).unwrap();
    assert_eq!((&apart.one, &apart.other), (&twice(1, b"abc"), &twice(1, b"xyz")));
    // Places that the values hold, and other lengths.
    written(twice(0, b""), twice(5, b""));
    written(twice(9, b"ab"), twice(0, b"abc"));
}

#[test]
fn coded_values_are_viewed_and_placed_downwards_as_they_are() {
    #[derive(BinFormat, Clone, Debug, PartialEq)]
    struct Seen {
        #[bin(len = 5)]
        bytes: Vec<u8>,
        #[bin(at = 0, view)]
        seen: Twice,
    }

    #[derive(BinFormat, Clone, Debug, PartialEq)]
    #[bin(len = 16)]
    struct Page {
        at: u8,
        #[bin(section, len = remaining, grow = down)]
        space: Vec<u8>,
        #[bin(at = at, base = start, place = space)]
        value: Twice,
    }

    let bytes = twice(1, b"z").to_vec().unwrap();
    assert_eq!(bytes, [3, 0, 0, 1 ^ b'z' ^ 2].map(|byte| byte), "a text of one byte");
    let file = [&bytes[..], &[7]].concat();
    hold::<Seen>(&file, ());
    let mut seen = Seen::parse(&file).unwrap();
    seen.seen.outer.inner.text = b"y".to_vec();
    assert_eq!(refused(&seen), "seen view");
    let page = Page { at: 0, space: vec![0; 15], value: twice(0, b"ab") };
    let written = page.to_vec().unwrap();
    assert_eq!((written.len(), written[0]), (16, 11));
    hold::<Page>(&written, ());
}
