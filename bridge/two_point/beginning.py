r"""Where a noisy trace begins, and how firmly a fit has to begin there.

A trajectory forced through one noisy point is biased by that point's noise. A free initial state is right if the theory
is; where it is only nearly so, as for networks, a free beginning goes wherever that makes the residuals smaller, and
the time constants follow. Between them: the first stretch of each curve, as long as a parabola describes it within
its noise :math:`\sigma`, gives the beginning with an error :math:`e`, and the fit is drawn to it with the weight

.. math:: \Big( \sum_c s_c^2 - \sum_c \sigma_c^2 \Big) / (3 e^2),

:math:`s_c^2` the mean square of the residuals of curve ``c`` times their correlation time. If the theory holds, the
difference is zero and the fit is the free one. With less and less noise the beginning becomes that of the first point.
So a choice between the two is not made, and cannot jump.
"""

from __future__ import annotations

import numpy as np

from bridge.arrays import Array
from bridge.fit import Beginning, Estimate
from bridge.two_point import misfit
from bridge.two_point.trace import Trace

SHORTEST = 8  # points that a parabola is fitted to
DESCRIBED = 4.0  # standard errors of a sum of squares within which a parabola describes a stretch
SHARPEST = 1e-7  # of a curve's range: no beginning is known better


def beginning(trace: Trace, estimate: Estimate, noise: Array) -> Beginning | None:
    """What draws the fit to where the trace begins; None where a free beginning leaves nothing systematic.

    Args:
        trace: the measurement.
        estimate: the fit with a free initial state.
        noise: ``[3]``, standard deviations.
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
    """Value of a curve at its first point, and its error, from half of the longest stretch that a parabola describes.

    Of the whole stretch, what is left of a cubic would be as large as the error.
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
    """Whether a parabola leaves of a stretch no more than its noise."""
    design = np.vander(t / t[-1], 3, increasing=True)
    left = curve - design @ np.linalg.lstsq(design, curve, rcond=None)[0]
    degrees = len(t) - 3
    return bool(left @ left <= sigma**2 * (degrees + DESCRIBED * np.sqrt(2 * degrees)))
