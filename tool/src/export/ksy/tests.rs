//! Descriptions of small formats, as a whole. That Kaitai compiles such descriptions, and reads the
//! same values with them, is checked by `tests/reference/export`.
#![expect(dead_code, clippy::struct_field_names, reason = "only declarations are read")]

use binfmt_runtime::{Auto, BinFormat, Leb128, Seq};

use super::*;
use crate::format;

mod beside;

/// A list of blobs.
#[derive(BinFormat)]
#[bin(little, magic = b"BLOB", len = size)]
struct Blobs<'a> {
    size: Auto<u32>,
    kind: Kind,
    #[bin(until_end)]
    blobs: Seq<'a, Blob<'a>>,
}

/// One blob.
#[derive(BinFormat)]
#[bin(little, align_after = 4)]
struct Blob<'a> {
    len: Auto<u16>,
    #[bin(if = len > 2)]
    sum: Option<u32>,
    #[bin(len = len)]
    data: &'a [u8],
}

#[derive(BinFormat, Clone, Copy, PartialEq)]
#[repr(u8)]
enum Kind {
    Old = 1,
    /// The new kind.
    New = 2,
    #[bin(other)]
    Other(u8),
}

/// Parts of a number, in a file that ends by a mark.
#[derive(BinFormat)]
#[bin(little)]
struct Parts<'a> {
    flags: Flags,
    #[bin(if = flags.wide)]
    extra: Option<u8>,
    #[bin(until = b'|')]
    name: &'a str,
    #[bin(until = kept(b"\n"))]
    line: &'a [u8],
    #[bin(until = 0xffff)]
    numbers: Vec<u16>,
}

#[derive(BinFormat, Clone, Copy)]
#[bin(little, bits = u16, msb)]
struct Flags {
    #[bin(bits = 3)]
    version: u8,
    #[bin(bits = 1)]
    wide: bool,
    #[bin(bits = 9, pad_before = 2, pad_after = 1)]
    len: u16,
}

/// Shapes by what stands in front.
#[derive(BinFormat)]
#[bin(little)]
struct Tagged {
    count: u8,
    tag: [u8; 4],
    #[bin(args(count = count, tag = tag))]
    shape: Shaped,
}

#[derive(BinFormat)]
#[bin(little, args(count: u8, tag: [u8; 4]), tag = tag)]
enum Shaped {
    #[bin(id = b"RIFF")]
    Riff(Pair8),
    #[bin(id = b"LIST" if count > 1)]
    List(Pair8),
    #[bin(other)]
    Other([u8; 4]),
}

#[derive(BinFormat)]
struct Pair8 {
    pair: [u8; 2],
}

fn is_odd(number: u8) -> bool {
    number % 2 == 1
}

/// What Kaitai cannot say.
#[derive(BinFormat)]
#[bin(big)]
struct Hard {
    number: u8,
    #[bin(if = is_odd(number))]
    odd: Option<u16>,
    behind: u32,
}

/// Places and choices.
#[derive(BinFormat)]
#[bin(big)]
struct Places {
    at: u32,
    #[bin(count = 2)]
    choices: Vec<Choice>,
    #[bin(at = at, null = 0)]
    there: Option<[u8; 3]>,
}

#[derive(BinFormat)]
#[bin(big)]
enum Choice {
    #[bin(magic = 1u16)]
    One(u8Holder),
    Two(Pair),
}

#[derive(BinFormat)]
#[allow(non_camel_case_types, reason = "a name as odd as any")]
struct u8Holder {
    byte: u8,
}

#[derive(BinFormat)]
#[bin(big)]
struct Pair {
    pair: [u16; 2],
}

/// One generic type with several things in it.
#[derive(BinFormat)]
#[bin(big)]
struct Lists {
    nested: List<List<u16>>,
    pairs: List<Pair>,
    eight: Fixed<8>,
    tuples: List<(u8, i16)>,
}

#[derive(BinFormat)]
#[bin(endian = inherit)]
struct List<T> {
    #[bin(prefix = u8)]
    items: Vec<T>,
}

#[derive(BinFormat)]
struct Fixed<const N: usize> {
    bytes: [u8; N],
}

/// What a type contains is told by its own numbers.
#[derive(BinFormat)]
#[bin(endian = magic, magic = [b"LE" => little, b"BE" => big])]
struct Ordered {
    #[bin(magic)]
    mark: [u8; 2],
    count: Leb128<u32>,
    #[bin(len = count + 1)]
    data: Vec<u8>,
    #[bin(len = 4, nul = optional)]
    name: String,
    value: u16,
}

