r"""The initial state of ``initial="auto"``: the first point, a free state, or a free one drawn to the first points.

A fit through the first point, and one with a free initial state, need none of this.

With few points in time, third differences cannot tell noise from the curve, and the trajectory through the first point
misses the others. A free initial state is taken if its residuals are white, so that the theory holds and they are
noise, and Schwarz's criterion is strong evidence for it,

.. math:: N \log \frac{S_\mathrm{first}}{S_\mathrm{free}} > k \log N + 6,

with the sums of squares S, N observations and k more parameters; the last term is a margin.

Where noise is seen, a trajectory through the first point is biased by it, and a free initial state, if the theory is
only approximate, by the residuals that it reduces. The first stretch of each curve that a parabola describes within the
noise :math:`\sigma` gives an initial value with an error :math:`e`, and the fit is drawn to it with the weight

.. math:: \Big( \sum_c s_c^2 - \sum_c \sigma_c^2 \Big) / (3 e^2),

where :math:`s_c^2` is the mean square of the residuals of curve ``c`` times their correlation time. If the theory
holds, the difference is zero and the initial state is free; as the noise decreases, it tends to the first point.
"""

from typing import NamedTuple

import numpy as np

from bridge.fit.estimate import Beginning, Estimate
from bridge.statistics.arrays import Array
from bridge.two_point import applicability, trajectories
from bridge.two_point.alternatives import Dynamics
from bridge.two_point.trace import Trace
from bridge.two_point.trajectories import Trajectory

SHORTEST = 8  # smallest number of points to which a parabola is fitted
DESCRIBED = 4.0  # standard errors of a sum of squares within which a parabola describes a stretch
SHARPEST = 1e-7  # smallest error of an initial value, relative to the range of its curve

STRONG = 6.0  # difference of Schwarz's criterion that counts as strong evidence (Kass and Raftery, 1995)
WHITE = 3.0  # standard errors of the correlation of neighbours, over all curves
FAR = 2.0  # standard errors by which constants differ


class Choice(NamedTuple):
    """A fitted trajectory, how its initial state was chosen, and what this says of the data."""

    trajectory: Trajectory
    initial: str  # "data", "fit", "drawn" or "given"
    noise: Array  # standard deviations of the noise of the curves, [3]
    warnings: tuple[str, ...]


def hides_first_point(trace: Trace) -> bool:
    """Return whether noise is seen, or has made the first point of a trace impossible."""
    # undetected noise may make them negative
    is_possible = trace.state[0, 0] > 0 and trace.state[1, 0] >= 0
    return not is_possible or trace.is_noisy(trace.noise)


def noisy(law: Dynamics, trace: Trace) -> Choice:
    """Fit a trace of which :func:`hides_first_point` is true: the initial state is free, or drawn to the first points.

    Args:
        law: the dynamical law.
        trace: the data.

    Returns:
        The fit, with a warning where another minimum fits nearly as well.
    """
    free = trajectories.free(law, trace)
    known = beginning(trace, free.estimate)
    if known is not None:
        return Choice(trajectories.drawn(law, trace, free, known), "drawn", trace.noise, ())
    return Choice(free, "fit", noise_of(trace, free), other_minimum(free))


def quiet(law: Dynamics, trace: Trace, fixed: Trajectory, warnings: tuple[str, ...]) -> Choice:
    """Keep the fit through the first point of a trace, unless a free initial state shows that noise was hidden.

    Args:
        law: the dynamical law.
        trace: the data, of which :func:`hides_first_point` is false.
        fixed: the fit through its first point.
        warnings: what the first point says of the data.

    Returns:
        The fit; a warning names the constants of the other initial state if they differ by more than errors.
    """
    deviation = np.sqrt((fixed.estimate.residuals**2).mean(axis=1))
    if trace.exact or not trace.is_noisy(deviation):
        return Choice(fixed, "data", trace.noise, warnings)
    free = trajectories.free(law, trace)
    if not is_hidden_noise(fixed, free):
        return Choice(
            fixed,
            "data",
            trace.noise,
            warnings + other_start(fixed, free, "if it is free (initial='fit')"),
        )
    from_data = other_start(free, fixed, "through the first point (initial='data')")
    return Choice(free, "fit", noise_of(trace, free), from_data + other_minimum(free))


