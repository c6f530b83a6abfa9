//! Who watches a walk: nobody (reading), a referee (`is_valid`) or a recorder.

use crate::finding::{Fault, Problem, Severity};
use crate::int::Order;
use crate::layout::Layout;
use crate::path::Step;
use crate::value::Value;
use crate::{Cursor, Wire};

/// What a walk tells as it goes. Every hook is empty for the readers and vanishes.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot watch a walk",
    note = "use `Read`, `Check` or `Recorder`"
)]
pub trait Observer: Sized {
    /// Whether hooks do anything; rules that do not stop a reader are evaluated only then.
    const RECORD: bool;
    /// Whether the items of lazy sequences are walked.
    fn walks_items(&self) -> bool;

    /// Walks a nested value.
    fn nested<'a, T: Wire<'a>>(&mut self, cur: &mut Cursor<'a>, args: T::Args) -> Result<T, Fault>;

    /// The walk cannot go on.
    fn fail(&mut self, problem: &Problem<'_>) -> Fault;

    /// A rule that stops a reader is broken; a validator goes on.
    fn broken(&mut self, problem: &Problem<'_>) -> Result<(), Fault>;

    /// Something that stops nobody.
    fn note(&mut self, _severity: Severity, _problem: &Problem<'_>) {}

    /// A field starts at an absolute offset.
    #[inline(always)]
    fn enter(&mut self, _layout: &'static Layout, _field: usize, _start: usize) {}

    /// An item of a sequence starts.
    #[inline(always)]
    fn enter_item(&mut self, _index: u64, _start: usize) {}

    /// Something that has a place but no field of its own starts: a magic, padding.
    #[inline(always)]
    fn enter_extra(&mut self, _name: &'static str, _start: usize) {}

    /// The field or item that was entered last ends.
    #[inline(always)]
    fn leave(&mut self, _end: usize, _value: &Value<'_>) {}

    /// [`leave`](Self::leave) with bytes.
    #[inline(always)]
    fn leave_bytes(&mut self, _end: usize, _bytes: &[u8]) {}

    /// Plain fields follow one another, from the field `first` on; they are read when this returns.
    #[inline(always)]
    fn run(
        &mut self,
        _cur: Cursor<'_>,
        _spans: &mut [(usize, usize)],
        _layout: &'static Layout,
        _first: usize,
        _shapes: &str,
        _order: Order,
    ) -> Result<(), Fault> {
        Ok(())
    }

    /// How many fields and items are open.
    #[inline(always)]
    fn depth(&self) -> usize {
        0
    }

    /// Closes what damage left open, down to `depth`.
    #[inline(always)]
    fn unwind(&mut self, _depth: usize, _end: usize) {}

    /// Names a field that has been read already, for a rule that speaks of it.
    #[inline(always)]
    fn reopen(&mut self, _layout: &'static Layout, _field: usize) {}

    /// What is told until the next call belongs to a field of `layout`, though it is not inside it;
    /// to none with a field that is not there.
    #[inline(always)]
    fn about(&mut self, _layout: &'static Layout, _field: usize) {}

    /// Names an item of the field that `reopen` has named.
    #[inline(always)]
    fn reopen_item(&mut self, _index: u64) {}

    /// Names a part of what has been read already, however deep it lies.
    #[inline(always)]
    fn reopen_part(&mut self, _steps: &[Step]) {}

    /// Takes back what `reopen` named.
    #[inline(always)]
    fn close(&mut self, _depth: usize) {}

    /// The field that is open fails because of what an earlier field of the same value says.
    #[inline(always)]
    fn blame(&mut self, _layout: &'static Layout, _field: usize) {}

    /// What follows is specified there; returns what was said before.
    #[inline(always)]
    fn specified(&mut self, _spec: Option<&'static str>) -> Option<&'static str> {
        None
    }

    /// What the walk may still spend.
    fn limits(&mut self) -> &mut Limits;
}

/// Bounds of one walk, so that no input costs more than its size allows.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    bytes: u64,
    depth: u32,
    /// How many tables may still be visited, and one; 0 once a walk has heard that there are too many.
    tables: u32,
}

impl Limits {
    /// How deep values may nest through sequences and boxes.
    pub const MAX_DEPTH: u32 = 64;

    /// How many `FlatBuffers` tables one walk visits at most, as that library's own verifier.
    pub const MAX_TABLES: u32 = 1_000_000;

    /// The bounds for an input of `len` bytes: located fields may read it four times over.
    #[inline(always)]
    pub fn for_input(len: usize) -> Self {
        // No address space holds the 2^62 bytes that would wrap.
        let bytes = crate::ops::wide(len).wrapping_mul(4).wrapping_add(4096);
        Self { bytes, depth: 0, tables: Self::MAX_TABLES.wrapping_add(1) }
    }

    /// Pays for `bytes` that a located field reads; `None` when the budget is spent.
    #[inline(always)]
    pub fn spend(&mut self, bytes: u64) -> Option<()> {
        self.bytes = self.bytes.checked_sub(bytes)?;
        Some(())
    }

    /// Pays for one table. Its offset alone is worth two, so that only tables which many others
    /// share, on many levels, cost too much.
    #[inline]
    pub(crate) fn spend_table(&mut self) -> Option<()> {
        if self.tables <= 1 {
            self.tables = 0;
            return None;
        }
        self.tables = self.tables.wrapping_sub(1);
        self.spend_flat(8)
    }

    /// Pays for what a table points at; when the budget is spent, no table can be paid any more.
    #[inline]
    pub(crate) fn spend_flat(&mut self, bytes: u64) -> Option<()> {
        let paid = self.spend(bytes);
        if paid.is_none() {
            self.tables = 0;
        }
        paid
    }

    /// Whether tables have spent everything.
    #[inline]
    pub(crate) fn is_flat_spent(&self) -> bool {
        self.tables == 0
    }

    /// Takes over what another walk has spent, and pays for the bytes that it has read: a sixteenth
    /// of what a located field pays, but not nothing. `None` when the budget is spent.
    pub(crate) fn charge(&mut self, other: &Self, read: u64) -> Option<()> {
        (self.bytes, self.tables) = (other.bytes, other.tables);
        self.spend((read >> 4).max(1))
    }

    /// Goes one level down; `None` when values nest too deeply.
    #[inline(always)]
    pub fn descend(&mut self) -> Option<()> {
        self.depth = self.depth.checked_add(1).filter(|depth| *depth <= Self::MAX_DEPTH)?;
        Some(())
    }

    /// Comes back up.
    #[inline(always)]
    pub fn ascend(&mut self) {
        self.depth = self.depth.saturating_sub(1);
    }
}

/// The reader: no hooks, lazy sequences stay lazy.
#[derive(Debug)]
pub struct Read {
    limits: Limits,
}

impl Read {
    /// A reader that may spend what is left of other walks.
    #[inline(always)]
    pub(crate) fn within(limits: Limits) -> Self {
        Self { limits }
    }

    /// A reader of an input of `len` bytes.
    #[inline(always)]
    pub fn new(len: usize) -> Self {
        Self { limits: Limits::for_input(len) }
    }
}

impl Observer for Read {
    const RECORD: bool = false;

    #[inline(always)]
    fn walks_items(&self) -> bool {
        false
    }

    #[inline(always)]
    fn nested<'a, T: Wire<'a>>(&mut self, cur: &mut Cursor<'a>, args: T::Args) -> Result<T, Fault> {
        T::walk(cur, self, args)
    }

    #[inline(always)]
    fn fail(&mut self, problem: &Problem<'_>) -> Fault {
        Fault::at(problem.start)
    }

    #[inline(always)]
    fn broken(&mut self, problem: &Problem<'_>) -> Result<(), Fault> {
        Err(Fault::at(problem.start))
    }

    #[inline(always)]
    fn limits(&mut self) -> &mut Limits {
        &mut self.limits
    }
}

/// The referee: walks every lazy part, records nothing.
///
/// It stops at the first broken rule, or remembers it and walks on when variants are compared.
#[derive(Debug)]
pub struct Check {
    limits: Limits,
    walks_on: bool,
    /// Whether a rule that stops readers was broken on the way.
    pub broken: bool,
}

impl Check {
    /// A referee that stops at the first broken rule.
    pub fn strict(len: usize) -> Self {
        Self { limits: Limits::for_input(len), walks_on: false, broken: false }
    }

    /// A referee that walks as far as it can, within what another walk may still spend.
    pub(crate) fn lenient(limits: Limits) -> Self {
        Self { limits, walks_on: true, broken: false }
    }

    /// Walks a variant one level deeper.
    pub(crate) fn try_variant<'a, T: Wire<'a>>(
        &mut self,
        cur: &mut Cursor<'a>,
        args: T::Args,
    ) -> Result<(), Fault> {
        self.limits.descend().ok_or(Fault::at(cur.pos()))?;
        let result = T::walk(cur, self, args);
        self.limits.ascend();
        result.map(|_| ())
    }
}

impl Observer for Check {
    const RECORD: bool = false;

    #[inline(always)]
    fn walks_items(&self) -> bool {
        true
    }

    #[inline(always)]
    fn nested<'a, T: Wire<'a>>(&mut self, cur: &mut Cursor<'a>, args: T::Args) -> Result<T, Fault> {
        T::walk(cur, self, args)
    }

    #[inline(always)]
    fn fail(&mut self, problem: &Problem<'_>) -> Fault {
        Fault::at(problem.start)
    }

    #[inline(always)]
    fn broken(&mut self, problem: &Problem<'_>) -> Result<(), Fault> {
        self.broken = true;
        if self.walks_on { Ok(()) } else { Err(Fault::at(problem.start)) }
    }

    #[inline(always)]
    fn limits(&mut self) -> &mut Limits {
        &mut self.limits
    }
}

/// Receives what a recorder tells.
#[diagnostic::on_unimplemented(
    message = "`{Self}` takes no events of a recorder",
    note = "implement `Events`"
)]
pub trait Events {
    /// A rule is broken.
    fn finding(&mut self, finding: crate::Finding);

    /// A field or an item starts.
    fn enter(&mut self, _step: Step, _field: Option<&'static crate::FieldLayout>, _start: usize) {}

    /// The field or item that started last ends.
    fn leave(&mut self, _end: usize, _value: &Value<'_>) {}

    /// Damage ended everything below `depth` at `end`.
    fn unwind(&mut self, _depth: usize, _end: usize) {}
}
