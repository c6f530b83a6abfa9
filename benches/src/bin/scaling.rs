//! How cost grows, for `scaling.py`, which runs this and the program:
//!
//! `scaling entries`: nanoseconds per entry for tables of ten to a million entries, of the
//! hand-written loop too
//! `scaling zstd`: the decoder of fat binaries in terms of the crate `zstd`
//! `scaling fatbin FILE`: writes a fat binary of large compressed entries
//! `scaling memmem FILE`: seconds of a plain search for the magic, by one thread
//! `scaling walk FILE`: seconds of listing all entries of a library, by hand and derived
//!
//! Prints lines of `measure,x,value`.
#![allow(clippy::cast_precision_loss, reason = "sizes and counts are small enough")]

use std::error::Error;
use std::fs::File;
use std::hint::black_box;
use std::process::ExitCode;
use std::time::Instant;

use binfmt_benches::{data, tasks};
use binfmt_formats::fatbin::codec::{Codec, decode};
use binfmt_formats::fatbin::{Container, Entry, Kind, MAGIC, file};
use binfmt_runtime::BinFormat;
use memmap2::Mmap;

type Outcome<T = ()> = Result<T, Box<dyn Error>>;
type Read = fn(&[u8]) -> Option<u64>;

fn main() -> Outcome<ExitCode> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    match args.as_slice() {
        ["entries"] => entries()?,
        ["zstd"] => zstd()?,
        ["fatbin", path] => std::fs::write(path, fatbin()?)?,
        ["memmem", path] => memmem(&map(path)?),
        ["walk", path] => walk(&map(path)?)?,
        _ => {
            eprintln!("usage: scaling entries|zstd, or scaling fatbin|memmem|walk FILE");
            return Ok(ExitCode::from(2));
        }
    }
    Ok(ExitCode::SUCCESS)
}

#[expect(unsafe_code, reason = "mapping a file is unsafe in every crate that does it")]
fn map(path: &str) -> Outcome<Mmap> {
    // SAFETY: nobody changes the file while the benchmark runs.
    Ok(unsafe { Mmap::map(&File::open(path)?)? })
}

/// Seconds of the best of some runs.
fn best(mut run: impl FnMut()) -> f64 {
    let start = Instant::now();
    let mut best = f64::INFINITY;
    let mut runs = 0;
    while runs < 5 || (start.elapsed().as_secs_f64() < 1.0 && runs < 10_000) {
        let start = Instant::now();
        run();
        best = best.min(start.elapsed().as_secs_f64());
        runs += 1;
    }
    best
}

/// Nanoseconds of the best run of each, by turns, so that what else the machine does hits all.
fn by_turns(runs: &[&dyn Fn()]) -> Vec<f64> {
    let time = |run: &dyn Fn(), repeat: u32| {
        let start = Instant::now();
        (0..repeat).for_each(|_| run());
        start.elapsed().as_secs_f64() * 1e9 / f64::from(repeat)
    };
    // A clock tells little of less than some microseconds.
    let repeats: Vec<u32> =
        runs.iter().map(|run| if time(*run, 1) > 50e3 { 1 } else { 100 }).collect();
    let mut best = vec![f64::INFINITY; runs.len()];
    let start = Instant::now();
    let mut rounds = 0;
    while rounds < 5 || start.elapsed().as_secs_f64() < 2.0 {
        for ((run, repeat), best) in runs.iter().zip(&repeats).zip(&mut best) {
            *best = best.min(time(*run, *repeat));
        }
        rounds += 1;
    }
    best
}

fn entries() -> Outcome {
    for count in [10, 100, 1_000, 10_000, 100_000, 1_000_000] {
        let file = data::vpt(count);
        let run = |read: Read| _ = black_box(read(black_box(&file)));
        let per_entry = |product: &str, nanoseconds: f64| {
            println!("{product},{count},{}", nanoseconds / count as f64);
        };
        let races: [(&str, Read, Read); 2] = [
            ("read", tasks::vpt::hand::read, tasks::vpt::derived::read),
            ("is_valid", tasks::vpt::hand::is_valid, tasks::vpt::derived::is_valid),
        ];
        for (product, hand, derived) in races {
            let times = by_turns(&[&|| run(hand), &|| run(derived)]);
            for (name, time) in [format!("hand-{product}"), product.to_owned()].iter().zip(times) {
                per_entry(name, time);
            }
        }
        let write = tasks::vpt::derived::write(&file).ok_or("the table cannot be read")?;
        let times = by_turns(&[
            &|| run(tasks::vpt::derived::own),
            &|| run(tasks::vpt::derived::validate),
            &|| _ = black_box(write()),
        ]);
        for (product, time) in ["own", "validate", "write"].iter().zip(times) {
            per_entry(product, time);
        }
    }
    Ok(())
}

