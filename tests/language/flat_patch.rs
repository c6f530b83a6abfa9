//! Numbers of tables, written over where they lie.

use binfmt_runtime::{BinFormat, FbVec, FlatBuffer, Placed};

use super::flat::full;

/// A part of a ship, with the places of its numbers.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(flatbuffer)]
struct Ship<'a> {
    #[bin(slot = 1)]
    crew: Placed<u16>,
    #[bin(slot = 4)]
    holds: FbVec<'a, Hold>,
    #[bin(slot = 12)]
    draught: Option<Placed<f32>>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(flatbuffer)]
struct Hold {
    #[bin(slot = 0)]
    size: Placed<u64>,
}

#[test]
fn stored_numbers_are_written_over_and_nothing_else() {
    let bytes = full();
    let ship = FlatBuffer::<Ship<'_>>::parse(bytes).unwrap().root().unwrap();
    let hold = ship.holds.get(0).unwrap().unwrap();
    assert_eq!((*ship.crew, *hold.size, ship.draught.map(|it| *it)), (100, 7, Some(0.0)));
    let mut copy = bytes.to_vec();
    ship.crew.patch(&mut copy, 2).unwrap();
    hold.size.patch(&mut copy, u64::MAX).unwrap();
    ship.draught.unwrap().patch(&mut copy, 2.5).unwrap();
    let changed = FlatBuffer::<Ship<'_>>::parse(&copy).unwrap().root().unwrap();
    assert_eq!((*changed.crew, changed.draught.map(|it| *it)), (2, Some(2.5)));
    assert_eq!(*changed.holds.get(0).unwrap().unwrap().size, u64::MAX);
    let mine = [ship.crew.range(), hold.size.range(), ship.draught.unwrap().range()];
    for (at, (old, new)) in (0_u64..).zip(bytes.iter().zip(&copy)) {
        assert!(old == new || mine.iter().any(|range| range.contains(&at)), "byte {at}");
    }
}

#[test]
fn numbers_that_are_not_stored_are_refused() {
    let bytes = full();
    let ship = FlatBuffer::<Ship<'_>>::parse(bytes).unwrap().root().unwrap();
    let mut copy = bytes.to_vec();
    let absent = ship.holds.get(1).unwrap().unwrap().size;
    assert_eq!(*absent, 0);
    assert_eq!(absent.patch(&mut copy, 1).unwrap_err().finding().code, "absent");
    assert_eq!(ship.crew.patch(&mut copy[..10], 1).unwrap_err().finding().code, "end");
    assert_eq!(copy, bytes);
}
