//! Values in regions that are written when a number in them is known: what readers look for ends
//! where the region does.

use binfmt_runtime::{Auto, BinFormat, laws};

/// In a region of each kind, followed by bytes that a value without one would take for its own.
macro_rules! in_regions {
    ($($module:ident: { $($field:tt)* } = $($value:expr),+;)*) => { $(
        mod $module {
            use super::*;

            #[derive(BinFormat, Debug, Clone, PartialEq)]
            #[bin(little)]
            struct Body {
                x: u32,
                $($field)*
            }

            #[derive(BinFormat, Debug, Clone, PartialEq)]
            #[bin(little)]
            struct Sized {
                n: Auto<u16>,
                #[bin(len = n, set(x = len(body) + len(more)))]
                body: Body,
                #[bin(until_end)]
                more: Vec<u8>,
            }

            #[derive(BinFormat, Debug, Clone, PartialEq)]
            #[bin(little)]
            struct Prefixed {
                #[bin(prefix = u16, set(x = len(body) + len(more)))]
                body: Body,
                #[bin(until_end)]
                more: Vec<u8>,
            }

            #[derive(BinFormat, Debug, Clone, PartialEq)]
            #[bin(little)]
            struct Padded {
                n: Auto<u16>,
                #[bin(len = n, pad_to = 64, set(x = len(body) + len(more)))]
                body: Body,
                #[bin(until_end)]
                more: Vec<u8>,
            }

            #[test]
            fn what_follows_the_region_is_not_looked_at() {
                for value in [$($value),+] {
                    let body = Body { x: 0, ..value };
                    for more in [&b"OP\x01\0\0\0OP"[..], b"\0\0\0\0", b"O", b""] {
                        let more = more.to_vec();
                        let (n, body) = (Auto::new(), body.clone());
                        holds(&Sized { n, body: body.clone(), more: more.clone() });
                        holds(&Prefixed { body: body.clone(), more: more.clone() });
                        holds(&Padded { n, body, more });
                    }
                }
            }
        }
    )* };
}

/// Written alike by every output, and read as what the writer has set.
#[track_caller]
fn holds<T>(value: &T)
where
    T: BinFormat<'static> + binfmt_runtime::DefaultArgs<'static> + core::fmt::Debug + PartialEq,
{
    let bytes: &'static [u8] = laws::written_as_read(value, T::default_args()).unwrap().leak();
    let read = T::parse(bytes).unwrap();
    assert_eq!(laws::written_as_read(&read, T::default_args()).unwrap(), bytes);
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little, probe)]
enum Either {
    Long(u32),
    Short(u8),
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
enum Tagged {
    #[bin(magic = b"OP")]
    Op(u8),
    Raw(u8),
}

in_regions! {
    bytes: { #[bin(until_end)] rest: Vec<u8>, } = Body { x: 0, rest: vec![] }, Body { x: 0, rest: vec![1, 2] };
    items: { #[bin(until = remaining < 2)] rest: Vec<u16>, } = Body { x: 0, rest: vec![] }, Body { x: 0, rest: vec![7] };
    maybe: { #[bin(optional, magic = b"OP")] rest: Option<u32>, } =
        Body { x: 0, rest: None }, Body { x: 0, rest: Some(9) };
    probed: { rest: Either, } = Body { x: 0, rest: Either::Short(3) }, Body { x: 0, rest: Either::Long(3) };
    tagged: { rest: Tagged, } = Body { x: 0, rest: Tagged::Raw(b'O') }, Body { x: 0, rest: Tagged::Op(3) };
    many: { #[bin(until_end)] rest: Vec<Either>, } = Body { x: 0, rest: vec![Either::Long(1), Either::Short(3)] };
}

/// An item of a table that ends with what may be absent.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct Entry {
    at: u16,
    #[bin(optional, magic = b"OP")]
    op: Option<u8>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct Tables {
    n: Auto<u16>,
    #[bin(len = n, until = remaining < 2)]
    entries: Vec<Entry>,
    more: [u8; 4],
    #[bin(for_each = entries, at = it.at)]
    values: Vec<u32>,
}

#[test]
fn what_follows_a_table_is_not_looked_at() {
    for op in [None, Some(3)] {
        for more in [*b"OP\x01\0", [0; 4]] {
            let entries = vec![Entry { at: 0, op: Some(1) }, Entry { at: 0, op }];
            holds(&Tables { n: Auto::new(), entries, more, values: vec![1, 2] });
        }
    }
}