/// Something like code: numbers in which some bytes repeat.
fn like_code(len: usize) -> Vec<u8> {
    let mut state = 1_u64;
    let words = (0..len / 4).flat_map(|at| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let [.., a, b] = state.to_le_bytes();
        [a & 0x1f, b & 3, 0, at.to_le_bytes()[0] & 0x70]
    });
    words.collect()
}

/// Large payloads, and what they are compressed.
fn payloads() -> Outcome<Vec<(Vec<u8>, Vec<u8>)>> {
    let sizes = [64 << 10, 1 << 20, 8 << 20];
    sizes
        .iter()
        .map(|len| {
            let plain = like_code(*len);
            let stored = zstd::bulk::compress(&plain, 3)?;
            Ok((plain, stored))
        })
        .collect()
}

/// How fast the decoder is, where 1 is the speed of the crate that it uses.
fn zstd() -> Outcome {
    for (plain, stored) in payloads()? {
        let len = plain.len() as u64;
        assert_eq!(decode(Codec::Zstd, &stored, len, len)?, plain, "the decoder is right");
        // By turns, so that what else the machine does hits both.
        let (mut ours, mut theirs) = (f64::INFINITY, f64::INFINITY);
        for _ in 0..40 {
            let start = Instant::now();
            black_box(decode(Codec::Zstd, black_box(&stored), len, len)?);
            ours = ours.min(start.elapsed().as_secs_f64());
            let start = Instant::now();
            black_box(zstd::bulk::decompress(black_box(&stored), plain.len())?);
            theirs = theirs.min(start.elapsed().as_secs_f64());
        }
        println!("zstd,{},{}", plain.len(), theirs / ours);
    }
    Ok(())
}

/// A fat binary of 24 entries, each of which decodes to 8 MiB.
fn fatbin() -> Outcome<Vec<u8>> {
    let plain = like_code(8 << 20);
    let stored = zstd::bulk::compress(&plain, 3)?;
    let entry = Entry::compressed(Kind::Ptx, 90, Codec::Zstd, &stored, plain.len() as u64);
    let entries = vec![entry; 24];
    Ok(Container::new(&entries).to_vec()?)
}

fn memmem(file: &[u8]) {
    let finder = memchr::memmem::Finder::new(&MAGIC);
    let time = best(|| {
        black_box(finder.find_iter(black_box(file)).count());
    });
    println!("memmem,{},{time}", file.len());
}

/// Lists all entries: counts them and adds up their payloads.
fn walk(file: &[u8]) -> Outcome {
    let parts = file::parts(file).map_err(|error| error.to_string())?;
    let derived = || {
        let mut sum = (0_u64, 0_u64);
        for part in &parts {
            for placed in file::containers(file, part).map_while(Result::ok) {
                for (_, entry) in placed.entries().map_while(Result::ok) {
                    sum = (sum.0 + 1, sum.1 + entry.payload.len() as u64);
                }
            }
        }
        sum
    };
    let hand = || {
        let mut sum = (0_u64, 0_u64);
        for part in &parts {
            let listed = tasks::fatbin::hand::list(&file[part.range.clone()]);
            sum = listed.map_or(sum, |listed| (sum.0 + listed.0, sum.1 + listed.1));
        }
        sum
    };
    let (count, bytes) = derived();
    assert_eq!(hand(), (count, bytes), "both walks find the same");
    println!("entries,{},{count}", file.len());
    let (mut by_hand, mut ours) = (f64::INFINITY, f64::INFINITY);
    for _ in 0..5 {
        by_hand = by_hand.min(best(|| {
            black_box(hand());
        }));
        ours = ours.min(best(|| {
            black_box(derived());
        }));
    }
    println!("walk-hand,{},{by_hand}", file.len());
    println!("walk-derived,{},{ours}", file.len());
    Ok(())
}
