//! Every value of a few types with small numbers: whatever offsets are stored and however long the values are,
//! what is written is read as the same value and written again as the same bytes.

use binfmt_runtime::{Auto, BinFormat, Crc32, laws};

/// A stored offset, or one that is not kept.
trait Offset {
    fn of(offset: u8) -> Self;
    const KEPT: bool;
}

impl Offset for u8 {
    fn of(offset: u8) -> Self {
        offset
    }
    const KEPT: bool = true;
}

impl Offset for Auto<u8> {
    fn of(_: u8) -> Self {
        Self::new()
    }
    const KEPT: bool = false;
}

/// The offsets that are tried; those of an `Auto` are all one.
fn offsets<O: Offset>() -> std::ops::Range<u8> {
    if O::KEPT { 0..8 } else { 0..1 }
}

/// Declares types with three values at offsets, each with words of its own, and tries them.
macro_rules! three_values {
    ($($name:ident: ($a:ty, $($wa:tt)*) ($b:ty, $($wb:tt)*) ($c:ty, $($wc:tt)*);)*) => {
        $(#[derive(BinFormat, Clone, Debug, PartialEq)]
        struct $name {
            a: $a,
            b: $b,
            c: $c,
            #[bin(at = a, $($wa)*)]
            f: Vec<u8>,
            #[bin(at = b, $($wb)*)]
            g: Vec<u8>,
            #[bin(at = c, $($wc)*)]
            h: Vec<u8>,
        })*

        #[test]
        fn three_values_are_written_wherever_they_were() {
            $(for (a, b, c) in all_of(offsets::<$a>(), offsets::<$b>(), offsets::<$c>()) {
                for (f, g, h) in all_of(0..3, 0..3, 0..3) {
                    let value = $name {
                        a: Offset::of(a),
                        b: Offset::of(b),
                        c: Offset::of(c),
                        f: vec![1; f],
                        g: vec![2; g],
                        h: vec![3; h],
                    };
                    // Not each value has a file.
                    let _ = laws::written_is_read(&value, ()).unwrap();
                }
            })*
        }
    };
}

/// Every three of three ranges.
fn all_of<T: Clone, R: Iterator<Item = T> + Clone>(
    a: R,
    b: R,
    c: R,
) -> impl Iterator<Item = (T, T, T)> {
    a.flat_map(move |a| {
        let c = c.clone();
        b.clone().flat_map(move |b| {
            let a = a.clone();
            c.clone().map(move |c| (a.clone(), b.clone(), c))
        })
    })
}

