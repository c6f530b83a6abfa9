//! `ExecuTorch` tensor data: files made from tensors and blobs, and damage that no file at hand has.

use binfmt_formats::ptd::{BuildError, Builder, Ptd, ScalarType};
use binfmt_runtime::BinFormat;

use crate::corpus;
use crate::laws;

fn floats(values: &[f32]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

/// A file with everything: shared and empty segments, blobs, keys of any kind, an order of
/// dimensions that is not that of rows.
fn made() -> Vec<u8> {
    let (one, two) = (floats(&[1.0, 2.0, 3.0, 4.0]), floats(&[5.0]));
    let mut file = Builder::new();
    file.tensor("fc.weight", ScalarType::Float, &[2, 2], &one).unwrap();
    file.tensor("fc.alias", ScalarType::Float, &[4], &one).unwrap();
    file.tensor("", ScalarType::Float, &[], &two).unwrap();
    file.tensor("größe \"1\"\n\u{1f600}", ScalarType::Bool, &[3], &[1, 0, 1]).unwrap();
    file.tensor_with("columns", ScalarType::Short, &[1, 2], &[1, 0], &[1, 0, 2, 0]).unwrap();
    file.tensor("none", ScalarType::Double, &[0, 3], &[]).unwrap();
    file.blob("blob", b"any bytes", 512).unwrap();
    file.blob("no bytes", b"", 1).unwrap();
    file.to_vec().unwrap()
}

/// Key, segment, element type with the order of dimensions, bytes.
type Expected = (&'static str, u32, Option<(ScalarType, &'static [u8])>, Vec<u8>);

#[test]
fn what_is_put_into_a_file_is_read_again() {
    let bytes = made();
    assert_eq!(Ptd::validate(&bytes).findings(), []);
    laws::round_trip::<Ptd<'_>>(bytes.clone().leak(), ());
    let file = Ptd::parse(&bytes).unwrap();
    let keys = file.keys().unwrap();
    let expected: [Expected; 8] = [
        ("fc.weight", 0, Some((ScalarType::Float, &[0, 1])), floats(&[1.0, 2.0, 3.0, 4.0])),
        ("fc.alias", 0, Some((ScalarType::Float, &[0])), floats(&[1.0, 2.0, 3.0, 4.0])),
        ("", 1, Some((ScalarType::Float, &[])), floats(&[5.0])),
        ("größe \"1\"\n\u{1f600}", 2, Some((ScalarType::Bool, &[0])), vec![1, 0, 1]),
        ("columns", 3, Some((ScalarType::Short, &[1, 0])), vec![1, 0, 2, 0]),
        ("none", 4, Some((ScalarType::Double, &[0, 1])), vec![]),
        ("blob", 5, None, b"any bytes".to_vec()),
        ("no bytes", 4, None, vec![]),
    ];
    assert_eq!(keys.len(), expected.len());
    for (key, segment, layout, bytes) in expected {
        let entry = keys.get(key).unwrap().unwrap();
        assert_eq!((entry.key, entry.segment_index), (key, segment));
        assert_eq!(entry.bytes, Some(&bytes[..]), "{key}");
        let found = entry.layout.map(|layout| (layout.scalar_type, layout.dim_order));
        assert_eq!(found, layout, "{key}");
    }
    assert!(keys.get("fc").is_none());
}

#[test]
fn a_new_file_is_laid_out_as_by_the_python_writer() {
    let bytes = made();
    let file = Ptd::parse(&bytes).unwrap();
    assert_eq!((file.header_len, file.flatbuffer_offset), (40, 48));
    assert_eq!(file.segment_base_offset % 128, 0);
    assert_eq!(file.segment_base_offset, (48 + file.flatbuffer_size).next_multiple_of(128));
    let segments: Vec<(u64, u64)> = file
        .segments()
        .unwrap()
        .iter()
        .map(|segment| segment.map(|segment| (*segment.offset, *segment.size)).unwrap())
        .collect();
    // The blob asks for more than 128; the last segment is not padded.
    assert_eq!(segments, [(0, 16), (128, 4), (256, 3), (384, 4), (512, 0), (512, 9)]);
    assert_eq!(file.segment_data_size, 521);
    assert_eq!(bytes.len() as u64, file.segment_base_offset + 521);
    let empty = Builder::new().to_vec().unwrap();
    assert_eq!(empty.len(), 128);
    assert_eq!(Ptd::validate(&empty).findings(), []);
    let mut pages = Builder::new();
    pages.align(4096).unwrap().blob("a", b"a", 1).unwrap().blob("b", b"b", 1).unwrap();
    let bytes = pages.to_vec().unwrap();
    assert_eq!(bytes.len(), 2 * 4096 + 1);
}

