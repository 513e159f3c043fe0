"""The schedule and the result of the training of Leaky ResNets; see :mod:`empirics.training.leaky_resnet`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from torch import Tensor

from empirics.networks.leaky_resnet import LeakyResNets


@dataclass(frozen=True)
class LeakySchedule:
    """Settings of the training of Leaky ResNets: Adam, then L-BFGS, plain or smoothed, or SGD with momentum 0.9."""

    adam: int = 2000  # steps
    rate: float = 0.05  # of Adam; its last step has 1 % of it
    # fraction of Adam's steps in which the regulariser grows to its full value
    warm_up: float = 0.6
    warm_from: float = 0.01  # fraction of the regulariser at the start
    polish: Literal["lbfgs", "smoothed", "gauss_newton", "newton", "sgd"] = "lbfgs"
    polishing: int = 500  # steps of the second optimiser
    sgd_rate: float = 1e-3  # its last step has 1 % of it
    # steps between two updates of the mesh by the adaptive rule; 0 keeps it fixed
    mesh_every: int = 0
    relaxation: float = 1.0  # of the adaptive rule
    record_every: int = 100  # steps between two records


@dataclass
class LeakyTraining:
    """Result of training a batch of Leaky ResNets."""

    nets: LeakyResNets
    steps: NDArray[np.int64]  # number of steps made before each record, [record]
    cost: NDArray[np.float64]  # C, [record, net]
    penalty: NDArray[np.float64]  # regulariser at its full λ, [record, net]
    # relative distance from a critical point, [record, net]; Objective.residual
    residual: NDArray[np.float64]
    # fraction of the entries of A_0 ... A_{L-1} on a kink of the ReLU at the end, [net]
    at_kink: NDArray[np.float64]
    # with the ReLU smoothed as in the last stage, [net]
    smoothed_residual: NDArray[np.float64] | None = None
    smoothing: Tensor | None = None  # widths of the ReLU of that stage, [net, layer]
