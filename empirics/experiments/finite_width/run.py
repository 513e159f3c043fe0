r"""Kernel, output and tangent kernel of random networks of finite width at one input, and kernels of two.

With :math:`z_1 = \sqrt{C} w \cdot x + \sqrt{C_b} b`, :math:`z_{l+1} = \sqrt{C/n}\, W f_l + \sqrt{C_b}\, b` and
:math:`f_l = \varphi(z_l)`, all parameters standard normal, the kernel is :math:`C |f_L|^2/n + C_b`. The tangent
kernel is the sum of the squared slopes of the output in all parameters, of all layers. Of two inputs *x* and *y* the
kernel matrix has the entries :math:`C f_L(x) \cdot f_L(y)/n + C_b`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor

from empirics.experiments.finite_width.config import Config
from empirics.networks.functions import from_text
from empirics.runs.session import RunResult, Session, run_of
from empirics.seeding import generator

__all__ = ["Config", "draw", "run"]

AT_ONCE = 4_000_000  # weights of a layer in memory
LAW = ("seed", "network")
PAIRS = {"xx": (0, 0), "xy": (0, 1), "yy": (1, 1)}
"""Entries of the kernel matrix of two inputs, and the inputs of each; one input has the first alone."""


class Drawn(NamedTuple):
    """Numbers of every network, ``[network]``."""

    kernel: Tensor
    output: Tensor
    tangent: Tensor  # NaN where no weights are drawn
    matrix: Tensor  # kernels of both inputs, ``[network, entry]``; of one, its own alone


@run_of(Config)
def run(config: Config, session: Session[Config]) -> RunResult:
    """Draw the networks of every seed.

    Args:
        config: the configuration.
        session: counts the seeds, and says on which device they are drawn.

    Returns:
        ``kernel``, ``output`` and ``tangent``, ``[seed, network]``, in squared units of the input, units of the input
        and squared units of the input; the tangent kernel is NaN for ``draw="units"``. They are of the first input.
        With a second one ``matrix``, ``[seed, network, entry]``, has the kernels xx, xy and yy.

    >>> trace = run(Config(width=10, depth=1, networks=20, seeds=2))
    >>> trace["kernel"].shape
    (2, 20)
    """
    rows = []
    with session.bar(config.activation, config.seeds, "seed") as progress_bar:
        for seed in config.seed_numbers:
            rows.append(draw(config, seed, session.device))
            progress_bar.update()
    kernel, output, tangent, matrix = (
        torch.stack(values).cpu().numpy() for values in zip(*rows, strict=True)
    )
    numbers: dict[str, tuple[tuple[str, ...], Any, str]] = {
        "kernel": (LAW, kernel, "kernel above the last hidden layer (input^2)"),
        "output": (LAW, output, "output (input)"),
        "tangent": (LAW, tangent, "tangent kernel (input^2)"),
    }
    coordinates: dict[str, tuple[Any, Any]] = {"network": (np.arange(config.networks), {})}
    if config.other_norm is not None:
        numbers["matrix"] = ((*LAW, "entry"), matrix, "kernels of both inputs (input^2)")
        coordinates["entry"] = (list(PAIRS), {})
    return RunResult(numbers, coordinates)


def draw(config: Config, seed: int, device: torch.device | str = "cpu") -> Drawn:
    """Draw the networks of a seed.

    Args:
        config: the configuration.
        seed: the seed.
        device: where they are drawn. Default: "cpu".
    """
    stream = generator(seed, "weights", device)
    function = from_text("activation", config.activation)
    if config.draw == "units":
        return _by_units(config, function, config.networks, stream)
    at_once = max(1, AT_ONCE // config.width**2)
    counts = [at_once] * (config.networks // at_once)
    counts += [config.networks % at_once] if config.networks % at_once else []
    parts = [_by_weights(config, function, count, stream) for count in counts]
    return Drawn(*(torch.cat(values) for values in zip(*parts, strict=True)))


def _normal(stream: torch.Generator, *shape: int) -> Tensor:
    return torch.randn(shape, generator=stream, dtype=torch.float64, device=stream.device)


def _matrix(config: Config, features: Tensor) -> Tensor:
    """Return the kernels of a unit above features ``[network, unit, input]``, ``[network, entry]``."""
    mean_products = [
        (features[..., a] * features[..., b]).mean(1)
        for a, b in list(PAIRS.values())[: 2 * features.shape[-1] - 1]
    ]
    entries = torch.stack(mean_products, -1)
    return config.weight_variance * entries + config.bias_variance


def _units(matrix: Tensor, normal: Tensor) -> Tensor:
    """Return units ``[network, unit, input]`` with the kernels ``[network, entry]`` from standard normal numbers."""
    kernel = matrix[:, :1]
    first = kernel.sqrt() * normal[..., 0]
    if matrix.shape[1] == 1:
        return first[..., None]
    between, other = matrix[:, 1:2], matrix[:, 2:]
    # of a network whose units are all 0, neither input has any
    slope = torch.where(kernel > 0, between / kernel, 0)
    rest = (other - slope * between).clamp(min=0)
    return torch.stack((first, slope * first + rest.sqrt() * normal[..., 1]), -1)


def _by_units(
    config: Config, function: Callable[[Tensor], Tensor], count: int, stream: torch.Generator
) -> Drawn:
    products = torch.tensor(list(config.inner_products.values()), dtype=torch.float64)
    products = products.to(stream.device).expand(count, -1)
    matrix = config.weight_variance * products + config.bias_variance
    inputs = 1 if config.other_norm is None else 2
    for _ in range(config.depth):
        normal = _normal(stream, count, config.width, inputs)
        matrix = _matrix(config, function(_units(matrix, normal)))
    kernel = matrix[:, 0]
    output = kernel.sqrt() * _normal(stream, count)
    return Drawn(kernel, output, torch.full_like(output, torch.nan), matrix)


def _inputs(config: Config) -> Tensor:
    """Return the inputs ``[direction, input]``, times the root of the number of directions."""
    size = config.norm**0.5
    if config.other_norm is None:
        return torch.tensor([[size]], dtype=torch.float64)
    other, sine = config.other_norm**0.5, (1 - config.cosine**2) ** 0.5
    points = [[size, other * config.cosine], [0, other * sine]]
    return 2**0.5 * torch.tensor(points, dtype=torch.float64)


def _by_weights(
    config: Config, function: Callable[[Tensor], Tensor], count: int, stream: torch.Generator
) -> Drawn:
    width, weight, bias = config.width, config.weight_variance**0.5, config.bias_variance**0.5
    below = _inputs(config).to(stream.device).expand(count, -1, -1)
    matrices, squares, slopes = [], [], []
    for _ in range(config.depth):
        scale = weight / below.shape[1] ** 0.5
        matrix = scale * _normal(stream, count, width, below.shape[1])
        squares.append(_matrix(config, below)[:, 0])
        units = matrix @ below + bias * _normal(stream, count, width, 1)
        units.requires_grad_()
        features = function(units)
        (slope,) = torch.autograd.grad(features.sum(), units)
        below = features.detach()
        matrices.append(matrix)
        slopes.append(slope[..., 0])
    readout = weight / width**0.5 * _normal(stream, count, width)
    output = (readout * below[..., 0]).sum(1) + bias * _normal(stream, count)
    kernels = _matrix(config, below)
    tangent, gradient = kernels[:, 0].clone(), readout
    for matrix, square, slope in reversed(list(zip(matrices, squares, slopes, strict=True))):
        gradient = gradient * slope
        tangent += square * gradient.square().sum(1)
        gradient = (gradient[:, None, :] @ matrix)[:, 0, :]
    return Drawn(kernels[:, 0], output, tangent, kernels)
