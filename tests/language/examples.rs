//! The examples of the reference, as they stand there.

#![allow(
    dead_code,
    unreachable_pub,
    clippy::struct_field_names,
    clippy::ptr_arg,
    clippy::trivially_copy_pass_by_ref,
    clippy::needless_pass_by_value,
    clippy::use_self,
    reason = "the examples show declarations"
)]

use binfmt_runtime::{
    Auto, BinFormat, Coded, Crc32, FbRef, FbVec, FlatBuffer, Lazy, Leb128, Reserved, Seq, U24,
    Utf16, encodings::Vlq,
};
use binfmt_runtime::{Deflate, Encoded, Xor, Zlib};

/// A list of named blobs.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little, magic = b"BLOB", len = size)]
pub struct Blobs<'a> {
    size: Auto<u32>,
    count: Auto<u16>,
    #[bin(count = count)]
    pub blobs: Seq<'a, Blob<'a>>,
}

/// One blob, padded so that the next one starts on 4 bytes.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little, align_after = 4)]
pub struct Blob<'a> {
    name_len: Auto<u8>,
    #[bin(check(data_len > 0, "the blob is empty"))]
    data_len: u32,
    #[bin(len = name_len)]
    pub name: &'a str,
    #[bin(len = data_len)]
    pub data: &'a [u8],
}

#[derive(BinFormat)]
#[bin(bound(T: Default))]
struct Row<T, const N: usize> {
    #[bin(prefix = u8)]
    name: String,
    cells: [T; N],
}

#[derive(BinFormat, Clone, Copy, Default)]
#[bin(endian = inherit)]
struct Span<T> {
    from: T,
    to: T,
}

#[derive(BinFormat)]
#[bin(big)]
struct Spans {
    short: Span<u16>,
    long: Span<u64>,
    row: Row<Span<u8>, 4>,
}

#[derive(BinFormat, Clone)]
enum Filter {
    #[bin(magic = b"!")]
    Not(Box<Filter>),
    Between(Between),
}

#[derive(BinFormat, Clone)]
struct Between {
    ends: (u8, u8),
}

#[derive(BinFormat)]
struct Query<'a> {
    #[bin(prefix = u8)]
    filter: Lazy<'a, Filter>,
}

#[derive(BinFormat)]
#[bin(big)]
struct Packet<'a> {
    kind: U24,
    len: Auto<Leb128<u32>>,
    #[bin(len = len)]
    body: &'a [u8],
}

#[derive(BinFormat)]
#[bin(big)]
struct Table {
    size: Auto<u32>,
    count: u16,
    #[bin(len = size - 2, count = count)]
    items: Vec<u64>,
}

#[derive(BinFormat)]
struct Word {
    #[bin(calc = if len(text) > 2 { 1 } else { 0 })]
    long: u8,
    #[bin(until_end)]
    text: String,
}

#[derive(BinFormat)]
#[bin(big)]
struct Index {
    #[bin(calc = fan_out(names))]
    fan: [u32; 256],
    #[bin(count = total(fan))]
    names: Vec<[u8; 20]>,
}

fn fan_out(names: &[[u8; 20]]) -> [u32; 256] {
    let mut fan = [0; 256];
    for name in names {
        fan[usize::from(name[0])..].iter_mut().for_each(|count| *count += 1);
    }
    fan
}

fn total(fan: &[u32; 256]) -> u32 {
    fan[255]
}

#[derive(BinFormat)]
struct Notes {
    #[bin(until = last.key == 0)]
    notes: Vec<Note>,
}

#[derive(BinFormat)]
struct Note {
    key: u8,
    #[bin(nul)]
    text: String,
}

#[derive(BinFormat)]
#[bin(big)]
struct Person {
    #[bin(prefix = u16)]
    name: String,
    #[bin(prefix = Leb128<u32>)]
    friends: Vec<Person>,
}

#[derive(BinFormat)]
#[bin(big)]
struct Trailed<'a> {
    kind: u8,
    #[bin(if = remaining >= 32)]
    hash: Option<[u8; 16]>,
    #[bin(len = remaining - 4)]
    data: &'a [u8],
    sum: u32,
    #[bin(skip)]
    label: String,
    #[bin(skip, default = 1)]
    weight: u32,
}

#[derive(BinFormat)]
#[bin(big)]
struct PngChunk {
    len: Auto<u32>,
    kind: [u8; 4],
    #[bin(len = len)]
    data: Vec<u8>,
    #[bin(checksum(Crc32, over = kind..=data))]
    crc: Auto<u32>,
}

#[derive(BinFormat)]
#[bin(little)]
struct Archive<'a> {
    #[bin(prefix = u16)]
    members: Vec<Member>,
    #[bin(for_each = members, at = it.at, len = it.len, checksum(Crc32, it.sum),
        set(it.number = index + 1))]
    bodies: Vec<&'a [u8]>,
    #[bin(checksum(Crc32, over = file))]
    file_sum: u32,
}

