"""Tests of ledger entries: the verdict depends on the statement shown, and statements without content are rejected."""

from __future__ import annotations

import dataclasses

import pytest
import sympy as sp

from closedform.measured import Measured
from theory.core import (
    Algorithm,
    Check,
    Claim,
    Conditional,
    Equation,
    Measurement,
    Reading,
    Ruling,
    Step,
    Witness,
    Word,
    decimal,
    equal,
    identity,
    numerically,
)
from theory.core.ledger.checked_entry import by_root
from theory.core.ledger.entries import Entries
from theory.core.ledger.mutation_test import planted_errors, survivors
from theory.core.ledger.recheck import recheck
from theory.core.ledger.source import Search

x, y, area = sp.symbols("x y area", positive=True)
RIGHT = equal(area, x**2 + 2 * x * y + y**2)
WRONG = equal(area, x**2 + x * y + y**2)
AREA = identity({area: (x + y) ** 2}, "the square of a sum")
POINT = Witness({x: 3, y: 2}, lambda: sum(1 for _ in range(5) for _ in range(5)))


def entry(verdict, **fields):
    return Equation("vanrossem2024", "(0)", "A square.", verdict, "Because it is so.", **fields)


def rounds(claim):
    """The printed root of two, and whether it is called rational."""
    digits = abs(float(claim["root"]) - 2**0.5) < 5e-4
    return (Check("digits", lambda: digits and claim["kind"] == "irrational"),)


CONFIRMED = entry(Ruling.CONFIRMED, printed=RIGHT, prove=AREA)
MISPRINT = entry(
    Ruling.MISPRINT,
    printed=WRONG,
    corrected=RIGHT,
    prove=AREA,
    witness=POINT,
    consequence="Areas come out too small.",
)
SENTENCE = entry(
    Ruling.CONFIRMED,
    printed=Claim(
        "The root of 2 is {root} and {kind}.",
        {"root": decimal("1.414"), "kind": Word("irrational", ("rational",))},
    ),
    prove=rounds,
)


root, real = sp.symbols("root real", real=True)


def roots():
    """Numbers of both signs, with the root of their square."""
    return [{"real": at, "root": (at**2) ** 0.5} for at in (-1.5, 0.0, 0.5, 2.5)]


CONDITIONAL = entry(
    Ruling.CONDITIONAL,
    printed=equal(root, real),
    condition=sp.Ge(real, 0),
    looked_for=Search(("1",)),
    prove=numerically(roots, "the root of a square"),
    witness=Witness({real: -1}, lambda: 1.0),
    consequence="None here.",
)
SIGN_AND_CONDITION = entry(
    Ruling.MISPRINT,
    printed=equal(root, -2 * real),
    corrected=Conditional(equal(root, -real), sp.Le(real, 0)),
    prove=numerically(roots, "the root of a square"),
    witness=Witness({real: -1}, lambda: 1.0),
    consequence="None here.",
)
NUMBER = Measured("a.number", "a network", 0.52, 0.012, predicted=0.5, resolution=0.05)
MEASURED = Measurement("a-study", "laptop", NUMBER)


@pytest.mark.parametrize(
    "equation",
    [
        CONFIRMED,
        MISPRINT,
        SENTENCE,
        CONDITIONAL,
        SIGN_AND_CONDITION,
        entry(Ruling.DEFINITION, printed=r"\|dh\|^2"),
        entry(Ruling.NOTE),
        entry(Ruling.OPEN),
        entry(Ruling.ILLEGIBLE, inferred=RIGHT),
        entry(Ruling.ILLEGIBLE, inferred=RIGHT, prove=AREA),
        entry(Ruling.SUPPORTED, measurement=MEASURED),
        entry(
            Ruling.CONTRADICTED,
            measurement=dataclasses.replace(
                MEASURED, measured=dataclasses.replace(NUMBER, value=0.6)
            ),
        ),
        entry(
            Ruling.UNRESOLVED,
            measurement=dataclasses.replace(
                MEASURED, measured=dataclasses.replace(NUMBER, error=0.1)
            ),
        ),
    ],
)
def test_a_right_verdict_is_reached(equation):
    assert equation.check() is equation.verdict


def test_the_check_runs_on_what_is_shown():
    assert dataclasses.replace(CONFIRMED, printed=WRONG).check() is Ruling.OPEN
    assert dataclasses.replace(MISPRINT, printed=RIGHT).check() is Ruling.CONFIRMED
    assert (
        dataclasses.replace(MISPRINT, printed=RIGHT, corrected=WRONG).check() is Ruling.CONFIRMED
    )
    assert dataclasses.replace(MISPRINT, corrected=equal(area, x**2 + y**2)).check() is Ruling.OPEN
    other = Claim(SENTENCE.printed.text, {**SENTENCE.printed.values, "root": decimal("1.415")})
    assert dataclasses.replace(SENTENCE, printed=other).check() is Ruling.OPEN
    assert dataclasses.replace(CONDITIONAL, printed=equal(root, -real)).check() is Ruling.OPEN
    assert dataclasses.replace(CONDITIONAL, condition=sp.Gt(real, -2)).check() is Ruling.OPEN
    assert dataclasses.replace(
        entry(Ruling.ILLEGIBLE, inferred=RIGHT, prove=AREA), inferred=WRONG
    ).check() is (Ruling.OPEN)


