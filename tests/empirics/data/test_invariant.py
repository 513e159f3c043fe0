"""Tests of the labels of invariant data against those of the theory, and of bad input."""

import math

import numpy as np
import pytest
import torch

from empirics.data.invariant import CYLINDER, STRIPE, shell_labels, stripe_labels
from theory.compression import Shells, Stripes, equiprobable_radius, equiprobable_stripe

INPUTS = torch.randn(500, 4, generator=torch.Generator().manual_seed(0), dtype=torch.float64)


@pytest.mark.parametrize(
    ("boundaries", "leftmost"), [(STRIPE, 1), ((0.2,), -1), ((-1.0, 0.0, 0.5, 2.0), -1)]
)
def test_stripes_are_the_theorys(boundaries, leftmost):
    ours = stripe_labels(INPUTS, boundaries, leftmost).numpy()
    np.testing.assert_array_equal(ours, Stripes(boundaries, leftmost)(INPUTS[:, 0].numpy()))
    assert set(ours) == {1.0, -1.0}


@pytest.mark.parametrize(
    ("radii", "d_parallel", "innermost"), [(CYLINDER, 2, -1), ((0.5, 1.0, 2.0), 3, 1)]
)
def test_shells_are_the_theorys(radii, d_parallel, innermost):
    ours = shell_labels(INPUTS, radii, d_parallel, innermost).numpy()
    np.testing.assert_array_equal(
        ours, Shells(radii, d_parallel, innermost)(INPUTS[:, :d_parallel].numpy())
    )
    assert set(ours) == {1.0, -1.0}


def test_the_defaults_are_the_derived_thresholds():
    assert STRIPE[1] == pytest.approx(float(equiprobable_stripe()(x_min=STRIPE[0])), abs=1e-10)
    assert CYLINDER[0] == pytest.approx(float(equiprobable_radius(2)()), rel=1e-15)


def test_a_boundary_belongs_to_its_right():
    on = torch.tensor([[0.5, 0.0]])
    assert stripe_labels(on, (0.5,)).tolist() == [-1.0]
    assert shell_labels(on, (0.5,), 1).tolist() == [1.0]
    # any shape of points
    assert torch.equal(shell_labels(INPUTS[None]), shell_labels(INPUTS)[None])


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: stripe_labels(INPUTS, ()), "boundaries"),
        (lambda: stripe_labels(INPUTS, (1.0, 0.0)), "boundaries"),
        (lambda: stripe_labels(INPUTS, (math.nan,)), "boundaries"),
        (lambda: stripe_labels(INPUTS, leftmost=0), "leftmost"),
        (lambda: stripe_labels(INPUTS * math.inf), "inputs"),
        (lambda: stripe_labels(INPUTS.long()), "inputs"),
        (lambda: shell_labels(INPUTS, (-1.0,)), "radii"),
        (lambda: shell_labels(INPUTS, d_parallel=5), "d_parallel"),
        (lambda: shell_labels(INPUTS, innermost=2), "innermost"),
    ],
)
def test_bad_input(call, said):
    with pytest.raises(ValueError, match=said):
        call()
