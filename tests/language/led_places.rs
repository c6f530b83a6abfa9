//! Places that count from where another value lies, with which they move.

use binfmt_runtime::{Auto, BinFormat, laws};

use super::laws::hold;

/// A value right behind another one, and one at any place.
#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Behind {
    at: u8,
    count: u8,
    other: u8,
    #[bin(prefix = u8)]
    name: Vec<u8>,
    #[bin(at = at, len = count)]
    items: Vec<u8>,
    #[bin(at = at + count)]
    tail: u8,
    #[bin(at = other, len = 2)]
    apart: Vec<u8>,
}

#[test]
fn a_value_moves_with_the_one_that_its_place_counts_from() {
    let mut written = 0;
    for at in 0..12 {
        for other in [0, 3, 7, 9, 30] {
            for (count, name) in [(0, 0), (1, 3), (4, 9)] {
                let (items, name) = (vec![7; count], vec![b'n'; name]);
                let value = Behind { at, count: 9, other, name, items, tail: 5, apart: vec![8, 8] };
                let bytes = value.to_vec().unwrap_or_else(|error| panic!("{value:?}: {error}"));
                let read = Behind::parse(&bytes).unwrap();
                let own = |one: &Behind| (one.items.clone(), one.tail, one.apart.clone());
                assert_eq!(own(&read), own(&value));
                hold::<Behind>(&bytes, ());
                let compact = Behind::parse(&bytes).unwrap().compact().to_vec().unwrap();
                assert_eq!(own(&Behind::parse(&compact).unwrap()), own(&value));
                written += 1;
            }
        }
    }
    assert_eq!(written, 180);
}

/// The same where no number keeps the place.
#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Floating {
    at: Auto<u8>,
    count: Auto<u8>,
    #[bin(at = at, len = count)]
    items: Vec<u8>,
    #[bin(at = align_up(at + count, 4))]
    tail: u8,
}

#[test]
fn a_place_that_counts_from_one_that_nothing_keeps_is_found() {
    for len in 0..9 {
        let (at, count) = (Auto::new(), Auto::new());
        let value = Floating { at, count, items: vec![7; len], tail: 9 };
        let bytes = value.to_vec().unwrap();
        assert_eq!(Floating::parse(&bytes).unwrap(), value);
        assert!(Floating::validate(&bytes).findings().iter().all(|one| one.code == "gap"));
        hold::<Floating>(&bytes, ());
    }
}

/// A value in front of the one that its place counts from, which stays where it is.
#[derive(BinFormat, Clone, Debug, PartialEq)]
struct InFront {
    at: u8,
    #[bin(at = at, len = 2)]
    last: Vec<u8>,
    #[bin(at = at - 2, len = 2)]
    first: Vec<u8>,
}

/// Equal values in one place, and one behind it.
#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Shared {
    at: u8,
    other: u8,
    #[bin(prefix = u8)]
    name: Vec<u8>,
    #[bin(at = at, len = 2, shared)]
    one: Vec<u8>,
    #[bin(at = other, len = 2, shared)]
    twin: Vec<u8>,
    #[bin(at = at + 2, len = 2)]
    behind: Vec<u8>,
}

/// Several values behind one, in another order.
#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Several {
    at: u8,
    len: u8,
    #[bin(at = at, len = len)]
    first: Vec<u8>,
    #[bin(at = at + len + 1)]
    third: u8,
    #[bin(at = at + len)]
    second: u8,
}

#[test]
fn values_in_front_and_beside_others_are_read_as_they_are_written() {
    hold::<InFront>(&[3, 1, 2, 3, 4], ());
    assert_eq!(InFront::parse(&[3, 1, 2, 3, 4]).unwrap().to_vec().unwrap(), [3, 1, 2, 3, 4]);
    for at in 0..12 {
        for other in [0, at, 9] {
            let (one, behind) = (vec![1, 2], vec![3, 4]);
            let twin = one.clone();
            let value = Shared { at, other, name: vec![9; 3], one, twin, behind };
            let Ok(bytes) = value.to_vec() else { continue };
            let read = Shared::parse(&bytes).unwrap();
            assert_eq!((&read.twin, &read.behind), (&value.twin, &value.behind), "{value:?}");
            hold::<Shared>(&bytes, ());
        }
        let value = Several { at, len: 0, first: vec![7; 3], third: 6, second: 5 };
        for bytes in [value.to_vec().unwrap(), value.compact().to_vec().unwrap()] {
            let read = Several::parse(&bytes).unwrap();
            assert_eq!((&*read.first, read.second, read.third), (&[7, 7, 7][..], 5, 6));
            hold::<Several>(&bytes, ());
        }
    }
}

