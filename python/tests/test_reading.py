"""Reading: what files are, what is in them, what is wrong with them."""

from __future__ import annotations

import pickle
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from conftest import files, mutants, named

import binfmt


@pytest.mark.parametrize("path", files(), ids=named)
def test_real_files_are_known_and_listed(path: Path) -> None:
    known = binfmt.identify(path)
    assert known["size"] == path.stat().st_size
    assert known["format"] in (path.parent.name, "bpte")
    judged = binfmt.validate(path)
    assert judged["format"] == known["format"]
    listed = binfmt.list(path, strict=False)
    assert listed["format"] == known["format"]
    for item in listed["items"]:
        assert item["offset"] + (item["stored_size"] or 0) <= known["size"]
    if judged["verdict"] == "valid":
        binfmt.validate(path, raises=True)
        assert binfmt.list(path)["items"] == listed["items"]


@pytest.mark.parametrize("path", [path for path, _ in mutants()], ids=named)
def test_damaged_files_raise_with_path_and_offset(path: Path) -> None:
    judged = binfmt.validate(path)
    errors = [finding for finding in judged["findings"] if finding["severity"] == "error"]
    assert bool(errors) == (judged["verdict"] not in ("valid", "nothing"))
    if not errors:
        return
    with pytest.raises((binfmt.InvalidError, binfmt.UnrecognisedError)) as raised:
        binfmt.validate(path, raises=True)
    error = raised.value
    assert path.name in str(error)
    if isinstance(error, binfmt.InvalidError):
        first = errors[0]
        assert (error.path, error.start, error.end) == (
            first["path"],
            first["start"],
            first["end"],
        )
        assert 0 <= error.start <= error.end
        assert error.code == first["code"] and f"{error.start:#x}" in str(error)
        again = pickle.loads(pickle.dumps(error))
        assert again.findings == error.findings and str(again) == str(error)


def test_damage_is_never_listed_in_silence() -> None:
    raised = 0
    for path, _ in mutants():
        if binfmt.validate(path, decode=False)["verdict"] in ("invalid", "malformed"):
            with pytest.raises(binfmt.InvalidError):
                binfmt.list(path)
            assert binfmt.list(path, strict=False)["findings"]
            raised += 1
    assert raised > 20


def test_items_are_filtered_and_have_digests(corpus: Path) -> None:
    path = corpus / "fatbin/n13_multi.fatbin"
    everything = binfmt.list(path)["items"]
    wanted = everything[0]["arch"]
    chosen = binfmt.list(path, filter=wanted, hash=True)["items"]
    assert 0 < len(chosen) < len(everything)
    assert {item["arch"] for item in chosen} == {wanted}
    assert all(len(item["sha256"]) == 64 for item in chosen)


def test_what_is_no_file_of_ours_says_what_it_is(tmp_path: Path) -> None:
    picture = tmp_path / "a.png"
    picture.write_bytes(b"\x89PNG\r\n")
    assert binfmt.identify(picture)["verdict"] == "unrecognised"
    for function in (binfmt.list, binfmt.inspect, binfmt.tensors):
        with pytest.raises(binfmt.UnrecognisedError, match="PNG"):
            function(picture)
    with pytest.raises(binfmt.UnrecognisedError):
        binfmt.validate(picture, raises=True)
    assert binfmt.validate(picture)["verdict"] == "unrecognised"


def test_files_that_cannot_be_opened_are_errors_of_the_system(tmp_path: Path) -> None:
    for function in (binfmt.identify, binfmt.validate, binfmt.list, binfmt.inspect, binfmt.tensors):
        with pytest.raises(FileNotFoundError) as raised:
            function(tmp_path / "gone")
        assert raised.value.filename == str(tmp_path / "gone")
        with pytest.raises(OSError):
            function(tmp_path)
    with pytest.raises(ValueError, match="no format is called nothing"):
        binfmt.list(tmp_path / "x" if (tmp_path / "x").write_bytes(b"x") else "", format="nothing")
    with pytest.raises(TypeError):
        binfmt.identify(7)  # type: ignore[arg-type]


def children(node: dict[str, Any]) -> Any:
    yield node
    for child in node["children"]:
        yield from children(child)


