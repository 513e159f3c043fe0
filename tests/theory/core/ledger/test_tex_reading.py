"""TeX is read in its order; only the order of terms in a sum and of factors that are numbers is free."""

from __future__ import annotations

import pytest

from theory.core.ledger.tex_comparison import _Notation
from theory.core.ledger.tex_reading import Reader
from theory.core.ledger.tex_tokens import tokens


def read(latex):
    """The sequence of a formula in which f, g and p are functions, A and B matrices, and dh is one letter."""
    return Reader(tokens(latex, [("d", "h")]), {"f", "g", "p"}, {"A", "B"}).sequence()


SAME = [
    (r"h\sqrt{d}/2", r"\frac{\sqrt{d} h}{2}"),
    (r"-\frac{1}{\tau} w + x", r"x - \frac{w}{\tau}"),
    (r"\left(z^*\right)^{2}", r"z^{*2}"),
    (r"x_{i}^{2}", r"x^2_i"),
    (r"\log{\left(p(b|a)\right)}", r"\log p(b|a)"),
    (r"\frac{\mathrm{d}}{\mathrm{d} t} f(t)", r"\partial_t f(t)"),
    (r"2 dh^{\top} (a - b)", r"2 \left(dh\right)^T \left(- b + a\right)"),
    (r"\min_x \left(a + b\right)", r"\min_{x} b + a"),
    (r"\frac12 A B", r"A B \frac{1}{2}"),
    (r"\exp(-x) \quad (3)", r"e^{- x}"),
    (r"(a + b) + c", r"c + b + a"),
]
DIFFERENT = [
    ("f(x, y)", "f(y, x)"),
    ("f(x) g(y)", "f(y) g(x)"),
    ("p(a|b)", "p(b|a)"),
    ("x_{i}^{j}", "x_{j}^{i}"),
    ("x_2", "x^2"),
    (r"\frac{a}{b}", r"\frac{b}{a}"),
    ("(2 x)^2", "2 x^2"),
    (r"\frac{a + b}{2}", r"a + \frac{b}{2}"),
    ("a < b", "b < a"),
    ("A B", "B A"),
    ("a - b", "b - a"),
    (r"\log^2(10)", r"\log_2(10)"),
    (r"\dot{x} y", r"x \dot{y}"),
    (r"\|a\| b", r"\|a b\|"),
]


@pytest.mark.parametrize("pair", SAME, ids=str)
def test_what_says_the_same_is_read_alike(pair):
    assert read(pair[0]) == read(pair[1])


@pytest.mark.parametrize("pair", DIFFERENT, ids=str)
def test_what_is_exchanged_is_read_otherwise(pair):
    assert read(pair[0]) != read(pair[1])


@pytest.mark.parametrize("latex", ["1}^C x", r"\frac{a}", "(a", "a)", r"\left|x", "_", "{", ""])
def test_a_piece_of_a_formula_is_read_to_its_end(latex):
    assert isinstance(read(latex), tuple)


@pytest.mark.parametrize("nested", ["{" * 5000 + "}" * 5000, "(" * 5000, r"\sqrt " * 5000])
def test_a_formula_that_is_nested_too_deeply_stays_as_it_is(nested):
    notation = _Notation(frozenset(), frozenset(), ())
    assert notation.sequence(nested) == tuple(tokens(nested))
