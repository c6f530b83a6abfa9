//! Constants: those of fields, those that a type has a choice of, and comparisons with bytes.

use binfmt_runtime::{Auto, BinFormat, Layout};

use super::{findings, refused, same, stopped};

#[derive(BinFormat, Debug, PartialEq, Clone, Default)]
#[bin(big, magic = [b"RIFF", b"RF64"])]
struct Wave<'a> {
    #[bin(magic)]
    signature: [u8; 4],
    #[bin(check(form == b"WAVE" || form == b"AVI ", "no such form"))]
    form: [u8; 4],
    #[bin(if = signature == b"RF64" && form != b"AVI ")]
    wide: Option<u16>,
    len: Auto<u8>,
    #[bin(len = len, note(name != b"none", "it has no name"))]
    name: &'a [u8],
}

#[test]
fn the_alternative_that_is_there_is_kept() {
    let plain = Wave { signature: *b"RIFF", form: *b"WAVE", name: b"ab", ..Wave::default() };
    same(&plain, b"RIFFWAVE\x02ab");
    let wide = Wave { signature: *b"RF64", wide: Some(7), ..plain.clone() };
    same(&wide, b"RF64WAVE\0\x07\x02ab");
    same(&Wave { signature: *b"RF64", form: *b"AVI ", ..plain.clone() }, b"RF64AVI \x02ab");
    assert_eq!(stopped::<Wave<'_>>(b"RIFXWAVE\0"), "signature magic");
    assert_eq!(stopped::<Wave<'_>>(b"RIF"), "signature end");
    assert_eq!(stopped::<Wave<'_>>(b"RIFFwave\0"), "form Wave.form");
    assert_eq!(findings::<Wave<'_>>(b"RIFFWAVE\x04none"), ["note name Wave.name"]);
    assert_eq!(refused(&Wave { signature: *b"RIFX", ..plain }), "signature magic");
}

#[test]
fn the_layout_knows_every_alternative() {
    let magics = |layout: &'static Layout| layout.magics().collect::<Vec<_>>();
    assert_eq!(magics(Wave::LAYOUT), [b"RIFF", b"RF64"]);
    assert_eq!(magics(Chunk::LAYOUT), [b"ch"]);
    // A field begins behind its magic.
    assert_eq!(Prefixed::LAYOUT.field(0).offset, Some(1));
    assert_eq!(Prefixed::LAYOUT.field(1).offset, Some(4));
    assert!(
        Wave::LAYOUT.to_markdown().contains("`52 49 46 46` (`RIFF`) or `52 46 36 34` (`RF64`)")
    );
}

#[derive(BinFormat, Debug, PartialEq, Clone, Default)]
#[bin(little, magic = b"ch")]
struct Chunk {
    kind: u8,
    #[bin(if = kind != 0, align_before = 4, magic = 0x0102u16)]
    number: Option<u16>,
    #[bin(big, magic = 0x0304u16)]
    list: [u16; 2],
    #[bin(magic = b"(", len = 2, nul, pad_after = 1)]
    text: String,
    len: u8,
    #[bin(pad_to = len, magic = b"[")]
    last: u8,
}

#[test]
fn a_field_has_its_magic_right_before_its_value() {
    let chunk = Chunk { list: [1, 2], text: "ab".to_owned(), len: 2, last: 9, ..Chunk::default() };
    same(&chunk, b"ch\0\x03\x04\0\x01\0\x02(ab\0\0\x02[\x09\0");
    let number = Chunk { kind: 1, number: Some(5), ..chunk };
    same(&number, b"ch\x01\0\x02\x01\x05\0\x03\x04\0\x01\0\x02(ab\0\0\x02[\x09\0");
    assert_eq!(stopped::<Chunk>(b"ch\0\x04\x03\0\x01\0\x02(ab\0\0\x02[\x09\0"), "magic magic");
    assert_eq!(
        stopped::<Chunk>(b"ch\x01\0\x02\x02\x05\0\x03\x04\0\x01\0\x02(ab\0\0\x02[\x09\0"),
        "magic magic"
    );
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Prefixed {
    #[bin(magic = b"a")]
    first: u8,
    #[bin(magic = b"bc")]
    second: [u8; 2],
}

#[test]
fn what_a_value_needs_includes_the_magics_of_its_fields() {
    same(&Prefixed { first: 1, second: [2, 3] }, b"a\x01bc\x02\x03");
    assert_eq!(stopped::<Prefixed>(b"a\x01bc\x02"), "second end");
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(big, origin)]
struct Located {
    at: u8,
    room: u8,
    #[bin(section, len = room)]
    bytes: Vec<u8>,
    #[bin(at = at, place = bytes, magic = b"#")]
    number: u16,
    #[bin(calc = start(end) + len(end))]
    size: u8,
    #[bin(magic = b"end")]
    end: u8,
}

#[test]
fn a_located_field_begins_with_its_magic() {
    let value =
        Located { at: 3, room: 4, bytes: b".#\0\x05".to_vec(), number: 5, size: 11, end: 1 };
    same(&value, b"\x03\x04.#\0\x05\x0bend\x01");
    assert_eq!(stopped::<Located>(b"\x02\x04.#\0\x05\x0bend\x01"), "magic magic");
}

#[derive(BinFormat, Debug, PartialEq, Clone, Default)]
#[bin(big)]
struct Framed {
    #[bin(magic = b"<", pad_after = 1)]
    open: (),
    count: Auto<u8>,
    #[bin(len = count)]
    items: Vec<u8>,
    #[bin(if = count > 1, magic = 0x1234u16)]
    many: Option<()>,
    #[bin(magic = b"END")]
    end: (),
}

#[test]
fn a_constant_stands_where_no_value_does() {
    let one = Framed { items: vec![7], ..Framed::default() };
    same(&one, b"<\0\x01\x07END");
    let two = Framed { items: vec![7, 8], many: Some(()), ..Framed::default() };
    same(&two, b"<\0\x02\x07\x08\x12\x34END");
    assert_eq!(stopped::<Framed>(b"<\0\x01\x07EN"), "magic end");
    assert_eq!(stopped::<Framed>(b"<\0\x01\x07ENX"), "magic magic");
    assert_eq!(stopped::<Framed>(b"<\0\x02\x07\x08\x12\x35END"), "magic magic");
    assert_eq!(refused(&Framed { many: None, ..two }), "many presence");
}

#[derive(BinFormat, Debug, PartialEq)]
#[bin(big)]
enum Packed {
    #[bin(magic = 0u8..=0x7f)]
    Small(u8),
    #[bin(magic = 0x80u8..=0x83)]
    List(u8, #[bin(prefix = u8)] Vec<u8>),
    #[bin(magic = [0xc2u8, 0xc3])]
    Flag(u8),
    #[bin(magic = [0xccu8, 0xd0u8..=0xd2])]
    Wide(u8, u16),
}

#[derive(BinFormat, Debug, PartialEq)]
enum Picture {
    #[bin(magic = [b"P5", b"P6"])]
    Raw([u8; 2], u8),
    #[bin(magic = [b"P1", b"P2"])]
    Plain([u8; 2]),
    #[bin(magic = b"P")]
    Newer,
    Other {
        first: u8,
    },
}

#[derive(BinFormat, Debug, PartialEq)]
#[bin(big)]
enum Order {
    #[bin(magic = [0x0001u16, 0x0100u16])]
    Either([u8; 2]),
    #[bin(magic = 3u16)]
    One,
}

#[derive(BinFormat, Debug, PartialEq)]
struct Album {
    #[bin(until_end)]
    pictures: Vec<Picture>,
}

#[test]
fn a_variant_keeps_the_one_of_its_magics_that_is_there() {
    same(&Packed::Small(5), &[5]);
    same(&Packed::List(0x83, vec![7]), &[0x83, 1, 7]);
    same(&Packed::Flag(0xc3), &[0xc3]);
    same(&Packed::Wide(0xcc, 0x102), &[0xcc, 1, 2]);
    same(&Packed::Wide(0xd2, 0x102), &[0xd2, 1, 2]);
    same(&Picture::Raw(*b"P6", 1), b"P6\x01");
    same(&Picture::Plain(*b"P1"), b"P1");
    same(&Order::Either([1, 0]), &[1, 0]);
    assert_eq!(stopped::<Packed>(&[0xc1]), " variant");
    assert_eq!(stopped::<Packed>(&[0xcf, 0, 0]), " variant");
    assert_eq!(Picture::parse(b"P3").unwrap(), Picture::Newer);
}

#[test]
fn a_variant_is_written_with_a_magic_of_its_own() {
    assert_eq!(refused(&Packed::Small(0x80)), " magic");
    assert_eq!(refused(&Packed::Wide(0xcd, 0)), " magic");
    assert_eq!(refused(&Picture::Raw(*b"P1", 0)), " magic");
    assert_eq!(refused(&Picture::Raw(*b"XX", 0)), " magic");
    assert_eq!(refused(&Order::Either([3, 0])), " magic");
    // What follows a shorter magic must not make one of a variant in front.
    assert_eq!(refused(&Picture::Other { first: b'P' }), " variant");
    let album = |first| Album { pictures: vec![Picture::Newer, Picture::Other { first }] };
    assert_eq!(refused(&album(b'2')), "pictures[0] variant");
    same(&album(b'3'), b"P3");
}

#[derive(BinFormat, Debug, PartialEq, Clone, Default)]
#[bin(magic = [b"GIF87a", b"GIF89a"])]
struct Gif {
    #[bin(magic)]
    magic: [u8; 6],
    width: u8,
}

#[derive(BinFormat, Debug, PartialEq)]
#[bin(peek = 0)]
enum Peeked {
    #[bin(magic = [b"GIF87a", b"GIF89a"])]
    Gif(Gif),
    Other(u8),
}

#[test]
fn several_magics_are_peeked_at() {
    for magic in [b"GIF87a", b"GIF89a"] {
        let bytes = [&magic[..], &[9]].concat();
        same(&Peeked::Gif(Gif { magic: *magic, width: 9 }), bytes.leak());
    }
    same(&Peeked::Other(b'G'), b"G");
    let strange = Gif { magic: *b"GIF88a", width: 9 };
    assert_eq!(refused(&Peeked::Gif(strange)), "magic magic");
}

#[test]
fn the_layout_knows_every_magic_of_the_variants() {
    let magics = |layout: &'static Layout| layout.magics().collect::<Vec<_>>();
    assert_eq!(magics(Order::LAYOUT), [[0, 1], [1, 0], [0, 3]]);
    assert_eq!(magics(Packed::LAYOUT).len(), 0x80 + 4 + 2 + 4);
    // One that has no magic may begin with anything.
    assert_eq!(magics(Picture::LAYOUT), [b""; 0]);
}
