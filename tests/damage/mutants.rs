//! Single-byte changes and truncations of every file of the corpus: none panics, allocates where it
//! must not, or costs more than its size allows; and what a validator says of one has a witness.
//!
//! The test takes a sample that is the same in every run. `MUTANTS=all`, or the name of one format,
//! takes every value of every byte and every length; of a file above 8 KiB, of 1,024 of its bytes.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use cpu_time::ThreadTime;

use crate::subjects::{self, Subject};
use crate::witnesses::List;

/// How many mutants of a format the sample has.
const SAMPLE: usize = 100_000;

/// Of larger files some bytes are changed, as far apart as they can be.
const LARGE: usize = 8 << 10;
const PLACES: usize = 1 << 10;

/// What else a byte can be.
const VALUES: usize = 255;

/// Memory that one validator or inspector may take at once.
fn most(len: usize) -> u64 {
    (1 << 20) + 4096 * u64::try_from(len).unwrap()
}

/// The most that an error takes.
const MESSAGE: u64 = 4096;

/// No mutant takes longer: a thousand times what most of them take, so that it holds without
/// optimisation, too.
const SLOW: Duration = Duration::from_secs(2);

/// What was tried.
#[derive(Default)]
struct Tried {
    changes: usize,
    truncations: usize,
    /// The longest time, and the most memory for each byte of the file.
    slowest: Duration,
    largest: u64,
    codes: BTreeSet<&'static str>,
}

#[test]
fn every_mutant_is_read_in_bounded_time_and_memory() {
    let wanted = std::env::var("MUTANTS").ok();
    let mut unknown = Vec::new();
    for subject in subjects::ALL {
        if wanted.as_ref().is_some_and(|wanted| wanted != "all" && wanted != subject.name) {
            continue;
        }
        let (start, mut tried) = (ThreadTime::now(), Tried::default());
        let files = subject.files();
        assert!(!files.is_empty(), "{}: no files", subject.name);
        let all = files.iter().map(|(_, file)| mutants(file.len())).sum::<usize>();
        let step = if wanted.is_some() { 1 } else { (all / SAMPLE).max(1) | 1 };
        // The first one of a file is where the last one of the file before has left off.
        let mut next = 0;
        for (name, file) in &files {
            let count = mutants(file.len());
            while next < count {
                let bytes = mutant(file, next, &mut tried);
                examine(&subject, &bytes, next % 16 == 0, &mut tried)
                    .unwrap_or_else(|why| panic!("{name}, mutant {next}: {why}"));
                next += step;
            }
            if wanted.is_some() {
                println!("{name}: {} files so far", tried.changes + tried.truncations);
            }
            next -= count;
        }
        println!(
            "{}: {} changed and {} cut files of {} mutants, {:.1} s; at most {:?} and {} bytes a byte",
            subject.name,
            tried.changes,
            tried.truncations,
            all,
            start.elapsed().as_secs_f64(),
            tried.slowest,
            tried.largest,
        );
        let list = List::of(&subject);
        let known = |code: &str| list.has(code) || list.without.contains_key(code);
        let new = tried.codes.iter().filter(|code| !known(code));
        unknown.extend(new.map(|code| format!("{}: {code}", subject.name)));
    }
    assert!(unknown.is_empty(), "rules without a witness:\n{}", unknown.join("\n"));
}

/// How many bytes of a file are changed.
fn places(len: usize) -> usize {
    if len > LARGE { PLACES } else { len }
}

/// How many mutants a file has.
fn mutants(len: usize) -> usize {
    places(len) * (VALUES + 1)
}

/// One of them: a byte that has another value, or, with the last number of a byte, the bytes in
/// front of it.
fn mutant(file: &[u8], number: usize, tried: &mut Tried) -> Vec<u8> {
    let (place, value) = (number / (VALUES + 1), number % (VALUES + 1));
    let at = place * file.len() / places(file.len());
    if value == VALUES {
        tried.truncations += 1;
        return file[..at].to_vec();
    }
    tried.changes += 1;
    let mut bytes = file.to_vec();
    bytes[at] = bytes[at].wrapping_add(u8::try_from(value + 1).unwrap());
    bytes
}

/// Reads, validates and, where that is wanted, inspects a mutant.
fn examine(
    subject: &Subject,
    bytes: &[u8],
    inspects: bool,
    tried: &mut Tried,
) -> Result<(), String> {
    let start = Instant::now();
    let (mut valid, mut parsed) = (false, false);
    let checked = allocation_counter::measure(|| valid = (subject.is_valid)(bytes));
    let read = allocation_counter::measure(|| parsed = (subject.parse)(bytes));
    // The error of a reader that stops has memory of its own.
    let allocated = checked.count_total + if parsed { read.count_total } else { 0 };
    if allocated > 0 || read.bytes_max > MESSAGE {
        return Err(format!("a reader allocates {} bytes", checked.bytes_total + read.bytes_total));
    }
    let mut report = None;
    let told = allocation_counter::measure(|| report = Some((subject.validate)(bytes)));
    let report = report.unwrap_or_default();
    let mut taken = told.bytes_max;
    if inspects {
        taken = taken.max(allocation_counter::measure(|| (subject.inspect)(bytes)).bytes_max);
    }
    if taken > most(bytes.len()) {
        return Err(format!("{} bytes take {taken}", bytes.len()));
    }
    if !valid && report.is_ok() {
        return Err(format!("it is not valid, and has no error:\n{report}"));
    }
    let mut time = start.elapsed();
    if time > SLOW {
        // Another program may have had the processor.
        let start = ThreadTime::now();
        let _ = ((subject.is_valid)(bytes), (subject.parse)(bytes), (subject.validate)(bytes));
        time = start.elapsed();
    }
    if time > SLOW {
        return Err(format!("it takes {time:?}"));
    }
    tried.slowest = tried.slowest.max(time);
    tried.largest = tried.largest.max(taken / u64::try_from(bytes.len().max(1)).unwrap());
    tried.codes.extend(report.findings().iter().map(|finding| finding.code));
    Ok(())
}