#[derive(BinFormat)]
#[bin(little)]
struct Tree {
    wide: u8,
    #[bin(args(wide = wide > 0))]
    node: Node,
    kind: Kind,
    #[bin(args(kind))]
    by_kind: ByKind,
    count: u8,
    #[bin(count = count)]
    trees: Vec<Self>,
}

#[derive(BinFormat)]
#[bin(little, args(wide: bool))]
struct Node {
    count: u8,
    #[bin(count = count, args(wide))]
    nodes: Vec<Self>,
    #[bin(if = wide)]
    more: Option<u8>,
}

#[derive(BinFormat)]
#[bin(little, tag = kind, args(kind: Kind))]
enum ByKind {
    #[bin(id = Kind::Old)]
    Old(u8Holder),
    #[bin(other)]
    Other(Kind, Pair),
}

/// An end of two bytes, which the compiler that is named takes none of.
#[derive(BinFormat)]
struct Lines {
    #[bin(until = b"\r\n")]
    line: String,
}

const BLOBS: &str = r#"# A list of blobs
# Made by `binfmt export blobs --to ksy`.
meta:
  id: blobs
  title: "A list of blobs"
  ks-version: "0.11"
  encoding: UTF-8
  endian: le
doc: "A list of blobs."
seq:
  - id: bin_begins
    size: 0
    if: "bin_begin >= 0"
  - id: magic
    contents: [66, 76, 79, 66]
  - id: size
    type: u4
  - id: bin_body_begins
    size: 0
    if: "bin_body >= 0"
  - id: body
    type: blobs_body
    size: "size - bin_body"
instances:
  bin_body:
    value: "_io.pos - bin_begin"
  bin_begin:
    value: _io.pos
types:
  blob:
    meta:
      endian: le
    doc: "One blob."
    seq:
      - id: bin_begins
        size: 0
        if: "bin_begin >= 0"
      - id: len
        type: u2
      - id: sum
        type: u4
        if: "(len > 2)"
      - id: data
        size: len
      - id: padding
        size: "(4 - (_io.pos - bin_begin) % 4) % 4"
    instances:
      bin_begin:
        value: _io.pos
  blobs_body:
    meta:
      endian: le
    seq:
      - id: kind
        type: u1
        enum: kind
      - id: blobs
        type: blob
        repeat: eos
enums:
  kind:
    "1": old
    "2":
      id: new
      doc: "The new kind."
"#;

