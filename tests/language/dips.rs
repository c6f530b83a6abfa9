//! Sums of which a step is below 0 though they are not: a reader refuses them, and so does a writer, which solves them
//! for a number.

use binfmt_runtime::{Auto, BinFormat, laws};

macro_rules! sums {
    ($($name:ident { $($words:tt)* } = $least:literal;)*) => { $(
        #[test]
        fn $name() {
            #[derive(BinFormat, Debug, Clone, PartialEq)]
            struct Sized {
                n: u8,
                m: u8,
                #[bin($($words)*)]
                data: Vec<u8>,
            }

            for len in 0..12_i32 {
                let value = Sized { n: 0, m: 0, data: vec![7; usize::try_from(len).unwrap()] };
                let written = laws::written_is_read(&value, ()).unwrap();
                let can_be_said = len >= $least && (len - $least) % 2 == 0;
                let is_read = written.is_ok();
                assert!(is_read || !can_be_said, "{len}: {written:?}");
                assert!(!is_read || len >= $least, "{len}: {written:?}");
                if let Err(error) = written {
                    assert_eq!(error.finding().code, "derived", "{error}");
                }
            }
        }
    )* };
}

sums! {
    a_length_that_adds_what_it_took_off { len = n - 5 + 5 } = 5;
    a_section { section, len = n - 5 + 5 } = 5;
    a_sum_in_a_factor { len = (n - 5) * 2 + 10 } = 10;
    a_measure { len = n - end(m) - 4 + end(m) } = 2;
    nothing_is_added { len = n - 5 } = 0;
    a_factor_of_a_difference { len = (n - 5) * 2 } = 0;
}

/// Its length is that of all, two bytes and more.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(len = n - 5 + 5)]
struct Whole {
    n: u8,
    #[bin(until_end)]
    data: Vec<u8>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct NotHeld {
    n: Auto<u8>,
    #[bin(len = n - 5 + 5)]
    data: Vec<u8>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Branches {
    wide: bool,
    n: u8,
    m: u8,
    #[bin(len = if wide { n - 5 + 5 } else { m - 3 + 3 })]
    data: Vec<u8>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Located {
    at: u8,
    #[bin(at = at - 9 + 8)]
    data: u8,
}

#[test]
fn no_such_sum_is_written_that_is_not_read() {
    for len in 0..8 {
        let data = vec![7; len];
        let whole = Whole { n: 0, data: data.clone() };
        assert_eq!(laws::written_is_read(&whole, ()).unwrap().is_ok(), len >= 4);
        let not_held = NotHeld { n: Auto::new(), data: data.clone() };
        assert_eq!(laws::written_is_read(&not_held, ()).unwrap().is_ok(), len >= 5);
        for (wide, least) in [(true, 5), (false, 3)] {
            let branches = Branches { wide, n: 0, m: 0, data: data.clone() };
            assert_eq!(laws::written_is_read(&branches, ()).unwrap().is_ok(), len >= least);
        }
    }
    for at in 0..20 {
        let written = laws::written_is_read(&Located { at, data: 7 }, ()).unwrap();
        assert_eq!(written.is_ok(), at >= 9, "{at}: {written:?}");
    }
}
