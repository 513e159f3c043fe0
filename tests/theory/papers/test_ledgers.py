"""Tests of all ledgers: programs reach every verdict, and an error planted anywhere is not confirmed."""

import importlib
import re
import subprocess
import sys
from dataclasses import replace
from functools import cache

import pytest
import sympy as sp

import theory
from theory import ledger
from theory.core import Check, Finding, Reading, Step, Verdict
from theory.core.unlinked import UnlinkedEquation

LEDGERS = ledger.modules()
# Each ledger whose entries have steps beside what they show states so many different identities at least.
IDENTITIES = {}
# Names in the code for what has a letter in the papers.
OUR_NAMES = ("dh_{2}", "dy_{2}", "dx_{2}", "target_{2}", "primed", "Omega1", "Omega2", "Omega_{1}", "Omega_{2}", "||")
WRONG_OR_UNSAID = (Finding.MISPRINT, Finding.CONDITIONAL)
FALSE = Step("zero is one", sp.S.Zero, sp.S.One)


@cache
def once(step):
    """The step; the program of a check runs once, however many tests ask for its answer."""
    return replace(step, run=cache(step.run)) if isinstance(step, Check) else step


def each_program_once(entry):
    if not isinstance(entry, UnlinkedEquation):
        return entry
    steps, printed_steps = (tuple(map(once, steps)) for steps in (entry.steps, entry.printed_steps))
    return replace(entry, steps=steps, printed_steps=printed_steps, oracle=entry.oracle and cache(entry.oracle))


ENTRIES = [each_program_once(entry) for entry in theory.equations()]
UNLINKED = [entry for entry in ENTRIES if isinstance(entry, UnlinkedEquation)]


def entries_with(*verdicts, of=ENTRIES):
    """Parameters: the entries of these verdicts, or all, each under the name of its paper and its label."""
    return [pytest.param(e, id=" ".join(e.key)) for e in of if e.verdict in (verdicts or Finding)]


def identities(entries):
    return [step for entry in entries for step in entry.steps if isinstance(step, Step)]


def wrong(step):
    """The same claim with its right-hand side multiplied by 3/2, or with 1 where it says 0."""
    value = step.right
    if isinstance(value, sp.MatrixBase):
        zero = value == sp.zeros(*value.shape)
        value = sp.ones(*value.shape) if zero else value * sp.Rational(3, 2)
    else:
        value = sp.S.One if value == 0 else value * sp.Rational(3, 2)
    return Step(f"wrong: {step.claim}", step.left, value, where=step.where)


# One entry at a time is held against all tests that take every entry: what is prepared for one test serves the next.
@pytest.fixture(scope="module", params=entries_with())
def entry(request):
    return request.param


def test_program_reaches_the_recorded_verdict(entry):
    assert entry.check() is entry.verdict


def test_planted_coefficient_error_is_refuted_in_every_identity(entry):
    if not isinstance(entry, UnlinkedEquation):
        return  # see test_power: errors are planted in what the entry shows
    for step in (FALSE, *map(wrong, identities([entry]))):
        assert step.check() is Verdict.FAILS, step.claim
        assert replace(entry, steps=(step,)).check() is Finding.OPEN, step.claim


@pytest.mark.parametrize("misprint", entries_with(Finding.MISPRINT, of=UNLINKED))
def test_printed_and_corrected_form_exchanged_is_noticed(misprint):
    assert misprint.printed_latex != misprint.corrected_latex
    exchanged = replace(misprint, steps=misprint.printed_steps, printed_steps=misprint.steps)
    assert exchanged.check() is Finding.OPEN
    reading = misprint.oracle()
    swapped = Reading(reading.corrected, reading.printed, reading.independent, reading.tolerance)
    assert replace(misprint, oracle=lambda: swapped).check() is Finding.OPEN


@pytest.mark.parametrize("misprint", entries_with(Finding.MISPRINT, of=UNLINKED))
def test_misprint_is_not_claimed_where_the_print_is_right(misprint):
    assert replace(misprint, printed_steps=misprint.steps).check() is Finding.CONFIRMED


