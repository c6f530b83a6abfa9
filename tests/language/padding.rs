//! Padding and alignment.

use binfmt_runtime::{Auto, BinFormat};

use super::{findings, refused, same, stopped};

#[derive(BinFormat, Debug, PartialEq, Default)]
#[bin(little)]
struct Padded {
    #[bin(pad_before = 1, pad_after = 2, fill = 0xee)]
    a: u8,
    #[bin(align_before = 8)]
    b: u16,
    len: Auto<u8>,
    #[bin(len = len, align_after = 4, fill = 0x20)]
    name: String,
    last: u8,
}

#[test]
fn padding_is_skipped_and_written_as_its_fill() {
    let value = Padded { a: 1, b: 2, name: "abc".to_owned(), last: 9, ..Padded::default() };
    same(&value, b"\xee\x01\xee\xee\0\0\0\0\x02\0\x03abc  \x09");
    let odd = b"\xee\x01\xee\x07\0\0\x01\0\x02\0\x03abc \0\x09";
    assert_eq!(
        findings::<Padded>(odd),
        ["warning padding padding", "warning padding padding", "warning padding padding"]
    );
    assert_eq!(Padded::parse(odd).unwrap(), value);
    assert_eq!(stopped::<Padded>(b"\xee\x01\xee"), "padding end");
}

#[derive(BinFormat, Debug, PartialEq, Default, Clone)]
#[bin(big)]
struct Room {
    space: u8,
    len: Auto<u8>,
    #[bin(len = len, align_after = 4, pad_to = space)]
    data: Vec<u8>,
    after: u8,
}

#[test]
fn a_value_keeps_its_room_while_it_fits() {
    let value = Room { space: 6, data: vec![1, 2, 3], after: 9, ..Room::default() };
    same(&value, &[6, 3, 1, 2, 3, 0, 0, 0, 9]);
    // What does not fit gets room anew, aligned.
    let longer = Room { data: vec![1; 7], ..value.clone() };
    assert_eq!(longer.to_vec().unwrap(), [8, 7, 1, 1, 1, 1, 1, 1, 1, 0, 9]);
    assert_eq!(stopped::<Room>(&[2, 3, 1, 2, 3, 9]), "len size");
    assert_eq!(stopped::<Room>(&[9, 3, 1, 2, 3, 9]), "space size");
    assert_eq!(refused(&Room { data: vec![1; 255], ..value }), "space overflow");
}

#[derive(BinFormat, Debug, PartialEq, Default)]
#[bin(big)]
struct Fixed {
    len: Auto<u8>,
    #[bin(len = len, pad_to = 4, fill = 0xff)]
    data: Vec<u8>,
    #[bin(pad_to = 4)]
    number: u16,
}

#[test]
fn room_of_fixed_size_is_filled_and_never_exceeded() {
    same(
        &Fixed { data: vec![1], number: 2, ..Fixed::default() },
        &[1, 1, 0xff, 0xff, 0xff, 0, 2, 0, 0],
    );
    assert_eq!(refused(&Fixed { data: vec![1; 5], ..Fixed::default() }), "data size");
    assert_eq!(stopped::<Fixed>(&[5, 1, 1, 1, 1, 1, 0, 2, 0, 0]), "len size");
}

#[derive(BinFormat, Debug, PartialEq, Default, Clone)]
#[bin(little, align_after = 4)]
struct Aligned {
    len: Auto<u8>,
    #[bin(len = len)]
    data: Vec<u8>,
}

#[derive(BinFormat, Debug, PartialEq, Default)]
#[bin(little)]
struct List {
    lead: u8,
    #[bin(count = 2)]
    items: Vec<Aligned>,
    #[bin(until_end)]
    rest: Vec<Aligned>,
}

#[test]
fn a_type_is_padded_from_its_own_start() {
    let item = |data: &[u8]| Aligned { data: data.to_vec(), ..Aligned::default() };
    let value = List { lead: 7, items: vec![item(&[1]), item(&[])], rest: vec![item(&[1, 2, 3])] };
    same(&value, &[7, 1, 1, 0, 0, 0, 0, 0, 0, 3, 1, 2, 3]);
    assert_eq!(stopped::<List>(&[7, 1, 1, 0, 0, 0, 0]), "items[1].padding end");
    assert_eq!(
        findings::<List>(&[7, 1, 1, 0, 5, 0, 0, 0, 0]),
        ["warning items[0].padding padding"]
    );
}

#[derive(BinFormat, Debug, PartialEq)]
#[bin(little, len = size, align_after = alignment)]
struct FromData<'a> {
    size: u8,
    #[bin(check(alignment < 100, "that is no alignment"))]
    alignment: u8,
    #[bin(until_end)]
    rest: &'a [u8],
}