#[derive(BinFormat, Clone)]
#[bin(little)]
struct Member {
    number: u32,
    sum: u32,
    at: u32,
    len: u32,
}

#[derive(BinFormat)]
#[bin(little, len = 4096)]
struct TablePage<'a> {
    groups_count: Auto<u16>,
    #[bin(section, len = 4094 - groups_count * 34)]
    heap: &'a [u8],
    #[bin(count = groups_count)]
    groups: Vec<RowGroup>,
    #[bin(for_each = groups.offsets, if = group.present >> index & 1 != 0, at = it, base = heap,
        place = heap, len = 24)]
    rows: Vec<Option<&'a [u8]>>,
}

#[derive(BinFormat, Clone)]
#[bin(little)]
struct RowGroup {
    offsets: [u16; 16],
    present: u16,
}

#[derive(BinFormat)]
#[bin(little, warn(low <= high, "{low} is above {high}"))]
struct Range {
    #[bin(check(low < 100, "{low} is too much"), note(low != 0, "low is 0"))]
    low: u8,
    #[bin(error(high % 2 == 0, "{high} is odd", code = "odd"))]
    high: u8,
}

#[derive(BinFormat)]
#[bin(little)]
struct Steps {
    #[bin(range = 1..=3)]
    version: u8,
    #[bin(one_of = [b"UP", b"DN"])]
    direction: [u8; 2],
    #[bin(until_end, unique, sorted_by = it)]
    sizes: Vec<u16>,
}

#[derive(BinFormat)]
#[bin(little, level(padding = error))]
struct Strict {
    version: u8,
    #[bin(align_after = 4, level(reserved = note))]
    reserved: Reserved<2>,
    #[bin(level(trailing = error, "Part.size" = error))]
    part: Part,
}

#[derive(BinFormat)]
#[bin(little)]
struct Part {
    #[bin(warn(size > 0, "the part is empty"))]
    size: u32,
}

#[derive(BinFormat)]
#[bin(big, origin)]
struct Entry<'a> {
    strings_len: u8,
    name_at: u8,
    #[bin(section, len = strings_len)]
    strings: &'a [u8],
    last: u8,
    #[bin(at = name_at, null = 0, place = strings, len = 2)]
    name: Option<&'a [u8]>,
}

#[derive(BinFormat)]
#[bin(little, magic = b"PACK")]
struct Pack<'a> {
    dir_at: u32,
    dir_len: Auto<u32>,
    #[bin(at = dir_at, len = dir_len)]
    entries: Seq<'a, PackEntry>,
    #[bin(for_each = entries, at = it.offset, len = it.size)]
    bodies: Vec<&'a [u8]>,
}

#[derive(BinFormat, Clone)]
#[bin(little)]
struct PackEntry {
    name: [u8; 56],
    offset: u32,
    size: u32,
}

#[derive(BinFormat)]
#[bin(little)]
struct Symbols<'a> {
    count: Auto<u16>,
    texts_at: Auto<u32>,
    texts_len: Auto<u32>,
    #[bin(count = count)]
    symbols: Vec<Symbol>,
    #[bin(at = texts_at, len = texts_len)]
    texts: &'a [u8],
    #[bin(for_each = symbols, at = texts_at + it.name, nul, view)]
    names: Vec<&'a str>,
}

#[derive(BinFormat, Clone)]
#[bin(little)]
struct Symbol {
    name: u32,
    address: u32,
}

#[derive(BinFormat)]
#[bin(little, magic = b"COLS")]
struct Columns {
    #[bin(section, len = remaining - 8)]
    data: Vec<u8>,
    footer_len: u32,
    #[bin(magic = b"COLS")]
    end: (),
    #[bin(at = len(data) - footer_len, base = data, place = data, len = footer_len)]
    footer: String,
}

#[derive(BinFormat)]
#[bin(big, len = 4096)]
struct RowPage<'a> {
    count: Auto<u16>,
    #[bin(count = count)]
    rows_at: Vec<u16>,
    #[bin(section, len = remaining, grow = down)]
    space: &'a [u8],
    #[bin(for_each = rows_at, at = it, base = start, place = space)]
    rows: Vec<PageRow<'a>>,
}

#[derive(BinFormat)]
#[bin(big)]
struct PageRow<'a> {
    #[bin(prefix = u16)]
    text: &'a [u8],
}

#[derive(BinFormat)]
#[bin(big)]
struct Folder<'a> {
    #[bin(prefix = u16)]
    offsets: Vec<u32>,
    #[bin(for_each = offsets, at = it, until_next)]
    files: Vec<&'a [u8]>,
}

