//! What readers decide by bytes that come later: looked at when all is written.
//!
//! Whether an optional field is there, which variant a value is and where a sequence ends is decided
//! by the bytes up to the end of the region, whoever writes them. So writers keep a list of what
//! readers must find, and at which places.

mod look;

use super::Writer;
use crate::finding::{Fault, Show};
use crate::layout::Layout;

/// What a reader must find between a place and the end of the region there.
pub enum Ahead {
    /// Anything: what stands here is written later, and what it looks at ends where this does.
    Later,
    /// Fewer bytes than this: it goes on while there are as many.
    Fewer(u64),
    /// At least so many bytes: it stops where there are fewer.
    Enough(u64),
    /// One of the magics of a variant, if it has any, and none of an earlier one.
    Variant(&'static [&'static [u8]], &'static [&'static [u8]]),
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
    NoneOf(&'static Layout, crate::Order),
    /// Bytes of which it reads the variant that was written.
    #[cfg(feature = "alloc")]
    Reads(alloc::boxed::Box<dyn Fn(&mut crate::Cursor<'_>) -> crate::union::Probed>),
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
    /// What a reader pays for values whose variants it finds by trying.
    pub(super) tried: u64,
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
        (self.unseen, self.tried) = (Unseen::Nothing, 0);
    }

    /// What readers pay at most for what they try and search, where the output has so many bytes.
    pub(super) fn tried(&self, len: u64) -> u64 {
        let searched = self.list.iter().filter(|entry| matches!(entry.what, Ahead::Last(_)));
        len.saturating_mul(crate::ops::wide(searched.count())).saturating_add(self.tried)
    }

    /// Whether something must be there that no pass has looked at.
    #[cfg(feature = "alloc")]
    pub(super) fn is_unseen(&self) -> bool {
        self.unseen != Unseen::Nothing
    }

    /// The places at which bytes are looked at, and how many there.
    #[cfg(feature = "std")]
    pub(super) fn places(&self) -> impl Iterator<Item = (u64, usize)> {
        let looks = self.list.iter().filter(|entry| entry.what.most() > 0);
        looks.map(|entry| (entry.at, entry.what.most()))
    }
}

impl Writer<'_> {
    /// A reader must find this from here, or from `behind` bytes further, on; the number of the entry.
    pub fn ahead(&mut self, behind: u64, what: Ahead) -> Result<usize, Fault> {
        // The list is made once, and looked at wherever there are bytes.
        if !self.rules() || self.is_replay() {
            return Ok(0);
        }
        let at = self.pos().saturating_add(behind);
        self.ahead_at(at, what)
    }

    /// A reader must find fewer bytes than this between an offset and the end of the region.
    pub(crate) fn fewer_at(&mut self, at: u64, least: u64) -> Result<(), Fault> {
        if !self.rules() || self.is_replay() {
            return Ok(());
        }
        self.ahead_at(at, Ahead::Fewer(least)).map(drop)
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
        if !self.rules() || self.is_replay() {
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
        if !self.rules() || self.is_replay() || self.book.is_none() {
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
}
