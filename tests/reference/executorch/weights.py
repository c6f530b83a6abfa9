"""Weights that binfmt put into programs: they compute what a program computes that was exported with them."""

import os

import torch
from executorch.backends.xnnpack.partition.xnnpack_partitioner import XnnpackPartitioner
from executorch.exir import ExecutorchBackendConfig, to_edge_transform_and_lower
from safetensors.torch import load_file, save_file
from torch.export import export

from reference import binfmt, plain, run


class Mlp(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = torch.nn.Sequential(torch.nn.Linear(6, 16), torch.nn.ReLU(), torch.nn.Linear(16, 4))

    def forward(self, x):
        return self.layers(x)


class Convolutions(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.first = torch.nn.Conv2d(3, 8, 3, padding=1)
        self.second = torch.nn.Conv2d(8, 4, 1, bias=False)

    def forward(self, x):
        return self.second(torch.relu(self.first(x))).mean((2, 3))


class Embedding(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.table = torch.nn.Embedding(11, 5)
        self.scale = torch.nn.Parameter(torch.rand(5))

    def forward(self, at):
        return self.table(at) * self.scale


class State(torch.nn.Module):
    """What is added up from call to call; its first state is a weight."""

    def __init__(self):
        super().__init__()
        self.register_buffer("sum", torch.rand(4))

    def forward(self, x):
        self.sum.add_(x)
        return self.sum * 2


MODELS = [
    (Mlp, (torch.rand(2, 6),)),
    (Convolutions, (torch.rand(1, 3, 8, 8),)),
    (Embedding, (torch.tensor([1, 3, 10]),)),
    (State, (torch.rand(4),)),
]


def made(kind, arguments, seed, delegate, external, folder):
    """A program exported with weights that the seed tells, its tensor data, and these weights."""
    torch.manual_seed(seed)
    model = kind().eval()
    weights = {key: tensor.detach().clone() for key, tensor in model.state_dict().items()}
    # First states are kept in a program only where this is asked for.
    config = ExecutorchBackendConfig(external_constants=external, emit_mutable_buffer_names=True)
    passes = []
    if kind is State:
        from executorch.exir.passes.init_mutable_pass import InitializedMutableBufferPass

        passes = [InitializedMutableBufferPass(["sum"])]
        config = ExecutorchBackendConfig(emit_mutable_buffer_names=True, passes=passes)
    edge = to_edge_transform_and_lower(export(model, arguments), partitioner=[XnnpackPartitioner()] if delegate else [])
    done = edge.to_executorch(config)
    path = os.path.join(folder, f"{kind.__name__}-{seed}.pte")
    with open(path, "wb") as file:
        done.write_to_file(file)
    data = None
    if external:
        where = os.path.join(folder, f"{kind.__name__}-{seed}")
        os.makedirs(where, exist_ok=True)
        done.write_tensor_data_to_file(where)
        [name] = os.listdir(where)
        data = os.path.join(where, name)
    return path, data, weights


def renamed(path, old, new, folder):
    """The new weights under the names that binfmt has for the old ones, found by what they are."""
    there = os.path.join(folder, "there.safetensors")
    binfmt("convert", path, "-o", there, "--skip")
    tensors = {}
    # XNNPACK has the weights of a convolution with the channels last.
    orders = [lambda weight: weight, lambda weight: weight.permute(0, 2, 3, 1) if weight.dim() == 4 else weight]
    for name, tensor in load_file(there).items():
        for order in orders:
            same = [key for key, weight in old.items() if plain(order(weight)) == plain(tensor)]
            if len(same) == 1 and name not in tensors:
                tensors[name] = order(new[same[0]]).contiguous()
    out = os.path.join(folder, "new.safetensors")
    save_file(tensors, out)
    return out, tensors


def check(folder, report):
    print("\nWeights: programs exported twice, and the one with the weights of the other put in")
    kinds = [("in the program", False, False), ("in a .ptd", False, True), ("in XNNPACK", True, False)]
    for kind, arguments in MODELS:
        for where, delegate, external in kinds:
            if kind is State and (delegate or external):
                continue
            name = f"{kind.__name__}, weights {where}"
            one, data, old = made(kind, arguments, 1, delegate, external, folder)
            two, other, new = made(kind, arguments, 2, delegate, external, folder)
            holder = data or one
            weights, tensors = renamed(holder, old, new, folder)
            if not tensors:
                print(f"{name}: binfmt sees no weights of the model there")
                report.compare(name, "weights", "none")
                continue
            out = os.path.join(folder, "weighed" + os.path.splitext(holder)[1])
            binfmt("edit", holder, "-o", out, "--weights", weights)
            before, expected = run(one, data), run(two, other)
            found = run(one, out) if data else run(out)
            report.compare(f"{name}: runs", "ok", expected[0])
            report.compare(f"{name}: the other weights matter", True, before != expected)
            same = report.compare(name, expected, found)
            print(f"{name}: {len(tensors)} of {len(old)} weights replaced; outputs {'equal' if same else 'DIFFER'}")
