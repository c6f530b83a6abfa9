//! Values that are encoded: their bytes are written beside the output, which gets the coded ones.

use alloc::vec::Vec;

use super::sink::Memory;
use super::whole::{Task, Whole};
use super::{BUFFER, Book, Writer};
use crate::finding::{Error, Fault, Finding};
use crate::path::Step;

impl Writer<'_> {
    /// The bytes of a value before they are encoded, an output of their own.
    pub(crate) fn decoded(&mut self, value: &dyn Whole) -> Result<Vec<u8>, Fault> {
        let mut book = Book::default();
        if let Some(outer) = &mut self.book {
            book.coded = core::mem::take(&mut outer.coded);
        }
        let at = self.pos();
        let written = self.write_inside(value, &mut book);
        if let Some(outer) = &mut self.book {
            outer.coded = core::mem::take(&mut book.coded);
            let decoded = &mut outer.costs.decoded;
            *decoded = decoded.saturating_add(book.costs.decoded);
        }
        written.map_err(|error| match (error, &mut self.locator) {
            (Some(error), Some(locator)) => locator.fail_inside(error.finding(), at),
            _ => Fault::at(usize::try_from(at).unwrap_or(usize::MAX)),
        })
    }

    /// Writes into memory, mostly once; the error is told to those who can say where they are.
    fn write_inside(&self, value: &dyn Whole, book: &mut Book) -> Result<Vec<u8>, Option<Error>> {
        let Self { compact, order, limits, .. } = *self;
        let task = Task { value, compact, order, limits, is_inside: true, part: None };
        let mut memory = Memory::default();
        loop {
            book.begin(false);
            memory.bytes.clear();
            let mut buffer = [0; BUFFER];
            let out = Writer {
                sink: Some(&mut memory),
                book: Some(&mut *book),
                purpose: self.purpose,
                ..Writer::new(&mut buffer)
            };
            match task.run(out) {
                Some(Ok(_)) => return Ok(memory.bytes),
                Some(Err(fault)) if self.is_located() => {
                    return Err(Some(task.explain(book, fault)));
                }
                None if !book.prepared => drop(task.prepare(book, false).map_err(Some)?),
                _ => return Err(None),
            }
        }
    }

    /// An encoded value has so many bytes before they are encoded, which readers pay for.
    pub(crate) fn note_decoded(&mut self, len: u64) {
        self.decoded = len;
        if let Some(book) = &mut self.book {
            book.costs.decoded = book.costs.decoded.saturating_add(len);
        }
    }

    /// The decoded bytes of the encoded value that comes next are to be kept.
    pub fn keep_decoded(&mut self) {
        self.kept.ask();
    }

    /// Whether they are, for that value alone.
    pub(crate) fn keeps_decoded(&mut self) -> bool {
        self.kept.asked()
    }

    /// Keeps them.
    pub(crate) fn put_decoded(&mut self, bytes: Vec<u8>) {
        self.kept.put(bytes);
    }

    /// Takes what has been kept.
    pub fn take_decoded(&mut self) -> Vec<u8> {
        self.kept.take()
    }

    /// How many bytes the encoded value that was written last has before they are encoded.
    pub fn decoded_len(&self) -> u64 {
        self.decoded
    }

    /// The coded bytes that an earlier pass has made of the value of this address and size.
    pub(crate) fn take_coded(&mut self, place: (usize, usize)) -> Option<Vec<u8>> {
        self.book.as_mut()?.coded.remove(&place)
    }

    /// Keeps coded bytes for the next pass: encoding costs more than anything else.
    pub(crate) fn keep_coded(&mut self, place: (usize, usize), coded: Vec<u8>) {
        if let Some(book) = &mut self.book {
            book.coded.insert(place, coded);
        }
    }
}

impl super::Locator {
    /// What is wrong lies in the decoded bytes of a value whose coded bytes begin `at` an offset.
    #[cold]
    fn fail_inside(&mut self, finding: &Finding, at: u64) -> Fault {
        if self.found.is_none() {
            let depth = self.path.depth();
            self.path.push(Step::Decoded);
            let mut path = self.path.render();
            self.path.truncate(depth);
            let dot = if finding.path.as_str().starts_with(['(', '[']) { "" } else { "." };
            if !finding.path.as_str().is_empty() {
                path.push(format_args!("{dot}{}", finding.path));
            }
            self.found = Some(Finding { path, coded_at: Some(at), ..finding.clone() });
        }
        Fault::at(usize::try_from(at).unwrap_or(usize::MAX))
    }
}
