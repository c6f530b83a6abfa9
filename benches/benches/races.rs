//! `cargo bench`: every contestant by itself. For ratios use the program `ratio`, which runs them
//! by turns.
#![allow(missing_docs, reason = "benchmarks are named, not documented")]

use binfmt_benches::races;
use divan::Bencher;
use divan::counter::ItemsCount;

fn main() {
    divan::main();
}

/// `task product contestant` of all.
fn names() -> Vec<String> {
    let all = races().flat_map(|race| {
        let names = race.contestants.iter().map(|(name, _)| name);
        names.map(|name| format!("{} {} {name}", race.task, race.product.name()))
    });
    all.collect()
}

#[divan::bench(args = names(), max_time = 1)]
fn race(bencher: Bencher<'_, '_>, name: &str) {
    let parts: Vec<&str> = name.split(' ').collect();
    let [task, product, contestant] = parts[..] else { panic!("three words name a contestant") };
    let race = races().find(|race| race.task == task && race.product.name() == product);
    let race = race.expect("the race is one of those listed");
    let run = race.contestants.iter().find(|(name, _)| *name == contestant);
    let file = race.file();
    let ready = run.expect("the contestant is one of those listed").1.prepare(&file);
    bencher.counter(ItemsCount::new(race.count)).bench_local(|| ready.run());
}
