"""Continuation of Leaky ResNets in the effective depth: each starts from the stretched network of the one before.

Adam, and optimisers after it, find networks at large effective depths whose gradients stay large, or minima that keep
more directions than they need. Near a minimum at a smaller effective depth there is one at a larger.
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np
import torch

from empirics.networks.leaky_resnet import stretched
from empirics.training.leaky_objective import Objective
from empirics.training.leaky_resnet import train_leaky
from empirics.training.leaky_schedule import LeakySchedule, LeakyTraining


def train_continued(
    objectives: Iterable[Objective], schedule: LeakySchedule, *, stop_on_divergence: bool = True, progress: bool = True
) -> LeakyTraining:
    """Train the networks of the first objective, then those of each further one without Adam, from stretched weights.

    The second optimiser must be one with a smoothed ReLU. The result has all networks, the objectives one after
    another, and of each the last record.
    """
    parts: list[LeakyTraining] = []
    for problem in objectives:
        if parts:
            problem.nets.weights = stretched(parts[-1].nets, problem.nets.depth).weights
        parts.append(train_leaky(
            problem, replace(schedule, adam=0) if parts else schedule, stop_on_divergence=stop_on_divergence,
            progress=progress, label=f"effective depth {float(problem.nets.depth[0]):g}",
        ))  # fmt: skip
    recorded = ("cost", "penalty", "residual")
    names = ("depth", "rho", "weights", "input_map", "output_map")
    together: Any = {name: torch.cat([getattr(one.nets, name) for one in parts]) for name in names}
    return LeakyTraining(
        nets=replace(parts[0].nets, **together),
        steps=np.array([schedule.adam + schedule.polishing]),
        **{name: np.concatenate([getattr(one, name)[-1:] for one in parts], axis=1) for name in recorded},
        **{name: np.concatenate([getattr(one, name) for one in parts]) for name in ("at_kink", "smoothed_residual")},
        smoothing=torch.cat([one.smoothing for one in parts if one.smoothing is not None]),
    )  # fmt: skip
