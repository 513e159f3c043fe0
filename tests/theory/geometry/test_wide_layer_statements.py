"""Tests of signs, monotonicity, the threshold of the monomials, and kernels of wide layers."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp
from scipy.optimize import minimize_scalar

from theory import activations, geometry
from theory.core import Verdict
from theory.geometry.threshold import negative, statements

# Where a golden section search stops: the square root of double precision.
SEARCH = 1e-6


@pytest.mark.parametrize("statement", statements(), ids=lambda statement: statement.claim)
def test_every_statement_holds(statement):
    assert statement.check() is Verdict.HOLDS


def test_a_wrong_sign_is_not_called_negative():
    a, b = sp.symbols("a b", positive=True)
    assert negative(-a / (1 + b))
    assert not negative(a / (1 + b))
    assert not negative(a - b)


@pytest.mark.parametrize("degree", [2, 3, 5])
def test_the_threshold_is_where_the_curvature_is_lowest(degree):
    curvature = geometry.scalar_curvature(activations.monomial(degree))
    found = minimize_scalar(
        lambda r: curvature(2, r, 1.0, 0.7), bounds=(1e-3, 2), options={"xatol": 1e-10}
    )
    threshold = geometry.curvature_threshold()(degree, 0.7)
    assert found.x == pytest.approx(threshold, rel=SEARCH)
    assert (
        curvature(2, threshold * 0.9, 1.0, 0.7)
        > found.fun
        < curvature(2, threshold * 1.1, 1.0, 0.7)
    )


def test_the_number_in_the_text():
    """ "For q = 2, this gives sqrt(C) = 0.42 zeta"."""
    assert round(float(np.sqrt(geometry.curvature_threshold()(2, 1.0))), 2) == 0.42


def test_the_threshold_needs_a_degree_of_two():
    with pytest.raises(ValueError, match="degree"):
        geometry.curvature_threshold()(1, 1.0)


@pytest.mark.parametrize(
    ("arguments", "error", "names"),
    [
        ({"d": 2.5}, ValueError, "d "),
        ({"d": 0}, ValueError, "d "),
        ({"r": -1.0}, ValueError, "r .*: got -1"),
        ({"sigma": 0.0}, ValueError, "sigma"),
        ({"zeta": -0.1}, ValueError, "zeta"),
        ({"r": np.array([0.1, np.nan])}, ValueError, "r .*: got"),
        ({"r": np.array([])}, ValueError, "r: got shape"),
        ({"depth": 3}, TypeError, "depth"),
    ],
)
def test_bad_arguments_are_named(arguments, error, names):
    with pytest.raises(error, match=names):
        geometry.volume_element(activations.ERF)(
            **{"d": 2, "r": 1.0, "sigma": 1.0, "zeta": 0.5, **arguments}
        )


def test_inputs_of_the_metric_are_finite_numbers():
    for bad in (np.array([np.nan, 1.0]), np.array(["a"])):
        with pytest.raises(ValueError, match="inputs"):
            geometry.nngp_metric(activations.ERF).at(bad, 1.0, 0.5)


def test_an_overflow_says_so():
    with pytest.raises(ArithmeticError, match="not finite"):
        geometry.volume_element(activations.EXP)(784, 3.0, 1.0, 0.5)
    assert np.isfinite(geometry.log_volume_element(activations.EXP)(784, 3.0, 1.0, 0.5))
