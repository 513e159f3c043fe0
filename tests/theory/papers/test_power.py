"""What is shown is what runs: an error planted in the shown form of any entry changes its verdict."""

import pytest

import theory
from theory.core.power import DECIDED, survivors
from theory.core.unlinked import UnlinkedEquation

SAMPLE = 2  # errors planted in each entry by the fast suite
# Entries whose programs do not read what they show, still to be rewritten: these numbers may only fall, to zero.
UNLINKED = {"vanrossem2024": 132, "paccolat2021": 56, "cheong2025": 97, "zavatoneveth2023": 207, "jacot2024": 102}
LINKED = [
    pytest.param(entry, id=" ".join(entry.key))
    for entry in theory.equations()
    if not isinstance(entry, UnlinkedEquation) and entry.verdict in DECIDED
]


@pytest.mark.parametrize(("paper", "most"), UNLINKED.items())
def test_entries_that_do_not_read_what_they_show_become_fewer(paper, most):
    labels = [entry.label for entry in theory.equations(paper) if isinstance(entry, UnlinkedEquation)]
    assert len(labels) == most, f"set the number of {paper} to {len(labels)}; still unlinked: {', '.join(labels)}"


@pytest.mark.parametrize("entry", LINKED)
def test_planted_errors_are_noticed(entry):
    assert survivors(entry, SAMPLE) == []


@pytest.mark.slow
@pytest.mark.parametrize("entry", LINKED)
def test_no_planted_error_survives(entry):
    assert survivors(entry) == []
