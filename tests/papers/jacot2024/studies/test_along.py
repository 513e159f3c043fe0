"""Quantities along the layers of networks whose profiles are planted."""

from __future__ import annotations

import numpy as np
import pytest
import xarray as xr

from papers.jacot2024.studies import bottleneck, depths

LAYERS, SEEDS = 8, 2
NODES = LAYERS + 1
PLACE = ("depth", "seed")


def planted(kinetic, cost, momentum=None, gamma=None):
    """Return a trace of one depth whose networks have these kinetic energies and these costs, gammas and momenta."""
    whole = (1, SEEDS)
    gamma = np.ones(NODES) if gamma is None else gamma
    momentum = gamma**-0.5 if momentum is None else momentum
    at_nodes = {"position": np.linspace(0, 1, NODES), "stable_cost_of_identity": cost, "gamma": gamma,
                "momentum_norm": momentum, "image_residual": np.full(NODES, 1e-3)}  # fmt: skip
    values = np.where(np.arange(6) < 2, 4.0, 0.5)
    of_weights = np.ones((LAYERS, 6))
    of_weights[2:6, 1:] = 1e-9  # one dimension in the middle, six at the ends
    return xr.Dataset(
        {
            **{
                name: ((*PLACE, "node"), np.broadcast_to(v, (*whole, NODES)))
                for name, v in at_nodes.items()
            },
            "stable_kinetic_energy": (
                (*PLACE, "layer"),
                np.broadcast_to(kinetic, (*whole, LAYERS)),
            ),
            "weight_values": (
                (*PLACE, "layer", "rank"),
                np.broadcast_to(of_weights, (*whole, LAYERS, 6)),
            ),
            "activation_values": (
                (*PLACE, "node", "rank"),
                np.broadcast_to(values, (*whole, NODES, 6)),
            ),
            "residual": (PLACE, np.full(whole, 1e-3)),
        },
        {"depth": [7.0], "seed": np.arange(SEEDS)},
        {"dimensions": "[6, 2, 6]"},
    )


# the way to the bottleneck is part of the middle half
VALLEY = np.array([90.0, 50, 40, 4, 2, 2, 20, 30])
COSTS = np.array([9.0, 9, 5, 3.5, 3, 4, 5, 9, 9])  # within one dimension of 3 from (8/3)/8 to 5/8


def test_a_valley_is_fast_at_its_ends_and_slow_between():
    values = {
        name: float(v[0, 0])
        for name, v in bottleneck.measured(planted(VALLEY, COSTS)).data_vars.items()
    }
    assert values["kinetic_beginning"] == pytest.approx(np.log(70 / 3))
    assert values["kinetic_end"] == pytest.approx(np.log(25 / 3))
    assert values["extra_beginning"] == pytest.approx(np.log(6 / 0.75))
    assert values["extra_end"] == pytest.approx(np.log(4 / 0.75))
    assert values["weights_beginning"] == pytest.approx(5, abs=1e-6)
    assert values["weights_end"] == pytest.approx(5, abs=1e-6)
    assert values["slow_share"] == pytest.approx(7 / 24)
    assert values["slow_growth"] == 0
    assert values["peak"] == pytest.approx(np.log(40 / 50) / 2)  # below both of the lows around it
    assert values["image_distance"] == pytest.approx(-3)
    assert values["representation_separation"] == pytest.approx(np.log(8))


@pytest.mark.parametrize(("layer", "height"), [(3, np.log(100 / 4) / 2), (0, 0.0)])
def test_only_a_peak_in_the_middle_counts(layer, height):
    kinetic = np.where(np.arange(LAYERS) == layer, 100.0, [9, 8, 4, 4, 4, 4, 8, 9])
    assert float(bottleneck.measured(planted(kinetic, COSTS))["peak"][0, 0]) == pytest.approx(
        height
    )


@pytest.mark.parametrize("layers", [1, 2])
def test_networks_of_few_layers_have_no_peak(layers):
    few = planted(VALLEY, COSTS).isel(layer=slice(layers), node=slice(layers + 1))
    values = bottleneck.measured(few.assign(position=few["position"] * LAYERS / layers))
    assert np.isnan(values["peak"]).all()
    assert np.isfinite(values["slow_share"]).all()


@pytest.mark.parametrize("exponent", [-1.0, -0.5])
def test_momenta_against_activations(exponent):
    gamma = np.geomspace(1, 100, NODES)  # activations from 1 to 10
    values = bottleneck.measured(planted(VALLEY, COSTS, gamma ** (exponent / 2), gamma))
    np.testing.assert_allclose(values["momentum_exponent"], exponent)
    np.testing.assert_allclose(values["momentum_range"], 2 * (1 + exponent), atol=1e-12)


def test_approach_of_the_rank_counts_critical_networks_only():
    rank = np.array([[-1.0, -2.0, 9.0], [2.0, 2.5, 1.0], [9.0, 2.8, 1.5]])
    residual = np.where(rank == 9, 1.0, 1e-3)
    coordinates = {"depth": [1.0, 2.0, 3.0], "seed": np.arange(3)}
    data = xr.Dataset(
        {"rank": (PLACE, rank), "residual": (PLACE, residual)}, coordinates, {"inner_rank": 3}
    )
    left, rise = depths.from_below("default", data)
    assert left.value == pytest.approx(np.mean([1.0, 0.2, 1.5]), rel=1e-5)
    assert rise.value == pytest.approx(np.mean([3.0, 4.8, 0.5]), rel=1e-5)
    assert (left.relation, rise.relation) == (">", ">")


def test_the_limit_is_extrapolated_from_critical_networks_at_large_depths():
    depth = np.array([7.0, 12.0, 16.0, 24.0])
    rank = np.array([2.9, 3.1, 3.0]) - 50 / depth[:, None] ** 2
    rank[0] = rank[3, 0] = 9.0  # before the far ones, and not critical
    rank[1:3, 2] = 9.0  # one critical network alone has no line
    residual = np.where(rank == 9, 1.0, 1e-3)
    residual[0] = 1e-3
    data = xr.Dataset(
        {"rank": (PLACE, rank), "residual": (PLACE, residual)}, {"depth": depth, "seed": np.arange(3)},
        {"inner_rank": 3},
    )  # fmt: skip
    found = depths.limit("continued", data)
    assert (found.value, found.n, found.predicted) == (pytest.approx(3.0), 2, 3)
    assert found.error == pytest.approx(0.1)
