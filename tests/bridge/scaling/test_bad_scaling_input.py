"""Tests that bad input to a scaling fit raises an error that names the argument."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bridge

X = np.geomspace(1, 100, 6)
Y = 2 * X**-0.5 + 0.1
FIT = bridge.scaling.fit(X, Y)
BAD = st.sampled_from([np.nan, np.inf, -np.inf])
rows = st.integers(0, 5)


def refused(match, x, y, errors=None, *, kind=ValueError, **options):
    with pytest.raises(kind, match=match):
        bridge.scaling.fit(x, y, errors, **options)


def changed(values, row, value):
    result = np.array(values, dtype=float)
    result[row] = value
    return result


@given(row=rows, value=BAD)
def test_not_finite(row, value):
    refused("x: .*NaN or infinity", changed(X, row, value), Y)
    refused("y: .*NaN or infinity", X, changed(Y, row, value))
    refused("errors: .*NaN or infinity", X, Y, changed(Y, row, value))


@given(row=rows, value=st.floats(-1e6, 0))
def test_not_positive(row, value):
    refused("x: got", changed(X, row, value), Y)
    refused("errors: got", X, Y, changed(Y, row, value))
    refused("geometric", X, np.tile(changed(Y, row, value)[:, None], 4), average="geometric")


@given(points=st.integers(0, 2))
def test_too_few_points(points):
    refused("at least 3", X[:points], Y[:points])
    refused("3 points for 3 free parameters, needs more", X[:3], Y[:3])


@given(rows=st.lists(rows, min_size=2, max_size=2, unique=True))
def test_repeated_x(rows):
    refused("repeated", changed(X, rows[0], X[rows[1]]), Y)


@given(length=st.integers(1, 12).filter(lambda n: n != 6))
def test_lengths_that_differ(length):
    refused("y: got shape", X, np.ones(length))
    refused("errors: got shape", X, Y, np.ones(length))


@given(repetitions=st.integers(3, 9).filter(lambda n: n != 6))
def test_transposed_repetitions(repetitions):
    refused("transpose", X, np.random.default_rng(0).normal(size=(repetitions, 6)))


@given(repetitions=st.integers(1, 2))
def test_too_few_repetitions(repetitions):
    refused("at least 3", X, np.tile(Y[:, None], repetitions))


@given(repetitions=st.integers(3, 6))
def test_identical_repetitions(repetitions):
    refused("identical", X, np.tile(Y[:, None], repetitions))


def test_errors_and_repetitions():
    refused(
        "errors: got some for y with repetitions",
        X,
        np.random.default_rng(0).normal(size=(6, 4)),
        Y,
    )


@given(value=st.floats(-1e3, 1e3))
def test_constant_y(value):
    refused("constant", X, np.full(6, value), np.ones(6))


@pytest.mark.slow
@given(text=st.text(min_size=1, max_size=4))
def test_text(text):
    refused("real numbers", X, [text] * 6, kind=TypeError)
    refused("average: got", X, Y, average=text + "?")


@given(
    level=st.one_of(st.floats(max_value=0), st.floats(min_value=1), st.just(True), st.just("68%"))
)
def test_level(level):
    refused("level: got", X, Y, kind=(TypeError, ValueError), level=level)


@given(seed=st.one_of(st.integers(max_value=-1), st.floats(), st.none()))
def test_seed(seed):
    refused("seed: got", X, Y, kind=(TypeError, ValueError), seed=seed)


@given(offset=BAD)
def test_offset(offset):
    refused("offset", X, Y, offset=offset)
    refused("offset", X, Y, kind=TypeError, offset=[0.0, 1.0])


@given(x=st.floats(max_value=0))
def test_predictions(x):
    with pytest.raises(ValueError, match="x: "):
        FIT.predict([x])


def test_repetitions_that_are_multiples_of_one_curve_are_refused():
    curve = np.array([0.3, 0.22, 0.17, 0.12])
    with pytest.raises(ValueError, match="y: got multiples of one curve"):
        bridge.scaling.fit(
            [100, 200, 400, 800], curve[:, None] * np.array([1, 1.05, 0.97]), offset=0.0
        )
