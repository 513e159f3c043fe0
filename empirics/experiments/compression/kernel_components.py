"""Principal components of the tangent kernel: their information on the labels, and learning with the frozen kernel.

Figures 8, 9 and 10 and footnote 6 of Paccolat et al. (2021). Components, kernel learning and dimensions use points that
the network was not trained on, so that the kernel contains no information on their labels beyond what generalises.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import torch
from torch import Tensor

from empirics.experiments.compression.kernel_components_config import KERNELS, Config
from empirics.experiments.compression.kernel_form import PAIRS, beyond_linear, label_norm
from empirics.experiments.compression.learners import Learner, ParityNetwork, stripes
from empirics.experiments.compression.trained import wrong_share
from empirics.measure.compression.effective_dimension import (
    FEWEST,
    HALVINGS,
    effective_dimension,
    two_neighbour_dimension,
)
from empirics.measure.kernels.kernel_components import gram_components
from empirics.runs.session import RunResult, Session, run_of
from empirics.training.kernel_flow import kernel_flow

__all__ = ["KERNELS", "Config", "run"]

PLANE = 2  # components whose values are stored, for Figure 10
COMPONENT = ("seed", "kernel", "component")
VARIABLES = {
    "eigenvalue": (COMPONENT, "eigenvalue of the Gram matrix divided by the number of points"),
    "projection": (COMPONENT, "fraction of the labels along the component"),
    "information": (COMPONENT, "mutual information of component and label (bits)"),
    "plane": (("seed", "kernel", "point", "axis"), "values of the first two components"),
    "label": (("seed", "point"), "labels of the points of the components"),
    "kernel_error": (("seed", "kernel"), "fraction of test points with the wrong label under the frozen kernel"),
    "kernel_fitted": (("seed", "kernel"), "fraction of its training points that the frozen kernel fits"),
    "label_norm": (("seed", "kernel"), "squared RKHS norm of the labels over their number, with a small ridge"),
    "beyond_linear": (("seed", "kernel"), "share of the variance over other coordinates beyond Eq. (10)"),
    "effective_dimension": (("seed", "kernel"), "dimension of the last layer, from distances in subsets of the points"),
    "two_neighbour_dimension": (("seed", "kernel"), "dimension of the last layer, from the two nearest neighbours"),
    "input_dimension": (("seed",), "dimension of the inputs, from distances in subsets of the points"),
    "network_error": (("seed",), "fraction of test points with the wrong label under the network"),
    "fitted": (("seed",), "fraction of its training points that the network fits"),
}


@run_of(Config, dtype="float32")
def run(config: Config, session: Session[Config]) -> RunResult:
    """Train the networks of ``config`` and compute the components of their kernels.

    Returns:
        Dataset with dimensions ``seed``, ``kernel`` (initial and final, of all layers or of the last layer alone),
        ``component``, and ``point`` (the points of the components).
    """
    parts = session.parts()
    done = len(parts.done)
    learners = _learners(config, session.device, done)
    for learner in session.bar("kernel components", config.realisations, "network", initial=done, over=learners):
        parts.add(_measure(config, learner))
    coordinates: dict[str, tuple[Any, dict[str, str]]] = {
        "kernel": (np.asarray(KERNELS, dtype=str), {}),
        "component": (np.arange(1, config.components + 1), {"long_name": "rank of the component"}),
        "axis": (np.arange(1, PLANE + 1), {}),
    }
    return RunResult(parts.stacked(VARIABLES), coordinates)


def _learners(config: Config, device: torch.device, done: int) -> Iterator[Learner]:
    """Yield the trained networks that are not in the checkpoint."""
    if done == config.realisations:
        return
    if config.task == "stripe":
        yield from stripes(config, device)[done:]
        return
    for seed in config.seed_numbers[done:]:
        yield ParityNetwork(config, seed, device)


def _form(config: Config, learner: Learner, kernel: str) -> float:
    """Return how far the kernel is from the form of Eq. (10); NaN for images, whose invariances are not known."""
    if config.task != "stripe" or len(learner.fresh[0]) < 2 * PAIRS:
        return float("nan")
    return beyond_linear(lambda x, z: learner.gram(kernel, x, z), learner.fresh[0])


def _unseen(learner: Learner) -> Tensor:
    """Return all points that the network was not trained on."""
    return torch.cat([learner.fresh[0], learner.test[0]])


def _dimensions(learner: Learner, kernel: str) -> dict[str, Tensor]:
    """Return two estimates of the dimension of the last layer; NaN for other kernels and for too little activity."""
    estimates = {"effective_dimension": effective_dimension, "two_neighbour_dimension": two_neighbour_dimension}
    none = dict.fromkeys(estimates, torch.tensor(float("nan")))
    if not kernel.endswith("last_layer"):
        return none
    activations = learner.last_layer(kernel, _unseen(learner))
    if len(torch.unique(activations, dim=0)) < FEWEST * 2**HALVINGS:
        return none
    return {name: torch.tensor(estimate(activations)) for name, estimate in estimates.items()}


def _measure(config: Config, learner: Learner) -> dict[str, Tensor]:
    """Return all values of one network."""
    (x, y), (x_test, y_test) = learner.fresh, learner.test
    by_kernel: dict[str, list[Tensor]] = {name: [] for name in VARIABLES}
    for kernel in KERNELS:
        gram = learner.gram(kernel, x)
        gram = gram / gram.diagonal().mean()  # the flow does not depend on the scale
        components = gram_components(gram, y, components=config.components)
        predictor = kernel_flow(gram, y.to(gram.dtype), most_steps=config.kernel_steps)
        values = {
            "eigenvalue": components.eigenvalues, "projection": components.projections,
            "information": components.information, "plane": components.components[:, :PLANE],
            "kernel_error": wrong_share(predictor(learner.gram(kernel, x_test, x)), y_test),
            "kernel_fitted": torch.tensor(predictor.fitted),
            "label_norm": torch.tensor(label_norm(gram, y)),
            "beyond_linear": torch.tensor(_form(config, learner, kernel)),
            **_dimensions(learner, kernel),
        }  # fmt: skip
        for name, value in values.items():
            by_kernel[name].append(value.double().cpu())
    return {name: torch.stack(rows) for name, rows in by_kernel.items() if rows} | {
        "label": y.double().cpu(),
        "input_dimension": torch.tensor(effective_dimension(_unseen(learner).flatten(1)), dtype=torch.float64),
        "network_error": wrong_share(learner.predictor(x_test), y_test),
        "fitted": torch.tensor(learner.fitted, dtype=torch.float64),
    }
