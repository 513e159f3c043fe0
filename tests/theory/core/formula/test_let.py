"""Formulas with letters for their parts: every backend and every use gives what the formula written out gives."""

import pickle

import numpy as np
import pytest
import sympy as sp

from theory.core import Argument, ClosedForm, Status
from theory.core.formula.let import Let, bound_letter
from theory.core.formula.rounding import compensated

x, y = sp.symbols("x y", positive=True)
a, b = (bound_letter(name, real=True) for name in "ab")
LET = Let([(a, sp.sqrt(x * y + 1)), (b, a**2 + sp.exp(-a) + x)], a * b / (1 + b))
POINT = (1.5, 2.5)


def form(expression):
    arguments = (Argument(x, "one"), Argument(y, "another"))
    return ClosedForm("own.let", "A formula.", arguments, expression, Status.CONJECTURED)


NESTED = LET.subs(x, Let([(a, y**2)], a + 1))
EXPRESSIONS = {
    "let": LET,
    "within": 2 + LET**2,
    "pairs": compensated(LET),
    "slope": sp.diff(LET, x),
    "bend": sp.diff(LET, x, 2),
    "mixed": sp.diff(LET, x, y),
    "nested": NESTED + x,
}


@pytest.mark.parametrize("name", EXPRESSIONS)
def test_every_backend_gives_the_formula_written_out(name):
    lettered = form(EXPRESSIONS[name])
    written = EXPRESSIONS[name].replace(compensated, lambda inside: inside).doit()
    expected = float(written.subs({x: POINT[0], y: POINT[1]}))
    assert lettered(*POINT) == pytest.approx(expected, rel=1e-13)
    assert float(lettered.evaluate(*POINT)) == pytest.approx(expected, rel=1e-13)
    assert float(lettered.function("torch")(*POINT)) == pytest.approx(expected, rel=1e-13)
    assert float(sp.lambdify((x, y), lettered.expression)(*POINT)) == pytest.approx(
        expected, rel=1e-12
    )
    symbols = lettered.symbols
    plain = lettered.plain.subs({symbols.x: POINT[0], symbols.y: POINT[1]})
    assert float(plain) == pytest.approx(expected, rel=1e-12)


def test_the_derivative_of_a_formula_is_that_of_the_formula_written_out():
    for order in (1, 2, 3):
        difference = sp.diff(LET, x, order).doit() - sp.diff(LET.doit(), x, order)
        assert abs(float(difference.subs({x: 1.5, y: 2.5}))) < 1e-12


def deep(levels):
    """A formula that doubles with every level when it is written out."""
    letters = [bound_letter("level", index, real=True) for index in range(levels)]
    values = [sp.sin(x + y), *(sp.sin(below) + below**2 / 2 for below in letters[:-1])]
    return Let(zip(letters, values, strict=True), letters[-1] + 1)


def test_a_deep_formula_stays_short_in_all_its_uses():
    lettered = form(deep(18))
    value = lettered(*POINT)
    assert np.isfinite(value)
    assert len(lettered.code("c")) < 10_000
    assert len(lettered.latex) < 10_000
    assert len(str(lettered)) < 10_000
    assert pickle.loads(pickle.dumps(lettered))(*POINT) == value
    special = lettered.specialise({"x": 1.5})
    assert special(2.5) == pytest.approx(value, rel=1e-14)
    with pytest.raises(NotImplementedError, match="without its letters"):
        sp.lambdify((x, y), lettered.expression)
