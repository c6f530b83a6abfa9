//! Small files that ask for much: each costs no more than its own size allows, in time and in memory.

use std::io::Write as _;
use std::time::Duration;

use binfmt_formats::fatbin::codec::Codec;
use binfmt_formats::fatbin::{Entry, Kind, payload};
use binfmt_formats::rten::Rten;
use binfmt_runtime::{BinFormat, FbRef, FbVec, FlatBuffer, Seq};
use cpu_time::ThreadTime;
use flatbuffers::FlatBufferBuilder;

use crate::laws;

mod files;

/// Runs `work` and fails if it takes more than `most` bytes at once, or more than 5 seconds of this
/// thread's time, which is a hundred times what a slow machine needs.
#[track_caller]
fn bounded<T>(what: &str, most: u64, work: impl FnOnce() -> T) -> T {
    let start = ThreadTime::now();
    let mut result = None;
    let info = allocation_counter::measure(|| result = Some(work()));
    assert!(info.bytes_max <= most, "{what} takes {} bytes", info.bytes_max);
    assert!(start.elapsed() < Duration::from_secs(5), "{what} takes {:?}", start.elapsed());
    result.unwrap()
}

/// The bytes are refused: by the reader and `is_valid` without memory, by the validator with little.
#[track_caller]
fn refused<T>(what: &str, bytes: &'static [u8], code: &str)
where
    T: BinFormat<'static> + binfmt_runtime::DefaultArgs<'static> + std::fmt::Debug + PartialEq,
{
    bounded(what, 0, || assert!(!T::is_valid(bytes), "{what} is valid"));
    bounded(what, 1 << 16, || drop(T::parse(bytes)));
    let report = bounded(what, 1 << 20, || T::validate(bytes));
    assert!(report.errors().any(|error| error.code == code), "{what}: {report}");
    bounded(what, 1 << 20, || T::inspect(bytes));
    laws::hold::<T>(bytes, T::default_args());
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little)]
struct Small {
    number: u16,
}

#[derive(BinFormat, Debug, PartialEq)]
#[bin(little)]
struct Eager {
    count: u64,
    #[bin(count = count)]
    items: Vec<Small>,
    #[bin(until_end)]
    rest: Vec<u8>,
}

#[derive(BinFormat, Debug, PartialEq)]
#[bin(little)]
struct Lazy<'a> {
    count: u64,
    #[bin(count = count)]
    items: Seq<'a, Small>,
}

#[derive(BinFormat, Debug, PartialEq)]
#[bin(little)]
struct Numbers {
    count: u64,
    #[bin(count = count)]
    items: Vec<u32>,
}

#[derive(BinFormat, Debug, PartialEq)]
#[bin(little)]
struct Offsets<'a> {
    count: u64,
    #[bin(count = count)]
    table: Vec<Pointer>,
    #[bin(for_each = table, at = it.offset, len = it.size)]
    bodies: Vec<&'a [u8]>,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little)]
struct Pointer {
    offset: u64,
    size: u64,
}

#[test]
fn sixteen_bytes_that_claim_everything_cost_nothing() {
    for claim in [u64::MAX, u64::MAX - 1, 1 << 63, 1 << 62, u64::MAX / 4 + 1, 1 << 32, 5] {
        let bytes: &'static [u8] = [claim.to_le_bytes(), [1; 8]].concat().leak();
        let what = format!("a claim of {claim}");
        refused::<Eager>(&what, bytes, "count");
        refused::<Lazy<'_>>(&what, bytes, "count");
        refused::<Numbers>(&what, bytes, "count");
        refused::<Offsets<'_>>(&what, bytes, "count");
    }
}

#[derive(BinFormat, Debug, PartialEq)]
#[bin(little, len = size + 16)]
struct Sized<'a> {
    size: u64,
    #[bin(until_end)]
    body: &'a [u8],
}

#[derive(BinFormat, Debug, PartialEq)]
#[bin(little)]
struct Product<'a> {
    width: u64,
    height: u64,
    #[bin(len = width * height * 4)]
    pixels: &'a [u8],
}

#[derive(BinFormat, Debug, PartialEq)]
#[bin(little)]
struct Located<'a> {
    offset: u64,
    size: u64,
    #[bin(at = offset + 8, len = size + 8)]
    body: &'a [u8],
}

#[derive(BinFormat, Debug, PartialEq)]
#[bin(little)]
struct Padded<'a> {
    room: u64,
    #[bin(len = 8, align_after = 8, pad_to = room)]
    body: &'a [u8],
}

