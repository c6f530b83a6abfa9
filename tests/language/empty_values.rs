//! Located values without bytes whose offsets say whether they are there.

use binfmt_runtime::{BinFormat, laws};

/// Each of the two offsets has a condition of its own.
#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Absent {
    at: u8,
    len: u8,
    #[bin(if = at != 0, at = at, len = len)]
    value: Option<Vec<u8>>,
    more: u8,
    #[bin(if = more > 0, at = more, until_end)]
    rest: Option<Vec<u8>>,
}

#[test]
fn a_value_without_bytes_lies_where_its_offset_says_that_it_is_there() {
    let absent = |at, value: Option<&[u8]>, more, rest: Option<&[u8]>| {
        let (value, rest) = (value.map(<[u8]>::to_vec), rest.map(<[u8]>::to_vec));
        Absent { at, len: 0, value, more, rest }.to_vec().unwrap()
    };
    assert_eq!(absent(0, Some(b""), 0, None), [3, 0, 0]);
    assert_eq!(absent(0, Some(b""), 0, Some(b"")), [3, 0, 3]);
    assert_eq!(absent(0, Some(b"a"), 0, Some(b"b")), [3, 1, 4, b'a', b'b']);
    assert_eq!(absent(0, None, 0, None), [0, 0, 0]);
    for bytes in [absent(0, Some(b""), 0, Some(b"")), absent(0, Some(b"a"), 0, Some(b""))] {
        let bytes: &'static [u8] = bytes.leak();
        laws::hold::<Absent>(bytes, ()).unwrap();
    }
}
