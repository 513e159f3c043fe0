r"""Kernel, output and tangent kernel of random networks of finite width at one input.

With :math:`z_1 = \sqrt{C} w \cdot x + \sqrt{C_b} b`, :math:`z_{l+1} = \sqrt{C/n}\, W f_l + \sqrt{C_b}\, b` and
:math:`f_l = \varphi(z_l)`, all parameters standard normal, the kernel is :math:`C |f_L|^2/n + C_b`. The tangent
kernel is the sum of the squared slopes of the output in all parameters, of all layers.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

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


class Drawn(NamedTuple):
    """Numbers of every network, ``[network]``."""

    kernel: Tensor
    output: Tensor
    tangent: Tensor  # NaN where no weights are drawn


@run_of(Config)
def run(config: Config, session: Session[Config]) -> RunResult:
    """Draw the networks of every seed.

    Args:
        config: the configuration.
        session: counts the seeds, and says on which device they are drawn.

    Returns:
        ``kernel``, ``output`` and ``tangent``, ``[seed, network]``, in squared units of the input, units of the input
        and squared units of the input; the tangent kernel is NaN for ``draw="units"``.

    >>> trace = run(Config(width=10, depth=1, networks=20, seeds=2))
    >>> trace["kernel"].shape
    (2, 20)
    """
    rows = []
    with session.bar(config.activation, config.seeds, "seed") as progress_bar:
        for seed in config.seed_numbers:
            rows.append(draw(config, seed, session.device))
            progress_bar.update()
    kernel, output, tangent = (
        torch.stack(values).cpu().numpy() for values in zip(*rows, strict=True)
    )
    return RunResult(
        {
            "kernel": (LAW, kernel, "kernel above the last hidden layer (input^2)"),
            "output": (LAW, output, "output (input)"),
            "tangent": (LAW, tangent, "tangent kernel (input^2)"),
        },
        {"network": (np.arange(config.networks), {})},
    )


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


def _kernel(config: Config, features: Tensor) -> Tensor:
    """Return the variance of a unit above features ``[network, width]``."""
    mean_square = features.square().mean(1)
    return config.weight_variance * mean_square + config.bias_variance


def _by_units(
    config: Config, function: Callable[[Tensor], Tensor], count: int, stream: torch.Generator
) -> Drawn:
    kernel = torch.full((count,), config.weight_variance * config.norm + config.bias_variance)
    kernel = kernel.to(stream.device, torch.float64)
    for _ in range(config.depth):
        units = kernel.sqrt()[:, None] * _normal(stream, count, config.width)
        kernel = _kernel(config, function(units))
    output = kernel.sqrt() * _normal(stream, count)
    return Drawn(kernel, output, torch.full_like(output, torch.nan))


def _by_weights(
    config: Config, function: Callable[[Tensor], Tensor], count: int, stream: torch.Generator
) -> Drawn:
    width, weight, bias = config.width, config.weight_variance**0.5, config.bias_variance**0.5
    below = torch.full((count, 1), config.norm**0.5, dtype=torch.float64, device=stream.device)
    matrices, squares, slopes = [], [], []
    for _ in range(config.depth):
        scale = weight / below.shape[1] ** 0.5
        matrix = scale * _normal(stream, count, width, below.shape[1])
        squares.append(_kernel(config, below))
        units = (matrix @ below[:, :, None])[:, :, 0] + bias * _normal(stream, count, width)
        units.requires_grad_()
        features = function(units)
        (slope,) = torch.autograd.grad(features.sum(), units)
        below = features.detach()
        matrices.append(matrix)
        slopes.append(slope)
    readout = weight / width**0.5 * _normal(stream, count, width)
    output = (readout * below).sum(1) + bias * _normal(stream, count)
    kernel = _kernel(config, below)
    tangent, gradient = kernel.clone(), readout
    for matrix, square, slope in reversed(list(zip(matrices, squares, slopes, strict=True))):
        gradient = gradient * slope
        tangent += square * gradient.square().sum(1)
        gradient = (gradient[:, None, :] @ matrix)[:, 0, :]
    return Drawn(kernel, output, tangent)
