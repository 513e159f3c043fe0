"""Tests of the Hessian and the Gauss-Newton matrix of Leaky ResNets against autodiff, with and without smoothing."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import pytest
import torch

from empirics.experiments.leaky_resnet.config import Config
from empirics.training.leaky_hessian import GaussNewtonInverse, Hessian
from empirics.training.leaky_objective import Objective
from tests.empirics.training import layer_rule
from tests.empirics.training.layer_rule import DECAYS

ROUNDING = 1e-9


problem = partial(layer_rule.problem, width=5, layers=4)
CASES = pytest.mark.parametrize(
    "case", [{}, {"bias": False}, {"smoothing": False}, {"linear": True, "bias": False}], ids=str
)


def exact(objective, net, vector):
    """Return the Hessian of one network's cost plus penalty times a vector by autodiff, ``[parameter]``."""
    nets, y = objective.nets, objective.target[net]
    rho, depth = nets.rho[net], nets.depth[net]

    def total(flat):
        weights = flat.reshape(nets.weights[net].shape)
        cost = (layer_rule.outputs(objective, net, weights) - y).square().sum() / y.shape[1]
        return cost + DECAYS[net] / (2 * depth) * (rho[:, None, None] * weights**2).sum()

    return torch.autograd.functional.hvp(total, nets.weights[net].flatten(), vector)[1]


@CASES
def test_products_are_those_of_autodiff(case, rng):
    objective = problem(**case)
    flat = objective.flat()
    hessian = Hessian(objective, flat)
    vector = torch.from_numpy(rng.normal(size=flat.shape))
    product = hessian(vector)
    for net in range(2):
        expected = exact(objective, net, vector[net])
        torch.testing.assert_close(product[net], expected, rtol=ROUNDING, atol=ROUNDING)
        rho = objective.nets.rho[net].repeat_interleave(flat.shape[1] // 4)
        expected = DECAYS[net] / objective.nets.depth[net] * rho
        torch.testing.assert_close(hessian.penalty[net], expected, rtol=ROUNDING, atol=0)


def gauss_newton(objective, net):
    """Return D and 2/N JᵀJ of one network, with J by autodiff through the layer rule."""
    nets = objective.nets
    rho, depth = nets.rho[net], nets.depth[net]
    jacobian = torch.autograd.functional.jacobian(
        lambda weights: layer_rule.outputs(objective, net, weights).flatten(), nets.weights[net]
    ).flatten(1)
    diagonal = (
        (objective.decay[net] / depth * rho)[:, None, None].expand_as(nets.weights[net]).flatten()
    )
    return diagonal, 2 / objective.x.shape[-1] * jacobian.T @ jacobian


@pytest.mark.sampled(2)
@CASES
def test_matrix_and_inverse_are_those_of_the_jacobian(case, rng):
    """With as many probes as the rank of J the inverse is exact, too."""
    objective = problem(width=6, layers=5, **case)
    flat = objective.flat()
    inverse = GaussNewtonInverse(objective, flat, probes=60)
    vector = torch.from_numpy(rng.normal(size=flat.shape))
    for net in range(2):
        diagonal, matrix = gauss_newton(objective, net)
        root = diagonal.sqrt()
        scaled = matrix / root / root[:, None]
        product = inverse.product(vector[:, None].expand(2, 3, -1))[net, 1]
        torch.testing.assert_close(product, scaled @ vector[net], rtol=ROUNDING, atol=ROUNDING)
        expected = torch.linalg.solve(torch.diag(diagonal) + matrix, vector[net])
        torch.testing.assert_close(inverse(vector)[net], expected, rtol=1e-6, atol=1e-6)


def test_few_probes_find_the_largest_eigenvalues():
    """A sketch never has more than the matrix, and the inverse stays positive definite."""
    objective = problem(width=6, layers=5, points=40)
    inverse = GaussNewtonInverse(objective, objective.flat(), probes=20)
    for net in range(2):
        diagonal, matrix = gauss_newton(objective, net)
        root = diagonal.sqrt()
        largest = torch.linalg.eigvalsh(matrix / root / root[:, None]).flip(0)[:20]
        sketched = inverse.eigenvalues[net].flip(0)
        assert bool((sketched <= largest * (1 + ROUNDING)).all())
        torch.testing.assert_close(sketched[:3], largest[:3], rtol=0.02, atol=0)
    columns = torch.stack(
        [
            inverse(row.expand(2, -1))
            for row in torch.eye(objective.flat().shape[1], dtype=torch.float64)
        ]
    )
    assert float(torch.linalg.eigvalsh(columns[:, 0]).min()) > 0


@pytest.mark.parametrize(
    ("kind", "polish"), [(Hessian, "newton"), (GaussNewtonInverse, "gauss_newton")]
)
def test_trained_maps_are_refused(kind, polish):
    objective = problem()
    trained = Objective(
        objective.nets, objective.x, objective.target, objective.decay, learned_maps=True
    )
    with pytest.raises(ValueError, match="trains the maps of its networks"):
        kind(trained, trained.flat())
    with pytest.raises(
        ValueError, match=f"maps: got learned, needs 'fixed' with polish '{polish}'"
    ):
        replace(Config(), polish=polish, maps="learned")
