//! Values that grow in a region of fixed size: into the fill behind them, and downwards from its end.

use binfmt_runtime::{Auto, BinFormat};

use super::laws::hold;
use super::{findings, refused, same};

/// A page of a database: offsets of its cells in front, and the cells from its end downwards.
#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(big, len = 32)]
struct Page<'a> {
    kind: u8,
    count: Auto<u8>,
    #[bin(count = count)]
    table: Vec<u16>,
    #[bin(section, len = remaining, grow = down)]
    space: &'a [u8],
    #[bin(for_each = table, at = it, base = start, place = space)]
    cells: Vec<Cell<'a>>,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Cell<'a> {
    #[bin(prefix = u8)]
    text: &'a [u8],
}

fn page<'a>(table: &[u16], space: &'a [u8], cells: &[&'a [u8]]) -> Page<'a> {
    let cells = cells.iter().map(|text| Cell { text }).collect();
    Page { kind: 13, count: Auto::new(), table: table.to_vec(), space, cells }
}

#[test]
fn a_page_is_written_as_it_was_read() {
    let read = Page::parse(b"\x0d\x02\0\x1d\0\x1a....................\x02ab\x02cd").unwrap();
    assert_eq!(read.cells, [Cell { text: b"cd" }, Cell { text: b"ab" }]);
    same(&read, b"\x0d\x02\0\x1d\0\x1a....................\x02ab\x02cd");
}

#[test]
fn new_values_come_in_front_of_the_others() {
    let space = &[0_u8; 26][..];
    // All of them are new, and lie in the order of the table, from the end on.
    let first = page(&[0, 0], &space[..26], &[b"cd", b"ab"]).to_vec().unwrap();
    assert_eq!(first[..6], *b"\x0d\x02\0\x1d\0\x1a");
    assert_eq!(first[6..], *b"\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x02ab\x02cd");
    // One more item takes its bytes of the free space, which whoever adds it makes shorter.
    let mut read = Page::parse(&first).unwrap();
    let shorter = read.space[2..].to_vec();
    read.table.insert(1, 0);
    read.cells.insert(1, Cell { text: b"new" });
    let error = read.to_vec().unwrap_err().to_string();
    assert!(error.contains("the section `space` keeps the bytes that it was read with"), "{error}");
    read.space = &shorter;
    let more = read.to_vec().unwrap();
    assert_eq!(more[..8], *b"\x0d\x03\0\x1d\0\x16\0\x1a");
    assert_eq!(more[8..], *b"\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x03new\x02ab\x02cd");
    assert!(Page::validate(&more).is_ok());
    assert_eq!(Page::parse(&more).unwrap().to_vec().unwrap(), more);
}

#[test]
fn a_value_that_has_grown_moves_and_the_others_stay() {
    let bytes = b"\x0d\x02\0\x1d\0\x1a\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x02ab\x02cd";
    let mut read = Page::parse(bytes).unwrap();
    read.cells[0].text = b"c";
    assert_eq!(read.to_vec().unwrap()[24..], *b"\0\0\x02ab\x01cd");
    read.cells[0].text = b"cde";
    let grown = read.to_vec().unwrap();
    assert_eq!(grown[..6], *b"\x0d\x02\0\x16\0\x1a");
    // What it leaves is kept as it was.
    assert_eq!(grown[20..], *b"\0\0\x03cde\x02ab\x02cd");
    let mut stream = Vec::new();
    read.write_to(&mut stream).unwrap();
    assert_eq!(stream, grown);
    assert_eq!(read.encoded_len(), Ok(32));
    let mut slice = [0; 32];
    assert_eq!(read.write_into(&mut slice), Ok(32));
    assert_eq!(slice[..], grown);
}

/// Values of which some say where they lie, and others lie where there is space.
#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little)]
struct Mixed<'a> {
    first: Auto<u8>,
    second: u8,
    third: Auto<u8>,
    fourth: u8,
    #[bin(section, len = 12, grow = down)]
    space: &'a [u8],
    #[bin(at = first, prefix = u8, place = space)]
    one: &'a [u8],
    #[bin(at = second, prefix = u8, place = space)]
    two: &'a [u8],
    #[bin(at = third, prefix = u8, place = space)]
    three: &'a [u8],
    #[bin(at = fourth, prefix = u8, place = space)]
    four: &'a [u8],
}

