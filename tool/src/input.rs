//! Input files: regular ones are mapped, everything else is read, up to a limit.

use std::fs::File;
use std::io::{self, Read as _};
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use memmap2::Mmap;

use crate::map::map;
use crate::nest::{self, Content};
use crate::output::Trouble;
use crate::paths::shown;

/// Below this size, in bytes, reading a file is faster than mapping it.
const SMALL: u64 = 0x1_0000;

/// A file and its bytes.
#[derive(Debug)]
pub struct Input {
    /// The path as given; `-` for stdin.
    path: PathBuf,
    /// What it is called in the outermost file around it, if it lies in one.
    inner: Option<PathBuf>,
    bytes: Bytes,
}

#[derive(Debug)]
enum Bytes {
    Mapped(Mmap, File),
    Read(Vec<u8>),
    Unpacked(Arc<Content>),
}

impl Input {
    /// What was unpacked from another file.
    pub(crate) fn unpacked(path: &Path, inner: &Path, content: &Arc<Content>) -> Self {
        let bytes = Bytes::Unpacked(Arc::clone(content));
        Self { path: path.to_owned(), inner: Some(inner.to_owned()), bytes }
    }

    /// A file that is open and not empty, under a name for messages.
    pub fn mapped(file: &File, name: &Path) -> io::Result<Self> {
        Ok(Self {
            path: name.to_owned(),
            inner: None,
            bytes: Bytes::Mapped(map(file)?, file.try_clone()?),
        })
    }

    /// What is unpacked from a member of an archive that takes `stored` bytes there, under a name for
    /// messages: a long one goes through a file without a name, never wholly into memory.
    pub fn unpacking(name: &Path, member: &mut dyn io::Read, stored: u64) -> Result<Self, String> {
        let content = nest::unpacked(member, stored)?;
        Ok(Self { path: name.to_owned(), inner: None, bytes: Bytes::Unpacked(Arc::new(content)) })
    }

    /// What it is called in the outermost file around it, if it was found in one.
    pub(crate) fn inner(&self) -> Option<&Path> {
        self.inner.as_deref()
    }

    /// The path as given; `-` for standard input.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Opens a file, or stdin if the path is `-`, or a file inside another if it is `FILE!MEMBER`.
    pub fn open(path: &Path) -> Result<Self, Trouble> {
        if let Some(inner) = nest::open(path) {
            let trouble = |why| Trouble::new(format!("{}: {why}", shown(path)));
            let bytes = Bytes::Unpacked(inner.map_err(trouble)?);
            return Ok(Self { path: path.to_path_buf(), inner: None, bytes });
        }
        let bytes = if path == Path::new("-") { read_stdin() } else { read_file(path) };
        match bytes {
            Ok(bytes) => Ok(Self { path: path.to_path_buf(), inner: None, bytes }),
            Err(error) => Err(Trouble::new(format!("{}: {}", shown(path), sentence(&error)))),
        }
    }

    /// The same bytes under another name, so that tests need not know where they put a file.
    #[cfg(test)]
    pub(crate) fn renamed(self, name: &str) -> Self {
        Self { path: name.into(), ..self }
    }

    /// The file that a part of these bytes lies in, and the offset there.
    pub(crate) fn place_of(&self, part: &[u8]) -> Option<(&File, u64)> {
        let Bytes::Mapped(map, file) = &self.bytes else { return None };
        let offset = part.as_ptr().addr().checked_sub(map.as_ptr().addr())?;
        let end = offset.checked_add(part.len())?;
        (end <= map.len()).then_some((file, crate::json::wide(offset)))
    }

    /// The path as messages show it.
    pub fn name(&self) -> String {
        shown(&self.path)
    }

    /// The file name without its extension.
    pub fn stem(&self) -> String {
        match self.path.file_stem() {
            Some(stem) if self.path != Path::new("-") => stem.to_string_lossy().into_owned(),
            _ => "stdin".to_owned(),
        }
    }
}

impl Deref for Input {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match &self.bytes {
            Bytes::Mapped(map, _) => map,
            Bytes::Read(bytes) => bytes,
            Bytes::Unpacked(content) => content,
        }
    }
}

fn read_stdin() -> io::Result<Bytes> {
    Ok(Bytes::Unpacked(Arc::new(nest::streamed(&mut io::stdin().lock())?)))
}

fn read_file(path: &Path) -> io::Result<Bytes> {
    let mut file = File::open(path)?;
    let metadata = file.metadata()?;
    if metadata.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    if metadata.is_file() && metadata.len() >= SMALL {
        return Ok(Bytes::Mapped(map(&file)?, file));
    }
    if !metadata.is_file() {
        // Such as a pipe, or a device that has no end.
        return Ok(Bytes::Unpacked(Arc::new(nest::streamed(&mut file)?)));
    }
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    Ok(Bytes::Read(bytes))
}

/// Says what is wrong with a path.
pub fn sentence(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "there is no such file".to_owned(),
        io::ErrorKind::IsADirectory => {
            "this is a directory, not a file; `binfmt scan` looks into directories".to_owned()
        }
        io::ErrorKind::PermissionDenied => "this file may not be read by you".to_owned(),
        _ => format!("this file cannot be read: {error}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trouble(path: &Path) -> String {
        Input::open(path).unwrap_err().to_string()
    }

    #[test]
    fn directory_and_missing_file_have_their_own_sentences() {
        let dir = tempfile::tempdir().unwrap();
        assert!(trouble(dir.path()).ends_with("`binfmt scan` looks into directories"));
        assert!(trouble(&dir.path().join("x")).ends_with("there is no such file"));
    }

    #[test]
    fn large_file_is_mapped_and_equal() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("lib.big.so");
        let bytes = vec![7; usize::try_from(SMALL).unwrap()];
        std::fs::write(&path, &bytes).unwrap();
        let input = Input::open(&path).unwrap();
        assert!(matches!(input.bytes, Bytes::Mapped(..)));
        assert_eq!(*input, bytes);
        assert_eq!(input.stem(), "lib.big");
    }

    #[test]
    fn empty_file_is_no_trouble() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("empty");
        std::fs::write(&path, b"").unwrap();
        assert!(Input::open(&path).unwrap().is_empty());
    }
}
