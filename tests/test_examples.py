"""Tests of the examples: one folder per subject, one naming pattern, only the public interface, and execution."""

from __future__ import annotations

import ast
import importlib
import importlib.util
import re
import runpy
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from empirics.experiments import STUDIES

ROOT = Path(__file__).resolve().parent.parent
# plugin/ is a distribution: test_plugin.py
EXAMPLES = sorted(path for path in (ROOT / "examples").glob("*/*.py"))
NAMES = [path.relative_to(ROOT / "examples").as_posix() for path in EXAMPLES]
SUBJECTS = ("two_point", "geometry", "compression", "leaky_resnet", "collapse", "finite_width")
# After `figure` or `section` the number as printed (2, 1a, 1bc, g1 for G.1, 3_2 for 3.2), then what; `beyond` is in no
# paper.
PLACE = r"(figure_(\d+[a-c]*|[b-g]\d+|\d_\d)|section_\d_\d|beyond)"
NAME = re.compile(rf"({'|'.join(SUBJECTS)})/{PLACE}_[a-z][a-z_]*[a-z]\.py")
LONGEST = 55  # lines
STUDY = re.compile(r'STUDIES\["([a-z-]+)"\]')
# seconds at scale smoke; the others take ten minutes together
QUICK = "two_point/figure_10_layers.py"
examples = pytest.mark.parametrize("path", EXAMPLES, ids=NAMES)


def misnamed(names: list[str]) -> list[str]:
    return [name for name in names if not NAME.fullmatch(name)]


def unknown(source: str) -> Iterator[str]:
    """Imports of other packages, of private names, and names that their module does not have."""
    tree = ast.parse(source)
    modules: dict[str, ModuleType] = {}
    for name, module, attribute in imported(tree):
        if module.partition(".")[0] not in (
            "theory",
            "empirics",
            "bridge",
            "papers",
            "numpy",
            "sys",
        ):
            yield f"imports {module}"
        elif attribute is None:
            modules[name] = importlib.import_module(module)
        elif attribute.startswith("_") or not _has(module, attribute):
            yield f"{module} has no public {attribute}"
        elif _is_module(f"{module}.{attribute}"):
            modules[name] = importlib.import_module(f"{module}.{attribute}")
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and all(
            part.isidentifier() for part in ast.unparse(node).split(".")
        ):
            first, *steps = ast.unparse(node).split(".")
            yield from missing(modules.get(first), steps)


def imported(tree: ast.Module) -> Iterator[tuple[str, str, str | None]]:
    """Name, module and attribute (None for the module itself) of everything that is imported."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.asname or alias.name, alias.name, None) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (
                (alias.asname or alias.name, node.module or "", alias.name) for alias in node.names
            )


def _has(module: str, attribute: str) -> bool:
    return hasattr(importlib.import_module(module), attribute) or _is_module(
        f"{module}.{attribute}"
    )


def missing(module: Any, steps: list[str]) -> Iterator[str]:
    """The first of the names, one within the other, that a module does not have."""
    for step in steps:
        if not isinstance(module, ModuleType):
            return
        if step.startswith("_") or not hasattr(module, step):
            yield f"{module.__name__} has no public {step}"
            return
        module = getattr(module, step)


def _is_module(name: str) -> bool:
    try:
        return importlib.util.find_spec(name) is not None
    except ModuleNotFoundError:  # its parent is no package
        return False


def test_they_are_named_by_subject_and_figure():
    assert misnamed(NAMES) == []
    assert {name.partition("/")[0] for name in NAMES} == set(SUBJECTS)
    assert misnamed(["two_point/figure_02.py", "figure_2_losses.py", "collapse/utils.py"])


@examples
def test_an_example_is_short_says_what_it_shows_and_uses_public_names(path):
    text = path.read_text(encoding="utf-8")
    says = ast.get_docstring(ast.parse(text)) or ""
    assert len(text.splitlines()) <= LONGEST
    assert re.search(r"[Ff]igures? [\dB-G]|^Section \d|^Beyond", says.splitlines()[0])
    assert re.search(r"\(20\d\d\)", says.splitlines()[0])
    assert re.search(r"([Ss]econd|minute)s?\b", says)
    assert f"python {path.relative_to(ROOT).as_posix()}" in says
    assert list(unknown(text)) == []


@pytest.mark.parametrize(
    "source",
    [
        "import torch",
        "from examples.two_point import common",
        "from papers.vanrossem2024.studies import nothing",
        "import bridge\nbridge.two_point.no_such_fit(1)",
        "from bridge.two_point.curves import _private",
        "from bridge.plots import style\nstyle._save(1)",
    ],
)
def test_a_name_that_does_not_exist_or_is_private_is_seen(source):
    assert list(unknown(source))


def test_every_study_has_an_example():
    shown = {name for path in EXAMPLES for name in STUDY.findall(path.read_text(encoding="utf-8"))}
    # a study with the settings of the released code is a second reading of the one that has the example
    assert shown == {name for name in STUDIES if not name.endswith("-released")}


@pytest.fixture(scope="session")
def workshop(tmp_path_factory):
    """A folder in which examples of one study find each other's networks."""
    return tmp_path_factory.mktemp("examples")


@pytest.mark.parametrize(
    "path",
    [
        pytest.param(p, id=n, marks=() if n == QUICK else pytest.mark.slow)
        for p, n in zip(EXAMPLES, NAMES, strict=True)
    ],
)
def test_an_example_runs_and_draws_what_it_says(path, workshop, trained, monkeypatch, capsys):
    folder = workshop / "closedform-examples" / path.parent.name / "traces"
    for name in STUDY.findall(path.read_text(encoding="utf-8")):
        trained(STUDIES[name].configs("smoke").values(), folder)
    monkeypatch.chdir(workshop)
    monkeypatch.setattr(sys, "argv", [str(path), "smoke"])
    capsys.readouterr()
    with warnings.catch_warnings():
        warnings.simplefilter("default")  # as in a process of its own
        runpy.run_path(str(path), run_name="__main__")
    printed = capsys.readouterr().out.splitlines()
    pictures = [workshop / line for line in printed if line.endswith(".png")]
    assert pictures
    assert all(picture.read_bytes().startswith(b"\x89PNG") for picture in pictures)
    assert len(printed) > len(pictures)  # numbers, too
