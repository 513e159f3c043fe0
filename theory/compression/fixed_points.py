r"""The attractors of the neurons: all fixed points of the neuron vector on the informative axis.

In the limit :math:`\lambda \to \pm\infty` the intercept :math:`\zeta_1 = -\sqrt d\, b/\omega_1` rests where

.. math:: G^\pm(\zeta) = d\,C_b^\pm(\zeta) + \zeta\,C_1^\pm(\zeta) = 0

(Eq. 6). The search finds all of them: in a cell of constant label

.. math:: G' = J \mp y\varrho\,(\zeta^2 + d - 1), \qquad
          G'' = \pm y \varrho\, \zeta\,(\zeta^2 + d - 3), \qquad J = C_1^\pm \mp y\varrho ,

with *J* constant in the cell, so :math:`G'` is monotone between :math:`0`, :math:`\pm\sqrt{3-d}` and the boundaries; in
each such interval it has at most one zero, and between those *G* has at most one.

**Stability.** Let :math:`S = \operatorname{sign} C_1`. Along the axis a fixed point is stable if :math:`S\,G' > 0`,
across it if :math:`S J > 0`. With :math:`q = \pm S y \varrho` these read :math:`|C_1| > q\,(d + z^2)` and
:math:`|C_1| > q`. Since :math:`d + z^2 \ge 1`, the first implies the second: what the paper reports as checked
numerically holds for all such labels and every *d*. Source: Paccolat et al. (2021), section 3.2.1 and appendix C.2.

**Shells.** Where the label depends on the distance from an axis, weights along any unit vector of the informative
space stay along it by symmetry, and the same equations hold with the label averaged over the hyperplane in place of
*y*; this is derived here. The fixed points are then a sphere of directions, along which neurons do not move, for each
position; side -1 of a direction is side +1 of the opposite one. *J* and *y* vary within a cell, so the zeros of
:math:`G'` are found in 63 intervals of each cell.
"""

import itertools
import math
from typing import Any

import mpmath
import numpy as np
from scipy import optimize, special

from theory.compression.attractor import Attractor, Labels
from theory.compression.labels import Array, Stripes
from theory.compression.precise_attractors import refined
from theory.compression.shells import Shells
from theory.core.numbers.arguments import integer

FURTHEST = 12.0  # a boundary further out has 1e-33 of the data beyond it, and cancellation takes more than five digits
MOST_DIGITS = 1000
DIRECTIONS = 1000  # more informative directions cost digits
BEYOND = 39.0  # beyond this position the normal density underflows in double precision
TINY = 8 * np.finfo(float).eps  # accuracy of a sum of a few tail probabilities


def attractors(
    labels: Stripes | Shells, dimension: int, *, digits: int | None = None
) -> tuple[Attractor, ...]:
    """Return all fixed points of both sides, stable or not.

    Args:
        labels: labels of alternating sign in stripes of the informative direction, or in shells of several.
        dimension: input dimension *d*, at least 2, and larger than the number of informative directions.
        digits: number of correct digits, at most 1,000, returned as numbers of mpmath. Default: None, for
            float64 with at least 12 digits where the boundaries are within 5 of the centre and 10 where they are
            further out.

    Returns:
        The fixed points, side +1 first and from left to right on each side; an empty tuple where there are none. For
        shells they lie on a line through the centre, and every such line has the same.

    Raises:
        TypeError, ValueError: if ``labels`` are neither, the dimension is too small, ``digits`` is not a positive whole
            number, or less than about 1e-33 of the data are beyond a boundary or within a shell.
        ArithmeticError: if ``digits`` are asked for where two fixed points may be closer than 1e-9.

    >>> [(one.side, one.stable) for one in attractors(Stripes((0,)), dimension=10)]
    [(1, True), (-1, True)]
    >>> import mpmath
    >>> mpmath.nstr(attractors(Stripes((0,)), dimension=10, digits=30)[0].growth_time, 30)
    '1.43635071024660050634188393716'
    """
    if not isinstance(labels, Labels):
        raise TypeError(
            f"labels: got {type(labels).__name__}, needs compression.Stripes or compression.Shells"
        )
    informative = labels.d_parallel if isinstance(labels, Shells) else 1
    dimension = integer("dimension", dimension, informative + 1)
    if isinstance(labels, Shells) and informative == 1:
        labels = labels.stripes
    _check_range(labels)
    if digits is not None:
        digits = integer("digits", digits, 1, MOST_DIGITS)
    attractors = []
    for side in (+1, -1):
        brackets = _brackets(labels, dimension, side)
        attractors += [_attractor(labels, dimension, side, low, high) for low, high in brackets]
    if digits is None:
        return tuple(attractors)
    return tuple(refined(labels, dimension, attractor, digits) for attractor in attractors)


