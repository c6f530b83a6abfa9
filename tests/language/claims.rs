//! What says where a value lies, how long it is or how many there are is named by errors: the number itself.

use binfmt_runtime::{BinFormat, Class, DefaultArgs};

#[derive(BinFormat, Clone, Debug)]
#[bin(little)]
struct Branches {
    version: u8,
    #[bin(if = version < 2)]
    short: Option<u8>,
    #[bin(if = version >= 2)]
    long: Option<u16>,
    #[bin(len = if version < 2 { short } else { long })]
    body: Vec<u8>,
    #[bin(at = if version == 1 { short * 2 } else { version })]
    apart: u8,
}

#[derive(BinFormat, Clone, Debug)]
#[bin(little)]
struct Head {
    name: [u8; 2],
    at: u16,
    inner: Inner,
}

#[derive(BinFormat, Clone, Debug)]
#[bin(little)]
struct Inner {
    flags: u8,
    len: u8,
}

#[derive(BinFormat, Clone, Debug)]
#[bin(little)]
struct Parts {
    head: Head,
    #[bin(prefix = u8)]
    rows: Vec<Head>,
    #[bin(at = head.at, len = head.inner.len)]
    body: Vec<u8>,
    #[bin(for_each = rows, at = it.at, len = it.inner.len)]
    bodies: Vec<Vec<u8>>,
}

/// Rows whose places are not known where they lie in memory: the bytes of all of them.
#[derive(BinFormat, Clone, Debug)]
#[bin(little)]
struct OpenRows {
    #[bin(prefix = u8)]
    rows: Vec<OpenRow>,
    #[bin(for_each = rows, at = it.at, len = 1)]
    bodies: Vec<Vec<u8>>,
}

#[derive(BinFormat, Clone, Debug)]
struct OpenRow {
    at: u8,
    #[bin(prefix = u8)]
    name: String,
}

#[derive(BinFormat, Clone, Debug)]
#[bin(little)]
struct Rest {
    #[bin(len = remaining - 4)]
    body: Vec<u8>,
    sum: u32,
}

/// The first finding, and where it is.
fn first<'a, T: BinFormat<'a> + DefaultArgs<'a>>(file: &'a [u8]) -> String {
    let report = T::validate(file);
    let stopped = T::parse(file).map(|_| ()).unwrap_err();
    let [finding, ..] = report.findings() else { panic!("no finding") };
    assert_eq!(stopped.finding().path, finding.path, "{report}");
    assert_eq!(stopped.finding().start, finding.start, "{report}");
    format!("{} {}..{} {}", finding.path, finding.start, finding.end, finding.code)
}

#[test]
fn of_a_branch_the_one_that_is_taken_is_named() {
    assert_eq!(first::<Branches>(b"\0\x09"), "short 1..2 size");
    assert_eq!(first::<Branches>(b"\x02\x09\0"), "long 1..3 size");
    assert_eq!(first::<Branches>(b"\x01\x07abcdefg"), "short 1..2 offset");
    assert_eq!(first::<Branches>(b"\x09\0\0"), "version 0..1 offset");
}

#[test]
fn of_a_nested_value_the_number_in_it_is_named() {
    assert_eq!(first::<Parts>(b"nm\x63\0\0\x01\0"), "head.at 2..4 offset");
    assert_eq!(first::<Parts>(b"nm\x01\0\0\x63\0"), "head.inner.len 5..6 size");
    assert_eq!(first::<Parts>(b"nm\x01\0\0\x01\x01nm\x63\0\0\0"), "rows[0].at 9..11 offset");
    assert_eq!(
        first::<Parts>(b"nm\x01\0\0\x01\x01nm\x01\0\0\x63"),
        "rows[0].inner.len 12..13 size"
    );
    assert_eq!(first::<OpenRows>(b"\x02\x01\x01a\x63\0"), "rows[1].at 0..6 offset");
}

#[test]
fn more_bytes_may_come_where_the_rest_of_the_input_is_too_short() {
    assert_eq!(first::<Rest>(b"abc"), "body 0..3 size");
    assert_eq!(Rest::parse(b"abc").unwrap_err().finding().class, Class::Incomplete);
}
