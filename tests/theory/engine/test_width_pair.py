"""Covariances of the kernel matrix of two inputs over networks, against closed forms of other routes and networks."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp

from tests.marks import slow
from theory.activations.naming import activation
from theory.core import Verdict
from theory.engine import Act, Dense, finite_pair, finite_width, kernel

N = sp.Symbol("n", positive=True)
S, Z = sp.Rational(3, 2), sp.Rational(1, 5)
INPUTS = {"xx": 1.0, "yy": 1.5, "xy": 0.4}


def network(act, depth, weights=S, biases=Z):
    net = layer = Dense(weights, biases, width=N)
    for _ in range(depth):
        net = net >> Act(act) >> layer
    return net


def value(form, **values):
    return float(form(**{argument.name: values[argument.name] for argument in form.arguments}))


@pytest.mark.parametrize("depth", [1, *slow(2)])
def test_a_linear_network_has_wishart_matrices(depth):
    """Its covariances are L (K_ac K_bd + K_ad K_bc)/n at C = 1, to first order."""
    pair = finite_pair(network("linear", depth, 1, 0))
    xx, yy, xy = sp.symbols("xx yy xy")
    products = {
        ("xy", "xy"): xx * yy + xy**2, ("xx", "yy"): 2 * xy**2, ("xx", "xx"): 2 * xx**2, ("xy", "yy"): 2 * xy * yy,
    }  # fmt: skip
    for entries, product in products.items():
        expected = float((depth * product / 30).subs(INPUTS))
        assert value(pair.covariance(*entries), n=30, **INPUTS) == pytest.approx(expected)


@pytest.mark.parametrize("act", ["sin", *slow("relu")])
def test_of_one_input_it_is_the_rule_of_one_input(act):
    net = network(act, 1)
    pair, one = finite_pair(net), finite_width(net)
    variance = value(pair.covariance("yy", "yy"), n=30, **INPUTS)
    assert variance == pytest.approx(value(one.variance, n=30, r=INPUTS["yy"]), rel=1e-10)
    mean = value(pair.kernel("xy"), **INPUTS)
    assert mean == pytest.approx(value(kernel(net), **INPUTS), rel=1e-10)
    # the order of the entries does not matter
    assert pair.covariance("yy", "xx") == pair.covariance("xx", "yy")


@pytest.mark.parametrize(("act", "depth"), [("relu", 1), *slow(("sin", 2))])
def test_kernel_matrices_of_random_networks(act, depth, rng):
    width, count = 60, 20_000
    phi = activation("act", act).function()
    matrix = np.array([[INPUTS["xx"], INPUTS["xy"]], [INPUTS["xy"], INPUTS["yy"]]])
    gram = np.broadcast_to(float(S) * matrix + float(Z), (count, 2, 2))
    for _ in range(depth):
        units = np.linalg.cholesky(gram) @ rng.normal(size=(count, 2, width))
        gram = float(S) * phi(units) @ phi(units).transpose(0, 2, 1) / width + float(Z)
    drawn = {"xx": gram[:, 0, 0], "xy": gram[:, 0, 1], "yy": gram[:, 1, 1]}
    pair = finite_pair(network(act, depth))
    for one, other in (("xy", "xy"), ("xx", "xy"), ("xx", "xx"), ("yy", "xx")):
        products = (drawn[one] - drawn[one].mean()) * (drawn[other] - drawn[other].mean())
        expected = value(pair.covariance(one, other), n=width, **INPUTS)
        scale = drawn[one].std() * drawn[other].std()
        # the second order is some per cent at this width
        assert abs(products.mean() - expected) < 4 * products.std() / count**0.5 + 0.05 * scale


@pytest.mark.slow
def test_the_shift_of_the_mean_is_that_of_a_loop_with_finite_differences():
    """Of a sine E sin x sin y = exp(-(a + c)/2) sinh b, and E of products of more sines are sums of exponentials."""
    width, depth, step = 40, 2, 1e-3

    def cosines(matrix, signs):
        """E of a product of sines of x and y, by writing each as a difference of exponentials."""
        total = 0.0
        for choice in np.ndindex(*(2,) * len(signs)):
            numbers = np.array([1 - 2 * c for c in choice])
            along = np.array([numbers[np.array(signs) == axis].sum() for axis in (0, 1)])
            total += np.prod(numbers) * np.exp(-along @ matrix @ along / 2)
        return total * (1 / (2j)) ** len(signs)

    def entries(vector):
        matrix = np.array([[vector[0], vector[1]], [vector[1], vector[2]]])
        return np.array([cosines(matrix, pair).real for pair in ((0, 0), (0, 1), (1, 1))])

    fourths = ((0, 0), (0, 1), (1, 1))
    scale, bias = float(S), float(Z)
    kernel = scale * np.array([INPUTS["xx"], INPUTS["xy"], INPUTS["yy"]]) + bias
    variances, shifts = np.zeros((3, 3)), np.zeros(3)
    for _ in range(depth):
        matrix = np.array([[kernel[0], kernel[1]], [kernel[1], kernel[2]]])
        here, unit = entries(kernel), step * np.eye(3)
        slopes = np.array([(entries(kernel + u) - entries(kernel - u)) / (2 * step) for u in unit])
        bends = np.array(
            [
                [
                    (
                        entries(kernel + u + w)
                        - entries(kernel + u - w)
                        - entries(kernel - u + w)
                        + entries(kernel - u - w)
                    )
                    / (4 * step**2)
                    for w in unit
                ]
                for u in unit
            ]
        )
        shifts = scale * (slopes.T @ shifts + np.einsum("efa,ef->a", bends, variances) / 2)
        products = np.array([[cosines(matrix, a + b).real for b in fourths] for a in fourths])
        within = products - np.outer(here, here)
        variances = scale**2 * (within / width + slopes.T @ variances @ slopes)
        kernel = scale * here + bias
    pair = finite_pair(network("sin", depth))
    for entry, expected in zip(("xx", "xy", "yy"), shifts, strict=True):
        # the error of the differences
        assert value(pair.shift(entry), n=width, **INPUTS) == pytest.approx(expected, rel=1e-5)
    found = value(pair.covariance("xx", "xy"), n=width, **INPUTS)
    assert found == pytest.approx(variances[0, 1], rel=1e-5)


@pytest.mark.slow
@pytest.mark.parametrize("act", ["sin", "tanh"])
def test_all_steps_hold(act):
    pair = finite_pair(network(act, 2))
    for form in (pair.covariance("xx", "xy"), pair.shift("xy")):
        assert set(form.check().values()) == {Verdict.HOLDS}


def test_what_is_no_entry_is_refused():
    pair = finite_pair(network("sin", 1))
    with pytest.raises(ValueError, match="other"):
        pair.covariance("xx", "zz")
    with pytest.raises(ValueError, match="entry"):
        pair.shift("zz")
    with pytest.raises(ValueError, match="needs another letter"):
        finite_pair(Dense(sp.Symbol("xx"), width=N) >> Act("sin") >> Dense())
