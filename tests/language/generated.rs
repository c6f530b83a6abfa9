//! Made-up values: what is written is read as the same value, owned and borrowed, in both byte
//! orders.
//!
//! The values are settled: a plain field that the writer computes holds what it will compute.

use std::fmt::Debug;

use binfmt_runtime::{BinFormat, DefaultArgs};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::TestCaseResult;

use crate::laws;

/// Writes a value; what is written obeys all laws.
fn written<'a, T>(value: &T) -> Vec<u8>
where
    T: BinFormat<'a> + DefaultArgs<'a> + Debug + PartialEq,
{
    let bytes = value.to_vec().unwrap_or_else(|error| panic!("{error}: {value:?}"));
    assert_eq!(value.encoded_len().unwrap(), u64::try_from(bytes.len()).unwrap());
    bytes
}

/// Reads what was written, and compares.
macro_rules! reads_back {
    ($ty:ty, $value:expr) => {{
        let value: $ty = $value;
        let bytes = written(&value);
        let read = <$ty>::parse(&bytes);
        prop_assert_eq!(read.as_ref(), Ok(&value));
        prop_assert!(<$ty>::is_valid(&bytes));
        same_again::<$ty>(&bytes)?;
    }};
}

fn same_again<'a, T>(bytes: &'a [u8]) -> TestCaseResult
where
    T: BinFormat<'a> + DefaultArgs<'a> + Debug + PartialEq,
{
    laws::hold::<T>(bytes, T::default_args());
    let report = T::validate(bytes);
    prop_assert!(report.is_ok(), "{}", report);
    Ok(())
}

fn text() -> impl Strategy<Value = String> {
    vec(prop_oneof![any::<char>(), Just('a')].prop_filter("no NUL", |c| *c != '\0'), 0..12)
        .prop_map(|chars| chars.into_iter().collect())
}

fn bytes() -> impl Strategy<Value = Vec<u8>> {
    vec(any::<u8>(), 0..24)
}

fn float() -> impl Strategy<Value = f64> {
    prop::num::f64::NORMAL | prop::num::f64::ZERO | prop::num::f64::INFINITE
}

mod shapes;
mod ships;
// The words about one field each, and tables.
mod words;

