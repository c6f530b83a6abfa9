"""Runs the job on two workers of this machine, kills one, and compares with a single process.

    python check.py [COPIES]

Needs `pip install ray[data] duckdb pyarrow` beside binfmt. Makes COPIES (3) copies of the files of the tests, of
which many are damaged, adds a cut file and an archive, and wants the same rows as from one process, the
queries to run, and at least 500 files.
"""

from __future__ import annotations

import os
import pathlib
import shutil
import signal
import sys
import tempfile
import threading
import time
import zipfile

import binfmt
import duckdb
import pyarrow
import pyarrow.parquet
import ray

import ray_job
from catalogue import catalogue, files, for_ray

HERE = pathlib.Path(__file__).resolve().parent
CORPUS = HERE.parents[1] / "tests" / "corpus"


def make(folder: pathlib.Path, copies: int) -> None:
    for copy in range(copies):
        shutil.copytree(CORPUS, folder / str(copy), ignore=shutil.ignore_patterns("*.json", "*.md"))
    (folder / "cut.pte").write_bytes((CORPUS / "pte/mlp.pte").read_bytes()[:100])
    with zipfile.ZipFile(folder / "a.whl", "w") as archive:
        archive.write(CORPUS / "fatbin/host13.o", "pkg/host13.o")


def told(pids: pathlib.Path):
    """The function of the job, in workers that say who they are."""

    def function(batch: pyarrow.Table):
        (pids / str(os.getpid())).touch()
        time.sleep(0.2)
        yield from for_ray(batch)

    return function


def kill_one(pids: pathlib.Path, killed: list[int]) -> None:
    """Kills the first worker that begins."""
    while not killed:
        for pid in pids.iterdir():
            time.sleep(0.1)
            os.kill(int(pid.name), signal.SIGKILL)
            killed.append(int(pid.name))
            break
        time.sleep(0.01)


def rows(table: pyarrow.Table) -> list[str]:
    """The rows as texts, in an order that does not depend on who made them."""
    return sorted(repr(row) for row in table.to_pylist())


def main() -> int:
    print(f"binfmt {binfmt.__version__}, Ray {ray.__version__}, DuckDB {duckdb.__version__}, pyarrow {pyarrow.__version__}")
    # Workers are nice to others by default, and wait forever on a machine that is busy.
    os.environ.setdefault("RAY_worker_niceness", "0")
    copies = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    with tempfile.TemporaryDirectory() as name:
        work = pathlib.Path(name)
        folder, pids, out = work / "files", work / "pids", work / "catalogue"
        pids.mkdir()
        make(folder, copies)
        count = len(files(str(folder)))
        start = time.perf_counter()
        single = pyarrow.Table.from_batches(list(catalogue(files(str(folder)))))
        print(f"one process: {count} files, {single.num_rows} rows, {time.perf_counter() - start:.1f} s")
        path = os.pathsep.join([str(HERE), *filter(None, [os.environ.get("PYTHONPATH")])])
        environment = {"env_vars": {"PYTHONPATH": path}}
        ray.init(num_cpus=2, include_dashboard=False, runtime_env=environment, log_to_driver=True)
        killed: list[int] = []
        killer = threading.Thread(target=kill_one, args=(pids, killed), daemon=True)
        killer.start()
        start = time.perf_counter()
        found = ray_job.run(str(folder), str(out), 32, told(pids))
        workers = len(list(pids.iterdir()))
        print(f"Ray: {found} rows, {time.perf_counter() - start:.1f} s; {workers} workers, of which {killed} was killed")
        many = pyarrow.parquet.read_table(out)
        same = rows(many.select(single.column_names)) == rows(single)
        print("the same rows" if same else "OTHER ROWS")
        os.chdir(work)
        for query in (HERE / "queries.sql").read_text().split(";"):
            if query.strip():
                titles = [line[3:] for line in query.splitlines() if line.endswith(("?", ")")) and "--" in line]
                print(f"{len(duckdb.sql(query).fetchall())} rows: {titles[-1]}")
        good = same and killed and workers > 1 and count >= 500
        ray.shutdown()
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
