"""Tests of norms with K against 60-digit arithmetic and dense solves; infinite costs are reported."""

from __future__ import annotations

import mpmath
import numpy as np
import pytest
import scipy.linalg
import torch

from empirics.measure.leaky_resnet.image_norm import Image
from empirics.measure.leaky_resnet.path import path_state


def exact(m, s, gamma):
    """Tr M (S'S + γ)^-1 M' in 60 digits."""
    with mpmath.workdps(60):
        big_m, big_s = mpmath.matrix(m.tolist()), mpmath.matrix(s.tolist())
        k = big_s.T * big_s + mpmath.mpf(gamma) * mpmath.eye(s.shape[1])
        inverse = mpmath.inverse(k)
        product = big_m * inverse * big_m.T
        return float(sum(product[i, i] for i in range(m.shape[0])))


@pytest.mark.parametrize("gamma", [1e-6, 1e-2, 3.0])
def test_stable_norm_in_sixty_digits(gamma, rng):
    for rows, points in ((3, 6), (6, 3), (5, 5)):
        s, m = rng.normal(size=(rows, points)), rng.normal(size=(4, points))
        image = Image.of(torch.from_numpy(s))
        ours = float(
            image.project(torch.from_numpy(m)).stable_norm2(
                torch.tensor(gamma, dtype=torch.float64)
            )
        )
        assert ours == pytest.approx(exact(m, s, gamma), rel=1e-12)


def test_norm_in_sixty_digits(rng):
    s, m = rng.normal(size=(6, 4)), rng.normal(size=(3, 4))
    image = Image.of(torch.from_numpy(s))
    projection = image.project(torch.from_numpy(m))
    assert float(projection.norm2()) == pytest.approx(exact(m, s, 0), rel=1e-12)
    assert float(projection.residual()) < 1e-14


def state_of(a, bias=False, **options):
    path = torch.stack([torch.from_numpy(np.asarray(a, dtype=float))] * 2)
    path[1] *= 1.5
    return path_state(path, torch.ones(1), 2.0, bias=bias, **options)


def test_cost_of_identity_of_an_ill_conditioned_nonnegative_matrix_is_its_rank():
    """A 6 x 6 Hilbert matrix has condition number 1.5e7; forming K would square it."""
    state = state_of(scipy.linalg.hilbert(6))
    assert state.cost_of_identity[0] == pytest.approx(6, abs=3e-9)
    assert state.condition[0] == pytest.approx(1.5e7, rel=0.01)


def test_blunt_numbers_come_with_a_warning():
    with pytest.warns(
        RuntimeWarning, match=r"condition number 1.6e\+13, so the relative error may be"
    ):
        state_of(scipy.linalg.hilbert(10))


def test_off_the_image_the_cost_is_infinite():
    """One unit that is negative at a point: σ is zero there, so no weight can carry it on."""
    state = state_of([[1.0, -2.0], [1.0, 0.0]])
    assert state.cost_of_identity[0] == np.inf
    assert state.image_residual[0] == pytest.approx(2 / np.sqrt(6), rel=1e-12)
    assert state.kinetic_energy[0] == np.inf
    assert np.isfinite(state.stable_cost_of_identity).all()


def test_rank_of_nonnegative_representations(rng):
    a = rng.uniform(size=(7, 3)) @ rng.uniform(size=(3, 20))
    np.testing.assert_allclose(state_of(a).cost_of_identity, 3, rtol=1e-10)


def test_zero_representation():
    state = path_state(torch.zeros(2, 2, 3), torch.ones(1), 2.0, bias=False)
    np.testing.assert_array_equal(state.cost_of_identity, 0)
    np.testing.assert_array_equal(state.stable_cost_of_identity, 0)
