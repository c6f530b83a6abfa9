//! Sections whose length a number counts in units: they grow to the next whole one.

use binfmt_runtime::{Auto, BinFormat};

use super::{refused, same};

#[derive(BinFormat, Debug, Clone, PartialEq, Default)]
struct Page {
    pages: u8,
    at: u8,
    #[bin(section, len = pages * 4)]
    room: Vec<u8>,
    #[bin(at = at, base = room, place = room, nul)]
    text: String,
    tail: u8,
}

#[test]
fn a_section_grows_to_the_next_whole_unit() {
    let bytes = b"\x02\x00hello\0\0\0t";
    let mut page = Page::parse(bytes).unwrap();
    same(&page, bytes);
    page.text = "hello!!!!!".into();
    let bytes = b"\x03\x00hello!!!!!\0\0t";
    assert_eq!(page.to_vec().as_deref(), Ok(&bytes[..]));
    same(&Page::parse(bytes).unwrap(), bytes);
    // Full units stay full.
    page.text = "seven..".into();
    page.room.clear();
    assert_eq!(page.to_vec().as_deref(), Ok(&b"\x02\x00seven..\0t"[..]));
    page.text = "new".into();
    page.at = 1;
    assert_eq!(page.to_vec().as_deref(), Ok(&b"\x02\x01\0new\0\0\0\0t"[..]));
    assert_eq!(page.compact().to_vec().as_deref(), Ok(&b"\x01\x00new\0t"[..]));
}

#[test]
fn what_a_section_holds_is_not_filled_up() {
    let odd = Page { room: vec![1; 5], ..Page::default() };
    assert_eq!(refused(&odd), "pages derived");
    let whole = Page { room: vec![1; 4], ..Page::default() };
    assert_eq!(whole.to_vec().as_deref(), Ok(&b"\x01\x00\0\x01\x01\x01\0"[..]));
}

/// Units that a field tells, behind a header of fixed size, with a fill of its own.
#[derive(BinFormat, Debug, Clone, PartialEq, Default)]
#[bin(little)]
struct Sectors {
    size: u8,
    used: u16,
    #[bin(section, len = 2 + (used - 1) * size, fill = 0xee)]
    disk: Vec<u8>,
    count: Auto<u8>,
    #[bin(count = count)]
    places: Vec<u8>,
    #[bin(for_each = places, at = it, base = disk, place = disk)]
    words: Vec<Word>,
}

#[derive(BinFormat, Debug, Clone, PartialEq, Default)]
struct Word {
    #[bin(prefix = u8)]
    word: String,
}

#[test]
fn a_table_in_units_that_a_field_tells_grows() {
    let words = ["ab", "cde"].map(|word| Word { word: word.into() });
    let mut new =
        Sectors { size: 4, places: vec![0; 2], words: words.to_vec(), ..Sectors::default() };
    let bytes = b"\x04\x03\0\x02ab\x03cde\xee\xee\xee\x02\0\x03";
    assert_eq!(new.to_vec().as_deref(), Ok(&bytes[..]));
    same(&Sectors::parse(bytes).unwrap(), bytes);
    new.places.push(0);
    new.words.push(Word { word: "fghi".into() });
    let bytes = b"\x04\x04\0\x02ab\x03cde\x04fghi\xee\xee\x03\0\x03\x07";
    assert_eq!(new.to_vec().as_deref(), Ok(&bytes[..]));
    // With units of nothing it is as long as it is.
    new.size = 0;
    assert_eq!(refused(&new), "disk derived");
}
