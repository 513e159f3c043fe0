"""Tests of the families of kernels at parallel and nearly parallel inputs: right digits, or a warning."""

from __future__ import annotations

import math
import warnings
from fractions import Fraction

import mpmath
import pytest

from theory import catalogue

DIGITS = 1e-10


def pairs():
    """Variances and covariances that Cauchy and Schwarz allow, at angles 0, 1e-8 and 1e-3 to both directions."""
    for v, w in ((1, 1), (1.3, 0.7), (1e-8, 1e-8), (1e8, 1e8), (1e-8, 1e8)):
        for cosine in (1, math.nextafter(1, 0), math.cos(1e-3)):
            c = math.sqrt(v) * math.sqrt(w) * cosine
            while Fraction(c) ** 2 > Fraction(v) * Fraction(w):
                c = math.nextafter(c, 0)
            yield from ((v, w, c), (v, w, -c))


def value(function, point):
    """Return the value and whether there was a warning."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        return float(function(*point)), bool(caught)


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    "activation", ["relu", "leaky_relu", "Abs(z)", "relu_power_3", "erf", "sin", "gelu"]
)
@pytest.mark.parametrize("family", ["kernel", "slope_kernel"])
def test_no_digits_are_lost_without_a_word(family, activation):
    form = catalogue()[f"gaussian.{family}"](activation=activation)
    for point in pairs():
        right = float(form.evaluate(*point, digits=17))
        assert form(*point) == pytest.approx(right, rel=DIGITS, abs=1e-300)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("activation", ["relu", "leaky_relu", "Abs(z)", "relu_power_3"])
@pytest.mark.parametrize("family", ["kernel", "slope_kernel"])
def test_torch_warns_where_digits_are_lost(family, activation):
    torch = pytest.importorskip("torch")
    form = catalogue()[f"gaussian.{family}"](activation=activation)
    for point in pairs():
        tensors = [torch.tensor(x, dtype=torch.float64) for x in point]
        number, warned = value(form.function("torch"), tensors)
        right = float(form.evaluate(*point, digits=17))
        assert warned or number == pytest.approx(right, rel=DIGITS, abs=1e-300)


@pytest.mark.parametrize("name", ["relu", "leaky_relu", "erf", "gelu"])
def test_slope_kernels_of_inputs_keep_their_digits(name):
    """The arcsine of a correlation that rounds to 1 or -1 would keep half of them, without a word."""
    form = catalogue()["geometry.slope_kernel"](activation=name)
    for size in (1e-6, 1.0, 1e6):
        for angle in (0, 1e-8, 1e-4, math.pi - 1e-4, math.pi):
            point = {
                "xx": size,
                "yy": size,
                "xy": size * math.cos(angle),
                "sigma": 1.0,
                "zeta": 0.0,
            }
            exact = float(form.evaluate(digits=17, **point))
            assert form(**point) == pytest.approx(exact, rel=1e-11, abs=0)


def exact_shares():
    """Variances, covariances and the angle between one and the opposite of the other, over 2 pi, in 60 digits."""
    fibonacci = [1.0, 1.0]
    while len(fibonacci) < 75:
        fibonacci.append(fibonacci[-1] + fibonacci[-2])
    # whose squares differ from the product of the neighbours by 1
    points = [(fibonacci[n - 1], fibonacci[n + 1], fibonacci[n]) for n in (31, 73)]
    points += [(0.1, 0.1, 0.1), (1.3, 0.7, math.sqrt(1.3 * 0.7) * math.cos(1e-4)), (2.0, 1.0, 0.5)]
    for v, w, c in points:
        for covariance in (c, -c):
            with mpmath.workdps(60):
                sine = mpmath.sqrt(mpmath.mpf(v) * w - mpmath.mpf(c) ** 2)
                share = mpmath.atan2(sine, -covariance) / (2 * mpmath.pi)
            yield (v, w, covariance), float(share)


@pytest.mark.parametrize("backend", ["numpy", "torch"])
@pytest.mark.parametrize("inputs", [False, True], ids=["gaussian", "geometry"])
def test_slope_kernels_of_kinks_have_all_digits_without_a_warning(backend, inputs):
    if backend == "torch":
        pytest.importorskip("torch")
    subject, scales = ("geometry", (1.0, 0.0)) if inputs else ("gaussian", ())
    function = catalogue()[f"{subject}.slope_kernel"](activation="relu").function(backend)
    for point, share in exact_shares():
        assert float(function(*point, *scales)) == pytest.approx(share, rel=1e-15, abs=0)
