"""Libraries of NVIDIA, slimmed to the device that is here: the same work with the old and the new ones.

Each is loaded lazily and eagerly, in a process of its own.
"""

import ctypes
import hashlib
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile
import time

from device import driver, good
from slim import slim_file

NAMES = ["libcublas.so.13", "libcublasLt.so.13", "libnvjpeg.so.13", "libnppial.so.13", "libnccl.so.2"]
BESIDE = ["libcudart.so.13", "libnppc.so.13"]


class Runtime:
    """Memory of the device."""

    def __init__(self):
        self.cudart = ctypes.CDLL("libcudart.so.13", mode=ctypes.RTLD_GLOBAL)

    def put(self, data):
        pointer = ctypes.c_void_p()
        good(self.cudart.cudaMalloc(ctypes.byref(pointer), ctypes.c_size_t(len(data))))
        good(self.cudart.cudaMemcpy(pointer, data, ctypes.c_size_t(len(data)), 1))
        return pointer

    def get(self, pointer, count):
        data = ctypes.create_string_buffer(count)
        good(self.cudart.cudaDeviceSynchronize())
        good(self.cudart.cudaMemcpy(data, pointer, ctypes.c_size_t(count), 2))
        return data.raw


def floats(count, seed):
    return struct.pack(f"<{count}f", *(((at * 37 + seed) % 101 - 50) / 16 for at in range(count)))


def cublas(runtime):
    library = ctypes.CDLL("libcublas.so.13")
    handle, n = ctypes.c_void_p(), 512
    good(library.cublasCreate_v2(ctypes.byref(handle)))
    a, b, c = (runtime.put(floats(n * n, seed)) for seed in (1, 2, 3))
    one, zero = ctypes.c_float(1), ctypes.c_float(0)
    good(library.cublasSgemm_v2(handle, 0, 0, n, n, n, ctypes.byref(one), a, n, b, n, ctypes.byref(zero), c, n))
    single = runtime.get(c, n * n * 4)
    # Half precision, of which cublasLt has the kernels.
    types = (ctypes.byref(one), a, 2, n, b, 2, n, ctypes.byref(zero), c, 0, n, 68, -1)
    good(library.cublasGemmEx(handle, 0, 0, n, n, n, *types))
    return single + runtime.get(c, n * n * 4)


