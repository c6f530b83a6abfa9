//! `SQLite` databases: pages of one size, in each a table of offsets and cells at these, in each a record
//! whose columns lie behind the list of their types. Rows that go on in other pages are not declared.
//!
//! The files were written by the `sqlite3` module of Python; from one of them rows have been deleted.

use binfmt_runtime::encodings::Vlq9;
use binfmt_runtime::{Auto, BinFormat, Coded, I24};

/// A database: the header and pages of one size, the first of which holds the header.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(big, let(size = if header.page_size == 1 { 65_536 } else { header.page_size }))]
pub(crate) struct Database {
    pub(crate) header: Header,
    #[bin(len = size - 100, args(above = 101))]
    pub(crate) first: Tree,
    #[bin(count = header.pages - 1, args(size))]
    pub(crate) pages: Vec<Page>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(big, magic = b"SQLite format 3\0")]
pub(crate) struct Header {
    pub(crate) page_size: u16,
    pub(crate) write_version: u8,
    pub(crate) read_version: u8,
    #[bin(check(reserved == 0, "bytes at the end of pages are reserved for an extension"))]
    pub(crate) reserved: u8,
    #[bin(magic = b"@  ")]
    pub(crate) changes: u32,
    pub(crate) pages: u32,
    pub(crate) first_free: u32,
    pub(crate) free: u32,
    pub(crate) rest: [u8; 60],
}

/// A page: of a tree, or of something else.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(big, args(size: u32), len = size)]
pub(crate) struct Page {
    #[bin(args(above = 1))]
    pub(crate) content: Tree,
}

