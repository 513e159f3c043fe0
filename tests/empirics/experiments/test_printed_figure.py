"""Tests that the lists of printed figures and the studies name each other, and that labels are read."""

from __future__ import annotations

import re

import pytest

from bridge.printed import studies_of
from closedform.subjects import subjects
from empirics.experiments import FIGURES, STUDIES
from empirics.experiments.printed_figure import labels
from empirics.experiments.registry import FLOOR

NUMBERED = {  # {paper: (figures of the text, figures of the appendix, tables), counted in the papers}
    "paccolat2021": [str(n) for n in range(1, 12)],
    "cheong2025": [*(f"1.{n}" for n in (1, 2, 3)), *(f"2.{n}" for n in range(1, 5)), *(f"3.{n}" for n in range(1, 9))],
    "zavatoneveth2023": [*map(str, range(1, 7)), "B.1", "C.1", "E.1", *(f"G.{n}" for n in range(1, 35))],
    "jacot2024": ["1a", "1b", "1c", "2a", "2b", "2c", "3"],
    "vanrossem2024": [*map(str, range(1, 19)), "Table 1", "Table 2"],
}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Figure 8", ["8"]),
        ("Figures 3.1 to 3.4", ["3.1", "3.2", "3.3", "3.4"]),
        ("Figures 5 and 7 (top)", ["5", "7 (top)"]),
        ("Figures 3 and G.8 to G.11", ["3", "G.8", "G.9", "G.10", "G.11"]),
        ("Figures 1b, 1c", ["1b", "1c"]),
        ("control of Figure 1b", ["1b"]),
        ("Sections 1.3 and 1.5", ["Section 1.3", "Section 1.5"]),
        ("Section A.6 and Figure 2", ["2", "Section A.6"]),
        ("Figures 16 to 18 and Table 2", ["16", "17", "18", "2"]),
    ],
)
def test_labels(text, expected):
    assert list(labels(text)) == expected


@pytest.mark.parametrize("paper", FIGURES)
def test_every_printed_figure_has_an_entry(paper):
    listed = [figure.label for figure in FIGURES[paper]]
    assert len(set(listed)) == len(listed)
    stems = {label.partition(" (")[0] for label in listed}
    assert set(NUMBERED[paper]) <= stems
    assert all(label in NUMBERED[paper] or label.startswith("Section") for label in stems)


def test_every_subject_has_its_paper():
    assert set(FIGURES) == set(NUMBERED)
    assert len(FIGURES) == len(subjects(FLOOR))


def test_every_study_belongs_to_a_figure_and_every_figure_to_a_study_or_reason():
    named = set()
    for paper in FIGURES:
        for figure in FIGURES[paper]:
            studies = studies_of(figure, paper)
            assert set(studies) <= set(STUDIES)
            assert studies or figure.reason, f"{paper} {figure.label}: neither a study nor a reason"
            named |= set(studies)
    assert named == set(STUDIES)


@pytest.mark.parametrize("paper", FIGURES)
def test_no_reason_has_a_measured_number(paper):
    """Such a number would go stale; those of settings are whole, or written out."""
    for figure in FIGURES[paper]:
        assert not re.search(r"\d[.,]?\d* ?%|\d\.\d|±", figure.reason + figure.cause), figure.label


def test_every_label_of_a_study_is_listed():
    for study in STUDIES.values():
        home = STUDIES.targets[study.name].partition(":")[0].rpartition(".")[0]
        listed = {f.label for paper in FIGURES if FIGURES.targets[paper].startswith(home) for f in FIGURES[paper]}
        assert {*study.figures} <= listed | {label.removeprefix("Table ") for label in listed}, study.name
