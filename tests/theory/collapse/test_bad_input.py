"""Bad input to the theory of neural collapse is refused by the name of the argument: one table of calls."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from theory import collapse

GOOD = {"samples": 5, "classes": 3, "dimension": 9, "radius2": 1.0, "variance": 1.0}
POINTS, TABLE = [[1.0], [2.0]], np.array([[0.5, 0.5], [0.5, 0.5]])
# name of the argument: a function of it, and what it refuses
REFUSED = {
    "nc1_by_layer": (
        collapse.equiseparation,
        [
            [1.0, 2.0], 3.0, [1.0, 0.0, 2.0], [1.0, -1.0, 2.0], [1.0, math.nan, 2.0], [1.0, math.inf, 2.0],
            [2.0, 2.0, 2.0], [], ["a", "b", "c"], [True, True, False], [[1.0, 2.0], [3.0]],
            np.ma.masked_array([1.0, 2.0, 3.0], mask=[0, 1, 0]),
        ],
    ),
    "priors": (
        collapse.simplex_nc1,
        [
            [1.0], [0.5, 0.6], [0.5, -0.5, 1], ["a", "b"], [None, 1], [float("nan"), 1], itertools.repeat(0.1),
        ],
    ),
    "probabilities": (collapse.entropy, [[0.5, 0.6], [1.5, -0.5]]),
}  # fmt: skip
CALLS = [
    (lambda: collapse.equiseparation([3.0, 2.0, 1.0], draws=0), "draws"),
    *((lambda bad=bad: collapse.exact_nc1(POINTS, bad), "labels")
      for bad in ([0, 0], [0, 2], [0], [0.0, 1.0], [-1, 0])),
    (lambda: collapse.exact_nc1([[np.nan], [2.0]], [0, 1]), "features"),
    (lambda: collapse.exact_nc1([], []), "features"),
    (lambda: collapse.exact_nc1([["a"], ["b"]], [0, 1]), "features"),
    *((lambda function=function: function([[1, 2], [3, 4], [1, 2], [3, 4]], [0, 0, 1, 1]), "coincide")
      for function in (collapse.exact_nc1, collapse.exact_two_pass_nc1)),
    *((lambda bad=bad: collapse.relabelling(bad, 10), "class_index")
      for bad in ([0.0, 1.0], [[0, 1]], [], [-1, 0])),
    *((lambda bad=bad: collapse.relabelling([0, 1], bad), "classes") for bad in (1, 2.0, True)),
    (lambda: collapse.relabelling([0, 100], 10, 2), "digits"),
    *((lambda bad=bad: collapse.relabelling_counts(*bad), "class_size|classes|digit")
      for bad in ((0, 2, 0), (5, 1, 0), (5, 2, -1), (5.0, 2, 0), (5, 2, 0.0))),
    (lambda: collapse.cross_entropy([[0.5, 0.5]], [[0.5, 0.6]]), "decoder"),
    (lambda: collapse.cross_entropy([[0.5, 0.5]], [[1.0]]), "decoder"),
    (lambda: collapse.sufficiency([[0.5, 0.5]], []), "decoders"),
    (lambda: collapse.minimality([0.5, 1], [0, 1], 2, [TABLE]), "representation"),
    (lambda: collapse.minimality([0, 9], [0, 1], 2, [TABLE]), "representation"),
    (lambda: collapse.minimality([0, 1], [0, 0], 2, [TABLE]), "labels"),
    (lambda: collapse.minimality([0, 1], [0, 1], 2, np.float32(0.1)), "decoders"),
    (lambda: collapse.relabelled_information([0, 1], [0, 1], [0, 1], 2, []), "decoders"),
    (lambda: collapse.relabelled_information([0, 1], [0, 1], [0, 2], 2, [TABLE]), "new_labels"),
]  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_bad_values_of_one_argument_are_refused_by_its_name(name: str) -> None:
    function, values = REFUSED[name]
    for value in values:
        with pytest.raises((ValueError, TypeError), match=name):
            function(value)


def test_bad_calls_are_refused_by_the_name_of_the_argument() -> None:
    for call, name in CALLS:
        with pytest.raises((ValueError, TypeError), match=name):
            call()


@pytest.mark.parametrize(
    ("name", "values"),
    {
        "samples": (1, 2.0), "classes": (1, True), "dimension": (0,), "radius2": (-1.0, math.nan, "one"),
        "variance": (0.0, [1.0, 2.0]),
    }.items(),
)  # fmt: skip
def test_bad_numbers_of_finite_samples_are_refused_by_name(name: str, values: tuple) -> None:
    for value in values:
        with pytest.raises((ValueError, TypeError), match=name):
            collapse.finite_sample_nc1(**{**GOOD, name: value})
