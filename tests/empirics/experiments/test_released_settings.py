"""The default run, as released, is the run that the paper's fit belongs to: fit loss 0.92 (appendix C.1)."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import least_squares

from empirics.experiments import two_point

FIT_LOSS = (0.6, 1.3)  # of every seed; the paper's 0.92 is one run, five seeds elsewhere gave 0.80 to 1.09


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
    return 2 * fitted.cost, np.exp(fitted.x)


@pytest.mark.slow
def test_fit_loss_is_the_papers():
    data = two_point.run(two_point.Config(), progress=False)
    curves = np.stack([data.dh2.isel(layer=0), data.dy2, data.w], axis=1)  # [seed, curve, epoch]
    losses, taus = zip(*[fit_loss(c, data.dx2, data.target2) for c in curves], strict=True)
    assert all(FIT_LOSS[0] < loss < FIT_LOSS[1] for loss in losses), (losses, taus)
