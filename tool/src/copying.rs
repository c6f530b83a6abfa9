//! Output files that take long parts of the input from its file: the system copies them, and nobody
//! reads them.

use std::fs::File;
use std::io::{self, BufWriter, Read as _, Seek as _, SeekFrom, Write};

use crate::input::Input;

/// From this length on, in bytes, the system is asked.
const LONG: usize = 0x10_0000;

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
        from.seek(SeekFrom::Start(offset))?;
        let len = crate::json::wide(bytes.len());
        match io::copy(&mut from.take(len), self.to.get_mut())? {
            copied if copied == len => Ok(bytes.len()),
            _ => Err(io::Error::new(io::ErrorKind::UnexpectedEof, "the input has become shorter")),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
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
        let parts: [&[u8]; 7] = [
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
