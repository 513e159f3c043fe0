"""Tests that singularity up to rounding does not depend on last bits, scale and order of rows."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from closedform.rounding import is_nonzero
from empirics import measure
from empirics.measure.geometry.log_volume import frame
from empirics.measure.leaky_resnet.image_norm import Image
from empirics.training.geodesic import independent_columns

EPS = torch.finfo(torch.float64).eps


def dependent(rows: int, columns: int, rng: np.random.Generator) -> torch.Tensor:
    """A random matrix whose last column is a combination of the others, computed and hence rounded."""
    full = rng.normal(size=(rows, columns))
    full[:, -1] = full[:, :-1] @ rng.normal(size=columns - 1) if columns > 2 else full[:, 0]
    full *= 1 + EPS * rng.integers(-2, 3, size=full.shape)
    return torch.from_numpy(full)


def variants(matrix: torch.Tensor, rng: np.random.Generator) -> list[torch.Tensor]:
    order = torch.from_numpy(rng.permutation(len(matrix)))
    return [matrix, 3 * matrix, matrix / 7, matrix[order], matrix.flip(1), 1e-100 * matrix]


@pytest.mark.sampled(2)
@pytest.mark.parametrize(("rows", "columns"), [(2, 2), (5, 2), (6, 3), (40, 12), (300, 60)])
def test_dependent_columns_are_seen(rows, columns, rng):
    for _ in range(20 if rows < 300 else 3):
        for matrix in variants(dependent(rows, columns, rng), rng):
            assert not bool(independent_columns(matrix))
            assert bool(frame(matrix[None]).singular)
            values = torch.linalg.svdvals(matrix)
            assert int(is_nonzero(values, rows, columns).sum()) == columns - 1
            assert int(Image.of(matrix).kept.sum()) == columns - 1


@pytest.mark.parametrize(("rows", "columns"), [(2, 2), (6, 3), (40, 12)])
def test_nearly_dependent_columns_are_not(rows, columns, rng):
    """A thousand times beyond rounding there is a rank, a volume and a condition number."""
    for _ in range(20):
        matrix = dependent(rows, columns, rng)
        matrix[:, -1] += (
            1e-10 * torch.from_numpy(rng.normal(size=rows)) * matrix.norm() / rows**0.5
        )
        for one in variants(matrix, rng):
            assert bool(independent_columns(one))
            assert not bool(frame(one[None]).singular)
            assert bool(Image.of(one).kept.all())


def test_columns_of_zeros_and_too_few_rows_are_dependent():
    assert not bool(independent_columns(torch.tensor([[1.0, 0.0], [0.0, 0.0], [2.0, 0.0]])))
    assert not bool(independent_columns(torch.ones(1, 2)))
    assert not bool(independent_columns(torch.tensor([[1.0, torch.nan], [0.0, 1.0]])))
    assert not bool(is_nonzero(torch.zeros(2), 2, 2).any())


def test_precision_of_the_numbers_counts(rng):
    """Copies that float32 made different are copies."""
    matrix = torch.from_numpy(rng.normal(size=(6, 3)))
    matrix[:, 2] = matrix[:, 1] * (
        1 + torch.finfo(torch.float32).eps * torch.from_numpy(rng.uniform(-1, 1, 6))
    )
    assert bool(independent_columns(matrix))
    assert not bool(independent_columns(matrix.float()))


def test_each_matrix_of_a_batch_is_judged_by_itself(rng):
    independent = torch.from_numpy(rng.normal(size=(4, 3)))
    batch = torch.stack([independent, dependent(4, 3, rng), 0 * independent])
    assert independent_columns(batch).tolist() == [True, False, False]
    assert not independent_columns(batch.mT).any()  # more columns than rows


def test_a_map_of_rank_one_less_has_no_volume(rng):
    """The volume element is that of all directions or of none: never a number that rounding made."""
    for _ in range(10):
        for jacobian in variants(dependent(8, 4, rng), rng)[:4]:
            x = torch.zeros(1, 4, dtype=torch.float64)
            assert (
                float(measure.log_volume_element(lambda y, j=jacobian: y @ j.T, x)) == -torch.inf
            )
            wide = float(
                measure.log_volume_element(lambda y, j=jacobian: y @ j, torch.zeros(1, 8).double())
            )
            expected = float(torch.linalg.svdvals(jacobian)[:3].log().sum())
            assert wide == pytest.approx(expected, abs=1e-9)
