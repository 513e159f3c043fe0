"""The default run, as released, is the run that the paper's fit belongs to: fit loss 0.92 (appendix C.1).

Seeds differ by a factor of four (0.56 to 2.6 in seeds 0 to 4, mean 1.5), mostly because the theory starts from the exact
initial state: with a free one all seeds come to 0.2 to 0.4. The data as printed (dx = 0.5, dy = 1) give more than 100.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import least_squares

from empirics.experiments import two_point

FIT_LOSS = 0.92  # the paper's, of one run
SPREAD = 4.0  # factor between seeds
PRINTED_DATA_AT_LEAST = 100.0


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
                -rate_y / 2 * (3 * w - dy2 + target2) * dh2 - rate_h / 2 * dx2 * (dy2 + w) * w / dh2,
            ]

        span = (epochs[0], epochs[-1])
        return solve_ivp(slope, span, curves[:, 0], method="LSODA", t_eval=epochs, rtol=1e-8, atol=1e-11).y

    fitted = least_squares(lambda p: (theory(p) - curves).ravel(), np.log([1300.0, 24.0]))
    return 2 * fitted.cost


def losses(config):
    data = two_point.run(config, progress=False)
    curves = np.stack([data.dh2.isel(layer=0), data.dy2, data.w], axis=1)  # [seed, curve, epoch]
    return [fit_loss(c, data.dx2, data.target2) for c in curves], curves


@pytest.mark.slow
def test_fit_loss_is_the_papers():
    found, curves = losses(two_point.Config(seeds=2))
    for loss, curve in zip(found, curves, strict=True):
        assert FIT_LOSS / SPREAD < loss < FIT_LOSS * SPREAD
        scatter = ((curve - curve.mean(axis=1, keepdims=True)) ** 2).sum()
        assert 1 - loss / scatter > 0.99


@pytest.mark.slow
def test_printed_data_do_not_give_it():
    (loss,), _ = losses(two_point.Config(seeds=1, dx=0.5, dy=1.0))
    assert loss > PRINTED_DATA_AT_LEAST
