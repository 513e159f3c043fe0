"""Tests of the teachers: normalised data, whitened codes, and targets that depend only on the code of an input."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from empirics.data.teacher import teacher_data


@pytest.mark.parametrize("kind", ["fcnn", "resnet"])
@pytest.mark.parametrize("dimensions", [(6, 2, 5), (6, 4, 2, 5)])
def test_normalised_and_whitened(kind, dimensions):
    data = teacher_data(3, dimensions, 40, test_points=20, kind=kind)
    for train, test in ((data.x, data.x_test), (data.y, data.y_test)):
        both = torch.cat([train, test], 1)
        assert both.shape[1] == 60
        np.testing.assert_allclose(both.mean(1), 0, atol=1e-12)
        assert float(both.square().mean()) == pytest.approx(1, rel=1e-12)
    alone = teacher_data(3, dimensions, 60, kind=kind)
    assert [len(code) for code in alone.codes] == list(dimensions[1:-1])
    for code in alone.codes:
        np.testing.assert_allclose(code @ code.T / 60, np.eye(len(code)), atol=1e-10)


def test_targets_are_a_function_of_the_code():
    """With one inner dimension, points sorted by their code have targets on a curve: neighbours are close."""
    data = teacher_data(0, (6, 1, 5), 400)
    order = data.codes[0][0].argsort()
    y = data.y[:, order]
    assert float(y.diff(dim=1).square().mean()) < 0.05 * float(y.square().mean())


def test_nonnegative_codes_are():
    data = teacher_data(0, (6, 3, 5), 50, code="nonnegative")
    assert float(data.codes[0].min()) == 0
    assert float(teacher_data(0, (6, 3, 5), 50).codes[0].min()) < 0


def test_same_for_a_seed():
    first, again, other = (teacher_data(s, (4, 2, 3), 10) for s in (1, 1, 2))
    assert torch.equal(first.y, again.y)
    assert not torch.equal(first.x, other.x)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"dimensions": (3,)}, "needs two or more"),
        ({"dimensions": (3, 0, 3)}, "dimensions: got 0, needs an integer of at least 1"),
        ({"points": 2}, "points: got 2, needs more than the largest inner dimension"),
        ({"test_points": -1}, "test_points: got -1"),
        ({"kind": "cnn"}, "kind: got 'cnn', needs one of fcnn, resnet"),
        ({"code": "positive"}, "code: got 'positive'"),
        ({"seed": -1}, "seed: got -1"),
    ],
)
def test_bad_values_are_refused(change, message):
    with pytest.raises(ValueError, match=message):
        teacher_data(**({"seed": 0, "dimensions": (3, 2, 3), "points": 9} | change))
