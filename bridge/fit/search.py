r"""Least squares within bounds by the Levenberg-Marquardt method, from several starts at once.

Every step solves :math:`(J^T J + \lambda D)\,\delta = -J^T r` for the parameters that are not pushed against a bound,
where :math:`D` is the largest diagonal of :math:`J^T J` so far, and is truncated at the bounds. A search ends when the
undamped step would reduce the sum of squares by less than a relative 1e-9. One call of the model computes all starts
and all forward differences. The minimum is the zero of :math:`J^T r`, which rounding errors of :math:`J^T J` do not
move.
"""

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from closedform.checks.arrays import Array as Array

Model = Callable[[Array], Array]
"""A function ``[set, parameter] -> [set, curve, time]`` that computes curves for many sets of parameters at once."""

DECREASE = 1e-9  # relative decrease of the sum of squares that the undamped step must predict
SMALL_STEP = 1e-10  # relative size of an undamped step (absolute for parameters below one) at which a search ends
ROUNDS = 200  # largest number of steps of a search
DAMPING = 1e-3  # initial lambda
SMALLEST, LARGEST = 1e-14, 1e10  # smallest lambda, and the lambda above which a search ends
# rounding of a model, relative to the largest value of a curve
UNCHANGED = 8 * float(np.finfo(np.float64).eps)
FASTEST = 0.1  # smallest factor by which lambda changes in one step


SetsModel = Callable[[Array, NDArray[np.int_]], Array]
"""The same for the searches of several problems: it also gets the index of the search to which each set belongs."""


class Ends(NamedTuple):
    """The points of all searches."""

    parameters: Array  # [start, parameter]
    residuals: Array  # model minus observation, [start, curve, time]
    jacobian: Array  # derivatives of the model, [start, parameter, curve, time]
    squares: Array  # sums of squared residuals, [start]


def minimise(
    model: Model,
    observed: Array,
    starts: Array,
    *,
    lower: Array,
    upper: Array,
    step: float,
    damping: float = DAMPING,
) -> tuple[Ends, NDArray[np.bool_]]:
    """Search for the minimum of one problem from several starts.

    Args:
        model: a function ``[set, parameter] -> [set, curve, time]``.
        observed: what the curves are to be, ``[curve, time]``.
        starts: where the searches begin, ``[start, parameter]``; outside of the bounds, they begin at these.
        lower: bounds of the parameters, ``[parameter]``.
        upper: the same.
        step: relative step of finite differences, absolute for parameters below one.
        damping: initial lambda. Default: 1e-3; smaller for starts that are close to a minimum.

    Returns:
        Where the searches end, and which converged, ``[start]``.
    """
    return descend(
        lambda sets, _: model(sets),
        np.broadcast_to(observed, (len(starts), *observed.shape)),
        starts,
        lower=np.broadcast_to(lower, starts.shape),
        upper=np.broadcast_to(upper, starts.shape),
        step=step,
        damping=damping,
    )


def descend(
    model: SetsModel,
    observed: Array,
    starts: Array,
    *,
    lower: Array,
    upper: Array,
    step: float,
    damping: float = DAMPING,
) -> tuple[Ends, NDArray[np.bool_]]:
    """Search for the minima of independent problems at once.

    Args:
        model: a function of parameters ``[set, parameter]`` and of the search to which each set belongs, ``[set]``.
        observed: what the curves are to be, ``[start, curve, time]``.
        starts: where the searches begin, ``[start, parameter]``; outside of the bounds, they begin at these.
        lower: bounds of the parameters, ``[start, parameter]``.
        upper: the same.
        step: relative step of finite differences, absolute for parameters below one.
        damping: initial lambda. Default: 1e-3; smaller for starts that are close to a minimum.

    Returns:
        Where the searches end, and which converged, ``[start]``.
    """
    evaluate = partial(_evaluate, model, observed, upper=upper, step=step)
    points = evaluate(np.arange(len(starts)), np.clip(starts, lower, upper))
    damped, growth = np.full(len(starts), damping), np.full(len(starts), 2.0)
    size = np.zeros(starts.shape)
    active = np.ones(len(starts), dtype=bool)
    for _ in range(ROUNDS):
        moving = np.flatnonzero(active)
        move, promised, size[moving], ended = _step(
            points, moving, damping=damped[moving], size=size[moving], lower=lower, upper=upper
        )
        active[moving[ended]] = False
        moving, move, promised = moving[~ended], move[~ended], promised[~ended]
        if not moving.size:
            break
        tried = evaluate(moving, points.parameters[moving] + move)
        usable = promised > 0  # a step truncated at the bounds may predict no decrease
        gain = np.where(
            usable,
            (points.squares[moving] - tried.squares) / np.where(usable, promised, 1.0),
            -1.0,
        )
        better = gain > 0
        for old, new in zip(points, tried, strict=True):
            old[moving[better]] = new[better]
        damped[moving] *= np.where(
            better, np.maximum(FASTEST, 1 - (2 * gain - 1) ** 3), growth[moving]
        )
        growth[moving] = np.where(better, 2.0, 2 * growth[moving])
        damped = np.maximum(damped, SMALLEST)
        active[damped > LARGEST] = False  # rounding errors prevent any further decrease
        if not active.any():
            break
    return points, ~active