#[derive(BinFormat)]
#[bin(little, args(wide: bool = false, limit: u16 = 100))]
struct Record {
    #[bin(if = wide)]
    high: Option<u16>,
    #[bin(check(low <= limit, "{low} is more than {limit}"))]
    low: u16,
}

#[derive(BinFormat)]
#[bin(little)]
struct Records<'a> {
    flags: u8,
    limit: u16,
    count: Auto<u8>,
    #[bin(count = count, args(wide = flags == 3, limit))]
    records: Seq<'a, Record>,
}

#[derive(BinFormat)]
#[bin(big)]
#[repr(u16)]
enum Kind {
    Code = 1,
    Data = 2,
    #[bin(other)]
    Other(u16),
}

#[derive(BinFormat)]
#[bin(big)]
enum Chunk {
    #[bin(magic = b"END")]
    End,
    #[bin(magic = b"LEN")]
    Len(u32),
    #[bin(magic = 0x4e41u16)]
    Name(Name),
    #[bin(magic = b"TXT")]
    Text(#[bin(prefix = u8)] String),
    #[bin(magic = b"DOT")]
    Point {
        x: i16,
        #[bin(check(y < 100, "no screen is that high"))]
        y: i16,
    },
    Other(Name),
}

#[derive(BinFormat)]
struct Name {
    len: Auto<u8>,
    #[bin(len = len)]
    text: String,
}

#[derive(BinFormat, Clone, Copy)]
#[bin(big, bits = u16, msb)]
struct Header {
    #[bin(bits = 3)]
    version: u8,
    #[bin(bits = 1)]
    wide: bool,
    #[bin(bits = 12)]
    len: u16,
}

#[derive(BinFormat)]
struct Frame<'a> {
    header: Header,
    #[bin(if = header.wide)]
    extra: Option<u8>,
    #[bin(len = header.len)]
    data: &'a [u8],
}

#[derive(BinFormat)]
#[bin(little, tag = kind, args(kind: u16))]
enum Body<'a> {
    #[bin(id = 1)]
    Empty,
    #[bin(id = 2)]
    Title(Title<'a>),
    #[bin(id = 3 | 0x80..=0x8f)]
    Marked(u16, Title<'a>),
    #[bin(other)]
    Other(u16, Title<'a>),
}

#[derive(BinFormat)]
struct Title<'a> {
    #[bin(until_end)]
    text: &'a [u8],
}

#[derive(BinFormat)]
#[bin(little)]
struct Tagged<'a> {
    #[bin(calc = tag(body))]
    kind: Auto<u16>,
    len: Auto<u16>,
    #[bin(len = len, args(kind))]
    body: Body<'a>,
}

#[derive(BinFormat)]
#[bin(big, tag = kind, args(kind: [u8; 4]))]
enum PartBody {
    #[bin(id = b"SIZE")]
    Size((u32, u32)),
    #[bin(id = b"DONE")]
    Done,
}

#[derive(BinFormat)]
#[bin(big)]
struct NamedPart {
    len: Auto<u32>,
    #[bin(calc = tag(part))]
    kind: [u8; 4],
    #[bin(len = len, args(kind))]
    part: PartBody,
}

#[derive(BinFormat)]
#[bin(big, tag = kind, args(kind: [u8; 4], version: u8))]
enum Atom {
    #[bin(id = b"free" | b"skip")]
    Free([u8; 4]),
    #[bin(id = b"date" if version > 0)]
    Date(u64),
    #[bin(id = b"date")]
    ShortDate(u32),
}

#[derive(BinFormat)]
#[repr(u8)]
enum Opcode {
    Nop,
    Return,
    Jump = 0x10,
    #[bin(id = 0x80..=0x8f)]
    Load(u8),
    #[bin(id = 0xf0..)]
    Vendor(u8),
}

#[derive(BinFormat)]
#[bin(big, tag = (class, kind), args(class: [u8; 2], kind: u8))]
enum Datum {
    #[bin(id = (b"AB", 1))]
    Number(u32),
    #[bin(id = (b"AB", _))]
    Short(([u8; 2], u8), u16),
}

#[derive(BinFormat)]
#[bin(peek = 4)]
enum Model {
    #[bin(magic = b"EXT0")]
    Extended(Extended),
    Bare(Bare),
}

#[derive(BinFormat)]
#[bin(little)]
struct Extended {
    root: u32,
    #[bin(one_of = [b"EXT0"])]
    mark: [u8; 4],
    size: u64,
}

#[derive(BinFormat)]
#[bin(little)]
struct Bare {
    root: u32,
}

