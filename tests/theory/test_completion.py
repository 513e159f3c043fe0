"""Tests that lazy packages list every public name, and that every listed name exists."""

from __future__ import annotations

import ast
import importlib
import pkgutil
from pathlib import Path

import pytest

import theory
from closedform.subjects import subjects
from theory.subjects import FLOOR

ROOT = Path(theory.__file__).parent
LAZY = sorted(
    stub.parent.relative_to(ROOT.parent).as_posix().replace("/", ".")
    for stub in ROOT.rglob("__init__.pyi")
)


def names_in_stub(package: str) -> set[str]:
    """The names that type checkers and editors read."""
    text = (ROOT.parent / package.replace(".", "/") / "__init__.pyi").read_text(encoding="utf-8")
    imports = [node for node in ast.parse(text).body if isinstance(node, ast.ImportFrom)]
    assert all(alias.asname == alias.name for node in imports for alias in node.names), (
        "only `as` exports from a stub"
    )
    return {alias.name for node in imports for alias in node.names}


def test_every_package_of_subjects_is_lazy():
    packages = {
        subject.announcement.__name__
        for subject in subjects(FLOOR)
        if "papers" not in subject.announcement.__name__
    }
    assert {"theory", "theory.core", "theory.activations", *packages} <= set(LAZY)


@pytest.mark.parametrize("name", LAZY)
def test_completion_shows_every_public_name(name):
    package = importlib.import_module(name)
    assert set(dir(package)) == set(package.__all__) == names_in_stub(name)
    for shown in dir(package):
        assert getattr(package, shown) is not None


@pytest.mark.parametrize("name", LAZY)
def test_importing_every_module_hides_no_public_name(name):
    package = importlib.import_module(name)
    before = {shown: getattr(package, shown) for shown in dir(package)}
    for module in pkgutil.iter_modules(package.__path__):
        importlib.import_module(f"{name}.{module.name}")
    assert {shown: getattr(package, shown) for shown in dir(package)} == before


def test_theory_shows_every_package_in_it():
    packages = {module.name for module in pkgutil.iter_modules(theory.__path__) if module.ispkg}
    assert packages <= set(dir(theory))
