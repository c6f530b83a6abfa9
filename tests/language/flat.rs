//! `FlatBuffers`: tables as declarations.

use binfmt_runtime::{BinFormat, DefaultArgs as _, FbRef, FbVec, FlatBuffer, Reserved};
use flatbuffers::{FlatBufferBuilder, WIPOffset};

use super::{findings, place, stopped};
use crate::laws;

/// A ship and what it carries.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(flatbuffer, identifier = b"SHIP", warn(crew < 100, "a crew of {crew} is large"))]
pub(super) struct Ship<'a> {
    /// What it is called.
    #[bin(slot = 0, required)]
    pub(super) name: &'a str,
    #[bin(slot = 1, default = 3, range = 0..=1000, check(crew > 0, "nobody steers"))]
    pub(super) crew: u16,
    /// Whether it was ever told.
    #[bin(slot = 2)]
    pub(super) armed: Option<bool>,
    #[bin(slot = 3)]
    pub(super) flag: &'a [u8],
    #[bin(slot = 4)]
    pub(super) holds: Option<FbVec<'a, Hold<'a>>>,
    #[bin(slot = 5, error(ports.count() < 4, "too many ports"))]
    pub(super) ports: FbVec<'a, &'a str>,
    #[bin(slot = 6, default = Kind::Sail)]
    pub(super) kind: Kind,
    #[bin(slot = 7)]
    pub(super) at: Option<Position>,
    #[bin(slot = 9, union)]
    pub(super) engine: Option<Engine<'a>>,
    /// The ship that tows it.
    #[bin(slot = 10)]
    pub(super) tug: Option<FbRef<'a, Self>>,
    #[bin(slot = 11)]
    pub(super) track: FbVec<'a, Position>,
    #[bin(slot = 12, default = -1.5)]
    pub(super) draught: f32,
    #[bin(slot = 13)]
    pub(super) times: FbVec<'a, i64>,
}

/// A room for cargo.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(flatbuffer, spec = "chapter 2")]
pub(super) struct Hold<'a> {
    #[bin(slot = 0)]
    pub(super) size: u64,
    #[bin(slot = 1)]
    pub(super) cargo: Option<&'a str>,
}

#[derive(BinFormat, Debug, Clone, Copy, PartialEq)]
#[bin(flatbuffer)]
#[repr(i8)]
pub(super) enum Kind {
    Barge = 0,
    Sail = 1,
    #[bin(other)]
    Other(i8),
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(flatbuffer, inline)]
pub(super) struct Position {
    pub(super) north: f64,
    pub(super) depth: i16,
    pub(super) pad: Reserved<6>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(flatbuffer)]
pub(super) enum Engine<'a> {
    #[bin(id = 1)]
    Hold(Hold<'a>),
    #[bin(id = 2)]
    Oars,
    #[bin(other)]
    Other(u8),
}

pub(super) type Buffer = FlatBuffer<'static, Ship<'static>>;

/// The offset of a slot in the vtable.
pub(super) fn slot(slot: u16) -> u16 {
    4 + 2 * slot
}

pub(super) fn hold(
    builder: &mut FlatBufferBuilder<'_>,
    size: u64,
    cargo: Option<&str>,
) -> WIPOffset<flatbuffers::TableFinishedWIPOffset> {
    let cargo = cargo.map(|cargo| builder.create_string(cargo));
    let table = builder.start_table();
    builder.push_slot(slot(0), size, 0);
    if let Some(cargo) = cargo {
        builder.push_slot_always(slot(1), cargo);
    }
    builder.end_table(table)
}