#[derive(BinFormat)]
#[bin(big)]
enum Packed {
    #[bin(magic = 0u8..=0x7f)]
    Small(u8),
    #[bin(magic = 0x90u8..=0x9f)]
    Array(u8, #[bin(count = _0 & 15)] Vec<u16>),
    #[bin(magic = [0xc2u8, 0xc3u8])]
    Flag(u8),
    #[bin(magic = [b"\xc7\x01", b"\xc7\x02"])]
    Extended([u8; 2], u16),
}

#[derive(BinFormat)]
#[bin(flatbuffer, identifier = b"ROAD", warn(lanes < 9, "{lanes} lanes"))]
struct Road<'a> {
    #[bin(slot = 0, required)]
    name: &'a str,
    #[bin(slot = 1, default = 2, check(lanes > 0, "no lanes"))]
    lanes: u8,
    #[bin(slot = 2)]
    toll: Option<f32>,
    #[bin(slot = 4, union)]
    end: Option<End<'a>>,
    #[bin(slot = 5)]
    exits: FbVec<'a, Exit<'a>>,
    #[bin(slot = 6)]
    surface: Surface,
    #[bin(slot = 7)]
    detour: Option<FbRef<'a, Self>>,
    #[bin(slot = 8, align_before = 16)]
    picture: &'a [u8],
}

#[derive(BinFormat, Clone)]
#[bin(flatbuffer)]
struct Exit<'a> {
    #[bin(slot = 0)]
    name: &'a str,
    #[bin(slot = 1)]
    at: Option<Place>,
}

#[derive(BinFormat)]
#[bin(flatbuffer)]
enum End<'a> {
    #[bin(id = 1)]
    Sea,
    #[bin(id = 2)]
    Town(Exit<'a>),
    #[bin(other)]
    Other(u8),
}

#[derive(BinFormat, Clone)]
#[bin(flatbuffer, inline)]
struct Place {
    east: f32,
    north: f32,
}

#[derive(BinFormat)]
#[bin(flatbuffer)]
#[repr(u8)]
enum Surface {
    Gravel = 0,
    Asphalt = 1,
}

#[derive(BinFormat)]
#[bin(little)]
struct Map<'a> {
    root: Auto<u32>,
    version: u32,
    road_len: Auto<u32>,
    #[bin(len = road_len, root = root)]
    road: FlatBuffer<'a, Road<'a>>,
}

#[derive(BinFormat)]
#[bin(flatbuffer)]
enum Gate<'a> {
    #[bin(slots = 2)]
    Open(Exit<'a>),
    #[bin(slots = 9)]
    Tolled(Road<'a>),
}

#[derive(BinFormat)]
#[bin(big)]
struct Label {
    room: u8,
    len: Auto<u8>,
    #[bin(len = len, align_after = 4, pad_to = room, fill = 0x20)]
    text: String,
}

#[derive(BinFormat)]
#[bin(little)]
struct Names<'a> {
    #[bin(len = 16, trim = 0)]
    short: &'a str,
    #[bin(nul)]
    long: &'a str,
    #[bin(prefix = u16, nul)]
    wide: Utf16<'a>,
}

#[derive(BinFormat)]
#[bin(little)]
struct Words<'a> {
    #[bin(len = 8, nul = optional)]
    name: &'a str,
    #[bin(until = b'=')]
    key: &'a [u8],
    #[bin(until = kept(b"\r\n"))]
    line: &'a str,
    #[bin(until = peek(b"END!"))]
    pairs: Vec<(u16, u8)>,
    #[bin(magic = b"END!", until = 0xffff)]
    glyphs: Vec<u16>,
}

#[derive(BinFormat)]
#[bin(big)]
struct Host {
    #[bin(map([u8; 4], std::net::Ipv4Addr::from, std::net::Ipv4Addr::octets))]
    address: std::net::Ipv4Addr,
}

#[derive(BinFormat)]
#[bin(little)]
struct Stored {
    #[bin(checksum(Crc32, over = decoded(manifest)))]
    sum: u32,
    #[bin(prefix = u16)]
    manifest: Encoded<Deflate, Leaf>,
    #[bin(calc = tag(leaf))]
    method: Auto<u8>,
    key: u8,
    #[bin(prefix = u16, args(method, key))]
    leaf: Leaves,
}

#[derive(BinFormat)]
#[bin(little, tag = method, args(method: u8, key: u8))]
enum Leaves {
    #[bin(id = 0)]
    Plain(Leaf),
    #[bin(id = 1, codec = Xor(key))]
    Keyed(Encoded<Xor, Leaf>),
    #[bin(id = 8)]
    Deflated(Encoded<Deflate, Leaf>),
}

#[derive(BinFormat)]
struct Leaf {
    #[bin(until_end)]
    text: String,
}

#[test]
fn a_checksum_is_over_decoded_bytes_and_a_variant_in_coded_ones() {
    let leaf = |text: &str| Leaf { text: text.to_owned() };
    let (manifest, leaf) = (leaf("123456789").into(), Leaves::Keyed(leaf("ab").into()));
    let file = Stored { sum: 0, manifest, method: Auto::new(), key: 0x20, leaf }.to_vec().unwrap();
    assert_eq!(file[..4], 0xcbf4_3926_u32.to_le_bytes());
    assert!(file.ends_with(b"\x01\x20\x02\0AB"));
    assert!(Stored::validate(&file).findings().is_empty());
}

