//! Compiles batches of declarations as one crate each, and runs them.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::grammar::Declaration;
use crate::options::Options;

/// What became of a declaration.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// All laws hold; how many values were written and refused.
    Fine(u64, u64),
    /// The derive refused it, in its own words.
    Refused(String),
    /// The compiler refused it, in words about generated code.
    Rustc(String),
    /// A law is broken.
    Broken(String),
    /// The program ended, or took too long.
    Crash(String),
}

impl Outcome {
    /// What kind of failure it is, the same for all declarations that fail in that way.
    pub fn kind(&self) -> String {
        let (name, text) = match self {
            Self::Fine(..) => ("fine", ""),
            Self::Refused(text) => ("refused", text.as_str()),
            Self::Rustc(text) => ("rustc", text.as_str()),
            Self::Broken(text) => ("law", text.as_str()),
            Self::Crash(text) => ("crash", text.as_str()),
        };
        let line = text.lines().next().unwrap_or_default();
        let mut kind = String::new();
        let mut quoted = false;
        for c in line.chars() {
            match c {
                '`' => {
                    quoted = !quoted;
                    kind.push(c);
                }
                _ if quoted && !matches!(self, Self::Broken(_)) => {}
                c if c.is_ascii_digit() => {
                    if !kind.ends_with('#') {
                        kind.push('#');
                    }
                }
                c => kind.push(c),
            }
        }
        // What follows names fields and types.
        let shapes = regex_like(&kind);
        format!("{name}: {shapes}")
    }
}

/// A message without the paths in it.
fn regex_like(text: &str) -> String {
    let words = text.split(' ').map(|word| {
        let path = word.trim_matches(|c: char| !c.is_alphanumeric());
        let named = path.contains('#') && path.contains(['f', 'S', 'X', 'B', 'N']);
        if named { "_" } else { word }
    });
    words.collect::<Vec<_>>().join(" ").chars().take(110).collect()
}

/// Where batches are built.
#[derive(Clone)]
pub struct Workshop {
    folder: PathBuf,
    deps: PathBuf,
    runtime: PathBuf,
    harness: PathBuf,
    level: String,
    /// What the program is told to try.
    effort: String,
}

impl Workshop {
    /// Builds what batches are linked with.
    pub fn new(options: &Options) -> Result<Self, String> {
        let target = options.work.join("target");
        std::fs::create_dir_all(&target).map_err(|error| error.to_string())?;
        let output = Command::new("cargo")
            .args(["build", "--lib", "-p", "binfmt-declarations", "--profile", "declarations"])
            .args(["--message-format", "json", "--manifest-path"])
            .arg(options.tree.join("Cargo.toml"))
            .env("CARGO_TARGET_DIR", &target)
            .output()
            .map_err(|error| error.to_string())?;
        if !output.status.success() {
            return Err(format!(
                "the harness is not built:\n{}",
                String::from_utf8_lossy(&output.stderr)
            ));
        }
        let lines = String::from_utf8_lossy(&output.stdout).into_owned();
        let find = |name: &str| {
            let files = [format!("/lib{name}-"), format!("/lib{name}.")];
            let line = lines.lines().filter(|line| line.contains("compiler-artifact"));
            let mut paths = line
                .flat_map(|line| line.split('"'))
                .filter(|part| files.iter().any(|file| part.contains(file)));
            let path = paths.find(|path| path.ends_with(".rlib"));
            path.map(PathBuf::from).ok_or_else(|| format!("cargo names no {name}:\n{lines}"))
        };
        let (runtime, harness) = (find("binfmt_runtime")?, find("binfmt_declarations")?);
        let deps = runtime.parent().unwrap_or(Path::new(".")).to_owned();
        let folder = options.work.join("batch");
        let effort = match options.large {
            true => "large".to_owned(),
            false => format!("{} {}", options.values, options.damaged),
        };
        let level = options.level.clone();
        Ok(Self { folder, deps, runtime, harness, level, effort })
    }

