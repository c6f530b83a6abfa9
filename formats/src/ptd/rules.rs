//! What words cannot say: rules between names, segments and the bytes of the file.

#![expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "expressions of declarations pass fields as they are"
)]

mod segments;
mod table;
#[cfg(feature = "alloc")]
mod whole;

use binfmt_runtime::{FbVec, Rule, Rules, Show, path};

use super::v06::NamedData06;
use super::{
    DataSegment, Entry, FlatTensor, FlatTensor06, NamedData, Ptd, Tables, TensorLayout,
    TensorMetadata,
};
pub(super) use crate::shared::is_zero;
use crate::shared::{index as below, is_permutation, wide};

pub use table::RULES;

/// What a segment at least, and a blob always, lies on a multiple of.
#[cfg(feature = "alloc")]
const BLOB_ALIGN: u64 = 8;

/// No gap between segments is larger: the most that a writer is told to align to.
#[cfg(feature = "alloc")]
const MOST_PADDING: u64 = 1 << 16;

pub(super) fn is(found: &[u8; 4], expected: [u8; 4]) -> bool {
    *found == expected
}

/// The rules of one layout.
pub(super) fn layout(layout: &TensorLayout<'_>, rules: &mut Rules<'_>) {
    dimensions(layout, rules);
}

/// The rules of one tensor as of 0.6, whose fields have the same names.
pub(super) fn metadata(tensor: &TensorMetadata<'_>, rules: &mut Rules<'_>) {
    dimensions(&tensor.layout(), rules);
}

fn dimensions(layout: &TensorLayout<'_>, rules: &mut Rules<'_>) {
    let (sizes, order) = (&layout.sizes, layout.dim_order);
    let negative =
        sizes.iter().take(256).map_while(Result::ok).zip(0_u64..).find(|(size, _)| *size < 0);
    if let Some((size, index)) = negative {
        let mut at = rules.at(&path!(TensorLayout.sizes[index]));
        at.report(&table::NEGATIVE, Show::Nothing, Show::Int(size.into()));
    } else if layout.scalar_type.is_known() && layout.byte_len().is_none() {
        let mut at = rules.at(&path!(TensorLayout.sizes));
        at.report(&table::BYTES, Show::Nothing, Show::Nothing);
    }
    let mut at = rules.at(&path!(TensorLayout.dim_order));
    if wide(order.len()) != sizes.count() {
        let found = Show::Uint(wide(order.len()));
        at.report(&table::DIM_ORDER_COUNT, Show::Uint(sizes.count()), found);
    } else if !is_permutation(order) {
        at.report(&table::DIM_ORDER, Show::Nothing, Show::bytes(order));
    }
}

/// The rules of a file.
pub(super) fn file(file: &Ptd<'_>, rules: &mut Rules<'_>) {
    header_padding(file, rules);
    let Ok(root) = file.tables.root() else { return };
    let left = wide(file.tables.bytes().len());
    let mut check = Check { rules, file, data_len: wide(file.data.len()), left };
    match &root {
        Tables::FlatTensor(root) => check.root(root),
        Tables::FlatTensor06(root) => check.root_06(root),
    }
    #[cfg(feature = "alloc")]
    whole::check(&mut check, &root);
}

/// The header is padded with zeros; what follows it is where its length says.
fn header_padding(file: &Ptd<'_>, rules: &mut Rules<'_>) {
    let tables = file.tables.bytes();
    let len = usize::try_from(file.flatbuffer_offset.saturating_sub(40)).unwrap_or(usize::MAX);
    let padding = tables.get(..len).unwrap_or(tables);
    if let Some(first) = padding.iter().position(|byte| *byte != 0) {
        let at = rules.at(&path!(Ptd.tables));
        let start = at.range().start.saturating_add(wide(first));
        let found = Show::bytes(padding.get(first..).unwrap_or_default());
        let mut at = at.over(start..start.saturating_add(1));
        at.report(&table::HEADER_PADDING, Show::Uint(0), found);
    }
}

struct Check<'c, 'r, 'a> {
    rules: &'c mut Rules<'r>,
    file: &'c Ptd<'a>,
    /// How many bytes there are behind the start of the segments.
    data_len: u64,
    /// What names may still cost, as [`Entries`](super::Entries) count it.
    left: u64,
}

