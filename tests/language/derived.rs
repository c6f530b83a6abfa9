//! Fields whose value the writer computes.

use binfmt_runtime::{Auto, BinFormat, Seq};

use super::{findings, refused, same, stopped};

#[derive(BinFormat, Debug, PartialEq, Default, Clone)]
#[bin(big)]
struct Counted {
    count: Auto<u8>,
    #[bin(count = count)]
    items: Vec<u16>,
}

#[test]
fn a_count_that_does_not_fit_its_field_is_an_error() {
    same(&Counted { items: vec![1, 2], ..Counted::default() }, &[2, 0, 1, 0, 2]);
    assert!(Counted { items: vec![0; 255], ..Counted::default() }.to_vec().is_ok());
    let error = Counted { items: vec![0; 256], ..Counted::default() }.to_vec().unwrap_err();
    assert_eq!(
        error.to_string(),
        "count at 0x0..0x0: the value does not fit into 1 byte; found 256 [overflow]"
    );
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little)]
struct Plain {
    words: u8,
    less: u8,
    more: u8,
    #[bin(len = 4 * words)]
    data: Vec<u8>,
    #[bin(count = less - 16)]
    few: Vec<u16>,
    #[bin(count = 3 + more - 1)]
    many: Vec<u16>,
}

#[test]
fn a_stale_number_is_computed_anew() {
    let value =
        Plain { words: 9, less: 9, more: 9, data: vec![1; 4], few: vec![2], many: vec![3; 2] };
    let bytes: &[u8] = &[1, 17, 0, 1, 1, 1, 1, 2, 0, 3, 0, 3, 0];
    assert_eq!(value.to_vec().unwrap(), bytes);
    same(&Plain { words: 1, less: 17, more: 0, ..value.clone() }, bytes);
    assert_eq!(refused(&Plain { data: vec![1; 5], ..value.clone() }), "words derived");
    assert_eq!(refused(&Plain { many: vec![], ..value.clone() }), "more derived");
    assert_eq!(refused(&Plain { few: vec![0; 240], ..value }), "less overflow");
    assert_eq!(stopped::<Plain>(&[0, 15, 0, 0, 0, 0, 0]), "less size");
}

#[derive(BinFormat, Debug, PartialEq)]
#[bin(big)]
struct Parallel<'a> {
    count: u16,
    #[bin(count = count)]
    offsets: Vec<u16>,
    #[bin(count = count)]
    sizes: Seq<'a, u16>,
}

#[test]
fn two_users_of_one_number_must_agree() {
    let value = Parallel { count: 2, offsets: vec![5, 6], sizes: Seq::from(&[7, 8][..]) };
    same(&value, &[0, 2, 0, 5, 0, 6, 0, 7, 0, 8]);
    assert_eq!(refused(&Parallel { offsets: vec![5], ..value }), "sizes derived");
}

#[derive(BinFormat, Debug, PartialEq)]
#[bin(little, len = total)]
struct Chain<'a> {
    #[bin(calc = total + header)]
    sum: u32,
    total: u16,
    #[bin(calc = len(name) + 6 + 3)]
    header: u16,
    #[bin(calc = if len(name) > 2 { 1 } else { 0 })]
    long: u8,
    #[bin(len = header - 9)]
    name: &'a str,
}

#[test]
fn computed_fields_may_use_computed_fields() {
    same(
        &Chain { sum: 24, total: 12, header: 12, long: 1, name: "abc" },
        b"\x18\0\0\0\x0c\0\x0c\0\x01abc",
    );
    let stale = Chain { sum: 0, total: 0, header: 0, long: 7, name: "ab" };
    assert_eq!(stale.to_vec().unwrap(), b"\x16\0\0\0\x0b\0\x0b\0\0ab");
}

