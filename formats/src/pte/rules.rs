//! What words cannot say: how header, segments and tables fit together.
//!
//! Words of a table see that table alone. What a table says about the file around it, about other
//! tables, or about all items of a list, is compared here. A runtime makes few of these comparisons,
//! and most of them late.

mod calls;
mod data;
mod header;
mod segments;
mod tensors;

use core::fmt::Arguments;
use core::ops::Range;

use binfmt_runtime::{Rules, Severity, Show, Step};

use super::{Bare, Extended, Program, wide};

pub(super) use tensors::{constant_sources, tensor};

/// The rules of a program with a header.
pub(super) fn extended(file: &Extended<'_>, rules: &mut Rules<'_>) {
    header::check(file, rules);
    let Ok(program) = file.program.root() else {
        header::base_in_program(file, file.segment_base > 0, rules);
        return;
    };
    let room = file.has_segments_behind().then_some(file.segments.len());
    let base = file.segment_base;
    let bytes = file.program.bytes();
    let view = View { program, bytes, base, room: room.map(wide), header: true };
    let mut tell = Tell::new(rules, bytes.len());
    let ends = segments::check(&view, &mut tell);
    header::base_in_program(file, file.segment_base > 0 || ends.last > 0, tell.rules);
    header::ends(file, &ends, tell.rules);
    tables(&view, &mut tell);
}

/// The rules of a program without a header.
pub(super) fn bare(file: &Bare<'_>, rules: &mut Rules<'_>) {
    header::missing(file, rules);
    let Ok(program) = file.program.root() else { return };
    let bytes = file.program.bytes();
    let view = View { program, bytes, base: 0, room: None, header: false };
    let mut tell = Tell::new(rules, bytes.len());
    segments::check(&view, &mut tell);
    tables(&view, &mut tell);
}

fn tables(view: &View<'_>, tell: &mut Tell<'_, '_>) {
    data::named(view, tell);
    tensors::constant_segment(view, tell);
    let mut uses = tensors::Uses::default();
    let mut names = calls::Names::default();
    for (plan, index) in view.program.plans().iter().zip(0_u64..) {
        let Ok(plan) = plan else { continue };
        names.add(view.bytes, &plan, index, tell);
        data::delegates(view, &plan, index, tell);
        tensors::check(view, &plan, index, &mut uses, tell);
        calls::check(&plan, index, tell);
    }
    uses.overlaps(view, tell);
    if tell.left == 0 {
        let what = format_args!("offsets lead to the same lists again and again");
        tell.rules.error("budget", "program", what);
    }
}

/// What rules compare.
struct View<'a> {
    program: Program<'a>,
    /// The buffer that it is in.
    bytes: &'a [u8],
    /// Absolute offset of the first segment.
    base: u64,
    /// How many bytes follow there; `None` if the segments have no place of their own.
    room: Option<u64>,
    /// Whether there is a header.
    header: bool,
}

impl View<'_> {
    /// The size of a segment, if there is such a one.
    fn segment_size(&self, index: u64) -> Option<u64> {
        self.program.segments().get(index)?.ok().map(|segment| segment.size)
    }
}

/// How far the segments reach.
#[derive(Default)]
struct Ends {
    /// Where the last one ends, from the base.
    last: u64,
    /// Whether all of them end in the file.
    known: bool,
}

/// Tells findings, as long as that costs no more than the file is long.
struct Tell<'t, 'r> {
    rules: &'t mut Rules<'r>,
    /// How many items may still be looked at.
    left: usize,
}

/// The way from the file to a finding, `program` first.
#[derive(Clone, Copy)]
struct Route {
    steps: [Step; 12],
    len: usize,
}

impl Route {
    fn field(name: &'static str) -> Self {
        Self { steps: [Step::Field("program"); 12], len: 1 }.to(name)
    }

    fn to(self, name: &'static str) -> Self {
        self.step(Step::Field(name))
    }

    fn item(self, index: u64) -> Self {
        self.step(Step::Index(index))
    }

    fn step(mut self, step: Step) -> Self {
        if let Some(slot) = self.steps.get_mut(self.len) {
            *slot = step;
            self.len = self.len.saturating_add(1);
        }
        self
    }
}

/// Where a finding is: the way to it, the bytes, and what specifies them.
struct Site {
    route: Route,
    range: Option<Range<u64>>,
    spec: &'static str,
}

impl<'t, 'r> Tell<'t, 'r> {
    /// Every item of a list takes a byte at least, so only lists that are shared cost more.
    fn new(rules: &'t mut Rules<'r>, len: usize) -> Self {
        Self { rules, left: len.saturating_mul(4).saturating_add(4096) }
    }

    /// Pays for one item; false when too many have been looked at.
    fn spend(&mut self) -> bool {
        self.left = self.left.saturating_sub(1);
        self.left > 0
    }

    fn error(&mut self, code: &'static str, site: &Site, what: Arguments<'_>) {
        self.tell(Severity::Error, code, site, what, (Show::Nothing, Show::Nothing));
    }

    fn warn(&mut self, code: &'static str, site: &Site, what: Arguments<'_>) {
        self.tell(Severity::Warning, code, site, what, (Show::Nothing, Show::Nothing));
    }

    fn tell(
        &mut self,
        severity: Severity,
        code: &'static str,
        site: &Site,
        what: Arguments<'_>,
        values: (Show, Show),
    ) {
        let whole = self.rules.range("program");
        let range = site.range.clone().unwrap_or_else(|| wide(whole.start)..wide(whole.end));
        self.rules.specified(site.spec);
        let steps = site.route.steps.get(..site.route.len).unwrap_or_default();
        self.rules.tell_at(severity, code, (steps, range), what, values);
    }

    /// The absolute range of a text in the buffer.
    fn range_of(&self, bytes: &[u8], text: &str) -> Range<u64> {
        let within = text.as_ptr().addr().saturating_sub(bytes.as_ptr().addr());
        let start = wide(self.rules.range("program").start).saturating_add(wide(within));
        start..start.saturating_add(wide(text.len()))
    }

    /// An index that must be below `count`.
    fn index(
        &mut self,
        code: &'static str,
        site: &Site,
        (index, count): (i64, u64),
        what: Arguments<'_>,
    ) -> bool {
        let fits = u64::try_from(index).is_ok_and(|index| index < count);
        if !fits {
            let expected = Show::Uint(count.saturating_sub(1));
            let expected = if count == 0 { Show::Word("none") } else { expected };
            self.tell(Severity::Error, code, site, what, (expected, Show::Int(index)));
        }
        fits
    }
}
