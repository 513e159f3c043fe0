"""Tests of singularity up to rounding in the numerical functions: independent of last bits, scale and order."""

from __future__ import annotations

import warnings
from dataclasses import replace

import numpy as np
import pytest

from closedform.rounding import is_nonzero
from theory import leaky_resnet
from theory.collapse.separation_law import equiseparation
from theory.compression import Stripes, attractors
from theory.compression.population import by_growth_time, fastest
from theory.geometry import shallow

EPS = np.finfo(np.float64).eps


def dependent(rows: int, columns: int, rng: np.random.Generator) -> np.ndarray:
    """The last column is a combination of the others, computed and moved by up to four spacings."""
    full = rng.uniform(0.5, 1.5, size=(rows, columns))
    full[:, -1] = full[:, :-1] @ rng.uniform(size=columns - 1)
    return full * (1 + 4 * EPS * rng.uniform(-1, 1, size=full.shape))


def numerical_rank(matrices: np.ndarray) -> np.ndarray:
    """The number of singular values above rounding error for each of the matrices."""
    return is_nonzero(np.linalg.svd(matrices, compute_uv=False), *matrices.shape[-2:]).sum(axis=-1)


def variants(matrix: np.ndarray, rng: np.random.Generator) -> list[np.ndarray]:
    return [
        matrix,
        3 * matrix,
        matrix / 7,
        matrix[rng.permutation(len(matrix))],
        matrix[:, ::-1],
        1e-100 * matrix,
    ]


@pytest.mark.parametrize("shape", [(2, 2), (6, 3), (3, 3), (40, 12)])
def test_rank_of_dependent_columns(shape: tuple[int, int], rng: np.random.Generator) -> None:
    for _ in range(20):
        for matrix in variants(dependent(*shape, rng), rng):
            assert numerical_rank(matrix) == numerical_rank(matrix.T) == shape[1] - 1
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", leaky_resnet.IllConditionedWarning)
                cost = leaky_resnet.cost_of_identity(matrix, bias=False)
            assert cost == pytest.approx(shape[1] - 1, rel=1e-9)
            assert leaky_resnet.nonnegative_cost(matrix, bias=False) == shape[1] - 1
            with pytest.raises(ValueError, match="linearly dependent rows"):
                leaky_resnet.symmetric_geodesic(matrix.T, np.eye(shape[1]), 1.0, [0.5])


def test_map_of_a_geodesic_that_is_singular_to_rounding_is_refused(
    rng: np.random.Generator,
) -> None:
    turn = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    for least in (-2 * EPS, 0.0, 2 * EPS):
        for scale in (1.0, 3.0, 1e-100):
            singular = scale * (turn * [least, 1.0, 2.0]) @ turn.T
            with pytest.raises(ValueError, match="positive definite"):
                leaky_resnet.symmetric_geodesic(np.eye(3), (singular + singular.T) / 2, 1.0, [0.5])


def test_profiles_that_are_constant_to_rounding_have_no_correlation(
    rng: np.random.Generator,
) -> None:
    for level in (1e-30, 1.0, 7.0, 1e20):
        with pytest.raises(ValueError, match="got a constant profile"):
            equiseparation(level * (1 + EPS * rng.integers(-2, 3, size=6)))
    level_step = np.array([8.0, 4.0, 4.0 * (1 - EPS), 2.0])
    assert np.isnan(equiseparation(level_step).chance_if_falling)


def test_units_with_parallel_weights_make_no_bump(rng: np.random.Generator) -> None:
    for _ in range(50):
        one, other = rng.normal(size=(2, 3))
        weights = np.array([one, other, one]) * (1 + 4 * EPS * rng.uniform(-1, 1, size=(3, 3)))
        for scaled in (weights, 3 * weights, weights[::-1]):
            with pytest.raises(ValueError, match="linearly dependent rows"):
                shallow.erf_bumps(scaled, [0.0, 1.0, 2.0])


def test_of_attractors_that_are_equally_fast_the_first_is_taken(rng: np.random.Generator) -> None:
    """Even and odd labels have attractors in mirrored pairs, whose growth times rounding makes unequal."""
    for width in rng.uniform(0.7, 1.4, size=20):
        for labels in (Stripes((-width, width)), Stripes((-width, 0.0, width))):
            stable = [each for each in attractors(labels, 5) if each.stable]
            shortest = min(each.growth_time for each in stable)
            equal = [each for each in stable if abs(each.growth_time / shortest - 1) < 1e-9]
            assert len(equal) == 2
            assert fastest(labels, 5) == equal[0]
            for moved in (-3, -1, 1, 3):
                second = replace(equal[1], growth_time=equal[1].growth_time * (1 + moved * EPS))
                assert by_growth_time([*equal[:1], second]) == [equal[0], second]
            ordered = by_growth_time(stable)
            assert ordered[:2] == equal
            assert len(ordered) == len(stable)
