"""The fuzz as a test: answers or refusals by TypeError and ValueError, nothing hangs; good arguments of any type.

The values of answers to hostile arguments are not checked; those to good ones are the same for every type of number.
"""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from tests.fuzz import answers, run, surface
from tests.fuzz.hints import annotations, excluded

CALLS, GOOD_CALLS = 20, 3  # of each function
GROUPS = 25


@pytest.mark.slow
def test_the_surface_is_found():
    names = surface.functions()
    assert {"theory.leaky_resnet.hamiltonian", "empirics.measure.metric", "bridge.compare"} <= set(
        names
    )
    assert {"two_point.Config", "two_point.final_distance.evaluate"} <= set(names)
    assert len(names) > 300


@pytest.mark.slow
@pytest.mark.parametrize("group", range(GROUPS))
def test_hostile_arguments(group):
    no_faults(group, run.HOSTILE, CALLS)


@pytest.mark.slow
@pytest.mark.parametrize("group", range(GROUPS))
def test_the_same_numbers_in_other_types(group):
    no_faults(group, run.ANSWERS, GOOD_CALLS)


@pytest.mark.slow
def test_planted_faults_are_found():
    """Functions that answer with NaN, change an argument, round numbers in lists, or depend on the calls before."""
    earlier: list[float] = []

    def nan(x):
        return np.where(x > 1, np.nan, x)

    def change(x):
        x += 1
        return 1.0

    def truncate(x):
        return x if isinstance(x, np.ndarray) else np.floor(x)

    def remember(x):
        earlier.append(1.0)
        return float(len(earlier))

    planted = {
        nan: "NaN",
        change: "changed argument",
        truncate: "differs",
        remember: "not repeatable",
    }
    for function, fault in planted.items():
        kinds = {
            kind
            for kind, _ in answers.checked(
                function, "planted", lambda: {"x": np.array([0.5, 2.0])}
            )
        }
        assert fault in kinds
        assert kinds & set(run.FAULTS) == {fault}


def test_arguments_of_excluded_kinds_are_found():
    """A flag that is a tensor, a number that is a flag or a text; whatever is no plain kind may be anything."""

    def function(flag: bool, size: int | None, factor: float, name: str, table: list[int]):
        return flag, size, factor, name, table

    good = {"flag": True, "size": None, "factor": np.array(2), "name": "a", "table": "anything"}
    hostile = {"flag": np.True_, "size": 2.0, "factor": True, "name": b"a", "table": 1}
    hints = annotations(function)
    assert excluded(hints, good) == []
    for name, value in hostile.items():
        assert excluded(hints, good | {name: value}) == [name] * (name != "table")


def no_faults(group, module, calls):
    """Run a group of functions and print the counts."""
    names = list(surface.functions())[group::GROUPS]
    results = list(run.results(names, calls, group, module))
    assert len({result["function"] for result in results}) == len(names)
    faults = [run.told(result) for result in results if result["kind"] in run.FAULTS]
    counts = Counter(result["kind"] for result in results)
    print(f"{counts.total()} calls: {dict(counts)}")
    assert not faults, "\n".join(faults)
