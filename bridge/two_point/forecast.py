r"""The rest of a training run, forecast by the theory from what has been seen of it, with bands.

The centre of a forecast is the trajectory of the fit. The width of its band has two origins: the covariance of the two
time constants from the residuals, and their drift, the mean square by which fits to the first part of what was seen
differ. This is how a theory shows that it holds only approximately; its residuals do not.

The band is the range of all trajectories with time constants within the ellipse of ``factor`` standard deviations,
widened by ``factor`` times the root mean square of the residuals, and for noise by its largest value over the later
times that are asked for, which follows how the noise changes along the curve (:mod:`bridge.fit.noise_profile`). A curve
may be farthest from the centre for constants inside the ellipse, so that its border alone would give a band of 95 %
that is narrower than that of 68 %. The range is therefore collected outwards over a fixed sequence of ellipses, and
interpolated between two of them: a band lies within that of any higher level.

The factors are calibrated so that the *whole* rest of all three curves was inside the band, with the border alone, in
the stated share of 50 small networks of five kinds; ``tests/bridge/two_point/forecasts.py`` has the shares on others.
They depend on how much is left to learn, since a fit that has not seen the turning point knows little of what follows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain

import numpy as np
from scipy import special

from bridge.fit.outcome import Failure, each, raised
from bridge.statistics.arrays import Array
from bridge.two_point import applicability
from bridge.two_point.fitted import FittedTheory
from bridge.two_point.trace import FEWEST_POINTS, Trace

PARTS = (0.6, 0.8)  # of the seen time, to which the theory is fitted again
DIRECTIONS = 16  # points on each ellipse of the time constants
# of the ellipses, in deviations
RADII = np.array([0.25, 0.5, 0.75, 1, 1.5, 2, 2.5, 3, 3.5, 4, 4.75, 5.5, 6.25, 7])
WIDEST = 2.0  # largest standard deviation of the logarithm of a time constant
LEVEL = 0.9  # unless another is asked for
LEVELS = (0.5, 0.68, 0.8, 0.9, 0.95)
# |dy - (y2 - y1)|^2 / |y2 - y1|^2 where the forecasts of the calibration began
LEFT = (0.03, 0.25, 0.55)
FACTORS = (  # [left, level]: quantiles over 50 networks, in steps of 1/4
    (0.75, 0.75, 1.0, 1.0, 1.5),
    (1.25, 1.5, 2.5, 3.5, 4.75),
    (1.25, 4.0, 5.25, 6.75, 7.0),
)


def factor(trace: Trace, level: float) -> float:
    """Return the number of standard deviations of a band that is to hold the whole rest of this share of networks."""
    error = 2 * trace.state[2] - trace.state[1] + trace.target2  # |dy - (y2 - y1)|^2
    unlearned = float(np.median(error[-3:]) / trace.target2) if trace.target2 else 1.0
    of_level = [float(np.interp(level, LEVELS, row)) for row in FACTORS]
    return float(np.interp(unlearned, LEFT, of_level))


def deviations(fits: Sequence[FittedTheory]) -> list[Array | Failure]:
    """Return a root ``[2, 2]`` of the covariance of the logarithms of the time constants of each seed, with drift.

    The fits were made in the same way; an error stands where a fit to the first part of what was seen has one.
    """
    earlier = [_earlier(fit.trace) for fit in fits]
    again = fits[0].again if fits else None
    constants = again(list(chain.from_iterable(earlier))) if again else []
    ends = np.cumsum([len(parts) for parts in earlier])
    pairs = [
        (fit, constants[end - len(parts) : end])
        for fit, parts, end in zip(fits, earlier, ends.tolist(), strict=True)
    ]
    return each(_root, pairs)


def _earlier(trace: Trace) -> list[Trace]:
    """Return the first parts of what was seen, of enough points."""
    kept = [trace.elapsed <= part * trace.elapsed[-1] for part in PARTS]
    return [
        replace(trace, t=trace.t[keep], state=trace.state[:, keep], loss=None)
        for keep in kept
        if keep.sum() >= FEWEST_POINTS
    ]


def _root(fit: FittedTheory, earlier: Sequence[Array | Failure]) -> Array:
    covariance = np.nan_to_num(fit.estimate.covariance[:2, :2], posinf=WIDEST**2)
    for constants in earlier:
        drift = np.clip(raised(constants) - fit.estimate.parameters[:2], -WIDEST, WIDEST)
        covariance = covariance + np.outer(drift, drift) / len(PARTS)
    values, vectors = np.linalg.eigh(covariance)
    return np.asarray(vectors * np.sqrt(np.clip(values, 0.0, WIDEST**2)))


def envelope(
    fit: FittedTheory, t: Array, *, root: Array, level: float
) -> tuple[Array, Array, Array]:
    """Return the fit ``[3, time]`` and both ends of the band that holds the whole rest with probability ``level``."""
    size = factor(fit.trace, level)
    centre, lowest, highest = _range(fit, t, root=root, size=size)
    squares = (fit.estimate.residuals**2).mean(axis=1)
    noise = np.minimum(_noise(fit) ** 2, squares)
    later = 3 * max(int((t > fit.trace.t[-1]).sum()), 1)
    # of so many independent values
    largest = float(special.ndtri((1 + level ** (1 / later)) / 2))
    sizes = [
        profile.later(curve) for profile, curve in zip(fit.estimate.profiles, centre, strict=True)
    ]
    of_noise = largest * np.sqrt(noise)[:, None] * np.stack(sizes)
    margin = (size * np.sqrt(squares - noise))[:, None] + of_noise
    low, high = lowest - margin, highest + margin
    # only noise makes squared distances negative
    low[:2] = np.maximum(low[:2], -of_noise[:2])
    return centre, low, high


def _range(fit: FittedTheory, t: Array, *, root: Array, size: float) -> tuple[Array, Array, Array]:
    """Return the fit and the ends of the range ``[3, time]`` of its curves for time constants within an ellipse.

    Args:
        fit: the fit of one seed.
        t: times, ``[time]``, in the unit of the data.
        root: root of the covariance of the logarithms of the time constants, ``[2, 2]``, dimensionless.
        size: radius of the ellipse in standard deviations, at most the last of ``RADII``.
    """
    outermost = int(np.searchsorted(RADII, size))  # the first ellipse that is not inside
    radii = RADII[: outermost + 1]
    angles = np.linspace(0, 2 * np.pi, DIRECTIONS, endpoint=False)
    circle = np.stack([np.cos(angles), np.sin(angles)])
    # [ellipse and direction, constant]
    shifts = (radii[:, None, None] * (root @ circle).T).reshape(-1, 2)
    tau = np.exp(np.concatenate([np.zeros((1, 2)), shifts]) + fit.estimate.parameters[:2])
    begin = np.tile(fit.initial_state, (len(tau), 1))
    curves = fit.law.curves(t - fit.trace.t[0], tau, begin, fit.trace.dx2, fit.trace.target2)
    on_ellipses = curves[1:].reshape(len(radii), DIRECTIONS, *curves.shape[1:])
    low = np.minimum.accumulate([curves[0], *on_ellipses.min(axis=1)])
    high = np.maximum.accumulate([curves[0], *on_ellipses.max(axis=1)])
    inner = RADII[outermost - 1] if outermost else 0.0
    # 0 on the last ellipse inside, 1 on the next
    outward = (size - inner) / (RADII[outermost] - inner)
    # Rounding must not lead out of the range of the next ellipse, from which the band of a higher level begins.
    lowest = np.maximum(low[-2] + outward * (low[-1] - low[-2]), low[-1])
    highest = np.minimum(high[-2] + outward * (high[-1] - high[-2]), high[-1])
    return curves[0], lowest, highest


def _noise(fit: FittedTheory) -> Array:
    """Return the standard deviation of the noise in each curve, ``[3]``: all residuals where none are systematic."""
    trace, noise = fit.trace, fit.trace.noise
    if trace.exact:
        return noise
    deviation = np.sqrt((fit.estimate.residuals**2).mean(axis=1))
    return np.where(
        applicability.unexplained(fit.estimate, trace.state, noise) > 0, noise, deviation
    )
