//! Integers of unusual width and of variable length.

use binfmt_runtime::{Auto, BinFormat, I24, I40, I48, I56, Leb128, Seq, U24, U40, U48, U56};

use super::{findings, kept, refused, same, stopped};

/// The same fields in either order.
macro_rules! narrow {
    ($name:ident $order:ident) => {
        #[derive(BinFormat, Debug, PartialEq, Clone)]
        #[bin($order)]
        struct $name {
            three: U24,
            five: U40,
            six: U48,
            seven: U56,
            minus_one: I24,
            minus_two: I40,
            minus_three: I48,
            minus_four: I56,
            pair: [U24; 2],
        }

        impl $name {
            fn example() -> Self {
                Self {
                    three: U24::new(0x01_0203).unwrap(),
                    five: U40::new(0x01_0203_0405).unwrap(),
                    six: U48::new(0x0102_0304_0506).unwrap(),
                    seven: U56::new(0x01_0203_0405_0607).unwrap(),
                    minus_one: I24::new(-1).unwrap(),
                    minus_two: I40::new(-2).unwrap(),
                    minus_three: I48::new(-3).unwrap(),
                    minus_four: I56::new(-4).unwrap(),
                    pair: [U24::default(), U24::new(0xff_ffff).unwrap()],
                }
            }
        }
    };
}

narrow!(Little little);
narrow!(Big big);

#[test]
fn narrow_integers_are_read_and_written_in_both_orders() {
    same(
        &Little::example(),
        b"\x03\x02\x01\x05\x04\x03\x02\x01\x06\x05\x04\x03\x02\x01\x07\x06\x05\x04\x03\x02\x01\
          \xff\xff\xff\xfe\xff\xff\xff\xff\xfd\xff\xff\xff\xff\xff\xfc\xff\xff\xff\xff\xff\xff\
          \0\0\0\xff\xff\xff",
    );
    same(
        &Big::example(),
        b"\x01\x02\x03\x01\x02\x03\x04\x05\x01\x02\x03\x04\x05\x06\x01\x02\x03\x04\x05\x06\x07\
          \xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff\xff\xff\xfd\xff\xff\xff\xff\xff\xff\xfc\
          \0\0\0\xff\xff\xff",
    );
}

#[test]
fn a_narrow_integer_is_a_number_that_fits() {
    assert_eq!(U24::new(0x100_0000), None);
    assert_eq!(U24::try_from(0xff_ffff_u64).unwrap().get(), 0xff_ffff);
    assert!(U24::try_from(-1_i32).is_err() && U40::try_from(1_u64 << 40).is_err());
    assert_eq!((I24::new(-0x80_0000), I24::new(-0x80_0001)).1, None);
    assert_eq!(I24::new(-0x80_0000).unwrap().get(), -0x80_0000);
    assert_eq!((i32::from(I24::new(-5).unwrap()), i64::from(I48::new(-5).unwrap())), (-5, -5));
    assert_eq!((u32::from(U24::new(5).unwrap()), u64::from(U56::new(5).unwrap())), (5, 5));
    assert!(I40::new(-1) < I40::new(1) && U48::new(0x100) > U48::new(2));
    assert_eq!(format!("{} {0:?} {0:#x}", U24::new(255).unwrap()), "255 255 0xff");
    let error = U24::try_from(1_u64 << 24).unwrap_err();
    assert_eq!(error.to_string(), "the number does not fit into the type");
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(big, len = size)]
struct Counted<'a> {
    size: Auto<U24>,
    #[bin(check(kind % 2 == 1, "{kind:#x} is even"))]
    kind: U24,
    count: U40,
    len: Auto<U24>,
    low: I24,
    #[bin(len = len)]
    name: &'a str,
    #[bin(calc = len(items) + 1)]
    total: U48,
    #[bin(count = count - 1)]
    items: Seq<'a, U24>,
    #[bin(if = low < 0)]
    more: Option<I40>,
}

