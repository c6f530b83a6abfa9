//! What a search has found.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::time::Duration;

use crate::compile::Outcome;
use crate::grammar::Declaration;
use crate::options::Options;

pub struct Found {
    keep: PathBuf,
    /// How many declarations were tested, and how many types they have.
    pub declarations: u64,
    types: usize,
    refused: u64,
    written: u64,
    unwritten: u64,
    /// Kinds of failures and of refusals: how many, and the first declaration.
    kinds: BTreeMap<String, (u64, u64)>,
    refusals: BTreeMap<String, (u64, u64)>,
    /// The first message of each kind.
    messages: BTreeMap<String, String>,
}

impl Found {
    pub fn new(options: &Options) -> Self {
        let _ = std::fs::create_dir_all(&options.keep);
        Self {
            keep: options.keep.clone(),
            declarations: 0,
            types: 0,
            refused: 0,
            written: 0,
            unwritten: 0,
            kinds: BTreeMap::new(),
            refusals: BTreeMap::new(),
            messages: BTreeMap::new(),
        }
    }

    pub fn count(&mut self, declaration: &Declaration, outcome: &Outcome) {
        self.declarations += 1;
        self.types += declaration.len();
        match outcome {
            Outcome::Fine(written, refused) => {
                self.written += written;
                self.unwritten += refused;
            }
            Outcome::Refused(message) => {
                self.refused += 1;
                self.messages.entry(outcome.kind()).or_insert_with(|| message.clone());
                let slot = self.refusals.entry(outcome.kind()).or_insert((0, declaration.seed));
                slot.0 += 1;
            }
            _ => {
                let slot = self.kinds.entry(outcome.kind()).or_insert((0, declaration.seed));
                slot.0 += 1;
            }
        }
    }

    /// Whether a failure is the first of its kind.
    pub fn is_new(&self, outcome: &Outcome) -> bool {
        self.kinds.get(&outcome.kind()).is_some_and(|(count, _)| *count == 1)
    }

    pub fn failures(&self) -> u64 {
        self.kinds.values().map(|(count, _)| count).sum()
    }

    /// Keeps a failing declaration, with what is wrong.
    pub fn keep(&self, declaration: &Declaration, outcome: &Outcome) {
        let name: String = outcome
            .kind()
            .chars()
            .map(|c| if c.is_ascii_alphanumeric() { c } else { '-' })
            .take(60)
            .collect();
        let path = self.keep.join(format!("{name}-{}.rs", declaration.seed));
        let text = match outcome {
            Outcome::Broken(text) | Outcome::Rustc(text) | Outcome::Crash(text) => text,
            _ => "",
        };
        let mut out = String::new();
        for line in text.lines() {
            let _ = writeln!(out, "// {line}");
        }
        out.push_str(&declaration.render("kept"));
        let _ = std::fs::write(&path, out);
        println!("kept {}", path.display());
    }

    pub fn summary(&self, time: Duration) -> String {
        let share = |part: u64, all: u64| (part * 100).checked_div(all).unwrap_or(0);
        format!(
            "{} declarations of {} types in {} s: {} % refused, {} failed; {} % of {} values written",
            self.declarations,
            self.types,
            time.as_secs(),
            share(self.refused, self.declarations),
            self.failures(),
            share(self.written, self.written + self.unwritten),
            self.written + self.unwritten,
        )
    }

    pub fn table(&self) -> String {
        let mut out = String::new();
        for (title, kinds) in [("refused", &self.refusals), ("failed", &self.kinds)] {
            let _ = writeln!(out, "{title}:");
            let mut all: Vec<_> = kinds.iter().collect();
            all.sort_by_key(|(_, (count, _))| std::cmp::Reverse(*count));
            for (kind, (count, seed)) in all {
                let text = self.messages.get(kind).unwrap_or(kind);
                let _ = writeln!(out, "{count:6}  {text}  (first: {seed})");
            }
        }
        out
    }
}
