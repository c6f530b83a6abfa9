//! New buffers: tables are written forward, each before what it points at.

mod table;
mod values;

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec::Vec;
use core::fmt;

pub use self::table::Part;
use super::{FlatTable, FlatValue, Near};
use crate::finding::{Class, Error, Finding, Problem, Severity, Show};
use crate::layout::{Layout, RuleLayout};
use crate::ops::wide;
use crate::stack::Stack;
use crate::text::Text;
use crate::walk::declared;

/// Where a value begins that has been written into a new buffer.
pub type Built = Result<usize, Error>;

/// A value that can be written into a new buffer.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be put into a new buffer",
    note = "use numbers, texts, bytes and types with `#[bin(flatbuffer)]`, whose fields all can be"
)]
pub trait FlatBuild<'a>: FlatValue<'a> {
    /// Writes the value: over the bytes at `at`, or behind everything if it is reached through an
    /// offset. Returns where it begins.
    fn put(&self, out: &mut Builder, at: usize) -> Result<usize, Error>;

    /// Whether the value is what stands for an absent one, so that it need not be stored.
    fn is_default(&self, _default: &Self) -> bool {
        false
    }

    /// A whole buffer with this table at its root, of what is declared: a table that was read loses the
    /// slots that are not.
    ///
    /// Numbers that are their defaults, and empty texts and vectors that are neither in an `Option` nor
    /// `required`, are left out, as by other writers; but an empty `FbVec` that was read from a buffer is
    /// stored again, for there are readers who want it.
    ///
    /// ```
    /// use binfmt_runtime::{BinFormat, FbVec, FlatBuffer, FlatBuild};
    ///
    /// #[derive(BinFormat, Debug, PartialEq)]
    /// #[bin(flatbuffer, identifier = b"LINE")]
    /// struct Line<'a> {
    ///     #[bin(slot = 0)]
    ///     name: &'a str,
    ///     #[bin(slot = 1)]
    ///     points: FbVec<'a, i32>,
    /// }
    ///
    /// let line = Line { name: "coast", points: FbVec::from(&[3, -4][..]) };
    /// let bytes = line.to_buffer()?;
    /// assert_eq!(FlatBuffer::<Line>::parse(&bytes)?.root()?, line);
    /// # Ok::<(), binfmt_runtime::Error>(())
    /// ```
    fn to_buffer(&self) -> Result<Vec<u8>, Error>
    where
        Self: FlatTable<'a>,
    {
        self.to_buffer_within(MOST)
    }

    /// A whole buffer of `limit` bytes at most, as [`to_buffer`](Self::to_buffer) makes it.
    ///
    /// What was read may lead to the same tables again and again, and every time they are written.
    fn to_buffer_within(&self, limit: u64) -> Result<Vec<u8>, Error>
    where
        Self: FlatTable<'a>,
    {
        whole(self, Builder::within(limit))
    }

    /// A whole buffer as [`to_buffer`](Self::to_buffer) makes it, whatever the rules of the tables say, and
    /// however deep they nest, for which the stack has to do: what a test of a validator reads.
    fn to_buffer_unruled(&self) -> Result<Vec<u8>, Error>
    where
        Self: FlatTable<'a>,
    {
        whole(self, Builder { rules: false, ..Builder::within(MOST) })
    }
}

/// A buffer with a table at its root.
fn whole<'a, T>(table: &T, mut out: Builder) -> Result<Vec<u8>, Error>
where
    T: FlatBuild<'a> + FlatTable<'a>,
{
    let root = out.reserve(4, 4)?;
    if let Some(identifier) = T::IDENTIFIER {
        out.append(&identifier, 1)?;
    }
    let at = table.put(&mut out, root)?;
    out.point(root, at)?;
    Ok(out.bytes)
}

