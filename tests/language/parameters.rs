//! Numbers, arrays and tuples in the place of type parameters.

use binfmt_runtime::{
    Auto, BinFormat, Encoded, FieldLayout, Layout, Leb128, NodeValue, Reserved, Seq, U24, Xor,
};

use super::{findings, kept, refused, same, stopped};

#[derive(BinFormat, Debug, PartialEq, Clone, Copy, Default)]
#[bin(big)]
struct Pair<T> {
    a: T,
    #[bin(little)]
    b: T,
}

/// The same with the byte order of the value around.
#[derive(BinFormat, Debug, PartialEq, Clone, Copy, Default)]
#[bin(endian = inherit, bound(T: Default))]
struct Twice<T> {
    both: [T; 2],
}

#[derive(BinFormat, Debug, PartialEq, Clone, Copy, Default)]
#[bin(little)]
struct Named {
    number: u16,
}

#[test]
fn numbers_have_the_order_of_the_field_or_the_type() {
    same(&Pair { a: 1_u16, b: 2 }, b"\0\x01\x02\0");
    same(&Pair { a: -2_i32, b: 3 }, b"\xff\xff\xff\xfe\x03\0\0\0");
    same(&Pair { a: 1.5_f32, b: 2.0 }, b"\x3f\xc0\0\0\0\0\0\x40");
    same(&Pair { a: true, b: false }, b"\x01\0");
    same(&Pair { a: U24::try_from(0x01_0203).unwrap(), b: U24::default() }, b"\x01\x02\x03\0\0\0");
    same(&Pair { a: Leb128::new(300_u32), b: Leb128::new(1) }, b"\xac\x02\x01");
}

#[test]
fn arrays_tuples_and_declared_types_stand_there_too() {
    same(&Pair { a: *b"abcd", b: *b"efgh" }, b"abcdefgh");
    same(
        &Pair { a: [[1_u16; 2]; 2], b: [[2; 2]; 2] },
        b"\0\x01\0\x01\0\x01\0\x01\x02\0\x02\0\x02\0\x02\0",
    );
    same(&Pair { a: (1_u8, 2_u16), b: (3, 4) }, b"\x01\0\x02\x03\x04\0");
    let named = |number| Named { number };
    same(&Pair { a: named(1), b: named(2) }, b"\x01\0\x02\0");
    same(&Pair { a: Pair { a: 1_u16, b: 2 }, b: Pair { a: 3, b: 4 } }, b"\0\x01\x02\0\0\x03\x04\0");
    kept(&Pair { a: Reserved::<2>::default(), b: Reserved::default() }, b"\0\0\0\0");
    assert_eq!(stopped::<Pair<Pair<u16>>>(b"\0\x01\x02\0\0\x03\x04"), "b.b end");
    assert_eq!(stopped::<Pair<bool>>(b"\x01\x02"), "b value");
}

/// No byte order, which these need not have.
#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(bound(T: Default))]
struct Three<T> {
    items: [T; 3],
    pair: (T, u8),
}

#[test]
fn what_has_no_order_needs_none() {
    same(&Three { items: [1_u8, 2, 3], pair: (4, 5) }, b"\x01\x02\x03\x04\x05");
    same(&Three { items: [*b"ab"; 3], pair: (*b"cd", 5) }, b"abababcd\x05");
    let number = Leb128::new(300_u16);
    same(&Three { items: [number; 3], pair: (number, 5) }, b"\xac\x02\xac\x02\xac\x02\xac\x02\x05");
    same(
        &Three { items: [Named { number: 1 }; 3], pair: (Named { number: 2 }, 5) },
        b"\x01\0\x01\0\x01\0\x02\0\x05",
    );
}

/// Sequences of a parameter, eager and lazy.
#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(endian = magic, magic = [b"II" => little, b"MM" => big])]
struct File<'a> {
    #[bin(magic)]
    mark: [u8; 2],
    count: Auto<u16>,
    #[bin(count = count)]
    rows: Seq<'a, Twice<u16>>,
    list: List<u32>,
    words: List<Leb128<u64>>,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(endian = inherit, bound(T: Ord))]
struct List<T> {
    #[bin(prefix = u8, unique)]
    items: Vec<T>,
    last: u8,
    #[bin(if = last == 1)]
    more: Option<Box<T>>,
}

