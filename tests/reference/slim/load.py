"""Loads a library, calls it, and walks all of its wrappers in memory: load.py LIBRARY FUNCTION|-"""

import ctypes
import os
import struct
import sys

path, call = os.path.abspath(sys.argv[1]), sys.argv[2]
library = ctypes.CDLL(path, mode=os.RTLD_NOW)


def version():
    if call == "-":
        return "no call"
    function = getattr(library, call)
    if call.endswith("GetProperty"):
        number = ctypes.c_int()
        return [(function(kind, ctypes.byref(number)), number.value) for kind in range(3)]
    if call == "ncclGetVersion":
        number = ctypes.c_int()
        return function(ctypes.byref(number)), number.value
    function.restype = ctypes.c_size_t
    return function()


def base():
    for line in open("/proc/self/maps"):
        if line.rstrip().endswith(path):
            return int(line.split("-")[0], 16)
    raise SystemExit("the library is not mapped")


def wrappers(file):
    """Address and length of the section with the wrappers."""
    table, = struct.unpack_from("<Q", file, 0x28)
    count, names = struct.unpack_from("<HH", file, 0x3C)
    sections = [struct.unpack_from("<IIQQQQIIQQ", file, table + 64 * index) for index in range(count)]
    for section in sections:
        start = sections[names][4] + section[0]
        if file[start : start + 17] == b".nvFatBinSegment\0":
            return section[3], section[5]
    return 0, 0


file = open(path, "rb").read()
memory = open("/proc/self/mem", "rb", 0)
start = base()


def read(address, count):
    memory.seek(address)
    return memory.read(count)


address, length = wrappers(file)
walked = entries = 0
table = read(start + address, length) if length else b""
for at in range(0, length // 24 * 24, 24):
    magic, _, container, _ = struct.unpack_from("<IIQQ", table, at)
    assert magic == 0x466243B1, f"no wrapper at {at:#x}"
    magic, version_, header, size = struct.unpack("<IHHQ", read(container, 16))
    assert magic == 0xBA55ED50, f"no container for the wrapper at {at:#x}"
    here, end = container + header, container + header + size
    while here + 64 <= end:
        header, padded = struct.unpack("<IQ", read(here + 4, 12))
        here += header + padded
        entries += 1
    assert here == end, f"a container is not as long as it says: wrapper at {at:#x}"
    walked += 1
print(f"{call} {version()} | {walked} wrappers walked, {entries} entries")
