"""Rules that go beyond the schema: what the runtime does with programs that break them.

Where it computes the same, binfmt has no error; where it refuses, crashes or computes something else,
it has one. What cannot be so is listed with its reason."""

import importlib
import json
import os
import subprocess

from rebuild import rebuilt
from reference import run


def new(kind, **fields):
    """An object of the reference's builder, which leaves out what is None."""
    package = "executorch.exir._serialize.generated.executorch_flatbuffer"
    made = getattr(importlib.import_module(f"{package}.{kind}"), kind + "T")()
    for name, value in fields.items():
        setattr(made, name, value)
    return made


def on_plan(field, value=None):
    return lambda program: setattr(program.executionPlan[0], field, value)


def on_chain(field, value=None):
    return lambda program: setattr(program.executionPlan[0].chains[0], field, value)


def on_call(field, value=None):
    def change(program):
        setattr(program.executionPlan[0].chains[0].instructions[0].instrArgs, field, value)

    return change


def on_delegate(field, value=None):
    return lambda program: setattr(program.executionPlan[0].delegates[0], field, value)


def on_tensors(choose, change):
    def all_of_them(program):
        for value in program.executionPlan[0].values:
            if type(value.val).__name__ == "TensorT" and choose(value.val):
                change(value.val)

    return all_of_them


def on_all(change):
    return on_tensors(lambda tensor: True, change)


def value_more(kind, tag, **fields):
    def change(program):
        made = new("EValue", valType=tag, val=new(kind, **fields))
        program.executionPlan[0].values.append(made)

    return change


def is_constant(tensor):
    return tensor.dataBufferIdx > 0 and tensor.allocationInfo is None


def is_planned(tensor):
    return tensor.allocationInfo is not None


def offset(number):
    return lambda tensor: setattr(tensor, "storageOffset", number)


def inline(count):
    def change(program):
        program.constantBuffer = [new("Buffer", storage=b"") for _ in range(count)]

    return change


def buffer_zero(tensor):
    tensor.allocationInfo.memoryId = 0


def location(number):
    def change(tensor):
        if tensor.extraTensorInfo is None:
            tensor.extraTensorInfo = new("ExtraTensorInfo")
        tensor.extraTensorInfo.location = number

    return change


def without_name(tensor):
    if tensor.extraTensorInfo is not None:
        tensor.extraTensorInfo.fullyQualifiedName = None


def swapped_offsets(program):
    first, second = program.segments[2], program.segments[3]
    first.offset, second.offset = second.offset, first.offset


def swapped_rows(program):
    rows = program.segments
    rows[2], rows[3] = rows[3], rows[2]
    for named in program.namedData:
        named.segmentIndex = {2: 3, 3: 2}.get(named.segmentIndex, named.segmentIndex)


def mutable_twice(program):
    program.mutableDataSegments = [program.mutableDataSegments[0]] * 2


def option(key, value):
    return on_delegate("compileSpecs", [new("CompileSpec", key=key, value=value)])


def keyless(at):
    return lambda program: program.namedData.insert(at, new("NamedData"))


def jump(destination):
    def change(program):
        for instruction in program.executionPlan[0].chains[0].instructions:
            if type(instruction.instrArgs).__name__ == "JumpFalseCallT":
                instruction.instrArgs.destinationInstruction = destination

    return change


MLP, XNNPACK, STATE = "mlp.pte", "mlp_xnnpack.pte", "kv_cache_mutable_init.pte"
INLINE = "mlp_xnnpack_inline_delegate.pte"

