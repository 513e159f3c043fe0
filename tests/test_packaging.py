"""Tests that declared, imported and pinned dependencies agree; each check fails on a planted error."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
import zipfile
from functools import cache
from pathlib import Path

import pytest

from closedform import missing
from tests.syntax_trees import parsed, statements

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
EXTRAS = {"closedform": ("fast",), "theory": ("testing",),
          "empirics": ("empirics", "images", "cluster", "lightning", "metrics", "transformers", "testing"),
          "bridge": ("bridge", "cluster", "empirics", "sklearn", "gpytorch", "logs", "testing"),
          "papers": ("bridge", "empirics")}  # fmt: skip
IMPORTED_AS = {"scikit-learn": "sklearn", "python-flint": "flint", "lazy-loader": "lazy_loader",
               "pillow": "PIL", "dask-jobqueue": "dask_jobqueue"}  # fmt: skip
# xarray's engine, chosen by name, and what the engine stands on
USED_WITHOUT_IMPORT = {"h5netcdf", "h5py"}


def imported_as(name: str) -> str:
    """The module of a distribution, which may have another name."""
    return IMPORTED_AS.get(name, name)


def canonical(requirement: str) -> str:
    """The name of a requirement as package indices normalise it."""
    return re.sub(r"[-_.]+", "-", re.match(r"[\w.-]+", requirement)[0]).lower()


def declared(project: dict, *extras: str) -> set[str]:
    """Names of the requirements of the core and of `extras`."""
    named = [project["project"]["dependencies"]]
    named += [project["project"]["optional-dependencies"][extra] for extra in extras]
    return {canonical(requirement) for requirements in named for requirement in requirements}


@cache
def imported(directory: Path) -> set[str]:
    """Top-level modules from elsewhere that the Python files of a directory import."""
    names = set()
    for path in directory.rglob("*.py"):
        for node in statements(parsed(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                names |= {alias.name.split(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and not node.level:
                names.add(node.module.split(".")[0])
    return names - sys.stdlib_module_names - EXTRAS.keys()


def undeclared(root: Path, project: dict) -> dict[str, set[str]]:
    """Package -> modules it imports whose distribution neither the core nor its extras name."""
    found = {}
    for package, extras in EXTRAS.items():
        known = set(map(imported_as, declared(project, *extras)))
        found[package] = imported(root / package) - known
    return {package: names for package, names in found.items() if names}


def unused(root: Path, project: dict) -> set[str]:
    """Requirements of the core and of the extras for users that nothing imports."""
    everything = set().union(*(imported(root / package) for package in EXTRAS))
    names = {
        name
        for name in declared(project, "bridge", "empirics")
        if imported_as(name) not in everything
    }
    return names - USED_WITHOUT_IMPORT


def unpinned(project: dict, constraints: str) -> set[str]:
    """Requirements, the build's among them, without an exact version in constraints.txt."""
    wanted = declared(project, *project["project"]["optional-dependencies"])
    wanted |= {canonical(requirement) for requirement in project["build-system"]["requires"]}
    pinned = {
        canonical(m[1]) for m in re.finditer(r"^([\w.-]+)==[\w.]+$", constraints, re.MULTILINE)
    }
    return wanted - pinned - {"closedform"}


def lowest_bounds(project: dict) -> dict[str, tuple[int, ...]]:
    """The lowest version of each requirement of the core and of the extras that the session ``lowest`` installs."""
    optional = project["project"]["optional-dependencies"]
    texts = [*project["project"]["dependencies"], *optional["all"], *optional["test"]]
    bounds: dict[str, list[tuple[int, ...]]] = {}
    while texts:
        text = texts.pop()
        if text.startswith("closedform["):
            texts += [
                other
                for extra in re.findall(r"[\w]+", text.partition("[")[2])
                for other in optional[extra]
            ]
        else:
            lower = re.search(r">=([\d.]+)", text)
            assert lower, f"{text} has no lowest version"
            bounds.setdefault(canonical(text), []).append(release(lower[1]))
    return {name: max(versions) for name, versions in bounds.items()}


def release(version: str) -> tuple[int, ...]:
    """The numbers of a version without zeros at its end, so that 2.9 is 2.9.0."""
    return tuple(int(part) for part in re.sub(r"(\.0)+$", "", version).split("."))