def _check_range(labels: Labels) -> None:
    """Raise ValueError for boundaries with (almost) no data beyond them, or within them."""
    if isinstance(labels, Stripes):
        furthest = np.abs(labels.places).max()
        if furthest > FURTHEST:
            raise ValueError(
                f"labels: got a boundary at {furthest:g} from the centre, needs at most {FURTHEST:g}"
            )
        return
    if labels.d_parallel > DIRECTIONS:
        raise ValueError(
            f"labels: got {labels.d_parallel} informative directions, needs at most {DIRECTIONS}"
        )
    half, s = labels.d_parallel / 2, np.square(labels.radii) / 2
    if min(special.gammainc(half, s).min(), special.gammaincc(half, s).min()) < special.ndtr(
        -FURTHEST
    ):
        raise ValueError(
            f"labels: got the radii {labels.radii}, needs 1e-33 of the data on both sides of each"
        )


def fixed_point_function(labels: Labels, dimension: int, zeta: Any, side: int) -> Array:
    """Return *G* of Eq. (6), dimensionless, in the shape of ``zeta``; ``side`` is +1 or -1."""
    at = np.asarray(zeta, dtype=np.float64)
    return dimension * labels.c_bias(at, side) + at * labels.c_parallel(at, side)


def _rounding(labels: Labels, dimension: int, zeta: Array, side: int) -> Array:
    """Return the size of the rounding errors of *G*, in the shape of ``zeta``: relative to the terms of its sums."""
    bias = np.abs(labels.bias_terms(zeta, side)).sum(axis=-1)
    return np.asarray(
        TINY
        * (
            dimension * bias
            + np.abs(zeta) * np.abs(labels.parallel_terms(zeta, side)).sum(axis=-1)
        )
    )


def _brackets(labels: Labels, dimension: int, side: int) -> list[tuple[float, float]]:
    """Return intervals that contain exactly one zero of *G* each, from left to right."""
    inflections = (
        [0.0] if dimension >= 3 else [-math.sqrt(3 - dimension), 0.0, math.sqrt(3 - dimension)]
    )
    ends = _ends(labels, dimension, side)
    nodes = np.unique([*labels.nodes, *inflections, *ends])
    nodes = nodes[(nodes >= ends[0]) & (nodes <= ends[1])]
    turns = list(nodes)
    for low, high in itertools.pairwise(nodes):
        inside = _derivative(labels, dimension, side, (low + high) / 2)
        if np.sign(inside(low)) * np.sign(inside(high)) < 0:
            turns.append(optimize.brentq(inside, low, high, xtol=1e-15))
    at = np.array(sorted(turns))
    values = fixed_point_function(labels, dimension, at, side)
    signs = np.where(np.abs(values) < _rounding(labels, dimension, at, side), 0.0, np.sign(values))
    inner = (signs == 0) & (np.abs(at) < np.abs(ends).max())
    zeros = [(at[i], at[i]) for i in np.flatnonzero(inner) if not (i > 0 and inner[i - 1])]
    changes = [(at[i], at[i + 1]) for i in range(len(at) - 1) if signs[i] * signs[i + 1] < 0]
    return sorted(zeros + changes)


def _derivative(labels: Labels, dimension: int, side: int, inside: float) -> Any:
    """Return *G'* of the cell around ``inside`` as a function; it jumps at the boundaries of stripes."""

    def slope(zeta: float) -> float:
        at = inside if isinstance(labels, Stripes) else zeta
        weight = math.exp(-(zeta**2) / 2) / math.sqrt(2 * math.pi) * (zeta**2 + dimension - 1)
        return labels.boundary_current(at, side) - side * labels.label_at(at) * weight

    return slope


def _ends(labels: Labels, dimension: int, side: int) -> tuple[float, float]:
    """Return the ends of an interval outside of which *G* has no zero.

    There *G* has the sign of the outermost label, or differs from the line d <y> + zeta <y x> by less than d + 1.
    """
    total, size = float(labels.first_moments.sum()), float(np.abs(labels.first_moments).sum())
    far = max(BEYOND, 1 + np.abs(labels.places).max())
    if abs(total) > TINY * size:
        far = max(far, (2 * dimension + 1) / abs(total))
    return (
        (-far, max(1.0, labels.places[-1] + 1))
        if side > 0
        else (min(-1.0, labels.places[0] - 1), far)
    )


def _attractor(labels: Labels, dimension: int, side: int, low: float, high: float) -> Attractor:
    position = float(low)
    if low != high:
        position = optimize.brentq(
            lambda at: float(fixed_point_function(labels, dimension, at, side)),
            low,
            high,
            xtol=1e-15,
            rtol=1e-15,
        )
    integrals = (
        float(labels.c_bias(position, side)),
        float(labels.c_parallel(position, side)),
        labels.boundary_current(position, side),
        labels.label_at(position),
    )
    return Attractor.at(position, side, labels, dimension, integrals, mpmath.fp, TINY)
