//! What words cannot say: rules between names, segments and the bytes of the file.

#![expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "expressions of declarations pass fields as they are"
)]

mod segments;
#[cfg(feature = "alloc")]
mod whole;

use core::fmt::Arguments;
use core::ops::Range;

use binfmt_runtime::{FbVec, Placed, Rules, Severity, Show, Step};

use super::{DataSegment, Ptd, Tables, TensorLayout, TensorMetadata, wide};

/// What a segment at least, and a blob always, lies on a multiple of.
#[cfg(feature = "alloc")]
const BLOB_ALIGN: u64 = 8;

/// No gap between segments is larger: the most that a writer is told to align to.
#[cfg(feature = "alloc")]
const MOST_PADDING: u64 = 1 << 16;

pub(super) fn is(found: &[u8; 4], expected: [u8; 4]) -> bool {
    *found == expected
}

/// Whether all bytes are 0.
pub(super) fn is_zero(bytes: &[u8]) -> bool {
    bytes.iter().all(|byte| *byte == 0)
}

/// The rules of one layout.
pub(super) fn layout(layout: &TensorLayout<'_>, rules: &mut Rules<'_>) {
    dimensions(layout, rules);
}

/// The rules of one tensor as of 0.6.
pub(super) fn metadata(tensor: &TensorMetadata<'_>, rules: &mut Rules<'_>) {
    dimensions(&tensor.layout(), rules);
}

fn dimensions(layout: &TensorLayout<'_>, rules: &mut Rules<'_>) {
    let (sizes, order) = (&layout.sizes, layout.dim_order);
    let negative =
        sizes.iter().take(256).map_while(Result::ok).zip(0_u64..).find(|(size, _)| *size < 0);
    if let Some((size, index)) = negative {
        rules.error(
            "ptd.sizes",
            "sizes",
            format_args!("the size of dimension {index} is {size}: the runtime refuses the tensor"),
        );
    } else if layout.scalar_type.is_known() && layout.len().is_none() {
        rules.error(
            "ptd.sizes",
            "sizes",
            format_args!(
                "the sizes make more bytes than 64 bits count: the runtime refuses the tensor"
            ),
        );
    }
    let dims = sizes.count();
    if u64::try_from(order.len()) != Ok(dims) {
        rules.tell(
            Severity::Error,
            "ptd.dim_order",
            "dim_order",
            format_args!("the order of dimensions has not as many items as there are sizes: the runtime reads beyond it"),
            Show::Uint(dims),
            Show::Uint(u64::try_from(order.len()).unwrap_or(u64::MAX)),
        );
    } else if !is_permutation(order) {
        rules.tell(
            Severity::Error,
            "ptd.dim_order",
            "dim_order",
            format_args!("the order of dimensions does not have each of them once: the runtime computes wrong strides, or refuses the tensor"),
            Show::Nothing,
            Show::bytes(order),
        );
    }
}

fn is_permutation(order: &[u8]) -> bool {
    let mut seen = [false; 256];
    order.iter().all(|dim| {
        let index = usize::from(*dim);
        let new = seen.get_mut(index).is_some_and(|seen| !core::mem::replace(seen, true));
        new && index < order.len()
    })
}

/// The rules of a file.
pub(super) fn file(file: &Ptd<'_>, rules: &mut Rules<'_>) {
    header_padding(file, rules);
    let Ok(root) = file.tables.root() else { return };
    let mut check = Check { rules, file, data_len: len(file.data) };
    match &root {
        Tables::FlatTensor(root) => {
            let end = check.segments(&root.segments);
            check.data_size(end);
            for (named, index) in root.named_data.iter().zip(0_u64..) {
                let Ok(named) = named else { continue };
                let place = check.place("named_data", index, "segment_index", &named.segment_index);
                let Some(segment) = check.named(&root.segments, &place, *named.segment_index)
                else {
                    continue;
                };
                if let Some(layout) = &named.tensor_layout {
                    let place = check.place("named_data", index, "tensor_layout", layout);
                    check.layout(&place, layout, &segment);
                }
            }
        }
        Tables::FlatTensor06(root) => {
            check.rules.warn(
                "ptd.schema",
                "tables",
                format_args!("the tables have the schema of ExecuTorch 0.6: later runtimes load the file, list its keys and then fail at each of them"),
            );
            let end = check.segments(&root.segments);
            check.data_size(end);
            for (tensor, index) in root.tensors.iter().zip(0_u64..) {
                let Ok(tensor) = tensor else { continue };
                let place = check.place("tensors", index, "segment_index", &tensor.segment_index);
                if let Some(segment) = check.named(&root.segments, &place, *tensor.segment_index) {
                    check.tensor(index, &tensor, &segment);
                }
            }
            for (named, index) in root.named_data.iter().zip(0_u64..) {
                let Ok(named) = named else { continue };
                let place = check.place("named_data", index, "segment_index", &named.segment_index);
                check.named(&root.segments, &place, *named.segment_index);
            }
        }
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
        let start = rules.range("tables").start.saturating_add(first);
        let range = wide(start)..wide(start.saturating_add(1));
        rules.tell_at(
            Severity::Warning,
            "ptd.padding",
            (&[Step::Field("tables")], range),
            format_args!("the padding of the header is not zero; no runtime looks at it"),
            (Show::Uint(0), Show::bytes(padding.get(first..).unwrap_or_default())),
        );
    }
}

