"""Tests that every experiment can be run and reported: `closedform run X`, and then the command that it prints."""

from __future__ import annotations

import dataclasses
import shlex
from typing import Any

import pytest

from bridge.cli import main
from bridge.cli.runs import singles
from empirics.experiments import EXPERIMENTS, STUDIES

# Of these, the demonstration trains and reports a study in the fast tests, too (test_demo).
SLOW = {
    *STUDIES,
    "compression",
    "two-point",
    "collapse",
    "collapse-imbalanced",
    "geometry-trained",
    "leaky-resnet",
    "two-point-many-points",
}
EVERY = [
    pytest.param(name, marks=pytest.mark.slow if name in SLOW else ())
    for name in [*STUDIES, *singles()]
]


def smallest(name: str) -> Any:
    """The first smoke configuration of a study of an experiment."""
    kind = EXPERIMENTS[name].Config
    return next(
        c for study in STUDIES.values() for c in study.configs("smoke").values() if type(c) is kind
    )


def options(config: Any) -> list[str]:
    """The options with which an experiment that is run alone has this configuration."""
    fields = {f.name: getattr(config, f.name) for f in dataclasses.fields(config) if f.init}
    return [
        word
        for name, value in fields.items()
        for word in (f"--{name.replace('_', '-')}", said(value))
    ]


def said(value: object) -> str:
    return ",".join(map(str, value)) if isinstance(value, tuple) else str(value)


@pytest.mark.parametrize("name", EVERY)
def test_run_then_the_command_that_it_prints(name, capsys, tmp_path, monkeypatch, trained):
    # its derivations have tests of their own
    monkeypatch.setattr("bridge.report.write.theory_of", lambda made: ())
    configs = (
        list(STUDIES[name].configs("smoke").values())
        if name in STUDIES
        else [smallest(singles()[name])]
    )
    size = ["--scale", "smoke"] if name in STUDIES else options(*configs)
    trained(configs, tmp_path / "my runs" / "traces")
    assert main(["run", name, *size, "--out", str(tmp_path / "my runs")]) == 0
    printed, progress = capsys.readouterr()
    assert progress.count("exists already") == len({config.to_json() for config in configs})
    *_, last = printed.strip().splitlines()
    assert last.startswith("next: closedform report ")
    _, _, *command = shlex.split(last)
    assert main(command) == 0, capsys.readouterr().err
    assert str(tmp_path / "my runs" / "report.html") in capsys.readouterr().out
    assert list((tmp_path / "my runs" / "figures").glob("*.png"))
