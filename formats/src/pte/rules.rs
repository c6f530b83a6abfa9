//! What words cannot say: how header, segments and tables fit together.
//!
//! Words of a table see that table alone. What a table says about the file around it, about other
//! tables, or about all items of a list, is compared here. A runtime makes few of these comparisons,
//! and most of them late.

mod calls;
mod data;
mod delegates;
mod header;
mod segments;
mod table;
mod tensors;

use core::cell::Cell;
use core::ops::Range;

use binfmt_runtime::{Rules, Show, path};

use super::{Bare, Extended, Program};
use crate::shared::wide;

pub use table::RULES;
pub(super) use tensors::{constant_sources, tensor};

/// The rules of a program with a header.
pub(super) fn extended(file: &Extended<'_>, rules: &mut Rules<'_>) {
    header::check(file, rules);
    let Ok(program) = file.program.root() else {
        header::base_in_program(file, file.segment_base > 0, rules);
        return;
    };
    let room = file.has_segments_behind().then_some(file.segments.len());
    let bytes = file.program.bytes();
    let mut view = View::new(program, bytes, file.segment_base, room.map(wide), true);
    view.segments = if room.is_some() { file.segments } else { &[] };
    let ends = segments::check(&view, &mut rules.at(&path!(Extended.program)));
    header::base_in_program(file, file.segment_base > 0 || ends.last > 0, rules);
    header::ends(file, &ends, rules);
    tables(&view, &mut rules.at(&path!(Extended.program)));
}

/// The rules of a program without a header.
pub(super) fn bare(file: &Bare<'_>, rules: &mut Rules<'_>) {
    header::missing(file, rules);
    let Ok(program) = file.program.root() else { return };
    let view = View::new(program, file.program.bytes(), 0, None, false);
    let rules = &mut rules.at(&path!(Bare.program));
    segments::check(&view, rules);
    tables(&view, rules);
}

fn tables(view: &View<'_>, program: &mut Rules<'_>) {
    data::named(view, program);
    tensors::constant_segment(view, program);
    let mut uses = tensors::Uses::default();
    let mut names = calls::Names::default();
    let mut opened = delegates::Opened::new(view);
    for (plan, index) in view.program.plans().iter().zip(0_u64..) {
        let Ok(plan) = plan else { continue };
        names.add(view, &plan, index, program);
        delegates::check(view, &plan, index, &mut opened, program);
        tensors::check(view, &plan, index, &mut uses, program);
        calls::check(view, &plan, &mut program.at(&path!(Program.plans[index])));
    }
    uses.overlaps(view, program);
    if view.left.get() == 0 {
        program.report(&table::SPENT, Show::Nothing, Show::Nothing);
    }
}

/// What rules compare.
struct View<'a> {
    program: Program<'a>,
    /// The buffer that it is in.
    bytes: &'a [u8],
    /// The segments, if they lie behind the buffer.
    segments: &'a [u8],
    /// Absolute offset of the first segment.
    base: u64,
    /// How many bytes follow there; `None` if the segments have no place of their own.
    room: Option<u64>,
    /// Whether there is a header.
    header: bool,
    /// How many items may still be looked at.
    left: Cell<usize>,
}

impl<'a> View<'a> {
    /// Every item of a list takes a byte at least, so only lists that are shared cost more.
    fn new(
        program: Program<'a>,
        bytes: &'a [u8],
        base: u64,
        room: Option<u64>,
        header: bool,
    ) -> Self {
        let left = Cell::new(bytes.len().saturating_mul(4).saturating_add(4096));
        Self { program, bytes, segments: &[], base, room, header, left }
    }

    /// Pays for one item; false when too many have been looked at.
    fn spend(&self) -> bool {
        self.spend_all(1)
    }

    /// Pays for several.
    fn spend_all(&self, count: u64) -> bool {
        let count = usize::try_from(count).unwrap_or(usize::MAX);
        self.left.set(self.left.get().saturating_sub(count));
        self.left.get() > 0
    }

    /// The size of a segment, if there is such a one.
    fn segment_size(&self, index: u64) -> Option<u64> {
        self.program.segments().get(index)?.ok().map(|segment| segment.size)
    }

    /// The bytes of a segment, if they lie in the file.
    fn segment_bytes(&self, index: u64) -> Option<&'a [u8]> {
        let segment = self.program.segments().get(index)?.ok()?;
        let start = usize::try_from(segment.offset).ok()?;
        self.segments.get(start..)?.get(..usize::try_from(segment.size).ok()?)
    }

    /// The absolute range of a text in the buffer, which `program` stands for.
    fn range_of(&self, text: &str, program: &Rules<'_>) -> Range<u64> {
        let within = text.as_ptr().addr().saturating_sub(self.bytes.as_ptr().addr());
        let start = program.range().start.saturating_add(wide(within));
        start..start.saturating_add(wide(text.len()))
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