#[derive(BinFormat)]
#[bin(big)]
struct Sample {
    scale: u8,
    #[bin(map(u16, scaled, unscaled), args(scale + 1))]
    volume: u32,
    len: Auto<u8>,
    #[bin(map(Line, upper, lower), len = len)]
    name: String,
}

fn scaled(stored: u16, by: u32) -> u32 {
    u32::from(stored) * by
}

fn unscaled(volume: &u32, by: u32) -> Option<u16> {
    u16::try_from(volume.checked_div(by)?).ok()
}

#[derive(BinFormat)]
struct Line {
    #[bin(until_end)]
    text: String,
}

fn upper(line: Line) -> String {
    line.text.to_uppercase()
}

fn lower(name: &String) -> Line {
    Line { text: name.to_lowercase() }
}

#[test]
fn conversions_are_given_arguments_and_a_length() {
    let sample = Sample::parse(b"\x03\0\x07\x02ab").unwrap();
    assert_eq!((sample.volume, sample.name.as_str()), (28, "AB"));
    assert_eq!(sample.to_vec().unwrap(), b"\x03\0\x07\x02ab");
    let longer = Sample { name: "ABC".to_owned(), volume: 4, ..sample };
    assert_eq!(longer.to_vec().unwrap(), b"\x03\0\x01\x03abc");
}

#[derive(BinFormat)]
struct Letter {
    key: u8,
    len: Auto<u8>,
    #[bin(with = sealed, len = len, args(key + 1))]
    text: String,
}

/// Texts of which every byte has a key over it.
mod sealed {
    use binfmt_runtime::{Cursor, Fault, Writer};

    pub fn read(cur: &mut Cursor<'_>, key: u8) -> Result<String, Fault> {
        let at = cur.pos();
        let plain = cur.rest().iter().map(|byte| byte ^ key).collect();
        cur.skip_all();
        String::from_utf8(plain).map_err(|_| Fault::at(at))
    }

    pub fn write(text: &String, out: &mut Writer<'_>, key: u8) -> Result<(), Fault> {
        text.bytes().try_for_each(|byte| out.put(&[byte ^ key]))
    }
}

#[test]
fn functions_get_a_key_and_so_many_bytes() {
    let letter = Letter { key: 0x1f, len: Auto::new(), text: "key".to_owned() };
    let bytes = letter.to_vec().unwrap();
    assert_eq!(bytes, b"\x1f\x03KEY");
    assert_eq!(Letter::parse(&bytes).unwrap().text, "key");
    assert!(Letter::parse(b"\xff\x03KEY").is_err());
}

#[derive(BinFormat)]
struct Tag {
    #[bin(with = terminated)]
    key: String,
}

/// Texts that end with a NUL, of no stored length.
mod terminated {
    use binfmt_runtime::{Cursor, Fault, Writer};

    pub fn read(cur: &mut Cursor<'_>) -> Result<String, Fault> {
        let at = cur.pos();
        let text = cur.rest().split(|byte| *byte == 0).next().unwrap_or_default();
        let text = std::str::from_utf8(text).map_err(|_| Fault::at(at))?;
        match cur.take(text.len() as u64 + 1) {
            Some(_) => Ok(text.to_owned()),
            None => Err(Fault::at(at)),
        }
    }

    pub fn write(text: &String, out: &mut Writer<'_>) -> Result<(), Fault> {
        out.put(text.as_bytes())?;
        out.put(&[0])
    }
}

#[test]
fn a_text_without_a_length_is_read_by_hand() {
    assert_eq!(Tag::parse(b"key\0").unwrap().key, "key");
    assert_eq!(Tag { key: "key".to_owned() }.to_vec().unwrap(), b"key\0");
    assert!(Tag::parse(b"key").is_err());
}

#[test]
fn the_first_example_reads_what_it_writes() {
    let (name_len, data_len) = (Auto::new(), 0);
    let blobs = [Blob { name_len, data_len, name: "a", data: &[1, 2, 3] }];
    let value = Blobs { size: Auto::new(), count: Auto::new(), blobs: Seq::from(&blobs[..]) };
    let bytes = value.to_vec().unwrap();
    let read = Blobs::parse(&bytes).unwrap();
    assert_eq!(read.blobs.get(0).unwrap().unwrap(), Blob { data_len: 3, ..blobs[0].clone() });
}

#[derive(BinFormat)]
#[bin(little, version = version)]
struct Settings<'a> {
    version: u8,
    flags: u8,
    #[bin(flag = flags & 4)]
    size: Option<u32>,
    #[bin(since = 2, before = 5)]
    depth: Option<u16>,
    #[bin(optional, magic = b"NAME", len = 8)]
    name: Option<&'a [u8]>,
}

