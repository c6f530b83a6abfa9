"""Measures what the program does with files of 1 GB beside `cp` of the same bytes, in the same run.

The files are one of safetensors and of `.ptd` with 64 tensors of 16 MiB, a `.pte` and a `.rten` of the corpus
in which one constant has grown to 1 GB, and a fat binary with code for five devices.

For every job: the seconds of the fastest of some runs, the same of `cp` in turn with them, the seconds of
processor time of both, and the most private memory (`RssAnon` of the kernel). A job fails that takes more
than 64 MB, or more than 1.2 times what `cp` takes for a file as long as what it reads or writes, whichever
is more; also where its result is wrong.

One job has another bar: `slim` compares all bytes of the new file with what was planned before the file gets
its name, so what it is measured beside reads the copy once, too (`cp`, and then `dd` of the copy to nowhere).
"""

import json
import os
import pathlib
import resource
import shutil
import struct
import subprocess
import sys
import tempfile
import time

BINFMT = os.environ["BINFMT"]
CORPUS = pathlib.Path(__file__).resolve().parents[2] / "corpus"
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


def cubin(seed, length):
    """An ELF file of that length: a header, bytes, and a table of one section that is none."""
    head = bytes.fromhex("7f454c46020101330700000000000000") + struct.pack(
        "<HHIQQQIHHHHHH", 2, 190, 1, 0, 0, length - 64, 0, 64, 56, 0, 64, 1, 0
    )
    return head + noise(seed, length - len(head) - 64) + bytes(64)


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
            file.write(cubin(seed + 100, size))


def fields(path):
    """Finds the range of a field in a file, by the names on the way to it."""
    tree = json.loads(subprocess.run([BINFMT, "inspect", "--json", path], check=True, capture_output=True).stdout)

    def find(*names):
        at = tree
        for name in names:
            at = next(child for child in at["children"] if child["name"] == name)
        return at["start"], at["end"]

    return find


def put(file, place, number):
    start, end = place
    file[start:end] = number.to_bytes(end - start, "little")


def program(path):
    """A `.pte` of the corpus whose last constant has 1 GB."""
    source = CORPUS / "pte" / "mlp.pte"
    field, file = fields(source), bytearray(source.read_bytes())
    # Four constants on multiples of 16: 128, 32 and 96 bytes, and the last one.
    elements, before = TENSORS * TENSOR // 4, 128 + 32 + 96
    put(file, field("program", "plans", "[0]", "values", "[3]", "value", "sizes", "[0]"), elements)
    put(file, field("program", "segments", "[0]", "size"), before + elements * 4)
    put(file, field("data_size"), before + elements * 4)
    first, _ = field("segments")
    with open(path, "wb") as out:
        out.write(file[: first + before])
        for at in range(TENSORS):
            out.write(noise(at, TENSOR))


def model(path):
    """A `.rten` of the corpus whose last constant outside the graph has 1 GB, in rows of three."""
    source = CORPUS / "rten" / "mlp_v2.rten"
    field, file = fields(source), bytearray(source.read_bytes())
    rows, before = TENSORS * TENSOR // 12, 128
    put(file, field("model", "graph", "nodes", "[2]", "data", "shape", "[0]"), rows)
    first, _ = field("tensors")
    with open(path, "wb") as out:
        out.write(file[: first + before])
        for at in range(TENSORS):
            out.write(noise(at, min(TENSOR, rows * 12 - at * TENSOR)))


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

    def measure(self, what, arguments, output, right, reads_again=False):
        """Runs a job and `cp` of as many bytes, in turn; the copy is read where the job reads its own file."""
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
            if reads_again:
                read = ["dd", f"if={copy}", "of=/dev/null", "bs=128K", "status=none"]
                subprocess.run(read, check=True)
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
        beside = "cp and dd" if reads_again else "cp"
        print(
            f"{what:44} {wrote / MB:7.0f} MB written, {job:5.2f} s, {beside} {cp:5.2f} s, {job / cp:4.2f} times, "
            f"processor {min(job_time):.2f} and {min(copy_time):.2f} s, {memory:5.1f} MB private {', '.join(verdict)}",
            flush=True,
        )


def header_len(path):
    """How many bytes of a file of safetensors lie in front of its tensors."""
    with open(path, "rb") as file:
        return 8 + int.from_bytes(file.read(8), "little")


def equal(first, second):
    return subprocess.run(["cmp", "-s", first, second]).returncode == 0


