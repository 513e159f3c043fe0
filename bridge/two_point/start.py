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

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from bridge.statistics.arrays import Array
from bridge.two_point import state as states
from bridge.two_point.alternatives import EFFECTIVE, Dynamics
from bridge.two_point.trace import Trace

GRID = np.log([1 / 8, 1 / 3, 0.6, 1.0, 1.7, 3.0, 8.0])  # relative to the analytic values
# of the time constants, relative to their estimates
RATIOS = np.log([1 / 3, 0.6, 0.8, 1.0, 1.25, 1.7, 3.0])
# times in which small states grow by about e, relative to the length of the trace
CLOCKS = np.geomspace(1e-3, 1, 57)
COMPARED = 64  # number of points in time at which starting values are compared
FIRST = 8  # every how many of them are compared first; what is worse there than the best at all of them is left out
ROUNDING = 1e-12  # largest relative error of a sum of squares
THINNED = 200  # number of points in time on which a search follows a starting value to its minimum
# of the angle between the first output difference and the target's
COSINES = np.array([-1.0, -0.5, 0.0, 0.5, 1.0])
# fractions of the first dh2, which noise makes too large
SMALLER = np.array([1.0, 0.5, 0.2, 0.05, 0.005])
# multiples of the first dy2 of the regression, which noise makes too small
LARGER = np.array([1.0, 10.0])


def time_constants(trace: Trace) -> tuple[float, float]:
    """Estimate ``(tau_h, tau_y)`` by the regressions above; they are positive, and exact for noiseless dense traces."""
    dh2, dy2, w = trace.state
    t = trace.elapsed
    area = np.concatenate([[0.0], np.cumsum(np.diff(t) * (w[1:] + w[:-1]) / 2)])
    spread = area - area.mean()
    slope = float(spread @ dh2) / float(spread @ spread) if spread.any() else 0.0
    # A wrong sign means that dh2 does not follow w at all; only the time scale is used then.
    tau_h = -trace.dx2 / slope if slope < 0 else float(t[-1]) * trace.dx2
    line, _ = _line(dh2, dy2)
    return tau_h, tau_h * (1 / (line * trace.dx2) if line > 0 else _final_ratio(trace, dh2, dy2))


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
        np.linalg.pinv(design @ design.T, hermitian=True)
        @ (design @ dy2)
        / np.where(unit > 0, unit, 1.0)
    )
    return float(slope), float(intercept)


class Together:
    """Traces with equally many times, of which some ``points`` (default: all) are kept, and their curves at these."""

    def __init__(self, law: Dynamics, traces: Sequence[Trace], points: int | None = None) -> None:
        keep = [thinned(trace, points) if points else slice(None) for trace in traces]
        self._law, self._data = law, np.array([(trace.dx2, trace.target2) for trace in traces])
        self.times = np.stack(
            [trace.elapsed[kept] for trace, kept in zip(traces, keep, strict=True)]
        )
        self.observed = np.stack(
            [trace.state[:, kept] for trace, kept in zip(traces, keep, strict=True)]
        )

    def curves(
        self, which: NDArray[np.int_], log_tau: Array, initial: Array, times: Array | None = None
    ) -> Array:
        """Return curves ``[set, 3, time]`` of the traces ``which [set]``."""
        at = self.times[which] if times is None else times
        return self._law.curves(at, np.exp(log_tau), initial, *self._data[which].T)

    def squares(
        self, which: NDArray[np.int_], log_tau: Array, initial: Array, clock: Array | float = 1.0
    ) -> Array:
        """Return sums of squares ``[set]`` at the times divided by a clock; infinite for curves that overflow."""
        curves = self.curves(
            which, log_tau, initial, self.times[which] / np.reshape(clock, (-1, 1))
        )
        return _finite(((curves - self.observed[which]) ** 2).sum(axis=(1, 2)))

    def best(self, log_tau: Array, initial: Array) -> NDArray[np.int_]:
        """Return the best candidate ``[trace]`` of ``[trace, candidate, 2]`` and initial states ``[..., 3]``."""
        which = np.repeat(np.arange(len(log_tau)), log_tau.shape[1])
        begins = np.broadcast_to(initial, (*log_tau.shape[:2], 3)).reshape(-1, 3)
        squares = self.squares(which, log_tau.reshape(-1, 2), begins)
        return np.asarray(squares.reshape(log_tau.shape[:2]).argmin(axis=1))


def searches(traces: Sequence[Trace], initial: Array, law: Dynamics = EFFECTIVE) -> Array:
    """Return the best of grid and clocks, logarithms ``[trace, start, 2]``; traces have equally many thinned times."""
    compared, rows = Together(law, traces, COMPARED), np.arange(len(traces))
    centre = np.log([time_constants(trace) for trace in traces])
    grid = centre[:, None] + np.stack(np.meshgrid(GRID, GRID, indexing="ij"), axis=-1).reshape(
        -1, 2
    )
    coarse = grid[rows, compared.best(grid, initial[:, None])]
    # Small states grow at a rate of about the root of dx2 target2 / (tau_h tau_y), whatever the regressions say.
    final = np.log([_final_ratio(trace, trace.state[0], trace.state[1]) for trace in traces])
    drive = [
        trace.dx2 * (trace.target2 or float(np.abs(trace.state[1]).max()) or 1.0)
        for trace in traces
    ]
    ratio = (np.stack([centre[:, 1] - centre[:, 0], final], axis=1)[:, :, None] + RATIOS).reshape(
        len(traces), -1
    )
    log_h = (
        np.log([[trace.elapsed[-1]] for trace in traces]) + (np.log(drive)[:, None] - ratio) / 2
    )
    log_tau = np.stack([log_h, log_h + ratio], axis=2)
    best, clock = (_best_clocks if law.name == EFFECTIVE.name else _integrated_clocks)(
        compared, log_tau, initial
    )
    return np.stack([coarse, log_tau[rows, best] + np.log(CLOCKS[clock])[:, None]], axis=1)


