"""Tests of the ledger of Paccolat et al. (2021): all numbered statements, and its misprints."""

from dataclasses import replace

import pytest

from papers.paccolat2021 import ledger as paper
from papers.paccolat2021.ledger.exponents import epsilon
from papers.paccolat2021.ledger.flow import ALPHA
from papers.paccolat2021.ledger.notation import letters, trainings
from theory.core import Ruling
from theory.core.ledger.printed import Scales

P_plus, P_minus, q_plus, q_minus, lprime = letters("P_plus P_minus q_plus q_minus lprime")


def labels():
    return [entry.label for entry in paper.EQUATIONS]


def test_all_numbered_equations_and_footnotes_are_there():
    for number in range(1, 17):
        assert any(label.startswith(f"({number})") for label in labels()), number
    # Footnote 7, the base of the logarithms, belongs to footnote 8.
    for number in (1, 2, 3, 4, 5, 6, 8, 9):
        assert any(label.startswith(f"footnote {number}") for label in labels()), number


@pytest.mark.parametrize("line", ["first line", "second line", "third line"])
def test_labels_exchanged_in_one_term_of_the_entropy_are_noticed(line):
    (entry,) = (
        entry for entry in paper.EQUATIONS if entry.label == f"D conditional entropy, {line}"
    )
    of_one_label = entry.printed.subs({P_minus: P_plus, q_minus: q_plus})
    assert entry.check() is Ruling.CONFIRMED
    assert replace(entry, printed=of_one_label).check() is not Ruling.CONFIRMED


def test_small_networks_have_fitted_and_unfitted_points():
    for training in (*trainings(1.0), *trainings(1.0, ALPHA)):
        margins = training.labels * training.predictor(training.weights)
        assert margins.min() < 0.95
        assert margins.max() > 1.05


@pytest.mark.sampled(3)
@pytest.mark.parametrize("label", ["(2)", "(3)", "(4) omega", "(4) b", "(4) beta"])
def test_a_flow_that_goes_on_for_fitted_points_is_noticed(label):
    (entry,) = (entry for entry in paper.EQUATIONS if entry.label == label)
    unstopped = entry.printed.replace(lprime, lambda margin: 1)
    assert entry.check() is entry.verdict
    assert replace(entry, printed=unstopped).check() is not entry.verdict


@pytest.mark.slow
def test_a_power_of_the_error_itself_is_noticed():
    (entry,) = (entry for entry in paper.EQUATIONS if entry.label == "3.1 gain")
    for left in (epsilon**2, 1 / epsilon):
        assert (
            replace(entry, printed=Scales(left, entry.printed.rhs)).check() is not Ruling.FOLLOWS
        )
    assert (
        replace(entry, printed=Scales(epsilon**2, entry.printed.rhs**2)).check() is Ruling.FOLLOWS
    )
