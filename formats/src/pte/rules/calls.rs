//! Indices of a method: inputs, outputs, lists and instructions.

use alloc::collections::BTreeSet;

use binfmt_runtime::FbVec;

use super::super::call::{Call, Chain};
use super::super::program::Plan;
use super::super::value::Value;
use super::{Route, Site, Tell};

const PLAN: &str = "executorch program.fbs, ExecutionPlan";
const LIST: &str = "executorch program.fbs, KernelTypes";
const CALL: &str = "executorch program.fbs, InstructionArguments";

/// Names of methods that were met before.
#[derive(Default)]
pub(super) struct Names<'a>(BTreeSet<&'a str>);

impl<'a> Names<'a> {
    /// A runtime takes the first method of a name.
    pub(super) fn add(
        &mut self,
        bytes: &[u8],
        plan: &Plan<'a>,
        method: u64,
        tell: &mut Tell<'_, '_>,
    ) {
        let Some(name) = plan.name else { return };
        if !self.0.insert(name) {
            let route = Route::field("plans").item(method).to("name");
            let site = Site { route, range: Some(tell.range_of(bytes, name)), spec: PLAN };
            let what = format_args!(
                "there is a method with this name already; no runtime finds the second one"
            );
            tell.warn("method-repeated", &site, what);
        }
    }
}

/// Every index of a method leads somewhere.
pub(super) fn check(plan: &Plan<'_>, method: u64, tell: &mut Tell<'_, '_>) {
    let start = Route::field("plans").item(method);
    let count = plan.values().count();
    let what = "there is no such value; a caller gets an error or wild memory";
    for (name, list) in [("inputs", plan.inputs()), ("outputs", plan.outputs())] {
        indices(&list, (0, count), &Place { route: start.to(name), spec: PLAN, what }, tell);
    }
    lists(plan, start, count, tell);
    for (chain, index) in plan.chains().iter().zip(0_u64..) {
        let Ok(chain) = chain else { continue };
        instructions(plan, &chain, start.to("chains").item(index), tell);
    }
}

/// A list of indices, and what it means if one leads nowhere.
struct Place {
    route: Route,
    spec: &'static str,
    what: &'static str,
}

/// Every item of a list lies in `first..count`.
fn indices(
    list: &FbVec<'_, i32>,
    (first, count): (i64, u64),
    place: &Place,
    tell: &mut Tell<'_, '_>,
) {
    for (item, index) in list.iter().zip(0_u64..) {
        if !tell.spend() {
            return;
        }
        let Ok(item) = item else { continue };
        item_index(list.range(index), (i64::from(item), index), (first, count), place, tell);
    }
}

fn item_index(
    range: Option<core::ops::Range<u64>>,
    (item, index): (i64, u64),
    (first, count): (i64, u64),
    place: &Place,
    tell: &mut Tell<'_, '_>,
) {
    if item < 0 && item >= first || u64::try_from(item).is_ok_and(|item| item < count) {
        return;
    }
    let site = Site { route: place.route.item(index), range, spec: place.spec };
    tell.index("index", &site, (item, count), format_args!("{}", place.what));
}

/// The values that are lists of values.
fn lists(plan: &Plan<'_>, start: Route, count: u64, tell: &mut Tell<'_, '_>) {
    let what = "there is no such value; a runtime refuses the method";
    for (slot, index) in plan.values().iter().zip(0_u64..) {
        if !tell.spend() {
            return;
        }
        let Ok(slot) = slot else { continue };
        let route = start.to("values").item(index).to("value").to("items");
        let place = Place { route, spec: LIST, what };
        match slot.value {
            Some(Value::IntList(list)) => {
                let items = list.items.unwrap_or_default();
                for (item, index) in items.iter().zip(0_u64..) {
                    if !tell.spend() {
                        return;
                    }
                    let Ok(item) = item else { continue };
                    item_index(items.range(index), (item, index), (0, count), &place, tell);
                }
            }
            Some(Value::TensorList(list)) => {
                indices(&list.items.unwrap_or_default(), (0, count), &place, tell);
            }
            Some(Value::OptionalTensorList(list)) => {
                indices(&list.items.unwrap_or_default(), (-1, count), &place, tell);
            }
            _ => {}
        }
    }
}

fn instructions(plan: &Plan<'_>, chain: &Chain<'_>, start: Route, tell: &mut Tell<'_, '_>) {
    for (instruction, index) in chain.instructions().iter().zip(0_u64..) {
        if !tell.spend() {
            return;
        }
        let Ok(Some(call)) = instruction.map(|instruction| instruction.call) else { continue };
        let route = start.to("instructions").item(index).to("call");
        arguments(plan, &call, chain, route, tell);
    }
}

/// What an instruction names: an operator or a delegate, values, another instruction.
fn arguments(
    plan: &Plan<'_>,
    call: &Call<'_>,
    chain: &Chain<'_>,
    route: Route,
    tell: &mut Tell<'_, '_>,
) -> Option<()> {
    let values = plan.values().count();
    let what = "there is no such value; a runtime refuses the method";
    let args = Place { route: route.to("args"), spec: CALL, what };
    match call {
        Call::Kernel(call) => {
            let (range, call) = (call.range(), call.get().ok()?);
            let place = (i64::from(call.op_index), plan.operators.count());
            let what = format_args!("there is no such operator; a runtime refuses the method");
            tell.index("index", &Site { route, range, spec: CALL }, place, what);
            indices(&call.args.unwrap_or_default(), (0, values), &args, tell);
        }
        Call::Delegate(call) => {
            let (range, call) = (call.range(), call.get().ok()?);
            let place = (i64::from(call.delegate_index), plan.delegates().count());
            let what = format_args!("there is no such delegate; a runtime refuses the method");
            tell.index("index", &Site { route, range, spec: CALL }, place, what);
            indices(&call.args.unwrap_or_default(), (0, values), &args, tell);
        }
        Call::Move(call) => {
            let (range, call) = (call.range(), call.get().ok()?);
            let site = Site { route, range, spec: CALL };
            no_value(&site, call.move_from, values, tell);
            no_value(&site, call.move_to, values, tell);
        }
        Call::JumpFalse(call) => {
            let (range, call) = (call.range(), call.get().ok()?);
            let site = Site { route, range, spec: CALL };
            no_value(&site, call.cond_value_index, values, tell);
            // A jump behind the last instruction ends the chain.
            let ends = chain.instructions().count().saturating_add(1);
            let place = (i64::from(call.destination_instruction), ends);
            let what = format_args!(
                "the jump leads out of the chain; a runtime ends the method there, with outputs that nobody computed"
            );
            tell.index("index", &site, place, what);
        }
        Call::Free(call) => {
            let (range, call) = (call.range(), call.get().ok()?);
            no_value(&Site { route, range, spec: CALL }, call.value_index, values, tell);
        }
        Call::Other(_) => {}
    }
    Some(())
}

fn no_value(site: &Site, value: i32, values: u64, tell: &mut Tell<'_, '_>) {
    let what = format_args!("there is no such value; the method fails while it runs");
    tell.index("index", site, (i64::from(value), values), what);
}
