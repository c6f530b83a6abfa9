//! What readers decide by bytes that come later: looked at when all is written.
//!
//! Whether an optional field is there, which variant a value is and where a sequence ends is decided
//! by the bytes up to the end of the region, whoever writes them. So writers keep a list of what
//! readers must find, and at which places.

use super::Writer;
use crate::budget::Limits;
use crate::finding::{Fault, Show};
use crate::layout::Layout;
use crate::ops::wide;

/// What a reader must find between a place and the end of the region there.
pub enum Ahead {
    /// Anything: what stands here is written later, and what it looks at ends where this does.
    Later,
    /// Fewer bytes than this: it goes on while there are as many.
    Fewer(u64),
    /// At least so many bytes: it stops where there are fewer.
    Enough(u64),
    /// The bytes of a variant, and not those of an earlier one.
    Variant(&'static [u8], &'static [&'static [u8]]),
    /// Anything but this constant, which ends a sequence.
    NotYet(&'static [u8]),
    /// This constant, in front of which a value ends.
    Comes(&'static [u8]),
    /// This constant, or fewer bytes than this.
    ComesOr(&'static [u8], u64),
    /// This constant, and not once more up to the end of the region.
    Last(&'static [u8]),
    /// None of these magics: an optional field is absent.
    Absent(&'static [&'static [u8]]),
    /// No magic of a type: a value of it is absent.
    NoneOf(&'static Layout),
    /// Bytes of which it reads the variant that was written.
    #[cfg(feature = "alloc")]
    Reads(Reads),
    /// Bytes of which a validator says no error, though a `level` makes one of what writers keep.
    #[cfg(feature = "alloc")]
    Valid(Reads),
    /// The bytes that a view says are there.
    #[cfg(feature = "alloc")]
    View(Reads),
}

impl core::fmt::Debug for Ahead {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Ahead").finish_non_exhaustive()
    }
}

/// What a reader says of what it finds at a place.
#[cfg(feature = "alloc")]
type Reads = alloc::boxed::Box<dyn Fn(&mut crate::Cursor<'_>) -> bool>;

/// One entry of the list.
pub(crate) struct Entry {
    at: u64,
    /// The end of the region, once it is known.
    end: Option<u64>,
    what: Ahead,
    #[cfg(feature = "alloc")]
    origin: u64,
    #[cfg(feature = "alloc")]
    order: crate::Order,
}

/// What must be there that a pass without bytes could not look at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Unseen {
    #[default]
    Nothing,
    /// A few bytes at known places.
    Places,
    /// Everything, for a reader.
    #[cfg(feature = "alloc")]
    All,
}

impl Unseen {
    /// What needs all bytes; without memory no pass keeps them.
    #[cfg(feature = "alloc")]
    const EVERYTHING: Self = Self::All;
    #[cfg(not(feature = "alloc"))]
    const EVERYTHING: Self = Self::Places;
}

/// The list of what readers must find.
#[derive(Default)]
pub(crate) struct Aheads {
    list: List,
    /// The entry that does not hold, and what is there.
    pub(super) failed: Option<(usize, Show)>,
    pub(super) unseen: Unseen,
}

impl core::fmt::Debug for Aheads {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Aheads").field("len", &self.list.len()).finish_non_exhaustive()
    }
}

#[cfg(feature = "alloc")]
type List = alloc::vec::Vec<Entry>;

/// Without memory for more, so many parts of a value may wait for what is behind them.
#[cfg(not(feature = "alloc"))]
const MOST: usize = 32;

#[cfg(not(feature = "alloc"))]
#[derive(Default)]
struct List {
    entries: [Option<Entry>; MOST],
    len: usize,
}

#[cfg(not(feature = "alloc"))]
impl List {
    fn len(&self) -> usize {
        self.len
    }

    fn is_empty(&self) -> bool {
        self.len == 0
    }

    fn clear(&mut self) {
        *self = Self::default();
    }

    fn iter(&self) -> impl Iterator<Item = &Entry> {
        self.entries.iter().flatten()
    }

    fn iter_mut(&mut self) -> impl Iterator<Item = &mut Entry> {
        self.entries.iter_mut().flatten()
    }

    fn get_mut(&mut self, index: usize) -> Option<&mut Entry> {
        self.entries.get_mut(index)?.as_mut()
    }

    fn push(&mut self, entry: Entry) {
        if let Some(space) = self.entries.get_mut(self.len) {
            (*space, self.len) = (Some(entry), self.len.saturating_add(1));
        }
    }
}

impl Aheads {
    /// Forgets the list, for a pass that makes it anew.
    pub(super) fn clear(&mut self) {
        self.list.clear();
        self.unseen = Unseen::Nothing;
    }

    /// The places at which bytes are looked at, and how many there.
    #[cfg(feature = "std")]
    pub(super) fn places(&self) -> impl Iterator<Item = (u64, usize)> {
        let looks = self.list.iter().filter(|entry| entry.what.most() > 0);
        looks.map(|entry| (entry.at, entry.what.most()))
    }
}

impl Ahead {
    /// How many bytes are looked at.
    fn most(&self) -> usize {
        match self {
            Self::Variant(own, others) => {
                others.iter().map(|bytes| bytes.len()).fold(own.len(), usize::max)
            }
            Self::NotYet(end) | Self::Comes(end) | Self::ComesOr(end, _) => end.len(),
            Self::Absent(magics) => magics.iter().map(|bytes| bytes.len()).max().unwrap_or(0),
            Self::NoneOf(layout) => layout.magics().map(<[u8]>::len).max().unwrap_or(0),
            _ => 0,
        }
    }

    /// When it is looked at: lengths are known without bytes, too, and what a validator says is the least
    /// that can be said of a mistake.
    fn rank(&self) -> u8 {
        match self {
            Self::Later | Self::Fewer(_) | Self::Enough(_) => 0,
            #[cfg(feature = "alloc")]
            Self::Valid(_) => 2,
            _ => 1,
        }
    }

    /// Whether bytes begin as they must.
    fn begins(&self, bytes: &[u8]) -> bool {
        match self {
            Self::Variant(own, others) => {
                bytes.starts_with(own) && !others.iter().any(|other| bytes.starts_with(other))
            }
            Self::NotYet(end) => !bytes.starts_with(end),
            Self::Comes(end) | Self::ComesOr(end, _) => bytes.starts_with(end),
            Self::Absent(magics) => !magics.iter().any(|magic| bytes.starts_with(magic)),
            Self::NoneOf(layout) => !layout.magics().any(|magic| bytes.starts_with(magic)),
            _ => true,
        }
    }
}

impl Writer<'_> {
    /// A reader must find this from here, or from `behind` bytes further, on; the number of the entry.
    pub fn ahead(&mut self, behind: u64, what: Ahead) -> Result<usize, Fault> {
        // The list is made once, and looked at wherever there are bytes.
        if !self.rules || self.is_replay() {
            return Ok(0);
        }
        let at = self.pos().saturating_add(behind);
        self.ahead_at(at, what)
    }

    /// A reader must find fewer bytes than this between an offset and the end of the output.
    pub(crate) fn fewer_at(&mut self, at: u64, least: u64) -> Result<(), Fault> {
        if !self.rules || self.is_replay() {
            return Ok(());
        }
        let mark = self.open();
        self.ahead_at(at, Ahead::Fewer(least))?;
        self.close_last(mark);
        Ok(())
    }

    /// A reader must find this at an offset.
    pub(crate) fn ahead_at(&mut self, at: u64, what: Ahead) -> Result<usize, Fault> {
        let located = self.is_located();
        #[cfg(feature = "alloc")]
        let (origin, order) = (self.origin, self.order);
        let Some(book) = &mut self.book else { return Ok(0) };
        let aheads = &mut book.aheads;
        let index = aheads.list.len();
        if let Some((failed, found)) = aheads.failed
            && failed == index
            && located
        {
            return Err(self.not_ahead(at, &what, found));
        }
        #[cfg(not(feature = "alloc"))]
        if index >= MOST {
            return Err(self.too_many());
        }
        aheads.list.push(Entry {
            at,
            end: None,
            what,
            #[cfg(feature = "alloc")]
            origin,
            #[cfg(feature = "alloc")]
            order,
        });
        Ok(index)
    }

    /// The same must be found here and no longer where it was to be found.
    pub(crate) fn ahead_again(&mut self, index: usize) {
        if !self.rules || self.is_replay() {
            return;
        }
        let at = self.pos();
        let entry = self.book.as_mut().and_then(|book| book.aheads.list.get_mut(index));
        if let Some(entry) = entry {
            entry.at = at;
        }
    }

    /// A region begins; its mark.
    #[inline(always)]
    pub fn open(&self) -> usize {
        self.book.as_ref().map_or(0, |book| book.aheads.list.len())
    }

    /// The region ends here for all entries behind the mark whose region has not ended yet.
    #[inline(always)]
    pub fn close(&mut self, mark: usize) {
        if self.open() > mark {
            self.close_at(mark, self.pos());
        }
    }

    /// The region ends with the output: that of a value that lies at an offset.
    #[inline(always)]
    pub fn close_last(&mut self, mark: usize) {
        if self.open() > mark {
            self.close_at(mark, u64::MAX);
        }
    }

    /// The region ends at an offset.
    #[inline(never)]
    pub(crate) fn close_at(&mut self, mark: usize, end: u64) {
        if self.is_replay() {
            return;
        }
        let Some(book) = &mut self.book else { return };
        for entry in book.aheads.list.iter_mut().skip(mark).filter(|entry| entry.end.is_none()) {
            entry.end = Some(end);
        }
    }

    /// What stands here is written later: the number of the entry.
    pub(super) fn ahead_later(&mut self) -> Result<Option<usize>, Fault> {
        if !self.rules || self.is_replay() || self.book.is_none() {
            return Ok(None);
        }
        self.ahead(0, Ahead::Later).map(Some)
    }

    /// What has been written behind the mark stands where an earlier entry does.
    pub(super) fn close_as(&mut self, mark: usize, earlier: usize) {
        let list = self.book.as_mut().map(|book| &mut book.aheads.list);
        let end = list.and_then(|list| list.get_mut(earlier)?.end);
        if let Some(end) = end {
            self.close_at(mark, end);
        }
    }

    /// Whether an earlier pass has made the list.
    pub(super) fn is_replay(&self) -> bool {
        #[cfg(feature = "std")]
        return self.pass == super::Pass::Replays;
        #[cfg(not(feature = "std"))]
        false
    }

    /// Readers pay so much for an item without bytes.
    pub(crate) fn owe(&mut self, cost: u64) {
        if let Some(book) = self.book.as_mut().filter(|_| self.rules) {
            book.owed = book.owed.saturating_add(cost);
        }
    }

    /// Insists that the budget of a reader pays for all items without bytes.
    pub(crate) fn pays(&mut self, is_inside: bool) -> Result<(), Fault> {
        let (owed, decoded) = self.book.as_ref().map_or((0, 0), |book| (book.owed, book.decoded));
        let len = usize::try_from(self.pos()).unwrap_or(usize::MAX);
        let limits = Limits::for_input(len);
        if decoded > limits.decodable() && !is_inside {
            let what = format_args!(
                "the encoded values have more decoded bytes than the budget of a reader pays for"
            );
            let most = Show::Uint(limits.decodable());
            return Err(self.fail("budget", what, most, Show::Uint(decoded)));
        }
        let budget = limits.left();
        if owed <= budget {
            return Ok(());
        }
        let what =
            format_args!("there are more items without bytes than the budget of a reader pays");
        Err(self.fail("count", what, Show::Uint(budget), Show::Uint(owed)))
    }

    /// Looks at all that readers must find.
    pub(crate) fn look_ahead(&mut self) -> Result<(), Fault> {
        let Some(book) = &mut self.book else { return Ok(()) };
        if book.aheads.list.is_empty() {
            return Ok(());
        }
        let aheads = core::mem::take(&mut book.aheads);
        let mut unseen = aheads.unseen;
        let mut wrong = |rank: u8| {
            let list = aheads.list.iter().enumerate();
            let mut list = list.filter(|(_, entry)| entry.what.rank() == rank);
            list.find_map(|(index, entry)| {
                let found = self.look_at(entry, &mut unseen)?;
                Some((index, found, entry.at))
            })
        };
        let failed = (0..=2).find_map(&mut wrong);
        if let Some(book) = &mut self.book {
            let failed = failed.map(|(index, found, _)| (index, found)).or(aheads.failed);
            book.aheads = Aheads { failed, unseen, ..aheads };
        }
        match failed {
            Some((_, _, at)) => Err(Fault::at(usize::try_from(at).unwrap_or(usize::MAX))),
            None => Ok(()),
        }
    }

    /// What is wrong at an entry, if anything is.
    fn look_at(&mut self, entry: &Entry, unseen: &mut Unseen) -> Option<Show> {
        let total = self.pos();
        let end = entry.end.unwrap_or(total).min(total);
        let left = end.saturating_sub(entry.at);
        match &entry.what {
            Ahead::Later => None,
            Ahead::Fewer(least) => (left >= *least).then_some(Show::Uint(left)),
            Ahead::Enough(least) => (left < *least).then_some(Show::Uint(left)),
            #[cfg(feature = "alloc")]
            Ahead::Reads(reads) | Ahead::Valid(reads) | Ahead::View(reads) => {
                if !self.keeps {
                    *unseen = Unseen::All;
                    return None;
                }
                let index = |offset: u64| usize::try_from(offset).unwrap_or(usize::MAX);
                let all = self.written(0, index(total))?;
                let cur = crate::Cursor::within(all, index(entry.at)..index(end));
                if cur.is_none() && matches!(entry.what, Ahead::View(_)) {
                    return Some(Show::Nothing);
                }
                let mut cur = cur?;
                (cur.fill, cur.order) = (crate::Fill::Open, entry.order);
                cur.origin = index(entry.origin);
                (!reads(&mut cur)).then_some(Show::Nothing)
            }
            Ahead::Last(end) => {
                if !self.keeps {
                    *unseen = Unseen::EVERYTHING;
                    return None;
                }
                let len = usize::try_from(left).unwrap_or(usize::MAX);
                let bytes = self.written(entry.at, len)?;
                let last = bytes.windows(end.len().max(1)).rposition(|window| window == *end);
                (last != Some(0)).then(|| last.map_or(Show::Nothing, |at| Show::Uint(wide(at))))
            }
            Ahead::ComesOr(_, least) if left < *least => None,
            _ if !self.keeps => {
                *unseen = (*unseen).max(Unseen::Places);
                None
            }
            what => {
                let most = wide(what.most()).min(left);
                // A stream has been looked at before.
                let bytes = self.written(entry.at, usize::try_from(most).unwrap_or(usize::MAX))?;
                let head = bytes.get(..8).unwrap_or(bytes);
                (!what.begins(bytes)).then(|| Show::bytes(head))
            }
        }
    }

    #[cold]
    fn not_ahead(&mut self, at: u64, what: &Ahead, found: Show) -> Fault {
        let (code, text, expected) = match what {
            Ahead::Fewer(_) => {
                ("until", "what follows the field would be read as a part of it", Show::Nothing)
            }
            Ahead::Enough(least) => (
                "until",
                "a reader would stop in front of the last item, where too few bytes are left",
                Show::Uint(*least),
            ),
            Ahead::NotYet(_) => (
                "until",
                "the item begins with what ends the sequence when it is read",
                Show::Nothing,
            ),
            Ahead::Comes(end) | Ahead::ComesOr(end, _) => {
                ("until", "what follows does not begin with what ends the value", Show::bytes(end))
            }
            Ahead::Last(end) => (
                "until",
                "a reader would end the value at another place of what ends it",
                Show::bytes(end),
            ),
            Ahead::Absent(_) | Ahead::NoneOf(_) => (
                "optional",
                "the field is absent, and what follows begins with its magic",
                Show::Nothing,
            ),
            #[cfg(feature = "alloc")]
            Ahead::Valid(_) => (
                "level",
                "a validator would report an error: `level` makes one of what the value keeps",
                Show::Nothing,
            ),
            #[cfg(feature = "alloc")]
            Ahead::View(_) => (
                "view",
                "other bytes are written where the view lies; make it say what the field says that has them",
                Show::Nothing,
            ),
            _ => ("variant", "the value would be read back as another variant", Show::Nothing),
        };
        self.fail_at(at, code, format_args!("{text}"), expected, found)
    }
}
