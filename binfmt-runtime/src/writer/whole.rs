//! Writing a whole value, once and as often as it takes to find out what decides how it is written: the same code
//! for all types, which differ in `emit`.

#[cfg(feature = "std")]
use super::ahead::Unseen;
use super::locator::{Locator, full, unsettled};
use super::{Book, Purpose, Writer};
use crate::finding::{Error, Fault};
use crate::ops::wide;
use crate::{Limits, Order, Wire};

/// A value of a type that is not named, with its arguments.
pub(crate) trait Whole {
    /// Writes the value forward.
    fn emit(&self, out: &mut Writer<'_>) -> Result<(), Fault>;

    /// Whether a reader of it pays for what lies at `cur`.
    #[cfg(feature = "alloc")]
    fn affords(&self, cur: crate::Cursor<'_>, limits: Limits) -> super::Affords;
}

impl<'a, T: Wire<'a>> Whole for (&T, T::Args) {
    fn emit(&self, out: &mut Writer<'_>) -> Result<(), Fault> {
        self.0.emit(out, self.1)
    }

    #[cfg(feature = "alloc")]
    fn affords(&self, cur: crate::Cursor<'_>, limits: Limits) -> super::Affords {
        T::affords(cur, limits, self.1)
    }
}

/// A value, and whether it is written as if it were new.
#[derive(Clone, Copy)]
pub(super) struct Task<'t> {
    pub(super) value: &'t dyn Whole,
    pub(super) compact: bool,
    /// The byte order around the value.
    pub(super) order: Order,
    /// How deep the value is within others.
    pub(super) limits: Limits,
    /// Whether the value is encoded into another output, whose budget its decoded values have.
    pub(super) is_inside: bool,
    /// Whether who writes that output looks for numbers that are used otherwise.
    pub(super) is_judged: bool,
    /// What lies in front of the value, if it is a part of a file whose other bytes are not written.
    pub(super) part: Option<&'t [u8]>,
}

impl<'t> Task<'t> {
    pub(super) fn new(value: &'t dyn Whole, compact: bool) -> Self {
        let limits = Limits::of(0);
        let (is_inside, is_judged) = (false, false);
        Self { value, compact, order: Order::Little, limits, is_inside, is_judged, part: None }
    }
}

impl Task<'_> {
    /// What lies in front of the value: those who look at bytes begin there.
    pub(super) fn before(&self) -> &[u8] {
        self.part.unwrap_or_default()
    }

    /// Writes once; `None` if that showed that it must be done again.
    pub(super) fn run(self, mut out: Writer<'_>) -> Option<Result<u64, Fault>> {
        (out.compact, out.order, out.limits) = (self.compact, self.order, self.limits);
        out.base = wide(self.before().len());
        let mut result = self.value.emit(&mut out).and_then(|()| out.flush());
        if self.part.is_some() && out.sum_of_file().is_some() {
            result = result.and_then(|()| Err(out.covers_the_rest()));
        }
        if result.is_ok() {
            out.fill_sum_of_file();
        }
        let result = result.and_then(|()| out.look_ahead()).and_then(|()| out.pays(&self));
        let located = out.is_located();
        if let (Err(_), Some(book)) = (&result, &mut out.book) {
            book.fails();
        }
        let book = out.book.as_ref();
        let again = book.is_some_and(|book| {
            let suspects = book.suspects() && !located && !self.is_judged;
            // What was taken as stored may be why it failed.
            suspects
                || book.again()
                || book.stopped
                || (result.is_err() && book.guesses() && !book.prepares)
        });
        (!again).then(|| result.map(|()| out.pos()))
    }

    /// The length of the value, and in the book what cannot be known before.
    pub(super) fn prepare(self, book: &mut Book, records: bool) -> Result<u64, Error> {
        book.aheads.failed = None;
        self.prepare_with(book, records, true, None)
    }

    /// The length of a value that is written into memory next, which then has the bytes that readers
    /// decide by.
    #[cfg(feature = "alloc")]
    pub(super) fn measure(self, book: &mut Book) -> Result<u64, Error> {
        book.aheads.failed = None;
        self.prepare_with(book, false, false, None)
    }