#[test]
fn what_is_written_downwards_has_the_same_places_when_it_is_read_and_written_again() {
    let (mut written, mut refused) = (0, 0);
    for (second, fourth) in (0..=16).flat_map(|second| (0..=16).map(move |fourth| (second, fourth)))
    {
        for lens in [[1, 1, 1, 1], [4, 1, 0, 2], [0, 3, 4, 1], [2, 4, 1, 0]] {
            let [one, two, three, four] = lens.map(|len| &b"abcd"[..len]);
            let (first, third) = (Auto::new(), Auto::new());
            let space = &[0; 12];
            let value = Mixed { first, second, third, fourth, space, one, two, three, four };
            let Ok(bytes) = value.to_vec() else {
                refused += 1;
                continue;
            };
            written += 1;
            let read = Mixed::parse(&bytes).unwrap();
            assert_eq!([read.one, read.two, read.three, read.four], [one, two, three, four]);
            assert_eq!(read.to_vec().unwrap(), bytes, "{value:?}");
        }
    }
    assert_eq!((written, refused), (4 * 17 * 17, 0));
}

#[test]
fn what_has_no_space_left_is_placed_anew_or_refused() {
    // The longer cell fits only where the hole between the others is closed.
    let bytes = b"\x0d\x02\0\x1d\0\x08\0\0\x02ab...............\0\0\0\x02cd";
    let mut read = Page::parse(bytes).unwrap();
    read.cells[1].text = b"0123456789012345678901";
    let written = read.to_vec().unwrap();
    assert_eq!(written[..6], *b"\x0d\x02\0\x1d\0\x06");
    assert_eq!(written[6..], *b"\x160123456789012345678901\x02cd");
    read.cells[1].text = b"01234567890123456789012";
    assert_eq!(refused(&read), " space");
}

/// Places that are aligned, counted in units, shared or absent.
#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little)]
struct Words<'a> {
    table: [u8; 4],
    name_at: u8,
    #[bin(section, len = 16, grow = down, fill = b"-")]
    space: &'a [u8],
    #[bin(for_each = table, at = it * 2 - 1, base = space, null = 1, place = space, len = 2, shared)]
    pairs: Vec<Option<&'a [u8]>>,
    #[bin(at = name_at, base = space, place = space, nul, align_before = 4)]
    name: &'a str,
}

#[test]
fn places_downwards_are_those_that_a_number_tells() {
    let words = Words {
        table: [0; 4],
        name_at: 15,
        space: b"................",
        pairs: vec![Some(b"ab"), None, Some(b"cd"), Some(b"ab")],
        name: "n",
    };
    let bytes = words.to_vec().unwrap();
    let read = Words::parse(&bytes).unwrap();
    assert_eq!(read.pairs, words.pairs);
    assert_eq!(read.name, "n");
    assert_eq!(read.to_vec().unwrap(), bytes);
    assert!(Words::validate(&bytes).is_ok(), "{}", Words::validate(&bytes));
    let bytes: &'static [u8] = bytes.leak();
    same(&Words::parse(bytes).unwrap(), bytes);
}

/// A value may grow into the fill behind it, where its region keeps its size.
#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little)]
struct Fixed {
    count: Auto<u8>,
    #[bin(count = count, pad_to = 8, fill = 0xff)]
    items: Vec<u16>,
    #[bin(len = 8, nul = optional)]
    name: String,
    end: u8,
}

#[test]
fn a_value_grows_into_the_fill_behind_it() {
    let fixed = |items: &[u16], name: &str| Fixed {
        count: Auto::new(),
        items: items.to_vec(),
        name: name.to_owned(),
        end: 9,
    };
    same(&fixed(&[1], "ab"), b"\x01\x01\0\xff\xff\xff\xff\xff\xffab\0\0\0\0\0\0\x09");
    same(&fixed(&[1, 2, 3, 4], "eight by"), b"\x04\x01\0\x02\0\x03\0\x04\0eight by\x09");
    assert_eq!(refused(&fixed(&[1, 2, 3, 4, 5], "")), "items size");
    assert_eq!(refused(&fixed(&[], "nine byte")), "name derived");
}