@pytest.mark.parametrize(
    "equation", [CONFIRMED, MISPRINT, SENTENCE, CONDITIONAL, SIGN_AND_CONDITION]
)
def test_no_planted_error_survives(equation):
    assert list(planted_errors(equation))
    assert survivors(equation) == []


SAME_WORDS = equal(area, x + y * (x + y))
"""The sign of x, and twice x, can be changed in two places."""


def only_at_y_zero(printed):
    """The value at y = 0, to which only the first x contributes."""
    return (
        Check("at y = 0", lambda: bool((printed.rhs - printed.lhs).subs({y: 0, area: x}) == 0)),
    )


def test_a_correction_under_a_condition_is_shown_with_it():
    checked = recheck(SIGN_AND_CONDITION)
    assert checked.verdict == "MISPRINT"
    assert [text for lines in (checked.corrected, checked.condition) for _, text, _ in lines] == [
        "root = -real",
        "real ≤ 0",
    ]
    assert checked.witness.corrected == 1.0
    assert (
        dataclasses.replace(SIGN_AND_CONDITION, corrected=equal(root, -real)).check()
        is Ruling.OPEN
    )


def test_errors_with_the_same_words_are_judged_each_on_its_own():
    weak = entry(Ruling.CONFIRMED, printed=SAME_WORDS, prove=only_at_y_zero)
    first, second = "printed: sign of x", "printed: sign of x (2)"
    names = [f"{field}: {mutant.change}" for field, mutant in planted_errors(weak)]
    assert len(set(names)) == len(names)
    assert {first, second} <= set(names)
    unnoticed = set(survivors(weak))
    assert len(unnoticed & {first, second}) == 1
    (hidden,) = unnoticed & {first, second}
    assert hidden not in survivors(
        dataclasses.replace(weak, harmless={hidden: "Only y = 0 is asked for."})
    )
    noticed = ({first, second} - {hidden}).pop()
    assert {hidden, noticed} <= set(
        survivors(dataclasses.replace(weak, harmless={noticed: "It is not harmless."}))
    )


def test_the_point_of_a_witness_is_what_its_numbers_are_computed_from():
    with pytest.raises(ValueError, match="at: got y, which no function takes"):
        Witness({"x": 3, "y": 2}, lambda x: (x + 2) ** 2, lambda statement, x: x)
    caption = Witness({"x": 3, "y": 2}, lambda: 25, lambda statement, x, y: 19)
    left = survivors(dataclasses.replace(MISPRINT, witness=caption))
    assert {"witness: x lost", "witness: y lost"} < set(left)
    computed = Witness(lambda: {"x": 3, "y": 2, "f": max}, lambda case: 25, lambda s, case: 19)
    assert computed.shown(WRONG) == {"x": 3, "y": 2}


def test_the_witness_has_three_numbers():
    assert MISPRINT.reading() == Reading(19, 25, 25)
    assert (
        not dataclasses.replace(MISPRINT, witness=Witness(POINT.at, lambda: 24))
        .reading()
        .sides_with_corrected
    )
    assert (
        dataclasses.replace(MISPRINT, witness=Witness(POINT.at, lambda: 19)).check() is Ruling.OPEN
    )


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"paper": "nobody2020"}, "not in references.bib"),
        ({"label": ""}, "label of .*: got no text"),
        ({"statement": " "}, "statement of .*: got no text"),
        ({"evidence": ""}, "evidence of .*: got no text"),
        ({"verdict": "confirmed"}, "verdict of .*: got .*, needs a Ruling"),
        ({"verdict": Ruling.CONDITIONAL}, "a CONDITIONAL needs condition"),
        (
            {"verdict": Ruling.CONDITIONAL, "condition": sp.Ge(x, 0)},
            "a CONDITIONAL needs looked_for",
        ),
        ({"verdict": Ruling.SUPPORTED}, "a SUPPORTED needs measurement"),
        ({"verdict": Ruling.ILLEGIBLE}, "an? ILLEGIBLE needs inferred"),
        ({"verdict": Ruling.DEFINITION}, "a DEFINITION takes no prove"),
        ({"printed": "x = x"}, "printed of .*: got a string, needs a formula or a Claim"),
        (
            {"prove": lambda printed: (Step("square", (x + y) ** 2, RIGHT.rhs),)},
            "needs one that reads the statement",
        ),
        ({"printed": equal(x, x**7 / x**6)}, "two sides are the same object"),
    ],
)
def test_an_incomplete_entry_is_refused(fields, message):
    with pytest.raises((ValueError, TypeError), match=message):
        dataclasses.replace(CONFIRMED, **fields)


