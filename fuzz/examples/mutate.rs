//! Random changes of the seeds, on any toolchain: `mutate TARGET SECONDS [SEED]`.
//!
//! Inputs of which a validator says what it said of no other are kept in `kept/TARGET`.
//! `mutate TARGET seeds DIR` writes the seeds and the dictionary, for libFuzzer, and
//! `mutate TARGET keep DIR` keeps the smallest of the inputs that it has found.

use std::collections::BTreeSet;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use binfmt_fuzz::targets::{Target, named};

/// Inputs larger than this are no seeds: small ones are changed where it matters more often.
const LARGEST: usize = 1 << 14;

/// Inputs larger than this are not kept.
const LARGEST_KEPT: usize = 1 << 10;
/// How many inputs are kept of a target at most.
const MOST_KEPT: usize = 40;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let Some(target) = args.first().and_then(|name| named(name)) else {
        eprintln!("mutate TARGET SECONDS [SEED], or mutate TARGET seeds|keep DIR");
        return ExitCode::from(2);
    };
    match (args.get(1).map(String::as_str), args.get(2)) {
        (Some("seeds"), Some(folder)) => {
            export(target, Path::new(folder));
            return ExitCode::SUCCESS;
        }
        (Some("keep"), Some(folder)) => return select(target, Path::new(folder)),
        (Some(seconds), seed) => match seconds.parse() {
            Ok(seconds) => {
                let seed = seed.and_then(|seed| seed.parse().ok()).unwrap_or(1);
                return fuzz(target, Duration::from_secs(seconds), seed);
            }
            Err(_) => eprintln!("`{seconds}` is no number of seconds"),
        },
        _ => eprintln!("for how many seconds?"),
    }
    ExitCode::from(2)
}

/// The files of the corpus and those that are kept.
fn seeds(target: Target) -> Vec<Vec<u8>> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let corpus = here.join("../tests/corpus").join(target.name);
    let folders = [corpus.clone(), corpus.join("negative"), kept(target)];
    let mut paths: Vec<PathBuf> = folders
        .iter()
        .filter_map(|folder| fs::read_dir(folder).ok())
        .flat_map(|entries| entries.flatten().map(|entry| entry.path()))
        .filter(|path| path.is_file() && path.extension().is_none_or(|end| end != "json"))
        .collect();
    paths.sort();
    let mut seeds = (target.seeds)();
    seeds.extend(paths.iter().filter_map(|path| fs::read(path).ok()));
    seeds.retain(|seed| seed.len() <= LARGEST);
    seeds
}

/// The constants of the declaration.
fn dictionary(target: Target) -> Vec<Vec<u8>> {
    let layouts = target.layout.all();
    let mut words: Vec<Vec<u8>> =
        layouts.iter().flat_map(|layout| layout.magics()).map(<[u8]>::to_vec).collect();
    words.extend(target.marks.iter().map(|mark| mark.to_vec()));
    words.sort();
    words.dedup();
    words
}

fn export(target: Target, folder: &Path) {
    fs::create_dir_all(folder).expect("the folder can be made");
    for (number, seed) in seeds(target).iter().enumerate() {
        fs::write(folder.join(format!("seed-{number}")), seed).expect("a seed can be written");
    }
    let line = |word: &Vec<u8>| {
        let bytes: String = word.iter().map(|byte| format!("\\x{byte:02x}")).collect();
        format!("\"{bytes}\"\n")
    };
    let text: String = dictionary(target).iter().map(line).collect();
    fs::write(folder.with_extension("dict"), text).expect("the dictionary can be written");
}

/// Keeps the smallest input of every set of codes, of those that are kept and those of a folder.
fn select(target: Target, folder: &Path) -> ExitCode {
    let kept = kept(target);
    let mut inputs: Vec<Vec<u8>> = [&kept, folder]
        .into_iter()
        .filter_map(|folder| fs::read_dir(folder).ok())
        .flat_map(|entries| entries.flatten().filter_map(|entry| fs::read(entry.path()).ok()))
        .filter(|input| input.len() <= LARGEST_KEPT)
        .collect();
    inputs.sort_by_cached_key(|input| (input.len(), input.clone()));
    let mut told = BTreeSet::new();
    let mut chosen = Vec::new();
    for input in &inputs {
        match (target.check)(input) {
            Ok(codes) if told.insert(codes.clone()) => chosen.push((codes, input)),
            Ok(_) => {}
            Err(broken) => {
                println!("{}: {broken}", target.name);
                return ExitCode::FAILURE;
            }
        }
    }
    // Those with few codes say most about each.
    chosen.sort_by_key(|(codes, input)| (codes.len(), input.len()));
    chosen.truncate(MOST_KEPT);
    let _ = fs::remove_dir_all(&kept);
    for (number, (_, input)) in chosen.iter().enumerate() {
        keep(target, input, number + 1);
    }
    println!("{}: {} of {} inputs are kept", target.name, chosen.len(), inputs.len());
    ExitCode::SUCCESS
}

