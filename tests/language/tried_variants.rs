//! Variants that readers find by trying, in values whose variants they find by trying.

use binfmt_runtime::laws::outputs;
use binfmt_runtime::{Auto, BinFormat};

/// Lists that their last byte tells apart, so that readers try one after the other, at every level.
#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(probe)]
enum Node {
    One(Ones),
    Two(Twos),
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little)]
struct Ones {
    #[bin(prefix = u8)]
    nodes: Vec<Node>,
    #[bin(check(end == 1, "it does not end with 1"))]
    end: u8,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little)]
struct Twos {
    #[bin(prefix = u8)]
    nodes: Vec<Node>,
    #[bin(prefix = u16)]
    data: Vec<u8>,
    #[bin(check(end == 2, "it does not end with 2"))]
    end: u8,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little)]
struct Nodes {
    #[bin(prefix = u8)]
    nodes: Vec<Node>,
    #[bin(prefix = u16)]
    data: Vec<u8>,
}

#[test]
fn what_readers_try_for_more_than_their_budget_is_not_written() {
    let sizes = [1_usize, 6, 20].map(|count| [0_usize, 1000, 30_000].map(|data| (count, data)));
    let mut refusals = 0;
    for (depth, (count, data)) in
        (1..7).flat_map(|depth| sizes.iter().flatten().map(move |size| (depth, *size)))
    {
        let mut node = Node::Two(Twos { nodes: Vec::new(), data: vec![0; 500], end: 2 });
        for _ in 0..depth {
            node = Node::Two(Twos { nodes: vec![node], data: Vec::new(), end: 2 });
        }
        let nodes = Nodes { nodes: vec![node; count], data: vec![0; data] };
        match outputs(&nodes, ()).unwrap() {
            Ok(bytes) => assert_eq!(Nodes::parse(&bytes), Ok(nodes)),
            Err(error) => {
                assert_eq!(error.finding().code, "budget");
                refusals += 1;
            }
        }
    }
    assert!((1..40).contains(&refusals), "{refusals} refusals show nothing");
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(big, probe)]
enum Number {
    Wide(u32),
    Narrow(u16),
}

/// What the number is told apart by lies behind a number that depends on its own place.
#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little)]
struct Guessed {
    number: Number,
    #[bin(prefix = u32)]
    data: Vec<u8>,
    len: Auto<u16>,
    #[bin(section, len = len)]
    strings: Vec<u8>,
    #[bin(at = len(strings) - 3, base = strings, place = strings)]
    last: [u8; 3],
}

#[test]
fn what_would_be_read_as_another_variant_has_its_name_for_every_output() {
    for len in [0, 10, 3 << 19] {
        let strings = vec![7; len % 9];
        let value = Guessed {
            number: Number::Narrow(3),
            data: vec![0; len],
            len: Auto::new(),
            strings,
            last: [1, 2, 3],
        };
        let error = outputs(&value, ()).unwrap().unwrap_err();
        let found = error.finding();
        assert_eq!((found.path.as_str(), found.code), ("number", "variant"));
        assert!(outputs(&Guessed { number: Number::Wide(3), ..value }, ()).unwrap().is_ok());
    }
}