three_values! {
    NextOfAuto: (Auto<u8>, until_next) (u8, until_next) (u8, until_next);
    NextAroundAuto: (u8, until_next) (Auto<u8>, until_next) (u8, until_next);
    NextBeforeAuto: (u8, until_next) (u8, until_next) (Auto<u8>, until_next);
    NextOfAutos: (Auto<u8>, until_next) (Auto<u8>, until_next) (u8, until_next);
    NextOfStored: (u8, until_next) (u8, until_next) (u8, until_next);
    NextAndPrefix: (Auto<u8>, until_next) (u8, prefix = u8) (u8, until_next);
    PrefixAndNext: (Auto<u8>, prefix = u8) (u8, until_next) (u8, prefix = u8);
    PrefixAndStored: (u8, prefix = u8) (u8, until_next) (u8, prefix = u8);
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[bin(align_after = 2)]
struct Padded {
    kind: u8,
    #[bin(prefix = u8)]
    body: Vec<u8>,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[bin(big)]
struct Summed {
    at: u8,
    sum: u32,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Sized {
    at: u8,
    len: u8,
}

/// An item may lie where another field does, whose bytes are those of the item with its padding.
#[derive(BinFormat, Clone, Debug, PartialEq)]
struct SharedAndSummed {
    at: u8,
    #[bin(prefix = u8)]
    items: Vec<Summed>,
    #[bin(at = at, prefix = u8, shared)]
    bytes: Vec<u8>,
    #[bin(for_each = items, at = it.at, shared, checksum(Crc32, it.sum))]
    bodies: Vec<Padded>,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
struct SharedAndSized {
    at: u8,
    #[bin(prefix = u8)]
    items: Vec<Sized>,
    #[bin(at = at, prefix = u8, shared)]
    bytes: Vec<u8>,
    #[bin(for_each = items, at = it.at, len = it.len, shared)]
    bodies: Vec<Padded>,
}

#[test]
fn values_that_share_a_place_have_sizes_of_their_own() {
    for (kind, (at, other)) in
        (0..5).flat_map(|kind| [(kind, (0, 0)), (kind, (9, 9)), (kind, (0, 9))])
    {
        for (first, second, third) in all_of(0..4_u8, 0..3, 0..4) {
            for len in 0..4 {
                let bytes = [first, second, third][..len.min(3)].to_vec();
                let body = Padded { kind, body: vec![second; usize::from(first.min(2))] };
                let items = vec![Summed { at: other, sum: 7 }; 2];
                let bodies = vec![body.clone(), Padded { kind: first, body: vec![third] }];
                let summed = SharedAndSummed { at, items, bytes: bytes.clone(), bodies };
                let _ = laws::written_is_read(&summed, ()).unwrap().unwrap();
                let items = vec![Sized { at: other, len: 7 }];
                let sized = SharedAndSized { at, items, bytes, bodies: vec![body] };
                let _ = laws::written_is_read(&sized, ()).unwrap().unwrap();
            }
        }
    }
}

/// Equal values whose offsets count otherwise, or whose new places are aligned otherwise.
#[derive(BinFormat, Clone, Debug, PartialEq)]
struct SharedInUnits {
    #[bin(prefix = u8)]
    table: Vec<u8>,
    plain: u8,
    aligned: u8,
    #[bin(for_each = table, at = it * 2, prefix = u8, shared)]
    items: Vec<Vec<u8>>,
    #[bin(at = plain, prefix = u8, shared)]
    single: Vec<u8>,
    #[bin(at = aligned, prefix = u8, align_before = 4, shared)]
    apart: Vec<u8>,
}

#[test]
fn values_share_a_place_where_the_offset_of_each_tells_of_it() {
    for (plain, aligned, item) in all_of(0..9_u8, 0..9, 0..5) {
        for (one, two, three) in all_of(0..3, 0..2, 0..2) {
            let value = SharedInUnits {
                table: vec![item, aligned / 2],
                plain,
                aligned,
                items: vec![vec![9; one], vec![9; two]],
                single: vec![9; three],
                apart: vec![9; one],
            };
            let written = laws::written_is_read(&value, ()).unwrap().unwrap().to_vec();
            let read = SharedInUnits::parse(&written).unwrap();
            let compact = read.compact().to_vec().unwrap();
            assert_eq!(SharedInUnits::parse(&compact).unwrap().items, value.items);
        }
    }
}

/// What shares a place takes no more room than one value, also where a place is not kept.
#[derive(BinFormat, Clone, Debug, PartialEq)]
struct FloatingBesideShared {
    at: Auto<u8>,
    places: [u8; 2],
    other: u8,
    #[bin(section, len = remaining)]
    data: Vec<u8>,
    #[bin(at = at, base = data, place = data, align_before = 4)]
    floating: u8,
    #[bin(at = other, base = data, place = data, prefix = u8, shared)]
    single: Vec<u8>,
    #[bin(for_each = places, at = it, base = data, place = data, prefix = u8, align_after = 2, shared)]
    items: Vec<Vec<u8>>,
}

/// Nothing keeps where `floating` lies: where all others lose their places, it still comes behind them.
#[derive(BinFormat, Clone, Debug, PartialEq)]
struct ComesLast {
    at: Auto<u8>,
    table: [u8; 2],
    #[bin(section, len = 12)]
    data: Vec<u8>,
    #[bin(at = at, base = data, place = data, prefix = u8)]
    floating: Vec<u8>,
    #[bin(for_each = table, at = it * 2, base = data, place = data, prefix = u8)]
    items: Vec<Vec<u8>>,
}

#[test]
fn a_floating_value_comes_last_where_all_are_placed_anew() {
    for (one, two, len) in all_of(0..8_u8, 0..8, 0..4) {
        let value = ComesLast {
            at: Auto::new(),
            table: [one, two],
            data: vec![5; 12],
            floating: vec![1; len.into()],
            items: vec![vec![2; 1], vec![3; 2]],
        };
        let _ = laws::written_is_read(&value, ()).unwrap().unwrap();
        let compact = value.compact().to_vec().unwrap();
        assert_eq!(ComesLast::parse(&compact).unwrap().to_vec().unwrap(), compact);
    }
}

#[test]
fn a_floating_value_lies_behind_what_shares_a_place() {
    for at in 0..10 {
        for (one, two, three) in all_of(0..5_u8, 0..5, 0..5) {
            for fill in 0..2 {
                let mut file = vec![at, one, two, three];
                file.extend([fill; 12]);
                for place in [one, two, three] {
                    file[4 + usize::from(place)] = 2;
                }
                let _ = laws::hold::<FloatingBesideShared>(file.leak(), ()).unwrap();
            }
        }
    }
}

/// Values that go to the end of a section, or up to the next one, in units.
#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Ended {
    a: u8,
    b: u8,
    c: u8,
    #[bin(section, len = remaining - 1)]
    data: Vec<u8>,
    end: u8,
    #[bin(at = a, base = data, place = data, until_end)]
    rest: Vec<u8>,
    #[bin(at = b + 1, base = data, place = data, until_next)]
    next: Vec<u8>,
    #[bin(at = c * 2, base = data, place = data, null = 0, until_next)]
    other: Option<Vec<u8>>,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
struct LastInSection {
    at: u8,
    #[bin(section, len = remaining - 1)]
    data: Vec<u8>,
    end: u8,
    #[bin(at = at, base = data, place = data, until_end)]
    tail: Vec<u8>,
}

#[test]
fn what_was_read_is_written_again_where_values_without_bytes_end_a_section() {
    for len in 4..8 {
        for (a, b, c) in all_of(0..5_u8, 0..5, 0..4) {
            let mut file = vec![a, b, c];
            file.extend((3..len).map(|at| at + 10));
            let _ = laws::hold::<Ended>(file.leak(), ()).unwrap();
        }
    }
}

#[test]
fn what_takes_the_rest_of_a_section_may_be_shorter_or_longer() {
    for (at, len, new) in all_of(0..4_u8, 0..5, 0..7) {
        let mut file = vec![at];
        file.extend((0..len).map(|at| at + 10));
        file.push(99);
        let Ok(mut value) = LastInSection::parse(&file) else { continue };
        value.tail = vec![1; usize::from(new)];
        let written = laws::written_is_read(&value, ()).unwrap().unwrap();
        // What lies in front of it stays.
        assert_eq!(written.get(1..=usize::from(at)), file.get(1..=usize::from(at)));
    }
}

/// Values whose places are constants, between others that grow.
#[derive(BinFormat, Clone, Debug, PartialEq)]
struct AroundFixed {
    a: u8,
    b: Auto<u8>,
    #[bin(prefix = u8)]
    table: Vec<u8>,
    #[bin(at = 16)]
    second: [u8; 2],
    #[bin(at = a, prefix = u8)]
    stored: Vec<u8>,
    #[bin(at = 9)]
    first: u8,
    #[bin(at = b, prefix = u8)]
    floating: Vec<u8>,
    #[bin(for_each = table, at = it, prefix = u8)]
    items: Vec<Vec<u8>>,
}

#[test]
fn what_grows_over_a_value_that_cannot_move_comes_behind_it() {
    for (a, item, count) in all_of(0..12_u8, 0..12, 0..3) {
        for (stored, other) in (0..12).flat_map(|stored| [(stored, 0), (stored, 3)]) {
            let value = AroundFixed {
                a,
                b: Auto::new(),
                table: vec![item; count.into()],
                second: [9, 8],
                stored: vec![1; stored],
                first: 77,
                floating: vec![2; other],
                items: vec![vec![3; other]; count.into()],
            };
            let written = laws::written_is_read(&value, ()).unwrap().unwrap();
            assert_eq!((written[9], &written[16..18]), (77, &[9, 8][..]));
        }
    }
}
