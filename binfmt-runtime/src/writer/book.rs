//! What one pass over a value tells the next one.

#[cfg(feature = "alloc")]
mod state;
mod suspects;
mod widths;

#[cfg(feature = "alloc")]
pub(super) use state::State;

use super::ahead::Aheads;
use super::numbers::Numbers;
use suspects::Suspects;

/// How a writer treats numbers that are missing when it reaches their places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pass {
    /// They are patched, or nothing is written at all.
    Direct,
    /// Nothing is written, and what will stand there is recorded.
    #[cfg(feature = "std")]
    Records,
    /// What was recorded is written.
    #[cfg(feature = "std")]
    Replays,
}

/// What stands where something is missing, in the order in which the places are reached, and numbers
/// that decide how much is written and are known only behind it: the widths of numbers of variable
/// length, and plain fields that are passed to values in front of what they tell.
///
/// Every pass reaches the same places in the same order.
#[derive(Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each says something of its own about a pass")]
pub(crate) struct Book {
    #[cfg(feature = "std")]
    bytes: alloc::vec::Vec<u8>,
    #[cfg(feature = "std")]
    next: usize,
    pub(super) numbers: Numbers,
    next_number: usize,
    /// Those of values whose turn it is in one pass earlier than in another.
    #[cfg(feature = "alloc")]
    pub(super) apart: super::apart::Apart,
    /// Whether located values have numbers, which this pass counts in the order of the places.
    #[cfg(feature = "alloc")]
    pub(super) by_places: bool,
    /// Whether they are counted by value.
    #[cfg(feature = "alloc")]
    pub(super) by_values: bool,
    /// What readers must find in bytes that come later.
    pub(super) aheads: Aheads,
    /// What readers pay.
    pub(super) costs: super::costs::Costs,
    /// The error of a reader that cannot.
    #[cfg(feature = "alloc")]
    pub(super) unpaid: Option<crate::Error>,
    /// The checksum over all that is written.
    pub(super) sum_of_file: Option<crate::checksum::SumOfFile>,
    /// The coded bytes of values that an earlier pass has encoded, by address and size of the values.
    #[cfg(feature = "alloc")]
    pub(super) coded: alloc::collections::BTreeMap<(usize, usize), alloc::vec::Vec<u8>>,
    /// What has been found out of values that are encoded, by address and size.
    #[cfg(feature = "alloc")]
    pub(super) inside_of: super::decoded::InsideOf,
    /// What lies inside the value that is compared with others.
    #[cfg(feature = "alloc")]
    pub(super) inside: alloc::vec::Vec<u8>,
    /// The open sections around what is being written.
    #[cfg(feature = "alloc")]
    pub(super) open: alloc::vec::Vec<crate::place::OpenSection>,
    /// How many bytes more than they need the next numbers may take.
    pub(super) pad: u64,
    /// How many passes there have been.
    pub(super) rounds: u32,
    /// The places that this pass has found out.
    #[cfg(feature = "alloc")]
    places: alloc::vec::Vec<usize>,
    /// Whether it has found out lengths, from which they follow.
    #[cfg(feature = "alloc")]
    lengths: bool,
    /// The numbers that this pass has found out, but widths that no value keeps, and what was known before.
    #[cfg(feature = "alloc")]
    learned: alloc::vec::Vec<(usize, Option<u64>)>,
    /// The widths that no value keeps and that it has found out, and what was known before.
    #[cfg(feature = "alloc")]
    widths: alloc::vec::Vec<(usize, Option<u64>)>,
    /// Those that earlier passes have found out, in order.
    #[cfg(feature = "alloc")]
    earlier_widths: alloc::vec::Vec<usize>,
    /// Whether one of them was found with another width in front of it, so that they are found one after the other.
    #[cfg(feature = "alloc")]
    one_width_a_pass: bool,
    /// Whether a number turned out to be another one, so that the value is written again.
    again: bool,
    /// Whether numbers were taken as they were stored.
    guesses: bool,
    /// Whether lengths of numbers were taken to be the least.
    #[cfg(feature = "alloc")]
    guesses_widths: bool,
    /// The numbers of this pass that tell places which may be so far behind because of the widths of the numbers.
    #[cfg(feature = "alloc")]
    pub(super) tight: alloc::vec::Vec<usize>,
    /// Whether items were given numbers of those before, which they may hold otherwise.
    pub(crate) carries: bool,
    /// Whether a number was computed that is perhaps used otherwise around its value.
    suspects: Suspects,
    /// Whether an earlier pass has found out all that can be known.
    pub(crate) prepared: bool,
    /// Whether that pass has recorded what was missing, too.
    pub(crate) recorded: bool,
    /// Whether a pass stopped because nothing was prepared.
    pub(crate) stopped: bool,
    /// Whether this pass finds out what the next one needs.
    pub(crate) prepares: bool,
    /// The ranges that a reader gives, which is not asked before all else is known.
    #[cfg(feature = "std")]
    pub(super) unread: alloc::vec::Vec<(u64, u64)>,
    /// Whether a pass has looked at such bytes.
    #[cfg(feature = "std")]
    pub(super) is_blind: bool,
    /// Whether what is written is recorded, before anything in front of it.
    #[cfg(feature = "std")]
    pub(super) records_over: bool,
    /// Those bytes, where they had to be read first.
    #[cfg(feature = "std")]
    pub(super) payloads: super::copy::Payloads,
    /// Whether numbers that are used around their values may be old ones: a draft is read again.
    pub(super) draft: bool,
    /// Whether the value is written to be settled, so that no error says that it should be.
    pub(super) settles: bool,
    /// Whether it finds out numbers alone, for which those of the value may be nonsense.
    pub(super) learns: bool,
    /// What is said of the first number that is another one, where passes have ended without an end to what they
    /// find out.
    pub(super) gives_up: Option<&'static str>,
}

