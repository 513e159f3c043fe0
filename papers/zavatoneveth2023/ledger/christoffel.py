r"""Curvature of any metric that is given as a function, by the definition and nothing else.

Christoffel symbols by differences of the metric, the Riemann tensor by differences of the Christoffel symbols, in 100
digits, so that 40 remain. No formula of this paper is used: its formulas are checked against this.

Convention: :math:`R^\mu{}_{\nu\alpha\beta} = \partial_\alpha \Gamma^\mu_{\beta\nu} - \partial_\beta
\Gamma^\mu_{\alpha\nu} + \Gamma^\mu_{\alpha\rho} \Gamma^\rho_{\beta\nu} - \Gamma^\mu_{\beta\rho}
\Gamma^\rho_{\alpha\nu}` and :math:`R = g^{\nu\beta} R^\alpha{}_{\nu\alpha\beta}`, positive on a sphere.
"""

from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import Any, NamedTuple

import mpmath
import numpy as np
from numpy.typing import NDArray

from theory.core.numbers import differences

WORK = mpmath.MPContext()
WORK.dps = 100
# With this step a central difference is wrong by 1e-50, and rounding by 1e-75.
slopes = partial(differences.slopes, step=WORK.mpf(10) ** -25)

Metric = Callable[[NDArray[Any]], NDArray[Any]]
"""Takes a point, [d] of ``WORK.mpf``, and gives the metric there, [d, d]."""


class Curvature(NamedTuple):
    """Metric [d, d], Riemann tensor with all indices down [d, d, d, d], and its scalar; objects of ``WORK.mpf``."""

    metric: NDArray[Any]
    riemann: NDArray[Any]
    scalar: Any


def exact(values: Any) -> NDArray[Any]:
    """Numbers as objects of ``WORK.mpf``; text is read as a decimal."""
    return np.vectorize(WORK.mpf, otypes=[object])(values)


def inverse(matrix: NDArray[Any]) -> NDArray[Any]:
    """Inverse of a matrix of objects."""
    inverted = WORK.matrix(matrix.tolist()) ** -1
    entries = np.empty(matrix.shape, dtype=object)
    for index in np.ndindex(entries.shape):
        entries[index] = inverted[index]
    return entries


def christoffel_symbols(metric: Metric, point: NDArray[Any]) -> NDArray[Any]:
    """Second kind, upper index first, [d, d, d]."""
    slope = slopes(metric, point)  # [a, m, n]: derivative along a
    first_kind = (np.einsum("bma->mab", slope) + np.einsum("amb->mab", slope) - slope) / 2
    return np.einsum("ml,lab->mab", inverse(metric(point)), first_kind)


def _remembered(metric: Metric) -> Metric:
    """The same metric; differences of differences meet at the same points."""
    known = cache(lambda point: metric(np.array(point, dtype=object)))
    return lambda point: known(tuple(point))


def curvature(metric: Metric, point: Sequence[Any], *, sign: int = 1) -> Curvature:
    """Curvature at ``point``; ``sign=-1`` reverses the terms quadratic in the Christoffel symbols."""
    at = exact(point)
    metric = _remembered(metric)
    symbols = christoffel_symbols(metric, at)
    bent = np.einsum("ambn->mnab", slopes(lambda x: christoffel_symbols(metric, x), at))
    products = np.einsum("mar,rbn->mnab", symbols, symbols)
    half = bent + sign * products
    mixed = half - half.swapaxes(2, 3)
    here = metric(at)
    ricci = np.einsum("anab->nb", mixed)
    return Curvature(
        here, np.einsum("ml,lnab->mnab", here, mixed), np.einsum("nb,nb->", inverse(here), ricci)
    )


def scalar(metric: Metric, point: Sequence[Any], *, sign: int = 1) -> float:
    """The scalar curvature as a float."""
    return float(curvature(metric, point, sign=sign).scalar)


def pulled_back(feature_map: Callable[[NDArray[Any]], NDArray[Any]]) -> Metric:
    """The metric that a map into Euclidean space, [d] -> [features], induces; it is differentiated numerically."""

    def metric(point: NDArray[Any]) -> NDArray[Any]:
        jacobian = slopes(feature_map, point)
        return np.einsum("ai,bi->ab", jacobian, jacobian)

    return metric


def sphere(x: NDArray[Any]) -> NDArray[Any]:
    """Unit sphere of any dimension, stereographic coordinates: R = d (d - 1)."""
    return exact(np.eye(len(x))) * (2 / (1 + x @ x)) ** 2


def as_floats(values: Any) -> NDArray[np.float64]:
    """An array of objects in double precision."""
    return np.asarray(values, dtype=float)
