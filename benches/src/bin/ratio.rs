//! Runs the contestants of every race by turns in one process and keeps their best times.
//!
//! `ratio [--only TASK] [--with CONTESTANT] [--seconds PER_RACE] [--limit RATIO]`
//!
//! Turns make the machine's other work hit all of them alike; the best of many short runs is what
//! is left when it hits none. Prints a table, and writes `results/ratio.csv` unless only some races
//! were run. `--with` runs one contestant alone against the first two, wherever he takes part, and
//! adds his lines to what is written already. Fails when a derived reader or check allocates, and with `--limit 1.2` when one takes
//! more than 1.2 times what the hand-written loop takes.
#![allow(clippy::cast_precision_loss, reason = "counts of entries and allocations are small")]

use std::error::Error;
use std::fmt::Write as _;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use binfmt_benches::race::Ready;
use binfmt_benches::{Race, races};

/// What is timed takes at least so long, by repetition.
const LEAST: Duration = Duration::from_micros(50);
/// Of so many rounds the others sit out all but one; the first two contestants run in each.
const OTHERS_EVERY: usize = 8;
/// The first line of the results.
const HEAD: &str = "task,product,contestant,unit,count,ns,times_hand,allocations\n";

struct Options {
    only: Option<String>,
    with: Option<String>,
    seconds: f64,
    limit: f64,
}

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let options = options().map_err(|wrong| {
        format!(
            "{wrong}; usage: ratio [--only TASK] [--with CONTESTANT] [--seconds PER_RACE] [--limit RATIO]"
        )
    })?;
    println!("| task | product | contestant | ns | times hand | allocations |");
    println!("|---|---|---|---:|---:|---:|");
    let mut csv = String::new();
    let mut kept = true;
    for race in races() {
        let takes_part = |with: &String| race.contestants.iter().any(|(name, _)| name == with);
        if options.only.as_ref().is_none_or(|only| only == race.task)
            && options.with.as_ref().is_none_or(takes_part)
        {
            kept &= run(race, &options, &mut csv)?;
        }
    }
    if options.only.is_none() {
        write(&csv, options.with.is_some())?;
    }
    Ok(if kept { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Writes the results, or adds them to those that are there.
fn write(csv: &str, adds: bool) -> Result<(), Box<dyn Error>> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/results");
    std::fs::create_dir_all(folder)?;
    let path = format!("{folder}/ratio.csv");
    let before = if adds { std::fs::read_to_string(&path)? } else { HEAD.to_owned() };
    std::fs::write(path, before + csv)?;
    Ok(())
}

fn options() -> Result<Options, Box<dyn Error>> {
    let mut options = Options { only: None, with: None, seconds: 3.0, limit: f64::INFINITY };
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        let value = args.next().ok_or("a value is missing")?;
        match arg.as_str() {
            "--only" => options.only = Some(value),
            "--with" => options.with = Some(value),
            "--seconds" => options.seconds = value.parse()?,
            "--limit" => options.limit = value.parse()?,
            _ => return Err(format!("unknown option {arg}").into()),
        }
    }
    Ok(options)
}

/// A contestant in a race.
struct Runner<'a> {
    name: &'static str,
    ready: Ready<'a>,
    repeat: u32,
    best: f64,
}

/// Runs one race and prints its table; whether the derived product keeps its promises.
fn run(race: &Race, options: &Options, csv: &mut String) -> Result<bool, Box<dyn Error>> {
    let file = race.file();
    let mut runners: Vec<Runner<'_>> = race
        .contestants
        .iter()
        .enumerate()
        .filter(|(index, (name, _))| {
            *index < 2 || options.with.as_ref().is_none_or(|with| with == name)
        })
        .map(|(_, (name, run))| {
            let mut runner =
                Runner { name, ready: run.prepare(&file), repeat: 1, best: f64::INFINITY };
            let once = Duration::from_secs_f64(runner.time() / 1e9).max(Duration::from_nanos(1));
            runner.repeat = u32::try_from(LEAST.as_nanos() / once.as_nanos() + 1).unwrap_or(1);
            runner
        })
        .collect();
    let start = Instant::now();
    for round in 0.. {
        // Every contestant has every place in the order equally often.
        for turn in 0..runners.len() {
            let place = (turn + round / OTHERS_EVERY) % runners.len();
            if place < 2 || round % OTHERS_EVERY == 0 {
                let time = runners[place].time();
                runners[place].best = runners[place].best.min(time);
            }
        }
        if start.elapsed().as_secs_f64() > options.seconds {
            break;
        }
    }

    let product = race.product.name();
    let hand = runners[0].best;
    let mut kept = true;
    for Runner { name, ready, best, .. } in &runners {
        let allocated = allocation_counter::measure(|| {
            ready.run();
        });
        let per_unit = |number: f64| number / race.count as f64;
        let (ns, ratio) = (per_unit(*best), best / hand);
        let allocations = per_unit(allocated.count_total as f64);
        let task = race.task;
        println!("| {task} | {product} | {name} | {ns:.2} | {ratio:.2} | {allocations:.2} |");
        let (unit, count) = (race.unit, race.count);
        if options.with.as_ref().is_none_or(|with| with == name) {
            writeln!(
                csv,
                "{task},{product},{name},{unit},{count},{ns:.4},{ratio:.4},{allocations:.4}"
            )?;
        }
        if *name == "derived" && race.product.is_free_of_allocations() {
            let free = allocated.count_total == 0;
            if !free {
                eprintln!("{task} {product}: the derived product allocates");
            }
            kept &= free && ratio <= options.limit;
        }
    }
    Ok(kept)
}

impl Runner<'_> {
    /// Nanoseconds that one run takes, after one that does not count: whoever ran before leaves
    /// caches full of his own bytes.
    fn time(&self) -> f64 {
        self.ready.run();
        let start = Instant::now();
        for _ in 0..self.repeat {
            self.ready.run();
        }
        start.elapsed().as_secs_f64() * 1e9 / f64::from(self.repeat)
    }
}
