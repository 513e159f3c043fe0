r"""The logarithm of the volume element of the induced metric, :math:`\log\sqrt{\det g}`, by a QR factorisation.

The factorisation :math:`J = QR` of the Jacobian in float64 uses Householder reflections, whose error is relative to
each column: the scales of the columns do not matter, only how nearly dependent the columns are once scaled to length
one. With :math:`\hat R` the factor of the scaled columns, rounding in :math:`J` changes :math:`\log|\det R|` by about
:math:`\varepsilon \|\hat R^{-1}\|`. Columns count as dependent where some matrix within rounding of J is singular. The
Gram matrix :math:`J J^T` would square the condition number and lose all digits at 1e8; in float32, its factorisation
fails for a ResNet-50. Piecewise-linear networks have a piecewise-constant volume element, measured like any other.

Features that are divided by their length lie on the unit sphere. The map :math:`x \mapsto \Phi/|\Phi|` has the Jacobian
:math:`(I - u u^\top) J / |\Phi|` with :math:`u = \Phi/|\Phi|`. Its components along an orthonormal basis of the tangent
space of the sphere at u are all that is not zero. The basis is that of a Householder reflection that maps the first
unit vector to :math:`\pm u`.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import torch
from jaxtyping import Float64, Real
from torch import Tensor

from closedform import checks
from closedform.rounding import ROUNDINGS, is_nonzero
from empirics.measure.geometry.jacobian import jacobians
from empirics.measure.models.feature_map import prepare
from empirics.measure.models.memory import bytes_of
from empirics.measure.models.points import Precision

EPSILON = torch.finfo(torch.float64).eps


def on_sphere(jacobian: Tensor, features: Tensor) -> Tensor:
    """Return the Jacobians of the normalised features in the tangent space of the sphere, ``[batch, p - 1, d]``."""
    if features.shape[1] < 2:
        raise ValueError('target: got "sphere" for one feature, needs at least two')
    length = torch.linalg.vector_norm(features, dim=1)
    if not bool((length > 0).all()):
        first = int((length == 0).nonzero()[0])
        raise ValueError(
            f'target: got "sphere", but all features are zero at point {first} of a chunk; needs others'
        )
    mirror = features / length[:, None]
    mirror[:, 0] += torch.where(mirror[:, 0] < 0, -1.0, 1.0)  # the sign that avoids cancellation
    scale = 2 / mirror.square().sum(dim=1)
    along = torch.einsum("np,npd->nd", mirror, jacobian)
    reflected = jacobian - scale[:, None, None] * mirror[:, :, None] * along[:, None, :]
    tangent: Tensor = reflected[:, 1:] / length[:, None, None]
    return tangent


ACCURACY = 1e-6  # promised in float64; a warning is given where the conditioning does not allow it


def log_volume_element(
    feature_map: Callable[[Tensor], Tensor],
    x: Real[Tensor, "batch ..."] | Any,
    memory: int | str = "4GiB",
    *,
    precision: Precision = "float64",
    target: Literal["space", "sphere"] = "space",
) -> Float64[Tensor, " batch"]:
    """Compute the logarithm of the volume element, ``log sqrt(det g)`` (arXiv 2301.11375, Sec. 3 and App. G 3).

    With at least as many features as inputs, the result is half of log det g, and -inf where g is singular to rounding.
    With fewer features, it is half the sum of the logarithms of the non-zero eigenvalues of g, and -inf where all are
    zero. A feature that is constant around a point (a dead unit) drops out of this sum; compare :func:`metric_spectrum`
    where that may happen.

    Args:
        feature_map: any callable or module ``[batch, *input] -> [batch, *features]`` that acts on each point by itself.
        x: points ``[batch, *input]``, tensor or array; every input is flattened to d coordinates.
        memory: limit of working memory, in bytes or as text (default ``"4GiB"``), beyond the model (and its float64
            copy) and the points.
        precision: ``"float64"`` (default) copies a module in float64 and gives a callable float64 inputs; ``"model"``
            takes derivatives in the model's own precision and does the linear algebra in float64, with an error of
            about 1e-7 (for float32) times the condition number of the Jacobian.
        target: where the features lie: in flat ``"space"`` (default), or, divided by their length, on the unit
            ``"sphere"``, whose metric has one dimension less.

    Returns:
        Natural logarithms ``[batch]``, float64, on the device of the module (of ``x`` for other callables); features
        and inputs are taken as dimensionless.

    Warns:
        RuntimeWarning: if the Jacobian is so ill-conditioned that the error in float64 exceeds 1e-6, or if units of
            tanh, sigmoid or, in float64, GELU are so saturated that torch's slopes have relative errors above 1e-6, or
            if near one of the points the values of the map contradict torch's derivative (see ``slope_check``).

    Raises:
        ValueError: if values or shapes are impossible, if a module is in training mode where that matters, if the map
            mixes the points of a batch, or if the memory does not suffice for one point.
        TypeError: if an argument is of the wrong kind.

    >>> log_volume_element(lambda x: 2 * x, [[0.0, 0.0]]).exp().round(decimals=6).tolist()
    [4.0]
    """
    checks.one_of("target", target, ("space", "sphere"))
    ready = prepare(feature_map, x, precision)
    batch, d = ready.x.shape
    result = ready.x.new_empty(batch, dtype=torch.float64)
    error = torch.zeros_like(result)
    epsilon = torch.finfo(ready.x.dtype).eps
    for part, jacobian in jacobians(ready, bytes_of(memory), copies=6):
        if target == "sphere":
            with torch.no_grad():
                jacobian = on_sphere(jacobian, ready.call(ready.x[part]).double())
        wide = jacobian.shape[1] < d
        factors = frame(jacobian.transpose(1, 2) if wide else jacobian, epsilon, mode="r")
        result[part], error[part] = factors.log_volume, factors.error
        for i in factors.singular.nonzero().flatten().tolist():
            result[part.start + i] = (
                _of_rank_deficient(jacobian[i], epsilon) if wide else -torch.inf
            )
    worst = float(torch.where(torch.isinf(error), 0, error).max())
    if ready.x.dtype == torch.float64 and worst > ACCURACY:
        imprecise = int(((error > ACCURACY) & ~torch.isinf(error)).sum())
        warnings.warn(
            f"log_volume_element: the Jacobian is so ill-conditioned at {imprecise} of {batch} points that the result "
            f"may be off by {worst:.1e}",
            RuntimeWarning,
            stacklevel=2,
        )
    return result


def _of_rank_deficient(jacobian: Tensor, epsilon: float) -> float:
    """Return half the log-product of the eigenvalues that are non-zero beyond rounding; -inf if there is none."""
    rows = jacobian[torch.linalg.vector_norm(jacobian, dim=1) > 0]
    if len(rows) == 0:
        return -torch.inf
    values = torch.linalg.svdvals(rows)
    return float(
        values[is_nonzero(values, jacobian.shape[0], jacobian.shape[1], epsilon)].log().sum()
    )


@dataclass(frozen=True)
class QRFrame:
    """The QR factors of a batch of Jacobians with at least as many rows as columns."""

    q: Tensor  # orthonormal columns, [batch, rows, columns]; empty if not asked for
    r: Tensor  # upper triangular, [batch, columns, columns]
    log_volume: Tensor  # sum of log|diagonal of r|, [batch]; -inf where the Jacobian is singular
    error: Tensor  # expected error of log_volume, [batch]; inf where the Jacobian is singular to rounding

    @property
    def singular(self) -> Tensor:
        """A boolean mask ``[batch]`` of the Jacobians whose columns are linearly dependent to rounding."""
        return torch.isinf(self.error)


def frame(
    jacobian: Tensor, epsilon: float = EPSILON, mode: Literal["reduced", "r"] = "reduced"
) -> QRFrame:
    """Compute orthonormal frames of the columns of Jacobians ``[batch, rows, columns]``; "r" takes half the time."""
    columns = jacobian.shape[2]
    lengths = torch.linalg.vector_norm(jacobian, dim=1)
    safe = torch.where(lengths > 0, lengths, 1.0)
    q, scaled = torch.linalg.qr(jacobian / safe[:, None, :], mode)
    eye = torch.eye(columns, dtype=scaled.dtype, device=scaled.device)
    inverse = torch.linalg.solve_triangular(scaled, eye.expand_as(scaled), upper=True)
    error = ROUNDINGS * epsilon * torch.linalg.matrix_norm(inverse)
    # Rounding moves a singular value by up to ROUNDINGS * epsilon * sqrt(columns); the smallest is above 1/|inverse|.
    singular = ~(error < columns**-0.5)
    diagonal = scaled.diagonal(dim1=1, dim2=2).abs()
    log_volume = torch.where(singular, -torch.inf, (diagonal.log() + safe.log()).sum(dim=1))
    r = scaled * safe[:, None, :]
    return QRFrame(q, r, log_volume, torch.where(singular, torch.inf, error))