/// A table with a name and what else is pushed, as a finished buffer.
fn named(push: impl FnOnce(&mut FlatBufferBuilder<'_>)) -> &'static [u8] {
    let mut builder = FlatBufferBuilder::new();
    let name = builder.create_string("Anna");
    let table = builder.start_table();
    builder.push_slot_always(slot(0), name);
    push(&mut builder);
    let table = builder.end_table(table);
    builder.finish(table, Some("SHIP"));
    builder.finished_data().to_vec().leak()
}

/// A ship in which every field is stored.
pub(super) fn full() -> &'static [u8] {
    let mut builder = FlatBufferBuilder::new();
    let tug = builder.create_string("Tug");
    let table = builder.start_table();
    builder.push_slot_always(slot(0), tug);
    let tug = builder.end_table(table);
    let name = builder.create_string("Anna");
    let flag = builder.create_vector(&[1_u8, 2, 3]);
    let holds = [hold(&mut builder, 7, Some("tea")), hold(&mut builder, 0, None)];
    let holds = builder.create_vector(&holds);
    let ports = ["Hull", ""].map(|port| builder.create_string(port));
    let ports = builder.create_vector(&ports);
    let engine = hold(&mut builder, 9, Some("coal"));
    let times = builder.create_vector(&[-1_i64, 2]);
    let table = builder.start_table();
    builder.push_slot_always(slot(0), name);
    builder.push_slot_always(slot(1), 100_u16);
    builder.push_slot_always(slot(2), false);
    builder.push_slot_always(slot(3), flag);
    builder.push_slot_always(slot(4), holds);
    builder.push_slot_always(slot(5), ports);
    builder.push_slot_always(slot(6), 0_i8);
    builder.push_slot_always(slot(8), 1_u8);
    builder.push_slot_always(slot(9), engine);
    builder.push_slot_always(slot(10), tug);
    builder.push_slot_always(slot(12), 0.0_f32);
    builder.push_slot_always(slot(13), times);
    let table = builder.end_table(table);
    builder.finish(table, Some("SHIP"));
    builder.finished_data().to_vec().leak()
}

#[test]
fn every_field_that_is_stored_is_read() {
    let bytes = full();
    let ship = Buffer::parse(bytes).unwrap().root().unwrap();
    assert_eq!((ship.name, ship.crew, ship.armed), ("Anna", 100, Some(false)));
    assert_eq!((ship.flag, ship.kind, ship.draught), (&[1, 2, 3][..], Kind::Barge, 0.0));
    let holds: Vec<_> = ship.holds.unwrap().iter().map(Result::unwrap).collect();
    assert_eq!(holds, [Hold { size: 7, cargo: Some("tea") }, Hold { size: 0, cargo: None }]);
    let ports: Vec<_> = ship.ports.iter().map(Result::unwrap).collect();
    assert_eq!(ports, ["Hull", ""]);
    assert_eq!(ship.engine, Some(Engine::Hold(Hold { size: 9, cargo: Some("coal") })));
    assert_eq!(ship.tug.unwrap().get().unwrap().name, "Tug");
    assert_eq!(ship.times.iter().map(Result::unwrap).collect::<Vec<_>>(), [-1, 2]);
    assert_eq!(ship.times.get(1).unwrap().unwrap(), 2);
    assert!(ship.times.get(2).is_none());
    assert_eq!(findings::<Buffer>(bytes), ["warning crew Ship"]);
    laws::round_trip::<Buffer>(bytes, Buffer::default_args());
}

#[test]
fn absent_default_and_empty_are_three_states() {
    let bytes = named(|_| {});
    let ship = Buffer::parse(bytes).unwrap().root().unwrap();
    assert_eq!((ship.crew, ship.armed, ship.kind, ship.draught), (3, None, Kind::Sail, -1.5));
    assert_eq!((ship.flag, ship.ports.is_empty()), (&[][..], true));
    assert!(ship.holds.is_none() && ship.at.is_none() && ship.engine.is_none());
    assert_eq!(findings::<Buffer>(bytes), [""; 0]);
    let mut builder = FlatBufferBuilder::new();
    let name = builder.create_string("");
    let none: [WIPOffset<flatbuffers::TableFinishedWIPOffset>; 0] = [];
    let holds = builder.create_vector(&none);
    let table = builder.start_table();
    builder.push_slot_always(slot(0), name);
    builder.push_slot_always(slot(2), true);
    builder.push_slot_always(slot(4), holds);
    let table = builder.end_table(table);
    builder.finish(table, Some("SHIP"));
    let bytes: &'static [u8] = builder.finished_data().to_vec().leak();
    let ship = Buffer::parse(bytes).unwrap().root().unwrap();
    assert_eq!((ship.name, ship.armed), ("", Some(true)));
    assert_eq!(ship.holds.map(|holds| holds.count()), Some(0));
}

#[test]
fn unions_are_told_apart_by_their_tag() {
    let with_tag = |tag: u8| {
        let mut builder = FlatBufferBuilder::new();
        let name = builder.create_string("Anna");
        let value = hold(&mut builder, 1, None);
        let table = builder.start_table();
        builder.push_slot_always(slot(0), name);
        builder.push_slot_always(slot(8), tag);
        builder.push_slot_always(slot(9), value);
        let table = builder.end_table(table);
        builder.finish(table, Some("SHIP"));
        let bytes: &'static [u8] = builder.finished_data().to_vec().leak();
        assert_eq!(findings::<Buffer>(bytes), [""; 0]);
        Buffer::parse(bytes).unwrap().root().unwrap().engine
    };
    assert_eq!(with_tag(0), None);
    assert_eq!(with_tag(2), Some(Engine::Oars));
    assert_eq!(with_tag(3), Some(Engine::Other(3)));
    assert_eq!(
        findings::<Buffer>(named(|builder| builder.push_slot_always(slot(8), 1_u8))),
        ["error engine union"]
    );
    assert_eq!(
        findings::<Buffer>(named(|builder| builder.push_slot_always(slot(8), 0_u8))),
        [""; 0]
    );
}

#[test]
fn rules_hold_in_tables() {
    let crew = |crew: u16| named(move |builder| builder.push_slot_always(slot(1), crew));
    assert_eq!(findings::<Buffer>(crew(0)), ["error crew Ship.crew"]);
    assert_eq!(findings::<Buffer>(crew(100)), ["warning crew Ship"]);
    assert_eq!(findings::<Buffer>(crew(1001)), ["error crew Ship.crew.range", "warning crew Ship"]);
    let mut builder = FlatBufferBuilder::new();
    let table = builder.start_table();
    let table = builder.end_table(table);
    builder.finish(table, Some("SHIP"));
    let bytes: &'static [u8] = builder.finished_data().to_vec().leak();
    assert_eq!(findings::<Buffer>(bytes), ["error name required"]);
}

#[test]
fn an_identifier_stands_behind_the_root_offset() {
    let mut bytes = named(|_| {}).to_vec();
    bytes[7] = b'X';
    assert_eq!(stopped::<Buffer>(bytes.leak()), " identifier");
    assert_eq!(stopped::<Buffer>(b"\x04\0\0\0SH"), " identifier");
    assert_eq!(stopped::<Buffer>(b"\x04\0"), " size");
    assert_eq!(stopped::<Buffer>(b"\x08\0\0\0SHIP"), " root");
}

#[test]
fn the_inspector_shows_tables_with_their_places() {
    let bytes = full();
    let tree = Buffer::inspect(bytes);
    let find = |name: &str| tree.root.children.iter().find(|node| node.name == name).unwrap();
    let name = find("name");
    let range = usize::try_from(name.start).unwrap()..usize::try_from(name.end).unwrap();
    assert_eq!(bytes[range], *b"\x04\0\0\0Anna\0");
    let holds = find("holds");
    assert_eq!(holds.children.len(), 2);
    assert_eq!(holds.children[0].children[0].name, "size");
    assert_eq!(holds.children[0].children[0].value, Some(binfmt_runtime::NodeValue::Uint(7)));
    let page = Buffer::LAYOUT.to_markdown();
    assert!(page.contains("| 2 | `crew` | `u16` | `slot = 1, default = 3, range"), "{page}");
    for part in ["## Hold", "## Engine", "## Position", "| `Oars` | | `id = 2` |", "## Kind"] {
        assert!(page.contains(part), "{part} is not in {page}");
    }
}

/// A table with structs.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(flatbuffer)]
struct Log<'a> {
    #[bin(slot = 0)]
    at: Option<Position>,
    #[bin(slot = 1)]
    track: FbVec<'a, Position>,
}

