//! Output files that appear whole or not at all.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::Path;

use tempfile::NamedTempFile;

use crate::output::{Out, Trouble};

/// Whether a file that exists may be replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Existing {
    /// No: that is an error.
    Keep,
    /// Yes, with its permissions kept.
    Replace,
}

/// Writes what the user named as the output: a file, which may exist, or standard output for `-`.
pub fn save_as(path: &Path, bytes: &[u8], out: &mut Out<'_>) -> Result<(), Trouble> {
    if path == Path::new("-") {
        return Ok(out.write_file(bytes)?);
    }
    // The user named this path, so a link is followed to the file that is to change.
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    save(&target, bytes, Existing::Replace).map_err(|error| Trouble::writing_file(path, &error))
}

/// Writes a file: first under another name in the same folder, then renamed.
///
/// What is no regular file, such as `/dev/null`, is written to directly.
pub fn save(path: &Path, bytes: &[u8], existing: Existing) -> io::Result<()> {
    if existing == Existing::Replace && fs::metadata(path).is_ok_and(|to| !to.is_file()) {
        return File::options().write(true).open(path)?.write_all(bytes);
    }
    save_with(path, existing, |file, _| file.write_all(bytes))
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
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let mut file = temporary(folder.unwrap_or(Path::new(".")))?;
    let name = file.path().to_owned();
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

fn temporary(folder: &Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".binfmt-");
    #[cfg(unix)]
    {
        // As any new file: what the umask of the user leaves of it.
        use std::os::unix::fs::PermissionsExt as _;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(folder)
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
}
