//! Who watches a walk: nobody (reading), a referee (`is_valid`) or a recorder.

use crate::budget::Limits;
use crate::finding::{Fault, Problem, Severity};
use crate::int::Order;
use crate::layout::Layout;
use crate::path::Step;
use crate::union::Plan;
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
    /// Whether the first fault ends the walk, always.
    const STOPS: bool = false;

    /// Whether the items of lazy sequences are walked.
    fn walks_items(&self) -> bool;

    /// Whether the first fault ends this walk.
    #[inline(always)]
    fn stops(&self) -> bool {
        Self::STOPS
    }

    /// Walks a nested value.
    fn nested<'a, T: Wire<'a>>(&mut self, cur: &mut Cursor<'a>, args: T::Args) -> Result<T, Fault>;

    /// Whether values are thrown away when they have been looked at: then lists and texts are empty, and
    /// take no memory.
    #[inline(always)]
    fn drops(&self) -> bool {
        false
    }

    /// Says whether they are from here on; what expressions use is kept. Returns what was said before.
    #[inline(always)]
    fn set_drops(&mut self, _drops: bool) -> bool {
        false
    }

    /// The walk cannot go on.
    fn fail(&mut self, problem: &Problem<'_>) -> Fault;

    /// A rule that stops a reader is broken; a validator goes on.
    fn broken(&mut self, problem: &Problem<'_>) -> Result<(), Fault>;

    /// Something that stops nobody.
    fn note(&mut self, _severity: Severity, _problem: &Problem<'_>) {}

    /// Fill that a writer leaves in front of a value that cannot lie everywhere: a note, or nothing.
    fn spacing(&mut self, _problem: &Problem<'_>) {}

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

    /// Walks a value that fills decoded bytes, whose coded ones lie `at` an offset.
    #[inline(always)]
    fn decoded<'a, T: Wire<'a>>(
        &mut self,
        cur: &mut Cursor<'a>,
        args: T::Args,
        _at: usize,
    ) -> Result<T, Fault>
    where
        Self: Sized,
    {
        let value = self.nested::<T>(cur, args)?;
        crate::walk::finish(cur, self)?;
        Ok(value)
    }

    /// The decoded bytes of the encoded value that comes next are to be kept.
    #[inline(always)]
    fn keep_decoded(&mut self) {}

    /// Whether they are, for that value alone.
    #[inline(always)]
    fn keeps_decoded(&mut self) -> bool {
        false
    }

    /// Keeps them.
    #[cfg(feature = "alloc")]
    #[inline(always)]
    fn put_decoded(&mut self, _bytes: alloc::vec::Vec<u8>) {}

    /// Takes what has been kept.
    #[cfg(feature = "alloc")]
    #[inline(always)]
    fn take_decoded(&mut self) -> alloc::vec::Vec<u8> {
        alloc::vec::Vec::new()
    }

    /// What the walk may still spend.
    fn limits(&mut self) -> &mut Limits;

    /// What may still be spent on looks at bytes that recorders alone take.
    fn aside(&self) -> Limits {
        Limits::of(0)
    }

    /// Takes over what such a look has spent.
    fn set_aside(&mut self, _limits: Limits) {}

    /// The steps from the root to what is open, for those who know them.
    fn steps(&self) -> &[Step] {
        &[]
    }

    /// The open sections around the value, for those who look at what lies there.
    #[cfg(feature = "alloc")]
    #[inline(always)]
    fn around(&mut self) -> Option<&mut alloc::vec::Vec<crate::place::Around>> {
        None
    }

    /// The place of the checksum over the file, if the walk has met one.
    #[inline(always)]
    fn sum_of_file(&self) -> Option<(usize, usize)> {
        None
    }

    /// The walk has met the checksum over the file.
    #[inline(always)]
    fn set_sum_of_file(&mut self, _place: (usize, usize)) {}

    /// Bytes of a buffer belong to the value that is being read, which looks at none of them.
    #[inline(always)]
    fn passes(&mut self, _bytes: usize) {}

    /// What is found out for a walk of the same bytes that follows.
    #[inline(always)]
    fn plan(&mut self) -> Option<&mut Plan> {
        None
    }

    /// A walk on behalf of this one has met so many nested values, for those who count them.
    #[inline(always)]
    fn count(&mut self, _values: u64) {}
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
    const STOPS: bool = true;

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
#[expect(clippy::struct_excessive_bools, reason = "four questions; many combinations occur")]
pub struct Check {
    limits: Limits,
    walks_on: bool,
    /// Whether it leaves lazy parts alone, as a reader.
    reads: bool,
    /// Whether values are thrown away.
    drops: bool,
    /// How many nested values were met.
    values: u64,
    /// What a recorder wants to know that will walk the same bytes.
    plan: Option<Plan>,
    /// Whether a rule that stops readers was broken on the way.
    pub broken: bool,
}

impl Check {
    /// A referee that stops at the first broken rule.
    pub fn strict(limits: Limits) -> Self {
        Self {
            limits,
            walks_on: false,
            reads: false,
            drops: false,
            values: 0,
            plan: None,
            broken: false,
        }
    }

    /// A referee in the place of a reader, for walks that are compiled only once for both.
    #[cfg(feature = "alloc")]
    pub(crate) fn reading(limits: Limits) -> Self {
        Self { reads: true, ..Self::strict(limits) }
    }

    /// Makes a plan.
    pub(crate) fn set_plan(&mut self, plan: Plan) {
        self.plan = Some(plan);
    }

    /// How many nested values were met, for those who count them.
    pub(crate) fn values(&self) -> u64 {
        self.values
    }

    /// A referee that walks as far as it can, within what another walk may still spend.
    pub(crate) fn lenient(limits: Limits) -> Self {
        Self { walks_on: true, ..Self::strict(limits) }
    }
}

impl Observer for Check {
    const RECORD: bool = false;

    #[inline(always)]
    fn walks_items(&self) -> bool {
        !self.reads
    }

    #[inline(always)]
    fn stops(&self) -> bool {
        self.reads
    }

    #[inline(always)]
    fn drops(&self) -> bool {
        self.drops
    }

    #[inline(always)]
    fn set_drops(&mut self, drops: bool) -> bool {
        core::mem::replace(&mut self.drops, drops)
    }

    #[inline(always)]
    fn nested<'a, T: Wire<'a>>(&mut self, cur: &mut Cursor<'a>, args: T::Args) -> Result<T, Fault> {
        self.values = self.values.wrapping_add(1);
        T::walk(cur, self, args)
    }

    fn plan(&mut self) -> Option<&mut Plan> {
        self.plan.as_mut()
    }

    #[inline(always)]
    fn count(&mut self, values: u64) {
        self.values = self.values.wrapping_add(values);
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

    /// A rule is broken that the declaration has switched off.
    fn silenced(&mut self, _code: &'static str) {}

    /// The value itself begins.
    fn begin(&mut self, _layout: &'static Layout, _start: usize) {}

    /// The value itself ends; without a value, where damage has ended the walk.
    fn end(&mut self, _end: usize, _value: Option<&Value<'_>>) {}

    /// A field or an item starts.
    fn enter(&mut self, _step: Step, _field: Option<&'static crate::FieldLayout>, _start: usize) {}

    /// The field or item that started last ends.
    fn leave(&mut self, _end: usize, _value: &Value<'_>) {}

    /// Damage ended everything below `depth` at `end`.
    fn unwind(&mut self, _depth: usize, _end: usize) {}
}
