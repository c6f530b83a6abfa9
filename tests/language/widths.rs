//! Numbers of variable width around values whose places are found out while they are written.

use binfmt_runtime::{Auto, BinFormat, Leb128, laws};

#[derive(BinFormat, Debug, Clone, PartialEq, Default)]
#[bin(little)]
struct Entry {
    to: u16,
    #[bin(at = to, place = around, nul, align_before = 2, base = file)]
    name: String,
}

#[derive(BinFormat, Debug, Clone, PartialEq, Default)]
#[bin(little)]
struct Body {
    #[bin(prefix = u8)]
    entries: Vec<Entry>,
    data_len: u16,
    #[bin(section = open, len = data_len)]
    data: Vec<u8>,
}

#[derive(BinFormat, Debug, Clone, PartialEq, Default)]
struct Prefixed {
    #[bin(prefix = Leb128<u16>)]
    body: Body,
    end: u8,
}

fn entry(to: u16, name: &str) -> Entry {
    Entry { to, name: name.into() }
}

/// A prefix has a byte more than it needs where it would need it without: that moves what it measures to
/// other padding. Such a file is reported, and a writer that knows the places again finds the shorter one.
#[test]
fn a_prefix_that_moves_what_it_measures_is_written_and_reported() {
    let (mut too_wide, mut written) = (0, 0);
    for (to, longest) in (0..140).flat_map(|to| (20..60).map(move |longest| (to, longest))) {
        let names = ["a", &"b".repeat(longest), "c"];
        let entries = [0, to, 0].into_iter().zip(names).map(|(to, name)| entry(to, name)).collect();
        let value = Prefixed { body: Body { entries, ..Body::default() }, end: 7 };
        let bytes = laws::written_is_read(&value, ()).unwrap().unwrap();
        written += 1;
        if Prefixed::parse(bytes).unwrap().to_vec().unwrap() != bytes {
            let report = Prefixed::validate(bytes);
            assert!(report.findings().iter().any(|found| found.code == "canonical"), "{report}");
            too_wide += 1;
        }
    }
    assert!(too_wide > 0 && too_wide < written / 50, "{too_wide} of {written}");
}

/// An `Auto` keeps nothing of the number that was read, nor how long it was.
#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Told {
    to: Auto<Leb128<u32>>,
    head: [u8; 126],
    #[bin(at = to, until_end)]
    body: Vec<u8>,
}

/// The number is 127 in one byte, or 128 in two, which move the value behind it to 128.
#[test]
fn of_two_files_with_one_value_the_shorter_is_written() {
    let file = |to: &[u8]| [to, &[9; 126], b"xyz"].concat();
    let (short, long) = (file(&[127]), file(&[0x80, 1]));
    for bytes in [&short, &long] {
        assert!(laws::hold::<Told>(bytes, ()).unwrap().findings().is_empty());
        assert_eq!(Told::parse(bytes).unwrap().to_vec().unwrap(), short);
    }
    assert_eq!(Told::parse(&short).unwrap(), Told::parse(&long).unwrap());
}

/// A plain number keeps how long it was.
#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Kept {
    to: Leb128<u32>,
    head: [u8; 126],
    #[bin(at = to, until_end)]
    body: Vec<u8>,
}

#[test]
fn a_plain_number_tells_which_of_the_two_files_it_was() {
    for to in [&[127][..], &[0x80, 1]] {
        let bytes = [to, &[9; 126], b"xyz"].concat();
        laws::hold::<Kept>(&bytes, ()).unwrap();
        assert_eq!(Kept::parse(&bytes).unwrap().to_vec().unwrap(), bytes);
    }
}

/// Each level tells a place and a length in as many bytes as they need, which the levels inside of it decide.
#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Level {
    at: Leb128<u32>,
    #[bin(at = at, base = file)]
    pair: [u8; 2],
    more: u8,
    #[bin(if = more == 1, prefix = Leb128<u32>)]
    next: Option<Box<Self>>,
}

#[test]
fn widths_that_follow_from_one_another_are_the_least_however_deep() {
    let level = |next: Option<Level>| Level {
        at: 0_u32.into(),
        pair: [1, 2],
        more: u8::from(next.is_some()),
        next: next.map(Box::new),
    };
    for levels in [1, 10, 30, 36, 40, 50, 60] {
        let value = (0..levels).fold(level(None), |value, _| level(Some(value)));
        let written = value.to_vec().unwrap();
        let again = Level::parse(&written).unwrap().to_vec().unwrap();
        assert!(again == written, "{levels} levels: {} and {} bytes", written.len(), again.len());
    }
}