#[test]
fn numbers_inherit_the_order_through_a_type_that_does() {
    let rows = [Twice { both: [1, 2] }, Twice { both: [3, 4] }];
    let file = |mark| File {
        mark,
        count: Auto::new(),
        rows: Seq::from(&*rows.to_vec().leak()),
        list: List { items: vec![5, 6], last: 1, more: Some(Box::new(7)) },
        words: List { items: vec![Leb128::new(300)], last: 0, more: None },
    };
    let big =
        b"MM\0\x02\0\x01\0\x02\0\x03\0\x04\x02\0\0\0\x05\0\0\0\x06\x01\0\0\0\x07\x01\xac\x02\0";
    same(&file(*b"MM"), big);
    let little =
        b"II\x02\0\x01\0\x02\0\x03\0\x04\0\x02\x05\0\0\0\x06\0\0\0\x01\x07\0\0\0\x01\xac\x02\0";
    same(&file(*b"II"), little);
    let twins = b"II\0\0\x02\x05\0\0\0\x05\0\0\0\0\0\0";
    assert_eq!(findings::<File<'_>>(twins), ["error list.items[1] List.items.unique"]);
}

/// Shapes around a parameter.
#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little)]
enum Either<A, B> {
    #[bin(magic = b"A")]
    First(Pair<A>),
    Second(Pair<B>),
}

#[test]
fn shapes_have_parameters() {
    same(&Either::<u8, u16>::First(Pair { a: 1, b: 2 }), b"A\x01\x02");
    same(&Either::<u8, u16>::Second(Pair { a: 1, b: 2 }), b"\0\x01\x02\0");
}

#[test]
fn sizes_and_offsets_are_known_where_those_of_the_parameter_are() {
    let places = |fields: &[FieldLayout]| -> Vec<_> {
        fields.iter().map(|field| (field.offset, field.size)).collect()
    };
    let fixed = [(Some(0), Some(2)), (Some(2), Some(2))];
    assert_eq!(places(Pair::<u16>::LAYOUT.fields), fixed);
    assert_eq!(places(Pair::<Leb128<u16>>::LAYOUT.fields), [(Some(0), None), (None, None)]);
    let tree = Pair::<u16>::inspect(b"\0\x01\x02\0");
    let shown: Vec<_> = tree.root.children.iter().map(|node| node.value.clone()).collect();
    assert_eq!(shown, [Some(NodeValue::Uint(1)), Some(NodeValue::Uint(2))]);
}

/// A parameter that is read, and that a field holds which is not.
#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little, new)]
struct Cached<T> {
    read: T,
    #[bin(skip)]
    kept: Option<T>,
    #[bin(skip)]
    made: T,
}

#[test]
fn what_is_not_read_has_the_default_of_the_parameter() {
    same(&Cached::new(7_u16), b"\x07\0");
    same(&Cached { read: *b"ab", kept: None, made: [0; 2] }, b"ab");
}

/// A list that stands twice in one type, with items of its own each time.
#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Counted<T> {
    #[bin(prefix = u8)]
    items: Vec<T>,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Low {
    #[bin(range = ..=9)]
    low: u8,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct High {
    #[bin(range = 90..)]
    high: u8,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Counts {
    low: Counted<Low>,
    high: Counted<High>,
    both: Counted<Counted<High>>,
}

#[test]
fn a_layout_names_every_type_that_a_parameter_stands_for() {
    let all = Counts::LAYOUT.all();
    let names: Vec<_> = all.iter().map(|layout| layout.full_name()).collect();
    let lists = ["Counted<Low>", "Counted<High>", "Counted<Counted<High>>"];
    assert_eq!(names, ["Counts", lists[0], "Low", lists[1], "High", lists[2]]);
    let items = |layout: &&Layout| layout.name == "Counted";
    let items: Vec<_> =
        all.iter().copied().filter(items).map(|list| list.type_of(list.field(0))).collect();
    assert_eq!(items, ["Vec<Low>", "Vec<High>", "Vec<Counted<High>>"]);
    let page = Counts::LAYOUT.to_markdown();
    assert!(page.contains("## Counted<Counted<High>>\n") && page.contains("`Vec<Counted<High>>`"));
    let (low, high) = (Low { low: 3 }, High { high: 99 });
    let both = Counted { items: vec![Counted { items: vec![high.clone()] }] };
    let counts =
        Counts { low: Counted { items: vec![low] }, high: Counted { items: vec![high] }, both };
    same(&counts, b"\x01\x03\x01\x63\x01\x01\x63");
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(big)]
struct Tail<T> {
    #[bin(until_end)]
    values: Vec<T>,
}

/// Decoded bytes live as long as no file does, so what stands for the parameter may not borrow.
#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(big)]
struct Hidden<T> {
    first: T,
    #[bin(prefix = u8, codec = Xor(0x10))]
    tail: Encoded<Xor, Tail<T>>,
    #[bin(prefix = u8, codec = Xor(0x20))]
    pair: Encoded<Xor, (u8, Tail<T>)>,
}

#[test]
fn values_of_a_parameter_are_coded() {
    let hidden = Hidden::<u16> {
        first: 1,
        tail: Encoded::new(Tail { values: vec![2, 3] }),
        pair: Encoded::new((4, Tail { values: vec![5] })),
    };
    same(&hidden, b"\0\x01\x04\x10\x12\x10\x13\x03\x24\x20\x25");
    let hidden = Hidden::<Low> {
        first: Low { low: 1 },
        tail: Encoded::new(Tail { values: vec![Low { low: 2 }] }),
        pair: Encoded::new((4, Tail { values: vec![] })),
    };
    same(&hidden, b"\x01\x01\x12\x01\x24");
    refused(&Hidden { first: Low { low: 10 }, ..hidden });
}
