//! Items written to files: no byte more than allowed, and shared ones once.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use super::Target;
use crate::input::Input;
use crate::item::Item;
use crate::json;
use crate::save::{Existing, link, save_from};

/// What has been written so far, and whether that was all: the same for all files in an archive.
#[derive(Debug, Default)]
pub(super) struct Session {
    failed: AtomicBool,
    written: AtomicU64,
}

/// The files that bytes of the input have been written to, by place and length in memory.
#[derive(Debug)]
pub(super) struct Shared<'i> {
    input: &'i Input,
    known: Mutex<HashMap<(usize, usize), PathBuf>>,
}

/// How an item became a file.
#[derive(Debug)]
pub(super) struct Written {
    pub(super) size: u64,
    pub(super) how: How,
}

#[derive(Debug)]
pub(super) enum How {
    New,
    /// It was there already.
    Kept,
    /// It has the bytes of this file.
    Linked(PathBuf),
}

/// Why an item was not written.
#[derive(Debug)]
pub(super) enum Failure {
    Undecoded(String),
    Unwritten(io::Error),
    /// To go on, what is there must be what would be written.
    Differs,
    /// Another one could not be written, and neither could this one.
    GivenUp,
    /// All files together would be too large.
    TooMuch,
}

impl Session {
    /// Writes an item, unless one before it could not be written: a full disk is told once.
    pub(super) fn write(
        &self,
        (item, path): (&Item<'_>, &Path),
        target: &Target<'_>,
        shared: &Shared<'_>,
    ) -> Result<Written, Failure> {
        if self.failed.load(Ordering::Relaxed) {
            return Err(Failure::GivenUp);
        }
        let result = self.write_item((item, path), target, shared);
        match result {
            // Two threads may meet the full disk at once.
            Err(Failure::Unwritten(_) | Failure::TooMuch)
                if self.failed.swap(true, Ordering::Relaxed) =>
            {
                Err(Failure::GivenUp)
            }
            other => other,
        }
    }

    fn write_item(
        &self,
        (item, path): (&Item<'_>, &Path),
        target: &Target<'_>,
        shared: &Shared<'_>,
    ) -> Result<Written, Failure> {
        let bytes = (item.payload)().map_err(Failure::Undecoded)?;
        let size = json::wide(bytes.len());
        if target.resume && fs::symlink_metadata(path).is_ok() {
            if has_bytes(path, &bytes).map_err(Failure::Unwritten)? {
                return Ok(Written { size, how: How::Kept });
            }
            if target.existing == Existing::Keep {
                return Err(Failure::Differs);
            }
        }
        // Files that are to be packed again are edited, and through a link that would change others.
        if let Cow::Borrowed(bytes @ [_, ..]) = &bytes
            && !target.manifest
            && let Some(first) = shared.first(bytes, path)
        {
            return Ok(Written { size, how: How::Linked(first) });
        }
        self.put(path, &bytes, target, shared.input)?;
        Ok(Written { size, how: How::New })
    }

    fn put(
        &self,
        path: &Path,
        bytes: &[u8],
        target: &Target<'_>,
        input: &Input,
    ) -> Result<(), Failure> {
        let len = json::wide(bytes.len());
        if self.written.fetch_add(len, Ordering::Relaxed).saturating_add(len) > target.max_total {
            return Err(Failure::TooMuch);
        }
        save_from(path, bytes, target.existing, input).map_err(Failure::Unwritten)
    }

    /// Makes the link that was promised; where the other file is not there, or the folder has no
    /// links, the bytes are written.
    pub(super) fn link(
        &self,
        (item, path): (&Item<'_>, &Path),
        first: &Path,
        target: &Target<'_>,
        input: &Input,
    ) -> Result<How, Failure> {
        match link(first, path, target.existing) {
            Ok(()) => Ok(How::Linked(first.to_owned())),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                Err(Failure::Unwritten(error))
            }
            Err(_) => {
                let bytes = (item.payload)().map_err(Failure::Undecoded)?;
                self.put(path, &bytes, target, input).map(|()| How::New)
            }
        }
    }
}

impl<'i> Shared<'i> {
    /// Nothing has been written of that input.
    pub(super) fn of(input: &'i Input) -> Self {
        Self { input, known: Mutex::default() }
    }

    /// The file that has these bytes, if another one than `path`, which has them from now on.
    fn first(&self, bytes: &[u8], path: &Path) -> Option<PathBuf> {
        let key = (bytes.as_ptr().addr(), bytes.len());
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let first = known.entry(key).or_insert_with(|| path.to_owned());
        (first != path).then(|| first.clone())
    }
}

/// Whether a file has exactly these bytes.
fn has_bytes(path: &Path, bytes: &[u8]) -> io::Result<bool> {
    let metadata = fs::symlink_metadata(path)?;
    if !metadata.is_file() || metadata.len() != json::wide(bytes.len()) {
        return Ok(false);
    }
    let mut file = fs::File::open(path)?;
    let mut buffer = vec![0; 1 << 16];
    let mut rest = bytes;
    loop {
        let read = file.read(&mut buffer)?;
        if read == 0 {
            return Ok(rest.is_empty());
        }
        match rest.split_at_checked(read) {
            Some((start, behind)) if buffer.get(..read) == Some(start) => rest = behind,
            _ => return Ok(false),
        }
    }
}
