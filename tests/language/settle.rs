//! `settle`: the value with the numbers that are written, also where expressions around a value use
//! them and it still holds old ones.

use binfmt_runtime::{Auto, BinFormat, Crc32, laws};

/// Sub-blocks up to an empty one, as GIF has them.
#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Blocks {
    #[bin(until = last.n == 0)]
    blocks: Vec<Block>,
    #[bin(until_end)]
    rest: Vec<u8>,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Block {
    n: u8,
    #[bin(len = n)]
    data: Vec<u8>,
}

fn block(n: u8, data: &[u8]) -> Block {
    Block { n, data: data.to_vec() }
}

#[test]
fn an_old_number_that_ends_a_sequence_is_named_and_settled() {
    let value = Blocks { blocks: vec![block(0, b"ab"), block(0, b"")], rest: vec![9] };
    let error = value.to_vec().unwrap_err();
    assert_eq!((error.finding().path.as_str(), error.finding().code), ("blocks[0].n", "derived"));
    assert!(error.to_string().contains("`settle`"), "{error}");
    let settled = laws::settled(&value, ()).unwrap().unwrap();
    assert_eq!(settled, Blocks { blocks: vec![block(2, b"ab"), block(0, b"")], rest: vec![9] });
}

#[test]
fn what_would_be_read_as_something_else_is_not_settled() {
    for old in [0, 1, 5] {
        // An empty block ends the sequence, and a full one does not, whatever number it held.
        for data in [[&b""[..], b"ab"], [b"ab", b"c"]] {
            for rest in [&b""[..], b"\0", b"\0\0\0\0"] {
                let blocks = data.map(|data| block(old, data)).to_vec();
                let value = Blocks { blocks, rest: rest.to_vec() };
                let error = laws::settled(&value, ()).unwrap().unwrap_err();
                assert!(["derived", "until"].contains(&error.finding().code), "{value:?}: {error}");
            }
        }
    }
}

/// Sections whose names lie in the last one, which a function looks up, as in ELF.
#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Sections {
    #[bin(prefix = u8)]
    table: Vec<Section>,
    #[bin(for_each = table, at = it.at, len = it.len)]
    bodies: Vec<Vec<u8>>,
    #[bin(for_each = table, at = names_at(table) + it.name, view)]
    names: Vec<u8>,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Section {
    name: u8,
    at: u8,
    len: u8,
}

#[expect(clippy::ptr_arg, reason = "a function is given the field as it is")]
fn names_at(table: &Vec<Section>) -> u8 {
    table.last().map_or(0, |section| section.at)
}

#[test]
fn a_table_that_a_function_sees_is_settled() {
    let file = [2, 0, 7, 2, 1, 9, 2, 5, 6, b'A', b'B'];
    let mut value = Sections::parse(&file).unwrap();
    assert_eq!(value.to_vec().unwrap(), file);
    value.bodies[0].push(1);
    assert_eq!(value.to_vec().unwrap_err().finding().code, "derived");
    let settled = laws::settled(&value, ()).unwrap().unwrap();
    assert_eq!(settled.to_vec().unwrap(), [2, 0, 7, 3, 1, 10, 2, 5, 6, 1, b'A', b'B']);
    assert_eq!(settled.names, value.names);
}

#[test]
fn a_view_that_says_something_else_is_not_settled() {
    let mut value = Sections::parse(&[2, 0, 7, 2, 1, 9, 2, 5, 6, b'A', b'B']).unwrap();
    value.bodies[0].push(1);
    value.names[1] = b'C';
    laws::settled(&value, ()).unwrap().unwrap_err();
}

