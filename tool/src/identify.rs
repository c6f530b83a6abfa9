//! `binfmt identify`: what files are, one line each.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rayon::prelude::*;
use serde_json::{Value, json};

use crate::driver::Options;
use crate::files::Files;
use crate::input::Input;
use crate::nest::{self, Content, Limits, Visitor};
use crate::output::{self, Out, Outcome, Trouble, printable};
use crate::paths::{self, shown};
use crate::table;
use crate::toolbox::Toolbox;
use crate::verb::Verb;
use crate::{json, recognise};

/// Say what files are, in one line each
///
/// A file that begins as one of the formats is walked, too: if that fails, it is told as damaged.
/// Payloads are not decoded. Folders are searched through, and archives too: of what lies in them
/// only files of the known formats are told.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  binfmt identify FILE
  binfmt identify --json downloads | jq -r 'select(.format) | .file'

Exit codes:
  0  every file is of a known format and whole, or an archive of such
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
        let known: Vec<_> = batch.par_iter().map(|(path, _)| all_of(path, toolbox)).collect();
        for known in known.into_iter().flatten() {
            worst = worst.max(match known {
                Ok(known) => {
                    if args.json {
                        json::line(out, &known.to_json())?;
                    } else {
                        let sentence = printable(&known.sentence);
                        let name = out.name(&shown(&known.file), sentence.chars().count() + 2);
                        let line = format!("{name}: {sentence}");
                        writeln!(out, "{}", table::cut(&line, out.width()))?;
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

/// What a file is, and then what the files of known formats are that lie in it.
fn all_of(path: &Path, toolbox: &Toolbox) -> Vec<Result<Identity, Trouble>> {
    let input = match Input::open(path) {
        Ok(input) => input,
        Err(trouble) => return vec![Err(trouble)],
    };
    let first = Identity::of(path, &input, toolbox);
    if first.format.is_some() {
        return vec![Ok(first)];
    }
    let mut inside = Inside { outer: path, toolbox, found: Vec::new(), skipped: Vec::new() };
    nest::visit(path, &input, &mut Limits::default(), &mut inside);
    let mut first = first;
    first.holds = !inside.found.is_empty() && inside.skipped.is_empty();
    let found = inside.found.into_iter().map(Ok);
    let skipped = inside.skipped.into_iter().map(|why| Err(Trouble::new(why)));
    [Ok(first)].into_iter().chain(found).chain(skipped).collect()
}

/// The files inside another one that are of a known format.
struct Inside<'i> {
    outer: &'i Path,
    toolbox: &'i Toolbox,
    found: Vec<Identity>,
    skipped: Vec<String>,
}

impl Visitor for Inside<'_> {
    fn file(&mut self, path: &Path, bytes: &[u8], _: Option<&Arc<Content>>) -> bool {
        if path == self.outer {
            return false;
        }
        let known = Identity::of(path, bytes, self.toolbox);
        let is_known = known.format.is_some();
        self.found.extend(is_known.then_some(known));
        is_known
    }

    fn skipped(&mut self, path: &Path, why: &str) {
        self.skipped.push(format!("{} is skipped: {why}", shown(path)));
    }
}

/// What is known of a file.
pub(crate) struct Identity {
    file: PathBuf,
    size: u64,
    format: Option<&'static str>,
    variant: Option<String>,
    verdict: &'static str,
    sentence: String,
    /// Whether it is told for what lies in it.
    holds: bool,
}

impl Identity {
    pub(crate) fn of(path: &Path, bytes: &[u8], toolbox: &Toolbox) -> Self {
        let (file, size) = (path.to_owned(), json::wide(bytes.len()));
        let Some(driver) = toolbox.choose(bytes, None) else {
            let sentence = recognise::describe(bytes);
            let sentence = sentence.strip_prefix("this is ").unwrap_or(&sentence).to_owned();
            let (format, variant, verdict) = (None, None, "unrecognised");
            return Self { file, size, format, variant, verdict, sentence, holds: false };
        };
        let checked = driver.validate(bytes, &Options::default());
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
        Self { file, size, format, variant: checked.variant, verdict, sentence, holds: false }
    }

    fn outcome(&self) -> Outcome {
        if self.verdict == "valid" || self.holds { Outcome::Good } else { Outcome::Bad }
    }

    pub(crate) fn to_json(&self) -> Value {
        let mut line = json!({
            "file": shown(&self.file),
            "size": json::number(self.size),
            "format": self.format,
            "variant": self.variant,
            "verdict": self.verdict,
            "description": self.sentence,
        });
        paths::put_exact(&mut line, "file", &self.file);
        line
    }
}
