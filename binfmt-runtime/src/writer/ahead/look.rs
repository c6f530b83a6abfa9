//! A look at what lies where readers decide by it, when all is written.

use super::{Ahead, Aheads, Entry, Unseen};
use crate::finding::{Fault, Show};
use crate::ops::wide;
#[cfg(feature = "alloc")]
use crate::union::Probed;
use crate::writer::Writer;
#[cfg(feature = "alloc")]
use crate::{Cursor, Limits};

impl Ahead {
    /// How many bytes are looked at.
    pub(super) fn most(&self) -> usize {
        match self {
            Self::Variant(own, others) => {
                own.iter().chain(*others).map(|bytes| bytes.len()).max().unwrap_or(0)
            }
            Self::NotYet(end) | Self::Comes(end) | Self::ComesOr(end, _) => end.len(),
            Self::Absent(magics) => magics.iter().map(|bytes| bytes.len()).max().unwrap_or(0),
            Self::NoneOf(layout, _) => layout.head(),
            _ => 0,
        }
    }

    /// The same of so many bytes that are left.
    #[cfg(feature = "std")]
    fn most_of(&self, left: u64) -> u64 {
        match self {
            Self::Later | Self::Fewer(_) | Self::Enough(_) => 0,
            Self::Reads(_) | Self::Valid(_) | Self::View(_) | Self::Last(_) => left,
            _ => wide(self.most()).min(left),
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
                let begins = |one: &&[u8]| bytes.starts_with(one);
                (own.is_empty() || own.iter().any(begins)) && !others.iter().any(begins)
            }
            Self::NotYet(end) => !bytes.starts_with(end),
            Self::Comes(end) | Self::ComesOr(end, _) => bytes.starts_with(end),
            Self::Absent(magics) => !magics.iter().any(|magic| bytes.starts_with(magic)),
            Self::NoneOf(layout, order) => !layout.begins(bytes, *order),
            _ => true,
        }
    }
}

/// What has been looked at so far.
#[derive(Default)]
struct Looked {
    unseen: Unseen,
    /// What a reader pays for values whose variants it finds by trying.
    #[cfg(feature = "alloc")]
    cost: u64,
    /// Where the last of them ends: what begins in front of that is part of it.
    #[cfg(feature = "alloc")]
    paid: u64,
}

impl Looked {
    /// What a reader pays.
    fn tried(&self) -> u64 {
        #[cfg(feature = "alloc")]
        return self.cost;
        #[cfg(not(feature = "alloc"))]
        0
    }
}

#[cfg(feature = "alloc")]
impl Looked {
    /// What is wrong where a reader has tried variants, if anything is: the cost, or nothing it can show.
    fn at_probed(&mut self, at: u64, probed: Probed, cur: &Cursor<'_>) -> Option<Show> {
        let budget = Limits::for_input(cur.file().len()).left();
        let cost = match probed {
            Probed::Otherwise => return Some(Show::Nothing),
            Probed::TooDear => return Some(Show::Uint(budget)),
            Probed::AsWritten(_) if at < self.paid => return None,
            Probed::AsWritten(cost) => cost,
        };
        self.cost = self.cost.saturating_add(cost);
        self.paid = wide(cur.pos());
        (self.cost > budget).then_some(Show::Uint(self.cost))
    }
}

/// A reader at an entry, up to an end, in all that is written; `None` where it does not lie there.
#[cfg(feature = "alloc")]
fn reader<'a>(all: &'a [u8], entry: &Entry, end: u64) -> Option<Cursor<'a>> {
    let mut cur = Cursor::within(all, index(entry.at)..index(end))?;
    (cur.fill, cur.order) = (crate::Fill::Open, entry.order);
    cur.origin = index(entry.origin);
    Some(cur)
}

/// An offset in memory.
#[cfg(feature = "alloc")]
fn index(offset: u64) -> usize {
    usize::try_from(offset).unwrap_or(usize::MAX)
}