/// A number of the head picks the variant.
#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Picked {
    head: Head,
    #[bin(args(kind = head.n))]
    body: Body,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Head {
    n: u8,
    #[bin(len = n)]
    items: Vec<u8>,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[bin(tag = kind, args(kind: u8))]
enum Body {
    #[bin(id = 1)]
    One(u8),
    #[bin(id = 2..=9)]
    Other(u8, u8),
}

#[test]
fn a_variant_is_settled_if_the_new_number_picks_it() {
    let picked = |n, items: &[u8], body| Picked { head: Head { n, items: items.to_vec() }, body };
    for n in 0..4 {
        for (items, body) in [(&[1, 2][..], Body::Other(2, 7)), (&[1], Body::One(7))] {
            let new = items.len().try_into().unwrap();
            let settled = laws::settled(&picked(n, items, body.clone()), ()).unwrap().unwrap();
            assert_eq!(settled, picked(new, items, body));
        }
        for (items, body) in [(&[1, 2][..], Body::One(7)), (&[1], Body::Other(2, 7))] {
            laws::settled(&picked(n, items, body), ()).unwrap().unwrap_err();
        }
    }
}

/// A size that a function tells of the numbers of a table.
#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Totalled {
    #[bin(prefix = u8)]
    recs: Vec<Rec>,
    #[bin(for_each = recs, len = it.n)]
    bodies: Vec<Vec<u8>>,
    #[bin(len = total(recs))]
    tail: Vec<u8>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Rec {
    n: u8,
}

fn total(recs: &[Rec]) -> u64 {
    recs.iter().map(|rec| u64::from(rec.n)).sum()
}

#[test]
fn a_size_that_follows_from_a_table_is_settled() {
    let totalled = |n, tail: &[u8]| Totalled {
        recs: vec![Rec { n }],
        bodies: vec![vec![1, 2]],
        tail: tail.into(),
    };
    let mut buffer = Vec::new();
    assert_eq!(totalled(0, &[3, 4]).settle(&mut buffer), Ok(totalled(2, &[3, 4])));
    // What the numbers never tell is not cut off.
    let mut buffer = Vec::new();
    assert!(totalled(0, &[3, 4, 5]).settle(&mut buffer).is_err());
    let mut buffer = Vec::new();
    assert!(totalled(2, &[3]).settle(&mut buffer).is_err());
}

/// Rules over numbers that a table gets.
#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Sorted {
    #[bin(prefix = u8, sorted_by = at)]
    places: Vec<Place>,
    #[bin(for_each = places, at = it.at, len = it.len)]
    bodies: Vec<Vec<u8>>,
    #[bin(check(end_of(places) == 8, "they end elsewhere"))]
    last: u8,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Place {
    at: u8,
    len: u8,
}

fn end_of(places: &[Place]) -> u64 {
    places.last().map_or(0, |place| u64::from(place.at) + u64::from(place.len))
}

#[test]
fn rules_hold_for_the_numbers_that_are_settled() {
    let place = |at, len| Place { at, len };
    let sorted = |places| Sorted { places, bodies: vec![vec![7], vec![8]], last: 0 };
    let new = sorted(vec![place(0, 0), place(0, 0)]);
    assert!(new.to_vec().is_err());
    let mut buffer = Vec::new();
    let settled = new.settle(&mut buffer).unwrap();
    assert_eq!(settled.places, [place(6, 1), place(7, 1)]);
    // Where the first lies behind the other, the rule is broken.
    let mut buffer = Vec::new();
    let broken = sorted(vec![place(9, 0), place(0, 0)]).settle(&mut buffer).unwrap_err();
    assert_eq!(broken.finding().code, "Sorted.places.sorted_by");
}

/// Numbers that follow from one another, and from one in another value.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct Chained {
    #[bin(calc = last + 1)]
    first: u8,
    head: Bytes,
    #[bin(calc = head.n + total(recs))]
    last: u8,
    #[bin(prefix = u8)]
    recs: Vec<Rec>,
    #[bin(for_each = recs, len = it.n)]
    bodies: Vec<Vec<u8>>,
    #[bin(checksum(Crc32, over = self))]
    sum: u32,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Bytes {
    n: u8,
    #[bin(len = n)]
    bytes: Vec<u8>,
}

#[test]
fn numbers_that_follow_from_settled_ones_are_settled() {
    let chained = |first, n, last, r| Chained {
        first,
        head: Bytes { n, bytes: vec![1, 2] },
        last,
        recs: vec![Rec { n: r }],
        bodies: vec![vec![3, 4, 5]],
        sum: 0,
    };
    let mut buffer = Vec::new();
    let settled = chained(0, 0, 0, 0).settle(&mut buffer).unwrap();
    let sum = settled.sum;
    assert_eq!(settled, Chained { sum, ..chained(6, 2, 5, 3) });
    laws::written_is_read(&settled, ()).unwrap().unwrap();
}

/// A size that follows from one that is settled, of items that cannot be copied: the first draft is read as
/// another value.
#[derive(BinFormat, Debug, PartialEq)]
#[bin(args(before: u8))]
struct Run {
    end: u8,
    #[bin(len = end - before)]
    bytes: Vec<u8>,
}

#[derive(BinFormat, Debug, PartialEq)]
struct Runs {
    #[bin(until_end, args(before = previous.end or 0))]
    runs: Vec<Run>,
}

#[test]
fn what_is_not_settled_names_the_value_to_settle() {
    let run = |end, bytes: &[u8]| Run { end, bytes: bytes.into() };
    let runs = Runs { runs: vec![run(0, b"ab"), run(0, b"c")] };
    let settled = runs.settle(&mut Vec::new()).map(drop).unwrap_err().to_string();
    assert!(settled.contains("settle the value with the number first"), "{settled}");
    assert!(settled.starts_with("runs[0].end"), "{settled}");
    let (mut before, mut list) = (0, Vec::new());
    for run in &runs.runs {
        list.push(run.settle_with(&mut Vec::new(), before).unwrap());
        before = list.last().map_or(0, |run| run.end);
    }
    assert_eq!(Runs { runs: list }.to_vec().unwrap(), b"\x02ab\x03c");
}

/// A function is given a table whose places move.
#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Counted {
    #[bin(calc = many(places))]
    named: u8,
    #[bin(count = named)]
    places: Vec<u8>,
    #[bin(for_each = places, at = it, len = 2)]
    parts: Vec<Vec<u8>>,
}

