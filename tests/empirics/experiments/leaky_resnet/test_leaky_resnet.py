"""Tests of the experiments on Leaky ResNets: configuration, records, resumption, and the studies at every scale."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from empirics import experiments
from empirics.experiments import leaky_resnet
from empirics.experiments.leaky_resnet import Config
from empirics.training.loop import DivergedError

SMALL = Config(
    dimensions=(4, 2, 4), hidden=6, points=20, test_points=10, width=8, layers=5, depths=(2.0, 3.0), adam=60,
    polishing=20, seeds=2,
)  # fmt: skip


@pytest.fixture(scope="module")
def trace():
    return leaky_resnet.run(SMALL, progress=False)


def test_depths_are_kept_as_numbers():
    assert Config(depths=[1, 2]).depths == (1.0, 2.0)


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"depths": ()}, ValueError, "depths: got"),
        ({"depths": (2.0, 2.0)}, ValueError, "needs distinct numbers"),
        ({"depths": (-1.0,)}, ValueError, "depths: got -1.0, needs a positive number"),
        ({"depths": "3"}, TypeError, "depths: got '3'"),
        ({"dimensions": (4,)}, ValueError, "dimensions: got"),
        ({"width": 3}, ValueError, "width: got 3"),
        ({"points": 4}, ValueError, "points: got 4"),
        ({"slope": 1.0}, ValueError, "slope: got 1.0"),
        ({"bias": 1}, TypeError, "bias: got 1"),
        ({"decay": 0.0}, ValueError, "decay: got 0.0"),
        ({"decay": float("nan")}, ValueError, "decay: got nan"),
        ({"continued": True}, ValueError, "continued: got True"),
    ],
)
def test_bad_values_are_refused(change, error, message):
    with pytest.raises(error, match=message):
        replace(SMALL, **change)


def test_run_records_every_layer_of_every_network(trace):
    assert dict(trace.sizes) == {
        "depth": 2, "seed": 2, "record": 2, "node": 6, "layer": 5, "rank": 8, "component": 2
    }  # fmt: skip
    counted_from = {"layer": 1, "node": 0, "rank": 1, "component": 1}
    for name, first in counted_from.items():
        np.testing.assert_array_equal(trace[name], first + np.arange(trace.sizes[name]))
    for name in trace.data_vars:
        if name not in ("cost_of_identity", "kinetic_energy"):  # infinite off the image
            assert np.isfinite(trace[name]).all(), name
        assert trace[name].attrs["long_name"]
    np.testing.assert_allclose(trace.decay, [0.25 / 2, 0.25 / 3])
    total = trace.cost + trace.penalty
    assert bool((total.isel(record=-1) < total.isel(record=0)).all())
    assert (trace.diverged_at == -1).all()
    # the two directions of the plane are orthogonal, the wider one first
    p = trace.projection.values
    np.testing.assert_allclose((p[..., 0] * p[..., 1]).sum(-1), 0, atol=1e-9)
    assert (p.std(-2)[..., 0] >= p.std(-2)[..., 1]).all()


def test_batch_is_its_members_one_by_one(trace):
    """The same seed at the same depth alone: the same teacher, network and Adam; rounding is all that differs."""
    alone = leaky_resnet.run(replace(SMALL, depths=(3.0,), seeds=1, first_seed=1), progress=False)
    np.testing.assert_allclose(
        alone.cost.isel(depth=0, seed=0), trace.cost.isel(depth=1, seed=1), rtol=1e-6
    )


def test_same_again_bit_for_bit(trace):
    assert leaky_resnet.run(SMALL, progress=False).drop_attrs().identical(trace.drop_attrs())


def test_learned_maps_and_adaptive_mesh():
    data = leaky_resnet.run(
        replace(SMALL, maps="learned", mesh="adaptive", bias=False, polish="sgd"), progress=False
    )
    steps = data.position.diff("node")
    np.testing.assert_allclose(steps.sum("node"), 1, rtol=1e-12)
    assert float(steps.max() / steps.min()) > 1.2


def test_diverged_network_is_marked_or_raised():
    wild = replace(SMALL, learning_rate=1e80, polish="sgd", polishing=0)
    with pytest.raises(DivergedError, match=r"seed 0 at effective depth \d at step \d+, seed 1"):
        leaky_resnet.run(wild, progress=False)


def test_mark_keeps_the_others(monkeypatch):
    """One network of four is poisoned after its start."""
    from empirics.training.leaky_objective import Objective

    whole = Objective.flat

    def poisoned(self):
        flat = whole(self)
        flat[2] = np.nan
        return flat

    monkeypatch.setattr(Objective, "flat", poisoned)
    with pytest.warns(
        RuntimeWarning, match="training diverged: seed 0 at effective depth 3 at step 0;"
    ):
        data = leaky_resnet.run(SMALL, progress=False, on_divergence="mark")
    assert data.diverged_at.values.tolist() == [[-1, -1], [0, -1]]
    assert np.isnan(data.stable_cost_of_identity[1, 0]).all()
    assert np.isfinite(data.stable_cost_of_identity[0]).all()


def test_continued_networks_start_from_those_of_the_smaller_effective_depth():
    small = replace(SMALL, polish="smoothed", adam=30, polishing=20)
    found = leaky_resnet.run(replace(small, continued=True), progress=False)
    assert found.sizes["record"] == 1
    alone = leaky_resnet.run(replace(small, depths=(2.0,)), progress=False)
    for name in ("hamiltonian", "smoothed_residual", "weight_values"):
        np.testing.assert_array_equal(found[name].sel(depth=2.0), alone[name].sel(depth=2.0))
    unaided = leaky_resnet.run(replace(small, depths=(3.0,), adam=1), progress=False)
    continued, anew = (
        (one.cost + one.penalty).sel(depth=3.0).isel(record=-1) for one in (found, unaided)
    )
    assert (continued < 0.9 * anew).all()


def test_states_are_those_of_the_smoothed_network():
    """The stationarity of the layers makes up the smoothed gradient; that on one side of the kinks is far larger."""
    sizes = {
        "dimensions": (3, 1, 3),
        "hidden": 6,
        "points": 20,
        "width": 6,
        "layers": 6,
        "depths": (3.0,),
    }
    trace = experiments.run(
        Config(**sizes, adam=100, polish="smoothed", polishing=150), progress=False
    )
    size = trace.position.diff("node").values * (trace.weight_values**2).sum("rank").values
    whole = np.sqrt((size * trace.stationarity.values**2).sum(-1) / size.sum(-1))
    np.testing.assert_allclose(whole, trace.smoothed_residual, atol=1e-3)
    assert bool((trace.residual.isel(record=-1) > trace.smoothed_residual + 0.01).all())


RANKS = experiments.STUDIES["leaky-resnet-ranks"].configs("smoke")


@pytest.mark.slow
@pytest.mark.parametrize("label", RANKS)
def test_smoke_scale_learns(label, trained):
    (data,) = trained([RANKS[label]])
    # of the targets' variance
    assert bool((data.cost.isel(record=-1) < 0.2 * RANKS[label].dimensions[-1]).all())


@pytest.mark.slow
def test_gap_follows_the_teachers_inner_dimension():
    """At laptop size the weights in the middle keep k* + 1 directions, in critical networks; the last is the mean."""
    config = experiments.STUDIES["leaky-resnet-ranks"].configs("laptop")["k* = 3, with bias"]
    data = experiments.run(config, progress=False).isel(depth=0)
    values = data.weight_values.values[:, config.layers // 2, : config.dimensions[0]]
    assert ((values[:, :-1] / values[:, 1:]).argmax(1) + 1).tolist() == [4, 4, 4]
    assert float(data.smoothed_residual.max()) < 0.2
    whole, centred = (
        data[name].isel(node=config.layers // 2, rank=3)
        for name in ("activation_values", "centred_values")
    )
    assert float((centred / whole).max()) < 0.5


@pytest.mark.gpu
def test_gpu_agrees_with_the_cpu(trace):
    import torch

    if not torch.cuda.is_available():
        pytest.skip("no CUDA device")
    there = leaky_resnet.run(replace(SMALL, device="cuda"), progress=False)
    np.testing.assert_allclose(there.cost.isel(record=0), trace.cost.isel(record=0), rtol=1e-10)
    np.testing.assert_allclose(there.cost.isel(record=-1), trace.cost.isel(record=-1), rtol=0.05)
