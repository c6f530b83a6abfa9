"""Weights that binfmt put into models of RTen: the file is the one that was exported with them.

Two ONNX models that differ in their weights alone are converted by rten-convert; `binfmt edit --weights`
puts the weights of the second into the first. Both are then equal byte by byte, but for the hash of the
ONNX file that the converter writes into each. The rten crate then loads and runs both: what was edited
computes what was exported.
"""

import os
import pathlib
import subprocess
import sys
import tempfile

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from safetensors.numpy import save_file

BINFMT = os.environ["BINFMT"]


def mlp(weights):
    nodes = [
        helper.make_node("MatMul", ["x", "first.weight"], ["a"]),
        helper.make_node("Add", ["a", "first.bias"], ["b"]),
        helper.make_node("Relu", ["b"], ["c"]),
        helper.make_node("MatMul", ["c", "second.weight"], ["y"]),
    ]
    return nodes, [2, 6], [2, 4]


def convolution(weights):
    nodes = [
        helper.make_node("Conv", ["x", "kernel", "bias"], ["a"], kernel_shape=[3, 3], pads=[1, 1, 1, 1]),
        helper.make_node("Relu", ["a"], ["y"]),
    ]
    return nodes, [1, 3, 8, 8], [1, 8, 8, 8]


def gathered(weights):
    nodes = [
        helper.make_node("Gather", ["table", "index"], ["a"]),
        helper.make_node("Add", ["a", "x"], ["y"]),
    ]
    return nodes, [3, 5], [3, 5]


MODELS = {
    "mlp": (mlp, {"first.weight": (6, 16), "first.bias": (16,), "second.weight": (16, 4)}),
    "convolution": (convolution, {"kernel": (8, 3, 3, 3), "bias": (8,)}),
    "gather": (gathered, {"table": (11, 5), "index": (3,)}),
}


def weights_of(shapes, seed):
    random = np.random.default_rng(seed)

    def one(name, shape):
        if name == "index":
            return random.integers(0, 11, shape).astype(np.int64)
        return random.standard_normal(shape).astype(np.float32)

    return {name: one(name, shape) for name, shape in shapes.items()}


def exported(kind, weights, folder, name, arguments):
    nodes, taken, given = kind(weights)
    graph = helper.make_graph(
        nodes,
        "graph",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, taken)],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, given)],
        [numpy_helper.from_array(array, key) for key, array in weights.items()],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    path = folder / f"{name}.onnx"
    onnx.save(model, path)
    out = folder / f"{name}.rten"
    convert = [pathlib.Path(sys.executable).parent / "rten-convert", *arguments, path, out]
    subprocess.run(convert, check=True, capture_output=True)
    return out


def without_hash(path, folder):
    """The bytes of a model without the hash of the ONNX file that it comes from."""
    out = folder / "unnamed.rten"
    subprocess.run([BINFMT, "metadata", path, "-o", out, "--force", "--remove", "onnx_hash"], check=True)
    return out.read_bytes()


def edits(new, folder):
    """The same weights in several ways: the files, and the options that put them in."""
    # RTen has indices of 32 bits.
    held = {key: array.astype(np.int32) if key == "index" else array for key, array in new.items()}
    save_file(held, folder / "new.safetensors")
    yield "safetensors", ["--weights", folder / "new.safetensors"]
    arrays, raw = [], []
    for at, (key, array) in enumerate(held.items()):
        np.save(folder / f"{at}.npy", np.asfortranarray(array))
        arrays += ["--weights", f"{key}={folder}/{at}.npy"]
        (folder / f"{at}.raw").write_bytes(array.tobytes())
        raw += ["--put", f"{key}={folder}/{at}.raw"]
    yield "numpy", arrays
    yield "raw", raw
    wide = {key: array.astype(np.int64 if key == "index" else np.float64) for key, array in held.items()}
    save_file(wide, folder / "wide.safetensors")
    yield "cast", ["--cast", "--weights", folder / "wide.safetensors"]


def main():
    wrong = 0
    made = pathlib.Path(os.environ["MADE"])
    for folder in ["before", "exported", "edited"]:
        (made / folder).mkdir()
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        for name, (kind, shapes) in MODELS.items():
            for version, arguments in {"v1": ["--v1"], "v2": []}.items():
                old, new = weights_of(shapes, 1), weights_of(shapes, 2)
                model = f"{name}_{version}.rten"
                first, second = made / "before" / model, made / "exported" / model
                exported(kind, old, folder, "model", arguments).rename(first)
                exported(kind, new, folder, "model", arguments).rename(second)
                expected = without_hash(second, folder)
                wrong += without_hash(first, folder) == expected
                for how, options in edits(new, folder):
                    out = made / "edited" / f"{name}_{version}.{how}.rten"
                    subprocess.run([BINFMT, "edit", first, "-o", out, *options], check=True)
                    same = without_hash(out, folder) == expected
                    wrong += not same
                    what = "the file is" if same else "the file is NOT"
                    print(f"{name}, {version}, {how}: {len(new)} weights replaced; {what} the one exported with them")
    print(f"{wrong} files are wrong")
    # Outputs, whatever the bytes are.
    ran = subprocess.run([os.environ["REFERENCE"], "weights", made]).returncode
    sys.exit(bool(wrong or ran))


main()