@pytest.mark.parametrize("path", files(), ids=named)
def test_every_field_lies_in_the_file(path: Path) -> None:
    inspected = binfmt.inspect(path)
    size = path.stat().st_size
    nodes = [node for root in inspected["nodes"] for node in children(root)]
    assert nodes
    assert all(0 <= node["start"] <= node["end"] <= size for node in nodes)
    if inspected["verdict"] == "valid":
        assert not any(node["damaged"] for node in nodes)
    tree = binfmt.tree(path)
    assert [node.name for node in tree.walk()] == [node["name"] for node in nodes]


def test_fields_are_reached_by_path(corpus: Path) -> None:
    path = corpus / "vpt/seed_two.vpt"
    tree = binfmt.tree(path)
    name = tree["programs[1].name"]
    data = path.read_bytes()
    assert name.value == data[name.start : name.end]
    assert tree["programs"][1]["name"].start == name.start
    assert "programs[1].name" in tree.root and "programs[7]" not in tree.root
    with pytest.raises(KeyError):
        tree["programs[1].nothing"]
    (chosen,) = binfmt.inspect(path, fields="programs[1].name")["nodes"]
    assert (chosen["name"], chosen["start"]) == ("programs[1].name", name.start)
    assert len(binfmt.inspect(path, fields=["programs[*].name"])["nodes"]) == 2
    shallow = binfmt.inspect(path, depth=1)["nodes"][0]
    assert all(not child["children"] for child in shallow["children"])
    with pytest.raises(KeyError):
        binfmt.inspect(path, fields="nothing")
    with pytest.raises(ValueError):
        binfmt.inspect(path, fields="programs[")
    with pytest.raises(ValueError, match="more than 3 fields"):
        binfmt.inspect(path, most=3)


def test_files_in_archives_are_named_behind_them(corpus: Path, tmp_path: Path) -> None:
    import zipfile

    wheel = tmp_path / "a.whl"
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.write(corpus / "fatbin/host13.o", "pkg/host13.o")
        archive.write(corpus / "pte/mlp.pte", "pkg/mlp.pte")
        archive.writestr("pkg/__init__.py", "")
    names = binfmt.members(wheel)
    assert [name.partition("!")[2] for name in names] == ["pkg/host13.o", "pkg/mlp.pte"]
    assert binfmt.list(names[1])["items"] == binfmt.list(corpus / "pte/mlp.pte")["items"]
    with pytest.raises(binfmt.UnrecognisedError, match="zip"):
        binfmt.list(wheel)
    with pytest.raises(OSError):
        binfmt.list(f"{wheel}!gone")


def test_threads_run_while_a_file_is_read(tmp_path: Path) -> None:
    """A long call does not keep other threads from running."""
    path = tmp_path / "a.vpt"
    path.write_bytes(bytes(64 << 20))
    ticks, done = 0, threading.Event()

    def read() -> None:
        binfmt.catalogue  # noqa: B018
        binfmt.call("scan", path)
        done.set()

    thread = threading.Thread(target=read)
    thread.start()
    while not done.wait(0.001):
        ticks += 1
        time.sleep(0)
    thread.join()
    assert ticks > 0


@pytest.mark.parametrize("path", files(), ids=named)
def test_sums_are_the_whole_file(path: Path) -> None:
    if binfmt.identify(path)["verdict"] != "valid":
        pytest.skip("a file with errors")
    try:
        found = binfmt.summary(path)
    except binfmt.Error as error:
        # What could not be looked at is said, and the rest is there.
        found = error.summary  # type: ignore[attr-defined]
        assert found["unread"]
    assert found["bytes"] == path.stat().st_size
    for groups in found["by"].values():
        assert sum(group["bytes"] for group in groups) == found["bytes"]


def test_damaged_files_are_not_summed_up_in_silence() -> None:
    summed = 0
    for path, _ in mutants():
        if binfmt.validate(path, decode=False)["verdict"] not in ("invalid", "malformed"):
            continue
        try:
            binfmt.summary(path)
        except binfmt.InvalidError as error:
            assert error.findings
            summed += bool(error.summary)  # type: ignore[attr-defined]
            continue
        # A rule is broken that no sum depends on.
        assert binfmt.validate(path, decode=False)["verdict"] == "invalid"
    assert summed > 0
