r"""Labels that depend on the distance from an axis: the cylinder model, and shells of alternating sign in general.

A neuron whose weights point along a unit vector *u* of the informative space sees the labels through
:math:`t = u \cdot x`. With *n* informative directions, :math:`k = n - 1` of them across *u*, the label averaged over
the hyperplane at *t* is :math:`\bar y(t) = y_0 + \sum_R \Delta_R\, Q_k(R^2 - t^2)`, where :math:`Q_k` is the upper
tail of :math:`\chi^2_k`, and one for negative arguments. The integrals over half-lines that the theory needs are

.. math:: C_b^+(\zeta) = \langle\bar y\,\Theta(t-\zeta)\rangle
              = y_K\,Q(\zeta) - \sum_R \Delta_R\, P(t > \zeta, \|x\| < R), \qquad
          C_1^+(\zeta) = \langle\bar y\,t\,\Theta(t-\zeta)\rangle = \bar y(\zeta)\varrho(\zeta) + J(\zeta), \qquad
          J(\zeta) = \sum_{R > |\zeta|}
              \frac{\Delta_R\, e^{-R^2/2} (R^2 - \zeta^2)^{k/2}}{\sqrt{2\pi}\,2^{k/2}\,\Gamma(k/2 + 1)} .

where :math:`y_K` is the outermost label. *J* follows by integration by parts: :math:`\bar y'\varrho` has an elementary
integral. On the other side :math:`C_b^-(\zeta) = C_b^+(-\zeta)` and
:math:`C_1^-(\zeta) = -C_1^+(-\zeta)`.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from theory.compression.labels import Array, Stripes, density, plane
from theory.core.numbers.arguments import increasing, integer, positive_array, real_array, sign

MESH = 63  # intervals in each cell between radii in which the fixed points are bracketed; odd, so that 0 is not a node


@dataclass(frozen=True)
class Shells:
    """Labels of alternating sign in shells of ``d_parallel`` informative directions.

    Attributes:
        radii: radii at which the label changes sign, positive, strictly increasing, dimensionless.
        d_parallel: number of informative directions.
        innermost: the label (+1 or -1) at the centre; -1 in the cylinder model.

    Raises:
        ValueError: if a field violates these conditions.

    >>> Shells((1.18,), d_parallel=2).d_parallel
    2
    """

    radii: tuple[float, ...]
    d_parallel: int = 2
    innermost: int = -1

    def __post_init__(self) -> None:
        radii = increasing("radii", positive_array("radii", self.radii))
        sign("innermost", self.innermost)
        object.__setattr__(self, "radii", tuple(map(float, radii)))
        object.__setattr__(self, "d_parallel", integer("d_parallel", self.d_parallel, 1))

    @classmethod
    def equiprobable(cls, d_parallel: int) -> Shells:
        """Return the labels with one sign change, at the radius that contains half of the Gaussian data."""
        count = integer("d_parallel", d_parallel, 1)
        return cls((math.sqrt(2 * special.gammaincinv(count / 2, 0.5)),), count)

    def __call__(self, x: ArrayLike) -> NDArray[np.int64]:
        """Return the labels, +1 or -1, ``[...]``, of points with informative coordinates ``[..., d_parallel]``."""
        points = real_array("x", x, last=self.d_parallel)
        cell = np.searchsorted(self.radii, np.linalg.norm(points, axis=-1), side="right")
        signs: NDArray[np.int64] = self.innermost * (-1) ** cell
        return signs

    @property
    def mean(self) -> float:
        """Return the mean label over Gaussian data, in [-1, 1]."""
        inside = special.gammainc(self.d_parallel / 2, np.square(self.radii) / 2)
        signs = self.innermost * (-1.0) ** np.arange(len(self.radii) + 1)
        return float(signs @ np.diff([0.0, *inside, 1.0]))

    @property
    def outermost(self) -> int:
        """Return the label beyond all radii, +1 or -1."""
        return int(self.innermost * (-1) ** len(self.radii))

    @property
    def stripes(self) -> Stripes:
        """The same labels of one informative direction as stripes; ValueError if there are several directions."""
        if self.d_parallel != 1:
            raise ValueError(f"d_parallel: got {self.d_parallel}, needs 1")
        return Stripes(
            (*(-radius for radius in reversed(self.radii)), *self.radii), self.outermost
        )

    @property
    def jumps(self) -> Array:
        """Return the change of the label at each radius, outwards, ``[K]``: +2 or -2."""
        return np.asarray(
            -2.0 * self.innermost * (-1.0) ** np.arange(len(self.radii)), dtype=np.float64
        )

    @property
    def places(self) -> Array:
        """Return where the surfaces of the shells touch planes across a line through the centre, ``[2 K]``."""
        radii = np.array(self.radii)
        return np.concatenate([-radii[::-1], radii])

    @property
    def nodes(self) -> Array:
        """Return a mesh on a line through the centre, dense at the places where the averages are not smooth."""
        share = (1 - np.cos(np.linspace(0, np.pi, MESH + 1))) / 2
        cells = [low + (high - low) * share for low, high in itertools.pairwise(self.places)]
        return np.unique(np.concatenate(cells))

    @property
    def first_moments(self) -> Array:
        """Return the mean of label times position on a line through the centre, ``[1]``, zero by symmetry."""
        return np.zeros(1)

    def bias_terms(self, zeta: ArrayLike, side: int) -> Array:
        r"""Return the terms whose sum is :math:`C_b^\pm(\zeta)`, ``[..., K + 1]``; ``side`` is +1 or -1."""
        at, side = plane(zeta, side)
        at = side * at
        outer = self.outermost * special.ndtr(-at)
        segments = [
            -jump * ball_segment(self.d_parallel, radius, at)
            for radius, jump in zip(self.radii, self.jumps, strict=True)
        ]
        return np.stack([outer, *segments], axis=-1)

    def parallel_terms(self, zeta: ArrayLike, side: int) -> Array:
        r"""Return the terms whose sum is :math:`C_1^\pm(\zeta)`, ``[..., 2 K + 1]``; ``side`` is +1 or -1."""
        at, side = plane(zeta, side)
        return side * np.concatenate(
            [self._labels(at) * density(at)[..., None], self._currents(at)], axis=-1
        )

    def c_bias(self, zeta: ArrayLike, side: int) -> Array:
        r"""Return :math:`C_b^\pm(\zeta)`, dimensionless, in the shape of ``zeta``; ``side`` is +1 or -1."""
        return np.asarray(self.bias_terms(zeta, side).sum(axis=-1))

    def c_parallel(self, zeta: ArrayLike, side: int) -> Array:
        r"""Return :math:`C_1^\pm(\zeta)`, dimensionless, in the shape of ``zeta``; ``side`` is +1 or -1."""
        return np.asarray(self.parallel_terms(zeta, side).sum(axis=-1))

    def boundary_current(self, zeta: float, side: int) -> float:
        r"""Return :math:`C_1^\pm \mp \bar y\varrho = \pm J`, the flow of density through the surfaces of the shells."""
        at, side = plane(zeta, side)
        return side * float(self._currents(at).sum())

    def label_at(self, zeta: float) -> float:
        """Return the mean label on the plane at ``zeta``, in [-1, 1]."""
        return self._labels(plane(zeta, 1)[0]).sum(axis=-1).item()

    def _labels(self, at: Array) -> Array:
        """Return the terms of the mean label on planes across a line through the centre, ``[..., K + 1]``."""
        rest = np.maximum(np.square(self.radii) - at[..., None] ** 2, 0.0) / 2
        below = special.gammainc((self.d_parallel - 1) / 2, rest)
        return np.concatenate(
            [np.full((*at.shape, 1), self.outermost), -self.jumps * below], axis=-1
        )

    def _currents(self, at: Array) -> Array:
        """Return the part of each shell in *J*, ``[..., K]``."""
        across = (self.d_parallel - 1) / 2
        rest = np.maximum(np.square(self.radii) - at[..., None] ** 2, 0.0) / 2
        size = (
            special.xlogy(across, rest) - np.square(self.radii) / 2 - special.gammaln(across + 1)
        )
        return np.asarray(self.jumps * np.exp(size) / math.sqrt(2 * math.pi))


def ball_segment(directions: int, radius: float, zeta: Array) -> Array:
    r"""Return the probability ``[...]`` of the part of a ball of *n* directions beyond planes at ``zeta [...]``.

    The distance from the axis along *t* has a :math:`\chi_{n-1}` distribution. The series of its lower incomplete gamma
    function has positive terms, and the integral of each is an incomplete beta function:

    .. math:: \sum_{j \ge 0} \frac{e^{-s}\, s^{\,n/2 + j}}{\Gamma(n/2 + j + 1)}\, P\bigl(B_j > \zeta/R\bigr),
              \qquad s = R^2/2,

    with :math:`B_j` symmetric on :math:`(-1, 1)` and :math:`B_j^2` distributed as :math:`\mathrm{Beta}(\tfrac12,
    \tfrac{n+1}2 + j)`. Nothing cancels, so small probabilities keep their digits.
    """
    half, s = directions / 2, radius**2 / 2
    # the Poisson weights further out are negligible
    count = int(max(0.0, s - half) + 12 * math.sqrt(s + half) + 60)
    j = np.arange(count)
    first = math.exp(half * math.log(s) - s - math.lgamma(half + 1))
    weights = first * np.cumprod(np.append(1.0, s / (half + j[1:])))
    share = np.minimum((zeta / radius) ** 2, 1.0)[..., None]
    rest = special.betaincc(0.5, half + j + 0.5, share)
    return np.asarray(np.where(zeta[..., None] > 0, rest, 2 - rest) @ weights / 2)
