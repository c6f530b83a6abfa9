"""Which of several entries the driver takes, and what containers it takes at all.

One kernel is compiled with nvcc for several architectures; containers are made of these entries in other
numbers and orders, and each is loaded, and its kernel run, which says what it was compiled for.
"""

import itertools
import pathlib
import struct
import subprocess
import tempfile

from device import context, said_by
from slim import slim

HERE = pathlib.Path(__file__).parent


def compiled(folder, build, targets, *options):
    """The container with the kernel for these targets, as `sm_90` and `compute_75`."""
    out = pathlib.Path(folder, f"{build}.fatbin")
    codes = [f"-gencode=arch={target.replace('sm', 'compute')},code={target}" for target in targets]
    command = ["nvcc", "-fatbin", f"-DBUILD={build}", *codes, *options, HERE / "which.cu", "-o", out]
    subprocess.run(command, check=True)
    return out.read_bytes()


def entries(container):
    """The entries of a container, each a header with its payload."""
    found, at = [], 16
    while at < len(container):
        header, payload = struct.unpack_from("<IQ", container, at + 4)
        found.append(container[at : at + header + payload])
        at += header + payload
    return found


def container(parts, behind=b""):
    """A container with these entries; `behind` does not belong to it."""
    return struct.pack("<IHHQ", 0xBA55ED50, 1, 16, sum(map(len, parts))) + b"".join(parts) + behind


def is_ptx(entry):
    return struct.unpack_from("<H", entry)[0] == 1


def told(name, data):
    print(f"  {name}: {len(data)} bytes, {said_by(data)}", flush=True)


def of_several(folder):
    """Of every two entries that this device could run, in both orders."""
    names = ["sm_75", "sm_80", "sm_90", "sm_90a", "compute_75"]
    parts = {}
    for name in names:
        parts[name] = entries(compiled(folder, 0, [name]))[0]
    parts["another sm_90"] = entries(compiled(folder, 1, ["sm_90"]))[0]
    for name, part in parts.items():
        told(f"{name} alone", container([part]))
    for pair in itertools.permutations(["sm_80", "sm_90", "sm_90a", "compute_75", "another sm_90"], 2):
        told(" before ".join(pair), container([parts[name] for name in pair]))
    return parts


def of_shapes(folder, parts):
    """Containers as slimming, pruning in place and packing make them."""
    whole = compiled(folder, 2, ["sm_75", "sm_80", "sm_90", "compute_90"])
    plain = compiled(folder, 3, ["sm_75", "sm_80", "sm_90", "compute_90"], "--no-compress")
    told("whole", whole)
    told("not compressed", plain)
    told("reversed", container(entries(whole)[::-1]))
    for keep in ("sm_90", "sm_80", "sm_75", "sm_120"):
        told(f"slimmed to {keep}", slim(whole, keep))
    told("slimmed to sm_90 with all PTX", slim(whole, "sm_90", "--ptx", "all"))
    told("slimmed in place", slim(whole, "sm_90", "--zero"))
    told("a placeholder for another device", container([parts["sm_75"]]))
    told("empty", container([]))
    told("empty, the old entries behind it", container([], b"".join(entries(whole))))
    told("empty, zeros behind it", container([], bytes(4096)))


def main():
    context()
    with tempfile.TemporaryDirectory() as folder:
        of_shapes(folder, of_several(folder))