#[test]
fn what_a_file_cannot_hold_is_refused() {
    let mut file = Builder::new();
    file.blob("a", b"", 1).unwrap();
    assert_eq!(file.blob("a", b"", 1).unwrap_err(), BuildError::Key("a".to_owned()));
    for align in [0, 3, 1 << 17, 1 << 62] {
        assert_eq!(file.blob("b", b"", align).unwrap_err(), BuildError::Align(align));
    }
    for align in [0, 8, 24, 1 << 17, 1 << 62] {
        assert_eq!(file.align(align).unwrap_err(), BuildError::Align(align));
    }
    let mut tensor = |sizes: &[u64], order: &[u8]| {
        file.tensor_with("t", ScalarType::Int, sizes, order, &[0; 8]).unwrap_err()
    };
    assert_eq!(tensor(&[1], &[0]), BuildError::Len { expected: Some(4), found: 8 });
    assert_eq!(tensor(&[1 << 31], &[0]), BuildError::Sizes);
    assert_eq!(tensor(&[2], &[1]), BuildError::DimOrder);
    assert_eq!(tensor(&[2], &[0, 1]), BuildError::DimOrder);
    assert_eq!(tensor(&[2, 1], &[0, 0]), BuildError::DimOrder);
    assert_eq!(
        file.tensor("t", ScalarType::Other(99), &[1], &[0]).unwrap_err(),
        BuildError::Len { expected: None, found: 1 }
    );
}

/// Where the parts of `direct_two_tensors.ptd` lie that are damaged here.
const IDENTIFIER: usize = 4;
const FLATBUFFER_OFFSET: usize = 16;
const FLATBUFFER_SIZE: usize = 24;
const BASE: usize = 32;
const DATA_SIZE: usize = 40;
const VERSION_SLOT: usize = 62;
const KEY: usize = 0xec;
const SEGMENT_INDEX: usize = 0x70;
const SCALAR_TYPE: usize = 0x7f;
const SECOND_OFFSET: usize = 0x110;
const SECOND_SIZE: usize = 0x118;

fn put(at: usize, value: u64) -> impl Fn(&mut Vec<u8>) {
    move |file| file[at..at + 8].copy_from_slice(&value.to_le_bytes())
}

fn byte(at: usize, value: u8) -> impl Fn(&mut Vec<u8>) {
    move |file| file[at] = value
}

type Change = Box<dyn Fn(&mut Vec<u8>)>;

