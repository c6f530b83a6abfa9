//! Fields at offsets, and the sections they lie in.

use binfmt_runtime::{Auto, BinFormat, Seq, Severity};

use super::{findings, kept, refused, same, stopped};

#[derive(BinFormat, Debug, PartialEq, Default, Clone)]
#[bin(little, magic = b"L")]
struct Header<'a> {
    name_at: u8,
    name_len: Auto<u8>,
    data_at: u8,
    data_len: Auto<u8>,
    #[bin(at = name_at, null = 0, len = name_len, nul)]
    name: Option<&'a str>,
    #[bin(at = data_at, len = data_len, align_after = 4)]
    data: &'a [u8],
}

#[test]
fn located_fields_follow_the_sequence_and_derive_their_offsets() {
    let (name, data) = (Some("ab"), &[1, 2][..]);
    let value = Header { name_at: 5, data_at: 8, name, data, ..Header::default() };
    kept(&value, b"L\x05\x02\x08\x02ab\0\x01\x02\0\0");
    // Without stored offsets the fields follow one another, aligned.
    let new = Header { name, data, ..Header::default() };
    assert_eq!(new.to_vec(), value.to_vec());
    let absent = Header { name: None, ..value };
    assert_eq!(absent.to_vec().unwrap(), b"L\0\0\x08\x02\0\0\0\x01\x02\0\0");
    assert_eq!(stopped::<Header<'_>>(b"L\xff\x02\x08\x02ab\0\x01\x02\0\0"), "name_at offset");
    assert_eq!(stopped::<Header<'_>>(b"L\x05\x09\x08\x02ab\0\x01\x02\0\0"), "name_len size");
}

#[test]
fn a_value_keeps_its_offset_while_it_fits() {
    let value =
        Header { name_at: 5, data_at: 8, name: Some("ab"), data: &[1], ..Header::default() };
    let longer = Header { name: Some("abcd"), ..value.clone() };
    assert_eq!(longer.to_vec().unwrap(), b"L\x05\x04\x0c\x01abcd\0\0\0\x01\0\0\0");
    let shorter = Header { name: Some(""), ..value };
    assert_eq!(shorter.to_vec().unwrap(), b"L\x05\0\x08\x01\0\0\0\x01\0\0\0");
}

#[test]
fn overlaps_and_gaps_are_told() {
    assert_eq!(findings::<Header<'_>>(b"L\x0a\x01\x08\x00\0\0\0\0\0a\0"), ["note  gap"]);
    let report = Header::validate(b"L\x08\x01\x0c\x00\0\x01\0a\0\0\0");
    let [set, fill] = report.findings() else { panic!("{report}") };
    assert_eq!((set.code, set.severity, set.start, set.end), ("unkept", Severity::Warning, 5, 8));
    // The second field has no bytes, and the value reaches to where it lies.
    assert_eq!((fill.code, fill.severity, fill.start, fill.end), ("gap", Severity::Note, 10, 12));
    assert_eq!(findings::<Header<'_>>(b"L\x05\x02\x06\x01ab\0"), ["error data overlap"]);
}

#[derive(BinFormat, Debug, PartialEq, Default)]
#[bin(little)]
struct NoFloor<'a> {
    at: Auto<u8>,
    #[bin(at = at, len = 2)]
    data: &'a [u8],
}

#[test]
fn an_offset_that_is_not_kept_has_no_floor() {
    let value = NoFloor::parse(&[3, 0, 0, 7, 8]).unwrap();
    assert_eq!(value.data, [7, 8]);
    assert_eq!(value.to_vec().unwrap(), [1, 7, 8]);
}

#[derive(BinFormat, Debug, PartialEq, Default, Clone)]
#[bin(big, origin)]
struct Sections<'a> {
    strings_len: u8,
    a_at: u8,
    b_at: u8,
    #[bin(section, len = strings_len, fill = 0x2e)]
    strings: &'a [u8],
    last: u8,
    #[bin(at = a_at, null = 0, place = strings, len = 2)]
    a: Option<&'a [u8]>,
    #[bin(at = b_at, place = strings, len = 1, nul, align_after = 2)]
    b: &'a [u8],
}

#[test]
fn a_section_holds_located_fields_and_keeps_its_other_bytes() {
    let value = Sections {
        strings_len: 7,
        a_at: 3,
        b_at: 7,
        strings: b"xxyzw\0\0",
        last: 9,
        a: Some(b"ab"),
        b: b"w",
    };
    let bytes = b"\x07\x03\x07abyzw\0\0\x09";
    assert_eq!(value.to_vec().unwrap(), bytes);
    same(&Sections { strings: b"abyzw\0\0", ..value.clone() }, bytes);
    // A new value needs nothing but its fields.
    let new = Sections { a: Some(b"ab"), b: b"c", last: 9, ..Sections::default() };
    let written = new.to_vec().unwrap();
    let read = Sections::parse(&written).unwrap();
    assert_eq!((read.a, read.b, read.last), (new.a, new.b, 9));
    assert_eq!(stopped::<Sections<'_>>(b"\x02\x03\x06ab\x09\0\0"), "b_at offset");
}

#[derive(BinFormat, Debug, PartialEq, Default)]
#[bin(little)]
struct Frame {
    lead: u8,
    body: Body,
}

#[derive(BinFormat, Debug, PartialEq, Default)]
#[bin(little)]
struct Body {
    from_file: u8,
    from_start: u8,
    from_origin: u8,
    #[bin(at = from_file, base = file)]
    a: u8,
    #[bin(at = from_start, base = start)]
    b: u8,
    #[bin(at = from_origin)]
    c: u8,
}

#[derive(BinFormat, Debug, PartialEq, Default)]
#[bin(little)]
struct Nest {
    lead: u8,
    origin: Origin,
}

#[derive(BinFormat, Debug, PartialEq, Default)]
#[bin(little, origin)]
struct Origin {
    lead: u8,
    body: Body,
}

#[test]
fn offsets_count_from_the_file_the_value_or_the_origin_around_it() {
    let body = |from_file, from_start, from_origin| Body {
        from_file,
        from_start,
        from_origin,
        a: 5,
        b: 6,
        c: 7,
    };
    same(&Frame { lead: 1, body: body(4, 4, 6) }, &[1, 4, 4, 6, 5, 6, 7]);
    let origin = Origin { lead: 2, body: body(5, 4, 6) };
    same(&Nest { lead: 1, origin }, &[1, 2, 5, 4, 6, 5, 6, 7]);
    assert_eq!(stopped::<Frame>(&[1, 4, 4, 9, 5, 6, 7]), "body.from_origin offset");
}

#[derive(BinFormat, Debug, PartialEq, Default, Clone)]
#[bin(little)]
struct Record {
    at: u8,
    len: Auto<u8>,
    #[bin(at = at + 1, base = file, len = len)]
    data: Vec<u8>,
}

#[derive(BinFormat, Debug, PartialEq, Default)]
#[bin(little)]
struct Bomb<'a> {
    count: Auto<u16>,
    len: u16,
    #[bin(count = count, args(len))]
    records: Seq<'a, Pointer>,
}

#[derive(BinFormat, Debug, PartialEq, Default, Clone)]
#[bin(little, args(len: u16))]
struct Pointer {
    at: u8,
    #[bin(at = at, base = file, null = 0, len = len)]
    data: Option<Vec<u8>>,
}

#[test]
fn an_offset_may_be_part_of_a_sum() {
    same(&Record { at: 1, data: vec![5], ..Record::default() }, &[1, 1, 5]);
    assert_eq!(refused(&Record { data: vec![0; 300], ..Record::default() }), "len overflow");
}

#[test]
fn offsets_that_point_at_the_same_bytes_again_and_again_are_stopped() {
    let mut bytes = vec![1; 60_000];
    bytes[..4].copy_from_slice(&[0x80, 0x00, 0x00, 0xe0]);
    assert!(Bomb::validate(&bytes).errors().any(|finding| finding.code == "budget"));
    assert!(!Bomb::is_valid(&bytes));
}

#[derive(BinFormat, Debug, PartialEq, Default, Clone)]
#[bin(little)]
struct Relative<'a> {
    first: u8,
    to_a: u8,
    to_b: u8,
    data: u8,
    #[bin(at = to_a, base = to_a, len = 1)]
    a: &'a [u8],
    #[bin(at = to_b, base = data, null = 0, len = 2)]
    b: Option<&'a [u8]>,
}

#[test]
fn offsets_count_from_an_earlier_field() {
    let value = Relative { first: 9, to_a: 3, to_b: 2, data: 0, a: b"x", b: Some(b"yz") };
    same(&value, b"\x09\x03\x02\0xyz");
    let new = Relative { to_a: 0, to_b: 0, ..value };
    assert_eq!(new.to_vec().unwrap(), b"\x09\x03\x02\0xyz");
    kept(&Relative { to_a: 3, b: None, ..new }, b"\x09\x03\0\0x");
    let behind = b"\x09\x05\x01\0yzx";
    same(&Relative::parse(behind).unwrap(), behind);
}

#[derive(BinFormat, Debug, PartialEq, Default, Clone)]
struct PaddedBehind<'a> {
    at: u8,
    len: u8,
    #[bin(at = at, len = len, pad_after = 2)]
    data: &'a [u8],
}

