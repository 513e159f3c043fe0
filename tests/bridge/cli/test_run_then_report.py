"""Tests that every experiment can be run and reported: `closedform run X`, and then the command that it prints."""

from __future__ import annotations

import dataclasses
import shlex

import pytest

from bridge.cli import main
from bridge.cli.runs import singles
from empirics.experiments import EXPERIMENTS, STUDIES

QUICK = {"two-point-adam", "leaky-resnet-bottleneck"}  # studies; the others are among the slow tests, single runs here
EVERY = [
    pytest.param(name, marks=() if name in QUICK or name not in STUDIES else pytest.mark.slow)
    for name in [*STUDIES, *singles()]
]


def small(name: str) -> list[str]:
    """Options that make a single experiment as small as the first smoke configuration of a study of it."""
    config = EXPERIMENTS[name].Config
    for study in STUDIES.values():
        for each in study.configs("smoke").values():
            if type(each) is config:
                changed = {f.name: getattr(each, f.name) for f in dataclasses.fields(config) if f.init}
                return [
                    word for field, value in changed.items() for word in (f"--{field.replace('_', '-')}", said(value))
                ]
    return []


def said(value: object) -> str:
    return ",".join(map(str, value)) if isinstance(value, tuple) else str(value)


@pytest.mark.filterwarnings("ignore:scalar_curvature. so much cancels:RuntimeWarning")  # up to 2e-5, after three layers
@pytest.mark.parametrize("name", EVERY)
def test_run_then_the_command_that_it_prints(name, capsys, tmp_path, monkeypatch):
    monkeypatch.setattr("bridge.report.write.theory_of", lambda made: ())  # its derivations have tests of their own
    size = ["--scale", "smoke"] if name in STUDIES else small(singles()[name])
    assert main(["run", name, *size, "--out", str(tmp_path / "my runs")]) == 0
    *_, last = capsys.readouterr().out.strip().splitlines()
    assert last.startswith("next: closedform report ")
    _, _, *command = shlex.split(last)
    assert main(command) == 0, capsys.readouterr().err
    assert str(tmp_path / "my runs" / "report.html") in capsys.readouterr().out
    assert list((tmp_path / "my runs" / "figures").glob("*.png"))


def test_the_quick_ones_exist():
    assert set(STUDIES) > QUICK
