//! `settle` tells what is wrong with a value beside its old numbers.

use binfmt_runtime::BinFormat;

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