/// Damage to a real file, and what is told of it.
#[test]
#[expect(clippy::too_many_lines, reason = "the list of cases is most of it")]
fn damage_is_told_with_its_place_and_its_consequence() {
    let base = corpus::file("ptd", "direct_two_tensors.ptd");
    let cases: Vec<(Change, &str)> = vec![
        (Box::new(byte(IDENTIFIER + 3, b'2')), "error identifier ptd.ptd.identifier.magic"),
        (
            Box::new(put(FLATBUFFER_OFFSET, 0)),
            "error flatbuffer_offset ptd.ptd.flatbuffer-offset.min",
        ),
        (Box::new(put(FLATBUFFER_OFFSET, 40)), "error tables.segments[0].size size"),
        (Box::new(put(FLATBUFFER_OFFSET, 56)), "warning tables ptd.ptd.tables.padding"),
        (Box::new(put(FLATBUFFER_SIZE, 256)), "error tables.segments[0].size size"),
        (
            Box::new(put(FLATBUFFER_SIZE, u64::MAX)),
            "error flatbuffer_size ptd.ptd.flatbuffer-size.min",
        ),
        (Box::new(put(BASE, 0)), "error segment_base_offset ptd.ptd.segment-base-offset.inside"),
        (Box::new(put(BASE, 200)), "error segment_base_offset ptd.ptd.segment-base-offset.inside"),
        (Box::new(put(BASE, 385)), "error segment_base_offset ptd.ptd.segment-base-offset.align"),
        (Box::new(put(BASE, 529)), "error segment_base_offset size"),
        (Box::new(put(DATA_SIZE, 145)), "error segment_data_size ptd.ptd.segment-data-size.max"),
        (
            Box::new(put(DATA_SIZE, u64::MAX)),
            "error segment_data_size ptd.ptd.segment-data-size.overflow",
        ),
        (Box::new(put(DATA_SIZE, 100)), "warning segment_data_size ptd.ptd.segment-data-size.end"),
        (Box::new(byte(VERSION_SLOT, 0x40)), "error tables.version ptd.flat-tensor.version.known"),
        (
            Box::new(byte(SEGMENT_INDEX, 99)),
            "error tables.named_data[1].segment_index ptd.named-data.segment-index.range",
        ),
        (
            Box::new(byte(SCALAR_TYPE, 99)),
            "error tables.named_data[1].tensor_layout.scalar_type ptd.tensor-layout.scalar-type.known",
        ),
        (
            Box::new(byte(SCALAR_TYPE, 8)),
            "warning tables.named_data[1].tensor_layout.scalar_type ptd.tensor-layout.scalar-type.schema",
        ),
        (
            Box::new(byte(SCALAR_TYPE, 1)),
            "warning tables.named_data[1].tensor_layout.sizes ptd.tensor-layout.sizes.min",
        ),
        (Box::new(byte(KEY, 0xff)), "error tables.named_data[0].key utf8"),
        (
            Box::new(put(SECOND_OFFSET, 16)),
            "error tables.segments[1].offset ptd.data-segment.offset.overlap",
        ),
        (
            Box::new(put(SECOND_OFFSET, 36)),
            "warning tables.segments[1].offset ptd.data-segment.offset.align-8",
        ),
        (
            Box::new(put(SECOND_OFFSET, 30)),
            "error tables.segments[1].offset ptd.data-segment.offset.align",
        ),
        (
            Box::new(put(SECOND_OFFSET, u64::MAX)),
            "error tables.segments[1].size ptd.data-segment.size.overflow",
        ),
        (
            Box::new(put(SECOND_SIZE, 17)),
            "error tables.segments[1].offset ptd.data-segment.offset.end",
        ),
        (Box::new(|file| file.extend([0; 16])), "warning data ptd.ptd.data.trailing"),
        (Box::new(byte(48, 1)), "warning tables ptd.ptd.tables.padding"),
        (Box::new(byte(383, 1)), "warning padding ptd.ptd.padding.zero"),
        (Box::new(byte(384 + 30, 1)), "warning data ptd.ptd.data.padding"),
        (Box::new(|file| file.truncate(527)), "error data ptd.ptd.data.cut"),
    ];
    let mut wrong = Vec::new();
    for (index, (change, expected)) in cases.iter().enumerate() {
        let mut file = base.clone();
        change(&mut file);
        laws::hold::<Ptd<'_>>(&file, ());
        let report = Ptd::validate(&file);
        let told = |line: &str| {
            report.findings().iter().any(|finding| {
                line == format!("{} {} {}", finding.severity.name(), finding.path, finding.code)
            })
        };
        let severe = expected.starts_with("error") != report.is_ok();
        if !told(expected) || !severe {
            wrong.push(format!("case {index}: {expected}\n{report}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The processor time that something takes, in milliseconds.
fn millis<T>(work: impl FnOnce() -> T) -> (T, u128) {
    let start = cpu_time::ThreadTime::now();
    let result = work();
    (result, start.elapsed().as_millis())
}

#[test]
fn weights_are_not_looked_at() {
    // 100 MB in which every byte counts, between two small tensors.
    let weights = vec![0x5a; 100 << 20];
    let mut file = Builder::new();
    file.tensor("before", ScalarType::Byte, &[3], &[1, 2, 3]).unwrap();
    file.blob("weights", &weights, 16).unwrap();
    file.tensor("behind", ScalarType::Byte, &[2], &[4, 5]).unwrap();
    let bytes = file.to_vec().unwrap();
    let (report, spent) = millis(|| Ptd::validate(&bytes));
    assert_eq!(report.findings(), []);
    // Without optimisation, a look at every byte takes ten times as long.
    assert!(spent < 50, "{spent} ms");
    let (valid, spent) = millis(|| Ptd::is_valid(&bytes));
    assert!(valid && spent < 50, "{spent} ms");
}

#[test]
fn keys_are_found_without_a_search() {
    let names: Vec<String> = (0..20_000).map(|index| format!("layer.{index}.weight")).collect();
    let numbers: Vec<[u8; 4]> = (0..20_000_u32).map(u32::to_le_bytes).collect();
    let mut file = Builder::new();
    for (name, number) in names.iter().zip(&numbers) {
        file.tensor(name, ScalarType::Int, &[1], number).unwrap();
    }
    let bytes = file.to_vec().unwrap();
    let file = Ptd::parse(&bytes).unwrap();
    let ((), spent) = millis(|| {
        let keys = file.keys().unwrap();
        for (name, number) in names.iter().zip(&numbers) {
            assert_eq!(keys.get(name).unwrap().unwrap().bytes, Some(&number[..]));
        }
    });
    // Searching would read 200 million names.
    assert!(spent < 5000, "{spent} ms");
    let (report, spent) = millis(|| Ptd::validate(&bytes));
    assert_eq!(report.findings(), []);
    assert!(spent < 5000, "{spent} ms");
}

#[test]
fn reading_and_checking_allocate_nothing() {
    let bytes = corpus::file("ptd", "direct_many_keys_500.ptd");
    let info = allocation_counter::measure(|| {
        let file = Ptd::parse(&bytes).unwrap();
        assert_eq!(file.entries().unwrap().map(Result::unwrap).count(), 500);
        assert!(Ptd::is_valid(&bytes));
    });
    assert_eq!(info.count_total, 0);
}

#[test]
fn cut_and_changed_files_are_read_without_panic() {
    for name in ["direct_shared_segment.ptd", "old_et060.ptd", "direct_zero_size_tensor.ptd"] {
        let bytes = corpus::file("ptd", name);
        for len in (0..bytes.len()).step_by(3) {
            laws::hold::<Ptd<'_>>(&bytes[..len], ());
        }
        for changed in corpus::single_byte_changes(&bytes, 400).step_by(2) {
            laws::hold::<Ptd<'_>>(&changed, ());
        }
    }
}
