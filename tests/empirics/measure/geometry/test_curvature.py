"""Tests of the scalar curvature: known surfaces, Christoffel symbols, agreement of all methods, bad input."""

from __future__ import annotations

import math
import warnings

import numpy as np
import pytest
import torch as t
from torch import nn

from empirics import measure
from empirics.measure.geometry import chain_curvature, curvature
from empirics.measure.models.feature_map import prepare
from tests.oracles.geometry_autodiff import scalar_curvatures
from theory import activations
from theory.geometry.shallow import scalar_curvature as theory_curvature

ROUNDING = 1e-10  # what the issue asks of all routes; conditioning of these maps costs up to three digits of float64


class Erf(nn.Module):
    def forward(self, z):
        return t.erf(z / math.sqrt(2))


def shallow(d, width, activation=Erf, seed=0):
    t.manual_seed(seed)
    return nn.Sequential(nn.Linear(d, width), activation()).double()


def points(n, d, seed=1):
    return t.randn(n, d, generator=t.Generator().manual_seed(seed), dtype=t.float64)


def sphere(radius):
    """Angles to the sphere of that radius, in any dimension."""

    def phi(a):
        s, c = a.sin(), a.cos()
        parts, front = [], t.ones_like(a[:, 0])
        for i in range(a.shape[1]):
            parts.append(front * c[:, i])
            front = front * s[:, i]
        return radius * t.stack([*parts, front], 1)

    return phi


@pytest.mark.parametrize(("d", "radius"), [(2, 1.0), (3, 2.0), (5, 0.5)])
def test_spheres(d, radius):
    x = 0.5 + t.rand(6, d, generator=t.Generator().manual_seed(0), dtype=t.float64)
    expected = t.full((6,), d * (d - 1) / radius**2, dtype=t.float64)
    t.testing.assert_close(
        measure.scalar_curvature(sphere(radius), x), expected, rtol=1e-11, atol=0
    )


@pytest.mark.sampled(2)
@pytest.mark.parametrize(("d", "width"), [(2, 3), (2, 100), (3, 4), (3, 100)])
def test_shallow_networks_against_christoffel_symbols(d, width):
    net, x = shallow(d, width), points(6, d)
    exact = scalar_curvatures(net, x)
    assert (exact.abs() > 1e-9).all()
    for feature_map in (net, lambda y: net(y)):  # as a chain, and as any callable
        t.testing.assert_close(
            measure.scalar_curvature(feature_map, x), exact, rtol=ROUNDING, atol=0
        )


@pytest.mark.sampled(2)
@pytest.mark.parametrize("activation", [nn.GELU, nn.Tanh, nn.Softplus, nn.Sigmoid])
def test_other_activations_and_depths(activation):
    t.manual_seed(0)
    net = nn.Sequential(
        nn.Linear(3, 12), activation(), nn.Linear(12, 9), activation(), nn.Linear(9, 8)
    ).double()
    x = points(4, 3)
    t.testing.assert_close(
        measure.scalar_curvature(net, x), scalar_curvatures(net, x), rtol=ROUNDING, atol=1e-13
    )


@pytest.mark.filterwarnings("ignore:scalar_curvature. so much cancels")
def test_two_hidden_units_in_the_plane_are_flat_to_rounding(monkeypatch):
    """By the sum over pairs of neurons and of directions too, where nothing knows that it must vanish."""
    net, x = shallow(2, 2), points(10, 2)
    assert (measure.scalar_curvature(net, x) == 0).all()
    net.append(nn.Linear(2, 3, bias=False)).double()  # three features in a plane
    for neurons in (True, False):
        monkeypatch.setattr(chain_curvature, "prefers_neurons", lambda *_, use=neurons: use)
        scale = 1 / measure.metric(net, x).diagonal(dim1=1, dim2=2).amin(1)
        assert (measure.scalar_curvature(net, x).abs() < 1e-9 * scale).all()