#[test]
fn sums_and_products_that_wrap_are_refused() {
    let near_end = (0..80).map(|less| u64::MAX - less);
    for claim in near_end.chain([1 << 63, (1 << 63) - 8, 1 << 62, 1 << 61]) {
        let bytes = |other: u64| -> &'static [u8] {
            [claim.to_le_bytes(), other.to_le_bytes()].concat().leak()
        };
        let what = format!("{claim:#x}");
        for other in [0, 8, claim, u64::MAX, 1 << 63] {
            let bytes = bytes(other);
            refused_somehow::<Sized<'_>>(&what, bytes);
            refused_somehow::<Located<'_>>(&what, bytes);
            refused_somehow::<Padded<'_>>(&what, bytes);
            // Nothing, times anything, is nothing.
            if other != 0 {
                refused_somehow::<Product<'_>>(&what, bytes);
            }
        }
    }
}

#[track_caller]
fn refused_somehow<T>(what: &str, bytes: &'static [u8])
where
    T: BinFormat<'static> + binfmt_runtime::DefaultArgs<'static> + std::fmt::Debug + PartialEq,
{
    let report = bounded(what, 1 << 16, || T::validate(bytes));
    let first = report.errors().next().unwrap_or_else(|| panic!("{what} has no error"));
    refused::<T>(what, bytes, first.code);
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little)]
struct Chain {
    next: u32,
    #[bin(at = next, base = file, null = 0xFFFF_FFFF)]
    rest: Option<Box<Self>>,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little)]
struct Fork {
    left: u32,
    right: u32,
    #[bin(at = left, base = file, null = 0xFFFF_FFFF)]
    one: Option<Box<Self>>,
    #[bin(at = right, base = file, null = 0xFFFF_FFFF)]
    two: Option<Box<Self>>,
}

#[test]
fn values_that_contain_themselves_end() {
    let chain: &'static [u8] = &[0; 4];
    refused_deep::<Chain>("a chain to itself", chain);
    refused_deep::<Fork>("a fork to itself", &[0; 8]);
    // Forks of which both sides are the next fork: 2^60 paths.
    let forks = |count: u32| -> &'static [u8] {
        let next = (1..=count).map(|index| if index == count { u32::MAX } else { index * 8 });
        next.flat_map(|at| [at.to_le_bytes(), at.to_le_bytes()].concat()).collect::<Vec<_>>().leak()
    };
    for count in [40, 60, 64, 65, 1000] {
        refused_deep::<Fork>(&format!("{count} forks"), forks(count));
    }
}

/// A value that ends by a bound; the owned values that were read on the way are memory.
#[track_caller]
fn refused_deep<T>(what: &str, bytes: &'static [u8])
where
    T: BinFormat<'static> + binfmt_runtime::DefaultArgs<'static> + std::fmt::Debug,
{
    const MOST: u64 = 8 << 20;
    assert!(!bounded(what, MOST, || T::is_valid(bytes)), "{what} is valid");
    assert!(bounded(what, MOST, || T::parse(bytes).is_err()), "{what} can be read");
    let report = bounded(what, MOST, || T::validate(bytes));
    let ends = |code: &str| matches!(code, "depth" | "budget");
    assert!(report.errors().any(|error| ends(error.code)), "{what}: {report}");
    bounded(what, MOST, || T::inspect(bytes));
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(flatbuffer)]
struct Knot<'a> {
    #[bin(slot = 0)]
    one: Option<FbRef<'a, Self>>,
    #[bin(slot = 1)]
    many: FbVec<'a, Self>,
}

/// A buffer of tables, each of which holds the next one `width` times.
fn knots(depth: usize, width: usize) -> &'static [u8] {
    let mut b = FlatBufferBuilder::new();
    let start = b.start_table();
    let mut inner = b.end_table(start);
    for _ in 0..depth {
        let many = b.create_vector(&vec![inner; width]);
        let start = b.start_table();
        b.push_slot_always(4, inner);
        b.push_slot_always(6, many);
        inner = b.end_table(start);
    }
    b.finish_minimal(inner);
    b.finished_data().to_vec().leak()
}

