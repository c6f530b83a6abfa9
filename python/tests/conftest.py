"""Where the files of the tests are: those of the Rust tests, `tests/corpus` of the repository."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

CORPUS = Path(__file__).resolve().parents[2] / "tests" / "corpus"
FORMATS = ["fatbin", "ptd", "pte", "rten", "vpt"]


def facts(folder: str, name: str) -> Iterator[tuple[Path, Any]]:
    """The files of a folder with what is known about each."""
    known = json.loads((CORPUS / folder / name).read_text())
    assert known
    for file, fact in sorted(known.items()):
        yield CORPUS / folder / file, fact


def files(*formats: str) -> list[Path]:
    """The files that real tools wrote."""
    return [path for of in formats or FORMATS for path, _ in facts(of, "expected.json")]


def mutants() -> list[tuple[Path, Any]]:
    """Files that were damaged on purpose."""
    folders = [of for of in FORMATS if (CORPUS / of / "negative/verdicts.json").is_file()]
    assert folders
    return [case for of in folders for case in facts(f"{of}/negative", "verdicts.json")]


def named(path: object) -> str:
    return path.name if isinstance(path, Path) else ""


@pytest.fixture
def corpus() -> Path:
    return CORPUS
