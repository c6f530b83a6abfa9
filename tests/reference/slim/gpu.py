"""Runs slimmed libraries on a GPU beside the old ones: gpu.py LIBRARIES [WORK]

LIBRARIES is a folder with libcublas.so.13, libcublasLt.so.13, libnvjpeg.so.13, libnccl.so.2 and
libcudart.so.13, as they come in the wheels of NVIDIA; those that are not there are left out. Every library
is slimmed to the device that is here; then the same work is done with the old and the new ones, loaded
lazily and eagerly, and the results are compared. After that the driver is asked what it says about
containers: whole, slimmed, for another device only, with a placeholder, and empty. Where there is no GPU
the script says so.
"""

import ctypes
import hashlib
import json
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile

BINFMT = os.environ.get("BINFMT", "binfmt")
NAMES = ["libcublas.so.13", "libcublasLt.so.13", "libnvjpeg.so.13", "libnccl.so.2"]


def driver():
    """The driver and the compute capability of its first device; None without either."""
    try:
        cuda = ctypes.CDLL("libcuda.so.1")
    except OSError:
        return None
    device, major, minor = ctypes.c_int(), ctypes.c_int(), ctypes.c_int()
    if cuda.cuInit(0) or cuda.cuDeviceGet(ctypes.byref(device), 0):
        return None
    cuda.cuDeviceGetAttribute(ctypes.byref(major), 75, device)
    cuda.cuDeviceGetAttribute(ctypes.byref(minor), 76, device)
    return cuda, device, major.value * 10 + minor.value


def good(code):
    if code:
        raise RuntimeError(f"error {code}")


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
    return runtime.get(c, n * n * 4)


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
    good(library.ncclAllReduce(source, target, ctypes.c_size_t(count), 7, 0, communicator, None))
    return runtime.get(target, count * 4)


WORK = {"cublas": cublas, "nvjpeg": nvjpeg, "nccl": nccl}


def compared(name, old, new):
    """The same work with both libraries, each in a process of its own."""
    for loading in ("LAZY", "EAGER"):
        said = []
        for folder in (old, new):
            environment = dict(os.environ, CUDA_MODULE_LOADING=loading)
            environment["LD_LIBRARY_PATH"] = f"{folder}:{old}:{environment.get('LD_LIBRARY_PATH', '')}"
            run = subprocess.run(
                [sys.executable, __file__, "--work", name], capture_output=True, text=True, env=environment
            )
            said.append(run.stdout.strip() or run.stderr.strip().splitlines()[-1:])
        print(f"  {name}, {loading.lower()}: {'equal' if said[0] == said[1] else 'DIFFERENT'}: {said}", flush=True)


def containers(cuda, device, library, capability):
    """What the driver says when it is given containers of a library."""
    context = ctypes.c_void_p()
    good(cuda.cuDevicePrimaryCtxRetain(ctypes.byref(context), device))
    good(cuda.cuCtxSetCurrent(context))
    other = 75 if capability != 75 else 90
    arguments = ["--dry-run", "--json", "--keep", f"sm_{capability}"]
    run = subprocess.run([BINFMT, "slim", library, *arguments], capture_output=True, text=True, check=True)
    container = next(it for it in json.loads(run.stdout)["containers"] if any(e["kept"] for e in it["entries"]))
    data = library.read_bytes()
    whole = data[container["offset"] : container["offset"] + container["bytes"]]

    def slimmed(keep):
        with tempfile.TemporaryDirectory() as folder:
            source, target = pathlib.Path(folder, "a.fatbin"), pathlib.Path(folder, "b.fatbin")
            source.write_bytes(whole)
            subprocess.run([BINFMT, "slim", source, "--keep", keep, "-o", target], capture_output=True)
            return target.read_bytes() if target.exists() else whole

    cases = {
        "whole": whole,
        "slimmed": slimmed(f"sm_{capability}"),
        "for another device only": slimmed(f"sm_{other}"),
        "with a placeholder": slimmed("sm_30"),
        "empty": whole[:8] + bytes(8),
    }
    for name, bytes_ in cases.items():
        module = ctypes.c_void_p()
        code = cuda.cuModuleLoadData(ctypes.byref(module), bytes_)
        print(f"  container {name}: {len(bytes_)} bytes, the driver says {code}", flush=True)


def main():
    if sys.argv[1:2] == ["--work"]:
        print(hashlib.sha256(WORK[sys.argv[2]](Runtime())).hexdigest())
        return
    found = driver()
    if not found:
        print("there is no GPU here: nothing was run")
        return
    cuda, device, capability = found
    print(f"compute capability {capability // 10}.{capability % 10}")
    old = pathlib.Path(sys.argv[1]).resolve()
    new = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else tempfile.mkdtemp(prefix="binfmt-slim-")).resolve()
    for name in NAMES:
        if not (old / name).exists():
            continue
        run = subprocess.run(
            [BINFMT, "slim", old / name, "--keep", f"sm_{capability}", "-o", new / name, "--force"],
            capture_output=True,
            text=True,
        )
        print(f"  {name}: {run.stdout.strip().splitlines()[-1:] or run.stderr.strip()}")
        if run.returncode == 3:
            shutil.copy(old / name, new / name)
    for name in WORK:
        if any(name in path.name for path in new.iterdir()):
            compared(name, old, new)
    containers(cuda, device, old / "libnvjpeg.so.13", capability)


main()
