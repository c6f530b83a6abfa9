//! Places and sizes that items count in units which the value tells: `at = it.sector * block`.

use binfmt_runtime::{Auto, BinFormat};

use super::laws::hold;
use super::{findings, refused, same, stopped};

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Entry {
    sector: u8,
    size: u8,
}

fn entries(list: &[(u8, u8)]) -> Vec<Entry> {
    list.iter().map(|(sector, size)| Entry { sector: *sector, size: *size }).collect()
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct InBlocks {
    block: u8,
    #[bin(prefix = u8)]
    entries: Vec<Entry>,
    #[bin(for_each = entries, at = it.sector * block, len = it.size)]
    files: Vec<Vec<u8>>,
}

fn in_blocks(block: u8, list: &[(u8, u8)], files: &[&[u8]]) -> InBlocks {
    let files = files.iter().map(|file| file.to_vec()).collect();
    InBlocks { block, entries: entries(list), files }
}

#[test]
fn a_place_is_counted_in_units_of_the_value() {
    let bytes = b"\x08\x02\x01\x03\x02\x01\0\0abc\0\0\0\0\0d";
    let files: [&[u8]; 2] = [b"abc", b"d"];
    same(&in_blocks(8, &[(1, 3), (2, 1)], &files), bytes);
    for stale in [[(0, 0), (0, 0)], [(1, 9), (2, 200)], [(1, 1), (2, 2)]] {
        assert_eq!(in_blocks(8, &stale, &files).to_vec().unwrap(), bytes, "{stale:?}");
    }
    // A value that lies farther than it must stays there.
    let far = in_blocks(4, &[(5, 1)], &[b"x"]);
    let mut bytes = vec![0; 21];
    bytes[..4].copy_from_slice(b"\x04\x01\x05\x01");
    bytes[20] = b'x';
    same(&far, bytes.leak());
    assert_eq!(stopped::<InBlocks>(b"\xff\x01\xff\x01"), "entries[0].sector offset");
}

#[test]
fn with_units_of_nothing_the_number_of_an_item_stays() {
    assert_eq!(refused(&in_blocks(0, &[(1, 1)], &[b"x"])), "files[0] derived");
    same(&in_blocks(0, &[(5, 0)], &[b""]), b"\0\x01\x05\0");
}

/// Clusters are counted from 2 on, and have a size that is computed.
#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little, computed(size: u32 = 1 << shift, "size of a cluster"))]
struct Clusters {
    shift: u8,
    data: u16,
    #[bin(prefix = u8)]
    entries: Vec<Entry>,
    #[bin(for_each = entries, at = data + (it.sector - 2) * size, len = it.size)]
    files: Vec<Vec<u8>>,
}

#[test]
fn units_may_be_counted_from_any_number_on() {
    let value = |list| Clusters {
        shift: 2,
        data: 10,
        entries: entries(list),
        files: vec![b"abcde".to_vec(), vec![7]],
    };
    let bytes = b"\x02\x0a\0\x02\x02\x05\x04\x01\0\0abcde\0\0\0\x07";
    same(&value(&[(2, 5), (4, 1)]), bytes);
    assert_eq!(value(&[(0, 0), (0, 0)]).to_vec().unwrap(), bytes);
    assert_eq!(
        stopped::<Clusters>(b"\x02\x0a\0\x01\x01\x01\0\0\0\0\0\0"),
        "entries[0].sector size"
    );
}

/// Sizes in units, too, which an argument tells.
#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(args(block: u8 = 4))]
struct Whole {
    #[bin(prefix = u8)]
    entries: Vec<Entry>,
    #[bin(for_each = entries, at = (it.sector + 1) * block, len = it.size * block)]
    files: Vec<Vec<u8>>,
}

#[test]
fn sizes_are_counted_in_units_too() {
    let value = |list, file: &[u8]| Whole { entries: entries(list), files: vec![file.to_vec()] };
    same(&value(&[(0, 2)], b"abcdefgh"), b"\x01\x00\x02\0abcdefgh");
    assert_eq!(value(&[(0, 0)], b"abcd").to_vec().unwrap(), b"\x01\x00\x01\0abcd");
    assert_eq!(refused(&value(&[(0, 0)], b"abc")), "files[0] derived");
    let twice = value(&[(0, 0)], b"ab").to_vec_with(2).unwrap();
    assert_eq!(twice, b"\x01\x01\x01\0ab");
    assert_eq!(Whole::parse_with(&twice, 2).unwrap().files, [b"ab"]);
    assert_eq!(findings::<Whole>(b"\x01\x00\x02\0abcdefgh"), ["note  gap"]);
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Absent {
    unit: u8,
    #[bin(prefix = u8)]
    entries: Vec<Entry>,
    #[bin(for_each = entries, at = 2 + (it.sector - 2) * unit, len = it.size, null = 2)]
    files: Vec<Option<Vec<u8>>>,
}

#[test]
fn an_absent_value_needs_a_number_that_says_so() {
    let value = |unit, sector| Absent { unit, entries: entries(&[(sector, 0)]), files: vec![None] };
    same(&value(4, 2), b"\x04\x01\x02\0");
    assert_eq!(value(4, 9).to_vec().unwrap(), b"\x04\x01\x02\0");
    same(&value(0, 9), b"\0\x01\x09\0");
    assert_eq!(refused(&value(0, 1)), "files[0] derived");
}

/// An offset that nothing stores before, and one of an item that is below the first that it can say.
#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Beside {
    at: Auto<u8>,
    unit: u8,
    #[bin(prefix = u8)]
    entries: Vec<Entry>,
    #[bin(at = at, prefix = u8)]
    text: String,
    #[bin(for_each = entries, at = (it.sector - 1) * unit, len = it.size)]
    files: Vec<Vec<u8>>,
}

#[test]
fn a_number_that_says_no_place_stands_for_the_first() {
    let value = |sector| Beside {
        at: Auto::new(),
        unit: 3,
        entries: entries(&[(sector, 2)]),
        text: "ab".into(),
        files: vec![vec![1, 2]],
    };
    let bytes = b"\x08\x03\x01\x03\x02\0\x01\x02\x02ab";
    same(&value(3), bytes);
    for sector in [0, 1, 2] {
        assert_eq!(value(sector).to_vec().unwrap(), bytes, "{sector}");
    }
}

/// Numbers of plain fields in units that the value tells.
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[bin(little, computed(size: u16 = 1 << shift, "the size of a sector"))]
struct Disk {
    shift: u8,
    start: u8,
    len: u8,
    sectors: u8,
    #[bin(prefix = u8)]
    names: Vec<u8>,
    #[bin(at = start * size, len = len)]
    data: Vec<u8>,
    #[bin(len = (sectors - 1) * size)]
    body: Vec<u8>,
}

#[test]
fn plain_numbers_count_in_units_too() {
    for shift in 0..4 {
        for (start, names) in [(0, 0), (0, 5), (2, 8), (9, 5)] {
            let (names, body) = (vec![1; names], vec![5; 2 << shift]);
            let (data, sectors) = (vec![7, 8], 77);
            let disk = Disk { shift, start, len: 0, sectors, names, data, body };
            let bytes = disk.to_vec().unwrap();
            let read = Disk::parse(&bytes).unwrap();
            assert_eq!((&read.data, &read.body), (&disk.data, &disk.body));
            assert_eq!(usize::from(read.start) << shift, bytes.len() - 2);
            hold::<Disk>(&bytes, ());
        }
    }
    let disk = |len| {
        let (data, body) = (vec![], vec![5; len]);
        Disk { shift: 2, start: 0, len: 0, sectors: 0, names: vec![], data, body }
    };
    assert_eq!(refused(&disk(6)), "sectors derived");
}

/// A place that is a product of two fields, the later of which is computed.
#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Product {
    unit: u8,
    start: u8,
    #[bin(prefix = u8)]
    names: Vec<u8>,
    #[bin(at = start * unit)]
    data: u8,
}

