"""Tests that the gallery has a page for every subject, and that it states which figures could not be drawn."""

from __future__ import annotations

import importlib
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

from empirics import data
from empirics.experiments import STUDIES, registry

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


def test_every_subject_has_a_page_and_every_study_a_section(figures, monkeypatch, tmp_path):
    monkeypatch.setattr(figures, "section", lambda study, *_: [study.name])
    pages = figures.gallery(tmp_path, "smoke")
    assert set(pages) == {"gallery", *(f"gallery/{name}" for name in registry.subjects())}
    sections = [line for lines in pages.values() for line in lines if line in STUDIES]
    assert sections == list(STUDIES)
    assert pages["gallery/two_point"][0] == "Two points"


def test_a_plugin_has_a_page(figures, monkeypatch, tmp_path):
    theirs = ModuleType("theirs.empirics", "Their subject: what does it do?\n\nMore.")
    theirs.STUDIES = dict.fromkeys(["two-point-layer"])
    monkeypatch.setattr(registry, "packages", lambda: [theirs])
    monkeypatch.setattr(figures, "section", lambda study, *_: [study.name])
    pages = figures.gallery(tmp_path, "smoke")
    assert pages["gallery/theirs"][0] == "Their subject"
    assert pages["gallery/theirs"][-1] == "two-point-layer"


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


def test_without_figures_nothing_is_trained(figures, tmp_path, monkeypatch):
    monkeypatch.setattr(figures, "section", None)
    assert set(figures.gallery(tmp_path, "none")) == {"gallery"}
    assert not any(tmp_path.iterdir())
