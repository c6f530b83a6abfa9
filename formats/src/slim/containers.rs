//! The containers of a part of a file, and what becomes of their entries.

use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use binfmt_runtime::{BinFormat, Class, Error};

use super::Options;
use super::choose::{Code, Fate, fates, lost};
use super::refusal::{DAMAGED, JUNK, LOST, Refusal};
use crate::fatbin::{Container, Item, Magic, Region};
use crate::shared::{is_zero, wide, zeros_at};

/// The length of a gap, which is repeated.
const WORD: usize = 8;

/// Why a container stays where it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Pin {
    /// Nothing that can be changed leads to it.
    Unreferenced,
    /// Something else than a wrapper points to its start.
    Pointer,
    /// A symbol that others see stands for it.
    Symbol,
    /// Code computes its address.
    Code,
    /// Something points into it: it is not changed at all.
    Inside,
    /// A relocation lies in it: it is not changed at all.
    Relocated,
    /// It is not as the tools write it: it is not changed at all.
    Odd,
}

impl Pin {
    /// Whether the container must not be changed at all.
    pub const fn is_whole(self) -> bool {
        matches!(self, Self::Inside | Self::Relocated | Self::Odd)
    }

    /// The reason in a few words.
    pub const fn text(self) -> &'static str {
        match self {
            Self::Unreferenced => "nothing is known to lead to it",
            Self::Pointer => "something else than a wrapper points to it",
            Self::Symbol => "a symbol that others see stands for it",
            Self::Code => "code computes its address",
            Self::Inside => "something points into it",
            Self::Relocated => "a relocation lies in it",
            Self::Odd => "it is not as the tools write it",
        }
    }
}

/// An entry of a container, and what becomes of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member {
    /// Where it lies in the file, header and padding included.
    pub range: Range<u64>,
    /// What it is.
    pub code: Code,
    /// Whether it stays, and why.
    pub fate: Fate,
}

/// A container, and what becomes of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// The section that it lies in, or `file`.
    pub part: String,
    /// The member of an archive that it lies in.
    pub member: Option<String>,
    /// Where it lies in the file.
    pub range: Range<u64>,
    /// Where its first entry begins, from its start.
    pub header_len: u64,
    /// Its entries.
    pub members: Vec<Member>,
    /// Why it stays where it is.
    pub pin: Option<Pin>,
    /// Where it will be, in bytes of the old file before anything is taken out.
    pub place: u64,
    /// Its address in memory; its offset in a file that is not loaded.
    pub(super) address: u64,
}

impl Found {
    /// Its length.
    pub fn len(&self) -> u64 {
        self.range.end.saturating_sub(self.range.start)
    }

    /// Whether it has no entries.
    pub fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    /// What it is called in messages.
    pub fn path(&self) -> String {
        alloc::format!("{}:container", self.part)
    }

    /// The entries that stay.
    pub fn kept(&self) -> impl Iterator<Item = &Member> {
        self.members.iter().filter(|member| member.fate.stays())
    }

    /// The entries that go.
    pub fn dropped(&self) -> impl Iterator<Item = &Member> {
        self.members.iter().filter(|member| !member.fate.stays())
    }

    /// Its length without the entries that go.
    pub fn new_len(&self) -> u64 {
        let gone = self.dropped().map(|it| it.range.end.saturating_sub(it.range.start));
        self.len().saturating_sub(gone.fold(0_u64, u64::saturating_add))
    }

    /// The same, of a file inside another.
    pub(super) fn inside(&self, member: &str, start: u64) -> Self {
        let moved =
            |range: &Range<u64>| range.start.saturating_add(start)..range.end.saturating_add(start);
        let mut found = self.clone();
        found.member = Some(member.into());
        found.range = moved(&found.range);
        found.place = found.place.saturating_add(start);
        for entry in &mut found.members {
            entry.range = moved(&entry.range);
        }
        found
    }

    pub(super) fn is_movable(&self) -> bool {
        self.pin.is_none()
    }

