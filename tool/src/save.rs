//! Output files that appear whole or not at all.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tempfile::NamedTempFile;

use crate::input::Input;
use crate::output::{Out, Trouble};

/// Whether a file that exists may be replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Existing {
    /// No: that is an error.
    Keep,
    /// Yes, with its permissions kept.
    Replace,
}

/// Writes what the user named as the output: a file, which may exist if the user said so, or standard
/// output for `-`.
pub fn save_as(path: &Path, bytes: &[u8], out: &mut Out<'_>) -> Result<(), Trouble> {
    if path == Path::new("-") {
        return Ok(out.write_file(bytes)?);
    }
    // The user named this path, so a link is followed to the file that is to change.
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let old = fs::metadata(&target).ok().filter(fs::Metadata::is_file);
    if old.is_some() && !out.replaces() {
        return Err(Trouble::new(format!(
            "{}: this file exists; --force replaces it",
            path.display()
        )));
    }
    let existing = if out.replaces() { Existing::Replace } else { Existing::Keep };
    let existing = if is_special(&target) { Existing::Replace } else { existing };
    save(&target, bytes, existing).map_err(|error| Trouble::writing_file(path, &error))?;
    if let Some(old) = old {
        // Times are a courtesy: not every file system takes them.
        let _ = keep_times(&target, &old);
    }
    Ok(())
}

/// Whether there is something that is no regular file, such as `/dev/null`.
fn is_special(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|to| !to.is_file())
}

pub(crate) fn keep_times(path: &Path, old: &fs::Metadata) -> io::Result<()> {
    let times = fs::FileTimes::new().set_accessed(old.accessed()?).set_modified(old.modified()?);
    File::options().write(true).open(path)?.set_times(times)
}

/// Writes a file: first under another name in the same folder, then renamed.
///
/// What is no regular file, such as `/dev/null`, is written to directly.
pub fn save(path: &Path, bytes: &[u8], existing: Existing) -> io::Result<()> {
    if existing == Existing::Replace && is_special(path) {
        return File::options().write(true).open(path)?.write_all(bytes);
    }
    save_with(path, existing, |file, _| file.write_all(bytes))
}

/// The same of bytes that may lie in an input, from whose file long ones are read.
pub(crate) fn save_from(
    path: &Path,
    bytes: &[u8],
    existing: Existing,
    input: &Input,
) -> io::Result<()> {
    if existing == Existing::Replace && is_special(path) {
        return save(path, bytes, existing);
    }
    save_with(path, existing, |file, _| crate::copying::write(bytes, input, file))
}

/// Writes a regular file bit by bit: `write` is given a new file in the same folder and its name, and
/// when it has succeeded, the file is renamed.
pub fn save_with<E: From<io::Error>>(
    path: &Path,
    existing: Existing,
    write: impl FnOnce(&mut File, &Path) -> Result<(), E>,
) -> Result<(), E> {
    // What replaces a file keeps its permissions; a link is replaced itself, not what it names.
    let replaced = fs::symlink_metadata(path).ok().filter(fs::Metadata::is_file);
    let (mut file, unfinished) = temporary(path)?;
    let name = unfinished.0.clone();
    write(file.as_file_mut(), &name)?;
    if let Some(replaced) = replaced {
        file.as_file().set_permissions(replaced.permissions())?;
    }
    match existing {
        Existing::Keep => file.persist_noclobber(path).map_err(io::Error::from)?,
        Existing::Replace => file.persist(path).map_err(io::Error::from)?,
    };
    Ok(())
}

/// Makes another name for a file, which appears whole.
pub(crate) fn link(from: &Path, path: &Path, existing: Existing) -> io::Result<()> {
    if existing == Existing::Keep {
        return fs::hard_link(from, path);
    }
    let (file, unfinished) = temporary(path)?;
    let place = file.into_temp_path();
    fs::remove_file(&unfinished.0)?;
    fs::hard_link(from, &unfinished.0)?;
    place.persist(path).map_err(io::Error::from)
}

/// A new file beside the one that it will become, which goes if the program is ended from outside.
fn temporary(path: &Path) -> io::Result<(NamedTempFile, Unfinished)> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let mut builder = tempfile::Builder::new();
    builder.prefix(".binfmt-");
    #[cfg(unix)]
    {
        // As any new file: what the umask of the user leaves of it.
        use std::os::unix::fs::PermissionsExt as _;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    // While the list is locked, so that no file is ever there that is not in it.
    let mut unfinished = unfinished();
    let file = builder.tempfile_in(folder.unwrap_or(Path::new(".")))?;
    let name = file.path().to_owned();
    unfinished.push(name.clone());
    Ok((file, Unfinished(name)))
}

/// The files that are written under another name right now.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// A file that goes if the program is ended from outside.
struct Unfinished(PathBuf);

impl Drop for Unfinished {
    fn drop(&mut self) {
        unfinished().retain(|path| *path != self.0);
    }
}

fn unfinished() -> MutexGuard<'static, Vec<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes what is not finished, where the program is ended by Ctrl-C or a signal.
pub(crate) fn clean_up_at_signals() {
    // A second handler is refused, as where a program is run twice in one process.
    let _ = ctrlc::set_handler(|| {
        // The list stays locked to the end, so that no new file is begun.
        let unfinished = unfinished();
        for path in unfinished.iter() {
            let _ = fs::remove_file(path);
        }
        std::process::exit(130);
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn existing_file_is_kept_unless_told() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("x");
        save(&path, b"one", Existing::Keep).unwrap();
        let error = save(&path, b"two", Existing::Keep).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(fs::read(&path).unwrap(), b"one");
        save(&path, b"three", Existing::Replace).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"three");
    }

    #[test]
    fn nothing_is_left_over() {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir(dir.path().join("x")).unwrap();
        assert!(save(&dir.path().join("x"), b"one", Existing::Keep).is_err());
        assert!(save(&dir.path().join("x"), b"one", Existing::Replace).is_err());
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
    }

    #[test]
    fn output_is_replaced_only_if_the_user_says_so() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("x");
        let mut text = Vec::new();
        save_as(&path, b"one", &mut Out::new(&mut text)).unwrap();
        let old = fs::metadata(&path).unwrap().modified().unwrap();
        let trouble = save_as(&path, b"two", &mut Out::new(&mut text)).unwrap_err();
        assert!(trouble.to_string().contains("--force"), "{trouble}");
        assert_eq!(fs::read(&path).unwrap(), b"one");
        save_as(&path, b"two", &mut Out::new(&mut text).replacing(true)).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"two");
        assert_eq!(fs::metadata(&path).unwrap().modified().unwrap(), old);
    }

    #[cfg(unix)]
    #[test]
    fn links_and_permissions_stay() {
        use std::os::unix::fs::{PermissionsExt as _, symlink};
        let dir = tempfile::tempdir().unwrap();
        let (path, link) = (dir.path().join("x"), dir.path().join("link"));
        fs::write(&path, b"one").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o751)).unwrap();
        symlink("x", &link).unwrap();
        save_as(&link, b"two", &mut Out::new(&mut Vec::new()).replacing(true)).unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read(&path).unwrap(), b"two");
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o751);
        save_as(Path::new("/dev/null"), b"x", &mut Out::new(&mut Vec::new())).unwrap();
    }
}
