//! Numbers that may be absent: where they are there they tell sizes, counts and places, and are computed.

use binfmt_runtime::{Auto, BinFormat, Crc32, Leb128, U24};

use super::laws::hold;
use super::{findings, refused, stopped};

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[bin(little)]
struct Record {
    flags: u8,
    #[bin(flag = flags & 1)]
    text_len: Option<u16>,
    #[bin(flag = flags & 1, len = text_len + 1)]
    text: Option<String>,
    #[bin(flag = flags & 2)]
    count: Option<Auto<u8>>,
    #[bin(flag = flags & 2)]
    far_at: Option<Auto<U24>>,
    #[bin(flag = flags & 2, count = count)]
    items: Option<Vec<u16>>,
    #[bin(flag = flags & 4)]
    body_len: Option<Leb128<u32>>,
    #[bin(flag = flags & 4, len = body_len)]
    body: Option<Body>,
    #[bin(flag = flags & 8)]
    back: Option<i16>,
    #[bin(flag = flags & 8, len = back + 4)]
    bytes: Option<Vec<u8>>,
    #[bin(if = count > 3)]
    many: Option<u8>,
    #[bin(flag = flags & 16, checksum(Crc32, over = ..=items))]
    sum: Option<Auto<u32>>,
    #[bin(flag = flags & 16, calc = len(body) + 1)]
    next: Option<Auto<u32>>,
    #[bin(at = far_at, null = 0, len = 2)]
    far: Option<Vec<u8>>,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Body {
    #[bin(prefix = u8)]
    name: String,
    kind: u8,
}

fn none() -> Record {
    Record {
        flags: 0,
        text_len: None,
        text: None,
        count: None,
        far_at: None,
        items: None,
        body_len: None,
        body: None,
        back: None,
        bytes: None,
        many: None,
        sum: None,
        next: None,
        far: None,
    }
}

fn all() -> Record {
    Record {
        flags: 0,
        text_len: Some(99),
        text: Some("text".to_owned()),
        count: Some(Auto::new()),
        far_at: Some(Auto::new()),
        items: Some(vec![5, 6, 7, 8]),
        body_len: Some(Leb128::new(1)),
        body: Some(Body { name: "x".repeat(200), kind: 3 }),
        back: Some(50),
        bytes: Some(vec![1]),
        many: Some(1),
        sum: Some(Auto::new()),
        next: Some(Auto::new()),
        far: Some(vec![8, 9]),
    }
}

#[test]
fn what_is_there_is_computed_from_what_it_tells() {
    let written = all().to_vec().unwrap();
    let read = Record::parse(&written).unwrap();
    let told = (read.flags, read.text_len, read.body_len.map(Leb128::get), read.back);
    assert_eq!(told, (31, Some(3), Some(202), Some(-3)));
    let settled = Record { flags: 31, text_len: Some(3), back: Some(-3), ..all() };
    assert_eq!(read, Record { body_len: read.body_len, ..settled });
    hold::<Record>(&written, ());
    assert!(findings::<Record>(written.leak()).is_empty());
    assert_eq!(none().to_vec().unwrap(), [0]);
    hold::<Record>(&[0], ());
}

/// A change of a value, and the fields that its errors name; `None` for a value that is written.
type Case = (&'static str, fn(&mut Record), Option<&'static str>);

const CASES: &[Case] = &[
    ("a text without its length", |one| one.text_len = None, Some("text_len")),
    ("a length without its text", |one| one.text = None, Some("text")),
    ("items without their count", |one| one.count = None, Some("count")),
    ("a length that no number is", |one| one.text = Some(String::new()), Some("text_len")),
    ("a value behind a condition that asks too much", |one| one.many = None, Some("many")),
    ("few items", |one| (one.items, one.many) = (Some(vec![1]), None), None),
    ("nothing at the offset", |one| one.far = None, None),
    ("a value without an offset", |one| one.far_at = None, Some("far_at")),
    ("neither text nor length", |one| (one.text, one.text_len) = (None, None), None),
];

#[test]
fn what_does_not_fit_together_is_refused() {
    for (case, change, field) in CASES {
        let mut value = all();
        change(&mut value);
        let written = value.to_vec();
        let mut streamed = Vec::new();
        assert_eq!(written.is_ok(), value.write_to(&mut streamed).is_ok(), "{case}");
        assert_eq!(written.is_ok(), value.encoded_len().is_ok(), "{case}");
        match (written, field) {
            (Ok(written), None) => {
                assert_eq!(written, streamed, "{case}");
                let read = Record::parse(&written).unwrap();
                assert_eq!(read.to_vec().unwrap(), written, "{case}");
                assert!(findings::<Record>(written.leak()).is_empty(), "{case}");
            }
            (Err(error), Some(field)) => {
                assert!(error.to_string().starts_with(field), "{case}: {error}");
            }
            (result, _) => panic!("{case}: {result:?}"),
        }
    }
}

/// What is always there has a size that may be absent.
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[bin(big, new)]
struct Held {
    kind: u8,
    #[bin(if = kind == 1)]
    size: Option<u16>,
    #[bin(len = size)]
    bytes: Vec<u8>,
}

#[test]
fn what_is_there_has_a_size_that_is_there() {
    let held = Held::new(1, Some(0), vec![1, 2]);
    assert_eq!(held.to_vec().unwrap(), [1, 0, 2, 1, 2]);
    hold::<Held>(&[1, 0, 2, 1, 2], ());
    for bytes in [vec![], vec![1]] {
        assert_eq!(refused(&Held::new(0, None, bytes)), "bytes derived");
    }
    assert_eq!(stopped::<Held>(&[0, 1, 2]), "size size");
    assert!(Held::parse(&[0]).unwrap_err().to_string().contains("`len` cannot be computed"));
}

/// A box with a size of 32 bits, or with one of 64.
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[bin(big)]
struct Large {
    size: u32,
    #[bin(if = size == 1)]
    long: Option<u64>,
    #[bin(len = if size == 1 { long - 12 } else { size - 4 }, note(size != 1 || long < 99, "large"))]
    bytes: Vec<u8>,
}

#[test]
fn a_size_of_two_forms_agrees() {
    for value in [
        Large { size: 6, long: None, bytes: vec![1, 2] },
        Large { size: 1, long: Some(15), bytes: vec![1, 2, 3] },
    ] {
        let written = value.to_vec().unwrap();
        assert_eq!(Large::parse(&written).unwrap(), value);
        hold::<Large>(&written, ());
    }
    let large = |long| Large { size: 1, long, bytes: vec![1, 2, 3] };
    assert_eq!(refused(&large(Some(16))), "bytes derived");
    assert_eq!(refused(&large(None)), "long presence");
}

/// A signed number that is always there, of a value that may be absent.
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[bin(little)]
struct Below {
    flags: u8,
    size: i16,
    #[bin(flag = flags & 1, len = size + 4)]
    bytes: Option<Vec<u8>>,
}

#[test]
fn a_signed_number_tells_the_size_of_what_may_be_absent() {
    for (bytes, written) in [
        (None, vec![0, 0, 0]),
        (Some(vec![7]), vec![1, 0xfd, 0xff, 7]),
        (Some(vec![]), vec![1, 0xfc, 0xff]),
    ] {
        let value = Below { flags: 0, size: 9, bytes };
        assert_eq!(value.to_vec().unwrap(), written);
        hold::<Below>(&written, ());
    }
    assert_eq!(findings::<Below>(&[0, 0xfe, 0xff]), ["warning size canonical"]);
}

/// What tells of a place that nothing lies at is 0, whatever the sum around it: no place says that nothing is there.
mod sums_of_places {
    use binfmt_runtime::{Auto, BinFormat};

