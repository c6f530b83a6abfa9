"""What the Python package says of every `.pte` and `.ptd` of the corpus, beside the Python readers of ExecuTorch.

Where both say something: tensors with their types, sizes, orders and bytes, keys, methods with inputs, outputs and
operators, delegates; and the same once more of files that the package has changed.
"""

import os
import sys
import tempfile
from collections import Counter
from importlib.metadata import version

import binfmt
import numpy
from executorch.exir._serialize._cord import Cord
from executorch.exir._serialize._program import deserialize_pte_binary
from executorch.exir.schema import KernelCall, Tensor
from executorch.extension.flat_tensor.serialize.serialize import FlatTensorSerializer

TYPES = {
    "BYTE": "u8", "CHAR": "i8", "SHORT": "i16", "INT": "i32", "LONG": "i64", "HALF": "f16", "FLOAT": "f32",
    "DOUBLE": "f64", "BOOL": "bool", "BFLOAT16": "bf16", "COMPLEX64": "c64", "COMPLEX128": "c128",
    "QINT8": "qint8", "QUINT8": "quint8", "QINT32": "qint32", "FLOAT8E5M2": "f8e5m2", "UINT16": "u16", "UINT32": "u32", "UINT64": "u64",
}


class Report:
    def __init__(self):
        self.same = Counter()
        self.different = 0

    def compare(self, kind, where, reference, package):
        if reference == package:
            self.same[kind] += 1
            return
        self.different += 1
        print(f"DIFFERENT {where}: {kind}: {str(reference)[:160]} there, {str(package)[:160]} here")


def type_of(scalar_type):
    return TYPES.get(scalar_type.name, scalar_type.name)


def stored(tensor):
    """The bytes of a tensor in the order of the file, by way of its array."""
    array = numpy.asarray(tensor)
    return numpy.lib.stride_tricks.as_strided(array, (array.size,), (array.itemsize,)).tobytes()


def program(path, report):
    name = os.path.basename(path)
    with open(path, "rb") as file:
        read = deserialize_pte_binary(file.read())
    plans = read.program.execution_plan
    found = {tensor.path: tensor for tensor in binfmt.tensors_of(path)}
    for at, plan in enumerate(plans):
        for index, value in enumerate(plan.values):
            if not isinstance(value.val, Tensor):
                continue
            here = found.get(f"program.plans[{at}].values[{index}].value")
            buffer = value.val.data_buffer_idx
            # Buffers of what changes are numbered apart; the first of either is empty.
            of = read.mutable_data if value.val.allocation_info else read.program.constant_buffer
            if buffer == 0 or here is None or here.offset is None:
                continue
            where = f"{name} {plan.name} value {index}"
            report.compare("type", where, type_of(value.val.scalar_type), here.dtype)
            report.compare("sizes", where, tuple(value.val.sizes), here.shape)
            # This reader takes the padding behind a buffer for a part of it.
            report.compare("elements", where, bytes(of[buffer].storage)[: here.nbytes], stored(here))
    keys = {}
    if read.named_data is not None:
        named = read.named_data
        keys = {key: bytes(named.buffers[entry.buffer_index]) for key, entry in named.pte_data.items()}
    listed = binfmt.list(path, hash=True)["items"]
    with open(path, "rb") as file:
        data = file.read()
    ours = {
        item["name"]: data[item["offset"] : item["offset"] + item["stored_size"]]
        for item in listed
        if item["kind"] == "named"
    }
    report.compare("named data", name, keys, ours)
    methods(name, plans, binfmt.summary(path)["methods"], report)


