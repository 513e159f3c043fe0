r"""The rest of a training run, forecast by the theory from what has been seen of it, with bands.

The centre of a forecast is the trajectory of the fit. The width of its band has two origins: the covariance of the two
time constants from the residuals, and their drift, the mean square by which fits to the first part of what was seen
differ. This is how a theory shows that it holds only approximately; its residuals do not.

The band is the range of all trajectories whose time constants lie on the ellipse of ``factor`` standard deviations,
widened by ``factor`` times the root mean square of the residuals, and for noise by its largest value over the later
times that are asked for. The factors are calibrated so that the *whole* rest of all three curves was inside the band in
the stated share of 50 small networks of five kinds; ``tests/bridge/two_point/forecasts.py`` has the shares on others.
They depend on how much is left to learn, since a fit that has not seen the turning point knows little of what follows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from scipy import stats

from bridge.fit.outcome import Failure, attempt, raised
from bridge.statistics.arrays import Array
from bridge.two_point import applicability
from bridge.two_point import state as states
from bridge.two_point.trace import FEWEST_POINTS, Trace

if TYPE_CHECKING:
    from bridge.two_point.result import TwoPointFit

PARTS = (0.6, 0.8)  # of the seen time, to which the theory is fitted again
DIRECTIONS = 16  # points on the ellipse of the time constants
WIDEST = 2.0  # largest standard deviation of the logarithm of a time constant
LEVEL = 0.9  # unless another is asked for
LEVELS = (0.5, 0.68, 0.8, 0.9, 0.95)
LEFT = (0.03, 0.25, 0.55)  # |dy - (y2 - y1)|^2 / |y2 - y1|^2 where the forecasts of the calibration began
FACTORS = (  # [left, level]: quantiles over 50 networks, in steps of 1/4
    (0.75, 0.75, 1.0, 1.0, 1.5),
    (1.25, 1.5, 2.5, 3.5, 4.75),
    (1.25, 4.0, 5.25, 6.75, 7.0),
)


def factor(trace: Trace, level: float) -> float:
    """Return the number of standard deviations of a band that is to hold the whole rest of this share of networks."""
    error = 2 * trace.state[2] - trace.state[1] + trace.target2  # |dy - (y2 - y1)|^2
    left = float(np.median(error[-3:]) / trace.target2) if trace.target2 else 1.0
    of_level = [float(np.interp(level, LEVELS, row)) for row in FACTORS]
    return float(np.interp(left, LEFT, of_level))


def deviations(fits: Sequence[TwoPointFit]) -> list[Array | Failure]:
    """Return a root ``[2, 2]`` of the covariance of the logarithms of the time constants of each seed, with drift.

    The fits were made in the same way; an error stands where a fit to the first part of what was seen has one.
    """
    earlier = [[*_earlier(fit.trace)] for fit in fits]
    again = fits[0].again if fits else None
    constants = iter(again([trace for parts in earlier for trace in parts]) if again else ())
    pairs = zip(fits, earlier, strict=True)
    return [attempt(partial(_root, fit, [next(constants) for _ in parts])) for fit, parts in pairs]


def _earlier(trace: Trace) -> Iterator[Trace]:
    """Yield the first parts of what was seen, of enough points."""
    for part in PARTS:
        keep = trace.elapsed <= part * trace.elapsed[-1]
        if keep.sum() >= FEWEST_POINTS:
            yield replace(trace, t=trace.t[keep], state=trace.state[:, keep], loss=None)


def _root(fit: TwoPointFit, earlier: Sequence[Array | Failure]) -> Array:
    covariance = np.nan_to_num(fit.estimate.covariance[:2, :2], posinf=WIDEST**2)
    for constants in earlier:
        drift = np.clip(raised(constants) - fit.estimate.parameters[:2], -WIDEST, WIDEST)
        covariance = covariance + np.outer(drift, drift) / len(PARTS)
    values, vectors = np.linalg.eigh(covariance)
    return np.asarray(vectors * np.sqrt(np.clip(values, 0.0, WIDEST**2)))


def envelope(fit: TwoPointFit, t: Array, root: Array, level: float) -> tuple[Array, Array, Array]:
    """Return the fit ``[3, time]`` and both ends of the band that holds the whole rest with probability ``level``."""
    size = factor(fit.trace, level)
    angles = np.linspace(0, 2 * np.pi, DIRECTIONS, endpoint=False)
    shifts = size * root @ np.stack([np.cos(angles), np.sin(angles)])
    tau = np.exp(np.concatenate([np.zeros((2, 1)), shifts], axis=1).T + fit.estimate.parameters[:2])
    begin = np.tile(fit.initial_state, (len(tau), 1))
    curves = fit.law.curves(t - fit.trace.t[0], tau, begin, fit.trace.dx2, fit.trace.target2)
    squares = (fit.estimate.residuals**2).mean(axis=1)
    noise = np.minimum(_noise(fit) ** 2, squares)
    later = 3 * max(int((t > fit.trace.t[-1]).sum()), 1)
    largest = float(stats.norm.ppf((1 + level ** (1 / later)) / 2))  # of so many independent values
    margin = (size * np.sqrt(squares - noise) + largest * np.sqrt(noise))[:, None]
    low, high = curves.min(axis=0) - margin, curves.max(axis=0) + margin
    low[:2] = np.maximum(low[:2], -largest * np.sqrt(noise)[:2, None])  # only noise makes squared distances negative
    return curves[0], low, high


def _noise(fit: TwoPointFit) -> Array:
    """Return the standard deviation of the noise in each curve, ``[3]``: all residuals where none are systematic."""
    trace, noise = fit.trace, states.noise(fit.trace)
    if trace.exact:
        return noise
    left = np.sqrt((fit.estimate.residuals**2).mean(axis=1))
    return np.where(applicability.unexplained(fit.estimate, trace.state, noise) > 0, noise, left)
