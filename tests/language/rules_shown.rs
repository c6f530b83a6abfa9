//! Readers and writers show the value that breaks a rule of its field, unless the text of the rule does.

use binfmt_runtime::{Auto, BinFormat, Leb128, Show};

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Ruled {
    is_there: u8,
    #[bin(if = is_there == 1, range = 1..=4)]
    optional: Option<u8>,
    #[bin(range = 3..)]
    signed: i8,
    #[bin(one_of = [1, 2])]
    plain: u8,
    #[bin(range = 1..=5)]
    variable: Leb128<u32>,
    #[bin(range = ..=3)]
    computed: Auto<u8>,
    #[bin(len = computed)]
    text: String,
    #[bin(check(bytes == b"ok", "it is no `ok`"))]
    bytes: [u8; 2],
    #[bin(check(told != 7, "{told} is no such number"))]
    told: u8,
}

fn value() -> Ruled {
    Ruled {
        is_there: 1,
        optional: Some(1),
        signed: 3,
        plain: 2,
        variable: Leb128::new(1),
        computed: Auto::new(),
        text: "a".to_owned(),
        bytes: *b"ok",
        told: 1,
    }
}

/// What changes a value, where the byte of that is in a file, what it is then, and what is shown.
type Case = (fn(&mut Ruled), usize, u8, Show);

const CASES: [Case; 6] = [
    (|value| value.optional = Some(9), 1, 9, Show::Uint(9)),
    (|value| value.signed = -1, 2, 0xff, Show::Int(-1)),
    (|value| value.plain = 8, 3, 8, Show::Uint(8)),
    (|value| value.variable = Leb128::new(6), 4, 6, Show::Uint(6)),
    (|value| value.text.push_str("bcd"), 5, 4, Show::Uint(4)),
    (|value| value.told = 7, 9, 7, Show::Nothing),
];

#[test]
fn readers_and_writers_show_the_value_that_breaks_a_rule() {
    let bytes = value().to_vec().unwrap();
    assert_eq!(bytes, *b"\x01\x01\x03\x02\x01\x01aok\x01");
    for (change, at, byte, shown) in CASES {
        let mut broken = value();
        change(&mut broken);
        let written = broken.to_vec().unwrap_err();
        let mut file = bytes.clone();
        file[at] = byte;
        let read = Ruled::parse(&file).unwrap_err();
        for error in [written, read] {
            assert_eq!(error.finding().found, shown, "{error}");
        }
    }
}

#[test]
fn bytes_are_shown_as_far_as_there_is_space() {
    let broken = Ruled { bytes: *b"no", ..value() };
    let error = broken.to_vec().unwrap_err();
    assert!(error.to_string().contains("it is no `ok`; found 6e 6f"), "{error}");
}