/// A part of the tables: its path and its bytes.
struct Part {
    steps: [Step; 4],
    range: Range<u64>,
}

struct Check<'c, 'r, 'a> {
    rules: &'c mut Rules<'r>,
    file: &'c Ptd<'a>,
    /// How many bytes there are behind the start of the segments.
    data_len: u64,
}

impl Check<'_, '_, '_> {
    fn tell(
        &mut self,
        severity: Severity,
        code: &'static str,
        part: &Part,
        what: Arguments<'_>,
        shown: (Show, Show),
    ) {
        let steps: &[Step] = match &part.steps {
            [head @ .., Step::Field("")] => head,
            steps => steps,
        };
        self.rules.tell_at(severity, code, (steps, part.range.clone()), what, shown);
    }

    /// A field of an item of a vector of the root. One that is not stored has no bytes of its own.
    fn place<T>(
        &self,
        vector: &'static str,
        index: u64,
        field: &'static str,
        value: &Placed<T>,
    ) -> Part {
        let range = value.range();
        let steps =
            [Step::Field("tables"), Step::Field(vector), Step::Index(index), Step::Field(field)];
        if !range.is_empty() {
            return Part { steps, range };
        }
        let tables = self.rules.range("tables");
        Part { steps, range: wide(tables.start)..wide(tables.end) }
    }

    /// The segment that a name stands for.
    fn named(
        &mut self,
        segments: &FbVec<'_, DataSegment>,
        place: &Part,
        index: u32,
    ) -> Option<DataSegment> {
        match segments.get(u64::from(index)) {
            Some(segment) => segment.ok(),
            None => {
                let count = segments.count();
                self.tell(
                    Severity::Error,
                    "ptd.index",
                    place,
                    format_args!("there is no segment {index}: the runtime fails when it is asked for this key"),
                    (Show::Uint(count), Show::Uint(u64::from(index))),
                );
                None
            }
        }
    }

    /// A layout larger than its segment.
    fn layout(&mut self, place: &Part, layout: &TensorLayout<'_>, segment: &DataSegment) {
        let size = *segment.size;
        let Some(len) = layout.len().filter(|len| *len != size) else { return };
        // A broken segment has been told.
        if self.file.bytes_of(segment).is_none() {
            return;
        }
        let place = Part {
            range: layout
                .sizes
                .bytes_range()
                .filter(|range| !range.is_empty())
                .unwrap_or(place.range.clone()),
            steps: place.steps,
        };
        let shown = (Show::Uint(size), Show::Uint(len));
        if len > size {
            let what = format_args!(
                "the tensor has more bytes than its segment: the runtime reads those behind the segment as numbers"
            );
            self.tell(Severity::Error, "ptd.layout", &place, what, shown);
        } else {
            let what =
                format_args!("the tensor has fewer bytes than its segment; runtimes accept that");
            self.tell(Severity::Warning, "ptd.layout", &place, what, shown);
        }
    }

    /// A tensor that leaves its segment, as of 0.6.
    fn tensor(&mut self, index: u64, tensor: &TensorMetadata<'_>, segment: &DataSegment) {
        let (offset, size) = (*tensor.offset, *segment.size);
        let Some(len) = tensor.layout().len() else { return };
        let place = self.place("tensors", index, "offset", &tensor.offset);
        if offset.checked_add(len).is_none_or(|end| end > size) {
            let what = format_args!(
                "a tensor of {len} bytes at {offset} leaves its segment: the runtime reads what lies behind as numbers"
            );
            self.tell(
                Severity::Error,
                "ptd.layout",
                &place,
                what,
                (Show::Uint(size), Show::Uint(offset.saturating_add(len))),
            );
        }
        let align = tensor.scalar_type.size().unwrap_or(1);
        if len > 0 && offset.checked_rem(align) != Some(0) {
            let what = format_args!(
                "the elements of {align} bytes are not aligned: the runtime reads other numbers or crashes"
            );
            self.tell(
                Severity::Error,
                "ptd.align",
                &place,
                what,
                (Show::Uint(align), Show::Uint(offset)),
            );
        }
    }
}

fn len(bytes: &[u8]) -> u64 {
    wide(bytes.len())
}
