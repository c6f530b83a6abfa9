//! The passes over a value that find out what decides how it is written, and what follows from how each ends.

use super::Book;
use super::locator::{Locator, NEVER_SETTLES, SETTLES_ANEW, full, unsettled};
use super::turns::Turns;
use super::whole::Task;
use crate::finding::Error;
#[cfg(feature = "alloc")]
use crate::finding::Fault;

/// How often a value is written to find the numbers that decide how much is written. Nearly all are
/// known after the first time.
pub(super) const MAX_ROUNDS: u32 = 128;

/// How often a value that never settles is written as if it were new, to tell whether it can be.
const ROUNDS_ANEW: u32 = 8;

/// What has been learned without looking at rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// Nothing: the value may be right as it is.
    First,
    /// Rules look at numbers that may be old ones, so these are learned first.
    Learns,
    /// All that can be.
    Learned,
}

/// The next pass.
#[derive(Debug)]
struct Passes {
    stage: Stage,
    /// It records what is missing, too.
    records: bool,
    /// It names what the one before has found.
    names: bool,
    /// It knows where it is.
    locator: Option<Locator>,
    /// Widths that old numbers had told have been forgotten.
    anew: bool,
    rounds: u32,
    /// How many there are at most.
    most: u32,
    turns: Turns,
    #[cfg(feature = "alloc")]
    shorter: super::shorter::Shorter,
}

impl Passes {
    fn new(records: bool, locator: Option<Locator>) -> Self {
        let (names, turns) = (locator.is_some(), Turns::default());
        Self {
            stage: Stage::First,
            records,
            names,
            locator,
            anew: false,
            rounds: 0,
            most: MAX_ROUNDS,
            turns,
            #[cfg(feature = "alloc")]
            shorter: super::shorter::Shorter::default(),
        }
    }

    /// Makes ready for the next pass; whether it judges numbers, for who knows where one lies can tell whether it is
    /// used.
    fn begin(&mut self, book: &mut Book) -> bool {
        book.begin(false);
        if !self.names {
            book.aheads.failed = None;
        }
        let judges = book.suspects();
        if judges {
            self.locator.get_or_insert_default();
        }
        self.locator.iter_mut().for_each(Locator::begin);
        self.rounds = self.rounds.saturating_add(1);
        book.learns = self.learns();
        judges
    }

    fn learns(&self) -> bool {
        self.stage == Stage::Learns
    }

    /// Whether another pass may find out what the last one has not.
    fn go_on(&mut self, book: &mut Book) -> bool {
        self.rounds < self.most && self.turns.go_on(book)
    }

    /// Whether the next pass looks for a shorter way to write the value, or goes back from there.
    #[cfg(feature = "alloc")]
    fn tries_shorter(&mut self, written: Option<&Result<u64, Fault>>, book: &mut Book) -> bool {
        let is_last = !self.learns() && !self.names && self.locator.is_none();
        match written {
            Some(Ok(len)) if is_last && self.shorter.begins(*len, book) => {
                self.anew = true;
                true
            }
            written => self.shorter.goes_on(written, book),
        }
    }

    /// The next pass names what the last one has found.
    fn name(&mut self) {
        (self.locator, self.names) = (Some(Locator::default()), true);
    }

    /// The next pass names the first number that it would use otherwise than this one.
    fn give_up(&mut self, task: Task<'_>, book: &mut Book) {
        book.gives_up = Some(if task.settles_anew() { SETTLES_ANEW } else { NEVER_SETTLES });
        self.name();
    }

    /// What a pass has found that names what is wrong.
    fn found(&mut self) -> Option<Error> {
        self.locator.as_mut().and_then(|known| known.found.take()).map(Error::new)
    }

    /// Nothing that has been found out counts; the next pass knows where it is.
    fn start_over_in_doubt(&mut self, book: &mut Book) {
        book.start_over_in_doubt();
        self.names = false;
        if self.stage == Stage::Learned {
            self.stage = Stage::First;
        }
    }
}

impl Task<'_> {
    /// Whether the value can be written as if it were new, and is not.
    #[cold]
    fn settles_anew(self) -> bool {
        let anew = Self { compact: true, ..self };
        let passes = Passes { most: ROUNDS_ANEW, ..Passes::new(false, None) };
        !self.compact && anew.pass(&mut Book::default(), false, passes).is_ok()
    }

    /// Writes the value into nothing until no number turns out to be another one.
    pub(super) fn find_out(
        self,
        book: &mut Book,
        records: bool,
        looks: bool,
        locator: Option<Locator>,
    ) -> Result<u64, Error> {
        self.pass(book, looks, Passes::new(records, locator))
    }

    fn pass(self, book: &mut Book, looks: bool, mut passes: Passes) -> Result<u64, Error> {
        book.prepares = true;
        loop {
            let judges = passes.begin(book);
            let (learns, names) = (passes.learns(), passes.names);
            let written = self.dry(book, passes.locator.as_mut(), !learns, passes.records);
            #[cfg(feature = "alloc")]
            if passes.tries_shorter(written.as_ref(), book) {
                continue;
            }
            match written {
                _ if book.gives_up.is_some() => {
                    book.gives_up = None;
                    return Err(passes.found().unwrap_or_else(unsettled));
                }
                // What a pass finds out that records is not what one finds out that does not: all begin alike.
                None | Some(Err(_)) if passes.records && passes.locator.is_none() => {
                    (passes.records, passes.rounds) = (false, 0);
                    book.start_over();
                }
                // What one finds out whose items carry old numbers tells nothing; nor does what is learned of them,
                // for only who knows where it is learns what they hold.
                None | Some(Ok(_)) if !judges && book.carries && (learns || book.suspects()) => {
                    passes.start_over_in_doubt(book);
                }
                None if passes.go_on(book) => {}
                None => passes.give_up(self, book),
                Some(_) if learns => passes.stage = Stage::Learned,
                // With other widths values lie elsewhere, and what they hold is learned anew.
                Some(Ok(_)) if judges && !passes.anew && book.forget_widths() => {
                    (passes.anew, passes.stage) = (true, Stage::Learns);
                }
                Some(Ok(_)) if judges => passes.locator = None,
                Some(Ok(len)) if !looks || self.looks_ahead(book) => {
                    book.ends_preparing(passes.records);
                    return Ok(len);
                }
                // What has no name in the pass that looks for it is no less wrong.
                Some(Ok(_)) if names || book.aheads.failed.is_none() => return Err(unsettled()),
                Some(Ok(_)) => passes.name(),
                Some(Err(_)) if book.guesses() && passes.stage == Stage::First => {
                    passes.stage = Stage::Learns;
                }
                Some(Err(fault)) => match passes.locator.as_mut().map(|known| known.found.take()) {
                    None => passes.name(),
                    Some(Some(found)) => return Err(Error::new(found)),
                    // What readers must find was not found at the end.
                    Some(None) if book.aheads.failed.is_some() && !names => passes.name(),
                    Some(None) => return Err(full(fault)),
                },
            }
        }
    }
}
