//! Values that move with another one, beside values that share places, inside sections and in front of others.

use binfmt_runtime::{Auto, BinFormat, Leb128};

use super::laws::hold;
use super::same;

/// Made, read and made anew: the file of each value is read as that value and written as it was.
macro_rules! written {
    ($($type:ident $value:expr => $bytes:expr;)+) => {
        #[test]
        fn new_values_are_written() {
            $({
                let (value, bytes): ($type, &[u8]) = ($value, $bytes);
                assert_eq!(value.to_vec().as_deref(), Ok(bytes), "{value:?}");
                hold::<$type>(bytes, ());
                let compact = value.compact().to_vec().unwrap_or_else(|error| panic!("{value:?}: {error}"));
                hold::<$type>(&compact, ());
            })+
        }
    };
}

/// The leader shares its place.
#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Leader {
    at: u8,
    size: u8,
    #[bin(at = at, len = size, shared)]
    a: String,
    #[bin(at = at + size)]
    b: u8,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Chain {
    at: u8,
    size: u8,
    #[bin(at = at, len = size)]
    a: String,
    #[bin(at = at + size)]
    b: u8,
}

/// Others beside it share theirs.
#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Beside {
    n: u8,
    #[bin(count = n)]
    table: Vec<u8>,
    #[bin(for_each = table, at = it, nul, shared)]
    names: Vec<String>,
    at: u8,
    size: u8,
    #[bin(at = at, len = size)]
    a: String,
    #[bin(at = at + size)]
    b: u8,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct InOpen {
    n: u8,
    #[bin(section = open, len = n)]
    heap: Vec<u8>,
    at: u8,
    #[bin(at = at, place = heap)]
    chain: Chain,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Down {
    at: u8,
    #[bin(section, len = 8, grow = down)]
    heap: Vec<u8>,
    #[bin(at = at, place = heap)]
    chain: Chain,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Equal {
    n: u8,
    #[bin(count = n)]
    table: Vec<u8>,
    #[bin(for_each = table, at = it, shared)]
    chains: Vec<Chain>,
}

fn chain() -> Chain {
    Chain { at: 0, size: 0, a: "x".into(), b: 3 }
}

written! {
    Leader Leader { at: 0, size: 0, a: "x".into(), b: 3 } => b"\x02\x01x\x03";
    Leader Leader { at: 4, size: 1, a: "x".into(), b: 3 } => b"\x04\x01\0\0x\x03";
    Beside Beside { n: 0, table: vec![], names: vec![], at: 0, size: 0, a: "x".into(), b: 3 } => b"\0\x03\x01x\x03";
    Beside Beside { n: 0, table: vec![0, 0], names: vec!["ab".into(); 2], at: 0, size: 0, a: "x".into(), b: 3 }
        => b"\x02\x07\x07\x05\x01x\x03ab\0";
    InOpen InOpen { n: 0, heap: vec![], at: 0, chain: chain() } => b"\x04\x03\x01x\x03\x01";
    Down Down { at: 0, heap: vec![0; 8], chain: chain() } => b"\x05\0\0\0\0\x07\x01x\x03";
    Equal Equal { n: 0, table: vec![0, 0], chains: vec![chain(); 2] } => b"\x02\x03\x03\x05\x01x\x03";
}

/// Another value lies right behind the chain, or between it; it is declared in front of that, or behind.
macro_rules! neighbours {
    ($($name:ident { $($before:ident)? ; $($behind:ident)? };)+) => {
        $(
            #[derive(BinFormat, Debug, Clone, PartialEq)]
            struct $name {
                other: u8,
                $(#[bin(at = other, prefix = u8)] $before: Vec<u8>,)?
                at: u8,
                size: u8,
                #[bin(at = at, len = size)]
                a: Vec<u8>,
                #[bin(at = at + size + 1)]
                b: u8,
                $(#[bin(at = other, prefix = u8)] $behind: Vec<u8>,)?
            }

            impl $name {
                /// Lets the first value of the chain have other lengths, wherever both lie.
                fn grows() {
                    for (at, other) in [(3, 6), (3, 4), (9, 3), (4, 3), (3, 9), (5, 3), (12, 3)] {
                        for len in 0..7 {
                            let neighbour = vec![9; 2];
                            let value = Self {
                                other, at, size: 1, a: vec![5], b: 7, $($before: neighbour.clone(),)?
                                $($behind: neighbour,)?
                            };
                            let bytes = value.to_vec().unwrap();
                            let mut read = Self::parse(&bytes).unwrap();
                            assert_eq!(read.to_vec().as_ref(), Ok(&bytes));
                            read.a = vec![6; len];
                            let grown = read.to_vec().unwrap_or_else(|error| panic!("{read:?}: {error}"));
                            let again = Self::parse(&grown).unwrap();
                            assert_eq!((&again.a, again.b), (&read.a, 7), "{read:?} {grown:?}");
                            $(assert_eq!(again.$before, read.$before);)?
                            $(assert_eq!(again.$behind, read.$behind);)?
                            hold::<Self>(&grown, ());
                        }
                    }
                }
            }
        )+

        #[test]
        fn a_chain_grows_beside_a_neighbour() {
            $($name::grows();)+
        }
    };
}

neighbours! {
    InFront { first; };
    Behind { ; last };
}

/// Behind what an `Auto` counts, which may be nothing.
#[derive(BinFormat, Debug, PartialEq, Clone)]
struct BehindAuto {
    n: Auto<Leb128<u8>>,
    at: u8,
    #[bin(at = at, len = n)]
    first: Vec<u8>,
    #[bin(at = at + n)]
    tail: u8,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct BehindAutoInSection {
    n: Auto<u8>,
    at: u8,
    #[bin(section, len = 4)]
    s: Vec<u8>,
    #[bin(at = at, len = n, place = s)]
    first: String,
    #[bin(at = at + n, place = s)]
    tail: u8,
}

#[test]
fn a_value_behind_an_empty_one_stays_where_it_was() {
    for bytes in [&b"\0\x02t"[..], b"\0\x03\0t", b"\x01\x03\0xt", b"\0\x05\0\0\0t"] {
        same(&BehindAuto::parse(bytes).unwrap(), bytes);
        let mut grown = BehindAuto::parse(bytes).unwrap();
        grown.first.push(b'y');
        let written: &'static [u8] = grown.to_vec().unwrap().leak();
        assert_eq!(BehindAuto::parse(written).unwrap(), grown, "{bytes:?}");
        assert_eq!(grown.at, bytes[1]);
    }
    for bytes in [b"\0\x02t\0\0\0", b"\0\x04\0\0t\0", b"\x01\x03\0xt\0"] {
        same(&BehindAutoInSection::parse(bytes).unwrap(), bytes);
    }
}
