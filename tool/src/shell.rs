//! `binfmt completions` and `binfmt man`: what a shell and a manual need.

use std::io::Write as _;

use clap::Command;
use clap_complete::Shell;

use crate::output::{Out, Outcome, Trouble};
use crate::toolbox::Toolbox;
use crate::verb::Verb;

/// Print completions for a shell
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  binfmt completions bash > ~/.local/share/bash-completion/completions/binfmt
  binfmt completions fish > ~/.config/fish/completions/binfmt.fish

Exit codes:
  0  printed
  2  wrong usage, or output that cannot be written")]
struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

/// Print a page of the manual
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  binfmt man > binfmt.1
  binfmt man inspect | man -l -

Exit codes:
  0  printed
  2  wrong usage, there is no such subcommand, or output that cannot be written")]
struct ManArgs {
    /// The subcommand; without it, the page of the program
    command: Option<String>,
}

pub(crate) fn completions() -> Verb {
    Verb::new("completions", complete)
}

pub(crate) fn man() -> Verb {
    Verb::new("man", page)
}

fn complete(
    args: &CompletionsArgs,
    toolbox: &Toolbox,
    out: &mut Out<'_>,
) -> Result<Outcome, Trouble> {
    let mut command = toolbox.command().clone();
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut command, toolbox.name(), &mut text);
    out.write_all(&text)?;
    Ok(Outcome::Good)
}

fn page(args: &ManArgs, toolbox: &Toolbox, out: &mut Out<'_>) -> Result<Outcome, Trouble> {
    let mut program = toolbox.command().clone();
    program.build();
    let wanted = match &args.command {
        None => program,
        Some(name) => {
            let found = program.get_subcommands().find(|command| command.get_name() == name);
            let found = found.cloned().ok_or_else(|| {
                let names: Vec<_> = program.get_subcommands().map(Command::get_name).collect();
                Trouble::new(format!("there is no `{name}`; there are {}", names.join(", ")))
            })?;
            let full = format!("{}-{name}", toolbox.name());
            found.name(full)
        }
    };
    let mut text = Vec::new();
    clap_mangen::Man::new(wanted).render(&mut text)?;
    out.write_all(&text)?;
    Ok(Outcome::Good)
}
