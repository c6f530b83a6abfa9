//! `binfmt` says what is in a binary container file, whether it is intact, and gets things out of
//! it or back in.
//!
//! Each subcommand is one file; what the formats have to offer it is the trait in `driver.rs`.

mod args;
mod convert;
mod driver;
mod drivers;
mod edit;
mod extract;
mod files;
mod input;
mod inspect;
mod item;
mod json;
mod list;
mod map;
mod metadata;
mod names;
mod output;
mod progress;
mod ranges;
mod recognise;
mod remake;
mod rewrite;
mod save;
mod scan;
mod schema;
mod search;
mod table;
mod tensor;
mod validate;

use std::io::{BufWriter, Write as _};
use std::process::ExitCode;

use clap::Parser as _;

use crate::args::{Args, Command};
use crate::output::{Out, Outcome, Trouble};

fn main() -> ExitCode {
    let args = Args::parse();
    args.color.apply();
    let mut stdout = BufWriter::new(anstream::stdout().lock());
    let mut bytes = std::io::stdout();
    let mut out = Out::new(&mut stdout).with_raw(&mut bytes);
    let outcome = run(&args.command, &mut out);
    let flushed = out.flush().map_err(|error| Trouble::writing("the output", &error));
    match flushed.and(outcome) {
        Ok(outcome) => outcome.into(),
        Err(trouble) => {
            output::error(&trouble.to_string());
            Outcome::Trouble.into()
        }
    }
}

fn run(command: &Command, out: &mut Out<'_>) -> Result<Outcome, Trouble> {
    match command {
        Command::Inspect(args) => inspect::run(args, out),
        Command::Validate(args) => validate::run(args, out),
        Command::List(args) => list::run(args, out),
        Command::Extract(args) => extract::run(args, out),
        Command::Scan(args) => scan::run(args, out),
        Command::Rewrite(args) => rewrite::run(args, out),
        Command::Edit(args) => edit::run(args, out),
        Command::Convert(args) => convert::run(args, out),
        Command::Metadata(args) => metadata::run(args, out),
        Command::Schema(args) => schema::run(args, out),
    }
}
