r"""Principal components of the tangent kernel: their information on the labels, and learning with the frozen kernel.

Figures 8, 9 and 10 and footnote 6 of Paccolat et al. (2021). Components, kernel learning and dimensions use points that
the network was not trained on, so that the kernel contains no information on their labels beyond what generalises.

Two properties of a tangent kernel after compression: its form in the uninformative coordinates, and its RKHS norm.

After compression the kernel should be :math:`\Theta_1(x_\parallel, z_\parallel) + \Theta_2(x_\parallel, z_\parallel)\,
x_\perp\cdot z_\perp` (Eq. 10 of Paccolat et al. 2021): with the informative coordinates of both points held fixed, a
straight line in :math:`x_\perp\cdot z_\perp`. The RKHS norm of the labels is :math:`y^\top K^{-1} y`, with *K* divided
by its mean diagonal; the sum over all components of :math:`\omega^2/\lambda` is the same number. After training *K* is
singular, since many neurons are active at the same points, so that a small ridge is added to it before and after.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import torch
from torch import Tensor

from empirics.experiments.compression.kernel_components_config import KERNELS, Config
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

RIDGE = 1e-3  # in units of the mean diagonal
ROUNDING = 1e-20  # of squared kernels
# Pairs of informative coordinates, and draws of the others for either point of a pair. The kernel bends where a pair is
# close to a neuron's hyperplane, and few pairs are: 12 of them gave shares that were off by a factor of a hundred.
PAIRS, COPIES = 120, 12

__all__ = ["KERNELS", "Config", "run"]

PLANE = 2  # components whose values are stored, for Figure 10
COMPONENT = ("seed", "kernel", "component")
VARIABLES = {
    "eigenvalue": (COMPONENT, "eigenvalue of the Gram matrix divided by the number of points"),
    "projection": (COMPONENT, "fraction of the labels along the component"),
    "information": (COMPONENT, "mutual information of component and label (bits)"),
    "plane": (("seed", "kernel", "point", "axis"), "values of the first two components"),
    "label": (("seed", "point"), "labels of the points of the components"),
    "kernel_error": (
        ("seed", "kernel"),
        "fraction of test points with the wrong label under the frozen kernel",
    ),
    "kernel_fitted": (
        ("seed", "kernel"),
        "fraction of its training points that the frozen kernel fits",
    ),
    "label_norm": (
        ("seed", "kernel"),
        "squared RKHS norm of the labels over their number, with a small ridge",
    ),
    "beyond_linear": (
        ("seed", "kernel"),
        "share of the variance over other coordinates beyond Eq. (10)",
    ),
    "effective_dimension": (
        ("seed", "kernel"),
        "dimension of the last layer, from distances in subsets of the points",
    ),
    "two_neighbour_dimension": (
        ("seed", "kernel"),
        "dimension of the last layer, from the two nearest neighbours",
    ),
    "input_dimension": (
        ("seed",),
        "dimension of the inputs, from distances in subsets of the points",
    ),
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
    for learner in session.bar(
        "kernel components", config.realisations, "network", initial=done, over=learners
    ):
        parts.add(_measure(config, learner))
    coordinates: dict[str, tuple[Any, dict[str, str]]] = {
        "kernel": (np.asarray(config.kernels, dtype=str), {}),
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
    estimates = {
        "effective_dimension": effective_dimension,
        "two_neighbour_dimension": two_neighbour_dimension,
    }
    none = dict.fromkeys(estimates, torch.tensor(float("nan")))
    if not kernel.endswith("last_layer"):
        return none
    activations = learner.last_layer(kernel, _unseen(learner))
    if len(torch.unique(activations, dim=0)) < FEWEST * 2**HALVINGS:
        return none
    return {name: torch.tensor(estimate(activations)) for name, estimate in estimates.items()}


def _measure(config: Config, learner: Learner) -> dict[str, Tensor]:
    (x, y), (x_test, y_test) = learner.fresh, learner.test
    by_kernel: dict[str, list[Tensor]] = {name: [] for name in VARIABLES}
    for kernel in config.kernels:
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
        "input_dimension": torch.tensor(
            effective_dimension(_unseen(learner).flatten(1)), dtype=torch.float64
        ),
        "network_error": wrong_share(learner.predictor(x_test), y_test),
        "fitted": torch.tensor(learner.fitted, dtype=torch.float64),
    }


def beyond_linear(gram: Callable[[Tensor, Tensor], Tensor], x: Tensor) -> float:
    r"""Return the share of the variance over uninformative coordinates that :math:`x_\perp\cdot z_\perp` leaves open.

    Of at least 240 points ``[N, d]`` the first 240 give the first, informative coordinate of the pairs and others, in
    turn, the uninformative ones. The share is between 0 (the form of Eq. 10) and 1.
    """
    if len(x) < 2 * PAIRS:
        raise ValueError(f"x: got {len(x)} points, needs at least {2 * PAIRS}")
    left, right = (_copies(x, start) for start in (0, PAIRS))
    kernel = gram(left.reshape(-1, x.shape[1]), right.reshape(-1, x.shape[1])).double()
    blocks = kernel.reshape(PAIRS, COPIES, PAIRS, COPIES).diagonal(dim1=0, dim2=2).permute(2, 0, 1)
    across = left[..., 1:].double() @ right[..., 1:].double().mT
    values, slopes = (
        block.flatten(1) - block.flatten(1).mean(1, keepdim=True) for block in (blocks, across)
    )
    explained = (values * slopes).sum(1).square() / slopes.square().sum(1)
    total = values.square().sum()
    varies = total > ROUNDING * blocks.square().sum()  # where nothing does, nothing is left open
    return float(1 - explained.sum() / total) if varies else 0.0


def _copies(x: Tensor, start: int) -> Tensor:
    """Return points ``[pair, copy, d]`` that share their informative coordinate within a pair."""
    rows = torch.arange(PAIRS * COPIES, device=x.device).reshape(PAIRS, COPIES)
    # so that no point takes its coordinates from the other one of its pair
    half = len(x) // 2 if start else 0
    drawn = x[(rows * 7 + half) % len(x)].clone()
    drawn[..., :1] = x[start : start + PAIRS, None, :1]
    return drawn


def label_norm(gram: Tensor, labels: Tensor) -> float:
    """Return the squared RKHS norm of the labels, divided by their number, with the mean diagonal scaled to one."""
    matrix, y = (gram / gram.diagonal().mean()).double(), labels.double()
    factor = torch.linalg.cholesky(
        matrix + RIDGE * torch.eye(len(matrix), dtype=matrix.dtype, device=matrix.device)
    )
    return float(y @ torch.cholesky_solve(y[:, None], factor)[:, 0]) / len(y)
