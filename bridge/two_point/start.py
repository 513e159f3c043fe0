r"""Starting values of the search: time constants in closed form from three straight lines of the theory.

1. :math:`\frac{d}{dt} dh2 = -\frac{dx2}{\tau_h} w` integrates to a straight line of slope :math:`-dx2 / \tau_h` in the
   plane of :math:`\int w\,dt` and ``dh2``. A linear regression gives :math:`\tau_h` without an initial state.
2. By Eq. (24), ``dy2 / dh2`` is linear in ``dh2`` with the slope :math:`\tau_h / (\tau_y dx2)`, independently of the
   speed. Multiplied by ``dh2``, this is a linear regression without a ratio of small noisy numbers.
3. If that slope is negative, the final distance (Eq. 10) gives :math:`\tau_y / \tau_h` from the first and last points.

A coarse grid around these values corrects a poor regression. Small initial states leave the plateau late and suddenly:
curves that do so at another time than the trace lie in another valley of the sum of squares. A known initial state
therefore has a second start, the best of a fine grid of clocks for ratios of the time constants around both estimates;
all laws are autonomous, so that one trajectory serves all clocks.
"""

import numpy as np
from numpy.typing import NDArray

from bridge.statistics.arrays import Array
from bridge.two_point import state as states
from bridge.two_point.alternatives import EFFECTIVE, Dynamics
from bridge.two_point.trace import Trace

GRID = np.log([1 / 8, 1 / 3, 0.6, 1.0, 1.7, 3.0, 8.0])  # relative to the analytic values
RATIOS = np.log([1 / 3, 0.6, 0.8, 1.0, 1.25, 1.7, 3.0])  # of the time constants, relative to their estimates
CLOCKS = np.geomspace(1e-3, 1, 57)  # times in which small states grow by about e, relative to the length of the trace
COMPARED = 64  # number of points in time at which starting values are compared
THINNED = 200  # number of points in time on which a search follows a starting value to its minimum
COSINES = np.array([-1.0, -0.5, 0.0, 0.5, 1.0])  # of the angle between the first output difference and the target's
SMALLER = np.array([1.0, 0.5, 0.2, 0.05, 0.005])  # fractions of the first dh2, which noise makes too large
LARGER = np.array([1.0, 10.0])  # multiples of the first dy2 of the regression, which noise makes too small


def time_constants(trace: Trace) -> tuple[float, float]:
    """Estimate ``(tau_h, tau_y)`` by the regressions above; they are positive, and exact for noiseless dense traces."""
    dh2, dy2, w = trace.state
    t = trace.elapsed
    area = np.concatenate([[0.0], np.cumsum(np.diff(t) * (w[1:] + w[:-1]) / 2)])
    spread = area - area.mean()
    slope = float(spread @ dh2) / float(spread @ spread) if spread.any() else 0.0
    # A wrong sign means that dh2 does not follow w at all; only the time scale is used then.
    tau_h = -trace.dx2 / slope if slope < 0 else float(t[-1]) * trace.dx2
    return tau_h, tau_h * _ratio(trace, dh2, dy2)


def _ratio(trace: Trace, dh2: Array, dy2: Array) -> float:
    line, _ = _line(dh2, dy2)
    return 1 / (line * trace.dx2) if line > 0 else _final_ratio(trace, dh2, dy2)


def _final_ratio(trace: Trace, dh2: Array, dy2: Array) -> float:
    """Estimate tau_y / tau_h from the final distance (Eq. 10); 1 where it has no solution."""
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


def searches(trace: Trace, initial: Array, law: Dynamics = EFFECTIVE) -> Array:
    """Return two starts, logarithms ``[start, 2]`` of time constants: the best of the coarse grid and of the clocks."""
    scale_h, scale_y = np.meshgrid(GRID, GRID, indexing="ij")
    centre = np.log(time_constants(trace))
    grid = centre + np.stack([scale_h.ravel(), scale_y.ravel()], axis=1)
    coarse = grid[_best(trace, law, grid, np.broadcast_to(initial, (len(grid), 3)))]
    return np.stack([coarse, _clocked(trace, initial, law, centre)])


