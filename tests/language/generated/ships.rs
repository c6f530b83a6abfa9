//! Tables of `FlatBuffers`: what is made of a value is read as that value.

use binfmt_runtime::{BinFormat as _, FbRef, FbVec, FlatBuffer, FlatBuild as _, Reserved};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;

use super::{bytes, float, text};
use crate::flat::{Engine, Hold, Kind, Position, Ship};
use crate::flat_differential::theirs;

fn position() -> impl Strategy<Value = Position> {
    let of = |(north, depth)| Position { north, depth, pad: Reserved::default() };
    (float(), any::<i16>()).prop_map(of)
}

fn kind() -> impl Strategy<Value = Kind> {
    prop_oneof![(2..=i8::MAX).prop_map(Kind::Other), Just(Kind::Barge), Just(Kind::Sail)]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 128, ..ProptestConfig::default() })]

    #[test]
    fn buffers_are_read_as_the_values_that_they_are_made_of(
        (name, tug, cargo) in (text(), option::of(text()), vec(option::of(text()), 0..4)),
        (crew, armed, flag, kind) in (1..=1000_u16, any::<Option<bool>>(), bytes(), kind()),
        (ports, at) in (vec(text(), 0..4), option::of(position())),
        (track, times) in (vec(position(), 0..4), vec(any::<i64>(), 0..5)),
        (draught, oars) in (prop::num::f32::NORMAL, any::<Option<bool>>()),
    ) {
        let holds: Vec<_> =
            cargo.iter().zip(1..).map(|(cargo, size)| Hold { size, cargo: cargo.as_deref() }).collect();
        let ports: Vec<_> = ports.iter().map(String::as_str).collect();
        let plain = Ship {
            name: tug.as_deref().unwrap_or_default(), crew: 3, armed: None, flag: &[], holds: None,
            ports: FbVec::default(), kind: Kind::Sail, at: None, engine: None, tug: None,
            track: FbVec::default(), draught: -1.5, times: FbVec::default(),
        };
        let engine = oars.map(|oars| match (oars, holds.first()) {
            (false, Some(hold)) => Engine::Hold(hold.clone()),
            _ => Engine::Oars,
        });
        let ship = Ship {
            name: &name, crew, armed, flag: &flag, holds: Some(FbVec::from(&holds[..])),
            ports: FbVec::from(&ports[..]), kind, at, engine,
            tug: tug.as_ref().map(|_| FbRef::from(&plain)), track: FbVec::from(&track[..]), draught,
            times: FbVec::from(&times[..]),
        };
        let bytes = ship.to_buffer().unwrap();
        prop_assert!(FlatBuffer::<Ship<'_>>::is_valid(&bytes));
        prop_assert_eq!(theirs(&bytes), Ok(()));
        let read = FlatBuffer::<Ship<'_>>::parse(&bytes).unwrap();
        prop_assert_eq!(&read.to_vec().unwrap(), &bytes);
        let root = read.root().unwrap();
        prop_assert_eq!(&root, &ship);
        prop_assert_eq!(&root.to_buffer().unwrap(), &bytes);
    }
}
