//! What lies on the stack beside a value counts as the value does: what it is converted from, its arguments and
//! computed values, items of tables, and what checksums are computed with.

use binfmt_runtime::{BinFormat, Digest};

use super::recursion_wide::survives;

const LARGE: usize = 8192;

#[derive(BinFormat, Debug)]
struct Converted {
    n: u8,
    #[bin(map(Stored, inside, stored))]
    value: Inside,
}

#[derive(Debug)]
struct Inside(Option<Box<Converted>>);

#[derive(BinFormat, Debug)]
struct Stored {
    large: [u8; LARGE],
    #[bin(optional, magic = b"M")]
    inside: Option<Box<Converted>>,
}

fn inside(stored: Stored) -> Inside {
    Inside(stored.inside)
}

fn stored(value: &Inside) -> Stored {
    let copy = |one: &Converted| {
        Converted::parse(one.to_vec().unwrap_or_default().leak()).map(Box::new).ok()
    };
    Stored { large: [0; LARGE], inside: value.0.as_deref().and_then(copy) }
}

#[derive(BinFormat, Debug)]
struct Handing {
    key: [u8; LARGE],
    #[bin(args(key))]
    first: Handed,
}

#[derive(BinFormat, Debug)]
#[bin(args(key: [u8; LARGE]))]
struct Handed {
    #[bin(check(n < 9 || key == key, "the key"))]
    n: u8,
    #[bin(if = n > 0, args(key))]
    inside: Option<Box<Self>>,
}

#[derive(BinFormat, Debug)]
#[bin(args(key: [u8; LARGE]))]
struct Listed {
    n: u8,
    #[bin(count = n, args(key))]
    inside: Vec<Self>,
}

#[derive(BinFormat, Debug)]
struct Listing {
    key: [u8; LARGE],
    #[bin(count = 1, args(key = previous.key or key))]
    first: Vec<Listed>,
}

#[derive(BinFormat, Debug)]
#[bin(computed(large: Large = large(n), "it"))]
struct Computing {
    n: u8,
    #[bin(check(first(large) < 5, "it"))]
    m: u8,
    #[bin(if = n > 0)]
    inside: Option<Box<Self>>,
}

#[derive(BinFormat, Debug, Clone, Copy)]
struct Large([u8; LARGE]);

fn large(first: u8) -> Large {
    Large([first; LARGE])
}

fn first(large: &Large) -> u8 {
    large.0[0]
}

#[derive(BinFormat, Debug)]
#[bin(little)]
struct Table {
    #[bin(prefix = u8)]
    rows: Vec<Row>,
    #[bin(for_each = rows, at = it.at, base = start)]
    inside: Vec<Self>,
}

#[derive(BinFormat, Debug, Clone)]
#[bin(little)]
struct Row {
    at: u16,
    pad: [u8; LARGE],
}

#[derive(BinFormat, Debug)]
struct Summed {
    n: u8,
    #[bin(if = n > 0)]
    inside: Option<Box<Self>>,
    #[bin(checksum(Blocks, over = n))]
    sum: u8,
}

struct Blocks([u8; LARGE]);

impl Default for Blocks {
    fn default() -> Self {
        Self([0; LARGE])
    }
}

impl Digest for Blocks {
    type Sum = u8;

    fn update(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0[0] ^= byte;
        }
    }

    fn finish(self) -> u8 {
        self.0[0]
    }
}

fn chain(front: &[u8], depth: usize, step: &[u8], last: &[u8]) -> Vec<u8> {
    [front, &step.repeat(depth), last].concat()
}

#[test]
fn what_is_converted() {
    survives::<Converted>(
        |depth| {
            let step = [&b"\x01"[..], &[0; LARGE], b"M"].concat();
            chain(b"", depth, &step, &[&b"\x01"[..], &[0; LARGE]].concat())
        },
        3,
    );
}

#[test]
fn arguments() {
    survives::<Handing>(|depth| chain(&[0; LARGE], depth, b"\x01", b"\0"), 3);
    survives::<Listing>(|depth| chain(&[0; LARGE], depth, b"\x01", b"\0"), 3);
}

#[test]
fn computed_values() {
    survives::<Computing>(|depth| chain(b"", depth, b"\x01\0", b"\0\0"), 3);
}

#[test]
fn items_of_tables() {
    survives::<Table>(
        |depth| {
            let step = [&b"\x01\x03\x20"[..], &[0; LARGE]].concat();
            chain(b"", depth, &step, b"\0")
        },
        3,
    );
}

#[test]
fn what_checksums_are_computed_with() {
    survives::<Summed>(|depth| [vec![1; depth], vec![0, 0], vec![1; depth]].concat(), 3);
}
