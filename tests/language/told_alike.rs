//! Fields that exclude one another and of which the same expression tells: the number in it is computed from the one
//! that is there, whatever the expression is.

use binfmt_runtime::{BinFormat, laws};

macro_rules! alike {
    ($($name:ident [$($words:tt)*];)*) => { $(
        mod $name {
            use super::*;

            #[derive(BinFormat, Debug, Clone, PartialEq)]
            #[bin(little)]
            pub(super) struct Node {
                kind: u8,
                unit: u8,
                wide: bool,
                near: u8,
                far: u8,
                heap_len: u8,
                #[bin(section = open, len = heap_len)]
                heap: Vec<u8>,
                #[bin(if = kind == 0, $($words)*)]
                pub(super) bytes: Option<Vec<u8>>,
                #[bin(if = kind == 1, $($words)*)]
                pub(super) numbers: Option<Vec<u16>>,
            }

            impl Node {
                /// A value of six bytes or none, whose numbers are old ones.
                pub(super) fn of(kind: u8, unit: u8, wide: bool, old: u8) -> Self {
                    Self {
                        kind,
                        unit,
                        wide,
                        near: old,
                        far: old,
                        heap_len: old,
                        heap: Vec::new(),
                        bytes: (kind == 0).then(|| vec![7; 6]),
                        numbers: (kind == 1).then(|| vec![8; 3]),
                    }
                }
            }
        }

        #[test]
        fn $name() {
            for (kind, unit, wide, old) in all() {
                let node = $name::Node::of(kind, unit, wide, old);
                let written = laws::written_is_read(&node, ()).unwrap();
                let bytes = written.unwrap_or_else(|error| panic!("{node:?}: {error}"));
                let read = $name::Node::parse(bytes).unwrap();
                // A place that was read is no reason to refuse another one.
                let anew = read.compact().to_vec().unwrap_or_else(|error| panic!("{read:?}: {error}"));
                assert_eq!($name::Node::parse(&anew).unwrap().bytes, node.bytes);
                assert_eq!($name::Node::parse(&anew).unwrap().numbers, node.numbers);
            }
        }
    )* };
}

fn all() -> impl Iterator<Item = (u8, u8, bool, u8)> {
    let kinds = (0..3).flat_map(|kind| (1..4).map(move |unit| (kind, unit)));
    let ways =
        || [false, true].into_iter().flat_map(|wide| [0, 2, 4, 9, 11].map(|old| (wide, old)));
    kinds.flat_map(move |(kind, unit)| ways().map(move |(wide, old)| (kind, unit, wide, old)))
}

alike! {
    plain [at = near, len = 6];
    factor [at = near * 4, len = 6];
    sum [at = near + 1, len = 6];
    units [at = near * unit, len = 6];
    branches [at = if wide { far } else { near }, len = 6];
    branches_with_a_factor [at = if wide { far * 2 } else { near }, len = 6];
    one_number_in_two_ways [at = if wide { near * 2 } else { near + 1 }, len = 6];
    from_a_field [at = near * 2 + start(far), len = 6];
    place_that_says_that_nothing_is_there [at = near * 4, null = 0, len = 6];
    in_a_section [at = near * 2, base = heap, place = heap, len = 6];
    length [len = near];
    length_with_a_factor [len = near * 3];
    length_of_branches [len = if wide { far } else { near }];
    length_at_a_place [at = far + 2, len = near];
}
