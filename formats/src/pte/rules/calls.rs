//! Indices of a method: inputs, outputs, lists and instructions.

use alloc::collections::BTreeSet;

use binfmt_runtime::{FbVec, FlatValue, Rule, Rules, Show, Step, path};

use super::super::call::{
    Call, Chain, DelegateCall, FreeCall, Instruction, JumpFalseCall, KernelCall, MoveCall,
};
use super::super::program::{Plan, Program};
use super::super::value::{IntList, Slot, TensorList, Value};
use super::{View, table};
use crate::shared::index as below;

/// Names of methods that were met before.
#[derive(Default)]
pub(super) struct Names<'a>(BTreeSet<&'a str>);

impl<'a> Names<'a> {
    /// A runtime takes the first method of a name.
    pub(super) fn add(
        &mut self,
        view: &View<'_>,
        plan: &Plan<'a>,
        method: u64,
        program: &mut Rules<'_>,
    ) {
        let Some(name) = plan.name else { return };
        if !self.0.insert(name) {
            let range = view.range_of(name, program);
            let mut at = program.at(&path!(Program.plans[method], Plan.name)).over(range);
            at.report(&table::METHOD_REPEATED, Show::Nothing, Show::Nothing);
        }
    }
}

/// Every index of a method leads somewhere.
pub(super) fn check(view: &View<'_>, plan: &Plan<'_>, rules: &mut Rules<'_>) {
    let count = plan.values().count();
    let inputs = &mut rules.at(&path!(Plan.inputs));
    indices(view, &plan.inputs(), (0, count), &table::INPUT, inputs);
    let outputs = &mut rules.at(&path!(Plan.outputs));
    indices(view, &plan.outputs(), (0, count), &table::OUTPUT, outputs);
    lists(view, plan, count, rules);
    for (chain, index) in plan.chains().iter().zip(0_u64..) {
        let Ok(chain) = chain else { continue };
        instructions(view, plan, &chain, &mut rules.at(&path!(Plan.chains[index])));
    }
}

/// Every item of a list lies in `first..count`.
fn indices<'a, T: FlatValue<'a> + Clone + Into<i64>>(
    view: &View<'_>,
    list: &FbVec<'a, T>,
    (first, count): (i64, u64),
    rule: &Rule,
    rules: &mut Rules<'_>,
) {
    for (item, index) in list.iter().zip(0_u64..) {
        if !view.spend() {
            return;
        }
        let Ok(item) = item.map(Into::into) else { continue };
        if item < first || item >= 0 {
            below(&mut rules.at(&[Step::Index(index)]).over(list.range(index)), rule, item, count);
        }
    }
}

/// The values that are lists of values.
fn lists(view: &View<'_>, plan: &Plan<'_>, count: u64, rules: &mut Rules<'_>) {
    for (slot, index) in plan.values().iter().zip(0_u64..) {
        if !view.spend() {
            return;
        }
        let Ok(Some(value)) = slot.map(|slot| slot.value) else { continue };
        let mut at = rules.at(&path!(Plan.values[index], Slot.value));
        match value {
            Value::IntList(list) => {
                let rules = &mut at.at(&path!(IntList.items));
                let items = list.items.unwrap_or_default();
                indices(view, &items, (0, count), &table::INT_ITEM, rules);
            }
            Value::TensorList(list) => {
                let rules = &mut at.at(&path!(TensorList.items));
                let items = list.items.unwrap_or_default();
                indices(view, &items, (0, count), &table::TENSOR_ITEM, rules);
            }
            Value::OptionalTensorList(list) => {
                let rules = &mut at.at(&path!(TensorList.items));
                let items = list.items.unwrap_or_default();
                indices(view, &items, (-1, count), &table::OPTIONAL_ITEM, rules);
            }
            _ => {}
        }
    }
}

fn instructions(view: &View<'_>, plan: &Plan<'_>, chain: &Chain<'_>, rules: &mut Rules<'_>) {
    for (instruction, index) in chain.instructions().iter().zip(0_u64..) {
        if !view.spend() {
            return;
        }
        let Ok(Some(call)) = instruction.map(|instruction| instruction.call) else { continue };
        let at = rules.at(&path!(Chain.instructions[index], Instruction.call));
        arguments(view, plan, &call, chain, at);
    }
}

/// What an instruction names: an operator or a delegate, values, another instruction.
fn arguments(
    view: &View<'_>,
    plan: &Plan<'_>,
    call: &Call<'_>,
    chain: &Chain<'_>,
    at: Rules<'_>,
) -> Option<()> {
    let values = plan.values().count();
    match call {
        Call::Kernel(call) => {
            let (at, call) = (&mut at.over(call.range()), call.get().ok()?);
            let (op, args) = (call.op_index.into(), call.args.unwrap_or_default());
            let count = plan.operators.count();
            below(&mut at.at(&path!(KernelCall.op_index)), &table::KERNEL, op, count);
            let at = &mut at.at(&path!(KernelCall.args));
            indices(view, &args, (0, values), &table::KERNEL_ARG, at);
        }
        Call::Delegate(call) => {
            let (at, call) = (&mut at.over(call.range()), call.get().ok()?);
            let (delegate, args) = (call.delegate_index.into(), call.args.unwrap_or_default());
            let count = plan.delegates().count();
            let index = &mut at.at(&path!(DelegateCall.delegate_index));
            below(index, &table::DELEGATE, delegate, count);
            let at = &mut at.at(&path!(DelegateCall.args));
            indices(view, &args, (0, values), &table::DELEGATE_ARG, at);
        }
        Call::Move(call) => {
            let (at, call) = (&mut at.over(call.range()), call.get().ok()?);
            let (from, to) = (call.move_from.into(), call.move_to.into());
            below(&mut at.at(&path!(MoveCall.move_from)), &table::MOVE_FROM, from, values);
            below(&mut at.at(&path!(MoveCall.move_to)), &table::MOVE_TO, to, values);
        }
        Call::JumpFalse(call) => {
            let (at, call) = (&mut at.over(call.range()), call.get().ok()?);
            let value = call.cond_value_index.into();
            let condition = &mut at.at(&path!(JumpFalseCall.cond_value_index));
            below(condition, &table::CONDITION, value, values);
            // A jump behind the last instruction ends the chain.
            let ends = chain.instructions().count().saturating_add(1);
            let destination = &mut at.at(&path!(JumpFalseCall.destination_instruction));
            below(destination, &table::JUMP, call.destination_instruction.into(), ends);
        }
        Call::Free(call) => {
            let (at, call) = (&mut at.over(call.range()), call.get().ok()?);
            let value = call.value_index.into();
            below(&mut at.at(&path!(FreeCall.value_index)), &table::FREE, value, values);
        }
        Call::Other(_) => {}
    }
    Some(())
}