#[test]
fn a_stored_number_that_disagrees_is_an_error_that_stops_no_reader() {
    let bytes = b"\x17\0\0\0\x0b\0\x0b\0\x01ab";
    assert_eq!(findings::<Chain<'_>>(bytes), ["error sum derived", "error long derived"]);
    assert!(Chain::is_valid(bytes));
    assert_eq!(Chain::parse(bytes).unwrap().sum, 0x17);
}

#[derive(BinFormat, Debug, PartialEq, Default)]
#[bin(big)]
struct Kept {
    #[bin(calc = max(room, len(data)))]
    room: u8,
    #[bin(calc = len(data))]
    len: Auto<u8>,
    #[bin(len = len, pad_after = room - len)]
    data: Vec<u8>,
}

#[test]
fn a_computed_field_may_keep_what_it_holds() {
    same(&Kept { room: 4, data: vec![1, 2], ..Kept::default() }, &[4, 2, 1, 2, 0, 0]);
    assert_eq!(
        Kept { room: 1, data: vec![1, 2], ..Kept::default() }.to_vec().unwrap(),
        [2, 2, 1, 2]
    );
    assert_eq!(findings::<Kept>(&[1, 0, 0]), Vec::<String>::new());
}

#[derive(BinFormat, Debug, PartialEq, Default)]
#[bin(big)]
struct Absent {
    flags: u8,
    len: Auto<u8>,
    #[bin(if = flags == 1, len = len)]
    data: Option<Vec<u8>>,
}

#[test]
fn what_an_absent_field_derives_is_0() {
    same(&Absent { flags: 1, data: Some(vec![5]), ..Absent::default() }, &[1, 1, 5]);
    same(&Absent::default(), &[0, 0]);
    assert_eq!(refused(&Absent { flags: 1, ..Absent::default() }), "data presence");
    assert_eq!(refused(&Absent { data: Some(vec![]), ..Absent::default() }), "data presence");
}

#[derive(BinFormat, Debug, PartialEq, Default)]
#[bin(little)]
struct Outer {
    size: Auto<u8>,
    count: Auto<u8>,
    #[bin(len = size, count = count)]
    items: Vec<Counted>,
    crc: u8,
}

#[test]
fn lengths_of_nested_values_are_measured() {
    let items = vec![Counted::default(), Counted { items: vec![1], ..Counted::default() }];
    same(&Outer { items, crc: 9, ..Outer::default() }, &[4, 2, 0, 1, 0, 1, 9]);
    let items = vec![Counted { items: vec![1; 100], ..Counted::default() }; 2];
    assert_eq!(refused(&Outer { items, ..Outer::default() }), "size overflow");
}

#[derive(BinFormat, Debug, PartialEq, Default)]
#[bin(little, origin)]
struct Begins {
    #[bin(calc = start(data))]
    begin: u8,
    len: Auto<u8>,
    #[bin(align_before = 4, len = len)]
    data: Vec<u8>,
}

#[derive(BinFormat, Debug, PartialEq, Default)]
struct Behind {
    lead: u8,
    begins: Begins,
}

#[test]
fn the_start_of_a_field_counts_from_the_origin() {
    let begins = Begins { begin: 4, data: vec![7], ..Begins::default() };
    same(&Behind { lead: 9, begins }, &[9, 4, 1, 0, 0, 7]);
    assert_eq!(findings::<Begins>(&[5, 0, 0, 0]), ["error begin derived"]);
}

#[test]
fn signed_numbers_are_computed() {
    #[derive(BinFormat, Clone, Debug, PartialEq)]
    #[bin(little)]
    struct Signed {
        #[bin(calc = len(bytes))]
        plain: i32,
        #[bin(calc = len(bytes) + 1)]
        auto: Auto<i8>,
        #[bin(if = plain > 1, calc = len(bytes) * 2)]
        twice: Option<i16>,
        #[bin(until_end)]
        bytes: Vec<u8>,
    }

    let signed = |len: usize| {
        let twice = (len > 1).then_some(-7);
        Signed { plain: -5, auto: Auto::new(), twice, bytes: vec![9; len] }
    };
    same(&Signed { plain: 1, ..signed(1) }, b"\x01\0\0\0\x02\x09");
    same(&Signed { plain: 2, twice: Some(4), ..signed(2) }, b"\x02\0\0\0\x03\x04\0\x09\x09");
    assert_eq!(signed(2).to_vec().unwrap()[..4], [2, 0, 0, 0]);
    assert_eq!(refused(&signed(127)), "auto overflow");
    assert_eq!(findings::<Signed>(b"\xff\xff\xff\xff\x01"), ["error plain derived"]);
}

/// A function that gives no value for some.
#[derive(BinFormat, Debug, PartialEq)]
struct Halved {
    #[bin(calc = half(of))]
    number: u8,
    of: u8,
}

fn half(of: u8) -> Option<u8> {
    of.is_multiple_of(2).then_some(of / 2)
}

#[test]
fn a_value_that_cannot_be_computed_is_said_so() {
    assert_eq!(Halved { number: 0, of: 6 }.to_vec().unwrap(), b"\x03\x06");
    assert_eq!(
        Halved { number: 0, of: 7 }.to_vec().unwrap_err().to_string(),
        "number at 0x0..0x0: the value cannot be computed from those that it follows from [overflow]"
    );
}

/// A number that is never what is computed of it.
#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Rising {
    #[bin(calc = number + 1)]
    number: u8,
}

/// One that is, from some number on, and one that is not stored in the struct.
#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Staying {
    #[bin(calc = max(number, len(text)))]
    number: u8,
    #[bin(calc = min(own + 1, 1))]
    own: Auto<u8>,
    #[bin(len = 2)]
    text: String,
}

#[test]
fn a_number_that_follows_from_itself_is_written_where_it_stays() {
    for number in [0, 1, 255] {
        assert!(Rising { number }.to_vec().is_err(), "{number}");
    }
    assert_eq!(refused(&Rising { number: 3 }), "number unsettled");
    for number in 0..5 {
        let value = Staying { number, own: Auto::new(), text: "ab".into() };
        let written = value.to_vec().unwrap();
        assert_eq!(written, [number.max(2), 1, b'a', b'b']);
        assert!(Staying::validate(&written).findings().is_empty());
    }
}