#[test]
fn narrow_integers_tell_sizes_and_stand_in_expressions() {
    let items = vec![U24::new(7).unwrap(), U24::new(8).unwrap()].leak();
    let value = Counted {
        size: Auto::new(),
        kind: U24::new(9).unwrap(),
        count: U40::new(3).unwrap(),
        len: Auto::new(),
        low: I24::new(-1).unwrap(),
        name: "ab",
        total: U48::new(7).unwrap(),
        items: Seq::from(&items[..]),
        more: I40::new(-9),
    };
    same(
        &value,
        b"\0\0\x24\0\0\x09\0\0\0\0\x03\0\0\x02\xff\xff\xffab\0\0\0\0\0\x07\0\0\x07\0\0\x08\
          \xff\xff\xff\xff\xf7",
    );
    assert_eq!(
        refused(&Counted { kind: U24::new(8).unwrap(), ..value.clone() }),
        "kind Counted.kind"
    );
    assert_eq!(refused(&Counted { more: None, ..value }), "more presence");
    assert_eq!(stopped::<Counted<'_>>(b"\0\0\x0b\0\0\x08\0\0\0\0\x03"), "kind Counted.kind");
}

#[derive(BinFormat, Debug, PartialEq)]
#[bin(little)]
struct Wide {
    len: Auto<U24>,
    #[bin(len = len)]
    data: Vec<u8>,
}

#[test]
fn a_size_that_no_narrow_integer_holds_is_an_error() {
    let value = Wide { len: Auto::new(), data: vec![0; 1 << 24] };
    let error = value.to_vec().unwrap_err();
    assert_eq!(
        error.to_string(),
        "len at 0x0..0x0: the value does not fit into 3 bytes; found 16777216 [overflow]"
    );
}

#[derive(BinFormat, Debug, PartialEq)]
struct Unsigned {
    number: Leb128<u64>,
}

#[derive(BinFormat, Debug, PartialEq)]
struct Signed {
    number: Leb128<i64>,
}

#[derive(BinFormat, Debug, PartialEq)]
struct Short {
    number: Leb128<i8>,
}

#[test]
fn leb128_stores_seven_bits_a_byte() {
    let unsigned: [(u64, &[u8]); 6] = [
        (0, &[0]),
        (127, &[0x7f]),
        (128, &[0x80, 1]),
        (624_485, &[0xe5, 0x8e, 0x26]),
        (u64::MAX >> 1, &[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f]),
        (u64::MAX, &[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1]),
    ];
    for (number, bytes) in unsigned {
        same(&Unsigned { number: number.into() }, bytes);
    }
    let signed: [(i64, &[u8]); 8] = [
        (0, &[0]),
        (63, &[0x3f]),
        (64, &[0xc0, 0]),
        (-1, &[0x7f]),
        (-64, &[0x40]),
        (-123_456, &[0xc0, 0xbb, 0x78]),
        (i64::MAX, &[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0]),
        (i64::MIN, &[0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x7f]),
    ];
    for (number, bytes) in signed {
        same(&Signed { number: number.into() }, bytes);
    }
    same(&Short { number: (-128).into() }, &[0x80, 0x7f]);
}

#[test]
fn a_leb128_that_is_too_wide_or_never_ends_stops_a_reader() {
    for bytes in [&[0xff; 12][..], &[0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 2]] {
        assert_eq!(stopped::<Unsigned>(bytes), "number value");
    }
    assert_eq!(stopped::<Unsigned>(&[0x80; 9]), "number end");
    assert_eq!(stopped::<Unsigned>(&[]), "number end");
    assert_eq!(stopped::<Short>(&[0x80, 1]), "number value");
    assert_eq!(stopped::<Short>(&[0xff, 0x7e]), "number value");
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little)]
struct Lengths<'a> {
    name_len: Auto<Leb128<u32>>,
    #[bin(len = name_len)]
    name: &'a str,
    data_len: Leb128<u32>,
    #[bin(len = data_len)]
    data: &'a [u8],
    count: Leb128<u16>,
    #[bin(count = count)]
    items: Seq<'a, Leb128<i32>>,
}

#[test]
fn the_length_of_a_leb128_is_kept_where_it_can_be() {
    let items = vec![Leb128::new(-1), Leb128::new(300).padded(3)].leak();
    let value = Lengths {
        name_len: Auto::new(),
        name: "ab",
        data_len: Leb128::new(3).padded(2),
        data: &[1, 2, 3],
        count: Leb128::new(2),
        items: Seq::from(&items[..]),
    };
    let bytes = b"\x02ab\x83\x00\x01\x02\x03\x02\x7f\xac\x82\x00";
    same(&value, bytes);
    assert_eq!(
        findings::<Lengths<'_>>(bytes),
        ["warning data_len overlong", "warning items[1] overlong"]
    );
    // A length that is not in the struct is written anew.
    assert_eq!(findings::<Lengths<'_>>(b"\x80\x00\x00\x00"), ["warning name_len canonical"]);
    // What a value needs is more than what it had.
    let long = vec![7; 200].leak();
    let longer = Lengths { data: long, data_len: Leb128::new(0), ..value }.to_vec().unwrap();
    assert!(longer.starts_with(b"\x02ab\xc8\x01\x07"));
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little, len = size)]
struct Message {
    size: Auto<u16>,
    len: Auto<Leb128<u16>>,
    #[bin(len = len)]
    body: Body,
    #[bin(calc = len(body) + len(tail))]
    both: Auto<Leb128<u64>>,
    tail_len: Leb128<u16>,
    #[bin(len = tail_len)]
    tail: Vec<u16>,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little)]
struct Body {
    count: Auto<Leb128<u16>>,
    #[bin(count = count)]
    words: Vec<u16>,
}

#[test]
fn sizes_around_a_leb128_are_counted_with_the_length_that_it_gets() {
    let body = Body { count: Auto::new(), words: vec![0x0101; 100] };
    let (size, len, both) = (Auto::new(), Auto::new(), Auto::new());
    let value = Message { size, len, body, both, tail_len: Leb128::new(4), tail: vec![2, 3] };
    let mut bytes = vec![212, 0, 0xc9, 1, 100];
    bytes.extend([1; 200]);
    bytes.extend([0xcd, 1, 4, 2, 0, 3, 0]);
    kept(&value, bytes.leak());
    assert_eq!(refused(&Message { tail: vec![0; 32768], ..value }), "tail_len overflow");
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Node {
    len: Auto<Leb128<u32>>,
    #[bin(len = len)]
    inside: Vec<Self>,
}

#[test]
fn values_in_values_are_counted_once_a_level() {
    let node = |inside| Node { len: Auto::new(), inside };
    let deep = (0..40).fold(node(vec![]), |inner, _| node(vec![inner]));
    let bytes: Vec<u8> = (0..=40).rev().collect();
    kept(&deep, bytes.leak());
}