#[test]
fn an_alignment_may_come_from_the_file_and_be_nonsense() {
    same(&FromData { size: 3, alignment: 4, rest: &[1] }, &[3, 4, 1, 0]);
    same(&FromData { size: 3, alignment: 0, rest: &[1] }, &[3, 0, 1]);
    same(&FromData { size: 4, alignment: 3, rest: &[1, 2] }, &[4, 3, 1, 2, 0, 0]);
}

/// Fill of several bytes, wherever there is fill.
#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little)]
struct Patterned<'a> {
    #[bin(pad_after = 4, fill = b"PAD")]
    first: u8,
    #[bin(align_before = 4, fill = b"ab")]
    second: u8,
    len: Auto<u8>,
    #[bin(len = len, pad_to = 8, fill = b"<->")]
    text: &'a str,
    name_at: u8,
    #[bin(section, len = 8, fill = b"xyz")]
    names: &'a [u8],
    #[bin(at = name_at, base = names, place = names, len = 1, align_before = 4)]
    name: &'a [u8],
    #[bin(len = 2, align_after = 4, fill = b' ')]
    last: &'a [u8],
}

#[test]
fn fill_may_be_several_bytes() {
    let names = b"........";
    let value = Patterned {
        first: 1,
        second: 2,
        len: Auto::new(),
        text: "text",
        name_at: 4,
        names,
        name: b".",
        last: b"!?",
    };
    same(&value, b"\x01PADPaba\x02\x04text<-><\x04........!?   ");
    let text = "longest!";
    let full = Patterned { text, ..value.clone() };
    same(&full, b"\x01PADPaba\x02\x08longest!\x04........!?   ");
    assert_eq!(
        findings::<Patterned<'_>>(b"\x01PADPabb\x02\x04text<->>\x04........!?   "),
        ["warning padding padding", "warning padding padding", "warning  gap", "warning  gap"]
    );
    // What a section does not hold yet is its fill, in front of what is new.
    let new = Patterned { names: b"", name_at: 0, ..value };
    let bytes = new.to_vec();
    assert_eq!(bytes.unwrap_err().finding().code, "derived");
}

/// A section that grows has its fill in front of what is new.
#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little)]
struct Growing<'a> {
    len: Auto<u8>,
    at: [u8; 2],
    #[bin(section, len = len, fill = b"PAD")]
    names: &'a [u8],
    #[bin(for_each = at, at = it, base = names, place = names, align_before = 8, nul)]
    texts: Vec<&'a str>,
}

#[test]
fn a_section_grows_by_its_fill() {
    let value = Growing { len: Auto::new(), at: [0, 0], names: b"", texts: vec!["ab", "c"] };
    let bytes = value.to_vec().unwrap();
    assert_eq!(bytes, b"\x07\0\x05ab\0PAc\0");
    let read = Growing::parse(&bytes).unwrap();
    assert_eq!(read.to_vec().unwrap(), bytes);
    assert_eq!(findings::<Growing<'_>>(b"\x07\0\x05ab\0PAc\0"), ["note  gap"]);
    assert_eq!(findings::<Growing<'_>>(b"\x07\0\x05ab\0PDc\0"), ["warning  gap"]);
    // A long fill is written in parts, to every output the same.
    let long = Growing { at: [0, 200], ..value };
    let bytes = long.to_vec().unwrap();
    let mut stream = Vec::new();
    long.write_to(&mut stream).unwrap();
    assert_eq!(stream, bytes);
    assert_eq!(long.encoded_len(), Ok(205));
    let fill = &bytes[6..203];
    assert!(fill.iter().zip(b"PAD".iter().cycle()).all(|(a, b)| a == b), "{fill:?}");
}

/// Sections that follow one another, each aligned by a field that is nothing but padding.
#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little)]
struct Gapped<'a> {
    len: Auto<u8>,
    at: u8,
    #[bin(section, len = len)]
    names: &'a [u8],
    #[bin(align_before = 4, fill = 0xff)]
    gap: (),
    #[bin(section, len = 4)]
    numbers: &'a [u8],
    #[bin(pad_after = 2)]
    end: (),
    #[bin(at = at, place = names, nul)]
    text: &'a str,
}

#[test]
fn a_field_may_be_nothing_but_padding() {
    let value = Gapped {
        len: Auto::new(),
        at: 2,
        names: b"a\0b",
        gap: (),
        numbers: b"1234",
        end: (),
        text: "a",
    };
    same(&value, b"\x03\x02a\0b\xff\xff\xff1234\0\0");
    assert_eq!(
        findings::<Gapped<'_>>(b"\x03\x02a\0b\xff\x01\xff1234\0\x05"),
        ["warning  gap", "warning padding padding", "warning  gap", "warning padding padding"]
    );
    assert_eq!(stopped::<Gapped<'_>>(b"\x02\x02a\0\x01\x02\x03\x04\0"), "padding end");
}
