//! Whole files whose numbers wrap or claim much: the program ends, and says so.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use binfmt_formats::fatbin::{Container, Entry, Kind, Region, file};
use binfmt_formats::ptd::Ptd;
use binfmt_formats::pte::Pte;
use binfmt_formats::rten::Rten;
use binfmt_formats::vpt::Vpt;
use binfmt_runtime::{BinFormat, DefaultArgs};
use flatbuffers::{FlatBufferBuilder, TableFinishedWIPOffset, WIPOffset};

use super::{bounded, refused};
use crate::{corpus, ptd_schemas};

/// Where numbers lie in a fat binary with one entry.
const CONTAINER_SIZE: usize = 8;
const PADDED_LEN: usize = 16 + 8;

#[test]
fn lengths_of_fat_binaries_that_wrap_end_at_once() {
    let good = Container::new(&[Entry::plain(Kind::Ptx, 75, &[b'x'; 64])]).to_vec().unwrap();
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("bomb.fatbin");
    let path = path.to_str().unwrap();
    for (at, value) in [
        (PADDED_LEN, u64::MAX - 63),
        (PADDED_LEN, u64::MAX - 7),
        (PADDED_LEN, u64::MAX),
        (PADDED_LEN, 0_u64.wrapping_sub(64 + 64)),
        (CONTAINER_SIZE, u64::MAX - 15),
        (CONTAINER_SIZE, u64::MAX),
        (CONTAINER_SIZE, 1 << 63),
    ] {
        let mut bytes = good.clone();
        bytes[at..at + 8].copy_from_slice(&value.to_le_bytes());
        let bytes: &'static [u8] = bytes.leak();
        let what = format!("{value:#x} at {at}");
        refused::<Region<'_>>(&what, bytes, "size");
        bounded(&what, 1 << 20, || file::parts(bytes).map(|parts| parts.len()).ok());
        std::fs::write(path, bytes).unwrap();
        for (command, code) in [("validate", 1), ("list", 1), ("inspect", 1), ("scan", 1)] {
            assert_eq!(ends(&[command, path]), Some(code), "{command} {what}");
        }
    }
}

/// Headers: the file, how many bytes each number of them has that says where something is or how
/// long, and where these lie.
const HEADERS: [(&str, &str, usize, &[usize]); 4] = [
    ("ptd", "direct_two_tensors.ptd", 8, &[16, 24, 32, 40]),
    ("pte", "mlp.pte", 8, &[16, 24, 32]),
    ("rten", "mlp_v2.rten", 8, &[8, 16, 24]),
    ("vpt", "seed_two.vpt", 4, &[16, 20]),
];

#[test]
fn headers_whose_numbers_wrap_end_at_once() {
    let dir = tempfile::tempdir().unwrap();
    for (format, name, width, numbers) in HEADERS {
        let good = corpus::file(format, name);
        let path = dir.path().join(name);
        let path = path.to_str().unwrap();
        for at in numbers {
            for value in [u64::MAX, u64::MAX - 7, u64::MAX - 63, 0x8000_0000_8000_0000] {
                let mut bytes = good.clone();
                bytes[*at..at + width].copy_from_slice(&value.to_le_bytes()[..width]);
                let what = format!("{value:#x} at {at} of {name}");
                match format {
                    "ptd" => damaged::<Ptd<'_>>(&what, &bytes),
                    "pte" => damaged::<Pte<'_>>(&what, &bytes),
                    "rten" => damaged::<Rten<'_>>(&what, &bytes),
                    _ => damaged::<Vpt<'_>>(&what, &bytes),
                }
                std::fs::write(path, bytes).unwrap();
                assert_eq!(ends(&["validate", path]), Some(1), "{what}");
                for command in ["list", "inspect", "scan"] {
                    // What is damaged may still have something to show.
                    assert!(matches!(ends(&[command, path]), Some(0 | 1)), "{command} {what}");
                }
            }
        }
    }
}

/// The bytes have an error, and cost little: the numbers may be ones that no reader looks at.
#[track_caller]
fn damaged<'a, T>(what: &str, bytes: &'a [u8])
where
    T: BinFormat<'a> + DefaultArgs<'a>,
{
    bounded(what, 0, || T::is_valid(bytes));
    bounded(what, 1 << 16, || drop(T::parse(bytes)));
    let report = bounded(what, 1 << 20, || T::validate(bytes));
    assert!(!report.is_ok(), "{what} has no error");
    bounded(what, 1 << 22, || T::inspect(bytes));
}

