"""Tests of unevaluated function applications: the value of the written-out form, in every backend, but shorter."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp

from theory.core import Argument, ClosedForm, Status, Step, Verdict
from theory.core.formula.deferred_function import Applied, at

x, v = sp.Symbol("x", positive=True), sp.Symbol("v", positive=True)
xi = sp.Symbol("xi", real=True)
MEAN = sp.Integral(
    sp.exp(-(xi**2) / 2) * sp.tanh(sp.sqrt(v) * xi) ** 2 / sp.sqrt(2 * sp.pi), (xi, -sp.oo, sp.oo)
)
ONCE = at(MEAN, v, x)
TWICE = at(MEAN, v, 1 + ONCE)
GENERAL = sp.Subs(x * xi, xi, TWICE)
SQUARE = Applied(sp.Lambda(v, v**2 + sp.sin(v)), 2 * x)


def form(expression: sp.Expr) -> ClosedForm:
    return ClosedForm(
        "a.b", "A number.", (Argument(x, "a number"),), expression, Status.CONJECTURED
    )


def test_only_an_integral_in_an_integral_is_not_written_out():
    assert at(v**2, v, x) == x**2
    assert not ONCE.has(Applied)
    assert TWICE.has(Applied)
    assert TWICE.free_symbols == {x}


def test_the_length_grows_by_the_same_with_each_layer():
    expression, lengths = ONCE, []
    for _ in range(9):
        expression = at(MEAN, v, 1 + expression)
        lengths.append(expression.count_ops())
    assert len(set(np.diff(lengths))) == 1


@pytest.mark.parametrize("backend", ["numpy", "mpmath"])
def test_every_backend_calls_the_function(backend):
    written = TWICE.written_out
    assert not written.has(Applied)
    for point in (0.3, 2.0):
        assert float(form(TWICE).function(backend)(point)) == pytest.approx(
            float(form(written)(point)), rel=1e-10
        )
    assert form(TWICE)(np.array([0.3, 2.0])).shape == (2,)


def test_torch_and_balls_call_it_too():
    torch = pytest.importorskip("torch")
    point = torch.tensor(0.4, dtype=torch.float64, requires_grad=True)
    form(SQUARE).function("torch")(point).backward()
    assert float(point.grad) == pytest.approx(2 * (1.6 + np.cos(0.8)))
    assert str(form(SQUARE).evaluate("0.4", digits=30)) == str(
        form(SQUARE.written_out).evaluate("0.4", digits=30)
    )


def test_the_chain_rule():
    assert abs(sp.diff(SQUARE, x).evalf(30, subs={x: 1}) - (8 + 2 * sp.cos(2)).evalf(30)) < 1e-25
    assert sp.diff(SQUARE, v) == 0
    assert SQUARE.subs(x, 3).written_out == 36 + sp.sin(6)


def test_a_step_compares_what_stands_inside(monkeypatch):
    monkeypatch.setattr("theory.core.proof.decision._SECONDS_TO_SIMPLIFY", 0.5)
    assert Step("the same", x * TWICE, GENERAL).check() is Verdict.HOLDS


@pytest.mark.slow
def test_a_step_with_another_value_inside_is_undecided(monkeypatch):
    monkeypatch.setattr("theory.core.proof.decision._SECONDS_TO_SIMPLIFY", 0.5)
    other = at(MEAN, v, 2 + ONCE)
    # no balls of a deferred function
    assert Step("another value", x * other, GENERAL).check() is Verdict.UNDECIDED


def test_it_prints_the_value_beside_the_function():
    assert r"\left." in sp.latex(TWICE)
    assert "at v =" in str(TWICE).replace("_v", "v")