#[test]
fn a_moved_value_leaves_bytes_that_a_validator_names() {
    let bytes = b"\x0d\x01\0\x1d\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x02ab\x02cd";
    assert_eq!(findings::<Page<'_>>(bytes), ["warning  gap"]);
}

/// A section in a value in a section, and so on.
#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(big)]
struct Nested {
    inner_at: Auto<u32>,
    n: Auto<u32>,
    #[bin(section, len = n, grow = down)]
    space: Vec<u8>,
    #[bin(at = inner_at, null = 0, place = space)]
    inner: Option<Box<Self>>,
}

#[test]
fn sections_in_sections_cost_what_their_depth_does() {
    let innermost = Nested { inner_at: Auto::new(), n: Auto::new(), space: vec![], inner: None };
    let nested = |levels: usize| {
        (1..levels).fold(innermost.clone(), |inner, depth| Nested {
            space: vec![0; 8 * depth],
            inner: Some(Box::new(inner)),
            ..innermost.clone()
        })
    };
    assert_eq!(nested(10).to_vec().unwrap().len(), 8 * 10);
    let start = std::time::Instant::now();
    // A reader copies each section, so it does not pay for many levels.
    assert!(refused(&nested(40)).ends_with(" budget"));
    assert!(start.elapsed().as_secs() < 5, "{:?}", start.elapsed());
}

/// No aligned place is even, for alignments count from the odd start of the value.
#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(big)]
struct Odd {
    first: u8,
    inner: Halved,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(big)]
struct Halved {
    half: Auto<u8>,
    n: Auto<u8>,
    #[bin(section, len = n, grow = down)]
    space: Vec<u8>,
    #[bin(at = half * 2, align_before = 2, place = space)]
    value: u8,
}

#[test]
fn a_value_that_no_number_can_align_lies_where_a_number_can_tell_it() {
    for len in 2..9 {
        let inner = Halved { half: Auto::new(), n: Auto::new(), space: vec![0; len], value: 7 };
        let bytes = Odd { first: 1, inner }.to_vec().unwrap();
        let read = Odd::parse(&bytes).unwrap();
        assert_eq!(read.inner.value, 7);
        assert_eq!(read.to_vec().unwrap(), bytes);
    }
}

/// A value that is longer the further in front it lies.
#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Reaching {
    at: u8,
    #[bin(at = at)]
    end: u8,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[bin(len = 16)]
struct Reachings {
    #[bin(prefix = u8)]
    table: Vec<u8>,
    #[bin(section, len = remaining, grow = down)]
    space: Vec<u8>,
    #[bin(for_each = table, at = it, base = start, place = space)]
    values: Vec<Reaching>,
}

#[test]
fn a_value_whose_length_follows_from_its_place_is_measured_there() {
    let file = |table: &[u8], end: &[u8]| {
        let mut file = [0; 16];
        let head = [&[u8::try_from(table.len()).unwrap()], table].concat();
        file[..head.len()].copy_from_slice(&head);
        file[16 - end.len()..].copy_from_slice(end);
        file
    };
    for file in [
        file(&[14], &[15, 7]),
        file(&[12], &[13, 7, 0, 0]),
        file(&[12], &[14, 0, 7, 0]),
        file(&[14, 12], &[13, 9, 15, 7]),
        file(&[3], &[15, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7]),
    ] {
        let read = Reachings::parse(&file).unwrap();
        assert_eq!(read.to_vec().unwrap(), file);
        hold::<Reachings>(&file, ());
    }
    let values = vec![Reaching { at: 0, end: 1 }, Reaching { at: 9, end: 2 }];
    let new = Reachings { table: vec![0, 0], space: vec![0; 13], values };
    hold::<Reachings>(&new.to_vec().unwrap(), ());
}

/// Pages whose space no number tells the length of.
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[bin(len = 16)]
struct Upwards {
    at: u8,
    #[bin(section, len = remaining)]
    space: Vec<u8>,
    #[bin(at = at, base = start, place = space, prefix = u8)]
    value: Vec<u8>,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
struct FixedSpace {
    at: u8,
    #[bin(section, len = 8, fill = 0xee)]
    space: Vec<u8>,
    last: u8,
    #[bin(at = at, base = space, place = space, prefix = u8)]
    value: Vec<u8>,
}

#[test]
fn what_has_a_fixed_length_keeps_it_when_it_is_written_anew() {
    let upwards = Upwards { at: 9, space: vec![0xaa; 15], value: vec![5, 6] };
    let mut anew = vec![1, 2, 5, 6];
    anew.resize(16, 0);
    assert_eq!(upwards.compact().to_vec().unwrap(), anew);
    let fixed = FixedSpace { at: 3, space: vec![0xaa; 8], last: 1, value: vec![5, 6] };
    let anew = [0, 2, 5, 6, 0xee, 0xee, 0xee, 0xee, 0xee, 1];
    assert_eq!(fixed.compact().to_vec().unwrap(), anew);
    assert_eq!(fixed.compact().encoded_len(()), Ok(10));
    let table = Reachings {
        table: vec![14],
        space: vec![0xaa; 14],
        values: vec![Reaching { at: 15, end: 7 }],
    };
    let anew = table.compact().to_vec().unwrap();
    assert_eq!((anew.len(), anew[15]), (16, 7));
    hold::<Reachings>(&anew, ());
}

/// The second value lies at a distance from the first one, from the start of the section.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct Apart {
    first_at: u16,
    size: u16,
    #[bin(section, len = size, grow = down)]
    heap: Vec<u8>,
    #[bin(at = start(heap) + first_at * 2, place = heap, len = 2)]
    first: Vec<u8>,
    #[bin(at = start(heap) + first_at * 2 + 4, place = heap)]
    second: u8,
}

#[test]
fn values_at_a_distance_lie_in_a_section_that_grows_downwards() {
    let bytes = b"\x01\0\x08\0\0\0ab\0\0\x07\0";
    let read = Apart::parse(bytes).unwrap();
    assert_eq!((&read.first[..], read.second), (&b"ab"[..], 7));
    assert_eq!(read.to_vec().unwrap(), bytes);
}
