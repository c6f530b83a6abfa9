//! Numbers around a value in an open section that follow from it: sizes, counts, checksums, decoded
//! lengths, regions; in fields, in the items of tables, and in items that are written twice.

use core::fmt::Debug;

use binfmt_runtime::{Adler32, BinFormat, Crc32, DefaultArgs, Encoded, Leb128, Zlib, laws};

use super::laws::hold;

#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Open<T> {
    directory: T,
    #[bin(section = open, until_end)]
    data: Vec<u8>,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Body {
    #[bin(until_end)]
    bytes: Vec<u8>,
}

/// What is written of a value is read as the same bodies, without a finding, and written again so.
fn kept<T, B>(directory: T, of: impl Fn(&T) -> B)
where
    T: BinFormat<'static> + DefaultArgs<'static> + Clone + Debug + PartialEq,
    Open<T>: BinFormat<'static> + DefaultArgs<'static> + Clone + Debug + PartialEq,
    B: Debug + PartialEq,
{
    let value = Open { directory, data: Vec::new() };
    let args = || Open::<T>::default_args();
    let bytes = laws::written_is_read(&value, args()).unwrap().unwrap();
    let report = Open::<T>::validate_with(bytes, args());
    assert!(report.findings().is_empty(), "{report}");
    hold::<Open<T>>(bytes, args());
    let read = Open::<T>::parse_with(bytes, args()).unwrap();
    assert_eq!(of(&read.directory), of(&value.directory));
    assert_eq!(read.to_vec_with(args()).unwrap(), bytes);
}

fn body(len: u8) -> Body {
    Body { bytes: (0..len).collect() }
}

#[derive(BinFormat, Clone, Debug, PartialEq, Default)]
struct Told {
    at: u8,
    size: u8,
}

macro_rules! tables {
    ($($name:ident: $body:ty, $words:meta;)*) => {$(
        mod $name {
            use super::*;

            #[derive(BinFormat, Clone, Debug, PartialEq)]
            #[bin(little)]
            pub(super) struct Table {
                #[bin(prefix = u8)]
                pub(super) items: Vec<Told>,
                #[$words]
                pub(super) bodies: Vec<$body>,
            }
        }
    )*};
}

