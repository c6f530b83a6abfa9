"""Reads, checks, lists and changes binary container files: models of ExecuTorch (``.pte``, ``.ptd``)
and RTen (``.rten``), CUDA fat binaries, Venice Program Tables and ELF files.

A path is a ``str`` or ``os.PathLike``; ``"a.whl!pkg/libx.so"`` is a file inside another one.
What is called a dict here has the keys that the page ``JSON.md`` of the project describes.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import IO, TYPE_CHECKING, Any, NamedTuple, Optional, Union

from . import _binfmt
from ._binfmt import Catalogue, Tensor
from .errors import (
    Error,
    ExternalTensorError,
    InvalidError,
    RefusedError,
    UnrecognisedError,
)
from .tree import Node, Tree

# What few functions need they import themselves, for the package starts with every task of an engine.
if TYPE_CHECKING:
    import numpy

__version__ = "0.1.0"

__all__ = [
    "Called",
    "Catalogue",
    "Error",
    "ExternalTensorError",
    "InvalidError",
    "Node",
    "RefusedError",
    "Tensor",
    "Tree",
    "UnrecognisedError",
    "call",
    "catalogue",
    "convert",
    "diff",
    "edit",
    "extract",
    "identify",
    "inspect",
    "list",
    "members",
    "pack",
    "slim",
    "summary",
    "tensors",
    "tensors_of",
    "tree",
    "validate",
]

StrPath = Union[str, "os.PathLike[str]"]
#: The content of a file: bytes, an array, or the path of a file that has them.
Data = Union[bytes, bytearray, memoryview, "numpy.ndarray[Any, Any]", "os.PathLike[str]"]

_list = list


def identify(path: StrPath) -> dict[str, Any]:
    """Says what a file is: ``{"file", "size", "format", "variant", "verdict", "description"}``.

    ``format`` is None for what is of no known format, and ``verdict`` then ``unrecognised``.
    """
    return _binfmt.identify(path)


def validate(
    path: StrPath,
    *,
    format: Optional[str] = None,
    decode: bool = True,
    raises: bool = False,
) -> dict[str, Any]:
    """Says everything that is wrong with a file: ``{"file", "format", "variant", "verdict",
    "findings"}``.

    ``verdict`` is ``valid``, ``invalid`` (a rule is broken), ``malformed`` (it cannot be read to its
    end), ``unrecognised`` or ``nothing``. A finding is ``{"severity", "code", "path", "start",
    "end", "message"}``. Payloads are decoded too, unless ``decode`` is false. With ``raises``,
    errors raise `InvalidError` or `UnrecognisedError`.
    """
    found = _binfmt.validate(path, format, decode)
    if raises:
        _raise_errors(found)
    return found


def list(
    path: StrPath,
    *,
    format: Optional[str] = None,
    filter: Union[str, Iterable[str]] = (),
    check: bool = False,
    hash: bool = False,
    strict: bool = True,
) -> dict[str, Any]:
    """Lists what is in a file: ``{"file", "format", "variant", "verdict", "findings", "items"}``.

    ``filter`` has kinds, names, architectures or paths, with ``*`` and ``?``. ``check`` decodes
    every payload, ``hash`` adds digests. A file with errors raises `InvalidError`; if ``strict`` is
    false, what can be read of it is listed.
    """
    filters = [filter] if isinstance(filter, str) else _list(filter)
    listed = _binfmt.items(path, format, filters, check, hash)
    if strict:
        _raise_errors(listed)
    return listed


def members(path: StrPath) -> _list[str]:
    """The files inside an archive (ZIP, and so wheels, tar, gzip, xz, zstd) that are of a known
    format, as paths that the other functions take.

    What could not be looked at raises `Error`, with the other names in ``members``.
    """
    names, skipped = _binfmt.members(path)
    if skipped:
        error = Error(os.fspath(path), *skipped)
        error.members = names  # type: ignore[attr-defined]
        raise error
    return names


def inspect(
    path: StrPath,
    *,
    format: Optional[str] = None,
    fields: Union[str, Iterable[str]] = (),
    depth: Optional[int] = None,
    most: int = 1_000_000,
) -> dict[str, Any]:
    """Every field of a file with its place: ``{"file", "format", "variant", "verdict", "findings",
    "nodes"}``.

    A node is ``{"name", "type", "start", "end", "value", "damaged", "doc", "children"}``. There is
    one for each part of the file, or for each of ``fields``, such as ``"entries[3]"`` or
    ``"entries[*].arch"``. A value is a number, a text, bytes (``{"head", "len"}`` for more than
    64), ``{"value", "name"}`` for a named number, ``{"value", "names"}`` for a set of flags. A
    damaged file is shown as far as it can be read; ``findings`` says what is wrong. More than
    ``most`` fields raise `ValueError`.
    """
    paths = [fields] if isinstance(fields, str) else _list(fields)
    nodes = _binfmt.fields(path, format, paths, depth, most)
    if paths and not nodes:
        raise KeyError(f"{os.fspath(path)} has no field {', '.join(paths)}")
    return {**_binfmt.validate(path, format, False), "nodes": nodes}


def tree(
    path: StrPath,
    *,
    format: Optional[str] = None,
    fields: Union[str, Iterable[str]] = (),
    depth: Optional[int] = None,
    most: int = 1_000_000,
) -> Tree:
    """The same as `inspect`, as objects: ``tree(path)["entries[3].payload"].start``."""
    return Tree(inspect(path, format=format, fields=fields, depth=depth, most=most))


def summary(path: StrPath, *, format: Optional[str] = None) -> dict[str, Any]:
    """What makes a file big, and what it can do: ``{"bytes", "by", "largest", "methods", "functions",
    "unread", ..}``.

    ``by["operator"]``, ``by["type"]``, ``by["arch"]`` and so on share out every byte of the file:
    ``[{"name", "bytes", "pieces"}]``, the largest first. ``methods`` has inputs, outputs and
    operators of a model, ``functions`` those of GPU code. A damaged file raises `InvalidError`, and
    what can be summed up of it is the ``summary`` of that error.
    """
    import json

    called = call("summary", "--json", *_format(format), "--", _plain(path))
    found: dict[str, Any] = json.loads(called.output) if called.output else {}
    if called.code != 0:
        error = _error(path, called, format)
        error.summary = found  # type: ignore[attr-defined]
        raise error
    return found


def tensors_of(path: StrPath, *, format: Optional[str] = None) -> _list[Tensor]:
    """The tensors of a file: name, type, shape and place, without reading the elements.

    ``numpy.asarray(tensor)`` is a view of the mapped file, read-only; it needs no memory of its own
    and keeps the file open. Whoever changes or shortens the file meanwhile changes the array.
    """
    return _tensors(path, format)


def tensors(
    path: StrPath, *, format: Optional[str] = None, external: bool = False
) -> dict[str, numpy.ndarray[Any, Any]]:
    """The tensors of a file as arrays of NumPy, by name: read-only views of the mapped file.

    Types that NumPy has not, such as ``bf16``, are arrays of raw elements (``V2``), whose
    ``.view(ml_dtypes.bfloat16)`` copies nothing either. Elements of less than a byte are one row of
    bytes. Tensors whose elements lie in another file raise `ExternalTensorError`; with
    ``external``, they are left out.
    """
    import numpy

    arrays: dict[str, numpy.ndarray[Any, Any]] = {}
    for tensor in _tensors(path, format):
        if external and tensor.offset is None:
            continue
        # Names need not be unique in every format; paths are.
        name = tensor.path if tensor.name in arrays else tensor.name
        arrays[name] = numpy.asarray(tensor)
    return arrays


def _tensors(path: StrPath, format: Optional[str]) -> _list[Tensor]:
    try:
        return _binfmt.tensors(path, format)
    except (UnrecognisedError, InvalidError):
        raise
    except Error:
        _raise_errors(_binfmt.validate(path, format, False))
        raise


def catalogue(
    paths: Union[StrPath, Iterable[StrPath]], *, hash: bool = False, check: bool = False
) -> Catalogue:
    """What is in many files as one table, which pyarrow, polars and DuckDB take without copying:
    ``pyarrow.table(catalogue(paths))``, ``pyarrow.RecordBatchReader.from_stream(..)``.

    Folders and archives are looked into. There is a row for each item, as `list` has it, and one
    with no ``kind`` for each file, with its findings; a file that cannot be read has such a row,
    too. Rows are made while they are taken, once; memory does not grow with their number. ``hash``
    adds digests, ``check`` decodes payloads to check them.
    """
    if isinstance(paths, (str, os.PathLike)):
        paths = [paths]
    return _binfmt.catalogue([os.fspath(path) for path in paths], hash, check)


def extract(
    path: StrPath,
    folder: StrPath,
    *,
    filter: Union[str, Iterable[str]] = (),
    npy: bool = False,
    manifest: bool = False,
    force: bool = False,
    format: Optional[str] = None,
) -> _list[dict[str, Any]]:
    """Writes what is in a file to a folder: ``[{"path", "kind", "file", "size"}]``.

    Names in the file never lead out of the folder. ``npy`` writes tensors as ``.npy``; ``manifest``
    writes what `pack` needs to make the file again, too. What could not be written raises `Error` or
    `InvalidError`, with the files that were in ``written``.
    """
    import json

    args = ["extract", "--json", f"--output={os.fspath(folder)}", *_format(format)]
    filters = [filter] if isinstance(filter, str) else filter
    args += [f"--filter={pattern}" for pattern in filters]
    args += ["--npy"] * npy + ["--manifest"] * manifest + ["--force"] * force
    called = call(*args, "--", _plain(path))
    written = [json.loads(line) for line in called.output.splitlines()]
    if called.code != 0:
        error = _error(path, called, format)
        error.written = written  # type: ignore[attr-defined]
        raise error
    return written


def pack(folder: StrPath, output: StrPath, *, force: bool = False) -> None:
    """Writes a file from a folder with a ``manifest.json``, as ``extract(.., manifest=True)`` makes
    it: the same file again, or one with what was changed in the folder.

    Manifests of files from scratch are described in ``JSON.md``. What makes no file without errors
    raises `Error`, and nothing is written.
    """
    called = call("pack", f"--output={_plain(output)}", *["--force"] * force, "--", _plain(folder))
    if called.code != 0:
        raise Error(os.fspath(folder), *called.messages)


def edit(
    path: StrPath,
    output: StrPath,
    *,
    put: Optional[Mapping[str, Data]] = None,
    weights: Union[None, StrPath, Mapping[str, Union[numpy.ndarray[Any, Any], StrPath]]] = None,
    cast: bool = False,
    add: bool = False,
    drop: Iterable[str] = (),
    segments: Optional[Mapping[int, Data]] = None,
    align: Optional[int] = None,
    upgrade: bool = False,
    raw: bool = False,
    force: bool = False,
    format: Optional[str] = None,
) -> None:
    """Writes a file with other data in it.

    ``put`` has new bytes by key, which ``add`` allows to be new. ``weights`` has new elements by the
    names of tensors, as arrays of NumPy or paths of ``.npy`` files, or is the path of a file of
    safetensors; types and shapes must be those of the file, which ``cast`` brings types to, and
    ``add`` allows new tensors in a ``.ptd``. ``drop`` removes keys,
    ``segments`` replaces whole segments of a ``.pte``, ``align`` moves segments to multiples of a
    power of two, ``upgrade`` brings an old file to the current form. A file with errors is not
    changed, and none is written.
    """
    import tempfile

    with tempfile.TemporaryDirectory(prefix="binfmt-") as scratch:
        args = ["edit", f"--output={_plain(output)}", *_format(format)]
        args += [f"--put={key}={_stored(data, scratch)}" for key, data in (put or {}).items()]
        args += [f"--weights={path}" for path in _weights(weights, scratch)]
        args += [f"--drop={key}" for key in drop]
        args += [f"--segment={n}={_stored(data, scratch)}" for n, data in (segments or {}).items()]
        if align is not None:
            args.append(f"--align={align}")
        args += ["--cast"] * cast + ["--add"] * add + ["--upgrade"] * upgrade + ["--raw"] * raw + ["--force"] * force
        called = call(*args, "--", _plain(path))
    if called.code != 0:
        raise _error(path, called, format)


def convert(
    path: StrPath,
    output: StrPath,
    *,
    to: Optional[str] = None,
    skip: bool = False,
    force: bool = False,
    format: Optional[str] = None,
) -> _list[str]:
    """Writes the tensors of a file in another format, or a file in another version of its own.

    Gives what was left out, which only ``skip`` allows.
    """
    args = ["convert", f"--output={_plain(output)}", *_format(format)]
    args += [f"--to={to}"] * (to is not None) + ["--skip"] * skip + ["--force"] * force
    called = call(*args, "--", _plain(path))
    if called.code != 0:
        raise _error(path, called, format)
    return called.messages


def slim(
    path: StrPath,
    output: Optional[StrPath] = None,
    *,
    keep: Union[str, Iterable[str]],
    mode: str = "pack",
    ptx: str = "needed",
    force: bool = False,
) -> dict[str, Any]:
    """Writes a library without the GPU code that the devices in ``keep`` (``"sm_90"``) cannot use.

    ``mode`` is ``pack``, ``zero`` or ``punch``, ``ptx`` is ``needed``, ``all`` or ``none``. Without
    ``output``, nothing is written. Gives what goes and why; nothing is written where nothing would
    go (``changes``). What cannot be proven harmless raises `RefusedError`.
    """
    import json

    if mode not in ("pack", "zero", "punch"):
        raise ValueError(f"mode is pack, zero or punch, not {mode!r}")
    devices = [keep] if isinstance(keep, str) else keep
    args = ["slim", "--json", f"--{mode}", f"--ptx={ptx}", *(f"--keep={device}" for device in devices)]
    args += ["--dry-run"] if output is None else [f"--output={_plain(output)}"]
    args += ["--force"] * force
    called = call(*args, "--", _plain(path))
    lines = [json.loads(line) for line in called.output.splitlines()]
    for line in lines:
        if "refused" in line:
            raise RefusedError(os.fspath(path), line["refused"])
    if called.code not in (0, 3) or not lines:
        raise _error(path, called, None)
    plan: dict[str, Any] = lines[0]
    return plan


def diff(
    old: StrPath,
    new: StrPath,
    *,
    fields: bool = False,
    values: bool = False,
    derived: bool = False,
    format: Optional[str] = None,
) -> dict[str, Any]:
    """How two files of a format differ: ``{"same", ..}``.

    Where what is in them differs, ``contents`` has the tensors, entries, methods and programs:
    ``[{"change", "kind", "name", "what", "largest"}]``; with ``values``, ``largest`` is the largest
    difference of two elements. Where nothing in them does, and with ``fields`` or ``derived``,
    ``changes`` has the fields: ``[{"path", "kind", "derived", "from", "to"}]``. Those that a writer
    computes are counted, and with ``derived`` told.
    """
    import json

    args = ["diff", "--json", *_format(format)]
    args += ["--fields"] * fields + ["--values"] * values + ["--derived"] * derived
    called = call(*args, "--", _plain(old), _plain(new))
    if not called.output:
        raise _error(old, called, format)
    found: dict[str, Any] = json.loads(called.output)
    return found


class Called(NamedTuple):
    """How a call of the program ended."""

    #: The exit code: 0 all is well, 1 the input is not, 2 it could not be carried out, 3 nothing to do.
    code: int
    #: What was printed.
    output: bytes
    #: What was said about errors and warnings.
    messages: _list[str]


def call(*args: StrPath) -> Called:
    """Calls the program ``binfmt`` with arguments, without a process: ``call("summary", path)``.

    Nothing is raised and nothing is printed; `Called` says how it ended. ``binfmt --help`` and
    ``binfmt COMMAND --help`` say what there is.
    """
    code, output, messages = _binfmt.call([os.fspath(arg) for arg in args])
    return Called(code, output, [text for _, text in messages])


def _raise_errors(found: dict[str, Any]) -> None:
    """Raises what a validator found, if that is more than a warning."""
    errors = [finding for finding in found["findings"] if finding["severity"] == "error"]
    if found["verdict"] == "unrecognised":
        raise UnrecognisedError(found["file"], *(error["message"] for error in errors))
    if errors:
        raise InvalidError(found["file"], found["findings"])


def _error(path: StrPath, called: Called, format: Optional[str]) -> Error:
    """Why a call failed: by the findings of its file, if it has any."""
    try:
        _raise_errors(_binfmt.validate(path, format))
    except Error as error:
        return error
    return Error(os.fspath(path), *called.messages)


def _format(format: Optional[str]) -> Sequence[str]:
    return () if format is None else (f"--format={format}",)


def _plain(path: StrPath) -> str:
    """A path that is nothing but one: `-` is a file of that name, and no stream."""
    text = os.fspath(path)
    return os.path.join(os.curdir, text) if text == "-" else text


def _stored(data: Data, scratch: str) -> str:
    """The path of a file that has these bytes."""
    import shutil
    import tempfile

    if isinstance(data, str):
        raise TypeError("a str is neither bytes nor a path; pass bytes or pathlib.Path")
    if isinstance(data, os.PathLike):
        path = os.fspath(data)
        os.stat(path)
        if "=" not in path:
            return _plain(path)
    handle, stored = tempfile.mkstemp(dir=scratch)
    with os.fdopen(handle, "wb") as file:
        if isinstance(data, os.PathLike):
            with open(data, "rb") as source:
                shutil.copyfileobj(source, file)
        else:
            view = memoryview(data)  # type: ignore[arg-type]
            if view.format.startswith(">"):
                raise ValueError("the elements are big-endian; files have them little-endian")
            file.write(view if view.c_contiguous else view.tobytes())
    return stored


def _weights(
    weights: Union[None, StrPath, Mapping[str, Union[numpy.ndarray[Any, Any], StrPath]]], scratch: str
) -> Iterable[str]:
    """What ``--weights`` is given: a file, or names with files, which arrays get here."""
    import tempfile

    if weights is None:
        return
    if isinstance(weights, (str, os.PathLike)):
        yield _plain(weights)
        return
    for name, array in weights.items():
        path = None if _is_array(array) else os.fspath(array)  # type: ignore[arg-type]
        if path is None or "=" in path:
            handle, stored = tempfile.mkstemp(dir=scratch, suffix=".npy")
            with os.fdopen(handle, "wb") as file:
                _store(array, path, file)
            path = stored
        yield f"{name}={_plain(path)}"


def _is_array(array: object) -> bool:
    return not isinstance(array, (str, os.PathLike))


def _store(array: object, path: Optional[str], file: IO[bytes]) -> None:
    """Writes an array, or the file of one, to a file."""
    if path is not None:
        import shutil

        with open(path, "rb") as source:
            shutil.copyfileobj(source, file)
        return
    import numpy

    taken = numpy.asarray(array)
    if taken.dtype.kind in "OV":
        raise TypeError(f"NumPy has no elements of the type {taken.dtype}; pass a file of safetensors")
    numpy.save(file, taken, allow_pickle=False)