@pytest.mark.parametrize(
    ("prove", "message"),
    [
        (lambda printed: tuple(printed.atoms(sp.Float)), "needs at least one"),
        (
            lambda printed: (Step(str(printed), sp.Sum(2, (x, 1, 2)), sp.S(4)),),
            "constants for every statement in",
        ),
        (
            lambda printed: (Step("same", printed.rhs, printed.rhs),),
            "on both, needs what is claimed",
        ),
        (
            identity({area: x**2 + 2 * x * y + y**2}, "what is printed"),
            "is what is printed itself, needs what it follows from",
        ),
        (
            lambda printed: (Step("pinned", printed.rhs, (x + y) ** 2, where={x: sp.S(1)}),),
            "where ties letters to each other",
        ),
    ],
)
def test_what_is_no_evidence_is_refused(prove, message):
    with pytest.raises(ValueError, match=message):
        dataclasses.replace(CONFIRMED, prove=prove).check()


def test_a_sentence_says_itself():
    assert (
        dataclasses.replace(SENTENCE, statement="").statement
        == "The root of 2 is 1.414 and irrational."
    )
    assert str(CONFIRMED) == "vanrossem2024 (0): confirmed. A square."
    assert CONFIRMED.key == ("vanrossem2024", "(0)")


def test_a_notebook_shows_words_and_code_as_they_are_and_formulas_as_latex():
    """A notebook typesets LaTeX in lines that do not break, in which a tilde of code is a tilde."""
    loop = Algorithm("for c in range(n):\n    total = total + c", first=7)
    shown = {
        "sentence": SENTENCE.printed,
        "code": loop,
        "formula": sp.Lt(area, x, evaluate=False),
    }
    pages = {
        kind: dataclasses.replace(CONFIRMED, printed=statement, prove=None, verdict=Ruling.NOTE)
        for kind, statement in shown.items()
    }
    html = {kind: page._repr_html_() for kind, page in pages.items()}
    assert "<p>The root of 2 is $1.414$ and irrational.</p>" in html["sentence"]
    assert "<pre>7   for c in range(n):\n8       total = total + c</pre>" in html["code"]
    assert r"$$\displaystyle area &lt; x$$" in html["formula"]


def test_errata_of_a_paper_say_its_findings_first():
    found = dataclasses.replace(MISPRINT, label="(1)", finding="Areas < 1 differ.", priority=2)
    main = dataclasses.replace(MISPRINT, label="(2)", finding="Areas are wrong.", priority=1)
    errata = Entries((MISPRINT, found, main))
    first_lines = ["  1. Areas are wrong. [(2)]", "  2. Areas < 1 differ. [(1)]"]
    assert repr(errata).splitlines()[2:4] == first_lines
    page = errata._repr_html_()
    before, after = page.index("<p>1. Areas are wrong."), page.index("<p>2. Areas &lt; 1 differ.")
    assert before < after < page.index("<table>")
    of_two_papers = Entries((found, dataclasses.replace(main, paper="jacot2024")))
    assert "Areas are wrong" not in repr(of_two_papers)


@pytest.mark.parametrize(
    ("shown", "survivors_of_it"),
    [(sp.Ge(area, x), ["printed: area >= x made strict"]), (sp.Gt(area, x), [])],
)
def test_a_bound_that_is_never_reached_is_not_confirmed_as_one_that_can_be(shown, survivors_of_it):
    cases = [{"area": 3.0, "x": 2.0}, {"area": 2.5, "x": 1.0}]
    above = entry(Ruling.CONFIRMED, printed=shown, prove=numerically(lambda: cases, "counted"))
    assert [change for change in survivors(above) if "made" in change] == survivors_of_it


def test_a_remark_is_true_as_printed():
    """A number that contradicts the printed statement does not make a remark of it."""
    remark = entry(Ruling.REMARK, printed=RIGHT, prove=AREA, consequence="Not of three.")
    assert remark.check() is Ruling.REMARK
    assert dataclasses.replace(remark, printed=WRONG).check() is Ruling.OPEN
    assert dataclasses.replace(remark, printed=WRONG, witness=POINT).check() is Ruling.OPEN


def test_printed_places_that_disagree_have_a_number_each():
    fields = {"prove": AREA, "consequence": "A choice is left."}
    disagree = entry(Ruling.INCONSISTENT, printed=WRONG, witness=POINT, **fields)
    assert disagree.check() is Ruling.INCONSISTENT
    assert dataclasses.replace(disagree, printed=RIGHT).check() is Ruling.OPEN
    as_printed = Witness({x: 3, y: 2}, lambda: 19)
    assert dataclasses.replace(disagree, witness=as_printed).check() is Ruling.OPEN
    with pytest.raises(ValueError, match="needs witness"):
        entry(Ruling.INCONSISTENT, printed=WRONG, **fields)


def test_findings_come_before_other_errata_whatever_their_number():
    checked = recheck(MISPRINT)
    results = [dataclasses.replace(checked, label=label, effect="result") for label in ("a", "b")]
    findings = [
        dataclasses.replace(checked, label=label, effect="none", finding="So.", priority=priority)
        for label, priority in (("c", 7), ("d", 2))
    ]
    ordered = by_root([*results, *findings])
    assert [root.label for root, _ in ordered] == ["d", "c", "a", "b"]
