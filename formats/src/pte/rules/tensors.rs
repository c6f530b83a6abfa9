//! Tensors: their shape, and the bytes that they have in the file or in planned memory.

use alloc::vec::Vec;
use core::ops::Range;

use binfmt_runtime::{FbVec, Rules, Severity, Show};

use super::super::program::{Plan, Program};
use super::super::value::{Storage, Tensor, Value};
use super::{Route, Site, Tell, View, wide};

const TENSOR: &str = "executorch program.fbs, Tensor";
const OFFSETS: &str = "executorch program.fbs, SubsegmentOffsets";

/// A tensor alone: its dimensions are an order of its sizes, and its bytes can be counted.
pub(in super::super) fn tensor(tensor: &Tensor<'_>, rules: &mut Rules<'_>) {
    let (Some(sizes), Some(order)) = (&tensor.sizes, tensor.dim_order) else { return };
    if wide(order.len()) != sizes.count() {
        let what =
            format_args!("there are not as many dimensions as sizes; a runtime refuses the method");
        let values = (Show::Uint(sizes.count()), Show::Uint(wide(order.len())));
        rules.tell(Severity::Error, "dim-order", "dim_order", what, values.0, values.1);
    } else if !is_permutation(order) {
        let what = format_args!(
            "every dimension comes once; a runtime refuses the method, or mixes up the elements"
        );
        rules.tell(
            Severity::Error,
            "dim-order",
            "dim_order",
            what,
            Show::Nothing,
            Show::bytes(order),
        );
    }
    if tensor.scalar_type.is_known() && tensor.byte_len().is_none() {
        let what = format_args!(
            "the tensor has more bytes than a runtime can count; it refuses the method"
        );
        rules.error("tensor-size", "sizes", what);
    }
}

fn is_permutation(order: &[u8]) -> bool {
    let mut seen = [false; 256];
    order.iter().all(|dim| {
        let fresh =
            seen.get_mut(usize::from(*dim)).is_some_and(|seen| !core::mem::replace(seen, true));
        fresh && usize::from(*dim) < order.len()
    })
}

/// Constants lie in a segment or in the buffer itself. The runtime of 1.5 refuses both at once, even
/// a placeholder in the buffer; it looks at neither where the segment has a placeholder alone.
pub(in super::super) fn constant_sources(program: &Program<'_>, rules: &mut Rules<'_>) {
    let inline = program.constant_buffer.unwrap_or_default().count();
    if inline == 0 {
        return;
    }
    let segment = program.constants().map_or(0, |constants| constants.offsets.count());
    if segment > 1 {
        let what = format_args!(
            "constants lie in the buffer and in a segment; a runtime refuses the program, for only one may be used"
        );
        rules.error("constant-sources", "constant_buffer", what);
    } else if segment == 0 {
        let what = format_args!(
            "constants lie in the buffer itself, as before release 0.4; stock runtimes since 1.3 refuse the program"
        );
        rules.warn("constant-buffer", "constant_buffer", what);
    }
}

/// The segment with the constants; a runtime loads it at once, if there are any.
pub(super) fn constant_segment(view: &View<'_>, tell: &mut Tell<'_, '_>) {
    let Some(reference) = view.program.constant_segment else { return };
    let Ok(constants) = reference.get() else { return };
    if constants.offsets.count() > 1 {
        let route = Route::field("constant_segment");
        let site = Site { route, range: reference.range(), spec: OFFSETS };
        let place = (i64::from(constants.segment_index), view.program.segments().count());
        let what = format_args!(
            "there is no such segment for the constants; a runtime refuses the program"
        );
        tell.index("constant-segment", &site, place, what);
    }
}

/// The tensors of a method.
pub(super) fn check(
    view: &View<'_>,
    plan: &Plan<'_>,
    method: u64,
    uses: &mut Uses,
    tell: &mut Tell<'_, '_>,
) {
    let values = plan.values();
    for (slot, index) in values.iter().zip(0_u64..) {
        if !tell.spend() {
            return;
        }
        let Ok(Some(Value::Tensor(reference))) = slot.map(|slot| slot.value) else { continue };
        let Ok(tensor) = reference.get() else { continue };
        let route = Route::field("plans").item(method).to("values").item(index).to("value");
        let site = Site { route, range: reference.range(), spec: TENSOR };
        let Some(len) = tensor.byte_len() else { continue };
        planned(plan, &tensor, len, &site, tell);
        let element = tensor.scalar_type.size().unwrap_or(1);
        match tensor.storage() {
            Storage::Constant(constant) if !view.program.has_constant_segment() => {
                inline(view, constant, len, &site, tell);
            }
            Storage::Constant(constant) => {
                let demand = Demand { list: 0, index: constant, len, element };
                stored(view, &demand, &site, uses, tell);
            }
            Storage::Mutable(segment, index) => {
                let list = segment.saturating_add(1);
                stored(view, &Demand { list, index, len, element }, &site, uses, tell);
            }
            Storage::None | Storage::External(_) => {}
        }
    }
}

