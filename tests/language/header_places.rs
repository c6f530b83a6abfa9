//! Offsets in a header that is a type of its own: told by `set(at = start(body))`.

use binfmt_runtime::{BinFormat, Leb128, laws};

use super::{findings, refused, same};

/// A header with all that is said of what follows.
#[derive(BinFormat, Debug, Clone, PartialEq, Default)]
#[bin(little)]
struct Header {
    body_at: u16,
    body_len: u8,
    names_at: u16,
    names_end: u16,
    count: u8,
}

#[derive(BinFormat, Debug, Clone, PartialEq, Default)]
#[bin(little)]
struct File {
    #[bin(set(body_at = start(body), body_len = len(body), count = len(list),
        names_at = start(names), names_end = start(names) + len(names)))]
    header: Header,
    #[bin(len = header.count)]
    list: Vec<u8>,
    #[bin(at = header.body_at, len = header.body_len, align_before = 2)]
    body: Vec<u8>,
    #[bin(at = header.names_at, null = 0, len = header.names_end - header.names_at)]
    names: Option<String>,
}

fn file(list: &[u8], body: &[u8], names: Option<&str>) -> File {
    let (list, body, names) = (list.to_vec(), body.to_vec(), names.map(String::from));
    File { header: Header::default(), list, body, names }
}

/// The value as it is read from its bytes, which say the same.
#[track_caller]
fn written(value: &File, bytes: &'static [u8]) -> File {
    assert_eq!(value.to_vec().as_deref(), Ok(bytes));
    let read = File::parse(bytes).unwrap();
    same(&read, bytes);
    read
}

#[test]
fn a_new_value_is_placed_and_its_header_says_where() {
    let new = file(&[7], b"abc", Some("xy"));
    let read = written(&new, b"\x0a\0\x03\x0d\0\x0f\0\x01\x07\0abcxy");
    assert_eq!(read, File { header: read.header.clone(), ..new });
}

#[test]
fn what_has_no_room_moves_and_its_header_says_so() {
    let new = file(&[7], b"abc", Some("xy"));
    let mut value = written(&new, b"\x0a\0\x03\x0d\0\x0f\0\x01\x07\0abcxy");
    value.list = vec![7, 8, 9];
    let bytes = b"\x10\0\x03\x0d\0\x0f\0\x03\x07\x08\x09\0\0xy\0abc";
    let mut value = written(&value, bytes);
    // What shrinks leaves the others where they are.
    value.list = vec![];
    value.body = b"a".to_vec();
    value.names = Some("x".into());
    let bytes = b"\x10\0\x01\x0d\0\x0e\0\0\0\0\0\0\0x\0\0a";
    let value = written(&value, bytes);
    assert_eq!(value.compact().to_vec().as_deref(), Ok(&b"\x08\0\x01\x09\0\x0a\0\0ax"[..]));
}

#[test]
fn a_value_that_comes_or_goes_is_said_in_the_header() {
    let mut value = written(&file(&[7], b"abc", None), b"\x0a\0\x03\0\0\0\0\x01\x07\0abc");
    value.names = Some("n".into());
    let mut value = written(&value, b"\x0a\0\x03\x0d\0\x0e\0\x01\x07\0abcn");
    value.names = None;
    written(&value, b"\x0a\0\x03\0\0\0\0\x01\x07\0abc");
}

#[test]
fn values_in_any_order_stay_there() {
    let bytes = b"\x10\0\x02\x0b\0\x0d\0\x01\x07--xy---ab";
    let kept = b"\x10\0\x02\x0b\0\x0d\0\x01\x07\0\0xy\0\0\0ab";
    let mut value = File::parse(bytes).unwrap();
    assert_eq!((&value.body[..], value.names.as_deref()), (&b"ab"[..], Some("xy")));
    assert_eq!(findings::<File>(bytes), ["warning  unkept", "warning  unkept"]);
    written(&value, kept);
    value.names = Some("many names".into());
    written(&value, b"\x16\0\x02\x0b\0\x15\0\x01\x07\0\0many names\0ab");
}

#[test]
fn a_place_that_does_not_fit_into_the_header_is_an_error() {
    let far = File { list: vec![0; 200], body: vec![1; 255], ..File::default() };
    assert!(far.to_vec().is_ok());
    assert_eq!(refused(&File { body: vec![1; 256], ..far }), "header overflow");
}

/// Offsets in units, from a base, and one that nothing reads.
#[derive(BinFormat, Debug, Clone, PartialEq, Default)]
#[bin(little)]
struct Units {
    sector: u8,
    from_list: u8,
    copy: u8,
}

#[derive(BinFormat, Debug, Clone, PartialEq, Default)]
#[bin(little)]
struct InUnits {
    kind: u8,
    #[bin(set(sector = start(table) / 8, from_list = start(text) - start(list), copy = start(table)))]
    units: Units,
    #[bin(prefix = u8)]
    list: Vec<u8>,
    #[bin(at = units.sector * 8, align_before = 8)]
    table: [u16; 2],
    #[bin(at = units.from_list, base = list, nul)]
    text: String,
}

