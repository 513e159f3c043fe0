"""Tests of the imports within ``bridge``: general tools import no subject, and no subject imports another."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

import pytest

import bridge
from closedform.subjects import subjects
from theory.subjects import FLOOR

grimp = pytest.importorskip("grimp", reason="import-linter is not installed (extra `test`)")

SUBJECTS = [
    subject.name
    for subject in subjects(FLOOR)
    if subject.announcement.__name__ == f"theory.{subject.name}"
    and subject.name != "gaussian"  # means that every subject uses; nothing of them is measured
]
TOOLS = {found.name for found in iter_modules(bridge.__path__)} - {*SUBJECTS}
WITH_NAMES = sorted(
    stub.parent.name for stub in Path(bridge.__file__).parent.glob("*/__init__.pyi")
)
DEMO = "bridge.cli.demo"  # a story about one subject, above everything else


def across(package: str, subjects: list[str], others: set[str], but: str = "") -> list[str]:
    """Imports of a subject, however indirect, by another subject or one of the others, but for those of one module."""
    graph = grimp.build_graph(package, cache_dir=None)
    if but:
        graph.remove_module(but)
    found = []
    for subject in subjects:
        imported = f"{package}.{subject}"
        for importer in sorted({*subjects, *others} - {subject}):
            chain = graph.find_shortest_chain(f"{package}.{importer}", imported, as_packages=True)
            found += [" -> ".join(chain)] if chain else []
    return found


def test_no_tool_and_no_other_subject_imports_a_subject():
    assert len(SUBJECTS) == 6
    assert {"cli", "report", "results", "arguments"} < TOOLS
    assert across("bridge", SUBJECTS, TOOLS, but=DEMO) == []


@pytest.mark.parametrize(
    ("path", "text", "imports"),
    [
        (
            "report/page.py",
            "def f():\n    from house.one import x",
            "house.report.page -> house.one",
        ),
        ("one/a.py", "from house.two import x", "house.one.a -> house.two"),
        ("report/page.py", "import house.tool", None),
    ],
)
def test_a_planted_import_is_seen(tmp_path, monkeypatch, path, text, imports):
    for name in ("one", "two", "report", "tool"):
        (tmp_path / "house" / name).mkdir(parents=True)
        (tmp_path / "house" / name / "__init__.py").write_text("x = 1")
    (tmp_path / "house" / "__init__.py").write_text("")
    (tmp_path / "house" / path).write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "house", raising=False)
    assert across("house", ["one", "two"], {"report", "tool"}) == ([imports] if imports else [])


def test_completion_shows_every_subject_and_every_function():
    functions = {"Comparison", "analyse", "compare", "explore"}
    assert {*SUBJECTS, *functions} | {*WITH_NAMES} - {"explorer"} <= set(dir(bridge))
    assert {*SUBJECTS} < {*WITH_NAMES}


@pytest.mark.parametrize("name", WITH_NAMES)
def test_completion_shows_every_public_name_of(name):
    package = import_module(f"bridge.{name}")
    assert dir(package) == sorted(package.__all__) != []
    assert all(getattr(package, public) is not None for public in dir(package))


def test_the_dossier_stays_a_function_when_its_package_is_imported():
    import bridge.dossier.network

    assert callable(bridge.dossier)
