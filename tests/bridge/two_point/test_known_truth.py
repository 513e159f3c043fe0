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


@pytest.mark.sampled(2)
@pytest.mark.parametrize("noise", [0.0, 0.01])
@pytest.mark.parametrize("powers", [(-220, 0, 0), (220, 0, 0), (-150, 150, -200)])
def test_units_change_only_the_units(draw, powers, noise):
    """Squared distances (those of representations and outputs alike, since a fit adds them), inputs and times."""
    case = draw(np.random.default_rng(3), noise=noise, points=80)
    outputs, inputs, times = (2.0**power for power in powers)
    case.columns["loss"] = (
        0.3 * np.exp(-0.05 * case.columns["t"]) + (case.clean[2] + 0.5 * case.data["target2"]) / 4
    )
    case.columns["loss"] -= case.clean[1] / 8
    units = {"t": times, "dh2": outputs, "dy2": outputs, "w": outputs, "loss": outputs}
    there = {name: column * units[name] for name, column in case.columns.items()}
    expected = bridge.two_point.fit(case.columns, **case.data)
    found = bridge.two_point.fit(
        there, dx2=case.data["dx2"] * inputs, target2=case.data["target2"] * outputs
    )
    assert (found.initial, found.warnings) == (expected.initial, expected.warnings)
    unit = {"tau_h": times * inputs, "tau_y": times * outputs, "tau_mean": times}
    for name, error in expected.errors.items():
        value = getattr(expected, name)
        close = ROUNDING * value + 1e-3 * error
        assert getattr(found, name) / unit[name] == pytest.approx(value, abs=close, rel=0)
        assert found.errors[name] / unit[name] == pytest.approx(error, abs=close, rel=1e-3)
    assert found.loss / outputs**2 == pytest.approx(
        expected.loss, rel=1e-6, abs=1e-12 * case.data["target2"] ** 2
    )
    assert found.mean.mean2_0 / outputs == pytest.approx(expected.mean.mean2_0, rel=1e-5)


@pytest.mark.parametrize("name", ["t", "dh2", "dy2", "loss", "dx2", "target2"])
@pytest.mark.parametrize("factor", [1e-90, 1e90])
def test_numbers_whose_powers_leave_the_range_of_floats_are_refused(clean_case, name, factor):
    columns, data = clean_case.columns | {"loss": clean_case.columns["dy2"]}, dict(clean_case.data)
    changed = data if name in data else columns
    changed[name] = changed[name] * factor
    with pytest.raises(
        ValueError, match=rf"{name}.*, needs 1e-70 to 1e\+70; give it in another unit"
    ):
        bridge.two_point.fit(columns, **data)


def test_noisy_traces_give_back_their_constants_within_their_errors(draw):
    values = np.array([pulls(draw(np.random.default_rng(index))) for index in range(15)])
    assert (np.abs(values) < 3).mean() >= 0.96
    # 30 values: a share of 0.683 has a standard error of 0.085, so 0.43 to 0.94 is three of them
    assert 0.43 < (np.abs(values) < 1).mean() < 0.94


@pytest.mark.slow
@pytest.mark.parametrize(
    ("points", "noise", "scalar", "index"),
    [(300, 0.01, False, 0), (300, 0.01, True, 1), (40, 0.02, False, 2)],
)
def test_errors_cover(draw, points, noise, scalar, index):
    """In every hundred at least 97 within three errors; the interval of one error covers 0.60 to 0.75."""
    values = np.array(
        [
            pulls(
                draw(
                    np.random.default_rng([index, each]), points=points, noise=noise, scalar=scalar
                )
            )
            for each in range(300)
        ]
    )
    within = np.abs(values) < 3
    assert within.all(axis=1).mean() >= 0.97
    assert ((np.abs(values) < 1).mean(axis=0) > 0.60).all()
    assert ((np.abs(values) < 1).mean(axis=0) < 0.75).all()


def test_a_planted_factor_is_caught(draw):
    """The check fails if the input distance is wrong by 10 %, or dy2 moves at twice the speed: it has the power."""
    cases = [draw(np.random.default_rng(index)) for index in range(4)]
    wrong = np.array([pulls(case, dx2=1.1 * case.data["dx2"]) for case in cases])
    assert (np.abs(wrong[:, 0]) > 3).mean() > 0.8
    for case in cases[:1]:
        right = bridge.two_point.fit(case.columns, initial=case.initial, **case.data)
        double = bridge.two_point.fit(
            case.columns, law="factor_two", initial=case.initial, **case.data
        )
        assert double.loss > 2 * right.loss


def test_a_known_initial_state_is_used(draw, rng):
    case = draw(rng, noise=0.02)
    fit = bridge.two_point.fit(case.columns, initial=case.initial, **case.data)
    assert fit.initial == "given"
    assert fit.initial_state == pytest.approx(case.initial, rel=1e-12)
    assert abs(np.log(fit.tau_h / case.tau_h)) < 4 * fit.errors["tau_h"] / fit.tau_h


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
