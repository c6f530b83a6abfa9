"""The reference readers: the runtime in C++ through its Python module, and the readers in Python."""

import hashlib
import os
import pickle
import signal
import subprocess
import tempfile

import torch
from executorch.exir._serialize._cord import Cord
from executorch.exir._serialize._program import deserialize_pte_binary
from executorch.extension.flat_tensor.serialize.serialize import FlatTensorSerializer
from executorch.runtime import Runtime, Verification

RUNTIME = Runtime.get()

DTYPES = {
    0: torch.uint8, 1: torch.int8, 2: torch.int16, 3: torch.int32, 4: torch.int64,
    5: torch.float16, 6: torch.float32, 7: torch.float64, 11: torch.bool, 15: torch.bfloat16,
}


def binfmt(*args):
    """Runs the program; what it cannot do is an error of this script."""
    # Scripts write one file after the other to one place.
    force = ["--force"] if "-o" in args else []
    done = subprocess.run([os.environ["BINFMT"], *args, *force], capture_output=True)
    if done.returncode != 0:
        raise RuntimeError(f"binfmt {' '.join(args)}: {done.stderr.decode().strip()}")
    return done.stdout


def apart(function, *args):
    """Calls a function in a process of its own, for the runtime may crash.

    Returns ("ok", its result) or ("refused", why) or ("crash", the signal)."""
    source, sink = os.pipe()
    log = tempfile.TemporaryFile()
    child = os.fork()
    if child == 0:
        os.close(source)
        os.dup2(log.fileno(), 2)
        os.dup2(log.fileno(), 1)
        try:
            result = ("ok", function(*args))
        except Exception as error:
            result = ("refused", str(error).split("\n")[0])
        with os.fdopen(sink, "wb") as pipe:
            pickle.dump(result, pipe)
        os._exit(0)
    os.close(sink)
    with os.fdopen(source, "rb") as pipe:
        told = pipe.read()
    status = os.waitpid(child, 0)[1]
    if os.WIFSIGNALED(status):
        return ("crash", signal.Signals(os.WTERMSIG(status)).name)
    result = pickle.loads(told)
    if result[0] == "refused":
        # The first line of the log says more than the exception.
        log.seek(0)
        lines = log.read().decode(errors="replace").split("\n")
        lines = [line for line in lines if line.startswith("[") and "cpuinfo" not in line]
        if lines:
            return ("refused", lines[0])
    return result


def same_input(dtype, sizes, index):
    """Numbers that are the same in every run."""
    if dtype.is_floating_point:
        generator = torch.Generator().manual_seed(index)
        return torch.rand(sizes, generator=generator).to(dtype)
    return torch.ones(sizes, dtype=dtype)


def plain(value):
    """A result as something that can be compared bit by bit."""
    if isinstance(value, torch.Tensor):
        flat = value.contiguous().reshape(-1)
        data = flat.view(torch.uint8).numpy().tobytes() if flat.numel() else b""
        return (str(value.dtype), tuple(value.shape), data)
    return repr(value)


def outputs(program, data=None, verification=Verification.InternalConsistency):
    """What every method of a program gives for the same inputs."""
    loaded = RUNTIME.load_program(program, data_path=data, verification=verification)
    results = {}
    for name in sorted(loaded.method_names):
        meta = loaded.metadata(name)
        inputs = [meta.input_tensor_meta(index) for index in range(meta.num_inputs())]
        inputs = [same_input(DTYPES[info.dtype()], info.sizes(), index) for index, info in enumerate(inputs)]
        results[name] = [plain(output) for output in loaded.load_method(name).execute(inputs)]
    return results


def run(program, data=None):
    return apart(outputs, program, data)


def digest(data):
    return hashlib.sha256(bytes(data)).hexdigest()


def contents_of_program(path):
    """Everything in a program that the Python reader takes out of it, but places and padding."""
    with open(path, "rb") as file:
        read = deserialize_pte_binary(file.read())
    program = read.program
    named = read.named_data
    keys = {}
    if named is not None:
        keys = {key: digest(named.buffers[entry.buffer_index]) for key, entry in named.pte_data.items()}
    return {
        "constants": tensors(program.constant_buffer),
        "mutable": tensors(read.mutable_data or []),
        "delegates": [digest(blob.data) for blob in program.backend_delegate_data],
        "named": keys,
        "plans": repr(program.execution_plan),
    }


def tensors(buffers):
    """Their bytes, by index, without the padding that this reader takes for a part of them."""
    stripped = [bytes(buffer.storage).rstrip(b"\0") for buffer in buffers]
    return {index: digest(data) for index, data in enumerate(stripped) if data}


def contents_of_data(path):
    """Every key of a `.ptd`, with what the Python reader says of it."""
    with open(path, "rb") as file:
        read = FlatTensorSerializer().deserialize(Cord(file.read()))
    return {
        key: (repr(entry.tensor_layout), digest(read.buffers[entry.buffer_index]))
        for key, entry in read.named_data.items()
    }
