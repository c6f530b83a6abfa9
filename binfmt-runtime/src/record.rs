//! The recorder: knows where the walk is and passes on what it meets.

mod gaps;
mod locate;

use core::marker::PhantomData;

use self::gaps::Gaps;
pub(crate) use self::locate::{locate, locate_flat, locate_within, outside};
use crate::budget::Limits;
use crate::finding::{Class, Fault, Finding, Problem, Severity, Show, Window};
use crate::int::Order;
use crate::layout::Layout;
use crate::observe::{Check, Events, Observer};
use crate::overrides::Overrides;
use crate::path::{Path, Step};
use crate::value::Value;
use crate::{Cursor, Wire};

/// Watches a walk for a validator, an inspector, or a reader that wants to know why it stopped.
pub struct Recorder<'r> {
    path: Path,
    events: &'r mut dyn Events,
    file: &'r [u8],
    limits: Limits,
    /// What looks may spend that nobody else takes.
    aside: (u64, u64),
    /// How many values others have met on behalf of this walk.
    values: u64,
    /// The variants that a trial has chosen in the value that is being walked.
    plan: crate::union::Plan,
    spec: Option<&'static str>,
    overrides: Overrides,
    purpose: Purpose,
    gaps: Option<Gaps>,
    sum_of_file: Option<(usize, usize)>,
    /// Where the coded bytes lie, if the file is what they decode to.
    coded_at: Option<usize>,
    /// The decoded bytes that a checksum covers.
    #[cfg(feature = "alloc")]
    decoded: crate::encoded::Kept,
    /// What values say of the open section that they lie in.
    #[cfg(feature = "alloc")]
    around: alloc::vec::Vec<crate::place::Around>,
}

/// What the recorder is for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Purpose {
    /// Say everything; go on wherever that is possible.
    Report,
    /// Say what stopped a reader, which leaves lazy parts alone; stop there.
    Locate,
}

impl core::fmt::Debug for Recorder<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Recorder").field("path", &self.path.render()).finish_non_exhaustive()
    }
}

impl<'r> Recorder<'r> {
    /// A recorder of a walk over `file` that reports everything to `events`.
    pub fn new(events: &'r mut dyn Events, file: &'r [u8]) -> Self {
        Self::within(events, file, Limits::for_input(file.len()))
    }

    /// A recorder of a walk that may cost so much.
    pub fn within(events: &'r mut dyn Events, file: &'r [u8], limits: Limits) -> Self {
        Self {
            path: Path::default(),
            events,
            file,
            limits,
            aside: (limits.left(), limits.decodable()),
            values: 0,
            plan: crate::union::Plan::default(),
            spec: None,
            overrides: Overrides::default(),
            purpose: Purpose::Report,
            gaps: None,
            sum_of_file: None,
            coded_at: None,
            #[cfg(feature = "alloc")]
            decoded: crate::encoded::Kept::default(),
            #[cfg(feature = "alloc")]
            around: alloc::vec::Vec::new(),
        }
    }

    fn locating(events: &'r mut dyn Events, file: &'r [u8], limits: Limits) -> Self {
        Self { purpose: Purpose::Locate, ..Self::within(events, file, limits) }
    }

    /// How many values others have met on behalf of this walk.
    #[cfg(feature = "laws")]
    pub(crate) fn values(&self) -> u64 {
        self.values
    }

    /// A value of a type begins; returns where what is around it is specified.
    #[inline(never)]
    fn begin(&mut self, layout: &'static Layout) -> (Option<&'static str>, usize) {
        let outer = self.spec;
        self.spec = layout.spec.or(outer);
        (outer, self.overrides.of_type(self.path.depth(), layout.overrides))
    }

