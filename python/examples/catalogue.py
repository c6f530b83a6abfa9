"""Catalogues files for engines that run on many machines: the same function for each of them.

A task takes paths and gives the rows of `binfmt.catalogue`; a file that is damaged or gone is a row with
its findings, and no end of the job.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator

import binfmt
import pyarrow


def catalogue(paths: Iterable[str]) -> Iterator[pyarrow.RecordBatch]:
    """The rows of some files, in batches."""
    yield from pyarrow.RecordBatchReader.from_stream(binfmt.catalogue(list(paths)))


def for_ray(batch: pyarrow.Table) -> Iterator[pyarrow.Table]:
    """For `Dataset.map_batches(for_ray, batch_format="pyarrow")`, over a column `path`."""
    for rows in catalogue(batch.column("path").to_pylist()):
        yield pyarrow.Table.from_batches([rows])


def for_spark(batches: Iterator[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
    """For `DataFrame.mapInArrow(for_spark, SCHEMA)`, over a column `path`."""
    for batch in batches:
        for rows in catalogue(batch.column("path").to_pylist()):
            yield decimal(rows)


def decimal(rows: pyarrow.RecordBatch) -> pyarrow.RecordBatch:
    """The same rows for who has no unsigned numbers, as Spark: a damaged file may claim any of them."""

    def of(kind: pyarrow.DataType) -> pyarrow.DataType:
        if pyarrow.types.is_list(kind):
            return pyarrow.list_(of(kind.value_type))
        if pyarrow.types.is_struct(kind):
            return pyarrow.struct([field.with_type(of(field.type)) for field in kind])
        return pyarrow.decimal128(20) if kind == pyarrow.uint64() else kind

    schema = pyarrow.schema([field.with_type(of(field.type)) for field in rows.schema])
    return rows.cast(schema)


def files(folder: str) -> list[str]:
    """Every file below a folder, in order."""
    found = (os.path.join(at, name) for at, _, names in os.walk(folder) for name in names)
    return sorted(path for path in found if os.path.isfile(path))