/// A position as bytes.
fn position(north: f64, depth: i16) -> Vec<u8> {
    [&north.to_le_bytes()[..], &depth.to_le_bytes(), &[0; 6]].concat()
}

#[test]
fn structs_lie_inline() {
    let parts = [
        // The root, the vtable of two slots, and the table with one struct and one offset.
        &[20_u8, 0, 0, 0][..],
        &[8, 0, 24, 0, 4, 0, 20, 0, 0, 0, 0, 0],
        &[0; 4],
        &[16, 0, 0, 0],
        &position(0.5, -5),
        &[12, 0, 0, 0],
        &[0; 8],
        // The vector; its items lie on a multiple of 8.
        &[2, 0, 0, 0],
        &position(1.0, 1),
        &position(2.0, 2),
    ];
    let bytes: &'static [u8] = parts.concat().leak();
    assert_eq!(findings::<FlatBuffer<'_, Log<'_>>>(bytes), [""; 0]);
    let log = FlatBuffer::<Log<'_>>::parse(bytes).unwrap().root().unwrap();
    let at = log.at.unwrap();
    assert_eq!((at.north, at.depth), (0.5, -5));
    let depths = log.track.iter().map(|position| position.unwrap().depth);
    assert_eq!(depths.collect::<Vec<_>>(), [1, 2]);
    let range = log.track.range(1).unwrap();
    assert_eq!(range, 72..88);
    let shifted: &'static [u8] = [&[24, 0, 0, 0, 0, 0, 0, 0][..], &bytes[4..]].concat().leak();
    let misaligned = findings::<FlatBuffer<'_, Log<'_>>>(shifted);
    assert_eq!(misaligned, ["error at align", "error track align"]);
}

#[test]
fn the_number_of_slots_tells_schemas_apart() {
    let buffer = Buffer::parse(full()).unwrap();
    assert_eq!(buffer.slots(), Some(14));
    let few = named(|_| {});
    assert_eq!(Buffer::parse(few).unwrap().slots(), Some(1));
    assert_eq!(place(&Buffer::parse(&few[..11]).unwrap_err()), " root");
}

#[test]
fn lazy_values_and_vectors_can_be_of_items_at_hand() {
    let holds = [Hold { size: 1, cargo: None }];
    let vector = FbVec::from(&holds[..]);
    assert_eq!((vector.count(), vector.get(0).unwrap().unwrap()), (1, holds[0].clone()));
    assert_eq!(vector, vector.clone());
    assert_ne!(vector, FbVec::default());
    assert_eq!(FbRef::from(&holds[0]).get().unwrap(), holds[0]);
    assert_eq!(format!("{:?}", FbRef::from(&7_u8)), "Ok(7)");
}
