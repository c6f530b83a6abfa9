//! Values that are encoded: their bytes are written beside the output, which gets the coded ones.

use alloc::boxed::Box;
use alloc::vec::Vec;

use super::sink::Memory;
use super::whole::{Task, Whole};
use super::{BUFFER, Book, Purpose, Writer};
use crate::finding::{Error, Fault, Finding};
use crate::path::Step;

/// What has been found out of a value that is encoded. A value around it is written several times, in passes and
/// in each of them, and all of that once more for every level of such values.
#[derive(Debug, Default)]
pub(super) struct Inside {
    /// What came of it when it was written for these purposes.
    found: Vec<(Purpose, Found)>,
    /// What was found out of those that are encoded in it.
    inside_of: InsideOf,
}

/// The same of values by address and size.
pub(super) type InsideOf = alloc::collections::BTreeMap<(usize, usize), Inside>;

#[derive(Debug)]
enum Found {
    /// The bytes, and what had to be found out for them. Another value, of which a writer has made a copy, may lie
    /// where this one did, and arguments may be others: they are trusted once one more pass has made the same.
    Written { bytes: Vec<u8>, book: Box<Book> },
    /// It cannot be written, whatever is around it; the error, if one was asked for.
    Failed(Option<Error>),
}

impl Inside {
    /// What came of it, if it was written for that purpose.
    fn take(&mut self, purpose: Purpose) -> Option<Found> {
        let index = self.found.iter().position(|(known, _)| *known == purpose)?;
        Some(self.found.swap_remove(index).1)
    }
}

impl Writer<'_> {
    /// The bytes of a value before they are encoded, an output of their own; the `place` is its address and size,
    /// and what it is `given` may be something else the next time.
    pub(crate) fn decoded(
        &mut self,
        value: &dyn Whole,
        place: (usize, usize),
        given: bool,
    ) -> Result<Vec<u8>, Fault> {
        let (at, purpose) = (self.pos(), self.purpose);
        let (mut book, mut inside) = (Book::default(), Inside::default());
        if let Some(outer) = &mut self.book {
            inside = outer.inside_of.remove(&place).unwrap_or_default();
            book.coded = core::mem::take(&mut outer.coded);
            book.inside_of = core::mem::take(&mut inside.inside_of);
        }
        let written = match inside.take(purpose) {
            Some(Found::Written { bytes, book: found }) => {
                self.write_again(value, (*found, bytes), &mut book)
            }
            Some(Found::Failed(error)) if error.is_some() || !self.names_errors() => Err(error),
            _ => self.write_inside(value, &mut book),
        };
        if let Some(outer) = &mut self.book {
            let decoded = book.costs.decoded;
            outer.costs.decoded = outer.costs.decoded.saturating_add(decoded);
            outer.coded = core::mem::take(&mut book.coded);
            inside.inside_of = core::mem::take(&mut book.inside_of);
            // One that takes a single pass, with none in it, is as cheap the next time.
            let several = book.prepared || decoded > 0;
            let found = match &written {
                Ok(bytes) if several => {
                    Some(Found::Written { bytes: bytes.clone(), book: Box::new(book) })
                }
                Err(error) if !given => Some(Found::Failed(error.clone())),
                _ => None,
            };
            // Whether there are bytes at all is seen at the first one.
            let found = found.filter(|_| purpose != Purpose::Probe);
            inside.found.extend(found.map(|found| (purpose, found)));
            if !inside.found.is_empty() || !inside.inside_of.is_empty() {
                outer.inside_of.insert(place, inside);
            }
        }
        written.map_err(|error| match (error, &mut self.locator) {
            (Some(error), Some(locator)) => locator.fail_inside(error.finding(), at),
            _ => Fault::at(usize::try_from(at).unwrap_or(usize::MAX)),
        })
    }

    /// Writes with what an earlier pass has found out of the value, in one more; if that does not give the same, all
    /// is found out anew, so that what is written does not depend on how often that is done.
    fn write_again(
        &mut self,
        value: &dyn Whole,
        (mut found, bytes): (Book, Vec<u8>),
        book: &mut Book,
    ) -> Result<Vec<u8>, Option<Error>> {
        found.coded = core::mem::take(&mut book.coded);
        found.inside_of = core::mem::take(&mut book.inside_of);
        let mut memory = Memory::default();
        let again = self.run_inside(value, &mut found, &mut memory);
        if matches!(again, Some(Ok(_))) && memory.bytes == bytes {
            *book = found;
            return Ok(bytes);
        }
        book.coded = core::mem::take(&mut found.coded);
        book.inside_of = core::mem::take(&mut found.inside_of);
        self.write_inside(value, book)
    }

    /// Writes into memory, mostly once; the error is told to those who can say where they are.
    fn write_inside(
        &mut self,
        value: &dyn Whole,
        book: &mut Book,
    ) -> Result<Vec<u8>, Option<Error>> {
        let mut memory = Memory::default();
        loop {
            match self.run_inside(value, book, &mut memory) {
                Some(Ok(_)) => return Ok(memory.bytes),
                Some(Err(_)) if self.has_failed() => return Err(None),
                Some(Err(fault)) if self.names_errors() => {
                    return Err(Some(self.inside(value).explain(book, fault)));
                }
                None if !book.prepared => {
                    let _ = self.inside(value).prepare(book, false).map_err(Some)?;
                }
                _ => return Err(None),
            }
        }
    }

    /// Whether an error is asked for: who finds out numbers alone goes on without one.
    fn names_errors(&self) -> bool {
        self.is_located() && self.rules()
    }

    /// Whether the error has a name.
    fn has_failed(&self) -> bool {
        self.locator.as_ref().is_some_and(|locator| locator.found.is_some())
    }

    /// One pass into memory. Who knows where it is in the value around knows whether a number is used there.
    fn run_inside(
        &mut self,
        value: &dyn Whole,
        book: &mut Book,
        memory: &mut Memory,
    ) -> Option<Result<u64, Fault>> {
        book.begin(false);
        memory.bytes.clear();
        let mut buffer = [0; BUFFER];
        let using = self.using && self.checks();
        if using {
            // What an earlier pass was sure of, it knew of the value alone.
            book.take_suspects();
        }
        let mut known = self.locator.as_deref().filter(|_| using).map(super::Locator::inside);
        let out = Writer {
            sink: Some(memory),
            book: Some(book),
            locator: known.as_mut(),
            purpose: self.purpose,
            using,
            ..Writer::new(&mut buffer)
        };
        let written = Task { is_judged: using, ..self.inside(value) }.run(out);
        if using
            && book.take_suspects()
            && let Some(outer) = &mut self.book
        {
            outer.suspect();
        }
        let at = self.pos();
        if let (Some(locator), Some(found)) =
            (&mut self.locator, known.and_then(|known| known.found))
        {
            locator.found.get_or_insert(Finding { coded_at: Some(at), ..found });
        }
        written
    }

    fn inside<'t>(&self, value: &'t dyn Whole) -> Task<'t> {
        let Self { compact, order, limits, .. } = *self;
        Task { value, compact, order, limits, is_inside: true, is_judged: false, part: None }
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
