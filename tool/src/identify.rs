//! `binfmt identify`: what files are, one line each.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use serde_json::{Value, json};

use crate::driver::Options;
use crate::files::Files;
use crate::input::Input;
use crate::output::{self, Out, Outcome, Trouble, printable};
use crate::toolbox::Toolbox;
use crate::verb::Verb;
use crate::{json, recognise};

/// Say what files are, in one line each
///
/// A file that begins as one of the formats is walked, too: if that fails, it is told as damaged.
/// Payloads are not decoded. Folders are searched through.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  binfmt identify FILE
  binfmt identify --json downloads | jq -r 'select(.format) | .file'

Exit codes:
  0  every file is of a known format and whole
  1  a file is of another format, or damaged
  2  wrong usage, or a file that cannot be read")]
struct IdentifyArgs {
    /// The files and folders; `-` is standard input
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// One JSON line per file
    #[arg(long)]
    json: bool,
}

pub(crate) fn verb() -> Verb {
    Verb::new("identify", run)
}

/// How many files are looked at before anything is printed.
const BATCH: usize = 256;

fn run(args: &IdentifyArgs, toolbox: &Toolbox, out: &mut Out<'_>) -> Result<Outcome, Trouble> {
    let files = Files::below(&args.paths);
    let mut worst = Outcome::Good;
    for trouble in &files.troubles {
        output::error(&printable(trouble));
        worst = Outcome::Trouble;
    }
    for batch in files.files.chunks(BATCH) {
        if out.is_closed() {
            break;
        }
        let known: Vec<_> = batch.par_iter().map(|(path, _)| Identity::of(path, toolbox)).collect();
        for known in known {
            worst = worst.max(match known {
                Ok(known) => {
                    if args.json {
                        json::line(out, &known.to_json())?;
                    } else {
                        let sentence = printable(&known.sentence);
                        let name = out.name(&known.file, sentence.chars().count() + 2);
                        writeln!(out, "{name}: {sentence}")?;
                    }
                    known.outcome()
                }
                Err(trouble) => {
                    output::error(&printable(&trouble.to_string()));
                    Outcome::Trouble
                }
            });
        }
    }
    out.flush()?;
    Ok(worst)
}

/// What is known of a file.
struct Identity {
    file: String,
    size: u64,
    format: Option<&'static str>,
    variant: Option<String>,
    verdict: &'static str,
    sentence: String,
}

impl Identity {
    fn of(path: &Path, toolbox: &Toolbox) -> Result<Self, Trouble> {
        let input = Input::open(path)?;
        let (file, size) = (input.name(), json::wide(input.len()));
        let Some(driver) = toolbox.choose(&input, None) else {
            let sentence = recognise::describe(&input);
            let sentence = sentence.strip_prefix("this is ").unwrap_or(&sentence).to_owned();
            let (format, variant) = (None, None);
            return Ok(Self { file, size, format, variant, verdict: "unrecognised", sentence });
        };
        let checked = driver.validate(&input, &Options::default());
        let verdict = checked.verdict();
        let doc = driver.about();
        let mut sentence = driver.name().to_owned();
        if let Some(variant) = &checked.variant {
            sentence = format!("{sentence} ({variant})");
        }
        if !doc.is_empty() {
            sentence = format!("{sentence}: {doc}");
        }
        if verdict != "valid" {
            sentence = format!("{sentence}; {verdict}");
        }
        let format = Some(driver.name());
        Ok(Self { file, size, format, variant: checked.variant, verdict, sentence })
    }

    fn outcome(&self) -> Outcome {
        if self.verdict == "valid" { Outcome::Good } else { Outcome::Bad }
    }

    fn to_json(&self) -> Value {
        json!({
            "file": self.file,
            "size": json::number(self.size),
            "format": self.format,
            "variant": self.variant,
            "verdict": self.verdict,
            "description": self.sentence,
        })
    }
}
