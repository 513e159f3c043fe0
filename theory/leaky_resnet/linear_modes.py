r"""Representation geodesics of linear Leaky ResNets, one singular mode at a time.

Without activation and bias a mode :math:`A_p = s(p)\, u v^\top` has the Lagrangian :math:`(\tilde L s + s')^2 / (2
\tilde L s^2)`. In :math:`\log s` that is the square of a velocity and a total derivative, so the geodesic is

.. math:: s(p) = s_0 (s_1/s_0)^p, \qquad \|W_p\|_F = \tilde L + \log \tfrac{s_1}{s_0}, \qquad
   -\tfrac{2}{\tilde L} H = 1 - \tfrac{1}{\tilde L^2} \log^2 \tfrac{s_1}{s_0} :

which is a straight line in :math:`\log s` at any depth. The Hamiltonian counts the mode as one dimension up to a
correction :math:`\log^2(s_1/s_0)/\tilde L^2`. Contributions of modes whose singular vectors do not rotate add up. The
paper does not have these results.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, partial

import numpy as np
import sympy as sp
from numpy.typing import ArrayLike

from closedform.checks.arrays import Array
from closedform.rounding import is_nonzero
from theory.core import ClosedForm, Premise, Source, Status
from theory.core.formula.rounding import log_ratio
from theory.core.numbers.arguments import matrices, positions, positive_array, positive_number
from theory.engine import Derived, Flow, Solution
from theory.leaky_resnet import symbols
from theory.leaky_resnet.symbols import (
    depth,
    end,
    position,
    slope,
    start,
    value,
)

lagrangian = (depth * value + slope) ** 2 / (2 * depth * value**2)
growth = log_ratio(end, start)
path_expression = start * sp.exp(position * growth)
hamiltonian_expression = (growth - depth) * (growth + depth) / (2 * depth)
weight_norm_expression = (depth + growth) ** 2

ASSUMPTIONS = ("no activation, no bias", "the singular vectors of the mode do not turn")
POSITIVE = "end > start exp(-depth): otherwise the weights are negative"
SYMMETRIC = 1e-10  # relative asymmetry that counts as rounding error
SOURCES = (
    Source("jacot2024", "Sections 1.3 and 1.5, which define the geodesic; the solution is new"),
)
geodesic_form = partial(ClosedForm, sources=SOURCES, status=Status.DERIVED)

LAGRANGIAN = Premise(
    "the cost of a path is the integral over p of |W|^2 / 2 depth, W A = A' + depth A", lagrangian
)

momentum = sp.Symbol("momentum", real=True)


@cache
def hamiltonian() -> Derived:
    """Return the Hamiltonian of a mode in its value and momentum."""
    cost = symbols.along(lagrangian, uses=(LAGRANGIAN, *ASSUMPTIONS))
    return cost.hamiltonian({value: momentum})


@cache
def geodesic() -> Solution:
    """Return value and momentum of a mode along the geodesic."""
    return Flow.of_hamiltonian(hamiltonian(), {value: momentum}, position).solution(
        {value: path_expression, momentum: (depth + growth) / (depth * path_expression)},
        starts={value: start},
        ends={value: end},
        end=1,
    )


WEIGHT2 = Premise(
    "the contribution to the integrated squared weights is that of W = depth B A', which does not depend on p",
    (depth * momentum * value) ** 2,
)


@cache
def mode_path() -> ClosedForm:
    """Return the singular value along the geodesic, in units of the representation."""
    return geodesic()[value].form(
        "leaky_resnet.mode_path",
        "Singular value along a representation geodesic of a linear Leaky ResNet.",
        (symbols.START, symbols.END, symbols.POSITION),
        assumptions=ASSUMPTIONS,
        sources=SOURCES,
    )


def mode_hamiltonian() -> ClosedForm:
    """Return the contribution of one mode to the Hamiltonian, dimensionless."""
    contribution = Premise(
        "the contribution is the value of the Hamiltonian", hamiltonian().expression
    )
    return (
        geodesic()
        .quantity(contribution, hamiltonian_expression)
        .form(
            "leaky_resnet.mode_hamiltonian",
            "Contribution of one singular mode to the Hamiltonian of a linear Leaky ResNet.",
            (symbols.START, symbols.END, symbols.DEPTH),
            assumptions=ASSUMPTIONS,
            sources=SOURCES,
        )
    )


@cache
def mode_weight_norm() -> ClosedForm:
    """Return the contribution of one mode to the integral of the squared weights over p, dimensionless."""
    return (
        geodesic()
        .quantity(WEIGHT2, weight_norm_expression, uses=(POSITIVE,))
        .form(
            "leaky_resnet.mode_weight_norm",
            "Contribution of one singular mode to the integrated squared norm of the weights.",
            (symbols.START, symbols.END, symbols.DEPTH),
            assumptions=(*ASSUMPTIONS, POSITIVE),
            sources=SOURCES,
        )
    )


@dataclass(frozen=True)
class LinearGeodesic:
    """A geodesic of one mode.

    Attributes:
        path: singular value at each position, [..., p], in units of the representation.
        hamiltonian: contribution of the mode to the Hamiltonian, [...], dimensionless.
        weight_norm: integral of the squared Frobenius norm of the weights over p, [...], dimensionless.
    """

    path: Array
    hamiltonian: Array
    weight_norm: Array


def linear_geodesic(
    s0: ArrayLike, s1: ArrayLike, depth: ArrayLike, p: ArrayLike
) -> LinearGeodesic:
    """Return the geodesic of one singular mode of a linear network without bias, from s0 to s1.

    Args:
        s0: singular value at p = 0, > 0, [...], in units of the representation.
        s1: singular value at p = 1, > 0, [...], in units of the representation.
        depth: effective depth, > 0, [...], dimensionless; s0, s1 and depth broadcast.
        p: positions between 0 and 1, [p], dimensionless.

    Raises:
        ArithmeticError: if a value leaves double precision.

    >>> linear_geodesic(1, 2, depth=3, p=[0, 0.5, 1]).path.round(4).tolist()
    [1.0, 1.4142, 2.0]
    """
    first, last, effective = (
        positive_array("s0", s0),
        positive_array("s1", s1),
        positive_array("depth", depth),
    )
    try:
        first, last, effective = np.broadcast_arrays(first, last, effective)
    except ValueError as error:
        raise ValueError(
            f"s0, s1 and depth: got shapes {first.shape}, {last.shape} and {effective.shape}, needs some that broadcast"
        ) from error
    at = positions("p", p)
    # log(s1) - log(s0) cancels where both are far from one, and the ratio overflows where they are far apart.
    with np.errstate(over="ignore", under="ignore"):
        ratio = last / first
    plain = np.isfinite(ratio) & (ratio > np.finfo(float).tiny)
    log_ratio = np.where(plain, np.log(np.where(plain, ratio, 1.0)), np.log(last) - np.log(first))
    # The path is computed from the nearer end, so that it meets both ends exactly.
    nearest, weight = (
        np.where(at < 0.5, first[..., None], last[..., None]),
        np.where(at < 0.5, at, at - 1),
    )
    path = nearest * np.exp(weight * log_ratio[..., None])
    hamiltonian = (log_ratio - effective) * (log_ratio + effective) / (2 * effective)
    return LinearGeodesic(path, hamiltonian[()], ((effective + log_ratio) ** 2)[()])


def symmetric_geodesic(A0: ArrayLike, S: ArrayLike, depth: float, p: ArrayLike) -> LinearGeodesic:
    """Return the geodesic from A0 to S A0 for a symmetric positive definite S, ``A_p = S^p A0``.

    The critical weights obey a Lax equation, so that their antisymmetric part stays; it is zero here, the eigenvectors
    do not rotate, and each eigenvalue is a mode.

    Args:
        A0: representations at p = 0, [width, samples], with linearly independent rows.
        S: symmetric positive definite, [width, width].
        depth: effective depth, > 0, dimensionless.
        p: positions between 0 and 1, [p], dimensionless.

    Returns:
        The geodesic, with ``path`` [p, width, samples]; ``hamiltonian`` and ``weight_norm`` are summed over the modes.

    Raises:
        ValueError: if the rows of A0 are linearly dependent: then only the restriction of S to their span matters.

    >>> symmetric_geodesic([[1.0]], [[2.0]], depth=3, p=[0, 1]).path.round(4).tolist()
    [[[1.0]], [[2.0]]]
    """
    start, map_to_end = matrices("A0", A0), matrices("S", S)
    if start.ndim != 2 or map_to_end.shape != (len(start), len(start)):
        raise ValueError(f"S: got shape {map_to_end.shape}, needs a square for A0 {start.shape}")
    if np.abs(map_to_end - map_to_end.T).max() > SYMMETRIC * np.abs(map_to_end).max():
        raise ValueError("S: got a matrix that is not symmetric, needs a symmetric one")
    if is_nonzero(np.linalg.svd(start, compute_uv=False), *start.shape).sum() < len(start):
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
