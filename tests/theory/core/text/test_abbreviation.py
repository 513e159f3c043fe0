"""Tests of the abbreviation of long formulas."""

import pytest
import sympy as sp

import theory
from theory.core.text.abbreviation import LONGEST_LINE, AbbreviatedFormula, repeated_parts
from theory.geometry.deep import deep_volume_element

x, y = sp.symbols("x y", positive=True)
# two kinds of letters, integrals
FORMS = ("two_point.dh2", "geometry.volume_element.tanh", "two_point.final_distance")


def form_named(name):
    return (
        theory.geometry.volume_element("tanh")
        if name == "geometry.volume_element.tanh"
        else theory.catalogue()[name]
    )


@pytest.mark.parametrize("name", FORMS)
def test_letters_put_back_give_the_expression(name):
    form = form_named(name)
    assert form.abbreviated(1).letters
    assert form.abbreviated(1).expanded() == form.expression


def test_a_deep_formula_becomes_short_lines():
    form = deep_volume_element("erf", 2)
    short = form.abbreviated()
    assert short.expanded() == form.expression
    assert max(map(len, short.lines)) <= LONGEST_LINE
    assert str(short).splitlines() == list(short.lines)
    assert short.latex.count(r"\\" + "\n") == len(short.letters) > 2


def test_a_letter_is_written_with_earlier_ones_only():
    form = theory.catalogue()["two_point.dh2"]
    _, letters = repeated_parts(form.expression)
    seen = {argument.symbol for argument in form.arguments}
    for letter, part in letters:
        assert part.free_symbols <= seen
        seen.add(letter)


def test_the_variable_of_an_integral_stays_inside_it():
    twice = sp.exp(-(x**2) * y - 1)
    expression = sp.Integral(twice, (x, 0, 1)) + sp.Integral(
        twice * sp.cos(x), (x, 0, sp.sqrt(y + 1) * y)
    )
    expression += sp.sqrt(y + 1) * y
    whole, letters = repeated_parts(expression)
    assert [part for _, part in letters] == [sp.sqrt(y + 1) * y]
    assert AbbreviatedFormula(whole, tuple(letters), ()).expanded() == expression


def test_a_letter_that_is_taken_is_left_out():
    taken = sp.Symbol("X_{1}")
    root = sp.sqrt(x**2 + taken**2 + 1)
    _, letters = repeated_parts(root + sp.exp(root))
    assert [str(letter) for letter, _ in letters] == ["X_{2}"]


@pytest.mark.parametrize("name", ["two_point.dh2_rate", "two_point.dh2"])
def test_only_long_formulas_are_abbreviated(name):
    form = theory.catalogue()[name]
    lines = form.abbreviated().lines
    assert (len(lines) > 1) == (len(form.latex) > LONGEST_LINE)
    assert len(lines) > 1 or lines == (form.latex,) == (form.abbreviated().latex,)


@pytest.mark.parametrize("longest", [0, 1.5, "many"])
def test_a_wrong_length_is_refused(longest):
    with pytest.raises((TypeError, ValueError), match="longest: got"):
        theory.catalogue()["two_point.dh2"].abbreviated(longest)