def _best_clocks(
    compared: Together, log_tau: Array, initial: Array
) -> tuple[NDArray[np.int_], NDArray[np.int_]]:
    """Return ratio and clock of the smallest sum of squares of each trace, of curves in closed form at any times.

    A sum over a few times is a lower bound of the whole one, so that most pairs of ratio and clock need no more.
    """
    traces, ratios, clocks = *log_tau.shape[:2], len(CLOCKS)

    def whole(which: NDArray[np.int_], pairs: NDArray[np.int_]) -> Array:
        ratio, clock = np.divmod(pairs, clocks)
        return compared.squares(which, log_tau[which, ratio], initial[which], CLOCKS[clock])

    few = compared.times[:, None, ::FIRST] / CLOCKS[:, None]
    which = np.repeat(np.arange(traces), ratios)
    part = compared.curves(
        which, log_tau.reshape(-1, 2), initial[which], few.reshape(traces, -1)[which]
    )
    part = (
        part.reshape(traces, ratios, 3, *few.shape[1:])
        - compared.observed[:, None, :, None, ::FIRST]
    )
    least = _finite(np.square(part, out=part).sum(axis=(2, 4))).reshape(traces, -1)
    bound = whole(np.arange(traces), least.argmin(axis=1))
    is_open = least <= bound[:, None] * (1 + ROUNDING)
    squares = np.full(least.shape, np.inf)
    squares[is_open] = whole(*np.nonzero(is_open))
    return np.divmod(squares.argmin(axis=1), clocks)


def _integrated_clocks(
    compared: Together, log_tau: Array, initial: Array
) -> tuple[NDArray[np.int_], NDArray[np.int_]]:
    """Return the same for laws that are integrated, where one trajectory serves all clocks."""
    pairs = []
    for trace, (times, observed) in enumerate(zip(compared.times, compared.observed, strict=True)):
        order, inverse = np.unique(times / CLOCKS[:, None], return_inverse=True)
        which = np.full(log_tau.shape[1], trace)
        clocked = compared.curves(which, log_tau[trace], initial[which], order)[
            :, :, inverse.reshape(len(CLOCKS), -1)
        ]
        pairs.append(_finite(((clocked - observed[:, None]) ** 2).sum(axis=(1, 3))).argmin())
    return np.divmod(pairs, len(CLOCKS))


def _finite(squares: Array) -> Array:
    """Return sums of squares; curves that overflowed have infinite ones."""
    return np.where(np.isnan(squares), np.inf, squares)


def searches_with_state(trace: Trace, law: Dynamics = EFFECTIVE) -> tuple[Array, Array]:
    """Return starts for a trace with a noisy first point: ``[start, 2]`` log time constants, ``[start, 3]`` states.

    There is one at the measured initial state and one for every angle between the first output difference and that of
    the targets: representations that separate directly, approach first or pass through each other are different minima,
    and a search stays in its valley.
    """
    few = trace.state[:, : max(3, trace.t.size // 100)].mean(axis=1)
    floor = max(trace.noise[0] / 10, 1e-6 * float(np.ptp(trace.state[0])))
    dh2 = np.maximum(few[0], 2 * floor) * SMALLER
    line, constant = _line(trace.state[0], trace.state[1])
    smallest = 1e-9 * float(np.ptp(trace.state[1]))
    dy2 = np.concatenate(
        [np.maximum(dh2 * (constant + line * dh2), smallest) * factor for factor in LARGER]
    )
    dh2 = np.tile(dh2, len(LARGER))
    log_tau = np.log(time_constants(trace)) + np.stack(
        np.meshgrid(GRID[1:-1], GRID[1:-1]), -1
    ).reshape(-1, 2)
    grid = np.repeat(log_tau, len(dh2), axis=0)
    measured = states.project(np.array([dh2[0], max(few[1], smallest), few[2]]), trace.target2)
    compared = Together(law, [trace], COMPARED)
    starts = [(log_tau[compared.best(log_tau[None], measured)[0]], measured)]
    for cosine in COSINES if trace.target2 > 0 else COSINES[-1:]:
        possible = np.tile(
            np.stack([dh2, dy2, dy2 - cosine * np.sqrt(dy2 * trace.target2)], axis=1),
            (len(log_tau), 1),
        )
        best = compared.best(grid[None], possible)[0]
        starts.append((grid[best], possible[best]))
    return np.array([tau for tau, _ in starts]), np.array([state for _, state in starts])


def thinned(trace: Trace, points: int = THINNED) -> NDArray[np.int_]:
    """Return the indices of a few points, evenly spread."""
    return np.unique(np.linspace(0, trace.t.size - 1, points).astype(int))
