//! New buffers from values.

use binfmt_runtime::{BinFormat, FbRef, FbVec, FlatBuffer, FlatBuild as _, Reserved};

use super::flat::{Buffer, Engine, Hold, Kind, Position, Ship, full};
use super::flat_differential::theirs;

fn position(north: f64) -> Position {
    Position { north, depth: -3, pad: Reserved::default() }
}

/// A ship without anything.
fn bare(name: &str) -> Ship<'_> {
    Ship {
        name,
        crew: 3,
        armed: None,
        flag: &[],
        holds: None,
        ports: FbVec::default(),
        kind: Kind::Sail,
        at: None,
        engine: None,
        tug: None,
        track: FbVec::default(),
        draught: -1.5,
        times: FbVec::default(),
    }
}

/// What is written is read as the same value, by us and by the verifier of the crate.
#[track_caller]
fn kept(ship: &Ship<'_>) -> Vec<u8> {
    let bytes = ship.to_buffer().unwrap();
    let report = FlatBuffer::<Ship<'_>>::validate(&bytes);
    assert!(report.is_ok(), "{report}");
    assert_eq!(theirs(&bytes), Ok(()));
    assert_eq!(FlatBuffer::<Ship<'_>>::parse(&bytes).unwrap().root().unwrap(), *ship);
    bytes
}

#[test]
fn values_at_hand_become_buffers() {
    let holds = [Hold { size: 7, cargo: Some("tea") }, Hold { size: 0, cargo: Some("") }];
    let track = [position(1.0), position(2.0)];
    let tug = bare("Tug");
    let ship = Ship {
        crew: 999,
        armed: Some(false),
        flag: b"red",
        holds: Some(FbVec::from(&holds[..])),
        ports: FbVec::from(&["Hull", ""][..]),
        kind: Kind::Other(-7),
        at: Some(position(0.5)),
        engine: Some(Engine::Hold(holds[0].clone())),
        tug: Some(FbRef::from(&tug)),
        track: FbVec::from(&track[..]),
        draught: 0.0,
        times: FbVec::from(&[1, i64::MIN][..]),
        ..bare("Anna")
    };
    kept(&ship);
    kept(&Ship { engine: Some(Engine::Oars), ..bare("") });
    kept(&Ship { holds: Some(FbVec::default()), ..bare("Anna") });
}

#[test]
fn what_is_read_can_be_written_anew() {
    let ship = Buffer::parse(full()).unwrap().root().unwrap();
    let bytes = kept(&Ship { crew: 12, ..ship });
    let again = FlatBuffer::<Ship<'_>>::parse(&bytes).unwrap().root().unwrap();
    assert_eq!(again.to_buffer().unwrap(), bytes);
}

#[test]
fn defaults_are_left_out_and_equal_vtables_are_written_once() {
    let plain = kept(&bare("Anna")).len();
    assert_eq!(kept(&Ship { ports: FbVec::from(&[""][..]), ..bare("Anna") }).len(), plain + 20);
    let slots = |draught| {
        let bytes = kept(&Ship { draught, ..bare("Anna") });
        FlatBuffer::<Ship<'_>>::parse(&bytes).unwrap().slots()
    };
    // The named number has slot 6 and is always stored, the draught slot 12.
    assert_eq!((slots(-1.5), slots(1.5)), (Some(7), Some(13)));
    let with = |count: usize| {
        let holds = vec![Hold { size: 1, cargo: None }; count];
        kept(&Ship { holds: Some(FbVec::from(&holds[..])), ..bare("Anna") }).len()
    };
    // An offset, and a table of an offset to its vtable and a number on a multiple of 8.
    assert_eq!(with(102) - with(100), 2 * (4 + 16));
}

#[test]
fn what_cannot_be_known_is_not_written() {
    let ship = Ship { engine: Some(Engine::Other(9)), ..bare("Anna") };
    assert_eq!(ship.to_buffer().unwrap_err().finding().code, "value");
    let mut bytes = full().to_vec();
    let cargo = bytes.windows(4).position(|part| part == b"tea\0").unwrap();
    bytes[cargo] = 0xff;
    let ship = FlatBuffer::<Ship<'_>>::parse(&bytes).unwrap().root().unwrap();
    assert_eq!(ship.to_buffer().unwrap_err().finding().code, "utf8");
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(flatbuffer)]
struct Aligned<'a> {
    #[bin(slot = 0)]
    name: &'a str,
    #[bin(slot = 1, align_before = 32)]
    weights: &'a [u8],
    #[bin(slot = 2, align_before = 64)]
    times: Option<FbVec<'a, u16>>,
    #[bin(slot = 3, align_before = 16)]
    title: &'a str,
    #[bin(slot = 4, align_before = 4096)]
    absent: Option<&'a [u8]>,
    #[bin(slot = 5)]
    more: FbVec<'a, Self>,
}