#[test]
fn numbers_in_units_and_from_a_base_follow_too() {
    let new = InUnits { table: [1, 2], text: "a".into(), ..InUnits::default() };
    let bytes = b"\0\x01\x08\x08\0\0\0\0\x01\0\x02\0a\0";
    assert_eq!(new.to_vec().as_deref(), Ok(&bytes[..]));
    let mut value = InUnits::parse(bytes).unwrap();
    same(&value, bytes);
    value.list = vec![5; 6];
    let bytes = b"\0\x02\x08\x10\x06\x05\x05\x05\x05\x05\x05\0a\0\0\0\x01\0\x02\0";
    assert_eq!(value.to_vec().as_deref(), Ok(&bytes[..]));
    same(&InUnits::parse(bytes).unwrap(), bytes);
    let wrong = b"\0\x01\x08\x09\0\0\0\0\x01\0\x02\0a\0";
    assert_eq!(findings::<InUnits>(wrong), ["error units.copy derived", "note  gap"]);
}

/// A table and its bodies in a section, at places that a header tells.
#[derive(BinFormat, Debug, Clone, PartialEq, Default)]
#[bin(little)]
struct Directory {
    table_at: u16,
    count: u8,
    sum: u32,
}

#[derive(BinFormat, Debug, Clone, PartialEq, Default)]
#[bin(little)]
struct Entry {
    at: u16,
    len: u8,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little, magic = b"D")]
struct Archive {
    #[bin(set(table_at = start(entries), count = count(entries)))]
    directory: Directory,
    #[bin(at = directory.table_at, count = directory.count)]
    entries: Vec<Entry>,
    #[bin(for_each = entries, at = it.at, len = it.len)]
    bodies: Vec<Vec<u8>>,
}

#[test]
fn a_table_at_an_offset_of_the_header_grows() {
    let new = Archive {
        directory: Directory::default(),
        entries: vec![Entry::default(); 2],
        bodies: vec![b"ab".to_vec(), b"c".to_vec()],
    };
    let bytes = b"D\x08\0\x02\0\0\0\0\x0e\0\x02\x10\0\x01abc";
    assert_eq!(new.to_vec().as_deref(), Ok(&bytes[..]));
    let mut value = Archive::parse(bytes).unwrap();
    same(&value, bytes);
    value.entries.push(Entry::default());
    value.bodies.push(b"new".to_vec());
    let bytes = b"D\x08\0\x03\0\0\0\0\x14\0\x02\x16\0\x01\x11\0\x03newabc";
    assert_eq!(value.to_vec().as_deref(), Ok(&bytes[..]));
    same(&Archive::parse(bytes).unwrap(), bytes);
    // A table behind its bodies stays there.
    let behind = b"D\x0b\0\x02\0\0\0\0abc\x08\0\x02\x0a\0\x01";
    let mut value = Archive::parse(behind).unwrap();
    same(&value, behind);
    value.bodies[0] = b"abcd".to_vec();
    let bytes = b"D\x0d\0\x02\0\0\0\0abcdc\x08\0\x04\x0c\0\x01";
    assert_eq!(value.to_vec().as_deref(), Ok(&bytes[..]));
}

/// What lies in a section, at an offset of the header.
#[derive(BinFormat, Debug, Clone, PartialEq, Default)]
struct Inside {
    at: u8,
    len: u8,
    size: u8,
}

#[derive(BinFormat, Debug, Clone, PartialEq, Default)]
struct Sectioned {
    #[bin(set(at = start(text) - start(heap), len = len(text), size = len(heap)))]
    inside: Inside,
    #[bin(section, len = inside.size)]
    heap: Vec<u8>,
    #[bin(prefix = u8)]
    tail: Vec<u8>,
    #[bin(at = inside.at, base = heap, place = heap, len = inside.len)]
    text: String,
}

#[test]
fn an_offset_into_a_section_is_told_by_the_header() {
    let bytes = b"\x01\x02\x04-ab-\x01t";
    let mut value = Sectioned::parse(bytes).unwrap();
    same(&value, bytes);
    value.text = "abcdef".into();
    let bytes = b"\x01\x06\x07-abcdef\x01t";
    assert_eq!(value.to_vec().as_deref(), Ok(&bytes[..]));
    same(&Sectioned::parse(bytes).unwrap(), bytes);
}

/// A value that a header says is nowhere, and one that a header tells wrongly.
#[derive(BinFormat, Debug, Clone, PartialEq, Default)]
struct Far {
    at: u8,
    wrong: u8,
}

#[derive(BinFormat, Debug, Clone, PartialEq, Default)]
struct Nowhere {
    #[bin(set(at = if text.is_some() { start(text) } else { 255 }))]
    far: Far,
    #[bin(at = far.at, null = 255, nul)]
    text: Option<String>,
}

#[derive(BinFormat, Debug, Clone, PartialEq, Default)]
struct Zero {
    #[bin(set(at = start(text)))]
    far: Far,
    #[bin(at = far.at, null = 255, nul)]
    text: Option<String>,
}

