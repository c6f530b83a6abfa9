//! The formats of a program, and the program itself.

use std::cell::RefCell;
use std::ffi::OsString;
use std::io::{self, BufWriter, Write};
use std::process::ExitCode;
use std::rc::Rc;

use anstream::adapter::StripBytes;
use clap::error::ErrorKind;
use clap::{Arg, ArgMatches, Command, value_parser};

use crate::args::Color;
use crate::driver::{Driver, Extras};
use crate::output::{self, Message, Out, Outcome, Trouble};
use crate::plain::Format;
use crate::verb::Verb;
use crate::{
    convert, diff, edit, export, extract, get, identify, inspect, list, metadata, pack, rewrite,
    save, scan, schema, set, shell, summary, validate, view,
};

const EXIT: &str = "\
Exit codes:
  0  all is well
  1  the input is not: invalid, damaged, unrecognised or different
  2  wrong usage, or a file that cannot be read or written

Lines are no longer than the terminal is wide, or than COLUMNS says: paths and names lose their
middle there, then columns go, and a line says which. Without a terminal everything is whole.";

/// What a program says about itself, if it says nothing else.
const ABOUT: &str = "Says what is in a binary file, whether it is intact, and gets things out of \
    it or back in.\n\nThe format is told by the content. `-` stands for standard input. Data goes \
    to standard output, messages go to standard error.";

/// The formats of a program, as its verbs use them.
#[derive(Clone, Debug)]
pub struct Toolbox {
    name: String,
    formats: Vec<Format>,
    /// The whole command line; what is to be completed and what a manual shows.
    command: Command,
}

impl Toolbox {
    /// The name of the program.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The whole command line.
    pub(crate) fn command(&self) -> &Command {
        &self.command
    }

    /// Every format, in the order in which they are tried.
    pub fn drivers(&self) -> impl Iterator<Item = &dyn Driver> {
        self.formats.iter().map(Format::driver)
    }

    /// The names of all formats.
    pub fn names(&self) -> Vec<&'static str> {
        self.drivers().map(Driver::name).collect()
    }

    /// The format with that name, else the one that the file looks like.
    pub fn choose(&self, file: &[u8], format: Option<&str>) -> Option<&dyn Driver> {
        if let ([only], None, [_, ..]) = (self.formats.as_slice(), format, file)
            && only.driver().is_without_magic()
        {
            // Nothing tells its files from others, and nothing else can be meant.
            return Some(only.driver());
        }
        if let Some(name) = format {
            return self.drivers().find(|driver| driver.name() == name);
        }
        let all = || self.drivers();
        let by_magic = all().filter(|driver| !driver.is_without_magic());
        let by_reading = all().filter(|driver| driver.is_without_magic());
        by_magic.chain(by_reading).find(|driver| driver.detect(file))
    }

    /// The same formats, told what the user said about each.
    fn configured(&self, matches: &ArgMatches) -> Self {
        let format = |format: &Format| {
            let told = format.driver().extras().configure.and_then(|configure| {
                let is_there = |arg: Arg| matches.try_get_raw(arg.get_id().as_str()).is_ok();
                let all = configure.args().into_iter().all(is_there);
                all.then(|| configure.configured(matches)).flatten()
            });
            told.unwrap_or_else(|| format.clone())
        };
        Self {
            name: self.name.clone(),
            formats: self.formats.iter().map(format).collect(),
            command: self.command.clone(),
        }
    }
}

/// A program: formats, and what can be done with them.
#[derive(Debug)]
pub struct Program {
    toolbox: Toolbox,
    about: &'static str,
    version: &'static str,
    verbs: Vec<Verb>,
}

