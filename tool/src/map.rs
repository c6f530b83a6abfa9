//! Files as bytes, without copying them.

use std::fs::File;
use std::io;

use memmap2::Mmap;

/// Maps a regular file that is not empty.
#[expect(unsafe_code, reason = "mapping a file is unsafe in every crate that does it")]
pub(crate) fn map(file: &File) -> io::Result<Mmap> {
    // SAFETY: the map is read-only, and its bytes are only ever read as bytes, which may have any
    // value. What is assumed is that nobody changes or shortens the file meanwhile; who does that
    // may see this program report nonsense or end by a signal. This program never does it: it
    // writes by renaming whole files.
    unsafe { Mmap::map(file) }
}