    /// The value has ended that `begin` began.
    fn end(&mut self, (spec, overrides): (Option<&'static str>, usize)) {
        self.spec = spec;
        self.overrides.end(overrides);
    }

    /// Ends the walk of a value, which has got to `cur`; without a value, damage has ended it.
    pub fn finish(&mut self, cur: &Cursor<'_>, value: Option<&Value<'_>>) {
        if value.is_some() && cur.remaining() > 0 {
            // Bytes may follow, but somebody should know.
            self.note(Severity::Warning, &crate::seq::trailing(cur));
            self.covers_trailing(cur);
        }
        if let Some(gaps) = self.gaps.take() {
            self.events.finding(gaps.summary());
        }
        self.events.unwind(0, cur.pos());
        self.events.end(cur.pos(), value);
    }

    /// A writer leaves out what follows the value, which a checksum over the file covers here.
    fn covers_trailing(&mut self, cur: &Cursor<'_>) {
        let Some((start, end)) = self.sum_of_file else { return };
        let (from, to) = (cur.pos(), cur.end());
        let what = format_args!(
            "the checksum over the file covers {from:#x}..{to:#x}, which is not kept; the writer makes another one"
        );
        let (class, expected, found) = (Class::Invalid, Show::Nothing, Show::Nothing);
        let code = "canonical";
        self.note(Severity::Warning, &Problem { code, class, start, end, what, expected, found });
    }

    fn report(&mut self, severity: Severity, problem: &Problem<'_>) {
        let finding = self.finding(severity, problem);
        self.events.finding(finding);
    }

    fn finding(&self, severity: Severity, problem: &Problem<'_>) -> Finding {
        let window = Window::around(self.file, problem.start);
        let finding = Finding::new(severity, self.path.render(), self.spec, problem);
        let class = match finding.class {
            // No more bytes of the file would help.
            Class::Incomplete if self.coded_at.is_some() => Class::Malformed,
            class => class,
        };
        Finding { window, class, coded_at: self.coded_at.map(crate::ops::wide), ..finding }
    }

    /// A recorder over decoded bytes, which takes what this one knows until it is given back.
    fn over<'n>(&'n mut self, file: &'n [u8], at: usize) -> Recorder<'n> {
        Recorder {
            path: core::mem::take(&mut self.path),
            overrides: core::mem::take(&mut self.overrides),
            plan: core::mem::take(&mut self.plan),
            events: &mut *self.events,
            file,
            limits: self.limits,
            aside: self.aside,
            values: self.values,
            spec: self.spec,
            purpose: self.purpose,
            gaps: None,
            // Decoded bytes are a file of their own.
            sum_of_file: None,
            coded_at: self.coded_at.or(Some(at)),
            #[cfg(feature = "alloc")]
            decoded: crate::encoded::Kept::default(),
            #[cfg(feature = "alloc")]
            around: alloc::vec::Vec::new(),
        }
    }

    /// Gaps that hold only fill are told together: there can be thousands, and nothing is wrong.
    fn gap(&mut self, problem: &Problem<'_>) {
        match &mut self.gaps {
            Some(gaps) => gaps.add(problem),
            None => self.gaps = Some(Gaps::new(self.finding(Severity::Note, problem))),
        }
    }
}

/// The recording walk of one type: an instance of its own, never inlined.
#[inline(never)]
fn walk_recorded<'a, T: Wire<'a>>(
    cur: &mut Cursor<'a>,
    recorder: &mut Recorder<'_>,
    args: T::Args,
) -> Result<T, Fault> {
    let outer = recorder.begin(T::WIRE);
    #[cfg(feature = "alloc")]
    let open = recorder.around.len();
    let result = T::walk(cur, recorder, args);
    // Damage may have ended the walk of a value that has an open section.
    #[cfg(feature = "alloc")]
    recorder.around.truncate(open);
    recorder.end(outer);
    result
}

/// The recording walk of a type that is not named.
pub(crate) trait Recorded<'a> {
    /// Walks a value; a fault has been told as a finding.
    fn walk(&self, cur: &mut Cursor<'a>, recorder: &mut Recorder<'_>) -> Result<(), Fault>;

    /// Walks a value, and tells of its beginning and its end.
    fn record(&self, cur: &mut Cursor<'a>, recorder: &mut Recorder<'_>);
}

/// The recording walk of a type that takes these arguments.
struct Walk<T, A>(A, PhantomData<fn() -> T>);

impl<'a, T: Wire<'a>> Recorded<'a> for Walk<T, T::Args> {
    fn walk(&self, cur: &mut Cursor<'a>, recorder: &mut Recorder<'_>) -> Result<(), Fault> {
        walk_recorded::<T>(cur, recorder, self.0).map(|_| ())
    }

    fn record(&self, cur: &mut Cursor<'a>, recorder: &mut Recorder<'_>) {
        recorder.events.begin(T::WIRE, cur.pos());
        let value = walk_recorded::<T>(cur, recorder, self.0).ok();
        // What follows the value weighs what its type says.
        recorder.overrides.of_type(0, T::WIRE.overrides);
        recorder.finish(cur, value.as_ref().map(T::value).as_ref());
    }
}