#[derive(BinFormat)]
#[bin(endian = magic, magic = [b"II" => little, b"MM" => big])]
struct Picture<'a> {
    #[bin(magic)]
    mark: [u8; 2],
    #[bin(magic = 42u16)]
    count: Auto<u16>,
    #[bin(count = count)]
    entries: Seq<'a, Property>,
}

#[derive(BinFormat)]
#[bin(endian = inherit)]
struct Property {
    #[bin(check(kind != 0, "there is no such kind"))]
    kind: u16,
    value: u32,
}

#[derive(BinFormat)]
#[bin(big, new, let(pixels = width * height, deep = depth > 8))]
struct Bitmap {
    width: u16,
    height: u16,
    depth: u8,
    count: Auto<u8>,
    #[bin(len = if deep { pixels * 2 } else { pixels })]
    data: Vec<u8>,
    #[bin(count = count, note(!deep, "the colours of a deep picture are not used"))]
    colours: Vec<[u8; 3]>,
}

#[derive(BinFormat)]
#[bin(little, args(unit: u32 = 512))]
#[bin(computed(sectors: u32 = high * 65536 + low, "how many sectors the disk has"))]
#[bin(computed(bytes: u64 = sectors * unit), computed(is_large: bool = bytes > 0xffff_ffff))]
struct Disk {
    low: u16,
    high: u16,
    #[bin(if = is_large, check(sectors > 9, "{sectors} sectors are no disk"))]
    large: Option<u8>,
}

#[derive(BinFormat)]
struct Message {
    delay: Coded<Vlq<4>, u32>,
    len: Auto<Coded<Vlq<4>, u32>>,
    #[bin(len = len)]
    text: String,
}

#[derive(BinFormat)]
#[bin(big)]
struct Charmap {
    #[bin(prefix = u16)]
    encodings: Vec<CharmapEncoding>,
    #[bin(for_each = encodings, at = it.at, base = start, shared)]
    maps: Vec<CharmapGroups>,
}

#[derive(BinFormat, Clone)]
#[bin(big)]
struct CharmapEncoding {
    platform: u16,
    at: u32,
}

#[derive(BinFormat)]
#[bin(big)]
struct CharmapGroups {
    #[bin(prefix = u16)]
    groups: Vec<[u32; 3]>,
}

#[derive(BinFormat)]
#[bin(big)]
struct Page {
    mask: u16,
    count: Auto<u16>,
    #[bin(count = count)]
    columns: Vec<PageColumn>,
    #[bin(for_each = columns, len = it.size, if = mask >> index & 1 == 0, args(kind = it.kind))]
    cells: Vec<Option<PageCell>>,
}

#[derive(BinFormat, Clone)]
#[bin(big)]
struct PageColumn {
    kind: u8,
    size: u8,
}

#[derive(BinFormat)]
#[bin(big, tag = kind, args(kind: u8))]
enum PageCell {
    #[bin(id = 1)]
    Number(u64),
    #[bin(other)]
    Text(u8, PageText),
}

#[derive(BinFormat)]
struct PageText {
    #[bin(until_end)]
    text: String,
}

#[derive(BinFormat)]
struct Path {
    #[bin(until_end, args(before = previous.at or 100))]
    steps: Vec<PathStep>,
}

#[derive(BinFormat)]
#[bin(args(before: u8))]
struct PathStep {
    at: u8,
    #[bin(if = at < before)]
    back: Option<u8>,
}

#[derive(BinFormat)]
#[bin(little)]
struct Saved {
    key: u8,
    size: Auto<u32>,
    #[bin(calc = decoded_len(state))]
    unpacked: u32,
    #[bin(len = size, codec = Xor(key))]
    state: Encoded<Xor, SavedState>,
}

#[derive(BinFormat)]
#[bin(little)]
struct SavedState {
    #[bin(range = 1..=99)]
    level: u8,
    #[bin(prefix = u8)]
    name: String,
}

#[test]
fn coded_bytes_end_where_their_codec_says() {
    #[derive(BinFormat)]
    #[bin(little)]
    struct Journal {
        #[bin(until_end)]
        entries: Vec<Entry>,
    }

    #[derive(BinFormat)]
    #[bin(little)]
    struct Entry {
        #[bin(until_codec)]
        body: Encoded<Deflate, Text>,
        #[bin(checksum(Crc32, over = decoded(body)))]
        sum: u32,
        #[bin(calc = tag(note))]
        kind: u8,
        #[bin(args(kind))]
        note: Note,
    }

    #[derive(BinFormat)]
    #[bin(little, tag = kind, args(kind: u8))]
    enum Note {
        #[bin(id = 0)]
        None,
        #[bin(id = 1, until_codec)]
        Packed(Encoded<Zlib, Text>),
    }

    #[derive(BinFormat)]
    struct Text {
        #[bin(until_end)]
        text: String,
    }

    let packed = Note::Packed(Encoded::new(Text { text: "two".to_owned() }));
    let entry = |note| {
        let body = Encoded::new(Text { text: "one".to_owned() });
        Entry { body, sum: 0, kind: 0, note }
    };
    let journal = Journal { entries: vec![entry(packed), entry(Note::None)] };
    let bytes = journal.to_vec().unwrap();
    let read = Journal::parse(&bytes).unwrap();
    assert_eq!(read.entries.iter().map(|entry| entry.kind).collect::<Vec<_>>(), [1, 0]);
    assert_eq!(read.to_vec().unwrap(), bytes);
}

