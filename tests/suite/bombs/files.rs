//! Whole files whose numbers wrap or claim much: the program ends, and says so.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use binfmt_formats::fatbin::{Container, Entry, Kind, Region, file};
use binfmt_formats::ptd::Ptd;
use binfmt_formats::pte::Pte;
use binfmt_formats::rten::Rten;
use binfmt_formats::vpt::Vpt;
use binfmt_runtime::{BinFormat, DefaultArgs};

use super::{bounded, refused};
use crate::corpus;

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
