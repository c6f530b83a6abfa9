//! Telling variants apart by a tag, a magic or by reading them.

mod magic;
mod plan;

use core::fmt;

use crate::finding::{Class, Fault, Problem, Severity, Show};
use crate::observe::{Check, Observer, Read};
use crate::place::{self, Visited};
use crate::value::Value;
use crate::writer::Writer;
use crate::{Cursor, Limits, Wire};

pub use magic::{known_magic, no_magic, peek, peek_in_order, put_magic};
pub use plan::Plan;

/// An enum whose variants are told apart by a tag.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no tag",
    label = "`tag(..)` asks for the tag of an enum that says `#[bin(tag = ..)]`",
    note = "a tag that is bytes or a text is no number, and is computed into a field of that kind, `calc = tag(..)`; one of several parts is kept in plain fields"
)]
pub trait Tagged {
    /// The tag that the variant stands for, or that it keeps.
    fn tag(&self) -> u64;
}

#[cfg(feature = "alloc")]
impl<T: Tagged> Tagged for alloc::boxed::Box<T> {
    fn tag(&self) -> u64 {
        T::tag(self)
    }
}

/// What can be asked for a tag of bytes or a text: `#[bin(calc = tag(body))] kind: [u8; 4]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no tag that is bytes or a text",
    label = "`tag(..)` asks for the tag of an enum that says `#[bin(tag = ..)]`",
    note = "bytes are computed from a tag that is bytes, a text from one that is a text, and numbers from one that is a number"
)]
pub trait TaggedBy {
    /// The argument that the tag is.
    type Tag;

    /// The tag that the variant stands for, or that it keeps.
    fn tag_by(&self) -> Self::Tag;
}

#[cfg(feature = "alloc")]
impl<T: TaggedBy> TaggedBy for alloc::boxed::Box<T> {
    type Tag = T::Tag;

    fn tag_by(&self) -> T::Tag {
        T::tag_by(self)
    }
}

/// A field that a tag can be put into.
#[diagnostic::on_unimplemented(
    message = "a field of type `{Self}` cannot hold the tag, which is a `{Tag}`",
    note = "the field and the argument that is the tag have the same type, or the field owns what the argument borrows"
)]
pub trait HoldsTag<Tag>: Sized + PartialEq {
    /// The tag as the field holds it; `None` where it has another length.
    fn holding(tag: Tag) -> Option<Self>;
}

#[diagnostic::do_not_recommend]
impl<Tag, T: TryFrom<Tag> + PartialEq> HoldsTag<Tag> for T {
    fn holding(tag: Tag) -> Option<T> {
        T::try_from(tag).ok()
    }
}

/// Whether a field is the tag that it is computed from.
pub fn is_tag<Tag, T: HoldsTag<Tag>>(held: &T, tag: Tag) -> bool {
    T::holding(tag).is_some_and(|value| *held == value)
}

/// A tag as a field keeps it; what is `held` counts for nothing.
pub fn tag_as<Tag, T: HoldsTag<Tag>>(
    out: &mut Writer<'_>,
    name: &'static str,
    held: &T,
    tag: Tag,
) -> Result<T, Fault> {
    let at = out.pos();
    let Some(value) = T::holding(tag) else {
        out.enter(name);
        let what = format_args!("the tag has another length than the field");
        return Err(out.fail("derived", what, Show::Nothing, Show::Nothing));
    };
    out.computed_as(&[name], at, *held == value)?;
    Ok(value)
}

/// A constant that is an id, which a tag can be.
///
/// # Panics
///
/// No tag is that number.
#[must_use]
pub const fn id(number: i128, most: i128) -> i128 {
    assert!(0 <= number && number <= most, "no tag is this number");
    number
}

/// Reads a variant by a function, which stays one where nothing is optimized: see `Wire::FRAME`.
#[inline(always)]
pub fn variant<'a, T, O: Observer>(
    cur: &mut Cursor<'a>,
    obs: &mut O,
    read: impl FnOnce(&mut Cursor<'a>, &mut O) -> Result<T, Fault>,
) -> Result<T, Fault> {
    read(cur, obs)
}