/// Hands all that a walk meets to `events`; the same for all types.
#[inline(never)]
pub(crate) fn record<'a>(
    mut cur: Cursor<'a>,
    limits: Limits,
    value: &dyn Recorded<'a>,
    events: &mut dyn Events,
) {
    let mut recorder = Recorder::within(events, cur.file(), limits);
    value.record(&mut cur, &mut recorder);
}

/// The recording walk of a type.
pub(crate) fn recorded<'a, T: Wire<'a>>(args: T::Args) -> impl Recorded<'a> {
    Walk::<T, T::Args>(args, PhantomData)
}

impl Observer for Recorder<'_> {
    const RECORD: bool = true;

    fn walks_items(&self) -> bool {
        self.purpose == Purpose::Report
    }

    fn nested<'a, T: Wire<'a>>(&mut self, cur: &mut Cursor<'a>, args: T::Args) -> Result<T, Fault> {
        walk_recorded(cur, self, args)
    }

    #[cold]
    fn fail(&mut self, problem: &Problem<'_>) -> Fault {
        self.report(Severity::Error, problem);
        Fault::at(problem.start)
    }

    #[cold]
    fn broken(&mut self, problem: &Problem<'_>) -> Result<(), Fault> {
        self.report(Severity::Error, problem);
        match self.purpose {
            Purpose::Report => Ok(()),
            Purpose::Locate => Err(Fault::at(problem.start)),
        }
    }

    #[cold]
    fn note(&mut self, severity: Severity, problem: &Problem<'_>) {
        if self.purpose == Purpose::Locate {
            return;
        }
        let is_fill = problem.code == "gap" && severity == Severity::Note;
        match self.overrides.weigh(self.path.depth(), problem.code, severity) {
            Some(Severity::Note) if is_fill => self.gap(problem),
            Some(severity) => self.report(severity, problem),
            None => self.events.silenced(problem.code),
        }
    }

    #[cold]
    fn spacing(&mut self, problem: &Problem<'_>) {
        if self.purpose == Purpose::Locate {
            return;
        }
        match self.overrides.weigh(self.path.depth(), problem.code, Severity::Note) {
            Some(_) => self.gap(problem),
            None => self.events.silenced(problem.code),
        }
    }

    fn enter(&mut self, layout: &'static Layout, field: usize, start: usize) {
        let field = layout.field(field);
        self.path.push(Step::Field(field.name));
        self.overrides.of_field(self.path.depth(), field.overrides);
        self.events.enter(Step::Field(field.name), Some(field), start);
    }

    fn enter_item(&mut self, index: u64, start: usize) {
        self.path.push(Step::Index(index));
        self.overrides.of_field(self.path.depth(), &[]);
        self.events.enter(Step::Index(index), None, start);
    }

    fn enter_extra(&mut self, name: &'static str, start: usize) {
        self.path.push(Step::Field(name));
        self.overrides.of_field(self.path.depth(), &[]);
        self.events.enter(Step::Field(name), None, start);
    }

    fn leave(&mut self, end: usize, value: &Value<'_>) {
        self.path.truncate(self.path.depth().saturating_sub(1));
        self.events.leave(end, value);
    }

    fn leave_bytes(&mut self, end: usize, bytes: &[u8]) {
        self.leave(end, &Value::Bytes(bytes));
    }

    #[inline(never)]
    fn run(
        &mut self,
        cur: Cursor<'_>,
        spans: &mut [(usize, usize)],
        layout: &'static Layout,
        first: usize,
        shapes: &str,
        order: Order,
    ) -> Result<(), Fault> {
        crate::walk::record(cur, self, spans, (layout, first), shapes, order)
    }

    fn depth(&self) -> usize {
        self.path.depth()
    }

    fn unwind(&mut self, depth: usize, end: usize) {
        self.path.truncate(depth);
        self.plan = crate::union::Plan::default();
        self.events.unwind(depth, end);
    }

    fn reopen(&mut self, layout: &'static Layout, field: usize) {
        if layout.fields.get(field).is_none() {
            return;
        }
        let field = layout.field(field);
        self.path.push(Step::Field(field.name));
        self.overrides.of_field(self.path.depth(), field.overrides);
    }

    fn about(&mut self, layout: &'static Layout, field: usize) {
        self.overrides.about(layout.field(field).overrides);
    }

    fn reopen_item(&mut self, index: u64) {
        self.path.push(Step::Index(index));
        self.overrides.of_field(self.path.depth(), &[]);
    }

    fn reopen_part(&mut self, steps: &[Step]) {
        for step in steps {
            self.path.push(*step);
            self.overrides.of_field(self.path.depth(), &[]);
        }
    }

    fn steps(&self) -> &[Step] {
        self.path.steps()
    }

    #[cfg(feature = "alloc")]
    fn around(&mut self) -> Option<&mut alloc::vec::Vec<crate::place::Around>> {
        Some(&mut self.around)
    }

    fn close(&mut self, depth: usize) {
        self.path.truncate(depth);
    }

    fn blame(&mut self, layout: &'static Layout, field: usize) {
        // A value around one other has no step of its own.
        if layout.fields.get(field).is_none() {
            return;
        }
        self.path.truncate(self.path.depth().saturating_sub(1));
        self.reopen(layout, field);
    }

    fn specified(&mut self, spec: Option<&'static str>) -> Option<&'static str> {
        core::mem::replace(&mut self.spec, spec)
    }

    fn limits(&mut self) -> &mut Limits {
        &mut self.limits
    }

    fn aside(&self) -> Limits {
        let (left, decodable) = self.aside;
        self.limits.beside(left).decoding(decodable)
    }

    fn decoded<'a, T: Wire<'a>>(
        &mut self,
        cur: &mut Cursor<'a>,
        args: T::Args,
        at: usize,
    ) -> Result<T, Fault> {
        let depth = self.path.depth();
        self.path.push(Step::Decoded);
        self.overrides.of_field(self.path.depth(), &[]);
        self.events.enter(Step::Decoded, None, 0);
        let mut inner = self.over(cur.file(), at);
        let value = walk_recorded::<T>(cur, &mut inner, args)
            .and_then(|value| crate::walk::finish(cur, &mut inner).map(|()| value));
        if let Some(gaps) = inner.gaps.take() {
            inner.events.finding(gaps.summary());
        }
        let Recorder { path, overrides, plan, limits, aside, values, .. } = inner;
        (self.path, self.overrides, self.plan) = (path, overrides, plan);
        (self.limits, self.aside, self.values) = (limits, aside, values);
        match &value {
            Ok(value) => self.leave(cur.pos(), &T::value(value)),
            // What is open in here ends with the decoded bytes, whose offsets nothing outside has.
            Err(_) => self.events.unwind(depth, cur.file().len()),
        }
        value
    }

    #[cfg(feature = "alloc")]
    fn keep_decoded(&mut self) {
        self.decoded.ask();
    }

    #[cfg(feature = "alloc")]
    fn keeps_decoded(&mut self) -> bool {
        self.decoded.asked()
    }

    #[cfg(feature = "alloc")]
    fn put_decoded(&mut self, bytes: alloc::vec::Vec<u8>) {
        self.decoded.put(bytes);
    }

    #[cfg(feature = "alloc")]
    fn take_decoded(&mut self) -> alloc::vec::Vec<u8> {
        self.decoded.take()
    }

    /// Who leaves lazy parts alone cannot follow somebody who has walked them.
    fn plan(&mut self) -> Option<&mut crate::union::Plan> {
        (cfg!(feature = "alloc") && self.purpose == Purpose::Report).then_some(&mut self.plan)
    }

    fn count(&mut self, values: u64) {
        self.values = self.values.wrapping_add(values);
    }

    fn set_aside(&mut self, limits: Limits) {
        self.aside = (limits.left(), limits.decodable());
    }

    fn sum_of_file(&self) -> Option<(usize, usize)> {
        self.sum_of_file
    }

    fn set_sum_of_file(&mut self, place: (usize, usize)) {
        self.sum_of_file = Some(place);
    }
}

/// Whether a walk over every lazy part meets nothing that stops a reader.
pub(crate) fn is_valid<'a, T: Wire<'a>>(
    mut cur: Cursor<'a>,
    limits: Limits,
    args: T::Args,
) -> bool {
    let mut check = Check::strict(limits);
    check.set_drops(true);
    T::walk(&mut cur, &mut check, args).is_ok()
}
