r"""The start of the search: time constants in closed form from three straight lines of the theory.

1. :math:`\frac{d}{dt} dh2 = -\frac{dx2}{\tau_h} w` integrates to a straight line of slope :math:`-dx2 / \tau_h` in the
   plane of :math:`\int w\,dt` and ``dh2``: a regression gives :math:`\tau_h` without any initial state.
2. :math:`\frac{d}{dt} (dy2 / dh2) = -w / \tau_y` (Eq. 23) does the same for :math:`\tau_y`; but a ratio of small noisy
   numbers is fragile. Dividing the two gives Eq. (24): ``dy2 / dh2`` is a straight line in ``dh2`` of slope
   :math:`\tau_h / (\tau_y dx2)`, whatever the speed; multiplied by ``dh2`` it is linear regression without a ratio.
3. Where that slope comes out negative, the final distance (Eq. 10) gives :math:`\tau_y / \tau_h` from the two ends.

A coarse grid around that point, evaluated in one call on a thinned time axis, keeps a poor regression from deciding.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bridge.arrays import Array
from bridge.two_point import state as states
from bridge.two_point.dynamics import EFFECTIVE, Dynamics
from bridge.two_point.trace import Trace

GRID = np.log([1 / 8, 1 / 3, 0.6, 1.0, 1.7, 3.0, 8.0])  # around the analytic start
COMPARED = 64  # points in time that are enough to choose among starts
THINNED = 200  # and to follow one to its minimum
COSINES = np.array([-1.0, -0.5, 0.0, 0.5, 1.0])  # between the first output difference and the target's
SMALLER = np.array([1.0, 0.5, 0.2, 0.05, 0.005])  # of the first noisy dh2: a mean of squares hides how small it was


def time_constants(trace: Trace) -> tuple[float, float]:
    """Estimate ``(tau_h, tau_y)`` by the regressions above; they are positive, and exact for noiseless dense traces."""
    dh2, dy2, w = trace.state
    t = trace.elapsed
    area = np.concatenate([[0.0], np.cumsum(np.diff(t) * (w[1:] + w[:-1]) / 2)])
    spread = area - area.mean()
    slope = float(spread @ dh2) / float(spread @ spread) if spread.any() else 0.0
    # A wrong sign means that dh2 does not follow w at all; then only the time scale is left.
    tau_h = -trace.dx2 / slope if slope < 0 else float(t[-1]) * trace.dx2
    return tau_h, tau_h * _ratio(trace, dh2, dy2)


def _ratio(trace: Trace, dh2: Array, dy2: Array) -> float:
    """Estimate tau_y / tau_h."""
    line, _ = _line(dh2, dy2)
    if line > 0:
        return 1 / (line * trace.dx2)
    begin, end = float(dh2[0]), float(np.median(dh2[-3:]))
    drive = trace.target2 - float(dy2[0]) / begin * end if begin != 0 else 0.0
    ratio = end * (end - begin) / (trace.dx2 * drive) if drive else 0.0
    return ratio if ratio > 0 else 1.0


def _line(dh2: Array, dy2: Array) -> tuple[float, float]:
    """Return slope and intercept of dy2/dh2 against dh2 (Eq. 24), by regression of dy2 on dh2^2 and dh2."""
    design = np.stack([dh2**2, dh2])
    unit = np.linalg.norm(design, axis=1)
    design /= np.where(unit > 0, unit, 1.0)[:, None]
    slope, intercept = (
        np.linalg.pinv(design @ design.T, hermitian=True) @ (design @ dy2) / np.where(unit > 0, unit, 1.0)
    )
    return float(slope), float(intercept)


def search(trace: Trace, initial: Array, law: Dynamics = EFFECTIVE) -> Array:
    """Return the logarithms ``[2]`` of the time constants: the best of a grid around :func:`time_constants`.

    Args:
        trace: the measurement.
        initial: ``[3]``, known initial state.
        law: whose curves are compared with the trace.
    """
    scale_h, scale_y = np.meshgrid(GRID, GRID, indexing="ij")
    centre = np.log(time_constants(trace))
    grid = centre + np.stack([scale_h.ravel(), scale_y.ravel()], axis=1)
    return np.asarray(grid[_best(trace, law, grid, np.broadcast_to(initial, (len(grid), 3)))])


def from_state(trace: Trace, initial: Array, law: Dynamics = EFFECTIVE) -> list[Array]:
    """The start ``[parameter]`` with a nearly known initial state ``[3]``, in a list; an empty one if it is none."""
    if initial[0] <= 0:
        return []
    state = states.project(initial, trace.target2)
    return [np.concatenate([search(trace, state, law), states.pack(state, trace.target2)])]


def searches_with_state(trace: Trace, noise: Array, law: Dynamics = EFFECTIVE) -> tuple[Array, Array]:
    """Return starts for a trace with a noisy first point: ``[start, 2]`` log time constants, ``[start, 3]`` states.

    One for every angle between the first output difference and the target's: whether the representations approach each
    other before they part, or pass through one another, separates the landscape into valleys, and a search stays in the
    one it starts in.

    Args:
        trace: the measurement.
        noise: ``[3]``, standard deviations, see :func:`bridge.two_point.state.noise`.
        law: whose curves are compared with the trace.
    """
    few = trace.state[:, : max(3, trace.t.size // 100)].mean(axis=1)
    floor = max(noise[0] / 10, 1e-6 * float(np.ptp(trace.state[0])))
    dh2 = np.maximum(few[0], 2 * floor) * SMALLER
    line, constant = _line(trace.state[0], trace.state[1])
    dy2 = np.maximum(dh2 * (constant + line * dh2), 1e-9 * float(np.ptp(trace.state[1])))
    log_tau = np.log(time_constants(trace)) + np.stack(np.meshgrid(GRID[1:-1], GRID[1:-1]), -1).reshape(-1, 2)
    grid = np.repeat(log_tau, len(SMALLER), axis=0)
    starts = []
    for cosine in COSINES if trace.target2 > 0 else COSINES[-1:]:
        possible = np.tile(np.stack([dh2, dy2, dy2 - cosine * np.sqrt(dy2 * trace.target2)], axis=1), (len(log_tau), 1))
        best = _best(trace, law, grid, possible)
        starts.append((grid[best], possible[best]))
    return np.array([tau for tau, _ in starts]), np.array([state for _, state in starts])


def _best(trace: Trace, law: Dynamics, log_tau: Array, initial: Array) -> int:
    """Return the index of the candidate with the smallest sum of squares on a thinned time axis."""
    keep = thinned(trace, COMPARED)
    curves = law.curves(trace.elapsed[keep], np.exp(log_tau), initial, trace.dx2, trace.target2)
    return int(np.argmin(((curves - trace.state[:, keep]) ** 2).sum(axis=(1, 2))))


def thinned(trace: Trace, points: int = THINNED) -> NDArray[np.int_]:
    """Return the indices of a few points, evenly spread."""
    return np.unique(np.linspace(0, trace.t.size - 1, points).astype(int))
