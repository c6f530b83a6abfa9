//! Files that are made from others bit by bit, and looked at before they get their name.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

use crate::copying::Copying;
use crate::driver::{Driver, Options};
use crate::input::Input;
use crate::map::map;
use crate::output::{self, Out, Outcome, Trouble, printable};
use crate::save::{Existing, save_with};
use crate::validate;

/// Why a file is not made.
#[derive(Debug)]
pub enum Unmade {
    /// It cannot be, for these reasons.
    Refused(Vec<String>),
    /// It cannot be written.
    Unwritten(io::Error),
}

impl From<io::Error> for Unmade {
    fn from(error: io::Error) -> Self {
        Self::Unwritten(error)
    }
}

impl Unmade {
    /// What a writer of a declared value says: one that cannot be written is invalid data.
    pub fn by_writer(written: io::Result<()>) -> Result<(), Self> {
        written.map_err(|error| match error.kind() {
            io::ErrorKind::InvalidData => Self::because(error),
            _ => Self::Unwritten(error),
        })
    }

    /// For one reason.
    pub fn because(reason: impl std::fmt::Display) -> Self {
        Self::Refused(vec![reason.to_string()])
    }
}

/// Why a file does not get its name.
enum Stopped {
    Told(Outcome),
    Unwritten(io::Error),
    Trouble(Trouble),
}

impl From<io::Error> for Stopped {
    fn from(error: io::Error) -> Self {
        Self::Unwritten(error)
    }
}

impl From<Unmade> for Stopped {
    fn from(unmade: Unmade) -> Self {
        match unmade {
            Unmade::Unwritten(error) => Self::Unwritten(error),
            Unmade::Refused(reasons) => Self::Told(output::errors(reasons.into_iter())),
        }
    }
}

/// What is written, in pieces.
pub(crate) type Make<'m> = dyn FnMut(&mut dyn Write) -> Result<(), Unmade> + 'm;

/// Makes a file from another one of the same format; errors of either are told, and then there is
/// none.
///
/// What comes from `others` is copied from their files, too.
pub(crate) fn remake(
    (input, others): (&Input, &[&Input]),
    driver: &dyn Driver,
    options: &Options,
    path: &Path,
    make: &mut Make<'_>,
    out: &mut Out<'_>,
) -> Result<Outcome, Trouble> {
    let name = input.name();
    let structure = validate::tell_errors(&name, &driver.validate(input, options));
    if structure != Outcome::Good {
        return Ok(structure);
    }
    let check = |new: &[u8]| {
        let checked = driver.validate(new, options);
        validate::tell_errors(&format!("{name}, as it would be written"), &checked)
    };
    let mut make = |out: &mut dyn Write| {
        make(out).map_err(|unmade| match unmade {
            Unmade::Refused(reasons) => {
                let told = |reason| printable(&format!("{name}: cannot be written: {reason}"));
                Unmade::Refused(reasons.into_iter().map(told).collect())
            }
            unwritten @ Unmade::Unwritten(_) => unwritten,
        })
    };
    let from: Vec<&Input> = [&[input], others].concat();
    save(path, &from, &mut make, &check, out)
}

/// Writes what the user named as the output: first under another name, then it is looked at. What
/// `check` is not content with does not stay. Long parts of the inputs are copied by the system.
pub(crate) fn save(
    path: &Path,
    from: &[&Input],
    make: &mut Make<'_>,
    check: &dyn Fn(&[u8]) -> Outcome,
    out: &mut Out<'_>,
) -> Result<Outcome, Trouble> {
    // The user named this path, so a link is followed to the file that is to change.
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let old = fs::metadata(&target).ok();
    let is_special = old.as_ref().is_some_and(|old| !old.is_file());
    if path == Path::new("-") || is_special {
        return hand_on(path, from, make, check, out);
    }
    if old.is_some() && !out.replaces() {
        return Err(Trouble::new(format!(
            "{}: this file exists; --force replaces it",
            path.display()
        )));
    }
    let existing = if out.replaces() { Existing::Replace } else { Existing::Keep };
    let saved = save_with(&target, existing, |file, _| written(file, from, make, check));
    if saved.is_ok()
        && let Some(old) = old
    {
        // Times are a courtesy: not every file system takes them.
        let _ = crate::save::keep_times(&target, &old);
    }
    ended(path, saved)
}

