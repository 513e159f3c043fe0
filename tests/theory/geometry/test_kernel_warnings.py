"""What a kernel matrix says of its errors, against the truth by the same recursion with 120 digits."""

import itertools
import re
import warnings

import mpmath
import numpy as np
import pytest

from theory import gaussian
from theory.activations.naming import activation
from theory.core.numbers.backends import mpmath_backend
from theory.core.numbers.backends.source import compile_expression
from theory.gaussian.moments import second_moment
from theory.gaussian.symbols import covariance, variance, variance_x, variance_y
from theory.geometry import kernel_matrix, nngp_kernel

SAID = re.compile(r"the inputs (\d+) and (\d+) differ.*errors may reach (\S+)$")
ROUNDING = 1e-14  # below which an error is as likely zero


def truth(name):
    """Return the kernel of two inputs, and the root of the kernels of both with themselves."""
    act = activation("name", name)
    slope_of_one = gaussian.squared_slope(act).expression
    one = [
        compile_expression(e, [variance], mpmath_backend)
        for e in (second_moment(act)[0], slope_of_one)
    ]
    of_two = (gaussian.kernel(act).expression, gaussian.slope_kernel(act).expression)
    two = [
        compile_expression(e, [variance_x, variance_y, covariance], mpmath_backend) for e in of_two
    ]

    def kernel(x, y, depth, kind, sigma, zeta):
        weights, bias = mpmath.mpf(sigma) ** 2, mpmath.mpf(zeta) ** 2
        values = [
            mpmath.fdot(map(mpmath.mpf, p), map(mpmath.mpf, q))
            for p, q in ((x, x), (y, y), (x, y))
        ]
        tangents = [1 + value for value in values]
        for level in range(depth):
            v, w, c = (weights * value + bias for value in values)
            values = [one[0](v), one[0](w), two[0](v, w, c)]
            slopes = [one[1](v), one[1](w), two[1](v, w, c)]
            last = level == depth - 1
            factor, more = (1, 0) if last else (weights, 1)
            tangents = [
                k + factor * s * t + more for k, s, t in zip(values, slopes, tangents, strict=True)
            ]
        v, w, c = values if kind == "nngp" else tangents
        return c, mpmath.sqrt(v * w)

    return kernel


def cases(rng, count, near):
    """Nearly parallel inputs at random distances and scales, and networks."""
    for _ in range(count):
        x, sign = rng.normal(size=(1, 4)), rng.choice([-1, 1])
        others = sign * x * (1 + 10 ** rng.uniform(-16, -1) * rng.normal(size=(near, 4)))
        depth, sigma, zeta = (
            int(rng.choice([1, 1, 2, 3, 5, 10])),
            rng.choice([1.0, 1.5, 2.0]),
            rng.choice([0.0, 0.5]),
        )
        yield (
            np.vstack([x, others]) * 10 ** rng.uniform(-1, rng.choice([2, 4, 8])),
            depth,
            float(sigma),
            float(zeta),
        )


def compared(name, kind, x, depth, sigma, zeta):
    """Return what the warning says, 0 without one, and the largest true error, with their pairs."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        matrix = kernel_matrix(name, x, depth=depth, kind=kind, sigma=sigma, zeta=zeta)
    found = SAID.search(str(caught[0].message)) if caught else None
    errors, kernel = {}, truth(name)
    with mpmath.workdps(120):
        for pair in itertools.combinations(range(len(x)), 2):
            exact, size = kernel(*x[list(pair)], depth, kind, sigma, zeta)
            errors[pair] = float(abs(mpmath.mpf(matrix[pair]) - exact) / size)
    pair = max(errors, key=errors.get)
    return (float(found[3]), (int(found[1]), int(found[2]))) if found else (0.0, ()), (
        errors[pair],
        pair,
    )


NAMES = ("erf", "sin", "cos", "gaussian", "gelu", "leaky_relu")


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["nngp", "ntk"])
@pytest.mark.parametrize("name", NAMES)
def test_few_pairs_are_right(name, kind, rng):
    for case in cases(rng, 30, 6):
        (said, _), (worst, _) = compared(name, kind, *case)
        assert said == 0.0, case
        assert worst < (2e-8 * case[1] if (name, kind) == ("leaky_relu", "ntk") else 1e-10), case


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["nngp", "ntk"])
@pytest.mark.parametrize("name", NAMES)
def test_said_and_true_of_many_pairs(name, kind, rng):
    ratios = []
    for case in cases(rng, 10, 23):
        (said, _), (worst, _) = compared(name, kind, *case)
        if said:
            ratios.append(said / max(worst, ROUNDING))
        else:
            assert worst < (2e-8 * case[1] if (name, kind) == ("leaky_relu", "ntk") else 1e-10), (
                case
            )
    if ratios:
        print(
            f"\n{name} {kind}: said / true, quantiles {np.quantile(ratios, [0, 0.1, 0.5, 0.9, 1]).round(2)}"
        )
        assert min(ratios) > 0.01
        assert max(ratios) < 100


def test_the_worst_of_many_pairs_is_named():
    x = (
        np.outer(np.repeat([1.0, -1.0], 12), [1.0, 1.0])
        * (1 + 1e-9 * np.arange(24)[:, None] * [[0.0, 1.0]])
        * 1e4
    )
    x[[3, 17]] *= 3
    (said, pair), (worst, worst_pair) = compared("erf", "ntk", x, 1, 1.0, 0.0)
    assert (pair, said) == (worst_pair, pytest.approx(worst, rel=0.05))


def test_gelu_keeps_its_digits_at_large_nearly_parallel_inputs():
    kernel, x = truth("gelu"), np.array([[1.0, 2.0], [1.0, 2.0 + 1e-9], [-1.0, -2.0]]) * 1e8
    matrix = kernel_matrix("gelu", x, depth=5)
    with mpmath.workdps(120):
        for i, j in ((0, 1), (0, 2)):
            exact, size = kernel(x[i], x[j], 5, "nngp", 1.0, 0.0)
            assert abs(mpmath.mpf(matrix[i, j]) - exact) / size < 1e-14


def test_slopes_of_gelu_are_right_at_large_nearly_parallel_inputs():
    x = np.array([[1.0, 2.0], [1.0, 2.0 + 1e-12]]) * 2e7
    matrix = kernel_matrix("gelu", x, depth=2, kind="ntk", zeta=0.0)
    with mpmath.workdps(120):
        exact, size = truth("gelu")(*x, 2, "ntk", 1.0, 0.0)
        assert abs(mpmath.mpf(matrix[0, 1]) - exact) / size < 1e-14


@pytest.mark.sampled(2)
@pytest.mark.parametrize("v", [1e-8, 1.0])
@pytest.mark.parametrize(
    "name", ["1-exp(-z**2/2)", "cos(z)-1", "exp(z)-1-z", "gelu", "z*exp(-z**2)"]
)
def test_flat_activations_at_small_variances(name, v):
    """Terms of size 1 leave few digits of a kernel of size v^2: both the closed form and the matrix say so."""
    form, point = nngp_kernel(name), {"xx": v, "yy": v, "xy": v / 2, "sigma": 1.0, "zeta": 0.0}
    calls = (
        lambda: form(**point),
        lambda: kernel_matrix(name, np.sqrt(v) * np.array([[1.0, 0], [0.5, 0.75**0.5]]))[0, 1],
    )
    truth_of_it = float(form.evaluate(**point))
    for call in calls:
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            is_right = abs(call() / truth_of_it - 1) < 1e-6
        assert is_right != bool(said)
        assert is_right or "cancel" in str(said[0].message)