def methods(name, plans, found, report):
    report.compare("methods", name, [plan.name for plan in plans], [method["name"] for method in found])
    for plan, method in zip(plans, found):
        where = f"{name} {plan.name}"
        for kind, indices in (("inputs", plan.inputs), ("outputs", plan.outputs)):
            there = [plan.values[index].val for index in indices]
            there = [(type_of(it.scalar_type), it.sizes) for it in there if isinstance(it, Tensor)]
            here = [(port["type"], port["shape"]) for port in method[kind] if port["kind"] == "tensor"]
            report.compare(kind, where, there, here)
        calls = [instruction.instr_args for chain in plan.chains for instruction in chain.instructions]
        full = [it.name + (f".{it.overload}" if it.overload else "") for it in plan.operators]
        counts = Counter(full[call.op_index] for call in calls if isinstance(call, KernelCall))
        counts = {operator: counts[operator] for operator in full}
        report.compare("operators", where, counts, {it["name"]: it["count"] for it in method["operators"]})
        there = Counter(delegate.id for delegate in plan.delegates)
        report.compare("delegates", where, there, Counter(it["backend"] for it in method["delegates"]))


def data(path, report):
    name = os.path.basename(path)
    try:
        with open(path, "rb") as file:
            read = FlatTensorSerializer().deserialize(Cord(file.read()))
    except Exception as error:
        # The reader of today does not know the schema of 0.6.
        upgraded = os.path.join(tempfile.mkdtemp(), name)
        binfmt.edit(path, upgraded, upgrade=True)
        print(f"{name}: {type(error).__name__} there; compared as upgraded here")
        path = upgraded
        with open(path, "rb") as file:
            read = FlatTensorSerializer().deserialize(Cord(file.read()))
    found = {tensor.name: tensor for tensor in binfmt.tensors_of(path)}
    for key, entry in read.named_data.items():
        layout = entry.tensor_layout
        if layout is None:
            continue
        here = found.pop(key, None)
        where = f"{name} {key}"
        report.compare("is there", where, True, here is not None)
        report.compare("type", where, type_of(layout.scalar_type), here.dtype)
        report.compare("sizes", where, tuple(layout.sizes), here.shape)
        report.compare("elements", where, bytes(read.buffers[entry.buffer_index]), stored(here))
    report.compare("no other tensors", name, [], list(found))


def changed(path, folder, check, report):
    """Gives every tensor of NumPy's types other elements, and compares again."""
    new = {name: array for name, array in binfmt.tensors(path, external=True).items() if array.dtype.kind in "iuf"}
    unique = Counter(tensor.name for tensor in binfmt.tensors_of(path))
    new = {name: numpy.zeros_like(array) + 1 for name, array in new.items() if unique[name] == 1}
    if not new:
        return 0
    output = os.path.join(folder, os.path.basename(path))
    try:
        binfmt.edit(path, output, weights=new)
    except binfmt.Error as error:
        print(f"{os.path.basename(path)}: no new weights: {str(error).splitlines()[0]}")
        return 0
    after = binfmt.tensors(output, external=True)
    for name, array in new.items():
        report.compare("new elements", f"{output} {name}", array.tobytes(), after[name].tobytes())
    check(output, report)
    return 1


def main():
    versions = ", ".join(f"{name} {version(name)}" for name in ("executorch", "torch", "numpy"))
    print(f"binfmt {binfmt.__version__}, {versions}, Python {sys.version.split()[0]}")
    report = Report()
    corpus = os.path.join("tests", "corpus")
    with tempfile.TemporaryDirectory() as folder:
        for extension, check in (("pte", program), ("ptd", data)):
            files = sorted(os.listdir(os.path.join(corpus, extension)))
            files = [os.path.join(corpus, extension, name) for name in files if name.endswith(f".{extension}")]
            for path in files:
                check(path, report)
            edited = sum(changed(path, folder, check, report) for path in files)
            print(f".{extension}: {len(files)} files, {edited} of them once more with other weights")
    for kind, count in sorted(report.same.items()):
        print(f"{kind}: {count} equal")
    print(f"{sum(report.same.values())} comparisons are equal, {report.different} are not")
    return 1 if report.different else 0


if __name__ == "__main__":
    sys.exit(main())
