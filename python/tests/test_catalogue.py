"""Catalogues as Arrow, and what a package should be."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

import pytest
from conftest import CORPUS, FORMATS, mutants

import binfmt


def test_catalogue_is_what_list_says() -> None:
    pyarrow = pytest.importorskip("pyarrow")
    table = pyarrow.table(binfmt.catalogue(CORPUS, hash=True))
    rows = table.to_pylist()
    items: dict[str, list[dict[str, object]]] = {}
    for row in rows:
        if row["kind"] is not None:
            items.setdefault(row["file"], []).append(row)
    files = [row for row in rows if row["kind"] is None]
    assert len(files) > 150
    for row in files:
        if row["verdict"] == "unrecognised":
            assert row["format"] is None and row["findings"]
            continue
        listed = binfmt.list(row["file"], hash=True, strict=False)
        assert (row["format"], row["variant"]) == (listed["format"], listed["variant"])
        found = items.pop(row["file"], [])
        assert len(found) == len(listed["items"]), row["file"]
        for item, expected in zip(found, listed["items"]):
            for key in ("path", "kind", "offset", "stored_size", "size"):
                assert item[key] == expected[key]
            for key in ("sha256", "arch", "dtype", "error"):
                assert item[key] == expected.get(key)
            shape = expected.get("shape")
            if shape and any(not isinstance(size, int) or size < 0 for size in shape):
                # What damaged files say of sizes stays among the details.
                assert item["shape"] is None
                assert json.loads(str(item["details"]))["shape"] == shape
            else:
                assert item["shape"] == shape
    assert not items


def test_damaged_and_missing_files_are_rows(tmp_path: Path) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    (path, _), *_ = mutants()
    (tmp_path / "cut.pte").write_bytes((CORPUS / "pte/mlp.pte").read_bytes()[:100])
    rows = pyarrow.table(binfmt.catalogue([path, tmp_path, tmp_path / "gone"])).to_pylist()
    verdicts = {Path(row["file"]).name: row["verdict"] for row in rows}
    assert verdicts["cut.pte"] == "malformed" and verdicts["gone"] == "unreadable"
    (gone,) = [row for row in rows if row["verdict"] == "unreadable"]
    assert gone["findings"][0]["code"] == "unreadable"


def test_rows_are_taken_once_and_in_batches() -> None:
    pyarrow = pytest.importorskip("pyarrow")
    rows = binfmt.catalogue([CORPUS / of for of in FORMATS])
    reader = pyarrow.RecordBatchReader.from_stream(rows)
    assert sum(batch.num_rows for batch in reader) > 1000
    with pytest.raises(ValueError, match="were taken"):
        pyarrow.table(rows)


def test_a_catalogue_may_be_left() -> None:
    pyarrow = pytest.importorskip("pyarrow")
    binfmt.catalogue(CORPUS)
    reader = pyarrow.RecordBatchReader.from_stream(binfmt.catalogue(CORPUS))
    reader.read_next_batch()
    del reader


def test_the_package_starts_at_once() -> None:
    def best(code: str) -> float:
        def once() -> float:
            start = time.perf_counter()
            subprocess.run([sys.executable, "-c", code], check=True)
            return time.perf_counter() - start

        return min(once() for _ in range(5))

    # 50 ms on a quiet machine; five times that on one that does other things, too.
    assert best("import binfmt") - best("pass") < 0.25


def test_the_command_is_the_program() -> None:
    command = [sys.executable, "-m", "binfmt"]
    good = subprocess.run([*command, "identify", CORPUS / "pte/mlp.pte"], capture_output=True)
    assert good.returncode == 0 and b": pte" in good.stdout
    assert subprocess.run([*command, "identify", CORPUS / "gone"], capture_output=True).returncode == 2


def test_everything_public_is_described() -> None:
    for name in binfmt.__all__:
        thing = getattr(binfmt, name)
        assert thing.__doc__, name
    assert (Path(binfmt.__file__).parent / "py.typed").exists()
