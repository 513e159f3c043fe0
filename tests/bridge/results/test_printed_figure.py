"""Tests that the lists of printed figures and the studies name each other."""

from __future__ import annotations

import re

import pytest

from bridge.results.analyses import FIGURES
from closedform.subjects import subjects
from empirics.experiments import STUDIES
from empirics.experiments.registry import FLOOR

NUMBERED = {  # {paper: (figures of the text, figures of the appendix, tables), counted in the papers}
    "paccolat2021": [str(n) for n in range(1, 12)],
    "cheong2025": [
        *(f"1.{n}" for n in (1, 2, 3)),
        *(f"2.{n}" for n in range(1, 5)),
        *(f"3.{n}" for n in range(1, 9)),
    ],
    "zavatoneveth2023": [
        *map(str, range(1, 7)),
        "B.1",
        "C.1",
        "E.1",
        *(f"G.{n}" for n in range(1, 35)),
    ],
    "jacot2024": ["1a", "1b", "1c", "2a", "2b", "2c", "3"],
    "vanrossem2024": [*map(str, range(1, 19)), "Table 1", "Table 2"],
}


@pytest.mark.parametrize("paper", FIGURES)
def test_every_printed_figure_has_an_entry(paper):
    listed = [figure.label for figure in FIGURES[paper]]
    assert len(set(listed)) == len(listed)
    stems = {label.partition(" (")[0] for label in listed}
    assert set(NUMBERED[paper]) <= stems
    assert all(label in NUMBERED[paper] or label.startswith("Section") for label in stems)


def test_every_subject_has_its_paper():
    assert set(FIGURES) == set(NUMBERED)
    without_paper = {"finite_width"}
    assert len(FIGURES) == len({subject.name for subject in subjects(FLOOR)} - without_paper)


def test_every_study_belongs_to_a_figure_and_every_figure_to_a_study_or_reason():
    figures = [figure for paper in FIGURES for figure in FIGURES[paper]]
    assert {figure.label for figure in figures if not (figure.study or figure.reason)} == set()
    of_no_paper = {"finite-width-fluctuations", "finite-width-two-inputs"}
    assert {figure.study for figure in figures} - {""} == set(STUDIES) - of_no_paper


@pytest.mark.parametrize("paper", FIGURES)
def test_no_reason_has_a_measured_number(paper):
    """Such a number would go stale; those of settings are whole, or written out."""
    for figure in FIGURES[paper]:
        assert not re.search(r"\d[.,]?\d* ?%|\d\.\d|±", figure.reason + figure.cause), figure.label
