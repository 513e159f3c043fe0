r"""Representation geodesics by numerical integration of Hamilton's equations across the kinks of the ReLU.

Between kinks the pattern of active neurons is fixed and the equations are polynomial; at a kink the integration stops
where the entry of *A* vanishes and restarts with the new pattern. This is always possible: the velocity of an entry,
:math:`\tilde L (B K - A)_{ij}`, does not contain the slope of the ReLU, so it is the same on both sides of the kink,
and no trajectory slides along a kink.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy.integrate import DOP853
from scipy.optimize import brentq

from closedform.checks import boolean
from closedform.checks.arrays import Array
from theory.core.numbers.arguments import matrices, positions, positive_number, same_shape

# Tolerance relative to the largest entry of A and of B, two digits below the 1e-10 to which H is conserved.
_RTOL = 1e-13
# Fractions of a step at which the integrator checks whether a neuron has switched inside the step.
_LOOK = np.linspace(0, 1, 9)[1:]
_MOST_KINKS = 100_000


class _Segments:
    """Hamilton's equations with a fixed pattern of active neurons, [width, samples] of 0 and 1."""

    def __init__(self, shape: tuple[int, int], depth: float, bias: bool) -> None:
        self.shape, self.depth, self.bias = shape, depth, bias
        self.active = np.zeros(shape)

    def rates(self, _: float, flat: Array) -> Array:
        A, B = flat.reshape(2, *self.shape)
        features = self.active * A
        inner = B.T @ B
        pulled = (B @ features.T) @ features
        if self.bias:
            pulled = pulled + B.sum(axis=1, keepdims=True)
        back = self.active * (features @ inner)
        return self.depth * np.stack([pulled - A, B - back]).ravel()

    def switch(self, flat: Array) -> None:
        """Set the pattern of active neurons: positive entries, and zero entries with positive velocity."""
        A = flat.reshape(2, *self.shape)[0]
        growing = self.rates(0.0, flat).reshape(2, *self.shape)[0] > 0
        self.active = np.where(A == 0, growing, A > 0).astype(float)

    def outside(self, flat: Array) -> Array:
        """Return the signed distance of each entry from its kink, [width * samples]; positive on the right side."""
        A = flat[: self.active.size]
        return np.where(self.active.ravel() > 0, A, -A)


def flow(A0: ArrayLike, B0: ArrayLike, depth: float, p: ArrayLike, bias: bool = True) -> Array:
    r"""Return the trajectory of Hamilton's equations from :math:`(A_0, B_0)`.

    Args:
        A0: representations at p = 0, [width, samples].
        B0: momenta there, the same shape.
        depth: effective depth, > 0, dimensionless.
        p: positions between 0 and 1, any order, [p].
        bias: whether sigma appends a row of ones (the default).

    Returns:
        Representations and momenta, [p, 2, width, samples]. The Hamiltonian is conserved to 1e-10 of its terms.

    Raises:
        ArithmeticError: if the trajectory exceeds double precision (momenta may diverge at finite p), or the number of
            kinks exceeds a limit.

    Source: Section 1.5.

    >>> flow([[1.0, 2.0]], [[0.5, 0.1]], depth=2, p=[0, 1], bias=False).shape
    (2, 2, 1, 2)
    """
    start, momenta = matrices("A0", A0), matrices("B0", B0)
    same_shape("A0", start, "B0", momenta)
    if start.ndim != 2:
        raise ValueError(f"A0: got shape {start.shape}, needs one matrix [width, samples]")
    effective = positive_number("depth", depth)
    wanted = positions("p", p)
    order = np.argsort(wanted, kind="stable")
    segments = _Segments((start.shape[0], start.shape[1]), effective, boolean("bias", bias))
    with np.errstate(over="ignore", invalid="ignore"):
        path = _integrate(segments, np.stack([start, momenta]).ravel(), wanted[order])
    result = np.empty((wanted.size, 2, *start.shape))
    result[order] = path.reshape(wanted.size, 2, *start.shape)
    return result


def _integrate(segments: _Segments, state: Array, wanted: Array) -> Array:
    states = np.empty((wanted.size, state.size))
    position, done = 0.0, 0
    kinks = 0
    segments.switch(state)
    while done < wanted.size:
        goal = wanted[done]
        if goal <= position:
            states[done] = state
            done += 1
            continue
        position, state, crossed = _advance(segments, state, position, goal)
        if crossed:
            kinks += 1
            if kinks > _MOST_KINKS:
                raise ArithmeticError(f"more than {_MOST_KINKS} kinks before p = {position:g}")
            segments.switch(state)
    return states


def _advance(
    segments: _Segments, state: Array, start: float, goal: float
) -> tuple[float, Array, bool]:
    """Integrate to ``goal`` or the first kink; return the position, the state there, and whether it is a kink."""
    rates = segments.rates(start, state)
    if not np.isfinite(rates @ rates):  # the steps would never become small enough
        raise ArithmeticError(f"the trajectory leaves double precision near p = {start:g}")
    solver = _solver(segments, state, start, goal)
    while solver.status == "running":
        before, old = solver.t, solver.y.copy()
        solver.step()
        if solver.status == "failed" or not np.isfinite(solver.y).all():
            raise ArithmeticError(f"the trajectory leaves double precision near p = {before:g}")
        inside = solver.dense_output()
        times = before + _LOOK * (solver.t - before)
        beyond = [segments.outside(inside(t)) < 0 for t in times[:-1]] + [
            segments.outside(solver.y) < 0
        ]
        if not np.any(beyond):
            continue
        first = int(np.argmax([b.any() for b in beyond]))
        low = before if first == 0 else times[first - 1]
        crossing = [
            _root(lambda t, k=k, at=inside: float(segments.outside(at(t))[k]), low, times[first])
            for k in np.flatnonzero(beyond[first])
        ]
        kink = min(crossing)
        entry = int(np.flatnonzero(beyond[first])[int(np.argmin(crossing))])
        at = _to(segments, old, before, kink)
        at[entry] = 0.0
        return kink, at, True
    return goal, solver.y, False


def _root(function: object, low: float, high: float) -> float:
    """Return where ``function`` changes sign, or ``low`` if it has the wrong sign already there."""
    if function(low) <= 0:  # type: ignore[operator]
        return low
    return float(brentq(function, low, high, xtol=1e-15, rtol=8.9e-16))


def _to(segments: _Segments, state: Array, start: float, goal: float) -> Array:
    if goal <= start:
        return state
    solver = _solver(segments, state, start, goal)
    while solver.status == "running":
        solver.step()
    return solver.y


def _solver(segments: _Segments, state: Array, start: float, goal: float) -> DOP853:
    half = state.size // 2
    scale = np.concatenate(
        [np.full(half, np.abs(state[:half]).max()), np.full(half, np.abs(state[half:]).max())]
    )
    return DOP853(
        segments.rates, start, state, goal, rtol=_RTOL, atol=np.maximum(_RTOL * scale, 1e-300)
    )
