"""Tests of final distance, plateau, crossing, fixed points and loss against the exact or integrated trajectory."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import theory
from tests.oracles.two_point_flow import Network, smooth_flow
from tests.oracles.two_point_states import draw
from theory import two_point
from theory.two_point.fixed_points import A_high, A_low
from theory.two_point.symbols import dh2, dx2, tau_h, tau_y

STATE = {
    "dh2_0": 0.3,
    "dy2_0": 0.2,
    "w_0": 0.15,
    "tau_h": 2.0,
    "tau_y": 3.0,
    "dx2": 0.7,
    "target2": 1.3,
}
SMALL = {
    "dh2_0": 1e-4,
    "dy2_0": 1e-7,
    "w_0": 1e-7 - 3e-4,
    "tau_h": 2.0,
    "tau_y": 3.0,
    "dx2": 0.7,
    "target2": 1.3,
}

CROSSING = two_point.crossing_time()


def distance(time: float, state: dict[str, float]) -> float:
    return float(smooth_flow(np.array([0.0, time]), **state)[0, -1])


def test_final_distance_against_integration() -> None:
    start = {key: value for key, value in STATE.items() if key != "w_0"}
    assert two_point.final_distance()(**start) == pytest.approx(distance(200.0, STATE), rel=1e-9)


@pytest.mark.parametrize("share", [0.8, -0.3])
def test_the_escape_time_of_small_weights_is_approached(share: float) -> None:
    """The leading correction is proportional to the weights, for both signs of the prediction."""
    weights, fractions = np.array([1e-3, 1e-6, 1e-9])[:, None], np.array([0.3, 0.5, 0.9])
    state = {"dh2_0": weights, "dy_0": share * weights, "tau_h": 2, "tau_y": 3, "dx2": 0.7}
    exact, limit = (
        theory.catalogue()[f"two_point.{name}"](fraction=fractions, target2=1.3, **state)
        for name in ("escape_time", "small_weights_escape_time")
    )
    assert (np.abs(exact / limit - 1) < 10 * weights).all()


@pytest.mark.parametrize("fraction", [0.01, 0.5, 0.99])
@pytest.mark.parametrize("across", [0.0, 5e-8])
def test_escape_time_against_integration(fraction: float, across: float) -> None:
    state = {**SMALL, "dy2_0": SMALL["dy2_0"] + across, "w_0": SMALL["w_0"] + across}
    time = two_point.escape_time(**state, fraction=fraction)
    final = two_point.final_distance()(
        **{key: value for key, value in state.items() if key != "w_0"}
    )
    assert distance(time, state) == pytest.approx(fraction * final, rel=1e-8)


def test_escape_time_is_its_closed_form_along_the_target() -> None:
    dy_0 = (SMALL["dy2_0"] - SMALL["w_0"]) / np.sqrt(SMALL["target2"])
    state = {**SMALL, "dy2_0": dy_0**2, "w_0": dy_0**2 - dy_0 * np.sqrt(SMALL["target2"])}
    form = theory.catalogue()["two_point.escape_time"]
    keywords = {key: value for key, value in state.items() if key not in ("dy2_0", "w_0")}
    assert two_point.escape_time(**state) == pytest.approx(
        form(fraction=0.5, dy_0=dy_0, **keywords), rel=1e-13
    )


def test_an_escape_that_is_over_is_refused() -> None:
    with pytest.raises(ValueError, match=r"dh2_0: got .*, needs a number below"):
        two_point.escape_time(**{**STATE, "dh2_0": 5.0})
    with pytest.raises(ValueError, match=r"fraction: got 1.*, needs numbers below 1"):
        two_point.escape_time(**SMALL, fraction=1.0)


@given(st.integers(0, 10**6))
def test_crossing_time_is_where_the_representations_meet(seed: int) -> None:
    state = draw("crossing", np.random.default_rng(seed))
    time = CROSSING(**state)
    assert np.isfinite(time)
    before, at, after = two_point.trajectory([0.999 * time, time, 1.001 * time], **state)[0]
    assert at < 1e-20 * state["dh2_0"]
    assert min(before, after) > 1e3 * at


def test_no_crossing_from_the_right_side() -> None:
    with pytest.raises(ValueError, match="wrong side"):
        CROSSING(0.3, 0.2, 0.2 - np.sqrt(0.2 * 1.3), 2, 3, 0.7, 1.3)


@pytest.mark.parametrize("which", [0, 1])
def test_fixed_points_by_differentiating_the_flow_numerically(which: int) -> None:
    point = two_point.fixed_points()[which]
    values = {A_high: -0.4, A_low: 0.9, tau_h: 2.0, tau_y: 3.0, dx2: 0.7}
    high, low = values[A_high], values[A_low]
    encoder = values[dx2] / values[tau_h]

    def flow(h: float, v: float) -> np.ndarray:
        """Eq. (7) on the orbit of A_high, written anew."""
        s = h * (h - high) * values[tau_h] / (values[tau_y] * values[dx2])
        goal = low**2 * values[tau_h] / (values[tau_y] * values[dx2])
        return np.array(
            [
                -encoder * v,
                -((3 * v - s + goal) * h / values[tau_y] + encoder * (s + v) * v / h) / 2,
            ]
        )

    for rate, vector in zip(point.eigenvalues, point.eigenvectors, strict=True):
        rate_value = float(rate.subs(values))
        slope_value = float(vector[1].subs(values))
        h = float(point.position[dh2].subs(values)) if which == 0 else 0.0
        step = 1e-6
        velocity = flow(h + step, step * slope_value) / step
        np.testing.assert_allclose(velocity, rate_value * np.array([1, slope_value]), rtol=1e-4)
        assert (rate_value < 0) == (point.stable or rate is point.eigenvalues[1])


def test_eigenvalues_at_numbers_are_the_rates_of_the_catalogue() -> None:
    start = {key: value for key, value in STATE.items() if key != "w_0"}
    settles, grows = (
        theory.catalogue()[f"two_point.{name}"](**start)
        for name in ("relaxation_rate", "growth_rate")
    )
    learned, merged = (
        [float(rate) for rate in point.at(**start).eigenvalues]
        for point in two_point.fixed_points()
    )
    assert learned == pytest.approx([-settles, -grows], rel=1e-12)
    assert merged[0] == pytest.approx(grows, rel=1e-12)
    with pytest.raises(ValueError, match="tau_h"):
        two_point.fixed_points()[0].at(**{**start, "tau_h": -1.0})


@pytest.mark.parametrize(("name", "cosine"), [("relaxation_rate", 1.0), ("growth_rate", 0.3)])
def test_the_learned_state_settles_at_its_eigenvalues(name: str, cosine: float) -> None:
    """Along the target at R/(2 tau_y); across it, slower where A_high < 0, at (A_high + R)/(2 tau_y)."""
    state = {**STATE, "w_0": STATE["dy2_0"] - cosine * np.sqrt(STATE["dy2_0"] * STATE["target2"])}
    start = {key: value for key, value in state.items() if key != "w_0"}
    assert (
        start["dh2_0"]
        < start["tau_y"] / start["tau_h"] * start["dx2"] * start["dy2_0"] / start["dh2_0"]
    )
    h = smooth_flow(np.array([0.0, 48.0, 50.0]), **state)[0]
    final = two_point.final_distance()(**start)
    found = np.log((h[1] - final) / (h[2] - final)) / 2
    assert found == pytest.approx(theory.catalogue()[f"two_point.{name}"](**start), rel=1e-2)


def test_loss_against_explicit_matrices(rng: np.random.Generator) -> None:
    inputs, targets = rng.normal(size=2), rng.normal(size=2)
    network = Network(
        np.outer([1, 0], inputs) * 0.3,
        np.outer(rng.normal(size=2), [1, 0]),
        inputs,
        targets,
        1.0,
        1.0,
    )
    h, s, v = network.state(network.encoder, network.decoder)
    found = two_point.loss(
        0, h, s, v, 2, 2, inputs @ inputs, targets @ targets, tau_mean=1.0, mean2_0=0.0
    )
    assert found == pytest.approx(network.loss(network.encoder, network.decoder), rel=1e-12)
    with_mean = two_point.loss(
        [0, 2.0], h, s, v, 2, 2, inputs @ inputs, targets @ targets, tau_mean=1.0, mean2_0=0.5
    )
    assert with_mean[0] - found == pytest.approx(0.25, rel=1e-12)


@pytest.mark.parametrize("encoder", [1.0, 0.1])
def test_large_weights_settle_at_the_lazy_rate(encoder: float) -> None:
    state = {**STATE, "dh2_0": 300 * encoder, "dy2_0": 300 * encoder * 200, "target2": 1e-4}
    state["w_0"] = state["dy2_0"] - np.sqrt(state["dy2_0"] * state["target2"])
    rate = theory.catalogue()["two_point.lazy_rate"](
        **{key: value for key, value in state.items() if key not in ("w_0", "target2")}
    )
    h, y, v = two_point.trajectory(np.array([20.0, 21.0]) / rate, **state)
    assert np.log(v[0] / v[1]) == pytest.approx(1 if rate * h[0] > 0 else np.nan, rel=0.05)
    assert (y > 0).all()
