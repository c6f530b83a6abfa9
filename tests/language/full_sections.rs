//! Sections that keep their length: what no longer fits where it lay is placed anew.

use binfmt_runtime::{Auto, BinFormat, laws};

use super::refused;

/// One value in a page.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(len = 16)]
struct Page {
    at: u8,
    len: Auto<u8>,
    #[bin(section, len = 14)]
    space: Vec<u8>,
    #[bin(at = at, len = len, base = space, place = space)]
    value: Vec<u8>,
}

/// Rows of a table in a page.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(len = 16)]
struct Rows {
    count: Auto<u8>,
    #[bin(count = count)]
    table: Vec<(u8, u8)>,
    #[bin(section, len = remaining)]
    space: Vec<u8>,
    #[bin(for_each = table, at = it.0, len = it.1, base = start, place = space)]
    values: Vec<Vec<u8>>,
}

/// The same where values of the types inside may lie.
#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Open {
    len: u8,
    at: u8,
    #[bin(calc = 7)]
    limit: u8,
    #[bin(section = open, len = limit)]
    space: Vec<u8>,
    #[bin(at = at, place = space)]
    node: Node,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Node {
    to: u8,
    #[bin(at = to, place = around, prefix = u8)]
    text: String,
}

#[track_caller]
fn written<T>(value: &T) -> &'static [u8]
where
    T: BinFormat<'static, Args = ()> + std::fmt::Debug + PartialEq,
{
    laws::written_is_read(value, ()).unwrap().unwrap()
}

#[test]
fn a_value_that_grows_is_placed_where_there_is_room() {
    let read = Page::parse(b"\x09\x03.........abc..").unwrap();
    assert_eq!(written(&read), b"\x09\x03.........abc..");
    let fits = Page { value: b"abcde".into(), ..read.clone() };
    assert_eq!(written(&fits), b"\x09\x05.........abcde");
    let grown = Page { value: b"abcdefgh".into(), ..read.clone() };
    assert_eq!(written(&grown), b"\x00\x08abcdefgh.abc..");
    assert_eq!(refused(&Page { value: vec![1; 15], ..read.clone() }), " space");
    // A section is as long as its bytes.
    assert_eq!(refused(&Page { space: vec![0; 13], ..read }), "space derived");
}

#[test]
fn a_row_more_finds_its_place() {
    let read = Rows::parse(b"\x02\x08\x02\x0e\x02...ab....cd").unwrap();
    let mut more = read.clone();
    more.table.push((0, 0));
    more.values.push(b"z".to_vec());
    more.space.truncate(9);
    let again = Rows::parse(written(&more)).unwrap();
    assert_eq!(again.values, more.values);
    more.values[0] = vec![1; 6];
    assert_eq!(Rows::parse(written(&more)).unwrap().values, more.values);
    more.values[0] = vec![1; 7];
    assert_eq!(refused(&more), " space");
}

#[test]
fn values_inside_others_are_placed_anew_as_well() {
    let read = Open::parse(b"\0\x06\x07...\x07\x01a..").unwrap();
    assert_eq!(read.node.text, "a");
    let text = |text: &str| Open { node: Node { to: 7, text: text.into() }, ..read.clone() };
    for grown in ["ab", "abc", "abcd", "abcde"] {
        assert_eq!(Open::parse(written(&text(grown))).unwrap().node.text, grown);
    }
    assert_eq!(refused(&text("abcdef")), " space");
}

/// Sections whose length a number follows from, one way or another: they grow.
mod growing {
    use binfmt_runtime::BinFormat;

    #[derive(BinFormat, Debug, Clone, PartialEq)]
    pub(super) struct Scaled {
        pub(super) count: u8,
        pub(super) at: u8,
        #[bin(section, len = count * 4)]
        pub(super) space: Vec<u8>,
        #[bin(at = at, base = space, place = space, prefix = u8)]
        pub(super) value: Vec<u8>,
    }

    #[derive(BinFormat, Debug, Clone, PartialEq)]
    pub(super) struct Measured {
        #[bin(calc = len(space))]
        pub(super) len: u8,
        pub(super) at: u8,
        #[bin(section, len = len)]
        pub(super) space: Vec<u8>,
        #[bin(at = at, base = space, place = space, prefix = u8)]
        pub(super) value: Vec<u8>,
    }

    #[derive(BinFormat, Debug, Clone, PartialEq)]
    #[bin(len = total)]
    pub(super) struct Whole {
        #[bin(calc = end(space))]
        pub(super) total: u8,
        pub(super) at: u8,
        #[bin(section, len = remaining)]
        pub(super) space: Vec<u8>,
        #[bin(at = at, base = space, place = space, prefix = u8)]
        pub(super) value: Vec<u8>,
    }

    #[derive(BinFormat, Debug, Clone, PartialEq)]
    pub(super) struct Headed {
        #[bin(set(len = len(space)))]
        pub(super) head: Head,
        #[bin(section, len = head.len)]
        pub(super) space: Vec<u8>,
        #[bin(at = 0, base = space, place = space, prefix = u8)]
        pub(super) value: Vec<u8>,
    }

    #[derive(BinFormat, Debug, Clone, PartialEq)]
    pub(super) struct Head {
        pub(super) len: u8,
    }
}

#[test]
fn a_section_grows_whose_length_a_number_follows_from() {
    use growing::{Head, Headed, Measured, Scaled, Whole};

    for len in [1, 3, 7, 11, 23] {
        let (space, value) = (|| vec![0; 4], || vec![9; len]);
        written(&Scaled { count: 1, at: 0, space: space(), value: value() });
        written(&Measured { len: 4, at: 0, space: space(), value: value() });
        written(&Whole { total: 6, at: 0, space: space(), value: value() });
        written(&Headed { head: Head { len: 4 }, space: space(), value: value() });
    }
}
