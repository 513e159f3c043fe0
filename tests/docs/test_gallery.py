"""The gallery has a page for every subject; what cannot be drawn for want of data or a package says so."""

from __future__ import annotations

import importlib
from pathlib import Path
from types import SimpleNamespace

import pytest

from empirics import data
from empirics.experiments import registry

EXTENSIONS = Path(__file__).resolve().parents[2] / "docs" / "_extensions"
STUDY = SimpleNamespace(name="a-study", question="Does it fall?", figure="Figure 1")


@pytest.fixture
def figures(monkeypatch):
    """docs/_extensions/figures.py, which is in no package."""
    monkeypatch.syspath_prepend(str(EXTENSIONS))
    return importlib.import_module("figures")


def failing(figures, monkeypatch, problem):
    def run(*_arguments, **_options):
        raise problem

    monkeypatch.setattr(figures.store, "run_or_load", run)


def test_every_subject_has_a_page(figures):
    assert set(figures.TITLES) == set(registry.subjects())
    assert len(set(figures.TITLES.values())) == 5


@pytest.mark.parametrize("folder", [None, "", "/nowhere/images"])
def test_absent_data_are_named_without_paths(figures, monkeypatch, tmp_path, folder):
    monkeypatch.delenv("CLOSEDFORM_DATA", raising=False)
    if folder is not None:
        monkeypatch.setenv("CLOSEDFORM_DATA", folder)
    with pytest.raises((ValueError, FileNotFoundError)) as caught:
        data.load("mnist")
    failing(figures, monkeypatch, caught.value)
    page = "\n".join(figures.section(STUDY, {"label": None}, tmp_path, "smoke")).replace("\\", "")  # of escapes
    assert page.count("*Not drawn here.* Data are absent: ") == 1
    assert "CLOSEDFORM_DATA" in page
    assert "nowhere" not in page
    assert "closedform run a-study --scale smoke" in page


def test_an_absent_package_is_named(figures, monkeypatch, tmp_path):
    failing(figures, monkeypatch, ModuleNotFoundError("'digits' needs scikit-learn (pip install scikit-learn)"))
    page = "\n".join(figures.section(STUDY, {"label": None}, tmp_path, "smoke"))
    assert "*Not drawn here.* A package is not installed: 'digits' needs scikit-learn" in page


@pytest.mark.parametrize(
    "problem",
    [
        ModuleNotFoundError("No module named 'bridge.x'", name="bridge.x"),
        ValueError("epochs: got 0"),
        FileNotFoundError("a trace that should be there"),
    ],
    ids=["own module", "value", "file"],
)
def test_what_is_our_own_fault_ends_the_build(figures, monkeypatch, tmp_path, problem):
    failing(figures, monkeypatch, problem)
    with pytest.raises(type(problem)):
        figures.section(STUDY, {"label": None}, tmp_path, "smoke")
