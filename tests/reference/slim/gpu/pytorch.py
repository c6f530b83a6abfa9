"""PyTorch on slimmed libraries: the same work with the installed packages and with a copy that is slimmed.

Hard links make the copy, in which every library with GPU code is replaced by one for this device.
"""

import concurrent.futures
import importlib.util
import json
import os
import pathlib
import subprocess
import sys
import tempfile

from device import driver
from slim import slim_file

PACKAGES = ["torch", "nvidia", "torchgen", "functorch"]


def copied(target):
    """Makes the copy; the libraries in it."""
    spec = importlib.util.find_spec("torch")
    if not spec:
        return None
    site = pathlib.Path(spec.origin).parents[1]
    for package in PACKAGES:
        if (site / package).exists():
            subprocess.run(["cp", "-aL", site / package, target], check=True)
    return sorted(path for path in target.rglob("*.so*") if path.is_file() and not path.is_symlink())


def slimmed(library):
    """Slims a library where it lies, by filling with zeros where no pages can be taken out."""
    new = library.with_suffix(".slimmed")
    before = library.stat().st_size
    for way in ("--pack", "--punch"):
        code, said = slim_file(library, new, f"sm_{driver()[2]}", way)
        if code == 0:
            os.replace(new, library)
            return library.name, f"{before / 1e6:.1f} MB, {way} {library.stat().st_blocks * 512 / 1e6:.1f} MB"
        if code == 3 or "device-code" in said:
            return library.name, None
    return library.name, f"{before / 1e6:.1f} MB, as it was: {said}"


def work():
    """Work for every library that PyTorch brings; a hash for each kind."""
    import hashlib

    import torch

    torch.manual_seed(1)
    on = {"device": "cuda"}
    a, b = torch.randn(512, 512).to(**on), torch.randn(512, 512).to(**on)
    half, picture = a.half(), torch.randn(4, 16, 64, 64).to(**on)
    heads = torch.randn(2, 8, 128, 64).to(**on).bfloat16()
    layer = torch.nn.Conv2d(16, 32, 3, padding=1)
    torch.nn.init.constant_(layer.weight, 0.01)
    layer = layer.to(**on)

    def backward():
        wanted = picture.clone().requires_grad_()
        torch.nn.functional.batch_norm(layer(wanted), None, None, training=True).square().sum().backward()
        return wanted.grad

    def reduced():
        import torch.distributed as distributed

        store = tempfile.NamedTemporaryFile()
        distributed.init_process_group("nccl", init_method=f"file://{store.name}", rank=0, world_size=1)
        sum_ = a.clone()
        distributed.all_reduce(sum_)
        distributed.destroy_process_group()
        return sum_

    kinds = {
        "matmul": lambda: a @ b,
        "matmul in half": lambda: half @ half,
        "matmul in bfloat16": lambda: a.bfloat16() @ b.bfloat16(),
        "matmul in double": lambda: a.double() @ b.double(),
        "matmul in float8": lambda: torch._scaled_mm(
            a.to(torch.float8_e4m3fn),
            b.to(torch.float8_e4m3fn).t().contiguous().t(),
            scale_a=torch.ones((), **on),
            scale_b=torch.ones((), **on),
            out_dtype=torch.bfloat16,
        ),
        "matmul of integers": lambda: torch._int_mm(a.to(torch.int8), b.to(torch.int8)),
        "linear with gelu": lambda: torch.nn.functional.gelu(torch.nn.functional.linear(half, half, half[0])),
        "conv": lambda: layer(picture),
        "conv in half": lambda: layer.half()(picture.half()),
        "conv backward": lambda: (layer.float(), backward())[1],
        "attention": lambda: torch.nn.functional.scaled_dot_product_attention(heads, heads, heads),
        "softmax": lambda: a.softmax(1),
        "layer norm": lambda: torch.nn.functional.layer_norm(a, (512,)),
        "sort": lambda: a.sort().values,
        "cumsum": lambda: a.cumsum(0),
        "topk": lambda: a.topk(7).values,
        "random": lambda: torch.rand(1000, generator=torch.Generator("cuda").manual_seed(3), **on),
        "fft": lambda: torch.view_as_real(torch.fft.fft2(a)),
        "fft of odd size": lambda: torch.view_as_real(torch.fft.rfft(a[:, :509])),
        "solve": lambda: torch.linalg.solve(a, b),
        "cholesky": lambda: torch.linalg.cholesky(a @ a.T + 600 * torch.eye(512, **on)),
        "eigenvalues": lambda: torch.linalg.eigvalsh(a + a.T),
        "singular values": lambda: torch.linalg.svdvals(a),
        "sparse": lambda: torch.sparse.mm((a * (a > 1)).to_sparse_csr(), b),
        "lstm": lambda: torch.nn.LSTM(512, 64, bias=False).to(**on)(a[None])[0],
        "all reduce": reduced,
    }
    for name, kind in kinds.items():
        try:
            result = kind().detach().float().contiguous().cpu()
            said = hashlib.sha256(result.numpy().tobytes()).hexdigest()[:16]
        except Exception as error:
            said = f"{type(error).__name__}: {str(error).splitlines()[0]}"
        print(json.dumps([name, said]), flush=True)


def output(site, loading):
    environment = dict(os.environ, CUDA_MODULE_LOADING=loading)
    if site:
        environment["PYTHONPATH"] = str(site)
    run = subprocess.run([sys.executable, __file__, "work"], capture_output=True, text=True, env=environment)
    if run.returncode:
        print(f"  exit {run.returncode}: {run.stderr.strip().splitlines()[-3:]}")
    return dict(json.loads(line) for line in run.stdout.splitlines() if line.startswith("["))


def main():
    with tempfile.TemporaryDirectory() as folder:
        site = pathlib.Path(folder)
        libraries = copied(site)
        if libraries is None:
            print("  there is no PyTorch here")
            return 0
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            for name, said in pool.map(slimmed, libraries):
                if said:
                    print(f"  {name}: {said}", flush=True)
        different = 0
        for loading in ("LAZY", "EAGER"):
            old, again, new = output(None, loading), output(None, loading), output(site, loading)
            same = [name for name in old if old[name] == again[name]]
            equal = [name for name in same if old[name] == new.get(name)]
            print(f"  {loading.lower()}: {len(equal)} of {len(same)} kinds of work equal", flush=True)
            for name in old:
                if name not in same:
                    print(f"    {name}: otherwise each time, with the old ones, too")
                elif name not in equal:
                    print(f"    {name}: DIFFERENT: {old[name]}, {new.get(name)}")
                elif "rror" in old[name]:
                    different += 1
                    print(f"    {name}: both {old[name]}")
            different += len(same) - len(equal) + (not same)
        return different


if __name__ == "__main__":
    work()
