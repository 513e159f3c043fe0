r"""Labels that depend on one informative direction: parallel stripes of alternating sign.

The label :math:`y(\underline x) = y(x_1) = \pm 1` is constant between boundaries and changes sign at each of them. The
data are standard Gaussian. The theory needs only the following integrals over half-lines,

.. math:: C_b^\pm(\zeta) = \langle y\,\Theta(\pm(x_1-\zeta))\rangle, \quad
          C_1^\pm(\zeta) = \langle y\,x_1\,\Theta(\pm(x_1-\zeta))\rangle,

which are sums of error functions and Gaussians at the boundaries: with
:math:`y = y_0 + \sum_k \Delta_k \Theta(x_1 - b_k)`,
:math:`C_b^+(\zeta) = y_0 Q(\zeta) + \sum_k \Delta_k Q(\max(b_k, \zeta))` and
:math:`C_1^+(\zeta) = y_0 \varrho(\zeta) + \sum_k \Delta_k \varrho(\max(b_k, \zeta))`, *Q* the upper tail of the normal
distribution and :math:`\varrho` its density. Source: Paccolat et al. (2021), appendix C.2.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from closedform.checks.arrays import Array as Array
from theory.core.numbers.arguments import increasing, real_array, sign
from theory.core.numbers.exact import as_float


@dataclass(frozen=True)
class Stripes:
    """Labels of alternating sign between boundaries in the first direction.

    Attributes:
        boundaries: positions at which the label changes sign, strictly increasing, dimensionless; numbers, or strings
            such as "0.3" for exact decimals.
        leftmost: the label (+1 or -1) to the left of all boundaries.

    Raises:
        ValueError: if there is no boundary, the boundaries do not increase, one of them is not finite, or ``leftmost``
            is not +1 or -1.

    >>> Stripes((-0.3, 1.2)).boundaries
    (-0.3, 1.2)
    """

    boundaries: tuple[Any, ...]
    leftmost: int = +1

    def __post_init__(self) -> None:
        increasing("boundaries", self.boundaries)
        object.__setattr__(self, "boundaries", tuple(self.boundaries))
        sign("leftmost", self.leftmost)

    @cached_property  # the flow of a neuron asks for both in every step
    def places(self) -> Array:
        """Return the boundaries as float64, ``[K]``; read only."""
        return _read_only([as_float("boundaries", boundary) for boundary in self.boundaries])

    @cached_property
    def jumps(self) -> Array:
        """Return the change of the label at each boundary, ``[K]``: +2 or -2; read only."""
        return _read_only(-2.0 * self.leftmost * (-1.0) ** np.arange(len(self.boundaries)))

    @property
    def signs(self) -> NDArray[np.int64]:
        """Return the label in each of the ``K + 1`` cells, from left to right."""
        return self.leftmost * (-1) ** np.arange(len(self.boundaries) + 1)

    def __call__(self, x: ArrayLike) -> NDArray[np.int64]:
        """Return the labels of points, +1 or -1, in the shape of ``x``; a boundary belongs to the cell on its right."""
        return self.signs[np.searchsorted(self.places, real_array("x", x), side="right")]

    @property
    def mean(self) -> float:
        """Return the mean label, in [-1, 1]; it is zero for equiprobable labels."""
        return float(self.leftmost + self.jumps @ special.ndtr(-self.places))

    @property
    def nodes(self) -> Array:
        """Return the places between which the label is constant, ``[K]``."""
        return self.places

    @property
    def first_moments(self) -> Array:
        r"""Return the contribution of each boundary to :math:`\langle y x_1\rangle`, ``[K]``."""
        return self.jumps * density(self.places)

    def bias_terms(self, zeta: ArrayLike, side: int) -> Array:
        r"""Return the terms whose sum is :math:`C_b^\pm(\zeta)`, ``[..., K + 1]``; ``side`` is +1 or -1."""
        at, side = plane(zeta, side)
        at, outer = at[..., None], int(self.signs[-1 if side < 0 else 0])
        active = side * np.maximum(side * self.places, side * at)
        tails = side * self.jumps * special.ndtr(-side * active)
        return np.concatenate([outer * special.ndtr(-side * at), tails], axis=-1)

    def parallel_terms(self, zeta: ArrayLike, side: int) -> Array:
        r"""Return the terms whose sum is :math:`C_1^\pm(\zeta)`, ``[..., K + 1]``; ``side`` is +1 or -1."""
        at, side = plane(zeta, side)
        at, outer = at[..., None], int(self.signs[-1 if side < 0 else 0])
        active = side * np.maximum(side * self.places, side * at)
        return np.concatenate([side * outer * density(at), self.jumps * density(active)], axis=-1)

    def c_bias(self, zeta: ArrayLike, side: int) -> Array:
        r"""Return :math:`C_b^\pm(\zeta)`, dimensionless, in the shape of ``zeta``; ``side`` is +1 or -1."""
        return np.asarray(self.bias_terms(zeta, side).sum(axis=-1))

    def c_parallel(self, zeta: ArrayLike, side: int) -> Array:
        r"""Return :math:`C_1^\pm(\zeta)`, dimensionless, in the shape of ``zeta``; ``side`` is +1 or -1."""
        return np.asarray(self.parallel_terms(zeta, side).sum(axis=-1))

    def boundary_current(self, zeta: float, side: int) -> float:
        r"""Return :math:`C_1^\pm \mp y\varrho = \sum \Delta_k\varrho(b_k)`, over boundaries on the active side."""
        at, side = plane(zeta, side)
        seen = self.places > at if side > 0 else self.places < at
        return float(self.jumps[seen] @ density(self.places[seen]))

    def label_at(self, zeta: float) -> int:
        """Return the label on the plane at ``zeta``, +1 or -1."""
        return int(self(zeta))


def plane(zeta: ArrayLike, side: int) -> tuple[Array, int]:
    """Return positions as an array and a side as +1 or -1; raise TypeError or ValueError if they are not numbers."""
    at = np.asarray(zeta) if type(zeta) in (float, np.float64) else real_array("zeta", zeta)
    return at, sign("side", side)


def density(x: ArrayLike) -> Array:
    """Return the density of the normal distribution, in the shape of ``x``."""
    return np.exp(-(np.asarray(x) ** 2) / 2) / math.sqrt(2 * math.pi)


def _read_only(values: ArrayLike) -> Array:
    array = np.array(values, dtype=np.float64)
    array.flags.writeable = False
    return array
