//! UTF-16 texts, borrowed as they lie in the file.

use core::fmt;
use core::hash::{Hash, Hasher};

use crate::Cursor;
use crate::finding::{Class, Fault, Problem, Show};
use crate::int::Order;
use crate::observe::Observer;
use crate::ops::wide;
use crate::strings;
use crate::writer::Writer;

/// A UTF-16 text: a part of a file in either byte order, or a text to be written.
///
/// ```
/// use binfmt_runtime::Utf16;
///
/// let text = Utf16::from("aß");
/// assert_eq!((text.units().count(), text.encoded_len()), (2, 4));
/// assert!(text == *"aß" && text.chars().eq("aß".chars()));
/// ```
#[derive(Clone, Copy)]
pub struct Utf16<'a> {
    source: Source<'a>,
}

#[derive(Clone, Copy)]
enum Source<'a> {
    File(&'a [u8], Order),
    Str(&'a str),
}

impl<'a> Utf16<'a> {
    /// The code units of the text.
    pub fn units(&self) -> Units<'a> {
        match self.source {
            Source::File(bytes, order) => Units(Inner::File(bytes.chunks_exact(2), order)),
            Source::Str(text) => Units(Inner::Str(text.encode_utf16())),
        }
    }

    /// The characters of the text.
    pub fn chars(&self) -> impl Iterator<Item = char> + 'a {
        // What has been read has no lone surrogates.
        char::decode_utf16(self.units()).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER))
    }

    /// How many bytes the text takes.
    pub fn encoded_len(&self) -> u64 {
        match self.source {
            Source::File(bytes, _) => wide(bytes.len()),
            Source::Str(_) => wide(self.units().count()).saturating_mul(2),
        }
    }

    /// The bytes of what has just been read as a text, without a fill at its end.
    #[doc(hidden)]
    pub fn read<O: Observer>(
        cur: &Cursor<'a>,
        obs: &mut O,
        bytes: &'a [u8],
        order: Order,
        fill: Option<u16>,
    ) -> Result<Self, Fault> {
        let start = cur.pos().saturating_sub(bytes.len());
        if !bytes.len().is_multiple_of(2) {
            return Err(not_utf16(cur, obs, start, "a UTF-16 text has an even number of bytes"));
        }
        let mut rest = bytes;
        while let ([head @ .., a, b], Some(fill)) = (rest, fill)
            && unit([*a, *b], order) == fill
        {
            rest = head;
        }
        Self::of(cur, obs, rest, start, order)
    }

    /// A text that begins at an offset.
    fn of<O: Observer>(
        cur: &Cursor<'a>,
        obs: &mut O,
        bytes: &'a [u8],
        start: usize,
        order: Order,
    ) -> Result<Self, Fault> {
        if !bytes.len().is_multiple_of(2) {
            return Err(not_utf16(cur, obs, start, "a UTF-16 text has an even number of bytes"));
        }
        let text = Self { source: Source::File(bytes, order) };
        let mut at = start;
        for c in char::decode_utf16(text.units()) {
            match c {
                Ok(c) => at = at.saturating_add(c.len_utf16().saturating_mul(2)),
                Err(_) => return Err(not_utf16(cur, obs, at, "the text is not UTF-16")),
            }
        }
        Ok(text)
    }

    /// The bytes of what has just been read as a text, up to its first NUL.
    #[doc(hidden)]
    pub fn read_before_nul<O: Observer>(
        cur: &Cursor<'a>,
        obs: &mut O,
        bytes: &'a [u8],
        order: Order,
    ) -> Result<Self, Fault> {
        let units = bytes.chunks_exact(2).position(|unit| unit == [0, 0]);
        let len = units.and_then(|units| units.checked_mul(2)).unwrap_or(bytes.len());
        let (text, behind) = bytes.split_at_checked(len).unwrap_or((bytes, &[]));
        if O::RECORD {
            crate::walk::unkept(cur.pos(), obs, behind);
        }
        Self::of(cur, obs, text, cur.pos().saturating_sub(bytes.len()), order)
    }

    /// Writes the text.
    #[doc(hidden)]
    pub fn put(&self, out: &mut Writer<'_>, order: Order) -> Result<(), Fault> {
        self.units().try_for_each(|unit| crate::Int::put(unit, out, order))
    }

    /// Writes the text and, behind it, fill up to `width` bytes.
    #[doc(hidden)]
    pub fn put_filled(
        &self,
        out: &mut Writer<'_>,
        order: Order,
        width: u64,
        fill: u16,
    ) -> Result<(), Fault> {
        if self.units().last() == Some(fill) {
            return Err(strings::cut_when_read(out, u64::from(fill)));
        }
        let start = out.pos();
        self.put(out, order)?;
        let written = out.pos().saturating_sub(start);
        match width.checked_sub(written) {
            Some(left) if left.is_multiple_of(2) => {
                (0..left / 2).try_for_each(|_| crate::Int::put(fill, out, order))
            }
            _ => Err(out.fail(
                "size",
                format_args!("the text and its fill do not make up the space kept for it"),
                Show::Uint(width),
                Show::Uint(written),
            )),
        }
    }

    /// Refuses a text that a NUL inside would end.
    #[doc(hidden)]
    pub fn no_nul(&self, out: &mut Writer<'_>) -> Result<(), Fault> {
        match self.units().position(|unit| unit == 0) {
            None => Ok(()),
            Some(at) => Err(strings::nul_inside(out, wide(at))),
        }
    }
}

