"""Tests that the hash of a plan holds what the code compares with: a planted threshold changes it, a name does not."""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator
from dataclasses import replace

import pytest

from bridge.results import comparison, plan
from bridge.results.comparison import Module, Name

STUDIES = sorted({figure.study for _, figure in plan.rows()})
CACHED = ("content", "of_study", "naming", "compared", "_resolved")
PLANTED = 0.731


@pytest.fixture
def plant(monkeypatch):
    """Return a function that puts another definition into the place of one, as if its file had been changed."""
    original = comparison.module
    changed: dict[Name, ast.stmt] = {}

    def module(name: str) -> Module | None:
        home = original(name)
        mine = {key[1]: statement for key, statement in changed.items() if key[0] == name}
        return replace(home, definitions=home.definitions | mine) if home and mine else home

    def forget() -> None:
        for name in CACHED:
            getattr(comparison, name).cache_clear()

    def put(name: Name, statement: ast.stmt) -> None:
        changed.clear()
        changed[name] = statement
        forget()

    monkeypatch.setattr(comparison, "module", module)
    forget()
    yield put
    forget()


def with_other_numbers(statement: ast.stmt) -> Iterator[ast.stmt]:
    """Yield the statement with each of its numbers planted in turn."""
    count = sum(is_number(node) for node in ast.walk(statement))
    for place in range(count):
        planted = copy.deepcopy(statement)
        nodes = [node for node in ast.walk(planted) if is_number(node)]
        nodes[place].value += PLANTED
        yield planted


def is_number(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.Constant)
        and isinstance(node.value, int | float)
        and not isinstance(node.value, bool)
    )


def digests(study: str) -> dict[str, str]:
    return {
        figure.label: plan.digest(figure) for _, figure in plan.rows() if figure.study == study
    }


@pytest.mark.sampled(3)
@pytest.mark.parametrize("study", STUDIES)
def test_a_changed_threshold_of_a_study_changes_its_digests(study, plant):
    before = digests(study)
    homes = set(comparison.QUANTITIES.targets.values())
    constants = [
        name
        for name in sorted(comparison.of_study(study))
        if comparison.is_constant(name)
        and name[0] not in homes
        and comparison.content(name).numbers
    ]
    if not constants:  # all thresholds stand in the rows
        figure = next(figure for _, figure in plan.rows() if figure.study == study)
        assert plan.digest(replace(figure, resolution=PLANTED)) != before[figure.label]
        return
    for name in constants:
        planted = next(with_other_numbers(comparison.module(name[0]).definitions[name[1]]))
        plant(name, planted)
        after = digests(study)
        assert all(after[label] != before[label] for label in before), name


def test_a_changed_resolution_within_a_call_changes_the_digest(plant):
    study, quantity = "two-point-xor", "two_point.merged_pairs"
    before = comparison.compared(study, (quantity,))
    (name,) = (
        n for n in comparison.naming(study, quantity) if "0.2" in comparison.content(n).numbers
    )
    definition = comparison.module(name[0]).definitions[name[1]]
    assert any(
        comparison.compared(study, (quantity,)) != before
        for planted in with_other_numbers(definition)
        if plant(name, planted) is None
    )


def test_another_statistic_and_another_relation_change_the_digest(plant):
    study, quantity = "two-point-blobs", "two_point.extent"
    before = comparison.compared(study, (quantity,))
    name = ("papers.vanrossem2024.studies.blobs", "Extents")
    definition = comparison.module(name[0]).definitions[name[1]]
    for old, new in (("mean", "median"), (">", "=")):
        planted = ast.parse(
            ast.unparse(definition).replace(f".{old}(", f".{new}(").replace(f"'{old}'", f"'{new}'")
        )
        plant(name, planted.body[0])
        assert comparison.compared(study, (quantity,)) != before, old


def test_a_new_name_and_a_new_drawing_change_nothing(plant):
    study = "two-point-blobs"
    before = digests(study)
    name = ("papers.vanrossem2024.studies.blobs", "Extents")
    text = ast.unparse(comparison.module(name[0]).definitions[name[1]])
    plant(
        name, ast.parse(text.replace("relation", "side").replace("log_ratio", "extents")).body[0]
    )
    assert digests(study) == before
    drawing = next(
        (name[0], key)
        for key, statement in comparison.module(name[0]).definitions.items()
        if isinstance(statement, ast.FunctionDef) and comparison.is_drawing((name[0], key))
    )
    plant(drawing, next(with_other_numbers(comparison.module(drawing[0]).definitions[drawing[1]])))
    assert digests(study) == before


def test_limits_of_verdicts_are_in_the_digest(monkeypatch):
    _, figure = next(plan.rows())
    before = plan.digest(figure)
    monkeypatch.setattr(plan, "RESOLUTION", 0.5)
    assert plan.digest(figure) != before


def test_code_of_nobody_is_compared_with_nothing():
    assert comparison.of_study("a study of nobody") == frozenset()
    assert comparison.compared("a study of nobody", ("nobody.number",))["numbers"] == []
