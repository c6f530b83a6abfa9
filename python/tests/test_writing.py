"""Writing: files that are changed, taken apart and compared."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from conftest import files, mutants, named

import binfmt


@pytest.mark.parametrize("path", files("vpt", "fatbin", "ptd"), ids=named)
def test_extracted_files_are_those_of_the_list(path: Path, tmp_path: Path) -> None:
    if binfmt.identify(path)["verdict"] != "valid":
        pytest.skip("a file with errors")
    items = [item for item in binfmt.list(path, hash=True)["items"] if "file_name" in item]
    if not items:
        assert binfmt.extract(path, tmp_path) == []
        return
    written = binfmt.extract(path, tmp_path)
    by_path = {item["path"]: item for item in items}
    for file in written:
        assert Path(file["file"]).stat().st_size == file["size"] == by_path[file["path"]]["size"]
    # What shares its bytes with something that is written need not be written again.
    places = [place(by_path.pop(file["path"])) for file in written]
    for item in by_path.values():
        start, end = place(item)
        assert start == end or any(at < end and start < behind for at, behind in places)
    with pytest.raises(binfmt.Error, match="exists"):
        binfmt.extract(path, tmp_path)
    binfmt.extract(path, tmp_path, force=True)


def test_what_a_damaged_file_still_has_is_written_and_told(tmp_path: Path) -> None:
    written = 0
    for number, (path, _) in enumerate(mutants()):
        if binfmt.validate(path, decode=False)["verdict"] not in ("invalid", "malformed"):
            continue
        with pytest.raises(binfmt.InvalidError) as raised:
            binfmt.extract(path, tmp_path / str(number))
        files = raised.value.written  # type: ignore[attr-defined]
        assert all(Path(file["file"]).is_file() for file in files)
        written += len(files)
    assert written > 50


def test_keys_are_put_and_dropped(corpus: Path, tmp_path: Path) -> None:
    path, output = corpus / "ptd/direct_two_tensors.ptd", tmp_path / "new.ptd"
    before = binfmt.tensors_of(path)
    name, other = before[0].name, before[1].name
    new = bytes(range(256)) * (before[0].nbytes // 256 + 1)
    new = new[: before[0].nbytes]
    binfmt.edit(path, output, put={name: new}, drop=[other])
    assert output.read_bytes()[slice(*elements(output, name))] == new
    assert [tensor.name for tensor in binfmt.tensors_of(output)] == [name]
    with pytest.raises(binfmt.Error, match="exists"):
        binfmt.edit(path, output, put={name: new})
    binfmt.edit(path, output, put={name: memoryview(new)}, force=True)
    odd = tmp_path / "a=b"
    odd.write_bytes(new)
    binfmt.edit(path, output, put={name: odd}, force=True)
    assert output.read_bytes()[slice(*elements(output, name))] == new
    with pytest.raises(TypeError, match="neither bytes nor a path"):
        binfmt.edit(path, tmp_path / "no", put={name: "text"})  # type: ignore[dict-item]


def place(item: dict[str, Any]) -> tuple[int, int]:
    return item["offset"], item["offset"] + item["stored_size"]


def elements(path: Path, name: str) -> tuple[int, int]:
    (tensor,) = [tensor for tensor in binfmt.tensors_of(path) if tensor.name == name]
    assert tensor.offset is not None
    return tensor.offset, tensor.offset + tensor.nbytes


def test_what_cannot_be_changed_leaves_no_file(corpus: Path, tmp_path: Path) -> None:
    path, output = corpus / "ptd/direct_two_tensors.ptd", tmp_path / "new.ptd"
    name = binfmt.tensors_of(path)[0].name
    for change in [{"put": {name: b"x"}}, {"put": {"no such key": b"x"}}, {"drop": ["no such key"]}]:
        with pytest.raises(binfmt.Error):
            binfmt.edit(path, output, **change)  # type: ignore[arg-type]
        assert not output.exists()
    damaged = tmp_path / "damaged.ptd"
    damaged.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(binfmt.InvalidError) as raised:
        binfmt.edit(damaged, output, drop=[name])
    assert raised.value.findings and not output.exists()


def test_differences_are_fields(corpus: Path, tmp_path: Path) -> None:
    path = corpus / "vpt/seed_two.vpt"
    assert binfmt.diff(path, path)["same"]
    changed = tmp_path / "b.vpt"
    data = bytearray(path.read_bytes())
    name = binfmt.tree(path)["programs[1].name"]
    data[name.start] ^= 1
    changed.write_bytes(data)
    (change,) = binfmt.diff(path, changed, fields=True)["changes"]
    assert change["path"] == "programs[1].name" and change["kind"] == "changed"
    # The same as what is in the files: a program of another name.
    assert all(change["kind"] == "program" for change in binfmt.diff(path, changed)["contents"])
    with pytest.raises(binfmt.Error, match="format"):
        binfmt.diff(path, corpus / "pte/mlp.pte")
    with pytest.raises(binfmt.Error):
        binfmt.diff(path, tmp_path / "gone")


def test_libraries_are_slimmed_or_refused(corpus: Path, tmp_path: Path) -> None:
    path, output = corpus / "fatbin/n13_multi.fatbin", tmp_path / "small.fatbin"
    plan = binfmt.slim(path, keep="sm_90")
    assert plan["changes"] and not output.exists()
    plan = binfmt.slim(path, output, keep=["sm_90"])
    assert output.stat().st_size == plan["new_bytes"] < plan["bytes"]
    assert not binfmt.slim(output, keep="sm_90")["changes"]
    with pytest.raises(ValueError):
        binfmt.slim(path, keep="sm_90", mode="x")
    with pytest.raises(binfmt.Error):
        binfmt.slim(path, keep="hopper")
    with pytest.raises(binfmt.RefusedError) as raised:
        binfmt.slim(path, tmp_path / "none", keep="sm_90", ptx="none") and binfmt.slim(
            corpus / "vpt/seed_two.vpt", keep="sm_90"
        )
    assert raised.value.code and not (tmp_path / "none2").exists()


def test_models_are_converted(corpus: Path, tmp_path: Path) -> None:
    output = tmp_path / "a.safetensors"
    assert binfmt.convert(corpus / "ptd/direct_two_tensors.ptd", output) == []
    assert output.stat().st_size > 8
    with pytest.raises(binfmt.Error):
        binfmt.convert(corpus / "ptd/direct_opaque_blobs.ptd", tmp_path / "b.safetensors")
    left = binfmt.convert(
        corpus / "ptd/direct_opaque_blobs.ptd", tmp_path / "b.safetensors", skip=True
    )
    assert left


def test_the_whole_program_can_be_called(corpus: Path) -> None:
    good = binfmt.call("identify", corpus / "pte/mlp.pte")
    assert good.code == 0 and b"pte" in good.output and good.messages == []
    assert binfmt.call("identify", "/no/such/file").code == 2
    assert binfmt.call("nothing").code == 2
    assert b"Usage" in binfmt.call("--help").output


@pytest.mark.parametrize("path", files("fatbin", "vpt", "ptd"), ids=named)
def test_folders_are_packed_to_the_same_bytes(path: Path, tmp_path: Path) -> None:
    if binfmt.identify(path)["verdict"] != "valid":
        pytest.skip("a file with errors")
    folder, output = tmp_path / "folder", tmp_path / "again"
    binfmt.extract(path, folder, manifest=True)
    binfmt.pack(folder, output)
    assert output.read_bytes() == path.read_bytes()


def test_folders_that_make_no_file_are_refused(corpus: Path, tmp_path: Path) -> None:
    folder, output = tmp_path / "folder", tmp_path / "out"
    folder.mkdir()
    with pytest.raises(binfmt.Error, match="manifest"):
        binfmt.pack(folder, output)
    (folder / "manifest.json").write_text('{"format": "ptd", "items": [{"file": "gone"}]}')
    with pytest.raises(binfmt.Error):
        binfmt.pack(folder, output)
    assert not output.exists()
    binfmt.extract(corpus / "ptd/direct_two_tensors.ptd", tmp_path / "good", manifest=True)
    output.write_bytes(b"mine")
    with pytest.raises(binfmt.Error, match="exists"):
        binfmt.pack(tmp_path / "good", output)
    assert output.read_bytes() == b"mine"


def test_weights_are_arrays_by_name(corpus: Path, tmp_path: Path) -> None:
    numpy = pytest.importorskip("numpy")
    path, output = corpus / "ptd/direct_two_tensors.ptd", tmp_path / "new.ptd"
    old = binfmt.tensors(path)
    name, other = old
    assert old[name].dtype.kind == "f"
    new = numpy.arange(old[name].size, dtype="f8").reshape(old[name].shape)
    with pytest.raises(binfmt.Error, match="type"):
        binfmt.edit(path, output, weights={name: new})
    with pytest.raises(binfmt.Error):
        binfmt.edit(path, output, weights={name: new.reshape(-1, 1, 1)}, cast=True)
    with pytest.raises(TypeError, match="safetensors"):
        binfmt.edit(path, output, weights={name: new.astype("V4")}, cast=True)
    assert not output.exists()
    binfmt.edit(path, output, weights={name: new, "extra": numpy.ones(3, "<i4")}, cast=True, add=True)
    found = binfmt.tensors(output)
    assert found[name].dtype == old[name].dtype and numpy.array_equal(found[name], new)
    assert numpy.array_equal(found[other], old[other])
    assert found["extra"].tolist() == [1, 1, 1]
    # The file of an array, whatever it is called, and orders of elements that files have not.
    numpy.save(tmp_path / "a=b.npy", numpy.asfortranarray(new.astype(old[name].dtype)))
    binfmt.edit(path, output, weights={name: tmp_path / "a=b.npy"}, force=True)
    assert numpy.array_equal(binfmt.tensors(output)[name], new)
    # A file of safetensors names its tensors itself.
    binfmt.convert(output, tmp_path / "all.safetensors")
    binfmt.edit(path, output, weights=tmp_path / "all.safetensors", force=True)
    assert numpy.array_equal(binfmt.tensors(output)[name], new)


def test_contents_of_models_are_compared(corpus: Path, tmp_path: Path) -> None:
    numpy = pytest.importorskip("numpy")
    path, changed = corpus / "ptd/direct_two_tensors.ptd", tmp_path / "new.ptd"
    name, array = next(iter(binfmt.tensors(path).items()))
    new = array.copy()
    new.flat[0] += 2
    binfmt.edit(path, changed, weights={name: new})
    (change,) = binfmt.diff(path, changed, values=True)["contents"]
    assert (change["name"], change["change"], change["kind"]) == (name, "changed", "tensor")
    assert change["largest"] == pytest.approx(float(numpy.abs(new - array).max()))
    (change,) = binfmt.diff(path, changed)["contents"]
    assert change["largest"] is None
    assert binfmt.diff(path, changed, fields=True)["same"] is False
    aligned = tmp_path / "aligned.ptd"
    binfmt.edit(path, aligned, align=4096)
    assert binfmt.diff(path, aligned, derived=True)["changes"]
