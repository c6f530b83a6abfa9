//! A declaration of the words that `words.rs` does not have: about places, tables, shapes that are
//! tried, and functions of one's own.

use std::net::Ipv4Addr;

use binfmt_runtime::{
    Adler32, Auto, BinFormat, Blob, FbRef, FbVec, FlatBuffer, FlatBuild, Rule, Rules, Show, path,
};

/// A rule by hand.
const SAME_END: Rule = Rule::note("rooms.rooms.rows.end", "two rows end at the same byte");

#[derive(BinFormat, Debug, Clone, Copy, PartialEq)]
#[bin(little, bitflags)]
struct Options(u8);

bitflags::bitflags! {
    impl Options: u8 {
        const HOST = 1;
        const FAR = 2;
    }
}

/// Fields at offsets from three bases, in a section and behind the sequence; a table with bodies of
/// which equal ones may lie in one place; a shape that is found by reading.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(
    little,
    magic = b"ROOM",
    len = size + 4,
    align_after = 4,
    origin,
    rules = ruled,
    spec = "rooms",
    level(padding = error),
    error(kind != 3 || !rows.is_empty(), "there is no room", code = "rooms.none")
)]
pub struct Rooms<'a> {
    size: Auto<u32>,
    options: Options,
    #[bin(one_of = [1, 2, 3])]
    kind: u8,
    strings_len: u16,
    name_at: u16,
    name_len: Auto<u8>,
    note_at: Auto<u16>,
    note_len: Auto<u8>,
    mark_at: u16,
    #[bin(set(size = len(rows)))]
    head: Head,
    #[bin(section, len = strings_len)]
    strings: &'a [u8],
    #[bin(count = head.rows)]
    rows: Vec<Row>,
    #[bin(flag = options.HOST, map([u8; 4], Ipv4Addr::from, Ipv4Addr::octets), pad_after = 1)]
    host: Option<Ipv4Addr>,
    #[bin(if = kind > 1, pad_before = 1, fill = 0xee, level(padding = note))]
    depth: Option<i64>,
    #[bin(with = terminated)]
    key: String,
    shape: Shape<'a>,
    #[bin(until = last.key == 0)]
    notes: Vec<Note>,
    blob_len: Auto<u8>,
    #[bin(len = blob_len)]
    blob: Blob<'a>,
    #[bin(align_before = 4)]
    low: Low,
    wall: Wall<Brick, 3>,
    shelf_len: Auto<u16>,
    #[bin(len = shelf_len)]
    shelf: FlatBuffer<'a, Shelf<'a>>,
    #[bin(skip, default = 7)]
    weight: u8,
    #[bin(calc = end(blob) - start(rows))]
    reach: Auto<u16>,
    // A wrong checksum is no error, for nobody who changes bytes makes a right one.
    #[bin(checksum(Adler32, over = self, zero = reach), level(checksum = warning))]
    sum: Auto<u32>,
    #[bin(at = name_at, null = 0, place = strings, len = name_len, align_after = 2)]
    name: Option<&'a str>,
    #[bin(at = note_at, base = rows, len = note_len, nul)]
    note: &'a str,
    #[bin(at = mark_at, base = file, null = 0, magic = b"<>")]
    mark: Option<u16>,
    #[bin(for_each = rows, at = it.at, len = it.size, shared, align_after = 4)]
    bodies: Vec<&'a [u8]>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct Head {
    rows: u8,
    size: u16,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct Row {
    at: u16,
    size: u8,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Note {
    key: u8,
    #[bin(prefix = u8)]
    text: String,
}

#[derive(BinFormat, Debug, Clone, Copy, PartialEq)]
#[bin(little, bits = u16, lsb)]
struct Low {
    #[bin(bits = 5)]
    low: u8,
    #[bin(bits = 11)]
    rest: u16,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(bound(T: Default))]
struct Wall<T, const N: usize> {
    bricks: [T; N],
}

#[derive(BinFormat, Debug, Clone, Copy, Default, PartialEq)]
struct Brick {
    size: u8,
}

/// A table with all that a table can have.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(flatbuffer, identifier = b"SHLF")]
struct Shelf<'a> {
    #[bin(slot = 0, required, range = 1..)]
    room: u16,
    #[bin(slot = 1, default = 3)]
    boards: i8,
    #[bin(slot = 2)]
    place: Option<Spot>,
    #[bin(slot = 3)]
    inner: Option<FbRef<'a, Self>>,
    #[bin(slot = 5, union)]
    thing: Option<Thing<'a>>,
    #[bin(slot = 6)]
    names: FbVec<'a, &'a str>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(flatbuffer, inline)]
