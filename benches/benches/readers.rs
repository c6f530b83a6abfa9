//! `cargo bench`: every contestant by itself. For ratios use the program `ratio`, which runs them
//! by turns.
#![allow(missing_docs, reason = "benchmarks are named, not documented")]

use binfmt_benches::{RACES, Race, Run};
use divan::Bencher;
use divan::counter::ItemsCount;

const NAMES: [&str; 4] = ["hand", "derived", "binrw", "deku"];

fn main() {
    divan::main();
}

fn bench(bencher: Bencher<'_, '_>, race: &Race, name: &str) {
    let run: Run = race
        .contestants
        .iter()
        .find(|(other, _)| *other == name)
        .expect("the name is one of four")
        .1;
    let file = race.file();
    bencher.counter(ItemsCount::new(race.entries)).bench_local(|| run(divan::black_box(&file)));
}

#[divan::bench(args = NAMES)]
fn vpt(bencher: Bencher<'_, '_>, name: &str) {
    bench(bencher, &RACES[0], name);
}

#[divan::bench(args = NAMES)]
fn fatbin(bencher: Bencher<'_, '_>, name: &str) {
    bench(bencher, &RACES[1], name);
}
