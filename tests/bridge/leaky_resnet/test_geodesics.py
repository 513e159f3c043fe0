"""Tests of small networks against geodesics: the order, the closed form, and the detection of a planted error."""

from __future__ import annotations

import numpy as np
import pytest
import xarray as xr
from scipy.optimize import minimize_scalar

from bridge import leaky_resnet as analysis

# The networks' weights come to rest at a relative gradient of 1e-7 or less.
AT_REST = 1e-6


@pytest.mark.slow
def test_linear_networks_lie_on_the_closed_form_and_near_it_at_first_order(geodesic_trace):
    found = analysis.geodesics(geodesic_trace)
    assert float(found.networks.own_error.max()) < AT_REST
    assert float(found.networks.path_error.max()) < AT_REST
    assert float(found.networks.action_error.max()) < AT_REST
    np.testing.assert_allclose(found.orders, 1, atol=0.02)
    value, error = found.extrapolated
    assert abs(value - found.continuum) < 3 * error
    order, error = found.order
    assert abs(order - 1) < min(3 * error, abs(found.orders[-1] - 1))


@pytest.mark.parametrize("power", [1, 2])
def test_the_order_is_extrapolated(power):
    """Errors L^-p (1 + 2/L + 3/L^2) have orders below p between any two sizes."""
    sizes = np.array([4.0, 8, 12, 32])
    error = sizes**-power * (1 + 2 / sizes + 3 / sizes**2)
    orders = -np.diff(np.log(error)) / np.diff(np.log(sizes))
    networks = xr.Dataset(coords={"size": sizes})
    order, uncertainty = analysis.Geodesics(
        networks, np.ones(1, bool), error, orders, None, None
    ).order
    assert abs(orders[-1] - power) > 0.1
    assert abs(order - power) < uncertainty < 0.1
    larger = networks.isel(size=slice(1, None))
    three, uncertainty = analysis.Geodesics(
        larger, np.ones(1, bool), error[1:], orders[1:], None, None
    ).order
    assert (three, uncertainty) == (order, pytest.approx(abs(order - orders[-1])))


@pytest.mark.parametrize(("name", "linear"), [("residual", True), ("midpoint_slope", False)])
def test_seeds_that_are_not_critical_do_not_count(geodesic_trace, name, linear):
    geodesic_trace = geodesic_trace.assign_attrs(linear=int(linear))
    off = geodesic_trace.assign_coords(seed=[1]).copy(deep=True)
    off["weight_norm"][...] *= 1.5
    off[name][2] = 0.1
    both = xr.concat([geodesic_trace, off], "seed", data_vars="minimal", combine_attrs="override")
    alone, found = analysis.geodesics(geodesic_trace), analysis.geodesics(both)
    assert found.settled.tolist() == [True, False]
    assert (found.order, found.extrapolated) == (alone.order, alone.extrapolated)
    assert np.isnan(analysis.geodesics(off).order).all()


def test_continuum_is_the_optimum_by_brute_force(geodesic_trace):
    def squared(target, depth=3.0, decay=0.05):
        cost = lambda r: (target - np.exp(r)) ** 2 + decay / (2 * depth) * (depth + r) ** 2  # noqa: E731
        return (
            depth
            + minimize_scalar(cost, bounds=(-2, 2), method="bounded", options={"xatol": 1e-12}).x
        ) ** 2

    found = analysis.geodesics(geodesic_trace)
    assert found.continuum == pytest.approx(squared(2.0) + squared(0.6), rel=1e-6)
    value, error = found.extrapolated
    assert abs(value - found.continuum) < error < 0.1 * value


def test_weights_that_are_off_are_seen(geodesic_trace):
    trace = geodesic_trace.copy(deep=True)
    trace["weight_norm"] = 1.001 * trace.weight_norm
    found = analysis.geodesics(trace)
    assert float(found.networks.own_error.min()) == pytest.approx(1e-3, rel=1e-2)
    assert float(found.networks.action_error.min()) == pytest.approx(1e-3, rel=1e-2)
    bent = geodesic_trace.copy(deep=True)
    bent["path"][:, :, 2] *= 1.01
    at_middle, path = bent.path.values[:, 0, 2], geodesic_trace.path.values[:, 0]
    moved = [
        abs(node).max() / 101 / np.nanmax(abs(p)) for node, p in zip(at_middle, path, strict=True)
    ]
    found = analysis.geodesics(bent).networks.path_error.values[:, 0]
    np.testing.assert_allclose(found, moved, rtol=1e-3)


def test_one_number_of_layers_has_no_order(geodesic_trace):
    with pytest.raises(ValueError, match="needs at least two for an order"):
        analysis.geodesics(geodesic_trace.isel(size=[0]))
    two = analysis.geodesics(geodesic_trace.isel(size=[0, 1]))
    assert two.extrapolated is None
    assert (two.order[0], np.isnan(two.order[1])) == (two.orders[-1], True)


def test_a_path_that_turns_has_no_closed_form(geodesic_trace):
    trace = geodesic_trace.copy(deep=True)
    turn = np.array([[0.0, -1.0], [1.0, 0.0]])
    trace["path"].values[0, 0, 4] = turn @ trace.path.values[0, 0, 4]
    assert np.isnan(analysis.geodesics(trace).networks.path_error.values[0, 0])
    trace["path"].values[0, 0, 4] = [[1.0, 0.0], [0.0, 0.0]] @ trace.path.values[
        0, 0, 0
    ]  # singular
    assert np.isnan(analysis.geodesics(trace).networks.path_error.values[0, 0])