def _evaluate(
    model: SetsModel,
    observed: Array,
    moving: NDArray[np.int_],
    parameters: Array,
    *,
    upper: Array,
    step: float,
) -> Ends:
    """Compute residuals and forward differences (backward at an upper bound) of searches at ``[start, parameter]``."""
    starts, free = parameters.shape
    observed, upper = (part if starts == len(part) else part[moving] for part in (observed, upper))
    width = step * np.maximum(np.abs(parameters), 1.0)
    width = np.where(parameters + width > upper, -width, width)
    shifted = parameters[:, None, :] + width[:, :, None] * np.eye(free)
    width = np.diagonal(shifted, axis1=1, axis2=2) - parameters  # the step after rounding
    sets = np.concatenate([parameters[:, None, :], shifted], axis=1).reshape(-1, free)
    curves = model(sets, np.repeat(moving, 1 + free)).reshape(
        starts, 1 + free, *observed.shape[1:]
    )
    slopes = np.empty((starts, free, *observed.shape[1:]))
    np.subtract(curves[:, 1:], curves[:, :1], out=slopes)
    rounding = UNCHANGED * np.abs(curves[:, :1]).max(axis=-1)
    # no curve depends on the parameter
    slopes[(np.abs(slopes).max(axis=-1) <= rounding).all(axis=-1)] = 0.0
    slopes /= width[:, :, None, None]
    residuals = np.empty(observed.shape)
    np.subtract(curves[:, 0], observed, out=residuals)
    return Ends(parameters, residuals, slopes, np.einsum("sct,sct->s", residuals, residuals))


def _step(
    points: Ends,
    moving: NDArray[np.int_],
    *,
    damping: Array,
    size: Array,
    lower: Array,
    upper: Array,
) -> tuple[Array, Array, Array, NDArray[np.bool_]]:
    """Return steps, predicted decreases, scales of the damping, ``[start, ...]``, and which searches have ended."""
    here, residuals, jacobian, squares, lower, upper = (
        part if moving.size == len(part) else part[moving] for part in (*points, lower, upper)
    )
    slopes, remainder = jacobian.reshape(*here.shape, -1), residuals.reshape(moving.size, -1)
    normal, gradient = slopes @ slopes.swapaxes(1, 2), (slopes @ remainder[:, :, None])[:, :, 0]
    size = np.maximum(size, np.diagonal(normal, axis1=1, axis2=2))
    free = ~(((here <= lower) & (gradient > 0)) | ((here >= upper) & (gradient < 0)) | (size == 0))
    unit = np.sqrt(np.where(size > 0, size, 1.0))
    scaled = normal / (unit[:, :, None] * unit[:, None, :]) * (free[:, :, None] & free[:, None, :])
    downhill = np.where(free, -gradient / unit, 0.0)

    # of the undamped and of the damped step
    both = np.stack([np.full(len(moving), SMALLEST), damping])
    matrix = scaled + np.eye(here.shape[1]) * np.where(free, both[:, :, None], 1.0)[..., None, :]
    undamped, damped = np.linalg.solve(
        matrix, np.broadcast_to(downhill, (2, *downhill.shape))[..., None]
    )[..., 0]
    is_small = (np.abs(undamped / unit) <= SMALL_STEP * np.maximum(np.abs(here), 1.0)).all(axis=1)
    ended = is_small | ((undamped * downhill).sum(axis=1) <= DECREASE * squares)
    move = np.clip(here + damped / unit, lower, upper) - here
    promised = (
        -2 * (gradient * move).sum(axis=1)
        - (move[:, None, :] @ normal @ move[:, :, None])[:, 0, 0]
    )
    return move, promised, size, ended
