//! What leaves the program: data on stdout, messages on stderr, an exit code.

use std::cell::RefCell;
use std::fmt;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use anstyle::{AnsiColor, Style};

use crate::paths::shown;
use crate::table;

/// How good news looks.
pub const GOOD: Style = AnsiColor::Green.on_default();
/// How odd things look.
pub const WARNING: Style = AnsiColor::Yellow.on_default();
/// How errors look.
pub const BAD: Style = AnsiColor::Red.on_default().bold();

/// How a command ended; the worst of several counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    /// All is well.
    Good,
    /// All is well, and there was nothing to do.
    Nothing,
    /// The input is not: invalid, damaged, unrecognised or different.
    Bad,
    /// The command could not be carried out.
    Trouble,
}

impl Outcome {
    /// What the program ends with.
    pub fn code(self) -> u8 {
        match self {
            Self::Good => 0,
            Self::Bad => 1,
            Self::Trouble => 2,
            Self::Nothing => 3,
        }
    }
}

impl From<Outcome> for ExitCode {
    fn from(outcome: Outcome) -> Self {
        Self::from(outcome.code())
    }
}

/// Why a command could not be carried out.
#[derive(Debug, PartialEq, Eq)]
pub struct Trouble(String);

impl Trouble {
    /// What is said on standard error.
    pub fn new(message: impl Into<String>) -> Self {
        Self(message.into())
    }

    /// Something that cannot be written.
    pub fn writing(what: &str, error: &io::Error) -> Self {
        Self(format!("{what} cannot be written: {error}"))
    }

    /// A file that cannot be written.
    pub fn writing_file(path: &Path, error: &io::Error) -> Self {
        let why = match error.kind() {
            io::ErrorKind::AlreadyExists => "this file exists; --force replaces it",
            io::ErrorKind::IsADirectory => "this is a directory",
            io::ErrorKind::NotADirectory => "what should be its folder is none",
            io::ErrorKind::NotFound => "there is no such folder",
            io::ErrorKind::PermissionDenied => "you may not write there",
            io::ErrorKind::ReadOnlyFilesystem => "nothing can be written there",
            _ => return Self::writing(&shown(path), error),
        };
        Self(format!("{} cannot be written: {why}", shown(path)))
    }
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Errors of writing stdout; those of other files are named where they happen.
impl From<io::Error> for Trouble {
    fn from(error: io::Error) -> Self {
        Self::writing("the output", &error)
    }
}

/// Stdout, quiet once its reader has gone.
///
/// A closed pipe is no error, but the exit code must still tell about damage. So writing goes on
/// into nothing, and commands with many inputs ask [`Out::is_closed`] to end early.
pub struct Out<'w> {
    to: &'w mut dyn Write,
    /// What takes bytes as they are, if `to` looks for colours in what is written.
    raw: Option<&'w mut dyn Write>,
    closed: bool,
    width: Option<usize>,
    replaces: bool,
}

impl fmt::Debug for Out<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Out").field("closed", &self.closed).finish_non_exhaustive()
    }
}

impl<'w> Out<'w> {
    /// Output that goes to `to`.
    pub fn new(to: &'w mut dyn Write) -> Self {
        Self { to, raw: None, closed: false, width: None, replaces: false }
    }

    /// Sends bytes that are no text another way.
    #[must_use]
    pub fn with_raw(self, raw: &'w mut dyn Write) -> Self {
        Self { raw: Some(raw), ..self }
    }

    /// Says how long lines may be.
    #[must_use]
    pub fn with_width(self, width: Option<usize>) -> Self {
        Self { width, ..self }
    }

    /// Says whether files that exist may be replaced.
    #[must_use]
    pub fn replacing(self, replaces: bool) -> Self {
        Self { replaces, ..self }
    }

    /// Whether files that exist may be replaced: the user said so.
    pub fn replaces(&self) -> bool {
        self.replaces
    }

    /// How long lines may be, if anything limits them.
    pub fn width(&self) -> Option<usize> {
        self.width
    }

    /// How long lines of words are made: what has no limit is read on 80 columns, too.
    pub fn line_width(&self) -> usize {
        self.width.unwrap_or(80).max(20)
    }

    /// The name of a file in front of a text of that width: its middle goes if there is no room.
    pub(crate) fn name(&self, name: &str, behind: usize) -> String {
        let room = self.width.map_or(usize::MAX, |width| width.saturating_sub(behind).max(12));
        table::middle(&printable(name), room).into_owned()
    }

    /// Writes a whole file.
    pub fn write_file(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.flush()?;
        let mut raw = self.raw.take();
        let result = self.unless_closed((), |to| match &mut raw {
            Some(raw) => raw.write_all(bytes).and_then(|()| raw.flush()),
            None => to.write_all(bytes).and_then(|()| to.flush()),
        });
        self.raw = raw;
        result
    }