    /// Decides what becomes of the entries.
    pub(super) fn choose(&mut self, options: &Options) -> Result<(), Refusal> {
        if self.pin.is_some_and(Pin::is_whole) {
            self.members.iter_mut().for_each(|member| member.fate = Fate::Untouched);
            return Ok(());
        }
        let len = |member: &Member| member.range.end.saturating_sub(member.range.start);
        let codes: Vec<_> = self.members.iter().map(|it| (it.code, len(it))).collect();
        let fates = fates(&codes, options);
        if let Some(device) = lost(&codes, &fates, options) {
            let expected = alloc::format!("code for sm_{device}");
            return Err(Refusal::new(&LOST, (&self.path(), self.range.start), expected, "none"));
        }
        for (member, fate) in self.members.iter_mut().zip(fates) {
            member.fate = fate;
        }
        Ok(())
    }
}

/// All containers of a part of a file, in order. Between and behind them are zeros.
pub(super) fn find(file: &[u8], part: &str, range: Range<u64>) -> Result<Vec<Found>, Refusal> {
    find_among(file, part, range, &[])
}

/// The same in a file of which some ranges, in order, are known to be zeros.
pub(super) fn find_among(
    file: &[u8],
    part: &str,
    range: Range<u64>,
    zeros: &[Range<u64>],
) -> Result<Vec<Found>, Refusal> {
    let bounds = usize::try_from(range.start).ok().zip(usize::try_from(range.end).ok());
    let bounds = bounds.filter(|(start, end)| start <= end && *end <= file.len());
    let Some((start, end)) = bounds else {
        return Err(Refusal::new(&DAMAGED, (part, range.start), wide(file.len()), range.end));
    };
    let items = |start| {
        let region = Region::parse_in(file, start..end, ());
        region.map(|it| it.items.iter()).map_err(|error| damaged(part, wide(start), &error))
    };
    let mut rest = items(start)?;
    let mut found = Vec::new();
    loop {
        let offset = rest.offset().unwrap_or(range.end);
        let at = usize::try_from(offset).unwrap_or(end);
        match rest.next() {
            Some(Ok(Item::Container(container))) => {
                found.push(read(part, offset, &container)?);
            }
            // Gaps can be as long as what was taken out, so nobody goes through their words.
            Some(Ok(Item::Gap)) => rest = items(behind_gap(file, at, end, zeros))?,
            Some(Err(error)) => return Err(damaged(part, offset, &error)),
            None => {
                if is_zero(file.get(at..end).unwrap_or_default()) {
                    return Ok(found);
                }
                return Err(Refusal::new(&JUNK, (part, offset), "zeros", "other bytes"));
            }
        }
    }
}

/// Where the whole words of zeros end that begin at `at`.
fn behind_gap(file: &[u8], at: usize, end: usize, known: &[Range<u64>]) -> usize {
    let before = known.partition_point(|zeros| zeros.end <= wide(at));
    let known = known.get(before).filter(|zeros| zeros.start <= wide(at));
    let unread = known.and_then(|zeros| usize::try_from(zeros.end).ok()).unwrap_or(at).min(end);
    let read = zeros_at(file.get(unread..end).unwrap_or_default());
    let zeros = unread.saturating_add(read).saturating_sub(at);
    let words = zeros.saturating_sub(zeros.checked_rem(WORD).unwrap_or(0)).max(WORD);
    at.saturating_add(words).min(end)
}

/// What stops the reader in the magic of a container that begins there is junk, else it is damage.
fn damaged(part: &str, start: u64, error: &Error) -> Refusal {
    let finding = error.finding();
    let is_junk = finding.start == start && finding.class == Class::Malformed;
    let rule = if is_junk { &JUNK } else { &DAMAGED };
    let expected = if rule == &JUNK { "containers and zeros" } else { "a whole container" };
    Refusal::new(rule, (part, finding.start), expected, error)
}

fn read(part: &str, offset: u64, container: &Container<'_>) -> Result<Found, Refusal> {
    let header_len = u64::from(container.header_len);
    let end = offset.saturating_add(header_len).saturating_add(container.size);
    let mut members = Vec::new();
    let mut entries = container.entries.iter();
    let mut at = entries.offset().unwrap_or(offset);
    while let Some(entry) = entries.next() {
        let entry = entry.map_err(|error| damaged(part, offset, &error))?;
        let next = entries.offset().unwrap_or(end);
        members.push(Member { range: at..next, code: Code::of(&entry), fate: Fate::Untouched });
        at = next;
    }
    let odd = at != end || container.magic != Magic::Container;
    Ok(Found {
        part: part.into(),
        member: None,
        range: offset..end,
        header_len,
        members,
        pin: odd.then_some(Pin::Odd),
        place: offset,
        address: offset,
    })
}
