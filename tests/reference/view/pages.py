"""Makes the pages, measures what that takes, and lists them for the browser."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

BINFMT, CORPUS, WORK = (Path(arg) for arg in sys.argv[1:4])
FILES = [
    ("vpt", CORPUS / "vpt/seed_two.vpt", [], "valid"),
    ("fatbin", CORPUS / "fatbin/n13_multi.fatbin", [], "valid"),
    ("archive", CORPUS / "fatbin/host13.a", [], "valid"),
    ("pte", CORPUS / "pte/mlp.pte", [], "valid"),
    ("ptd", CORPUS / "ptd/cpp_save_ptd_align16.ptd", [], "valid"),
    ("rten", CORPUS / "rten/dtypes_external_v2.rten", [], "valid"),
    ("damaged", CORPUS / "vpt/negative/count_3.vpt", [], "malformed"),
    ("harm", WORK / "harm.vpt", [], "valid"),
    ("many", WORK / "many.vpt", [], "valid"),
    ("many-damaged", WORK / "many-damaged.vpt", [], "malformed"),
    ("empty", Path(os.devnull), ["--format", "vpt"], "malformed"),
    ("large", WORK / "large.vpt", [], "valid"),
    ("zeros", WORK / "zeros.fatbin", ["--format", "fatbin"], None),
]


def private_memory(process):
    """The most memory of its own that a process had, in KiB, until it ended."""
    most = 0
    while process.poll() is None:
        try:
            status = Path(f"/proc/{process.pid}/status").read_text()
        except OSError:
            break
        for line in status.splitlines():
            if line.startswith("RssAnon"):
                most = max(most, int(line.split()[1]))
        time.sleep(0.005)
    process.wait()
    return most


pages = []
for name, file, options, verdict in FILES:
    page = WORK / f"{name}.html"
    said = json.loads(subprocess.run([BINFMT, "validate", "--json", "--no-decode", file, *options], capture_output=True).stdout)
    start = time.monotonic()
    process = subprocess.Popen(
        [BINFMT, "view", file, "-o", page, "--force", *options], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    memory = private_memory(process)
    took = time.monotonic() - start
    verdict = verdict or said["verdict"]
    assert process.returncode == (0 if verdict == "valid" else 1), (name, process.returncode)
    assert said["verdict"] == verdict, (name, said["verdict"])
    size = 0 if file == Path(os.devnull) else file.stat().st_size
    pages.append({"name": name, "page": str(page), "size": size, "verdict": verdict})
    if size > 1 << 20:
        print(f"{name}: {size:,} bytes, {memory / 1024:.1f} MiB of private memory, {took:.1f} s")
        assert memory < 64 << 10, name
Path(WORK / "list.json").write_text(json.dumps(pages))