impl Program {
    /// A program with all verbs that these formats have a use for.
    pub fn new(formats: &[Format]) -> Self {
        let toolbox =
            Toolbox { name: own_name(), formats: formats.to_vec(), command: Command::default() };
        let mut verbs = vec![
            identify::verb(),
            inspect::verb(),
            view::verb(),
            get::verb(),
            set::verb(),
            diff::verb(),
            validate::verb(),
            list::verb(),
            extract::verb(),
            scan::verb(),
            rewrite::verb(),
        ];
        let any = |has: fn(&Extras<'_>) -> bool| toolbox.drivers().any(|it| has(&it.extras()));
        if any(|it| it.summarize.is_some()) {
            verbs.push(summary::verb());
        }
        if any(|it| it.edit.is_some()) {
            verbs.push(edit::verb());
        }
        if any(|it| it.pack.is_some()) {
            verbs.push(pack::verb());
        }
        if any(|it| it.tensors.is_some()) {
            verbs.push(convert::verb(&toolbox));
        }
        if any(|it| it.metadata.is_some()) {
            verbs.push(metadata::verb());
        }
        verbs.extend([schema::verb(), export::verb(), shell::completions(), shell::man()]);
        Self { toolbox, about: ABOUT, version: env!("CARGO_PKG_VERSION"), verbs }
    }

    /// Calls the program so, wherever its executable lies.
    #[must_use]
    pub fn name(mut self, name: &str) -> Self {
        name.clone_into(&mut self.toolbox.name);
        self
    }

    /// Says what the program is for, in place of a general sentence.
    #[must_use]
    pub fn about(self, about: &'static str) -> Self {
        Self { about, ..self }
    }

    /// The version that `--version` shows.
    #[must_use]
    pub fn version(self, version: &'static str) -> Self {
        Self { version, ..self }
    }

    /// Adds something that the program can do; it takes the place of a verb with the same name.
    #[must_use]
    pub fn verb(mut self, verb: Verb) -> Self {
        self.verbs.retain(|old| old.name() != verb.name());
        self.verbs.push(verb);
        self
    }

    /// The whole command line.
    pub fn command(&self) -> Command {
        let color = Arg::new("color")
            .long("color")
            .global(true)
            .value_name("WHEN")
            .value_parser(value_parser!(Color))
            .default_value("auto")
            .help("When to use colours");
        let verbs = self.verbs.iter().map(|verb| verb.command(&self.toolbox));
        Command::new(self.toolbox.name.clone())
            .about(self.about.split("\n\n").next().unwrap_or_default())
            .long_about(self.about)
            .version(self.version)
            .after_help(EXIT)
            .subcommand_required(true)
            .arg_required_else_help(true)
            .arg(color)
            .subcommands(verbs)
    }

    /// Runs the program with the arguments of the process.
    pub fn main(&self) -> ExitCode {
        self.run(std::env::args_os())
    }

    /// Runs the program with these arguments, of which the first is its name.
    pub fn run(&self, args: impl IntoIterator<Item = impl Into<OsString> + Clone>) -> ExitCode {
        self.run_to_end(args).into()
    }

    /// The same, for who ends the process otherwise.
    pub fn run_to_end(
        &self,
        args: impl IntoIterator<Item = impl Into<OsString> + Clone>,
    ) -> Outcome {
        let matches = match self.command().try_get_matches_from(args) {
            Ok(matches) => matches,
            Err(error) => return unparsed(&error),
        };
        if let Some(color) = matches.get_one::<Color>("color") {
            color.apply();
        }
        let mut stdout = BufWriter::new(anstream::stdout().lock());
        let mut bytes = io::stdout();
        let mut out = Out::new(&mut stdout)
            .with_raw(&mut bytes)
            .with_width(output::stdout_width())
            .replacing(replaces(&matches));
        save::clean_up_at_signals();
        let outcome = self.carry_out(&matches, &mut out);
        let flushed = out.flush().map_err(|error| Trouble::writing("the output", &error));
        match flushed.and(outcome) {
            Ok(outcome) => outcome,
            Err(trouble) => {
                output::error(&trouble.to_string());
                Outcome::Trouble
            }
        }
    }

    /// The formats, for code that asks them itself.
    pub fn toolbox(&self) -> &Toolbox {
        &self.toolbox
    }

    /// Runs the program within another one: nothing is printed, nothing ends, and what would be said
    /// is handed back. Standard input is that of the process.
    pub fn call(&self, args: impl IntoIterator<Item = impl Into<OsString> + Clone>) -> Called {
        let name = [OsString::from(&self.toolbox.name)];
        let args = name.into_iter().chain(args.into_iter().map(Into::into));
        let matches = match self.command().try_get_matches_from(args) {
            Ok(matches) => matches,
            Err(error) => return Called::unparsed(&error),
        };
        let ((outcome, output), messages) = output::captured(|| {
            let mut bytes = Collected::default();
            let mut text = Plain { to: bytes.clone(), strip: StripBytes::new() };
            let mut out = Out::new(&mut text).with_raw(&mut bytes).replacing(replaces(&matches));
            let outcome = self.carry_out(&matches, &mut out).unwrap_or_else(|trouble| {
                output::error(&trouble.to_string());
                Outcome::Trouble
            });
            (outcome, bytes.0.take())
        });
        Called { outcome, output, messages }
    }

    fn carry_out(&self, matches: &ArgMatches, out: &mut Out<'_>) -> Result<Outcome, Trouble> {
        let Some((name, matches)) = matches.subcommand() else { return Ok(Outcome::Trouble) };
        let verb = self.verbs.iter().find(|verb| verb.name() == name);
        let verb = verb.ok_or_else(|| Trouble::new(format!("there is no `{name}`")))?;
        let toolbox = Toolbox { command: self.command(), ..self.toolbox.configured(matches) };
        verb.run(matches, &toolbox, out)
    }
}

/// What text and bytes are written to, in the order in which they come.
#[derive(Clone, Default)]
struct Collected(Rc<RefCell<Vec<u8>>>);

impl Write for Collected {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Text without its colours.
struct Plain {
    to: Collected,
    strip: StripBytes,
}

impl Write for Plain {
    fn write(&mut self, text: &[u8]) -> io::Result<usize> {
        self.strip.strip_next(text).try_for_each(|plain| self.to.write_all(plain))?;
        Ok(text.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// How a call of a [`Program`] ended.
#[derive(Clone, Debug)]
pub struct Called {
    /// What the exit code would be.
    pub outcome: Outcome,
    /// What standard output would have.
    pub output: Vec<u8>,
    /// What would be said on standard error.
    pub messages: Vec<Message>,
}

impl Called {
    /// Arguments that are none, or a question for the help.
    fn unparsed(error: &clap::Error) -> Self {
        let text = error.to_string();
        if error.use_stderr() {
            let message = Message { severity: "error", text };
            return Self { outcome: Outcome::Trouble, output: Vec::new(), messages: vec![message] };
        }
        Self { outcome: Outcome::Good, output: text.into_bytes(), messages: Vec::new() }
    }
}

/// Says what is wrong with the arguments, or what was asked about them.
fn unparsed(error: &clap::Error) -> Outcome {
    if !error.use_stderr() || error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        // Nobody is left to tell that the output is closed.
        let _ = error.print();
    } else {
        // The message has what was typed, which may come from the name of a file.
        let text = error.to_string();
        let (first, rest) = text.split_once('\n').unwrap_or((&text, ""));
        output::error(first.strip_prefix("error: ").unwrap_or(first));
        for line in rest.lines() {
            let _ = writeln!(anstream::stderr(), "{}", output::printable(line));
        }
    }
    if error.use_stderr() { Outcome::Trouble } else { Outcome::Good }
}

/// Whether the user allows to replace files.
fn replaces(matches: &ArgMatches) -> bool {
    let told = matches
        .subcommand()
        .and_then(|(_, matches)| matches.try_get_one::<bool>("force").ok().flatten().copied());
    told.unwrap_or(false)
}

/// What the executable is called.
fn own_name() -> String {
    let path = std::env::args_os().next().map(std::path::PathBuf::from);
    let stem = path.as_deref().and_then(std::path::Path::file_stem);
    stem.map_or_else(|| "binfmt".to_owned(), |stem| stem.to_string_lossy().into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fake::Fake;

    #[test]
    fn command_line_is_consistent() {
        Program::new(&[crate::driver(Fake)]).command().debug_assert();
        Program::new(&[]).command().debug_assert();
    }

    #[test]
    fn program_is_called_within_another() {
        let program = Program::new(&[crate::driver(Fake)]).name("boxes");
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.box");
        let call = |bytes: &[u8], verb: &str| {
            std::fs::write(&path, bytes).unwrap();
            program.call([verb.as_ref(), path.as_os_str()])
        };
        let good = call(crate::fake::GOOD, "list");
        assert_eq!((good.outcome, good.messages), (Outcome::Good, Vec::new()));
        assert!(String::from_utf8(good.output).unwrap().contains("boxes[1]"));
        let shown = String::from_utf8(call(crate::fake::GOOD, "inspect").output).unwrap();
        assert!(shown.starts_with("offset") && shown.contains("\n0x00000009     2"), "{shown}");
        let bad = call(crate::fake::BROKEN, "list");
        assert_eq!(bad.outcome, Outcome::Bad);
        assert!(bad.messages[0].text.contains("boxes"), "{:?}", bad.messages);
        let gone = program.call(["list", "/no/such/file"]);
        assert_eq!(gone.outcome, Outcome::Trouble);
        assert!(gone.messages[0].text.ends_with("there is no such file"));
        let wrong = program.call(["lis"]);
        assert_eq!((wrong.outcome, wrong.messages.len()), (Outcome::Trouble, 1));
        assert_eq!(program.call(["--help"]).outcome, Outcome::Good);
    }

    #[test]
    fn what_has_a_magic_is_tried_in_front_of_what_has_none() {
        #[derive(binfmt_runtime::BinFormat)]
        #[allow(dead_code, reason = "only read")]
        struct Any {
            first: u8,
        }
        #[derive(binfmt_runtime::BinFormat)]
        #[bin(magic = b"MARK")]
        #[allow(dead_code, reason = "only read")]
        struct Marked {
            first: u8,
        }
        let formats = [crate::format::<Any>("any"), crate::format::<Marked>("marked")];
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("file");
        for (file, format) in [(&b"MARK\x01"[..], "marked"), (b"MARX\x01", "any")] {
            std::fs::write(&path, file).unwrap();
            let program = Program::new(&formats).name("both");
            let told =
                String::from_utf8(program.call(["identify".as_ref(), path.as_os_str()]).output);
            assert!(told.as_ref().unwrap().contains(format), "{told:?}");
        }
    }

    #[test]
    fn verbs_are_those_that_a_format_has_a_use_for() {
        let command = Program::new(&[crate::driver(Fake)]).name("boxes").command();
        let names: Vec<_> = command.get_subcommands().map(Command::get_name).collect();
        assert_eq!(
            names,
            [
                "identify",
                "inspect",
                "view",
                "get",
                "set",
                "diff",
                "validate",
                "list",
                "extract",
                "scan",
                "rewrite",
                "schema",
                "export",
                "completions",
                "man",
            ]
        );
    }
}
