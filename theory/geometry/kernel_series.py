r"""Kernels of smooth activations without a closed form, as series in the correlation of the pre-activations.

With :math:`a_k(v) = E[f(\sqrt v u)\, h_k(u)]` for the Hermite polynomials :math:`h_k`, normalised for a standard normal
*u*, Mehler's formula is

.. math:: E[f(z) f(z')] = \sum_k a_k(v)\, a_k(w)\, \rho^k,

so that each input needs one row of coefficients, and each entry of a kernel matrix one multiplication and addition a
term. By Parseval's identity :math:`\sum_k a_k(v)^2 = E[f(z)^2]`, which bounds what is left after *K* terms: it is at
most :math:`|\rho|^K` times the roots of what both sums of squares lack. The coefficients are sums over equidistant
nodes, which converge exponentially for a function that is analytic around the real line. Two grids of nodes must give
the same, and their distances have no common measure: a fast oscillation looks slow at nodes of one distance, and so it
does at every other of them, but not alike at nodes of another distance. What lies between the nodes of both is missing
in the sum of squares, which must be the diagonal that adaptive quadrature gives. Entries for which terms or nodes do
not suffice are computed by quadrature.

Source: Mehler (1866); Daniely, Frostig and Singer (2016), Lemma 11, for kernels of networks.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache

import numpy as np

from closedform.checks.arrays import Array
from theory.core.numbers.backends.quadrature import QUADRATURE_PROMISE

Function = Callable[[Array], Array]
REACH = 14.0  # of the nodes, standard deviations: the root of the density is 1e-21 there
NODES, TERMS = (512, 2048, 8192), (32, 128, 512, 1024)
ENOUGH = 1e-11  # what the sum of squares may lack without more terms, relative to it
SAME = 1e-12  # difference of coefficients between both grids, relative to the root of the sum
SPARSER = 0.61803398875  # nodes of the second grid for one of the first: a ratio that is far from every simple fraction
SOME = 7  # every seventh coefficient is compared, of which one half is even
NEGLIGIBLE = 1e-20  # product of two coefficients relative to both roots


def with_series(
    functions: Sequence[Function],
    diagonals: Callable[[Array], tuple[Array, ...]],
    integrals: Callable[..., tuple[Array, ...]],
) -> Callable[[Array, Array, Array], tuple[Array, ...]]:
    """Return a function of variances and covariances: a kernel per function, by ``integrals`` if need be.

    ``diagonals`` has ``E[f(z)^2]`` of each function for variances, by another way than the series.
    """

    def kernels(v: Array, w: Array, c: Array) -> tuple[Array, ...]:
        spread = np.sqrt(v) * np.sqrt(w)
        correlation = np.clip(np.divide(c, spread, out=np.zeros_like(c), where=spread > 0), -1, 1)
        results, is_open = [], np.zeros(c.shape, dtype=bool)
        variances = np.concatenate([v.ravel(), w.ravel()])
        for function, diagonal in zip(functions, _where_known(diagonals, variances), strict=True):
            coefficients, root, rest = expanded(function, variances)
            is_same = np.abs(root**2 - diagonal) <= QUADRATURE_PROMISE * diagonal
            parts = coefficients, root, np.where(is_same, rest, np.inf)
            rows = [part[: v.size].reshape(*v.shape, *part.shape[1:]) for part in parts]
            columns = [part[v.size :].reshape(*w.shape, *part.shape[1:]) for part in parts]
            results.append(_summed(rows[0], columns[0], correlation) * (rows[1] * columns[1]))
            # no correlation and infinitely much left: NaN, which is open, too
            with np.errstate(invalid="ignore"):
                error = np.abs(correlation) ** rows[0].shape[-1] * (rows[2] * columns[2])
            is_open |= ~(error <= QUADRATURE_PROMISE)
        if is_open.any():
            point = (np.broadcast_to(part, c.shape)[is_open] for part in (v, w, c))
            for result, value in zip(results, integrals(*point), strict=True):
                result[is_open] = value
        return tuple(results)

    return kernels


def _where_known(
    diagonals: Callable[[Array], tuple[Array, ...]], variances: Array
) -> Sequence[Array]:
    """Return each diagonal ``[n]`` at variances, once for all that are equal; NaN where it does not converge."""
    distinct, places = np.unique(variances, return_inverse=True)
    try:
        with np.errstate(all="ignore"):
            return [
                np.broadcast_to(values, distinct.shape)[places] for values in diagonals(distinct)
            ]
    except ArithmeticError:
        return [np.full(variances.shape, np.nan)] * 2


def expanded(function: Function, variances: Array) -> tuple[Array, Array, Array]:
    """Return the coefficients of a function at pre-activations of these variances, relative to their root ``[n]``.

    They are ``[n, terms]``; the root of ``E[f(z)^2]`` and the root of what their squares lack of 1, infinite where the
    nodes do not suffice, follow.
    """
    for nodes in NODES:
        weighted, root = _at_nodes(function, variances, nodes)
        sparser = round(SPARSER * nodes)
        other, _ = _at_nodes(function, variances, sparser, root)
        coefficients, rest = np.empty((len(variances), 0)), np.ones(len(variances))
        is_settled = np.isfinite(root)
        for terms in TERMS:
            compared = np.arange(coefficients.shape[1], terms, SOME)
            more = weighted @ _hermite(nodes, terms)[:, coefficients.shape[1] :]
            difference = more[:, ::SOME] - other @ _hermite(sparser, terms)[:, compared]
            is_settled &= np.abs(difference).max(axis=1) <= SAME
            coefficients, rest = (
                np.hstack([coefficients, more]),
                rest - np.einsum("nk,nk->n", more, more),
            )
            if (rest <= ENOUGH).all() or not (is_settled.all() or nodes == NODES[-1]):
                break
        if is_settled.all():
            break
    floor = terms * np.finfo(float).eps  # rounding of the sum of squares
    rest = np.where(root > 0, np.sqrt(np.maximum(rest, floor)), 0.0)
    return coefficients, root, np.where(is_settled, rest, np.inf)


def _at_nodes(
    function: Function, variances: Array, nodes: int, root: Array | None = None
) -> tuple[Array, Array]:
    """Return values times weights ``[n, nodes]``, relative to a root ``[n]``, by default that of their squares."""
    nodes_at = np.linspace(-REACH, REACH, nodes, endpoint=False)
    weighted = function(np.sqrt(variances)[:, None] * nodes_at) * _hermite(nodes, 1)[:, 0]
    step = 2 * REACH / nodes
    root = np.sqrt(step * (weighted**2).sum(axis=1)) if root is None else root
    weighted *= step / np.where(root > 0, root, 1)[:, None]
    return weighted, root


def _summed(one: Array, other: Array, correlation: Array) -> Array:
    largest = np.multiply(
        *(np.abs(part).reshape(-1, part.shape[-1]).max(axis=0) for part in (one, other))
    )
    total, product = np.zeros_like(correlation), np.empty_like(correlation)
    # read in this order
    left, right = (np.ascontiguousarray(np.moveaxis(part, -1, 0)) for part in (one, other))
    for k in range(len(left) - 1, -1, -1):
        total *= correlation
        if largest[k] > NEGLIGIBLE:
            total += np.multiply(left[k], right[k], out=product)
    return total


@lru_cache(maxsize=16)
def _hermite(nodes: int, terms: int) -> Array:
    """Return the Hermite polynomials times the root of the normal density at the nodes, ``[nodes, terms]``."""
    u = np.linspace(-REACH, REACH, nodes, endpoint=False)
    rows = np.zeros((terms + 1, nodes))
    rows[0] = np.exp(-(u**2) / 4) / (2 * np.pi) ** 0.25
    for k in range(1, terms):
        rows[k] = (u * rows[k - 1] - np.sqrt(k - 1) * rows[k - 2]) / np.sqrt(k)
    return np.ascontiguousarray(rows[:terms].T)
