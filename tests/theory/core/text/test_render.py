"""Tests of the display of closed forms as text, LaTeX and HTML."""

from __future__ import annotations

import dataclasses
from html.parser import HTMLParser

import pytest
import sympy as sp

import theory
from tests.theory.core.demonstrations import ROOT, A, X, a, transcribed, x
from theory.core import Argument, Check, Condition, Step
from theory.core.formula.special import quotient
from theory.core.proof.derivation_text import steps_latex
from theory.core.text.render import lines

LONG = transcribed(
    sp.Add(*(sp.exp(-k * a * x) / (k + a) for k in range(1, 60))),
    X,
    A,
    assumptions=("word " * 60,),
)
X_A = sp.Symbol("X")
dh2 = sp.Symbol("dh2_0", positive=True)
DISTANCE = transcribed(dh2 / 2, Argument(dh2, "initial distance", latex=r"\|dh(0)\|^2"))


@pytest.mark.parametrize("form", [ROOT, LONG, DISTANCE, transcribed(sp.pi)])
def test_the_table_fits_a_terminal(form):
    table = str(form)
    assert max(map(len, table.splitlines())) <= 100
    assert len(table.splitlines()) < 40


@pytest.mark.parametrize("form", [ROOT, LONG, DISTANCE, transcribed(sp.pi)])
def test_a_prompt_shows_name_and_formula_in_two_lines_at_most(form):
    lines = repr(form).splitlines()
    assert max(map(len, lines)) <= 100
    assert len(lines) <= 2
    assert lines[0].startswith(f"{form.name}(")
    assert ("[print it for all]" in lines[-1]) == (form is LONG)


def test_a_prompt_names_the_letters_that_the_whole_text_defines():
    form = theory.catalogue()["leaky_resnet.depth_of_mean"]
    assert "[print it for" in repr(form)
    many = tuple(
        Argument(sp.Symbol(f"a_number_{i}", positive=True), "a number") for i in range(12)
    )
    wide = transcribed(sum(argument.symbol for argument in many), *many)
    assert repr(wide).splitlines()[0] == "demonstration.form(a_number_0, ...) ="


def test_the_table_tells_what_there_is_to_know():
    text = str(ROOT)
    for piece in (
        "demonstration.root",
        "Larger root of r^2 = x r + a.",
        "x/2 + sqrt(a + x**2/4)",
        "a  a rate [1/time] (positive)",
        "there is a larger root",
        "van Rossem and Saxe (2024), eq. (10)",
        "derived, 2 steps",
    ):
        assert piece in text
    assert "requires" in str(transcribed(x + a, X, A, conditions=(Condition(a - x, "x <= a"),)))


def test_a_quotient_is_a_fraction_and_stays_one_in_a_power():
    shown = str(transcribed(quotient(x**2, x + a) ** 2 + quotient(x * a, x), X, A))
    assert "(x**2/(a + x))**2 + ((a*x)/x)" in shown


@pytest.mark.parametrize("width", [40, 41, 60])
def test_a_row_with_a_long_word_keeps_its_indentation(width):
    word = "w" * 39
    form = transcribed(x + a, X, A, assumptions=("first", word))
    _, *shown = lines(form, width)
    assert all(line.startswith("  ") and len(line) <= width for line in shown)
    assert f"{'':12}{word[: width - 12]}" in shown
    step = Step("long", sp.Symbol(word), x).text(width).splitlines()
    assert all(line.startswith("  ") for line in step[1:])


def test_a_printed_step_has_its_claim_both_sides_and_its_reason():
    at_start = Step(
        "it starts there", sp.Subs(x * a, x, 0), sp.S.Zero, because="evaluation", where={a: x**2}
    )
    assert (
        str(at_start)
        == "it starts there\n  (a*x at x = 0)\n  = 0\n  where a = x**2\n  because: evaluation"
    )
    assert (
        str(Check("it is so", lambda: True, because="a simulation"))
        == "it is so\n  because: a simulation"
    )
    assert Step("squares", (x + a) ** 2, x * (x + a)).text(letters=((X_A, x + a),)).splitlines()[
        1:
    ] == [
        "  X**2",
        "  = X*x",
    ]
    assert max(map(len, Step("long", LONG.expression, x).text(60).splitlines())) <= 60
    assert at_start._repr_latex_() == rf"$\displaystyle {at_start.latex}$"


def test_a_matrix_is_printed_in_one_line():
    turned = Step(
        "turned",
        sp.MatMul(sp.Matrix([[0, x], [a, 0]]), sp.Matrix([1, 0])),
        sp.Matrix([0, a]),
        uses=(),
    )
    assert turned.text().splitlines()[1:] == ["  [[0, x], [a, 0]]*[[1], [0]]", "  = [[0], [a]]"]


def test_the_latex_of_a_derivation_uses_the_letters_of_the_arguments():
    step = Step("half", sp.UnevaluatedExpr(dh2 / 2), dh2 / 2, because="arithmetic")
    form = dataclasses.replace(DISTANCE, steps=(step,))
    half = r"\frac{\|dh(0)\|^2}{2}"
    assert steps_latex(form) == f"% half (arithmetic)\n{half} = {half}"


def test_latex_is_computed_with_the_arguments_own_typesetting():
    assert ROOT.latex == sp.latex(ROOT.expression)
    assert DISTANCE.latex == r"\frac{\|dh(0)\|^2}{2}"
    assert ROOT._repr_latex_() == rf"$\displaystyle {ROOT.latex}$"


def test_a_word_is_set_upright_and_a_letter_is_not():
    share, tau, share_2, ab = sp.symbols("fraction tau_h share_2 ab", positive=True)
    form = transcribed(
        share * tau * share_2 * ab, *(Argument(s, "a number") for s in (share, tau, share_2, ab))
    )
    assert form.latex == r"ab \, \mathrm{fraction} \, \mathrm{share}_{2} \, \tau_{h}"


class Balance(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.text = ""

    def handle_starttag(self, tag, attrs):
        self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data


@pytest.mark.parametrize("form", [ROOT, LONG, DISTANCE])
def test_the_notebook_display_is_whole(form):
    parser = Balance()
    parser.feed(form._repr_html_())
    assert parser.open == []
    for piece in (form.name, form.meaning, form.latex, form.status.value, *form.assumptions):
        assert piece in parser.text
    for argument in form.arguments:
        assert argument.name in parser.text
        assert argument.meaning in parser.text
