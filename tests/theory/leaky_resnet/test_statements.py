"""Statements on Leaky ResNets that no closed form of the catalogue rests on: ledgers and functions use them."""

from __future__ import annotations

from importlib import import_module

import pytest

from theory.core import Step, Verdict

MODULES = ("canonical", "linear_matrices", "symmetries")


def steps(value: object) -> list[Step]:
    """The steps in the value of a name: itself, or those of a tuple."""
    parts = value if isinstance(value, tuple) else (value,)
    return [part for part in parts if isinstance(part, Step)]


@pytest.mark.parametrize("name", MODULES)
def test_every_statement_holds(name: str) -> None:
    module = import_module(f"theory.leaky_resnet.{name}")
    stated = [step for value in vars(module).values() for step in steps(value)]
    assert len(stated) >= 4
    assert {step.claim: step.check() for step in stated} == {
        step.claim: Verdict.HOLDS for step in stated
    }
