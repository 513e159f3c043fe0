"""Derivations are connected: every step leads to the formula, every premise is used, no form rests on itself."""

from __future__ import annotations

import pytest

import theory
from tests.marks import slow
from tests.theory.forms import NAMES, cited, forms
from theory.core import ClosedForm, Status, Verdict
from theory.core.proof.premises import Kind, way
from theory.core.proof.tree import WIDTH, text
from theory.core.proof.values import takes


def rests_on(form: ClosedForm) -> list[ClosedForm]:
    return [premise.form for premise in form.premises if premise.form is not None]


def inherited(form: ClosedForm) -> set[str]:
    """Assumptions of the closed forms that a form uses, and of those that these use."""
    return {
        sentence
        for other in rests_on(form)
        for sentence in (*other.assumptions, *inherited(other))
    }


@pytest.mark.sampled(6)
@pytest.mark.parametrize("name", forms())
def test_every_step_leads_to_the_formula_and_every_premise_is_used(name: str) -> None:
    form = theory.catalogue()[name]
    if form.status is not Status.DERIVED:
        pytest.skip(f"{name} is {form.status.value}")
    whole = way(form)
    assert form.steps[0].uses is not None, "the first step says what it starts from"
    named = [(step, node) for step in form.steps for node in step.uses or ()]
    in_words = [(s.claim, n.claim) for s, n in named if hasattr(n, "claim") and not takes(s, n)]
    assert in_words == [], "steps that are named, and of which no value is taken"
    assert form.premises == (
        *whole.premises,
        *(p for p in form.premises if p not in whole.premises),
    )
    assert form.premises, "it starts from something"
    assert {index for index in range(len(form.steps)) if index not in whole.reached} == {
        index for index, step in enumerate(form.steps) if step.aside
    }
    used = {premise.text for premise in whole.premises if premise.kind is Kind.ASSUMPTION}
    assert set(form.assumptions) - used - inherited(form) == set()
    assert max(map(len, text(form).splitlines())) <= WIDTH


@pytest.mark.slow
def test_what_is_cited_and_not_listed_is_derived_as_well() -> None:
    """Means over Gaussians, of which the catalogue lists one example."""
    forms = cited()
    assert len(forms) > 30
    for form in forms:
        assert set(form.check().values()) == {Verdict.HOLDS}, form.name


@pytest.mark.parametrize("step", [6, *slow(1)])
def test_no_closed_form_rests_on_itself(step: int) -> None:
    """The fast test follows every sixth form down to what it rests on."""
    forms, waiting = [theory.catalogue()[name] for name in NAMES[::step]], {}
    while forms:
        form = forms.pop()
        if form.name not in waiting:
            below = rests_on(form)
            waiting[form.name] = {other.name for other in below}
            forms += below
    while waiting:
        free = {name for name, below in waiting.items() if not below & set(waiting)}
        assert free, f"these rest on each other: {sorted(waiting)}"
        waiting = {name: below for name, below in waiting.items() if name not in free}
