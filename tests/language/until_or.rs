//! Items up to one that ends them, or to the end of the region.

use binfmt_runtime::{Auto, BinFormat};

use super::{findings, refused, same, stopped};

const LEAST: usize = 3;

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(big)]
struct Message {
    size: Auto<u8>,
    #[bin(len = size)]
    options: Options,
    #[bin(prefix = u8)]
    more: Options,
    #[bin(until = remaining < LEAST || last.code == 9)]
    trailed: Vec<Setting>,
    sum: u16,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Options {
    #[bin(until = last.code == 0 || remaining == 0)]
    all: Vec<Setting>,
}

/// Two bytes at least, where three must be left.
#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Setting {
    code: u8,
    #[bin(prefix = u8)]
    value: Vec<u8>,
}

fn settings(codes: &[u8]) -> Vec<Setting> {
    let value = |code: u8| vec![7; usize::from(code == 5)];
    codes.iter().map(|code| Setting { code: *code, value: value(*code) }).collect()
}

fn message(options: &[u8], more: &[u8], trailed: &[u8]) -> Message {
    let [all, more, trailed] = [options, more, trailed].map(settings);
    let (options, more) = (Options { all }, Options { all: more });
    Message { size: Auto::new(), options, more, trailed, sum: 1 }
}

#[test]
fn items_end_with_the_last_one_or_with_the_region() {
    same(&message(&[3, 0], &[5], &[5]), b"\x04\x03\0\0\0\x03\x05\x01\x07\x05\x01\x07\0\x01");
    same(&message(&[], &[0], &[5, 9]), b"\0\x02\0\0\x05\x01\x07\x09\0\0\x01");
    same(&message(&[4, 5], &[], &[]), b"\x05\x04\0\x05\x01\x07\0\0\x01");
}

