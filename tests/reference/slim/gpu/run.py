"""Asks a GPU about slimmed code: run.py [FOLDER ..]

The folders have libcublas.so.13, libcublasLt.so.13, libnvjpeg.so.13, libnccl.so.2, libnppial.so.13 and
libcudart.so.13, as they come in the wheels of NVIDIA; those that are not there are left out. `nvcc` is
needed for kernels of our own, and PyTorch for its part. Where there is no GPU the script says so.
"""

import sys
import time
import traceback

import containers
import device
import libraries
import programs
import pytorch


def main():
    if not device.driver():
        print("there is no GPU here: nothing was run")
        return
    capability = device.driver()[2]
    print(f"{device.name()}, compute capability {capability // 10}.{capability % 10}")
    parts = {
        "containers": containers.main,
        "a library of one's own": programs.main,
        "libraries of NVIDIA": lambda: libraries.main(sys.argv[1:]),
        "PyTorch": pytorch.main,
    }
    different = 0
    for name, part in parts.items():
        start = time.monotonic()
        print(f"{name}:", flush=True)
        try:
            different += part() or 0
        except Exception:
            different += 1
            traceback.print_exc(limit=3, file=sys.stdout)
        print(f"  {time.monotonic() - start:.0f} s", flush=True)
    sys.exit(1 if different else 0)


main()