def main():
    with tempfile.TemporaryDirectory(prefix="binfmt-big-") as folder:
        desk = Desk(pathlib.Path(folder))
        path = desk.path
        print(f"{os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}, the fastest of {TIMES} runs")
        safetensors(path("a.safetensors"))
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
        once = lambda size: lambda out: total(out) == size

        def measure(what, *arguments, right, output, reads_again=False):
            desk.measure(what, [*arguments, "-o", path(output)], output, right, reads_again)

        tensors = TENSORS * TENSOR
        measure("convert safetensors to ptd", "convert", path("a.safetensors"), output="o.ptd", right=same("a.ptd"))
        measure("convert ptd to safetensors", "convert", path("a.ptd"), output="o.safetensors", right=holds)
        measure("rewrite ptd", "rewrite", path("a.ptd"), output="o.ptd", right=same("a.ptd"))
        one = f"layer7.weight={path('other')}"
        measure("edit ptd --put", "edit", path("a.ptd"), "--raw", "--put", one, output="o.ptd", right=has_other)
        measure("edit ptd --weights, one of 64", "edit", path("a.ptd"), "--weights", weights, output="o.ptd", right=has_other)
        all_of = ("--weights", path("a.safetensors"))
        measure("edit ptd --weights, all", "edit", path("a.ptd"), *all_of, output="o.ptd", right=same("a.ptd"))
        measure("edit ptd --align 4096", "edit", path("a.ptd"), "--align", "4096", output="o.ptd", right=back)
        measure("extract ptd", "extract", path("a.ptd"), output="out", right=once(tensors))
        for name in ["a.ptd", "a.safetensors"]:
            clear(path(name))

        program(path("a.pte"))
        binfmt("convert", path("a.pte"), "-o", path("pte.safetensors"))

        def as_before(of):
            """Converted, it is what the file was."""

            def right(out):
                binfmt("convert", out, "-o", path("back.safetensors"), "--force", "--skip")
                good = equal(path("back.safetensors"), path(f"{of}.safetensors"))
                clear(path("back.safetensors"))
                return good

            return right

        def of_constants(out):
            """The bytes behind the header are those of the program behind its tables."""
            start, size = header_len(out), path("a.pte").stat().st_size
            with open(out, "rb") as file, open(path("a.pte"), "rb") as old:
                file.seek(start)
                old.seek(size - (out.stat().st_size - start))
                return all(file.read(TENSOR) == old.read(TENSOR) for _ in range(TENSORS + 1))

        all_of = ("--weights", path("pte.safetensors"))
        measure("convert pte to safetensors", "convert", path("a.pte"), output="o.safetensors", right=of_constants)
        measure("rewrite pte", "rewrite", path("a.pte"), output="o.pte", right=same("a.pte"))
        measure("edit pte --weights", "edit", path("a.pte"), *all_of, output="o.pte", right=same("a.pte"))
        measure("edit pte --align 4096", "edit", path("a.pte"), "--align", "4096", output="o.pte", right=as_before("pte"))
        added = ("--add", "--raw", "--put", f"key={path('other')}")
        measure("edit pte --add --put", "edit", path("a.pte"), *added, output="o.pte", right=as_before("pte"))
        # The constants, and four tensors that lie in them, of which the last has nearly all.
        measure("extract pte", "extract", path("a.pte"), output="out", right=once(tensors + 256))
        for name in ["a.pte", "pte.safetensors"]:
            clear(path(name))

        model(path("a.rten"))
        binfmt("convert", path("a.rten"), "-o", path("rten.safetensors"))
        all_of = ("--weights", path("rten.safetensors"))
        measure("convert rten to safetensors", "convert", path("a.rten"), output="o.safetensors", right=same("rten.safetensors"))
        measure("convert rten to rten2", "convert", path("a.rten"), "--to", "rten2", output="o.rten", right=as_before("rten"))
        measure("rewrite rten", "rewrite", path("a.rten"), output="o.rten", right=same("a.rten"))
        measure("edit rten --weights", "edit", path("a.rten"), *all_of, output="o.rten", right=same("a.rten"))
        said = ("--set", "description=x")
        measure("metadata rten", "metadata", path("a.rten"), *said, output="o.rten", right=as_before("rten"))
        inside = lambda out: total(out) == path("rten.safetensors").stat().st_size - header_len(path("rten.safetensors"))
        measure("extract rten", "extract", path("a.rten"), output="out", right=inside)
        for name in ["a.rten", "rten.safetensors"]:
            clear(path(name))

        fatbin(path("a.fatbin"))
        code = TENSORS * TENSOR // 5 // 8 * 8
        smaller = lambda out: out.stat().st_size == 16 + 64 + code
        zeroed = lambda out: out.stat().st_size == path("a.fatbin").stat().st_size
        keep = ("slim", path("a.fatbin"), "--keep", "sm_90")
        measure("rewrite fatbin", "rewrite", "--no-decode", path("a.fatbin"), output="o.fatbin", right=same("a.fatbin"))
        measure("slim fatbin", *keep, output="o.fatbin", right=smaller)
        measure("slim fatbin --zero", *keep, "--zero", output="o.fatbin", right=zeroed, reads_again=True)
        measure("extract fatbin", "extract", path("a.fatbin"), output="out", right=once(code * 5))
        print(f"{len(desk.failures)} failures")
        for failure in desk.failures:
            print(f"  {failure}")
        sys.exit(bool(desk.failures))


main()
