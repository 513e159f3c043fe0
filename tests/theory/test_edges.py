"""The edges of domains, where a difference vanishes: each closed form has all its digits there, or warns."""

from __future__ import annotations

import math

import mpmath
import numpy as np
import pytest
import sympy as sp

import theory
from tests.theory.core.pairs import in_pairs
from theory import gaussian
from theory.activations import GELU
from theory.core.formula.special import phi1
from theory.geometry.kernel_layers import wide_layer

FORMS = theory.catalogue()
FIT = {"start": 1.0, "target": 2.0, "depth": 2.0, "samples": 10.0}


def true(name, **values):
    return float(
        FORMS[name].evaluate(
            **{key: sp.Rational(float(x)) for key, x in values.items()}, digits=20
        )
    )


@pytest.mark.parametrize(
    ("name", "values"),
    [
        (
            "collapse.equiseparation_depth",
            {"initial": 0.6000000000000003, "floor": 0.3, "shrink": 0.5},
        ),
        ("leaky_resnet.mode_fit_strength", {**FIT, "end": math.exp(-2) * (1 + 1e-14)}),
        (
            "leaky_resnet.depth_of_rate",
            {"rate": 1.0, "start_mean": 0.0, "end_mean": math.sinh(1.0) * (1 - 1e-14)},
        ),
    ],
)
def test_next_to_the_boundary_of_a_condition(name, values, torch):
    exact = true(name, **values)
    assert FORMS[name](**values) == pytest.approx(exact, rel=1e-11, abs=0)
    assert FORMS[name](**{key: np.full(2, x) for key, x in values.items()})[1] == pytest.approx(
        exact, rel=1e-11, abs=0
    )
    tensors = {key: torch.tensor(x, dtype=torch.float64) for key, x in values.items()}
    assert float(FORMS[name].function("torch")(**tensors)) == pytest.approx(
        exact, rel=1e-11, abs=0
    )


@pytest.mark.parametrize("number", [float, np.float32])
@pytest.mark.parametrize("neighbours", [1e4, 1e6, 1e9])
def test_a_floor_whose_terms_cancel_is_right(number, neighbours):
    form = FORMS["compression.label_information_floor"]
    exact = true(form.name, neighbours=number(neighbours))
    few = 1e-10 if number is float else float(np.finfo(np.float32).eps)
    assert form(number(neighbours)) == pytest.approx(exact, rel=few, abs=0)


def test_float32_is_rounded_once():
    values = {
        "dh2_0": 1e-30,
        "dy2_0": 1e-30,
        "tau_h": 1,
        "tau_y": 1,
        "dx2": 1e-30,
        "target2": 1e-30,
    }
    form = FORMS["two_point.growth_rate"]
    single = {key: np.float32(x) for key, x in values.items()}
    for points in (single, {key: np.full(20_000, x) for key, x in single.items()}):
        rate = form(**points)
        assert rate.dtype == np.float32
        assert np.ravel(rate)[0] == np.float32(true(form.name, **single))


@pytest.mark.parametrize("name", ["exp", "phi1", "log"])
def test_functions_of_pairs_have_twice_the_digits(name):
    variable = sp.Symbol("variable", real=True)
    of_pair = in_pairs({"exp": sp.exp, "phi1": phi1, "log": sp.log}[name](variable), [variable])
    exactly = {"exp": mpmath.exp, "phi1": lambda x: mpmath.expm1(x) / x, "log": mpmath.log}[name]
    draw = np.random.default_rng(0)
    with mpmath.workdps(50):
        for x in map(
            float,
            10 ** draw.uniform(-6, 2.7, 200) * (1 if name == "log" else draw.choice([-1, 1], 200)),
        ):
            high, low = of_pair(x)
            assert (
                abs((mpmath.mpf(float(high)) + float(low)) / exactly(mpmath.mpf(x)) - 1) < 1e-24
            ), x


def test_squared_slopes_of_gelu_at_large_variances():
    expression = gaussian.squared_slope(GELU).expression
    (variance,) = expression.free_symbols
    points = np.array([1e4, 1e8, 1e12, 1e16])
    exact = [float(expression.subs(variance, sp.Integer(int(v))).evalf(40)) for v in points]
    assert wide_layer(GELU, True).diagonal(points)[1] == pytest.approx(exact, rel=1e-15)


@pytest.mark.parametrize("far", [30.0, 45.0, 60.0, 1e4])
def test_a_volume_that_underflows_is_zero_and_not_nan(far, torch):
    form = FORMS["geometry.three_unit_volume_element"]
    exact = true(form.name, x1=far, x2=0, bias=0)
    assert form(far, 0.0, 0.0) == pytest.approx(exact, rel=1e-12, abs=0)
    assert form(np.full(2, far), 0.0, 0.0)[1] == pytest.approx(exact, rel=1e-12, abs=0)
    assert float(
        form.function("torch")(torch.tensor(far, dtype=torch.float64), 0.0, 0.0)
    ) == pytest.approx(exact, rel=1e-12, abs=0)
