"""Tests of batched L-BFGS: minima to the last digits, independent rows, identical results after a restart."""

from __future__ import annotations

import numpy as np
import torch

from empirics.training.lbfgs import BatchedLBFGS


def rosenbrock(flat):
    """Sum over neighbours of 100 (y - x²)² + (1 - x)²; the minimum is at ones."""
    x = flat.detach().clone().requires_grad_()
    value = (100 * (x[:, 1:] - x[:, :-1] ** 2) ** 2 + (1 - x[:, :-1]) ** 2).sum(1)
    (gradient,) = torch.autograd.grad(value.sum(), x)
    return value.detach(), gradient


def run(start, steps):
    solver = BatchedLBFGS(rosenbrock, start)
    for _ in range(steps):
        solver.step()
    return solver


def test_reaches_the_minimum_of_every_row(rng):
    start = torch.from_numpy(rng.uniform(-1.0, 1.5, size=(4, 4)))
    solver = run(start, 300)
    assert float(solver.gradient.abs().max()) < 1e-8
    np.testing.assert_allclose(solver.value.min(), 0, atol=1e-16)


def test_a_row_goes_its_way_whatever_the_others_do(rng):
    start = torch.from_numpy(rng.uniform(-1.0, 1.5, size=(3, 4)))
    together = run(start, 25).parameters
    for row in range(3):
        np.testing.assert_allclose(
            run(start[row : row + 1], 25).parameters[0], together[row], rtol=1e-9
        )


def test_goes_on_from_its_state(rng):
    start = torch.from_numpy(rng.uniform(-1.0, 1.5, size=(2, 4)))
    whole = run(start, 30)
    first = run(start, 12)
    second = BatchedLBFGS(rosenbrock, start)
    second.load_state(first.state())
    for _ in range(18):
        second.step()
    assert torch.equal(second.parameters, whole.parameters)


def test_a_row_that_cannot_move_rests():
    """At the tip of |x| no step goes down: the row stays, the others go on."""

    def evaluate(flat):
        value, gradient = rosenbrock(flat)
        value[0], gradient[0] = flat[0].abs().sum(), torch.where(flat[0] >= 0, 1.0, -1.0)
        return value, gradient

    solver = BatchedLBFGS(evaluate, torch.tensor([[0.0, 0.0], [-1.0, 1.0]], dtype=torch.float64))
    for _ in range(100):
        solver.step()
    assert solver.parameters[0].tolist() == [0.0, 0.0]
    assert float(solver.value[1]) < 1e-16
