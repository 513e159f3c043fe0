r"""Geodesics of linear Leaky ResNets in closed form, for full matrices.

Without activation and bias the critical weights obey a Lax equation, :math:`\partial_p W = [W, W^\top]`: their spectrum
and their antisymmetric part :math:`W - W^\top = \Omega` do not change, and

.. math:: W_p = e^{p\Omega} W_0 e^{-p\Omega}, \quad A_p = e^{p\Omega} e^{p(W_0^\top - \tilde L)} A_0, \quad
   B_p = e^{p\Omega} e^{p(\tilde L - W_0)} B_0 .

If :math:`A_1 = S A_0` with a symmetric positive definite *S*, then :math:`\Omega = 0` and the eigenvectors do not
rotate: :math:`A_p = S^p A_0`, and each eigenvalue is a mode of ``linear_modes``. The paper does not have these results.
"""

from __future__ import annotations

import numpy as np
import sympy as sp
from numpy.typing import ArrayLike
from scipy.linalg import expm

from closedform.checks.arrays import Array
from closedform.rounding import is_nonzero
from theory.core import Step
from theory.core.formula.arguments import matrices, positions, positive_number, same_shape
from theory.core.numbers.rank import numerical_rank
from theory.leaky_resnet.linear_modes import LinearGeodesic
from theory.leaky_resnet.symbols import depth as effective_depth

_SYMMETRIC = 1e-10  # relative asymmetry that counts as rounding error


def _matrix(letter: str) -> sp.Matrix:
    return sp.Matrix(2, 2, sp.symbols(f"{letter}_1:3_1:3", real=True))


A, B = _matrix("a"), _matrix("b")
W = effective_depth * B * A.T
A_RATE = (W - effective_depth * sp.eye(2)) * A
B_RATE = -(W.T - effective_depth * sp.eye(2)) * B
W_RATE = effective_depth * (B_RATE * A.T + B * A_RATE.T)
STEPS = (
    Step("the weights obey a Lax equation", W_RATE, W * W.T - W.T * W, because="product rule, W = depth B A'"),
    Step(
        "their antisymmetric part stays",
        W_RATE - W_RATE.T,
        sp.zeros(2, 2),
        because="the commutator of W and its transpose is symmetric",
    ),
    Step("so does their trace", W_RATE.trace(), sp.S.Zero, because="of a commutator"),
    Step(
        "and their determinant",
        sum(
            (sp.diff(W.det(), x) * v for X, V in ((A, A_RATE), (B, B_RATE)) for x, v in zip(X, V, strict=True)),
            sp.S.Zero,
        ),
        sp.S.Zero,
        because="a Lax equation keeps the spectrum",
    ),
    Step(
        "rotating weights obey it",
        (W - W.T) * W - W * (W - W.T),
        W * W.T - W.T * W,
        because="derivative of exp(p Omega) W exp(-p Omega)",
    ),
    Step(
        "rate of A in the rotating frame",
        sp.MatAdd(W - W.T, W.T - effective_depth * sp.eye(2), evaluate=False),
        W - effective_depth * sp.eye(2),
    ),
)


def linear_flow(A0: ArrayLike, B0: ArrayLike, depth: float, p: ArrayLike) -> Array:
    """Solve Hamilton's equations of a network without activation and bias, exactly up to two matrix exponentials.

    Args:
        A0: representations at p = 0, [width, samples].
        B0: momenta there, the same shape.
        depth: effective depth, > 0, dimensionless.
        p: positions between 0 and 1, [p], dimensionless.

    Returns:
        Representations and momenta, [p, 2, width, samples].

    Raises:
        TypeError, ValueError: if an argument has the wrong type, shape or value.
        ArithmeticError: if the trajectory leaves double precision.

    >>> linear_flow([[1.0]], [[0.5]], depth=2, p=[0, 1]).shape
    (2, 2, 1, 1)
    """
    start, momenta = matrices("A0", A0), matrices("B0", B0)
    same_shape("A0", start, "B0", momenta)
    if start.ndim != 2:
        raise ValueError(f"A0: got shape {start.shape}, needs one matrix [width, samples]")
    effective = float(positive_number("depth", depth))
    path = []
    with np.errstate(over="ignore", invalid="ignore"):
        weights = effective * momenta @ start.T
        turning, leak = weights - weights.T, effective * np.eye(len(start))
        if not np.isfinite(turning).all():
            raise ArithmeticError("the weights leave double precision")
        for at in positions("p", p):
            frame = expm(at * turning)
            path.append([frame @ expm(at * (weights.T - leak)) @ start, frame @ expm(at * (leak - weights)) @ momenta])
    result = np.array(path)
    if not np.isfinite(result).all():
        raise ArithmeticError("the trajectory leaves double precision")
    return result


def symmetric_geodesic(A0: ArrayLike, S: ArrayLike, depth: float, p: ArrayLike) -> LinearGeodesic:
    """Return the geodesic from A0 to S A0 for a symmetric positive definite S, along which eigenvectors do not rotate.

    Args:
        A0: representations at p = 0, [width, samples], with linearly independent rows.
        S: symmetric positive definite, [width, width].
        depth: effective depth, > 0, dimensionless.
        p: positions between 0 and 1, [p], dimensionless.

    Returns:
        The geodesic, with ``path`` [p, width, samples]; ``hamiltonian`` and ``weight_norm`` are summed over the modes.

    Raises:
        TypeError, ValueError: if an argument has the wrong type, shape or value, or if the rows of A0 are linearly
            dependent, because then only the restriction of S to their span matters.

    >>> symmetric_geodesic([[1.0]], [[2.0]], depth=3, p=[0, 1]).path.round(4).tolist()
    [[[1.0]], [[2.0]]]
    """
    start, map_to_end = matrices("A0", A0), matrices("S", S)
    if start.ndim != 2 or map_to_end.shape != (len(start), len(start)):
        raise ValueError(f"S: got shape {map_to_end.shape}, needs a square for A0 {start.shape}")
    if np.abs(map_to_end - map_to_end.T).max() > _SYMMETRIC * np.abs(map_to_end).max():
        raise ValueError("S: got a matrix that is not symmetric, needs a symmetric one")
    if numerical_rank(start) < len(start):
        raise ValueError("A0: got linearly dependent rows, needs independent ones")
    values, vectors = np.linalg.eigh((map_to_end + map_to_end.T) / 2)
    if not is_nonzero(values, *map_to_end.shape).all():
        raise ValueError(f"S: got the eigenvalue {values[0]:g}, needs a positive definite matrix")
    effective = float(positive_number("depth", depth))
    growth = np.log(values)
    factors = np.exp(positions("p", p)[:, None] * growth)
    path = np.einsum("ik,pk,jk,jn->pin", vectors, factors, vectors, start)
    hamiltonian = ((growth - effective) * (growth + effective)).sum() / (2 * effective)
    return LinearGeodesic(path, hamiltonian, ((effective + growth) ** 2).sum())