fn many(places: &[u8]) -> u64 {
    places.len() as u64
}

#[test]
fn a_compact_value_is_settled() {
    let read = Counted::parse(b"\x01\x04\0\0ab").unwrap();
    let error = read.compact().to_vec().unwrap_err();
    assert!(error.to_string().contains("settle"), "{error}");
    let mut buffer = Vec::new();
    let settled = read.compact().settle_with(&mut buffer, ()).unwrap();
    assert_eq!(settled.places, [2]);
    assert_eq!(settled.to_vec().unwrap(), b"\x01\x02ab");
}

/// A list that ends with a place of nothing, in front of a section that is placed later, and in it.
#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Listed {
    root: u8,
    #[bin(until = last.at == 0)]
    list: Vec<Named>,
    #[bin(section = open, len = remaining)]
    data: Vec<u8>,
    #[bin(at = root, place = data)]
    inner: Inner,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Inner {
    #[bin(until = last.at == 0)]
    list: Vec<Named>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Named {
    at: u8,
    #[bin(at = at, null = 0, place = around, base = file, nul)]
    name: Option<String>,
}

#[test]
fn lists_that_end_with_an_old_place_are_settled() {
    let list = |names: &[&str]| -> Vec<Named> {
        let names = names.iter().map(|name| Some((*name).to_owned())).chain([None]);
        names.map(|name| Named { at: 0, name }).collect()
    };
    let inner = Inner { list: list(&["b", "cd"]) };
    let listed = Listed { root: 0, list: list(&["a"]), data: Vec::new(), inner };
    let error = listed.to_vec().unwrap_err();
    assert_eq!((error.finding().code, error.to_string().contains("settle")), ("derived", true));
    let mut buffer = Vec::new();
    let settled = listed.settle(&mut buffer).unwrap();
    let names = |list: &[Named]| list.iter().map(|one| one.name.clone()).collect::<Vec<_>>();
    assert_eq!(names(&settled.list), names(&listed.list));
    assert_eq!(names(&settled.inner.list), names(&listed.inner.list));
    laws::written_is_read(&settled, ()).unwrap().unwrap();
}

/// A number behind a padding that follows from numbers which are set.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct Padded {
    #[bin(pad_before = 3, calc = places(rows))]
    places: u16,
    #[bin(magic = b"=", calc = places(rows) + 1)]
    more: u8,
    #[bin(prefix = u8)]
    rows: Vec<PaddedRow>,
    #[bin(for_each = rows, at = it.at, len = it.len)]
    values: Vec<Vec<u8>>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct PaddedRow {
    at: u8,
    len: u8,
}

fn places(rows: &[PaddedRow]) -> u8 {
    rows.iter().fold(0, |sum, row| sum ^ row.at)
}

#[test]
fn a_number_behind_a_padding_is_settled() {
    let row = PaddedRow { at: 0, len: 0 };
    let value = Padded { places: 0, more: 0, rows: vec![row], values: vec![vec![1]] };
    let room = &mut Vec::new();
    let settled = value.settle(room).unwrap();
    assert_eq!(settled.to_vec().unwrap(), b"\0\0\0\x0a\0=\x0b\x01\x0a\x01\x01");
}

/// A function that sees the whole table, and values without bytes, one of which gets a place of its own.
#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Summed {
    n: Auto<u8>,
    #[bin(calc = how_many(dir))]
    sum: u8,
    own_at: u8,
    own_len: u8,
    #[bin(count = n)]
    dir: Vec<Placed>,
    #[bin(for_each = dir, at = it.at, len = it.len, align_before = 4)]
    tables: Vec<Vec<u8>>,
    #[bin(at = own_at, null = 0, len = own_len, align_before = 4)]
    own: Option<Vec<u8>>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Placed {
    at: u8,
    len: u8,
}

fn how_many(dir: &[Placed]) -> u8 {
    dir.len().to_le_bytes()[0]
}

/// In the first draft they are met in another order than in the next one, where they have places.
#[test]
fn values_at_offsets_are_settled_in_whatever_order_they_are_met() {
    let lens = [None, Some(0), Some(1), Some(5)];
    for own in lens {
        for (first, second) in (0..4).flat_map(|first| (0..4).map(move |second| (first, second))) {
            let value = Summed {
                n: Auto::new(),
                sum: 0,
                own_at: 0,
                own_len: 0,
                dir: vec![Placed { at: 0, len: 0 }; 2],
                tables: vec![vec![1; first], vec![2; second]],
                own: own.map(|len| vec![3; len]),
            };
            laws::settled(&value, ()).unwrap().unwrap();
        }
    }
}

/// Fixed sizes, which nothing is derived from, in front of fill.
#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Slots {
    n: u8,
    #[bin(len = 2, pad_to = 5)]
    bytes: Vec<u8>,
    #[bin(len = n & 3, align_after = 4)]
    masked: Vec<u8>,
    #[bin(count = 2, pad_to = 4, little)]
    numbers: Vec<u16>,
}