@pytest.mark.parametrize("readout", [False, True])
def test_pairs_of_neurons_and_of_directions_agree(readout, monkeypatch):
    t.manual_seed(3)
    layers = [
        nn.Linear(7, 30),
        nn.GELU(),
        nn.Linear(30, 25),
        Erf(),
        *([nn.Linear(25, 11)] if readout else []),
    ]
    net, x = nn.Sequential(*layers).double(), points(3, 7)
    found = []
    for neurons in (True, False):
        monkeypatch.setattr(chain_curvature, "prefers_neurons", lambda *_, use=neurons: use)
        found.append(measure.scalar_curvature(net, x))
    found.append(measure.scalar_curvature(lambda y: net(y), x))
    for other in found[1:]:
        t.testing.assert_close(other, found[0], rtol=1e-11, atol=0)


def test_directions_in_blocks_give_the_same(monkeypatch):
    net, x = shallow(5, 12), points(3, 5)
    whole = measure.scalar_curvature(lambda y: net(y), x)
    # two directions by two, and one left over
    monkeypatch.setattr(chain_curvature, "pairs_at_once", lambda *_: 4)
    t.testing.assert_close(
        measure.scalar_curvature(lambda y: net(y), x), whole, rtol=1e-11, atol=0
    )


def test_rows_of_neurons_in_blocks_give_the_same():
    net, x = shallow(40, 300, nn.GELU), points(1, 40)
    assert chain_curvature.prefers_neurons(curvature.prepare(net, x).chain, 40, 300)
    whole = measure.scalar_curvature(net, x)
    t.testing.assert_close(
        measure.scalar_curvature(net, x, memory="7MB"), whole, rtol=1e-11, atol=0
    )
    with pytest.raises(ValueError, match=r"memory: got .* KiB, needs at least"):
        measure.scalar_curvature(net, x, memory="100kB")


def test_scaling_and_isometry():
    """R scales as the inverse square of the features; linear coordinates and rotated features do not change it."""
    net, x = shallow(3, 10), points(5, 3)
    r = measure.scalar_curvature(net, x)
    mix = points(3, 3, seed=5)
    rotation = t.linalg.qr(points(10, 10, seed=6)).Q
    moved = measure.scalar_curvature(lambda y: 3 * net(y @ mix) @ rotation, x @ t.linalg.inv(mix))
    t.testing.assert_close(9 * moved, r, rtol=1e-8, atol=0)


def test_maps_that_are_flat_by_counting():
    x = points(4, 1)
    assert (measure.scalar_curvature(lambda y: t.cat([y.sin(), y.exp(), y], 1), x) == 0).all()
    assert (measure.scalar_curvature(nn.Linear(3, 5), points(4, 3)) == 0).all()


def test_singular_metric_is_nan_and_said():
    phi = lambda y: t.stack([y[:, 0] ** 2, y[:, 1], y[:, 0] ** 3], 1)  # noqa: E731  (a cusp at 0)
    x = t.tensor([[0.0, 1.0], [1.0, 1.0]], dtype=t.float64)
    with pytest.warns(RuntimeWarning, match="singular at 1 of 2 points; NaN there"):
        r = measure.scalar_curvature(phi, x)
    assert r[0].isnan()
    assert r[1].abs() < 1e-12


def test_float32_models_are_measured_in_float64():
    net, x = shallow(3, 20), points(5, 3).float()
    single = nn.Sequential(nn.Linear(3, 20), Erf())
    single.load_state_dict({k: v.float() for k, v in net.state_dict().items()})
    net.load_state_dict({k: v.double() for k, v in single.state_dict().items()})
    found = measure.scalar_curvature(single, x)
    assert found.dtype == t.float64
    t.testing.assert_close(found, measure.scalar_curvature(net, x.double()), rtol=1e-12, atol=0)
    assert single[0].weight.dtype == t.float32
    quick = measure.scalar_curvature(single, x, precision="model")
    t.testing.assert_close(quick, found, rtol=1e-2, atol=1e-4)
    assert (quick != found).all()


KINKED = [
    (nn.ReLU(), r"ReLU '1'"),
    (nn.LeakyReLU(), r"LeakyReLU '1'"),
    (nn.SELU(), r"SELU '1'"),
    (nn.ELU(alpha=2.0), "elu"),
    (nn.PReLU(), r"PReLU '1'"),
    (nn.Hardswish(), r"Hardswish '1'"),
    (nn.Sequential(nn.Unflatten(1, (1, 9)), nn.MaxPool1d(2), nn.Flatten()), "MaxPool1d"),
]


