//! Rules over all segments and names together, which need memory.

use alloc::vec;
use alloc::vec::Vec;

use binfmt_runtime::{FbVec, Severity, Show, Step};
use hashbrown::HashMap;
use hashbrown::hash_map::Entry;

use super::{BLOB_ALIGN, Check, DataSegment, MOST_PADDING, Part, Tables, is_zero};

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
        Tables::FlatTensor(root) => {
            let named = root
                .named_data
                .iter()
                .zip(0_u64..)
                .filter_map(|(named, index)| Some((named.ok()?, index)));
            let mut uses = uses(&root.segments);
            let mut keys = Names::new(root.segments);
            for (named, index) in named {
                let place = check.place("named_data", index, "key", &named.key);
                keys.add(check, &named.key, (*named.segment_index, 0), &place);
                let element =
                    named.tensor_layout.map(|layout| layout.scalar_type.size().unwrap_or(1));
                note(&mut uses, *named.segment_index, element);
            }
            (root.segments, uses)
        }
        Tables::FlatTensor06(root) => {
            let mut uses = uses(&root.segments);
            let mut keys = Names::new(root.segments);
            for (tensor, index) in root.tensors.iter().zip(0_u64..) {
                let Ok(tensor) = tensor else { continue };
                let place = check.place("tensors", index, "name", &tensor.name);
                keys.add(check, &tensor.name, (*tensor.segment_index, *tensor.offset), &place);
                note(&mut uses, *tensor.segment_index, tensor.scalar_type.size());
            }
            for (named, index) in root.named_data.iter().zip(0_u64..) {
                let Ok(named) = named else { continue };
                let place = check.place("named_data", index, "key", &named.key);
                keys.add(check, &named.key, (*named.segment_index, 0), &place);
                note(&mut uses, *named.segment_index, None);
            }
            (root.segments, uses)
        }
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

    fn add(
        &mut self,
        check: &mut Check<'_, '_, '_>,
        key: &'a str,
        stands_for: (u32, u64),
        place: &Part,
    ) {
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
        if same {
            let what = format_args!("the key has been given before, for the same bytes");
            check.tell(Severity::Warning, "ptd.key", place, what, (Show::Nothing, Show::Nothing));
        } else {
            let what = format_args!(
                "the key has been given before, for other bytes: the C++ runtime takes the first, the Python tools the last"
            );
            check.tell(
                Severity::Error,
                "ptd.key",
                place,
                what,
                (Show::Uint(u64::from(first.0)), Show::Uint(u64::from(stands_for.0))),
            );
        }
    }
}

impl Check<'_, '_, '_> {
    fn alignment(&mut self, segments: &FbVec<'_, DataSegment>, uses: &[Use]) {
        let base = self.file.segment_base_offset;
        if !base.is_multiple_of(BLOB_ALIGN) {
            let what = format_args!(
                "the segments do not begin on a multiple of 8: the runtime reads misaligned numbers"
            );
            self.rules.tell(
                Severity::Error,
                "ptd.align",
                "segment_base_offset",
                what,
                Show::Uint(BLOB_ALIGN),
                Show::Uint(base),
            );
        }
        for ((segment, known), index) in segments.iter().zip(uses).zip(0_u64..) {
            let Ok(segment) = segment else { continue };
            if known.element == 0 && !known.blob {
                let place = self.segment_place(index, "offset", &segment, segments);
                let what = format_args!("no key stands for the segment; writers leave such out");
                self.tell(
                    Severity::Warning,
                    "ptd.unused",
                    &place,
                    what,
                    (Show::Nothing, Show::Nothing),
                );
            }
            let offset = *segment.offset;
            if *segment.size == 0 || offset.is_multiple_of(BLOB_ALIGN) {
                continue;
            }
            let place = self.segment_place(index, "offset", &segment, segments);
            let align = if known.blob || known.element == 0 { BLOB_ALIGN } else { known.element };
            let shown = (Show::Uint(align), Show::Uint(offset));
            if offset.checked_rem(align) == Some(0) {
                let what = format_args!("the segment is less aligned than any that a writer makes");
                self.tell(Severity::Warning, "ptd.align", &place, what, shown);
            } else {
                let what = format_args!(
                    "the segment is not aligned for what it holds: the runtime reads other data, or crashes"
                );
                self.tell(Severity::Error, "ptd.align", &place, what, shown);
            }
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
                let place = self.segment_place(index, "offset", &segment, segments);
                let what = format_args!(
                    "the segment lies before an earlier one; writers keep them in order"
                );
                self.tell(
                    Severity::Warning,
                    "ptd.order",
                    &place,
                    what,
                    (Show::Nothing, Show::Uint(start)),
                );
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
            let place = self.segment_place(later, "offset", &segment, segments);
            let other = run.index.min(before.index);
            let what = format_args!(
                "segments {other} and {later} share bytes and are not the same: the runtime reads a part of one as the other"
            );
            self.tell(
                Severity::Error,
                "ptd.overlap",
                &place,
                what,
                (Show::Nothing, Show::Uint(*segment.offset)),
            );
            return;
        }
        let gap = run.start.saturating_sub(before.end);
        let base = self.file.segment_base_offset;
        let range = base.saturating_add(before.end)..base.saturating_add(run.start);
        let (steps, shown) = ([Step::Field("data")], (Show::Nothing, Show::Uint(gap)));
        if gap > MOST_PADDING {
            let what = format_args!("between two segments lie more bytes than any alignment needs");
            self.rules.tell_at(Severity::Warning, "ptd.gap", (&steps, range), what, shown);
        } else if super::super::part(self.file.data, before.end, gap)
            .is_some_and(|gap| !is_zero(gap))
        {
            let what = format_args!(
                "the padding between two segments is not zero; no runtime looks at it"
            );
            self.rules.tell_at(Severity::Warning, "ptd.padding", (&steps, range), what, shown);
        }
    }
}
