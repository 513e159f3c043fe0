"""Tests of a subject of another distribution: installed in its own environment, listed everywhere, run end to end."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest

from bridge.cli import main

ROOT = Path(__file__).resolve().parent.parent
PLUGIN = ROOT / "examples" / "plugin"
LONGEST = 250  # lines of the whole distribution, its README aside


@pytest.fixture(scope="module")
def environment(tmp_path_factory):
    """A virtual environment with the plugin, and what this one has; a function that runs a command in it."""
    pytest.importorskip("hatchling", reason="hatchling, which builds the plugin, is not installed")
    place = tmp_path_factory.mktemp("plugin")
    venv.create(place / "env", with_pip=False, symlinks=True)
    python = place / "env" / "bin" / "python"
    (packages,) = (place / "env" / "lib").glob("python*/site-packages")
    # This checkout comes first, then everything that is installed beside the running interpreter.
    (packages / "shared.pth").write_text(f"{ROOT}\n{sysconfig.get_path('purelib')}\n", encoding="utf-8")
    settings = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}

    def run(*words: str, code: int = 0) -> str:
        done = subprocess.run(
            [str(python), *words], cwd=place, env=settings, capture_output=True, text=True, check=False
        )
        assert done.returncode == code, done.stdout + done.stderr
        return done.stdout

    run("-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation", "--no-index", str(PLUGIN))
    return run


def closedform(environment, *words: str, code: int = 0) -> str:
    return environment("-c", "import sys; from bridge.cli import main; sys.exit(main())", *words, code=code)


def test_it_is_short():
    files = [path for path in PLUGIN.rglob("*") if path.suffix in (".py", ".toml", ".bib")]
    assert sum(len(path.read_text(encoding="utf-8").splitlines()) for path in files) <= LONGEST


def test_its_formulas_are_listed_shown_evaluated_and_checked(environment):
    assert "deep_linear.half_time" in closedform(environment, "list")
    assert "Saxe et al. (2014)" in closedform(environment, "show", "deep_linear.mode_strength")
    assert float(closedform(environment, "eval", "deep_linear.half_time", "s=1", "u_0=1/4", "tau=2")) == pytest.approx(
        1.0986122886681098
    )
    assert "FAILS" not in (checked := closedform(environment, "check", "deep_linear"))
    assert "4 of 4 steps hold" in checked


def test_its_ledger_is_read(environment):
    assert "saxe2014" in environment("-c", "import theory; print(*theory.ledgers())")
    findings = environment(
        "-c", "import theory; print(*{e.check() is e.verdict for e in theory.equations('saxe2014')})"
    )
    assert findings.split() == ["True"]
    assert closedform(environment, "errata", "saxe2014").startswith("0 printed statements are wrong")


def test_it_runs_and_is_reported(environment):
    assert "deep-linear-modes" in closedform(environment, "experiments")
    printed = closedform(environment, "run", "deep-linear-modes", "--scale", "smoke", "--out", "runs")
    assert "next: closedform report runs" in printed
    assert "3 of 3 half times agree with the theory" in closedform(environment, "report", "runs")
    printed = closedform(environment, "run", "deep-linear", "--seeds", "2", "--out", "single")
    assert "half times agree" in closedform(environment, "report", "single")


def test_the_skeleton_of_a_subject_works_as_it_is(environment):
    closedform(environment, "new", "subject", "saddle_points", "--out", "theirs")
    environment("-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation", "--no-index", "./theirs")
    assert "2 of 2 steps hold" in closedform(environment, "check", "saddle_points")
    closedform(environment, "run", "saddle-points-decay", "--scale", "smoke", "--out", "decay")
    assert "3 of 3 last weights agree" in closedform(environment, "report", "decay")
    assert "saddle_points.weight" in closedform(environment, "list", "saddle")
    assert "deep_linear.half_time" in closedform(environment, "list")  # the two live side by side


@pytest.mark.parametrize("name", ["Bad", "two words", "geometry", "class", "a-b", ""])
def test_the_skeleton_refuses_what_is_no_name(name, capsys, tmp_path):
    assert main(["new", "subject", name, "--out", str(tmp_path / "new")]) == 2
    assert "NAME: " in capsys.readouterr().err
    assert not (tmp_path / "new").exists()


def test_the_skeleton_overwrites_nothing(capsys, tmp_path):
    (tmp_path / "mine.py").write_text("x = 1")
    assert main(["new", "subject", "saddle_points", "--out", str(tmp_path)]) == 2
    assert "exists and is not empty" in capsys.readouterr().err


def test_without_it_nothing_of_it_is_there():
    listed = subprocess.run(
        [sys.executable, "-c", "import theory; print(*theory.catalogue())"], capture_output=True, text=True, check=True
    )
    assert "deep_linear" not in listed.stdout
