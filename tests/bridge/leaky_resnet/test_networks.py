"""Tests of conservation, Theorem 4, gaps and meshes of Leaky ResNets against loops, arrays and known answers."""

from __future__ import annotations

import json

import numpy as np
import pytest
import xarray as xr

import theory.leaky_resnet
from bridge import leaky_resnet as analysis

ROUNDING = 1e-10  # relative: two ways to the same number in float64, through a singular value decomposition


def test_conservation_is_what_plain_loops_find(small_trace):
    found = analysis.conservation(small_trace)
    for i, depth in enumerate(small_trace.depth.values):
        for j in range(2):
            one = small_trace.isel(depth=i, seed=j)
            rho = np.diff(one.position.values)
            rank = -2 / depth * one.hamiltonian.values
            kinetic = 2 / depth * one.stable_kinetic_energy.values
            cost = one.stable_cost_of_identity.values[:-1]
            spread = [float(np.sqrt(rho @ (x - rho @ x) ** 2)) for x in (rank, kinetic, cost)]
            here = found.isel(depth=i, seed=j)
            got = [
                float(here[name]) for name in ("variation", "kinetic_variation", "cost_variation")
            ]
            np.testing.assert_allclose(got, spread, rtol=ROUNDING)
            assert float(here["rank"]) == pytest.approx(np.median(rank), rel=ROUNDING)
            assert float(here.ratio) == pytest.approx(max(spread[1:]) / spread[0], rel=ROUNDING)
            assert float(here.residual) == float(one.residual[-1])


def test_bounds_are_those_of_the_theory_on_arrays(critical):
    path, momenta, state, depth = critical
    found = analysis.rank_bounds(analysis.of_state(state, depth)).isel(depth=0, seed=0)
    exact = theory.leaky_resnet.rank_bounds(path[:-1], momenta[1:], depth, state.gamma[:-1])
    for name in ("gap", "upper"):
        assert float(found[name]) == pytest.approx(getattr(exact, name), rel=ROUNDING)
    for name in ("speed", "speed_lower", "speed_upper", "extra"):
        np.testing.assert_allclose(
            found[name], getattr(exact, name), rtol=1e-8, atol=1e-9, err_msg=name
        )
    np.testing.assert_allclose(
        found.position, (state.position[1:] + state.position[:-1]) / 2, rtol=ROUNDING
    )
    assert float(found.minimal_cost) == pytest.approx(exact.cost.min(), rel=ROUNDING)
    assert float(found.length) == pytest.approx(np.diff(state.position) @ exact.speed, rel=1e-9)
    assert found.chain_holds == found.speed_holds == 1
    assert float(found.residual) < 1e-12


def test_a_velocity_that_is_not_that_of_a_geodesic_breaks_the_bounds(critical):
    *_, state, depth = critical
    trace = analysis.of_state(state, depth)
    trace["stable_kinetic_energy"] = 100 * trace.stable_kinetic_energy
    assert float(analysis.rank_bounds(trace).speed_holds.max()) < 0.5
    trace = analysis.of_state(state, depth)
    trace["hamiltonian"] = trace.hamiltonian - 100 * depth
    assert float(analysis.rank_bounds(trace).chain_holds.max()) == 0


def test_of_state_is_the_trace_of_the_same_network(small_trace, critical):
    *_, state, depth = critical
    trace = analysis.of_state(state, depth)
    shared = set(trace.data_vars) & set(small_trace.data_vars)
    assert {"hamiltonian", "weight_values", "momentum_norm", "residual", "path_length"} <= shared
    for name in shared - {"residual"}:
        assert trace[name].dims == small_trace[name].dims, name


def test_a_diverged_network_is_not_a_number(small_trace):
    trace = small_trace.copy(deep=True)
    for name in (
        "hamiltonian",
        "stable_kinetic_energy",
        "weight_values",
        "stable_hamiltonian",
        "residual",
    ):
        trace[name][1, 0] = np.nan
    bounds, found, gap = (
        each(trace)
        for each in (analysis.rank_bounds, analysis.conservation, analysis.spectral_gap)
    )
    assert np.isnan(
        [bounds.chain_holds[1, 0], found["rank"][1, 0], found.ratio[1, 0], gap.gap[1, 0]]
    ).all()
    assert np.isfinite(bounds.chain_holds[0]).all()
    assert (3.0, 0) in [each[:2] for each in analysis.unconverged(trace)]


