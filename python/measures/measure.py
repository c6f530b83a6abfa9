"""Measures what the package promises: how fast it starts, and what the tensors of a large file cost.

    ../../scripts/keep last-run.txt PYTHON measure.py        (in this folder)

PYTHON is an interpreter with binfmt and NumPy, as `VENV=folder PROFILE=release ../check` leaves one. Needs
Linux, and 2 GiB of disk below TMPDIR. Exit code 1 where a promise is broken.
"""

from __future__ import annotations

import pathlib
import platform
import subprocess
import sys
import tempfile
import time

import binfmt
import numpy

COUNT, SIZE = 64, 16 << 20
RUNS = 9

#: What a fresh process measures: the time of `tensors`, of the first elements, and its private memory.
TENSORS = """
import sys, time
import binfmt, numpy

def private():
    lines = open("/proc/self/smaps_rollup")
    return sum(int(line.split()[1]) for line in lines if line.startswith("Private"))

before = private()
start = time.perf_counter()
arrays = binfmt.tensors(sys.argv[1])
seconds = time.perf_counter() - start
after = private()
assert all(array[0] > 0 == array[-1] for array in arrays.values())
assert not any(array.flags.owndata for array in arrays.values())
print(len(arrays), sum(array.nbytes for array in arrays.values()), seconds, after - before, private())
"""


def promise(what: str, found: float, most: float, unit: str) -> bool:
    print(f"{what}: {found:.1f} {unit}, at most {most:g} {unit}: {'kept' if found <= most else 'BROKEN'}")
    return found <= most


def best(code: str) -> float:
    def once() -> float:
        start = time.perf_counter()
        subprocess.run([sys.executable, "-I", "-c", code], check=True)
        return time.perf_counter() - start

    return min(once() for _ in range(RUNS)) * 1000


def make(path: pathlib.Path) -> None:
    """A `.ptd` of 1 GiB, by way of a file of safetensors that is little but holes."""
    entries = (
        f'"w{n}":{{"dtype":"U8","shape":[{SIZE}],"data_offsets":[{n * SIZE},{(n + 1) * SIZE}]}}' for n in range(COUNT)
    )
    header = ("{" + ",".join(entries) + "}").encode()
    source = path.with_suffix(".safetensors")
    with open(source, "wb") as file:
        file.write(len(header).to_bytes(8, "little") + header)
        file.truncate(8 + len(header) + COUNT * SIZE)
        # Equal bytes would be stored once.
        for n in range(COUNT):
            file.seek(8 + len(header) + n * SIZE)
            file.write(bytes([n + 1]))
    binfmt.convert(source, path)
    source.unlink()


def main() -> int:
    python = platform.python_version()
    library = pathlib.Path(binfmt._binfmt.__file__).stat().st_size / (1 << 20)
    print(f"binfmt {binfmt.__version__} ({library:.1f} MiB), Python {python}, NumPy {numpy.__version__}")
    alone, package = best("pass"), best("import binfmt")
    kept = [promise(f"`import binfmt` beside an empty program of {alone:.1f} ms", package - alone, 50, "ms")]
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "big.ptd"
        make(path)
        command = [sys.executable, "-I", "-c", TENSORS, str(path)]
        runs = [subprocess.run(command, check=True, capture_output=True, text=True).stdout.split() for _ in range(RUNS)]
        size = path.stat().st_size
    count, nbytes = int(runs[0][0]), int(runs[0][1])
    assert (count, nbytes) == (COUNT, COUNT * SIZE)
    print(f"{count} tensors of {nbytes} bytes in a file of {size} bytes, the best of {RUNS} processes:")
    kept.append(promise("`tensors`", min(float(run[2]) for run in runs) * 1000, 50, "ms"))
    kept.append(promise("private memory that it takes", max(int(run[3]) for run in runs) / 1000, 20, "MB"))
    whole = max(int(run[4]) for run in runs) / 1000
    print(f"private memory of the whole process, with Python and NumPy, after elements were read: {whole:.1f} MB")
    return 0 if all(kept) else 1


if __name__ == "__main__":
    sys.exit(main())
