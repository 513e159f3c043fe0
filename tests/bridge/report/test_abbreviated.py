"""Tests of the abbreviation of long formulas."""

import pytest
import sympy as sp

import theory
from bridge.report.abbreviated import LONGEST_LINE, lines, pieces


def test_letters_put_back_give_the_expression():
    x, y = sp.symbols("x y", positive=True)
    root = sp.sqrt(x**2 + y**2 + 1)
    expression = sp.log(root + x) / root + sp.exp(-root * y) * (root + x)
    whole, letters = pieces(expression)
    assert letters
    for letter, piece in reversed(letters):
        whole = whole.subs(letter, piece)
    assert sp.simplify(whole - expression) == 0


def test_a_letter_is_written_with_earlier_ones_only():
    form = theory.catalogue()["two_point.dh2"]
    _, letters = pieces(form.expression)
    seen = {argument.symbol for argument in form.arguments}
    for letter, piece in letters:
        assert piece.free_symbols <= seen
        seen.add(letter)


@pytest.mark.parametrize("name", ["two_point.dh2_rate", "two_point.dh2"])
def test_only_long_formulas_are_abbreviated(name):
    form = theory.catalogue()[name]
    whole, letters = lines(form)
    assert bool(letters) == (len(form.latex) > LONGEST_LINE)
    assert letters or whole == form.latex
