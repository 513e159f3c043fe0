"""The ledger checked as a whole: computed verdicts, stored under what they rest on, and nothing stored that is not."""

from __future__ import annotations

import dataclasses
import json
import subprocess
import sys

import pytest
import sympy as sp

import theory
from theory import ledger_check
from theory.core import Check, Equation, Ruling, Step, Verdict, Witness, equal, identity
from theory.core.ledger.checked_entry import CheckedEntry, CheckedWitness, by_root
from theory.core.ledger.recheck import recheck
from theory.core.proof.verdict import Decision

LETTERS = {"x": r"\xi"}
x = sp.Symbol("x", positive=True)
a = sp.Function("a", positive=True)(x)


def entry(label="(1)", verdict=Ruling.CONFIRMED, right=x**2, **fields):
    fields.setdefault("prove", identity({a: (x + 1) ** 2 - 2 * x - 1}, "definition"))
    fields = {"where": "Section 1", "letters": LETTERS, **fields}
    return Equation(
        "paccolat2021",
        label,
        "A square.",
        verdict,
        "By definition.",
        printed=equal(a, right),
        **fields,
    )


MISPRINT = entry(
    verdict=Ruling.MISPRINT,
    right=x**3,
    corrected=equal(a, x**2),
    witness=Witness({"x": 2}, lambda: 4.0),
    consequence="Areas come out too large.",
    heirs=("(2)",),
)


def test_what_an_entry_shows_and_its_witness():
    checked = recheck(MISPRINT)
    assert (checked.declared, checked.verdict, checked.agrees) == ("MISPRINT", "MISPRINT", True)
    assert checked.printed == (("formula", "a(ξ) = ξ^3", r"a{\left(\xi \right)} = \xi^{3}"),)
    assert checked.corrected[0][1] == "a(ξ) = ξ^2"
    assert checked.condition == ()
    assert dataclasses.asdict(checked.witness) == {
        "at": {"x": "2"}, "printed": 8.0, "corrected": 4.0, "independent": 4.0, "tolerance": 1e-8,
        "letters": {"x": r"\xi"},
    }  # fmt: skip
    assert [(shown, verdict) for shown, _, verdict in checked.steps] == [
        ("printed", "FAILS"),
        ("corrected", "HOLDS"),
    ]
    assert checked.heirs == ("(2)",)
    assert checked.is_settled
    assert CheckedEntry.from_dict(json.loads(json.dumps(checked.as_dict()))) == checked


def test_names_of_a_witness_that_are_letters_are_typeset_and_words_are_not():
    at = {"x": 2, "x_1": 3, "alpha": 4, "depth": 5, "step size": 6}
    checked = recheck(dataclasses.replace(MISPRINT, witness=Witness(at, lambda: 4.0)))
    assert checked.verdict == "MISPRINT"
    assert checked.witness.letters == {"x": r"\xi", "x_1": "x_{1}", "alpha": r"\alpha"}


def test_a_wrong_declared_verdict_is_seen_with_the_steps_that_say_so():
    checked = recheck(entry(right=x**3))
    assert (checked.declared, checked.verdict, checked.agrees) == ("CONFIRMED", "OPEN", False)
    assert [verdict for *_, verdict in checked.failing] == ["FAILS"]
    right = recheck(dataclasses.replace(MISPRINT, printed=equal(a, x**2)))
    assert (right.verdict, right.agrees) == ("CONFIRMED", False)


def test_a_program_that_raises_or_needs_too_long_is_no_agreement():
    def fail():
        raise ZeroDivisionError("a reason")

    def end():
        sys.exit(7)

    def idle():
        while True:
            pass

    # What a program raises is the cause of an UNDECIDED step, and is told with its claim.
    programs = (
        (fail, "ZeroDivisionError: a reason"),
        (end, "SystemExit: 7"),
        (idle, "more than 0.2 s"),
    )
    for program, words in programs:
        checked = recheck(
            entry(prove=lambda claim, p=program: (Check(f"{claim}", p),)), seconds=0.2
        )
        assert words in checked.error
        assert (checked.verdict, checked.agrees, checked.is_settled) == ("OPEN", False, False)


def test_an_undecided_step_is_not_settled(monkeypatch):
    monkeypatch.setattr(Step, "decide", lambda step: Decision(Verdict.UNDECIDED))
    assert not recheck(entry()).is_settled


def test_a_ledger_of_somebody_else_is_checked_but_not_stored(folder, planted):
    planted(entry(), entry("(2)", right=x**3))
    shown = []
    checked = theory.check_ledger(progress=lambda entry, total: shown.append((entry.label, total)))
    assert [(entry.label, entry.agrees) for entry in checked] == [("(1)", True), ("(2)", False)]
    assert shown == [("(1)", 2), ("(2)", 2)]
    planted(entry(), entry("(2)"))
    assert all(entry.agrees for entry in theory.check_ledger())


