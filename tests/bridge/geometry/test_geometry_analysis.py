"""Tests of extrapolation, association and boundary against closed forms, and with planted deviations."""

from __future__ import annotations

import json
import math
from dataclasses import replace

import numpy as np
import pytest
import xarray as xr
from scipy import stats

from bridge import geometry

WIDTHS = np.array([20.0, 40.0, 80.0, 160.0, 320.0])


@pytest.fixture
def random():
    return np.random.default_rng(3)


class TestExtrapolation:
    def test_the_misfit_is_the_probability_of_a_larger_chi2_with_estimated_errors(self, random):
        """Five widths with three realisations have ten degrees of freedom; an independent ratio of chi² decides."""
        limit = geometry.extrapolate(WIDTHS, random.normal(size=(5, 3)))
        ratio = (random.chisquare(2, 400_000) / 2) / (random.chisquare(10, 400_000) / 10)
        for chi2 in (1.0, 6.0, 12.0):
            assert replace(limit, chi2=chi2).misfit == pytest.approx(
                (ratio > chi2 / 2).mean(), abs=0.004
            )

    def test_a_polynomial_in_one_over_width_is_found_exactly(self):
        shape = 2.0 - 3.0 / WIDTHS + 50.0 / WIDTHS**2
        noise = np.array([-1.0, 0.0, 1.0]) * 1e-3  # scatter without a mean
        found = geometry.extrapolate(WIDTHS, shape[:, None] + noise)
        assert found.limit == pytest.approx(2.0, abs=1e-9)
        np.testing.assert_allclose(found.coefficients, [2.0, -3.0, 50.0], rtol=1e-6)
        np.testing.assert_allclose(found.predict([20.0, 1e9]), [shape[0], 2.0], rtol=1e-6)
        assert found.degrees == 2

    def test_errors_cover(self, random):
        """z of 400 extrapolations: mean 0 and variance 1 within five standard errors of each."""
        shape = (1.0 + 2.0 / WIDTHS)[None, :, None]
        samples = shape + random.normal(size=(400, 5, 40)) / np.sqrt(WIDTHS)[:, None]
        z = np.array([geometry.extrapolate(WIDTHS, each).z(1.0) for each in samples])
        assert abs(z.mean()) < 5 / np.sqrt(400)
        assert abs(z.var() - 1) < 5 * np.sqrt(2 / 400)

    def test_a_planted_deviation_is_seen(self, random):
        samples = 1.02 + 2.0 / WIDTHS[:, None] + 0.01 * random.normal(size=(5, 50))
        assert geometry.extrapolate(WIDTHS, samples).z(1.0) > 3

    @pytest.mark.parametrize(
        ("widths", "samples", "options", "message"),
        [
            ([20.0, 20.0, 40.0], np.ones((3, 4)), {}, "widths: got"),
            ([20.0, 40.0, 80.0], np.ones((2, 4)), {}, "samples: got shape"),
            ([20.0, 40.0, 80.0], np.ones((3, 2)), {}, "samples: got shape"),
            ([20.0, 40.0, 80.0], np.full((3, 4), np.nan), {}, "samples: .* NaN"),
            ([20.0, 40.0, 80.0], np.ones((3, 4)), {"order": 3}, "order: got 3"),
        ],
    )
    def test_refusals(self, widths, samples, options, message):
        with pytest.raises(ValueError, match=message):
            geometry.extrapolate(widths, samples, **options)


def random_networks(deviation, noise=1e-3, activation="erf"):
    """A trace of random networks whose means are the closed form, plus a deviation, plus scatter."""
    import theory.geometry
    from theory import activations

    norms, random = np.linspace(0, 2, 4), np.random.default_rng(0)
    form = theory.geometry.volume_element(getattr(activations, activation.upper()))
    exact = form(d=2, r=norms**2, sigma=1.0, zeta=1.0)
    values = (
        exact + deviation(WIDTHS)[:, None, None, None] + noise * random.normal(size=(5, 30, 2, 4))
    )
    config = {"activation": activation, "dimension": 2, "sigma": 1.0, "zeta": 1.0}
    dims = ("width", "realisation", "direction", "input")
    coords = {"width": WIDTHS, "input": norms}
    return xr.Dataset({"volume_element": (dims, values)}, coords, {"config": json.dumps(config)})


