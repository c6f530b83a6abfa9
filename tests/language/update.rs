//! Values that are written over their old bytes.

use std::io::{self, Cursor, ErrorKind, Read, Seek, SeekFrom, Write};

use binfmt_runtime::{Auto, BinFormat, Crc32, Pages, update, update_file, update_in};

/// A page with cells, a checksum and a fill.
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[bin(little, args(size: u32), len = size)]
struct Page {
    count: Auto<u8>,
    #[bin(checksum(Crc32, over = cells))]
    sum: u32,
    #[bin(count = count)]
    cells: Vec<Cell>,
    #[bin(until_end)]
    free: Vec<u8>,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Cell {
    #[bin(prefix = u8, one_of = ["one", "two", "three", "another", "text", "next", "longer", "six"])]
    text: String,
}

fn page(texts: &[&str], size: usize) -> Page {
    let cells: Vec<Cell> = texts.iter().map(|text| Cell { text: (*text).into() }).collect();
    let used = 5 + texts.iter().map(|text| text.len() + 1).sum::<usize>();
    Page { count: Auto::new(), sum: 0, cells, free: vec![0xee; size - used] }
}

/// A header, and pages of 32 bytes.
fn file(pages: &[&[&str]]) -> Vec<u8> {
    let pages = pages.iter().map(|texts| page(texts, 32).to_vec_with(32).unwrap());
    [b"A HEADER".to_vec()].into_iter().chain(pages).collect::<Vec<_>>().concat()
}

#[test]
fn a_value_of_the_same_size_takes_the_place_of_the_old_one() {
    let mut bytes = file(&[&["one"], &["two", "three"]]);
    let expected = file(&[&["one"], &["another", "one"]]);
    update(&page(&["another", "one"], 32), &mut bytes[40..72], 32).unwrap();
    assert_eq!(bytes, expected);
}

#[test]
fn what_is_refused_touches_nothing() {
    let before = file(&[&["one"], &["two"]]);
    let mut bytes = before.clone();
    // Another size, a value that cannot be written, a place that holds something else.
    let larger = update(&page(&["one"], 33), &mut bytes[8..40], 32).unwrap_err();
    assert_eq!(larger.finding().code, "derived", "the writer of the page says it");
    let other = update(&Cell { text: "six".into() }, &mut bytes[13..18], ()).unwrap_err();
    assert_eq!(
        other.to_string(),
        "(whole value) at 0x0..0x5: the value has another length than the bytes that it takes the place of; expected 5, found 4 [size]"
    );
    let broken = update(&page(&["no"], 32), &mut bytes[8..40], 32).unwrap_err();
    assert_eq!(broken.finding().path.as_str(), "cells[0].text");
    let elsewhere = update(&page(&["one"], 32), &mut bytes[5..37], 32).unwrap_err();
    assert_eq!(elsewhere.finding().path.as_str(), "count");
    assert_eq!(bytes, before);
}

/// Bytes of somebody else lie between the fields.
#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Apart {
    at: u8,
    #[bin(at = at, len = 2)]
    there: Vec<u8>,
}

/// A part whose places count from the file.
#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Part {
    at: u8,
    #[bin(at = at, base = file, len = 2)]
    there: Vec<u8>,
}

#[test]
fn places_of_a_part_count_from_the_file() {
    let mut bytes = *b"HEAD\x05xy!!";
    let mut part = Part::parse_in(&bytes, 4..7, ()).unwrap();
    part.there = b"zz".to_vec();
    update_in(&part, &mut bytes, 4..7, ()).unwrap();
    assert_eq!(&bytes, b"HEAD\x05zz!!");
    // A place that is no longer free moves, and is stored as it counts.
    part.at = 0;
    update_in(&part, &mut bytes, 4..7, ()).unwrap();
    assert_eq!(&bytes, b"HEAD\x05zz!!");
}

#[test]
fn a_part_that_is_refused_is_told_where_it_lies_in_the_file() {
    let before = *b"HEAD\x05xy!!";
    let mut bytes = before;
    let part = |there: &[u8]| Part { at: 5, there: there.to_vec() };
    let told = |error: binfmt_runtime::Error| error.to_string();
    assert_eq!(
        told(update_in(&part(b"xyz"), &mut bytes, 4..7, ()).unwrap_err()),
        "there at 0x5..0x5: the `len` of the field disagrees with its value; expected 2, found 3 [derived]"
    );
    assert_eq!(
        told(update_in(&part(b"zz"), &mut bytes, 4..8, ()).unwrap_err()),
        "(whole value) at 0x4..0x8: the value has another length than the bytes that it takes the place of; expected 4, found 3 [size]"
    );
    assert_eq!(
        told(update_in(&part(b"zz"), &mut bytes, 4..10, ()).unwrap_err()),
        "(whole value) at 0x4..0xa: the range does not lie in the file; expected 9, found 10 [range]"
    );
    let reversed = core::ops::Range { start: 6, end: 4 };
    assert_eq!(
        update_in(&part(b"zz"), &mut bytes, reversed, ()).unwrap_err().finding().code,
        "range"
    );
    assert_eq!(bytes, before);
}

