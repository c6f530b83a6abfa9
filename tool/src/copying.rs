//! Output files that take long parts of the input from its file: the system copies them, and nobody
//! reads them.

use std::fs::File;
use std::io::{self, BufWriter, Read as _, Seek as _, SeekFrom, Write};

use crate::input::Input;

/// From this length on, in bytes, the system is asked.
const LONG: usize = 0x10_0000;

/// What the system copies whole. Bytes that change their place in it are read and written in parts,
/// which is faster then.
const PAGE: u64 = 0x1000;

/// How many bytes such a part has: it stays in the cache of a processor.
const PART: usize = 0x2_0000;

/// A new file, and the inputs whose parts are written to it.
#[derive(Debug)]
pub struct Copying<'c> {
    to: BufWriter<&'c mut File>,
    from: Vec<&'c Input>,
}

impl<'c> Copying<'c> {
    /// Writes to a file; parts of the inputs are copied from their files, if they have some.
    pub fn new(to: &'c mut File, from: Vec<&'c Input>) -> Self {
        // Large pieces go past the buffer.
        Self { to: BufWriter::with_capacity(0x1_0000, to), from }
    }
}

impl Write for Copying<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut sources = self.from.iter().filter(|_| bytes.len() >= LONG);
        let place = sources.find_map(|from| from.place_of(bytes));
        let Some((mut from, offset)) = place else { return self.to.write(bytes) };
        self.to.flush()?;
        let to = self.to.get_mut();
        if to.stream_position()? % PAGE != offset % PAGE {
            in_parts(from, offset, bytes, to)?;
            return Ok(bytes.len());
        }
        from.seek(SeekFrom::Start(offset))?;
        let len = crate::json::wide(bytes.len());
        match io::copy(&mut from.take(len), to)? {
            copied if copied == len => Ok(bytes.len()),
            _ => Err(shorter()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

/// Writes bytes to a new file; long ones that lie in the input are read from its file. Many threads may
/// do that at once.
pub(crate) fn write(bytes: &[u8], from: &Input, to: &mut File) -> io::Result<()> {
    match from.place_of(bytes).filter(|_| bytes.len() >= LONG) {
        Some((from, offset)) => in_parts(from, offset, bytes, to),
        None => to.write_all(bytes),
    }
}

/// Reads the bytes from where they lie in a file, and writes them; none but the first part begins
/// inside a page of what is written. Nobody else's place in the file changes.
#[cfg(unix)]
fn in_parts(from: &File, mut offset: u64, bytes: &[u8], to: &mut File) -> io::Result<()> {
    use std::os::unix::fs::FileExt as _;

    let mut buffer = vec![0; PART.min(bytes.len())];
    let inside = to.stream_position()? % crate::json::wide(PART);
    let mut most = PART - usize::try_from(inside).unwrap_or(0);
    let mut left = bytes.len();
    while left > 0 {
        let part = &mut buffer[..most.min(left)];
        let read = match from.read_at(part, offset) {
            Ok(0) => return Err(shorter()),
            Ok(read) => read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        to.write_all(&part[..read])?;
        offset += crate::json::wide(read);
        left -= read;
        most = PART;
    }
    Ok(())
}

/// The same from the map.
#[cfg(not(unix))]
fn in_parts(_: &File, _: u64, bytes: &[u8], to: &mut File) -> io::Result<()> {
    to.write_all(bytes)
}

fn shorter() -> io::Error {
    io::Error::new(io::ErrorKind::UnexpectedEof, "the input has become shorter")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Parts of the input and other bytes, of all lengths, come in the order in which they are written.
    #[test]
    fn parts_of_the_input_are_written_like_other_bytes() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("input");
        let bytes: Vec<u8> = (0..3 * LONG).map(|at| (at % 251).try_into().unwrap()).collect();
        std::fs::write(&path, &bytes).unwrap();
        let input = Input::open(&path).unwrap();
        let parts: [&[u8]; 8] = [
            // Once where it lay in a page, and then at every other place.
            &input[..LONG],
            b"head",
            &input[5..LONG + 7],
            &input[..9],
            &bytes[..=LONG],
            &input[LONG..],
            b"",
            &input[..LONG],
        ];
        let other = Input::open(&path).unwrap();
        for (name, from) in [("0", vec![]), ("1", vec![&input]), ("2", vec![&other, &input])] {
            let mut file = File::create_new(dir.path().join(name)).unwrap();
            let mut out = Copying::new(&mut file, from);
            for part in parts {
                out.write_all(part).unwrap();
            }
            out.flush().unwrap();
            drop(out);
            let written = std::fs::read(dir.path().join(name)).unwrap();
            assert!(written == parts.concat());
        }
        // The file has been cut since it was opened.
        let file = File::options().write(true).open(&path).unwrap();
        file.set_len(10).unwrap();
        let mut cut = File::create_new(dir.path().join("cut")).unwrap();
        let error = Copying::new(&mut cut, vec![&input]).write(&input[LONG..]).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::UnexpectedEof);
        assert_eq!(input.place_of(&bytes).map(|(_, offset)| offset), None);
    }
}
