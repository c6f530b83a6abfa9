//! `laws!`, as the author of a declaration uses it.

use std::panic::catch_unwind;

use binfmt_runtime::{Auto, BinFormat, Crc32, Cursor, Fault, Seq, Writer, laws};

#[derive(BinFormat, Debug, PartialEq)]
#[bin(little, magic = b"LAWS", len = size, error(kind != 9 || count(items) > 1, "few"))]
struct Ruled<'a> {
    #[bin(one_of = [1, 2, 9])]
    kind: u8,
    #[bin(range = 3..=4)]
    version: u16,
    size: Auto<u32>,
    count: Auto<u8>,
    #[bin(count = count, unique = name, sorted_by = offset)]
    items: Seq<'a, Item<'a>>,
    #[bin(checksum(Crc32, over = items), note(crc != 0xFEDC_BA98, "this cannot be found"))]
    crc: u32,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(big, align_after = 4)]
struct Item<'a> {
    #[bin(warn(offset % 2 == 0, "{offset} is odd"))]
    offset: u16,
    name_len: Auto<u8>,
    #[bin(len = name_len, check(!is_upper(name), "{name} is upper case"))]
    name: &'a str,
}

fn is_upper(name: &str) -> bool {
    name.starts_with(char::is_uppercase)
}

fn file() -> Vec<u8> {
    let items = [(2, "one"), (4, "two"), (8, "three")];
    let items = items.map(|(offset, name)| Item { offset, name_len: Auto::new(), name });
    let value = Ruled {
        kind: 1,
        version: 3,
        size: Auto::new(),
        count: Auto::new(),
        items: Seq::from(&items[..]),
        crc: 0,
    };
    value.to_vec().unwrap()
}