    /// The same for one of several jobs, which has a folder of its own.
    pub fn of_job(&self, job: usize) -> Self {
        Self { folder: self.folder.join(job.to_string()), ..self.clone() }
    }

    /// Compiles declarations together and runs the laws on each.
    pub fn test(&self, all: &[Declaration]) -> Vec<Outcome> {
        let mut outcomes: Vec<Option<Outcome>> = vec![None; all.len()];
        let _ = std::fs::remove_dir_all(&self.folder);
        std::fs::create_dir_all(&self.folder).expect("a folder for a batch");
        for (index, declaration) in all.iter().enumerate() {
            let name = format!("m{index}");
            let path = self.folder.join(format!("{name}.rs"));
            std::fs::write(path, declaration.render(&name)).expect("a module is written");
        }
        self.build(&mut outcomes);
        self.run(&mut outcomes);
        outcomes.into_iter().map(|outcome| outcome.unwrap_or(Outcome::Fine(0, 0))).collect()
    }

    /// Compiles, takes out what is refused, and compiles again until the rest is a program.
    fn build(&self, outcomes: &mut [Option<Outcome>]) {
        // What the derive refuses is known once macros are expanded, long before types are checked.
        let all: Vec<usize> = (0..outcomes.len()).collect();
        if let Err(errors) = self.rustc(&all, &["--emit", "dep-info", "-o", "batch.d"]) {
            errors.take_out(outcomes);
        }
        loop {
            let left: Vec<usize> =
                (0..outcomes.len()).filter(|index| outcomes[*index].is_none()).collect();
            if left.is_empty() {
                return;
            }
            let errors = self.compile(&left);
            let Err(errors) = errors else { return };
            let text = errors.text.clone();
            if !errors.take_out(outcomes) {
                self.blame(&left, outcomes, &text);
            }
        }
    }

    /// An error that names no module: every declaration is compiled alone.
    fn blame(&self, left: &[usize], outcomes: &mut [Option<Outcome>], text: &str) {
        let mut any = false;
        for index in left {
            if let Err(errors) = self.compile(&[*index]) {
                let known = errors.by_module.into_iter().next().map(|(_, error)| error);
                let line = errors.text.lines().find(|line| line.contains("error"));
                let other = Outcome::Rustc(line.unwrap_or_default().to_owned());
                outcomes[*index] = Some(known.unwrap_or(other));
                any = true;
            }
        }
        if !any {
            eprintln!("nobody is to blame for:\n{text}");
            left.iter().for_each(|index| outcomes[*index] = Some(Outcome::Rustc(text.to_owned())));
        }
    }

    fn compile(&self, left: &[usize]) -> Result<(), Errors> {
        self.rustc(left, &["-o", "batch"])
    }

    /// Runs the compiler on the modules that are left.
    fn rustc(&self, left: &[usize], output: &[&str]) -> Result<(), Errors> {
        let mut main = String::from("use binfmt_declarations::prelude::*;\n");
        for index in left {
            let _ = writeln!(main, "mod m{index};");
        }
        main.push_str("fn main() {\n    let mut run = Run::of_args();\n");
        for index in left {
            let _ = writeln!(main, "    m{index}::run(&mut run);");
        }
        main.push_str("}\n");
        std::fs::write(self.folder.join("main.rs"), main).expect("the program is written");
        let output = Command::new("rustc")
            .current_dir(&self.folder)
            .args(["--edition", "2024", "--crate-name", "batch", "--cap-lints", "allow"])
            // A panic ends the program, which has said where it was; unwinding costs a fifth more.
            .args(["--error-format", "short", "-C", "debuginfo=0", "-C", "panic=abort"])
            .args(["-C", &format!("opt-level={}", self.level)])
            .args(["-C", "overflow-checks=on", "-C", "debug-assertions=on", "main.rs"])
            .args(output)
            .arg("-L")
            .arg(format!("dependency={}", self.deps.display()))
            .arg("--extern")
            .arg(format!("binfmt_runtime={}", self.runtime.display()))
            .arg("--extern")
            .arg(format!("binfmt_declarations={}", self.harness.display()))
            .output()
            .expect("rustc runs");
        if output.status.success() {
            return Ok(());
        }
        Err(Errors::of(&String::from_utf8_lossy(&output.stderr)))
    }