fn fuzz(target: Target, time: Duration, seed: u64) -> ExitCode {
    let (seeds, words) = (seeds(target), dictionary(target));
    std::panic::set_hook(Box::new(|_| ()));
    let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    let (start, mut runs) = (Instant::now(), 0_u64);
    let mut next = seeds.iter();
    let mut told = BTreeSet::new();
    while start.elapsed() < time {
        let input = match next.next() {
            Some(seed) => seed.clone(),
            None => change(&mut random, &seeds, &words),
        };
        runs += 1;
        let broken = match catch_unwind(AssertUnwindSafe(|| (target.check)(&input))) {
            Ok(Ok(codes)) => {
                if input.len() <= LARGEST_KEPT && told.insert(codes) {
                    keep(target, &input, told.len());
                }
                continue;
            }
            Ok(Err(broken)) => broken,
            Err(panic) => panic
                .downcast_ref::<String>()
                .cloned()
                .or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()))
                .unwrap_or_default(),
        };
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("artifacts").join(target.name);
        let path = folder.join(format!("mutate-{seed}-{runs}"));
        fs::create_dir_all(&folder).expect("the folder can be made");
        fs::write(&path, &input).expect("the input can be written");
        println!("{}: {} after {runs} runs: {broken}", target.name, path.display());
        return ExitCode::FAILURE;
    }
    println!("{}: {runs} runs in {} s, nothing found", target.name, start.elapsed().as_secs());
    ExitCode::SUCCESS
}

fn kept(target: Target) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("kept").join(target.name)
}

fn keep(target: Target, input: &[u8], number: usize) {
    let folder = kept(target);
    fs::create_dir_all(&folder).expect("the folder can be made");
    if fs::read_dir(&folder).is_ok_and(|entries| entries.count() < MOST_KEPT) {
        fs::write(folder.join(format!("{number:03}")), input).expect("the input can be written");
    }
}

/// A seed with a few changes.
fn change(random: &mut Random, seeds: &[Vec<u8>], words: &[Vec<u8>]) -> Vec<u8> {
    let mut bytes = seeds[random.below(seeds.len())].clone();
    for _ in 0..=random.below(4) {
        let len = bytes.len();
        let at = random.below(len + 1);
        match random.below(9) {
            0 => put(&mut bytes, at, &[1 << random.below(8)], |old, new| old ^ new),
            1 => put(&mut bytes, at, &[random.byte()], |_, new| new),
            // Numbers that are at the edge of something.
            2 | 3 => {
                let near = [0, 1, len, len - at, usize::MAX, 1 << 31, 1 << 63, 1 << 16];
                let number =
                    near[random.below(near.len())].wrapping_add(random.below(5)).wrapping_sub(2);
                let width = [1, 2, 4, 8][random.below(4)];
                let at = at - at % width;
                let mut number = number.to_le_bytes();
                if random.below(4) == 0 {
                    number[..width].reverse();
                }
                put(&mut bytes, at, &number[..width], |_, new| new);
            }
            // A part of another place, over what is there or between.
            4 => {
                let other = &seeds[random.below(seeds.len())];
                let from = random.below(other.len() + 1);
                let part = &other[from..other.len().min(from + random.below(64))];
                put(&mut bytes, at, part, |_, new| new);
            }
            5 => {
                let from = random.below(len + 1);
                let part = bytes[from..len.min(from + random.below(64))].to_vec();
                bytes.splice(at..at, part);
            }
            6 => drop(bytes.drain(at..len.min(at + 1 + random.below(16)))),
            7 => bytes.truncate(at),
            _ if words.is_empty() => bytes.push(random.byte()),
            _ => put(&mut bytes, at, &words[random.below(words.len())], |_, new| new),
        }
    }
    bytes
}

/// Combines bytes with those that are there.
fn put(bytes: &mut [u8], at: usize, new: &[u8], with: impl Fn(u8, u8) -> u8) {
    for (old, new) in bytes.iter_mut().skip(at).zip(new) {
        *old = with(*old, *new);
    }
}

/// The generator of Marsaglia (xorshift), which is good enough to choose places.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// A number below `end`; 0 if there is none.
    fn below(&mut self, end: usize) -> usize {
        let end = u64::try_from(end.max(1)).unwrap_or(u64::MAX);
        usize::try_from((self.next() >> 11) % end).unwrap_or(0)
    }

    fn byte(&mut self) -> u8 {
        self.next().to_le_bytes()[3]
    }
}
