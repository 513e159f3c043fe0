"""Tests that packages import their names lazily, list all of them, and agree with their stubs."""

from __future__ import annotations

import ast
import importlib
import subprocess
import sys
from pathlib import Path

import pytest

import empirics

ROOT = Path(empirics.__file__).parent
STUBS = sorted(ROOT.rglob("__init__.pyi"))
PACKAGES = [".".join(("empirics", *stub.parent.relative_to(ROOT).parts)) for stub in STUBS]


def names(stub: Path) -> set[str]:
    """What a stub imports."""
    tree = ast.parse(stub.read_text(encoding="utf-8"))
    return {
        alias.name
        for node in tree.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }


def test_every_package_that_is_not_a_room_without_names_has_a_stub():
    packages = {
        path.parent: ast.parse(path.read_text(encoding="utf-8")).body
        for path in ROOT.rglob("__init__.py")
    }
    assert {stub.parent for stub in STUBS} == {
        package for package, body in packages.items() if len(body) > 1
    }


@pytest.mark.parametrize(("package", "stub"), [*zip(PACKAGES, STUBS, strict=True)], ids=PACKAGES)
def test_dir_shows_every_public_name_and_each_is_there(package, stub):
    module = importlib.import_module(package)
    assert set(dir(module)) == set(module.__all__) == names(stub)
    for name in dir(module):
        assert getattr(module, name) is not None
        if package == "empirics.measure":
            assert getattr(module, name).__doc__
    with pytest.raises(AttributeError, match="absent"):
        _ = module.absent


def test_importing_packages_imports_nothing_heavy():
    code = (
        "import importlib, sys\n"
        f"for package in {PACKAGES}:\n"
        "    importlib.import_module(package)\n"
        "    print(package, {'torch', 'xarray', 'numpy', 'scipy', 'torchvision'} & set(sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT.parent
    )
    assert done.stdout.splitlines() == [f"{package} set()" for package in PACKAGES]


def test_a_function_is_not_hidden_by_its_module(monkeypatch):
    """``run`` is a function of the package and a module below it, whichever is imported first."""
    name = "empirics.experiments.two_point"
    importlib.import_module(f"{name}.run")  # all that it needs is loaded, and stays
    monkeypatch.setattr(
        importlib.import_module("empirics.experiments"), "two_point", importlib.import_module(name)
    )
    loaded = {
        known: module
        for known, module in sys.modules.items()
        if known == name or known.startswith(f"{name}.")
    }
    try:
        for known in loaded:
            del sys.modules[known]
        importlib.import_module(f"{name}.run")
        assert callable(importlib.import_module(name).run)
    finally:
        sys.modules.update(loaded)


def test_every_room_with_public_names_is_one():
    assert {stub.parent.name for stub in STUBS if stub.parent.parent == ROOT} <= names(
        ROOT / "__init__.pyi"
    )
