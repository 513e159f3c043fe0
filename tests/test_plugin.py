"""Tests of a subject of another distribution: installed in its own environment, listed everywhere, run end to end."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import sysconfig
import venv
from datetime import date
from pathlib import Path

import pytest

import theory
from bridge.cli import main
from theory.core.ledger.mutation_test import survivors

ROOT = Path(__file__).resolve().parent.parent
PLUGIN = ROOT / "examples" / "plugin"
KEY = f"saddlepoints{date.today().year}"  # of the paper in the skeleton
LONGEST = 420  # lines of the whole distribution, its README aside


@pytest.fixture(scope="module")
def environment(tmp_path_factory):
    """A virtual environment with the plugin, a new skeleton and what this one has; a function that runs commands there.

    The function returns what each of the commands prints. One process runs them all, since it takes seconds to import
    what they use.
    """
    pytest.importorskip("hatchling", reason="hatchling, which builds the plugin, is not installed")
    place = tmp_path_factory.mktemp("plugin")
    venv.create(place / "env", with_pip=False, symlinks=True)
    python = place / "env" / "bin" / "python"
    (packages,) = (place / "env" / "lib").glob("python*/site-packages")
    # This checkout comes first, then everything that is installed next to the running interpreter.
    (packages / "shared.pth").write_text(
        f"{ROOT}\n{sysconfig.get_path('purelib')}\n", encoding="utf-8"
    )
    settings = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}

    def run(*words: str) -> str:
        done = subprocess.run(
            [str(python), *words],
            cwd=place,
            env=settings,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    assert main(["new", "subject", "saddle_points", "--out", str(place / "theirs")]) == 0
    install = [
        "-m",
        "pip",
        "install",
        "--quiet",
        "--no-deps",
        "--no-build-isolation",
        "--no-index",
    ]
    run(*install, str(PLUGIN), "./theirs")

    def closedform(*commands: str) -> list[str]:
        *printed, nothing = run("-c", COMMANDS, *commands).split("\f")
        assert nothing == ""
        return printed

    return closedform


COMMANDS = """
import shlex, sys
from bridge.cli import main
for words in sys.argv[1:]:
    if words.startswith("pytest "):
        import pytest
        code = pytest.main(shlex.split(words)[1:])
    else:
        code = main(shlex.split(words))
    if code:
        sys.exit(code)
    print(end="\f")
"""


def test_it_is_short():
    files = [path for path in PLUGIN.rglob("*") if path.suffix in (".py", ".toml", ".bib", ".txt")]
    assert sum(len(path.read_text(encoding="utf-8").splitlines()) for path in files) <= LONGEST


@pytest.mark.slow
def test_it_and_a_skeleton_beside_it_are_listed_checked_run_and_reported(environment):
    printed = environment(
        "list", "show deep_linear.mode_strength", "eval deep_linear.half_time s=1 u_0=1/4 tau=2",
        "check deep_linear", "errata saxe2014", "check --ledger saxe2014",
        "experiments", "run deep-linear-modes --scale smoke --out runs", "report runs",
        "run deep-linear --seeds 2 --out single", "report single", "validity deep_linear.half_time --at width=12",
        "check saddle_points", f"check --ledger {KEY}",
        "run saddle-points-decay --scale smoke --out decay", "report decay",
        "validity saddle_points.last_distance --at learning_rate=0.01", "pytest -q theirs/tests",
        f"pytest -q -p no:cacheprovider -c {PLUGIN / 'pyproject.toml'} {PLUGIN / 'tests'}",
        "show deep_linear.rate.layers_3", "validity deep_linear.half_time --over initial=0.001:0.01 --budget 5s",
    )  # fmt: skip
    listed, shown, value, checked, errata, verdicts, experiments, study, studied, _, single = (
        printed[:11]
    )
    tested, written, ledger, _, reported, claimed, own_tests, *rest = printed[11:]
    plugin_tests, member, validity = rest
    assert "5 passed" in plugin_tests
    assert "3 layers of weights" in member
    assert "deep_linear.half_time" in validity
    assert "deep_linear.half_time holds: measured" in tested
    assert {"deep_linear.half_time", "saddle_points.distance"} <= set(listed.split())
    assert "Saxe et al. (2014)" in shown
    assert float(value) == pytest.approx(1.0986122886681098)
    assert "FAILS" not in checked
    assert "6 of 6 steps hold" in checked
    assert errata.startswith("0 printed statements are wrong")
    assert re.search(r"(\d+) of \1 computed verdicts are the declared ones", verdicts)[1] != "0"
    assert "deep-linear-modes" in experiments
    assert "next: closedform report runs" in study
    assert "3 of 3 half times agree with the theory" in studied
    assert "half times agree" in single
    assert "8 of 8 steps hold" in written
    assert "1 of 1 computed verdicts are the declared ones" in ledger
    assert "(1)  CONFIRMED" in ledger
    assert "2 of 2 last distances agree" in reported
    assert "saddle_points.last_distance holds: measured" in claimed
    assert "5 passed" in own_tests


@pytest.mark.parametrize("key", [KEY, "saxe2014"])
def test_their_ledgers_see_every_error_that_is_planted_in_them(guests, tmp_path, key):
    assert main(["new", "subject", "saddle_points", "--out", str(tmp_path / "theirs")]) == 0
    package = (
        tmp_path / "theirs" / "closedform_saddle_points"
        if key == KEY
        else PLUGIN / "closedform_deep_linear"
    )
    guests(
        "theirs",
        package.name,
        {file.name: file.read_text("utf-8") for file in package.glob("*.[pbt]*")},
    )
    (entry,) = theory.equations(key)
    assert entry.outcome().ruling is entry.verdict
    assert survivors(entry) == []


@pytest.mark.parametrize("name", ["Bad", "two words", "geometry", "class", "a-b", ""])
def test_the_skeleton_refuses_what_is_no_name(name, capsys, tmp_path):
    assert main(["new", "subject", name, "--out", str(tmp_path / "new")]) == 2
    assert "NAME: " in capsys.readouterr().err
    assert not (tmp_path / "new").exists()


def test_the_skeleton_overwrites_nothing(capsys, tmp_path):
    (tmp_path / "mine.py").write_text("x = 1")
    assert main(["new", "subject", "saddle_points", "--out", str(tmp_path)]) == 2
    assert "which is not empty" in capsys.readouterr().err


def test_without_it_nothing_of_it_is_there():
    listed = subprocess.run(
        [sys.executable, "-c", "import theory; print(*theory.catalogue())"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert "deep_linear" not in listed.stdout
