//! Tables whose bodies have other words too, and rows of other kinds of numbers.

use binfmt_runtime::{Auto, BinFormat, Leb128};

use super::{findings, refused, same, stopped};

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(big)]
struct Words<'a> {
    count: Auto<u8>,
    #[bin(count = count)]
    rows: Vec<u16>,
    #[bin(for_each = rows, at = it, prefix = u16, magic = b"#")]
    bodies: Vec<&'a str>,
}

#[test]
fn bodies_have_a_magic_and_a_prefix() {
    let value = Words { count: Auto::new(), rows: vec![5, 10], bodies: vec!["ab", "c"] };
    same(&value, b"\x02\0\x05\0\x0a#\0\x02ab#\0\x01c");
    assert_eq!(stopped::<Words<'_>>(b"\x01\0\x03!\0\x01c"), "bodies[0].magic magic");
    assert_eq!(stopped::<Words<'_>>(b"\x01\0\x03#\0\x02c"), "bodies[0] size");
    let bytes = b"\x02\0\x05\0\x09#\0\x01a#\0\x02c";
    assert_eq!(stopped::<Words<'_>>(bytes), "bodies[1] size");
    let report = Words::validate(bytes);
    let [finding] = report.findings() else { panic!("{report}") };
    assert_eq!((finding.start, finding.end), (10, 12));
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(big)]
struct Texts<'a> {
    rows: [u16; 2],
    #[bin(for_each = rows, at = it, nul)]
    names: Vec<&'a str>,
    others: [u16; 2],
    #[bin(for_each = others, at = it, len = 4, trim = 0x20)]
    short: Vec<String>,
}

#[test]
fn bodies_end_at_a_nul_or_are_trimmed() {
    let value = Texts {
        rows: [8, 11],
        names: vec!["ab", ""],
        others: [12, 16],
        short: vec!["x".into(), "abcd".into()],
    };
    same(&value, b"\0\x08\0\x0b\0\x0c\0\x10ab\0\0x   abcd");
    assert_eq!(stopped::<Texts<'_>>(b"\0\x08\0\x08\0\x08\0\x08abcd"), "names[0] nul");
    let long = Texts { short: vec!["abcde".into(), String::new()], ..value.clone() };
    assert_eq!(refused(&long), "short[0] size");
}

#[derive(BinFormat, Debug, PartialEq, Clone, Copy)]
#[bin(big, bits = u16, msb)]
struct Packed {
    #[bin(bits = 10)]
    at: u16,
    #[bin(bits = 6)]
    size: u8,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct BitRows<'a> {
    #[bin(count = 1)]
    rows: Vec<Packed>,
    #[bin(for_each = rows, at = it.at, len = it.size)]
    bodies: Vec<&'a [u8]>,
}

#[test]
fn rows_of_bit_fields_tell_places() {
    same(&BitRows { rows: vec![Packed { at: 2, size: 3 }], bodies: vec![b"abc"] }, b"\0\x83abc");
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(big)]
struct Tagged {
    rows: [u16; 1],
    #[bin(for_each = rows, at = it, with = tagged)]
    bodies: Vec<u8>,
}

/// A byte behind a mark.
mod tagged {
    use binfmt_runtime::{Cursor, Fault, Writer};

    pub(super) fn read(cur: &mut Cursor<'_>) -> Result<u8, Fault> {
        let at = cur.pos();
        match cur.take_array::<2>() {
            Some([b'=', value]) => Ok(*value),
            _ => Err(Fault::at(at)),
        }
    }

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "`with` passes every value so")]
    pub(super) fn write(value: &u8, out: &mut Writer<'_>) -> Result<(), Fault> {
        out.put(&[b'=', *value])
    }
}

#[test]
fn bodies_are_read_by_functions_of_the_user() {
    same(&Tagged { rows: [2], bodies: vec![9] }, b"\0\x02=\x09");
    assert_eq!(stopped::<Tagged>(b"\0\x02!\x09"), "bodies[0] with");
}

#[test]
fn damaged_rows_are_told() {
    assert_eq!(findings::<BitRows<'_>>(b"\x01\x83abc"), ["error rows[0].at offset"]);
}

/// Items with numbers of variable length, which are told by hand.
#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Varying<'a> {
    #[bin(prefix = u8)]
    rows: Vec<VaryingRow>,
    #[bin(for_each = rows, at = it.offset, len = it.size.get())]
    bodies: Vec<&'a [u8]>,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little)]
struct VaryingRow {
    size: Leb128<u32>,
    offset: u16,
}

#[test]
fn a_number_of_variable_length_in_a_table_must_agree() {
    let row = |size, offset| VaryingRow { size: Leb128::new(size), offset };
    let value = Varying { rows: vec![row(2, 7), row(1, 9)], bodies: vec![b"ab", b"c"] };
    same(&value, b"\x02\x02\x07\0\x01\x09\0abc");
    let other = Varying { bodies: vec![b"abc", b"c"], ..value };
    assert_eq!(refused(&other), "bodies[0] derived");
}

/// A table that is an array of bytes, which are written at once elsewhere.
#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Bytes<'a> {
    first: u8,
    rows: [u8; 2],
    #[bin(for_each = rows, at = it, len = 1)]
    bodies: Vec<&'a [u8]>,
}

#[test]
fn bytes_are_a_table_too() {
    same(&Bytes { first: 1, rows: [4, 3], bodies: vec![b"b", b"a"] }, b"\x01\x04\x03ab");
    let new = Bytes { first: 1, rows: [0, 0], bodies: vec![b"b", b"a"] };
    assert_eq!(new.to_vec().unwrap(), b"\x01\x03\x04ba");
    assert_eq!(stopped::<Bytes<'_>>(b"\x01\x04\x09ab"), "rows[1] offset");
}

/// What stands around every body.
#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little)]
struct Framed<'a> {
    rows: [u8; 2],
    #[bin(for_each = rows, at = it, pad_before = 1, magic = b"M", len = 1, pad_after = 1)]
    bodies: Vec<&'a [u8]>,
}

#[test]
fn magic_and_padding_of_a_body_are_told_with_its_index() {
    same(&Framed { rows: [2, 6], bodies: vec![b"a", b"b"] }, b"\x02\x06\0Ma\0\0Mb\0");
    assert_eq!(stopped::<Framed<'_>>(b"\x02\x06\0Ma\0\0Nb\0"), "bodies[1].magic magic");
    assert_eq!(stopped::<Framed<'_>>(b"\x02\x06\0Ma\0\0"), "bodies[1].magic end");
    assert_eq!(
        findings::<Framed<'_>>(b"\x02\x06\0Ma\0.Mb."),
        ["warning bodies[1].padding padding", "warning bodies[1].padding padding"]
    );
}

/// Values that end with a constant.
#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Marked {
    #[bin(prefix = u8)]
    places: Vec<u8>,
    #[bin(prefix = u8)]
    sizes: Vec<u8>,
    #[bin(for_each = sizes, until = kept(b"|"), set(it = len(value)))]
    parts: Vec<Vec<u8>>,
    #[bin(for_each = places, at = it, until = b"/\n")]
    names: Vec<String>,
}

#[test]
fn values_of_a_table_end_with_a_constant() {
    let marked = |parts: [&[u8]; 2], names: [&str; 2]| Marked {
        places: vec![0; 2],
        sizes: vec![0; 2],
        parts: parts.map(Vec::from).into(),
        names: names.map(String::from).into(),
    };
    let value = marked([b"ab|", b"|"], ["long", ""]);
    let bytes = binfmt_runtime::laws::written_is_read(&value, ()).unwrap().unwrap();
    assert_eq!(bytes, b"\x02\x0a\x10\x02\x03\x01ab||long/\n/\n");
    crate::laws::hold::<Marked>(bytes, ());
    for wrong in [marked([b"ab", b"|"], ["", ""]), marked([b"|", b"|"], ["a/\nb", ""])] {
        assert_eq!(wrong.to_vec().unwrap_err().finding().code, "until");
    }
}
