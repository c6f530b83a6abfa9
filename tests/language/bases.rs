//! Places that count from a number which another size tells, and which moves.

use binfmt_runtime::{Auto, BinFormat};

/// As game archives have it: names behind the index, and data where the names end.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct Archive {
    names_at: u8,
    data_at: u8,
    count: Auto<u8>,
    #[bin(count = count)]
    index: Vec<Entry>,
    #[bin(at = names_at, len = data_at - names_at)]
    names: Vec<u8>,
    #[bin(for_each = index, at = data_at + it.offset, len = it.len)]
    data: Vec<Vec<u8>>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct Entry {
    len: u8,
    offset: u8,
}

/// The same in units, and for one value.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct Units {
    names_at: u8,
    data_at: u8,
    offset: u8,
    count: Auto<u8>,
    #[bin(count = count)]
    index: Vec<Entry>,
    #[bin(at = names_at, len = data_at * 2 - names_at)]
    names: Vec<u8>,
    #[bin(at = data_at * 2 + offset, nul)]
    one: String,
    #[bin(for_each = index, at = data_at * 2 + it.offset * 4, len = it.len)]
    data: Vec<Vec<u8>>,
}

const FILE: [u8; 12] = [7, 9, 2, 1, 0, 2, 1, 0xcc, 0xcd, 1, 2, 3];

fn archive() -> Archive {
    let archive = Archive::parse(&FILE).unwrap();
    assert_eq!(archive.to_vec().unwrap(), FILE);
    archive
}

#[test]
fn values_move_behind_what_they_count_from() {
    type Change = fn(&mut Archive);
    let changes: [(Change, &[u8]); 5] = [
        (|it| it.names_at = 20, &[20, 22, 2, 1, 0, 2, 1]),
        (
            |it| it.index.push(Entry { len: 0, offset: 0 }),
            &[9, 11, 3, 1, 0, 2, 1, 1, 3, 0xcc, 0xcd, 1, 2, 3, 7],
        ),
        (|it| (it.names_at, it.data_at) = (0, 0), &FILE),
        (|it| it.names.push(0xce), &[7, 10, 2, 1, 2, 2, 0, 0xcc, 0xcd, 0xce, 2, 3, 1]),
        (|it| it.names.truncate(1), &[7, 8, 2, 1, 1, 2, 2, 0xcc, 0, 1, 2, 3]),
    ];
    for (change, expected) in changes {
        let mut value = archive();
        change(&mut value);
        if value.index.len() > value.data.len() {
            value.data.push(vec![7]);
        }
        let written = value.to_vec().unwrap();
        assert_eq!(written.get(..expected.len()), Some(expected));
        let read = Archive::parse(&written).unwrap();
        assert_eq!((&read.names, &read.data), (&value.names, &value.data));
        assert!(Archive::validate(&written).is_ok(), "{written:?}");
        assert_eq!(read.to_vec().unwrap(), written);
        let mut streamed = Vec::new();
        value.write_to(&mut streamed).unwrap();
        assert_eq!(
            (streamed, value.encoded_len().unwrap()),
            (written.clone(), written.len() as u64)
        );
    }
}

#[test]
fn so_do_those_in_units_and_single_ones() {
    let entry = || Entry { len: 0, offset: 0 };
    let mut units = Units {
        names_at: 0,
        data_at: 0,
        offset: 0,
        count: Auto::new(),
        index: vec![entry(), entry()],
        names: Vec::new(),
        one: "one".to_owned(),
        data: vec![b"first".to_vec(), b"second".to_vec()],
    };
    // Two bytes are one unit, and so names of an odd length have none that says where they end.
    for names in [&b"name"[..], b"longer names", b"", b"na"] {
        units.names = names.to_vec();
        let written = units.to_vec().unwrap();
        let read = Units::parse(&written).unwrap();
        assert_eq!(
            (&read.names, &read.one, &read.data),
            (&units.names, &units.one, &units.data),
            "{written:?}"
        );
        assert!(Units::validate(&written).is_ok(), "{written:?}");
        assert_eq!(read.to_vec().unwrap(), written);
        units = read;
        units.index.push(entry());
        units.data.push(b"more".to_vec());
    }
}

/// Places in units that count from where the names end, wherever that is.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct Pair {
    names_at: u8,
    data_at: u8,
    offset: u8,
    #[bin(at = names_at, len = data_at - names_at)]
    names: Vec<u8>,
    #[bin(at = data_at + offset * 2, prefix = u8)]
    data: Vec<u8>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct Many {
    names_at: u8,
    data_at: u8,
    #[bin(prefix = u8)]
    index: Vec<Entry>,
    #[bin(at = names_at, len = data_at - names_at)]
    names: Vec<u8>,
    #[bin(for_each = index, at = data_at + it.offset * 4, len = it.len)]
    data: Vec<Vec<u8>>,
}

#[test]
fn units_count_from_where_the_number_leads() {
    for (len, data_at) in (0..8).flat_map(|len| (0..20).map(move |data_at| (len, data_at))) {
        let names = vec![7; len];
        let pair = Pair { names_at: 0, data_at, offset: 0, names: names.clone(), data: vec![1] };
        let read = Pair::parse(pair.to_vec().unwrap().leak()).unwrap();
        assert_eq!((&read.names, &read.data), (&pair.names, &pair.data));
        let entry = || Entry { len: 0, offset: 0 };
        let data = vec![vec![1, 2], vec![3]];
        let many = Many { names_at: 0, data_at, index: vec![entry(), entry()], names, data };
        let read = Many::parse(many.to_vec().unwrap().leak()).unwrap();
        assert_eq!((&read.names, &read.data), (&many.names, &many.data));
    }
}

#[test]
fn what_is_measured_first_is_told_in_units() {
    #[derive(BinFormat, Debug, Clone, PartialEq)]
    struct Outer {
        #[bin(set(size = len(inner)))]
        inner: Inner,
        end: u8,
    }

    #[derive(BinFormat, Debug, Clone, PartialEq)]
    #[bin(little, len = whole)]
    struct Inner {
        #[bin(prefix = u8, args(sum = previous.total or 1))]
        sums: Vec<Sum>,
        whole: u8,
        size: u8,
        names_at: u8,
        data_at: u8,
        offset: u8,
        #[bin(at = names_at, base = start, len = data_at - names_at)]
        names: Vec<u8>,
        #[bin(at = data_at + offset * 2, base = start, prefix = u8)]
        data: Vec<u8>,
    }

    #[derive(BinFormat, Debug, Clone, PartialEq)]
    #[bin(args(sum: u64))]
    struct Sum {
        step: u8,
        #[bin(calc = sum + step)]
        total: u8,
    }

    for (len, data_at) in (0..8).flat_map(|len| (0..20).map(move |data_at| (len, data_at))) {
        let (names, data) = (vec![7; len], vec![1]);
        let sums = vec![Sum { step: 1, total: 2 }, Sum { step: 1, total: 9 }];
        let inner = Inner { sums, whole: 9, size: 8, names_at: 0, data_at, offset: 0, names, data };
        let outer = Outer { inner, end: 5 };
        let read = Outer::parse(outer.to_vec().unwrap().leak()).unwrap();
        let (read, inner) = (&read.inner, &outer.inner);
        assert_eq!((&read.names, &read.data), (&inner.names, &inner.data));
    }
}
