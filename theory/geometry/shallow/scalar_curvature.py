r"""Scalar curvature of a shallow network, from first and second derivatives of the activation alone.

The derivatives of the metric, :math:`T_{ijk} = \frac2n \sum_a \varphi' \varphi'' w_{ai} w_{aj} w_{ak}`, are symmetric
in all indices, so that second derivatives drop out of the curvature (``theory.geometry.shallow.derivation``):

.. math:: R = \tfrac14 \left( \|T\|_g^2 - \|\operatorname{tr}_g T\|_g^2 \right)
    = \tfrac14 \sum_{ab} c_a c_b \left( k_{ab}^3 - k_{aa} k_{bb} k_{ab} \right),

with :math:`c_a = \frac2n \varphi'(z_a) \varphi''(z_a)` and :math:`k_{ab} = w_a^\top g^{-1} w_b`. The first form costs
:math:`n d^3 / 2` multiplications, the second :math:`n^2 d`; the code uses the cheaper one. For d = 2 it uses moments
where these are proved to be accurate (``theory.geometry.shallow.plane``).

With one unit more than inputs the image of the inputs in feature space is a hypersurface, and nearly orthogonal rows
would cost digits in :math:`k_{ab}`. A formula in terms of the unit normal has no such loss:
:math:`N_a \propto \nu_a / \varphi'(z_a)` with :math:`\sum_a \nu_a w_a = 0`, so that, with
:math:`k_{ab} \varphi'(z_a) \varphi'(z_b) = n (\delta_{ab} - N_a N_b)`,

.. math:: R = \frac{n^3}{4} \sum_{a \ne b} h_a h_b N_a N_b \sum_{e \ne a, b} N_e^2,
    \qquad h_a = \frac{c_a}{\varphi'(z_a)^3}.

The paper's Eqs. (4), (A.19), (B.15), (B.36) and (B.40) give three times this value.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from closedform.checks import one_of
from theory.activations import ActivationLike
from theory.geometry.shallow import certified, plane
from theory.geometry.shallow.frame import (
    RESPONSES,
    Frame,
    Layer,
    WhenSingular,
    checked_for_curvature,
    frames,
    in_frame,
)
from theory.geometry.shallow.plane import ACCURACY

_NUMBERS_IN_A_BLOCK = 2**22
_NUMBERS_IN_CACHE = 2**17  # 1 MB
LEAST_ROWS = 64  # for an efficient matrix product
ROUNDING = np.finfo(np.float64).eps
DRAWS = 3  # of other roundings of a network
LARGER = 4  # times the largest change between them is said to be the error
Contraction = Callable[[Layer, Frame, NDArray[np.float64]], NDArray[np.float64]]


def scalar_curvature(
    weights: ArrayLike,
    biases: ArrayLike,
    x: ArrayLike,
    act: ActivationLike,
    when_singular: WhenSingular = "raise",
) -> NDArray[np.float64]:
    r"""Return the Ricci scalar at every input, exact up to rounding.

    The terms of the curvature may exceed it by many orders of magnitude, as in saturated networks, where most slopes
    are tiny. Where rounding could cost more than six digits, the curvature is computed again in ball arithmetic, at
    some milliseconds for each such input; networks too wide for that give a warning.

    The arguments are those of ``log_volume_element``, with d >= 2 and an activation with a continuous first derivative.

    Returns:
        The curvature, [...], dimensionless because the features are. It is negative for saddles and 2/rho^2 on a
        2-sphere of radius rho.

    Raises:
        TypeError, ValueError: for arguments that are not finite real arrays of fitting shapes, d < 2, width < d, or an
            activation whose slope jumps, as that of ReLU.
        ArithmeticError: where the metric is singular to working precision, or the curvature exceeds double precision.

    Warns:
        RuntimeWarning: where the relative error may exceed 1e-10, with the largest estimate.

    Source: derived here; corrects Zavatone-Veth et al. (2023), Eqs. (4) and (B.40), by a factor 1/3.
    """
    layer = checked_for_curvature(weights, biases, x, act)
    one_of("when_singular", when_singular, RESPONSES)
    n, d = layer.width, layer.dimension
    pairs = d * (d + 1) // 2
    contract = (
        _through_normal if n == d + 1 else _through_derivatives if pairs <= n else _through_units
    )
    if d == 2 and n > 3:
        result, bound = plane.scalar_curvature(layer)
        if bound.max() <= ACCURACY:
            return result.reshape(layer.shape)[()]
        remaining = ~(bound <= ACCURACY)
    else:
        result, remaining = np.empty(len(layer.points)), np.ones(len(layer.points), dtype=bool)
    part = replace(layer, points=layer.points[remaining])
    result[remaining], worst = _through_frames(
        part, contract, n * (2 * d + min(pairs, n) + 8), when_singular
    )
    if worst > ACCURACY:
        warnings.warn(
            f"scalar_curvature: terms cancel, so that relative errors may reach {worst:.1e}",
            RuntimeWarning,
            2,
        )
    return result.reshape(layer.shape)[()]


def _through_frames(
    layer: Layer, contract: Contraction, numbers_per_point: int, when_singular: WhenSingular
) -> tuple[NDArray[np.float64], float]:
    """Return the curvature at all inputs, [point], computed in orthonormal frames, and the largest error estimate."""
    bend = layer.act.function(2)
    result = np.empty(len(layer.points))
    worst = 0.0
    for frame in frames(layer, numbers_per_point, when_singular):
        coefficients = 2 / layer.width * frame.slopes * bend(frame.preactivations)
        with np.errstate(over="ignore", invalid="ignore"):
            curvature = contract(layer, frame, coefficients) / 4
        curvature[frame.singular] = np.nan
        if layer.width == layer.dimension:
            curvature[~frame.singular] = 0.0  # the features are coordinates of a flat space
        elif contract is not _through_normal:
            doubtful = _mend(layer, frame, coefficients, curvature)
            if doubtful.size:
                part = replace(layer, points=layer.points[frame.points][doubtful])
                worst = max(
                    worst,
                    _by_other_roundings(part, contract, numbers_per_point, curvature[doubtful]),
                )
        if not (np.isfinite(curvature) | frame.singular).all():
            raise ArithmeticError("the scalar curvature exceeds the range of double precision")
        result[frame.points] = curvature
    return result, worst


def _mend(
    layer: Layer, frame: Frame, coefficients: NDArray[np.float64], found: NDArray[np.float64]
) -> NDArray[np.intp]:
    """Replace in ``found`` what rounding may have spoilt by proved numbers; return the points where it still may."""
    sizes = np.linalg.norm(layer.weights, axis=1)
    with np.errstate(all="ignore"):
        terms = np.abs(coefficients) @ sizes**3 * np.linalg.norm(frame.inverse, axis=(1, 2)) ** 3
        condition = frame.condition * np.maximum(
            1, np.abs(frame.preactivations).max(axis=1) / plane.FORMULAS
        )
        error = np.where(terms > 0, ROUNDING * condition * terms**2 / np.abs(found), 0.0)
        # that bound was cheap; this one is tight
        for index in np.flatnonzero(~(error <= ACCURACY)):
            rows = in_frame(layer.weights, frame.inverse[index])
            error[index] = _relative_error(rows, coefficients[index], found[index])
            error[index] *= condition[index] / np.sqrt(layer.dimension)
    doubtful = np.flatnonzero(~(error <= ACCURACY) & ~frame.singular)
    if certified.operations(layer) > certified.MOST_OPERATIONS:
        return doubtful
    for index in doubtful:
        found[index] = certified.scalar_curvature(layer, layer.points[frame.points][index])
    return doubtful[:0]


def _by_other_roundings(
    layer: Layer, contract: Contraction, numbers_per_point: int, found: NDArray[np.float64]
) -> float:
    """Estimate the largest relative error by weights and biases that differ by one unit of the last place.

    A bound from condition numbers exceeds the error a thousand times in wide networks, where roundings of units cancel.
    """
    bend, rng, changes = layer.act.function(2), np.random.default_rng(0), []
    for _ in range(DRAWS):
        signs = rng.choice((-ROUNDING, ROUNDING), (layer.width, layer.dimension + 1))
        nearby = replace(
            layer,
            weights=layer.weights * (1 + signs[:, 1:]),
            biases=layer.biases * (1 + signs[:, 0]),
        )
        other = np.empty(len(found))
        for frame in frames(nearby, numbers_per_point, "nan"):
            coefficients = 2 / layer.width * frame.slopes * bend(frame.preactivations)
            other[frame.points] = np.where(
                frame.singular, np.inf, contract(nearby, frame, coefficients) / 4
            )
        changes.append(LARGER * np.abs(other - found))
    error = np.max(changes, axis=0)
    # in units of the least curvature that is possible; infinite if that may be zero
    with np.errstate(all="ignore"):
        return float(
            np.max(np.where(error < np.abs(found), error / (np.abs(found) - error), np.inf))
        )


def _relative_error(
    rows: NDArray[np.float64], coefficients: NDArray[np.float64], curvature: float
) -> float:
    """Return the error of the curvature for rounding of each u_a, [width, d], by one unit of the last place."""
    squares = np.einsum("ai,ai->a", rows, rows)
    change = 6 * ROUNDING * np.sqrt(((coefficients * squares) ** 2 * squares).sum())
    trace = float(np.linalg.norm((coefficients * squares) @ rows))
    whole = np.sqrt(abs(4 * curvature) + trace**2)
    return float(change * (whole + trace + change) / 2 / abs(curvature))


_pairs = lru_cache(maxsize=2)(np.triu_indices)


def derivatives(
    layer: Layer, frame: Frame, coefficients: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return T in the orthonormal frame, [point, d, pair]; pairs i <= j are ordered as by ``numpy.triu_indices``."""
    d = layer.dimension
    first, second = _pairs(d)
    inverse = frame.inverse
    tensor = np.zeros((len(coefficients), d, first.size))
    size = max(d, _NUMBERS_IN_A_BLOCK // (len(coefficients) * first.size))
    for start in range(0, layer.width, size):
        part = slice(start, start + size)
        # shape [point, d, width], so that products run over long rows
        rows = inverse.swapaxes(1, 2) @ layer.weights[part].T
        tensor += (coefficients[:, None, part] * rows) @ (
            rows[:, first] * rows[:, second]
        ).swapaxes(1, 2)
    return tensor


def _through_derivatives(
    layer: Layer, frame: Frame, coefficients: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return |T|^2 - |tr T|^2 at all points of the frame, with n d^3 / 2 multiplications per point."""
    first, second = _pairs(layer.dimension)
    tensor = derivatives(layer, frame, coefficients)
    diagonal = tensor[..., first == second]  # T_iik, [point, k, i]
    apart = tensor[..., first != second]
    # The squares T_iik^2 are in both norms and are left out of both.
    crossed = diagonal.sum(axis=-1) ** 2 - (diagonal**2).sum(axis=-1)
    return 2 * (apart**2).sum(axis=(1, 2)) - crossed.sum(axis=-1)


def _through_units(
    layer: Layer, frame: Frame, coefficients: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return |T|^2 - |tr T|^2 as a sum over pairs of units, with n^2 d multiplications per point, by blocks of rows."""
    contracted = np.empty(len(coefficients))
    size = max(LEAST_ROWS, _NUMBERS_IN_CACHE // layer.width)
    for index, weight in enumerate(coefficients):
        rows = in_frame(layer.weights, frame.inverse[index])
        lengths = np.einsum("ai,ai->a", rows, rows)
        total = 0.0
        for start in range(0, layer.width, size):
            stop = min(start + size, layer.width)
            gram = rows[start:stop] @ rows[start:].T
            terms = gram * gram
            terms -= np.outer(lengths[start:stop], lengths[start:])
            terms *= gram
            sums = weight[start:stop] @ terms
            # pairs of units in different blocks occur once here and twice in the sum
            total += sums[: stop - start] @ weight[start:stop] + 2 * (
                sums[stop - start :] @ weight[stop:]
            )
        contracted[index] = total
    return contracted


def _through_normal(
    layer: Layer, frame: Frame, coefficients: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return |T|^2 - |tr T|^2 for one unit more than inputs, by pairs where a slope is 0 or its cube overflows."""
    n = layer.width
    slopes = frame.slopes
    direct = np.abs(slopes).min(axis=1) < 1e-50
    safe = np.where(direct[:, None], 1, slopes)
    lengths = np.abs(layer.weights).max(axis=1)
    lengths[lengths == 0] = 1
    null = np.linalg.qr(layer.weights / lengths[:, None], mode="complete")[0][:, -1]
    # The smallest slope is factored out, so that ratios are at most 1.
    scale = safe * (lengths / lengths.max())
    normal = null * np.abs(scale).min(axis=1, keepdims=True) / scale
    normal /= np.linalg.norm(normal, axis=1, keepdims=True)
    # The unit is the first axis, so that the operations below run over long rows.
    bends = np.ascontiguousarray((n**1.5 * coefficients / (safe * safe * safe) * normal).T)
    squares = np.ascontiguousarray(normal.T) ** 2
    contracted = np.zeros(len(normal))
    for a in range(n - 1):
        # The sum over e != b is built from e < b and e > b: subtracting the term e = b from the total would cancel.
        others = np.delete(squares, a, axis=0)
        rest = np.zeros_like(others)
        rest[1:] = np.cumsum(others[:-1], axis=0)
        rest[:-1] += np.cumsum(others[:0:-1], axis=0)[::-1]
        contracted += 2 * bends[a] * (bends[a + 1 :] * rest[a:]).sum(axis=0)
    if direct.any():
        contracted[direct] = _through_units(layer, frame, coefficients)[direct]
    return contracted
