"""Tests of products with the Hessian of Leaky ResNets against autodiff through the layer rule."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import pytest
import torch

from empirics.experiments.leaky_resnet.config import Config
from empirics.training.leaky_hessian import Hessian
from empirics.training.leaky_objective import Objective
from tests.empirics.training import layer_rule
from tests.empirics.training.layer_rule import DECAYS

ROUNDING = 1e-9


problem = partial(layer_rule.problem, width=5, layers=4)


def exact(objective, net, vector):
    """Return the Hessian of one network's cost plus penalty times a vector by autodiff, ``[parameter]``."""
    nets, y = objective.nets, objective.target[net]
    rho, depth = nets.rho[net], nets.depth[net]

    def total(flat):
        weights = flat.reshape(nets.weights[net].shape)
        cost = (layer_rule.outputs(objective, net, weights) - y).square().sum() / y.shape[1]
        return cost + DECAYS[net] / (2 * depth) * (rho[:, None, None] * weights**2).sum()

    return torch.autograd.functional.hvp(total, nets.weights[net].flatten(), vector)[1]


@pytest.mark.parametrize("case", [{}, {"bias": False}, {"smoothing": False}, {"linear": True, "bias": False}], ids=str)
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


def test_trained_maps_are_refused():
    objective = problem()
    trained = Objective(objective.nets, objective.x, objective.target, objective.decay, learned_maps=True)
    with pytest.raises(ValueError, match="trains the maps of its networks"):
        Hessian(trained, trained.flat())
    with pytest.raises(ValueError, match="maps: got learned, needs 'fixed' with polish 'newton'"):
        replace(Config(), polish="newton", maps="learned")
