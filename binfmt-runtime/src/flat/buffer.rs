//! A whole buffer: its bytes as they are, and the table at its root.

use core::fmt;
use core::marker::PhantomData;

use super::{Buf, FlatValue, Place, Table, report};
use crate::finding::{Error, Fault, Show};
use crate::layout::Layout;
use crate::observe::Observer;
use crate::ops::wide;
use crate::writer::Writer;
use crate::{BinFormat, Cursor, DefaultArgs, Wire, write};

/// A table that may be the root of a buffer.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no table",
    note = "the root of a buffer is a struct with `#[bin(flatbuffer)]`"
)]
pub trait FlatTable<'a>: FlatValue<'a> {
    /// The four bytes at offset 4 of a buffer with this root.
    const IDENTIFIER: Option<[u8; 4]> = None;
}

/// A `FlatBuffers` buffer, as a field or as a whole file.
///
/// It keeps its bytes, so what is read is written as it was, and reads its tables when they are
/// asked for.
///
/// ```
/// use binfmt_runtime::{BinFormat, FlatBuffer};
///
/// /// A point, of which most lie on the axis.
/// #[derive(BinFormat, Debug, PartialEq)]
/// #[bin(flatbuffer)]
/// struct Point {
///     #[bin(slot = 0)]
///     x: i32,
///     #[bin(slot = 1, default = 7)]
///     y: i32,
/// }
///
/// let bytes = [
///     12, 0, 0, 0, // the root table is at 12
///     6, 0, 8, 0, 4, 0, 0, 0, // its vtable: one slot
///     8, 0, 0, 0, 40, 0, 0, 0, // x = 40
/// ];
/// let buffer = FlatBuffer::<Point>::parse(&bytes)?;
/// assert_eq!(buffer.root()?, Point { x: 40, y: 7 });
/// # Ok::<(), binfmt_runtime::Error>(())
/// ```
pub struct FlatBuffer<'a, T> {
    buf: Buf<'a>,
    root: usize,
    table: PhantomData<T>,
}

/// Where the root of a buffer is told: by a field of the value around it, or by its own first bytes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Root {
    located: Option<(usize, u64)>,
}

impl Root {
    /// The root lies `offset` bytes behind `base`, where the field lies that says so.
    pub fn located(base: usize, offset: u64) -> Self {
        Self { located: Some((base, offset)) }
    }
}

impl<T> Clone for FlatBuffer<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for FlatBuffer<'_, T> {}

impl<'a, T: FlatTable<'a>> FlatBuffer<'a, T> {
    fn place(&self) -> Place<'a> {
        self.buf.place(self.root)
    }

    /// The table at the root.
    pub fn root(&self) -> Result<T, Error> {
        self.place().read()
    }

    /// How many slots the vtable of the root has, whichever of them are declared or used; `None` if
    /// there is no vtable.
    pub fn slots(&self) -> Option<u16> {
        Table::slots(self.place())
    }

    /// The bytes of the buffer, as far as they are its own.
    pub fn bytes(&self) -> &'a [u8] {
        self.buf.file.get(self.buf.at..).unwrap_or_default()
    }

    /// The bytes in front of the root table and of its vtable: what builders pad with, unless they
    /// put other tables there.
    pub fn lead(&self) -> &'a [u8] {
        let first = Table::first(self.place()).unwrap_or(self.buf.at);
        self.buf.file.get(self.buf.at..first).unwrap_or_default()
    }

    /// The same buffer without its first `len` bytes, which become those of another field; `None` if
    /// the root lies in them.
    pub fn behind(&self, len: u64) -> Option<Self> {
        let at = self.buf.at.checked_add(usize::try_from(len).ok()?)?;
        (at <= self.root).then_some(Self { buf: Buf { at, ..self.buf }, ..*self })
    }

    /// Where the root lies in [`bytes`](Self::bytes).
    pub fn root_at(&self) -> u64 {
        wide(self.root.saturating_sub(self.buf.at))
    }

    fn open<O: Observer>(
        bytes: &'a [u8],
        cur: &Cursor<'a>,
        obs: &mut O,
        root: Root,
    ) -> Result<Self, Fault> {
        let end = cur.pos();
        let at = end.saturating_sub(bytes.len());
        let base = root.located.map_or(at, |(base, _)| base);
        let file = cur.file().get(..end).unwrap_or_default();
        let buf = Buf::new(file, at, base, obs.limits().stack());
        let offset = match root.located {
            Some((_, offset)) => offset,
            None => match bytes.first_chunk() {
                Some(offset) => u64::from(u32::from_le_bytes(*offset)),
                None => return Err(report::flawed(buf.place(at), obs, super::Flaw::Outside, 4)),
            },
        };
        if let (None, Some(expected)) = (root.located, T::IDENTIFIER) {
            identifier(bytes.get(4..).unwrap_or_default(), at, obs, expected)?;
        }
        let root = usize::try_from(offset).ok().and_then(|offset| base.checked_add(offset));
        match root.filter(|root| *root >= at && buf.place(*root).rest.len() >= 4) {
            Some(root) => Ok(Self { buf, root, table: PhantomData }),
            None => {
                let what = "the root lies outside the buffer";
                let span = (base, base.saturating_add(4));
                Err(report::stop(obs, "root", span, what, Show::Uint(offset)))
            }
        }
    }
}

