"""Tests of the discovery of subjects: in the package, and by entry points of valid and broken distributions."""

from __future__ import annotations

import importlib
import sys
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

import theory
from theory import collection, ledger, subjects
from theory.core.formula import provenance
from theory.core.formula.provenance import Source

FORM = """
import sympy as sp
from theory.core import Argument, ClosedForm, Equation, Finding, Source, Status

t = sp.Symbol("t", positive=True)
strength = ClosedForm(
    "saxe.strength", "Strength of a mode.", (Argument(t, "time"),), t**2, Status.CONJECTURED,
    sources=(Source("saxe2014", "eq. (1)"),),
)
PAPER = None
EQUATIONS = (Equation("saxe2014", "(1)", "A statement.", Finding.OPEN, "Nobody looked."),)
"""
FAMILY = """
from theory.core.formula.family import Family, Parameter, whole_number
from {package}.forms import strength
import dataclasses

power = Family("saxe.power", "A power.", (Parameter("degree", "its degree", whole_number(), prefix="t_"),),
               lambda degree: dataclasses.replace(strength, name=f"saxe.power.t_{{degree}}"), ("t_2",))
"""
BIBLIOGRAPHY = """@article{saxe2014,
  author = {Saxe, Andrew M. and McClelland, James L. and Ganguli, Surya},
  title = {Exact solutions},
  year = {2014},
}
"""


@pytest.fixture
def clear():
    """Everything that is found is found anew, before the test and after it."""
    caches = (subjects.subjects, collection.catalogue, ledger.modules, provenance.references)

    def forget():
        for cached in caches:
            cached.cache_clear()

    forget()
    yield
    forget()


@pytest.fixture
def plugins(tmp_path, monkeypatch, clear):
    """A way to install a distribution: name of the subject, text of `P/theory/__init__.py`, and how P begins."""
    entries = []
    monkeypatch.setattr(subjects, "entry_points", lambda group: [e for e in entries if e.group == group])
    monkeypatch.syspath_prepend(tmp_path)
    before = set(sys.modules)

    def install(name: str, announcement: str, start: str = "", floor: bool = True) -> str:
        package = f"plugin_{len(entries)}_{tmp_path.name.replace('-', '_')}"
        folder = Path(tmp_path / package)
        (folder / "theory").mkdir(parents=True)
        (folder / "__init__.py").write_text(start)
        (folder / "references.bib").write_text(BIBLIOGRAPHY)
        (folder / "forms.py").write_text(FORM)
        (folder / "family.py").write_text(FAMILY.format(package=package))
        if floor:
            (folder / "theory" / "__init__.py").write_text(announcement.replace("PACKAGE", package))
        else:
            (folder / "theory").rmdir()
        entries.append(EntryPoint(name, package, subjects.GROUP))
        importlib.invalidate_caches()
        return package

    yield install
    for module in set(sys.modules) - before:
        if module.startswith("plugin_"):
            del sys.modules[module]


GOOD = """
FORMS = {"saxe.strength": "PACKAGE.forms:strength"}
FAMILIES = {"saxe.power": "PACKAGE.family:power"}
LEDGERS = {"saxe2014": "PACKAGE.forms"}
REFERENCES = "references.bib"
"""


def test_every_package_inside_is_a_subject_unless_it_is_named_as_none(clear):
    packages = {path.parent.name for path in Path(theory.__file__).parent.glob("*/__init__.py")}
    assert {subject.name for subject in subjects.subjects()} == packages - subjects.NO_SUBJECTS
    assert packages > subjects.NO_SUBJECTS
    assert not any(subject.is_plugin for subject in subjects.subjects())


def test_a_distribution_brings_forms_families_a_ledger_and_references(plugins):
    plugins("saxe", GOOD)
    catalogue = theory.catalogue()
    assert "saxe.strength" in list(catalogue)
    assert "saxe.power.t_2" in list(catalogue)
    assert catalogue["saxe.strength"](3) == 9
    assert str(catalogue["saxe.strength"].sources[0]) == "Saxe et al. (2014), eq. (1)"
    assert catalogue["saxe.power.t_5"].name == "saxe.power.t_5"
    assert theory.ledgers()["saxe2014"] == "Exact solutions"
    assert [entry.label for entry in theory.equations("saxe2014")] == ["(1)"]
    assert theory.equations()[-1].paper == "saxe2014"


