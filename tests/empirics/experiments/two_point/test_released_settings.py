"""Tests that the default run with the released settings has the fit loss of the paper, 0.92 (Appendix C.1).

The fit losses of the seeds 0 to 19 have the median 1.04 and lie between 0.20 and 2.6 (the study two-point-alternatives
at paper scale), mostly because the theory starts from the exact initial state; with a free one they are 0.2 to 0.4, and
in the next layer they are 3 times smaller. With the data as printed (dx = 0.5, dy = 1) the network is still on its
first plateau after 6000 epochs (seeds 0, 3 and 4; seed 1 leaves it at the end), so there is nothing to fit.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import least_squares

from empirics.experiments import two_point

FIT_LOSS = 0.92  # the paper's, of one run
SPREAD = 4.0  # factor between seeds
PLATEAU = 0.125  # loss when both outputs are the mean of the targets, dy = 1: ½ (1/2)²


def fit_loss(curves, dx2, target2):
    """Sum over epochs of the three squared differences (Eq. 49) at the best τ_h, τ_y; Eq. 7 integrated numerically."""
    epochs = np.arange(curves.shape[1])

    def theory(log_tau):
        rate_h, rate_y = np.exp(-log_tau)

        def slope(_, state):
            dh2, dy2, w = state
            return [
                -rate_h * dx2 * w,
                -w * (rate_y * dh2 + rate_h * dx2 * dy2 / dh2),
                -rate_y / 2 * (3 * w - dy2 + target2) * dh2
                - rate_h / 2 * dx2 * (dy2 + w) * w / dh2,
            ]

        span = (epochs[0], epochs[-1])
        return solve_ivp(
            slope, span, curves[:, 0], method="LSODA", t_eval=epochs, rtol=1e-8, atol=1e-11
        ).y

    fitted = least_squares(lambda p: (theory(p) - curves).ravel(), np.log([1300.0, 24.0]))
    return 2 * fitted.cost


@pytest.mark.slow
def test_fit_loss_is_the_papers():
    data = two_point.run(two_point.Config(seeds=2), progress=False)
    curves = np.stack([data.dh2.isel(layer=0), data.dy2, data.w], axis=1)  # [seed, curve, epoch]
    for curve in curves:
        loss = fit_loss(curve, data.dx2, data.target2)
        assert FIT_LOSS / SPREAD < loss < FIT_LOSS * SPREAD
        scatter = ((curve - curve.mean(axis=1, keepdims=True)) ** 2).sum()
        assert 1 - loss / scatter > 0.99


@pytest.mark.slow
def test_printed_data_are_not_learned():
    data = two_point.run(two_point.Config(seeds=1, dx=0.5, dy=1.0), progress=False)
    loss = data.loss.isel(seed=0)
    assert abs(float(loss.sel(step=1000)) / PLATEAU - 1) < 0.01
    assert abs(float(loss.sel(step=6000)) / PLATEAU - 1) < 0.01
