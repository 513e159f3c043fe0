"""What the tangent kernel's principal components know of the labels, before and after training; and what it can learn.

Figures 8, 9 and 10 of Paccolat et al. (2021). Components and kernel learning use points that the network was not
trained with: what the kernel knows of them it has not been told.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import torch
from torch import Tensor

from empirics.experiments.compression.kernel_components_config import KERNELS, Config
from empirics.experiments.compression.learners import Images, Learner, stripes
from empirics.experiments.session import Record, Session, run_of
from empirics.measure.kernel_components import gram_components
from empirics.training.kernel_flow import kernel_flow

__all__ = ["KERNELS", "Config", "run"]

PLANE = 2  # components whose values are kept, for the plane of Figure 10
COMPONENT = ("seed", "kernel", "component")
VARIABLES = {
    "eigenvalue": (COMPONENT, "of the Gram matrix over the number of points"),
    "projection": (COMPONENT, "share of the labels along the component"),
    "information": (COMPONENT, "between component and label (bits)"),
    "plane": (("seed", "kernel", "point", "axis"), "the first two components"),
    "label": (("seed", "point"), "of the points of the components"),
    "kernel_error": (("seed", "kernel"), "share of test points that the frozen kernel gets wrong"),
    "kernel_fitted": (("seed", "kernel"), "share of the points that the frozen kernel fits"),
    "network_error": (("seed",), "share of test points that the network gets wrong"),
    "fitted": (("seed",), "share of its training points that the network fits"),
}


@run_of(Config, dtype="float32")
def run(config: Config, session: Session[Config]) -> Record:
    """Train the networks of ``config`` and take their kernels apart.

    Returns:
        Dataset with dimensions ``seed``, ``kernel`` (initial, final, and either of the last layer alone),
        ``component``, and ``point`` (those of the components).

    Raises:
        ValueError: if the device is not there, or the data are not.
        FileNotFoundError: if the data files are not in the directory.
        ModuleNotFoundError: if the digits are asked for without scikit-learn.
    """
    parts = session.parts()
    done = len(parts.done)
    todo = _learners(config, session.device, done)
    for learner in session.bar("kernel components", config.realisations, "network", initial=done, over=todo):
        parts.add(_measure(config, learner))
    coordinates: dict[str, tuple[Any, dict[str, str]]] = {
        "kernel": (np.asarray(KERNELS, dtype=str), {}),
        "component": (np.arange(1, config.components + 1), {"long_name": "rank of the component"}),
        "axis": (np.arange(1, PLANE + 1), {}),
    }
    return Record(parts.stacked(VARIABLES), coordinates)


def _learners(config: Config, device: torch.device, done: int) -> Iterator[Learner]:
    """The trained networks that are left."""
    if done == config.realisations:
        return
    if config.task == "stripe":
        yield from stripes(config, device)[done:]
        return
    for seed in config.seed_numbers[done:]:
        yield Images(config, seed, device)


def _measure(config: Config, learner: Learner) -> dict[str, Tensor]:
    (x, y), (x_test, y_test) = learner.fresh, learner.test
    by_kernel: dict[str, list[Tensor]] = {name: [] for name in VARIABLES}
    for kernel in KERNELS:
        gram = learner.gram(kernel, x)
        gram = gram / gram.diagonal().mean()  # scales are arbitrary; the flow's steps do not care
        parts = gram_components(gram, y, components=config.components)
        learnt = kernel_flow(gram, y.to(gram.dtype), most_steps=config.kernel_steps)
        wrong = (learnt(learner.gram(kernel, x_test, x)) > 0) != (y_test > 0)
        values = {
            "eigenvalue": parts.eigenvalues, "projection": parts.projections, "information": parts.information,
            "plane": parts.components[:, :PLANE], "kernel_error": wrong.double().mean(),
            "kernel_fitted": torch.tensor(learnt.fitted),
        }  # fmt: skip
        for name, value in values.items():
            by_kernel[name].append(value.double().cpu())
    wrong = (learner.predictor(x_test) > 0) != (y_test > 0)
    return {name: torch.stack(rows) for name, rows in by_kernel.items() if rows} | {
        "label": y.double().cpu(),
        "network_error": wrong.double().mean().cpu(),
        "fitted": torch.tensor(learner.fitted, dtype=torch.float64),
    }
