//! Writing what a reader gives.

use super::Writer;
use crate::finding::Fault;
use crate::ops::wide;

impl Writer<'_> {
    /// Writes `len` bytes of a reader, in pieces.
    pub fn copy(
        &mut self,
        reader: &core::cell::RefCell<dyn std::io::Read + '_>,
        len: u64,
    ) -> Result<(), Fault> {
        if !self.keeps || len == 0 {
            self.skip(len);
            return Ok(());
        }
        if self.compares() {
            return Err(self.full(len));
        }
        if self.book.as_ref().is_some_and(|book| book.prepares) {
            return self.repeat(0, len);
        }
        // A reader gives its bytes once, so nothing may be left to find out.
        if let Some(book) = self.book.as_mut().filter(|book| !book.prepared) {
            book.stopped = true;
            return Err(Fault::at(usize::try_from(self.pos()).unwrap_or(usize::MAX)));
        }
        if self.is_probe() {
            return Err(self.full(len));
        }
        let mut piece = [0; 8192];
        let mut left = len;
        while left > 0 {
            let most = usize::try_from(left).unwrap_or(usize::MAX).min(piece.len());
            let buffer = piece.get_mut(..most).unwrap_or_default();
            let read = match reader.try_borrow_mut() {
                Ok(mut reader) => reader.read(buffer),
                Err(_) => Err(std::io::Error::other("the reader is in use")),
            };
            match read {
                Ok(0) => return Err(self.unreadable(std::io::ErrorKind::UnexpectedEof.into())),
                Ok(read) => {
                    self.put(buffer.get(..read).unwrap_or_default())?;
                    left = left.saturating_sub(wide(read));
                }
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(error) => return Err(self.unreadable(error)),
            }
        }
        Ok(())
    }

    #[cold]
    fn unreadable(&mut self, error: std::io::Error) -> Fault {
        if let Some(sink) = &mut self.sink {
            sink.unreadable(error);
        }
        Fault::at(usize::try_from(self.pos()).unwrap_or(usize::MAX))
    }
}