fn unit(bytes: [u8; 2], order: Order) -> u16 {
    match order {
        Order::Little => u16::from_le_bytes(bytes),
        Order::Big => u16::from_be_bytes(bytes),
    }
}

#[inline(always)]
fn not_utf16<O: Observer>(cur: &Cursor<'_>, obs: &mut O, at: usize, what: &'static str) -> Fault {
    if O::RECORD { report_not_utf16(cur, obs, at, what) } else { Fault::at(at) }
}

#[cold]
#[inline(never)]
fn report_not_utf16<O: Observer>(
    cur: &Cursor<'_>,
    obs: &mut O,
    at: usize,
    what: &'static str,
) -> Fault {
    obs.fail(&Problem {
        code: "utf16",
        class: Class::Malformed,
        start: at,
        end: cur.pos(),
        what: format_args!("{what}"),
        expected: Show::Nothing,
        found: Show::bytes(cur.range(at, cur.pos())),
    })
}

/// Iterator over the code units of a [`Utf16`].
#[derive(Clone, Debug)]
pub struct Units<'a>(Inner<'a>);

#[derive(Clone, Debug)]
enum Inner<'a> {
    File(core::slice::ChunksExact<'a, u8>, Order),
    Str(core::str::EncodeUtf16<'a>),
}

impl Iterator for Units<'_> {
    type Item = u16;

    fn next(&mut self) -> Option<u16> {
        match &mut self.0 {
            Inner::File(chunks, order) => {
                chunks.next()?.try_into().ok().map(|bytes| unit(bytes, *order))
            }
            Inner::Str(units) => units.next(),
        }
    }
}

impl<'a> From<&'a str> for Utf16<'a> {
    fn from(text: &'a str) -> Self {
        Self { source: Source::Str(text) }
    }
}

impl Default for Utf16<'_> {
    fn default() -> Self {
        Self::from("")
    }
}

impl PartialEq for Utf16<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.units().eq(other.units())
    }
}

impl Eq for Utf16<'_> {}

impl PartialEq<str> for Utf16<'_> {
    fn eq(&self, other: &str) -> bool {
        self.units().eq(other.encode_utf16())
    }
}

impl PartialEq<&str> for Utf16<'_> {
    fn eq(&self, other: &&str) -> bool {
        *self == **other
    }
}

impl Hash for Utf16<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.units().for_each(|unit| unit.hash(state));
        0xffff_u16.hash(state);
    }
}

impl fmt::Display for Utf16<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.chars().try_for_each(|c| fmt::Write::write_char(f, c))
    }
}

impl fmt::Debug for Utf16<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("\"")?;
        self.chars().flat_map(char::escape_debug).try_for_each(|c| fmt::Write::write_char(f, c))?;
        f.write_str("\"")
    }
}
