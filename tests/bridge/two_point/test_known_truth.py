"""Tests of fits with known time constants: correct values, and errors of the right size."""

from __future__ import annotations

import numpy as np
import pytest

import bridge

ROUNDING = 1e-7  # relative: a noiseless fit ends where its search does, at a relative change of 1e-10 in cost


def pulls(case, **changed):
    """Deviations of log tau_h and log tau_y from the truth, in reported errors."""
    fit = bridge.two_point.fit(case.columns, **(case.data | changed))
    return [
        np.log(fit.tau_h / case.tau_h) / (fit.errors["tau_h"] / fit.tau_h),
        np.log(fit.tau_y / case.tau_y) / (fit.errors["tau_y"] / fit.tau_y),
    ]


@pytest.mark.parametrize("scalar", [True, False])
def test_noiseless_traces_give_back_their_constants(draw, rng, scalar):
    for _ in range(5):
        case = draw(rng, noise=0.0, scalar=scalar)
        fit = bridge.two_point.fit(case.columns, **case.data)
        assert fit.initial == "data"
        assert fit.tau_h == pytest.approx(case.tau_h, rel=ROUNDING)
        assert fit.tau_y == pytest.approx(case.tau_y, rel=ROUNDING)
        assert fit.r_squared == pytest.approx(1, abs=ROUNDING)


def test_noisy_traces_give_back_their_constants_within_their_errors(draw):
    values = np.array([pulls(draw(np.random.default_rng(index))) for index in range(30)])
    assert (np.abs(values) < 3).mean() >= 0.97
    # 60 values: a share of 0.683 has a standard error of 0.06, so 0.5 to 0.86 is three of them
    assert 0.5 < (np.abs(values) < 1).mean() < 0.86


@pytest.mark.slow
@pytest.mark.parametrize(
    ("points", "noise", "scalar", "index"), [(300, 0.01, False, 0), (300, 0.01, True, 1), (40, 0.02, False, 2)]
)
def test_errors_cover(draw, points, noise, scalar, index):
    """In every hundred at least 97 within three errors; the interval of one error covers 0.60 to 0.75."""
    values = np.array(
        [
            pulls(draw(np.random.default_rng([index, each]), points=points, noise=noise, scalar=scalar))
            for each in range(300)
        ]
    )
    within = np.abs(values) < 3
    assert within.all(axis=1).mean() >= 0.97
    assert ((np.abs(values) < 1).mean(axis=0) > 0.60).all()
    assert ((np.abs(values) < 1).mean(axis=0) < 0.75).all()


def test_a_planted_factor_is_caught(draw):
    """The check fails if the input distance is wrong by 10 %, or dy2 moves at twice the speed: it has the power."""
    cases = [draw(np.random.default_rng(index)) for index in range(10)]
    wrong = np.array([pulls(case, dx2=1.1 * case.data["dx2"]) for case in cases])
    assert (np.abs(wrong[:, 0]) > 3).mean() > 0.8
    for case in cases[:3]:
        right = bridge.two_point.fit(case.columns, initial=case.initial, **case.data)
        double = bridge.two_point.fit_alternative(case.columns, "factor_two", initial=case.initial, **case.data)
        assert double.loss > 2 * right.loss


def test_a_known_initial_state_is_used(draw, rng):
    case = draw(rng, noise=0.02)
    fit = bridge.two_point.fit(case.columns, initial=case.initial, **case.data)
    assert fit.initial == "given"
    assert fit.initial_state == pytest.approx(case.initial, rel=1e-12)
    assert abs(np.log(fit.tau_h / case.tau_h)) < 4 * fit.errors["tau_h"] / fit.tau_h


def test_a_noisy_first_point_biases_a_trajectory_forced_through_it(draw):
    """Why the initial state is fitted where there is noise: forced through the first point, errors mean nothing."""
    values = []
    for index in range(10):
        case = draw(np.random.default_rng(index), noise=0.02)
        if case.columns["dh2"][0] > 0 and case.columns["dy2"][0] > 0:
            values.append(pulls(case, initial="data"))
    assert len(values) >= 5
    assert (np.abs(values) > 3).any(axis=1).mean() > 0.5


def test_correlated_noise_widens_the_errors(clean_case):
    """Noise that lasts 50 samples carries a fiftieth of the information; errors must say so."""
    rng = np.random.default_rng(0)
    white = rng.normal(size=clean_case.clean.shape)
    lasting = np.array([np.convolve(row, np.ones(50) / np.sqrt(50), mode="same") for row in white])
    errors = []
    for noise in (white, lasting):
        seen = clean_case.clean + 0.005 * noise
        columns = clean_case.columns | dict(zip(("dh2", "dy2", "w"), seen, strict=True))
        fit = bridge.two_point.fit(columns, initial=clean_case.initial, **clean_case.data)
        errors.append(fit.errors["tau_h"])
        assert abs(fit.tau_h - clean_case.tau_h) < 4 * fit.errors["tau_h"]
    assert 4 < errors[1] / errors[0] < 10  # sqrt(50) = 7.1
    assert fit.autocorrelation["dh2"] > 0.9
    assert 20 < fit.effective_points["dh2"] < 180  # 3001 / 50 = 60
