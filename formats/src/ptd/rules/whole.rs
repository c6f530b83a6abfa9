//! Rules over all segments and names together, which need memory.

use alloc::vec;
use alloc::vec::Vec;

use binfmt_runtime::{FbVec, Rules, Show, path};
use hashbrown::HashMap;
use hashbrown::hash_map::Entry;

use super::{
    BLOB_ALIGN, Check, DataSegment, FlatTensor, FlatTensor06, MOST_PADDING, NamedData, NamedData06,
    Ptd, Tables, TensorMetadata, is_zero, table,
};

/// A segment that lies in the file.
#[derive(Clone, Copy)]
struct Run {
    index: u64,
    start: u64,
    end: u64,
}

/// What is known of a segment from the names that stand for it.
#[derive(Clone, Copy, Default)]
struct Use {
    /// The size of the largest element of a tensor in it.
    element: u64,
    /// Whether it has a name without a type.
    blob: bool,
}

pub(super) fn check(check: &mut Check<'_, '_, '_>, root: &Tables<'_>) {
    let (segments, uses) = match root {
        Tables::FlatTensor(root) => (root.segments, check.names(root)),
        Tables::FlatTensor06(root) => (root.segments, check.names_06(root)),
    };
    check.alignment(&segments, &uses);
    check.order(&segments);
}

fn uses(segments: &FbVec<'_, DataSegment>) -> Vec<Use> {
    // The vector lies in the file, with four bytes for each.
    vec![Use::default(); usize::try_from(segments.count()).unwrap_or(0)]
}

fn note(uses: &mut [Use], segment: u32, element: Option<u64>) {
    let Some(known) = usize::try_from(segment).ok().and_then(|index| uses.get_mut(index)) else {
        return;
    };
    match element {
        Some(element) => known.element = known.element.max(element),
        None => known.blob = true,
    }
}

/// The names met so far, and what they stand for.
struct Names<'a> {
    segments: FbVec<'a, DataSegment>,
    seen: HashMap<&'a str, (u32, u64)>,
}

impl<'a> Names<'a> {
    fn new(segments: FbVec<'a, DataSegment>) -> Self {
        Self { segments, seen: HashMap::new() }
    }

    fn add(&mut self, key: &'a str, stands_for: (u32, u64), mut at: Rules<'_>) {
        let first = match self.seen.entry(key) {
            Entry::Vacant(entry) => {
                entry.insert(stands_for);
                return;
            }
            Entry::Occupied(entry) => *entry.get(),
        };
        let range = |index: u32| {
            let segment = self.segments.get(u64::from(index))?.ok()?;
            Some((*segment.offset, *segment.size))
        };
        let same = first.1 == stands_for.1
            && (first.0 == stands_for.0 || range(first.0) == range(stands_for.0));
        let rule = if same { &table::KEY_REPEATED } else { &table::KEY_CONFLICT };
        at.report(rule, Show::Uint(first.0.into()), Show::Uint(stands_for.0.into()));
    }
}

