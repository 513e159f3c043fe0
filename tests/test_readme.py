"""Tests that what the README names exists."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from bridge.cli.command import parse

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_set_up_is_two_commands_of_the_makefile():
    commands = README.split("## Set-up")[1].split("```")[1].split("\n")[1:-1]
    assert commands == ["make demo", "make test"]
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in re.findall(r"make (\w+)", " ".join(re.findall(r"`(make \w+)`", README))):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target


def test_the_commands_it_shows_are_known_with_their_options():
    """Each line parses; words in capitals and files need not exist."""
    shown = re.findall(r"^\$ (closedform .+)$", README, re.MULTILINE)
    assert len(shown) > 5
    for line in shown:
        for command in line.split(" && "):
            parse(shlex.split(command)[1:])


@pytest.mark.slow
def test_its_python_doors_run_when_pasted_into_an_empty_folder(tmp_path):
    """All of them as one script, with warnings as errors, in a process of its own."""
    doors = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    assert len(doors) == 2
    done = subprocess.run(
        [sys.executable, "-W", "error::RuntimeWarning", "-c", "\n".join(doors)],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": os.fspath(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "tau_h" in done.stdout
    assert done.stdout.rpartition("seed 1")[2].count("recorded map") == 1  # of the fit


def test_the_files_it_links_exist():
    links = re.findall(r"\]\(([^)#:]+)\)", README)
    assert links
    assert [link for link in links if not (ROOT / link).exists()] == []


def test_the_modules_that_equivalent_mutants_name_exist():
    modules = re.findall(
        r"`(\w+/[\w/]+\.py)`", (ROOT / "tests/mutants/equivalent.md").read_text(encoding="utf-8")
    )
    assert modules
    assert [module for module in modules if not (ROOT / module).exists()] == []
