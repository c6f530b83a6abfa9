"""Tensor data that binfmt made, rewrote and changed: every key is there, and programs run with it."""

import json
import os
import tempfile

import torch
from safetensors.torch import load_file, save_file

from reference import apart, binfmt, contents_of_data, plain, run
from programs import with_data

TYPES = {
    "u8": torch.uint8, "i8": torch.int8, "i16": torch.int16, "i32": torch.int32, "i64": torch.int64,
    "f16": torch.float16, "bf16": torch.bfloat16, "f32": torch.float32, "f64": torch.float64,
    "bool": torch.bool,
}


def check(corpus, folder, report):
    print("\nTensor data: every file of the corpus, read back by the Python reader")
    files = os.path.join(corpus, "ptd")
    for name in sorted(os.listdir(files)):
        if name.endswith(".ptd"):
            read_back(os.path.join(files, name), folder, report)
    print("\nPrograms with tensor data from binfmt")
    pte = os.path.join(corpus, "pte")
    for name in sorted(os.listdir(pte)):
        if name.endswith(".pte") and (original := with_data(pte, name)):
            pairs(os.path.join(pte, name), original, folder, report)
    print("\nPrograms with tensor data from .safetensors alone")
    dtypes(os.path.join(pte, "dtypes_external.pte"), folder, report)
    training(pte, folder, report)
    print("\nA program whose blobs were moved into a .ptd")
    moved_blobs(pte, os.path.join(files, "direct_empty.ptd"), folder, report)


def ways(path, folder):
    """Every way to make the file again or to change it back and forth."""
    note = os.path.join(folder, "note")
    with open(note, "wb") as file:
        file.write(b"a note")
    out, other = os.path.join(folder, "made.ptd"), os.path.join(folder, "other.ptd")
    there = os.path.join(folder, "made.safetensors")

    def rewritten():
        binfmt("rewrite", path, "-o", out)

    def made_anew():
        binfmt("convert", path, "-o", out)

    def aligned():
        binfmt("edit", path, "-o", out, "--align", "4096")

    def put_and_dropped():
        binfmt("edit", path, "-o", other, "--add", "--put", f"metadata.note={note}")
        binfmt("edit", other, "-o", out, "--drop", "metadata.note")

    def through_safetensors():
        binfmt("convert", path, "--skip", "-o", there)
        binfmt("convert", there, "-o", out)

    for what in (rewritten, made_anew, aligned, put_and_dropped, through_safetensors):
        what()
        yield what.__name__.replace("_", " "), out


def read_back(path, folder, report):
    name = os.path.basename(path)
    expected = apart(contents_of_data, path)
    if expected[0] != "ok":
        # The reader of today does not know the schema of 0.6; binfmt brings it into that of 0.7.
        out = os.path.join(folder, "made.ptd")
        binfmt("edit", path, "-o", out, "--upgrade")
        found = apart(contents_of_data, out)
        items = json.loads(binfmt("list", "--json", "--hash", path))["items"]
        keys = {item["name"]: item["sha256"] for item in items if item["kind"] == "tensor"}
        said = {key: value[1] for key, value in found[1].items()} if found[0] == "ok" else found
        report.compare(f"{name} upgraded", keys, said)
        print(f"{name}: the reader refuses the schema of 0.6; upgraded it reads all {len(keys)} keys")
        return
    done = []
    for what, made in ways(path, folder):
        found = apart(contents_of_data, made)
        if what == "through safetensors":
            # That has no blobs, and no orders of dimensions but one.
            kept = dict(rows(path))
            found = ("ok", dict(rows(made)))
            same = report.compare(f"{name} {what}", ("ok", kept), found)
        else:
            same = report.compare(f"{name} {what}", expected, found)
        if same:
            done.append(what)
    print(f"{name}: {len(expected[1])} keys; equal: {', '.join(done)}")


def rows(path):
    """The tensors of a file in rows, as PyTorch reads them from what `convert` wrote."""
    with tempfile.TemporaryDirectory() as folder:
        there = os.path.join(folder, "rows.safetensors")
        binfmt("convert", path, "--skip", "-o", there)
        tensors = load_file(there)
    return {key: plain(tensor) for key, tensor in tensors.items()}