/// The place in planned memory.
fn planned(plan: &Plan<'_>, tensor: &Tensor<'_>, len: u64, site: &Site, tell: &mut Tell<'_, '_>) {
    let Some(place) = tensor.allocation_info.as_ref().filter(|place| place.memory_id > 0) else {
        return;
    };
    let id = u64::from(place.memory_id);
    let count = plan.planned().count();
    let what = format_args!("there is no such planned buffer; a runtime refuses the method");
    if !tell.index("planned", site, (i64::from(place.memory_id), count), what) {
        return;
    }
    let Some(Ok(room)) = plan.planned().get(id) else { return };
    let end = place.offset().checked_add(len);
    if end.is_none_or(|end| i64::try_from(end).map_or(true, |end| end > room)) {
        let what =
            format_args!("the tensor leaves its planned buffer; a runtime refuses the method");
        let values = (Show::Int(room), end.map_or(Show::Nothing, Show::Uint));
        tell.tell(Severity::Error, "planned", site, what, values);
    }
}

/// A constant in the buffer itself.
fn inline(view: &View<'_>, constant: u32, len: u64, site: &Site, tell: &mut Tell<'_, '_>) {
    let buffers = view.program.constant_buffer.unwrap_or_default();
    let what = format_args!("there is no such constant; a runtime refuses the method");
    if !tell.index("constant-index", site, (i64::from(constant), buffers.count()), what) {
        return;
    }
    let Some(Ok(buffer)) = buffers.get(constant.into()) else { return };
    if wide(buffer.bytes().len()) < len {
        let what = format_args!(
            "the constant has fewer bytes than the tensor; a runtime refuses the method"
        );
        let values = (Show::Uint(len), Show::Uint(wide(buffer.bytes().len())));
        tell.tell(Severity::Error, "constant-size", site, what, values);
    }
}

/// What a tensor wants of a segment: constants are list 0, segments of mutable data follow.
struct Demand {
    list: u64,
    index: u32,
    len: u64,
    element: u64,
}

/// A segment with several tensors, and the way to it.
struct List<'a> {
    segment: u32,
    offsets: FbVec<'a, u64>,
    route: Route,
}

/// Constants are list 0, segments of mutable data follow.
fn list_at<'a>(view: &View<'a>, list: u64) -> Option<List<'a>> {
    let program = &view.program;
    let (table, route) = match list.checked_sub(1) {
        None => (program.constants()?, Route::field("constant_segment")),
        Some(index) => {
            let table = program.mutable_data_segments?.get(index)?.ok()?;
            (table, Route::field("mutable_data_segments").item(index))
        }
    };
    Some(List { segment: table.segment_index, offsets: table.offsets, route: route.to("offsets") })
}

impl List<'_> {
    /// Tells about one of the offsets.
    fn tell(
        &self,
        index: u32,
        code: &'static str,
        what: core::fmt::Arguments<'_>,
        values: (Show, Show),
        tell: &mut Tell<'_, '_>,
    ) {
        let route = self.route.item(index.into());
        let site = Site { route, range: self.offsets.range(index.into()), spec: OFFSETS };
        tell.tell(Severity::Error, code, &site, what, values);
    }
}

/// A tensor in a segment.
fn stored(view: &View<'_>, demand: &Demand, site: &Site, uses: &mut Uses, tell: &mut Tell<'_, '_>) {
    let Some(list) = list_at(view, demand.list) else {
        let what =
            format_args!("there is no such segment of mutable data; a runtime refuses the method");
        tell.error("mutable-segment", site, what);
        return;
    };
    let what = format_args!("there is no such constant; a runtime refuses the method");
    if !tell.index("constant-index", site, (i64::from(demand.index), list.offsets.count()), what) {
        return;
    }
    let Some(Ok(offset)) = list.offsets.get(demand.index.into()) else { return };
    let Some(room) = view.segment_size(list.segment.into()) else {
        // Of constants that is told once for all.
        if demand.list > 0 {
            let what = format_args!(
                "there is no segment {} for its first state; a runtime refuses the method",
                list.segment
            );
            tell.error("mutable-segment", site, what);
        }
        return;
    };
    let end = offset.checked_add(demand.len);
    if end.is_none_or(|end| end > room) {
        let what = format_args!(
            "the tensor reaches behind the end of its segment; a runtime refuses the method"
        );
        let values = (Show::Uint(room), end.map_or(Show::Nothing, Show::Uint));
        list.tell(demand.index, "constant-size", what, values, tell);
        return;
    }
    if !offset.is_multiple_of(demand.element) {
        let what = format_args!(
            "the tensor does not begin on a multiple of its element size: a runtime would compute with parts of neighbours"
        );
        let values = (Show::Uint(demand.element), Show::Uint(offset));
        list.tell(demand.index, "constant-align", what, values, tell);
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
    pub(super) fn overlaps(mut self, view: &View<'_>, tell: &mut Tell<'_, '_>) {
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
                    let what = format_args!(
                        "the tensor shares bytes with tensor {}, which has an offset of its own: one of both has the wrong numbers",
                        first.index
                    );
                    let values = (Show::Nothing, Show::Uint(second.lies.start));
                    list.tell(second.index, "constant-overlap", what, values, tell);
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
