"""Tests that the code of the README gives the output that the README shows."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
NUMBER = re.compile(r"[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?")
# Training in float32 rounds differently on another processor, and z is a difference of nearly equal numbers.
RELATIVE, ABSOLUTE = 0.1, 0.5


def block(language: str) -> str:
    """The only block of this language in the README."""
    (found,) = re.findall(rf"^```{language}\n(.*?)^```", README, re.MULTILINE | re.DOTALL)
    return found


def differences(shown: str, printed: str) -> list[str]:
    """Lines whose words differ, or whose numbers differ by more than another processor explains."""
    if len(shown.splitlines()) != len(printed.splitlines()):
        return [f"{len(shown.splitlines())} lines shown, {len(printed.splitlines())} printed"]
    found = []
    for one, other in zip(shown.splitlines(), printed.splitlines(), strict=True):
        words = [NUMBER.sub("#", line).split() for line in (one, other)]
        pairs = zip(NUMBER.findall(one), NUMBER.findall(other), strict=False)
        close = all(abs(float(a) - float(b)) <= max(ABSOLUTE, RELATIVE * abs(float(a))) for a, b in pairs)
        if words[0] != words[1] or not close:
            found.append(f"shown   {one}\nprinted {other}")
    return found


@pytest.mark.slow
def test_the_example_prints_what_the_readme_shows():
    run = subprocess.run([sys.executable, "-c", block("python")], cwd=ROOT, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    assert differences(block("text"), run.stdout) == []


def test_the_comparison_sees_words_numbers_and_lines():
    assert differences("a 1.0\n", "a 1.01\n") == []
    assert differences("a 100\n", "a 120\n")
    assert differences("agrees 1\n", "disagrees 1\n")
    assert differences("a\n", "a\nb\n")


def test_set_up_is_two_commands_of_the_makefile():
    commands = README.split("## Set-up")[1].split("```")[1].split("\n")[1:-1]
    assert commands == ["make demo", "make test"]
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in re.findall(r"make (\w+)", " ".join(re.findall(r"`(make \w+)`", README))):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target


def test_the_files_it_links_exist():
    links = re.findall(r"\]\(([^)#:]+)\)", README)
    assert links
    assert [link for link in links if not (ROOT / link).exists()] == []


def test_the_modules_that_equivalent_mutants_name_exist():
    modules = re.findall(r"`(\w+/[\w/]+\.py)`", (ROOT / "tests/mutants/equivalent.md").read_text(encoding="utf-8"))
    assert modules
    assert [module for module in modules if not (ROOT / module).exists()] == []