class TestConvergence:
    def test_the_rate_and_the_limit_are_found(self):
        found = geometry.convergence(random_networks(lambda n: -1.0 / n))
        assert found.agrees
        assert found.closed_form == "geometry.volume_element.erf"
        assert found.rate.interval[0] < -1.0 < found.rate.interval[1]
        assert found.rate.error < 0.1

    def test_a_limit_that_is_off_is_seen(self):
        assert not geometry.convergence(random_networks(lambda n: 0.01 - 1.0 / n)).agrees

    @pytest.mark.parametrize(("of_limit", "agrees"), [(0.999, True), (1.001, False)])
    def test_the_limit_for_three_networks_is_that_of_two_degrees_of_freedom(
        self, of_limit, agrees
    ):
        """With two degrees of freedom, the quantile of Student's distribution at p is (2p - 1)/sqrt(2p(1 - p))."""
        p = math.erfc(-3 / math.sqrt(2)) / 2
        z = of_limit * (2 * p - 1) / math.sqrt(2 * p * (1 - p))
        found = geometry.convergence(random_networks(lambda n: -1.0 / n))
        limits = tuple(
            replace(limit, limit=value + z * limit.error)
            for limit, value in zip(found.limits, found.expected, strict=True)
        )
        assert replace(found, samples=found.samples[:, :3], limits=limits).agrees is agrees

    def test_another_rate_is_seen(self):
        found = geometry.convergence(random_networks(lambda n: 1.0 / np.sqrt(n)))
        assert found.rate.interval[0] > -1.0

    def test_no_rate_without_a_deviation(self):
        assert geometry.convergence(random_networks(lambda n: 0 * n)).rate is None

    def test_refusals(self):
        trace = random_networks(lambda n: 1 / n)
        with pytest.raises(ValueError, match="quantity: got 'volume'"):
            geometry.convergence(trace, "volume")
        with pytest.raises(ValueError, match="trace: got a Dataset without curvature"):
            geometry.convergence(trace, "curvature")
        trace["volume_element"][0, 0, 0, 0] = np.nan
        with pytest.raises(ValueError, match="is not finite"):
            geometry.convergence(trace)


class TestBoundary:
    def test_distance_to_a_line(self):
        x, y = np.linspace(-1, 1, 21), np.linspace(-2, 2, 41)
        margin = (3 * x[None] + 4 * y[:, None] - 1) / 5
        np.testing.assert_allclose(
            geometry.distance_to_boundary(x, y, margin)[15:26, 8:13],
            np.abs(margin)[15:26, 8:13],
            rtol=1e-9,
            atol=1e-15,
        )

    def test_no_boundary_no_distance(self):
        assert np.isinf(geometry.distance_to_boundary([0, 1], [0, 1], np.ones((2, 2)))).all()

    def test_refusals(self):
        with pytest.raises(ValueError, match="x: got shape"):
            geometry.boundary_lines([1, 0], [0, 1], np.ones((2, 2)))
        with pytest.raises(ValueError, match=r"margin: got shape \(2, 2\), needs \(3, 2\)"):
            geometry.boundary_lines([0, 1], [0, 1, 2], np.ones((2, 2)))


