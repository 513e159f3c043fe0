r"""The initial state of a noisy trace, and the weight with which a fit is drawn to it.

A trajectory through the first, noisy point of the data is biased by the noise of that point. A free initial state is
unbiased if the theory is exact. If the theory is only approximate, as for networks, a free initial state adapts to
reduce the residuals, and the time constants become biased. This module takes a middle way: the first stretch of each
curve that a parabola describes within the noise :math:`\sigma` gives an initial value with an error :math:`e`, and the
fit is drawn to it with the weight

.. math:: \Big( \sum_c s_c^2 - \sum_c \sigma_c^2 \Big) / (3 e^2),

where :math:`s_c^2` is the mean square of the residuals of curve ``c`` times their correlation time. If the theory
holds, the difference is zero and the initial state is free. As the noise decreases, the initial state tends to the
first point. The result is therefore a continuous function of the noise.
"""

from __future__ import annotations

import numpy as np

from bridge.fit.estimate import Beginning, Estimate
from bridge.statistics.arrays import Array
from bridge.two_point import misfit
from bridge.two_point.trace import Trace

SHORTEST = 8  # smallest number of points to which a parabola is fitted
DESCRIBED = 4.0  # standard errors of a sum of squares within which a parabola describes a stretch
SHARPEST = 1e-7  # smallest error of an initial value, relative to the range of its curve


def beginning(trace: Trace, estimate: Estimate, noise: Array) -> Beginning | None:
    """Return initial values with errors and weights; None if the fit with a free initial state has no systematic error.

    ``estimate`` is that fit, and ``noise [3]`` has the standard deviations of the noise of the three curves.
    """
    if not misfit.unexplained(estimate, trace.state, noise).any():
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
    """Return the value of a curve at its first point and its error, from a parabola.

    The parabola is fitted to half of the longest stretch that it describes; on the whole stretch, a cubic term could be
    as large as the error.
    """
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