def nvjpeg(runtime):
    library = ctypes.CDLL("libnvjpeg.so.13")
    handle, state, options = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p()
    good(library.nvjpegCreateSimple(ctypes.byref(handle)))
    good(library.nvjpegEncoderStateCreate(handle, ctypes.byref(state), None))
    good(library.nvjpegEncoderParamsCreate(handle, ctypes.byref(options), None))
    good(library.nvjpegEncoderParamsSetSamplingFactors(options, 0, None))
    width, height = 640, 480
    picture = bytes((at * 7 + at // 640) % 251 for at in range(width * height * 3))

    class Image(ctypes.Structure):
        _fields_ = [("channel", ctypes.c_void_p * 4), ("pitch", ctypes.c_size_t * 4)]

    image = Image()
    image.channel[0], image.pitch[0] = runtime.put(picture).value, width * 3
    good(library.nvjpegEncodeImage(handle, state, options, ctypes.byref(image), 5, width, height, None))
    length = ctypes.c_size_t()
    good(library.nvjpegEncodeRetrieveBitstream(handle, state, None, ctypes.byref(length), None))
    data = ctypes.create_string_buffer(length.value)
    good(library.nvjpegEncodeRetrieveBitstream(handle, state, data, ctypes.byref(length), None))
    good(runtime.cudart.cudaDeviceSynchronize())
    return data.raw


def nccl(runtime):
    library = ctypes.CDLL("libnccl.so.2")
    communicator = ctypes.c_void_p()
    good(library.ncclCommInitAll(ctypes.byref(communicator), 1, None))
    count = 1 << 16
    source, target = runtime.put(floats(count, 4)), runtime.put(bytes(count * 4))
    # With one device nothing but an operation with a factor needs a kernel.
    twice, operation = ctypes.c_float(2), ctypes.c_int()
    created = (ctypes.byref(operation), ctypes.byref(twice), 7, 1, communicator)
    good(library.ncclRedOpCreatePreMulSum(*created))
    good(library.ncclAllReduce(source, target, ctypes.c_size_t(count), 7, operation, communicator, None))
    return runtime.get(target, count * 4)


class Stream(ctypes.Structure):
    """A stream as npp wants it, with what the device is."""

    _fields_ = [
        ("stream", ctypes.c_void_p),
        ("device", ctypes.c_int),
        ("processors", ctypes.c_int),
        ("threads_of_a_processor", ctypes.c_int),
        ("threads_of_a_block", ctypes.c_int),
        ("shared_bytes", ctypes.c_size_t),
        ("major", ctypes.c_int),
        ("minor", ctypes.c_int),
        ("flags", ctypes.c_uint),
        ("reserved", ctypes.c_int),
    ]


class Size(ctypes.Structure):
    _fields_ = [("width", ctypes.c_int), ("height", ctypes.c_int)]


def npp(runtime):
    library = ctypes.CDLL("libnppial.so.13")
    width, height = 1000, 700
    a, b = (runtime.put(bytes((at * seed + at // 640) % 251 for at in range(width * height))) for seed in (3, 7))
    c = runtime.put(bytes(width * height))
    major, minor = divmod(driver()[2], 10)
    stream = Stream(None, 0, 132, 2048, 1024, 49152, major, minor, 0, 0)
    size = Size(width, height)
    good(library.nppiAdd_8u_C1RSfs_Ctx(a, width, b, width, c, width, size, 1, stream))
    return runtime.get(c, width * height)


WORK = {"cublas": cublas, "nvjpeg": nvjpeg, "npp": npp, "nccl": nccl}


def output(name, folders, loading):
    """What the work of a library gives, or why it gives nothing."""
    environment = dict(os.environ, CUDA_MODULE_LOADING=loading)
    environment["LD_LIBRARY_PATH"] = ":".join([*map(str, folders), environment.get("LD_LIBRARY_PATH", "")])
    start = time.monotonic()
    command = [sys.executable, __file__, name]
    run = subprocess.run(command, capture_output=True, text=True, env=environment)
    said = run.stdout.strip() or f"exit {run.returncode}: {run.stderr.strip().splitlines()[-1:]}"
    return said, time.monotonic() - start


def compared(name, old, new):
    """The same work with both libraries; how often it gave something else, or nothing."""
    different = 0
    for loading in ("LAZY", "EAGER"):
        (before, old_time), (after, new_time) = output(name, [old], loading), output(name, [new, old], loading)
        equal = before == after and not before.startswith("exit")
        verdict = f"equal, {before[:16]}" if equal else f"DIFFERENT: {before}, {after}"
        print(f"  {name}, {loading.lower()}: {verdict}; {old_time:.1f} s, {new_time:.1f} s", flush=True)
        different += not equal
    return different


def gathered(folders, into):
    """The libraries that are in the folders, side by side."""
    for name in [*NAMES, *BESIDE]:
        found = next((folder / name for folder in folders if (folder / name).exists()), None)
        if found:
            (into / name).symlink_to(found.resolve())
        else:
            print(f"  {name} is not here")
    return into


def main(folders):
    capability, different = driver()[2], 0
    with tempfile.TemporaryDirectory() as work:
        old, new, other = (pathlib.Path(work, name) for name in ("old", "new", "other"))
        for folder in (old, new, other):
            folder.mkdir()
        gathered([pathlib.Path(folder) for folder in folders], old)
        for name in NAMES:
            if not (old / name).exists():
                continue
            code, said = slim_file((old / name).resolve(), new / name, f"sm_{capability}")
            size = (new / name).stat().st_size if (new / name).exists() else 0
            print(f"  {name}: {(old / name).stat().st_size} to {size} bytes {said if code else ''}", flush=True)
            slim_file((old / name).resolve(), other / name, "sm_80", "--ptx", "none")
        for name in WORK:
            if any(name in path.name or name == "npp" and "npp" in path.name for path in new.iterdir()):
                different += compared(name, old, new)
                print(f"    for sm_80 alone: {output(name, [other, old], 'LAZY')[0]}", flush=True)
    return different


if __name__ == "__main__":
    print(hashlib.sha256(WORK[sys.argv[1]](Runtime())).hexdigest())
