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
    while found.declarations < options.count {
        let first = (options.seed + batch) << 10;
        let all: Vec<Declaration> =
            (0..options.batch).map(|index| of_seed(first + index)).collect();
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
        fix(path, &good);
    }
    if found.failures() == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Writes down seeds for the tests: declarations of every batch on which all laws hold.
fn fix(path: &Path, good: &[u64]) {
    let step = (good.len() / 60).max(1);
    let seeds: Vec<String> = good.iter().step_by(step).take(60).map(u64::to_string).collect();
    if let Err(error) = std::fs::write(path, seeds.join("\n") + "\n") {
        eprintln!("{}: {error}", path.display());
    }
}

/// Outcomes that count as failures end a search for one.
impl Outcome {
    fn is_failure(&self) -> bool {
        matches!(self, Self::Broken(_) | Self::Rustc(_) | Self::Crash(_))
    }
}