#[test]
fn what_is_left_of_the_region_is_told() {
    assert_eq!(stopped::<Message>(b"\x04\0\0\0\0\0\0\x01"), "options leftover");
    assert_eq!(stopped::<Message>(b"\x01\x03\0\0\x01"), "options.all[0].value.prefix end");
    assert_eq!(findings::<Message>(b"\x02\0\0\0\0\x01"), [] as [&str; 0]);
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Followed {
    #[bin(until = last.code == 0 || remaining < 3)]
    all: Vec<Setting>,
    word: [u8; 3],
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Alone {
    #[bin(until = last.code == 0 || remaining < 3)]
    all: Vec<Setting>,
}

#[test]
fn a_writer_insists_on_one_end_or_the_other() {
    // The item that ends the sequence is not the last one.
    assert_eq!(refused(&message(&[0, 3], &[], &[])), "options.all[0] until");
    // What follows is as long as one more item.
    let followed = |codes: &[u8]| Followed { all: settings(codes), word: [8, 0, 1] };
    assert_eq!(refused(&followed(&[1])), "all until");
    assert_eq!(refused(&followed(&[])), "all until");
    same(&followed(&[1, 0]), b"\x01\0\0\0\x08\0\x01");
    // A reader would stop in front of the last item.
    assert_eq!(refused(&Alone { all: settings(&[5, 1]) }), "all until");
    same(&Alone { all: settings(&[1, 5]) }, b"\x01\0\x05\x01\x07");
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Steps {
    #[bin(until = last.code == 0 || remaining == 0, args(before = previous.code or 7))]
    steps: Vec<Step>,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(args(before: u8))]
struct Step {
    code: u8,
    #[bin(if = before == 7)]
    first: Option<u8>,
}

#[test]
fn items_that_are_told_by_the_one_before_end_likewise() {
    let steps = |steps: &[(u8, Option<u8>)]| {
        let step = |(code, first): &(u8, Option<u8>)| Step { code: *code, first: *first };
        Steps { steps: steps.iter().map(step).collect() }
    };
    same(&steps(&[]), b"");
    same(&steps(&[(7, Some(1)), (7, Some(2))]), b"\x07\x01\x07\x02");
    same(&steps(&[(3, Some(1)), (0, None)]), b"\x03\x01\0");
    assert_eq!(refused(&steps(&[(0, Some(1)), (3, None)])), "steps[0] until");
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Measured {
    len: Auto<u8>,
    #[bin(len = len, until = last.code == 0 || remaining == 0, align_after = 4)]
    all: Vec<Setting>,
    word: [u8; 3],
}

#[test]
fn a_length_is_the_region_of_the_items() {
    let measured = |codes| Measured { len: Auto::new(), all: settings(codes), word: [8, 0, 1] };
    same(&measured(&[1]), b"\x02\x01\0\0\x08\0\x01");
    same(&measured(&[]), b"\0\0\0\0\x08\0\x01");
    same(&measured(&[0]), b"\x02\0\0\0\x08\0\x01");
}

/// Blocks up to the next section, or to the end of the file.
#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(big, magic = b"SECT")]
struct Section {
    name: u8,
    #[bin(until = peek(b"SECT") || remaining < 6)]
    blocks: Vec<Block>,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(big)]
struct Block {
    kind: u32,
    #[bin(prefix = u8)]
    body: Vec<u8>,
}

/// Numbers up to one that the next list begins with.
#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little)]
struct Numbers {
    head: u8,
    #[bin(until = remaining < 2 || peek(0xfffe))]
    numbers: Vec<u16>,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Capture {
    #[bin(until_end)]
    sections: Vec<Section>,
}

fn section(name: u8, kinds: &[u32]) -> Section {
    let blocks = kinds.iter().map(|kind| Block { kind: *kind, body: vec![7] });
    Section { name, blocks: blocks.collect() }
}

#[test]
fn items_end_in_front_of_a_constant_or_with_the_region() {
    let sections = vec![section(1, &[2, 3]), section(4, &[]), section(5, &[6])];
    let bytes = b"SECT\x01\0\0\0\x02\x01\x07\0\0\0\x03\x01\x07SECT\x04SECT\x05\0\0\0\x06\x01\x07";
    same(&Capture { sections }, bytes);
    same(&section(1, &[]), b"SECT\x01");
    same(&Numbers { head: 9, numbers: vec![1, 2] }, b"\x09\x01\0\x02\0");
    assert_eq!(
        stopped::<Capture>(b"SECT\x01\0\0\0\x02\x05\x07"),
        "sections[0].blocks[0].body size"
    );
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little)]
struct Behind<T> {
    first: T,
    second: u16,
}

#[test]
fn a_writer_insists_on_the_constant_or_the_end() {
    let behind = |second| Behind { first: Numbers { head: 0, numbers: vec![3] }, second };
    same(&behind(0xfffe), b"\0\x03\0\xfe\xff");
    assert_eq!(refused(&behind(4)), "first.numbers until");
    let early = Numbers { head: 0, numbers: vec![3, 0xfffe] };
    assert_eq!(refused(&early), "numbers[1] until");
    let begins = Section { name: 1, blocks: vec![Block { kind: 0x5345_4354, body: vec![7] }] };
    assert_eq!(refused(&begins), "blocks[0] until");
    // Five bytes are no block when it is read.
    let short = Section { name: 1, blocks: vec![Block { kind: 1, body: Vec::new() }] };
    assert_eq!(refused(&short), "blocks until");
}

/// Steps that are told by the one before, up to a constant, or to where no two bytes are left.
#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Linked {
    #[bin(until = peek(b"END") || remaining < 2, args(before = previous.code or 7))]
    steps: Vec<Step>,
    #[bin(optional, magic = b"END")]
    end: Option<u8>,
}

#[test]
fn items_that_are_told_by_the_one_before_end_in_front_of_a_constant_likewise() {
    let linked = |codes: &[u8], end| {
        let before = core::iter::once(&7).chain(codes);
        let step =
            |(code, before): (&u8, &u8)| Step { code: *code, first: (*before == 7).then_some(1) };
        Linked { steps: codes.iter().zip(before).map(step).collect(), end }
    };
    same(&linked(&[7, 3, 4], Some(5)), b"\x07\x01\x03\x01\x04END\x05");
    same(&linked(&[7, 7], None), b"\x07\x01\x07\x01");
    same(&linked(&[], Some(5)), b"END\x05");
    same(&linked(&[], None), b"");
    // A reader would stop in front of the last step, which is one byte.
    assert_eq!(refused(&linked(&[3, 4], None)), "steps[0] until");
}

/// Items and the two bytes behind them.
macro_rules! ended {
    ($($name:ident, $until:expr;)*) => {
        $(
            #[derive(BinFormat, Debug, PartialEq, Clone)]
            #[bin(big)]
            struct $name {
                #[bin(until = $until)]
                items: Vec<u16>,
                end: u16,
            }

            impl $name {
                fn holds() {
                    same(&Self { items: vec![1, 2], end: 3 }, b"\0\x01\0\x02\0\x03");
                    same(&Self { items: Vec::new(), end: 3 }, b"\0\x03");
                    assert_eq!(stopped::<Self>(b"\0"), "end end");
                }
            }
        )*
    };
}

ended! {
    Below, remaining < 4;
    AtMost, remaining <= 3;
    Above, 4 > remaining;
    AtLeast, 3 >= remaining;
}

#[test]
fn what_is_left_may_be_compared_in_each_form() {
    Below::holds();
    AtMost::holds();
    Above::holds();
    AtLeast::holds();
}