def test_the_gap_is_where_it_was_put(small_trace):
    trace = small_trace.copy(deep=True)
    for position in (1, 2, 3):
        trace["weight_values"][...] = np.where(
            np.arange(8) < position, 5.0, 0.05 / (1 + np.arange(8))
        )
        found = analysis.spectral_gap(trace)
        assert (found.gap == position).all()
        assert (found.excess == position - 2).all()
        assert (found.ratio > 50).all()
        assert (found.rival <= 2).all()
    assert found.attrs["layer"] == 3
    for name, sizes in (("activation_values", "node"), ("centred_values", "node")):
        direct = trace[name].isel({sizes: 4}).values[..., :4]
        expected = (direct[..., :-1] / direct[..., 1:]).argmax(-1) + 1
        np.testing.assert_array_equal(analysis.spectral_gap(trace, of=name, layer=4).gap, expected)


def mesh_trace(mesh, costs, layers=4):
    nodes = np.linspace(0, 1, layers + 1) ** (2 if mesh == "irregular" else 1)
    place = np.broadcast_to(nodes, (1, len(costs), layers + 1))
    return xr.Dataset(
        {
            "test_cost": (("depth", "seed"), [costs]),
            "cost": (("depth", "seed", "record"), np.array(costs)[None, :, None]),
            "residual": (("depth", "seed", "record"), np.full((1, len(costs), 1), 0.3)),
            "position": (("depth", "seed", "node"), place),
            "projection": (
                ("depth", "seed", "node", "component"),
                np.stack([place, 0 * place], -1),
            ),
            "hamiltonian": (("depth", "seed", "layer"), np.ones((1, len(costs), layers))),
        },
        {"depth": [3.0], "seed": list(range(len(costs)))},
        {"config": json.dumps({"mesh": mesh})},
    )


def test_meshes_are_compared_seed_by_seed():
    """Seeds differ tenfold, the meshes by a tenth: only pairs show it."""
    even, other = (
        mesh_trace("equidistant", [1.0, 10.0, 100.0]),
        mesh_trace("irregular", [0.9, 9.0, 90.0]),
    )
    base, row = analysis.compare_meshes({"a": even, "b": other}).values()
    assert base["advantage"].isnull().all()
    expected = {
        "advantage": -np.log(0.9),
        "evenness": 7,
        "longest": 1.75,
        "beginning": 2 / 4,
        "end": 4 / 7 / 4,
    }
    for name, value in (expected | {"residual": 0.3}).items():
        np.testing.assert_allclose(row[name], [[value] * 3], err_msg=name)
    np.testing.assert_allclose(base["evenness"], 1)
    assert (row.attrs["mesh"], row.attrs["layers"]) == ("irregular", 4)
    alone, fewer = (mesh_trace("irregular", [0.9], layers=layers) for layers in (6, 4))
    compared = analysis.compare_meshes({"alone": alone, "fewer seeds": fewer, "a": even})
    assert compared["alone"]["advantage"].isnull().all()
    np.testing.assert_allclose(compared["fewer seeds"]["advantage"], [[-np.log(0.9)]])


def test_errors_are_those_over_seeds():
    values = xr.DataArray([[1.0, 2.0, 6.0]], dims=("depth", "seed"))
    mean, error = analysis.mean_and_error(values)
    assert (mean[0], error[0]) == (
        pytest.approx(3),
        pytest.approx(np.std([1, 2, 6], ddof=1) / np.sqrt(3)),
    )


@pytest.mark.parametrize("function", ["conservation", "rank_bounds", "spectral_gap", "geodesics"])
def test_what_is_no_trace_is_refused(function):
    with pytest.raises(TypeError, match="trace: got int"):
        getattr(analysis, function)(3)
    with pytest.raises(ValueError, match="without"):
        getattr(analysis, function)(xr.Dataset())


def test_bad_arguments_are_named(small_trace, critical):
    *_, state, _ = critical
    with pytest.raises(ValueError, match="layer: got 6, needs an integer from 1 to 5"):
        analysis.spectral_gap(small_trace, layer=6)
    with pytest.raises(ValueError, match="of: got 'biases'"):
        analysis.spectral_gap(small_trace, of="biases")
    with pytest.raises(ValueError, match="without the attribute 'dimensions'"):
        analysis.spectral_gap(small_trace.drop_attrs())
    with pytest.raises(ValueError, match="depth: got 0"):
        analysis.of_state(state, 0)
    with pytest.raises(TypeError, match="state: got dict"):
        analysis.of_state({}, 1.0)
    with pytest.raises(ValueError, match="limit: got -1"):
        analysis.unconverged(small_trace, -1)
    with pytest.raises(ValueError, match="at least one label"):
        analysis.compare_meshes({})
    with pytest.raises(ValueError, match="needs seed among them"):
        analysis.mean_and_error(xr.DataArray(1.0))
