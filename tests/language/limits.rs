//! `range`, `one_of`, `unique` and `sorted_by`.

use binfmt_runtime::{Auto, BinFormat, Leb128, Seq};

use super::{findings, refused, same, stopped};

#[derive(BinFormat, Debug, PartialEq)]
#[bin(big)]
struct Ranged {
    #[bin(range = 1..=9)]
    closed: u8,
    #[bin(range = 2..5)]
    half: u16,
    #[bin(range = 7..)]
    from: u8,
    #[bin(range = ..LIMIT)]
    below: u8,
    #[bin(range = ..=below, note(upto != 3, "three"))]
    upto: u8,
    #[bin(range = -5..=5)]
    signed: i16,
    #[bin(if = upto > 0, range = closed..)]
    more: Option<u8>,
    #[bin(range = 2..=3)]
    kind: Kind,
}

const LIMIT: u8 = 100;

#[derive(BinFormat, Debug, PartialEq, Clone, Copy)]
#[bin(big)]
#[repr(u8)]
enum Kind {
    Code = 1,
    Data = 2,
    #[bin(other)]
    Other(u8),
}

fn ranged() -> Ranged {
    Ranged {
        closed: 9,
        half: 4,
        from: 7,
        below: 99,
        upto: 99,
        signed: -5,
        more: Some(9),
        kind: Kind::Other(3),
    }
}

const RANGED: &[u8] = &[9, 0, 4, 7, 99, 99, 0xff, 0xfb, 9, 3];

#[test]
fn a_value_outside_its_range_stops_reader_and_writer() {
    same(&ranged(), RANGED);
    let cases: [(usize, u8, &str); 10] = [
        (0, 0, "closed Ranged.closed.range"),
        (0, 10, "closed Ranged.closed.range"),
        (2, 1, "half Ranged.half.range"),
        (2, 5, "half Ranged.half.range"),
        (3, 6, "from Ranged.from.range"),
        (4, 100, "below Ranged.below.range"),
        (5, 100, "upto Ranged.upto.range"),
        (7, 0xfa, "signed Ranged.signed.range"),
        (8, 8, "more Ranged.more.range"),
        (9, 1, "kind Ranged.kind.range"),
    ];
    for (at, value, place) in cases {
        let mut bytes = RANGED.to_vec();
        bytes[at] = value;
        assert_eq!(stopped::<Ranged>(bytes.leak()), place);
    }
    assert_eq!(refused(&Ranged { closed: 0, ..ranged() }), "closed Ranged.closed.range");
    assert_eq!(refused(&Ranged { more: Some(8), ..ranged() }), "more Ranged.more.range");
    same(&Ranged { upto: 0, more: None, ..ranged() }, &[9, 0, 4, 7, 99, 0, 0xff, 0xfb, 3]);
    assert_eq!(findings::<Ranged>(&[9, 0, 4, 7, 99, 3, 0, 0, 9, 3]), ["note upto Ranged.upto"]);
}

#[test]
fn a_range_is_told_with_the_values_of_its_ends() {
    let text = |bytes| Ranged::parse(bytes).unwrap_err().to_string();
    assert_eq!(
        text(&[10, 0, 4, 7, 99, 99, 0, 0, 9, 3]),
        "closed at 0x0..0x1: the value is not in 1..=9; found 10 [Ranged.closed.range]"
    );
    assert_eq!(
        text(&[9, 0, 4, 7, 20, 21, 0, 0, 9, 3]),
        "upto at 0x5..0x6: the value is not in ..=20; found 21 [Ranged.upto.range]"
    );
    assert_eq!(
        text(&[9, 0, 4, 7, 20, 20, 0, 6, 9, 3]),
        "signed at 0x6..0x8: the value is not in -5..=5; found 6 [Ranged.signed.range]"
    );
}