/// Looks at the identifier, which stands at the front of `bytes` and 4 bytes behind `at`.
fn identifier<O: Observer>(
    bytes: &[u8],
    at: usize,
    obs: &mut O,
    expected: [u8; 4],
) -> Result<(), Fault> {
    let found = bytes.get(..4).unwrap_or(bytes);
    if found == expected {
        return Ok(());
    }
    let start = at.saturating_add(4);
    let span = (start, start.saturating_add(found.len()));
    let found = if found.len() < 4 { Show::Nothing } else { Show::bytes(found) };
    Err(report::stop(obs, "identifier", span, "the identifier of the buffer is wrong", found))
}

impl<'a, T: FlatTable<'a>> Wire<'a> for FlatBuffer<'a, T> {
    type Args = Root;

    const FIXED: bool = false;
    // Behind a header, the root offset is a field of its own.
    const MIN_SIZE: usize = 4;
    const WIRE: &'static Layout = T::FLAT;

    fn walk<O: Observer>(cur: &mut Cursor<'a>, obs: &mut O, root: Root) -> Result<Self, Fault> {
        let bytes = crate::walk::rest(cur);
        let buffer = Self::open(bytes, cur, obs, root)?;
        if obs.walks_items() {
            let depth = obs.depth();
            match buffer.place().walk::<T, O>(obs) {
                // The reader reads no tables, and the end of the buffer is known.
                Err(_) if O::RECORD && !obs.limits().is_spent() => obs.unwind(depth, cur.pos()),
                walked => drop(walked?),
            }
        }
        Ok(buffer)
    }

    fn emit(&self, out: &mut Writer<'_>, _: Root) -> Result<(), Fault> {
        out.put(self.bytes())?;
        // A reader takes all that is left of the region.
        write::ends(out, "", 1)
    }
}

impl<'a, T: FlatTable<'a>> BinFormat<'a> for FlatBuffer<'a, T> {}

impl<'a, T: FlatTable<'a>> DefaultArgs<'a> for FlatBuffer<'a, T> {
    fn default_args() -> Root {
        Root::default()
    }
}

impl<'a, T: FlatTable<'a> + fmt::Debug> fmt::Debug for FlatBuffer<'a, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FlatBuffer").field("root", &self.root()).finish_non_exhaustive()
    }
}

impl<'a, T: FlatTable<'a>> PartialEq for FlatBuffer<'a, T> {
    fn eq(&self, other: &Self) -> bool {
        self.bytes() == other.bytes() && self.root_at() == other.root_at()
    }
}