#[test]
fn an_empty_located_field_has_no_padding_behind_it() {
    same(&PaddedBehind { at: 2, len: 1, data: b"x" }, b"\x02\x01x\0\0");
    same(&PaddedBehind { at: 2, len: 0, data: b"" }, b"\x02\0");
}

/// A text is declared between the numbers that stand in front of it in the file.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(big)]
struct Between<'a> {
    one_at: u16,
    one_len: Auto<u16>,
    #[bin(at = one_at, len = one_len)]
    one: &'a str,
    two_at: u16,
    two_len: Auto<u16>,
    #[bin(at = two_at, len = two_len)]
    two: &'a str,
    #[bin(check(behind < 8, "it is large"))]
    behind: u8,
}

#[test]
fn fields_behind_a_located_one_keep_their_names() {
    let file = [0, 9, 0, 2, 0, 11, 0, 1, 7, b'a', b'b', b'c'];
    let value = Between::parse(&file).unwrap();
    assert_eq!((value.one, value.two, value.behind), ("ab", "c", 7));
    assert_eq!(value.to_vec().unwrap(), file);
    let told: Vec<_> = Between::inspect(&file)
        .root
        .children
        .iter()
        .map(|node| (node.name.clone(), node.start))
        .collect();
    let expected = [
        ("one_at", 0),
        ("one_len", 2),
        ("two_at", 4),
        ("two_len", 6),
        ("behind", 8),
        ("one", 9),
        ("two", 11),
    ];
    assert_eq!(told, expected.map(|(name, start)| (name.to_owned(), start)));
    let mut wrong = file;
    wrong[8] = 8;
    let report = Between::validate(&wrong);
    let finding = report.errors().next().unwrap();
    assert_eq!((finding.path.as_str(), finding.start), ("behind", 8));
}
