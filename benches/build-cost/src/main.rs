//! Builds the same 200 declarations with four crates, by turns, and prints what that costs.
//!
//! `cargo run --release [ROUNDS [CONTESTANT..]]`. Only the crate with the declarations is measured: what it
//! depends on is built before, and what cargo itself needs is taken away.

mod contestant;

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use contestant::{CONTESTANTS, Contestant};

/// What `times` of the kernel counts in.
const TICK: Duration = Duration::from_millis(10);

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let rounds = args.next().map_or(Ok(5), |rounds| rounds.parse::<usize>())?;
    let names: Vec<String> = args.collect();
    let target = std::env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| "target".into());
    let folder = std::path::absolute(target)?.join("build-cost");
    let mut entries = Vec::new();
    for contestant in &CONTESTANTS {
        if names.is_empty() || names.iter().any(|name| name == contestant.name) {
            entries.push(Entry::new(&folder, contestant)?);
        }
    }
    for round in 0..rounds {
        // Every contestant has every place in the order.
        let len = entries.len();
        for turn in 0..len {
            entries[(turn + round) % len].build()?;
        }
    }
    print(&mut entries);
    Ok(())
}

/// A way to build, and whether time that the kernel spends counts.
struct Build {
    args: &'static [&'static str],
    system: bool,
}

const BUILDS: &[Build; 2] = &[
    Build { args: &["check"], system: true },
    Build { args: &["build", "--release"], system: false },
];

/// A contestant with what it has cost so far.
struct Entry {
    contestant: &'static Contestant,
    folder: PathBuf,
    /// What cargo needs that finds nothing to do, for each build.
    idle: [Duration; 2],
    costs: [Vec<Duration>; 2],
}

impl Entry {
    /// Writes the crate, and builds it once with all that it depends on.
    fn new(folder: &Path, contestant: &'static Contestant) -> Result<Self, Box<dyn Error>> {
        let name = contestant.name;
        let runtime = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../binfmt-runtime");
        let runtime = runtime.canonicalize()?;
        let dependency = contestant.dependency.replace("RUNTIME", &runtime.to_string_lossy());
        let manifest = format!(
            "[workspace]\n\n[package]\nname = \"cost-{name}\"\nedition = \"2024\"\n\n\
             [dependencies]\n{dependency}\n"
        );
        let folder = folder.join(name);
        std::fs::create_dir_all(folder.join("src"))?;
        std::fs::write(folder.join("Cargo.toml"), manifest)?;
        let mut entry =
            Self { contestant, folder, idle: [Duration::ZERO; 2], costs: [vec![], vec![]] };
        entry.write()?;
        for (place, build) in BUILDS.iter().enumerate() {
            entry.cargo(build)?;
            entry.idle[place] = entry.cargo(build)?;
        }
        Ok(entry)
    }

    /// Writes the source, so that it counts as changed.
    fn write(&self) -> Result<(), Box<dyn Error>> {
        Ok(std::fs::write(self.folder.join("src/lib.rs"), self.contestant.source())?)
    }

    /// Builds the crate anew.
    fn build(&mut self) -> Result<(), Box<dyn Error>> {
        self.write()?;
        for (place, build) in BUILDS.iter().enumerate() {
            let cost = self.cargo(build)?.saturating_sub(self.idle[place]);
            self.costs[place].push(cost);
        }
        Ok(())
    }

    /// Runs cargo; the processor time that it and its compiler took.
    fn cargo(&self, build: &Build) -> Result<Duration, Box<dyn Error>> {
        let before = children(build)?;
        let status = Command::new(env!("CARGO"))
            .args(build.args)
            .arg("--quiet")
            .current_dir(&self.folder)
            .env("CARGO_TARGET_DIR", self.folder.join("target"))
            .env("CARGO_INCREMENTAL", "0")
            .stdin(Stdio::null())
            .status()?;
        if !status.success() {
            return Err(format!("{} does not build", self.contestant.name).into());
        }
        Ok(children(build)?.saturating_sub(before))
    }
}

/// The processor time of all children so far.
fn children(build: &Build) -> Result<Duration, Box<dyn Error>> {
    let stat = std::fs::read_to_string("/proc/self/stat")?;
    // The name in parentheses may hold spaces; `cutime` and `cstime` are fields 16 and 17.
    let (_, fields) = stat.rsplit_once(')').ok_or("the kernel tells no times")?;
    let mut times = fields.split_whitespace().skip(13).map(str::parse::<u32>);
    let (user, system) =
        (times.next().ok_or("no user time")??, times.next().ok_or("no system time")??);
    Ok(TICK * (user + if build.system { system } else { 0 }))
}

/// Medians, and what the first contestant, ours, costs in terms of each.
fn print(entries: &mut [Entry]) {
    println!("| contestant | check, s | ours / it | release, s of user time | ours / it |");
    println!("|---|---:|---:|---:|---:|");
    let mut ours = None;
    for entry in entries {
        let [check, release] = entry.costs.each_mut().map(|costs| median(costs));
        let [our_check, our_release] = *ours.get_or_insert([check, release]);
        println!(
            "| {} | {check:.2} | {:.2} | {release:.2} | {:.2} |",
            entry.contestant.name,
            our_check / check,
            our_release / release,
        );
    }
}

fn median(costs: &mut [Duration]) -> f64 {
    costs.sort();
    costs.get(costs.len() / 2).map_or(f64::NAN, Duration::as_secs_f64)
}