/// Declares a value at a place and one that counts from it, which is written wherever the first one lies.
macro_rules! counted {
    ($test:ident, $number:ty, $at:expr, $tail:expr) => {
        #[test]
        fn $test() {
            #[derive(BinFormat, Clone, Debug, PartialEq)]
            struct Counted {
                start: $number,
                count: Auto<u8>,
                #[bin(at = $at, len = count)]
                items: Vec<u8>,
                #[bin(at = $tail)]
                tail: u8,
            }
            for len in 0..5 {
                let (start, count) = (<$number>::default(), Auto::new());
                let value = Counted { start, count, items: vec![7; len], tail: 9 };
                let bytes = value.to_vec().unwrap_or_else(|error| panic!("{len}: {error}"));
                let read = Counted::parse(&bytes).unwrap();
                assert_eq!((read.items.len(), read.tail), (len, 9), "{bytes:?}");
                assert_eq!(read.to_vec().as_deref(), Ok(&bytes[..]), "{len}");
                hold::<Counted>(&bytes, ());
                for grown in 0..5 {
                    let more = Counted { items: vec![6; grown], ..read.clone() };
                    let bytes = more.to_vec().unwrap_or_else(|error| panic!("{grown}: {error}"));
                    let again = Counted::parse(&bytes).unwrap();
                    assert_eq!((again.items, again.tail), (more.items, 9), "{bytes:?}");
                }
            }
        }
    };
}

counted!(what_counts_from_a_number_that_is_kept, u8, start, start + 5);
counted!(what_counts_from_a_number_that_is_not_kept, Auto<u8>, start, start + 5);
counted!(what_counts_from_a_sum, Auto<u8>, start + 1, start + 1 + 5);
counted!(what_counts_from_a_sum_with_another_constant, Auto<u8>, start + 1, start + 6);
counted!(what_counts_from_a_difference, Auto<u8>, start - 1, start + 6);
counted!(what_counts_from_units, Auto<u8>, start * 4, start * 4 + 5);
counted!(what_counts_from_a_sum_of_units, Auto<u8>, 4 * start + 2, start * 4 + 2 + count);
counted!(what_is_aligned_behind_a_sum, Auto<u8>, start + 1, align_up(start + 1 + count, 4));

/// The distance between two values is a number, too, and of three.
#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Distances {
    a: u8,
    b: u8,
    c: u8,
    #[bin(prefix = u8)]
    name: Vec<u8>,
    #[bin(at = a, prefix = u8)]
    x: Vec<u8>,
    #[bin(at = a + b, prefix = u8)]
    y: Vec<u8>,
    #[bin(at = a + b + c, prefix = u8)]
    z: Vec<u8>,
}

/// Two places that follow from one branch.
#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Branches {
    version: u8,
    a: u8,
    b: u8,
    n: u8,
    #[bin(prefix = u8)]
    name: Vec<u8>,
    #[bin(at = if version < 2 { a } else { b }, len = n)]
    x: Vec<u8>,
    #[bin(at = if version < 2 { a + n } else { b + n })]
    y: u8,
    #[bin(at = (if version < 2 { a } else { b }) + n + 1)]
    z: u8,
}

#[test]
fn distances_are_numbers_that_stay_where_all_move() {
    for len in [0, 1, 5] {
        let new =
            Distances { a: 0, b: 0, c: 0, name: vec![9; len], x: vec![1], y: vec![2], z: vec![3] };
        let bytes = new.to_vec().unwrap();
        hold::<Distances>(&bytes, ());
        let read = Distances::parse(&bytes).unwrap();
        for (name, x, y) in [(3, 1, 1), (len, 2, 1), (len, 1, 9), (7, 0, 0)] {
            let (name, x, y) = (vec![8; name], vec![7; x], vec![6; y]);
            let edited = Distances { name, x, y, ..read.clone() };
            let bytes = edited.to_vec().unwrap_or_else(|error| panic!("{edited:?}: {error}"));
            hold::<Distances>(&bytes, ());
            let again = Distances::parse(&bytes).unwrap();
            assert_eq!(
                (again.name, again.x, again.y, again.z),
                (edited.name, edited.x, edited.y, edited.z)
            );
        }
    }
}

#[test]
fn places_of_one_branch_follow_one_another() {
    for version in [1, 2] {
        let (a, b, n) = (0, 0, 0);
        let new = Branches { version, a, b, n, name: vec![9], x: vec![1], y: 2, z: 3 };
        let bytes = new.to_vec().unwrap();
        hold::<Branches>(&bytes, ());
        let read = Branches::parse(&bytes).unwrap();
        assert_eq!(read.compact().to_vec().as_ref(), Ok(&bytes));
        for (name, x) in [(3, 1), (1, 0), (0, 9)] {
            let edited = Branches { name: vec![8; name], x: vec![7; x], ..read.clone() };
            let bytes = edited.to_vec().unwrap_or_else(|error| panic!("{edited:?}: {error}"));
            hold::<Branches>(&bytes, ());
            let again = Branches::parse(&bytes).unwrap();
            assert_eq!((again.name, again.x, again.y, again.z), (edited.name, edited.x, 2, 3));
        }
    }
}