macro_rules! in_order {
    ($order:ident) => {
        mod $order {
            use binfmt_runtime::{Auto, Reserved, Seq};

            use super::*;

            /// Every number, in an order that leaves none aligned.
            #[derive(BinFormat, Clone, Debug, PartialEq)]
            #[bin($order)]
            struct Numbers {
                a: u8,
                b: u16,
                c: u32,
                d: u64,
                e: i8,
                f: i16,
                g: i32,
                h: i64,
                #[bin(little)]
                i: f32,
                #[bin(big)]
                j: f64,
                k: bool,
                l: [u16; 3],
                m: [u8; 5],
                reserved: Reserved<2>,
                #[bin(range = 3..=9, calc = a % 7 + 3)]
                n: u8,
                #[bin(one_of = [1, 4, 9])]
                o: u16,
                kind: Kind,
            }

            #[derive(BinFormat, Clone, Debug, PartialEq)]
            #[bin($order)]
            #[repr(u16)]
            enum Kind {
                One = 1,
                Two = 2,
                #[bin(other)]
                Other(u16),
            }

            #[derive(BinFormat, Clone, Debug, PartialEq)]
            #[bin($order)]
            enum Shape {
                #[bin(magic = 0x0102u16)]
                Label(Label),
                #[bin(magic = b"NU")]
                Numbers(Numbers),
                #[bin(magic = b"NO")]
                Nothing,
            }

            /// A text in a room that grows with it.
            #[derive(BinFormat, Clone, Debug, PartialEq)]
            #[bin($order)]
            struct Label {
                room: u16,
                len: Auto<u8>,
                #[bin(len = len, nul, align_after = 4, pad_to = room, fill = 0x20)]
                text: String,
            }

            /// Sequences, presence and padding.
            #[derive(BinFormat, Clone, Debug, PartialEq)]
            #[bin($order, magic = b"GEN", len = size + 1, align_after = 4)]
            struct Value {
                size: Auto<u32>,
                flags: u8,
                count: Auto<u16>,
                shapes: Auto<u8>,
                data_len: u16,
                #[bin(if = flags % 2 == 1, pad_before = 1)]
                extra: Option<u32>,
                #[bin(count = count, align_before = 8, sorted_by = it)]
                sorted: Vec<u32>,
                #[bin(count = shapes, pad_after = 3, fill = 0xee)]
                shape: Vec<Shape>,
                #[bin(len = data_len, align_after = 2)]
                data: Vec<u8>,
                #[bin(until_end)]
                rest: String,
            }

            /// The same, borrowed, with fields at offsets.
            #[derive(BinFormat, Clone, Debug, PartialEq)]
            #[bin($order, origin)]
            struct Borrowed<'a> {
                strings_len: Auto<u16>,
                name_at: Auto<u16>,
                name_len: Auto<u8>,
                note_at: Auto<u32>,
                note_len: Auto<u8>,
                count: Auto<u16>,
                limit: u8,
                #[bin(section, len = strings_len)]
                strings: &'a [u8],
                #[bin(count = count, args(limit))]
                items: Seq<'a, Item<'a>>,
                #[bin(at = name_at, null = 0, place = strings, len = name_len)]
                name: Option<&'a str>,
                #[bin(at = note_at, null = 0, len = note_len, align_after = 4)]
                note: Option<&'a [u8]>,
            }

            #[derive(BinFormat, Clone, Debug, PartialEq)]
            #[bin($order, args(limit: u8 = 255))]
            struct Item<'a> {
                #[bin(check(id <= limit, "{id} is above {limit}"))]
                id: u8,
                len: Auto<u16>,
                #[bin(len = len)]
                data: &'a [u8],
            }

            prop_compose! {
                fn numbers()(
                    (a, b, c, d) in any::<(u8, u16, u32, u64)>(),
                    (e, f, g, h) in any::<(i8, i16, i32, i64)>(),
                    i in prop::num::f32::NORMAL, j in float(), k: bool, l: [u16; 3], m: [u8; 5],
                    reserved: [u8; 2],
                    o in prop::sample::select(vec![1_u16, 4, 9]),
                    kind in any::<u16>(),
                ) -> Numbers {
                    let kind = match kind % 4 { 0 => Kind::One, 1 => Kind::Two, _ => other(kind) };
                    let n = a % 7 + 3;
                    let reserved = Reserved(reserved);
                    Numbers { a, b, c, d, e, f, g, h, i, j, k, l, m, reserved, n, o, kind }
                }
            }

            fn other(number: u16) -> Kind {
                match number {
                    1 => Kind::One,
                    2 => Kind::Two,
                    other => Kind::Other(other),
                }
            }

            prop_compose! {
                fn label()(text in text(), more in 0_u16..9) -> Label {
                    let need = u16::try_from(text.len()).unwrap() + 1;
                    // A room is kept if it is large enough.
                    Label { room: need + more, len: Auto::new(), text }
                }
            }

            fn shape() -> impl Strategy<Value = Shape> {
                prop_oneof![
                    label().prop_map(Shape::Label),
                    numbers().prop_map(Shape::Numbers),
                    Just(Shape::Nothing),
                ]
            }

            prop_compose! {
                fn value()(
                    flags: u8, extra: u32, mut sorted in vec(any::<u32>(), 0..6),
                    shape in vec(shape(), 0..4), data in bytes(), rest in text(),
                ) -> Value {
                    sorted.sort_unstable();
                    Value {
                        size: Auto::new(), flags, count: Auto::new(), shapes: Auto::new(),
                        data_len: u16::try_from(data.len()).unwrap(),
                        extra: (flags % 2 == 1).then_some(extra), sorted, shape, data, rest,
                    }
                }
            }

            proptest! {
                #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

                #[test]
                fn owned_values_are_read_as_they_were_written(value in value()) {
                    reads_back!(Value, value);
                }

                #[test]
                fn borrowed_values_are_read_as_they_were_written(
                    data in vec((any::<u8>(), bytes()), 0..5),
                    name in prop::option::of(text()),
                    note in prop::option::of(bytes()),
                ) {
                    let items: Vec<Item<'_>> = data
                        .iter()
                        .map(|(id, data)| Item { id: *id, len: Auto::new(), data })
                        .collect();
                    let limit = items.iter().map(|item| item.id).max().unwrap_or(0);
                    // The bytes of a section are what its fields leave of it.
                    let strings = name.clone().unwrap_or_default();
                    reads_back!(Borrowed<'_>, Borrowed {
                        strings_len: Auto::new(), name_at: Auto::new(), name_len: Auto::new(),
                        note_at: Auto::new(), note_len: Auto::new(), count: Auto::new(), limit,
                        strings: strings.as_bytes(), items: Seq::from(&items[..]),
                        name: name.as_deref(), note: note.as_deref(),
                    });
                }
            }
        }
    };
}

in_order!(little);
in_order!(big);
