//! Open sections: the values of a type lie there, and wherever between them values of these.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec::Vec;

use super::look::look;
use super::{Held, Placement, Slot, report};
use crate::Cursor;
use crate::finding::Severity;
use crate::layout::Layout;
use crate::observe::Observer;
use crate::path::Step;
use crate::writer::Pattern;

/// What the values inside one say of what they have in its open section, for a validator.
#[derive(Debug)]
pub struct Around {
    /// How deep the value with the section is.
    depth: usize,
    /// Whether what is being read comes behind the section in the sequence, and so has nothing there.
    closed: bool,
    lying: Vec<Lying>,
}

/// A value that lies in the section of a value around.
#[derive(Debug)]
struct Lying {
    placement: Placement,
    /// The way to it from the value with the section.
    path: Vec<Step>,
}

/// A value with an open section begins.
#[inline(always)]
pub fn open_section<O: Observer>(obs: &mut O) {
    let depth = obs.depth();
    if let Some(around) = obs.around() {
        around.push(Around { depth, closed: false, lying: Vec::new() });
    }
}

/// What comes next may have values in the section: it lies there itself.
#[inline(always)]
pub fn reopen_section<O: Observer>(obs: &mut O) {
    set_closed(obs, false);
}

/// What comes next has nothing in the section.
#[inline(always)]
pub fn close_section<O: Observer>(obs: &mut O) {
    set_closed(obs, true);
}

#[inline(always)]
fn set_closed<O: Observer>(obs: &mut O, closed: bool) {
    if let Some(around) = obs.around().and_then(|around| around.last_mut()) {
        around.closed = closed;
    }
}

/// Says of located values of a type that they lie in the open section around it.
pub fn lie_around<O: Observer>(obs: &mut O, layout: &'static Layout, placements: &[Placement]) {
    for placement in placements {
        let depth = obs.depth();
        placement.reopen(obs, layout);
        let around = obs.around().and_then(|around| around.last());
        match around.filter(|around| !around.closed).map(|around| around.depth) {
            Some(from) => {
                let path = obs.steps().get(from..).unwrap_or_default().to_vec();
                if let Some(around) = obs.around().and_then(|around| around.last_mut()) {
                    around.lying.push(Lying { placement: *placement, path });
                }
            }
            // What has no bytes takes no place, and needs none.
            None if placement.is_empty() => {}
            None => {
                let what = format_args!("{NO_SECTION}");
                report(obs, "region", Severity::Error, placement.span, what);
            }
        }
        obs.close(depth);
    }
}

/// A writer has nothing there, and moves the value.
const BEHIND: &str = "the field has no bytes and lies behind its region";

/// What readers and writers say of a value that has no place.
pub(super) const NO_SECTION: &str =
    "no value around has an open section that comes behind this one, or in which this one lies";

/// Looks at an open section: at its own fields, and at what lies there of the values inside.
pub fn look_at_open<O: Observer, F: Pattern>(
    cur: &Cursor<'_>,
    obs: &mut O,
    layout: &'static Layout,
    held: Held<F>,
    placements: &mut [Placement],
    slots: &dyn Fn(usize) -> Option<Slot<'static>>,
) {
    let around = obs.around().and_then(Vec::pop);
    let lying = around.map(|around| around.lying).unwrap_or_default();
    let (empty, lying): (Vec<_>, Vec<_>) =
        lying.into_iter().partition(|lying| lying.placement.is_empty());
    for Lying { placement, path } in empty.iter().filter(|one| one.placement.span.0 > held.span.1) {
        let depth = obs.depth();
        obs.reopen_part(path);
        report(obs, "region", Severity::Warning, placement.span, format_args!("{BEHIND}"));
        obs.close(depth);
    }
    let mut all = placements.to_vec();
    let inner = lying.iter().enumerate();
    all.extend(inner.map(|(number, lying)| lying.placement.of_part(number)));
    leave_out_twins(layout, &mut all, &lying);
    look(cur, obs, held, &mut all, slots, &|obs: &mut O, placement| match placement.part {
        Some(number) => {
            let path = lying.get(number).map(|lying| lying.path.as_slice());
            obs.reopen_part(path.unwrap_or_default());
        }
        None => placement.reopen(obs, layout),
    });
}

/// Leaves out what lies inside a value that shares its place with another one, for that has been met there.
///
/// Values share a place if the same lies inside them, for as such they are written again. What lies where
/// a value does that leads to it shares nothing: no number of that value could be set.
fn leave_out_twins(layout: &'static Layout, all: &mut Vec<Placement>, lying: &[Lying]) {
    let path = |placement: &Placement| match placement.part.and_then(|number| lying.get(number)) {
        Some(lying) => lying.path.clone(),
        None => {
            let item = placement.item.map(Step::Index);
            [Step::Field(layout.field(placement.field).name)].into_iter().chain(item).collect()
        }
    };
    let shared = all.iter_mut().filter(|placement| placement.shared);
    let mut shared: Vec<(Vec<Step>, &mut Placement)> =
        shared.map(|placement| (path(placement), placement)).collect();
    shared.sort_by_key(|(path, placement)| (placement.span.0, placement.own.1, path.len()));
    let mut runs: Vec<&mut [(Vec<Step>, &mut Placement)]> =
        shared.chunk_by_mut(|(_, a), (_, b)| a.is_twin_of(b)).filter(|run| run.len() > 1).collect();
    let inside = spans_inside(runs.iter().flat_map(|run| run.iter()).map(|(path, _)| path), lying);
    let mut twins = BTreeSet::new();
    for run in &mut runs {
        let mut met = BTreeSet::new();
        let mut first = None;
        for (path, placement) in run.iter_mut() {
            let own = inside.get(path);
            let same = *first.get_or_insert(own) == own;
            placement.shared = same && ways_to(path).all(|way| !met.contains(way));
            if placement.shared && !met.is_empty() {
                twins.insert(path.clone());
            }
            met.insert(path.clone());
        }
    }
    if twins.is_empty() {
        return;
    }
    all.retain(|placement| {
        let own = placement.part.and_then(|number| lying.get(number));
        let own = own.map(|one| one.path.as_slice()).unwrap_or_default();
        ways_to(own).all(|way| !twins.contains(way))
    });
}

/// Where those values lie that are inside each of some, by the paths of these.
fn spans_inside<'p>(
    paths: impl Iterator<Item = &'p Vec<Step>>,
    lying: &[Lying],
) -> BTreeMap<Vec<Step>, Vec<(usize, usize)>> {
    let mut inside: BTreeMap<_, _> = paths.map(|path| (path.clone(), Vec::new())).collect();
    if !inside.is_empty() {
        for one in lying {
            for way in ways_to(&one.path) {
                if let Some(spans) = inside.get_mut(way) {
                    spans.push(one.placement.span);
                }
            }
        }
    }
    inside
}

/// The paths of the values that lead to one.
fn ways_to(path: &[Step]) -> impl Iterator<Item = &[Step]> {
    (1..path.len()).filter_map(|len| path.get(..len))
}
