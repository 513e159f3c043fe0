"""What a kernel matrix says of its errors, against the truth by the same recursion with 120 digits."""

import re
import warnings

import mpmath
import numpy as np
import pytest

from theory import gaussian
from theory.activations.naming import activation
from theory.core.numbers.backends import mpmath_backend
from theory.core.numbers.backends.compiler import compile_expression
from theory.gaussian.symbols import covariance, variance, variance_x, variance_y
from theory.geometry import kernel_matrix
from theory.geometry.kernel import second_moment

SAID = re.compile(r"the inputs (\d+) and (\d+) differ.*errors may reach (\S+)$")
ROUNDING = 1e-14  # below which an error is as likely zero


def truth(name):
    """Return the kernel of two inputs, and the root of the kernels of both with themselves."""
    act = activation("name", name)
    slope_of_one = gaussian.squared_slope(act).expression
    one = [compile_expression(e, [variance], mpmath_backend) for e in (second_moment(act)[0], slope_of_one)]
    of_two = (gaussian.kernel(act).expression, gaussian.slope_kernel(act).expression)
    two = [compile_expression(e, [variance_x, variance_y, covariance], mpmath_backend) for e in of_two]

    def kernel(x, y, depth, kind, sigma, zeta):
        weights, bias = mpmath.mpf(sigma) ** 2, mpmath.mpf(zeta) ** 2
        values = [mpmath.fdot(map(mpmath.mpf, p), map(mpmath.mpf, q)) for p, q in ((x, x), (y, y), (x, y))]
        tangents = [1 + value for value in values]
        for level in range(depth):
            v, w, c = (weights * value + bias for value in values)
            values = [one[0](v), one[0](w), two[0](v, w, c)]
            slopes = [one[1](v), one[1](w), two[1](v, w, c)]
            last = level == depth - 1
            factor, more = (1, 0) if last else (weights, 1)
            tangents = [k + factor * s * t + more for k, s, t in zip(values, slopes, tangents, strict=True)]
        v, w, c = values if kind == "nngp" else tangents
        return c, mpmath.sqrt(v * w)

    return kernel


def cases(rng, count):
    """Nearly parallel inputs at random distances and scales, and networks."""
    for _ in range(count):
        x, sign = rng.normal(size=(1, 4)), rng.choice([-1, 1])
        near = sign * x * (1 + 10 ** rng.uniform(-16, -1) * rng.normal(size=(6, 4)))
        depth, sigma, zeta = int(rng.choice([1, 1, 2, 3, 5, 10])), rng.choice([1.0, 1.5, 2.0]), rng.choice([0.0, 0.5])
        yield np.vstack([x, near]) * 10 ** rng.uniform(-1, rng.choice([2, 4, 8])), depth, float(sigma), float(zeta)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["nngp", "ntk"])
@pytest.mark.parametrize("name", ["erf", "sin", "cos", "gaussian", "gelu", "leaky_relu"])
def test_said_and_true(name, kind, rng):
    kernel, ratios = truth(name), []
    for x, depth, sigma, zeta in cases(rng, 60):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            try:
                matrix = kernel_matrix(name, x, depth=depth, kind=kind, sigma=sigma, zeta=zeta)
            except ArithmeticError:  # an exponential of a covariance that has lost all digits
                assert caught
                continue
        found = [SAID.search(str(warning.message)) for warning in caught]
        said = float(found[0][3]) if found else 0.0
        first = int(found[0][1]) if found else 0
        with mpmath.workdps(120):
            exact = [kernel(x[first], y, depth, kind, sigma, zeta) for y in x]
            errors = [abs(mpmath.mpf(k) - e) / s for k, (e, s) in zip(matrix[first], exact, strict=True)]
        worst = float(max(error for number, error in enumerate(errors) if number != first))
        if said:
            ratios.append(said / max(min(worst, 1.0), ROUNDING))
        else:
            assert worst < (2e-8 * depth if (name, kind) == ("leaky_relu", "ntk") else 1e-10), (x, depth, sigma, zeta)
    if ratios:
        print(f"\n{name} {kind}: said / true, quantiles {np.quantile(ratios, [0, 0.1, 0.5, 0.9, 1]).round(2)}")
        assert min(ratios) > 0.01
        assert np.median(ratios) < 100


def test_the_worst_pair_is_named():
    x = np.array([[1e4, 1e4], [1e4, 1.0003e4], [3e4, 3e4], [3e4, 3.000000001e4]])
    with pytest.warns(RuntimeWarning, match="the inputs 2 and 3 differ"):
        kernel_matrix("erf", x, kind="ntk")


def test_gelu_keeps_its_digits_at_large_nearly_parallel_inputs():
    kernel, x = truth("gelu"), np.array([[1.0, 2.0], [1.0, 2.0 + 1e-9], [-1.0, -2.0]]) * 1e8
    matrix = kernel_matrix("gelu", x, depth=5)
    with mpmath.workdps(120):
        for i, j in ((0, 1), (0, 2)):
            exact, size = kernel(x[i], x[j], 5, "nngp", 1.0, 0.0)
            assert abs(mpmath.mpf(matrix[i, j]) - exact) / size < 1e-14


def test_gelu_says_that_its_slopes_have_nearly_a_kink_at_large_inputs():
    x = np.array([[1.0, 2.0], [1.0, 2.0 + 1e-12]]) * 2e7
    with pytest.warns(RuntimeWarning, match="the inputs 0 and 1 differ") as caught:
        matrix = kernel_matrix("gelu", x, depth=2, kind="ntk", zeta=0.0)
    with mpmath.workdps(120):
        exact, size = truth("gelu")(*x, 2, "ntk", 1.0, 0.0)
        error = abs(mpmath.mpf(matrix[0, 1]) - exact) / size
    assert 1e-10 < error < float(SAID.search(str(caught[0].message))[3]) < 100 * error
