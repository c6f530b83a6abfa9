//! Optional fields and arguments.

use binfmt_runtime::{Auto, BinFormat, Seq};

use super::{findings, refused, same, stopped, survives};

#[derive(BinFormat, Debug, PartialEq, Default, Clone)]
#[bin(big)]
struct Versioned<'a> {
    version: u8,
    #[bin(if = version >= 2, check(is_small(size), "{size:?} is too much"))]
    size: Option<u16>,
    #[bin(if = version == 3, align_before = 4)]
    inner: Option<Inner>,
    #[bin(if = version > 3 && version < 9 || version == 0xff, len = 2, nul)]
    name: Option<&'a str>,
    #[bin(if = !(version <= 4))]
    pair: Option<[u16; 2]>,
}

#[derive(BinFormat, Debug, PartialEq, Default, Clone)]
#[bin(big, magic = b"I")]
struct Inner {
    value: u8,
}

fn is_small(size: &Option<u16>) -> bool {
    size.is_none_or(|size| size < 0x100)
}

#[test]
fn an_optional_field_is_there_when_its_condition_holds() {
    let version = |version| Versioned { version, ..Versioned::default() };
    let (size, inner) = (Some(4), Some(Inner { value: 5 }));
    same(&version(1), &[1]);
    same(&Versioned { size, ..version(2) }, &[2, 0, 4]);
    same(&Versioned { size, inner: inner.clone(), ..version(3) }, &[3, 0, 4, 0, b'I', 5]);
    same(&Versioned { size, name: Some("ab"), ..version(4) }, &[4, 0, 4, b'a', b'b', 0]);
    same(&Versioned { size, pair: Some([6, 7]), ..version(10) }, &[10, 0, 4, 0, 6, 0, 7]);
    assert_eq!(stopped::<Versioned<'_>>(&[3, 0, 4, 0, b'J', 5]), "inner magic");
    assert_eq!(stopped::<Versioned<'_>>(&[2, 1, 0]), "size Versioned.size");
}

#[test]
fn presence_and_condition_must_agree_on_write() {
    let size = Some(4);
    assert_eq!(refused(&Versioned { version: 1, size, ..Versioned::default() }), "size presence");
    assert_eq!(refused(&Versioned { version: 2, ..Versioned::default() }), "size presence");
    assert_eq!(refused(&Versioned { version: 10, size, ..Versioned::default() }), "pair presence");
    assert_eq!(refused(&Versioned { version: 2, size: Some(0x100), ..Versioned::default() }), "size Versioned.size");
    assert_eq!(refused(&Versioned { version: 4, size, name: Some("abc"), ..Versioned::default() }), "name derived");
}

#[derive(BinFormat, Debug, PartialEq, Default, Clone)]
#[bin(little, args(wide: bool = false, limit: u16 = 100))]
struct Record {
    #[bin(if = wide)]
    high: Option<u16>,
    #[bin(check(low <= limit, "{low} is more than {limit}"))]
    low: u16,
}

#[derive(BinFormat, Debug, PartialEq, Default)]
#[bin(little)]
struct Table<'a> {
    flags: u8,
    limit: u16,
    count: Auto<u8>,
    #[bin(args(wide = flags & 1 != 0, limit))]
    first: Record,
    #[bin(count = count, args(wide = flags == 3, limit = limit))]
    records: Seq<'a, Record>,
    #[bin(until_end, args(true, limit))]
    rest: Vec<Record>,
}
