"""Tests of the three meshes: positive steps whose sum is one, as printed where the printed sum is one."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from empirics.networks import leaky_resnet

ROUNDING = 1e-14


@pytest.mark.parametrize("mesh", leaky_resnet.MESHES)
@pytest.mark.parametrize("layers", [1, 2, 3, 7, 18, 101])
def test_positive_and_sums_to_one(mesh, layers):
    rho = leaky_resnet.steps(mesh, layers)
    assert rho.shape == (layers,)
    assert bool((rho > 0).all())
    assert float(rho.sum()) == pytest.approx(1, abs=ROUNDING)


def test_irregular_is_as_printed_for_even_numbers_of_layers():
    rho = leaky_resnet.steps("irregular", 18, 0.6).numpy()
    printed = [1 / 18 + 0.6 / 18 * (1 / 4 - abs(l / 18 - 1 / 2)) for l in range(1, 19)]
    np.testing.assert_allclose(rho, printed, rtol=ROUNDING)
    assert rho.argmax() == 8  # the middle


def test_adaptive_rule_evens_out_a_given_curve():
    """On a fixed curve whose speed differs ninefold, steps that follow the rule cover equal relative distances."""

    # the relative speed is the derivative of the exponent, 1 at the start and 9 at the end
    def curve(
        p,
    ):
        return torch.exp(p + 4 * p**2)[:, None, None] * torch.ones(1, 3, 4)

    rho = leaky_resnet.steps("adaptive", 40)
    for _ in range(60):
        rho = leaky_resnet.adapted(
            rho, curve(torch.cat([rho.new_zeros(1), rho.cumsum(0)])), relaxation=0.7
        )
    path = curve(torch.cat([rho.new_zeros(1), rho.cumsum(0)]))
    distance = torch.linalg.matrix_norm(path.diff(dim=0)) / torch.linalg.matrix_norm(path[1:])
    assert float(distance.max() / distance.min()) == pytest.approx(1, abs=1e-6)
    assert float(rho.sum()) == pytest.approx(1, abs=1e-12)


def test_adaptive_rule_is_the_printed_one(rng):
    rho = torch.from_numpy(rng.dirichlet(np.ones(5)))
    path = torch.from_numpy(rng.normal(size=(6, 3, 4)))
    c = [
        float((path[l] - path[l - 1]).norm() / (rho[l - 1] * path[l].norm())) for l in range(1, 6)
    ]
    expected = np.array([1 / x for x in c]) / sum(1 / x for x in c)
    np.testing.assert_allclose(leaky_resnet.adapted(rho, path), expected, rtol=1e-12)


@pytest.mark.parametrize("layers", [1, 2, 7, 18])
def test_theory_has_the_same_meshes(layers):
    """Written twice, because neither package may import the other."""
    from theory.leaky_resnet.meshes import mesh

    np.testing.assert_allclose(
        leaky_resnet.steps("irregular", layers, 0.7), mesh("irregular", layers, a=0.7), rtol=1e-13
    )
    np.testing.assert_allclose(
        leaky_resnet.steps("equidistant", layers), mesh("equidistant", layers), rtol=1e-13
    )


@pytest.mark.parametrize("scale", [1.0, 3.0, 1e-30])
def test_a_layer_that_moves_by_rounding_only_does_not_move(scale, rng):
    path = torch.from_numpy(rng.normal(size=(4, 3, 5)))
    path[2] = path[1] * (
        1 + torch.finfo(torch.float64).eps * torch.from_numpy(rng.uniform(-2, 2, size=(3, 5)))
    )
    with pytest.raises(ValueError, match="a layer leaves its representation as it is"):
        leaky_resnet.adapted(torch.ones(3) / 3, scale * path)


def test_bad_values_are_refused():
    with pytest.raises(ValueError, match="layers: got 0"):
        leaky_resnet.steps("equidistant", 0)
    with pytest.raises(TypeError, match=r"layers: got 2\.0"):
        leaky_resnet.steps("equidistant", 2.0)
    with pytest.raises(
        ValueError, match="mesh: got 'even', needs one of equidistant, irregular, adaptive"
    ):
        leaky_resnet.steps("even", 3)
    with pytest.raises(ValueError, match="slope: got 1"):
        leaky_resnet.steps("irregular", 3, 1.0)
    with pytest.raises(ValueError, match="a layer leaves its representation as it is"):
        leaky_resnet.adapted(torch.ones(2) / 2, torch.ones(3, 2, 2))
    with pytest.raises(ValueError, match="path: got shape"):
        leaky_resnet.adapted(torch.ones(2) / 2, torch.ones(2, 2, 2))