/// A union that can be written into a new buffer.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no union of tables that can be built",
    note = "declare it with `#[bin(flatbuffer)]` and an `id` for each variant"
)]
pub trait FlatBuildUnion<'a> {
    /// Which variant it is.
    fn tag(&self) -> u8;

    /// Writes its table behind everything, and returns where that begins.
    fn put(&self, out: &mut Builder) -> Result<usize, Error>;
}

/// How large a buffer can be: offsets of vtables are signed.
const MOST: u64 = 0x7fff_ffff;

/// A buffer that is being written. Alignments count from its start.
pub struct Builder {
    bytes: Vec<u8>,
    /// How many bytes it may have.
    limit: u64,
    /// How many more bytes may be written of what was read, and the files that it was read from.
    allowed: u64,
    files: BTreeSet<(usize, usize)>,
    /// Whether what is being written was read.
    is_read: bool,
    /// Whether tables must obey their rules.
    rules: bool,
    /// How deep the table nests that is being written.
    near: Near,
    /// Where each vtable begins that has been written, so that equal ones are written once.
    vtables: BTreeMap<Vec<u8>, usize>,
}

impl fmt::Debug for Builder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Builder").field("len", &self.bytes.len()).finish_non_exhaustive()
    }
}

impl Builder {
    fn within(limit: u64) -> Self {
        Self {
            bytes: Vec::new(),
            limit: limit.min(MOST),
            allowed: 0,
            files: BTreeSet::new(),
            is_read: false,
            rules: true,
            near: Near::new(0, 0, Stack::EMPTY),
            vtables: BTreeMap::new(),
        }
    }

    /// Whether tables must obey their rules.
    pub fn checks(&self) -> bool {
        self.rules
    }

    /// A rule of a field of a table, by its number among those of the field, which must hold.
    pub fn rule<'a, T: FlatValue<'a>>(
        &self,
        rule: (usize, usize),
        holds: Option<bool>,
    ) -> Result<(), Error> {
        if holds == Some(true) || !self.rules { Ok(()) } else { Err(broken(T::FLAT, rule)) }
    }

    /// Writes something that was read from `file`. All of that together takes no more than a walk of
    /// the file may cost, for its offsets may lead to the same tables again and again.
    pub(super) fn read_from<R>(
        &mut self,
        file: &[u8],
        write: impl FnOnce(&mut Self) -> Result<R, Error>,
    ) -> Result<R, Error> {
        if self.is_read {
            return write(self);
        }
        if self.files.insert((file.as_ptr().addr(), file.len())) {
            let more = crate::Limits::for_input(file.len()).left();
            self.allowed = self.allowed.saturating_add(more);
        }
        let start = wide(self.bytes.len());
        let limit = self.limit;
        self.limit = limit.min(start.saturating_add(self.allowed));
        self.is_read = true;
        let written = write(self);
        self.is_read = false;
        let len = wide(self.bytes.len()).saturating_sub(start);
        self.allowed = self.allowed.saturating_sub(len);
        self.limit = limit;
        written
    }

    /// Makes room at the end, on a multiple of `align`; returns where it begins.
    pub fn reserve(&mut self, len: usize, align: usize) -> Result<usize, Error> {
        self.reserve_behind(0, len, align)
    }

    /// Makes room at the end, so that what lies `head` bytes behind its start is on a multiple of
    /// `align`.
    fn reserve_behind(&mut self, head: usize, len: usize, align: usize) -> Result<usize, Error> {
        let first = wide(self.bytes.len()).saturating_add(wide(head));
        let start = crate::ops::align_up(first, wide(align.max(1)))
            .and_then(|first| first.checked_sub(wide(head)));
        let end = start.and_then(|start| start.checked_add(wide(len)));
        let end = end.filter(|end| *end <= self.limit);
        let place = start.zip(end).and_then(|(start, end)| {
            Some((usize::try_from(start).ok()?, usize::try_from(end).ok()?))
        });
        let (start, end) = place.ok_or_else(|| if self.is_read { again() } else { too_large() })?;
        self.bytes.resize(end, 0);
        Ok(start)
    }