#[test]
fn a_place_is_a_number_times_a_unit() {
    let product = |unit, start| Product { unit, start, names: vec![1; 4], data: 9 };
    for (unit, start, written) in [(1, 0, 7), (2, 0, 4), (3, 5, 5), (7, 0, 1), (255, 0, 1)] {
        let bytes = product(unit, start).to_vec().unwrap();
        assert_eq!(bytes[1], written, "{unit}");
        hold::<Product>(&bytes, ());
    }
    assert_eq!(refused(&product(0, 3)), "data derived");
}

/// Two places in one unit: the second one agrees with the first.
#[derive(BinFormat, Clone, Debug, PartialEq)]
struct TwoPlaces {
    unit: u8,
    start: u8,
    #[bin(at = start * unit)]
    first: u8,
    #[bin(at = start * unit + 1)]
    second: u8,
}

#[test]
fn two_places_in_one_unit_agree() {
    same(&TwoPlaces { unit: 2, start: 1, first: 5, second: 6 }, b"\x02\x01\x05\x06");
}

/// Files of a volume, which items count in clusters behind the first two.
#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Volume {
    shift: u8,
    data: u8,
    #[bin(prefix = u8)]
    entries: Vec<VolumeEntry>,
    #[bin(for_each = entries, at = (it.cluster - 2) * (1 << shift) + data, len = it.len)]
    files: Vec<Vec<u8>>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct VolumeEntry {
    cluster: u8,
    len: u8,
}

#[test]
fn new_values_without_bytes_lie_where_a_number_tells() {
    for lens in [vec![0], vec![0, 3], vec![5, 0, 0, 1]] {
        let entries = vec![VolumeEntry { cluster: 0, len: 0 }; lens.len()];
        let files: Vec<Vec<u8>> = lens.iter().map(|len| vec![7; *len]).collect();
        let value = Volume { shift: 2, data: 12, entries, files };
        let bytes = value.to_vec().unwrap_or_else(|error| panic!("{value:?}: {error}"));
        let mut read = Volume::parse(&bytes).unwrap();
        assert_eq!(read.files, value.files);
        assert_eq!(read.to_vec().as_ref(), Ok(&bytes));
        read.entries.push(VolumeEntry { cluster: 0, len: 0 });
        read.files.push(Vec::new());
        let more = read.to_vec().unwrap_or_else(|error| panic!("{read:?}: {error}"));
        assert_eq!(Volume::parse(&more).unwrap().files, read.files);
    }
}
