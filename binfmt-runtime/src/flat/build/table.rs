//! Tables: the vtable with the fields that are stored, then what they hold.

use alloc::vec::Vec;
use core::fmt;

use super::super::{Near, report};
use super::{Builder, FlatBuild, FlatBuildUnion, FlatValue, error};
use crate::finding::Error;
use crate::layout::Layout;
use crate::ops::wide;
use crate::path::Step;
use crate::stack;

/// One entry of a new table, and what is written there.
pub struct Part<'v, 'a> {
    /// Of the field.
    name: &'static str,
    slot: u16,
    size: usize,
    align: usize,
    /// Absent, it takes no room.
    held: Option<Held<'v, 'a>>,
    /// What the first item is aligned to of a vector that is to be written.
    items: Option<u64>,
    /// Where it lies in its table, once the table has a place.
    at: usize,
}

impl fmt::Debug for Part<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Part").field("name", &self.name).finish_non_exhaustive()
    }
}

enum Held<'v, 'a> {
    Value(&'v dyn Put<'a>),
    Tag(u8),
    Union(&'v dyn FlatBuildUnion<'a>),
}

/// A value of any type.
trait Put<'a> {
    /// Writes it, or the offset that leads to it.
    fn put_at(&self, out: &mut Builder, at: usize) -> Result<(), Error>;
}

impl<'a, T: FlatBuild<'a>> Put<'a> for T {
    fn put_at(&self, out: &mut Builder, at: usize) -> Result<(), Error> {
        out.value(at, self)
    }
}

impl<'v, 'a> Part<'v, 'a> {
    fn of(name: &'static str, slot: u16, (size, align): (usize, usize)) -> Self {
        Self { name, slot, size, align, held: None, items: None, at: 0 }
    }

    /// A field that is there if its value is.
    pub fn optional<T: FlatBuild<'a>>(name: &'static str, slot: u16, value: Option<&'v T>) -> Self {
        let held = value.map(|value| Held::Value(value));
        Self { held, ..Self::of(name, slot, (T::SIZE, T::ALIGN)) }
    }

    /// A field that is always there.
    pub fn required<T: FlatBuild<'a>>(name: &'static str, slot: u16, value: &'v T) -> Self {
        Self::optional(name, slot, Some(value))
    }

    /// A field that is left out if it is what stands for an absent one.
    pub fn field<T: FlatBuild<'a>>(name: &'static str, slot: u16, value: &'v T) -> Self {
        let is_default = T::absent().is_some_and(|default| value.is_default(&default));
        Self::optional(name, slot, Some(value).filter(|_| !is_default))
    }

    /// A field that is left out if it is its default.
    pub fn unless<T: FlatBuild<'a>>(
        name: &'static str,
        slot: u16,
        value: &'v T,
        default: &T,
    ) -> Self {
        Self::optional(name, slot, Some(value).filter(|value| !value.is_default(default)))
    }

    /// The tag of a union.
    pub fn tag<U: FlatBuildUnion<'a>>(name: &'static str, slot: u16, value: Option<&'v U>) -> Self {
        Self { held: value.map(|value| Held::Tag(value.tag())), ..Self::of(name, slot, (1, 1)) }
    }

    /// The table of a union.
    pub fn union<U: FlatBuildUnion<'a>>(
        name: &'static str,
        slot: u16,
        value: Option<&'v U>,
    ) -> Self {
        Self { held: value.map(|value| Held::Union(value)), ..Self::of(name, slot, (4, 4)) }
    }

    /// The same, with the first item of its vector on a multiple of `align`.
    #[must_use]
    pub fn with_items_on(self, align: u64) -> Self {
        Self { items: Some(align), ..self }
    }

    /// Its offset in its table and its number in the vtable, if it is stored.
    fn stored(&self) -> Option<(usize, usize)> {
        self.held.as_ref().map(|_| (self.at, usize::from(self.slot)))
    }
}

impl Builder {
    /// Writes a table of type `T`: its vtable with the fields that are stored, then what they hold.
    pub fn table<'a, T: FlatValue<'a>>(
        &mut self,
        parts: &mut [Part<'_, '_>],
    ) -> Result<usize, Error> {
        self.nested(const { stack::of_table(T::FLAT) }, parts)
    }

    /// Writes a table that is declared to have no fields.
    pub fn empty_table(&mut self) -> Result<usize, Error> {
        self.nested(const { stack::of_table(&Layout::scalar("table")) }, &mut [])
    }

    /// Tables nest as deep as they do for a reader, whose walk takes so many bytes of the stack.
    fn nested(&mut self, stack: usize, parts: &mut [Part<'_, '_>]) -> Result<usize, Error> {
        if !self.rules {
            return self.write_table(parts);
        }
        let around = self.near;
        self.near = around.deeper(stack).ok_or_else(|| too_deep(around))?;
        let written = self.write_table(parts);
        self.near = around;
        written
    }

    fn write_table(&mut self, parts: &mut [Part<'_, '_>]) -> Result<usize, Error> {
        let mut size = 4_usize;
        let mut align = 4;
        for part in parts.iter_mut().filter(|part| part.held.is_some()) {
            let at = crate::ops::align_up(wide(size), wide(part.align.max(1)));
            part.at = crate::ops::to_len(at.unwrap_or(u64::MAX));
            size = part.at.saturating_add(part.size);
            align = align.max(part.align);
        }
        let vtable = vtable(parts, size)?;
        let vtable_at = match self.vtables.get(&vtable) {
            Some(at) => *at,
            None => {
                let at = self.append(&vtable, 2)?;
                self.vtables.insert(vtable, at);
                at
            }
        };
        let start = self.reserve(size, align)?;
        let back = start.checked_sub(vtable_at).and_then(|back| i32::try_from(back).ok());
        self.write(start, &back.unwrap_or_default().to_le_bytes());
        for part in parts {
            self.part(start, part).map_err(|error| error.within(Step::Field(part.name)))?;
        }
        Ok(start)
    }

    /// Writes what a field of the table at `start` holds, if it is stored.
    fn part(&mut self, start: usize, part: &Part<'_, '_>) -> Result<(), Error> {
        let (Some(held), at) = (&part.held, start.saturating_add(part.at)) else { return Ok(()) };
        if let Some(align) = part.items {
            // The number of items stands in front of them.
            self.reserve_behind(4, 0, usize::try_from(align).unwrap_or(usize::MAX))?;
        }
        match held {
            Held::Value(value) => value.put_at(self, at),
            Held::Tag(tag) => {
                self.write(at, &[*tag]);
                Ok(())
            }
            Held::Union(value) => {
                let target = value.put(self)?;
                self.point(at, target)
            }
        }
    }
}

#[cold]
fn too_deep(near: Near) -> Error {
    error("depth", report::depth(near).0)
}

/// The vtable of a table that takes `size` bytes.
fn vtable(parts: &[Part<'_, '_>], size: usize) -> Result<Vec<u8>, Error> {
    let stored = || parts.iter().filter_map(Part::stored);
    let slots = stored().map(|(_, slot)| slot.saturating_add(1)).max().unwrap_or(0);
    let mut entries = alloc::vec![0_u16; slots];
    let entry = |at: usize| u16::try_from(at).map_err(|_| error("size", "the table is too large"));
    for (at, slot) in stored() {
        if let Some(place) = entries.get_mut(slot) {
            *place = entry(at)?;
        }
    }
    let len = entry(slots.saturating_mul(2).saturating_add(4))?;
    let all = [len, entry(size)?].into_iter().chain(entries);
    Ok(all.flat_map(u16::to_le_bytes).collect())
}
