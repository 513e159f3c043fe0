"""The ledger of Cheong (2025): all that is numbered, the misprints that were found, Algorithm 1, the flip of signs."""

import numpy as np
import pytest

from papers.cheong2025 import ledger as paper
from papers.cheong2025.ledger import algorithm_1
from papers.cheong2025.ledger.algorithm_1 import FAULTS, definition, lines, value_of
from papers.cheong2025.ledger.conclusions import LABELS, REPRESENTATIONS, best_encoders, told_apart
from papers.cheong2025.ledger.costs import cost
from papers.cheong2025.ledger.usable import separable_points
from theory.collapse.usable_information import sufficiency


def labels():
    return [entry.label for entry in paper.EQUATIONS]


def test_numbered_equations_are_there_in_order():
    wanted = [*(f"(1.{i})" for i in range(1, 6)), "(2.1)", *(f"(B.{i})" for i in range(1, 6))]
    assert [label for label in labels() if label in wanted] == wanted


def test_theorems_algorithms_and_footnotes_are_there():
    assert {"Theorem 1", "Theorem 2", "Theorem 3", "NC1", "NC2", "NC3", "NC4"} <= set(labels())
    assert {
        "Footnote 1",
        "Footnote 2",
        "Footnote 3",
        "Footnote 1 of chapter 2",
        "Footnote 1 of Appendix B",
    } <= set(labels())
    for name, entries in {"Theorem 4": 2, "Algorithm 1": 9, "Algorithm 2": 2}.items():
        assert sum(label.startswith(name) for label in labels()) == entries, name


def test_the_algorithm_needs_each_of_its_corrections():
    assert value_of(lines(1, 20)) == pytest.approx(definition())
    for fault in FAULTS:
        rest = [line for line in FAULTS if line != fault]
        assert value_of(lines(1, 20, corrected=rest)) != pytest.approx(definition())


@pytest.mark.parametrize(
    ("size", "error"),
    [("C", pytest.raises(ValueError, match="classes")), ("N", pytest.raises(KeyError))],
)
def test_the_sizes_at_its_witnesses_are_those_that_the_algorithm_takes(monkeypatch, size, error):
    """With another number of classes or samples it does not fit the example."""
    shown = algorithm_1.size_of_the_example()
    changed = {**shown, size: shown[size] + 1}
    monkeypatch.setattr(algorithm_1, "size_of_the_example", lambda: changed)
    with error:
        value_of(lines(1, 20))


def test_costs_are_those_of_the_lines_by_hand():
    # 4 samples of 2 classes in 3 dimensions, encoder for 5: 4 (5 + 3) in the first pass.
    first, between, last = cost(4, 2, 3, 5)
    assert (first["time"], first["evaluations"], last["evaluations"], last["space"]) == (
        4 * (5 + 3),
        4,
        8,
        6,
    )
    # sum 2*3 and 3 for 1/N, means 2*3, centred 2*3, M'M 2*3*2, eigenvectors 2^3
    assert between["time"] - first["time"] == 6 + 3 + 6 + 6 + 12 + 8
    # In the second pass C*D and R*C for the projections, 3 for the difference, 2 for division and norm, 2 for the sum.
    assert last["time"] - between["time"] == 4 * (5 + 3 + 6 + 2 + 2 + 2) + 1


def test_the_flip_matters_to_the_classifier_that_was_trained():
    points, labels, trained, signs = separable_points()
    assert (np.sign(points @ trained) == labels).all()
    assert (np.sign((points * signs) @ (trained * signs)) == labels).all()
    assert not (np.sign((points * signs) @ trained) == labels).all()


def test_best_encoders_of_the_population_are_those_by_the_label_and_of_two_samples_many_more():
    assert best_encoders((0, 1, 2, 3)) == [LABELS, (1, 1, 0, 0)]
    split = [values for values in REPRESENTATIONS if values[0] != values[2]]
    assert best_encoders((0, 2)) == split
    assert max(map(told_apart, split)) == 2


def test_a_decoder_with_a_loss_of_0_02_nats_shows_3_29_bits():
    certainty = np.exp(-0.02)
    decoder = np.full((10, 10), (1 - certainty) / 9) + np.eye(10) * (
        certainty - (1 - certainty) / 9
    )
    assert round(sufficiency(np.eye(10) / 10, [decoder]), 2) == 3.29