def test_the_source_of_a_plugin_is_known_before_the_catalogue_is_asked(plugins):
    plugins("saxe", GOOD)
    assert Source("saxe2014", "eq. (1)").citation == "Saxe et al. (2014)"
    with pytest.raises(ValueError, match="nobody1999"):
        Source("nobody1999", "eq. (1)")


def test_finding_a_plugin_imports_none_of_its_formulas(plugins):
    package = plugins("saxe", GOOD.replace("FAMILIES", "LATER"))
    assert "saxe.strength" in list(theory.catalogue())
    assert theory.ledgers()["saxe2014"]
    assert f"{package}.forms" not in sys.modules


def test_a_distribution_without_theory_is_no_subject_here(plugins):
    plugins("saxe", "", floor=False)
    assert "saxe" not in {subject.name for subject in subjects.subjects()}


@pytest.mark.parametrize(
    ("announcement", "start", "words"),
    [
        (GOOD, "raise RuntimeError('no such library')", "plugin_0.*'saxe'.*no such library"),
        ("import a_library_that_is_not_there", "", "a_library_that_is_not_there"),
        ("FORMS = ['saxe.strength']", "", "saxe"),
        ("FORMS = {'saxe.strength': print}", "", "FORMS must be a dictionary of strings"),
        ("FORMS = {'saxe.strength': 'PACKAGE.forms'}", "", "must be 'module:attribute'"),
    ],
)
def test_a_broken_distribution_is_named_once_and_left_out(plugins, announcement, start, words):
    plugins("saxe", announcement, start)
    with pytest.warns(RuntimeWarning, match=words) as warned:
        catalogue = theory.catalogue()
    assert len(warned) == 1
    assert not any(name.startswith("saxe") for name in catalogue)
    assert catalogue["two_point.final_distance"].check()


def test_a_family_that_cannot_be_imported_is_left_out(plugins):
    plugins("saxe", GOOD.replace("PACKAGE.family:power", "PACKAGE.absent:power"))
    with pytest.warns(RuntimeWarning, match=r"saxe\.power.*absent"):
        assert "saxe.strength" in list(theory.catalogue())
    assert "saxe.power" not in theory.catalogue()


@pytest.mark.parametrize(
    ("announcement", "words"),
    [
        (
            "FORMS = {'two_point.loss': 'PACKAGE.forms:strength'}",
            "'two_point.loss' is announced twice.*plugin",
        ),
        (
            "FAMILIES = {'geometry.scalar_curvature': 'PACKAGE.family:power'}",
            "by theory.geometry.*plugin",
        ),
        ("FAMILIES = {'two_point.loss': 'PACKAGE.family:power'}", "as a closed form and as a family"),
    ],
)
def test_a_name_that_is_announced_twice_raises_and_names_both(plugins, announcement, words):
    plugins("saxe", announcement)
    with pytest.raises(ValueError, match=words):
        theory.catalogue()


def test_two_subjects_of_one_name_raise(plugins):
    plugins("two_point", GOOD)
    with pytest.raises(ValueError, match=r"the subject 'two_point' is announced twice.*plugin"):
        theory.catalogue()


def test_two_ledgers_of_one_paper_raise(plugins):
    plugins("saxe", "LEDGERS = {'vanrossem2024': 'PACKAGE.forms'}")
    with pytest.raises(ValueError, match=r"vanrossem2024.*theory.papers.vanrossem2024.*plugin"):
        theory.ledgers()


def test_a_reference_in_two_bibliographies_raises(plugins):
    plugins("one", "REFERENCES = 'references.bib'")
    plugins("two", "REFERENCES = 'references.bib'")
    with pytest.raises(ValueError, match=r"saxe2014.*references.bib of .*references.bib of"):
        provenance.references()