/// The same for standard output and what is no regular file.
fn hand_on(
    path: &Path,
    from: &[&Input],
    make: &mut Make<'_>,
    check: &dyn Fn(&[u8]) -> Outcome,
    out: &mut Out<'_>,
) -> Result<Outcome, Trouble> {
    let mut file = tempfile::tempfile().map_err(|error| Trouble::writing_file(path, &error))?;
    let ended_so = written(&mut file, from, make, check).and_then(|()| {
        let is_empty = file.metadata()?.len() == 0;
        let map = if is_empty { None } else { Some(map(&file)?) };
        let bytes = map.as_deref().unwrap_or_default();
        if path == Path::new("-") {
            Ok(out.write_file(bytes).map_err(Trouble::from).map_err(Stopped::Trouble)?)
        } else {
            Ok(File::options().write(true).open(path)?.write_all(bytes)?)
        }
    });
    ended(path, ended_so)
}

fn written(
    file: &mut File,
    from: &[&Input],
    make: &mut Make<'_>,
    check: &dyn Fn(&[u8]) -> Outcome,
) -> Result<(), Stopped> {
    let mut copying = Copying::new(file, from.to_vec());
    make(&mut copying)?;
    copying.flush()?;
    drop(copying);
    // What counts is what can be read from the file.
    let is_empty = file.metadata()?.len() == 0;
    let map = if is_empty { None } else { Some(map(file)?) };
    match check(map.as_deref().unwrap_or_default()) {
        Outcome::Good => Ok(()),
        outcome => Err(Stopped::Told(outcome)),
    }
}

fn ended(path: &Path, made: Result<(), Stopped>) -> Result<Outcome, Trouble> {
    match made {
        Ok(()) => Ok(Outcome::Good),
        Err(Stopped::Told(outcome)) => Ok(outcome),
        Err(Stopped::Trouble(trouble)) => Err(trouble),
        Err(Stopped::Unwritten(error)) => Err(Trouble::writing_file(path, &error)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn saved(path: &Path, bytes: &'static [u8], outcome: Outcome) -> (Outcome, Vec<u8>) {
        let mut stdout = Vec::new();
        let mut make = |out: &mut dyn Write| Ok(out.write_all(bytes)?);
        let check = |found: &[u8]| {
            assert_eq!(found, bytes);
            outcome
        };
        let mut out = Out::new(&mut stdout).replacing(true);
        let outcome = save(path, &[], &mut make, &check, &mut out).unwrap();
        (outcome, stdout)
    }

    #[test]
    fn what_the_check_refuses_does_not_stay() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("x");
        assert_eq!(saved(&path, b"one", Outcome::Bad).0, Outcome::Bad);
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
        assert_eq!(saved(&path, b"one", Outcome::Good).0, Outcome::Good);
        assert_eq!(saved(&path, b"two", Outcome::Bad).0, Outcome::Bad);
        assert_eq!(fs::read(&path).unwrap(), b"one");
        assert_eq!(saved(&path, b"", Outcome::Good).0, Outcome::Good);
        assert_eq!(fs::read(&path).unwrap(), b"");
        assert_eq!(saved(Path::new("-"), b"two", Outcome::Good), (Outcome::Good, b"two".to_vec()));
        assert_eq!(saved(Path::new("-"), b"two", Outcome::Bad), (Outcome::Bad, vec![]));
    }

    #[test]
    fn refusals_leave_nothing() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("x");
        let mut make = |out: &mut dyn Write| {
            out.write_all(b"half")?;
            Err(Unmade::because("no"))
        };
        let mut stdout = Vec::new();
        for path in [&path, Path::new("-")] {
            let mut out = Out::new(&mut stdout);
            let outcome = save(path, &[], &mut make, &|_| Outcome::Good, &mut out);
            assert_eq!(outcome, Ok(Outcome::Bad));
        }
        assert!(stdout.is_empty());
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
    }
}