impl Book {
    /// Makes ready for another pass; recorded bytes stay if it `replays` them.
    pub(crate) fn begin(&mut self, replays: bool) {
        #[cfg(feature = "std")]
        {
            self.unread.clear();
            self.next = 0;
            if !replays {
                self.bytes.clear();
            }
        }
        if !replays {
            self.aheads.clear();
        }
        #[cfg(feature = "alloc")]
        {
            self.open.clear();
            self.unpaid = None;
            self.apart.begin();
            self.tight.clear();
            self.count_by_values();
            self.keep_widths();
            self.forget_places();
        }
        self.costs.begin(replays);
        self.sum_of_file = None;
        self.pad = 0;
        self.rounds = self.rounds.saturating_add(1);
        (self.next_number, self.again, self.stopped, self.guesses) = (0, false, false, false);
        self.carries = false;
        #[cfg(feature = "alloc")]
        (self.guesses_widths = false);
    }

    /// Forgets what was counted in the order of places, for these may be others now.
    #[cfg(feature = "alloc")]
    fn count_by_values(&mut self) {
        if core::mem::take(&mut self.by_places) && self.again {
            self.by_values = true;
            self.numbers.fill(None);
            self.learned.clear();
            // Or patience would end at another number.
            self.rounds = 0;
        }
    }

    /// Forgets all that has been found out, and not what for.
    pub(crate) fn start_over(&mut self) {
        let (draft, settles, prepares) = (self.draft, self.settles, self.prepares);
        #[cfg(feature = "alloc")]
        let coded = core::mem::take(&mut self.coded);
        #[cfg(feature = "alloc")]
        let inside_of = core::mem::take(&mut self.inside_of);
        #[cfg(feature = "std")]
        let payloads = core::mem::take(&mut self.payloads);
        *self = Self::default();
        #[cfg(feature = "std")]
        (self.payloads = payloads);
        (self.draft, self.settles, self.prepares) = (draft, settles, prepares);
        #[cfg(feature = "alloc")]
        {
            (self.coded, self.inside_of) = (coded, inside_of);
        }
    }

    /// Whether the pass has found a number that the next one must use.
    pub(crate) fn again(&self) -> bool {
        self.again
    }

    /// Whether the pass has used numbers as they were stored.
    pub(crate) fn guesses(&self) -> bool {
        self.guesses
    }

    /// The index of the first of `count` numbers; `None` if so many cannot be remembered.
    pub(crate) fn reserve_numbers(&mut self, count: usize) -> Option<usize> {
        let index = self.next_number;
        let end = index.saturating_add(count);
        #[cfg(feature = "alloc")]
        if let Some(first) = self.apart.reserve(index, count) {
            self.next_number = end;
            return Some(first);
        }
        #[cfg(feature = "alloc")]
        if end > self.numbers.len() {
            self.numbers.resize(end, None);
        }
        self.next_number = end;
        (end <= self.numbers.len()).then_some(index)
    }

    /// What an earlier pass has learned of a number.
    pub(crate) fn number(&self, index: usize) -> Option<u64> {
        #[cfg(feature = "alloc")]
        if index >= super::apart::APART {
            return self.apart.number(index);
        }
        self.numbers.get(index).copied().flatten()
    }

