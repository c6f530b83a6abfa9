"""Tensors as arrays of NumPy: views of the mapped file."""

from __future__ import annotations

import gc
import os
from pathlib import Path

import pytest
from conftest import files, named

import binfmt

numpy = pytest.importorskip("numpy")


@pytest.mark.parametrize("path", files("ptd", "pte", "rten"), ids=named)
def test_arrays_are_what_extract_writes(path: Path, tmp_path: Path) -> None:
    if binfmt.identify(path)["verdict"] != "valid":
        pytest.skip("a file with errors")
    arrays = binfmt.tensors(path, external=True)
    data = path.read_bytes()
    for tensor in binfmt.tensors_of(path):
        if tensor.offset is None:
            continue
        assert tensor.offset + tensor.nbytes <= len(data)
        array = numpy.asarray(tensor)
        assert not array.flags.writeable and not array.flags.owndata
        with pytest.raises(ValueError):
            array[...] = 0
        # All bytes that are stored, in whatever order of dimensions, and no others.
        stored = numpy.frombuffer(data, "u1", tensor.nbytes, tensor.offset)
        flat = numpy.frombuffer(array.tobytes(), "u1")
        assert sorted(stored) == sorted(flat)
    binfmt.extract(path, tmp_path, npy=True)
    written = {file.name[: -len(".npy")]: file for file in tmp_path.glob("*.npy")}
    for name, array in arrays.items():
        if name in written and array.dtype.kind != "V":
            expected = numpy.load(written[name])
            assert array.dtype == expected.dtype and array.shape == expected.shape
            assert numpy.array_equal(array, expected, equal_nan=array.dtype.kind in "fc")


def test_types_and_shapes_are_those_of_the_file(corpus: Path) -> None:
    arrays = binfmt.tensors(corpus / "ptd/direct_all_dtypes.ptd")
    kinds = {array.dtype.str for array in arrays.values()}
    assert {"<f4", "<f8", "|b1", "<i8", "|u1"} <= kinds
    # What NumPy has no type for keeps its shape and its bytes.
    (raw,) = [tensor for tensor in binfmt.tensors_of(corpus / "ptd/direct_all_dtypes.ptd") if tensor.dtype == "bf16"]
    array = numpy.asarray(raw)
    assert (array.dtype.str, array.shape) == ("|V2", raw.shape)
    assert array.view("<u2").shape == raw.shape


def test_other_orders_of_dimensions_are_strides(corpus: Path) -> None:
    arrays = binfmt.tensors(corpus / "ptd/direct_channels_last.ptd")
    assert any(not array.flags.c_contiguous for array in arrays.values())


def test_arrays_keep_the_file(corpus: Path, tmp_path: Path) -> None:
    path = tmp_path / "a.ptd"
    path.write_bytes((corpus / "ptd/direct_many_keys_500.ptd").read_bytes())
    expected = {name: array.copy() for name, array in binfmt.tensors(path).items()}
    arrays = binfmt.tensors(path)
    os.unlink(path)
    gc.collect()
    for name in list(arrays):
        assert numpy.array_equal(arrays.pop(name), expected[name])


def test_external_tensors_are_not_left_out_in_silence(corpus: Path) -> None:
    path = corpus / "pte/dtypes_external.pte"
    with pytest.raises(binfmt.ExternalTensorError, match="do not lie in this file"):
        binfmt.tensors(path)
    inside = binfmt.tensors(path, external=True)
    assert len(inside) < len(binfmt.tensors_of(path))


def test_damaged_files_have_no_arrays(corpus: Path, tmp_path: Path) -> None:
    path = tmp_path / "cut.ptd"
    whole = (corpus / "ptd/direct_two_tensors.ptd").read_bytes()
    cut = 0
    for length in range(1, len(whole), 7):
        path.write_bytes(whole[:length])
        try:
            arrays = binfmt.tensors(path)
        except binfmt.Error:
            cut += 1
            continue
        assert all(numpy.asarray(array).nbytes <= length for array in arrays.values())
    assert cut > 0


def test_a_new_file_is_mapped_and_not_read(tmp_path: Path) -> None:
    """A large file costs neither time nor memory of its own."""
    pytest.importorskip("resource")
    source = tmp_path / "big.safetensors"
    count = 64 << 20
    header = b'{"w":{"dtype":"U8","shape":[%d],"data_offsets":[0,%d]}}' % (count, count)
    with open(source, "wb") as file:
        file.write(len(header).to_bytes(8, "little") + header)
        file.truncate(8 + len(header) + count)
    path = tmp_path / "big.ptd"
    binfmt.convert(source, path)

    def private() -> int:
        fields = Path("/proc/self/smaps_rollup").read_text().splitlines()
        return sum(int(line.split()[1]) for line in fields if line.startswith("Private"))

    if not Path("/proc/self/smaps_rollup").exists():
        pytest.skip("no /proc")
    before = private()
    arrays = binfmt.tensors(path)
    assert arrays["w"].shape == (count,) and arrays["w"][-1] == 0
    assert private() - before < 4 << 10, "KiB"
