//! `settle` tells what is wrong with a value beside its old numbers.

use binfmt_runtime::{BinFormat, Error};

/// The sum is computed by a function, which sees the old numbers of the records.
#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Chunk {
    #[bin(calc = total(recs))]
    total: u8,
    count: u8,
    #[bin(count = count, pad_to = 64)]
    recs: Vec<Rec>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Rec {
    #[bin(range = ..=40)]
    len: u8,
    #[bin(len = len)]
    data: Vec<u8>,
}

fn total(recs: &[Rec]) -> u8 {
    recs.iter().fold(0, |sum, rec| sum + rec.len)
}

#[test]
fn what_is_wrong_beside_old_numbers_is_told() {
    let cases: [(&[usize], &str); 4] = [
        (&[2, 4], "fits"),
        (&[30, 35], "recs size"),
        (&[41], "recs[0].len Rec.len.range"),
        (&[300], "recs[0].len overflow"),
    ];
    for (lens, told) in cases {
        let rec = |len: &usize| Rec { len: 0, data: vec![1; *len] };
        let chunk = Chunk { total: 0, count: 0, recs: lens.iter().map(rec).collect() };
        let mut buffer = Vec::new();
        let said = match chunk.settle(&mut buffer) {
            Ok(_) => "fits".to_owned(),
            Err(error) => format!("{} {}", error.finding().path, error.finding().code),
        };
        assert_eq!(said, told, "{lens:?}");
    }
}

/// The items compute the numbers by which they differ, or are in order.
#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Chunks {
    #[bin(prefix = u8, unique = kind)]
    unique: Vec<Tagged>,
    #[bin(prefix = u8, sorted_by = id())]
    sorted: Vec<Tagged>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Tagged {
    #[bin(calc = tag(body))]
    kind: u8,
    #[bin(args(kind))]
    body: Body,
}

impl Tagged {
    fn id(&self) -> u8 {
        self.kind
    }
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(tag = kind, args(kind: u8))]
enum Body {
    #[bin(id = 1)]
    One,
    #[bin(id = 2)]
    Two,
}

#[test]
fn items_are_compared_by_the_numbers_that_are_written() {
    let items = |kinds: [u8; 2], bodies: [Body; 2]| -> Vec<Tagged> {
        let both = kinds.into_iter().zip(bodies);
        both.map(|(kind, body)| Tagged { kind, body }).collect()
    };
    let told = |error: &Error| format!("{} {}", error.finding().path, error.finding().code);
    for old in [[0, 0], [1, 1], [2, 2], [1, 2], [2, 1]] {
        for (one, two) in [(Body::One, Body::Two), (Body::Two, Body::One), (Body::One, Body::One)] {
            let kind = |body: &Body| if *body == Body::One { 1 } else { 2 };
            let kinds = [kind(&one), kind(&two)];
            let unique = items(old, [one.clone(), two.clone()]);
            let sorted = items(old, [Body::One, Body::One]);
            let value = Chunks { unique, sorted };
            // Old numbers are told of as what they are, whatever the rules say of them.
            let error = value.to_vec().err();
            let wanted = match old {
                _ if old[0] != kinds[0] => Some("unique[0].kind derived"),
                _ if old[1] != kinds[1] => Some("unique[1].kind derived"),
                _ if kinds[0] == kinds[1] => Some("unique[1] Chunks.unique.unique"),
                [1, 1] => None,
                [1, _] => Some("sorted[1].kind derived"),
                _ => Some("sorted[0].kind derived"),
            };
            assert_eq!(error.as_ref().map(told).as_deref(), wanted, "{value:?}");
            // What is settled has none, and is wrong where the new ones are.
            let mut buffer = Vec::new();
            let settled = value.settle(&mut buffer).map(|settled| settled.to_vec().unwrap());
            match settled {
                Ok(settled) => {
                    assert_ne!(kinds[0], kinds[1], "{value:?}");
                    assert_eq!(settled, [2, kinds[0], kinds[1], 2, 1, 1]);
                }
                Err(error) => {
                    assert_eq!(kinds[0], kinds[1], "{value:?}");
                    assert_eq!(told(&error), "unique[1] Chunks.unique.unique");
                }
            }
        }
    }
}
