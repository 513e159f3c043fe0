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


def test_the_threshold_needs_a_degree_of_two():
    with pytest.raises(ValueError, match="degree"):
        geometry.curvature_threshold()(1, 1.0)


def test_inputs_of_the_metric_are_finite_numbers():
    for bad in (np.array([np.nan, 1.0]), np.array(["a"])):
        with pytest.raises(ValueError, match="inputs"):
            geometry.nngp_metric(activations.ERF).at(bad, 1.0, 0.5)


def test_an_overflow_says_so():
    with pytest.raises(ArithmeticError, match="not finite"):
        geometry.volume_element(activations.EXP)(784, 3.0, 1.0, 0.5)
    assert np.isfinite(geometry.log_volume_element(activations.EXP)(784, 3.0, 1.0, 0.5))