CASES = [
    (MLP, "nothing is changed", lambda program: None),
    (XNNPACK, "nothing is changed", lambda program: None),
    (STATE, "nothing is changed", lambda program: None),
    (INLINE, "nothing is changed", lambda program: None),
    (MLP, "storage_offset 1 of constants", on_tensors(is_constant, offset(1))),
    (MLP, "storage_offset 1 of planned tensors", on_tensors(is_planned, offset(1))),
    (MLP, "storage_offset -1 of planned tensors", on_tensors(is_planned, offset(-1))),
    (MLP, "constants in a segment, and a placeholder in the buffer", inline(1)),
    (MLP, "constants in a segment and in the buffer", inline(5)),
    ("add_mul.pte", "no constants, a placeholder in both places", inline(1)),
    ("add_mul.pte", "no constants, two in the buffer", inline(2)),
    (MLP, "memory_id 0", on_tensors(is_planned, buffer_zero)),
    (XNNPACK, "two named segments with swapped rows", swapped_rows),
    (XNNPACK, "two named segments with swapped offsets", swapped_offsets),
    (STATE, "two segments of mutable data", mutable_twice),
    (MLP, "tensor location 2", on_all(location(2))),
    (STATE, "tensor location 2 of first states", on_all(location(2))),
    (STATE, "first states without names", on_all(without_name)),
    (MLP, "tensor layout 1", on_all(lambda tensor: setattr(tensor, "layout", 1))),
    (MLP, "no sizes", on_all(lambda tensor: setattr(tensor, "sizes", None))),
    (MLP, "no dim_order", on_all(lambda tensor: setattr(tensor, "dimOrder", None))),
    (MLP, "no inputs", on_plan("inputs")),
    (MLP, "no outputs", on_plan("outputs")),
    (MLP, "no operators", on_plan("operators")),
    (MLP, "no delegates", on_plan("delegates")),
    (MLP, "no sizes of planned memory", on_plan("nonConstBufferSizes")),
    (MLP, "no devices of planned memory", on_plan("nonConstBufferDevice")),
    (MLP, "no container_meta_type", on_plan("containerMetaType")),
    (MLP, "no chains", on_plan("chains")),
    (MLP, "no values", on_plan("values")),
    (MLP, "no name of the method", on_plan("name")),
    (MLP, "no instructions", on_chain("instructions")),
    (MLP, "no inputs of the chain", on_chain("inputs")),
    (MLP, "no outputs of the chain", on_chain("outputs")),
    (MLP, "no arguments of a kernel", on_call("args")),
    (XNNPACK, "no arguments of a delegate", on_call("args")),
    (XNNPACK, "no options of a delegate", on_delegate("compileSpecs")),
    (XNNPACK, "an option without a value", option("key", None)),
    (XNNPACK, "an option without a key", option(None, [1])),
    (XNNPACK, "no identifier of a delegate", on_delegate("id")),
    (XNNPACK, "no place of a blob", on_delegate("processed")),
    (INLINE, "no bytes of a blob", lambda program: setattr(program.backendDelegateData[0], "data", None)),
    (XNNPACK, "no key, in front of others", keyless(0)),
    (XNNPACK, "no key, behind others", keyless(4)),
    (MLP, "an IntList without items", value_more("IntList", 7, items=None)),
    (MLP, "a DoubleList without items", value_more("DoubleList", 8, items=None)),
    (MLP, "a BoolList without items", value_more("BoolList", 9, items=None)),
    (MLP, "a TensorList without items", value_more("TensorList", 10, items=None)),
    (MLP, "an OptionalTensorList without items", value_more("OptionalTensorList", 11, items=None)),
    (MLP, "an empty list of chains", on_plan("chains", [])),
    (MLP, "every method twice", lambda program: setattr(program, "executionPlan", program.executionPlan * 2)),
    (MLP, "no room in planned memory", on_plan("nonConstBufferSizes", [0, 100])),
    ("cond_control_flow.pte", "a jump behind the last instruction", jump(6)),
    ("cond_control_flow.pte", "a jump out of the chain", jump(99)),
    (MLP, "an empty IntList", value_more("IntList", 7, items=[])),
    (MLP, "a String without a text", value_more("String", 6, stringVal=None)),
]

EXCEPTIONS = {
    "two named segments with swapped offsets": "nothing in the file says which was meant; a warning",
    "a jump out of the chain": "it is not taken for this input; where it is, outputs are not computed",
    "no key, behind others": "a key that is looked for in vain leads there",
}


def judged(path):
    """What binfmt says: the verdict, and every finding once."""
    done = subprocess.run([os.environ["BINFMT"], "validate", "--json", path], capture_output=True)
    line = json.loads(done.stdout)
    findings = {f"{finding['severity']} {finding['code']}" for finding in line["findings"]}
    return line["verdict"] == "valid", ", ".join(sorted(findings)) or "nothing"


def check(corpus, folder, report):
    print(f"\nRules: {len(CASES)} programs that were built with other tables")
    originals = {name: run(os.path.join(corpus, name)) for name in {case[0] for case in CASES}}
    path = os.path.join(folder, "case.pte")
    for name, what, change in CASES:
        with open(path, "wb") as file:
            file.write(rebuilt(os.path.join(corpus, name), change))
        found = run(path)
        same = found == originals[name]
        valid, findings = judged(path)
        kind = "the same" if same else "other numbers" if found[0] == "ok" else f"{found[0]} {found[1]}"
        reason = EXCEPTIONS.get(what)
        expected = same if reason is None else not same
        report.compare(f"{name}, {what}: valid", expected, valid)
        print(f"{name}, {what}: {kind.replace(folder, '')}; binfmt says {findings}{f' ({reason})' if reason else ''}")