/// The exit status of a run that must not take for ever.
fn ends(args: &[&str]) -> Option<i32> {
    let mut program = Command::new(env!("CARGO_BIN_EXE_binfmt"));
    program.args(args).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = program.spawn().unwrap();
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return status.code();
        }
        if start.elapsed() > Duration::from_mins(1) {
            child.kill().unwrap();
            child.wait().unwrap();
            return None;
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// A table with offsets and numbers in its slots.
fn table(
    b: &mut FlatBufferBuilder<'static>,
    put: impl FnOnce(&mut FlatBufferBuilder<'static>),
) -> WIPOffset<TableFinishedWIPOffset> {
    let start = b.start_table();
    put(b);
    b.end_table(start)
}

/// A model with `count` offsets to one constant, whose name and shape are that long, too.
fn shared_constant(count: usize) -> Vec<u8> {
    let mut b = FlatBufferBuilder::new();
    let name = b.create_string(&"w".repeat(count));
    let shape = b.create_vector(&vec![1_u32; count]);
    let constant = table(&mut b, |b| {
        b.push_slot_always(4, shape);
        b.push_slot_always(10, 1_u16);
    });
    let node = table(&mut b, |b| {
        b.push_slot_always(4, name);
        b.push_slot_always(6, 2_u8);
        b.push_slot_always(8, constant);
    });
    let nodes = b.create_vector(&vec![node; count]);
    let empty = b.create_vector::<u32>(&[]);
    let graph = table(&mut b, |b| {
        b.push_slot_always(4, nodes);
        b.push_slot_always(6, empty);
        b.push_slot_always(8, empty);
    });
    let model = table(&mut b, |b| {
        b.push_slot_always(4, 1_i32);
        b.push_slot_always(6, graph);
    });
    b.finish_minimal(model);
    b.finished_data().to_vec()
}

/// A program with `count` offsets to one tensor, whose name and sizes are that long, in a method whose
/// name is, too.
fn shared_tensor(count: usize) -> Vec<u8> {
    let mut b = FlatBufferBuilder::new();
    let name = b.create_string(&"w".repeat(count));
    let sizes = b.create_vector(&vec![1_i32; count]);
    let extra = table(&mut b, |b| b.push_slot_always(6, name));
    let tensor = table(&mut b, |b| {
        b.push_slot_always(4, 6_i8);
        b.push_slot_always(8, sizes);
        b.push_slot_always(22, extra);
    });
    let slot = table(&mut b, |b| {
        b.push_slot_always(4, 5_u8);
        b.push_slot_always(6, tensor);
    });
    let values = b.create_vector(&vec![slot; count]);
    let plan = table(&mut b, |b| {
        b.push_slot_always(4, name);
        b.push_slot_always(8, values);
    });
    let plans = b.create_vector(&[plan]);
    let program = table(&mut b, |b| b.push_slot_always(6, plans));
    b.finish(program, Some("ET12"));
    b.finished_data().to_vec()
}

/// Tensor data with `count` offsets to one name of 20,000 bytes.
fn shared_name(count: usize) -> Vec<u8> {
    let mut b = FlatBufferBuilder::new();
    let key = b.create_string(&"w".repeat(20_000));
    let named = table(&mut b, |b| b.push_slot_always(4, key));
    let named = b.create_vector(&vec![named; count]);
    let segment = table(&mut b, |b| {
        b.push_slot_always(4, 0_u64);
        b.push_slot_always(6, 16_u64);
    });
    let segments = b.create_vector(&[segment]);
    let root = table(&mut b, |b| {
        b.push_slot_always(6, segments);
        b.push_slot_always(8, named);
    });
    b.finish(root, Some("FT01"));
    ptd_schemas::file(b.finished_data(), &[7; 16])
}

#[test]
fn names_of_tensor_data_that_are_shared_end_what_is_told() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("x.ptd");
    // The rule of the format sees few, the budget of the walk ends at many.
    for (count, code) in [(7, "ptd.tables.shared"), (20_000, "budget")] {
        let bytes = shared_name(count);
        let file = Ptd::parse(&bytes).unwrap();
        let most = 16 * u64::try_from(bytes.len()).unwrap();
        let told = bounded("ptd", most, || file.entries().unwrap().all(|entry| entry.is_ok()));
        assert!(!told, "{count}");
        let report = bounded("ptd", 1 << 20, || Ptd::validate(&bytes));
        assert!(report.errors().any(|error| error.code == code), "{report}");
        std::fs::write(&path, &bytes).unwrap();
        for args in [&["list"][..], &["list", "--json"], &["summary"]] {
            assert_eq!(ends(&[args, &[path.to_str().unwrap()]].concat()), Some(1), "{args:?}");
        }
    }
}

/// What many names share is not told for each of them, and a validator says so.
#[test]
fn names_and_shapes_that_are_shared_end_what_is_told() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("x");
    let path = path.to_str().unwrap();
    for (format, file) in [("rten", shared_constant(20_000)), ("pte", shared_tensor(20_000))] {
        std::fs::write(path, &file).unwrap();
        let most = 16 * u64::try_from(file.len()).unwrap();
        let (told, report) = if format == "rten" {
            let model = Rten::parse(&file).unwrap();
            let told = bounded(format, most, || model.tensors().is_ok());
            (told, bounded(format, 1 << 20, || Rten::validate(&file)))
        } else {
            let program = Pte::parse(&file).unwrap();
            let told = bounded(format, most, || program.tensors().is_ok());
            (told, bounded(format, 1 << 20, || Pte::validate(&file)))
        };
        assert!(!told, "{format}");
        let is_shared = |code: &str| matches!(code, "rten.graph.nodes.shared" | "budget");
        assert!(report.errors().any(|error| is_shared(error.code)), "{report}");
        let out = dir.path().join("out");
        let convert = ["convert", "-o", out.to_str().unwrap(), "--to", "safetensors"];
        for args in [&["list"][..], &["list", "--json"], &["summary"], &convert] {
            assert_eq!(ends(&[args, &["--format", format, path]].concat()), Some(1), "{args:?}");
        }
        #[cfg(target_os = "linux")]
        assert!(crate::memory::peak_after(1, &["list", "--format", format, path]) < 32 << 20);
    }
}