impl Writer<'_> {
    /// Looks at all that readers must find.
    pub(crate) fn look_ahead(&mut self) -> Result<(), Fault> {
        let Some(book) = &mut self.book else { return Ok(()) };
        if book.aheads.list.is_empty() {
            return Ok(());
        }
        let aheads = core::mem::take(&mut book.aheads);
        let mut looked = Looked { unseen: aheads.unseen, ..Looked::default() };
        let mut wrong = |rank: u8| {
            let list = aheads.list.iter().enumerate();
            let mut list = list.filter(|(_, entry)| entry.what.rank() == rank);
            list.find_map(|(index, entry)| {
                let found = self.look_at(entry, &mut looked)?;
                Some((index, found, entry.at))
            })
        };
        let failed = (0..=2).find_map(&mut wrong);
        if let Some(book) = &mut self.book {
            let failed = failed.map(|(index, found, _)| (index, found)).or(aheads.failed);
            let tried = looked.tried();
            book.aheads = Aheads { failed, unseen: looked.unseen, tried, ..aheads };
        }
        match failed {
            Some((_, _, at)) => Err(Fault::at(usize::try_from(at).unwrap_or(usize::MAX))),
            None => Ok(()),
        }
    }

    /// What is wrong at an entry, if anything is.
    fn look_at(&mut self, entry: &Entry, looked: &mut Looked) -> Option<Show> {
        let total = self.pos();
        let end = entry.end.unwrap_or(total).min(total);
        let left = end.saturating_sub(entry.at);
        #[cfg(feature = "std")]
        if self.keeps {
            self.looks_at(entry.at, entry.at.saturating_add(entry.what.most_of(left)));
        }
        match &entry.what {
            Ahead::Later => None,
            Ahead::Fewer(least) => (left >= *least).then_some(Show::Uint(left)),
            Ahead::Enough(least) => (left < *least).then_some(Show::Uint(left)),
            #[cfg(feature = "alloc")]
            Ahead::Reads(_) | Ahead::Valid(_) | Ahead::View(_) if !self.keeps => {
                looked.unseen = Unseen::All;
                None
            }
            #[cfg(feature = "alloc")]
            Ahead::Reads(reads) => {
                let mut cur = reader(self.written(0, index(total))?, entry, end)?;
                looked.at_probed(entry.at, reads(&mut cur), &cur)
            }
            #[cfg(feature = "alloc")]
            Ahead::Valid(reads) | Ahead::View(reads) => {
                match reader(self.written(0, index(total))?, entry, end) {
                    Some(mut cur) => (!reads(&mut cur)).then_some(Show::Nothing),
                    None => matches!(entry.what, Ahead::View(_)).then_some(Show::Nothing),
                }
            }
            Ahead::Last(end) => {
                if !self.keeps {
                    looked.unseen = Unseen::EVERYTHING;
                    return None;
                }
                let len = usize::try_from(left).unwrap_or(usize::MAX);
                let bytes = self.written(entry.at, len)?;
                let last = bytes.windows(end.len().max(1)).rposition(|window| window == *end);
                (last != Some(0)).then(|| last.map_or(Show::Nothing, |at| Show::Uint(wide(at))))
            }
            Ahead::ComesOr(_, least) if left < *least => None,
            _ if !self.keeps => {
                looked.unseen = looked.unseen.max(Unseen::Places);
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
    pub(super) fn not_ahead(&mut self, at: u64, what: &Ahead, found: Show) -> Fault {
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
            Ahead::Absent(_) | Ahead::NoneOf(..) => (
                "optional",
                "the field is absent, and what follows begins with its magic",
                Show::Nothing,
            ),
            #[cfg(feature = "alloc")]
            Ahead::Reads(_) if found != Show::Nothing => (
                "budget",
                "readers try variants of this value, and of those inside it, for more than their budget",
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
                "other bytes are written where the view lies, or numbers and checksums in it are wrong; make it say what the field says that has them",
                Show::Nothing,
            ),
            _ => ("variant", "the value would be read back as another variant", Show::Nothing),
        };
        self.fail_at(at, code, format_args!("{text}"), expected, found)
    }
}
