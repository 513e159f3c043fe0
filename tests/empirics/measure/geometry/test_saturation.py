"""Measures of networks with saturated units, of extreme scales and of singular Jacobians: right, or a warning."""

import warnings
from functools import partial

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
        for parameter, value in zip(
            model.parameters(), (weights, biases, readout, 0 * readout[:, 0]), strict=True
        ):
            parameter.copy_(torch.tensor(value))
    return model


def jacobian(weights, biases, readout, x):
    """The Jacobian ``[features, d]`` from the definition, in mpmath."""
    exact = mpmath.matrix(weights.tolist()), mpmath.matrix(readout.tolist())
    slopes = [
        mpmath.sech(z) ** 2
        for z in exact[0] * mpmath.matrix(x.tolist()) + mpmath.matrix(biases.tolist())
    ]
    return exact[1] * mpmath.diag(slopes) * exact[0]


def cases():
    """Weights, biases, readout and points: ordinary, extreme, saturated, and singular or nearly so."""
    rng = np.random.default_rng(1)
    w, v, b, x = (
        rng.normal(size=(7, 2)),
        rng.normal(size=(4, 7)),
        rng.normal(size=7),
        rng.normal(size=(2, 2)),
    )
    yield from ((f"inputs of {s}", w / s, b, v, x * s) for s in (1.0, 1e-150, 1e-30, 1e30, 1e150))
    yield from ((f"features of {s}", w, b, v * s, x) for s in (1e-100, 1e-30, 1e30, 1e100))
    yield from ((f"saturated at {s}", w, b + s, v, x) for s in (5, 9, 12, 15, 18, 19, 20, 25, 40))
    for apart in (0, 1e-4, 1e-8, 1e-12, 1e-15):
        yield (
            f"weights of rank one + {apart}",
            np.stack([w[:, 0], 2 * w[:, 0] + apart * w[:, 1]], 1),
            b,
            v,
            x,
        )
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
                assert mpmath.mnorm(
                    mpmath.matrix(found.tolist()) - exact, 1
                ) <= SILENT * mpmath.mnorm(exact, 1)
                determinant = mpmath.det(exact)
                if mpmath.isinf(logarithm):  # singular to rounding: rank one in both coordinates
                    assert determinant < 1e-28 * mpmath.mnorm(exact, 1) ** 2
                else:
                    assert abs(logarithm - mpmath.log(determinant) / 2) < SILENT


def logistic(z):
    return 1 / (1 + mpmath.exp(-z))


ACTIVATIONS = {  # module, slope and second derivative
    "tanh": (
        nn.Tanh,
        lambda z: mpmath.sech(z) ** 2,
        lambda z: -2 * mpmath.tanh(z) * mpmath.sech(z) ** 2,
    ),
    "sigmoid": (
        nn.Sigmoid,
        lambda z: logistic(z) * logistic(-z),
        lambda z: logistic(z) * logistic(-z) * (logistic(-z) - logistic(z)),
    ),
    "softplus": (nn.Softplus, logistic, lambda z: logistic(z) * logistic(-z)),
    "log-sigmoid": (nn.LogSigmoid, lambda z: logistic(-z), lambda z: -logistic(z) * logistic(-z)),
    "GELU": (
        nn.GELU,
        lambda z: mpmath.ncdf(z) + z * mpmath.npdf(z),
        lambda z: (2 - z**2) * mpmath.npdf(z),
    ),
    "SiLU": (
        nn.SiLU,
        lambda z: logistic(z) * (1 + z * logistic(-z)),
        lambda z: logistic(z) * logistic(-z) * (2 + z * (logistic(-z) - logistic(z))),
    ),
}


def exact_geometry(slope, bend, weights, biases, readout, x):
    """Metric, logarithm of the volume element and scalar curvature at a point of the plane, by Gauss, in mpmath."""
    w, v = mpmath.matrix(weights.tolist()), mpmath.matrix(readout.tolist())
    z = w * mpmath.matrix(x.tolist()) + mpmath.matrix(biases.tolist())
    jacobian = v * mpmath.diag([slope(entry) for entry in z]) * w
    metric = jacobian.T * jacobian

    def normal(i, j):
        second = v * mpmath.matrix([bend(z[k]) * w[k, i] * w[k, j] for k in range(w.rows)])
        return second - jacobian * mpmath.lu_solve(metric, jacobian.T * second)

    along, mixed, across = normal(0, 0), normal(0, 1), normal(1, 1)
    determinant = mpmath.det(metric)
    bent = mpmath.fdot(along, across) - mpmath.fdot(mixed, mixed)
    return metric, mpmath.log(determinant) / 2, 2 * bent / determinant