@pytest.mark.parametrize(("module", "named"), KINKED, ids=[type(m).__name__ for m, _ in KINKED])
def test_kinked_modules_are_refused(module, named):
    t.manual_seed(0)
    net = nn.Sequential(nn.Linear(2, 9), module)
    with pytest.raises(ValueError, match=f"feature_map: has kinks .*{named}"):
        measure.scalar_curvature(net, points(2, 2))
    with pytest.raises(ValueError, match="has kinks"):
        measure.scalar_curvature_estimate(net, points(2, 2))


def test_the_slope_of_softsign_does_not_jump():
    net = nn.Sequential(nn.Linear(2, 9), nn.Softsign()).double()
    by_hand = nn.Sequential(net[0], nn.Identity())
    x = points(2, 2)
    curvature = measure.scalar_curvature(net, x)
    by_hand.register_forward_hook(lambda module, args, out: out / (1 + out.abs()))
    assert t.allclose(curvature, measure.scalar_curvature(by_hand, x, kinks="ignore"), rtol=1e-10)
    with pytest.raises(ValueError, match="has kinks"):
        measure.scalar_curvature(nn.Sequential(net, nn.ReLU()), x)


@pytest.mark.parametrize(
    ("phi", "kinks"),
    [
        (lambda y: y / (1 + y.abs()), ()),
        (lambda y: y.relu() + y / (1 + y.abs()), ("relu",)),
        (lambda y: y / (1 + y.clone().abs()), ("abs",)),
        (lambda y: (y - 1) / (1 + y.abs()), ("abs",)),
        (lambda y: y / (1 + y.abs_()), ("abs",)),
        (lambda y: y.abs() + y / (1 + y.abs()), ("abs",)),
    ],
)
def test_of_quotients_by_absolute_values_softsign_alone_is_smooth(phi, kinks):
    assert prepare(phi, t.tensor([[-1.0, 2.0]])).kinks == kinks


def leaky_by_hand(y):
    z = y @ t.linspace(-1, 1, 10, dtype=t.float64).reshape(2, 5)
    return t.cat([t.where(z > 0, z, 0.1 * z), y], 1)


@pytest.mark.parametrize(
    "phi",
    [
        lambda y: t.cat([y.relu(), y], 1),
        lambda y: t.cat([y.clamp(-0.5, 0.5), y], 1),
        lambda y: t.cat([y.abs(), y], 1),
    ],
)
def test_kinked_functions_are_refused(phi):
    x = t.tensor([[0.4, -0.7], [1.0, 2.0]], dtype=t.float64)
    with pytest.raises(ValueError, match="has kinks"):
        measure.scalar_curvature(phi, x)
    assert (measure.scalar_curvature(phi, x, kinks="ignore") == 0).all()


def test_piecewise_linear_maps_are_refused_whatever_they_are_made_of():
    with pytest.raises(ValueError, match="is piecewise linear"):
        measure.scalar_curvature(leaky_by_hand, points(3, 2))
    with pytest.raises(ValueError, match="is piecewise linear"):
        measure.scalar_curvature_estimate(leaky_by_hand, points(3, 2), 4)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("far", [21.0, 400.0])
@pytest.mark.parametrize(
    ("act", "lost"), [(nn.functional.gelu, False), (nn.functional.softplus, True)]
)
def test_smooth_maps_that_are_straight_at_the_points_are_not_refused(act, lost, far):
    """torch's softplus is straight beyond its threshold, which is said, and a GELU where its tail underflows."""
    phi = lambda y: t.cat([act(far * y), y[:, :1]], 1)  # noqa: E731
    x = t.full((2, 2), 2.0, dtype=t.float64)
    for measured in (
        measure.scalar_curvature,
        lambda *a: measure.scalar_curvature_estimate(*a, 4).value,
    ):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            assert (measured(phi, x) == 0).all()
        assert [
            str(warning.message) for warning in caught if "so much cancels" in str(warning.message)
        ] or not lost
        assert lost or not caught


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    "smooth",
    [nn.ELU(), nn.CELU(0.3), nn.Mish(), nn.LogSigmoid(), nn.Softmax(1), nn.GroupNorm(2, 6)],
)
def test_smooth_modules_are_not(smooth):
    t.manual_seed(0)
    net, x = nn.Sequential(nn.Linear(2, 6), smooth).double(), points(3, 2)
    t.testing.assert_close(
        measure.scalar_curvature(net, x), scalar_curvatures(net, x), rtol=1e-8, atol=1e-10
    )


