"""The driver, its first device, and memory on it, through ctypes."""

import ctypes
import functools


def good(code):
    if code:
        raise RuntimeError(f"error {code}")


@functools.cache
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


def name():
    """What driver and device are called."""
    cuda, device, _ = driver()
    text, version = ctypes.create_string_buffer(99), ctypes.c_int()
    good(cuda.cuDeviceGetName(text, 99, device))
    good(cuda.cuDriverGetVersion(ctypes.byref(version)))
    return f"{text.value.decode()}, driver for CUDA {version.value // 1000}.{version.value % 1000 // 10}"


def context():
    """Makes the context of the device the one of this thread."""
    cuda, device, _ = driver()
    context = ctypes.c_void_p()
    good(cuda.cuDevicePrimaryCtxRetain(ctypes.byref(context), device))
    good(cuda.cuCtxSetCurrent(context))


def said_by(container):
    """What the kernel of a container says of itself, or the code of the driver's error."""
    cuda = driver()[0]
    module, function, memory = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p()
    code = cuda.cuModuleLoadData(ctypes.byref(module), container)
    if code:
        return f"error {code}"
    code = cuda.cuModuleGetFunction(ctypes.byref(function), module, b"which")
    if code:
        return f"loaded, and no kernel: error {code}"
    good(cuda.cuMemAlloc_v2(ctypes.byref(memory), ctypes.c_size_t(8)))
    arguments = (ctypes.c_void_p * 1)(ctypes.cast(ctypes.pointer(memory), ctypes.c_void_p))
    code = cuda.cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, None, arguments, None)
    said = (ctypes.c_int * 2)()
    code = code or cuda.cuMemcpyDtoH_v2(said, memory, ctypes.c_size_t(8))
    cuda.cuModuleUnload(module)
    return f"error {code}" if code else f"sm_{said[0] // 10}{'a' if said[1] & 1 else ''}, build {said[1] >> 1}"
