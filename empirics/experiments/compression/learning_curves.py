"""Learning curves of the stripe and the cylinder in four regimes: lazy, lazy on compressed data, feature, final kernel.

Figures 2 and 7 (bottom) of Paccolat et al. (2021).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import torch
from torch import Tensor

from empirics.experiments.compression.learning_curves_config import REGIMES, Config
from empirics.experiments.compression.trained import (
    FRESH,
    TEST,
    TRAIN,
    Trained,
    compressed,
    draw,
    train,
    wrong_share,
)
from empirics.measure.kernels.shallow_kernel import analytic_tangent_gram, shallow_tangent_gram
from empirics.runs.session import RunResult, Session, run_of
from empirics.training.kernel_flow import KernelPredictor, kernel_flow, support_vectors

__all__ = ["Config", "run"]

SLICE = 1 << 25  # entries of a block of the kernel between test and training points
CELL = ("regime", "size", "seed")
VARIABLES = {
    "error": (CELL, "fraction of test points with the wrong label"),
    "fitted": (CELL, "fraction of training points with margin at least one"),
    "steps": (CELL, "steps of the solver"),
    "amplification": (("size", "seed"), "global amplification factor at t*"),
    "factor": (("size", "seed"), "factor by which the data were compressed"),
}
Kernel = Callable[..., Tensor]


@run_of(Config)
def run(config: Config, session: Session[Config]) -> RunResult:
    """Learn every realisation of every size in every regime.

    Returns:
        Dataset with dimensions ``regime``, ``size`` and ``seed``: test error, fraction of fitted training points and
        steps; ``amplification`` of the networks at t*; ``factor`` by which the data were compressed.
    """
    parts = session.parts("sizes")
    done, label = len(parts.done), f"learning curves, d = {config.dimension}"
    for size in session.bar(
        label, len(config.sizes), "size", initial=done, over=config.sizes[done:]
    ):
        parts.add(_size(config, size, session.device))
    coordinates: dict[str, tuple[Any, dict[str, str]]] = {
        "regime": (
            np.asarray([regime for regime in REGIMES if regime in config.regimes], dtype=str),
            {},
        ),
        "size": (np.asarray(config.sizes), {"long_name": "training points"}),
    }
    return RunResult(parts.stacked(VARIABLES, axis=-2), coordinates)


def _size(config: Config, size: int, device: torch.device) -> dict[str, Tensor]:
    """Return all values measured with ``size`` training points: ``[regime, seed]``, and ``[seed]`` for the factors."""
    networks = train(config, size, TRAIN, device) if "feature" in config.regimes else None
    cells = torch.full(
        (3, len(config.regimes), config.realisations), torch.nan, dtype=torch.float64
    )
    factor = torch.full((config.realisations,), torch.nan, dtype=torch.float64)
    for column, seed in enumerate(config.seed_numbers):
        points_of = partial(_points, config, seed, size, device)
        if "compressed" in config.regimes:
            factor[column] = _factor(config, size, networks, column)
        for row, regime in enumerate(config.regimes):
            cells[:, row, column] = _cell(
                config, regime, points_of, networks, column, float(factor[column])
            )
    values = dict(zip(("error", "fitted", "steps"), cells, strict=True)) | {"factor": factor}
    empty = torch.full_like(factor, torch.nan)
    return values | {"amplification": networks.amplification if networks else empty}


def _factor(config: Config, size: int, networks: Trained | None, column: int) -> float:
    if config.compression is not None:
        return config.compression * float(size**0.5)
    assert networks is not None  # Config guarantees this
    return float(networks.amplification[column])


def _points(
    config: Config, seed: int, size: int, device: torch.device, stream: int
) -> tuple[Tensor, Tensor]:
    count = config.test_points if stream == TEST else size
    x, y = draw(config.model, (count, config.dimension), seed, size, stream)
    return x.to(device), y.to(device)


def _cell(
    config: Config,
    regime: str,
    points_of: Callable[[int], Any],
    networks: Trained | None,
    column: int,
    factor: float,
) -> Tensor:
    """Return test error, fitted fraction and steps of one regime and realisation, ``[3]``."""
    x_test, y_test = points_of(TEST)
    if regime == "feature":
        assert networks is not None  # Config guarantees this
        error = wrong_share(networks.predictor(column, x_test), y_test)
        return torch.stack([error, networks.fitted[column], networks.steps[column].double()])
    kernel: Kernel = analytic_tangent_gram
    x, y = points_of(TRAIN)
    if regime == "compressed":
        x, x_test = (compressed(config.model, points, factor) for points in (x, x_test))
    elif regime == "final_kernel":
        assert networks is not None
        kernel = partial(shallow_tangent_gram, *networks.weights(column))
        x, y = points_of(FRESH)
    if config.kernel_method == "support_vectors":
        predictor = support_vectors(kernel(x), y)
    else:
        predictor = kernel_flow(kernel(x), y, most_steps=config.kernel_steps)
    error = wrong_share(predict(predictor, kernel, x_test, x), y_test)
    return torch.tensor([error, predictor.fitted, predictor.steps], dtype=torch.float64)


def predict(
    predictor: KernelPredictor, kernel: Kernel, points: Tensor, training: Tensor
) -> Tensor:
    """Return a kernel predictor ``[N]`` at new points ``[N, d]``, in blocks and with the support vectors only."""
    support = predictor.support
    reduced = KernelPredictor(
        predictor.weights[support], predictor.offset, predictor.steps, predictor.fitted
    )
    block = max(1, SLICE // max(1, len(support)))
    return torch.cat(
        [reduced(kernel(part, training[support])) for part in torch.split(points, block)]
    )
