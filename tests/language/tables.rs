//! Tables of offsets and sizes, and the bodies that they tell of: `for_each`.

use binfmt_runtime::{Auto, BinFormat, Seq};

use super::{findings, kept, place, refused, same, stopped};
use crate::laws;

#[derive(BinFormat, Debug, Clone, PartialEq, Default)]
#[bin(little, magic = b"P")]
struct Pack<'a> {
    dir_at: u8,
    dir_len: Auto<u8>,
    #[bin(at = dir_at, len = dir_len)]
    entries: Seq<'a, Entry>,
    #[bin(for_each = entries, at = it.offset, len = it.size)]
    bodies: Vec<&'a [u8]>,
}

#[derive(BinFormat, Debug, Clone, PartialEq, Default)]
#[bin(little)]
struct Entry {
    name: u8,
    offset: u8,
    size: u8,
}

fn entry(name: u8) -> Entry {
    Entry { name, ..Entry::default() }
}

#[test]
fn a_table_and_its_bodies_are_written_from_scratch() {
    let entries = [entry(1), entry(2), entry(3)];
    let bodies = vec![&b"ab"[..], b"", b"cde"];
    let pack = Pack { entries: Seq::from(&entries[..]), bodies: bodies.clone(), ..Pack::default() };
    let bytes = b"P\x03\x09\x01\x0c\x02\x02\0\0\x03\x0e\x03abcde";
    let written = pack.to_vec().unwrap();
    assert_eq!(written, bytes);
    assert_eq!(pack.encoded_len(), Ok(17));
    let read = Pack::parse(bytes).unwrap();
    assert_eq!(read.bodies, bodies);
    same(&read, bytes);
}

#[test]
fn bodies_keep_their_places_in_front_of_the_table_too() {
    // The table lies behind the bodies, which lie in another order than their entries.
    let bytes = b"P\x08\x06cdeab\x01\x06\x02\x02\x03\x03";
    let read = Pack::parse(bytes).unwrap();
    assert_eq!(read.bodies, [&b"ab"[..], b"cde"]);
    same(&read, bytes);
    // What still fits stays; what does not goes behind all the rest.
    let shorter = Pack { bodies: vec![b"a", b"cde"], ..read.clone() };
    assert_eq!(shorter.to_vec().unwrap(), b"P\x08\x06cdea\0\x01\x06\x01\x02\x03\x03");
    let longer = Pack { bodies: vec![b"ab", b"cdefg"], ..read };
    assert_eq!(longer.to_vec().unwrap(), b"P\x08\x06cdefg\x01\x0e\x02\x02\x03\x05ab");
}

#[test]
fn damage_is_told_at_the_entry_that_claims_too_much() {
    let claim = b"P\x03\x06\x01\x09\x02\x02\x0b\x63abcde";
    let report = Pack::validate(claim);
    let [finding, ..] = report.findings() else { panic!("{report}") };
    assert_eq!((finding.path.as_str(), finding.code), ("entries[1].size", "size"));
    assert_eq!((finding.start, finding.end), (8, 9));
    assert_eq!(
        stopped::<Pack<'_>>(b"P\x03\x06\x01\xff\x02\x02\x0b\x03abcde"),
        "entries[0].offset offset"
    );
    // Several damaged entries are all told.
    let both = Pack::validate(b"P\x03\x06\x01\xff\x02\x02\x0b\x63abcde");
    let paths: Vec<_> = both.errors().map(|finding| finding.path.as_str()).collect();
    assert_eq!(paths, ["entries[0].offset", "entries[1].size"]);
}