#[test]
fn bits_are_set_and_padded() {
    #[derive(BinFormat, Clone, Copy)]
    #[bin(big, bits = u16, msb)]
    struct Start {
        #[bin(bits = 2, pad_after = 1)]
        version: u8,
        #[bin(bits = 1)]
        timed: bool,
        #[bin(bits = 12)]
        len: u16,
    }

    #[derive(BinFormat)]
    #[bin(big)]
    struct Unit {
        #[bin(set(timed = time.is_some(), len = len(data)))]
        start: Start,
        #[bin(if = start.timed)]
        time: Option<u32>,
        #[bin(len = start.len)]
        data: Vec<u8>,
    }

    let start = Start { version: 2, timed: false, len: 0 };
    let unit = Unit { start, time: None, data: vec![7, 8, 9] };
    assert_eq!(unit.to_vec().unwrap(), [0x80, 0x03, 7, 8, 9]);
    assert_eq!(Unit::validate(&[0xa0, 0x03, 7, 8, 9]).findings()[0].code, "padding");
}

#[test]
fn a_header_of_its_own_says_where_values_lie() {
    #[derive(BinFormat, Clone, Default)]
    #[bin(big, magic = b"ARC")]
    struct Header {
        body_at: u32,
        body_len: u32,
        names_at: u16,
    }

    #[derive(BinFormat, Default)]
    #[bin(big)]
    struct Archive {
        #[bin(set(body_at = start(body), body_len = len(body), names_at = start(names)))]
        header: Header,
        #[bin(at = header.body_at, len = header.body_len, align_before = 8)]
        body: Vec<u8>,
        #[bin(at = header.names_at, null = 0, nul)]
        names: Option<String>,
    }

    let new = Archive { body: vec![7; 3], names: Some("a".into()), ..Archive::default() };
    assert_eq!(new.to_vec().unwrap(), b"ARC\0\0\0\x10\0\0\0\x03\0\x13\0\0\0\x07\x07\x07a\0");
}

#[test]
fn a_volume_counts_in_clusters() {
    #[derive(BinFormat)]
    #[bin(little, computed(size: u32 = 1 << shift, "the size of a cluster"))]
    struct Volume {
        shift: u8,
        data: u16,
        #[bin(prefix = u8)]
        entries: Vec<VolumeEntry>,
        #[bin(for_each = entries, at = data + (it.cluster - 2) * size, len = it.len)]
        files: Vec<Vec<u8>>,
    }

    #[derive(BinFormat, Clone)]
    struct VolumeEntry {
        cluster: u8,
        len: u8,
    }

    let entry = || VolumeEntry { cluster: 0, len: 0 };
    let files = vec![b"abcde".to_vec(), b"f".to_vec()];
    let volume = Volume { shift: 2, data: 10, entries: vec![entry(), entry()], files };
    assert_eq!(volume.to_vec().unwrap(), b"\x02\x0a\0\x02\x02\x05\x04\x01\0\0abcde\0\0\0f");
}

#[test]
fn a_directory_counts_from_its_rows() {
    #[derive(BinFormat)]
    #[bin(little, magic = b"REL1")]
    struct Directory {
        count: u32,
        #[bin(count = count)]
        rows: Vec<DirectoryRow>,
        #[bin(for_each = rows, at = start(rows) + index * 8 + it.name, nul, shared)]
        names: Vec<String>,
    }

    #[derive(BinFormat, Clone)]
    #[bin(little)]
    struct DirectoryRow {
        name: i32,
        id: u32,
    }

    let row = |id| DirectoryRow { name: 0, id };
    let names = vec!["a".to_owned(), "bc".to_owned()];
    let directory = Directory { count: 0, rows: vec![row(7), row(8)], names };
    assert_eq!(
        directory.to_vec().unwrap(),
        b"REL1\x02\0\0\0\x10\0\0\0\x07\0\0\0\x0a\0\0\0\x08\0\0\0a\0bc\0"
    );
}

