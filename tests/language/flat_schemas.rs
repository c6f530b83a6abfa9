//! Tables of which several schemas exist, told apart by the number of their slots.

use binfmt_runtime::{BinFormat, DefaultArgs, FlatBuffer, FlatBuild as _};

use super::{findings, stopped};
use crate::laws;

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(flatbuffer)]
struct Small {
    #[bin(slot = 1, check(size < 9, "{size} is too much"))]
    size: u32,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(flatbuffer, spec = "the second edition")]
struct Large<'a> {
    #[bin(slot = 1, required)]
    name: &'a str,
    #[bin(slot = 3)]
    size: u32,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(flatbuffer)]
enum Either<'a> {
    /// The first edition.
    #[bin(slots = 2)]
    Small(Small),
    /// The second one.
    #[bin(slots = 4)]
    Large(Large<'a>),
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(flatbuffer)]
enum Any<'a> {
    #[bin(slots = 2)]
    Small(Small),
    Large(Large<'a>),
}

/// A table of six slots, of which the last is stored.
#[derive(BinFormat)]
#[bin(flatbuffer)]
struct Huge<'a> {
    #[bin(slot = 1, required)]
    name: &'a str,
    #[bin(slot = 5)]
    size: u32,
}

type Buffer<'a> = FlatBuffer<'a, Either<'a>>;

fn leaked(bytes: Vec<u8>) -> &'static [u8] {
    bytes.leak()
}

#[test]
fn the_number_of_slots_says_which_schema_is_read() {
    let small = Either::Small(Small { size: 7 });
    let large = Either::Large(Large { name: "Anna", size: 7 });
    for value in [small, large] {
        let bytes = leaked(value.to_buffer().unwrap());
        assert_eq!(Buffer::parse(bytes).unwrap().root().unwrap(), value);
        assert_eq!(findings::<Buffer<'_>>(bytes), [""; 0]);
        laws::round_trip::<Buffer<'_>>(bytes, Buffer::default_args());
    }
    // A writer leaves out what is a default, and the slots behind the last one that is stored.
    let short = leaked(Large { name: "Anna", size: 0 }.to_buffer().unwrap());
    assert_eq!(Buffer::parse(short).unwrap().slots(), Some(2));
}

#[test]
fn a_table_with_too_many_slots_stops_the_reader_unless_the_last_schema_takes_all() {
    let bytes = leaked(Huge { name: "Anna", size: 7 }.to_buffer().unwrap());
    let root = Buffer::parse(bytes).unwrap().root();
    assert_eq!(root.unwrap_err().finding().code, "slots");
    assert_eq!(findings::<Buffer<'_>>(bytes), ["error  slots"]);
    let any = FlatBuffer::<Any<'_>>::parse(bytes).unwrap().root().unwrap();
    assert_eq!(any, Any::Large(Large { name: "Anna", size: 0 }));
}

#[test]
fn findings_are_those_of_the_schema_that_is_read() {
    let mut bytes = Small { size: 1 }.to_buffer().unwrap();
    let size = bytes.iter().rposition(|byte| *byte == 1).unwrap();
    bytes[size] = 9;
    let bytes = leaked(bytes);
    assert_eq!(findings::<Buffer<'_>>(bytes), ["error size Small.size"]);
    let mut bytes = Large { name: "Anna", size: 7 }.to_buffer().unwrap();
    let text = bytes.windows(4).position(|four| four == b"Anna").unwrap();
    bytes[text] = 0xff;
    let bytes = leaked(bytes);
    assert_eq!(findings::<Buffer<'_>>(bytes), ["error name utf8"]);
    let report = Buffer::validate(bytes);
    assert_eq!(report.errors().next().unwrap().spec, Some("the second edition"));
    // Without a vtable, the first schema says what is wrong.
    let lost = leaked([4_u32, 0x7fff_ffff].into_iter().flat_map(u32::to_le_bytes).collect());
    assert_eq!(findings::<Buffer<'_>>(lost), ["error  vtable"]);
    assert_eq!(stopped::<Buffer<'_>>(b"\x04\0"), " size");
}

#[test]
fn the_layout_shows_every_schema() {
    let page = Buffer::LAYOUT.to_markdown();
    for part in ["| `Small` | `Small` | `slots = 2` | The first edition. |", "## Small", "## Large"]
    {
        assert!(page.contains(part), "{part} is not in {page}");
    }
}
