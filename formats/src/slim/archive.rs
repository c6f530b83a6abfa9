//! Static libraries: each object file by itself, and around it what says where members lie.

use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use binfmt_runtime::{Auto, BinFormat};
use object::read::archive::{ArchiveFile, ArchiveKind, ArchiveMember};

use super::image::{Piece, append};
use super::refusal::{ARCHIVE, DAMAGED, DIFFERENT, NO_CODE, Refusal};
use super::{Note, Options, Plan, bytes_of};
use crate::shared::wide;

/// The first bytes of an archive, and of one that only names its members.
pub(super) const MAGIC: &[u8] = b"!<arch>\n";
pub(super) const THIN_MAGIC: &[u8] = b"!<thin>\n";

/// The length of the header of a member, and where in it the size stands.
const HEADER_LEN: u64 = 60;
const SIZE_AT: u64 = 48;

/// The places of a symbol table: those of the headers of the members that define the symbols.
#[derive(BinFormat, Debug, PartialEq, Eq)]
#[bin(big)]
struct Places {
    count: Auto<u32>,
    #[bin(count = count)]
    places: Vec<u32>,
}

/// The same for archives of more than 4 GiB.
#[derive(BinFormat, Debug, PartialEq, Eq)]
#[bin(big)]
struct LongPlaces {
    count: Auto<u64>,
    #[bin(count = count)]
    places: Vec<u64>,
}

/// A file in an archive, and what would be done to it.
#[derive(Debug, Clone)]
pub struct Inside {
    /// Its name.
    pub name: String,
    /// Where it lies in the old archive.
    pub range: Range<u64>,
    /// What would be done to it; `None` where it stays as it is.
    pub plan: Option<Plan>,
}

/// An archive that can be written again.
struct Archive<'a> {
    file: &'a [u8],
    parsed: ArchiveFile<'a>,
}

impl<'a> Archive<'a> {
    fn parse(file: &'a [u8]) -> Result<Self, Refusal> {
        let refused =
            |what: &str| Refusal::new(&ARCHIVE, ("", 0), "members and GNU's tables", what);
        if file.starts_with(THIN_MAGIC) {
            return Err(refused("a thin archive, whose members are other files"));
        }
        let parsed = ArchiveFile::parse(file).map_err(|error| damaged(0, &error))?;
        match parsed.kind() {
            ArchiveKind::Gnu | ArchiveKind::Gnu64 | ArchiveKind::Unknown => {
                Ok(Self { file, parsed })
            }
            other => Err(refused(&alloc::format!("an archive of the kind {other:?}"))),
        }
    }

    fn members(&self) -> impl Iterator<Item = Result<ArchiveMember<'a>, Refusal>> {
        let mut at = 0;
        self.parsed.members().map(move |member| {
            let member = member.map_err(|error| damaged(at, &error))?;
            let (start, len) = member.file_range();
            at = start.saturating_add(len);
            if bytes_of(self.file, start, at).is_none() {
                let found = alloc::format!("one that ends at {at:#x}");
                return Err(Refusal::new(&DAMAGED, ("", start), "a whole member", found));
            }
            // Its name would be a part of its bytes.
            if member.header().is_none_or(|header| header.name.starts_with(b"#1/")) {
                let found = "a name that stands in front of the bytes";
                return Err(Refusal::new(&ARCHIVE, ("", start), "a name in the header", found));
            }
            Ok(member)
        })
    }

    /// Where the bytes of the symbol table lie, if there is one.
    fn symbols(&self) -> Result<Option<Range<u64>>, Refusal> {
        let first = wide(MAGIC.len()).saturating_add(HEADER_LEN);
        let size = match self.parsed.symbols() {
            Ok(Some(_)) => bytes_of(
                self.file,
                wide(MAGIC.len()).saturating_add(SIZE_AT),
                first.saturating_sub(2),
            ),
            Ok(None) => return Ok(None),
            Err(error) => return Err(damaged(first, &error)),
        };
        let size = size.and_then(|size| core::str::from_utf8(size).ok()?.trim_ascii().parse().ok());
        let end = size.and_then(|size| first.checked_add(size));
        end.map(|end| Some(first..end)).ok_or_else(|| damaged(first, &"a size that is no number"))
    }
}

