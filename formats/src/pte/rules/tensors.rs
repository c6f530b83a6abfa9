//! Tensors: their shape, and the bytes that they have in the file or in planned memory.

use alloc::vec::Vec;
use core::ops::Range;

use binfmt_runtime::{FbVec, Rules, Show, path};

use super::super::program::{Plan, Program, Subsegments};
use super::super::value::{ExtraInfo, Slot, Storage, Tensor, Value};
use super::{View, table};
use crate::shared::{index as below, is_permutation, wide};

/// A tensor alone: its dimensions are an order of its sizes, and its bytes can be counted.
pub(in super::super) fn tensor(tensor: &Tensor<'_>, rules: &mut Rules<'_>) {
    let (Some(sizes), Some(order)) = (&tensor.sizes, tensor.dim_order) else { return };
    let mut at = rules.at(&path!(Tensor.dim_order));
    if wide(order.len()) != sizes.count() {
        let found = Show::Uint(wide(order.len()));
        at.report(&table::DIM_ORDER_COUNT, Show::Uint(sizes.count()), found);
    } else if !is_permutation(order) {
        at.report(&table::DIM_ORDER, Show::Nothing, Show::bytes(order));
    }
    if tensor.scalar_type.is_known() && tensor.byte_len().is_none() {
        rules.at(&path!(Tensor.sizes)).report(&table::BYTES, Show::Nothing, Show::Nothing);
    }
}

/// Constants lie in a segment or in the buffer itself. The runtime of 1.5 refuses both at once, even
/// a placeholder in the buffer; it looks at neither where the segment has a placeholder alone.
pub(in super::super) fn constant_sources(program: &Program<'_>, rules: &mut Rules<'_>) {
    let inline = program.constant_buffer.unwrap_or_default().count();
    if inline == 0 {
        return;
    }
    let segment = program.constants().map_or(0, |constants| constants.offsets.count());
    let mut at = rules.at(&path!(Program.constant_buffer));
    if segment > 1 {
        at.report(&table::CONSTANTS_TWICE, Show::Nothing, Show::Nothing);
    } else if segment == 0 {
        at.report(&table::CONSTANTS_INLINE, Show::Nothing, Show::Nothing);
    }
}

/// The segment with the constants; a runtime loads it at once, if there are any.
pub(super) fn constant_segment(view: &View<'_>, program: &mut Rules<'_>) {
    let Some(reference) = view.program.constant_segment else { return };
    let Ok(constants) = reference.get() else { return };
    if constants.offsets.count() > 1 {
        let at = program.at(&path!(Program.constant_segment, Subsegments.segment_index));
        let count = view.program.segments().count();
        let segment = constants.segment_index.into();
        below(&mut at.over(reference.range()), &table::CONSTANTS, segment, count);
    }
}

/// The tensors of a method.
pub(super) fn check(
    view: &View<'_>,
    plan: &Plan<'_>,
    method: u64,
    uses: &mut Uses,
    program: &mut Rules<'_>,
) {
    let values = plan.values();
    for (slot, index) in values.iter().zip(0_u64..) {
        if !view.spend() {
            return;
        }
        let Ok(Some(Value::Tensor(reference))) = slot.map(|slot| slot.value) else { continue };
        let Ok(tensor) = reference.get() else { continue };
        if !view.spend_all(tensor.cost(plan)) {
            return;
        }
        let site = Site { method, index, range: reference.range() };
        let Some(len) = tensor.byte_len() else { continue };
        planned(plan, &tensor, len, &mut site.of(program));
        let element = tensor.scalar_type.size().unwrap_or(1);
        match tensor.storage() {
            Storage::Constant { index: constant } if !view.program.has_constant_segment() => {
                inline(view, constant, len, &mut site.of(program));
            }
            Storage::Constant { index: constant } => {
                let demand = Demand { list: 0, index: constant, len, element };
                stored(view, &demand, &site, uses, program);
            }
            Storage::Mutable { list: segment, index } => {
                let list = segment.saturating_add(1);
                stored(view, &Demand { list, index, len, element }, &site, uses, program);
            }
            Storage::None | Storage::External { .. } => {}
        }
    }
}

/// Which value of which method a tensor is, and where it lies.
struct Site {
    method: u64,
    index: u64,
    range: Option<Range<u64>>,
}

impl Site {
    fn of<'r>(&self, program: &'r mut Rules<'_>) -> Rules<'r> {
        let path = path!(Program.plans[self.method], Plan.values[self.index], Slot.value);
        program.at(&path).over(self.range.clone())
    }
}

/// The place in planned memory.
fn planned(plan: &Plan<'_>, tensor: &Tensor<'_>, len: u64, tensor_at: &mut Rules<'_>) {
    let Some(place) = tensor.allocation_info.as_ref().filter(|place| place.memory_id > 0) else {
        return;
    };
    let mut at = tensor_at.at(&path!(Tensor.allocation_info));
    let (id, count) = (place.memory_id, plan.planned().count());
    if !below(&mut at, &table::PLANNED, id.into(), count) {
        return;
    }
    let Some(Ok(room)) = plan.planned().get(id.into()) else { return };
    let end = place.offset().checked_add(len);
    if end.is_none_or(|end| i64::try_from(end).map_or(true, |end| end > room)) {
        at.report(&table::PLANNED_END, Show::Int(room), end.map_or(Show::Nothing, Show::Uint));
    }
}

