//! Telling variants apart by a tag, a magic or by reading them.

use crate::finding::{Class, Fault, Problem, Severity, Show};
use crate::int::{Int, Order};
use crate::observe::{Check, Observer};
use crate::ops::wide;
use crate::value::Value;
use crate::writer::Writer;
use crate::{Cursor, Wire};

/// An enum whose variants are told apart by a tag.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no tag",
    label = "`tag(..)` asks for the tag of an enum that says `#[bin(tag = ..)]`"
)]
pub trait Tagged {
    /// The tag that the variant stands for, or that it keeps.
    fn tag(&self) -> u64;
}

/// The number that comes next, lowest byte first; it is not read yet.
#[inline(always)]
pub fn peek<T: Int>(cur: &Cursor<'_>) -> Option<T> {
    T::take(&mut { *cur }, Order::Little)
}

/// Reads a constant that has been compared already.
#[inline(always)]
pub fn known_magic<O: Observer, const N: usize>(
    cur: &mut Cursor<'_>,
    obs: &mut O,
) -> Result<(), Fault> {
    obs.enter_extra("magic", cur.pos());
    match cur.take_array::<N>() {
        Some(found) => {
            obs.leave(cur.pos(), &Value::Bytes(found));
            Ok(())
        }
        None => Err(crate::walk::short(cur, obs, wide(N))),
    }
}

/// Checks that what has been written since `from` has its own mark and not one of an earlier variant,
/// `peek` bytes behind its start.
pub fn stays(
    out: &mut Writer<'_>,
    from: u64,
    peek: usize,
    own: &[u8],
    earlier: &[&[u8]],
) -> Result<(), Fault> {
    let to = out.pos();
    let Some(bytes) = out.range(from, to)? else { return Ok(()) };
    let bytes = bytes.get(peek..).unwrap_or_default();
    let other = earlier.iter().find(|magic| bytes.starts_with(magic));
    if other.is_none() && bytes.starts_with(own) {
        return Ok(());
    }
    let found = Show::bytes(bytes.get(..8).unwrap_or(bytes));
    Err(another_variant(out, from, found))
}

#[cold]
fn another_variant(out: &mut Writer<'_>, from: u64, found: Show) -> Fault {
    let what =
        format_args!("the value begins like another variant, and would be read back as that");
    out.fail_at(from, "variant", what, Show::Nothing, found)
}

/// No variant stands for the tag.
#[inline(always)]
pub fn unknown_tag<O: Observer>(cur: &Cursor<'_>, obs: &mut O, found: u64) -> Fault {
    if O::RECORD { tell_unknown_tag(cur, obs, found) } else { Fault::at(cur.pos()) }
}

#[cold]
#[inline(never)]
fn tell_unknown_tag<O: Observer>(cur: &Cursor<'_>, obs: &mut O, found: u64) -> Fault {
    obs.fail(&Problem {
        code: "tag",
        class: Class::Malformed,
        start: cur.pos(),
        end: cur.pos(),
        what: format_args!("no variant stands for the tag"),
        expected: Show::Nothing,
        found: Show::Hex(found),
    })
}

/// Compares the variants of a `probe` enum.
///
/// The first variant that passes completely wins; else the first one that walks to its end, though
/// it breaks a rule; else the one whose first error lies farthest.
#[derive(Debug, Default)]
pub struct Probe {
    best: Option<(u8, usize)>,
    chosen: usize,
    passing: usize,
    spent: bool,
}

impl Probe {
    /// Walks one variant from where `cur` stands, at the expense of `obs`.
    pub fn variant<'a, T: Wire<'a>, O: Observer>(
        &mut self,
        index: usize,
        cur: &Cursor<'a>,
        obs: &mut O,
        args: T::Args,
    ) {
        let mut cur = *cur;
        let start = cur.pos();
        let mut check = Check::lenient(*obs.limits());
        let score = match check.try_variant::<T>(&mut cur, args) {
            Ok(()) if !check.broken => (2, 0),
            Ok(()) => (1, 0),
            Err(fault) => (0, fault.offset),
        };
        // Variants within variants are walked again at every level, so walks cost what they read.
        let read = wide(cur.pos().saturating_sub(start));
        self.spent |= obs.limits().charge(check.limits(), read).is_none();
        self.passing = self.passing.saturating_add(usize::from(score.0 == 2));
        if self.best.is_none_or(|best| score > best) {
            self.best = Some(score);
            self.chosen = index;
        }
    }

    /// Whether a variant has passed, so that a reader need not look further.
    pub fn passed(&self) -> bool {
        self.passing > 0
    }

    /// The variant to read; a validator hears that the file fits several.
    pub fn choose<O: Observer>(&self, cur: &Cursor<'_>, obs: &mut O) -> Result<usize, Fault> {
        if self.spent {
            return Err(crate::place::spent(obs, cur.pos(), cur));
        }
        if O::RECORD && self.passing > 1 {
            self.ambiguous(cur, obs);
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
