//! The ready encodings of numbers: their bytes, their other forms, what is none of them; and each in every
//! place that a number may have.

use binfmt_runtime::encodings::{
    Bcd, DerLen, Octal, Quic, SpaceFilled, Vlq, Vlq9, ZeroFilled, Zigzag,
};
use binfmt_runtime::{Auto, BinFormat, Coded};

use super::{findings, kept, laws, refused, same, stopped};

/// A declaration with one number in an encoding, and the tests of the bytes of it.
macro_rules! number {
    ($name:ident, $encoding:ty, $number:ty) => {
        #[derive(BinFormat, Debug, PartialEq, Clone)]
        struct $name {
            n: Coded<$encoding, $number>,
        }

        #[allow(dead_code, reason = "not every encoding has all of it")]
        impl $name {
            /// Each number is written as these bytes, and read from them without a finding.
            #[track_caller]
            fn is(cases: &[($number, &'static [u8])]) {
                for (number, bytes) in cases {
                    same(&Self { n: Coded::new(*number) }, bytes);
                    assert_eq!(findings::<Self>(bytes), [""; 0], "{number}");
                }
            }

            /// Bytes of another form are that number, reported under this code, and kept.
            #[track_caller]
            fn also(code: &str, cases: &[($number, &'static [u8])]) {
                for (number, bytes) in cases {
                    assert_eq!(findings::<Self>(bytes), [format!("warning n {code}")]);
                    same(&Self { n: Self::parse(bytes).unwrap().n }, bytes);
                    assert_eq!(Self::parse(bytes).unwrap().n.get(), *number);
                }
            }

            /// Bytes are no number, and say why.
            #[track_caller]
            fn is_not(code: &str, cases: &[&'static [u8]]) {
                for bytes in cases {
                    assert_eq!(stopped::<Self>(bytes), format!("n {code}"), "{bytes:02x?}");
                }
            }

            /// The encoding has no such number.
            #[track_caller]
            fn has_not(numbers: &[$number]) {
                for number in numbers {
                    assert_eq!(refused(&Self { n: Coded::new(*number) }), "n overflow");
                }
            }
        }
    };
}

number!(Long, Vlq, u64);
number!(Midi, Vlq<4>, u32);
number!(Sqlite, Vlq9, u64);
number!(Der, DerLen, u64);
number!(Doubling, Quic, u64);
number!(Signed, Zigzag, i64);
number!(SmallSigned, Zigzag, i8);
number!(Text, Octal<4>, u16);
number!(WideText, Octal<16>, u64);
number!(WiderText, Octal<12>, u64);
number!(Hex, ZeroFilled<16, 8>, u64);
number!(WideHex, ZeroFilled<16, 16>, u64);
number!(Decimal, SpaceFilled<10, 6>, u32);
number!(WideDecimal, SpaceFilled<10, 16>, u64);
number!(Mode, SpaceFilled<8, 4>, u16);
number!(Binary, ZeroFilled<2, 3>, u8);
number!(Digits, Bcd<2>, u16);
number!(AllDigits, Bcd<10>, u64);
number!(MoreDigits, Bcd<16>, u64);

#[test]
fn groups_of_seven_bits_the_highest_first() {
    Midi::is(&[(0, b"\0"), (0x7f, b"\x7f"), (0x80, b"\x81\0"), (300, b"\x82\x2c")]);
    Midi::is(&[(0x0fff_ffff, b"\xff\xff\xff\x7f")]);
    Midi::also("overlong", &[(0, b"\x80\0"), (300, b"\x80\x82\x2c"), (1, b"\x80\x80\x80\x01")]);
    Midi::is_not("end", &[b"", b"\x82", b"\xff\xff\xff"]);
    Midi::is_not("value", &[b"\xff\xff\xff\xff", b"\x80\x80\x80\x80\x01"]);
    Midi::has_not(&[0x1000_0000, u32::MAX]);

    Long::is(&[(1 << 56, b"\x81\x80\x80\x80\x80\x80\x80\x80\0")]);
    Long::is(&[(u64::MAX, b"\x81\xff\xff\xff\xff\xff\xff\xff\xff\x7f")]);
    Long::also("overlong", &[(5, b"\x80\x80\x80\x80\x80\x80\x80\x80\x80\x05")]);
    Long::is_not("value", &[b"\x82\x80\x80\x80\x80\x80\x80\x80\x80\0"]);
    Long::is_not("value", &[b"\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\0"]);
}

#[test]
fn a_ninth_byte_has_eight_bits() {
    Sqlite::is(&[
        (0, b"\0"),
        (300, b"\x82\x2c"),
        (u64::MAX, b"\xff\xff\xff\xff\xff\xff\xff\xff\xff"),
    ]);
    Sqlite::is(&[((1 << 56) - 1, b"\xff\xff\xff\xff\xff\xff\xff\x7f")]);
    Sqlite::is(&[(1 << 56, b"\x80\xc0\x80\x80\x80\x80\x80\x80\0")]);
    Sqlite::also("overlong", &[(300, b"\x80\x82\x2c"), (0, b"\x80\x80\x80\x80\x80\x80\x80\x80\0")]);
    Sqlite::also("overlong", &[(0x1ff, b"\x80\x80\x80\x80\x80\x80\x80\x81\xff")]);
    Sqlite::is_not("end", &[b"", b"\x82", b"\xff\xff\xff\xff\xff\xff\xff\xff"]);
}

#[test]
fn lengths_of_der() {
    Der::is(&[(0, b"\0"), (127, b"\x7f"), (128, b"\x81\x80"), (256, b"\x82\x01\0")]);
    Der::is(&[(u64::MAX, b"\x88\xff\xff\xff\xff\xff\xff\xff\xff")]);
    Der::also("overlong", &[(5, b"\x81\x05"), (0, b"\x82\0\0"), (200, b"\x83\0\0\xc8")]);
    Der::also("overlong", &[(1, b"\x88\0\0\0\0\0\0\0\x01")]);
    Der::is_not("end", &[b"", b"\x81", b"\x84\x01\x02\x03"]);
    Der::is_not("value", &[b"\x80", b"\x89\0\0\0\0\0\0\0\0\x01", b"\xff\x01"]);
}

#[test]
fn numbers_of_quic() {
    // The examples of RFC 9000, appendix A.1.
    Doubling::is(&[(37, b"\x25"), (15_293, b"\x7b\xbd"), (494_878_333, b"\x9d\x7f\x3e\x7d")]);
    Doubling::is(&[(151_288_809_941_952_652, b"\xc2\x19\x7c\x5e\xff\x14\xe8\x8c")]);
    Doubling::is(&[
        (63, b"\x3f"),
        (64, b"\x40\x40"),
        ((1 << 62) - 1, b"\xff\xff\xff\xff\xff\xff\xff\xff"),
    ]);
    Doubling::also(
        "overlong",
        &[(37, b"\x40\x25"), (1, b"\x80\0\0\x01"), (0, b"\xc0\0\0\0\0\0\0\0")],
    );
    Doubling::is_not("end", &[b"", b"\x40", b"\x80\0\0", b"\xc0\0\0\0\0\0\0"]);
    Doubling::has_not(&[1 << 62, u64::MAX]);
}

#[test]
fn signs_in_the_lowest_bit() {
    Signed::is(&[(0, b"\0"), (-1, b"\x01"), (1, b"\x02"), (-64, b"\x7f"), (64, b"\x80\x01")]);
    Signed::is(&[(i64::MAX, b"\xfe\xff\xff\xff\xff\xff\xff\xff\xff\x01")]);
    Signed::is(&[(i64::MIN, b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01")]);
    Signed::also("overlong", &[(-3, b"\x85\0"), (0, b"\x80\x80\0")]);
    Signed::is_not("end", &[b"", b"\x80"]);
    Signed::is_not("value", &[b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02"]);
    SmallSigned::is(&[(-128, b"\xff\x01"), (127, b"\xfe\x01")]);
    SmallSigned::is_not("value", &[b"\x80\x02"]);
}

#[test]
fn octal_text() {
    Text::is(&[(0, b"000\0"), (0o17, b"017\0"), (0o777, b"777\0")]);
    Text::also(
        "canonical",
        &[(0o17, b" 17\0"), (0o17, b"17 \0"), (0o17, b"017 "), (0o17, b"0017")],
    );
    Text::also("canonical", &[(0o1000, b"1000"), (0, b"\0\0\0\0"), (0, b"    "), (0, b" \0 \0")]);
    Text::is_not("end", &[b"", b"017"]);
    Text::is_not(
        "value",
        &[b"018\0", b"+17\0", b"-17\0", b"1\x007\0", b"\x0017\0", b"\x80\0\0\x01"],
    );
    Text::has_not(&[0o1000]);
    WideText::is(&[((1 << 45) - 1, b"777777777777777\0")]);
    WiderText::also("canonical", &[(8 << 30, b"100000000000")]);
    WiderText::has_not(&[8 << 30, u64::MAX]);
}

#[test]
fn digits_behind_zeros() {
    Hex::is(&[(0, b"00000000"), (0x1a4, b"000001A4"), (0xffff_ffff, b"FFFFFFFF")]);
    Hex::also("canonical", &[(0x1a4, b"000001a4"), (0x1a4, b"  1A4\0\0 "), (0, b"        ")]);
    Hex::is_not("end", &[b"", b"000001A"]);
    Hex::is_not("value", &[b"000001G4", b"0x0001A4", b"+00001A4", b"0000 1A4"]);
    Hex::has_not(&[1 << 32, u64::MAX]);
    WideHex::is(&[(u64::MAX, b"FFFFFFFFFFFFFFFF")]);
    Binary::is(&[(5, b"101")]);
    Binary::is_not("value", &[b"102", b"10A"]);
    Binary::has_not(&[8]);
}

#[test]
fn digits_in_front_of_spaces() {
    Decimal::is(&[(0, b"0     "), (7, b"7     "), (420, b"420   "), (999_999, b"999999")]);
    Decimal::also("canonical", &[(420, b"   420"), (420, b"000420"), (420, b"420\0\0\0")]);
    Decimal::also("canonical", &[(0, b"      "), (0, b"00    ")]);
    Decimal::is_not("end", &[b"", b"420  "]);
    Decimal::is_not("value", &[b"42A   ", b"4 2   ", b"-42   "]);
    Decimal::has_not(&[1_000_000, u32::MAX]);
    WideDecimal::has_not(&[10_u64.pow(16), u64::MAX]);
    Mode::is(&[(0o644, b"644 "), (0o1644, b"1644")]);
    Mode::is_not("value", &[b"648 "]);
}

#[test]
fn text_of_another_number_is_new() {
    let mut value = Text::parse(b" 17 ").unwrap();
    value.n = Coded::new(0o20);
    assert_eq!(value.to_vec().unwrap(), b"020\0");
}

#[test]
fn two_decimal_digits_a_byte() {
    Digits::is(&[(0, b"\0\0"), (1984, b"\x19\x84"), (9999, b"\x99\x99")]);
    Digits::is_not("end", &[b"", b"\x19"]);
    Digits::is_not("value", &[b"\x1a\0", b"\xa0\0", b"\0\x0f"]);
    Digits::has_not(&[10_000, u16::MAX]);
    AllDigits::is(&[(u64::MAX, b"\x18\x44\x67\x44\x07\x37\x09\x55\x16\x15")]);
    AllDigits::is_not("value", &[b"\x18\x44\x67\x44\x07\x37\x09\x55\x16\x16"]);
    MoreDigits::is(&[(7, b"\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x07")]);
    MoreDigits::is_not("value", &[b"\x10\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"]);
}

/// An encoding where numbers stand: computed, plain, in front of values, as tags, in tables.
macro_rules! everywhere {
    ($($name:ident $encoding:ty;)*) => { $(mod $name {
        use super::*;

        #[derive(BinFormat, Debug, PartialEq, Clone)]
        #[bin(len = total)]
        pub(super) struct All {
            total: Auto<Coded<$encoding, u16>>,
            count: Auto<Coded<$encoding, u16>>,
            len: Coded<$encoding, u32>,
            at: Auto<Coded<$encoding, u16>>,
            kind: Coded<$encoding, u8>,
            #[bin(len = len)]
            text: String,
            #[bin(count = count)]
            list: Vec<Coded<$encoding, u8>>,
            #[bin(prefix = Coded<$encoding, u16>)]
            named: Vec<u8>,
            #[bin(if = kind == 7 && len > 1)]
            more: Option<u8>,
            #[bin(args(kind))]
            body: Body,
            #[bin(prefix = u8)]
            rows: Vec<Row>,
            #[bin(at = at, prefix = Coded<$encoding, u8>)]
            far: Vec<u8>,
            #[bin(for_each = rows, at = it.at, len = it.len)]
            bodies: Vec<Vec<u8>>,
        }

        #[derive(BinFormat, Debug, PartialEq, Clone)]
        #[bin(tag = kind, args(kind: u8))]
        enum Body {
            #[bin(id = 7)]
            Seven(u8),
            #[bin(other)]
            Other(u8),
        }

        #[derive(BinFormat, Debug, PartialEq, Clone)]
        struct Row {
            at: Coded<$encoding, u16>,
            len: Coded<$encoding, u16>,
        }

        /// A value whose parts have so many bytes.
        pub(super) fn of(text: usize, named: usize, body: usize) -> All {
            let row = || Row { at: Coded::new(0), len: Coded::new(0) };
            All {
                total: Auto::new(),
                count: Auto::new(),
                len: Coded::new(0),
                at: Auto::new(),
                kind: Coded::new(7),
                text: "t".repeat(text),
                list: vec![Coded::new(1), Coded::new(90)],
                named: vec![9; named],
                more: (text > 1).then_some(1),
                body: Body::Seven(3),
                rows: vec![row(), row()],
                far: vec![2; 3],
                bodies: vec![vec![5; body], vec![6; 2]],
            }
        }

        #[test]
        fn all_that_is_computed_follows_from_the_value() {
            let bytes = of(4, 3, 2).to_vec().unwrap().leak();
            let read = All::parse(bytes).unwrap();
            assert_eq!((read.len.get(), read.rows[0].len.get()), (4, 2));
            assert_eq!(findings::<All>(bytes), [""; 0]);
            same(&read, bytes);
        }

        #[test]
        fn what_grows_moves_what_is_behind_it() {
            // Where numbers begin to need another byte.
            for len in [0, 1, 20, 30, 50, 60, 63, 64, 100, 120, 127, 128, 255, 256, 300] {
                for value in [of(len, 3, 2), of(4, len, 2), of(4, 3, len)] {
                    let bytes = value.to_vec().unwrap().leak();
                    let read = All::parse(bytes).unwrap();
                    assert_eq!(findings::<All>(bytes), [""; 0], "{len}");
                    kept(&read, bytes);
                    // What was read is written as another value of that shape is.
                    let grown = All { text: "t".repeat(len + 70), more: Some(1), ..read };
                    laws::round_trip::<All>(grown.to_vec().unwrap().leak(), ());
                }
            }
        }
    })* };
}

everywhere! {
    vlq Vlq;
    vlq9 Vlq9;
    der DerLen;
    quic Quic;
    octal Octal<6>;
    zero_filled ZeroFilled<16, 4>;
    space_filled SpaceFilled<10, 5>;
    bcd Bcd<3>;
}

/// A computed number and a prefix keep no form: they are written as new ones.
#[test]
fn forms_of_computed_numbers_are_not_kept() {
    #[derive(BinFormat, Debug, PartialEq, Clone)]
    struct Computed {
        len: Auto<Coded<DerLen, u32>>,
        #[bin(len = len)]
        text: String,
        #[bin(prefix = Coded<Vlq9, u32>)]
        named: Vec<u8>,
        #[bin(prefix = Coded<Octal<3>, u8>)]
        octal: Vec<u8>,
    }
    let bytes = b"\x81\x01t\x80\x02ab\x201\0x";
    let all = [
        "warning len canonical",
        "warning named.prefix canonical",
        "warning octal.prefix canonical",
    ];
    assert_eq!(findings::<Computed>(bytes), all);
    let read = Computed::parse(bytes).unwrap();
    assert_eq!(read.to_vec().unwrap(), b"\x01t\x02ab01\0x");
    laws::hold::<Computed>(bytes, ());
}

/// Damaged files keep the laws, with signed numbers, too.
#[test]
fn signed_numbers_stand_where_others_do() {
    #[derive(BinFormat, Debug, PartialEq, Clone)]
    struct Way {
        #[bin(prefix = u8)]
        steps: Vec<Coded<Zigzag, i32>>,
        kind: Coded<Zigzag, i8>,
        #[bin(if = kind == -2)]
        more: Option<u8>,
    }
    let steps = vec![Coded::new(-1), Coded::new(200), Coded::new(i32::MIN)];
    let way = Way { steps, kind: Coded::new(-2), more: Some(1) };
    same(&way, b"\x03\x01\x90\x03\xff\xff\xff\xff\x0f\x03\x01");
}
