//! Runs all contestants by turns in one process and prints the median time per entry.
//!
//! Turns make the machine's other work hit all of them alike; the ratio is the median of the
//! ratios of single rounds. Fails when the derived reader allocates, and with `--limit 1.2` when it
//! takes more than 1.2 times what the hand-written loop takes.
#![allow(clippy::cast_precision_loss, reason = "counts of entries and allocations are small")]

use std::hint::black_box;
use std::process::ExitCode;
use std::time::Instant;

use binfmt_benches::{RACES, Race, Run};

/// How many rounds there are; `binrw` and `deku` sit out most of them.
const ROUNDS: usize = 1_200;
const SLOW_EVERY: usize = 9;

fn main() -> ExitCode {
    let mut args = std::env::args().skip(1);
    let limit = match (args.next().as_deref(), args.next().map(|limit| limit.parse::<f64>())) {
        (None, _) => None,
        (Some("--limit"), Some(Ok(limit))) => Some(limit),
        _ => {
            eprintln!("usage: ratio [--limit RATIO]");
            return ExitCode::from(2);
        }
    };
    println!("| format | contestant | ns per entry | times hand | allocations per entry |");
    println!("|---|---|---:|---:|---:|");
    let outside = RACES.iter().filter(|race| !run(race, limit)).count();
    if outside == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Prints the table of one race; whether the derived reader keeps its promises.
fn run(race: &Race, limit: Option<f64>) -> bool {
    let file = race.file();
    let mut times = race.contestants.map(|_| Vec::with_capacity(ROUNDS));
    let mut ratios = race.contestants.map(|_| Vec::with_capacity(ROUNDS));
    for round in 0..ROUNDS {
        let mut took = [None; 4];
        // Every contestant has every place in the order equally often.
        for turn in 0..took.len() {
            let place = (turn + round) % took.len();
            if place < 2 || round % SLOW_EVERY == 0 {
                took[place] = Some(time(race.contestants[place].1, &file));
            }
        }
        for (place, time) in took.into_iter().enumerate() {
            if let (Some(time), Some(hand)) = (time, took[0]) {
                times[place].push(time);
                ratios[place].push(time / hand);
            }
        }
    }

    let mut within = true;
    for (place, (name, contestant)) in race.contestants.into_iter().enumerate() {
        let allocations = allocation_counter::measure(|| {
            black_box(contestant(black_box(&file)));
        });
        let per_entry = |number: f64| number / race.entries as f64;
        let (time, ratio) = (per_entry(median(&mut times[place])), median(&mut ratios[place]));
        let allocated = per_entry(allocations.count_total as f64);
        println!("| {} | {name} | {time:.2} | {ratio:.2} | {allocated:.2} |", race.format);
        if name == "derived" {
            assert_eq!(allocations.count_total, 0, "{}: the derived reader allocates", race.format);
            within = limit.is_none_or(|limit| ratio <= limit);
        }
    }
    within
}

/// Nanoseconds that one run takes, after one that does not count: whoever ran before leaves caches
/// full of his own bytes.
fn time(run: Run, file: &[u8]) -> f64 {
    black_box(run(black_box(file)));
    let start = Instant::now();
    black_box(run(black_box(file)));
    start.elapsed().as_secs_f64() * 1e9
}

fn median(numbers: &mut [f64]) -> f64 {
    numbers.sort_by(f64::total_cmp);
    numbers.get(numbers.len() / 2).copied().unwrap_or(f64::NAN)
}
