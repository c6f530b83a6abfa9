//! What a program can do: one verb for each subcommand.

use std::fmt;

use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgAction, ArgMatches, Args, Command};

use crate::output::{Out, Outcome, Trouble};
use crate::toolbox::Toolbox;

type Run = dyn Fn(&ArgMatches, &Toolbox, &mut Out<'_>) -> Result<Outcome, Trouble> + Send + Sync;

/// A subcommand: its arguments, and what it does.
pub struct Verb {
    command: Command,
    run: Box<Run>,
}

impl fmt::Debug for Verb {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Verb").field("name", &self.command.get_name()).finish_non_exhaustive()
    }
}

impl Verb {
    /// A verb with the arguments that `A` declares; its doc comment is the help.
    ///
    /// An argument called `format` takes the names of the formats, and the options of the formats
    /// are added where there is one.
    pub fn new<A: Args + 'static>(
        name: &'static str,
        run: fn(&A, &Toolbox, &mut Out<'_>) -> Result<Outcome, Trouble>,
    ) -> Self {
        let run = move |matches: &ArgMatches, toolbox: &Toolbox, out: &mut Out<'_>| {
            let args = A::from_arg_matches(matches);
            run(&args.map_err(|error| Trouble::new(error.to_string()))?, toolbox, out)
        };
        Self { command: A::augment_args(Command::new(name)), run: Box::new(run) }
    }

    /// The same verb with something changed about its command line.
    pub(crate) fn map(self, change: impl FnOnce(Command) -> Command) -> Self {
        Self { command: change(self.command), ..self }
    }

    pub(crate) fn name(&self) -> &str {
        self.command.get_name()
    }

    /// The subcommand of a program with these formats.
    pub(crate) fn command(&self, toolbox: &Toolbox) -> Command {
        let mut command = self.command.clone();
        if let Some(help) = command.get_after_help() {
            let help = help.to_string().replace("binfmt ", &format!("{} ", toolbox.name()));
            command = command.after_help(help);
        }
        let has =
            |command: &Command, id: &str| command.get_arguments().any(|arg| arg.get_id() == id);
        if has(&command, "output") && !has(&command, "force") {
            let force = Arg::new("force").long("force").action(ArgAction::SetTrue);
            command = command.arg(force.help("Replace a file that exists"));
        }
        if has(&command, "format") {
            let names = PossibleValuesParser::new(toolbox.names());
            command = command.mut_arg("format", |arg| arg.value_parser(names));
        }
        if command.get_arguments().any(|arg| arg.get_long() == Some("format")) {
            for driver in toolbox.drivers() {
                let heading = format!("Reading {}", driver.name());
                command = command
                    .args(driver.args().into_iter().map(|arg| arg.help_heading(heading.clone())));
            }
        }
        command
    }

    pub(crate) fn run(
        &self,
        matches: &ArgMatches,
        toolbox: &Toolbox,
        out: &mut Out<'_>,
    ) -> Result<Outcome, Trouble> {
        (self.run)(matches, toolbox, out)
    }
}
