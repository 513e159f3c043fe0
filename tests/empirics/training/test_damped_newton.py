"""Tests of damped Newton steps: minima of all rows, negative curvature, noise along stiff directions, restarts."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from empirics.training import leaky_hessian
from empirics.training.leaky_hessian import DampedNewton

# eigenvalues of the Hessian at the origin
STIFFNESS = torch.logspace(0, 6, 12, dtype=torch.float64)
DEPTHS = torch.tensor([1.0, 3.0], dtype=torch.float64)[:, None]  # one for each row


def bowl(flat):
    """Return value and gradient of a weighted sum of x² + tanh(x)², whose minimum is at zero."""
    slope = torch.tanh(flat)
    return (DEPTHS * STIFFNESS * (slope.square() + flat.square()) / 4).sum(1), (
        DEPTHS * STIFFNESS * (slope * (1 - slope.square()) + flat) / 2
    )


def curvature(flat):
    slope = torch.tanh(flat)
    second = DEPTHS * STIFFNESS * ((1 - slope.square()) * (1 - 3 * slope.square()) + 1) / 2
    return lambda vector: second * vector


def started(start, steps, hessian=curvature):
    solver = DampedNewton(bowl, hessian, torch.ones_like(start), start)
    for _ in range(steps):
        solver.step()
    return solver


def test_reaches_the_minimum_of_every_row(rng):
    start = torch.from_numpy(rng.uniform(-0.5, 0.5, size=(2, 12)))
    solver = started(start, 30)
    assert float(solver.gradient.abs().max()) < 1e-8
    assert bool((solver.damping < 1e-3).all())


def test_one_step_removes_what_is_stiff(rng):
    """The gradient falls to what conjugate gradients leave and the third derivative adds; soft directions stay."""
    start = torch.from_numpy(rng.choice([-0.1, 0.1], size=(2, 12)))
    before, after = started(start, 0), started(start, 1)
    assert bool(
        (
            after.gradient.norm(dim=1) < 2 * leaky_hessian.RESIDUAL * before.gradient.norm(dim=1)
        ).all()
    )
    assert bool(((after.parameters / start)[:, :2] > 0.99).all())


def test_steps_do_not_depend_on_the_units_of_the_parameters(rng):
    """With the diagonal in the same units, which damps and preconditions, parameters in other units take its steps."""
    start = torch.from_numpy(rng.uniform(-0.5, 0.5, size=(2, 12)))
    # so that rounding is the same
    unit = 2.0 ** torch.from_numpy(rng.integers(-5, 5, size=(2, 12)))
    plain = started(start, 0)

    def evaluate(flat):
        value, gradient = bowl(flat * unit)
        return value, gradient * unit

    def hessian(flat):
        product = curvature(flat * unit)
        return lambda vector: unit * product(unit * vector)

    scaled = DampedNewton(evaluate, hessian, unit**2, start / unit)
    for _ in range(8):
        plain.step()
        scaled.step()
        torch.testing.assert_close(
            scaled.parameters * unit, plain.parameters, rtol=1e-9, atol=1e-12
        )
    assert torch.equal(scaled.damping, plain.damping)


@pytest.mark.parametrize("error", [0.1, -1.0], ids=["too small", "negative"])
def test_a_wrong_hessian_never_raises_the_value(rng, error):
    """The damping grows until the step is short enough for any matrix."""
    start = torch.from_numpy(rng.uniform(-0.5, 0.5, size=(2, 12)))
    solver = started(start, 0, lambda flat: lambda vector: error * curvature(flat)(vector))
    for _ in range(8):
        before = solver.value
        solver.step()
        assert bool((solver.value <= before).all())
    assert bool((solver.damping > leaky_hessian.DAMPING).all())


def test_negative_curvature_is_damped_away():
    """A saddle, along which the damped model falls without bound until the damping exceeds its curvature."""
    second = torch.tensor([[-2 * leaky_hessian.DAMPING, 1e6]], dtype=torch.float64)
    start = torch.tensor([[1000.0, 15.0]], dtype=torch.float64)
    solver = DampedNewton(
        lambda flat: ((second * flat.square()).sum(1) / 2, second * flat),
        lambda flat: lambda vector: second * vector, torch.ones_like(start), start,
    )  # fmt: skip
    solver.step()
    assert torch.equal(solver.parameters, start)
    solver.step()
    left, damped = second[0, 0], second[0, 0] + leaky_hessian.FACTOR * leaky_hessian.DAMPING
    assert float(solver.parameters[0, 0]) == pytest.approx(
        1000 * float(1 - left / damped), rel=leaky_hessian.RESIDUAL
    )


@pytest.mark.parametrize(
    ("start", "end"), [(0.1, np.pi / 2), (-2.0, -2 * np.pi)], ids=["gradient", "value"]
)
def test_steps_that_raise_value_or_gradient_are_not_made(start, end):
    """A wrong Hessian leads down cos x to a larger gradient, or to the top of the next hill, where it vanishes."""
    at = torch.tensor([[start]], dtype=torch.float64)
    second = np.sin(start) / (end - start)
    solver = DampedNewton(
        lambda flat: (torch.cos(flat).sum(1), -torch.sin(flat)),
        lambda flat: lambda vector: (second - leaky_hessian.DAMPING) * vector, torch.ones_like(at), at,
    )  # fmt: skip
    solver.step()
    assert torch.equal(solver.parameters, at)
    assert float(solver.damping) > leaky_hessian.DAMPING


@pytest.mark.parametrize(("gradient", "is_made"), [((0.5, 12.0), True), ((1.5, 5.0), False)])
def test_gradients_are_compared_in_the_unit_of_the_diagonal(gradient, is_made):
    """From (1, 10), which is (1, 1) in the root of the diagonal; the value falls by far enough in any case."""
    start, diagonal = (
        torch.zeros(1, 2, dtype=torch.float64),
        torch.tensor([[1.0, 100.0]], dtype=torch.float64),
    )

    def evaluate(flat):
        has_moved = bool((flat != start).any())
        planted = gradient if has_moved else (1.0, 10.0)
        return torch.tensor([-float(has_moved)], dtype=torch.float64), torch.tensor(
            [planted], dtype=torch.float64
        )

    solver = DampedNewton(evaluate, lambda flat: lambda vector: vector, diagonal, start)
    solver.step()
    assert bool((solver.parameters != start).any()) == is_made


def test_a_resting_row_stays_and_does_not_change_the_other(rng):
    start = torch.from_numpy(rng.uniform(-0.5, 0.5, size=(2, 12)))
    solver = started(start, 0)
    solver.rest(torch.tensor([True, False]))
    for _ in range(5):
        solver.step()
    assert torch.equal(solver.parameters[0], start[0])
    assert float(solver.damping[0]) == leaky_hessian.DAMPING
    np.testing.assert_allclose(solver.parameters[1], started(start, 5).parameters[1], rtol=1e-9)
    solver.rest(torch.tensor([False, True]))
    assert solver.done


def test_continues_from_its_state(rng):
    start = torch.from_numpy(rng.uniform(-0.5, 0.5, size=(2, 12)))
    whole, part, other = started(start, 6), started(start, 3), started(torch.zeros_like(start), 0)
    other.load_state(part.state())
    for _ in range(3):
        other.step()
    assert torch.equal(other.parameters, whole.parameters)
