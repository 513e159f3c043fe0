"""The schedule and the result of the training of Leaky ResNets; see :mod:`empirics.training.leaky_resnet`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from torch import Tensor

from closedform import checks
from empirics.networks.leaky_resnet import LeakyResNets


@dataclass(frozen=True)
class LeakySchedule:
    """Settings of the training of Leaky ResNets.

    Attributes:
        adam: steps of Adam, default 2000.
        rate: learning rate of Adam, default 0.05; its last step has 1 % of it.
        warm_up: fraction of Adam's steps in which the regulariser grows to its full value, 0 ... 1, default 0.6.
        warm_from: fraction of the regulariser at the start, positive, default 0.01.
        polish: second optimiser, ``"lbfgs"`` (default), ``"smoothed"`` (L-BFGS with a smoothed ReLU, see
            :mod:`empirics.training.leaky_smoothing`), ``"gauss_newton"`` (the same from the Gauss-Newton matrix, see
            :mod:`empirics.training.leaky_hessian`), ``"newton"`` (the smoothed one, and damped Newton steps at
            the end, see :mod:`empirics.training.damped_newton`) or ``"sgd"``.
        polishing: steps of the second optimiser, default 500; all with a smoothed ReLU end earlier where all networks
            are critical.
        sgd_rate: learning rate of SGD with momentum 0.9, default 1e-3; its last step has 1 % of it.
        mesh_every: steps between two updates of the mesh by the adaptive rule; 0 (default) keeps the mesh fixed.
        relaxation: relaxation of the adaptive rule, positive, default 1; see
            :func:`empirics.networks.leaky_mesh.adapted`.
        record_every: steps between two records, default 100.

    Raises:
        ValueError: if a value is out of range.
        TypeError: if a value is of the wrong kind.
    """

    adam: int = 2000
    rate: float = 0.05
    warm_up: float = 0.6
    warm_from: float = 0.01
    polish: Literal["lbfgs", "smoothed", "gauss_newton", "newton", "sgd"] = "lbfgs"
    polishing: int = 500
    sgd_rate: float = 1e-3
    mesh_every: int = 0
    relaxation: float = 1.0
    record_every: int = 100

    def __post_init__(self) -> None:
        for name, least in (("adam", 0), ("polishing", 0), ("mesh_every", 0), ("record_every", 1)):
            value = getattr(self, name)
            checks.size(name, value, least)
        for name in ("rate", "sgd_rate", "warm_from", "relaxation"):
            checks.real_number(name, getattr(self, name), above=0, most=checks.LARGEST_REAL)
        checks.real_number("warm_up", self.warm_up, least=0, most=1)
        checks.one_of("polish", self.polish, ("lbfgs", "smoothed", "gauss_newton", "newton", "sgd"))


@dataclass
class LeakyTraining:
    """Result of training a batch of Leaky ResNets.

    Attributes:
        nets: the trained networks.
        steps: number of steps made before each record, ``[record]``.
        cost: C, ``[record, net]``.
        penalty: regulariser at its full λ, ``[record, net]``.
        residual: relative distance from a critical point, ``[record, net]``, see
            :meth:`empirics.training.leaky_objective.Objective.residual`.
        at_kink: fraction of the entries of A_0 ... A_{L-1} that lie on a kink of the ReLU at the end, ``[net]``.
        smoothed_residual: relative distance from a critical point at the end with the ReLU smoothed as in the last
            stage, ``[net]``; None without smoothing.
        smoothing: widths of the smoothed ReLU of that stage, ``[net, layer]``, in the unit of the representations; None
            without smoothing.
    """

    nets: LeakyResNets
    steps: NDArray[np.int64]
    cost: NDArray[np.float64]
    penalty: NDArray[np.float64]
    residual: NDArray[np.float64]
    at_kink: NDArray[np.float64]
    smoothed_residual: NDArray[np.float64] | None = None
    smoothing: Tensor | None = None
