"""Tests of the stages of smoothed L-BFGS on networks of a few units: when Newton's method begins, and restarts."""

from __future__ import annotations

import pytest
import torch

from empirics.training import leaky_smoothing
from empirics.training.lbfgs import BatchedLBFGS
from empirics.training.leaky_hessian import DampedNewton
from empirics.training.leaky_smoothing import SmoothedLBFGS
from tests.empirics.training import layer_rule

STEPS = 60


@pytest.fixture(autouse=True)
def _never_critical(monkeypatch):
    # so that every stage takes all of its steps
    monkeypatch.setattr(leaky_smoothing, "CRITICAL", 0.0)


def begun():
    objective = layer_rule.problem(width=5, layers=3, smoothing=False)
    return objective, SmoothedLBFGS(objective, objective.flat(), STEPS, newton=True)


def test_the_last_steps_are_newtons_at_the_last_widths():
    objective, minimiser = begun()
    kinds, widths, residuals = [], [], []
    while not minimiser.done:
        kinds.append(type(minimiser._minimiser))
        widths.append(minimiser.widths)
        residuals.append(minimiser.residual)
        minimiser.step()
        assert objective.smoothing is None
    newton = leaky_smoothing.NEWTON
    assert kinds == [BatchedLBFGS] * (STEPS - newton) + [DampedNewton] * newton
    assert all(torch.equal(width, minimiser.widths) for width in widths[-newton - 1 :])
    assert len({width.sum().item() for width in widths}) == len(leaky_smoothing.WIDTHS)
    assert bool((minimiser.residual < residuals[-newton]).all())


@pytest.mark.parametrize("stop", [20, STEPS - 3], ids=["L-BFGS", "Newton"])
def test_continues_from_its_state(stop):
    _, minimiser = begun()
    for _ in range(stop):
        minimiser.step()
    _, other = begun()
    other.load_state(minimiser.state())
    for _ in range(stop, STEPS):
        minimiser.step()
        other.step()
    assert torch.equal(other.parameters, minimiser.parameters)
    assert torch.equal(other.residual, minimiser.residual)
