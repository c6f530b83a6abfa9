//! Numbers that expressions use through all that may lie around them: tuples, structs around one value, arrays, lists,
//! coded bytes. Where a writer computes another number than the value holds, none of them is used as it is held.

use std::fmt::Debug;

use binfmt_runtime::{BinFormat, DefaultArgs, Encoded, Wire, Xor, laws};

#[derive(BinFormat, Debug, Clone, PartialEq, Default)]
#[bin(little)]
struct Inner {
    count: u8,
    #[bin(count = count)]
    items: Vec<u16>,
}

impl Inner {
    fn is_two(&self) -> bool {
        self.count == 2
    }
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct One(Inner);

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Two(u8, Inner);

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Generic<T> {
    x: T,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Coded {
    len: u8,
    #[bin(len = len, codec = Xor(5))]
    coded: Encoded<Xor, Inner>,
}

fn coded(inner: Inner) -> Coded {
    // Its own number is right, so that nothing but the one inside may be an old one.
    let len = u8::try_from(inner.items.len() * 2 + 1).unwrap();
    Coded { len, coded: Encoded::new(inner) }
}

/// What expressions use is what is written, or the value is refused; where it holds that number, it is written.
fn used<T>(value: &T, held: bool)
where
    T: BinFormat<'static> + DefaultArgs<'static> + Wire<'static, Args = ()>,
    T: Clone + PartialEq + Debug,
{
    match laws::written_is_read(value, ()).unwrap() {
        Ok(bytes) => {
            let bytes: &'static [u8] = bytes.to_vec().leak();
            assert!(held, "an old number is used: {value:?} {bytes:02x?}");
            laws::hold::<T>(bytes, ()).unwrap();
            let report = T::validate(bytes);
            assert!(report.findings().is_empty(), "{value:?}: {report}");
        }
        Err(error) => {
            assert!(!held, "{error}");
            assert_eq!(error.finding().code, "derived", "{error}");
        }
    }
}

/// Uses of the number in a value of `$ty`, which `$make` makes of the value with it: by its path, by a function of all,
/// and by a method. `$of` is where it is for a function.
macro_rules! around {
    ($name:ident, $ty:ty, $make:expr, |$all:ident| $of:expr, [$($path:tt)*]) => {
        mod $name {
            use super::*;

            fn number($all: &$ty) -> u8 {
                $of.count
            }

            #[derive(BinFormat, Debug, Clone, PartialEq)]
            #[bin(little)]
            struct ByFunction {
                value: $ty,
                #[bin(calc = number(value))]
                same: u8,
                #[bin(if = number(value) == 2)]
                more: Option<u8>,
            }

            #[derive(BinFormat, Debug, Clone, PartialEq)]
            #[bin(little)]
            struct InList {
                #[bin(prefix = u8)]
                values: Vec<Item>,
                #[bin(for_each = values, if = number_of(it))]
                more: Vec<Option<u8>>,
            }

            #[derive(BinFormat, Debug, Clone, PartialEq)]
            struct Item {
                value: $ty,
            }

            fn number_of(item: &Item) -> bool {
                number(&item.value) == 2
            }

            #[test]
            fn by_functions() {
                for (count, held) in [(2, true), (7, false), (0, false)] {
                    let value = || ($make)(Inner { count, items: vec![1, 2] });
                    used(&ByFunction { value: value(), same: 2, more: Some(1) }, held);
                    if !held {
                        used(&ByFunction { value: value(), same: count, more: None }, held);
                    }
                    let values = vec![Item { value: value() }];
                    let more = vec![Some(3).filter(|_| held)];
                    used(&InList { values, more }, held);
                }
            }

            around!(@path $ty, $make, $($path)*);
        }
    };
    (@path $ty:ty, $make:expr,) => {};
    (@path $ty:ty, $make:expr, $($path:tt)+) => {
        #[derive(BinFormat, Debug, Clone, PartialEq)]
        #[bin(little)]
        struct ByPath {
            value: $ty,
            #[bin(calc = value $($path)+ .count)]
            same: u8,
            #[bin(if = value $($path)+ .count == 2)]
            more: Option<u8>,
            #[bin(if = value $($path)+ .is_two())]
            most: Option<u8>,
            #[bin(pad_after = value $($path)+ .count)]
            end: u8,
        }

        #[derive(BinFormat, Debug, Clone, PartialEq)]
        #[bin(little)]
        struct ByItem {
            #[bin(prefix = u8)]
            values: Vec<Item>,
            #[bin(for_each = values, if = it.value $($path)+ .count == 2)]
            more: Vec<Option<u8>>,
        }

        #[derive(BinFormat, Debug, Clone, PartialEq)]
        #[bin(little)]
        struct ByLast {
            #[bin(until = last.value $($path)+ .count == 2)]
            values: Vec<Item>,
        }

        #[test]
        fn by_paths() {
            for (count, held) in [(2, true), (7, false), (0, false)] {
                let value = || ($make)(Inner { count, items: vec![1, 2] });
                let most = Some(2);
                used(&ByPath { value: value(), same: 2, more: Some(1), most, end: 9 }, held);
                if !held {
                    let (more, most) = (None, None);
                    used(&ByPath { value: value(), same: count, more, most, end: 9 }, held);
                }
                let values = || vec![Item { value: value() }];
                used(&ByItem { values: values(), more: vec![Some(3).filter(|_| held)] }, held);
                // The last item with an old number might be taken for one that is not the last.
                if held {
                    used(&ByLast { values: values() }, held);
                } else if let Ok(Ok(bytes)) = laws::written_is_read(&ByLast { values: values() }, ()) {
                    panic!("an old number is used: {bytes:02x?}");
                }
            }
        }
    };
}

around!(itself, Inner, |inner| inner, |all| all, []);
around!(in_a_box, Box<Inner>, Box::new, |all| all, []);
around!(in_a_struct_around_one, One, One, |all| all.0, [.0]);
around!(in_a_struct_of_two, Two, |inner| Two(1, inner), |all| all.1, [.1]);
around!(in_a_tuple, (u8, Inner), |inner| (1, inner), |all| all.1, [.1]);
around!(in_a_tuple_of_one, (Inner,), |inner| (inner,), |all| all.0, [.0]);
around!(in_tuples, ((Inner, u8), u8), |inner| ((inner, 1), 2), |all| all.0.0, [.0.0]);
around!(in_a_tuple_in_a_struct, (One, u8), |inner| (One(inner), 2), |all| all.0.0, [.0.0]);
around!(in_a_type_parameter, Generic<Inner>, |x| Generic { x }, |all| all.x, [.x]);
around!(in_a_tuple_for_a_parameter, Generic<(Inner, u8)>, |x| Generic { x: (x, 1) }, |all| all.x.0, [.x.0]);
around!(in_an_array, [Inner; 1], |inner| [inner], |all| all[0], []);
around!(in_an_array_of_arrays, [[Inner; 1]; 1], |inner| [[inner]], |all| all[0][0], []);
around!(in_a_tuple_of_arrays, ([Inner; 1], u8), |inner| ([inner], 1), |all| all.0[0], []);
around!(in_coded_bytes, Coded, coded, |all| all.coded, [.coded]);
around!(in_a_tuple_with_coded_bytes, (u8, Coded), |inner| (1, coded(inner)), |all| all.1.coded, [.1.coded]);

/// Lists of arrays, and of tuples.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct Lists {
    #[bin(prefix = u8)]
    arrays: Vec<[Inner; 1]>,
    #[bin(prefix = u8)]
    tuples: Vec<(Inner, u8)>,
    #[bin(calc = sum_of_arrays(arrays))]
    sum: u8,
    #[bin(calc = sum_of_tuples(tuples))]
    other: u8,
}

fn sum_of_arrays(all: &[[Inner; 1]]) -> u8 {
    all.iter().map(|[inner]| inner.count).fold(0, u8::wrapping_add)
}

fn sum_of_tuples(all: &[(Inner, u8)]) -> u8 {
    all.iter().map(|(inner, _)| inner.count).fold(0, u8::wrapping_add)
}

#[test]
fn in_lists_of_arrays_and_tuples() {
    let inner = |count| Inner { count, items: vec![1, 2] };
    let lists = |array, tuple| Lists {
        arrays: vec![[inner(array)]; 2],
        tuples: vec![(inner(tuple), 1); 2],
        sum: 4,
        other: 4,
    };
    used(&lists(2, 2), true);
    used(&lists(0, 2), false);
    used(&lists(2, 0), false);
}

/// Of two values of a tuple one is used.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct Pair {
    pair: (Inner, Inner),
    #[bin(if = pair.1.count == 2)]
    more: Option<u8>,
}