@pytest.mark.parametrize("conditional", entries_with(Finding.CONDITIONAL, of=UNLINKED))
def test_condition_is_said_and_has_a_consequence(conditional):
    assert "if" in conditional.corrected_latex
    assert len(conditional.consequence) > 20
    assert replace(conditional, counterexample=lambda: False).check() is Finding.OPEN


@pytest.mark.parametrize("paper", LEDGERS)
def test_entries_are_in_sentences_and_in_the_letters_of_the_paper(paper):
    for entry in theory.equations(paper):
        for text in filter(None, (entry.statement, entry.evidence, entry.consequence)):
            assert re.fullmatch(r"\S.*\.\)?", text), (entry.label, text)
            assert "  " not in text, (entry.label, text)
        assert re.fullmatch(r"Section \S+", entry.where), entry.label
        assert entry.printed_latex or not entry.label.startswith("("), f"{entry.label}: numbered, but not quoted"
        for latex in (entry.printed_latex, entry.corrected_latex):
            assert latex.count("{") == latex.count("}"), (entry.label, latex)
            assert not any(name in latex for name in OUR_NAMES), (entry.label, latex)


@pytest.mark.parametrize("paper", LEDGERS)
def test_labels_are_unique_and_steps_within_an_entry_too(paper):
    labels = [entry.label for entry in theory.equations(paper)]
    assert len(set(labels)) == len(labels)
    for entry in theory.equations(paper):
        claims = [step.claim for step in entry.programs]
        assert len(set(claims)) == len(claims), entry.label


@pytest.mark.parametrize("paper", LEDGERS)
def test_nothing_is_corrected_that_is_not_called_wrong(paper):
    for entry in theory.equations(paper):
        if entry.verdict not in WRONG_OR_UNSAID:
            old = (getattr(entry, name, None) for name in ("printed_steps", "oracle", "counterexample"))
            assert not any((entry.corrected, entry.witness, *old)), entry.label


def test_all_five_papers_have_a_ledger():
    assert len(LEDGERS) == 5
    assert {entry.paper for entry in ENTRIES} == set(LEDGERS)


@pytest.mark.parametrize("paper", LEDGERS)
def test_ledger_is_collected_by_the_package(paper):
    entries = theory.equations(paper)
    assert [e.key for e in entries] == [e.key for e in importlib.import_module(LEDGERS[paper]).EQUATIONS]
    assert [e.key for e in theory.equations() if e.paper == paper] == [e.key for e in entries]
    assert tuple(e.key for e in theory.errata(paper)) == tuple(e.key for e in entries if e.verdict in WRONG_OR_UNSAID)


@pytest.mark.parametrize("paper", IDENTITIES)
def test_ledger_has_not_lost_its_identities(paper):
    stated = {(step.left, step.right, step.where) for step in identities(theory.equations(paper))}
    assert len(stated) >= IDENTITIES[paper]


@pytest.mark.parametrize("paper", LEDGERS)
def test_closed_forms_named_in_the_ledger_exist(paper):
    named = {entry.closed_form for entry in theory.equations(paper)} - {None}
    assert named
    assert named <= set(theory.catalogue())


def test_one_paper_is_read_without_the_others():
    program = "import sys, theory; theory.equations('paccolat2021'); print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.split()
    assert [paper for paper in LEDGERS if f"theory.papers.{paper}" in loaded] == ["paccolat2021"]


def test_each_ledger_names_its_paper():
    for paper, module in LEDGERS.items():
        assert importlib.import_module(module).PAPER.key == paper


def test_a_former_key_is_accepted_and_the_new_one_named():
    with pytest.warns(FutureWarning, match="jacot2024"):
        assert theory.errata("leakyresnets2024") == theory.errata("jacot2024")


def test_an_unknown_paper_is_named():
    with pytest.raises(ValueError, match="nobody1999"):
        theory.equations("nobody1999")
    with pytest.raises(ValueError, match="vanrossem2024"):
        theory.errata("nobody1999")


@pytest.mark.parametrize("paper", LEDGERS)
def test_every_entry_can_be_typeset(paper):
    for entry in theory.equations(paper):
        assert isinstance(entry.printed_latex + entry.corrected_latex, str)
