"""Tests of the estimated curvature: unbiased, a correct standard error, and no effect on the random state of torch."""

from __future__ import annotations

import pytest
import torch as t
from torch import nn

from empirics import measure

SEEDS = 60


def network(d=8, width=30):
    t.manual_seed(0)
    return nn.Sequential(nn.Linear(d, width), nn.GELU(), nn.Linear(width, 20), nn.Tanh()).double()


@pytest.mark.slow
def test_unbiased_with_honest_errors():
    """Over 60 seeds: the mean is right within 4 standard errors of it, the scatter is what the errors say."""
    net, x = network(), t.randn(2, 8, generator=t.Generator().manual_seed(2), dtype=t.float64)
    exact = measure.scalar_curvature(net, x)
    runs = [measure.scalar_curvature_estimate(net, x, 60, seed=s) for s in range(SEEDS)]
    values, errors = (t.stack(column) for column in zip(*runs, strict=True))
    deviation = values.mean(0) - exact
    scatter = values.std(0)
    assert (deviation.abs() < 4 * scatter / SEEDS**0.5).all()
    assert (scatter / SEEDS**0.5 < 0.2 * exact.abs()).all()  # else the line above says nothing
    ratio = scatter / errors.square().mean(0).sqrt()
    # the relative error of a scatter from 60 runs is 9 %; the tails are heavier
    assert (ratio > 0.7).all()
    assert (ratio < 1.4).all()


def test_error_falls_as_the_root_of_the_probes():
    net, x = network(), t.randn(1, 8, dtype=t.float64, generator=t.Generator().manual_seed(0))
    few, many = (measure.scalar_curvature_estimate(net, x, n) for n in (200, 3200))
    assert 2.5 < float(few.standard_error / many.standard_error) < 6
    assert abs(float(many.value - measure.scalar_curvature(net, x))) < 4 * float(
        many.standard_error
    )


def test_same_seed_same_number_and_no_trace():
    net, x = network(), t.ones(1, 8)
    t.manual_seed(5)
    before = t.get_rng_state()
    first = measure.scalar_curvature_estimate(net, x, 10)
    assert t.equal(t.get_rng_state(), before)
    again = measure.scalar_curvature_estimate(net, x, 10, memory="1MB")
    t.testing.assert_close(again.value, first.value, rtol=1e-10, atol=0)
    assert measure.scalar_curvature_estimate(net, x, 10, seed=1).value != first.value


@pytest.mark.parametrize("size", [1e-100, 1e100])
def test_standard_errors_of_extreme_features(size):
    net, x = network(4, 10), t.ones(1, 4)
    expected = measure.scalar_curvature_estimate(net, x, 10)
    found = measure.scalar_curvature_estimate(lambda y: size * net(y), x, 10)
    for quantity in ("value", "standard_error"):
        t.testing.assert_close(
            getattr(found, quantity) * size**2, getattr(expected, quantity), rtol=1e-9, atol=0
        )


def test_saturated_units_are_said():
    """torch loses the second derivative of the log-sigmoid on the right, but not its slope."""
    net = lambda y: nn.functional.logsigmoid(30 + t.cat([y, y.square()], 1))  # noqa: E731
    with pytest.warns(RuntimeWarning, match="so much cancels"):
        measure.scalar_curvature_estimate(net, t.ones(1, 2, dtype=t.float64), 4)


def test_flat_by_counting():
    found = measure.scalar_curvature_estimate(
        nn.Sequential(nn.Linear(4, 4), nn.Tanh()), t.ones(2, 4)
    )
    assert (found.value == 0).all()
    assert (found.standard_error == 0).all()


def test_singular_is_nan():
    with pytest.warns(RuntimeWarning, match="singular at 1 of 1 points"):
        found = measure.scalar_curvature_estimate(
            lambda y: t.cat([y**2, y**3, y[:, :1]], 1), t.zeros(1, 2)
        )
    assert found.value.isnan().all()
    assert found.standard_error.isnan().all()


@pytest.mark.parametrize(("name", "value", "error"), [
    ("probes", 1, ValueError), ("probes", 2.0, TypeError), ("seed", -1, ValueError), ("seed", True, TypeError),
])  # fmt: skip
def test_bad_input(name, value, error):
    with pytest.raises(error, match=f"{name}: got"):
        measure.scalar_curvature_estimate(network(), t.ones(1, 8), **{name: value})