class TestAssociation:
    def test_monotone_is_one(self):
        gap = np.linspace(0, 1, 20)
        found = geometry.association([-(gap**3)], [gap])
        assert found.per_network == pytest.approx([-1.0])
        assert found.expands is None
        assert np.isnan(found.interval).all()

    def test_interval_over_networks(self, random):
        gaps = random.uniform(size=(12, 200))
        found = geometry.association(-2 * gaps + 0.5 * random.normal(size=gaps.shape), gaps)
        assert found.expands
        assert found.interval[0] < found.rho < found.interval[1]
        scaled = np.arctanh(found.per_network)
        error = scaled.std(ddof=1) / 12**0.5
        half = stats.t.ppf(0.975, 11) * error
        ends = np.tanh(scaled.mean() + np.array([-half, half]))
        assert (found.rho, *found.interval) == pytest.approx((np.tanh(scaled.mean()), *ends))
        assert found.error == pytest.approx(error * (1 - found.rho**2))
        assert found.slope == pytest.approx(-2, abs=5 * found.slope_error)

    @pytest.mark.parametrize(("networks", "there"), [(2, False), (3, True)])
    def test_no_interval_below_three_networks(self, random, networks, there):
        found = geometry.association(
            random.normal(size=(networks, 30)), random.uniform(size=(networks, 30))
        )
        assert np.isfinite(found.interval).all() == there
        assert (found.expands is not None) == there

    def test_one_perfect_network_does_not_decide(self, random):
        """Four inputs in order are a perfect correlation by chance; artanh(1) would drown all other networks."""
        gaps = np.tile(np.arange(4.0), (6, 1))
        volumes = [[0, 1, 2, 3], *([0, 3, 1, 2] for _ in range(5))]
        assert geometry.association(volumes, gaps).rho < 0.7

    def test_nothing_is_not_called_something(self, random):
        """The interval of unrelated numbers misses zero in about one of twenty cases: at most 11 of 80."""
        missed = 0
        for _ in range(80):
            found = geometry.association(random.normal(size=(6, 30)), random.uniform(size=(6, 30)))
            missed += not found.interval[0] <= 0 <= found.interval[1]
        assert missed <= 11

    @pytest.mark.parametrize(
        ("volume", "gap", "message"),
        [
            ([[1, 2, 3, 4]], [[1, 2, 3]], "distance.0.: got 3 for 4"),
            ([[1, 2, 3]], [[1, 2, 3]], "at least 4"),
            ([[1, 2, 3, 4]], [[-1, 2, 3, 4]], "distance.0.: got -1"),
            ([[1, 1, 1, 1]], [[1, 2, 3, 4]], "is constant, so it has no ranks"),
            ([], [], "at least one"),
        ],
    )
    def test_refusals(self, volume, gap, message):
        with pytest.raises(ValueError, match=message):
            geometry.association(volume, gap)


def plane(after, seeds=4):
    """A trace in the plane with a boundary at x = 0 and a given log-volume after training, zero plus noise before."""
    axis, random = np.linspace(-1.5, 1.5, 16), np.random.default_rng(1)
    first, second = np.meshgrid(axis, axis)
    volume = 0.1 * random.normal(size=(seeds, 2, 1, 16, 16))
    volume[:, 1, 0] += after(first, second)
    margin = np.broadcast_to(first, (seeds, 2, 16, 16))
    dims = ("seed", "epoch", "layer", "y", "x")
    coords = {"seed": np.arange(seeds), "epoch": [0, 9], "layer": [1], "x": axis, "y": axis}
    return xr.Dataset(
        {"log_volume": (dims, volume), "margin": (("seed", "epoch", "y", "x"), margin)}, coords
    )


class TestExpansion:
    def test_volume_at_the_boundary_is_found(self):
        found = geometry.expansion(plane(lambda x, y: np.exp(-4 * x**2)))
        assert found.after.expands
        assert found.change.expands
        assert not found.before.expands
        # between the quarters of the points nearest to the boundary and farthest; 1.85 between halves
        assert (found.ratio > 1.95).all()

    def test_volume_elsewhere_is_not(self):
        found = geometry.expansion(plane(lambda x, y: np.exp(-4 * y**2)))
        assert not found.change.expands

    def test_refusals(self):
        trace = plane(lambda x, y: x)
        with pytest.raises(ValueError, match="layer: got 2"):
            geometry.expansion(trace, layer=2)
        with pytest.raises(ValueError, match=r"region: got 0\.01"):
            geometry.expansion(trace, region=0.01)
        with pytest.raises(ValueError, match="no network has a decision boundary"):
            geometry.expansion(trace.assign(margin=1 + 0 * trace["margin"]))
        with pytest.raises(ValueError, match=r"needs a trace of the experiment geometry\.trained"):
            geometry.expansion(xr.Dataset())