#[derive(BinFormat, Debug, PartialEq)]
#[bin(little)]
struct Chosen<'a> {
    #[bin(one_of = [1, 2, WIDE])]
    width: u16,
    #[bin(one_of = [Kind::Code, Kind::Other(7)])]
    kind: Kind,
    #[bin(one_of = [b"AB", b"CD"])]
    magic: [u8; 2],
    #[bin(len = 2, one_of = ["in", "go"])]
    text: &'a str,
    #[bin(len = 1, one_of = [b"x", b"y"])]
    bytes: Vec<u8>,
    #[bin(one_of = [-1, 1])]
    sign: i8,
    #[bin(if = width == 2, len = 3, one_of = ["yes"])]
    more: Option<String>,
}

const WIDE: u16 = 300;

fn chosen() -> Chosen<'static> {
    Chosen {
        width: 2,
        kind: Kind::Other(7),
        magic: *b"CD",
        text: "go",
        bytes: b"y".to_vec(),
        sign: -1,
        more: Some("yes".into()),
    }
}

#[test]
fn a_value_that_is_not_listed_stops_reader_and_writer() {
    same(&chosen(), b"\x02\0\x07CDgoy\xffyes");
    same(&Chosen { width: 300, more: None, ..chosen() }, b"\x2c\x01\x07CDgoy\xff");
    let cases: [(&'static [u8], &str); 7] = [
        (b"\x03\0\x07CDgoy\xffyes", "width Chosen.width.one_of"),
        (b"\x02\0\x02CDgoy\xffyes", "kind Chosen.kind.one_of"),
        (b"\x02\0\x07CEgoy\xffyes", "magic Chosen.magic.one_of"),
        (b"\x02\0\x07CDgay\xffyes", "text Chosen.text.one_of"),
        (b"\x02\0\x07CDgoz\xffyes", "bytes Chosen.bytes.one_of"),
        (b"\x02\0\x07CDgoy\x02yes", "sign Chosen.sign.one_of"),
        (b"\x02\0\x07CDgoy\xffyex", "more Chosen.more.one_of"),
    ];
    for (bytes, place) in cases {
        assert_eq!(stopped::<Chosen<'_>>(bytes), place);
    }
    assert_eq!(refused(&Chosen { text: "no", ..chosen() }), "text Chosen.text.one_of");
    let text = |bytes| Chosen::parse(bytes).unwrap_err().to_string();
    assert_eq!(
        text(b"\x02\0\x07CEgoy\xffyes"),
        "magic at 0x3..0x5: the value is none of b\"AB\", b\"CD\"; found 43 45 [Chosen.magic.one_of]"
    );
    assert_eq!(
        text(b"\x02\0\x07CDgay\xffyes"),
        "text at 0x5..0x7: \"ga\" is none of \"in\", \"go\" [Chosen.text.one_of]"
    );
}

#[derive(BinFormat, Debug, PartialEq)]
struct Percent(#[bin(range = ..=100)] u8);

#[test]
fn a_value_around_a_number_has_a_range() {
    same(&Percent(100), &[100]);
    assert_eq!(stopped::<Percent>(&[101]), " Percent.range");
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little)]
struct Entry<'a> {
    id: u16,
    name_len: Auto<u8>,
    #[bin(len = name_len)]
    name: &'a [u8],
}

impl Entry<'_> {
    fn last(&self) -> Option<&u8> {
        self.name.last()
    }
}

#[derive(BinFormat, Debug, PartialEq)]
#[bin(little)]
struct Table<'a> {
    count: Auto<u8>,
    #[bin(count = count, unique = name, sorted_by = id)]
    entries: Seq<'a, Entry<'a>>,
    #[bin(count = 3, unique, sorted_by = it)]
    numbers: Vec<u16>,
    #[bin(unique = last(), sorted_by = name)]
    owned: [Named; 2],
    more: u8,
    #[bin(if = more == 1, count = 3, unique)]
    letters: Option<Vec<i8>>,
}

