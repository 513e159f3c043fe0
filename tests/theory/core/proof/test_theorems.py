"""Theorems that are quoted have a reference, one home, and a step that rests on each."""

from __future__ import annotations

import dataclasses

import pytest

import theory
from tests.theory.forms import NAMES, cited
from theory.core import Premise
from theory.core.formula.provenance import Source
from theory.core.proof import theorems
from theory.core.proof.derivation_text import derivation_text
from theory.core.proof.premises import Kind

TABLE = {value for value in vars(theorems).values() if isinstance(value, Premise)}


def quoted(names: list[str]) -> set[Premise]:
    """The theorems on which these forms rest, without the expression that a step takes of one."""
    premises = (premise for name in names for premise in theory.catalogue()[name].premises)
    return {
        dataclasses.replace(premise, expression=None)
        for premise in premises
        if premise.kind is Kind.THEOREM
    }


def test_a_theorem_has_a_source_and_nothing_else_has_one() -> None:
    with pytest.raises(ValueError, match="got None for a theorem, needs a source"):
        Premise("Fermat's last theorem", kind=Kind.THEOREM)
    with pytest.raises(ValueError, match="for a definition, needs a source for a theorem"):
        Premise("a length", source=Source("price1958", "the theorem"))
    assert str(theorems.TONELLI) == (
        "theorem, not proved here: integrals and means of what is nowhere negative may be taken in any order (Folland "
        "(1999), Real Analysis: Modern Techniques and Their Applications, Theorem 2.37)"
    )


def test_a_derivation_lists_the_theorems_that_it_quotes() -> None:
    shown = " ".join(derivation_text(theory.catalogue()["collapse.noise_floor"]).split())
    assert "theorem, not proved here: the residual of a Gaussian column" in shown
    assert "Muirhead (1982), Aspects of Multivariate Statistical Theory, Section 3.2" in shown


def test_theorems_of_a_few_derivations_are_in_the_table() -> None:
    assert quoted(["collapse.noise_floor", "compression.mean_log_amplification"]) == {
        theorems.CHI_SQUARE,
        theorems.COCHRAN,
        theorems.TONELLI,
        theorems.WISHART,
    }


@pytest.mark.slow
def test_every_theorem_is_in_the_table_and_every_one_there_is_used() -> None:
    listed = quoted(NAMES) | {
        dataclasses.replace(premise, expression=None)
        for form in cited()
        for premise in form.premises
        if premise.kind is Kind.THEOREM
    }
    assert listed == TABLE