/// The tables of a buffer, and the alignment that each of three fields has got.
fn checked(bytes: &[u8]) {
    let begins = |part: &[u8]| part.as_ptr().addr() - bytes.as_ptr().addr();
    let root = FlatBuffer::<Aligned<'_>>::parse(bytes).unwrap().root().unwrap();
    for table in root.more.iter().map(Result::unwrap).chain([root.clone()]) {
        assert_eq!(begins(table.weights) % 32, 0);
        assert_eq!(begins(table.title.as_bytes()) % 16, 0);
        let times = table.times.unwrap().get(0).unwrap().unwrap();
        let at = bytes.windows(2).position(|two| two == times.to_le_bytes()).unwrap();
        assert_eq!(at % 64, 0, "{times:x}");
    }
}

#[test]
fn bytes_and_items_begin_on_their_alignment() {
    let filled = [7; 200];
    for len in [1, 4, 31, 32, 33, 200] {
        let row = |index: u16| Aligned {
            name: &"abcdefgh"[..usize::from(index)],
            weights: &filled[..len],
            times: None,
            title: "t",
            absent: None,
            more: FbVec::default(),
        };
        let times = [0xF1F0_u16, 0xF3F2, 0xF5F4, 0xF7F6];
        let rows: Vec<_> = (0_u16..3)
            .map(|index| Aligned {
                times: Some(FbVec::from(&times[usize::from(index)..][..1])),
                ..row(index)
            })
            .collect();
        let root = Aligned {
            times: Some(FbVec::from(&times[3..])),
            more: FbVec::from(&rows[..]),
            ..row(7)
        };
        let bytes = root.to_buffer().unwrap();
        checked(&bytes);
        assert!(FlatBuffer::<Aligned<'_>>::validate(&bytes).findings().is_empty());
        assert_eq!(FlatBuffer::<Aligned<'_>>::parse(&bytes).unwrap().root().unwrap(), root);
        // What is absent is aligned to nothing.
        assert!(bytes.len() < 2048 + 5 * len, "{}", bytes.len());
    }
}

#[test]
fn bytes_are_read_wherever_they_lie() {
    let mut builder = flatbuffers::FlatBufferBuilder::new();
    let weights = builder.create_vector(b"weights");
    let table = builder.start_table();
    builder.push_slot_always(6, weights);
    let table = builder.end_table(table);
    builder.finish_minimal(table);
    let bytes = builder.finished_data();
    let at = bytes.windows(7).position(|part| part == b"weights").unwrap();
    assert_ne!(at % 32, 0);
    assert!(FlatBuffer::<Aligned<'_>>::validate(bytes).findings().is_empty());
    let root = FlatBuffer::<Aligned<'_>>::parse(bytes).unwrap().root().unwrap();
    assert_eq!(root.weights, b"weights");
}

#[test]
fn empty_vectors_that_were_stored_are_stored_again() {
    let written = |stored: bool| {
        let mut builder = flatbuffers::FlatBufferBuilder::new();
        let name = builder.create_string("Anna");
        let times = builder.create_vector::<i64>(&[]);
        let table = builder.start_table();
        builder.push_slot_always(4, name);
        if stored {
            builder.push_slot_always(4 + 2 * 13, times);
        }
        let table = builder.end_table(table);
        builder.finish(table, Some("SHIP"));
        let ship = FlatBuffer::<Ship<'_>>::parse(builder.finished_data()).unwrap();
        let bytes = kept(&ship.root().unwrap());
        FlatBuffer::<Ship<'_>>::parse(&bytes).unwrap().slots().unwrap()
    };
    assert_eq!(written(true), 14);
    assert!(written(false) < 14);
}

/// Bit fields in a number that lies in the table.
#[derive(BinFormat, Debug, Clone, Copy, PartialEq)]
#[bin(flatbuffer, inline, little, bits = u32, lsb)]
struct Packed {
    #[bin(bits = 3)]
    low: u8,
    #[bin(bits = 29)]
    high: u32,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(flatbuffer)]
struct Holder<'a> {
    #[bin(slot = 0)]
    small: u8,
    #[bin(slot = 1)]
    packed: Option<Packed>,
    #[bin(slot = 2)]
    more: FbVec<'a, Packed>,
}

#[test]
fn bit_fields_lie_in_a_table_as_their_number_does() {
    let packed = |low, high| Packed { low, high };
    let more = [packed(1, 2), packed(7, (1 << 29) - 1)];
    let holder = Holder { small: 3, packed: Some(packed(5, 6)), more: FbVec::from(&more[..]) };
    let bytes = holder.to_buffer().unwrap();
    assert!(FlatBuffer::<Holder<'_>>::validate(&bytes).is_ok());
    assert_eq!(FlatBuffer::<Holder<'_>>::parse(&bytes).unwrap().root().unwrap(), holder);
    let at = bytes.windows(4).position(|window| window == [5 | 6 << 3, 0, 0, 0]).unwrap();
    assert_eq!(at % 4, 0);
}

/// Rules of all kinds in a table, in one inside it, and in a struct.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(flatbuffer, check(low <= high, "{low} is above {high}"), warn(high < 50, "{high} is much"))]
struct Limits<'a> {
    #[bin(slot = 0, range = 0..=100)]
    low: u8,
    #[bin(slot = 1, default = 9, error(high != 13, "nobody builds a floor 13"))]
    high: u8,
    #[bin(slot = 2)]
    inner: FbVec<'a, Self>,
    #[bin(slot = 3)]
    point: Option<Point>,
    #[bin(slot = 4, range = 1..=3)]
    some: Option<u16>,
    #[bin(slot = 5)]
    one: Option<FbRef<'a, Self>>,
}

#[derive(BinFormat, Debug, Clone, Copy, PartialEq)]
#[bin(flatbuffer, inline)]
struct Point {
    #[bin(range = ..5)]
    x: u32,
}

#[test]
fn what_a_reader_or_a_validator_would_refuse_is_not_written() {
    let fine = Limits {
        low: 1,
        high: 60,
        inner: FbVec::default(),
        point: Some(Point { x: 4 }),
        some: Some(3),
        one: None,
    };
    let bytes = fine.to_buffer().unwrap();
    assert_eq!(FlatBuffer::<Limits<'_>>::validate(&bytes).errors().count(), 0);
    let refused = |limits: &Limits<'_>| {
        let error = limits.to_buffer().unwrap_err();
        format!("{} {}", error.finding().path, error.finding().code)
    };
    let low = Limits { low: 101, high: 200, ..fine.clone() };
    assert_eq!(refused(&low), "low Limits.low.range");
    let unruled = low.to_buffer_unruled().unwrap();
    assert_eq!(FlatBuffer::<Limits<'_>>::validate(&unruled).errors().count(), 1);
    assert_eq!(refused(&Limits { low: 61, ..fine.clone() }), " Limits");
    assert_eq!(refused(&Limits { high: 13, ..fine.clone() }), "high Limits.high");
    assert_eq!(refused(&Limits { some: Some(4), ..fine.clone() }), "some Limits.some.range");
    let point = Limits { point: Some(Point { x: 5 }), ..fine.clone() };
    assert_eq!(refused(&point), "point.x Point.x.range");
    let items = [fine.clone(), low.clone()];
    let around = Limits { inner: FbVec::from(&items[..]), ..fine.clone() };
    assert_eq!(refused(&around), "inner[1].low Limits.low.range");
    let around = Limits { one: Some(FbRef::from(&around)), ..fine };
    assert_eq!(refused(&around), "one.inner[1].low Limits.low.range");
}
