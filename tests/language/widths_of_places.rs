//! Numbers of variable length that tell where bytes lie behind them: two files may be right, with a byte more and with a
//! byte less, and what is read of the one that is written is written the same again.

use std::cell::Cell;

use binfmt_runtime::{Auto, BinFormat, Leb128};

/// `last` moves all that it tells of when it takes another byte.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct Directory {
    #[bin(prefix = u8)]
    filler: Vec<u8>,
    root: Folder,
    heap_len: u16,
    #[bin(section = open, len = heap_len)]
    heap: Vec<u8>,
    last: Auto<Leb128<u16>>,
    text_at: Auto<Leb128<u16>>,
    #[bin(prefix = u8)]
    offsets: Vec<u8>,
    #[bin(prefix = u8)]
    distances: Vec<u8>,
    #[bin(at = last, prefix = u8, shared, align_after = 2)]
    end: Vec<u8>,
    #[bin(at = text_at, prefix = u8)]
    text: Vec<u8>,
    #[bin(for_each = offsets, at = it, prefix = u8, shared, null = 0)]
    names: Vec<Option<Vec<u8>>>,
    #[bin(for_each = distances, at = start(distances) + it, prefix = u8)]
    values: Vec<Vec<u8>>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct Folder {
    at: u8,
    size: Leb128<u16>,
    #[bin(at = at, place = around, shared, align_after = 4, len = size)]
    there: Leaf,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct Leaf {
    at: u8,
    size: Leb128<u16>,
    #[bin(at = at, place = around, base = file, len = size)]
    there: Data,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Data {
    len: u8,
    #[bin(len = len)]
    bytes: Vec<u8>,
}

fn directory(filler: usize, old: u8) -> Directory {
    let data = Data { len: old, bytes: vec![1; 2] };
    let leaf = Leaf { at: old, size: u16::from(old).into(), there: data };
    Directory {
        filler: vec![7; filler],
        root: Folder { at: old, size: u16::from(old).into(), there: leaf },
        heap_len: old.into(),
        heap: vec![0; 2],
        last: Auto::new(),
        text_at: Auto::new(),
        offsets: vec![old],
        distances: vec![old, 0],
        end: vec![],
        text: vec![2; 2],
        names: vec![Some(vec![5])],
        values: vec![vec![6; 8], vec![3]],
    }
}

#[test]
fn what_is_written_is_written_the_same_again_whatever_the_places_were() {
    let mut written = 0;
    for (filler, old) in (40..100).flat_map(|filler| [0, 1, 9, 40].map(|old| (filler, old))) {
        // Places in one byte end somewhere.
        let Ok(bytes) = directory(filler, old).to_vec() else { continue };
        written += 1;
        let again = Directory::parse(&bytes).unwrap().to_vec().unwrap();
        assert_eq!(bytes, again, "a filler of {filler}, places of {old}");
    }
    assert!(written > 200, "{written}");
}

thread_local! {
    static PASSES: Cell<u32> = const { Cell::new(0) };
}

/// Counts how often a writer comes by.
mod counted {
    use super::PASSES;

    pub(super) fn read(mark: u8) -> u8 {
        mark
    }

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "`map` calls it so")]
    pub(super) fn write(mark: &u8) -> u8 {
        PASSES.set(PASSES.get() + 1);
        *mark
    }
}

fn passes<T>(value: &T) -> u32
where
    T: for<'a> BinFormat<'a>,
    for<'a> T: binfmt_runtime::DefaultArgs<'a>,
{
    PASSES.set(0);
    value.to_vec().unwrap();
    PASSES.get()
}

#[derive(BinFormat, PartialEq)]
struct Script {
    #[bin(map(u8, counted::read, counted::write))]
    mark: u8,
    len: Auto<Leb128<u32>>,
    #[bin(len = len)]
    code: Code,
}

#[derive(BinFormat, PartialEq)]
struct Code {
    #[bin(until_end)]
    bytes: Vec<u8>,
}

#[derive(BinFormat, PartialEq)]
struct Located {
    #[bin(map(u8, counted::read, counted::write))]
    mark: u8,
    at: Auto<Leb128<u32>>,
    #[bin(prefix = u8)]
    filler: Vec<u8>,
    #[bin(at = at)]
    last: u8,
}

#[test]
fn a_length_that_is_near_a_shorter_one_costs_no_more() {
    let script = |len| Script { mark: 1, len: Auto::new(), code: Code { bytes: vec![0; len] } };
    let far = passes(&script(200));
    for len in 128..160 {
        assert_eq!(passes(&script(len)), far, "{len}");
    }
}

#[test]
fn few_passes_look_for_a_nearer_place() {
    let located = |filler| Located { mark: 1, at: Auto::new(), filler: vec![0; filler], last: 2 };
    let far = passes(&located(200));
    let most = (100..160).map(|filler| passes(&located(filler))).max().unwrap();
    assert!(far < most && most < far + 20, "{far} passes, and {most}");
}
