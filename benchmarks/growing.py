"""Times of this package at sizes n, 10 n and 100 n."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import geometry_deep_kernel_matrix as kernels
import numpy as np
import torch
import two_point_trajectory as trajectories
from formulas import GRID, network
from measures import collapse_data
from side_by_side import Call, growth
from torch import nn

from empirics import measure
from theory import activations, geometry


def kernel_matrix(inputs: int) -> Call:
    """Return the NNGP matrix of ReLU for a number of inputs."""
    X = np.random.default_rng(0).normal(size=(inputs, kernels.DIMENSION))
    return lambda: geometry.kernel_matrix(
        activations.RELU, X, sigma=kernels.SIGMA, zeta=kernels.ZETA
    )


def curvature(width: int) -> Call:
    """Return the curvature of a network of two inputs and of the given width at 1600 points."""
    weights, biases = network(width)
    return lambda: geometry.shallow.scalar_curvature(weights, biases, GRID, activations.ERF)


def collapse(dimension: int) -> Call:
    """Return NC1 of 2000 samples of a dimension."""
    x, y = collapse_data(dimension, 2000)
    return lambda: measure.neural_collapse(x, y).nc1


def tangent_kernel(points: int) -> Call:
    """Return the tangent kernel of a fully connected network for a number of points."""
    torch.manual_seed(0)
    net, x = (
        nn.Sequential(nn.Linear(20, 100), nn.GELU(), nn.Linear(100, 1)),
        torch.randn(points, 20),
    )
    return lambda: measure.neural_tangent_gram(net, x)


def trajectory(length: int) -> Call:
    """Return the two-point trajectory at a number of times."""
    t = np.linspace(0, 6000, length)
    return lambda: trajectories.closed_form(t)


JOBS: dict[str, tuple[str, tuple[int, int, int], Callable[[int], Call]]] = {
    "NNGP matrix of ReLU": ("N", (60, 600, 6000), kernel_matrix),
    "curvature, d = 2, 1600 points": ("width", (20, 200, 2000), curvature),
    "NC1, 2000 samples": ("D", (160, 1600, 16_000), collapse),
    "tangent kernel of an MLP": ("N", (30, 300, 3000), tangent_kernel),
    "two-point trajectory": ("points", (3000, 30_000, 300_000), trajectory),
}


def growths() -> Iterator[dict]:
    """Yield the growth of each job; one that fails says why."""
    for job, (unit, sizes, make) in JOBS.items():
        try:
            line = growth(job, unit, sizes, make)
        except Exception as error:
            yield {"job": job, "failed": f"{type(error).__name__}: {error}"}
            continue
        print(f"{job}: {unit}^{line['exponent']:.2f}", flush=True)
        yield line