#[test]
fn tables_that_share_tables_are_not_walked_for_ever() {
    assert!(FlatBuffer::<Knot<'_>>::is_valid(knots(3, 3)));
    for (depth, width) in [(30, 2), (20, 100), (60, 50), (200, 1), (3, 2000)] {
        let bytes = knots(depth, width);
        let what = format!("{depth} levels of {width}");
        bounded(&what, 0, || assert!(!FlatBuffer::<Knot<'_>>::is_valid(bytes), "{what} is valid"));
        let report = bounded(&what, 8 << 20, || FlatBuffer::<Knot<'_>>::validate(bytes));
        let ends = |code: &str| matches!(code, "depth" | "budget");
        assert!(report.errors().any(|error| ends(error.code)), "{what}: {report}");
        assert!(report.findings().len() < 10_000, "{what}: {}", report.findings().len());
    }
}

/// Every offset of a buffer is made to lead to itself, to what is before it and out of the buffer.
#[test]
fn tables_that_refer_to_themselves_end() {
    let good = knots(4, 3);
    let model = crate::corpus::file("rten", "add_mul_v1.rten");
    for at in (0..good.len().min(model.len()) - 3).step_by(2) {
        for value in [0_u32, 4, 8, 0x8000_0000, 0xFFFF_FFFC, 0xFFFF_FFF0, u32::MAX] {
            let change = |bytes: &[u8]| {
                let mut bytes = bytes.to_vec();
                bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
                bytes
            };
            let what = format!("{value:#x} at {at}");
            let buffer = change(good);
            bounded(&what, 0, || FlatBuffer::<Knot<'_>>::is_valid(&buffer));
            bounded(&what, 1 << 22, || FlatBuffer::<Knot<'_>>::validate(&buffer));
            let model = change(&model);
            bounded(&what, 0, || Rten::is_valid(&model));
            bounded(&what, 1 << 22, || Rten::validate(&model));
        }
    }
}

const HONEST: u64 = 64 << 20;

/// 64 MiB of zeros, stored with every codec.
fn streams() -> Vec<(Codec, Vec<u8>)> {
    let chunk = vec![0; 1 << 20];
    let chunks = usize::try_from(HONEST).unwrap() / chunk.len();
    let mut zlib = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
    let mut zstd = zstd::Encoder::new(Vec::new(), 1).unwrap();
    let mut frame = lz4_flex::frame::FrameEncoder::new(Vec::new());
    for _ in 0..chunks {
        zlib.write_all(&chunk).unwrap();
        zstd.write_all(&chunk).unwrap();
        frame.write_all(&chunk).unwrap();
    }
    vec![
        (Codec::Zlib, zlib.finish().unwrap()),
        (Codec::Zstd, zstd.finish().unwrap()),
        (Codec::Lz4Frame, frame.finish().unwrap()),
        (Codec::Lz4, lz4_zeros(chunks * chunk.len())),
    ]
}

/// An LZ4 block of zeros: one literal, a match that copies it on and on, and five literals.
fn lz4_zeros(len: usize) -> Vec<u8> {
    let matched = len - 1 - 5;
    let mut block = vec![0x1F, 0, 1, 0];
    let more = matched - 4 - 15;
    block.resize(block.len() + more / 255, 255);
    block.push(u8::try_from(more % 255).unwrap());
    block.extend([0x50, 0, 0, 0, 0, 0]);
    block
}

/// Codecs with a window of their own may take a few MiB for it.
const WINDOWS: u64 = 12 << 20;

#[test]
fn a_stream_is_decoded_no_further_than_it_claims_and_may() {
    const SMALL: u64 = 4096;
    for (codec, stored) in streams() {
        assert!(stored.len() < 1 << 19, "{codec:?}: {} bytes", stored.len());
        let entry = |claim: u64| Entry::compressed(Kind::Ptx, 90, codec, &stored, claim);
        let what = |kind: &str| format!("{codec:?}, {kind}");
        // Honest, and more than is allowed: refused before anything is decoded.
        let honest = entry(HONEST);
        let refused = bounded(&what("honest"), SMALL, || payload::decode(&honest, HONEST - 1));
        assert!(refused.is_err(), "{codec:?}");
        // A lie that is too small stops the stream there.
        for claim in [1, 80, 1 << 16] {
            let small = entry(claim);
            let refused = bounded(&what("small"), WINDOWS, || payload::decode(&small, HONEST));
            assert!(refused.is_err(), "{codec:?} {claim}");
        }
        // A lie that is too large, over the limit and under it.
        for claim in [u64::MAX, 1 << 63, 1 << 40] {
            let huge = entry(claim);
            let refused = bounded(&what("huge"), SMALL, || payload::decode(&huge, HONEST));
            assert!(refused.is_err(), "{codec:?} {claim}");
            if codec == Codec::Lz4 {
                // Without a limit what a byte can be at most is one.
                let refused = bounded(&what("huge"), SMALL, || payload::decode(&huge, u64::MAX));
                assert!(refused.is_err(), "{codec:?} {claim}");
            }
        }
    }
}

#[test]
fn short_streams_that_claim_much_take_no_memory_for_it() {
    let text = b"sixteen bytes is.";
    let mut zlib = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
    zlib.write_all(text).unwrap();
    let mut frame = lz4_flex::frame::FrameEncoder::new(Vec::new());
    frame.write_all(text).unwrap();
    let cases = [
        (Codec::Zlib, zlib.finish().unwrap()),
        (Codec::Zstd, zstd::encode_all(&text[..], 1).unwrap()),
        (Codec::Lz4Frame, frame.finish().unwrap()),
        (Codec::Lz4, lz4_flex::block::compress(text)),
    ];
    for (codec, stored) in cases {
        for claim in [18, 1 << 28, 1 << 62, u64::MAX] {
            let entry = Entry::compressed(Kind::Ptx, 90, codec, &stored, claim);
            let what = format!("{codec:?} claims {claim}");
            let refused = bounded(&what, WINDOWS, || payload::decode(&entry, u64::MAX));
            assert!(refused.is_err(), "{what}");
        }
    }
}