fn damaged(at: u64, error: &dyn core::fmt::Display) -> Refusal {
    Refusal::new(&DAMAGED, ("", at), "a sound archive", error)
}

/// What one member becomes; `Err` is why all of the archive is refused.
fn plan_member(bytes: &[u8], options: &Options) -> Result<Result<Plan, Refusal>, Refusal> {
    match super::plan(bytes, options) {
        Err(refusal) if refusal.is_of_device() => Err(refusal),
        plan => Ok(plan),
    }
}

/// Plans every member that has device code. What is refused stays, and is told.
pub(super) fn plan(file: &[u8], options: &Options) -> Result<Plan, Refusal> {
    let archive = Archive::parse(file)?;
    symbol_names(&archive)?;
    let (mut inside, mut notes, mut containers) = (Vec::new(), Vec::new(), Vec::new());
    let mut refused = None;
    for member in archive.members() {
        let member = member?;
        let name = String::from_utf8_lossy(member.name()).into_owned();
        let (start, len) = member.file_range();
        let range = start..start.saturating_add(len);
        let bytes = bytes_of(file, range.start, range.end).unwrap_or_default();
        let plan = plan_member(bytes, options).map_err(|refusal| refusal.inside(&name, start))?;
        if let Err(refusal) = &plan
            && super::may_have_code(bytes)
        {
            let refusal = refusal.clone().inside(&name, start);
            refused.get_or_insert_with(|| refusal.clone());
            notes.push(Note::Left(refusal));
        }
        let plan = plan.ok();
        if let Some(plan) = &plan {
            containers.extend(plan.containers.iter().map(|it| it.inside(&name, start)));
            notes.extend(plan.notes.iter().cloned());
        }
        inside.push(Inside { name, range, plan: plan.filter(|plan| plan.changes) });
    }
    let changes = inside.iter().any(|it| it.plan.is_some());
    match refused {
        Some(refusal) if !changes => return Err(refusal),
        None if containers.is_empty() => {
            let place = ("members", wide(MAGIC.len()));
            return Err(Refusal::new(&NO_CODE, place, "a member with device code", "none"));
        }
        _ => {}
    }
    let pieces = pieces(&archive, &inside)?;
    let references = Vec::new();
    Ok(Plan { containers, notes, changes, inside, pieces, references, changed: Vec::new() })
}

/// The new archive: the old one but for members that change, their sizes, and the symbol table.
fn pieces(archive: &Archive<'_>, inside: &[Inside]) -> Result<Vec<Piece>, Refusal> {
    let mut pieces = Vec::new();
    let mut at = wide(MAGIC.len());
    append(&mut pieces, Piece::Copy(0..at));
    if let Some(table) = archive.symbols()? {
        append(&mut pieces, Piece::Copy(at..table.start));
        let new = symbols(archive, &table, inside)?;
        at = table.start.saturating_add(wide(new.len()));
        append(&mut pieces, Piece::Bytes(new));
    }
    for Inside { range, plan, .. } in inside {
        let Some(plan) = plan else { continue };
        let size = range.start.saturating_sub(HEADER_LEN).saturating_add(SIZE_AT);
        append(&mut pieces, Piece::Copy(at..size));
        let text = alloc::format!("{:<10}`\n", plan.new_len());
        append(&mut pieces, Piece::Bytes(text.into_bytes()));
        for piece in &plan.pieces {
            append(&mut pieces, piece.clone().moved(range.start));
        }
        at = range.end;
        let padding = at.checked_rem(2) == Some(1) && at < wide(archive.file.len());
        at = at.saturating_add(u64::from(padding));
        if plan.new_len().checked_rem(2) == Some(1) {
            append(&mut pieces, Piece::Bytes(b"\n".to_vec()));
        }
    }
    append(&mut pieces, Piece::Copy(at..wide(archive.file.len())));
    Ok(pieces)
}