    /// Writes a long text. One without colours goes past what looks for them in every byte.
    pub(crate) fn write_text(&mut self, text: &[u8]) -> io::Result<()> {
        if text.contains(&b'\x1b') { self.write_all(text) } else { self.write_file(text) }
    }

    /// Whether nobody reads any more.
    pub fn is_closed(&self) -> bool {
        self.closed
    }

    fn unless_closed<T>(
        &mut self,
        then: T,
        write: impl FnOnce(&mut dyn Write) -> io::Result<T>,
    ) -> io::Result<T> {
        if self.closed {
            return Ok(then);
        }
        match write(self.to) {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                self.closed = true;
                Ok(then)
            }
            other => other,
        }
    }
}

impl Write for Out<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.unless_closed(bytes.len(), |to| to.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.unless_closed((), |to| to.flush())
    }
}

/// How long the lines of standard output may be: the terminal or `COLUMNS` say so.
pub(crate) fn stdout_width() -> Option<usize> {
    let said = std::env::var("COLUMNS").ok().and_then(|text| text.parse().ok());
    let terminal = || terminal_size::terminal_size_of(io::stdout());
    said.or_else(|| terminal().map(|(width, _)| usize::from(width.0))).filter(|width| *width > 0)
}

/// Prints a message about what is wrong.
pub fn error(message: &str) {
    say(BAD, "error", message);
}

/// What is said on standard error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// `error` or `warning`.
    pub severity: &'static str,
    /// What is wrong.
    pub text: String,
}

thread_local! {
    static CAPTURED: RefCell<Option<Vec<Message>>> = const { RefCell::new(None) };
}

/// Calls `then`, and keeps what this thread says meanwhile from standard error.
pub(crate) fn captured<T>(then: impl FnOnce() -> T) -> (T, Vec<Message>) {
    /// Messages go where they went before, whatever happens.
    struct Restore(Option<Vec<Message>>);
    impl Drop for Restore {
        fn drop(&mut self) {
            CAPTURED.set(self.0.take());
        }
    }
    let _restore = Restore(CAPTURED.replace(Some(Vec::new())));
    let result = then();
    (result, CAPTURED.take().unwrap_or_default())
}

/// Prints messages about what is wrong, but no more than anybody reads.
pub fn errors(mut messages: impl Iterator<Item = String>) -> Outcome {
    const MANY: usize = 20;
    let mut outcome = Outcome::Good;
    for message in messages.by_ref().take(MANY) {
        error(&message);
        outcome = Outcome::Bad;
    }
    match messages.count() {
        0 => {}
        more => error(&format!("and {more} more")),
    }
    outcome
}

/// Prints a message about what is only odd.
pub fn warning(message: &str) {
    say(WARNING, "warning", message);
}

fn say(style: Style, word: &'static str, message: &str) {
    let kept = CAPTURED.with_borrow_mut(|captured| match captured {
        Some(messages) => {
            messages.push(Message { severity: word, text: message.to_owned() });
            true
        }
        None => false,
    });
    if kept {
        return;
    }
    // Nobody is left to tell that stderr is closed.
    let _ = writeln!(anstream::stderr(), "{style}{word}{style:#}: {}", printable(message));
}

/// Makes text from a file safe and readable on a terminal.
pub fn printable(text: &str) -> String {
    text.chars()
        .flat_map(|c| {
            let escaped = c.is_control() || crate::names::is_invisible(c);
            let (plain, code) =
                if escaped { (None, Some(c.escape_default())) } else { (Some(c), None) };
            plain.into_iter().chain(code.into_iter().flatten())
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Gone;

    impl Write for Gone {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::BrokenPipe.into())
        }

        fn flush(&mut self) -> io::Result<()> {
            Err(io::ErrorKind::BrokenPipe.into())
        }
    }

    #[test]
    fn closed_pipe_is_quiet() {
        let mut gone = Gone;
        let mut out = Out::new(&mut gone);
        assert!(!out.is_closed());
        writeln!(out, "lost").unwrap();
        out.flush().unwrap();
        assert!(out.is_closed());
    }

    #[test]
    fn messages_are_kept_for_who_asks() {
        let ((), messages) = captured(|| {
            error("first");
            let ((), inner) = captured(|| warning("inner"));
            assert_eq!(inner, [Message { severity: "warning", text: "inner".to_owned() }]);
            warning("second");
        });
        let texts: Vec<_> = messages.iter().map(|message| message.text.as_str()).collect();
        assert_eq!(texts, ["first", "second"]);
        assert_eq!(messages[1].severity, "warning");
    }

    #[test]
    fn worst_outcome_counts() {
        assert_eq!(Outcome::Good.max(Outcome::Bad).max(Outcome::Trouble), Outcome::Trouble);
    }

    #[test]
    fn terminal_escapes_are_shown_not_obeyed() {
        assert_eq!(printable("a\u{1b}[2Jb\n\u{202e}ü"), "a\\u{1b}[2Jb\\n\\u{202e}ü");
    }
}
