"""Small runs of Leaky ResNets, and a path that is critical by construction."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from empirics.experiments import leaky_resnet
from empirics.experiments.leaky_resnet import Config, geodesics
from empirics.measure import path_state

SMALL = Config(
    dimensions=(4, 2, 4), hidden=6, points=20, test_points=10, width=8, layers=5, depths=(2.0, 3.0), adam=60,
    polishing=20, seeds=2,
)  # fmt: skip


@pytest.fixture(scope="session")
def small_trace():
    return leaky_resnet.run(SMALL, progress=False)


@pytest.fixture(scope="session")
def geodesic_trace():
    config = geodesics.Config(
        targets=(2.0, 0.6),
        points=2,
        layers=(4, 8, 16),
        adam=150,
        polishing=220,
        solving=60,
        seeds=1,
    )
    return geodesics.run(config, progress=False)


@pytest.fixture
def critical():
    """Return representations, momenta and state of a path that follows Hamilton's equations in every layer."""
    rng = np.random.default_rng(5)
    depth, layers, width, points = 2.0, 6, 4, 7
    rho = rng.uniform(0.5, 1.5, layers)
    rho /= rho.sum()
    a, b = [rng.normal(size=(width, points))], [rng.normal(size=(width, points))]
    weights = []
    for step in rho:
        b.append(0.3 * rng.normal(size=(width, points)))
        features = np.vstack([np.maximum(a[-1], 0), np.ones(points)])
        weights.append(depth * b[-1] @ features.T)
        a.append((1 - step * depth) * a[-1] + step * weights[-1] @ features)
    path, momenta = np.array(a), np.array(b)
    tensors = {
        "weights": torch.from_numpy(np.array(weights)),
        "momenta": torch.from_numpy(momenta),
    }
    state = path_state(torch.from_numpy(path), torch.from_numpy(rho), depth, gamma=1e-2, **tensors)
    return path, momenta, state, depth
