"""Tests of kernels of identical, independent or constant Gaussians, where rounding must not change a value to 0."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp

from theory import activations, gaussian, geometry
from theory.core import Argument, correlation

SMOOTH = (activations.TANH, activations.SOFTPLUS)
# The promise of integrals; Gauss-Hermite with 180 nodes is good for 1e-13 at unit variance.
QUADRATURE = 1e-10


def mean(function, variance: float) -> float:
    """E[f(z)] by Gauss and Hermite; of functions that are analytic near the line."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(180)
    return float((function(np.sqrt(variance) * nodes) * weights).sum() / np.sqrt(2 * np.pi))


@pytest.mark.parametrize("act", SMOOTH, ids=lambda act: act.name)
def test_rounding_beyond_full_correlation_is_full_correlation(act):
    """1 + 1e-13 is forgiven by the condition, so the value must be that at 1; it was 0."""
    form = gaussian.kernel(act)
    expected = mean(lambda u: act.function()(u) ** 2, 1.0)
    assert form(1.0, 1.0, 1 + 1e-13) == pytest.approx(expected, rel=QUADRATURE)


@pytest.mark.parametrize(
    "act", [*SMOOTH[:1], activations.GELU, activations.RELU], ids=lambda act: act.name
)
def test_an_input_without_variance_is_a_constant(act):
    value = act.function()
    expected = float(value(0.0)) * mean(value, 1.0)
    assert geometry.nngp_kernel(act)(0, 1, 0, 1, 0) == pytest.approx(
        expected, rel=QUADRATURE, abs=1e-300
    )
    expected = (
        float(act.function(1)(0.0)) * 0.5 if act.name != "tanh" else mean(act.function(1), 1.0)
    )
    assert geometry.slope_kernel(act)(0, 1, 0, 1, 0) == pytest.approx(expected, rel=QUADRATURE)


def test_orthogonal_inputs_of_an_odd_activation():
    """The kernel is 0 exactly; adaptive quadrature cannot reach a relative accuracy of rounding errors."""
    form = geometry.nngp_kernel(activations.TANH)
    assert form(1, 1, 0, 1, 0) == 0
    assert form(np.array([1.0, 2.0]), 1, np.array([0.0, 0.1]), 1, 0)[0] == 0


@pytest.mark.parametrize("backend", ["numpy", "torch", "mpmath"])
def test_a_constant_is_independent_of_everything(backend):
    c, v, w = sp.symbols("c v w", real=True)
    from theory.core import ClosedForm, Status

    form = ClosedForm(
        "sample.correlation", "A correlation.", tuple(Argument(s, s.name) for s in (c, v, w)), correlation(c, v, w),
        Status.TRANSCRIBED,
    )  # fmt: skip
    if backend == "torch":
        pytest.importorskip("torch")
    assert float(form.function(backend)(0.0, 0.0, 1.0)) == 0
    assert form.evaluate(0, 0, 1) == 0
    assert float(form.function(backend)(0.5, 1.0, 1.0)) == 0.5
