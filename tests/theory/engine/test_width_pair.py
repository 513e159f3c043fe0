"""Covariances of the kernel matrix of two inputs over networks, against closed forms of other routes and networks."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp

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


@pytest.mark.parametrize("depth", [2])
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


@pytest.mark.parametrize("act", ["relu", "sin"])
def test_of_one_input_it_is_the_rule_of_one_input(act):
    net = network(act, 1)
    pair, one = finite_pair(net), finite_width(net)
    variance = value(pair.covariance("yy", "yy"), n=30, **INPUTS)
    assert variance == pytest.approx(value(one.variance, n=30, r=INPUTS["yy"]), rel=1e-10)
    mean = value(pair.kernel("xy"), **INPUTS)
    assert mean == pytest.approx(value(kernel(net), **INPUTS), rel=1e-10)
    # the order of the entries does not matter
    assert pair.covariance("yy", "xx") == pair.covariance("xx", "yy")


@pytest.mark.parametrize(("act", "depth"), [("relu", 1), ("sin", 2)])
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
def test_all_steps_hold():
    form = finite_pair(network("sin", 2)).covariance("xx", "xy")
    assert set(form.check().values()) == {Verdict.HOLDS}


def test_what_is_no_entry_is_refused():
    pair = finite_pair(network("sin", 1))
    with pytest.raises(ValueError, match="other"):
        pair.covariance("xx", "zz")
    with pytest.raises(ValueError, match="needs another letter"):
        finite_pair(Dense(sp.Symbol("xx"), width=N) >> Act("sin") >> Dense())