tables! {
    of_types: Body, bin(for_each = items, at = it.at, base = file, place = around, len = it.size);
    of_items: Vec<Told>, bin(for_each = items, at = it.at, base = file, place = around, len = it.size);
    of_counts: Vec<Told>, bin(for_each = items, at = it.at, base = file, place = around, count = it.size);
    of_sets: Named, bin(for_each = items, at = it.at, base = file, place = around, set(it.size = len(value)));
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Named {
    #[bin(prefix = u8)]
    name: String,
}

fn told(count: usize) -> Vec<Told> {
    vec![Told::default(); count]
}

#[test]
fn items_tell_the_sizes_of_values_around() {
    for sizes in [[1, 2, 3], [3, 0, 1], [9, 9, 9]] {
        let bodies = sizes.map(body).to_vec();
        kept(of_types::Table { items: told(3), bodies }, |table| table.bodies.clone());
        let lists: Vec<_> = sizes.map(|size| told(size.into())).to_vec();
        let value = of_items::Table { items: told(3), bodies: lists.clone() };
        kept(value, |table| table.bodies.clone());
        kept(of_counts::Table { items: told(3), bodies: lists }, |table| table.bodies.clone());
        let bodies = sizes.map(|size| Named { name: "x".repeat(size.into()) }).to_vec();
        kept(of_sets::Table { items: told(3), bodies }, |table| table.bodies.clone());
    }
}

/// Numbers of all kinds that follow from one value elsewhere.
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[bin(little)]
struct All {
    at: u8,
    size: Leb128<u16>,
    #[bin(checksum(Crc32, over = body))]
    sum: u32,
    packed_at: u8,
    packed_len: u8,
    #[bin(calc = decoded_len(packed))]
    decoded: u16,
    #[bin(checksum(Adler32, over = packed))]
    packed_sum: u32,
    region_at: u8,
    words: u8,
    #[bin(at = at, base = file, place = around, len = size)]
    body: Body,
    #[bin(at = packed_at, base = file, place = around, len = packed_len)]
    packed: Encoded<Zlib, Body>,
    #[bin(at = region_at, base = file, place = around, pad_to = words * 4)]
    region: Named,
}

fn all(len: u8) -> All {
    All {
        at: 0,
        size: 0.into(),
        sum: 0,
        packed_at: 0,
        packed_len: 0,
        decoded: 0,
        packed_sum: 0,
        region_at: 0,
        words: 0,
        body: body(len),
        packed: Encoded::new(body(len)),
        region: Named { name: "x".repeat(len.into()) },
    }
}

#[test]
fn fields_tell_of_values_around() {
    for len in [0, 1, 7, 50] {
        kept(all(len), |all| (all.body.clone(), all.region.clone()));
    }
}

/// The items are written once more, when it is known where the names lie.
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[bin(little)]
struct Twice {
    #[bin(prefix = u8)]
    items: Vec<Item>,
    #[bin(for_each = items, at = it.name_at, base = file, place = around, set(it.name_len = len(value)))]
    names: Vec<Named>,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[bin(little)]
struct Item {
    name_at: u8,
    name_len: u8,
    of: All,
}

#[test]
fn items_that_are_written_twice_tell_of_values_around() {
    for lens in [[0, 1], [1, 0], [5, 5]] {
        let item = |len| Item { name_at: 0, name_len: 0, of: all(len) };
        let name = |len: u8| Named { name: "n".repeat(len.into()) };
        let value = Twice { items: lens.map(item).to_vec(), names: lens.map(name).to_vec() };
        kept(value, |twice| {
            let items = twice.items.iter().map(|item| item.of.body.clone());
            (items.collect::<Vec<_>>(), twice.names.clone())
        });
    }
}

/// Tables that lead to others.
#[derive(BinFormat, Clone, Debug, PartialEq, Default)]
#[bin(little)]
struct Tree {
    #[bin(prefix = u8)]
    items: Vec<Summed>,
    #[bin(for_each = items, at = it.at, base = file, place = around, len = it.size, checksum(Crc32, it.sum))]
    inner: Vec<Self>,
}

#[derive(BinFormat, Clone, Debug, PartialEq, Default)]
#[bin(little)]
struct Summed {
    at: u16,
    size: u16,
    sum: u32,
}

fn tree(levels: u8, width: usize) -> Tree {
    let inner = levels.checked_sub(1).map_or(Vec::new(), |below| vec![tree(below, width); width]);
    Tree { items: vec![Summed::default(); inner.len()], inner }
}

fn size(tree: &Tree) -> usize {
    tree.inner.iter().map(size).sum::<usize>() + 1
}

#[test]
fn tables_of_tables_tell_sizes_and_checksums() {
    for (levels, width) in [(1, 1), (1, 3), (2, 2), (3, 3), (12, 1), (30, 1)] {
        kept(tree(levels, width), size);
    }
}

/// A table that lies elsewhere itself, plainly and in a value, and what its items lead to.
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[bin(little)]
struct Elsewhere {
    count: u8,
    at: u8,
    list_at: u8,
    #[bin(at = at, base = file, place = around, count = count)]
    items: Vec<Summed>,
    #[bin(at = list_at, base = file, place = around)]
    list: List,
    #[bin(for_each = items, at = it.at, base = file, place = around, len = it.size, checksum(Crc32, it.sum))]
    bodies: Vec<Body>,
    #[bin(for_each = list.items, at = it.at, base = file, place = around, set(it.size = len(value)))]
    names: Vec<Named>,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
struct List {
    #[bin(prefix = u8)]
    items: Vec<Told>,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[bin(little)]
struct TwiceElsewhere {
    #[bin(prefix = u8)]
    items: Vec<FarItem>,
    #[bin(for_each = items, at = it.at, base = file, place = around, set(it.len = len(value)))]
    names: Vec<Named>,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[bin(little)]
struct FarItem {
    at: u8,
    len: u8,
    of: Elsewhere,
}

fn elsewhere(len: u8) -> Elsewhere {
    let count = usize::from(len % 3);
    Elsewhere {
        count: 0,
        at: 0,
        list_at: 0,
        items: vec![Summed::default(); count],
        list: List { items: told(count + 1) },
        bodies: (0..count).map(|_| body(len)).collect(),
        names: (0..=count).map(|_| Named { name: "x".repeat(len.into()) }).collect(),
    }
}

#[test]
fn tables_that_lie_elsewhere_tell_of_values_around() {
    for len in 0..9 {
        kept(elsewhere(len), |table| (table.bodies.clone(), table.names.clone()));
        let item = |len| FarItem { at: 0, len: 0, of: elsewhere(len) };
        let names = vec![Named { name: "n".repeat(len.into()) }; 2];
        let value = TwiceElsewhere { items: vec![item(len), item(len + 1)], names };
        kept(value, |twice| {
            let items =
                twice.items.iter().map(|item| (item.of.bodies.clone(), item.of.names.clone()));
            (items.collect::<Vec<_>>(), twice.names.clone())
        });
    }
}

/// What has no bytes may be said to lie anywhere in front of the end of the section.
#[test]
fn values_without_bytes_stay_where_they_are() {
    #[derive(BinFormat, Clone, Debug, PartialEq)]
    struct Far {
        at: u8,
        len: u8,
        #[bin(at = at, base = file, place = around, len = len)]
        bytes: Vec<u8>,
    }
    for bytes in [&[0_u8, 0][..], &[1, 0], &[2, 0], &[0, 0, 7], &[3, 0, 7], &[1, 0, 7]] {
        hold::<Open<Far>>(bytes, ());
        assert!(Open::<Far>::validate(bytes).errors().next().is_none(), "{bytes:?}");
        assert_eq!(Open::<Far>::parse(bytes).unwrap().to_vec().unwrap(), bytes);
    }
}

/// Two values that share a place have the checksum of what is there, also of what leads further.
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[bin(little)]
struct Sharing {
    #[bin(prefix = u8)]
    all: Vec<Sharer>,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[bin(little)]
struct Sharer {
    at: u8,
    #[bin(checksum(Crc32, over = node))]
    sum: u32,
    #[bin(at = at, base = file, place = around, shared)]
    node: Leading,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[bin(little)]
struct Leading {
    at: u8,
    #[bin(checksum(Crc32, over = name))]
    sum: u32,
    #[bin(at = at, base = file, place = around)]
    name: Named,
}

#[test]
fn values_that_share_a_place_have_one_checksum() {
    for names in [["a", "a", "b"], ["", "", ""], ["x", "y", "x"]] {
        let sharer = |name: &str| Sharer {
            at: 0,
            sum: 7,
            node: Leading { at: 0, sum: 3, name: Named { name: name.into() } },
        };
        let names_of = |sharing: &Sharing| {
            let names = sharing.all.iter().map(|sharer| sharer.node.name.clone());
            names.collect::<Vec<_>>()
        };
        kept(Sharing { all: names.map(sharer).to_vec() }, names_of);
    }
}

/// An item of a table that has something in the open section itself, perhaps with more inside.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct Holder {
    at: u8,
    size: u8,
    to: u8,
    #[bin(at = to, place = around)]
    names: Names,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct Names {
    #[bin(prefix = u8)]
    at: Vec<u8>,
    #[bin(for_each = at, at = it, place = around, nul)]
    names: Vec<String>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct Holders {
    #[bin(prefix = u8)]
    table: Vec<Holder>,
    len: u8,
    #[bin(section = open, len = len)]
    body: Vec<u8>,
    #[bin(for_each = table, at = it.at, len = it.size, place = body)]
    values: Vec<Vec<u8>>,
    #[bin(check(last != 1, "the last one is wrong"))]
    last: u8,
}

/// Who looks for the name of an error measures the items once more, each with what lies inside it.
#[test]
fn an_error_behind_a_table_with_open_values_is_told_as_it_is() {
    for counts in [[0, 1, 2], [2, 1, 0], [1, 3, 1]] {
        let table = counts.map(|count| Holder {
            at: 0,
            size: 9,
            to: 0,
            names: Names { at: vec![0; count], names: vec!["n".to_owned(); count] },
        });
        let values = vec![vec![7], vec![], vec![8, 9]];
        let mut value = Holders { table: table.into(), len: 0, body: vec![], values, last: 0 };
        let bytes = value.to_vec().unwrap();
        assert_eq!(Holders::parse(&bytes).unwrap().to_vec(), Ok(bytes));
        value.last = 1;
        let error = value.to_vec().unwrap_err().to_string();
        assert!(error.starts_with("last at") && error.contains("the last one is wrong"), "{error}");
    }
}