@pytest.mark.parametrize("missing", [True, False])
def test_where_forward_mode_is_wrong_or_missing(missing):
    """Forward mode over forward mode: torch 2.13 has LayerNorm's wrong by a half, and none of Mish's."""
    t.manual_seed(0)
    linear = nn.Linear(2, 6).double()

    def by_hand(y):
        z = linear(y) - linear(y).mean(1, keepdim=True)
        z = z / (z.square().mean(1, keepdim=True) + 1e-5).sqrt()
        return z * t.tanh(nn.functional.softplus(z))

    def with_kernels(y):
        return nn.functional.mish(nn.functional.layer_norm(linear(y), (6,)))

    def norm_only(y):
        return nn.functional.layer_norm(linear(y), (6,)) ** 3

    def norm_by_hand(y):
        z = linear(y) - linear(y).mean(1, keepdim=True)
        return (z / (z.square().mean(1, keepdim=True) + 1e-5).sqrt()) ** 3

    fused, exact = (with_kernels, by_hand) if missing else (norm_only, norm_by_hand)
    x = points(4, 2)
    oracle = scalar_curvatures(exact, x)
    t.testing.assert_close(measure.scalar_curvature(exact, x), oracle, rtol=1e-8, atol=0)
    t.testing.assert_close(measure.scalar_curvature(fused, x), oracle, rtol=1e-8, atol=0)


def test_guards_against_division_by_zero_are_smooth():
    phi = lambda y: nn.functional.normalize(t.cat([y, t.ones_like(y[:, :1])], 1))  # noqa: E731  (onto the unit sphere)
    two = t.full((4,), 2.0, dtype=t.float64)
    t.testing.assert_close(measure.scalar_curvature(phi, points(4, 2)), two, rtol=1e-11, atol=0)


@pytest.mark.parametrize("width", [5, pytest.param(7, marks=pytest.mark.slow)])
@pytest.mark.parametrize("hidden", [False, True])
def test_lost_digits_are_said(width, hidden):
    """Saturated units: the terms of the curvature exceed it by many orders, in all three ways of summing them."""
    silent, lost = 0, 0
    for seed in range(10):
        rng = np.random.default_rng(seed)
        weights, biases, x = (
            4 * rng.normal(size=(width, 3)),
            4 * rng.normal(size=width),
            rng.normal(size=3),
        )
        exact = theory_curvature(weights, biases, x, activations.ERF, when_singular="nan") / width
        w, b = t.tensor(weights), t.tensor(biases)
        net = nn.Sequential(nn.Linear(3, width), Erf()).double()
        net[0].weight.data, net[0].bias.data = w, b
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            found = measure.scalar_curvature(
                net.__call__ if hidden else net, t.tensor(x)[None]
            ).item()
        if caught:
            lost += abs(found - exact) > 1e-6 * abs(exact)
        else:
            silent += 1
            assert found == pytest.approx(exact, rel=1e-6, abs=1e-12)
    assert lost > 0
    assert silent > 0


BAD = [
    ({"feature_map": nn.Linear(3, 2)}, ValueError, "gives 2 features for 3 inputs"),
    ({"kinks": "maybe"}, ValueError, "kinks: got 'maybe'"),
]


@pytest.mark.parametrize(
    ("change", "error", "complaint"), BAD, ids=[str(i) for i in range(len(BAD))]
)
def test_bad_input(change, error, complaint):
    good = {"feature_map": shallow(3, 5), "x": points(2, 3)}
    for function in (measure.scalar_curvature, measure.scalar_curvature_estimate):
        with pytest.raises(error, match=complaint):
            function(**(good | change))
