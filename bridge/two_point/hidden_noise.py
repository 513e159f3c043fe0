r"""The initial state of a noisy trace: whether it is free, and what a fit is drawn to.

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

import numpy as np

from bridge.fit.estimate import Beginning, Estimate
from bridge.statistics.arrays import Array
from bridge.two_point import applicability
from bridge.two_point.trace import Trace
from bridge.two_point.trajectories import Trajectory

SHORTEST = 8  # smallest number of points to which a parabola is fitted
DESCRIBED = 4.0  # standard errors of a sum of squares within which a parabola describes a stretch
SHARPEST = 1e-7  # smallest error of an initial value, relative to the range of its curve

STRONG = 6.0  # difference of Schwarz's criterion that counts as strong evidence (Kass and Raftery, 1995)
WHITE = 3.0  # standard errors of the correlation of neighbours, over all curves
FAR = 2.0  # standard errors by which constants differ


def hidden_noise(fixed: Trajectory, unbound: Trajectory) -> Array | None:
    """Return the noise of the curves, ``[3]``, if the free initial state is right; None if the first point is kept."""
    residuals = unbound.estimate.residuals
    squares = float((residuals**2).sum())
    noise = white_noise(unbound)
    if not noise.any():
        return None
    more = len(unbound.estimate.parameters) - len(fixed.estimate.parameters)
    gain = residuals.size * np.log(float((fixed.estimate.residuals**2).sum()) / squares)
    return noise if gain > more * np.log(residuals.size) + STRONG else None


def white_noise(fitted: Trajectory) -> Array:
    """Return the standard deviations of the residuals of the curves, ``[3]``; zeros if they are not white."""
    residuals = fitted.estimate.residuals
    deviation = np.sqrt((residuals**2).mean(axis=1))
    return np.asarray(deviation if deviation.any() and _are_white(residuals) else np.zeros(len(deviation)))


def _are_white(residuals: Array) -> bool:
    """Return whether neighbours in ``residuals [curve, time]`` are uncorrelated over all curves."""
    power = (residuals**2).sum(axis=1)
    units = residuals[power > 0] / np.sqrt(power[power > 0])[:, None]
    correlation = float((units[:, 1:] * units[:, :-1]).sum(axis=1).mean())
    return bool(correlation < WHITE / np.sqrt(units.size))


def other_minimum(chosen: Trajectory) -> list[str]:
    """Return a warning, as a list, of another minimum beyond the errors of the constants that fits nearly as well."""
    best, errors = np.log(chosen.constants), np.array(chosen.errors)
    others = [found for found in chosen.rivals if (np.abs(found - best) > FAR * errors).any()]
    if not others:
        return []
    (h, y), (other_h, other_y) = chosen.constants, np.exp(others[0])
    return [
        f"two minima fit nearly alike: tau_h = {h:.4g} and tau_y = {y:.4g} here, tau_h = {other_h:.4g} and tau_y = "
        f"{other_y:.4g} there; the errors describe the first alone"
    ]


def other_start(chosen: Trajectory, other: Trajectory, name: str) -> list[str]:
    """Return a warning if the constants of the other initial state, ``name`` in words, differ by more than errors."""
    apart = np.abs(np.log(chosen.constants) - np.log(other.constants))
    if not (apart > FAR * np.hypot(chosen.errors, other.errors)).any():
        return []
    (h, y), (other_h, other_y) = chosen.constants, other.constants
    return [
        f"the constants depend on the initial state: tau_h = {h:.4g} and tau_y = {y:.4g} here, tau_h = {other_h:.4g} "
        f"and tau_y = {other_y:.4g} {name}"
    ]


def beginning(trace: Trace, estimate: Estimate, noise: Array) -> Beginning | None:
    """Return initial values, errors and weights by the free fit; None if it has no systematic error."""
    if not applicability.unexplained(estimate, trace.state, noise).any():
        return None
    left = float(((estimate.residuals**2).mean(axis=1) * estimate.correlation_time - noise**2).mean())
    if left <= 0:
        return None
    values, errors = np.transpose(
        [_parabola(trace.elapsed, curve, float(sigma)) for curve, sigma in zip(trace.state, noise, strict=True)]
    )
    errors = np.maximum(errors, SHARPEST * np.ptp(trace.state, axis=1))
    return Beginning(values=values, errors=errors, weights=left / errors**2)


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
    left = curve - design @ np.linalg.lstsq(design, curve, rcond=None)[0]
    degrees = len(t) - 3
    return bool(left @ left <= sigma**2 * (degrees + DESCRIBED * np.sqrt(2 * degrees)))
