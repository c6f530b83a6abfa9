//! Values that begin and end on sectors, which their table counts.

use binfmt_runtime::BinFormat;

use super::same;

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct Sectors {
    #[bin(prefix = u8)]
    table: Vec<Sector>,
    #[bin(for_each = table, at = it.at * 16, null = 0, len = it.count * 16)]
    chunks: Vec<Option<Chunk>>,
}

#[derive(BinFormat, Debug, Clone, PartialEq, Default)]
struct Sector {
    at: u8,
    count: u8,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(align_after = 16)]
struct Chunk {
    #[bin(prefix = u8)]
    data: Vec<u8>,
}

#[test]
fn values_grow_by_whole_units() {
    let chunk = |len: usize| Some(Chunk { data: vec![7; len] });
    let sectors =
        Sectors { table: vec![Sector::default(); 3], chunks: vec![chunk(15), None, chunk(3)] };
    let written = sectors.to_vec().unwrap();
    assert_eq!(written[..7], [3, 1, 1, 0, 0, 2, 1]);
    let mut read = Sectors::parse(&written).unwrap();
    same(&read, written.clone().leak());
    read.chunks[0] = chunk(16);
    let grown = read.to_vec().unwrap();
    assert_eq!((&grown[..7], grown.len()), (&[3, 1, 2, 0, 0, 3, 1][..], 64));
    assert!(Sectors::validate(&grown).is_ok());
}