def silent(call, *arguments):
    """The result of a call, or None if it came with a warning or was refused."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            result = call(*arguments)
        except ValueError:
            return None
    return None if caught else result[0].numpy()


def estimated(model, x):
    """The estimated curvature and its standard error, as one result."""
    return torch.stack(measure.scalar_curvature_estimate(model, x, 64), dim=1)


@pytest.mark.slow
@pytest.mark.parametrize("name", ACTIVATIONS)
def test_geometry_in_the_tails_is_right_or_comes_with_a_warning(name, rng):
    module, slope, bend = ACTIVATIONS[name]
    found = 0
    for side in (0, 5, -5, 7, -7, 8, -8, 10, -10, 15, -15, 21, -21, 25, -25, 30, -30, 38, -38):
        weights, readout, x = (
            rng.normal(size=(6, 2)) / 2,
            rng.normal(size=(4, 6)),
            rng.normal(size=(1, 2)) / 2,
        )
        biases = side + rng.normal(size=6) * 0.3
        model = network(weights, biases, readout, module)
        with mpmath.workdps(DIGITS):
            metric, logarithm, curvature = exact_geometry(
                slope, bend, weights, biases, readout, x[0]
            )
            size = mpmath.norm(mpmath.matrix(model(torch.tensor(x))[0].tolist())) ** 2
            if (got := silent(measure.metric, model, x)) is not None:
                assert mpmath.mnorm(
                    mpmath.matrix(got.tolist()) - metric, 1
                ) <= SILENT * mpmath.mnorm(metric, 1), side
            if (got := silent(measure.log_volume_element, model, x)) is not None:
                assert abs(float(got) - logarithm) < SILENT, side
            if (got := silent(measure.scalar_curvature, model, x)) is not None:
                found += 1
                assert abs(float(got) - curvature) <= SILENT * max(abs(curvature), 1e-6 / size), (
                    side
                )
            if (got := silent(estimated, model, x)) is not None:
                value, standard_error = got
                assert (
                    abs(value - curvature)
                    <= SILENT * max(abs(curvature), 1e-6 / size) + 8 * standard_error
                ), side
    assert found > 6


@pytest.mark.parametrize(("activation", "side", "warns"), [
    (nn.Tanh, 15, True), (nn.Tanh, -15, True), (nn.Sigmoid, 30, True), (nn.Sigmoid, -30, False), (nn.Tanh, 3, False),
    (nn.GELU, -8, True), (nn.GELU, 8, False), (nn.GELU, -3, False), (partial(nn.GELU, "tanh"), -8, True),
    (partial(nn.GELU, "tanh"), -5, False),
])  # fmt: skip
def test_saturated_units(activation, side, warns, rng):
    model = network(
        rng.normal(size=(6, 2)), np.full(6, float(side)), rng.normal(size=(3, 6)), activation
    )
    x = 0.1 * rng.normal(size=(2, 2))
    for measured in (measure.metric, measure.log_volume_element, measure.scalar_curvature):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            measured(model, x)
        assert (
            any(
                "are saturated; torch computes their slopes" in str(warning.message)
                for warning in caught
            )
            == warns
        )


@pytest.mark.parametrize(("activation", "side", "warns"), [
    (nn.Softplus, 10, False), (nn.Softplus, 22, True), (partial(nn.Softplus, beta=10), 1, False),
    (partial(nn.Softplus, beta=10), 3, True), (partial(nn.Softplus, threshold=5), 6, True),
])  # fmt: skip
def test_softplus_is_a_line_beyond_its_threshold(activation, side, warns, rng):
    model = network(
        rng.normal(size=(6, 2)), np.full(6, float(side)), rng.normal(size=(3, 6)), activation
    )
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        measure.scalar_curvature(model, 0.1 * rng.normal(size=(2, 2)))
    assert bool(caught) == warns


def test_enough_units_that_are_not_saturated_are_enough(rng):
    biases = np.array([40.0, -40.0, 30.0, 0.1, 0.2, 0.3])
    measure.log_volume_element(
        network(rng.normal(size=(6, 2)), biases, rng.normal(size=(3, 6))), rng.normal(size=(2, 2))
    )
