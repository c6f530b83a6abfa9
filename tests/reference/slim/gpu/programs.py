"""A library of one's own with nvcc: slimmed in all ways, its kernels run through the CUDA runtime."""

import pathlib
import subprocess
import sys
import tempfile

from device import driver
from slim import slim_file

HERE = pathlib.Path(__file__).parent
TARGETS = ["sm_75", "sm_80", "sm_90", "sm_100"]


def built(folder):
    """A library with code that is linked on the device, too."""
    codes = [f"-gencode=arch={target.replace('sm', 'compute')},code={target}" for target in TARGETS]
    library = pathlib.Path(folder, "libwhich.so")
    sources = [HERE / "which.cu", HERE / "elsewhere.cu"]
    command = ["nvcc", "-shared", "-Xcompiler=-fPIC", "-rdc=true", "-DHOST", *codes, *sources, "-o", library]
    subprocess.run(command, check=True)
    return library


def ran(library):
    """What both kernels of a library say, in a process of its own."""
    code = "import ctypes, sys; run = ctypes.CDLL(sys.argv[1]).run; print(run(0), run(1))"
    run = subprocess.run([sys.executable, "-c", code, library], capture_output=True, text=True)
    return run.stdout.strip() or f"exit {run.returncode}: {run.stderr.strip().splitlines()[-1:]}"


def main():
    capability = driver()[2]
    with tempfile.TemporaryDirectory() as folder:
        whole = built(folder)
        print(f"  whole: {whole.stat().st_size} bytes, {ran(whole)}", flush=True)
        for keep in (f"sm_{capability}", "sm_80", "sm_75"):
            for way in ("--pack", "--zero", "--punch"):
                new = pathlib.Path(folder, f"lib{keep}{way}.so")
                said = slim_file(whole, new, keep, way)
                size = new.stat().st_size if new.exists() else 0
                print(f"  {keep} {way}: {size} bytes, {ran(new)} {said[1] if said[0] else ''}", flush=True)
