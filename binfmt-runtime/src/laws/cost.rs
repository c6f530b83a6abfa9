//! What a walk costs, counted in steps, which are the same on every machine.

use crate::budget::Limits;
use crate::finding::{Fault, Finding, Problem};
use crate::layout::FieldLayout;
use crate::observe::{Events, Observer};
use crate::path::Step;
use crate::record::Recorder;
use crate::value::Value;
use crate::{Cursor, Wire};

/// How many steps the walks over one input take, whether it is damaged or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cost {
    /// Nested values and items that a reader reads, in variants that lose too.
    pub read: u64,
    /// Those that `is_valid` looks at.
    pub check: u64,
    /// Fields, items and findings that a validator or inspector is told of, and what it reads again.
    pub record: u64,
}

impl Cost {
    /// The most of the three.
    pub fn most(self) -> u64 {
        self.read.max(self.check).max(self.record)
    }
}

/// Counts the steps of all walks over one input.
///
/// The steps at twice the input are about twice as many, for every declaration and for the worst
/// input: this is what tests compare.
pub fn cost<'a, T: Wire<'a>>(bytes: &'a [u8], args: T::Args) -> Cost {
    let walk = |walks_items: bool| {
        let mut meter = Meter { limits: Limits::for_input(bytes.len()), walks_items, steps: 0 };
        let _ = T::walk(&mut Cursor::new(bytes), &mut meter, args);
        meter.steps
    };
    let mut tally = Tally(0);
    let mut recorder = Recorder::new(&mut tally, bytes);
    let _ = recorder.nested::<T>(&mut Cursor::new(bytes), args);
    let aside = recorder.values();
    Cost { read: walk(false), check: walk(true), record: tally.0.saturating_add(aside) }
}

/// A reader or referee that counts.
struct Meter {
    limits: Limits,
    walks_items: bool,
    steps: u64,
}

impl Observer for Meter {
    const RECORD: bool = false;

    fn walks_items(&self) -> bool {
        self.walks_items
    }

    fn nested<'a, T: Wire<'a>>(&mut self, cur: &mut Cursor<'a>, args: T::Args) -> Result<T, Fault> {
        self.count(1);
        T::walk(cur, self, args)
    }

    fn fail(&mut self, problem: &Problem<'_>) -> Fault {
        Fault::at(problem.start)
    }

    fn broken(&mut self, problem: &Problem<'_>) -> Result<(), Fault> {
        Err(Fault::at(problem.start))
    }

    fn limits(&mut self) -> &mut Limits {
        &mut self.limits
    }

    fn count(&mut self, values: u64) {
        self.steps = self.steps.saturating_add(values);
    }
}

/// Counts what a recorder tells.
struct Tally(u64);

impl Events for Tally {
    fn finding(&mut self, _: Finding) {
        self.0 = self.0.saturating_add(1);
    }

    fn enter(&mut self, _: Step, _: Option<&'static FieldLayout>, _: usize) {
        self.0 = self.0.saturating_add(1);
    }

    fn leave(&mut self, _: usize, _: &Value<'_>) {}
}
