"""Tests that integers which no computation could finish are refused by name, instead of exhausting time or memory."""

from __future__ import annotations

import numpy as np
import pytest

from theory import activations, collapse, compression, geometry, leaky_resnet
from theory.core.numbers.arguments import integer

HUGE = 10**30
LABELS = compression.Stripes((-0.5, 0.5))

REFUSED = {
    "digits": lambda: collapse.relabelling([0, 1, 2], 2, HUGE),
    "classes": lambda: collapse.relabelling_counts(12, HUGE, 0),
    "class_size": lambda: collapse.relabelling_counts(HUGE, 2, 0),
    "draws": lambda: collapse.equiseparation([3.0, 2.0, 1.2, 1.0], draws=HUGE),
    "order": lambda: activations.TANH.derivative(HUGE),
    "depth": lambda: geometry.deep_nngp(activations.ERF, HUGE),
    "layers": lambda: leaky_resnet.mesh("equidistant", HUGE),
    "neurons": lambda: compression.characteristic_time(LABELS, 10, neurons=HUGE),
    "n": lambda: integer("n", 10**5000),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_too_large_is_refused(name):
    with pytest.raises(
        ValueError, match=rf"{name}: got .*, needs an integer (of at most|from \d+ to) \d+$"
    ):
        REFUSED[name]()


def test_the_bounds_themselves_are_taken():
    assert integer("n", 2**63 - 1) == 2**63 - 1
    assert integer("n", 7, 1, 7) == 7


@pytest.mark.parametrize("digit", [3, 4, 63, 10**30 % 2**63])
def test_digits_beyond_the_size_of_a_class_are_zero(digit):
    """The indices 0 to 7 have three binary digits, 0 to 2; all others are zero."""
    np.testing.assert_array_equal(collapse.relabelling_counts(8, 2, digit), [8, 0])


def test_masked_labels_are_refused():
    labels = np.ma.masked_array([0, 0, 1, 1], mask=[False, True, False, False])
    with pytest.raises(TypeError, match="class_index: got a masked array"):
        collapse.relabelling(labels, 2)
    with pytest.raises(TypeError, match="labels: got a masked array"):
        compression.label_information(np.arange(4.0), labels, 1)
