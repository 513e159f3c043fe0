r"""Gradient flow under the hinge loss with a frozen kernel: the lazy regime.

With a constant kernel the margins :math:`m_\mu = y^\mu F(x^\mu)` obey

.. math:: \dot m_\mu = p^{-1}\sum_\nu y^\mu K_{\mu\nu} y^\nu\,\Theta(1 - m_\nu),

and :math:`F(x) = \sum_\nu K(x, x^\nu) y^\nu a_\nu` with :math:`\dot a_\nu = p^{-1}\Theta(1 - m_\nu)`. The right-hand
side is constant until a point crosses margin one, so that every step is exact up to then. A step is as long as the
fastest margin needs to change by ``moving``. Points at margin one therefore oscillate about it by at most as much.

Source: Paccolat et al. (2021), Eq. (3) with :math:`\alpha\to\infty`; time is in units of 1/alpha.
"""

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from closedform import checks, missing
from empirics import tensor_checks

MOVING = 0.05  # default of the largest change of a margin in one step
MOST_STEPS = 200_000
PENALTY = 1e8  # of a violated margin: none is violated where the kernel can separate the points


@dataclass(frozen=True)
class KernelPredictor:
    """A predictor learnt by a kernel method."""

    weights: Tensor  # coefficient of the kernel at each training point, sign of the label included, [point]
    offset: float  # constant part of the predictor
    steps: int
    fitted: float  # fraction of the training points with margin at least one (up to rounding)

    def __call__(self, gram: Tensor) -> Tensor:
        """Return the predictor ``[N]`` at points whose kernel with the training points is ``gram`` ``[N, point]``."""
        return gram.to(self.weights.dtype) @ self.weights + self.offset

    @property
    def support(self) -> Tensor:
        """Indices of the training points with a non-zero weight."""
        return torch.nonzero(self.weights)[:, 0]


def kernel_flow(
    gram: Tensor, labels: Tensor, *, moving: float = MOVING, most_steps: int = MOST_STEPS
) -> KernelPredictor:
    """Follow the flow of ``[p, p]`` until all points are fitted; a step changes a margin by at most ``moving``."""
    require(gram, labels)
    checks.real_number("moving", moving, above=0, below=1)
    checks.size("most_steps", most_steps)
    p = len(gram)
    signs = labels.to(gram.dtype)
    signed = signs[:, None] * gram * signs
    margins, weights = torch.zeros_like(signs), torch.zeros_like(signs)
    # of each term in the sum for a velocity
    rounding = torch.finfo(gram.dtype).eps * float(gram.abs().max())
    steps = 0
    while steps < most_steps:
        active = torch.nonzero(margins < 1)[:, 0]
        if not len(active):
            break
        # The matrix is symmetric; rows are contiguous in memory, columns are not.
        velocity = (
            signed[active].sum(dim=0)
            if 2 * len(active) < p
            else signed @ (margins < 1).to(signed.dtype)
        )
        fastest = float(velocity.abs().max())
        if fastest <= rounding * len(active):
            raise ValueError(
                "gram: no step raises the margins; needs a kernel that distinguishes these points"
            )
        step = moving / fastest
        margins.add_(velocity, alpha=step)
        weights[active] += step
        steps += 1
    return KernelPredictor(weights * signs, 0.0, steps, float((margins >= 1).double().mean()))


def support_vectors(gram: Any, labels: Any) -> KernelPredictor:
    """Return the support vector classifier of a kernel ``[p, p]`` of mean diagonal one; needs scikit-learn."""
    require(gram, labels)
    missing.require("support_vectors:", "sklearn")
    from sklearn.svm import SVC

    scale = float(gram.diagonal().mean())  # so that C means the same for every kernel
    machine = SVC(C=PENALTY, kernel="precomputed", cache_size=1000)
    matrix, signs = (gram / scale).double().cpu().numpy(), labels.cpu().numpy()
    machine.fit(matrix, signs)
    weights = torch.zeros(len(gram), dtype=torch.float64)
    weights[torch.from_numpy(machine.support_).long()] = (
        torch.from_numpy(machine.dual_coef_[0]) / scale
    )
    reached = float((signs * machine.decision_function(matrix) > 1 - 2 * machine.tol).mean())
    steps = int(machine.n_iter_[0])
    return KernelPredictor(weights.to(gram.device), float(machine.intercept_[0]), steps, reached)


def require(gram: Tensor, labels: Tensor) -> None:
    """Check a Gram matrix and labels; ValueError otherwise."""
    tensor_checks.shape(
        "gram",
        gram,
        gram.ndim == 2 and gram.shape[0] == gram.shape[1] and gram.numel() > 0,
        "[p, p]",
    )
    checks.require(gram.is_floating_point(), "gram", gram.dtype, "floating-point numbers")
    tensor_checks.finite("gram", gram)
    tensor_checks.shape("labels", labels, labels.shape == gram.shape[:1], f"[{len(gram)}]")
    values = torch.unique(labels).tolist()
    checks.require(values == [-1, 1], "labels", values, "+1 and -1, both of them")