def test_the_lowest_versions_are_those_that_the_project_declares():
    """And not others, with which pip could not install it; a patch release may stand for a minor one."""
    text = (ROOT / "constraints-lowest.txt").read_text(encoding="utf-8")
    pins = {
        canonical(m[1]): release(m[2])
        for m in re.finditer(r"^([\w.-]+)==([\d.]+)$", text, re.MULTILINE)
    }
    bounds = lowest_bounds(PROJECT)
    assert bounds.keys() <= pins.keys()
    assert {name: pins[name] for name, bound in bounds.items() if pins[name] < bound} == {}
    assert {
        name: pins[name] for name, bound in bounds.items() if pins[name][: len(bound)] != bound
    } == {}


def test_every_import_is_declared_and_every_declaration_used():
    assert undeclared(ROOT, PROJECT) == {}
    assert unused(ROOT, PROJECT) == set()


def test_messages_know_what_the_extras_install():
    optional = PROJECT["project"]["optional-dependencies"]
    installed = {
        extra: set(map(canonical, optional[extra])) - {"closedform"} for extra in missing.EXTRAS
    }
    named = {extra: set(map(imported_as, names)) for extra, names in installed.items()}
    assert named == {extra: set(names) for extra, names in missing.EXTRAS.items()}
    assert set(optional) - set(missing.EXTRAS) == {"all", "test", "benchmarks", "docs", "dev"}


def test_every_requirement_is_pinned():
    assert unpinned(PROJECT, (ROOT / "constraints.txt").read_text(encoding="utf-8")) == set()


def test_the_version_is_the_same_everywhere():
    version = PROJECT["project"]["version"]
    assert f"\nversion: {version}\n" in (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.search(rf"^## \[({re.escape(version)}|Unreleased)\]", changelog, re.MULTILINE)


def test_the_wheel_has_every_file_of_every_package_and_nothing_else(tmp_path):
    pytest.importorskip(
        "hatchling", reason="hatchling, which builds the package, is not installed"
    )
    command = [
        sys.executable,
        "-m",
        "hatchling",
        "build",
        "--target",
        "wheel",
        "--directory",
        str(tmp_path),
    ]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    (wheel,) = tmp_path.glob("*.whl")
    packed = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    files = {path for package in EXTRAS for path in (ROOT / package).rglob("*") if path.is_file()}
    assert packed == {
        path.relative_to(ROOT).as_posix() for path in files if "__pycache__" not in path.parts
    }
    assert {name.split("/")[0] for name in packed} == {
        "closedform",
        "theory",
        "empirics",
        "bridge",
        "papers",
    }


@pytest.fixture
def planted(tmp_path):
    """A tree that imports one module and a project that declares another."""
    for package in EXTRAS:
        (tmp_path / package).mkdir()
    (tmp_path / "theory" / "a.py").write_text("import sympy.core\nfrom os import path\n")
    extras = {extra: [] for needed in EXTRAS.values() for extra in needed}
    optional = {**extras, "bridge": ["c_d>=1"]}
    return tmp_path, {
        "build-system": {"requires": ["backend"]},
        "project": {"dependencies": ["numpy>=2"], "optional-dependencies": optional},
    }


def test_planted_lapses_are_seen(planted):
    root, project = planted
    assert undeclared(root, project) == {"theory": {"sympy"}}
    assert unused(root, project) == {"numpy", "c-d"}
    assert unpinned(project, "numpy==2.0\nC-d>=1\n") == {"c-d", "backend"}


def test_every_place_that_names_the_version_names_the_same():
    version = PROJECT["project"]["version"]
    places = {
        "CITATION.cff": f"version: {version}",
        ".zenodo.json": f'"version": "{version}"',
        "recipe/meta.yaml": f'set version = "{version}"',
        "CHANGELOG.md": f"## [{version}]",
    }
    assert [
        name
        for name, text in places.items()
        if text not in (ROOT / name).read_text(encoding="utf-8")
    ] == []


def test_the_conda_recipe_needs_what_the_core_needs():
    recipe = (ROOT / "recipe/meta.yaml").read_text(encoding="utf-8")
    run = recipe.split("  run:\n")[1].split("  run_constrained:")[0]
    listed = {line.strip(" -\n").replace(" ", "") for line in run.splitlines()} - {"python>=3.11"}
    assert listed == set(PROJECT["project"]["dependencies"])