/// Where a field begins that is written before, a length and a number: none of which is the place alone.
#[test]
fn places_count_from_lengths_that_are_computed() {
    #[derive(BinFormat, Clone, Debug, PartialEq)]
    struct FromLength {
        n: u8,
        o: u8,
        #[bin(len = n)]
        z: Vec<u8>,
        #[bin(at = align_up(start(z) + n, 4) + o)]
        b: u8,
    }
    let value = FromLength { n: 0, o: 0, z: vec![1, 2, 3], b: 7 };
    let bytes = value.to_vec().unwrap();
    assert_eq!(bytes, [3, 0, 1, 2, 3, 0, 0, 0, 7]);
    hold::<FromLength>(&bytes, ());
}

/// Neither number is in the value, so nothing says where the values were.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct Unplaced {
    to: Auto<u8>,
    other: Auto<u8>,
    #[bin(at = to * 2, align_before = 2)]
    leads: [u8; 7],
    #[bin(at = other)]
    between: [u8; 2],
    #[bin(at = to * 2 + 9)]
    led: u16,
}

/// A value comes right behind the one that it counts from, also where another one would just fit in between.
#[test]
fn what_nothing_places_comes_behind_the_value_that_it_counts_from() {
    let written = b"\x01\x0d\x01\x01\x01\x01\x01\x01\x01\0\0\x03\x03\x02\x02";
    let between = b"\x01\x09\x01\x01\x01\x01\x01\x01\x01\x02\x02\x03\x03";
    for file in [&written[..], between] {
        let value = Unplaced::parse(file).unwrap();
        assert_eq!(laws::written_is_read(&value, ()).unwrap().unwrap(), written);
    }
}

/// The distance is another number in each form, and the place that it counts from is one.
#[derive(BinFormat, Clone, Debug, PartialEq)]
struct ByForm {
    form: u8,
    len: u8,
    at: u8,
    near: u8,
    far: u8,
    name_at: u8,
    #[bin(section, len = len)]
    data: Vec<u8>,
    #[bin(at = name_at, place = data, prefix = u8)]
    name: String,
    #[bin(at = at, place = data, len = 2)]
    body: Vec<u8>,
    #[bin(at = at + (if form == 1 { near } else { far }), place = data)]
    tail: u8,
}

#[test]
fn a_distance_of_a_branch_moves_with_what_it_counts_from() {
    for (form, near, far) in [(1, 0, 0), (1, 2, 9), (1, 9, 0), (2, 0, 0), (2, 9, 2), (2, 0, 5)] {
        let (name, body, data) = ("abc".into(), vec![1, 2], Vec::new());
        let value =
            ByForm { form, len: 0, at: 0, near, far, name_at: 0, data, name, body, tail: 3 };
        laws::written_is_read(&value, ()).unwrap().unwrap();
        let bytes = value.to_vec().unwrap();
        let mut read = ByForm::parse(&bytes).unwrap();
        assert_eq!(
            if form == 1 { read.far } else { read.near },
            if form == 1 { far } else { near }
        );
        for len in [0, 3, 4, 5, 20] {
            read.name = "x".repeat(len);
            laws::written_is_read(&read, ()).unwrap().unwrap();
            let again = ByForm::parse(&read.to_vec().unwrap()).unwrap();
            assert_eq!((&again.name, &again.body, again.tail), (&read.name, &value.body, 3));
        }
    }
}

/// A place that counts from where nothing may be.
#[derive(BinFormat, Clone, Debug, PartialEq)]
struct FromAbsent {
    has: u8,
    at: u8,
    behind: Auto<u8>,
    #[bin(at = at, if = has == 1)]
    first: Option<u8>,
    #[bin(at = at + behind, len = has)]
    second: Vec<u8>,
}

#[test]
fn a_value_lies_behind_the_place_that_it_counts_from_also_where_nothing_is_there() {
    for has in 0..3 {
        for at in 0..8 {
            for behind in 0..6 {
                for len in 3..10 {
                    let file = [has, at, behind, 4, 5, 6, 7, 8, 9, 10];
                    hold::<FromAbsent>(&file[..len], ());
                }
            }
        }
    }
    let far = FromAbsent { has: 2, at: 9, behind: Auto::new(), first: None, second: vec![7, 8] };
    assert_eq!(far.to_vec().unwrap(), b"\x02\x09\0\0\0\0\0\0\0\x07\x08");
}