struct Spot {
    x: u16,
    y: i16,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(flatbuffer)]
enum Thing<'a> {
    #[bin(id = 1)]
    Nothing,
    #[bin(id = 2)]
    Chest(Chest<'a>),
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(flatbuffer)]
enum Chest<'a> {
    #[bin(slots = 1)]
    Small(Label<'a>),
    #[bin(slots = 9)]
    Large(Label<'a>),
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(flatbuffer)]
struct Label<'a> {
    #[bin(slot = 0)]
    bytes: Option<&'a [u8]>,
}

/// The first of these that passes.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(probe)]
enum Shape<'a> {
    Small(Small),
    Large(Large<'a>),
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(big)]
struct Small {
    #[bin(range = 1..=40)]
    number: u16,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(big)]
struct Large<'a> {
    #[bin(warn(count < 200, "{count} are many"))]
    count: u8,
    #[bin(len = 2 * count)]
    bytes: &'a [u8],
}

/// Two rows do not end at the same byte.
fn ruled(rooms: &Rooms<'_>, rules: &mut Rules<'_>) {
    let ends: Vec<_> =
        rooms.rows.iter().map(|row| u32::from(row.at) + u32::from(row.size)).collect();
    for (index, end) in ends.iter().enumerate() {
        if ends.iter().take(index).any(|other| other == end) {
            let mut at = rules.at(&path!(Rooms.rows));
            at.report(&SAME_END, Show::Nothing, Show::Uint((*end).into()));
        }
    }
}

/// Texts that end with a NUL.
mod terminated {
    use binfmt_runtime::{Cursor, Fault, Writer};

    pub(super) fn read(cur: &mut Cursor<'_>) -> Result<String, Fault> {
        let at = cur.pos();
        let text = cur.rest().split(|byte| *byte == 0).next().unwrap_or_default();
        let text = std::str::from_utf8(text).map_err(|_| Fault::at(at))?;
        let whole = u64::try_from(text.len()).ok().and_then(|len| cur.take(len.checked_add(1)?));
        whole.map(|_| text.to_owned()).ok_or_else(|| Fault::at(at))
    }

    pub(super) fn write(text: &String, out: &mut Writer<'_>) -> Result<(), Fault> {
        out.put(text.as_bytes())?;
        out.put(&[0])
    }
}

/// Values of every shape, as bytes.
pub fn seeds() -> Vec<Vec<u8>> {
    let shapes =
        [Shape::Small(Small { number: 7 }), Shape::Large(Large { count: 1, bytes: b"ab" })];
    let mut seeds = Vec::new();
    for (kind, shape) in (1..=3).zip(shapes.iter().cycle()) {
        for rows in [1, 3] {
            let bodies = [&b"body"[..], b"body", b"another"];
            let place = (kind > 1).then_some(Spot { x: 1, y: -1 });
            let label = Label { bytes: Some(b"label") };
            let shelf = Shelf {
                room: 4,
                boards: 3,
                place,
                inner: None,
                thing: Some(Thing::Chest(Chest::Small(label))),
                names: FbVec::from(&["one", "two"][..]),
            };
            let shelf = shelf.to_buffer().expect("the shelf can be built");
            let value = Rooms {
                size: Auto::new(),
                options: Options::FAR,
                kind,
                strings_len: u16::from(kind) * 4,
                name_at: u16::from(kind > 1),
                name_len: Auto::new(),
                note_at: Auto::new(),
                note_len: Auto::new(),
                mark_at: u16::from(rows),
                head: Head { rows, size: 0 },
                strings: b"",
                rows: vec![Row { at: 0, size: 0 }; rows.into()],
                host: (kind < 3).then_some(Ipv4Addr::LOCALHOST),
                depth: (kind > 1).then_some(-1),
                key: "key".into(),
                shape: shape.clone(),
                notes: vec![
                    Note { key: 4, text: "four".into() },
                    Note { key: 0, text: String::new() },
                ],
                blob_len: Auto::new(),
                blob: Blob::from(&b"blob"[..]),
                low: Low { low: 3, rest: 5 },
                wall: Wall { bricks: [1, 2, 3].map(|size| Brick { size }) },
                shelf_len: Auto::new(),
                shelf: FlatBuffer::parse(&shelf).expect("the shelf can be read"),
                weight: 7,
                reach: Auto::new(),
                sum: Auto::new(),
                name: (kind > 1).then_some("name"),
                note: "a note",
                mark: (rows > 1).then_some(9),
                bodies: bodies.into_iter().take(rows.into()).collect(),
            };
            seeds.push(value.to_vec().expect("the seed is a value"));
        }
    }
    seeds
}
