//! Sections whose length follows from another number than what lies in them: they keep it, and values find other
//! places in them.

use binfmt_runtime::{Auto, BinFormat, laws};

/// A page: the more groups there are, the less is left for the heap in front of them.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little, len = 32)]
struct Page {
    groups_count: Auto<u16>,
    #[bin(section, len = 30 - groups_count * 4)]
    heap: Vec<u8>,
    #[bin(count = groups_count)]
    groups: Vec<Group>,
    #[bin(for_each = groups.at, if = group.present >> index & 1 != 0, at = it, base = heap, place = heap, prefix = u8)]
    rows: Vec<Option<Vec<u8>>>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct Group {
    at: [u8; 2],
    present: u16,
}

/// The number tells of a text, and comes before both.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(len = 16)]
struct Titled {
    title_len: u8,
    #[bin(section, len = 14 - title_len)]
    heap: Vec<u8>,
    #[bin(len = title_len)]
    title: String,
    at: u8,
    #[bin(at = at, base = heap, place = heap, prefix = u8)]
    value: Vec<u8>,
}

/// A page with so many groups, of two rows each; there are no others than these.
fn page(groups: &[[u8; 2]], rows: &[&[u8]]) -> Page {
    let mut all: Vec<Option<Vec<u8>>> = rows.iter().map(|row| Some(row.to_vec())).collect();
    all.resize(groups.len() * 2, None);
    let present =
        |pair: &[Option<Vec<u8>>]| u16::from(pair[0].is_some()) | u16::from(pair[1].is_some()) << 1;
    let pairs = groups.iter().zip(all.chunks(2));
    let groups: Vec<Group> =
        pairs.map(|(at, pair)| Group { at: *at, present: present(pair) }).collect();
    let heap = vec![0; 30 - groups.len() * 4];
    Page { groups_count: Auto::new(), heap, groups, rows: all }
}

#[test]
fn a_row_that_grows_finds_another_place_in_the_page() {
    let value = page(&[[0, 22]], &[b"abc", b"def"]);
    let bytes = value.to_vec().unwrap();
    assert_eq!(bytes, b"\x01\0\x03abc\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x03def\x00\x16\x03\0");
    let mut read = Page::parse(&bytes).unwrap();
    read.rows[1] = Some(b"longer".to_vec());
    let grown = read.to_vec().unwrap();
    assert_eq!(grown.len(), 32);
    assert_eq!(Page::parse(&grown).unwrap().rows, read.rows);
    laws::hold::<Page>(&grown, ()).unwrap();
}

#[test]
fn another_group_takes_its_bytes_from_the_heap() {
    for (count, row) in (0..=3).flat_map(|count| [0, 3, 6].map(|len| (count, vec![b'r'; len]))) {
        let rows = vec![row.as_slice(); count];
        let value = page(&vec![[0, 9]; count.div_ceil(2)], &rows);
        let bytes = laws::written_is_read(&value, ()).unwrap().unwrap();
        assert_eq!(bytes.len(), 32, "{value:?}");
    }
}

#[test]
fn what_does_not_fit_is_refused_by_the_space_there_is() {
    let error = page(&[[0, 0]], &[&[1; 20], &[2; 20]]).to_vec().unwrap_err().to_string();
    assert!(error.contains("do not fit into their section, which keeps its length"), "{error}");
    let titled = |title: &str, len: usize| Titled {
        title_len: 0,
        heap: vec![0; 14 - title.len()],
        title: title.to_owned(),
        at: 0,
        value: vec![7; len],
    };
    for (title, len) in [("", 13), ("abc", 10), ("abcdefghijk", 2)] {
        let bytes = laws::written_is_read(&titled(title, len), ()).unwrap().unwrap();
        assert_eq!(bytes.len(), 16);
        let error = titled(title, len + 1).to_vec().unwrap_err().to_string();
        assert!(error.contains("keeps its length"), "{error}");
    }
}
