r"""Least squares inside bounds, from several starts at once (Levenberg and Marquardt).

Every step solves :math:`(J^T J + \lambda D)\,\delta = -J^T r` with :math:`D` the largest diagonal of :math:`J^T J` so
far, among the parameters that are not pushed against a bound, and is cut off at the bounds. A search ends where the
undamped step would lower the sum of squares by less than a billionth. All starts, and all forward differences, are one
call of the model. The minimum is where :math:`J^T r` vanishes, whatever the rounding of :math:`J^T J`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Model = Callable[[Array], Array]
"""``[set, parameter] -> [set, curve, time]``: curves for many sets of parameters at once."""

DECREASE = 1e-9  # of the sum of squares, that the undamped step must promise
STILL = 1e-10  # relative size of an undamped step (absolute below one) that is not worth taking
ROUNDS = 200  # after which a search is given up
DAMPING = 1e-3  # first lambda
SMALLEST, LARGEST = 1e-14, 1e10  # lambda: least, and where there is no way down
UNCHANGED = 8 * float(np.finfo(np.float64).eps)  # of the largest value of a curve: rounding of a model
FASTEST = 0.1  # factor by which lambda falls at most


class Minimum(NamedTuple):
    """Where a search ended, what it left there, whether by its own criteria, and at what effort."""

    parameters: Array
    residuals: Array
    jacobian: Array
    converged: bool
    evaluations: int


class _State(NamedTuple):
    """Several points at once: parameters, residuals ``[start, curve, time]``, their derivatives, sums of squares."""

    parameters: Array
    residuals: Array
    jacobian: Array
    squares: Array


def minimise(
    model: Model, observed: Array, starts: Array, lower: Array, upper: Array, step: float, damping: float = DAMPING
) -> Minimum:
    """The lowest minimum of the sum of squares of ``model(parameters) - observed`` that is reached from the starts.

    Args:
        model: curves for many sets of parameters at once.
        observed: ``[curve, time]``.
        starts: ``[start, parameter]``.
        lower: ``[parameter]``.
        upper: ``[parameter]``.
        step: relative step of the differences, absolute below one.
        damping: first lambda; smaller for starts that are next to a minimum.
    """
    points = _evaluate(model, observed, np.clip(starts, lower, upper), upper, step)
    damped, growth = np.full(len(starts), damping), np.full(len(starts), 2.0)
    size = np.zeros(starts.shape)
    active, evaluations = np.ones(len(starts), dtype=bool), 1
    for _ in range(ROUNDS):
        moving = np.flatnonzero(active)
        move, promised, size[moving], ended = _step(points, moving, damped[moving], size[moving], lower, upper)
        active[moving[ended]] = False
        moving, move, promised = moving[~ended], move[~ended], promised[~ended]
        if not moving.size:
            break
        tried = _evaluate(model, observed, points.parameters[moving] + move, upper, step)
        evaluations += 1
        usable = promised > 0  # cut off at the bounds, a step may promise nothing
        gain = np.where(usable, (points.squares[moving] - tried.squares) / np.where(usable, promised, 1.0), -1.0)
        better = gain > 0
        points = tried if better.all() and better.size == len(starts) else _replaced(points, tried, moving, better)
        damped[moving] *= np.where(better, np.maximum(FASTEST, 1 - (2 * gain - 1) ** 3), growth[moving])
        growth[moving] = np.where(better, 2.0, 2 * growth[moving])
        damped = np.maximum(damped, SMALLEST)
        active[damped > LARGEST] = False  # rounding leaves no way down: as low as it gets
        if not active.any():
            break
    best = int(np.argmin(points.squares))
    slopes = np.moveaxis(points.jacobian[best], 0, -1)
    return Minimum(points.parameters[best], points.residuals[best], slopes, not active[best], evaluations)


def _evaluate(model: Model, observed: Array, parameters: Array, upper: Array, step: float) -> _State:
    """Compute residuals and forward differences (backward at an upper bound) at ``[start, parameter]``.

    The differences are zero for a parameter that changes no curve by more than rounding.
    """
    starts, free = parameters.shape
    width = step * np.maximum(np.abs(parameters), 1.0)
    width = np.where(parameters + width > upper, -width, width)
    there = parameters[:, None, :] + width[:, :, None] * np.eye(free)
    width = np.diagonal(there, axis1=1, axis2=2) - parameters  # as rounded
    sets = np.concatenate([parameters[:, None, :], there], axis=1).reshape(-1, free)
    curves = model(sets).reshape(starts, 1 + free, *observed.shape)
    slopes = np.empty((starts, free, *observed.shape))
    np.subtract(curves[:, 1:], curves[:, :1], out=slopes)
    rounding = UNCHANGED * np.abs(curves[:, :1]).max(axis=-1)
    slopes[(np.abs(slopes).max(axis=-1) <= rounding).all(axis=-1)] = 0.0  # a parameter that no curve depends on
    slopes /= width[:, :, None, None]
    residuals = np.empty((starts, *observed.shape))
    np.subtract(curves[:, 0], observed, out=residuals)
    return _State(parameters, residuals, slopes, np.einsum("sct,sct->s", residuals, residuals))


def _replaced(points: _State, tried: _State, moving: NDArray[np.int_], better: NDArray[np.bool_]) -> _State:
    """``points`` with those of ``moving`` that became better."""
    for old, new in zip(points, tried, strict=True):
        old[moving[better]] = new[better]
    return points


def _step(
    points: _State, moving: NDArray[np.int_], damping: Array, size: Array, lower: Array, upper: Array
) -> tuple[Array, Array, Array, NDArray[np.bool_]]:
    """Steps ``[start, parameter]``, the decrease that they promise, the scale of their damping, and who has ended."""
    here, residuals, jacobian, squares = (
        points if moving.size == len(damping) == len(points.squares) else (part[moving] for part in points)
    )
    slopes, left = jacobian.reshape(moving.size, len(lower), -1), residuals.reshape(moving.size, -1)
    normal, gradient = slopes @ slopes.swapaxes(1, 2), (slopes @ left[:, :, None])[:, :, 0]
    size = np.maximum(size, np.diagonal(normal, axis1=1, axis2=2))
    free = ~(((here <= lower) & (gradient > 0)) | ((here >= upper) & (gradient < 0)) | (size == 0))
    unit = np.sqrt(np.where(size > 0, size, 1.0))
    scaled = normal / (unit[:, :, None] * unit[:, None, :]) * (free[:, :, None] & free[:, None, :])
    downhill = np.where(free, -gradient / unit, 0.0)

    more = np.stack([np.full(len(moving), SMALLEST), damping])
    matrix = scaled + np.eye(len(lower)) * np.where(free, more[:, :, None], 1.0)[..., None, :]
    undamped, damped = np.linalg.solve(matrix, np.broadcast_to(downhill, (2, *downhill.shape))[..., None])[..., 0]
    still = (np.abs(undamped / unit) <= STILL * np.maximum(np.abs(here), 1.0)).all(axis=1)
    ended = still | ((undamped * downhill).sum(axis=1) <= DECREASE * squares)
    move = np.clip(here + damped / unit, lower, upper) - here
    promised = -2 * (gradient * move).sum(axis=1) - (move[:, None, :] @ normal @ move[:, :, None])[:, 0, 0]
    return move, promised, size, ended