/// A row of values whose places are sums of the lengths in front of them, of which the value holds some.
macro_rules! in_a_row {
    ($name:ident, $first:ty, $second:ty $(, $padded:meta)?) => {
        #[derive(BinFormat, Clone, Debug, PartialEq)]
        #[bin(little)]
        struct $name {
            at: u8,
            first_len: $first,
            second_len: $second,
            #[bin(at = at, len = first_len)]
            first: Vec<u8>,
            #[bin(at = at + first_len, len = second_len)]
            $(#[$padded])?
            second: Vec<u8>,
            #[bin(at = at + first_len + second_len + 1)]
            third: u8,
        }
    };
}

in_a_row!(FirstUnkept, Auto<u8>, u8);
in_a_row!(SecondUnkept, u8, Auto<u8>);
in_a_row!(BothUnkept, Auto<u8>, Auto<u8>);
in_a_row!(NoneUnkept, u8, u8);
in_a_row!(Padded, Auto<u8>, u8, bin(pad_after = 1));

fn files_stay<T>()
where
    T: BinFormat<'static, Args = ()> + std::fmt::Debug + PartialEq,
{
    let mut clean = 0;
    for at in 0..6 {
        for [first, second] in [[0, 0], [0, 1], [1, 0], [0, 2], [2, 0], [1, 2], [2, 1]] {
            for len in 4..10 {
                let mut file = vec![at, first, second];
                file.resize(len, 0);
                let file: &'static [u8] = file.leak();
                hold::<T>(file, ());
                let report = T::validate_with(file, ());
                if report.findings().iter().all(|finding| finding.code == "gap") {
                    let value = T::parse_with(file, ()).unwrap();
                    assert_eq!(value.to_vec_with(()).unwrap(), file, "{value:?}");
                    clean += 1;
                }
            }
        }
    }
    assert!(clean > 15, "{clean} files have no finding");
}

#[test]
fn values_in_a_row_stay_where_they_are_whatever_of_their_lengths_is_kept() {
    files_stay::<FirstUnkept>();
    files_stay::<SecondUnkept>();
    files_stay::<BothUnkept>();
    files_stay::<NoneUnkept>();
    files_stay::<Padded>();
}

/// The same with the last value declared in front of the others, and in a section.
#[derive(BinFormat, Clone, Debug, PartialEq)]
struct LastFirst {
    at: u8,
    first_len: u8,
    second_len: u8,
    #[bin(at = at, len = first_len)]
    first: Vec<u8>,
    #[bin(at = at + first_len + second_len)]
    third: u8,
    #[bin(at = at + first_len, len = second_len)]
    second: Vec<u8>,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
struct InSection {
    at: u8,
    first_len: u8,
    second_len: u8,
    size: u8,
    #[bin(section, len = size)]
    data: Vec<u8>,
    #[bin(at = at, len = first_len, place = data)]
    first: Vec<u8>,
    #[bin(at = at + first_len, len = second_len, place = data)]
    second: Vec<u8>,
    #[bin(at = at + first_len + second_len, place = data)]
    third: u8,
}

/// Every length of the values is written in place of every other one, whatever the numbers were.
macro_rules! lengths_change {
    ($($name:ident { $($more:tt)* })*) => { $({
        for (at, first_len, second_len) in numbers() {
            for (first, second) in [(0, 0), (0, 1), (0, 2), (1, 0), (2, 0), (1, 1), (2, 1), (1, 3)] {
                let (first, second) = (vec![8; first], vec![9; second]);
                let value = $name { at, first_len, second_len, first, second, third: 7, $($more)* };
                let bytes = value.to_vec().unwrap_or_else(|error| panic!("{value:?}: {error}"));
                let read = $name::parse(&bytes).unwrap();
                let own = |one: &$name| (one.first.clone(), one.second.clone(), one.third);
                assert_eq!(own(&read), own(&value), "{bytes:?}");
                assert_eq!(read.to_vec().unwrap(), bytes, "{read:?}");
                hold::<$name>(&bytes, ());
            }
        }
    })* };
}

fn numbers() -> impl Iterator<Item = (u8, u8, u8)> {
    let all = |at| [(0, 0), (0, 1), (1, 0), (1, 1), (2, 0), (2, 3)].map(|(a, b)| (at, a, b));
    (0..7).flat_map(all)
}

#[test]
fn values_in_a_row_get_other_lengths() {
    lengths_change! {
        Row {}
        LastFirst {}
        InSection { size: 0, data: Vec::new() }
        InSection { size: 5, data: vec![1; 5] }
    }
}

/// Nothing lies between these.
#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Row {
    at: u8,
    first_len: u8,
    second_len: u8,
    #[bin(at = at, len = first_len)]
    first: Vec<u8>,
    #[bin(at = at + first_len, len = second_len)]
    second: Vec<u8>,
    #[bin(at = at + first_len + second_len)]
    third: u8,
}