def noise_of(trace: Trace, free: Trajectory) -> Array:
    """Return the standard deviations of the noise of the curves, ``[3]``.

    They are those of third differences, or of the residuals of a free fit where these are white and larger, since few
    points in time hide noise from differences.
    """
    residuals = free.estimate.residuals
    deviation = np.sqrt((residuals**2).mean(axis=1))
    return np.maximum(trace.noise, deviation) if _are_white(residuals) else trace.noise


def is_hidden_noise(fixed: Trajectory, free: Trajectory) -> bool:
    """Return whether what the fit through the first point misses is noise, and the free initial state is right."""
    residuals = free.estimate.residuals
    if not _are_white(residuals):
        return False
    more = len(free.estimate.parameters) - len(fixed.estimate.parameters)
    gain = residuals.size * np.log(
        float((fixed.estimate.residuals**2).sum()) / float((residuals**2).sum())
    )
    return bool(gain > more * np.log(residuals.size) + STRONG)


def _are_white(residuals: Array) -> bool:
    """Return whether neighbours in ``residuals [curve, time]``, not all zero, are uncorrelated over all curves."""
    power = (residuals**2).sum(axis=1)
    if not power.any():
        return False
    units = residuals[power > 0] / np.sqrt(power[power > 0])[:, None]
    correlation = float((units[:, 1:] * units[:, :-1]).sum(axis=1).mean())
    return bool(correlation < WHITE / np.sqrt(units.size))


def other_minimum(chosen: Trajectory) -> tuple[str, ...]:
    """Return a warning of another minimum beyond the errors of the constants that fits nearly as well, or none."""
    best, errors = np.log(chosen.constants), np.array(chosen.errors)
    others = chosen.rivals[(np.abs(chosen.rivals - best) > FAR * errors).any(axis=1)]
    if not len(others):
        return ()
    (h, y), (other_h, other_y) = chosen.constants, np.exp(others[0])
    return (
        f"two minima fit nearly alike: tau_h = {h:.4g} and tau_y = {y:.4g} here, tau_h = {other_h:.4g} and tau_y = "
        f"{other_y:.4g} there; the errors describe the first alone",
    )


def other_start(chosen: Trajectory, other: Trajectory, name: str) -> tuple[str, ...]:
    """Return a warning if the constants of the other initial state, ``name`` in words, differ by more than errors."""
    apart = np.abs(np.log(chosen.constants) - np.log(other.constants))
    if not (apart > FAR * np.hypot(chosen.errors, other.errors)).any():
        return ()
    (h, y), (other_h, other_y) = chosen.constants, other.constants
    return (
        f"the constants depend on the initial state: tau_h = {h:.4g} and tau_y = {y:.4g} here, tau_h = {other_h:.4g} "
        f"and tau_y = {other_y:.4g} {name}",
    )


def beginning(trace: Trace, estimate: Estimate) -> Beginning | None:
    """Return initial values, errors and weights by the free fit; None if it has no systematic error."""
    if not applicability.unexplained(estimate, trace.state, trace.noise).any():
        return None
    surplus = float(
        ((estimate.residuals**2).mean(axis=1) * estimate.correlation_time - trace.noise**2).mean()
    )
    if surplus <= 0:
        return None
    first = [
        _parabola(trace.elapsed, *curve)
        for curve in zip(trace.state, trace.noise.tolist(), strict=True)
    ]
    values, errors = np.transpose(first)
    errors = np.maximum(errors, SHARPEST * np.ptp(trace.state, axis=1))
    return Beginning(values=values, errors=errors, weights=surplus / errors**2)


def _parabola(t: Array, curve: Array, sigma: float) -> tuple[float, float]:
    """Return a curve's first value and its error by a parabola; on half of a stretch, since the cubic term counts."""
    value, error = float(curve[0]), sigma
    points = 2 * SHORTEST
    while points <= len(t):
        if not _described(t[:points], curve[:points], sigma):
            break
        design = np.vander(t[: points // 2] / t[points // 2], 3, increasing=True)
        row = np.linalg.pinv(design)[0]
        value, error = float(row @ curve[: points // 2]), sigma * float(np.linalg.norm(row))
        points *= 2
    return value, error


def _described(t: Array, curve: Array, sigma: float) -> bool:
    """Return whether the residuals of a parabola fitted to a stretch are within the noise."""
    design = np.vander(t / t[-1], 3, increasing=True)
    residuals = curve - design @ np.linalg.lstsq(design, curve, rcond=None)[0]
    degrees = len(t) - 3
    return bool(residuals @ residuals <= sigma**2 * (degrees + DESCRIBED * np.sqrt(2 * degrees)))
