//! Delegates: where their blobs are, and what is in those that can be opened.

use alloc::collections::{BTreeMap, BTreeSet};

use binfmt_runtime::{BinFormat as _, Rules, Show, path};

use super::super::call::Delegate;
use super::super::kind::DataLocation;
use super::super::program::{Plan, Program};
use super::super::xnnpack::{self, Place, Xnnpack};
use super::{View, table};
use crate::shared::{index as below, wide};

/// What was found in blobs, each of which is opened once.
pub(super) struct Opened<'a> {
    seen: BTreeSet<(bool, u32)>,
    /// Which segment every key leads to.
    named: BTreeMap<&'a str, u32>,
}

impl<'a> Opened<'a> {
    pub(super) fn new(view: &View<'a>) -> Self {
        let mut named = BTreeMap::new();
        for data in view.program.named_data().iter().flatten() {
            named.entry(data.key.unwrap_or_default()).or_insert(data.segment_index);
        }
        Self { seen: BTreeSet::new(), named }
    }
}

/// Every delegate of a method has its blob, and what can be opened is sound.
pub(super) fn check<'a>(
    view: &View<'a>,
    plan: &Plan<'a>,
    method: u64,
    opened: &mut Opened<'a>,
    program: &mut Rules<'_>,
) {
    for (delegate, index) in plan.delegates().iter().zip(0_u64..) {
        if !view.spend() {
            return;
        }
        if let Ok(delegate) = delegate {
            let path = path!(Program.plans[method], Plan.delegates[index], Delegate.processed);
            blob(view, &delegate, opened, program.at(&path));
        }
    }
}

fn blob<'a>(view: &View<'a>, delegate: &Delegate<'a>, opened: &mut Opened<'a>, at: Rules<'_>) {
    let Some(reference) = &delegate.processed else { return };
    let Ok(processed) = reference.get() else { return };
    let blobs = view.program.backend_delegate_data.unwrap_or_default();
    let index = u64::from(processed.index);
    let (rule, count, bytes) = match processed.location {
        DataLocation::Inline => {
            let blob = blobs.get(index).and_then(Result::ok);
            (&table::BLOB_INLINE, blobs.count(), blob.and_then(|blob| blob.data))
        }
        DataLocation::Segment => {
            let count = view.program.segments().count();
            (&table::BLOB_SEGMENT, count, view.segment_bytes(index))
        }
        DataLocation::Other(_) => return,
    };
    let at = &mut at.over(reference.range());
    below(at, rule, processed.index.into(), count);
    let inline = processed.location == DataLocation::Inline;
    let is_new = opened.seen.insert((inline, processed.index));
    if let Some(bytes) = bytes.filter(|_| is_new && delegate.id == Some(xnnpack::BACKEND)) {
        payload(view, bytes, opened, at);
    }
}

/// A payload for XNNPACK keeps its own rules, and finds its constants.
fn payload(view: &View<'_>, bytes: &[u8], opened: &Opened<'_>, at: &mut Rules<'_>) {
    if let Some(error) = Xnnpack::validate(bytes).errors().next() {
        at.report(&table::XNNPACK_PAYLOAD, Show::Nothing, Show::Word(error.code));
        return;
    }
    let constants = Xnnpack::parse(bytes).and_then(|payload| payload.constants());
    for constant in constants.unwrap_or_default() {
        let scales = constant.scales.map(|scales| scales.place);
        for place in [constant.place].into_iter().chain(scales) {
            let Place::Named { key, size } = place else { continue };
            // What has no such key looks for it in a `.ptd`.
            let Some(segment) = opened.named.get(key) else { continue };
            let Some(found) = view.segment_bytes((*segment).into()) else { continue };
            let found = wide(found.len());
            if found < size {
                at.report(&table::XNNPACK_CONSTANT, Show::Uint(size), Show::Uint(found));
            }
        }
    }
}
