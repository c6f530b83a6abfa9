//! The files in folders.

use std::fs;
use std::path::{Path, PathBuf};

use crate::input::sentence;

/// What was found below some paths.
#[derive(Debug, Default)]
pub(crate) struct Files {
    /// Regular files with their sizes in bytes, in the order of their names.
    pub(crate) files: Vec<(PathBuf, u64)>,
    /// What could not be looked into, one message each.
    pub(crate) troubles: Vec<String>,
}

impl Files {
    /// Collects all files below `paths`. A path that is given may be a symbolic link; those that
    /// are met in folders are not followed.
    pub(crate) fn below(paths: &[PathBuf]) -> Self {
        let mut found = Self::default();
        for path in paths {
            if path == Path::new("-") {
                found.files.push((path.clone(), 0));
                continue;
            }
            match fs::metadata(path) {
                Ok(metadata) if metadata.is_dir() => found.folder(path),
                Ok(metadata) => found.files.push((path.clone(), metadata.len())),
                Err(error) => found.trouble(path, &error),
            }
        }
        found
    }

    /// Adds what is in a folder, without recursion: trees may be deep.
    fn folder(&mut self, top: &Path) {
        let mut open = vec![top.to_path_buf()];
        while let Some(folder) = open.pop() {
            let entries = fs::read_dir(&folder).and_then(Iterator::collect::<Result<Vec<_>, _>>);
            let mut paths: Vec<_> = match entries {
                Ok(entries) => entries.iter().map(fs::DirEntry::path).collect(),
                Err(error) => {
                    self.trouble(&folder, &error);
                    continue;
                }
            };
            paths.sort();
            let mut folders = Vec::new();
            for path in paths {
                match fs::symlink_metadata(&path) {
                    Ok(metadata) if metadata.is_dir() => folders.push(path),
                    Ok(metadata) if metadata.is_file() => self.files.push((path, metadata.len())),
                    Ok(_) => {}
                    Err(error) => self.trouble(&path, &error),
                }
            }
            open.extend(folders.into_iter().rev());
        }
    }

    fn trouble(&mut self, path: &Path, error: &std::io::Error) {
        self.troubles.push(format!("{}: {}", path.display(), sentence(error)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_searched_in_order() {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir_all(dir.path().join("b/c")).unwrap();
        for name in ["z", "b/y", "b/c/x", "a"] {
            fs::write(dir.path().join(name), name).unwrap();
        }
        let found = Files::below(&[dir.path().to_path_buf(), dir.path().join("gone")]);
        let names: Vec<_> =
            found.files.iter().map(|(path, _)| path.strip_prefix(dir.path()).unwrap()).collect();
        assert_eq!(names, ["a", "z", "b/y", "b/c/x"].map(Path::new));
        assert_eq!(found.troubles.len(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn links_in_folders_are_not_followed() {
        let dir = tempfile::tempdir().unwrap();
        std::os::unix::fs::symlink(dir.path(), dir.path().join("loop")).unwrap();
        assert!(Files::below(&[dir.path().to_path_buf()]).files.is_empty());
        assert!(Files::below(&[dir.path().join("loop")]).troubles.is_empty());
    }
}
