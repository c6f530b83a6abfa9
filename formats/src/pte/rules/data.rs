//! Named data and the blobs of delegates: indices and keys.

use alloc::collections::BTreeMap;

use super::super::call::Delegate;
use super::super::kind::DataLocation;
use super::super::program::{NamedData, Plan};
use super::{Route, Site, Tell, View};

const NAMED: &str = "executorch program.fbs, NamedData";
const DELEGATE: &str = "executorch program.fbs, BackendDelegateDataReference";

/// Every key is there once, and leads to a segment.
pub(super) fn named(view: &View<'_>, tell: &mut Tell<'_, '_>) {
    let list = view.program.named_data();
    let count = view.program.segments().count();
    let mut seen = BTreeMap::new();
    for (named, index) in list.iter().zip(0_u64..) {
        if !tell.spend() {
            return;
        }
        let Ok(named) = named else { continue };
        let route = Route::field("named_data").item(index);
        let site = Site { route, range: list.range(index), spec: NAMED };
        let what = format_args!(
            "there is no such segment; a runtime refuses the method that asks for this data"
        );
        tell.index("named-segment", &site, (i64::from(named.segment_index), count), what);
        let Some(key) = named.key else { continue };
        if let Some(first) = seen.get(key) {
            let range = Some(tell.range_of(view.bytes, key));
            repeated(view, &named, *first, &Site { route, range, spec: NAMED }, tell);
        } else {
            seen.insert(key, named.segment_index);
        }
    }
}

fn repeated(
    view: &View<'_>,
    named: &NamedData<'_>,
    first: u32,
    site: &Site,
    tell: &mut Tell<'_, '_>,
) {
    let segment = |index: u32| view.program.segments().get(index.into())?.ok();
    let same = first == named.segment_index || segment(first) == segment(named.segment_index);
    if same {
        let what = format_args!("the key is there already, for the same bytes");
        tell.warn("named-repeated", site, what);
    } else {
        let what = format_args!(
            "the key is there already, for other bytes; a runtime finds one of the two, or refuses the method"
        );
        tell.error("named-repeated", site, what);
    }
}

/// Every delegate of a method has its blob.
pub(super) fn delegates(view: &View<'_>, plan: &Plan<'_>, method: u64, tell: &mut Tell<'_, '_>) {
    for (delegate, index) in plan.delegates().iter().zip(0_u64..) {
        if !tell.spend() {
            return;
        }
        if let Ok(delegate) = delegate {
            blob(view, &delegate, [method, index], tell);
        }
    }
}

fn blob(view: &View<'_>, delegate: &Delegate<'_>, at: [u64; 2], tell: &mut Tell<'_, '_>) {
    let Some(reference) = &delegate.processed else { return };
    let Ok(processed) = reference.get() else { return };
    let [method, index] = at;
    let route = Route::field("plans").item(method).to("delegates").item(index).to("processed");
    let site = Site { route, range: reference.range(), spec: DELEGATE };
    let inline = view.program.backend_delegate_data.unwrap_or_default().count();
    let place = (
        i64::from(processed.index),
        match processed.location {
            DataLocation::Inline => inline,
            DataLocation::Segment => view.program.segments().count(),
            DataLocation::Other(_) => return,
        },
    );
    let what = format_args!("there is no such blob for the delegate; a runtime refuses the method");
    tell.index("delegate-index", &site, place, what);
}
