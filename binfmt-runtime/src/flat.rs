//! `FlatBuffers`: tables that lie anywhere in a buffer and point at one another.
//!
//! Positions are absolute, as everywhere; alignments count from where the buffer begins. A buffer
//! owns a run of the file and nothing outside it, even where the header of a container is inserted
//! into it and its first bytes are fields of the container.

mod buffer;
#[cfg(feature = "alloc")]
mod build;
mod inline;
mod lazy;
mod place;
mod placed;
mod recorded;
mod report;
mod schema;
mod table;
mod union;
mod value;
mod vector;
mod visits;

use crate::finding::Fault;
use crate::layout::Layout;
use crate::observe::Observer;
use crate::value::Value;

use place::{Flaw, Kept, Near};

pub use buffer::{FlatBuffer, FlatTable, Root};
#[cfg(feature = "alloc")]
pub use build::{
    Builder, Built, FlatBuild, FlatBuildUnion, Part, broken_rule, put_inline, unknown_union,
};
pub use inline::{enum_default, inline, stands_for_absent, struct_align};
pub use lazy::FbRef;
pub use place::{Buf, Place};
pub use placed::Placed;
pub use schema::{schema, unknown_schema, walk};
pub use table::{At, Met, Table};
pub use union::{FlatUnion, Member, unknown_member};
pub use value::table_end;
pub use vector::{FbItems, FbVec};

/// A type that a field of a table, or an item of a vector, can have.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot stand in a `FlatBuffers` table",
    label = "needs `#[bin(flatbuffer)]`",
    note = "declare `{Self}` with `#[derive(BinFormat)]` and `#[bin(flatbuffer)]`; numbers, `&str`, `&[u8]` and `FbVec` need no declaration"
)]
pub trait FlatValue<'a>: Sized {
    /// The declaration as static data.
    const FLAT: &'static Layout;

    /// [`FLAT`](Self::FLAT) for generated code, by a name that no constant of a type itself has.
    #[doc(hidden)]
    const __FLAT: &'static Layout = Self::FLAT;

    /// How many bytes stand in the table or vector: 4 for what is reached through an offset.
    const SIZE: usize = 4;

    /// What those bytes are aligned to.
    const ALIGN: usize = 4;

    /// Whether those bytes are an offset.
    const OFFSET: bool = true;

    /// Whether any bytes are a value, so that many of them need not be looked at.
    const PLAIN: bool = false;

    /// Whether something stands for the value where it is absent and no default is declared.
    const HAS_DEFAULT: bool = false;

    /// The value at `place`, behind its offset.
    fn walk<O: Observer>(place: Place<'a>, obs: &mut O) -> Result<Self, Fault>;

    /// Where the bytes of the value at `place` end; those of a table are the ones that it holds itself.
    #[inline]
    fn extent(place: Place<'a>) -> usize {
        if Self::OFFSET { table_end(place) } else { place.offset().saturating_add(Self::SIZE) }
    }

    /// Where the bytes of this value end, which has been read at `place`.
    #[inline]
    fn end(&self, place: Place<'a>) -> usize {
        Self::extent(place)
    }

    /// What stands for an absent value.
    fn absent() -> Option<Self> {
        None
    }

    /// The value as an inspector shows it.
    fn value(&self) -> Value<'_> {
        Value::Group
    }
}
