"""The spread of kernels over networks of finite width, in the conventions of kernel matrices."""

from __future__ import annotations

import math

import numpy as np
import pytest

import theory
from tests.marks import slow
from theory import geometry
from theory.engine import Act, Dense, finite_tangent

SCALES = {"sigma": 1.3, "zeta": 0.4, "xi": 0.8}


@pytest.mark.parametrize("kind", ["ntk", *slow("scaled_ntk")])
def test_the_tangent_kernel_is_that_of_kernel_matrices(kind):
    """At infinite width both have the same tangent kernel, so that the network in words is theirs."""
    x = np.array([[0.6, 0.8]])
    weights, biases, readout = (scale**2 for scale in SCALES.values())
    gains, last = ((1, 1), (1, 0)) if kind == "ntk" else (None, None)
    layer = Dense(weights, biases, gains=gains, width=50)
    net = layer >> Act("erf") >> layer >> Act("erf") >> Dense(readout, gains=last)
    forms = finite_tangent(net)
    assert forms.tangent(r=1.0) == pytest.approx(
        geometry.kernel_matrix("erf", x, depth=2, kind=kind, **SCALES)[0, 0], rel=1e-12
    )
    spread = geometry.kernel_spread("erf", x, 2, kind, width=50, **SCALES)
    assert spread.spread == pytest.approx(float(forms.spread(r=1.0)), rel=1e-12)
    assert "tangent kernel" in spread.sentence


def test_kernels_of_random_networks_have_the_spread():
    rng = np.random.default_rng(7)
    x, widths, count = np.array([[0.5, 1.0]]), (40, 80), 6000
    features = x.repeat(count, 0)[:, None, :]
    for number, width in enumerate(widths):
        scale = SCALES["sigma"] / (1 if number == 0 else features.shape[-1] ** 0.5)
        # units are independent given the layer below
        deviation = np.sqrt(scale**2 * (features**2).sum(-1) + SCALES["zeta"] ** 2)
        features = np.tanh(deviation[..., None] * rng.normal(size=(count, 1, width)))
    kernels = (features**2).mean(-1)[:, 0]
    spread = geometry.kernel_spread("tanh", x, 2, width=widths, **SCALES)
    assert kernels.var() / kernels.mean() ** 2 == pytest.approx(spread.spread, rel=0.1)
    assert spread.where == "at width 40 to 80, depth 2"
    assert "map" not in spread.sentence
    assert "activation = tanh, depth = 5" in str(spread)


@pytest.mark.parametrize("kind", ["nngp", *slow("ntk")])
def test_a_kernel_matrix_with_a_width_says_how_far_off_it_is_expected_to_be(kind):
    x, y = np.array([[0.6, 0.8], [2.0, 0.0]]), np.array([[0.0, 1.0]])
    setting = {"depth": 2, "kind": kind, **SCALES}
    pair = geometry.kernel_matrix("erf", x, y, **setting, width=50)
    plain = geometry.kernel_matrix("erf", x, y, **setting)
    assert isinstance(plain, np.ndarray)
    assert np.array_equal(pair.kernel, plain)
    assert pair.spread == geometry.kernel_spread("erf", x, **setting, width=50)
    # at twice the width half the variance
    wider = geometry.kernel_matrix("erf", x, y, **setting, width=[100, 100]).spread
    assert wider.spread == pytest.approx(pair.spread.spread / 2)
    assert pair.spread.sentence in repr(pair)
    out = np.empty((2, 1))
    assert geometry.kernel_matrix("erf", x, y, **setting, width=50, out=out).kernel is out
    with pytest.raises(ValueError, match="beside a network"):
        geometry.kernel_matrix(Dense(2) >> Act("relu") >> Dense(), x, width=10)
    with pytest.raises(ValueError, match="width: got 0"):
        geometry.kernel_matrix("erf", x, **setting, width=0)


def test_a_network_in_words_has_its_own_widths():
    layer = Dense(2, width=100)
    net = layer >> Act("relu") >> layer >> Act("relu") >> Dense()
    x = [[1.0, 2.0]]
    assert geometry.kernel_spread(net, x).spread == pytest.approx(0.1)
    assert geometry.kernel_spread("relu", x, 2, width=100, sigma=2**0.5).spread == pytest.approx(
        0.1
    )
    form = theory.catalogue()["finite_width.kernel_spread.relu_2"]
    assert form(n=100, C=2.0, C_b=0.0, r=5.0) == pytest.approx(0.1)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({}, "width: got none"),
        ({"width": 0}, "width: got 0"),
        ({"width": [10, 20, 30]}, "width: got 3 numbers, needs one, or one for each of the 2"),
        ({"width": 10, "sigma": -1.0}, "sigma"),
        ({"width": 10, "kind": "nngps"}, "kind"),
    ],
)
def test_bad_arguments(arguments, said):
    with pytest.raises(ValueError, match=said):
        geometry.kernel_spread("relu", [[1.0]], 2, **arguments)
    with pytest.raises(ValueError, match="beside a network"):
        geometry.kernel_spread(Dense(2) >> Act("relu") >> Dense(), [[1.0]], width=10)


@pytest.mark.parametrize(
    "name",
    [
        "nngp_kernel.erf",
        "deep_volume_element.relu_3",
        "scalar_curvature.gelu",
        "ntk_volume_element.sin",
    ],
)
def test_what_is_shown_of_infinite_width_says_how_far_off_a_finite_one_is(name):
    text = theory.catalogue()[f"geometry.{name}"].text(400)
    (line,) = (line for line in text.splitlines() if "width n" in line)
    member = line.split("closedform eval ")[1].split()[0]
    form = theory.catalogue()[member]
    assert ("tangent kernel" in line) == member.startswith("finite_width.tangent")
    assert name.split(".")[1].split("_")[0] in member
    values = {argument.name: 1.0 for argument in form.arguments} | {"n": 100}
    assert 0 < form(**values) < 1


def test_no_such_line_where_width_has_no_meaning_and_none_with_a_false_name():
    assert "width n" not in theory.catalogue()["two_point.final_distance"].text()
    custom = geometry.volume_element("z*erf(z)").text(400)
    assert "finite_width.kernel_spread --activation EXPRESSION --depth 1" in custom


@pytest.mark.filterwarnings("ignore:.*terms of a closed form cancel")
@pytest.mark.parametrize(
    "sizes",
    [{"sigma": 1e-150}, {"zeta": 1e8}, *slow({"sigma": 1e150})],
)
def test_beyond_float64_the_spread_is_unknown_and_not_large(sizes):
    spread = geometry.kernel_spread("tanh", [[1.0, 0.0]], depth=2, width=100, **sizes)
    assert math.isnan(spread.spread)
    assert "is unknown" in spread.sentence


def test_a_spread_whose_digits_cancel_is_not_negative():
    with pytest.warns(RuntimeWarning, match="fewer than 10 digits"):
        spread = geometry.kernel_spread("erf", [[1.0, 0.0]], depth=3, width=100, zeta=1e8)
    assert spread.spread == 0  # 6e-11
    assert spread.deviation == 0