#[test]
fn rules_find_their_witnesses_and_the_others_are_named() {
    let witnesses = laws!(Ruled<'_>, [&file()]);
    let found: Vec<_> = witnesses.found().map(|witness| witness.code).collect();
    assert_eq!(found, ["Ruled.kind.one_of", "Ruled.version.range"]);
    for witness in witnesses.found() {
        let report = Ruled::validate(&witness.bytes);
        let [finding] = report.findings() else { panic!("{report}") };
        assert_eq!(finding.code, witness.code);
        assert!(usize::try_from(finding.start).unwrap() <= witness.changed.start);
    }
    // What the items hold is covered by the checksum, and the rest is not to be found by chance.
    assert_eq!(
        witnesses.missing(),
        [
            "Ruled.items.unique",
            "Ruled.items.sorted_by",
            "Ruled.crc",
            "Ruled",
            "Item.offset",
            "Item.name"
        ]
    );
    assert!(
        witnesses
            .to_string()
            .starts_with("Ruled: 2 of 8 rules have a witness; without: Ruled.items.unique, ")
    );
}

#[test]
fn items_find_their_witnesses_where_no_checksum_covers_them() {
    #[derive(BinFormat, Debug, PartialEq)]
    struct Items<'a> {
        count: Auto<u8>,
        #[bin(count = count, unique = name, sorted_by = offset)]
        items: Seq<'a, Item<'a>>,
    }
    let file = b"\x03\0\x02\x03one\0\0\0\x04\x03two\0\0\0\x08\x05three";
    let witnesses = laws!(Items<'_>, [file]);
    assert_eq!(witnesses.missing(), [] as [&str; 0], "{witnesses}");
}

#[test]
fn a_witness_can_be_supplied_and_is_looked_at() {
    let good = file();
    let value = Ruled::parse(&good).unwrap();
    let mut few = Ruled { items: Seq::default(), kind: 1, crc: 0, ..value }.to_vec().unwrap();
    few[4] = 9;
    let witnesses = laws!(Ruled<'_>, [&good], witnesses = [("Ruled", &few)]);
    assert!(!witnesses.missing().contains(&"Ruled"));
    let wrong = catch_unwind(|| laws!(Ruled<'_>, [&file()], witnesses = [("Ruled", &file())]));
    let text = wrong.unwrap_err().downcast::<String>().unwrap();
    assert!(text.starts_with("this is no witness of `Ruled`"), "{text}");
}

/// A field whose two functions do not belong together.
#[derive(BinFormat, Debug, PartialEq)]
struct Crooked {
    #[bin(with = crooked)]
    number: u8,
}

mod crooked {
    use super::{Cursor, Fault, Writer};

    pub(super) fn read(cur: &mut Cursor<'_>) -> Result<u8, Fault> {
        cur.take_array::<1>().map(|byte| byte[0]).ok_or(Fault::at(cur.pos()))
    }

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "fields are passed by reference")]
    pub(super) fn write(number: &u8, out: &mut Writer<'_>) -> Result<(), Fault> {
        out.put(&[number ^ 0x80])
    }
}

#[test]
fn a_broken_law_is_told_with_the_file_that_breaks_it() {
    let broken = catch_unwind(|| laws!(Crooked)).unwrap_err().downcast::<String>().unwrap();
    assert!(broken.contains("1 bytes are rewritten as 1 that differ from 0x0 on"), "{broken}");
    assert!(broken.ends_with("in a file of nothing, 1 bytes: 00"), "{broken}");
    let invalid = catch_unwind(|| laws!(Ruled<'_>, [b"LAWS"])).unwrap_err();
    assert!(invalid.downcast::<String>().unwrap().starts_with("file 0 is not valid"));
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little, let(bytes = units * 2))]
struct Computed {
    len: u8,
    units: u8,
    #[bin(calc = len + 1)]
    more: u16,
    #[bin(len = len)]
    data: Vec<u8>,
    #[bin(len = bytes)]
    wide: Vec<u8>,
}

#[test]
fn a_value_may_hold_anything_where_the_writer_computes() {
    let value = Computed { len: 9, units: 200, more: 7, data: vec![1, 2], wide: vec![0; 4] };
    laws!(Computed, values = [value.clone()]);
    let settled = Computed { len: 2, units: 2, more: 3, ..value.clone() };
    laws::same_output(&value, &settled, ()).unwrap();
    let other = Computed { data: vec![1, 3], ..settled };
    let broken = laws::same_output(&value, &other, ()).unwrap_err();
    assert!(broken.contains("change the output at 0x5"), "{broken}");
}

#[derive(BinFormat, Debug, PartialEq)]
struct Outer {
    #[bin(prefix = u8)]
    inner: Vec<Rounded>,
}

/// A field whose functions lose something on the way, which no writer can see.
#[derive(BinFormat, Debug, PartialEq)]
struct Rounded {
    #[bin(map(u8, char::from, small))]
    letter: char,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "`map` passes by reference")]
fn small(letter: &char) -> Option<u8> {
    u8::try_from(letter.to_ascii_lowercase()).ok()
}

#[test]
fn a_value_that_is_not_read_back_is_told_by_the_name_of_its_field() {
    let inner = vec![Rounded { letter: 'a' }, Rounded { letter: 'B' }];
    let value = std::panic::AssertUnwindSafe(Outer { inner });
    let broken = catch_unwind(|| laws!(Outer, values = [Outer { inner: value.0.inner }]));
    let broken = broken.unwrap_err().downcast::<String>().unwrap();
    assert!(broken.starts_with("`inner[1].letter` is 'B', and is read back as 'b'"), "{broken}");
}

#[test]
fn a_value_that_is_refused_by_every_output_obeys_the_laws() {
    laws!(Rounded, values = [Rounded { letter: 'a' }, Rounded { letter: '\u{1000}' }]);
}

#[derive(BinFormat, Debug, PartialEq)]
#[bin(little)]
struct Long {
    #[bin(prefix = u16)]
    items: Vec<u16>,
    #[bin(range = 1..=9)]
    last: u8,
}

/// The ranges in which copies of a file are changed, not those that are cut off.
fn changed(file: &[u8]) -> Vec<std::ops::Range<usize>> {
    let ranges = laws::mutations(file, &Long::inspect(file)).map(|(range, _)| range);
    ranges.filter(|range| range.end < file.len() || range.len() == 1).collect()
}

#[test]
fn all_parts_of_a_long_file_are_changed_within_a_budget() {
    let short = Long { items: vec![7; 20], last: 1 }.to_vec().unwrap();
    let long = Long { items: vec![7; 2000], last: 1 }.to_vec().unwrap();
    // A hundred times the bytes, and no more than that hundredth of the copies for each of them.
    let (few, many) = (changed(&short), changed(&long));
    assert!(many.len() < 1000, "{}", many.len());
    assert!(many.len() * long.len() < few.len() * short.len() * 100);
    for part in 0..16 {
        let part = long.len() / 16 * part..long.len() / 16 * (part + 1);
        let inside = many.iter().filter(|range| part.contains(&range.start)).count();
        assert!(inside > 10, "{inside} in {part:?}");
    }
    // Of a short one nothing is left out: every bit of its last byte is changed alone.
    let last = few.iter().filter(|range| range.start == short.len() - 1).count();
    assert!(last > 70, "{last}");
    assert_eq!(laws!(Long, [&long, &short]).missing(), [""; 0]);
}