/// The places of the symbol table, moved; the names behind them stay.
fn symbols(
    archive: &Archive<'_>,
    table: &Range<u64>,
    inside: &[Inside],
) -> Result<Vec<u8>, Refusal> {
    let bytes = bytes_of(archive.file, table.start, table.end).unwrap_or_default();
    let shift = Shift::new(inside);
    let place = |at: u64| {
        let found = alloc::format!("{at:#x}");
        let place = shift.of(at);
        place.ok_or_else(|| {
            Refusal::new(&DAMAGED, ("/", table.start), "the place of a member", found)
        })
    };
    let broken = |error: binfmt_runtime::Error| damaged(table.start, &error);
    if archive.parsed.kind() == ArchiveKind::Gnu64 {
        let (mut long, _) = LongPlaces::parse_prefix(bytes).map_err(broken)?;
        for at in &mut long.places {
            *at = place(*at)?;
        }
        return long.to_vec().map_err(broken);
    }
    let (mut short, _) = Places::parse_prefix(bytes).map_err(broken)?;
    for at in &mut short.places {
        // Nothing moves behind its old place.
        *at = u32::try_from(place(u64::from(*at))?).unwrap_or(*at);
    }
    short.to_vec().map_err(broken)
}

/// Where the headers of members are in the old archive and in the new one, in order.
struct Shift(Vec<(u64, u64)>);

impl Shift {
    fn new(inside: &[Inside]) -> Self {
        let mut gone = 0_u64;
        let places = inside.iter().map(|it| {
            let header = it.range.start.saturating_sub(HEADER_LEN);
            let place = (header, header.saturating_sub(gone));
            if let Some(plan) = &it.plan {
                let even = |len: u64| len.saturating_add(len.checked_rem(2).unwrap_or(0));
                let len = it.range.end.saturating_sub(it.range.start);
                gone = gone.saturating_add(even(len).saturating_sub(even(plan.new_len())));
            }
            place
        });
        Self(places.collect())
    }

    fn of(&self, header: u64) -> Option<u64> {
        let index = self.0.binary_search_by_key(&header, |place| place.0).ok()?;
        self.0.get(index).map(|place| place.1)
    }
}

/// Compares a new archive with the old one, as far as it is more than its bytes.
pub(super) fn check(old: &[u8], new: &[u8], plan: &Plan) -> Result<(), Refusal> {
    let (was, is) = (Archive::parse(old)?, Archive::parse(new)?);
    let mut members = is.members();
    for (inside, old_member) in plan.inside.iter().zip(was.members()) {
        let (old_member, Some(new_member)) = (old_member?, members.next()) else {
            return Err(different(0, "a member", "none"));
        };
        let (new_member, place) = (new_member?, inside.range.start);
        let facts =
            |it: &ArchiveMember<'_>| (it.name().to_vec(), it.date(), it.uid(), it.gid(), it.mode());
        if facts(&old_member) != facts(&new_member) {
            return Err(different(place, "the same name, time and owner", "others"));
        }
        let (start, len) = new_member.file_range();
        let bytes = bytes_of(new, start, start.saturating_add(len)).unwrap_or_default();
        let before = bytes_of(old, inside.range.start, inside.range.end).unwrap_or_default();
        match &inside.plan {
            Some(plan) => super::check(before, bytes, plan)
                .map_err(|refusal| refusal.inside(&inside.name, place))?,
            None if before != bytes => return Err(different(place, "the same bytes", "others")),
            None => {}
        }
    }
    if members.next().is_some() || symbol_names(&was)? != symbol_names(&is)? {
        return Err(different(0, "the same members and symbols", "others"));
    }
    Ok(())
}

fn different(at: u64, expected: &str, found: &str) -> Refusal {
    Refusal::new(&DIFFERENT, ("members", at), expected, found)
}

/// A symbol, and the name of the member that defines it.
type Named<'a> = (&'a [u8], &'a [u8]);

fn symbol_names<'a>(archive: &Archive<'a>) -> Result<Vec<Named<'a>>, Refusal> {
    let broken = |error: object::Error| damaged(0, &error);
    let Some(symbols) = archive.parsed.symbols().map_err(broken)? else { return Ok(Vec::new()) };
    let named = symbols.map(|symbol| {
        let symbol = symbol.map_err(broken)?;
        let member = archive.parsed.member(symbol.offset()).map_err(broken)?;
        Ok((symbol.name(), member.name()))
    });
    named.collect()
}