def _clocked(trace: Trace, initial: Array, law: Dynamics, centre: Array) -> Array:
    """Return the best logarithms ``[2]`` of the time constants of all ratios and clocks.

    Small states grow at a rate of about the root of dx2 target2 / (tau_h tau_y), whatever the regressions say.
    """
    final = np.log(_final_ratio(trace, trace.state[0], trace.state[1]))
    ratio = (np.array([[centre[1] - centre[0]], [final]]) + RATIOS).ravel()
    drive = trace.dx2 * (trace.target2 or float(np.abs(trace.state[1]).max()) or 1.0)
    log_h = np.log(trace.elapsed[-1]) + (np.log(drive) - ratio) / 2
    log_tau = np.stack([log_h, log_h + ratio], axis=1)
    keep = thinned(trace, COMPARED)
    times, begins = trace.elapsed[keep] / CLOCKS[:, None], np.tile(initial, (len(log_tau), 1))
    if law is EFFECTIVE:  # in closed form, at times of any order
        curves = law.curves(times.ravel(), np.exp(log_tau), begins, trace.dx2, trace.target2)
        clocked = curves.reshape(*curves.shape[:2], *times.shape)  # [ratio, 3, clock, time]
    else:
        sorted_times, place = np.unique(times, return_inverse=True)
        curves = law.curves(sorted_times, np.exp(log_tau), begins, trace.dx2, trace.target2)
        clocked = curves[:, :, place.reshape(times.shape)]
    clocked -= trace.state[:, None, keep]
    squares = np.square(clocked, out=clocked).sum(axis=(1, 3))
    best, clock = np.unravel_index(_least(squares), squares.shape)
    return np.asarray(log_tau[best] + np.log(CLOCKS[clock]))


def from_state(trace: Trace, initial: Array, law: Dynamics = EFFECTIVE) -> list[Array]:
    """Return starts ``[parameter]`` for an approximate initial state ``[3]``; none if it is invalid."""
    if initial[0] <= 0:
        return []
    state = states.project(initial, trace.target2)
    return [np.concatenate([log_tau, states.pack(state, trace)]) for log_tau in searches(trace, state, law)]


def searches_with_state(trace: Trace, noise: Array, law: Dynamics = EFFECTIVE) -> tuple[Array, Array]:
    """Return starts for a trace with a noisy first point: ``[start, 2]`` log time constants, ``[start, 3]`` states.

    There is one at the measured initial state and one for every angle between the first output difference and that of
    the targets: representations that separate directly, approach first or pass through each other are different minima,
    and a search stays in its valley.
    """
    few = trace.state[:, : max(3, trace.t.size // 100)].mean(axis=1)
    floor = max(noise[0] / 10, 1e-6 * float(np.ptp(trace.state[0])))
    dh2 = np.maximum(few[0], 2 * floor) * SMALLER
    line, constant = _line(trace.state[0], trace.state[1])
    smallest = 1e-9 * float(np.ptp(trace.state[1]))
    dy2 = np.concatenate([np.maximum(dh2 * (constant + line * dh2), smallest) * factor for factor in LARGER])
    dh2 = np.tile(dh2, len(LARGER))
    log_tau = np.log(time_constants(trace)) + np.stack(np.meshgrid(GRID[1:-1], GRID[1:-1]), -1).reshape(-1, 2)
    grid = np.repeat(log_tau, len(dh2), axis=0)
    measured = states.project(np.array([dh2[0], max(few[1], smallest), few[2]]), trace.target2)
    starts = [(log_tau[_best(trace, law, log_tau, np.tile(measured, (len(log_tau), 1)))], measured)]
    for cosine in COSINES if trace.target2 > 0 else COSINES[-1:]:
        possible = np.tile(np.stack([dh2, dy2, dy2 - cosine * np.sqrt(dy2 * trace.target2)], axis=1), (len(log_tau), 1))
        best = _best(trace, law, grid, possible)
        starts.append((grid[best], possible[best]))
    return np.array([tau for tau, _ in starts]), np.array([state for _, state in starts])


def _best(trace: Trace, law: Dynamics, log_tau: Array, initial: Array) -> int:
    """Return the index of the candidate with the smallest sum of squares on a thinned time axis."""
    keep = thinned(trace, COMPARED)
    curves = law.curves(trace.elapsed[keep], np.exp(log_tau), initial, trace.dx2, trace.target2)
    return _least(((curves - trace.state[:, keep]) ** 2).sum(axis=(1, 2)))


def _least(squares: Array) -> int:
    """Return the flat index of the smallest sum of squares; curves that overflowed have none."""
    return int(np.argmin(np.where(np.isnan(squares), np.inf, squares)))


def thinned(trace: Trace, points: int = THINNED) -> NDArray[np.int_]:
    """Return the indices of a few points, evenly spread."""
    return np.unique(np.linspace(0, trace.t.size - 1, points).astype(int))
