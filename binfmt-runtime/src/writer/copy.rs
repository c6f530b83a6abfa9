//! Writing what a reader gives.

use alloc::collections::BTreeMap;
use alloc::rc::Rc;
use alloc::vec::Vec;

use super::locator::full;
use super::whole::Task;
use super::{Book, Pass, Purpose, Writer};
use crate::finding::{Error, Fault, Show};
use crate::ops::wide;

/// The bytes of payloads, where something in front of them follows from these: each by the place of its value in
/// memory and by the reader.
#[derive(Default)]
pub(super) struct Payloads {
    known: BTreeMap<Key, Rc<[u8]>>,
    /// Whether they are being read.
    collects: bool,
    /// Whether all have been read.
    pub(super) are_known: bool,
}

impl core::fmt::Debug for Payloads {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Payloads").field("known", &self.known.len()).finish_non_exhaustive()
    }
}

/// The address of the value, that of the reader, and how many bytes it gives.
type Key = (usize, usize, u64);

/// Takes the next bytes of a reader.
type Take<'t> = dyn FnMut(&mut Writer<'_>, &[u8]) -> Result<(), Fault> + 't;

type Reader<'r> = core::cell::RefCell<dyn std::io::Read + 'r>;

impl Payloads {
    /// Begins to read them all.
    pub(super) fn collect(&mut self) {
        (self.collects, self.are_known) = (true, false);
    }

    /// All have been read.
    pub(super) fn end(&mut self) {
        (self.collects, self.are_known) = (false, true);
    }

    /// The bytes of one. A copy of its value, which a writer makes to put numbers into what holds it, lies elsewhere,
    /// and may have been read out of turn: its payload has to be the only one of its reader. `None` if it is not, or
    /// has not been read.
    fn get(&self, key: Key) -> Option<Rc<[u8]>> {
        let mut of_the_reader = self.known.iter().filter(|(known, _)| known.1 == key.1);
        let only = of_the_reader.next().filter(|(known, _)| known.2 == key.2);
        let only = only.filter(|_| of_the_reader.next().is_none()).map(|(_, bytes)| bytes);
        self.known.get(&key).or(only).map(Rc::clone)
    }
}

impl Writer<'_> {
    /// Writes `len` bytes of a reader, which a value of that address has.
    pub(crate) fn copy(
        &mut self,
        place: usize,
        reader: &Reader<'_>,
        len: u64,
    ) -> Result<(), Fault> {
        if !self.keeps || len == 0 {
            self.skip(len);
            return Ok(());
        }
        let key = (place, core::ptr::from_ref(reader).cast::<()>().addr(), len);
        if self.book.as_ref().is_some_and(|book| book.payloads.are_known) {
            let bytes = self.book.as_ref().and_then(|book| book.payloads.get(key));
            return match bytes {
                Some(bytes) => self.put(&bytes),
                None => Err(self.shares_its_reader(len)),
            };
        }
        if self.compares() {
            return Err(self.full(len));
        }
        let at = self.pos();
        let records = self.pass == Pass::Records;
        let book = self.book.as_mut();
        if let Some(book) = book.filter(|book| book.prepares || records || book.records_over) {
            // What is recorded is what will stand there.
            book.is_blind |= book.records_over;
            book.unread.push((at, at.saturating_add(len)));
            return self.repeat(0, len);
        }
        // A reader gives its bytes once, so nothing may be left to find out.
        if let Some(book) = self.book.as_mut().filter(|book| !book.prepared) {
            book.stopped = true;
            return Err(Fault::at(usize::try_from(at).unwrap_or(usize::MAX)));
        }
        if self.is_probe() {
            return Err(self.full(len));
        }
        if self.book.as_ref().is_some_and(|book| book.payloads.collects) {
            return self.collect(key, reader, len);
        }
        self.read(reader, len, &mut |out, piece| out.put(piece))
    }

    /// Reads the bytes of a payload, and keeps them.
    fn collect(&mut self, key: Key, reader: &Reader<'_>, len: u64) -> Result<(), Fault> {
        let mut bytes = Vec::new();
        self.read(reader, len, &mut |_, piece| {
            bytes.extend_from_slice(piece);
            Ok(())
        })?;
        self.put(&bytes)?;
        let book = self.book.as_mut().filter(|book| !book.payloads.known.contains_key(&key));
        match book {
            Some(book) => drop(book.payloads.known.insert(key, bytes.into())),
            // Another value lies where one was that has been copied: nobody can tell them apart.
            None => return Err(self.full(len)),
        }
        Ok(())
    }

    /// Reads in pieces.
    fn read(&mut self, reader: &Reader<'_>, len: u64, take: &mut Take<'_>) -> Result<(), Fault> {
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
                    take(self, buffer.get(..read).unwrap_or_default())?;
                    left = left.saturating_sub(wide(read));
                }
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(error) => return Err(self.unreadable(error)),
            }
        }
        Ok(())
    }

    /// Somebody looks at bytes, which are not there yet where a reader gives them.
    pub(super) fn looks_at(&mut self, from: u64, to: u64) {
        if let Some(book) = &mut self.book
            && book.unread.iter().any(|unread| from < unread.1 && unread.0 < to)
        {
            book.is_blind = true;
        }
    }

    #[cold]
    fn shares_its_reader(&mut self, len: u64) -> Fault {
        let what = format_args!(
            "the payload lies in a value that is copied, and others have the same reader; give the `Blob` its bytes"
        );
        self.fail("reader", what, Show::Nothing, Show::Uint(len))
    }

    #[cold]
    fn unreadable(&mut self, error: std::io::Error) -> Fault {
        if let Some(sink) = &mut self.sink {
            sink.unreadable(error);
        }
        Fault::at(usize::try_from(self.pos()).unwrap_or(usize::MAX))
    }
}

impl Task<'_> {
    /// Reads all payloads, after a pass has looked at bytes of them that were not there yet: in the order in which
    /// they are written, as far as that is known without them.
    pub(super) fn read_payloads(self, book: &mut Book) -> Result<(), Error> {
        book.start_over();
        let _ = self.find_out(book, false, false, None);
        book.begin(false);
        (book.prepares, book.prepared) = (false, true);
        book.payloads.collect();
        let mut memory = super::sink::Memory::default();
        let mut buffer = [0; super::BUFFER];
        let out = Writer {
            sink: Some(&mut memory),
            book: Some(&mut *book),
            purpose: Purpose::Learn,
            ..Writer::new(&mut buffer)
        };
        let result = self.run(out);
        book.payloads.end();
        book.start_over();
        match result {
            // What a reader does not give is told here, for nobody asks it again.
            Some(Err(fault)) => Err(full(fault)),
            _ => Ok(()),
        }
    }

    /// The length of a value of which a pass has looked at bytes that are not there yet. It fails where they decide
    /// that, too.
    pub(super) fn measure_unread(self, book: &mut Book) -> Result<u64, Error> {
        book.start_over();
        self.measure(book)
    }
}