    /// Runs the program, again behind a declaration that ends it.
    fn run(&self, outcomes: &mut [Option<Outcome>]) {
        if outcomes.iter().all(Option::is_some) {
            return;
        }
        let mut after = String::new();
        loop {
            let command = format!(
                "ulimit -v 6000000; ulimit -c 0; exec timeout 240 ./batch {} {after}",
                self.effort
            );
            let output = Command::new("sh")
                .args(["-c", &command])
                .current_dir(&self.folder)
                .output()
                .expect("the batch runs");
            let mut open = None;
            for line in String::from_utf8_lossy(&output.stdout).lines() {
                let mut parts = line.splitn(3, ' ');
                let (word, name) = (parts.next(), parts.next().unwrap_or_default());
                let index = name.strip_prefix('m').and_then(|index| index.parse::<usize>().ok());
                let Some(index) = index.filter(|index| *index < outcomes.len()) else { continue };
                let rest = parts.next().unwrap_or_default();
                match word {
                    Some("begin") => open = Some(index),
                    Some("end") => {
                        let mut numbers = rest.split(' ').filter_map(|number| number.parse().ok());
                        let (a, b) = (numbers.next(), numbers.next());
                        outcomes[index] = Some(Outcome::Fine(a.unwrap_or(0), b.unwrap_or(0)));
                        open = None;
                    }
                    Some("broken") => {
                        let law = rest.replace("\\n", "\n");
                        outcomes[index] = Some(Outcome::Broken(law));
                        open = None;
                    }
                    _ => {}
                }
            }
            let Some(index) = open.filter(|_| !output.status.success()) else { return };
            let stderr = String::from_utf8_lossy(&output.stderr);
            let said = stderr.lines().last().unwrap_or_default();
            outcomes[index] = Some(Outcome::Crash(format!("{} {said}", output.status)));
            after = format!("after:m{index}");
        }
    }
}

/// What the compiler says.
struct Errors {
    text: String,
    by_module: BTreeMap<usize, Outcome>,
}

impl Errors {
    /// Gives the declarations that are refused their outcome; whether there is one that had none.
    fn take_out(self, outcomes: &mut [Option<Outcome>]) -> bool {
        let mut any = false;
        for (index, error) in self.by_module {
            if let Some(slot @ None) = outcomes.get_mut(index) {
                *slot = Some(error);
                any = true;
            }
        }
        any
    }

    fn of(text: &str) -> Self {
        let mut by_module = BTreeMap::new();
        for line in text.lines() {
            let Some((place, error)) = line.split_once(": error") else { continue };
            let file = place.split(':').next().unwrap_or_default();
            let file = file.rsplit('/').next().unwrap_or_default();
            let index = file.strip_prefix('m').and_then(|rest| rest.strip_suffix(".rs"));
            let Some(index) = index.and_then(|index| index.parse().ok()) else { continue };
            let outcome = if is_ours(error) {
                Outcome::Refused(error.trim_start_matches(": ").to_owned())
            } else {
                Outcome::Rustc(error.trim_start_matches(": ").to_owned())
            };
            // What rustc says beside our message follows from it.
            let slot = by_module.entry(index).or_insert_with(|| outcome.clone());
            if matches!(outcome, Outcome::Refused(_)) {
                *slot = outcome;
            }
        }
        Self { text: text.to_owned(), by_module }
    }
}

/// Whether an error is a message of the derive: it has no code of the compiler, or is a rule that is
/// checked when constants are computed.
fn is_ours(error: &str) -> bool {
    const FOREIGN: &[&str] = &[
        "proc-macro derive produced",
        "cannot find",
        "expected",
        "no rules expected",
        "unexpected",
        "this",
        "comparison",
        "unknown",
    ];
    match error.strip_prefix(": ") {
        Some(message) => !FOREIGN.iter().any(|start| message.starts_with(start)),
        None => error.starts_with("[E0080]"),
    }
}
