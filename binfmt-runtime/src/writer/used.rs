//! Numbers of a nested value that expressions around it have used.
//!
//! A writer computes some numbers of a value, whatever the value holds in their place. An expression
//! outside has seen what the value holds; where another number is written, a reader would compute
//! something else, and so the writer refuses. Numbers that nobody outside names are not looked at.

use super::Writer;
use super::locator::Locator;
use crate::Wire;
use crate::finding::{Fault, Show};
use crate::layout::{Layout, Shape};
use crate::ops::{Wide, Widen, same_bytes, to_show};
use crate::path::Step;

/// Parts of a value, each as the names of the fields that lead to it; without names it is all of it.
pub type Parts = &'static [&'static [&'static str]];

/// So many values of which parts are used may lie in one another where errors are located.
const MOST: usize = 32;

/// The values that a writer is in of which parts are used.
#[derive(Debug, Default)]
pub(super) struct Used {
    list: [Uses; MOST],
    len: usize,
}

/// One of them.
#[derive(Clone, Copy, Debug, Default)]
struct Uses {
    /// How deep it lies in the path.
    depth: usize,
    parts: Parts,
    /// The index of what is remembered of the first part, where whoever uses them learns what is written.
    learned: Option<usize>,
}

/// Who uses a number.
enum User {
    Nobody,
    /// Somebody to whom it is what the value holds.
    Holder,
    /// Somebody who learns what is written, by the index of the number.
    Learner(usize),
}

/// What was known before a value with used parts began.
#[derive(Clone, Copy, Debug)]
pub struct Using {
    before: bool,
    parts: Parts,
}

/// Those parts of a type of which a writer may compute some number.
pub const fn of<'a, T: Wire<'a>>(parts: Parts) -> Parts {
    if T::PLAIN { &[] } else { of_layout(T::WIRE, parts) }
}

/// Those parts of a type of which a writer may compute some number; nothing if there are none.
const fn of_layout(layout: &Layout, parts: Parts) -> Parts {
    // What the variants of an enum are, and the items of an array, is known where they are written.
    let is_list = matches!(layout.shape, Shape::Scalar) && layout.fields.is_empty();
    if is_list || matches!(layout.shape, Shape::Union) {
        return parts;
    }
    let mut left = parts;
    while let [part, rest @ ..] = left {
        let mut fields = layout.fields;
        while let [field, others @ ..] = fields {
            let named = match part {
                [] => true,
                [name, ..] => {
                    same_bytes(field.name.as_bytes(), name.as_bytes())
                        || digits(name).is_some()
                        || same_bytes(field.name.as_bytes(), DECODED)
                }
            };
            if named && (field.computed || field.nested.is_some()) {
                return parts;
            }
            fields = others;
        }
        left = rest;
    }
    &[]
}

/// The name of what coded bytes hold, in layouts.
const DECODED: &[u8] = b"(decoded)";

/// The digits of the name of a value that has none: in a tuple, or in a struct.
const fn digits(name: &str) -> Option<&[u8]> {
    match name.as_bytes() {
        [b'_', digits @ ..] | digits if matches!(digits, [b'0'..=b'9', ..]) => Some(digits),
        _ => None,
    }
}

/// How many names of a path lie behind a part that it leads into; `None` if it leads elsewhere.
fn behind(mut part: &[&'static str], path: impl Iterator<Item = Step>) -> Option<usize> {
    let mut behind: usize = 0;
    for step in path {
        // Items have no names, nor has what is decoded.
        let Step::Field(name) = step else { continue };
        if name.is_empty() {
            continue;
        }
        if part.is_empty() {
            behind = behind.saturating_add(1);
            continue;
        }
        // The value in a struct around one is no step.
        let nameless = part.iter().take_while(|name| digits(name).is_some()).count();
        let (first, rest) = part.split_at_checked(nameless).unwrap_or_default();
        match (digits(name), rest) {
            (Some(_), _) if first.is_empty() => {}
            (Some(own), _) => {
                let found = first.iter().position(|name| digits(name) == Some(own))?;
                part = part.get(found.saturating_add(1)..).unwrap_or_default();
            }
            (None, [next, rest @ ..]) if *next == name => part = rest,
            (None, []) => {
                part = rest;
                behind = behind.saturating_add(1);
            }
            (None, _) => return None,
        }
    }
    part.iter().all(|name| digits(name).is_some()).then_some(behind)
}

impl Used {
    fn push(&mut self, uses: Uses) {
        if let Some(space) = self.list.get_mut(self.len) {
            *space = uses;
        }
        self.len = self.len.saturating_add(1);
    }

    fn pop(&mut self) {
        self.len = self.len.saturating_sub(1);
    }
}

impl Locator {
    /// Who uses what a path leads to; `more` are the names behind the current field.
    fn user(&self, more: &[&'static str]) -> User {
        let (steps, depth) = (self.path.steps(), self.path.depth());
        if steps.len() < depth || self.used.len > MOST {
            return User::Holder;
        }
        let mut user = User::Nobody;
        for uses in self.used.list.iter().take(self.used.len) {
            let below = steps.get(uses.depth..).unwrap_or_default().iter().copied();
            let names = more.iter().map(|name| Step::Field(name));
            for (part, index) in uses.parts.iter().zip(0_usize..) {
                let Some(behind) = behind(part, below.clone().chain(names.clone())) else {
                    continue;
                };
                match uses.learned {
                    Some(first) if behind == 0 => {
                        user = User::Learner(first.saturating_add(index));
                    }
                    _ => return User::Holder,
                }
            }
        }
        user
    }
}

impl Locator {
    /// Knows what lies in the coded bytes of the value that this one is at. Whoever learns what is written has its
    /// numbers elsewhere.
    #[cfg(feature = "alloc")]
    pub(super) fn inside(&self) -> Self {
        let mut inside = Self { path: self.path.clone(), ..Self::default() };
        inside.path.push(Step::Decoded);
        inside.used.len = self.used.len;
        for (own, uses) in inside.used.list.iter_mut().zip(&self.used.list) {
            *own = Uses { learned: None, ..*uses };
        }
        inside
    }
}

impl Writer<'_> {
    /// A value begins of which expressions around it use these parts.
    #[inline(always)]
    pub fn using(&mut self, parts: Parts) -> Using {
        self.uses(parts, None)
    }

    /// The same for somebody who learns what is written, from the number with that index on.
    #[inline(always)]
    pub(crate) fn uses(&mut self, parts: Parts, learned: Option<usize>) -> Using {
        let using = Using { before: self.using, parts };
        if !parts.is_empty() {
            self.using = true;
            if let Some(locator) = &mut self.locator {
                locator.used.push(Uses { depth: locator.path.depth(), parts, learned });
            }
        }
        using
    }

    /// The value ends.
    #[inline(always)]
    pub fn used(&mut self, using: Using) {
        if !using.parts.is_empty() {
            self.using = using.before;
            if let Some(locator) = &mut self.locator {
                locator.used.pop();
            }
        }
    }

    /// Whether what is written here may be used outside.
    #[inline(always)]
    pub(crate) fn is_using(&self) -> bool {
        self.using
    }

    /// A computed number is written in place of the one that the value holds.
    #[inline(always)]
    pub fn computed<H: Widen, N: Widen<Wide = H::Wide>>(
        &mut self,
        names: &[&'static str],
        at: u64,
        (held, number): (H, N),
    ) -> Result<(), Fault> {
        self.computed_as_wide(names, at, (held.widen(), number.widen()))
    }

    /// The same for numbers in their wide type.
    #[inline(always)]
    pub(crate) fn computed_as_wide<W: Wide>(
        &mut self,
        names: &[&'static str],
        at: u64,
        (held, number): (W, W),
    ) -> Result<(), Fault> {
        if self.using && held != number {
            let shown = (to_show(number), to_show(held));
            self.differs(names, at, shown, Some(number.bits()))
        } else {
            Ok(())
        }
    }

    /// The same for a number that may be absent, and then stays so.
    #[inline(always)]
    pub fn computed_if_there<H: Widen, N: Widen<Wide = H::Wide>>(
        &mut self,
        names: &[&'static str],
        at: u64,
        (held, number): (Option<H>, Option<N>),
    ) -> Result<(), Fault> {
        held.zip(number).map_or(Ok(()), |both| self.computed(names, at, both))
    }

    /// Something that is no number is computed, and may be what the value holds.
    #[inline(always)]
    pub fn computed_as(
        &mut self,
        names: &[&'static str],
        at: u64,
        same: bool,
    ) -> Result<(), Fault> {
        self.computed_shown(names, at, same, || (Show::Nothing, Show::Nothing))
    }

    /// The same, where what is written and what the value holds can be shown.
    #[inline(always)]
    pub(crate) fn computed_shown(
        &mut self,
        names: &[&'static str],
        at: u64,
        same: bool,
        shown: impl FnOnce() -> (Show, Show),
    ) -> Result<(), Fault> {
        if self.using && !same {
            let shown = shown();
            self.differs(names, at, shown, None)
        } else {
            Ok(())
        }
    }

    /// The numbers of an item of a table are computed, or no longer; their names begin with that of the table.
    #[cfg(feature = "alloc")]
    #[inline(always)]
    pub(crate) fn within_item(&mut self, index: Option<usize>) {
        if let Some(locator) = &mut self.locator {
            let depth = locator.path.depth();
            locator.item = index.map(|index| (depth, crate::ops::wide(index)));
        }
    }

    /// Something else is written than the value holds. Whether it is used, a located writer knows.
    #[cold]
    #[inline(never)]
    fn differs(
        &mut self,
        names: &[&'static str],
        at: u64,
        (expected, found): (Show, Show),
        number: Option<u64>,
    ) -> Result<(), Fault> {
        let Some(locator) = &self.locator else {
            if self.checks()
                && let Some(book) = &mut self.book
            {
                book.suspect();
            }
            return Ok(());
        };
        match (locator.user(names), number, &mut self.book) {
            (User::Nobody, ..) => return Ok(()),
            (User::Learner(index), Some(number), Some(book)) => {
                book.put(index, Some(number));
                return Ok(());
            }
            _ => {}
        }
        if !self.checks() {
            return Ok(());
        }
        self.enter_names(names);
        Err(self.used_otherwise(at, expected, found))
    }

    /// A number that an expression uses as the value holds it, and that is written otherwise.
    #[cold]
    pub(crate) fn used_otherwise(&mut self, at: u64, expected: Show, found: Show) -> Fault {
        let settles = self.book.as_ref().is_some_and(|book| book.settles);
        let way_out = if settles {
            "settle the value with the number first"
        } else {
            "set it to that, or write what `settle` gives"
        };
        let what = format_args!(
            "an expression around the value uses this number, and another one is written; {way_out}"
        );
        self.fail_at(at, "derived", what, expected, found)
    }

    /// Goes to a number by its names; an item of a table has an index behind the first one.
    pub(crate) fn enter_names(&mut self, names: &[&'static str]) {
        let locator = self.locator.as_ref();
        let item = locator
            .and_then(|locator| locator.item.filter(|(depth, _)| *depth == locator.path.depth()));
        let (table, number) = names.split_at_checked(1).unwrap_or_default();
        for name in table {
            self.enter(name);
        }
        if let Some((_, index)) = item {
            self.enter_item(index);
        }
        for name in number {
            self.enter(name);
        }
    }
}
