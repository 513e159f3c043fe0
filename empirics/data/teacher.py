r"""Teachers with a known inner dimension: :math:`f^* = g_m \circ \dots \circ g_1` through spaces of chosen dimensions.

Inputs are Gaussian, and each g is a random network with one hidden layer (or one residual block). Every inner code is
whitened (mean zero, covariance I over all points), so that no direction is too weak to be worth its cost. Inputs and
targets are centred and divided by one number, so that their mean square per coordinate is one. Both operations use
training and test points together.

A *signed* code surrounds the origin: no representation with non-negative entries is linear in it and has its rank k.
With one more direction (the mean) there is one, of rank k + 1, and one that is affine in the code, each of k units
shifted until it is positive, has rank k. A *non-negative* code (after a ReLU) is one of rank k itself.
"""

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from closedform import checks
from empirics import seeding
from empirics.data.names import CODES, KINDS, Code, Kind
from empirics.tensor_checks import memory_for

SHIFT = 0.5  # standard deviation of a hidden unit's bias, relative to that of its input


@dataclass(frozen=True)
class TeacherData:
    """Training and test points; columns are points."""

    x: Tensor  # [input, point], dimensionless
    y: Tensor  # [output, point], dimensionless
    x_test: Tensor
    y_test: Tensor
    # the inner codes at the training points, each [inner dimension, point]
    codes: tuple[Tensor, ...]


def teacher_data(
    seed: int,
    dimensions: Sequence[int],
    points: int,
    *,
    test_points: int = 0,
    hidden: int = 20,
    kind: Kind = "fcnn",
    code: Code = "signed",
    bias: bool = True,
) -> TeacherData:
    """Draw a teacher and points on the CPU in float64; a seed gives the same data everywhere.

    ``dimensions`` are those of input, inner codes and output, ``hidden`` units are those of each g. ValueError for
    arguments out of range. A "resnet" is linear into ``hidden`` units, one residual block, linear out.
    """
    checks.sizes("dimensions", dimensions)
    checks.require(len(dimensions) > 1, "dimensions", list(dimensions), "two or more")
    checks.size("hidden", hidden)
    checks.size("points", points)
    inner_dimensions = dimensions[1:-1]
    checks.require(
        points > max(inner_dimensions, default=1),
        "points",
        points,
        "more than the largest inner dimension",
    )
    checks.size("test_points", test_points, 0)
    checks.one_of("kind", kind, KINDS)
    checks.one_of("code", code, CODES)
    stream = seeding.generator(seed, "teacher")
    codes = []
    with memory_for(
        dimensions=max(dimensions), points=points, test_points=test_points, hidden=hidden
    ):
        z = x = _normal(stream, dimensions[0], points + test_points)
        for last, (inner, outer) in enumerate(itertools.pairwise(dimensions), start=2):
            z = _map(stream, z, inner, outer, hidden, kind, bias)
            if last < len(dimensions):
                z = _whitened(z)
                z = z.clamp_min(0) if code == "nonnegative" else z
                codes.append(z[:, :points])
        x, y = _standard(x), _standard(z)
    return TeacherData(x[:, :points], y[:, :points], x[:, points:], y[:, points:], tuple(codes))


def _map(
    stream: torch.Generator, z: Tensor, inner: int, outer: int, hidden: int, kind: str, bias: bool
) -> Tensor:
    into = _normal(stream, hidden, inner) / math.sqrt(inner) @ z
    if kind == "resnet":
        block = _normal(stream, hidden, hidden) * math.sqrt(2 / hidden)
        into = into + block @ _hidden(
            stream, _normal(stream, hidden, hidden) / math.sqrt(hidden) @ into, bias
        )
    else:
        into = _hidden(stream, into, bias)
    return _normal(stream, outer, hidden) / math.sqrt(hidden) @ into


def _hidden(stream: torch.Generator, preactivations: Tensor, bias: bool) -> Tensor:
    shift = SHIFT * _normal(stream, len(preactivations), 1)
    return (preactivations + shift if bias else preactivations).clamp_min(0)


def _normal(stream: torch.Generator, *shape: int) -> Tensor:
    return torch.randn(shape, generator=stream, dtype=torch.float64)


def _whitened(z: Tensor) -> Tensor:
    z = z - z.mean(1, keepdim=True)
    values, vectors = torch.linalg.eigh(z @ z.T / z.shape[1])
    white: Tensor = vectors / values.sqrt() @ vectors.T @ z
    return white


def _standard(z: Tensor) -> Tensor:
    z = z - z.mean(1, keepdim=True)
    return z / z.square().mean().sqrt()
