"""Tangent kernels and label information compared with straightforward computations of the same quantities.

The first table compares ``neural_tangent_gram`` with the contraction of all Jacobians by ``torch.func`` (vmap of
jacrev, then an einsum over parameters), in time and peak memory, each in a process of its own. The second compares
``label_information``, which uses trees, with a computation from the matrix of all distances.

    python benchmarks/compression_kernel.py [--points 2000]
"""

from __future__ import annotations

import argparse
import multiprocessing
import resource
import time

import numpy as np
import torch
from torch import nn
from torch.func import functional_call, jacrev, vmap

from empirics import measure
from empirics.networks.classifiers import InvertedCNN

MEGA = 1024  # the operating system reports kibibytes
DIMENSION, WIDTH = 10, 1000
SIDE, CHANNELS = 28, 8
LIMIT = "1GiB"


def networks():
    """Return networks for the stripe and for images, ``{name: (module, shape of a point)}``."""
    shallow = nn.Sequential(
        nn.Linear(DIMENSION, WIDTH), nn.ReLU(), nn.Linear(WIDTH, 1, bias=False)
    )
    deep = nn.Sequential(
        nn.Linear(DIMENSION, 200), nn.ReLU(), nn.Linear(200, 200), nn.ReLU(), nn.Linear(200, 1)
    )  # fmt: skip
    return {
        "one hidden layer of 1000": (shallow, (DIMENSION,)),
        "two hidden layers of 200": (deep, (DIMENSION,)),
        "7 convolutions, 28 x 28": (InvertedCNN(1, CHANNELS, 2), (1, SIDE, SIDE)),
    }


def contraction(model, x):
    """Return the Gram matrix ``[N, N]`` from the gradients of all points, contracted parameter by parameter."""
    parameters = {name: tensor.detach() for name, tensor in model.named_parameters()}

    def output(values, point):
        return functional_call(model, values, (point[None],)).squeeze(0)

    jacobian = vmap(jacrev(output), (None, 0))(parameters, x)
    matrices = [tensor.flatten(2) for tensor in jacobian.values()]
    return torch.stack([torch.einsum("nop,mop->nm", matrix, matrix) for matrix in matrices]).sum(0)


def ours(model, x):
    """Return the same Gram matrix computed by ``empirics``."""
    return measure.neural_tangent_gram(model, x, memory=LIMIT)


def child(name, way, points, queue):
    """Make one measurement, in a process of its own so that the peak of its memory is measured."""
    torch.set_num_threads(1)
    torch.manual_seed(0)
    model, shape = networks()[name]
    model, x = model.double(), torch.randn(points, *shape, dtype=torch.float64)
    {"ours": ours, "torch.func": contraction}[way](model, x[:4])  # warm-up
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    begin = time.perf_counter()
    gram = {"ours": ours, "torch.func": contraction}[way](model, x)
    seconds = time.perf_counter() - begin
    peak = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / MEGA
    queue.put((seconds, peak, gram[:50, :50].detach().numpy()))


def measured(name, way, points):
    """Return seconds, megabytes and a corner of the matrix; None if the process died, such as for lack of memory."""
    context = multiprocessing.get_context("spawn")
    queue = context.Queue()
    process = context.Process(target=child, args=(name, way, points, queue))
    process.start()
    while process.is_alive() and queue.empty():
        time.sleep(0.05)
    result = None if queue.empty() and process.exitcode else queue.get()
    process.join()
    return result


def distances(features, labels, neighbours=5):
    """Return the label information in bits from the matrix of all distances."""
    gaps = np.abs(features[:, None] - features[None])
    np.fill_diagonal(gaps, np.inf)
    plus, minus = (
        np.partition(gaps[:, labels == s], neighbours - 1, axis=1)[:, neighbours - 1]
        for s in (1, -1)
    )
    q = minus / (plus + minus)
    return float(np.mean(1 + q * np.log2(q) + (1 - q) * np.log2(1 - q)))


def information():
    """Print the second table."""
    rng = np.random.default_rng(0)
    print(
        f"\n{'label_information, N':28}{'trees [s]':>12}{'all distances [s]':>20}{'difference':>14}"
    )
    for count in (1000, 5000, 100_000):
        labels = np.tile([-1, 1], count // 2)
        features = rng.normal(size=count) + labels
        begin = time.perf_counter()
        value = measure.label_information(features, labels)
        middle = time.perf_counter()
        fits = count <= 5000  # the matrix of 100,000 points has 80 GB
        other = distances(features, labels) if fits else np.nan
        theirs = time.perf_counter() - middle
        text = f"{theirs:20.2f}{abs(value - other):14.1e}" if fits else f"{'80 GB':>20}{'':14}"
        print(f"{count:<28,}{middle - begin:12.3f}{text}")


def main():
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--points", type=int, default=2000)
    points = parser.parse_args().points
    print(
        f"Gram matrix of {points} points, float64, one thread; memory beyond the model and the points"
    )
    print(f"{'':28}{'ours':>16}{'torch.func':>20}{'ratio':>8}{'largest difference':>21}")
    for name in networks():
        mine, theirs = measured(name, "ours", points), measured(name, "torch.func", points)
        left = f"{mine[0]:7.2f} s {mine[1]:5.0f} MB"
        if theirs is None:
            print(f"{name:28}{left}{'out of memory':>20}")
            continue
        gap = np.abs(mine[2] - theirs[2]).max() / np.abs(theirs[2]).max()
        print(
            f"{name:28}{left}{theirs[0]:11.2f} s {theirs[1]:5.0f} MB{theirs[0] / mine[0]:8.1f}{gap:21.1e}"
        )
    information()


if __name__ == "__main__":
    main()
