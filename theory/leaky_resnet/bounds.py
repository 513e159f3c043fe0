r"""Bounds on the difference of :math:`-2H/\tilde L` and the smallest cost of identity: Theorem 4 for every gamma.

The bounds follow from an identity that is true for every *A*, *B* and :math:`\gamma > 0`,

.. math:: \| \tfrac{1}{\tilde L} \partial_p A + \gamma B \|^2_{K+\gamma}
   = \|A\|^2_{K+\gamma} + \tfrac{2}{\tilde L} H + \gamma \|B\|^2 ,

and on :math:`\|\gamma B\|_{K+\gamma} \le \sqrt\gamma \|B\| =: \varepsilon_p`. With the *extra cost* :math:`e_p =
\|A_p\|^2_{K+\gamma} + \tfrac{2}{\tilde L} H`, which may be negative but not below :math:`-\varepsilon_p^2`,

.. math:: -(\ell/\tilde L + \bar\varepsilon)^2 \le -\min_p e_p \le \max_p \varepsilon_p^2, \qquad
   -\varepsilon_p \le \tfrac{1}{\tilde L} \|\partial_p A_p\| - \sqrt{\max(e_p, 0)} \le 2 \varepsilon_p .

Deviations from the paper: :math:`\sqrt{\gamma c}` where Theorem 4 has :math:`\sqrt\gamma c`, and the positive part
under the root. With :math:`c \ge \|B_p\|^2` both chains of inequalities imply those in terms of *c*. Gamma may depend
on *p*.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from closedform.checks.arrays import Array
from theory.core.numbers.arguments import (
    increasing,
    matrices,
    one_for_each,
    positions,
    positive_array,
    positive_number,
    real_array,
    same_shape,
)
from theory.leaky_resnet.energies import hamiltonian, velocity
from theory.leaky_resnet.norms import norms


@dataclass(frozen=True)
class RankBounds:
    r"""Both chains of inequalities of Theorem 4 along a path; all fields are dimensionless.

    Attributes:
        hamiltonian: :math:`-2H/\tilde L`, [p]; constant along a geodesic.
        cost: stable cost of identity, [p].
        extra: extra cost, ``cost`` minus ``hamiltonian``, [p].
        speed: :math:`\|\partial_p A\|_{K+\gamma}/\tilde L`, [p].
        slack: :math:`\sqrt\gamma \|B\|`, [p].
        length: :math:`\ell/\tilde L`, the mean of ``speed`` over *p*.
        gap: minus the smallest ``extra``; :math:`-2H/\tilde L - \min_p \|A_p\|^2` where *H* is constant.
        lower: lower bound on ``gap``.
        upper: upper bound on ``gap``.
        speed_lower: lower bound on ``speed``, [p].
        speed_upper: upper bound on ``speed``, [p].
    """

    hamiltonian: Array
    cost: Array
    extra: Array
    speed: Array
    slack: Array
    length: float
    gap: float
    lower: float
    upper: float
    speed_lower: Array
    speed_upper: Array


def rank_bounds(
    A: ArrayLike,
    B: ArrayLike,
    depth: float,
    gamma: ArrayLike,
    bias: bool = True,
    p: ArrayLike | None = None,
) -> RankBounds:
    r"""Return both chains of inequalities of Theorem 4 for a path that is known at some positions.

    The bounds hold for the given values at any spacing, even if (A, B) is not a solution of Hamilton's equations: each
    position has its own H, and the integral over p is a mean with positive weights.

    Args:
        A: representations, [p, width, samples], or [width, samples] for one position.
        B: momenta, in the shape of A.
        depth: effective depth, > 0, dimensionless.
        gamma: regulariser gamma > 0, one number or one for each position, in the unit of A^2.
        bias: whether sigma appends a row of ones (the default).
        p: positions, increasing, for the trapezoidal rule; equidistant by default.

    Warns:
        IllConditionedWarning: if the relative error of an energy may exceed 1e-12.

    Source: Theorems 4 and 7, with the root of gamma c for the root of gamma times c, and with the positive part of e_p.

    >>> A, B = [[[1.0, 0.0]], [[1.0, 0.5]]], [[[0.5, 0.1]], [[0.5, 0.1]]]
    >>> round(float(rank_bounds(A, B, depth=2, gamma=0.1, bias=False).gap), 4)
    -0.1284
    """
    representations, momenta = matrices("A", A), matrices("B", B)
    same_shape("A", representations, "B", momenta)
    if representations.ndim == 2:
        representations, momenta = representations[None], momenta[None]
    if representations.ndim != 3:
        raise ValueError(f"A: got shape {representations.shape}, needs [p, width, samples]")
    effective = positive_number("depth", depth)
    strength = one_for_each("gamma", positive_array("gamma", gamma), representations.shape[:1])
    weights = _weights(p, len(representations))
    cost = np.atleast_1d(norms(representations, bias, strength))
    rate = -2 * np.atleast_1d(hamiltonian(representations, momenta, effective, bias)) / effective
    moved = velocity(representations, momenta, effective, bias) / effective
    speed = np.sqrt(np.atleast_1d(norms(representations, bias, strength, ("velocity", moved))))
    slack = np.sqrt(strength) * np.linalg.norm(momenta, axis=(-2, -1))
    return chains(rate, cost, speed, slack, weights)


def chains(
    hamiltonian: ArrayLike, cost: ArrayLike, speed: ArrayLike, slack: ArrayLike, weights: ArrayLike
) -> RankBounds:
    r"""Return both chains of inequalities for a path whose energies are already known.

    Args:
        hamiltonian, cost, speed, slack: as in :class:`RankBounds`; the last two are >= 0.
        weights: weights of the integral over p, [p]; positive, with sum one.

    Source: Theorem 4, with the root of gamma c for the root of gamma times c, and with the positive part of e_p.

    >>> chains(hamiltonian=[-1, -1], cost=[2, 2], speed=[1, 1], slack=[0, 0], weights=[0.5, 0.5]).length
    1.0
    """
    rate, price = real_array("hamiltonian", hamiltonian), real_array("cost", cost)
    rush, loose = (
        positive_array("speed", speed, or_zero=True),
        positive_array("slack", slack, or_zero=True),
    )
    parts = positive_array("weights", weights)
    for name, values in (("cost", price), ("speed", rush), ("slack", loose), ("weights", parts)):
        same_shape("hamiltonian", rate, name, values)
    if rate.ndim != 1:
        raise ValueError(f"hamiltonian: got shape {rate.shape}, needs [p]")
    if abs(parts.sum() - 1) > 1e-9:
        raise ValueError(f"weights: got a sum of {parts.sum():g}, needs one")
    extra = price - rate
    root = np.sqrt(np.maximum(extra, 0.0))
    length = float(parts @ rush)
    return RankBounds(
        hamiltonian=rate,
        cost=price,
        extra=extra,
        speed=rush,
        slack=loose,
        length=length,
        gap=-float(extra.min()),
        lower=-((length + float(parts @ loose)) ** 2),
        upper=float(loose.max()) ** 2,
        speed_lower=root - loose,
        speed_upper=root + 2 * loose,
    )


def _weights(p: ArrayLike | None, count: int) -> Array:
    """Return the weights of the trapezoidal rule, which sum to one."""
    if count == 1:
        return np.ones(1)
    at = np.linspace(0, 1, count) if p is None else positions("p", p)
    if at.shape != (count,):
        raise ValueError(f"p: got {at.size} positions, needs one for each matrix of A, {count}")
    steps = np.diff(increasing("p", at))
    weights = np.zeros(count)
    weights[:-1] += steps / 2
    weights[1:] += steps / 2
    return weights / weights.sum()