#[derive(BinFormat, Debug, Clone, PartialEq, Default)]
struct Wrong {
    #[bin(set(at = start(text) + 1))]
    far: Far,
    #[bin(at = far.at, nul)]
    text: String,
}

#[test]
fn what_a_header_tells_must_be_the_place() {
    same(&Nowhere { far: Far { at: 255, wrong: 0 }, text: None }, b"\xff\0");
    let there = Nowhere { far: Far { at: 2, wrong: 0 }, text: Some("a".into()) };
    same(&there, b"\x02\0a\0");
    assert_eq!(refused(&Zero::default()), "text presence");
    same(&Zero { far: there.far, text: there.text }, b"\x02\0a\0");
    assert_eq!(refused(&Wrong::default()), "text derived");
}

/// A place of variable length, in a header in front of what its length moves.
#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Variable {
    #[bin(set(at = start(body), len = len(body)))]
    head: VariableHead,
    other: u8,
    other_len: u8,
    #[bin(at = head.at, len = head.len)]
    body: Vec<u8>,
    #[bin(at = other, len = other_len)]
    moved: Vec<u8>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct VariableHead {
    at: Leb128<u32>,
    len: u8,
}

/// With two bytes for the place, what lay in front of the body no longer can, so that one would do, and so on.
#[test]
fn a_place_takes_a_byte_more_where_a_shorter_one_moves_what_it_tells() {
    let file = [8, 3, 4, 4, 1, 1, 1, 1, 2, 2, 2];
    for len in 0..200 {
        let mut value = Variable::parse(&file).unwrap();
        value.moved = vec![1; len];
        let bytes = laws::written_is_read(&value, ()).unwrap().unwrap();
        let expected =
            if len < 124 { bytes.len() == 7 + len.max(4) } else { bytes[..2] == [136, 0] };
        assert!(expected || len < 4, "{len}: {bytes:?}");
    }
}

/// A header that counts in units: the value lies where one ends, with no word for its alignment.
#[derive(BinFormat, Debug, Clone, PartialEq, Default)]
struct Scaled {
    #[bin(set(sector = (start(body) - 4) / 8, len = len(body)))]
    head: Sectors,
    #[bin(prefix = u8)]
    name: Vec<u8>,
    #[bin(at = head.sector * 8 + 4, len = head.len)]
    body: Vec<u8>,
}

#[derive(BinFormat, Debug, Clone, PartialEq, Default)]
struct Sectors {
    sector: u8,
    len: u8,
}

#[derive(BinFormat, Debug, Clone, PartialEq, Default)]
struct Maybe {
    #[bin(set(sector = if body.is_some() { start(body) / 8 } else { 0 }, len = len(body)))]
    head: Sectors,
    #[bin(prefix = u8)]
    name: Vec<u8>,
    #[bin(at = head.sector * 8, null = 0, len = head.len)]
    body: Option<Vec<u8>>,
}

#[test]
fn a_header_that_counts_in_units_tells_where_values_lie_also_without_bytes() {
    for (name, body, sector) in (0..30)
        .flat_map(|name| (0..20).flat_map(move |body| [0, 1, 9].map(|sector| (name, body, sector))))
    {
        let (name, body) = (vec![1; name], vec![2; body]);
        let head = Sectors { sector, len: 77 };
        let value = Scaled { head: head.clone(), name: name.clone(), body: body.clone() };
        let bytes = laws::written_is_read(&value, ()).unwrap().unwrap();
        laws::hold::<Scaled>(bytes, ()).unwrap();
        let body = (sector != 1).then_some(body);
        let value = Maybe { head, name, body };
        let bytes = laws::written_is_read(&value, ()).unwrap().unwrap();
        laws::hold::<Maybe>(bytes, ()).unwrap();
    }
}

/// Values behind one whose place a header tells, and those of a table.
#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Behind {
    #[bin(set(at = start(first), len = len(first)))]
    header: Told,
    #[bin(prefix = u8)]
    table: Vec<u8>,
    #[bin(at = header.at, len = header.len)]
    first: Vec<u8>,
    #[bin(at = header.at + header.len, prefix = u8)]
    second: Vec<u8>,
    #[bin(for_each = table, at = header.at + it)]
    items: Vec<u8>,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Told {
    at: u8,
    len: u8,
}

#[test]
fn values_that_count_from_a_place_in_a_header_move_with_it() {
    let mut written = 0;
    for at in [0, 3, 5, 6, 12] {
        for len in 0..4 {
            for table in [&[][..], &[0], &[4, 2], &[9, 3]] {
                let value = Behind {
                    header: Told { at, len: 7 },
                    table: table.to_vec(),
                    first: vec![1; len],
                    second: b"ab".to_vec(),
                    items: vec![8; table.len()],
                };
                let bytes = laws::written_is_read(&value, ()).unwrap().unwrap();
                super::laws::hold::<Behind>(bytes, ());
                let compact = value.compact().to_vec().unwrap();
                let read = Behind::parse(&compact).unwrap();
                assert_eq!((&read.first, &read.items), (&value.first, &value.items));
                assert!(laws::settled(&value, ()).unwrap().is_ok());
                written += 1;
            }
        }
    }
    assert_eq!(written, 80);
}
