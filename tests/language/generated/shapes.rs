//! The words about what a value is made of: shapes that are told apart by what follows, flags, rules,
//! and places that count from fields.

use binfmt_runtime::{Auto, BinFormat, Reserved, Rule, Rules, Show, path};
use proptest::collection::vec;
use proptest::prelude::*;

use super::{bytes, same_again, text, written};

/// A rule by hand.
const NO_TEXT: Rule = Rule::warning("shapes.text.short", "a long value has no text");

macro_rules! in_order {
    ($order:ident) => {
        mod $order {
            use super::*;

            #[derive(BinFormat, Clone, Copy, Debug, PartialEq)]
            #[bin(bitflags, $order)]
            struct Marks(u16);

            bitflags::bitflags! {
                impl Marks: u16 {
                    const OLD = 1;
                    const LONG = 0x8000;
                }
            }

            /// Told apart by reading them: the rules of one exclude the other.
            #[derive(BinFormat, Clone, Debug, PartialEq)]
            #[bin(probe)]
            enum Either {
                Small(Small),
                Large(Large),
            }

            #[derive(BinFormat, Clone, Debug, PartialEq)]
            struct Small {
                #[bin(check(number < 16, "{number} is not small"))]
                number: u8,
            }

            #[derive(BinFormat, Clone, Debug, PartialEq)]
            #[bin($order)]
            struct Large {
                #[bin(check(head > 15, "{head} is not large"))]
                head: u8,
                number: u32,
            }

            /// Told apart by a number that stands behind the first one.
            #[derive(BinFormat, Clone, Debug, PartialEq)]
            #[bin(peek = 2)]
            enum Model {
                #[bin(magic = b"EXT")]
                Extended(Extended),
                Bare(Bare),
            }

            #[derive(BinFormat, Clone, Debug, PartialEq)]
            #[bin($order)]
            struct Extended {
                root: u16,
                #[bin(one_of = [b"EXT"])]
                mark: [u8; 3],
                size: u64,
            }

            #[derive(BinFormat, Clone, Debug, PartialEq)]
            #[bin($order)]
            struct Bare {
                root: u16,
                #[bin(check(other != b"EXT", "the mark is that of another model"))]
                other: [u8; 3],
            }

            #[derive(BinFormat, Clone, Debug, PartialEq)]
            #[bin(bound(T: Default))]
            struct Row<T, const N: usize> {
                #[bin(prefix = u8)]
                name: String,
                cells: [T; N],
            }

            #[derive(BinFormat, Clone, Copy, Debug, Default, PartialEq)]
            struct Cell(u8);

            /// Everything at once, and a rule by hand.
            #[derive(BinFormat, Clone, Debug, PartialEq)]
            #[bin($order, spec = "chapter 1", rules = by_hand, level(gap = note))]
            struct Shapes {
                marks: Marks,
                either: Either,
                model: Model,
                #[bin(until = last == 0)]
                numbers: Vec<u16>,
                #[bin(count = 2)]
                rows: Vec<Row<Cell, 3>>,
                ids_count: Auto<u8>,
                #[bin(count = ids_count, unique = it, warn(count(ids) < 3, "many ids"))]
                ids: Vec<u16>,
                text_at: u16,
                text_len: Auto<u8>,
                anchor: Reserved<4>,
                #[bin(at = text_at, base = anchor, len = text_len, align_after = 4)]
                text: String,
                data_at: u16,
                data_len: Auto<u8>,
                #[bin(at = data_at, base = start, len = data_len)]
                data: Vec<u8>,
            }

            fn by_hand(value: &Shapes, rules: &mut Rules<'_>) {
                if value.marks.contains(Marks::LONG) && value.text.is_empty() {
                    let mut at = rules.at(&path!(Shapes.text));
                    at.report(&NO_TEXT, Show::Nothing, Show::Uint(0));
                }
            }

            prop_compose! {
                fn either()(number: u32, head: u8) -> Either {
                    match head {
                        0..=15 => Either::Small(Small { number: head }),
                        _ => Either::Large(Large { head, number }),
                    }
                }
            }

            prop_compose! {
                fn model()(root: u16, size: u64, other: [u8; 3], extended: bool) -> Model {
                    if extended {
                        return Model::Extended(Extended { root, mark: *b"EXT", size });
                    }
                    let other = if other == *b"EXT" { *b"ext" } else { other };
                    Model::Bare(Bare { root, other })
                }
            }

            fn row() -> impl Strategy<Value = Row<Cell, 3>> {
                let of = |(name, cells): (_, [u8; 3])| Row { name, cells: cells.map(Cell) };
                (text(), any::<[u8; 3]>()).prop_map(of)
            }

            proptest! {
                #![proptest_config(ProptestConfig { failure_persistence: None, cases: 64, ..ProptestConfig::default() })]

                #[test]
                fn shapes_rules_and_places(
                    marks: u16, either in either(), model in model(),
                    numbers in vec(1_u16.., 0..5), rows in vec(row(), 2),
                    ids in prop::collection::hash_set(any::<u16>(), 0..5),
                    text in text(), data in bytes(),
                ) {
                    let value = Shapes {
                        marks: Marks::from_bits_retain(marks), either, model,
                        numbers: numbers.into_iter().chain([0]).collect(), rows,
                        ids_count: Auto::new(), ids: ids.into_iter().collect(),
                        text_at: 0, text_len: Auto::new(), anchor: Reserved::default(), text,
                        data_at: 0, data_len: Auto::new(), data,
                    };
                    let bytes = value.to_vec().unwrap();
                    let settled = Shapes::parse(&bytes).unwrap();
                    let unsettled = Shapes { text_at: 0, data_at: 0, ..settled.clone() };
                    prop_assert_eq!(unsettled, value);
                    reads_back!(Shapes, settled);
                }
            }
        }
    };
}

in_order!(little);
in_order!(big);
