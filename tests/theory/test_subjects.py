"""Tests of the discovery of subjects: in the package, and by entry points of valid and broken distributions."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import papers
import theory
from closedform.guests import GuestError
from closedform.subjects import subjects
from theory.core.formula import provenance
from theory.core.formula.provenance import Source
from theory.form_check import check_all
from theory.listing import listing
from theory.subjects import FLOOR

FORM = """
import sympy as sp
from theory.core import Argument, ClosedForm, Equation, Ruling, Source, Status

t = sp.Symbol("t", positive=True)
strength = ClosedForm(
    "saxe.strength", "Strength of a mode.", (Argument(t, "time"),), t**2, Status.CONJECTURED,
    sources=(Source("saxe2014", "eq. (1)"),),
)
PAPER = None
EQUATIONS = (Equation("saxe2014", "(1)", "A statement.", Ruling.OPEN, "Nobody looked."),)
"""
FAMILY = """
from theory.core.facade.family import Family, Parameter, integer_from
from {package}.forms import strength
import dataclasses

power = Family("saxe.power", "A power.", (Parameter("degree", "its degree", integer_from(), prefix="t_"),),
               lambda degree: dataclasses.replace(strength, name=f"saxe.power.t_{{degree}}"), ("t_2",))
"""
BIBLIOGRAPHY = """@article{saxe2014,
  author = {Saxe, Andrew M. and McClelland, James L. and Ganguli, Surya},
  title = {Exact solutions},
  year = {2014},
}
"""


@pytest.fixture
def saxe(guests):
    """A way to install a distribution: text of ``P/theory.py``, how P begins, name of the subject; returns P."""

    def install(announcement: str, start: str = "", name: str = "saxe") -> str:
        package = f"guest_{name}"
        files = {
            "__init__.py": start,
            "forms.py": FORM,
            "family.py": FAMILY.format(package=package),
        }
        announced = announcement.replace("PACKAGE", package)
        guests(name, package, {**files, "references.bib": BIBLIOGRAPHY, "theory.py": announced})
        return package

    return install


GOOD = """
FORMS = {"saxe.strength": "PACKAGE.forms:strength"}
FAMILIES = {"saxe.power": "PACKAGE.family:power"}
LEDGERS = {"saxe2014": "PACKAGE.forms"}
REFERENCES = "references.bib"
"""


def test_every_package_inside_that_announces_something_is_a_subject():
    packages = {path.parent.name for path in Path(theory.__file__).parent.glob("*/__init__.py")}
    wings = {path.parent.name for path in Path(papers.__file__).parent.glob("*/__init__.py")}
    assert {subject.name for subject in subjects(FLOOR)} == packages - {
        "core",
        "activations",
        "engine",
    } | wings
    assert not any(subject.is_guest for subject in subjects(FLOOR))


def test_a_distribution_brings_forms_families_a_ledger_and_references(saxe):
    saxe(GOOD)
    catalogue = theory.catalogue()
    assert "saxe.strength" in list(catalogue)
    assert "saxe.power.t_2" in list(catalogue)
    assert catalogue["saxe.strength"](3) == 9
    assert str(catalogue["saxe.strength"].sources[0]) == "Saxe et al. (2014), eq. (1)"
    assert catalogue["saxe.power.t_5"].name == "saxe.power.t_5"
    assert theory.ledgers()["saxe2014"] == "Exact solutions"
    assert [entry.label for entry in theory.equations("saxe2014")] == ["(1)"]
    assert theory.equations()[-1].paper == "saxe2014"


def test_the_source_of_a_guest_is_known_before_the_catalogue_is_asked(saxe):
    saxe(GOOD)
    assert Source("saxe2014", "eq. (1)").citation == "Saxe et al. (2014)"
    with pytest.raises(ValueError, match="nobody1999"):
        Source("nobody1999", "eq. (1)")


def test_finding_a_guest_imports_none_of_its_formulas(saxe):
    package = saxe(GOOD.replace("FAMILIES", "LATER"))
    assert "saxe.strength" in list(theory.catalogue())
    assert theory.ledgers()["saxe2014"]
    assert f"{package}.forms" not in sys.modules


def test_a_distribution_without_theory_is_no_subject_here(guests):
    guests("saxe", "guest_saxe", {"empirics.py": ""})
    assert "saxe" not in {subject.name for subject in subjects(FLOOR)}


@pytest.mark.parametrize(
    ("announcement", "start", "words"),
    [
        (
            GOOD,
            "raise RuntimeError('no such library')",
            r"dist-of-guest_saxe.*'saxe'.*no such library.*py, line 1\)",
        ),
        (
            "import a_library_that_is_not_there",
            "",
            r"a_library_that_is_not_there.*theory\.py, line 1\)",
        ),
        ("FORMS = ['saxe.strength']", "", r"saxe.*theory\.py\)"),
        (
            "FORMS = {'saxe.strength': print}",
            "",
            r"FORMS: got .* needs a dictionary of strings \(.*theory\.py\)",
        ),
        ("FORMS = {'saxe.strength': 'PACKAGE.forms'}", "", "needs 'module:attribute'"),
        ("LEDGERS = {'saxe2014': 'PACKAGE.forms:EQUATIONS'}", "", "needs 'module'"),
        (
            "FORMS = {'two_point.loss': 'PACKAGE.forms:strength'}",
            "",
            "'two_point.loss' is announced twice.*guest_saxe",
        ),
        (
            "FAMILIES = {'geometry.scalar_curvature': 'PACKAGE.family:power'}",
            "",
            "by theory.geometry.*guest_saxe",
        ),
        (
            "FAMILIES = {'two_point.loss': 'PACKAGE.family:power'}",
            "",
            "closed form 'two_point.loss' is announced twice",
        ),
        (
            "LEDGERS = {'vanrossem2024': 'PACKAGE.forms'}",
            "",
            "the ledger 'vanrossem2024' .* papers.vanrossem2024 and by",
        ),
    ],
)
def test_a_broken_guest_or_one_that_takes_a_name_is_named_once_and_left_out(
    saxe, announcement, start, words
):
    saxe(announcement, start)
    with pytest.warns(RuntimeWarning, match=words) as warned:
        catalogue = theory.catalogue()
    assert len(warned) == 1
    assert not any(name.startswith("saxe") for name in catalogue)
    assert catalogue["two_point.final_distance"].steps
    assert catalogue["geometry.scalar_curvature.erf"]
    assert theory.equations("vanrossem2024")


def test_a_guest_that_is_named_like_a_subject_is_left_out(saxe):
    saxe(GOOD, name="two_point")
    with pytest.warns(
        RuntimeWarning, match=r"the subject 'two_point' is announced twice.*guest_two_point"
    ):
        assert "saxe.strength" not in theory.catalogue()
    assert theory.catalogue()["two_point.loss"]


def test_of_two_guests_of_one_name_the_first_stays(guests):
    for package in ("guest_one", "guest_two"):
        guests("saxe", package, {"theory.py": f"FORMS = {{'{package}.x': '{package}.forms:x'}}"})
    with pytest.warns(
        RuntimeWarning,
        match=r"guest_two.*the distribution dist-of-guest_one has a subject of this name",
    ):
        assert [name for name in theory.catalogue() if name.startswith("guest")] == ["guest_one.x"]


def test_a_family_that_cannot_be_imported_is_left_out(saxe):
    saxe(GOOD.replace("PACKAGE.family:power", "PACKAGE.absent:power"))
    with pytest.warns(RuntimeWarning, match=r"saxe\.power.*absent"):
        assert "saxe.strength" in list(theory.catalogue())
    assert "saxe.power" not in theory.catalogue()


BROKEN = {
    "theory.py": "FORMS = {'saxe.strength': 'guest_saxe.forms:strength'}",
    "forms.py": "import sys\nsys.exit(7)",
}


def test_a_form_that_ends_the_program_names_file_and_line_and_is_left_out_of_lists(guests):
    guests("saxe", "guest_saxe", BROKEN)
    words = (
        r"the distribution dist-of-guest_saxe: its closed form 'saxe.strength' raises "
        r"SystemExit: 7 \(.*py, line 2\)"
    )
    with pytest.raises(GuestError, match=words):
        theory.catalogue()["saxe.strength"]
    with pytest.warns(RuntimeWarning, match=words):
        names = [each.name for each in listing()]
    assert "two_point.loss" in names
    assert "saxe.strength" not in names


def test_a_form_that_ends_the_program_fails_its_check_beside_those_of_others(guests):
    guests("saxe", "guest_saxe", BROKEN)
    ours, theirs = check_all(["collapse.noise_floor", "saxe.strength"], processes=1)
    assert ours.holds
    assert [name for _, name, _ in theirs.verdicts] == ["UNDECIDED"]
    assert "SystemExit: 7" in theirs.verdicts[0][0]


@pytest.mark.parametrize(
    "forms", ["import sys\nsys.exit(7)", "EQUATIONS = (1,)", "", FORM + "EQUATIONS *= 2"]
)
def test_a_ledger_that_cannot_be_read_is_left_out(guests, forms):
    announcement = "LEDGERS = {'saxe2014': 'guest_saxe.forms'}; REFERENCES = 'references.bib'"
    guests(
        "saxe",
        "guest_saxe",
        {"theory.py": announcement, "references.bib": BIBLIOGRAPHY, "forms.py": forms},
    )
    with pytest.warns(RuntimeWarning, match="its ledger 'saxe2014' raises"):
        known = {entry.paper for entry in theory.equations()}
    assert known == set(theory.ledgers()) - {"saxe2014"}
    with pytest.raises(GuestError, match="saxe2014"):
        theory.check_ledger("saxe2014")


def test_a_ledger_without_a_reference_is_left_out(saxe):
    saxe("LEDGERS = {'nobody1999': 'PACKAGE.forms'}")
    with pytest.warns(RuntimeWarning, match="its ledger 'nobody1999' raises.*references.bib"):
        assert "nobody1999" not in theory.ledgers()


def test_a_bibliography_that_is_not_there_is_left_out(saxe):
    saxe("REFERENCES = 'absent.bib'")
    with pytest.warns(RuntimeWarning, match=r"its bibliography raises .*absent\.bib"):
        assert Source("vanrossem2024", "eq. (1)").citation.startswith("van Rossem")


def test_of_two_references_the_first_stays(saxe):
    saxe("REFERENCES = 'references.bib'", name="one")
    saxe("REFERENCES = 'references.bib'", name="two")
    with pytest.warns(
        RuntimeWarning,
        match=r"guest_two: the reference 'saxe2014' is in references.bib of .*guest_one",
    ):
        assert provenance.references()["saxe2014"]["title"] == "Exact solutions"
