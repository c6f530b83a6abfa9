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
    (change,) = binfmt.diff(path, changed)["changes"]
    assert change["path"] == "programs[1].name" and change["kind"] == "changed"
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