/// A constant in the buffer itself.
fn inline(view: &View<'_>, constant: u32, len: u64, tensor: &mut Rules<'_>) {
    let buffers = view.program.constant_buffer.unwrap_or_default();
    let mut at = tensor.at(&path!(Tensor.data_buffer_idx));
    if !below(&mut at, &table::INLINE_CONSTANT, constant.into(), buffers.count()) {
        return;
    }
    let Some(Ok(buffer)) = buffers.get(constant.into()) else { return };
    let stored = wide(buffer.bytes().len());
    if stored < len {
        at.report(&table::INLINE_SIZE, Show::Uint(len), Show::Uint(stored));
    }
}

/// What a tensor wants of a segment: constants are list 0, segments of mutable data follow.
struct Demand {
    list: u64,
    index: u32,
    len: u64,
    element: u64,
}

/// A segment with several tensors.
struct List<'a> {
    number: u64,
    segment: u32,
    offsets: FbVec<'a, u64>,
}

/// Constants are list 0, segments of mutable data follow.
fn list_at<'a>(view: &View<'a>, number: u64) -> Option<List<'a>> {
    let program = &view.program;
    let table = match number.checked_sub(1) {
        None => program.constants()?,
        Some(index) => program.mutable_data_segments?.get(index)?.ok()?,
    };
    Some(List { number, segment: table.segment_index, offsets: table.offsets })
}

impl List<'_> {
    /// One of the offsets.
    fn at<'r>(&self, index: u32, program: &'r mut Rules<'_>) -> Rules<'r> {
        let index = index.into();
        let at = match self.number.checked_sub(1) {
            None => program.at(&path!(Program.constant_segment, Subsegments.offsets[index])),
            Some(list) => {
                program.at(&path!(Program.mutable_data_segments[list], Subsegments.offsets[index]))
            }
        };
        at.over(self.offsets.range(index))
    }
}

/// A tensor in a segment.
fn stored(view: &View<'_>, demand: &Demand, site: &Site, uses: &mut Uses, program: &mut Rules<'_>) {
    let state = path!(Tensor.extra_tensor_info, ExtraInfo.mutable_data_segments_idx);
    let Some(list) = list_at(view, demand.list) else {
        let found = Show::Uint(demand.list.saturating_sub(1));
        site.of(program).at(&state).report(&table::MUTABLE_LIST, Show::Nothing, found);
        return;
    };
    let mut tensor = site.of(program);
    let constant = &mut tensor.at(&path!(Tensor.data_buffer_idx));
    let count = list.offsets.count();
    if !below(constant, &table::STORED_CONSTANT, demand.index.into(), count) {
        return;
    }
    let Some(Ok(offset)) = list.offsets.get(demand.index.into()) else { return };
    let Some(room) = view.segment_size(list.segment.into()) else {
        // Of constants that is reported once for all.
        if demand.list > 0 {
            let found = Show::Uint(list.segment.into());
            tensor.at(&state).report(&table::MUTABLE_SEGMENT, Show::Nothing, found);
        }
        return;
    };
    let end = offset.checked_add(demand.len);
    let mut at = list.at(demand.index, program);
    if end.is_none_or(|end| end > room) {
        let found = end.map_or(Show::Nothing, Show::Uint);
        at.report(&table::CONSTANT_END, Show::Uint(room), found);
        return;
    }
    if !offset.is_multiple_of(demand.element) {
        at.report(&table::SUBSEGMENT_ALIGN, Show::Uint(demand.element), Show::Uint(offset));
    }
    uses.0.push(Use {
        segment: list.segment,
        lies: offset..end.unwrap_or(offset),
        list: demand.list,
        index: demand.index,
    });
}

/// The bytes of segments that tensors use.
#[derive(Default)]
pub(super) struct Uses(Vec<Use>);

struct Use {
    segment: u32,
    lies: Range<u64>,
    list: u64,
    index: u32,
}

impl Uses {
    /// Tensors with different indices share no bytes.
    pub(super) fn overlaps(mut self, view: &View<'_>, program: &mut Rules<'_>) {
        self.0.retain(|used| !used.lies.is_empty());
        self.0.sort_unstable_by_key(|used| {
            (used.segment, used.lies.start, used.list, used.index, used.lies.end)
        });
        let mut farthest: Option<&Use> = None;
        let mut told = None;
        for used in &self.0 {
            let other = farthest
                .filter(|other| other.segment == used.segment && used.lies.start < other.lies.end);
            let other = other.filter(|other| (other.list, other.index) != (used.list, used.index));
            if let Some(other) = other {
                // The later one is the one that is out of order.
                let (first, second) = if (other.list, other.index) < (used.list, used.index) {
                    (other, used)
                } else {
                    (used, other)
                };
                let pair = (first.list, first.index, second.list, second.index);
                if told != Some(pair)
                    && let Some(list) = list_at(view, second.list)
                {
                    let found = (Show::Nothing, Show::Uint(second.lies.start));
                    let other = format_args!("tensor {}", first.index);
                    list.at(second.index, program).report_with(
                        &table::CONSTANT_OVERLAP,
                        found,
                        other,
                    );
                    told = Some(pair);
                }
            }
            if farthest
                .is_none_or(|other| other.segment != used.segment || used.lies.end > other.lies.end)
            {
                farthest = Some(used);
            }
        }
    }
}
