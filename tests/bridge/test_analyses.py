"""What can be run can be reported: every analysis that is announced exists, and every run has one."""

import pytest

from bridge import analyses
from bridge.analysis import seeds_named
from bridge.cli.runs import singles
from empirics.experiments import STUDIES


@pytest.mark.parametrize("name", [*STUDIES, *singles()])
def test_every_run_has_an_analysis(name):
    assert analyses.current_name(name) in analyses.ANALYSES


@pytest.mark.parametrize("mapping", [analyses.ANALYSES, analyses.FITS])
def test_everything_announced_is_there(mapping):
    assert all(callable(function) for function in mapping.values())


@pytest.mark.parametrize(("numbers", "text"), [([], ""), ([3], "seed 3"), (("3", 5), "seeds 3, 5")])
def test_seeds_are_named(numbers, text):
    assert seeds_named(numbers) == text