    #[derive(BinFormat, Debug, Clone, PartialEq)]
    struct Added {
        kind: u8,
        n: Auto<u8>,
        #[bin(at = n + 1, if = kind == 1, len = 1)]
        value: Option<Vec<u8>>,
    }

    #[derive(BinFormat, Debug, Clone, PartialEq)]
    struct OwnCondition {
        n: u8,
        #[bin(at = n - 1, if = n != 0, len = 1)]
        value: Option<Vec<u8>>,
    }

    #[derive(BinFormat, Debug, Clone, PartialEq)]
    struct TakenOff {
        kind: u8,
        n: u8,
        #[bin(at = n - 1, if = kind == 1, len = 1)]
        value: Option<Vec<u8>>,
    }

    #[derive(BinFormat, Debug, Clone, PartialEq)]
    struct Shared {
        kind: u8,
        n: u8,
        #[bin(at = n * 4 + 2, if = kind == 1)]
        a: Option<i8>,
        #[bin(at = n * 4 + 2, if = kind == 2)]
        b: Option<u8>,
    }

    /// The import directory of a program: addresses from which that of their section is taken.
    #[derive(BinFormat, Debug, Clone, PartialEq)]
    #[bin(args(address: u8 = 3))]
    struct FromArgument {
        n: u8,
        #[bin(at = n - address, if = n != 0)]
        value: Option<u8>,
    }

    macro_rules! rewritten {
        ($($name:ident, $type:ident: $($bytes:expr),+;)+) => {$(
            #[test]
            fn $name() {
                $(
                    let bytes: &[u8] = &$bytes;
                    let value = $type::parse(bytes).unwrap();
                    assert_eq!(value.to_vec().as_deref(), Ok(bytes), "{value:?}");
                    assert_eq!($type::validate(bytes).findings(), [], "{value:?}");
                )+
            }
        )+};
    }

    rewritten! {
        with_an_auto, Added: [0, 0], [1, 1, 7];
        with_its_own_condition, OwnCondition: [0], [2, 7];
        with_a_term_taken_off, TakenOff: [0, 0], [1, 3, 7];
        of_two_that_exclude_one_another, Shared: [0, 0], [2, 0, 7];
        from_an_argument, FromArgument: [0], [4, 5];
    }

    #[test]
    fn another_number_is_not_kept() {
        let findings = TakenOff::validate(&[0, 1]);
        assert_eq!(findings.findings().first().map(|finding| finding.code), Some("canonical"));
        assert_eq!(TakenOff::parse(&[0, 1]).unwrap().to_vec().unwrap(), [0, 0]);
    }
}

/// Whether the text is there is said by its own length, or by that of another one, which is computed first.
#[derive(BinFormat, Clone, Debug, PartialEq)]
struct OneOrOther {
    own_len: u8,
    other_len: u8,
    #[bin(len = other_len)]
    other: String,
    #[bin(if = if other_len >= 4 { other_len } else { own_len } != 0, len = own_len)]
    own: Option<String>,
}

#[test]
fn the_number_of_an_absent_field_follows_from_others_as_they_are_written() {
    for (own_len, other_len) in [(0, 0), (2, 0), (0, 7), (2, 7)] {
        let value = OneOrOther { own_len, other_len, other: "abc".to_owned(), own: None };
        assert_eq!(value.to_vec().unwrap(), b"\0\x03abc", "{value:?}");
    }
    let long = OneOrOther { own_len: 0, other_len: 0, other: "abcd".to_owned(), own: None };
    assert_eq!(refused(&long), "own presence");
}
