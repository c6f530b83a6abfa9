//! Runs one contestant so many times, for a profiler: `one FORMAT CONTESTANT TIMES`.

use std::hint::black_box;
use std::process::ExitCode;

use binfmt_benches::RACES;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [format, contestant, times] = args.as_slice() else { return usage() };
    let Some(race) = RACES.iter().find(|race| race.format == format) else { return usage() };
    let Some((_, run)) = race.contestants.iter().find(|(name, _)| name == contestant) else {
        return usage();
    };
    let Ok(times) = times.parse::<u32>() else { return usage() };
    let file = (race.data)(race.entries);
    for _ in 0..times {
        if black_box(run(black_box(&file))).is_none() {
            eprintln!("{contestant} rejects the file");
            return ExitCode::FAILURE;
        }
    }
    // The number of entries, for who wants to divide by it.
    println!("{}", race.entries);
    ExitCode::SUCCESS
}

fn usage() -> ExitCode {
    eprintln!("usage: one vpt|fatbin hand|derived|binrw|deku TIMES");
    ExitCode::from(2)
}
