"""Errors planted in the steps and in the definitions of derivations are refuted: signs, factors and exponents.

``test_power`` changes the formula; here each side of each step is changed, and each definition that has an expression,
in the steps that use it. A changed step that is still proved is a survivor, unless the change changes nothing.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest
import sympy as sp

import theory
from tests.marks import slow
from theory.core import Premise, Step, Verdict
from theory.core.proof.decision import decide
from theory.core.proof.premises import Kind, way

KINDS = ("sign", "factor", "exponent")
SAMPLE = 3  # steps of the fast test
NAMES = list(theory.catalogue())
FEW = ("compression.", "leaky_resnet.")  # subjects of the fast test of definitions


def steps_of(names: list[str]) -> list[Step]:
    """The distinct steps of these forms."""
    forms = (theory.catalogue()[name] for name in names)
    distinct = {
        (step.left, step.right): step
        for form in forms
        for step in form.steps
        if isinstance(step, Step)
    }
    return list(distinct.values())


def planted(expression: Any, kind: str) -> Iterator[Any]:
    """The expression with one sign, factor or exponent changed, at a place of a random order."""
    nodes = [
        node
        for node in dict.fromkeys(sp.preorder_traversal(expression))
        if isinstance(node, sp.Expr)
    ]
    random.Random(f"{kind} {len(nodes)}").shuffle(nodes)
    for node in nodes:
        if isinstance(
            node,
            (
                sp.MatrixBase,
                sp.MatrixExpr,
                sp.Derivative,
                sp.Subs,
                sp.Integral,
                sp.Limit,
                sp.Sum,
                sp.Indexed,
            ),
        ):
            continue
        for index, child in enumerate(node.args):
            if not isinstance(child, sp.Expr) or isinstance(child, (sp.MatrixBase, sp.MatrixExpr)):
                continue
            is_exponent = node.is_Pow and index == 1
            if is_exponent != (kind == "exponent") or (
                kind == "sign" and not (node.is_Add or node.is_Mul)
            ):
                continue
            changed = {"sign": -child, "factor": sp.Rational(8, 7) * child, "exponent": child + 1}[
                kind
            ]
            mutant = expression.xreplace(
                {node: node.func(*node.args[:index], changed, *node.args[index + 1 :])}
            )
            if mutant != expression and not mutant.has(sp.nan, sp.zoo):
                yield mutant


def survives(step: Step, left: Any, right: Any) -> bool:
    """Whether the changed step is still proved, although the change matters."""
    wrong = Step(step.claim, left, right, where=dict(step.where))
    if wrong.counterexample() is not None:
        return False
    before, after = (step.left, left) if left != step.left else (step.right, right)
    return (
        wrong.check(fresh=True) is Verdict.HOLDS
        and decide(before, after, step.where).verdict is not Verdict.HOLDS
    )


def survivors(step: Step, kinds: tuple[str, ...]) -> list[str]:
    found = []
    for kind in kinds:
        for side, other in (("left", "right"), ("right", "left")):
            mutant = next(planted(getattr(step, side), kind), None)
            if mutant is None:
                continue
            COUNTED.append((step.claim, side, kind))
            sides = {side: mutant, other: getattr(step, other)}
            if survives(step, **sides):
                found.append(f"{step.claim}: {kind} in {side}: {mutant}")
    return found


COUNTED: list[tuple[str, str, str]] = []


def test_no_error_survives_in_a_sample_of_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("theory.core.proof.decision._SECONDS_TO_SIMPLIFY", 1.0)
    steps = steps_of(NAMES[::8])
    random.Random(0).shuffle(steps)
    sample = islice((s for s in steps if len(str(s.left)) + len(str(s.right)) < 200), SAMPLE)
    kinds = [(KINDS[index % 3],) for index in range(SAMPLE)]
    assert [
        line for step, kind in zip(sample, kinds, strict=True) for line in survivors(step, kind)
    ] == []


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_no_error_survives_in_a_step(name: str, record_property: Any) -> None:
    before = len(COUNTED)
    assert [line for step in steps_of([name]) for line in survivors(step, KINDS)] == []
    record_property("planted", len(COUNTED) - before)


def definitions(names: list[str]) -> dict[tuple[Premise, Any], list[Step]]:
    """The definitions and their expressions, or values of several, each with the steps that use the definition."""
    users: dict[Premise, list[Step]] = {}
    for name in names:
        whole = way(theory.catalogue()[name])
        for step, used in zip(whole.steps, whole.uses, strict=True):
            for premise in used:
                if (
                    isinstance(step, Step)
                    and isinstance(premise, Premise)
                    and premise.kind is Kind.DEFINITION
                    and premise.expression is not None
                ):
                    users.setdefault(premise, []).append(step)
    found = {}
    for premise, steps in users.items():
        is_whole = any(step.mentions(premise.expression) for step in steps)
        several = isinstance(premise.expression, (sp.MatrixBase, sp.Tuple)) and not is_whole
        for part in premise.expression if several else [premise.expression]:
            if not several or part.args:  # a letter alone says nothing
                found[premise, part] = steps
    return found


@pytest.mark.parametrize("fast", [True, *slow(False)], ids=["of few subjects", "all"])
def test_every_definition_with_an_expression_is_read_and_an_error_in_it_is_refuted(
    fast: bool,
) -> None:
    names = [name for name in NAMES if name.startswith(FEW)] if fast else NAMES
    found = definitions(names)
    assert len(found) >= 10
    for index, ((premise, part), steps) in enumerate(found.items()):
        reading = [step for step in steps if step.mentions(part)]
        if not reading and isinstance(premise.expression, sp.Tuple):
            continue  # the rules of a recursion are written out in a limit
        assert reading, f"no step that uses it contains {part}: {premise}"
        if fast and index % 4:
            continue  # the slow test plants errors in all of them
        for kind in KINDS[index % 3 :][:1] if fast else KINDS:
            mutant = next(planted(part, kind), None)
            if mutant is None:
                continue
            error = {part: mutant}
            changed = (
                sides
                for step in reading
                for sides in (
                    (step, step.left.xreplace(error), step.right),
                    (step, step.left, step.right.xreplace(error)),
                )
            )
            assert any(not survives(*each) for each in changed), f"{kind} in {premise}: {mutant}"
