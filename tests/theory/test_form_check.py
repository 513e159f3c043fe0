"""Tests of checking many closed forms: the same verdicts in order, from one process, several, or the store."""

from __future__ import annotations

import dataclasses

import pytest

import theory
from theory import form_check
from theory.core import Argument, Check, ClosedForm, Status, Step, Verdict
from theory.core.proof.verdict import Decision
from theory.form_check import CheckedForm, check_all

NAMES = (
    "leaky_resnet.mode_hamiltonian",
    "two_point.relaxation_rate",
    "collapse.noise_floor",
    "compression.growth_time",
    "two_point.growth_rate",
    "collapse.two_class_floor",
    "collapse.equiseparation_depth",
    "leaky_resnet.mode_weight_norm",
)


def expected(name):
    form = theory.catalogue()[name]
    reasons = {step.claim: step.because for step in form.steps}
    return CheckedForm(
        name,
        tuple((claim, verdict.name, reasons[claim]) for claim, verdict in form.check().items()),
    )


@pytest.mark.slow
def test_several_processes_find_what_one_finds(folder):
    """What a worker cannot do is done here, and raises here."""
    shown = []
    with pytest.raises(KeyError, match="two_pint"):
        check_all([*NAMES, "two_pint.w"], processes=2, progress=shown.append)
    assert shown == list(map(expected, NAMES))


def test_the_second_time_nothing_is_built(folder, monkeypatch):
    first = check_all(NAMES[:2], processes=1)

    def build(name):
        raise AssertionError(f"{name} is in the store")

    monkeypatch.setattr(form_check, "_verdicts", build)
    assert check_all(NAMES[:2]) == first
    with pytest.raises(AssertionError, match="in the store"):
        check_all(NAMES[:2], fresh=True)


def test_an_undecided_form_is_not_stored(folder, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(
            Step, "decide", lambda step: Decision(Verdict.UNDECIDED, "PolynomialError: no luck")
        )
        (checked,) = check_all(NAMES[:1])
        assert not checked.holds
        assert checked.verdicts[0][1:] == ("UNDECIDED", "PolynomialError: no luck")
    (checked,) = check_all(NAMES[:1])
    assert checked.holds


def test_forms_that_are_in_no_catalogue(folder):
    form = theory.catalogue()[NAMES[0]]
    own = ClosedForm(
        "own.form", "A form.", form.arguments, form.expression, Status.CONJECTURED, form.steps
    )
    assert [checked.name for checked in check_all([own, NAMES[1], own])] == [
        "own.form",
        NAMES[1],
        "own.form",
    ]


def test_forms_of_other_distributions_are_not_known_by_name(monkeypatch):
    announced = form_check.announced

    def by_others(floor, constant):
        return {
            name: (value, dataclasses.replace(subject, package="package"))
            for name, (value, subject) in announced(floor, constant).items()
        }

    form_check._own.cache_clear()
    monkeypatch.setattr(form_check, "announced", by_others)
    assert form_check._own() == frozenset()
    form_check._own.cache_clear()


def test_what_a_check_raises_is_the_cause_of_no_verdict(folder):
    import sympy as sp

    x = sp.Symbol("x", real=True)
    broken = Check("broken", lambda: 1 / 0)
    form = ClosedForm(
        "own.broken", "A form.", (Argument(x, "x"),), x, Status.CONJECTURED, (broken,)
    )
    (checked,) = check_all([form])
    assert checked.verdicts == (("broken", "UNDECIDED", "ZeroDivisionError: division by zero"),)


@pytest.mark.parametrize("processes", [0, -1])
def test_no_processes(processes):
    with pytest.raises(ValueError, match="processes"):
        check_all(NAMES, processes)


def test_every_listed_form_is_known_by_name():
    assert set(theory.catalogue()) == form_check._own()
