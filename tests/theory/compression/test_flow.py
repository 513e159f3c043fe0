"""Tests of the averaged flow of a neuron: quadrature, its invariant, its end, a simulated training set."""

import itertools
import math

import numpy as np
import pytest
from scipy import integrate
from scipy.special import ndtr

from tests.marks import slow
from theory.compression import Stripes, attractors, characteristic_time, neuron_flow

LABELS = Stripes((-0.3, 1.18549233272))
QUADRATURE = 1e-10  # what quad is good for here
NEURONS = [np.random.default_rng(seed).normal(size=7) for seed in range(6)]


def by_quadrature(labels, state, power):
    """<y x^power Phi(...)> over the first coordinate, cell by cell."""
    d = len(state) - 2
    across, offset = np.linalg.norm(state[1:d]), math.sqrt(d) * state[-2]
    edges = [-12, *labels.places, 12]
    return sum(
        integrate.quad(
            lambda x: labels(x) * x**power * ndtr((offset + state[0] * x) / across) * math.exp(-x * x / 2),
            low, high, epsabs=1e-13,
        )[0] for low, high in itertools.pairwise(edges)
    ) / math.sqrt(2 * math.pi)  # fmt: skip


@pytest.mark.parametrize("state", NEURONS)
def test_averages_against_quadrature(state):
    rates = neuron_flow(LABELS, 5).rates(state)
    assert rates[0] == pytest.approx(state[-1] * by_quadrature(LABELS, state, 1), abs=QUADRATURE)
    assert rates[-2] == pytest.approx(
        state[-1] * math.sqrt(5) * by_quadrature(LABELS, state, 0), abs=QUADRATURE
    )


def test_averages_against_a_large_training_set():
    """All components, the perpendicular ones too; z-scores of the sums themselves."""
    inputs = np.random.default_rng(1).normal(size=(400_000, 5))
    flow = neuron_flow(LABELS, 5)
    for state in NEURONS[:3]:
        parts = np.array([flow.rates_on(state, part) for part in np.split(inputs, 40)])
        z = (parts.mean(axis=0) - flow.rates(state)) / (parts.std(axis=0, ddof=1) / math.sqrt(40))
        assert np.abs(z).max() < 4.5  # 21 numbers: beyond by chance once in 7000 runs


def test_the_limit_of_large_amplification_is_the_half_line():
    state = np.array([1.3, 0, 0, 0, 0, -0.4, 0.7])
    nearly = state + np.array([0, 1e-9, 0, 0, 0, 0, 0])
    flow = neuron_flow(LABELS, 5)
    np.testing.assert_allclose(flow.rates(state), flow.rates(nearly), atol=1e-8)


def test_neurons_arrive_at_attractors_and_grow_with_their_time_constant():
    found = {(each.side, round(each.position, 6)): each for each in attractors(LABELS, 5)}
    arrived = 0
    for state in NEURONS:
        path = neuron_flow(LABELS, 5).integrate(state, np.array([0.0, 60.0, 61.0]))
        first, bias = path[:, 0], path[:, -2]
        where = (int(np.sign(first[-1])), round(float(-math.sqrt(5) * bias[-1] / first[-1]), 6))
        if where in found:
            arrived += 1
            assert math.log(first[2] / first[1]) == pytest.approx(
                1 / found[where].growth_time, rel=1e-5
            )
    assert arrived >= 3  # the others see too few points to have moved


def simulated(seed, p, d, neurons, attractor):
    """Neurons started around an attractor and followed on a training set; the direction only, so nothing overflows."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(p, d))
    y = LABELS(x[:, 0])
    start = np.array(
        [attractor.side, *np.zeros(d - 1), -attractor.side * attractor.position / math.sqrt(d)]
    )
    w = start + 0.05 * rng.normal(size=(neurons, d + 1))
    extended = np.hstack([x, np.full((p, 1), math.sqrt(d))])
    sign = np.sign(attractor.c_parallel) * attractor.side
    for _ in range(int(25 / (0.25 * attractor.current))):
        norm = np.linalg.norm(w, axis=1, keepdims=True)
        force = ((extended @ w.T > 0) * y[:, None]).T @ extended / p
        w = w / norm + 0.25 * sign * force
    return np.median(np.abs(w[:, 0]) / np.linalg.norm(w[:, 1:d], axis=1)), x, y


@pytest.mark.parametrize(("d", "seeds"), [(5, 6), *slow((10, 6))])
def test_the_amplification_factor_with_its_prefactor(d, seeds):
    """p = 16,000: median over training sets within 6 % of the prediction with each set's own fluctuation."""
    attractor = min(
        (each for each in attractors(LABELS, d) if each.stable), key=lambda each: each.growth_time
    )
    ratios, naive = [], []
    for seed in range(seeds):
        measured, x, y = simulated(seed, 16_000, d, 8, attractor)
        active = attractor.side * (x[:, 0] - attractor.position) > 0
        fluctuation = (
            math.sqrt(16_000 / attractor.d_perp) * np.linalg.norm((y * active) @ x[:, 1:]) / 16_000
        )
        predicted = attractor.amplification * math.sqrt(16_000) / fluctuation
        ratios.append(measured / predicted)
        naive.append(measured / (abs(attractor.c_parallel) / attractor.current * predicted))
    assert abs(np.median(ratios) - 1) < 0.06
    assert abs(np.median(naive) - 1) > 0.06  # without the drift of the perpendicular weights


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (
            lambda: neuron_flow(LABELS, 5, [0.1, 0.2], 100),
            r"fluctuation: got shape \(2,\), needs \[..., 4\]",
        ),
        (lambda: neuron_flow(LABELS, 5, [0.1] * 4), "points"),
        (lambda: neuron_flow(LABELS, 5, [0.1] * 4, -3), "points"),
        (lambda: neuron_flow(LABELS, 5).rates([1.0] * 6), "state"),
        (lambda: neuron_flow(LABELS, 5).rates([0.0] * 5 + [1.0, 1.0]), "no hyperplane"),
        (lambda: neuron_flow(LABELS, 5).rates([float("nan")] * 7), "finite"),
        (lambda: neuron_flow(LABELS, 5).integrate([1.0] * 7, [0.0]), "times"),
        (lambda: neuron_flow(LABELS, 5).integrate([1.0] * 7, [1.0, 0.0]), "times"),
        (lambda: neuron_flow(LABELS, 5).rates_on([1.0] * 7, np.ones((3, 4))), "inputs"),
        (lambda: neuron_flow(LABELS, 1), "dimension"),
    ],
)
def test_bad_input(call, said):
    with pytest.raises(ValueError, match=said):
        call()


def test_the_law_of_the_characteristic_time():
    """Slope from the growth time; the offset from drawn neurons; refusals."""
    law = characteristic_time(LABELS, 5, neurons=12)
    best = min(
        (each for each in attractors(LABELS, 5) if each.stable), key=lambda each: each.growth_time
    )
    assert law.slope == best.growth_time / 2
    assert law(1e-8) - law(1e-6) == pytest.approx(law.slope * math.log(100))
    assert 0 < law.offset_error < 1
    with pytest.raises(ValueError, match="alpha"):
        law(0.0)
    with pytest.raises(ValueError, match="at most"):
        characteristic_time(LABELS, 5, fitted=0.9)
    with pytest.raises(ValueError, match="no attractor"):
        characteristic_time(Stripes((-0.3, 0.3)), 5)
    with pytest.raises(ValueError, match="neurons: got 1, needs an integer from 2"):
        characteristic_time(LABELS, 5, neurons=1)
