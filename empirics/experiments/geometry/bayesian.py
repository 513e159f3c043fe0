r"""Metric of Bayesian networks of finite width that interpolate one training example, from exact posterior samples.

The network :math:`f(x) = n^{-1/2} v \cdot \varphi(W x)` has standard Gaussian priors on v and W, no biases, the
activation :math:`\varphi(z) = z^q/\sqrt{(2q - 1)!!}`, and is conditioned on :math:`f(x_a) = y` without noise, with
:math:`\|x_a\| = 1`. Given W, the output at :math:`x_a` is Gaussian with variance :math:`K = \|\varphi(W x_a)\|^2/n`, so
that the posterior of W has the density :math:`K^{-1/2} e^{-y^2/2K}` relative to the prior. This is largest at
:math:`K = y^2`, so that rejection gives independent samples of the exact posterior. The expansion in 1/n with which
they are compared is in ``theory.geometry``.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch import Tensor

from empirics.experiments.geometry.widths_config import BayesianConfig as Config
from empirics.runs.session import RunResult, Session, run_of
from empirics.seeding import generator

__all__ = ["Config", "run"]

LAW = ("width", "realisation", "input")


@run_of(Config)
def run(config: Config, session: Session[Config]) -> RunResult:
    """Draw the networks and average their metric and volume element over every batch, at every input.

    Returns:
        ``metric`` in 1/input^2, ``[width, realisation, input, i, j]``, and ``volume_element`` in 1/input^d,
        ``[width, realisation, input]``, both averages over the networks of a batch.
    """
    angles = np.linspace(0.0, np.pi / 2, config.inputs)
    x = torch.zeros(config.inputs, config.dimension, dtype=torch.float64, device=session.device)
    x[:, 0], x[:, 1] = torch.as_tensor(np.cos(angles)), torch.as_tensor(np.sin(angles))
    shape = (len(config.widths), config.realisations, config.inputs)
    metric, volume = np.empty((*shape, config.dimension, config.dimension)), np.empty(shape)
    with session.bar(
        str(config), len(config.widths) * config.realisations, "batch"
    ) as progress_bar:
        for i, width in enumerate(config.widths):
            for k in range(config.realisations):
                weights = draw(config, width, config.first_seed + i * config.realisations + k).to(
                    session.device
                )
                for j, point in enumerate(x):
                    g = metrics(config, weights, point)
                    metric[i, k, j] = g.mean(dim=0).cpu().numpy()
                    volume[i, k, j] = torch.linalg.det(g).clamp_min(0).sqrt().mean().item()
                progress_bar.update()
    variables = {
        "metric": ((*LAW, "i", "j"), metric, "posterior mean of the metric (1/input^2)"),
        "volume_element": (LAW, volume, "posterior mean of sqrt(det g) (1/input^d)"),
    }
    coordinates: dict[str, tuple[Any, dict[str, str]]] = {
        "width": (np.array(config.widths), {"long_name": "hidden units"}),
        "realisation": (np.arange(config.realisations), {}),
        "input": (angles, {"long_name": "angle between input and training input (rad)"}),
    }
    return RunResult(variables, coordinates)


def draw(config: Config, width: int, seed: int) -> Tensor:
    r"""Draw first-layer weights from the posterior, ``[network, unit, d]``, float64; x_a is the first axis.

    Proposals from the prior are accepted with the probability :math:`e^{(1 + \ln u - u)/2}`, :math:`u = y^2/K`.
    """
    stream = generator(seed, "weights")
    accepted: list[Tensor] = []
    while sum(map(len, accepted)) < config.draws:
        weights = torch.randn(
            config.draws, width, config.dimension, generator=stream, dtype=torch.float64
        )
        u = config.squared_target / config.activation(weights[..., 0]).square().mean(dim=1)
        chance = torch.exp((1 + u.log() - u) / 2)
        accepted.append(
            weights[torch.rand(config.draws, generator=stream, dtype=torch.float64) < chance]
        )
    return torch.cat(accepted)[: config.draws]


def metrics(config: Config, weights: Tensor, x: Tensor) -> Tensor:
    """Return the metric of every network at one input, ``[network, d, d]``, from ``weights`` ``[network, unit, d]``."""
    scaled = config.slope(weights @ x)[..., None] * weights
    return scaled.mT @ scaled / weights.shape[1]