def pairs(program, original, folder, report):
    name = os.path.basename(program)
    expected = run(program, original)
    done = []
    for what, made in ways(original, folder):
        if what == "through safetensors" and not in_rows(original):
            # Safetensors knows rows alone, and the runtime wants the order that the program names.
            continue
        if report.compare(f"{name} with data {what}", expected, run(program, made)):
            done.append(what)
    state = f"runs {', '.join(expected[1])}" if expected[0] == "ok" else f"does not run with its own data either ({expected[1]})"
    print(f"{name} with {os.path.basename(original)}: {state}; equal: {', '.join(done)}")


def in_rows(path):
    items = json.loads(binfmt("list", "--json", path))["items"]
    return all(item["dim_order"] == sorted(item["dim_order"]) for item in items if item["kind"] == "tensor")


def externals(program):
    items = json.loads(binfmt("list", "--json", program))["items"]
    return [item for item in items if item.get("location") == "external"]


def from_tensors(tensors, folder):
    there, made = os.path.join(folder, "new.safetensors"), os.path.join(folder, "new.ptd")
    save_file(tensors, there)
    binfmt("convert", there, "-o", made)
    return made


def dtypes(program, folder, report):
    """A program that gives back its tensors, one of every type, which are made here."""
    tensors = {}
    for item in externals(program):
        numbers = torch.arange(3, 3 + int(torch.tensor(item["shape"]).prod()))
        dtype = TYPES[item["dtype"]]
        numbers = numbers % 2 == 0 if dtype == torch.bool else numbers.to(dtype)
        tensors[item["name"]] = numbers.reshape(item["shape"])
    found = run(program, from_tensors(tensors, folder))
    given = {plain(tensor) for tensor in tensors.values()}
    returned = set(found[1]["forward"]) if found[0] == "ok" else found
    missing = given - returned if found[0] == "ok" else given
    report.compare("dtypes_external.pte with new tensors", ("ok", set()), (found[0], missing))
    print(f"dtypes_external.pte: gives back {len(given)} new tensors: {', '.join(sorted(t[0] for t in given))}")


def training(pte, folder, report):
    """Two exports of one model, with its weights in the program or outside of it."""
    inside, outside = (os.path.join(pte, f"mlp_training_{kind}.pte") for kind in ("inline", "external_mutable"))
    there = os.path.join(folder, "inside.safetensors")
    binfmt("convert", inside, "-o", there)
    constants = load_file(there)
    tensors = {}
    for item in externals(outside):
        value = item["path"].split("values[")[1].split("]")[0]
        tensors[item["name"]] = constants[f"forward-value-{value}"]
    expected, found = run(inside), run(outside, from_tensors(tensors, folder))
    report.compare("mlp_training_external_mutable.pte with the weights of mlp_training_inline.pte", expected, found)
    print(f"mlp_training_external_mutable.pte: runs {', '.join(found[1]) if found[0] == 'ok' else found} with {', '.join(sorted(tensors))} from mlp_training_inline.pte")


def moved_blobs(pte, empty, folder, report):
    """The weights of a delegate are found by key, be they in the program or beside it."""
    program = os.path.join(pte, "mlp_xnnpack.pte")
    out, less, more = (os.path.join(folder, name) for name in ("blobs", "less.pte", "more.ptd"))
    binfmt("extract", program, "-o", out, "--filter", "*.named_data[*")
    items = json.loads(binfmt("list", "--json", program))["items"]
    named = [item for item in items if item["kind"] == "named"]
    drops, puts = [], []
    for item in named:
        drops += ["--drop", item["name"]]
        puts += ["--put", f"{item['name']}={os.path.join(out, item['file_name'])}"]
    binfmt("edit", program, "-o", less, *drops)
    binfmt("edit", empty, "-o", more, "--add", *puts)
    expected, without, found = run(program), run(less), run(less, more)
    report.compare("mlp_xnnpack.pte without its blobs is refused", "refused", without[0])
    report.compare("mlp_xnnpack.pte with its blobs in a .ptd", expected, found)
    print(f"mlp_xnnpack.pte: {len(named)} blobs moved; without them: {without[1]}; with them: {found[0]}")
