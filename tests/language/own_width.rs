//! Numbers that are computed from the width of a value and tell it themselves: what has no answer is refused, and not
//! written as a number that is wrong as soon as it is read.

use binfmt_runtime::{BinFormat, Error, Leb128, laws};

/// A number that is set.
#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Head {
    width: u8,
}

macro_rules! declared {
    ($($name:ident { $($fields:tt)* } = |$number:ident| $value:expr;)*) => { $(
        #[derive(BinFormat, Debug, Clone, PartialEq)]
        struct $name { $($fields)* }

        impl $name {
            /// A value with this stored number.
            fn stored($number: u8) -> Self {
                $value
            }
        }
    )* };
}

declared! {
    Longer {
        #[bin(calc = len(text) + 1)]
        width: u8,
        #[bin(len = width, trim = b' ')]
        text: String,
    } = |width| Self { width, text: "a".into() };

    Twice {
        #[bin(calc = len(data) * 2)]
        width: u8,
        #[bin(len = width, trim = 0)]
        data: Vec<u8>,
    } = |width| Self { width, data: vec![1] };

    WithNul {
        #[bin(calc = align_up(len(text) + 1, 8))]
        width: u8,
        #[bin(len = width, nul = optional)]
        text: String,
    } = |width| Self { width, text: "a".into() };

    Variable {
        #[bin(calc = len(text) + 1)]
        width: Leb128<u32>,
        #[bin(len = width, trim = b' ')]
        text: String,
    } = |width| Self { width: u32::from(width).into(), text: "a".into() };

    ByWayOfAnother {
        #[bin(calc = len(text) + 1)]
        width: u8,
        #[bin(calc = width)]
        other: u8,
        #[bin(len = other, trim = b' ')]
        text: String,
    } = |width| Self { width, other: 3, text: "a".into() };

    Perhaps {
        there: u8,
        #[bin(if = there == 1, calc = len(text) + 1)]
        width: Option<u8>,
        #[bin(if = there == 1, len = width, trim = b' ')]
        text: Option<String>,
    } = |width| Self { there: 1, width: Some(width), text: Some("a".into()) };

    Set {
        #[bin(set(width = len(text) + 1))]
        head: Head,
        #[bin(len = head.width, trim = b' ')]
        text: String,
    } = |width| Self { head: Head { width }, text: "a".into() };

    Elsewhere {
        #[bin(calc = len(text) + 1)]
        width: u8,
        at: u8,
        #[bin(at = at, len = width, trim = b' ')]
        text: String,
    } = |width| Self { width, at: 0, text: "a".into() };

    Aligned {
        #[bin(calc = align_up(len(text), 4))]
        width: u8,
        #[bin(len = width, trim = b' ')]
        text: String,
    } = |width| Self { width, text: "a".into() };

    AlignedBySet {
        #[bin(set(width = align_up(len(text), 4)))]
        head: Head,
        #[bin(len = head.width, trim = b' ')]
        text: String,
    } = |width| Self { head: Head { width }, text: "a".into() };

    Padded {
        #[bin(calc = align_up(len(text), 8))]
        width: u8,
        #[bin(nul, pad_to = width)]
        text: String,
    } = |width| Self { width, text: "a".into() };
}

fn is_refused(write: impl Fn(u8) -> Result<Vec<u8>, Error>, path: &str) {
    for number in [0, 1, 2, 3, 8, 16] {
        let error = write(number).unwrap_err();
        assert_eq!(error.finding().code, "unsettled", "{error}");
        assert_eq!(error.finding().path.to_string(), path, "{error}");
        assert!(error.to_string().contains("follows from itself"), "{error}");
    }
}

#[test]
fn a_width_that_is_another_one_each_time_is_refused() {
    is_refused(|number| Longer::stored(number).to_vec(), "width");
    is_refused(|number| Twice::stored(number).to_vec(), "width");
    is_refused(|number| WithNul::stored(number).to_vec(), "width");
    is_refused(|number| Variable::stored(number).to_vec(), "width");
    is_refused(|number| ByWayOfAnother::stored(number).to_vec(), "width");
    is_refused(|number| Perhaps::stored(number).to_vec(), "width");
    is_refused(|number| Set::stored(number).to_vec(), "head.width");
    is_refused(|number| Elsewhere::stored(number).to_vec(), "width");
}

#[test]
fn a_width_that_stays_is_written() {
    for number in [0, 1, 2, 3, 8, 16] {
        let width = usize::from(number).max(1).next_multiple_of(4);
        let aligned = Aligned::stored(number);
        let bytes = laws::written_is_read(&aligned, ()).unwrap().unwrap();
        assert_eq!(bytes.len(), 1 + width);
        let set = AlignedBySet::stored(number);
        assert_eq!(laws::written_is_read(&set, ()).unwrap().unwrap(), bytes);
        let padded = laws::written_is_read(&Padded::stored(number), ()).unwrap().unwrap();
        assert_eq!(padded, [8, b'a', 0, 0, 0, 0, 0, 0, 0]);
    }
}

/// Both fit, and only the first one is a number that can be set.
#[test]
fn a_width_that_no_number_says_once_it_is_known_is_refused() {
    #[derive(BinFormat, Debug, Clone, PartialEq)]
    struct Far {
        #[bin(set(width = len(text) + 5))]
        head: Head,
        #[bin(len = head.width, trim = b' ')]
        text: String,
    }
    let far = Far { head: Head { width: 0 }, text: "a".repeat(250) };
    let error = far.to_vec().unwrap_err();
    assert_eq!(error.finding().code, "unsettled", "{error}");
    assert!(error.to_string().contains("expected 255, found 260"), "{error}");
}