    /// A number that an earlier pass may have learned, and that is taken as stored otherwise.
    pub(crate) fn guess(&mut self, index: usize) -> Option<u64> {
        self.guesses = true;
        self.number(index)
    }

    /// What a number turned out to be.
    pub(super) fn learn(&mut self, index: usize, number: u64) {
        #[cfg(feature = "alloc")]
        {
            let known = self.number(index);
            self.learned.push((index, known));
        }
        self.put_anew(index, number);
    }

    /// The next pass uses this number.
    fn put_anew(&mut self, index: usize, number: u64) {
        if let Some(known) = self.known(index) {
            (*known, self.again) = (Some(number), true);
        }
    }

    /// What a number is in this pass, or that it is as the value holds it.
    pub(crate) fn put(&mut self, index: usize, number: Option<u64>) {
        if let Some(known) = self.known(index) {
            *known = number;
        }
    }

    /// What is known of a number, to be changed.
    fn known(&mut self, index: usize) -> Option<&mut Option<u64>> {
        #[cfg(feature = "alloc")]
        if index >= super::apart::APART {
            return self.apart.known(index);
        }
        self.numbers.get_mut(index)
    }

    /// Places that were found with other lengths than are known now are found anew.
    #[cfg(feature = "alloc")]
    fn forget_places(&mut self) {
        let lengths = core::mem::take(&mut self.lengths);
        for place in core::mem::take(&mut self.places).into_iter().filter(|_| lengths) {
            if let Some(known) = self.known(place) {
                *known = None;
            }
        }
    }

    /// A place turned out to be another one.
    pub(super) fn learn_place(&mut self, index: usize, place: u64) {
        self.learn(index, place);
        #[cfg(feature = "alloc")]
        self.places.push(index);
    }

    /// A length turned out to be another one, from which places follow.
    pub(super) fn learn_len(&mut self, index: usize, len: u64) {
        self.learn(index, len);
        #[cfg(feature = "alloc")]
        (self.lengths = true);
    }

    /// A value begins whose numbers are its own, however often it is written; what was before.
    #[cfg(feature = "alloc")]
    pub(super) fn begin_apart(&mut self, value: usize) -> (Option<usize>, usize) {
        (self.apart.go_to(Some(value)), self.go_to_number(0))
    }

    /// It ends.
    #[cfg(feature = "alloc")]
    pub(super) fn end_apart(&mut self, (value, number): (Option<usize>, usize)) {
        self.apart.go_to(value);
        self.next_number = number;
    }

    /// The pass could not do all that it has to.
    pub(crate) fn must_go_on(&mut self) {
        self.again = true;
    }

    /// A number tells a place that may be so far behind because of its width.
    pub(super) fn is_tight(&mut self, index: usize) {
        #[cfg(feature = "alloc")]
        self.tight.push(index);
        // Nobody looks for another place then.
        #[cfg(not(feature = "alloc"))]
        let _ = index;
    }

    /// A pass has found out all that can be known.
    pub(super) fn ends_preparing(&mut self, records: bool) {
        (self.prepared, self.prepares, self.recorded) = (true, false, records);
    }

    /// How many numbers have been reserved.
    pub(super) fn numbers(&self) -> usize {
        self.next_number
    }

    /// Goes back, or forward, to a number.
    pub(super) fn go_to_number(&mut self, index: usize) -> usize {
        core::mem::replace(&mut self.next_number, index)
    }
}

#[cfg(feature = "std")]
impl Book {
    /// Keeps a place of `len` bytes; its index.
    pub(super) fn reserve(&mut self, len: usize) -> usize {
        let index = self.bytes.len();
        self.bytes.resize(index.saturating_add(len), 0);
        index
    }

    /// The index of the next recorded place of `len` bytes.
    pub(super) fn next(&mut self, len: usize) -> usize {
        let end = self.next.saturating_add(len);
        core::mem::replace(&mut self.next, end)
    }

    /// What is recorded for a place.
    pub(super) fn place(&mut self, index: usize, len: usize) -> &mut [u8] {
        self.bytes.get_mut(index..).and_then(|bytes| bytes.get_mut(..len)).unwrap_or_default()
    }

    /// All recorded bytes, for somebody who gives them back.
    pub(super) fn bytes(&mut self) -> &mut alloc::vec::Vec<u8> {
        &mut self.bytes
    }
}
