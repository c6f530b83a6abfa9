#!/usr/bin/env python3
"""How cost grows with entries and file sizes, and what the program takes for whole files.

Writes results/scaling.csv with lines of measure,x,value. Needs valgrind, and the programs `scaling`
and `one` (here) and `binfmt` to be built with --release; `run` does that.
"""

import os
import re
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent


def target(folder):
    return Path(os.environ.get("CARGO_TARGET_DIR", folder / "target")) / "release"


SCALING = target(HERE) / "scaling"
ONE = target(HERE) / "one"
BINFMT = target(ROOT) / "binfmt"
MB = 1 << 20


def environment(threads):
    return {**os.environ, "RAYON_NUM_THREADS": str(threads)} if threads else None


def measured(*args, threads=None):
    """Runs a program: seconds, seconds of processor time."""
    start = time.perf_counter()
    child = subprocess.Popen(args, stdout=subprocess.DEVNULL, env=environment(threads))
    _, status, used = os.wait4(child.pid, 0)
    wall = time.perf_counter() - start
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode > 1:
        sys.exit(f"{args} failed")
    return wall, used.ru_utime + used.ru_stime


def best(*args, runs=5, **more):
    return min(measured(*args, **more) for _ in range(runs))


def peak(*args, threads=None):
    """The most private memory that a program had, in bytes: the peak of all its resident memory
    without the pages of files.

    Its output goes into a pipe that is full, so that it waits there to be looked at."""
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    try:
        while True:
            os.write(writer, bytes(4096))
    except BlockingIOError:
        os.set_blocking(writer, True)
    child = subprocess.Popen(args, stdout=writer, env=environment(threads))
    os.close(writer)
    while not waits_for_pipe(child.pid):
        if child.poll() is not None:
            sys.exit(f"{args} ended without a word")
        time.sleep(0.005)
    sizes = memory(child.pid)
    while os.read(reader, 1 << 20):
        pass
    os.close(reader)
    child.wait()
    return (sizes["VmHWM"] - sizes["RssFile"] - sizes["RssShmem"]) * 1024


def sampled_peak(*args, threads=None):
    """The most anonymous memory that a program was seen with, in bytes. It is looked at all the time,
    for a program that lets go of a large map before it writes shows no pages of files at its end,
    while its peak has them."""
    child = subprocess.Popen(args, stdout=subprocess.DEVNULL, env=environment(threads))
    most = 0
    while child.poll() is None:
        most = max(most, memory(child.pid).get("RssAnon", 0))
        time.sleep(0.0005)
    return most * 1024


def instructions():
    """Instructions per entry, of tables of several sizes: what is told is the difference between three
    runs and one, so that the start of the program and the making of the file are taken out."""
    for product in ["read", "is_valid"]:
        for count in [100, 100_000]:
            once, thrice = (counted("vpt", product, "derived", times, count) for times in (1, 3))
            yield f"{product}-instructions", count, (thrice - once) / 2 / count


def counted(*args):
    tool = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", ONE]
    told = subprocess.run([*tool, *map(str, args)], check=True, capture_output=True, text=True)
    return int(re.search(r"Collected : (\d+)", told.stderr)[1])


def waits_for_pipe(pid):
    """Whether the first thread writes to a pipe and cannot go on."""
    return "pipe_write" in Path(f"/proc/{pid}/wchan").read_text()


def memory(pid):
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    pairs = (line.split(":") for line in lines if line.endswith(" kB"))
    return {name: int(size.split()[0]) for name, size in pairs}


def sparse_table(path, size):
    """A Venice Program Table of 16 payloads that are holes in the file."""
    each = (size - 24) // 16 // 8 * 8
    with open(path, "wb") as file:
        file.write(struct.pack("<6I", 0x675C3ED9, 0, 1, 7, 24 + 16 * each, 16))
        for index in range(16):
            file.seek(24 + index * each)
            file.write(struct.pack("<2I", 8, each - 16))
            file.seek(24 + (index + 1) * each - 8)
            file.write(b"name.%03d" % index)


def file_sizes(folder):
    for size in [MB, 10 * MB, 100 * MB, 1000 * MB, 2000 * MB]:
        path = folder / "sparse.vpt"
        sparse_table(path, size)
        for command in ["list", "validate"]:
            yield f"{command}-seconds", size, best(BINFMT, command, path, runs=9)[0]
            yield f"{command}-peak", size, peak(BINFMT, command, path)
        path.unlink()


def cores(folder):
    path, out = folder / "large.fatbin", folder / "out"
    subprocess.run([SCALING, "fatbin", path], check=True)
    for threads in [1, os.cpu_count()]:
        args = [BINFMT, "extract", path, "-o", out, "--force"]
        wall, cpu = best(*args, threads=threads, runs=3)
        yield "extract-seconds", threads, wall
        yield "extract-cores", threads, cpu / wall
        yield "extract-peak", threads, peak(*args, threads=threads)
    path.unlink()
    path = folder / "large.bin"
    with open(path, "wb") as file:
        block = bytes(range(1, 252)) * 4178
        for _ in range(512):
            file.write(block[:MB])
    for threads in [1, os.cpu_count()]:
        wall, cpu = best(BINFMT, "scan", path, threads=threads)
        yield "scan-seconds", threads, wall
        yield "scan-cores", threads, cpu / wall
        yield "scan-peak", threads, sampled_peak(BINFMT, "scan", path, threads=threads)
    yield from of_scaling("memmem", path)


def of_scaling(*args):
    out = subprocess.run([SCALING, *args], check=True, stdout=subprocess.PIPE, text=True).stdout
    for line in out.splitlines():
        measure, x, value = line.split(",")
        yield measure, int(x), float(value)


def main():
    folder = "/dev/shm" if Path("/dev/shm").is_dir() else None
    with tempfile.TemporaryDirectory(dir=folder) as folder:
        folder = Path(folder)
        rows = list(of_scaling("entries")) + list(instructions()) + list(of_scaling("zstd"))
        rows += list(file_sizes(folder)) + list(cores(folder))
    results = HERE / "results"
    results.mkdir(exist_ok=True)
    with open(results / "scaling.csv", "w") as file:
        file.write("measure,x,value\n")
        for measure, x, value in rows:
            file.write(f"{measure},{x},{value:.6g}\n")
            print(f"{measure:>18} {x:>12} {value:.6g}")


if __name__ == "__main__":
    main()