/// A page by its first byte. Offsets in it count from `above` bytes in front of it.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(big, args(above: u16))]
pub(crate) enum Tree {
    #[bin(magic = 13u8, args(above))]
    Rows(Leaf<Row>),
    #[bin(magic = 10u8, args(above))]
    Keys(Leaf<Key>),
    #[bin(magic = 5u8, args(above))]
    RowPages(Inner<RowPage>),
    #[bin(magic = 2u8, args(above))]
    KeyPages(Inner<KeyPage>),
    /// The rest of a long row, or a list of free pages.
    Other(Rest),
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
pub(crate) struct Rest {
    #[bin(until_end)]
    pub(crate) bytes: Vec<u8>,
}

/// A page that holds rows, or the keys of an index.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(big, args(above: u16))]
pub(crate) struct Leaf<T> {
    pub(crate) first_gap: u16,
    pub(crate) count: Auto<u16>,
    /// Where the cells begin.
    pub(crate) cells_at: u16,
    pub(crate) lost: u8,
    #[bin(count = count)]
    pub(crate) places: Vec<u16>,
    /// What no cell covers: room for more of them, and the list of the gaps that deleted ones have left.
    #[bin(section, len = remaining, grow = down)]
    pub(crate) room: Vec<u8>,
    #[bin(for_each = places, at = it - above, base = start, place = room)]
    pub(crate) cells: Vec<T>,
}

/// A page that says which other pages hold what.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(big, args(above: u16))]
pub(crate) struct Inner<T> {
    pub(crate) first_gap: u16,
    pub(crate) count: Auto<u16>,
    pub(crate) cells_at: u16,
    pub(crate) lost: u8,
    /// The page with what is behind all cells.
    pub(crate) last: u32,
    #[bin(count = count)]
    pub(crate) places: Vec<u16>,
    /// What no cell covers: room for more of them, and the list of the gaps that deleted ones have left.
    #[bin(section, len = remaining, grow = down)]
    pub(crate) room: Vec<u8>,
    #[bin(for_each = places, at = it - above, base = start, place = room)]
    pub(crate) cells: Vec<T>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
pub(crate) struct Row {
    pub(crate) len: Coded<Vlq9, u64>,
    pub(crate) id: Coded<Vlq9, u64>,
    #[bin(len = len)]
    pub(crate) record: Record,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
pub(crate) struct Key {
    pub(crate) len: Coded<Vlq9, u64>,
    #[bin(len = len)]
    pub(crate) record: Record,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(big)]
pub(crate) struct RowPage {
    pub(crate) page: u32,
    pub(crate) last: Coded<Vlq9, u64>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(big)]
pub(crate) struct KeyPage {
    pub(crate) page: u32,
    pub(crate) last: Key,
}

/// Columns: their types, then their values.
#[derive(BinFormat, Debug, Clone, PartialEq)]
pub(crate) struct Record {
    pub(crate) header: Coded<Vlq9, u64>,
    #[bin(len = header - len(header))]
    pub(crate) types: Vec<Coded<Vlq9, u64>>,
    #[bin(for_each = types, args(kind = it))]
    pub(crate) values: Vec<Value>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(big, tag = kind, args(kind: u64))]
pub(crate) enum Value {
    #[bin(id = 0)]
    Null,
    #[bin(id = 1)]
    Byte(i8),
    #[bin(id = 2)]
    Short(i16),
    #[bin(id = 3)]
    Medium(I24),
    #[bin(id = 4)]
    Int(i32),
    #[bin(id = 6)]
    Long(i64),
    #[bin(id = 7)]
    Real(f64),
    #[bin(id = 8)]
    Zero,
    #[bin(id = 9)]
    One,
    #[bin(id = 12.. if kind % 2 == 0, args(len = (kind - 12) / 2))]
    Blob(u64, Bytes),
    #[bin(id = 13.., args(len = (kind - 13) / 2))]
    Text(u64, Text),
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(args(len: u64))]
pub(crate) struct Bytes {
    #[bin(len = len)]
    pub(crate) bytes: Vec<u8>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(args(len: u64))]
pub(crate) struct Text {
    #[bin(len = len)]
    pub(crate) text: String,
}

pub(crate) const FILE: &[u8] = include_bytes!("files/python.sqlite");
pub(crate) const DELETED: &[u8] = include_bytes!("files/python-deleted.sqlite");

fn main() -> std::process::ExitCode {
    binfmt_tool::main_or(&[binfmt_tool::format::<Database>("sqlite")], show)
}

pub(crate) fn show() -> Result<(), Box<dyn std::error::Error>> {
    for bytes in [FILE, DELETED] {
        assert!(Database::validate(bytes).is_ok(), "{}", Database::validate(bytes));
        let file = Database::parse(bytes)?;
        assert_eq!(file.to_vec()?, bytes);
        let grown = grown(&file)?;
        assert!(Database::validate(&grown).is_ok(), "{}", Database::validate(&grown));
        let read = Database::parse(&grown)?;
        assert_eq!((grown.len(), read.to_vec()?), (bytes.len(), grown));
    }
    Ok(())
}

/// The database with one more row in its last page, in front of the cells that are there.
pub(crate) fn grown(file: &Database) -> Result<Vec<u8>, Box<dyn std::error::Error>> {
    let mut file = file.clone();
    let page = file.pages.last_mut().ok_or("there is one page alone")?;
    let Tree::Rows(leaf) = &mut page.content else { return Err("the page has no rows".into()) };
    let last = leaf.cells.last().ok_or("the page is empty")?;
    let record = Record {
        header: Coded::from(3),
        types: vec![Coded::from(1), Coded::from(13 + 2 * 5)],
        values: vec![Value::Byte(-5), Value::Text(23, Text { text: "grown".to_owned() })],
    };
    let row = Row { len: Coded::from(9), id: Coded::from(last.id.get() + 1), record };
    leaf.cells_at -= u16::try_from(row.to_vec()?.len())?;
    leaf.places.push(leaf.cells_at);
    leaf.cells.push(row);
    // The table of places is longer by one of them, and takes it from the room behind it.
    leaf.room.drain(..2);
    Ok(file.to_vec()?)
}
