"""Tests of the experiment on small Leaky ResNets and geodesics: configuration, data and records."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from empirics.experiments.leaky_resnet import geodesics
from empirics.experiments.leaky_resnet.geodesics import Config

SOLVED = 1e-6  # relative: forty steps of the solver leave so much of an action that is flat at its minimum
SMALL = Config(
    targets=(1.5, 0.8), points=2, layers=(4, 6), adam=150, polishing=100, solving=40, seeds=2
)


@pytest.fixture(scope="module")
def trace():
    return geodesics.run(SMALL, progress=False)


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"layers": (2, 4)}, ValueError, "needs distinct numbers above the depth 3"),
        ({"layers": (4, 4)}, ValueError, "layers: got"),
        ({"layers": "4"}, TypeError, "layers: got '4'"),
        ({"targets": (1.0, -1.0)}, ValueError, "targets: got -1.0"),
        ({"targets": ()}, ValueError, "points: got 2"),
        ({"points": 1}, ValueError, "needs 2 with linear, the number of targets"),
        ({"points": 3}, ValueError, "needs 1 to 2"),
        ({"bias": True}, ValueError, "needs False with linear"),
        ({"linear": 1}, TypeError, "linear: got 1"),
        ({"decay": 0.0}, ValueError, "decay: got 0.0"),
        ({"solving": 0}, ValueError, "solving: got 0"),
    ],
)
def test_bad_values_are_refused(change, error, message):
    with pytest.raises(error, match=message):
        replace(SMALL, **change)


def test_linear_data_are_white_and_mapped_by_what_was_asked_for():
    x, y = geodesics.points(SMALL)
    np.testing.assert_allclose(x @ x.mT, 2 * np.eye(2)[None].repeat(2, 0), atol=1e-12)
    for one, target in zip(x, y, strict=True):
        whole = target @ one.T / 2
        np.testing.assert_allclose(whole, whole.T, atol=1e-12)
        np.testing.assert_allclose(np.linalg.eigvalsh(whole), (0.8, 1.5), rtol=1e-12)
    assert not np.allclose(x[0], x[1])


def test_run_records_networks_and_direct_solutions(trace):
    assert dict(trace.sizes) == {"size": 2, "seed": 2, "node": 7, "unit": 2, "point": 2}
    assert float(trace.residual.max()) < 1e-6
    np.testing.assert_array_equal(
        np.isfinite(trace.path.values).all((-1, -2)).sum(-1), [[5, 5], [7, 7]]
    )
    np.testing.assert_allclose(trace.weight_norm / (2 * SMALL.depth), trace.action, rtol=SOLVED)
    assert (trace.midpoint_action < trace.action).all()
    np.testing.assert_allclose(trace.hamiltonian_spread, 0, atol=1e-5)
    assert (trace.diverged_at == -1).all()
    for name in trace.data_vars:
        assert trace[name].attrs["long_name"]


@pytest.mark.slow
def test_the_path_of_a_network_that_bends_is_the_geodesic_of_the_layer_rule():
    """The other geodesic, at midpoints, is 2 % of the path's size away; for linear data the two coincide."""
    config = replace(
        SMALL, linear=False, layers=(4,), adam=200, polishing=200, seeds=1, first_seed=1
    )
    assert geodesics.run(config, progress=False).distance.item() < 1e-3
