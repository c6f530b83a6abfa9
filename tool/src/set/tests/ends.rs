//! Values beside tables of ends.

use binfmt_runtime::BinFormat;

use super::with;

/// Ends in a table of bytes, and in one of items, each behind the one before.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(big, magic = b"ENDS")]
struct TwoTables {
    first: u8,
    #[bin(prefix = u8)]
    ends: Vec<u8>,
    #[bin(for_each = ends, len = it - (previous or first))]
    texts: Vec<String>,
    #[bin(prefix = u8)]
    rows: Vec<EndRow>,
    #[bin(for_each = rows, len = it.end - (previous.end or 0))]
    names: Vec<String>,
    behind: u8,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(big)]
struct EndRow {
    id: u8,
    end: u32,
}

#[test]
fn ends_that_follow_from_one_another_move_together() {
    let row = |id| EndRow { id, end: 0 };
    let ends = TwoTables {
        first: 1,
        ends: vec![0; 3],
        texts: ["one", "", "three"].map(str::to_owned).to_vec(),
        rows: vec![row(1), row(2)],
        names: ["a", "bc"].map(str::to_owned).to_vec(),
        behind: 0xff,
    };
    let file = ends.to_vec().unwrap();
    for (path, text) in
        [("texts[0]", "longer"), ("texts[1]", "new"), ("names[0]", ""), ("names[1]", "x")]
    {
        let mut changed = TwoTables::parse(&file).unwrap();
        let list = if path.starts_with('t') { &mut changed.texts } else { &mut changed.names };
        list[usize::from(path.contains('1'))] = text.to_owned();
        assert_eq!(
            with::<TwoTables>(&file, path, text).unwrap(),
            changed.to_vec().unwrap(),
            "{path}"
        );
    }
}
