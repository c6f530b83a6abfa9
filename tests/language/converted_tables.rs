//! Tables of `for_each` that functions of the user read and write: the numbers are set in a copy of what
//! these give, which they write again.

use binfmt_runtime::{Auto, BinFormat, Crc32, Cursor, Fault, Leb128, Writer};

use super::{kept, refused, same};

/// Where a value lies; it says so itself, and not in the file.
#[derive(Debug, Clone, PartialEq)]
struct Place {
    at: u16,
    len: u8,
    sum: u32,
}

fn place(at: u16) -> Place {
    Place { at, len: 0, sum: 0 }
}

/// The table as it is stored: the places have a key over them.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct Stored {
    #[bin(prefix = u8)]
    rows: Vec<(u16, u8, u32)>,
}

fn opened(stored: Stored) -> Vec<Place> {
    let rows = stored.rows.into_iter();
    rows.map(|(at, len, sum)| Place { at: at ^ 0x5500, len, sum }).collect()
}

#[expect(clippy::ptr_arg, reason = "a conversion takes a reference to the type of the field")]
fn closed(places: &Vec<Place>) -> Stored {
    let rows = places.iter();
    Stored { rows: rows.map(|row| (row.at ^ 0x5500, row.len, row.sum)).collect() }
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct Mapped {
    #[bin(map(Stored, opened, closed))]
    table: Vec<Place>,
    #[bin(for_each = table, at = it.at, len = it.len, checksum(Crc32, it.sum))]
    bodies: Vec<Vec<u8>>,
}

#[test]
fn a_mapped_table_gets_its_numbers() {
    let value = Mapped { table: vec![place(0); 2], bodies: vec![b"abc".into(), b"d".into()] };
    let bytes = value.to_vec().unwrap();
    assert_eq!(bytes.get(..4), Some(&[2, 15, 0x55, 3][..]));
    assert_eq!(bytes.get(15..), Some(&b"abcd"[..]));
    let bytes = bytes.leak();
    let mut read = Mapped::parse(bytes).unwrap();
    assert_eq!(read.table.first().map(|row| (row.at, row.len)), Some((15, 3)));
    same(&read, bytes);
    // A longer body moves the one behind it, and all numbers follow.
    read.bodies = vec![b"abcdef".into(), b"d".into()];
    let longer = Mapped::parse(read.to_vec().unwrap().leak()).unwrap();
    assert_eq!(longer.table.get(1).map(|row| row.at), Some(21));
    assert_eq!(longer.bodies, read.bodies);
}

#[test]
fn a_mapped_table_that_lies_about_a_sum_is_found() {
    let value = Mapped { table: vec![place(0)], bodies: vec![b"abc".into()] };
    let mut bytes = value.to_vec().unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    let report = Mapped::validate(&bytes);
    let codes: Vec<_> = report.findings().iter().map(|finding| finding.code).collect();
    assert_eq!(codes, ["checksum"]);
}

/// Numbers from the highest byte on, behind their count.
mod from_the_highest {
    use super::{Cursor, Fault, Place, Writer, place};

    pub(super) fn read(cur: &mut Cursor<'_>) -> Result<Vec<Place>, Fault> {
        let at = cur.pos();
        let [count] = *cur.take_array().ok_or(Fault::at(at))?;
        let places = (0..count).map(|_| {
            let bytes = cur.take_array().ok_or(Fault::at(at))?;
            Ok(place(u16::from_be_bytes(*bytes)))
        });
        places.collect()
    }

    pub(super) fn write(places: &[Place], out: &mut Writer<'_>) -> Result<(), Fault> {
        let Ok(count) = u8::try_from(places.len()) else { return Err(Fault::at(0)) };
        out.put(&[count])?;
        places.iter().try_for_each(|place| out.put(&place.at.to_be_bytes()))
    }
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct ByHand {
    is_there: u8,
    #[bin(if = is_there == 1, with = from_the_highest)]
    table: Option<Vec<Place>>,
    #[bin(for_each = table, at = it.at, prefix = u8)]
    names: Vec<String>,
}

#[test]
fn a_table_that_a_module_writes_gets_its_numbers() {
    let names = vec!["one".to_owned(), "three".to_owned()];
    let value = ByHand { is_there: 1, table: Some(vec![place(0); 2]), names };
    let bytes = value.to_vec().unwrap().leak();
    assert_eq!(bytes, b"\x01\x02\x00\x06\x00\x0a\x03one\x05three");
    same(&ByHand::parse(bytes).unwrap(), bytes);
    same(&ByHand { is_there: 0, table: None, names: Vec::new() }, b"\0");
    let without = ByHand { is_there: 1, table: Some(vec![place(0)]), names: Vec::new() };
    assert!(refused(&without).ends_with(" count"));
}

/// A table whose length depends on the numbers in it.
#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Short {
    count: Auto<u8>,
    #[bin(count = count)]
    at: Vec<Leb128<u16>>,
}

#[expect(clippy::needless_pass_by_value, reason = "a conversion takes what is stored by value")]
fn longer(short: Short) -> Vec<Place> {
    short.at.iter().map(|at| place(at.get())).collect()
}

#[expect(clippy::ptr_arg, reason = "a conversion takes a reference to the type of the field")]
fn shorter(places: &Vec<Place>) -> Short {
    let at = places.iter().map(|place| Leb128::new(place.at)).collect();
    Short { count: Auto::new(), at }
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Narrow {
    #[bin(map(Short, longer, shorter))]
    table: Vec<Place>,
    #[bin(for_each = table, at = it.at, prefix = u8)]
    bodies: Vec<Vec<u8>>,
}

#[test]
fn a_table_whose_length_changes_with_its_numbers_is_written() {
    let bodies = vec![vec![5; 130], vec![1]];
    for at in [0, 200] {
        let value = Narrow { table: vec![place(at); 2], bodies: bodies.clone() };
        let bytes = value.to_vec().unwrap().leak();
        let read = Narrow::parse(bytes).unwrap();
        assert_eq!(read.bodies, bodies);
        kept(&read, bytes);
    }
}