/// Writes a variant, likewise.
#[inline(always)]
pub fn written(
    out: &mut Writer<'_>,
    write: impl FnOnce(&mut Writer<'_>) -> Result<(), Fault>,
) -> Result<(), Fault> {
    write(out)
}

/// Insists that a reader takes the value that begins here for the variant as which it is written:
/// `reads` says whether it does.
#[cfg(feature = "alloc")]
pub fn reads(
    out: &mut Writer<'_>,
    reads: impl Fn(&mut Cursor<'_>, Limits) -> Probed + 'static,
) -> Result<(), Fault> {
    // How deep a reader is here decides how far it tries a variant.
    let level = out.limits();
    let reads = move |cur: &mut Cursor<'_>| {
        let budget = Limits::for_input(cur.file().len()).left();
        reads(cur, level.beside(budget))
    };
    out.ahead(0, crate::Ahead::Reads(alloc::boxed::Box::new(reads))).map(drop)
}

/// Without memory to read what is written, nobody knows.
#[cfg(not(feature = "alloc"))]
pub fn reads(
    _: &mut Writer<'_>,
    _: impl Fn(&mut Cursor<'_>, Limits) -> Probed + 'static,
) -> Result<(), Fault> {
    Ok(())
}

/// What a reader makes of a value whose variant it finds by trying.
#[derive(Clone, Copy, Debug)]
pub enum Probed {
    /// It reads it as it was written, for so much of its budget.
    AsWritten(u64),
    /// It reads it as something else.
    Otherwise,
    /// Its budget does not pay for all that it tries.
    TooDear,
}

/// What a reader makes of a value at `cur` that is to be read as `expected`.
pub fn reads_as<'a, T: Wire<'a>>(
    cur: &mut Cursor<'a>,
    limits: Limits,
    args: T::Args,
    expected: impl Fn(&T) -> bool,
) -> Probed {
    let mut read = Read::within(limits);
    match T::walk(cur, &mut read, args) {
        Ok(value) if expected(&value) => {
            Probed::AsWritten(limits.left().saturating_sub(read.limits().left()))
        }
        Err(_) if read.limits().is_spent() => Probed::TooDear,
        _ => Probed::Otherwise,
    }
}

/// Shows what a variant holds that has no fields to show, as a text: the union itself is shown by the name
/// of the variant.
#[inline(always)]
pub fn show<'a, T: Wire<'a>, O: Observer>(cur: &Cursor<'a>, obs: &mut O, from: usize, value: &T) {
    if !O::RECORD {
        return;
    }
    let value = value.value();
    if !matches!(value, Value::Group | Value::Items(_)) {
        obs.enter_extra("0", from);
        obs.leave(cur.pos(), &value);
    }
}

/// No variant stands for the tag.
#[inline(always)]
pub fn unknown_tag<O: Observer>(cur: &Cursor<'_>, obs: &mut O, found: u64) -> Fault {
    if O::RECORD { report_unknown_tag(cur, obs, Show::Hex(found)) } else { Fault::at(cur.pos()) }
}

/// The same for a tag that is bytes or a text.
pub fn unknown_bytes<O: Observer>(cur: &Cursor<'_>, obs: &mut O, found: &[u8]) -> Fault {
    if O::RECORD { report_unknown_tag(cur, obs, Show::bytes(found)) } else { Fault::at(cur.pos()) }
}

/// The same for a tag of several parts.
pub fn unknown_parts<O: Observer>(
    cur: &Cursor<'_>,
    obs: &mut O,
    found: fmt::Arguments<'_>,
) -> Fault {
    if !O::RECORD {
        return Fault::at(cur.pos());
    }
    report_unknown(cur, obs, format_args!("no variant stands for the tag {found}"), Show::Nothing)
}

fn report_unknown_tag<O: Observer>(cur: &Cursor<'_>, obs: &mut O, found: Show) -> Fault {
    report_unknown(cur, obs, format_args!("no variant stands for the tag"), found)
}

#[cold]
#[inline(never)]
fn report_unknown<O: Observer>(
    cur: &Cursor<'_>,
    obs: &mut O,
    what: fmt::Arguments<'_>,
    found: Show,
) -> Fault {
    obs.fail(&Problem {
        code: "tag",
        class: Class::Malformed,
        start: cur.pos(),
        end: cur.pos(),
        what,
        expected: Show::Nothing,
        found,
    })
}

/// Compares the variants of a `probe` enum.
///
/// The first variant that passes completely wins; else the first one that walks to its end, though
/// it breaks a rule; else the one whose first error lies farthest.
///
/// Variants that lose are paid for: others are read from the same bytes.
#[derive(Debug, Default)]
pub struct Probe {
    best: Option<(u8, usize)>,
    chosen: usize,
    passing: usize,
    spent: bool,
    /// The variant that is known to win, once that has been asked.
    planned: Option<usize>,
    consulted: bool,
}

impl Probe {
    /// Walks one variant from where `cur` stands, at the expense of `obs`.
    ///
    /// One that passes has been read, so its value is all that an observer needs that records
    /// nothing. A recorder walks it again, and pays then.
    pub fn variant<'a, T: Wire<'a>, O: Observer>(
        &mut self,
        index: usize,
        cur: &mut Cursor<'a>,
        obs: &mut O,
        args: T::Args,
    ) -> Option<T> {
        if O::RECORD && self.is_planned(index, obs) {
            return None;
        }
        if self.passing > 0 {
            self.look_beside::<T, O>(cur, obs, args);
            return None;
        }
        if self.spent || obs.limits().left() == 0 {
            self.spent = true;
            return None;
        }
        let before = *obs.limits();
        let mut there = *cur;
        let mut check = Check::lenient(before);
        check.set_drops(O::RECORD || obs.drops());
        let mark = check.take_plan(obs, index);
        let result = T::walk(&mut there, &mut check, args);
        obs.count(check.values());
        let score = match &result {
            Ok(_) if !check.broken => (2, 0),
            Ok(_) => (1, 0),
            Err(fault) => (0, fault.offset),
        };
        let passes = score.0 == 2;
        if self.best.is_none_or(|best| score > best) {
            self.best = Some(score);
            self.chosen = index;
        }
        self.passing = usize::from(passes);
        if !passes {
            self.spent = check.limits().lose(cur.pos(), there.pos()).is_none();
        }
        let after = check.limits().unreported();
        check.give_plan(obs, mark.filter(|_| !passes), before.left().saturating_sub(after.left()));
        if passes && O::RECORD {
            // What is tried no more is paid at once, all else when it is walked.
            let lost = obs.plan().map_or(0, |plan| plan.lost());
            self.spent = obs.limits().spend(lost).is_none();
            return None;
        }
        *obs.limits() = after;
        if !passes {
            return None;
        }
        *cur = there;
        result.ok()
    }

    /// Whether the walk of a value around this one has found the variant already.
    fn is_planned<O: Observer>(&mut self, index: usize, obs: &mut O) -> bool {
        if !core::mem::replace(&mut self.consulted, true) {
            self.planned = obs.plan().and_then(Plan::follow);
        }
        if self.planned == Some(index) {
            (self.chosen, self.passing) = (index, 1);
        }
        self.planned.is_some_and(|planned| index <= planned)
    }

    /// Whether another variant fits, too: news for recorders, who pay for it aside.
    fn look_beside<'a, T: Wire<'a>, O: Observer>(
        &mut self,
        cur: &Cursor<'a>,
        obs: &mut O,
        args: T::Args,
    ) {
        let limits = obs.aside();
        if limits.left() == 0 {
            return;
        }
        let mut there = *cur;
        let mut check = Check::lenient(limits);
        check.set_drops(true);
        let passes = T::walk(&mut there, &mut check, args).is_ok() && !check.broken;
        obs.count(check.values());
        self.passing = self.passing.saturating_add(usize::from(passes));
        let limits = check.limits();
        if limits.lose(cur.pos(), there.pos()).is_none() {
            limits.set_spent();
        }
        obs.set_aside(*limits);
    }

    /// The variant to read; a validator hears that the file fits several.
    pub fn choose<O: Observer>(&self, cur: &Cursor<'_>, obs: &mut O) -> Result<usize, Fault> {
        if self.spent {
            return Err(place::spent(obs, (cur.pos(), cur.pos()), Visited::Here));
        }
        if O::RECORD && self.passing > 1 {
            self.ambiguous(cur, obs);
        }
        if let (false, Some(plan)) = (O::RECORD, obs.plan()) {
            plan.push(self.chosen);
        }
        Ok(self.chosen)
    }

    fn ambiguous<O: Observer>(&self, cur: &Cursor<'_>, obs: &mut O) {
        obs.note(
            Severity::Note,
            &Problem {
                code: "ambiguous",
                class: Class::Invalid,
                start: cur.pos(),
                end: cur.end(),
                what: format_args!("{} variants fit; the first one is taken", self.passing),
                expected: Show::Nothing,
                found: Show::Nothing,
            },
        );
    }
}

impl Check {
    /// Goes on with the plan of `obs`, if it makes one, with a variant to be tried.
    fn take_plan<O: Observer>(&mut self, obs: &mut O, index: usize) -> Option<plan::Mark> {
        let mut plan = core::mem::take(obs.plan()?);
        if O::RECORD {
            plan.clear();
        }
        let mark = plan.mark();
        // A recorder stands at this variant, and follows what is behind it.
        if !O::RECORD {
            plan.push(index);
        }
        self.set_plan(plan);
        Some(mark)
    }

    /// Gives the plan back, without a variant that has lost.
    fn give_plan<O: Observer>(&mut self, obs: &mut O, lost: Option<plan::Mark>, cost: u64) {
        let (Some(own), Some(mut plan)) = (obs.plan(), self.plan().map(core::mem::take)) else {
            return;
        };
        if let Some(mark) = lost {
            plan.lose(mark, cost);
        }
        *own = plan;
    }
}