#[test]
fn fill_is_no_part_of_a_value_that_is_too_short() {
    let slots = |bytes: &[u8], masked: &[u8], numbers: &[u16]| Slots {
        n: 2,
        bytes: bytes.to_vec(),
        masked: masked.to_vec(),
        numbers: numbers.to_vec(),
    };
    let right = slots(b"ab", b"cd", &[1, 2]);
    assert_eq!(laws::settled(&right, ()).unwrap(), Ok(right));
    for wrong in [
        slots(b"a", b"cd", &[1, 2]),
        slots(b"abc", b"cd", &[1, 2]),
        slots(b"a\0", b"c", &[1, 2]),
        slots(b"ab", b"cde", &[1, 2]),
        slots(b"ab", b"cd", &[1]),
    ] {
        let error = laws::settled(&wrong, ()).unwrap().unwrap_err();
        assert_eq!(error.finding().code, "derived", "{wrong:?}");
    }
}

/// A body whose kind is told by two numbers in front of it, or by bytes.
#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Tagged {
    class: [u8; 2],
    kind: u8,
    #[bin(args(class, kind), prefix = u8)]
    of_both: OfBoth,
    #[bin(args(class), prefix = u8)]
    of_class: OfClass,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[bin(tag = (class, kind), args(class: [u8; 2], kind: u8))]
enum OfBoth {
    #[bin(id = (b"AB", 1))]
    First(u8),
    #[bin(other)]
    Other(([u8; 2], u8), u8),
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[bin(tag = class, args(class: [u8; 2]))]
enum OfClass {
    #[bin(id = b"AB")]
    First(u8),
    #[bin(other)]
    Other([u8; 2], u8),
}

#[test]
fn a_kept_tag_is_not_settled_as_another_one() {
    let tagged = |both, class| Tagged {
        class: *b"XY",
        kind: 2,
        of_both: OfBoth::Other(both, 7),
        of_class: OfClass::Other(class, 8),
    };
    let right = tagged((*b"XY", 2), *b"XY");
    assert_eq!(laws::settled(&right, ()).unwrap(), Ok(right));
    for wrong in
        [tagged((*b"XY", 3), *b"XY"), tagged((*b"XZ", 2), *b"XY"), tagged((*b"XY", 2), *b"ZY")]
    {
        let error = laws::settled(&wrong, ()).unwrap().unwrap_err();
        assert_eq!(error.finding().code, "tag", "{wrong:?}");
    }
}
