//! Numbers that are set in coded bytes when more is known, and what follows from the decoded ones: their length, and
//! checksums over them.

use std::fmt::Debug;

use binfmt_runtime::{BinFormat, Crc32, DefaultArgs, Deflate, Encoded, Leb128, Wire, Xor, laws};

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Place {
    at: u8,
}

/// Both stand behind the coded value,
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct Behind {
    len: u8,
    #[bin(len = len, codec = Xor(3), set(at = start(data)))]
    head: Encoded<Xor, Place>,
    data: u8,
    #[bin(calc = decoded_len(head))]
    decoded: u8,
    #[bin(checksum(Crc32, over = decoded(head)))]
    sum: u32,
}

/// or in front of it.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct InFront {
    #[bin(checksum(Crc32, over = decoded(head)))]
    sum: u32,
    #[bin(calc = decoded_len(head))]
    decoded: Leb128<u32>,
    #[bin(prefix = Leb128<u16>, codec = Xor(3), set(at = start(data)))]
    head: Encoded<Xor, Place>,
    data: u8,
}

/// The number is a place, or a checksum over what lies there.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct Located {
    at: u8,
    #[bin(prefix = u8, codec = Xor(3), set(at = at, sum = sum))]
    head: Encoded<Xor, Entry>,
    #[bin(calc = decoded_len(head))]
    decoded: u8,
    #[bin(checksum(Crc32, over = data))]
    sum: u32,
    #[bin(at = at, prefix = u8)]
    data: Vec<u8>,
    #[bin(checksum(Crc32, over = decoded(head)))]
    of_head: u32,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct Entry {
    at: u8,
    sum: u32,
    more: Leb128<u16>,
}

/// It is measured by what lies around it.
#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Nested {
    len: u8,
    #[bin(len = len)]
    located: Located,
    end: u8,
}

/// A table in coded bytes: of values at offsets,
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct Table {
    len: u8,
    #[bin(len = len, codec = Xor(3))]
    head: Encoded<Xor, Rows>,
    #[bin(for_each = head.rows, at = it.at, len = it.len)]
    values: Vec<Vec<u8>>,
    #[bin(calc = decoded_len(head))]
    decoded: u8,
    #[bin(checksum(Crc32, over = decoded(head)))]
    sum: u32,
}

/// and of values one behind the other, whose checksums it keeps.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct Sequence {
    #[bin(calc = decoded_len(head))]
    decoded: u8,
    len: u8,
    #[bin(len = len, codec = Xor(3))]
    head: Encoded<Xor, Rows>,
    #[bin(for_each = head.rows, len = it.len, checksum(Crc32, it.sum))]
    values: Vec<Vec<u8>>,
    #[bin(checksum(Crc32, over = decoded(head)))]
    sum: u32,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct Rows {
    #[bin(prefix = u8)]
    rows: Vec<Row>,
}

#[derive(BinFormat, Debug, Clone, PartialEq, Default)]
#[bin(little)]
struct Row {
    at: u8,
    len: u8,
    sum: u32,
}

/// All products agree, no error is found, and what was read is written again.
fn written<T>(value: &T, len: usize)
where
    T: BinFormat<'static> + DefaultArgs<'static> + Wire<'static, Args = ()>,
    T: Clone + PartialEq + Debug,
{
    let bytes = laws::written_is_read(value, ()).unwrap().unwrap().to_vec();
    assert_eq!(bytes.len(), len, "{value:?} {bytes:02x?}");
    laws::settled(value, ()).unwrap().unwrap();
    assert_eq!(value.compact().to_vec().unwrap(), bytes);
    let bytes: &'static [u8] = bytes.leak();
    let report = T::validate(bytes);
    assert!(report.findings().is_empty(), "{value:?}: {report}");
    laws::hold::<T>(bytes, ()).unwrap();
}

fn coded<T>(value: T) -> Encoded<Xor, T> {
    Encoded::new(value)
}

#[test]
fn what_follows_from_decoded_bytes_follows_from_those_that_are_written() {
    for old in [0, 1, 77, 255] {
        let (sum, decoded) = (u32::from(old) * 3, old);
        let head = || coded(Place { at: old });
        written(&Behind { len: old, head: head(), data: 1, decoded, sum }, 8);
        written(&InFront { sum, decoded: u32::from(old).into(), head: head(), data: 1 }, 8);
        let located = || Located {
            at: 0,
            head: coded(Entry { at: old, sum, more: 300_u16.into() }),
            decoded,
            sum,
            data: vec![1, 2, 3],
            of_head: sum,
        };
        written(&located(), 22);
        written(&Nested { len: old, located: located(), end: 1 }, 24);
        let rows = || coded(Rows { rows: vec![Row { at: 0, len: old, sum }; 2] });
        let values = || vec![vec![1, 2], vec![3]];
        written(&Sequence { decoded, len: old, head: rows(), values: values(), sum }, 22);
        let rows = || coded(Rows { rows: vec![Row { at: 0, len: old, sum: 1 }; 2] });
        written(&Table { len: old, head: rows(), values: values(), decoded, sum }, 22);
    }
}

/// Numbers of variable length in bytes whose length follows from all of them.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct Deflated {
    len: u8,
    #[bin(len = len, set(at = start(data), end = end(data)))]
    head: Encoded<Deflate, Ends>,
    #[bin(len = 6)]
    data: Vec<u8>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct Ends {
    at: Leb128<u32>,
    end: Leb128<u32>,
    #[bin(until_end)]
    text: String,
}

/// Of some texts two files could be written, of which each is kept.
#[test]
fn coded_bytes_with_numbers_in_them_are_written_again_as_they_were() {
    let text = "ehsrmdlcwrtttbnwrwlunpmnrhskayfhqdmggxmtpsfwvvtfaaphsuoubygwhoiwrjflvsrswenpmbasqs\
                oevhzamopfpnubekgylnboftuhbqht";
    let (mut state, mut written) = (1_u32, 0);
    for step in 0..text.len() * 8 {
        state = state.wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
        let from = usize::try_from(state >> 16).unwrap() % text.len();
        let turned = format!("{}{}", &text[from..], &text[..from]);
        let text = if step == 0 { text.to_owned() } else { turned[step / 8..].to_owned() };
        let head = Encoded::new(Ends { at: 0.into(), end: 0.into(), text });
        // Of some no length can be found that fits the numbers which follow from it.
        let Ok(bytes) = (Deflated { len: 0, head, data: vec![7; 6] }).to_vec() else { continue };
        let bytes: &'static [u8] = bytes.leak();
        laws::hold::<Deflated>(bytes, ()).unwrap();
        let read = Deflated::parse(bytes).unwrap();
        assert_eq!(read.to_vec().unwrap(), bytes);
        // Another text, and the old one again: what was read does not decide it.
        let mut changed = read.clone();
        changed.head.text.push('!');
        let Ok(changed) = changed.to_vec() else { continue };
        laws::hold::<Deflated>(changed.leak(), ()).unwrap();
        written += 1;
    }
    assert!(written > text.len() * 7, "{written}");
}