#[test]
fn an_index_has_one_offset_more_than_texts() {
    #[derive(BinFormat)]
    #[bin(big)]
    struct TextIndex {
        count: Auto<u16>,
        first: u8,
        #[bin(count = count)]
        ends: Vec<u8>,
        #[bin(for_each = ends, len = it - (previous or first))]
        objects: Vec<String>,
    }

    let objects = ["ab", "", "c"].map(str::to_owned).to_vec();
    let index = TextIndex { count: Auto::new(), first: 1, ends: vec![0; 3], objects };
    assert_eq!(index.to_vec().unwrap(), b"\0\x03\x01\x03\x03\x04abc");
}

#[test]
fn an_atom_has_numbers_that_may_be_absent() {
    #[derive(BinFormat)]
    #[bin(big, new)]
    struct Atom {
        size: u32,
        #[bin(if = size == 1)]
        large: Option<u64>,
        flags: u8,
        #[bin(flag = flags & 1)]
        name_len: Option<Auto<u16>>,
        #[bin(flag = flags & 1, len = name_len)]
        name: Option<String>,
        #[bin(len = if size == 1 { large - 12 } else { size - 4 })]
        data: Vec<u8>,
    }

    let (name_len, name) = (Some(Auto::new()), Some("ab".to_owned()));
    let atom = Atom::new(7, None, 0, name_len, name, vec![1, 2, 3]);
    assert_eq!(atom.to_vec().unwrap(), b"\0\0\0\x07\x01\0\x02ab\x01\x02\x03");
}

#[test]
fn a_tree_has_nodes_anywhere() {
    #[derive(BinFormat)]
    #[bin(little, magic = b"TREE")]
    struct Tree<'a> {
        root_at: u32,
        #[bin(section = open, len = remaining)]
        data: &'a [u8],
        #[bin(at = root_at, place = data)]
        root: Node<'a>,
    }

    #[derive(BinFormat)]
    #[bin(little)]
    struct Node<'a> {
        name_at: u32,
        #[bin(at = name_at, null = 0, nul, place = around, shared)]
        name: Option<&'a [u8]>,
        count: Auto<u16>,
        #[bin(count = count)]
        places: Vec<u32>,
        #[bin(for_each = places, at = it, place = around)]
        nodes: Vec<Node<'a>>,
    }

    // The root lies behind the node that it leads to, and the names in front.
    let file = b"TREE\x18\0\0\0leaf\0root\0\x08\0\0\0\0\0\x0d\0\0\0\x01\0\x12\0\0\0".to_vec();
    let mut tree = Tree::parse(&file).unwrap();
    assert_eq!(tree.root.nodes[0].name, Some(&b"leaf"[..]));
    assert_eq!(tree.to_vec().unwrap(), file);
    assert!(Tree::validate(&file).findings().is_empty());
    tree.root.nodes[0].name = Some(b"a longer name");
    let written = tree.to_vec().unwrap();
    let read = Tree::parse(&written).unwrap();
    assert_eq!(read.root.nodes[0].name, Some(&b"a longer name"[..]));
    assert_eq!(read.root.name, Some(&b"root"[..]));
}

#[test]
fn ends_follow_from_one_another() {
    #[derive(BinFormat)]
    struct Endings {
        #[bin(until_end, args(from = previous.end or 0))]
        words: Vec<Ending>,
    }

    #[derive(BinFormat, Clone)]
    #[bin(args(from: u8))]
    struct Ending {
        end: u8,
        #[bin(len = end - from)]
        text: String,
    }

    let word = |text: &str| Ending { end: 0, text: text.into() };
    let words = Endings { words: vec![word("ab"), word("cde")] };
    assert_eq!(words.to_vec().unwrap(), b"\x02ab\x05cde");
}

#[test]
fn a_sum_runs_over_all_items() {
    #[derive(BinFormat)]
    struct Options {
        #[bin(until_end, args(before = previous.before + previous.delta or 0))]
        options: Vec<Delta>,
    }

    /// An option, whose number is stored as the distance from that of the one before.
    #[derive(BinFormat)]
    #[bin(args(before: u16), computed(number: u16 = before + delta))]
    struct Delta {
        delta: u8,
        #[bin(len = 2, if = number >= 8)]
        value: Option<String>,
    }

    assert!(Options::is_valid(b"\x03\x02\x03ab"));
    assert_eq!(Options::parse(b"\x05\x04ab").unwrap().options[1].number(5), Some(9));
}

#[derive(BinFormat)]
#[bin(big)]
struct Column {
    kind: u8,
    #[bin(prefix = u16, align_before = if kind == 2 { 8 } else { 4 })]
    cells: Vec<u64>,
}

#[derive(BinFormat)]
#[bin(big)]
struct Roster {
    entry_size: u16,
    #[bin(prefix = u16, args(size = entry_size))]
    entries: Vec<RosterEntry>,
}

#[derive(BinFormat)]
#[bin(big, args(size: u16), len = size)]
struct RosterEntry {
    id: u32,
    #[bin(until_end)]
    more: Vec<u8>,
}