#[derive(BinFormat, Debug, PartialEq, Clone, Copy, Default)]
struct Named {
    name: [u8; 2],
}

impl Named {
    fn last(self) -> u8 {
        self.name[1]
    }
}

fn entries() -> [Entry<'static>; 3] {
    let entry = |id, name| Entry { id, name_len: Auto::new(), name };
    [entry(1, b"b"), entry(1, b"a"), entry(9, b"cc")]
}

fn table<'a>(entries: &'a [Entry<'a>]) -> Table<'a> {
    Table {
        count: Auto::new(),
        entries: Seq::from(entries),
        numbers: vec![1, 2, 300],
        owned: [Named { name: *b"ab" }, Named { name: *b"ac" }],
        more: 1,
        letters: Some(vec![1, -1, 0]),
    }
}

const TABLE: &[u8] =
    b"\x03\x01\0\x01b\x01\0\x01a\x09\0\x02cc\x01\0\x02\0\x2c\x01abac\x01\x01\xff\0";

/// What a validator says of the table with some bytes changed.
fn said(changes: &[(usize, u8)]) -> Vec<String> {
    let mut bytes = TABLE.to_vec();
    for (at, value) in changes {
        bytes[*at] = *value;
    }
    findings::<Table<'_>>(bytes.leak())
}

#[test]
fn items_that_are_equal_or_out_of_order_are_errors_of_the_item() {
    let entries: &'static [Entry<'static>] = Box::leak(Box::new(entries()));
    same(&table(entries), TABLE);
    assert_eq!(entries[0].last(), Some(&b'b'));
    assert_eq!(said(&[(8, b'b')]), ["error entries[1] Table.entries.unique"]);
    assert_eq!(said(&[(1, 2)]), ["error entries[1] Table.entries.sorted_by"]);
    assert_eq!(
        said(&[(14, 9), (16, 9)]),
        ["error numbers[1] Table.numbers.unique"],
        "ties are in order"
    );
    assert_eq!(said(&[(14, 3)]), ["error numbers[1] Table.numbers.sorted_by"]);
    assert_eq!(said(&[(23, b'b')]), ["error owned[1] Table.owned.unique"]);
    assert_eq!(said(&[(20, b'b')]), ["error owned[1] Table.owned.sorted_by"]);
    assert_eq!(
        said(&[(26, 1), (27, 1)]),
        ["error letters[1] Table.letters.unique", "error letters[2] Table.letters.unique"]
    );
}

#[test]
fn the_range_is_that_of_the_item_and_the_text_names_both() {
    let mut bytes = TABLE.to_vec();
    bytes[8] = b'b';
    let report = Table::validate(&bytes);
    let [twin] = report.findings() else { panic!("{report}") };
    assert_eq!(
        twin.to_string(),
        "entries[1] at 0x5..0x9: two items have the same `name`: 0 and 1 [Table.entries.unique]"
    );
}

#[test]
fn items_out_of_order_stop_a_writer_too() {
    let mut swapped = entries();
    swapped.swap(0, 2);
    assert_eq!(refused(&table(&swapped)), "entries[1] Table.entries.sorted_by");
    let entries = entries();
    let numbers = vec![2, 1, 0];
    assert_eq!(
        refused(&Table { numbers, ..table(&entries) }),
        "numbers[1] Table.numbers.sorted_by"
    );
}

#[test]
fn the_layout_lists_these_rules() {
    let rules: Vec<_> = Table::LAYOUT.all_rules().map(|rule| (rule.code, rule.stops)).collect();
    assert_eq!(rules[..2], [("Table.entries.unique", false), ("Table.entries.sorted_by", false)]);
    let page = Ranged::LAYOUT.to_markdown();
    assert!(
        page.contains("- `Ranged.closed.range` (error, stops readers): the value is not in 1..=9"),
        "{page}"
    );
}

