"""The tasks of users: every step holds, in a few lines, and numbers are those of another route."""

import runpy
from pathlib import Path

import pytest

TASKS = runpy.run_path(str(Path(__file__).parents[3] / "benchmarks" / "engine_tasks.py"))
NAMES = [task.__name__ for task in TASKS["TASKS"]]
LONGEST = 10  # lines


LONG = {"critical_line", "its_curvature"}  # `test_networks` has shorter ones


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    "number",
    [
        pytest.param(number, id=name, marks=[pytest.mark.slow] * (name in LONG))
        for number, name in enumerate(NAMES)
    ],
)
def test_a_task(number, request, monkeypatch):
    if [*TASKS["TASKS"]][number] in TASKS["ON_IMAGES"]:
        monkeypatch.setenv("CLOSEDFORM_DATA", str(request.getfixturevalue("data_directory")))
    _, lines, _, share, value, by_hand = TASKS["row"](number)
    held, _, of = share.partition(" of ")
    assert held == of
    assert lines <= LONGEST
    if by_hand is not None:
        assert value == pytest.approx(by_hand, rel=1e-12)
