//! Runs one contestant so many times, for a profiler: `one TASK PRODUCT CONTESTANT TIMES [ENTRIES]`.
//!
//! `one list` tells all of them, with the number of entries that they have if none is named.

use std::process::ExitCode;

use binfmt_benches::races;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    if args == ["list"] {
        for race in races() {
            for (contestant, _) in race.contestants {
                println!("{} {} {contestant} {}", race.task, race.product.name(), race.count);
            }
        }
        return ExitCode::SUCCESS;
    }
    let [task, product, contestant, times, entries @ ..] = args.as_slice() else { return usage() };
    let race = races().find(|race| race.task == task && race.product.name() == product);
    let Some(race) = race else { return usage() };
    let run = race.contestants.iter().find(|(name, _)| name == contestant);
    let (Some((_, run)), Ok(times)) = (run, times.parse::<u32>()) else { return usage() };
    let count = match entries {
        [] => Ok(race.count),
        [entries] => entries.parse(),
        _ => return usage(),
    };
    let Ok(count) = count else { return usage() };
    let file = (race.data)(count);
    let ready = run.prepare(&file);
    for _ in 0..times {
        if !ready.run() {
            eprintln!("{contestant} rejects the file");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}

fn usage() -> ExitCode {
    eprintln!("usage: one list, or one TASK PRODUCT CONTESTANT TIMES [ENTRIES]");
    ExitCode::from(2)
}
