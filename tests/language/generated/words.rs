//! The words that are about one field each, and tables with bodies: all of them in two declarations.

use std::net::Ipv4Addr;

use binfmt_runtime::{Auto, BinFormat, Crc32, Leb128, Utf16};
use proptest::collection::vec;
use proptest::prelude::*;

use super::{bytes, same_again, text, written};

macro_rules! in_order {
    ($order:ident, $bits:ident) => {
        mod $order {
            use super::*;

            #[derive(BinFormat, Clone, Copy, Debug, PartialEq)]
            #[bin($order, bits = u16, $bits)]
            struct Bits {
                #[bin(bits = 3)]
                low: u8,
                #[bin(bits = 1)]
                deep: bool,
                #[bin(bits = 12)]
                wide: u16,
            }

            #[derive(BinFormat, Clone, Debug, PartialEq)]
            #[bin($order, tag = kind, args(kind: u8))]
            enum Body {
                #[bin(id = 1)]
                Nothing,
                #[bin(id = 2)]
                Pair(Box<Pair>),
                #[bin(other)]
                Other(u8, Rest),
            }

            #[derive(BinFormat, Clone, Debug, PartialEq)]
            #[bin(endian = inherit)]
            struct Pair {
                first: (u8, u16),
                second: Leb128<u64>,
            }

            #[derive(BinFormat, Clone, Debug, PartialEq)]
            struct Rest {
                #[bin(until_end)]
                bytes: Vec<u8>,
            }

            /// Presence, prefixes, texts, conversions, a tag and a checksum.
            #[derive(BinFormat, Clone, Debug, PartialEq)]
            #[bin($order, version = version, let(far = bits.wide > 9))]
            struct Words<'a> {
                version: u8,
                flags: u8,
                bits: Bits,
                #[bin(since = 2, before = 5)]
                aged: Option<u16>,
                #[bin(if = far)]
                deep: Option<i32>,
                #[bin(flag = flags & 4)]
                flagged: Option<u16>,
                #[bin(optional, magic = b"\0OPT\0")]
                marked: Option<u32>,
                name_len: Auto<Leb128<u16>>,
                #[bin(len = name_len)]
                name: String,
                #[bin(prefix = Leb128<u32>)]
                pairs: Vec<(u8, u16)>,
                #[bin(len = 48, trim = 0)]
                short: &'a str,
                #[bin(nul)]
                long: &'a str,
                #[bin(prefix = u8, nul)]
                wide: Utf16<'a>,
                #[bin(map(u32, Ipv4Addr::from, number))]
                address: Ipv4Addr,
                #[bin(calc = tag(body))]
                tag: Auto<u8>,
                len: Auto<u16>,
                #[bin(len = len, args(kind = tag))]
                body: Body,
                #[bin(skip, default = 7)]
                weight: u8,
                #[bin(calc = end(body) - start(body))]
                body_len: Auto<u16>,
                #[bin(if = remaining > 4)]
                last: Option<u8>,
                #[bin(checksum(Crc32, over = version..=last))]
                sum: Auto<u32>,
            }

            fn number(address: &Ipv4Addr) -> u32 {
                u32::from(*address)
            }

            #[derive(BinFormat, Clone, Debug, PartialEq)]
            #[bin($order)]
            struct Head {
                rows: u16,
                size: u32,
            }

            #[derive(BinFormat, Clone, Debug, PartialEq)]
            #[bin($order)]
            struct Row {
                at: u32,
                size: u16,
            }

            /// A table, and bodies of which equal ones may lie in one place.
            #[derive(BinFormat, Clone, Debug, PartialEq)]
            struct Tables {
                #[bin(set(size = len(rows)))]
                head: Head,
                #[bin(count = head.rows)]
                rows: Vec<Row>,
                #[bin(for_each = rows, at = it.at, len = it.size, shared, align_after = 4)]
                bodies: Vec<Vec<u8>>,
            }

            prop_compose! {
                fn body()(kind: u8, a: u8, b: u16, c: u64, bytes in bytes()) -> Body {
                    match kind {
                        0..=80 => Body::Nothing,
                        81..=160 => {
                            Body::Pair(Box::new(Pair { first: (a, b), second: Leb128::new(c) }))
                        }
                        _ => Body::Other(kind, Rest { bytes }),
                    }
                }
            }

            proptest! {
                #![proptest_config(ProptestConfig { failure_persistence: None, cases: 64, ..ProptestConfig::default() })]

                #[test]
                fn words_of_fields(
                    (version, flags, low, wide, age) in (0..8_u8, any::<u8>(), 0..8_u8, 0..20_u16, any::<u16>()),
                    (flagged, marked, last) in any::<(Option<u16>, Option<u32>, Option<u8>)>(),
                    (name, short, long, utf16) in (text(), text(), text(), text()),
                    pairs in vec(any::<(u8, u16)>(), 0..5),
                    (address, body) in (any::<u32>(), body()),
                ) {
                    // Some of the texts have a size.
                    let utf16: String = utf16.chars().take(12).collect();
                    reads_back!(Words<'_>, Words {
                        version,
                        flags: if flagged.is_some() { flags | 4 } else { flags & !4 },
                        bits: Bits { low, deep: low > 3, wide },
                        aged: (2..5).contains(&version).then_some(age),
                        deep: (wide > 9).then_some(-i32::from(age)),
                        flagged, marked, name_len: Auto::new(), name, pairs,
                        short: &short, long: &long, wide: Utf16::from(utf16.as_str()),
                        address: address.into(),
                        tag: Auto::new(), len: Auto::new(), body, weight: 7, body_len: Auto::new(),
                        last, sum: Auto::new(),
                    });
                }

                #[test]
                fn tables_and_bodies(bodies in vec(bytes(), 0..6), same: bool) {
                    let bodies: Vec<Vec<u8>> =
                        bodies.iter().map(|body| if same { bodies[0].clone() } else { body.clone() }).collect();
                    let rows = vec![Row { at: 0, size: 0 }; bodies.len()];
                    let head = Head { rows: u16::try_from(rows.len()).unwrap(), size: 0 };
                    let value = Tables { head, rows, bodies };
                    let bytes = value.to_vec().unwrap();
                    let settled = Tables::parse(&bytes).unwrap();
                    prop_assert_eq!(&settled.bodies, &value.bodies);
                    reads_back!(Tables, settled);
                }
            }
        }
    };
}

in_order!(little, lsb);
in_order!(big, msb);
