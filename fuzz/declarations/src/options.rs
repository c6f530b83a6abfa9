//! The command line.

use std::path::PathBuf;

pub struct Options {
    /// How many declarations.
    pub count: u64,
    pub seed: u64,
    /// How many declarations are compiled together.
    pub batch: u64,
    /// How many batches are tested at once.
    pub jobs: usize,
    pub values: u64,
    pub damaged: u64,
    /// Whether large files are tried for what they cost, in place of all other laws.
    pub large: bool,
    /// Whether what fails is shrunk.
    pub shrink: bool,
    /// Stops at the first failure.
    pub first: bool,
    /// Stops after so many seconds.
    pub seconds: Option<u64>,
    /// Shows the declaration of a seed.
    pub show: Option<u64>,
    /// Where to write seeds of declarations on which all laws hold.
    pub fixed: Option<PathBuf>,
    /// Where to write the seeds of all of these.
    pub good: Option<PathBuf>,
    /// The seeds to test, in place of a range.
    pub seeds: Option<PathBuf>,
    /// What has to stand in every declaration.
    pub only: Option<String>,
    /// Where failing declarations are kept.
    pub keep: PathBuf,
    /// Where crates are built.
    pub work: PathBuf,
    /// The workspace whose derive and runtime are tested.
    pub tree: PathBuf,
    pub level: String,
}

const USAGE: &str =
    "usage: declarations [--count N] [--seed N] [--batch N] [--jobs N] [--values N] [--damaged N]
    [--large] [--no-shrink] [--first] [--seconds N] [--keep DIR] [--work DIR] [--tree DIR] [--level 0..3]
    [--fixed FILE] [--good FILE] [--seeds FILE]
    [--only TEXT] | --show SEED";

impl Options {
    pub fn of_args() -> Result<Self, String> {
        let here = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
        let tree = here.ancestors().nth(2).unwrap_or(&here).to_owned();
        let mut options = Self {
            count: 600,
            seed: 1,
            batch: 60,
            jobs: std::thread::available_parallelism().map_or(1, usize::from),
            values: 40,
            damaged: 25,
            large: false,
            shrink: true,
            first: false,
            seconds: None,
            show: None,
            fixed: None,
            good: None,
            seeds: None,
            only: None,
            keep: tree.join("target/declarations/found"),
            work: tree.join("target/declarations/work"),
            tree,
            level: "0".into(),
        };
        let mut args = std::env::args().skip(1);
        while let Some(arg) = args.next() {
            let mut value = || args.next().ok_or_else(|| format!("{arg} needs a value\n{USAGE}"));
            let number =
                |text: String| text.parse::<u64>().map_err(|_| format!("{text} is no number"));
            match arg.as_str() {
                "--count" => options.count = number(value()?)?,
                "--seed" => options.seed = number(value()?)?,
                "--batch" => options.batch = number(value()?)?,
                "--jobs" => options.jobs = number(value()?)?.clamp(1, 64) as usize,
                "--values" => options.values = number(value()?)?,
                "--damaged" => options.damaged = number(value()?)?,
                "--seconds" => options.seconds = Some(number(value()?)?),
                "--show" => options.show = Some(number(value()?)?),
                "--fixed" => options.fixed = Some(value()?.into()),
                "--good" => options.good = Some(value()?.into()),
                "--only" => options.only = Some(value()?),
                "--seeds" => options.seeds = Some(value()?.into()),
                "--keep" => options.keep = value()?.into(),
                "--work" => options.work = value()?.into(),
                "--tree" => options.tree = value()?.into(),
                "--level" => options.level = value()?,
                "--large" => options.large = true,
                "--no-shrink" => options.shrink = false,
                "--first" => options.first = true,
                _ => return Err(format!("unknown {arg}\n{USAGE}")),
            }
        }
        Ok(options)
    }
}
