"""Tests of two numbers that are seen in pictures: how far labels mix in a plane, and how far weights align."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
import xarray as xr

from papers.paccolat2021.studies import kernel_components, neurons


def plane(points, labels):
    """Two networks with the same points."""
    kernel = xr.Dataset({"plane": (("seed", "point", "axis"), np.array([points] * 2))})
    return xr.Dataset({"label": (("seed", "point"), np.array([labels] * 2))}), kernel


def test_separate_clouds_have_no_mixed_neighbours(rng):
    clouds = np.concatenate([rng.normal(size=(50, 2)), 20 + rng.normal(size=(50, 2))])
    labels = np.repeat([1, -1], 50)
    np.testing.assert_array_equal(kernel_components.mixed(*plane(clouds, labels)), 0)
    # each axis counts
    np.testing.assert_array_equal(kernel_components.mixed(*plane(clouds * [1, 1e-6], labels)), 0)
    shuffled = kernel_components.mixed(*plane(clouds, rng.permutation(labels)))
    assert shuffled == pytest.approx(0.5, abs=0.2)


@pytest.mark.parametrize(("informative", "growth"), [(1, 0.5), (2, 0.0)])
def test_alignment_is_the_growth_of_the_informative_share(monkeypatch, informative, growth):
    monkeypatch.setattr(
        neurons.read, "config_of", lambda trace: SimpleNamespace(d_parallel=informative)
    )
    # two inputs of the network and none across
    before, after = (np.array([1.0, 1.0, 0.0]), np.array([3.0, 0.0, 0.0]))
    # bias and output
    states = [np.stack([np.append(weights, [9.0, 9.0])] * 4)[None] for weights in (before, after)]
    dims = ("seed", "neuron", "weight")
    trace = xr.Dataset(
        {"initial_weights": (dims, states[0]), "kept_at": (("share", *dims), states[1][None])}
    )
    assert neurons._aligned("x", trace).value == pytest.approx(growth)
