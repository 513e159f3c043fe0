"""The fuzz as a test: answers, whose values are not checked, or refusals by TypeError and ValueError; nothing hangs."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.fuzz import run, surface

CALLS = 20  # of each function
GROUPS = 25


@pytest.mark.slow
def test_the_surface_is_found():
    names = surface.functions()
    assert {"theory.leaky_resnet.hamiltonian", "empirics.measure.metric", "bridge.compare"} <= set(names)
    assert {"two_point.Config", "two_point.final_distance.evaluate"} <= set(names)
    assert len(names) > 300


@pytest.mark.slow
@pytest.mark.parametrize("group", range(GROUPS))
def test_hostile_arguments(group):
    names = list(surface.functions())[group::GROUPS]
    results = list(run.results(names, CALLS, seed=group))
    assert len({result["function"] for result in results}) == len(names)
    faults = [run.told(result) for result in results if result["kind"] in run.FAULTS]
    counts = Counter(result["kind"] for result in results)
    print(f"{counts.total()} calls: {dict(counts)}")
    assert not faults, "\n".join(faults)
