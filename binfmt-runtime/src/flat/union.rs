//! Unions: a tag in one slot, a table in the next.

use super::{FlatValue, Flaw, Place, Table, report};
use crate::finding::{Fault, Show};
use crate::layout::Layout;
use crate::observe::Observer;
use crate::stack;
use crate::value::Value;

/// One of several tables, told apart by a tag.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no union of tables",
    label = "needs `#[bin(flatbuffer)]` on an enum",
    note = "declare `{Self}` as an enum with `#[derive(BinFormat)]`, `#[bin(flatbuffer)]` and an `id` on every variant"
)]
pub trait FlatUnion<'a>: Sized {
    /// The declaration as static data.
    const FLAT: &'static Layout;

    /// The table that the tag says.
    fn walk<O: Observer>(member: Member<'a>, obs: &mut O) -> Result<Self, Fault>;

    /// The value as an inspector shows it.
    fn value(&self) -> Value<'_>;
}

/// A stored union: the tag, and where both lie.
#[derive(Clone, Copy, Debug)]
pub struct Member<'a> {
    pub(super) place: Place<'a>,
    pub(super) tag_at: usize,
    /// Which variant it is.
    pub tag: u8,
}

impl<'a> Member<'a> {
    #[inline]
    pub(super) fn target(self) -> Result<Place<'a>, Flaw> {
        let (offset, _) = self.place.number()?;
        self.place.led_by(offset)
    }

    /// Where the table ends, as far as it holds its fields itself.
    pub(super) fn end(self) -> usize {
        self.target().map_or(self.place.reported_offset(), super::value::table_end)
    }

    /// Reads the table of a variant.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn walk<T: FlatValue<'a>, O: Observer>(self, obs: &mut O) -> Result<T, Fault> {
        match self.target() {
            Ok(target) => target.walk(obs),
            Err(flaw) => Err(report::flawed(self.place, obs, flaw, T::SIZE)),
        }
    }

    /// The same for one of many variants, whose walks would be too much code in one place.
    #[inline(never)]
    pub fn walk_apart<T: FlatValue<'a>, O: Observer>(self, obs: &mut O) -> Result<T, Fault> {
        self.walk(obs)
    }

    /// The vtable of a variant that has no fields.
    pub fn empty<O: Observer>(self, obs: &mut O) -> Result<(), Fault> {
        match self.target() {
            Ok(target) => {
                let layout = const { &Layout::scalar("table") };
                Table::open_as(target, obs, layout, stack::of_table(layout)).map(|_| ())
            }
            Err(flaw) => Err(report::flawed(self.place, obs, flaw, 4)),
        }
    }
}

/// A tag that no variant has.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn unknown_member<O: Observer>(member: Member<'_>, obs: &mut O) -> Fault {
    let span = (member.tag_at, member.tag_at.saturating_add(1));
    let what = "the tag of the union is none of those declared";
    report::stop(obs, "value", span, what, Show::Uint(u64::from(member.tag)))
}
