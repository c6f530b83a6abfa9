//! Makes up declarations, compiles them in batches and tests all laws on each; see README.md.

mod compile;
mod grammar;
mod options;
mod report;
mod shrink;

use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use binfmt_declarations::rng;

use compile::{Outcome, Workshop};
use grammar::{Declaration, of_seed};
use options::Options;
use report::Found;

fn main() -> ExitCode {
    let options = match Options::of_args() {
        Ok(options) => options,
        Err(usage) => {
            eprintln!("{usage}");
            return ExitCode::from(2);
        }
    };
    if let Some(seed) = options.show {
        print!("{}", of_seed(seed).render("shown"));
        return ExitCode::SUCCESS;
    }
    let workshop = match Workshop::new(&options) {
        Ok(workshop) => workshop,
        Err(wrong) => {
            eprintln!("{wrong}");
            return ExitCode::from(2);
        }
    };
    search(&options, &workshop)
}

/// Tests batch after batch until enough declarations have been tested, or until one breaks a law
/// where one is enough.
fn search(options: &Options, workshop: &Workshop) -> ExitCode {
    let start = Instant::now();
    let mut found = Found::new(options);
    let mut batch = 0;
    let mut good = Vec::new();
    let listed = options.seeds.as_ref().map(|path| {
        let text = std::fs::read_to_string(path).unwrap_or_default();
        text.lines().filter_map(|line| line.parse().ok()).collect::<Vec<u64>>()
    });
    while found.declarations < options.count {
        let seeds: Vec<u64> = match &listed {
            Some(all) => {
                let chunk = all.chunks(options.batch as usize).nth(batch as usize);
                chunk.unwrap_or_default().to_vec()
            }
            None => of_batch(options, (options.seed + batch) << 10),
        };
        if seeds.is_empty() && listed.is_some() {
            break;
        }
        if seeds.is_empty() {
            batch += 1;
            continue;
        }
        let all: Vec<Declaration> = seeds.into_iter().map(of_seed).collect();
        let outcomes = workshop.test(&all);
        for (declaration, outcome) in all.iter().zip(&outcomes) {
            found.count(declaration, outcome);
            if matches!(outcome, Outcome::Fine(10.., _)) {
                good.push(declaration.seed);
            }
            if !outcome.is_failure() {
                continue;
            }
            if options.first {
                println!("{}", found.summary(start.elapsed()));
                println!("found: {}", outcome.kind());
                return ExitCode::FAILURE;
            }
            if found.is_new(outcome) {
                let small = if options.shrink {
                    shrink::shrink(workshop, declaration, outcome)
                } else {
                    (declaration.clone(), outcome.clone())
                };
                found.keep(&small.0, &small.1);
            }
        }
        batch += 1;
        if let Some(stop) = options.seconds
            && start.elapsed().as_secs() > stop
        {
            break;
        }
        println!("{}", found.summary(start.elapsed()));
    }
    println!("{}", found.table());
    if let Some(path) = &options.fixed {
        let step = (good.len() / 60).max(1);
        let some: Vec<u64> = good.iter().copied().step_by(step).take(60).collect();
        write_seeds(path, &some);
    }
    if let Some(path) = &options.good {
        write_seeds(path, &good);
    }
    if found.failures() == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// The seeds of a batch, which has up to 1,024.
fn of_batch(options: &Options, first: u64) -> Vec<u64> {
    let fits = |seed: &u64| {
        options.only.as_ref().is_none_or(|text| of_seed(*seed).render("shown").contains(text))
    };
    (first..first + 1024).filter(fits).take(options.batch as usize).collect()
}

/// Writes down seeds of declarations on which all laws hold.
fn write_seeds(path: &Path, seeds: &[u64]) {
    let lines: String = seeds.iter().map(|seed| format!("{seed}\n")).collect();
    if let Err(error) = std::fs::write(path, lines) {
        eprintln!("{}: {error}", path.display());
    }
}

/// Outcomes that count as failures end a search for one.
impl Outcome {
    fn is_failure(&self) -> bool {
        matches!(self, Self::Broken(_) | Self::Rustc(_) | Self::Crash(_))
    }
}