/// A folder with names, in memory.
#[derive(BinFormat, Debug, PartialEq, Clone, Default)]
#[bin(little)]
struct Folder {
    name: u8,
    #[bin(prefix = u16)]
    data: Vec<u8>,
    #[bin(prefix = u8, unique = it.name, sorted_by = it.name)]
    folders: Vec<Self>,
}

/// The same in the file.
#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little)]
struct LazyFolder<'a> {
    name: u8,
    #[bin(prefix = u16)]
    data: &'a [u8],
    count: Auto<u8>,
    #[bin(count = count, unique = it.name, sorted_by = it.name)]
    folders: Seq<'a, Self>,
}

#[test]
fn values_in_values_that_all_have_such_rules_are_looked_at_to_the_end() {
    let folder = |name, folders| Folder { name, data: Vec::new(), folders };
    let mut root = Folder { data: vec![7; 20_000], ..Folder::default() };
    for _ in 0..18 {
        root = folder(3, vec![root, folder(5, Vec::new())]);
    }
    let bytes: &'static [u8] = root.to_vec().unwrap().leak();
    assert_eq!(findings::<Folder>(bytes), [""; 0]);
    assert_eq!(findings::<LazyFolder<'_>>(bytes), [""; 0]);
    root.folders[0].folders[1].name = 0;
    let stale = Folder { name: 3, ..root.folders[0].folders[0].clone() };
    root.folders[0].folders[0] = stale;
    assert_eq!(refused(&root), "folders[0].folders[1] Folder.folders.sorted_by");
}

/// Numbers with an encoding of their own have the range of the number.
#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Encoded {
    #[bin(range = 0..=300)]
    most: Leb128<u32>,
    #[bin(one_of = [1, 300])]
    one: Leb128<u32>,
    #[bin(range = -200..=200)]
    signed: Leb128<i32>,
}

#[test]
fn a_number_of_variable_length_has_a_range() {
    let value = |most: u32, one: u32, signed: i32| Encoded {
        most: most.into(),
        one: one.into(),
        signed: signed.into(),
    };
    same(&value(300, 300, -200), &[0xac, 2, 0xac, 2, 0xb8, 0x7e]);
    assert_eq!(refused(&value(301, 1, 0)), "most Encoded.most.range");
    assert_eq!(refused(&value(0, 2, 0)), "one Encoded.one.one_of");
    assert_eq!(refused(&value(0, 1, 201)), "signed Encoded.signed.range");
}

#[derive(BinFormat, Debug, PartialEq)]
#[bin(little)]
struct Ends {
    kind: Kind,
    #[bin(if = kind != Kind::Code)]
    least: Option<u16>,
    #[bin(range = 0..=kind)]
    number: u8,
    #[bin(range = least..)]
    other: u16,
}

#[test]
fn an_end_may_be_a_named_number_or_one_that_may_be_absent() {
    same(&Ends { kind: Kind::Data, least: Some(3), number: 2, other: 3 }, b"\x02\x03\0\x02\x03\0");
    let what = |bytes: &'static [u8]| Ends::parse(bytes).unwrap_err().to_string();
    assert_eq!(stopped::<Ends>(b"\x02\x03\0\x03\x03\0"), "number Ends.number.range");
    assert!(what(b"\x02\x03\0\x03\x03\0").contains("the value is not in 0..=2"));
    assert!(what(b"\x02\x03\0\x02\x02\0").contains("the value is not in 3.."));
    assert!(what(b"\x01\x01\x02\0").contains("the value is not in nothing.."));
}

#[derive(BinFormat, Debug, PartialEq)]
struct InHexadecimal {
    #[bin(check(number < 3_000, "{number:#x} is too much"))]
    number: Leb128<u32>,
}

#[test]
fn a_number_of_variable_length_is_shown_in_any_base() {
    let error = InHexadecimal::parse(b"\xff\x7f").unwrap_err().to_string();
    assert!(error.contains("0x3fff is too much"), "{error}");
}