impl Check<'_, '_, '_> {
    fn names(&mut self, root: &FlatTensor<'_>) -> Vec<Use> {
        let (mut uses, mut keys) = (uses(&root.segments), Names::new(root.segments));
        for (named, index) in root.named_data.iter().zip(0_u64..) {
            let Ok(named) = named else { continue };
            let path = path!(Ptd.tables, FlatTensor.named_data[index], NamedData.key);
            let at = self.rules.at(&path).over(named.key.range());
            keys.add(&named.key, (*named.segment_index, 0), at);
            let element = named.tensor_layout.map(|layout| layout.scalar_type.size().unwrap_or(1));
            note(&mut uses, *named.segment_index, element);
        }
        uses
    }

    fn names_06(&mut self, root: &FlatTensor06<'_>) -> Vec<Use> {
        let (mut uses, mut keys) = (uses(&root.segments), Names::new(root.segments));
        for (tensor, index) in root.tensors.iter().zip(0_u64..) {
            let Ok(tensor) = tensor else { continue };
            let path = path!(Ptd.tables, FlatTensor06.tensors[index], TensorMetadata.name);
            let at = self.rules.at(&path).over(tensor.name.range());
            keys.add(&tensor.name, (*tensor.segment_index, *tensor.offset), at);
            note(&mut uses, *tensor.segment_index, tensor.scalar_type.size());
        }
        for (named, index) in root.named_data.iter().zip(0_u64..) {
            let Ok(named) = named else { continue };
            let path = path!(Ptd.tables, FlatTensor06.named_data[index], NamedData06.key);
            let at = self.rules.at(&path).over(named.key.range());
            keys.add(&named.key, (*named.segment_index, 0), at);
            note(&mut uses, *named.segment_index, None);
        }
        uses
    }

    fn alignment(&mut self, segments: &FbVec<'_, DataSegment>, uses: &[Use]) {
        let base = self.file.segment_base_offset;
        if !base.is_multiple_of(BLOB_ALIGN) {
            let mut at = self.rules.at(&path!(Ptd.segment_base_offset));
            at.report(&table::BASE_ALIGN, Show::Uint(BLOB_ALIGN), Show::Uint(base));
        }
        for ((segment, known), index) in segments.iter().zip(uses).zip(0_u64..) {
            let Ok(segment) = segment else { continue };
            let offset = *segment.offset;
            let mut at = self.segment(index, segments);
            let mut at = at.at(&path!(DataSegment.offset)).over(segment.offset.range());
            if known.element == 0 && !known.blob {
                at.report(&table::UNUSED, Show::Nothing, Show::Nothing);
            }
            if *segment.size == 0 || offset.is_multiple_of(BLOB_ALIGN) {
                continue;
            }
            let align = if known.blob || known.element == 0 { BLOB_ALIGN } else { known.element };
            let aligned = offset.checked_rem(align) == Some(0);
            let (rule, expected) = if aligned {
                (&table::LESS_ALIGNED, BLOB_ALIGN)
            } else {
                (&table::MISALIGNED, align)
            };
            at.report(rule, Show::Uint(expected), Show::Uint(offset));
        }
    }

    /// Overlaps and gaps.
    fn order(&mut self, segments: &FbVec<'_, DataSegment>) {
        let mut runs: Vec<Run> = Vec::new();
        let mut furthest = 0;
        for (segment, index) in segments.iter().zip(0_u64..) {
            let Ok(segment) = segment else { continue };
            let (start, size) = (*segment.offset, *segment.size);
            let Some(end) = start.checked_add(size).filter(|end| *end <= self.data_len) else {
                continue;
            };
            if start < furthest {
                let mut at = self.segment(index, segments);
                let mut at = at.at(&path!(DataSegment.offset)).over(segment.offset.range());
                at.report(&table::ORDER, Show::Nothing, Show::Uint(start));
            }
            furthest = furthest.max(start);
            if size > 0 {
                runs.push(Run { index, start, end });
            }
        }
        runs.sort_by_key(|run| (run.start, run.end));
        let mut last: Option<Run> = None;
        for run in runs {
            if let Some(before) = last {
                self.pair(before, run, segments);
            }
            last = Some(last.filter(|last| last.end > run.end).unwrap_or(run));
        }
    }

    /// Two segments of which nothing lies between the starts.
    fn pair(&mut self, before: Run, run: Run, segments: &FbVec<'_, DataSegment>) {
        if run.start < before.end {
            if (run.start, run.end) == (before.start, before.end) {
                return;
            }
            let later = run.index.max(before.index);
            let Some(Ok(segment)) = segments.get(later) else { return };
            let mut at = self.segment(later, segments);
            let mut at = at.at(&path!(DataSegment.offset)).over(segment.offset.range());
            let other = run.index.min(before.index);
            let values = (Show::Nothing, Show::Uint(*segment.offset));
            at.report_with(&table::OVERLAP, values, format_args!("{other} and {later}"));
            return;
        }
        let gap = run.start.saturating_sub(before.end);
        let base = self.file.segment_base_offset;
        let range = base.saturating_add(before.end)..base.saturating_add(run.start);
        let mut at = self.rules.at(&path!(Ptd.data)).over(range);
        if gap > MOST_PADDING {
            at.report(&table::GAP, Show::Uint(MOST_PADDING), Show::Uint(gap));
        } else if super::super::part(self.file.data, before.end, gap)
            .is_some_and(|gap| !is_zero(gap))
        {
            at.report(&table::PADDING, Show::Nothing, Show::Uint(gap));
        }
    }
}