    fn prepare_with(
        self,
        book: &mut Book,
        records: bool,
        looks: bool,
        locator: Option<Locator>,
    ) -> Result<u64, Error> {
        let prepared = self.find_out(book, records, looks, locator);
        // A reader that cannot pay has said so itself.
        #[cfg(feature = "alloc")]
        let prepared = prepared.map_err(|error| book.unpaid.take().unwrap_or(error));
        // Whatever it is, it was found out of zeros.
        #[cfg(feature = "std")]
        if book.is_blind {
            return Err(super::locator::unread());
        }
        prepared
    }

    /// A pass without bytes. One that knows where it is fails where a number is used otherwise than it is written.
    pub(super) fn dry(
        self,
        book: &mut Book,
        locator: Option<&mut Locator>,
        rules: bool,
        records: bool,
    ) -> Option<Result<u64, Fault>> {
        let judges = rules && locator.is_some();
        let mut out = Writer::dry(book);
        out.locator = locator;
        out.purpose = if rules { Purpose::Write } else { Purpose::Learn };
        #[cfg(feature = "std")]
        if records {
            out.pass = super::Pass::Records;
        }
        let _ = records;
        let result = self.run(out);
        if judges && matches!(result, Some(Ok(_))) {
            book.clear_suspects();
        }
        result
    }

    /// Looks at the bytes that readers decide by, which a dry pass does not have; whether readers find
    /// there what they must.
    #[cfg(feature = "std")]
    pub(super) fn looks_ahead(self, book: &mut Book) -> bool {
        let unseen = book.aheads.unseen;
        // A checksum over the file is among these bytes when all others are written: then they are looked at.
        if unseen == Unseen::Nothing || book.sum_of_file.is_some() {
            return true;
        }
        if !matches!(self.records(book), Some(Ok(_))) {
            return false;
        }
        let mut places = super::sink::Places::new(book.aheads.places());
        let mut memory = super::sink::Memory::default();
        book.begin(true);
        let sink: &mut dyn super::Sink =
            if unseen == Unseen::All { &mut memory } else { &mut places };
        if sink.put(self.before()).is_none() {
            return false;
        }
        let mut buffer = [0; super::BUFFER];
        let out = Writer {
            sink: Some(sink),
            book: Some(book),
            pass: super::Pass::Replays,
            ..Writer::new(&mut buffer)
        };
        matches!(self.run(out), Some(Ok(_)))
    }

    #[cfg(feature = "std")]
    fn records(self, book: &mut Book) -> Option<Result<u64, Fault>> {
        book.begin(false);
        let mut records = Writer::dry(book);
        records.pass = super::Pass::Records;
        self.run(records)
    }

    /// A pass that records what is missing, when all that can be known is.
    #[cfg(feature = "std")]
    pub(super) fn record(self, book: &mut Book) -> Result<(), Error> {
        match self.records(book) {
            Some(Ok(_)) => Ok(()),
            Some(Err(fault)) => Err(self.explain(book, fault)),
            None => Err(unsettled()),
        }
    }

    /// Without streams, bytes are looked at where they are written to.
    #[cfg(not(feature = "std"))]
    pub(super) fn looks_ahead(self, _: &mut Book) -> bool {
        true
    }

    /// The error of a writer that knew all that can be known, and found that it must begin again.
    #[cold]
    #[inline(never)]
    pub(super) fn why_again(self, book: &mut Book) -> Error {
        // What readers must find was not looked at before, and is not there.
        if book.aheads.failed.is_some() {
            return self.explain(book, Fault::at(0));
        }
        self.prepare(book, false).err().unwrap_or_else(unsettled)
    }

    /// The error of a writer that has failed; a full output leaves no other trace.
    #[cold]
    #[inline(never)]
    pub(super) fn explain(self, book: &mut Book, fault: Fault) -> Error {
        #[cfg(feature = "alloc")]
        if let Some(error) = book.unpaid.take() {
            return error;
        }
        // What a reader would take for something else is known, but not its name.
        let locator = book.aheads.failed.map(|_| Locator::default());
        match self.prepare_with(book, false, true, locator) {
            Ok(_) => full(fault),
            Err(error) => error,
        }
    }
}