#[test]
fn an_old_number_that_nobody_uses_is_computed() {
    let inner = |count| Inner { count, items: vec![1, 2] };
    used(&Pair { pair: (inner(2), inner(2)), more: Some(1) }, true);
    used(&Pair { pair: (inner(2), inner(7)), more: Some(1) }, false);
    let old = Pair { pair: (inner(7), inner(2)), more: Some(1) };
    assert_eq!(old.to_vec().unwrap(), [2, 1, 0, 2, 0, 2, 1, 0, 2, 0, 1]);
}

/// A value in coded bytes that uses numbers of its own, which its writer has looked at.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct Outer {
    len: u8,
    #[bin(len = len, codec = Xor(5))]
    coded: Encoded<Xor, UsesItsOwn>,
    #[bin(if = coded.has_two())]
    more: Option<u8>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct UsesItsOwn {
    inner: Inner,
    #[bin(if = inner.is_two())]
    own: Option<u8>,
    count: u8,
    #[bin(count = count)]
    items: Vec<u16>,
}

impl UsesItsOwn {
    fn has_two(&self) -> bool {
        self.count == 2
    }
}

#[test]
fn in_coded_bytes_that_use_numbers_of_their_own() {
    let outer = |inner, own, count, more| {
        let inner = Inner { count: inner, items: vec![1, 2] };
        let coded = UsesItsOwn { inner, own, count, items: vec![3, 4] };
        Outer { len: 11, coded: Encoded::new(coded), more }
    };
    used(&outer(2, Some(1), 2, Some(1)), true);
    used(&outer(2, Some(1), 7, None), false);
    used(&outer(7, None, 2, Some(1)), false);
    used(&outer(7, None, 7, None), false);
}