#[test]
fn overlaps_and_gaps_between_bodies_are_told() {
    let overlap = b"P\x03\x06\x01\x09\x03\x02\x0a\x03abcd";
    assert_eq!(findings::<Pack<'_>>(overlap), ["error bodies[1] overlap"]);
    let gap = b"P\x03\x06\x01\x09\x01\x02\x0b\x01axb";
    assert_eq!(findings::<Pack<'_>>(gap), ["warning  unkept"]);
    let twice = b"P\x03\x06\x01\x09\x02\x02\x09\x02ab";
    assert_eq!(findings::<Pack<'_>>(twice), ["error bodies[1] overlap"]);
}

#[test]
fn there_is_one_body_for_each_entry_and_each_size_fits() {
    let entries = [entry(1)];
    let pack = Pack { entries: Seq::from(&entries[..]), ..Pack::default() };
    assert_eq!(refused(&pack), "bodies count");
    let large = [0; 300];
    assert_eq!(refused(&Pack { bodies: vec![&large], ..pack }), "bodies[0] overflow");
}

#[derive(BinFormat, Debug, Clone, PartialEq, Default)]
#[bin(big)]
struct Shared<'a> {
    count: Auto<u8>,
    #[bin(count = count)]
    entries: Vec<Entry>,
    #[bin(for_each = entries, at = it.offset, null = 0, len = it.size, shared, align_before = 4)]
    bodies: Vec<Option<&'a [u8]>>,
}

#[test]
fn equal_bodies_share_a_place_and_absent_ones_have_none() {
    let entries = vec![entry(1), entry(2), entry(3), entry(4)];
    let bodies = vec![Some(&b"abc"[..]), Some(b"x"), None, Some(b"abc")];
    let new = Shared { entries, bodies: bodies.clone(), ..Shared::default() };
    let bytes = b"\x04\x01\x10\x03\x02\x14\x01\x03\0\0\x04\x10\x03\0\0\0abc\0x";
    assert_eq!(new.to_vec().unwrap(), bytes);
    let read = Shared::parse(bytes).unwrap();
    assert_eq!(read.bodies, bodies);
    laws::hold::<Shared<'_>>(bytes, ());
    same(&read, bytes);
    // A changed one leaves the shared place.
    let mut changed = read;
    changed.bodies[3] = Some(b"abd");
    assert_eq!(
        changed.to_vec().unwrap(),
        b"\x04\x01\x10\x03\x02\x14\x01\x03\0\0\x04\x18\x03\0\0\0abc\0x\0\0\0abd"
    );
}

#[derive(BinFormat, Debug, Clone, PartialEq, Default)]
#[bin(little)]
struct Strings {
    count: Auto<u8>,
    #[bin(count = count)]
    offsets: Vec<u16>,
    #[bin(for_each = offsets, at = it * 2, align_after = 2, args(wide = it > 100))]
    texts: Vec<Line>,
}

#[derive(BinFormat, Debug, Clone, PartialEq, Default)]
#[bin(little, args(wide: bool))]
struct Line {
    len: Auto<u8>,
    #[bin(len = len)]
    text: String,
    #[bin(if = wide)]
    more: Option<u8>,
}

#[test]
fn a_table_of_plain_offsets_tells_of_declared_values() {
    let text = |text: &str| Line { text: text.to_owned(), ..Line::default() };
    let texts = vec![text("ab"), text("c")];
    let new = Strings { offsets: vec![0, 0], texts: texts.clone(), ..Strings::default() };
    let bytes = b"\x02\x03\0\x05\0\0\x02ab\0\x01c";
    assert_eq!(new.to_vec().unwrap(), bytes);
    kept(&Strings { offsets: vec![3, 5], texts, ..Strings::default() }, bytes);
    let odd = Strings { offsets: vec![1], texts: vec![text("a")], ..Strings::default() };
    assert_eq!(odd.to_vec().unwrap(), b"\x01\x02\0\0\x01a");
}

#[derive(BinFormat, Debug, Clone, PartialEq, Default)]
#[bin(little, origin)]
struct Sections<'a> {
    count: Auto<u8>,
    names_len: u8,
    #[bin(count = count)]
    entries: Vec<Named>,
    #[bin(section, len = names_len)]
    names: &'a [u8],
    #[bin(for_each = entries, at = it.name_at, place = names, len = it.name_len, nul)]
    each_name: Vec<&'a str>,
    #[bin(for_each = entries, at = it.body_at, count = it.words)]
    each_body: Vec<Vec<u16>>,
}

#[derive(BinFormat, Debug, Clone, PartialEq, Default)]
#[bin(little)]
struct Named {
    name_at: u8,
    name_len: u8,
    body_at: u8,
    words: u8,
}

#[test]
fn one_table_points_into_several_sections() {
    let new = Sections {
        entries: vec![Named::default(); 2],
        each_name: vec!["a", "bc"],
        each_body: vec![vec![1, 2], vec![3]],
        ..Sections::default()
    };
    let bytes = b"\x02\x05\x0a\x01\x0f\x02\x0c\x02\x13\x01a\0bc\0\x01\0\x02\0\x03\0";
    assert_eq!(new.to_vec().unwrap(), bytes);
    let read = Sections::parse(bytes).unwrap();
    assert_eq!((&read.each_name, &read.each_body), (&new.each_name, &new.each_body));
    same(&read, bytes);
    // A name that leaves its section stops the reader.
    let mut cut = *bytes;
    cut[6] = 0x0f;
    let error = Sections::parse(&cut).unwrap_err();
    assert_eq!(place(&error), "entries[1].name_len size");
}

/// A table of structs without names for their fields.
#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Laced {
    #[bin(prefix = u8)]
    lacing: Vec<Lace>,
    #[bin(for_each = lacing, len = it.0)]
    segments: Vec<Vec<u8>>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Lace(u8, u8);

#[test]
fn the_laws_know_which_numbers_without_a_name_are_computed() {
    let laced =
        |len, kind| Laced { lacing: vec![Lace(len, kind)], segments: vec![b"abc".to_vec()] };
    same(&laced(3, 7), b"\x01\x03\x07abc");
    let written = binfmt_runtime::laws::written_is_read(&laced(0, 7), ());
    assert_eq!(written, Ok(Ok(&b"\x01\x03\x07abc"[..])));
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
struct ToldOf {
    at: u8,
    len: u8,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Counted {
    count: Auto<u8>,
    #[bin(count = count)]
    rows: Vec<[u8; 3]>,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
struct AfterAnError {
    #[bin(prefix = u8)]
    table: Vec<ToldOf>,
    #[bin(for_each = table, at = it.at, len = it.len)]
    values: Vec<Counted>,
}

#[test]
fn what_is_wrong_behind_an_item_that_leads_nowhere_is_told_of_its_own_value() {
    for (first, number, range) in
        [(b"\x63\x01", "table[0].at", (1, 2)), (b"\x05\x09", "table[0].len", (2, 3))]
    {
        let file = [b"\x02", &first[..], b"\x05\x04\x02abc"].concat();
        let report = AfterAnError::validate(&file);
        let paths: Vec<&str> = report.findings().iter().map(|one| one.path.as_str()).collect();
        assert_eq!(paths, [number, "values[1].count"], "{report}");
        // The bytes of the number, and not of the item or of the table.
        let first = report.findings().first().map(|one| (one.start, one.end));
        assert_eq!(first, Some(range), "{report}");
    }
}