    /// Writes bytes at the end.
    pub fn append(&mut self, bytes: &[u8], align: usize) -> Result<usize, Error> {
        let at = self.reserve(bytes.len(), align)?;
        self.write(at, bytes);
        Ok(at)
    }

    /// Writes over bytes for which there is room.
    pub fn write(&mut self, at: usize, bytes: &[u8]) {
        if let Some(space) = self.bytes.get_mut(at..).and_then(|space| space.get_mut(..bytes.len()))
        {
            space.copy_from_slice(bytes);
        }
    }

    /// Makes the offset at `at` lead to `target`, which lies behind it.
    fn point(&mut self, at: usize, target: usize) -> Result<(), Error> {
        let offset = target.checked_sub(at).and_then(|offset| u32::try_from(offset).ok());
        let offset = offset.ok_or_else(|| error("offset", "an offset does not fit"))?;
        self.write(at, &offset.to_le_bytes());
        Ok(())
    }

    /// Writes a value, or the offset that leads to it.
    fn value<'a, T: FlatBuild<'a>>(&mut self, at: usize, value: &T) -> Result<(), Error> {
        let placed = value.put(self, at)?;
        if T::OFFSET { self.point(at, placed) } else { Ok(()) }
    }

    /// A length, and room for the items behind it.
    fn counted(&mut self, count: usize, size: usize, align: usize) -> Result<usize, Error> {
        let len = count.checked_mul(size).and_then(|len| len.checked_add(4));
        let number = u32::try_from(count).ok();
        let (len, number) = len.zip(number).ok_or_else(too_large)?;
        let at = self.reserve_behind(4, len, align.max(4))?;
        self.write(at, &number.to_le_bytes());
        Ok(at)
    }
}

#[cold]
pub(super) fn error(code: &'static str, what: &'static str) -> Error {
    broken_rule("", code, format_args!("{what}"))
}

/// A rule about a field of a table, or about the table, does not hold.
#[cold]
pub fn broken_rule(field: &'static str, code: &'static str, what: fmt::Arguments<'_>) -> Error {
    let problem = Problem {
        code,
        class: Class::Invalid,
        start: 0,
        end: 0,
        what,
        expected: Show::Nothing,
        found: Show::Nothing,
    };
    let mut path = Text::default();
    path.push(format_args!("{field}"));
    Error::new(Finding::new(Severity::Error, path, None, &problem))
}

/// A rule whose text is a constant.
#[cold]
fn broken(layout: &'static Layout, rule: (usize, usize)) -> Error {
    let RuleLayout { code, text, .. } = declared(layout, rule);
    broken_rule(layout.field(rule.0).name, code, format_args!("{text}"))
}

/// What was read leads to the same tables again and again.
#[cold]
fn again() -> Error {
    error(
        "budget",
        "the buffer would be many times as large as the one that the tables are read from",
    )
}

#[cold]
fn too_large() -> Error {
    error("size", "the buffer is larger than its limit, which is 2 GiB at most")
}

/// A union with a tag that no variant has: what it led to is not known.
#[cold]
pub fn unknown_union() -> Error {
    error("value", "the table of an unknown tag cannot be written")
}

/// Writes a declared value of fixed size.
pub fn put_inline<'a, T: crate::Wire<'a, Args = ()>>(
    value: &T,
    out: &mut Builder,
    at: usize,
) -> Result<usize, Error> {
    let mut bytes = alloc::vec![0; T::MIN_SIZE];
    value.emit(&mut crate::Writer::new(&mut bytes), ()).map_err(
        |_| match crate::writer::to_vec(false, &(value, ())) {
            Err(error) => error,
            Ok(_) => error("value", "the value cannot be written"),
        },
    )?;
    out.write(at, &bytes);
    Ok(at)
}
