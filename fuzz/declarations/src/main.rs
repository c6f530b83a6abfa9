//! Makes up declarations, compiles them in batches and tests all laws on each; see README.md.

mod compile;
mod grammar;
mod options;
mod report;
mod shrink;

use std::path::Path;
use std::process::ExitCode;
use std::sync::{Mutex, MutexGuard};
use std::thread;
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

/// How many batches of 1,024 seeds are looked through for a text that none of them has.
const MOST_EMPTY: u64 = 100;

/// What all jobs of a search share.
struct Search<'s> {
    options: &'s Options,
    start: Instant,
    /// The seeds that are tested in place of a range.
    listed: Option<Vec<u64>>,
    state: Mutex<State>,
}

struct State {
    found: Found,
    /// The number of the next batch, and how many are being tested.
    next: u64,
    open: u64,
    /// How many batches in a row had nothing to test.
    empty: u64,
    /// Whether there is nothing more to test.
    over: bool,
    /// Declarations on which all laws hold.
    good: Vec<u64>,
}

/// Tests batches, several at once, until enough declarations have been tested, or until one breaks a law
/// where one is enough.
fn search(options: &Options, workshop: &Workshop) -> ExitCode {
    let listed = options.seeds.as_ref().map(|path| {
        let text = std::fs::read_to_string(path).unwrap_or_default();
        text.lines().filter_map(|line| line.parse().ok()).collect::<Vec<u64>>()
    });
    let found = Found::new(options);
    let state = State { found, next: 0, open: 0, empty: 0, over: false, good: Vec::new() };
    let search = Search { options, start: Instant::now(), listed, state: Mutex::new(state) };
    thread::scope(|scope| {
        for job in 0..options.jobs {
            let search = &search;
            scope.spawn(move || search.work(&workshop.of_job(job)));
        }
    });
    let State { found, mut good, .. } = search.state.into_inner().expect("no job has panicked");
    println!("{}", found.table());
    good.sort_unstable();
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

impl Search<'_> {
    /// One job: tests the next batch as long as there is one.
    fn work(&self, workshop: &Workshop) {
        while let Some(batch) = self.next() {
            let seeds = self.seeds(batch);
            let all: Vec<Declaration> = seeds.into_iter().map(of_seed).collect();
            let outcomes = workshop.test(&all);
            for (declaration, outcome) in self.count(&all, &outcomes) {
                let small = match self.options.shrink {
                    true => shrink::shrink(workshop, declaration, outcome),
                    false => (declaration.clone(), outcome.clone()),
                };
                self.state().found.keep(&small.0, &small.1);
            }
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("no job has panicked")
    }

    /// The number of the next batch, if those that are open are not enough.
    fn next(&self) -> Option<u64> {
        let mut state = self.state();
        let begun = state.found.declarations + state.open * self.options.batch;
        if state.over || begun >= self.options.count {
            return None;
        }
        (state.next, state.open) = (state.next + 1, state.open + 1);
        Some(state.next - 1)
    }

    /// The seeds of a batch; of a list there is an end.
    fn seeds(&self, batch: u64) -> Vec<u64> {
        let Some(all) = &self.listed else {
            return of_batch(self.options, (self.options.seed + batch) << 10);
        };
        let chunk = all.chunks(self.options.batch as usize).nth(batch as usize);
        self.state().over |= chunk.is_none();
        chunk.unwrap_or_default().to_vec()
    }

    /// Counts what became of a batch; the failures that are the first of their kind.
    fn count<'d>(
        &self,
        all: &'d [Declaration],
        outcomes: &'d [Outcome],
    ) -> Vec<(&'d Declaration, &'d Outcome)> {
        let (mut state, mut new) = (self.state(), Vec::new());
        state.open -= 1;
        for (declaration, outcome) in all.iter().zip(outcomes) {
            state.found.count(declaration, outcome);
            if matches!(outcome, Outcome::Fine(10.., _)) {
                state.good.push(declaration.seed);
            }
            if outcome.is_failure() && state.found.is_new(outcome) {
                new.push((declaration, outcome));
            }
            if outcome.is_failure() && self.options.first {
                state.over = true;
                println!("{}", state.found.summary(self.start.elapsed()));
                println!("found: {}", outcome.kind());
                return Vec::new();
            }
        }
        state.empty = if all.is_empty() { state.empty + 1 } else { 0 };
        match state.empty {
            0 => println!("{}", state.found.summary(self.start.elapsed())),
            empty if empty > MOST_EMPTY => {
                println!("no more declarations have this text");
                state.over = true;
            }
            _ => {}
        }
        state.over |=
            self.options.seconds.is_some_and(|stop| self.start.elapsed().as_secs() > stop);
        new
    }
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
