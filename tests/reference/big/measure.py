"""Measures what the program does with files of 1 GB beside `cp` of the same bytes, in the same run.

For every job: the seconds of the fastest of some runs, the same of `cp` in turn with them, the seconds of
processor time of both, and the most private memory (`RssAnon` of the kernel). A job fails that takes more
than 64 MB, or more than 1.2 times what `cp` takes for a file as long as what it reads or writes, whichever
is more; also where its result is wrong.
"""

import json
import os
import pathlib
import resource
import shutil
import subprocess
import sys
import tempfile
import time

BINFMT = os.environ["BINFMT"]
MB = 1_000_000
TENSORS, TENSOR = 64, 16 << 20
TIMES = int(os.environ.get("TIMES", "3"))
MOST_MEMORY, MOST_TIME = 64, 1.2


def noise(seed, length):
    """Bytes that do not compress and differ from tensor to tensor."""
    block = bytes((seed * 131 + at * at * 7 + at // 3) & 0xFF for at in range(65521))
    return (block * (length // len(block) + 1))[:length]


def safetensors(path):
    size, header = TENSOR, {}
    for at in range(TENSORS):
        header[f"layer{at}.weight"] = {
            "dtype": "F32", "shape": [1024, size // 4096], "data_offsets": [at * size, (at + 1) * size],
        }
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as file:
        file.write(len(text).to_bytes(8, "little") + text)
        for at in range(TENSORS):
            file.write(noise(at, size))


def fatbin(path):
    """One container with cubins for five devices."""
    size = TENSORS * TENSOR // 5 // 8 * 8
    with open(path, "wb") as file:
        file.write(bytes.fromhex("50ed55ba01001000") + (5 * (64 + size)).to_bytes(8, "little"))
        for seed, arch in enumerate([75, 80, 86, 90, 100]):
            head = bytes.fromhex("0200010140000000") + size.to_bytes(8, "little")
            head += bytes(4) + bytes(4) + bytes.fromhex("07000100") + arch.to_bytes(4, "little")
            head += bytes(4) + bytes(4) + bytes.fromhex("1100000000000000")
            file.write(head + bytes(64 - len(head)))
            file.write(noise(seed + 100, size))


def private_peak(arguments):
    """Seconds and the most private memory of a run, in MB."""
    start = time.monotonic()
    child = subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    peak = 0
    while child.poll() is None:
        try:
            with open(f"/proc/{child.pid}/status") as status:
                for line in status:
                    if line.startswith("RssAnon:"):
                        peak = max(peak, int(line.split()[1]))
        except OSError:
            pass
        time.sleep(0.002)
    seconds = time.monotonic() - start
    if child.returncode != 0:
        raise SystemExit(f"{arguments}: exit code {child.returncode}: {child.stderr.read().decode()}")
    return seconds, peak * 1024 / MB


def processor():
    """Seconds of processor time of all processes that were run so far."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def total(path):
    if path.is_dir():
        # Hard links are one file.
        files = {file.stat().st_ino: file.stat().st_size for file in path.rglob("*") if file.is_file()}
        return sum(files.values())
    return path.stat().st_size


def clear(path):
    if path.is_dir():
        shutil.rmtree(path)
    path.unlink(missing_ok=True)


class Desk:
    def __init__(self, work):
        self.work = work
        self.failures = []

    def path(self, name):
        return self.work / name

    def measure(self, what, arguments, output, right):
        """Runs a job and `cp` of as many bytes, in turn."""
        out, copy, source = self.path(output), self.path("copy"), self.path("source")
        jobs, copies, memory, wrote = [], [], 0, 0
        job_time, copy_time = [], []
        for _ in range(TIMES):
            clear(out)
            before = processor()
            seconds, peak = private_peak([BINFMT, *arguments])
            job_time.append(processor() - before)
            jobs.append(seconds)
            memory = max(memory, peak)
            if wrote == 0:
                wrote = total(out)
                if not right(out):
                    self.failures.append(f"{what}: the result is wrong")
                # What is read counts, too, where less of it is written.
                size = max(wrote, next(it.stat().st_size for it in arguments if isinstance(it, pathlib.Path)))
                clear(source)
                with open(source, "wb") as file:
                    for at in range(0, size, TENSOR):
                        file.write(noise(at // TENSOR, min(TENSOR, size - at)))
            clear(out)
            clear(copy)
            start, before = time.monotonic(), processor()
            subprocess.run(["cp", "--reflink=never", source, copy], check=True)
            copies.append(time.monotonic() - start)
            copy_time.append(processor() - before)
            clear(copy)
        job, cp = min(jobs), min(copies)
        verdict = []
        if memory > MOST_MEMORY:
            verdict.append("too much memory")
        if job > cp * MOST_TIME:
            verdict.append("too slow")
        self.failures += [f"{what}: {why}" for why in verdict]
        print(
            f"{what:44} {wrote / MB:7.0f} MB written, {job:5.2f} s, cp {cp:5.2f} s, {job / cp:4.2f} times, "
            f"processor {min(job_time):.2f} and {min(copy_time):.2f} s, {memory:5.1f} MB private {', '.join(verdict)}",
            flush=True,
        )


def equal(first, second):
    return subprocess.run(["cmp", "-s", first, second]).returncode == 0


def main():
    with tempfile.TemporaryDirectory(prefix="binfmt-big-") as folder:
        desk = Desk(pathlib.Path(folder))
        path = desk.path
        print(f"{os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}, the fastest of {TIMES} runs")
        safetensors(path("a.safetensors"))
        fatbin(path("a.fatbin"))
        binfmt = lambda *arguments: subprocess.run([BINFMT, *arguments], check=True, stdout=subprocess.DEVNULL)
        binfmt("convert", path("a.safetensors"), "-o", path("a.ptd"))
        with open(path("other"), "wb") as file:
            file.write(noise(999, TENSOR))
        weights = path("w.safetensors")
        with open(weights, "wb") as file:
            text = json.dumps({"layer7.weight": {
                "dtype": "F32", "shape": [1024, TENSOR // 4096], "data_offsets": [0, TENSOR],
            }}).encode()
            text += b" " * (-len(text) % 8)
            file.write(len(text).to_bytes(8, "little") + text + noise(999, TENSOR))

        def has_other(out):
            """Exactly one tensor has changed, to the bytes of the file `other`."""
            binfmt("extract", out, "-o", path("one"), "--filter", "*layer7.weight*", "--force")
            files = [file for file in path("one").iterdir() if file.is_file()]
            good = any(equal(file, path("other")) for file in files)
            shutil.rmtree(path("one"))
            return good and out.stat().st_size == path("a.ptd").stat().st_size

        def holds(out):
            """Every tensor is there, with its bytes."""
            with open(out, "rb") as file:
                header = json.loads(file.read(int.from_bytes(file.read(8), "little")))
                start = file.tell()
                header.pop("__metadata__", None)
                good = len(header) == TENSORS
                for name, tensor in header.items():
                    first, last = tensor["data_offsets"]
                    file.seek(start + first)
                    at = int(name.removeprefix("layer").removesuffix(".weight"))
                    good = good and file.read(last - first) == noise(at, TENSOR)
            return good

        def back(out):
            """Converted back, it holds what it did."""
            binfmt("convert", out, "-o", path("back.safetensors"), "--force")
            good = holds(path("back.safetensors"))
            clear(path("back.safetensors"))
            return good

        same = lambda name: lambda out: equal(out, path(name))
        once = lambda out: total(out) == TENSORS * TENSOR
        desk.measure("convert safetensors to ptd", ["convert", path("a.safetensors"), "-o", path("o.ptd")], "o.ptd", same("a.ptd"))
        desk.measure("convert ptd to safetensors", ["convert", path("a.ptd"), "-o", path("o.safetensors")], "o.safetensors", holds)
        desk.measure("rewrite ptd", ["rewrite", path("a.ptd"), "-o", path("o.ptd")], "o.ptd", same("a.ptd"))
        desk.measure("rewrite fatbin", ["rewrite", "--no-decode", path("a.fatbin"), "-o", path("o.fatbin")], "o.fatbin", same("a.fatbin"))
        desk.measure("edit ptd --put", ["edit", path("a.ptd"), "--raw", "--put", f"layer7.weight={path('other')}", "-o", path("o.ptd")], "o.ptd", has_other)
        desk.measure("edit ptd --weights", ["edit", path("a.ptd"), "--weights", weights, "-o", path("o.ptd")], "o.ptd", has_other)
        desk.measure("edit ptd --align 4096", ["edit", path("a.ptd"), "--align", "4096", "-o", path("o.ptd")], "o.ptd", back)
        desk.measure("extract ptd", ["extract", path("a.ptd"), "-o", path("out")], "out", once)
        clear(path("a.ptd"))
        smaller = lambda out: out.stat().st_size == 16 + 64 + TENSORS * TENSOR // 5 // 8 * 8
        desk.measure("slim fatbin", ["slim", path("a.fatbin"), "--keep", "sm_90", "-o", path("o.fatbin")], "o.fatbin", smaller)
        zeroed = lambda out: out.stat().st_size == path("a.fatbin").stat().st_size
        desk.measure("slim fatbin --zero", ["slim", path("a.fatbin"), "--keep", "sm_90", "--zero", "-o", path("o.fatbin")], "o.fatbin", zeroed)
        print(f"{len(desk.failures)} failures")
        for failure in desk.failures:
            print(f"  {failure}")
        sys.exit(bool(desk.failures))


main()