#[test]
fn length_that_stands_inside_makes_a_body() {
    let description = describe(format::<Blobs<'_>>("blobs").driver(), "binfmt");
    assert_eq!(description.unsaid, []);
    assert_eq!(description.text, BLOBS);
}

#[test]
fn what_has_no_words_is_named_and_left_out() {
    let description = describe(format::<Hard>("hard").driver(), "binfmt");
    let unsaid: Vec<_> =
        description.unsaid.iter().map(|(place, why)| format!("{place}: {why}")).collect();
    assert_eq!(
        unsaid,
        [
            "Hard.odd: `is_odd` is a function of Rust",
            "Hard.behind: it lies behind what cannot be said"
        ]
    );
    for line in &unsaid {
        assert!(description.text.contains(&format!("#   {line}\n")), "{}", description.text);
    }
    assert!(
        description.text.contains("- id: number") && !description.text.contains("- id: behind")
    );
}

#[test]
fn offsets_are_instances_and_choices_are_switches() {
    let description = describe(format::<Places>("places").driver(), "binfmt");
    assert_eq!(description.unsaid, []);
    for part in [
        "  there:\n    io: _root._io\n    pos: at\n    if: \"(at != 0)\"\n    size: 3\n",
        "repeat: expr\n    repeat-expr: \"2\"",
        "value: \"(bin_magic_2 == [0, 1]) ? 0 : (1)\"",
        "        type:\n          switch-on: variant\n          cases:\n            \"0\": u8_holder\n            \"1\": pair\n",
        "      - id: pair\n        type: u2\n        repeat: expr\n        repeat-expr: 2\n",
    ] {
        assert!(description.text.contains(part), "{part}\n\n{}", description.text);
    }
}

#[test]
fn bits_are_parts_of_a_number_and_ends_are_constants() {
    let description = describe(format::<Parts<'_>>("parts").driver(), "binfmt");
    let unsaid = [(
        "Parts.numbers".to_owned(),
        "the constant that ends the list is its last item".to_owned(),
    )];
    assert_eq!(description.unsaid, unsaid);
    for part in [
        "      version:\n        value: \"(bits >> 13) & 7\"\n",
        "      wide:\n        value: \"((bits >> 12) & 1) != 0\"\n",
        "      len:\n        value: \"(bits >> 1) & 511\"\n",
        "    seq:\n      - id: bits\n        type: u2\n",
        "  - id: extra\n    type: u1\n    if: flags.wide\n",
        "  - id: name\n    type: str\n    terminator: 124\n",
        "    terminator: 10\n    include: true\n",
        "    repeat: until\n    repeat-until: \"_ == 65535\"\n",
    ] {
        assert!(description.text.contains(part), "{part}\n\n{}", description.text);
    }
}

#[test]
fn tags_may_be_bytes_with_a_condition() {
    let description = describe(format::<Tagged>("tagged").driver(), "binfmt");
    let which = "tag == [82, 73, 70, 70]) ? 0";
    assert!(description.text.contains(which), "{}", description.text);
}

#[test]
fn generic_types_are_one_for_each_that_their_parameters_stand_for() {
    let description = describe(format::<Lists>("lists").driver(), "binfmt");
    let unsaid = ("List<(u8, i16)>.items".to_owned(), "a tuple cannot be said here".to_owned());
    assert_eq!(description.unsaid, [unsaid]);
    let [list, numbers, pairs, fixed] = [
        ("list_list_u16", "list_u16\n        repeat: expr"),
        ("list_u16", "u2\n        repeat: expr"),
        ("list_pair", "pair\n        repeat: expr"),
        ("fixed_8", "[u8; 8]"),
    ]
    .map(|(name, item)| {
        let at = description.text.find(&format!("\n  {name}:\n")).expect(name);
        let (_, text) = description.text.split_at(at);
        (text.lines().take(12).collect::<Vec<_>>().join("\n"), item)
    });
    for (text, item) in [list, numbers, pairs] {
        assert!(text.contains(&format!("      - id: items\n        type: {item}\n")), "{text}");
    }
    assert!(fixed.0.contains("      - id: bytes\n        size: 8"), "{}", fixed.0);
}

fn has(description: &Description, parts: &[&str]) {
    for part in parts {
        assert!(description.text.contains(part), "{part}\n\n{}", description.text);
    }
}

#[test]
fn byte_order_is_that_of_each_magic_and_numbers_are_values() {
    let description = describe(format::<Ordered>("ordered").driver(), "binfmt");
    assert_eq!(description.unsaid, []);
    has(
        &description,
        &[
            "switch-on: _parent.mark\n        cases:\n          \"[76, 69]\": le\n          \"[66, 69]\": be\n",
            "size: \"(count.value + 1)\"",
            "- id: name\n        type: str\n        size: \"4\"\n        terminator: 0\n      - id: value\n",
        ],
    );
}

#[test]
fn types_that_contain_themselves_pass_on_what_they_are_told() {
    // Where the format has another name, the type is there under its own, too.
    let description = describe(format::<Tree>("forest").driver(), "binfmt");
    assert_eq!(description.unsaid, []);
    has(
        &description,
        &[
            "  - id: trees\n    type: tree\n",
            "\n  tree:\n",
            "      - id: nodes\n        type: \"node(wide)\"\n",
            "- id: kind\n        type: u1\n        doc: kind\n        enum: kind\n",
            "kind == kind::old",
        ],
    );
    let description = describe(format::<Tree>("tree").driver(), "binfmt");
    assert!(!description.text.contains("\n  tree:\n"), "{}", description.text);
}

#[test]
fn an_end_of_several_bytes_is_not_said() {
    let description = describe(format::<Lines>("lines").driver(), "binfmt");
    assert_eq!(description.unsaid.len(), 1, "{:?}", description.unsaid);
    assert!(!description.text.contains("terminator"), "{}", description.text);
}

#[test]
fn numbers_have_signs() {
    #[derive(BinFormat)]
    #[bin(little)]
    struct Cell {
        size: i32,
        #[bin(len = abs(size) - 4)]
        data: Vec<u8>,
        more: i8,
        #[bin(len = -more)]
        behind: Vec<u8>,
    }

    let description = describe(format::<Cell>("cell").driver(), "binfmt");
    assert_eq!(description.unsaid, []);
    has(&description, &["size: \"((size < 0 ? -size : size) - 4)\"", "size: \"(-more)\""]);
}
