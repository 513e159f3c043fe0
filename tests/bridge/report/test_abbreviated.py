"""Letters for pieces of long formulas."""

from __future__ import annotations

import sympy as sp

from bridge.report.abbreviated import pieces


def test_letters_put_back_give_the_formula():
    x, y = sp.symbols("x y", positive=True)
    root = sp.sqrt(x**2 + y / (1 + x))
    formula = (root + sp.exp(-root * y)) / (1 + root) + sp.log(2 * x) * sp.cos(2 * x)
    whole, letters = pieces(formula)
    assert letters
    assert whole != formula
    for letter, piece in reversed(letters):
        whole = whole.xreplace({letter: piece})
    assert whole == formula
