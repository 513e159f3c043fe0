"""Tests of the quoted exponents, thresholds, the tangent kernel against random networks, and shells."""

import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest

from theory import compression
from theory.compression import Shells, Stripes
from theory.compression.ntk import cusp_exponent


@pytest.mark.parametrize("d", [2, 3, 5, 10])
def test_the_exponents_that_the_paper_quotes(d):
    lazy = compression.learning_curve_exponent("lazy")
    feature = compression.learning_curve_exponent("feature")
    for informative in range(1, min(d, 4) + 1):
        at = {"d": d, "d_parallel": informative, "cusp": 1}
        assert Fraction(str(lazy.evaluate(**at, digits=15))).limit_denominator(100) == Fraction(
            d, 3 * d - 2
        )
        better = 2 * d - 1 if informative == 1 else d + Fraction(d - informative, 2)
        exponent = better / Fraction(3 * d - 2)
        if informative < 3:
            assert float(feature(**at)) == pytest.approx(float(exponent), rel=1e-14)
        else:
            with pytest.raises(ValueError, match="lazy one at d = d_parallel"):
                feature(**at)
    assert float(compression.compression_gain()(d=d, d_parallel=1, cusp=1)) == pytest.approx(
        2 * (d - 1) / (3 * d - 2)
    )


@pytest.mark.parametrize("d", [3, 5, 10])
def test_root_p_compresses_two_informative_directions_as_far_as_it_can(d):
    """The exponent is that without uninformative directions; for more directions the printed one would exceed it."""
    lazy = compression.learning_curve_exponent("lazy")
    feature = compression.learning_curve_exponent("feature")
    assert float(feature(d=d, d_parallel=2, cusp=1)) == pytest.approx(
        float(lazy(d=2, d_parallel=2, cusp=1)), rel=1e-14
    )
    for informative in range(3, d):
        printed = (d + Fraction(d - informative, 2)) / Fraction(3 * d - 2)
        assert printed > float(lazy(d=informative, d_parallel=informative, cusp=1))


def test_the_cylinder_is_marginal():
    """At d_parallel = 3 - cusp both expressions of the gain meet; beside it they do not."""
    gain = compression.compression_gain()
    assert float(gain(d=3, d_parallel=2, cusp=1)) == pytest.approx(1 / 7)
    below, above = (float(gain(d=3, d_parallel=2, cusp=1 + step)) for step in (-1e-3, 1e-3))
    slope_below, slope_above = ((float(gain(d=3, d_parallel=2, cusp=1)) - below), above - 1 / 7)
    assert slope_below * slope_above < 0  # a kink: the marginal case


def test_an_unknown_regime_is_refused():
    with pytest.raises(ValueError, match="regime"):
        compression.learning_curve_exponent("rich")


def test_more_informative_directions_than_directions_are_refused():
    with pytest.raises(ValueError, match="d_parallel"):
        compression.compression_gain()(d=2, d_parallel=3, cusp=1)


def test_equiprobable_thresholds():
    form = compression.equiprobable_stripe()
    assert mpmath.nstr(form.evaluate("-0.3", digits=12), 12) == "1.18549233272"
    assert abs(Stripes((-0.3, float(form(x_min=-0.3)))).mean) < 1e-14
    assert float(compression.equiprobable_stripe(-0.3)()) == float(form(x_min=-0.3))
    assert float(compression.equiprobable_radius(2)()) == pytest.approx(
        1.1774100225154747, rel=1e-15
    )
    for count in (1, 2, 3, 7):
        shells = Shells.equiprobable(count)
        assert abs(shells.mean) < 1e-14
        if count <= 2:
            assert shells.radii[0] == pytest.approx(
                float(compression.equiprobable_radius(count)()), rel=1e-14
            )
    with pytest.raises(ValueError, match="Shells"):
        compression.equiprobable_radius(3)


@pytest.mark.parametrize("x_min", [-37, -20, -6, -1, -0.7, -0.6, -1e-3, -1e-9, -1e-15])
def test_the_stripe_holds_half_of_the_data_however_far_its_left_boundary_is(x_min):
    """The right boundary x gives P(0 < z < x) = P(z < x_min), here as P(z > x) = P(x_min < z < 0)."""
    x_max = float(compression.equiprobable_stripe()(x_min=x_min))
    with mpmath.workdps(60):
        missing = (
            mpmath.ncdf(x_min)
            if x_min < -0.65
            else mpmath.erf(-mpmath.mpf(x_min) / mpmath.sqrt(2)) / 2
        )
        if x_min < -0.65:
            found = mpmath.findroot(
                lambda x: mpmath.erf(x / mpmath.sqrt(2)) / 2 / missing - 1, x_max
            )
        else:
            found = mpmath.findroot(
                lambda x: mpmath.log(mpmath.erfc(x / mpmath.sqrt(2)) / 2 / missing), x_max
            )
    assert x_max == pytest.approx(float(found), rel=1e-12)


def test_shells_label_by_distance():
    shells = Shells((1.0, 2.0), d_parallel=2)
    assert shells([[0, 0.5], [0, 1.5], [3, 0]]).tolist() == [-1, 1, -1]
    points = np.random.default_rng(0).normal(size=(200_000, 2))
    assert abs(shells(points).mean() - shells.mean) < 5 / math.sqrt(200_000)
    for bad in (
        {"radii": ()},
        {"radii": (-1.0,)},
        {"radii": (2.0, 1.0)},
        {"radii": (1.0,), "innermost": 0},
    ):
        with pytest.raises(ValueError, match=r"radii|innermost"):
            Shells(**bad)
    with pytest.raises(ValueError, match="shape"):
        shells([1.0, 2.0, 3.0])


def test_the_tangent_kernel_is_that_of_random_networks():
    """Sum over the gradients of all weights of wide random networks, by hand; z-score over networks."""
    rng = np.random.default_rng(4)
    d, h, networks = 3, 4000, 60
    x, z = rng.normal(size=d), rng.normal(size=d)
    sums = []
    for _ in range(networks):
        w, b, beta = rng.normal(size=(h, d)), rng.normal(size=h), rng.normal(size=h)
        at = [w @ each / math.sqrt(d) + b for each in (x, z)]
        both = (at[0] > 0) & (at[1] > 0)
        hidden = 2 * beta**2 * both * (x @ z / d + 1)
        sums.append((2 * at[0] * at[1] * both + hidden).mean())
    expected = float(compression.tangent_kernel()(xx=x @ x, zz=z @ z, xz=x @ z, d=d))
    assert abs(np.mean(sums) - expected) < 4 * np.std(sums, ddof=1) / math.sqrt(networks)


def test_the_cusp_of_the_tangent_kernel_is_one():
    assert cusp_exponent() == 1


def test_mean_logarithm_of_the_amplification():
    norms = np.linalg.norm(np.random.default_rng(5).normal(size=(100_000, 4)), axis=1)
    samples = np.log(0.4 * math.sqrt(1000) / norms)
    expected = float(compression.mean_log_amplification()(amplification=0.4, p=1000, d=5))
    assert abs(samples.mean() - expected) < 4 * samples.std() / math.sqrt(100_000)


@pytest.mark.parametrize("cusp", [0.3, 1.2798865126462364, 1.9])
def test_no_gain_without_directions_to_compress(cusp):
    """With three or more informative directions, and no others, the gain is zero, and not a rounding error."""
    assert compression.compression_gain()(5, 5, cusp) == 0
