"""Experiments in a file of the user's own: run, sweep and report from outside of this repository."""

from __future__ import annotations

import textwrap

import pytest

pytest.importorskip("torch", reason="torch is not installed (extra `empirics`)")
pytest.importorskip("xarray", reason="xarray is not installed (extra `empirics`)")

from bridge.cli import main, script
from bridge.results.analyses import USER_ANALYSES
from empirics import experiments
from empirics.sweep import store, sweep

EXPERIMENT = textwrap.dedent('''\
    from dataclasses import dataclass
    from typing import ClassVar

    import numpy as np

    from empirics.runs.config import Configuration
    from empirics.runs.session import RunResult, run_of


    @dataclass(frozen=True)
    class Config(Configuration):
        experiment: ClassVar[str] = "mine.decay"
        rate: float = 0.5
        seeds: int = 3
        first_seed: int = 0

        def __str__(self):
            return f"rate {self.rate}"


    @run_of(Config)
    def run(config, session):
        """Decay."""
        start = np.array([[1.0 + seed] for seed in config.seed_numbers])
        variables = {"value": (("seed", "step"), start * np.exp(-config.rate * np.arange(5)), "what decays")}
        return RunResult(variables, {"step": (np.arange(5), {})})
    ''')
ANALYSIS = textwrap.dedent("""\

    from bridge.results.analysis import Analysis

    def analyse(traces):
        return Analysis(traces, (), findings=("It decays.",))
    """)


@pytest.fixture
def file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "mine.py"
    path.write_text(EXPERIMENT, encoding="utf-8")
    return path


def test_it_runs_with_its_options_and_is_reported(file, capsys, tmp_path):
    assert main(["run", "mine.py", "--options"]) == 0
    assert "--rate" in capsys.readouterr().out
    assert main(["run", "mine.py", "--rate", "0.25", "--out", "runs"]) == 0
    assert "next: closedform report runs\n" in capsys.readouterr().out
    (path,) = (tmp_path / "runs" / "traces").glob("mine.decay-*.nc")
    assert store.load(path).value.shape == (3, 5)
    assert main(["report", "runs"]) == 0
    page = (tmp_path / "runs" / "report.html").read_text(encoding="utf-8")
    assert "what decays" in page
    assert "<script src" not in page


def test_its_own_analysis_makes_the_report(file, capsys):
    file.write_text(EXPERIMENT + ANALYSIS, encoding="utf-8")
    assert main(["run", "mine.py", "--out", "runs"]) == 0
    assert "next: closedform report runs mine.py\n" in capsys.readouterr().out
    assert main(["report", "runs", "mine.py"]) == 0
    assert "- It decays." in capsys.readouterr().out
    assert not USER_ANALYSES  # of this file only


def test_a_sweep_takes_configurations_of_ones_own(file, tmp_path):
    with script.imported(file) as mine:
        traces = sweep(
            {"slow": mine.Config(rate=0.1), "fast": mine.Config(rate=1.0)},
            tmp_path,
            progress=False,
        )
        assert script.chosen(mine) == (None, mine.Config)

        class Inherited(mine.Config):
            experiment = "mine.other"

        # it has no run of its own
        with pytest.raises(TypeError, match="config: got Inherited, needs"):
            experiments.run(Inherited())
    assert float(traces["slow"].value[0, -1]) > float(traces["fast"].value[0, -1])


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("x = 1\n", "got mine.py without an experiment, needs a function of a seed"),
        ("x = (\n", "line 1: SyntaxError"),
        ("x = 1\ny = 1 / 0\n", "line 2: ZeroDivisionError"),
    ],
)
def test_a_file_without_one_experiment_is_refused(file, capsys, content, message):
    file.write_text(content, encoding="utf-8")
    assert main(["run", "mine.py"]) == 2
    assert message in capsys.readouterr().err
    assert main(["run", "nowhere.py"]) == 2
    assert "got 'nowhere.py', where no file is" in capsys.readouterr().err
