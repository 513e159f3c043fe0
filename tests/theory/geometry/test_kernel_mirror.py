"""Tests of the half of a symmetric matrix that is written from the other half."""

from __future__ import annotations

import numpy as np
import pytest

from closedform import compiled
from theory.geometry.kernel_mirror import mirror


@pytest.mark.parametrize("choice", ["off", "on"])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("size", [5, 8, 71])
def test_what_is_above_the_diagonal_is_written_below(choice, dtype, size, monkeypatch, rng):
    monkeypatch.setattr(compiled, "choice", choice)
    for height, width, step in ((size, size, 1), (size, size, 2), (16, 24, 1), (9, 40, 1)):
        whole = rng.normal(size=(size, 2 * size + 3)).astype(dtype)
        matrix, before = whole[:, : step * size : step], whole.copy()
        expected = np.triu(matrix) + np.triu(matrix, 1).T
        for top in range(0, size, height):
            for left in range(top, size, width):
                mirror(matrix, top, left, min(height, size - top), min(width, size - left))
        assert np.array_equal(matrix, expected)
        beside = np.ones(whole.shape, dtype=bool)
        beside[:, : step * size : step] = False
        assert np.array_equal(whole[beside], before[beside])
