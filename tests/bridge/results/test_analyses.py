"""Tests that every announced analysis exists, and that every experiment that can be run has one."""

import pytest

from bridge.cli.runs import singles
from bridge.results import analyses
from bridge.results.analysis import seeds_named
from empirics.experiments import STUDIES
from empirics.experiments.registry import command_name


def test_every_run_has_an_analysis():
    assert {command_name(name) for name in (*STUDIES, *singles())} <= {*analyses.ANALYSES}


@pytest.mark.parametrize("mapping", [analyses.ANALYSES, analyses.FITS])
def test_everything_announced_is_there(mapping):
    assert all(callable(function) for function in mapping.values())


@pytest.mark.parametrize(
    ("numbers", "text"), [([], ""), ([3], "seed 3"), (("3", 5), "seeds 3, 5")]
)
def test_seeds_are_named(numbers, text):
    assert seeds_named(numbers) == text


def test_the_analyses_of_a_guest_are_found(guests):
    before = set(analyses.ANALYSES)
    guests(
        "their",
        "theirs",
        {"bridge.py": "ANALYSES = {'their-study': 'theirs.bridge:analyse'}\nanalyse = len"},
    )
    assert set(analyses.ANALYSES) == {*before, "their-study"}
    assert analyses.ANALYSES["their-study"] is len


def test_a_guest_that_takes_the_name_of_a_paper_is_left_out(guests):
    before = list(analyses.FIGURES)
    guests(
        "their", "theirs", {"bridge.py": "FIGURES = {'vanrossem2024': 'theirs.figures:FIGURES'}"}
    )
    with pytest.warns(
        RuntimeWarning, match="paper 'vanrossem2024' is announced twice: .*dist-of-theirs"
    ):
        assert list(analyses.FIGURES) == before


def test_an_experiment_is_analysed_under_its_own_name_too(trace):
    assert analyses.analyse("two_point", {"one": trace}).pictures


@pytest.mark.parametrize(("study", "traces"), [(-1, {}), (None, {}), ("two-point-layer", [1])])
def test_what_is_no_study_or_no_trace_is_named(study, traces):
    with pytest.raises(TypeError, match=r"^(study|traces): got (int|NoneType|list), needs"):
        analyses.analyse(study, traces)
