"""Catalogues a folder with Spark: a row for each path, tasks that catalogue their own, one Parquet dataset.

    python spark_job.py FOLDER OUT

Needs Java 17 or later and `pip install pyspark pandas pyarrow binfmt`. Runs on two workers of this machine
unless Spark's own settings name a cluster.
"""

from __future__ import annotations

import os
import pathlib
import sys

import binfmt
import pyarrow
from catalogue import decimal, files, for_spark
from pyspark.sql import SparkSession
from pyspark.sql.pandas.types import from_arrow_schema


def main(folder: str, out: str) -> None:
    # Workers of this machine run the same Python.
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    rows = pyarrow.RecordBatchReader.from_stream(binfmt.catalogue([])).schema
    schema = decimal(pyarrow.RecordBatch.from_pylist([], rows)).schema
    spark = SparkSession.builder.appName("binfmt").config("spark.master", "local[2]").getOrCreate()
    spark.sparkContext.addPyFile(str(pathlib.Path(__file__).with_name("catalogue.py")))
    paths = [(path,) for path in files(folder)]
    frame = spark.createDataFrame(paths, "path string").repartition(max(1, len(paths) // 50))
    frame.mapInArrow(for_spark, from_arrow_schema(schema)).write.mode("errorifexists").parquet(out)
    print(f"{spark.read.parquet(out).count()} rows of {len(paths)} files, Spark {spark.version}")
    spark.stop()


if __name__ == "__main__":
    main(*sys.argv[1:])