/// A part that knows all of the file.
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[bin(little)]
struct Whole {
    #[bin(checksum(Crc32, over = file))]
    sum: u32,
    rest: u8,
}

#[test]
fn a_part_with_a_checksum_over_the_file_is_refused() {
    let value = Whole { sum: 0, rest: 7 };
    let written = value.to_vec().unwrap();
    let mut file = [b"HEAD".to_vec(), written.clone()].concat();
    let error = update_in(&value, &mut file, 4..9, ()).unwrap_err();
    assert_eq!((error.finding().code, error.finding().start), ("checksum", 4));
    assert_eq!(file, [b"HEAD".to_vec(), written.clone()].concat());
    let mut file = written.clone();
    update_in(&value, &mut file, 0..5, ()).unwrap();
    assert_eq!(file, written);
}

#[test]
fn bytes_of_others_are_not_lost() {
    let mut bytes = *b"\x04???xy";
    let value = Apart { at: 4, there: b"zz".to_vec() };
    let error = update(&value, &mut bytes, ()).unwrap_err();
    assert_eq!(error.finding().code, "unkept");
    assert_eq!(&bytes, b"\x04???xy");
    let mut bytes = *b"\x04\0\0\0xy";
    update(&value, &mut bytes, ()).unwrap();
    assert_eq!(&bytes, b"\x04\0\0\0zz");
}

/// A file that counts what is read and written, and takes so many bytes.
struct Counting {
    file: Cursor<Vec<u8>>,
    read: usize,
    written: usize,
    takes: usize,
}

impl Read for Counting {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let len = self.file.read(into)?;
        self.read += len;
        Ok(len)
    }
}

impl Write for Counting {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let most = bytes.len().min(self.takes - self.written);
        if most == 0 {
            return Err(ErrorKind::StorageFull.into());
        }
        self.written += most;
        self.file.write(&bytes[..most])
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Seek for Counting {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}

fn counting(bytes: Vec<u8>, takes: usize) -> Counting {
    Counting { file: Cursor::new(bytes), read: 0, written: 0, takes }
}

#[test]
fn pages_are_read_and_written_one_by_one() {
    let texts: Vec<&[&str]> = vec![&["text"]; 1000];
    let bytes = [file(&texts), vec![1; 31]].concat();
    let mut pages = Pages::<_, Page, u32>::with(counting(bytes, 32), 8, 32, 32).unwrap();
    assert_eq!(pages.count(), 1000, "what is no whole page does not count");
    let mut one = pages.get(998).unwrap();
    assert_eq!(one, Page { sum: one.sum, ..page(&["text"], 32) });
    one.cells[0].text = "next".into();
    pages.update(998, &one).unwrap();
    assert_eq!(pages.get(998).unwrap().cells, one.cells);
    assert_eq!(pages.get(999).unwrap().cells[0].text, "text");
    let outside = pages.get(1000).unwrap_err();
    assert_eq!(outside.to_string(), "there is no page 1000; the file has 1000");
    let wrong = pages.update(5, &page(&["longer"], 33)).unwrap_err();
    assert_eq!(wrong.kind(), ErrorKind::InvalidData);
    assert!(wrong.to_string().starts_with("page 5: "), "{wrong}");
    let file = pages.into_inner();
    assert_eq!(file.written, 32);
    assert!(file.read <= 5 * 32, "{} bytes read", file.read);
}

#[test]
fn what_a_file_takes_no_more_is_told() {
    let mut one = counting(file(&[&["one"], &["two"]]), 20);
    let error = update_file(&page(&["six"], 32), &mut one, (40, 32), 32).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::StorageFull);
    assert!(error.to_string().starts_with("20 of 32 bytes at 0x28 have been written: "), "{error}");
    let short = update_file(&page(&["six"], 32), &mut one, (60, 32), 32).unwrap_err();
    assert_eq!(short.to_string(), "the file ends 12 bytes behind 0x3c; expected 32");
    // What is the same is not written.
    let mut same = counting(file(&[&["one"]]), 0);
    update_file(&page(&["one"], 32), &mut same, (8, 32), 32).unwrap();
}