@pytest.fixture
def label():
    """An entry with a cheap program."""
    return next(
        entry.label
        for entry in theory.equations("paccolat2021")
        if entry.verdict is Ruling.CONFIRMED
    )


def test_the_second_time_nothing_runs_and_damage_is_repaired(folder, monkeypatch, label):
    (first,) = theory.check_ledger("paccolat2021", label)
    assert first.agrees

    def run(entry):
        raise AssertionError(f"{entry.label} is in the store")

    with monkeypatch.context() as patch:
        patch.setattr("theory.core.ledger.recheck.recheck", run)
        assert theory.check_ledger("paccolat2021", label) == (first,)
        with pytest.raises(AssertionError, match="in the store"):
            theory.check_ledger("paccolat2021", label, fresh=True)
    files = [path for path in folder.rglob("*") if path.is_file()]
    assert files
    for content in ("", "{}", '{"checksum": "", "value": {}}'):
        for path in files:
            path.write_text(content)
        assert theory.check_ledger("paccolat2021", label) == (first,)


def test_other_sources_of_the_entry_are_another_verdict(folder, monkeypatch, label):
    theory.check_ledger("paccolat2021", label)
    runs = []
    monkeypatch.setattr(
        "theory.core.ledger.recheck.recheck",
        lambda entry: runs.append(entry.label) or recheck(entry),
    )
    theory.check_ledger("paccolat2021", label)
    assert runs == []
    monkeypatch.setattr(ledger_check, "paper_digest", lambda package: "changed")
    theory.check_ledger("paccolat2021", label)
    assert runs == [label]


def test_what_is_not_settled_is_not_stored(folder, monkeypatch, label):
    def unsettled(entry):
        return dataclasses.replace(recheck(entry), error="a reason")

    with monkeypatch.context() as patch:
        patch.setattr("theory.core.ledger.recheck.recheck", unsettled)
        assert not theory.check_ledger("paccolat2021", label)[0].agrees
    assert theory.check_ledger("paccolat2021", label)[0].agrees


@pytest.mark.slow
def test_several_processes_find_what_one_finds(folder, monkeypatch):
    monkeypatch.setattr(ledger_check, "_ENTRIES_PER_PROCESS", 1)
    labels = {"paccolat2021": ledger_check._labels("paccolat2021")[:4]}
    several = list(ledger_check._in_order(labels, 2))
    assert several == list(ledger_check._in_order(labels, 1))
    assert [entry.label for entry in several] == labels["paccolat2021"]


def test_from_the_store_no_computer_algebra_is_imported(folder, label):
    assert len(theory.check_ledger("paccolat2021", label)) == 1
    check = f"theory.check_ledger('paccolat2021', {label!r})"
    code = f"import sys, theory; n = len({check}); print(n, 'sympy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["1", "False"]


def test_unknown_names():
    with pytest.raises(ValueError, match="did you mean paccolat2021"):
        theory.check_ledger("paccolat2012")
    with pytest.raises(ValueError, match=r"\(14\)"):
        theory.check_ledger("paccolat2021", "(14]")
    with pytest.raises(ValueError, match="processes: got 0"):
        theory.check_ledger(processes=0)


def test_errata_are_grouped_by_the_first_of_their_kind():
    def erratum(label, *heirs):
        return dataclasses.replace(recheck(entry(label)), heirs=heirs)

    errata = [
        erratum("(1)", "(2)", "(9)"),
        erratum("(2)", "(3)"),
        erratum("(3)", "(2)"),
        erratum("(4)", "(3)"),
    ]
    errata += [erratum("(5)", "(6)"), erratum("(6)", "(5)")]
    found = [(root.label, [heir.label for heir in heirs]) for root, heirs in by_root(errata)]
    assert found == [("(1)", ["(2)", "(3)"]), ("(4)", ["(3)", "(2)"]), ("(5)", ["(6)"])]


def test_a_witness_of_many_numbers_is_shown_where_they_differ_most():
    values = {
        "printed": [[1.0, 3.0], [2.0, 2.0]],
        "corrected": None,
        "independent": [[1.0, 1.0], [2.0, 1.0]],
    }
    found = CheckedWitness({"d": "2"}, tolerance=1e-8, **values).at_one_place
    assert (found.at, found.printed, found.corrected, found.independent) == (
        {"d": "2", "element": "[1, 2]"}, 3.0, None, 1.0,
    )  # fmt: skip
    assert found.at_one_place is found
