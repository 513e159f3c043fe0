"""Measures of networks with saturated units, of extreme scales and of singular Jacobians: right, or a warning."""

import warnings

import mpmath
import numpy as np
import pytest
import torch
from torch import nn

from empirics import measure

SILENT = 1e-6  # largest relative error without a warning
DIGITS = 400


def network(weights, biases, readout, activation=nn.Tanh):
    """A network with one hidden layer, in float64."""
    width, inputs = weights.shape
    layers = nn.Linear(inputs, width), activation(), nn.Linear(width, len(readout))
    model = nn.Sequential(*layers).double()
    with torch.no_grad():
        for parameter, value in zip(model.parameters(), (weights, biases, readout, 0 * readout[:, 0]), strict=True):
            parameter.copy_(torch.tensor(value))
    return model


def jacobian(weights, biases, readout, x):
    """The Jacobian ``[features, d]`` from the definition, in mpmath."""
    exact = mpmath.matrix(weights.tolist()), mpmath.matrix(readout.tolist())
    slopes = [mpmath.sech(z) ** 2 for z in exact[0] * mpmath.matrix(x.tolist()) + mpmath.matrix(biases.tolist())]
    return exact[1] * mpmath.diag(slopes) * exact[0]


def cases():
    """Weights, biases, readout and points: ordinary, extreme, saturated, and singular or nearly so."""
    rng = np.random.default_rng(1)
    w, v, b, x = rng.normal(size=(7, 2)), rng.normal(size=(4, 7)), rng.normal(size=7), rng.normal(size=(2, 2))
    yield from ((f"inputs of {s}", w / s, b, v, x * s) for s in (1.0, 1e-150, 1e-30, 1e30, 1e150))
    yield from ((f"features of {s}", w, b, v * s, x) for s in (1e-100, 1e-30, 1e30, 1e100))
    yield from ((f"saturated at {s}", w, b + s, v, x) for s in (5, 9, 12, 15, 18, 19, 20, 25, 40))
    for apart in (0, 1e-4, 1e-8, 1e-12, 1e-15):
        yield f"weights of rank one + {apart}", np.stack([w[:, 0], 2 * w[:, 0] + apart * w[:, 1]], 1), b, v, x
    yield "one unit", w[:1], b[:1], v[:, :1], x


@pytest.mark.slow
@pytest.mark.parametrize("case", [pytest.param(case, id=case[0]) for case in cases()])
def test_right_or_a_warning(case):
    _, weights, biases, readout, points = case
    model = network(weights, biases, readout)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        metric = measure.metric(model, points).numpy()
        volume = [] if caught else measure.log_volume_element(model, points).tolist()
    if not caught:
        with mpmath.workdps(DIGITS):
            for at, found, logarithm in zip(points, metric, volume, strict=True):
                slopes = jacobian(weights, biases, readout, at)
                exact = slopes.T * slopes
                assert mpmath.mnorm(mpmath.matrix(found.tolist()) - exact, 1) <= SILENT * mpmath.mnorm(exact, 1)
                determinant = mpmath.det(exact)
                if mpmath.isinf(logarithm):  # singular to rounding: rank one in both coordinates
                    assert determinant < 1e-28 * mpmath.mnorm(exact, 1) ** 2
                else:
                    assert abs(logarithm - mpmath.log(determinant) / 2) < SILENT


@pytest.mark.parametrize(("activation", "side", "warns"), [
    (nn.Tanh, 15, True), (nn.Tanh, -15, True), (nn.Sigmoid, 30, True), (nn.Sigmoid, -30, False), (nn.Tanh, 3, False),
])  # fmt: skip
def test_saturated_units(activation, side, warns, rng):
    model = network(rng.normal(size=(6, 2)), np.full(6, float(side)), rng.normal(size=(3, 6)), activation)
    x = 0.1 * rng.normal(size=(2, 2))
    for measured in (measure.metric, measure.log_volume_element, measure.scalar_curvature):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            measured(model, x)
        assert any("are saturated; torch computes their slopes" in str(warning.message) for warning in caught) == warns


def test_enough_units_that_are_not_saturated_are_enough(rng):
    biases = np.array([40.0, -40.0, 30.0, 0.1, 0.2, 0.3])
    measure.log_volume_element(
        network(rng.normal(size=(6, 2)), biases, rng.normal(size=(3, 6))), rng.normal(size=(2, 2))
    )