impl Check<'_, '_, '_> {
    /// Pays for a name; false, once it is told, when there are more than the tables have room for.
    fn spend(&mut self, key: &str, layout: Option<&TensorLayout<'_>>) -> bool {
        let left = self.left.checked_sub(Entry::cost(key, layout));
        if left.is_none() {
            self.rules.at(&path!(Ptd.tables)).report(&table::SHARED, Show::Nothing, Show::Nothing);
        }
        self.left = left.unwrap_or(0);
        left.is_some()
    }

    fn root(&mut self, root: &FlatTensor<'_>) {
        let end = self.segments(&root.segments);
        self.data_size(end);
        for (named, index) in root.named_data.iter().zip(0_u64..) {
            let Ok(named) = named else { continue };
            if !self.spend(*named.key, named.tensor_layout.as_deref()) {
                return;
            }
            let path = path!(Ptd.tables, FlatTensor.named_data[index]);
            let name = &mut self.rules.at(&path).over(root.named_data.range(index));
            let at = name.at(&path!(NamedData.segment_index)).over(named.segment_index.range());
            let Some(segment) = segment(&root.segments, *named.segment_index, &table::SEGMENT, at)
            else {
                continue;
            };
            if let Some(layout) = &named.tensor_layout {
                let at = name.at(&path!(NamedData.tensor_layout)).over(layout.range());
                fits(self.file, layout, &segment, at);
            }
        }
    }

    fn root_06(&mut self, root: &FlatTensor06<'_>) {
        let mut tables = self.rules.at(&path!(Ptd.tables));
        tables.report(&table::SCHEMA, Show::Nothing, Show::Nothing);
        let end = self.segments(&root.segments);
        self.data_size(end);
        for (tensor, index) in root.tensors.iter().zip(0_u64..) {
            let Ok(tensor) = tensor else { continue };
            if !self.spend(*tensor.name, Some(&tensor.layout())) {
                return;
            }
            let path = path!(Ptd.tables, FlatTensor06.tensors[index]);
            let part = &mut self.rules.at(&path).over(root.tensors.range(index));
            let at =
                part.at(&path!(TensorMetadata.segment_index)).over(tensor.segment_index.range());
            let rule = &table::TENSOR_SEGMENT;
            if let Some(segment) = segment(&root.segments, *tensor.segment_index, rule, at) {
                stored(&tensor, &segment, part);
            }
        }
        for (named, index) in root.named_data.iter().zip(0_u64..) {
            let Ok(named) = named else { continue };
            if !self.spend(*named.key, None) {
                return;
            }
            let path = path!(Ptd.tables, FlatTensor06.named_data[index], NamedData06.segment_index);
            let at = self.rules.at(&path).over(named.segment_index.range());
            segment(&root.segments, *named.segment_index, &table::BLOB_SEGMENT, at);
        }
    }
}

/// The segment that a name stands for.
fn segment(
    segments: &FbVec<'_, DataSegment>,
    index: u32,
    rule: &Rule,
    mut at: Rules<'_>,
) -> Option<DataSegment> {
    below(&mut at, rule, index.into(), segments.count());
    segments.get(index.into())?.ok()
}

/// A layout has as many bytes as its segment.
fn fits(file: &Ptd<'_>, layout: &TensorLayout<'_>, segment: &DataSegment, mut at: Rules<'_>) {
    let size = *segment.size;
    let Some(len) = layout.byte_len().filter(|len| *len != size) else { return };
    // A broken segment has been reported.
    if file.segment(segment).is_none() {
        return;
    }
    let mut at = at.at(&path!(TensorLayout.sizes)).over(layout.sizes.bytes_range());
    let rule = if len > size { &table::LAYOUT_MAX } else { &table::LAYOUT_MIN };
    at.report(rule, Show::Uint(size), Show::Uint(len));
}

/// A tensor as of 0.6 lies in its segment.
fn stored(tensor: &TensorMetadata<'_>, segment: &DataSegment, part: &mut Rules<'_>) {
    let (offset, size) = (*tensor.offset, *segment.size);
    let Some(len) = tensor.layout().byte_len() else { return };
    let mut at = part.at(&path!(TensorMetadata.offset)).over(tensor.offset.range());
    if offset.checked_add(len).is_none_or(|end| end > size) {
        let found = Show::Uint(offset.saturating_add(len));
        at.report(&table::TENSOR_END, Show::Uint(size), found);
    }
    let align = tensor.scalar_type.size().unwrap_or(1);
    if len > 0 && offset.checked_rem(align) != Some(0) {
        at.report(&table::TENSOR_ALIGN, Show::Uint(align), Show::Uint(offset));
    }
}
