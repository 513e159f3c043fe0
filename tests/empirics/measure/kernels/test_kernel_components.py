"""Tests of information, components and shallow kernels against theory, brute force and each other."""

from __future__ import annotations

import numpy as np
import pytest
import torch as t
from torch import nn

from empirics import measure
from empirics.measure.kernels.kernel_components import gram_components, last_layer_gram
from empirics.measure.kernels.shallow_kernel import (
    analytic_tangent_gram,
    shallow_last_layer_gram,
    shallow_tangent_gram,
)

ROUNDING = 1e-12
ANGLE = 1e-7  # arccos near coinciding points keeps half of the digits of float64


class Shallow(nn.Module):
    """The network of Eq. (1), times the root of its width, as a module."""

    def __init__(self, hidden, output):
        super().__init__()
        self.hidden, self.output = nn.Parameter(hidden), nn.Parameter(output)

    def forward(self, x):
        extended = t.cat([x / x.shape[1] ** 0.5, t.ones_like(x[:, :1])], 1)
        return (
            (2 / len(self.output)) ** 0.5 * (extended @ self.hidden.T).clamp_min(0) @ self.output
        )


def brute_force(features, labels, k):
    """Eq. (16) from the matrix of all distances."""
    features = features.reshape(len(features), -1)
    distance = np.linalg.norm(features[:, None] - features[None], axis=-1)
    np.fill_diagonal(distance, np.inf)
    plus, minus = (
        np.sort(np.where(labels == s, distance, np.inf), axis=1)[:, k - 1] for s in (1, -1)
    )
    q = minus ** features.shape[1] / (plus ** features.shape[1] + minus ** features.shape[1])
    return float(np.mean(1 + q * np.log2(q) + (1 - q) * np.log2(1 - q)))


@pytest.mark.parametrize("shape", [(200,), (200, 3)])
def test_information_is_that_of_all_distances_and_of_the_theory(shape):
    from theory import compression

    rng = np.random.default_rng(0)
    labels = rng.choice([-1, 1], 200)
    features = rng.normal(size=shape) + 0.7 * labels.reshape(-1, *[1] * (len(shape) - 1))
    for k in (1, 5):
        value = measure.label_information(features, labels, k)
        assert value == pytest.approx(brute_force(features, labels, k), abs=ROUNDING)
        assert value == pytest.approx(
            compression.label_information(features, labels, k), abs=ROUNDING
        )


def test_information_of_an_independent_feature_is_the_floor():
    from theory import compression

    rng = np.random.default_rng(1)
    many = [
        measure.label_information(rng.uniform(size=4000), np.tile([0, 1], 2000)) for _ in range(8)
    ]
    floor = float(compression.label_information_floor()(neighbours=5))
    error = np.std(many, ddof=1) / 8**0.5
    # points at both ends have neighbours on one side only
    assert abs(np.mean(many) - floor) < 4 * error + 1e-3
    assert 4 * error < 0.2 * floor


def test_information_of_coinciding_and_of_separate_points():
    labels = np.tile([-1, 1], 20)
    assert measure.label_information(np.zeros(40), labels) == 0
    assert measure.label_information(labels, labels) == 1


@pytest.mark.parametrize("scale", [1.0, 3.0, 1e-30])
@pytest.mark.parametrize("shape", [(40,), (40, 3)])
def test_points_that_coincide_to_rounding_coincide(scale, shape, rng):
    """Points a few spacings apart are undecided where both labels are there, certain where one is."""
    from theory import compression

    labels = np.tile([-1, 1], 20)
    one = rng.uniform(1, 2, size=shape[1:])
    moved = 1 + np.finfo(np.float64).eps * rng.integers(-2, 3, size=shape)
    for information in (measure.label_information, compression.label_information):
        assert information(scale * one * moved, labels) == 0
        apart = one * moved * (1 + 2 * (labels > 0)).reshape(-1, *[1] * (len(shape) - 1))
        assert information(scale * apart, labels) == 1


def test_components_that_do_not_go_with_the_labels_have_one_sign(rng):
    """The correlation with the labels is zero but for rounding, which must not choose the sign."""
    labels = np.tile([1.0, -1.0], 20)
    blind = np.repeat(rng.normal(size=20), 2)  # the same at both labels
    for order in (np.arange(40), rng.permutation(40), np.arange(40)[::-1]):
        for sign, scale in ((1, 1), (-1, 1), (1, 3)):
            gram = scale * np.outer(blind, blind)[np.ix_(order, order)] + 1e-3 * np.eye(40)
            found = (
                gram_components(gram, sign * labels[order], components=1).components[:, 0].numpy()
            )
            first = blind[order][np.abs(blind[order]) > 0.5 * np.abs(blind).max()][0]
            np.testing.assert_allclose(
                found * np.sqrt((blind**2).mean()), blind[order] * np.sign(first), atol=1e-9
            )


def test_components_are_those_of_numpy_and_hold_all_of_the_labels():
    rng = np.random.default_rng(2)
    features, labels = rng.normal(size=(60, 80)), np.tile([-1, 1], 30)
    gram = features @ features.T
    found = gram_components(gram, labels, components=60)
    assert found.projected == pytest.approx(1, abs=ROUNDING)
    values = np.linalg.eigvalsh(gram)[::-1] / 60
    np.testing.assert_allclose(found.eigenvalues, values, rtol=1e-10)
    again = (found.components * found.eigenvalues) @ found.components.T
    np.testing.assert_allclose(again, gram, atol=1e-10)
    first = found.components[:, 0].numpy()
    assert found.information[0] == pytest.approx(measure.label_information(first, labels))
    assert (found.components.T @ t.tensor(labels, dtype=t.float64) >= 0).all()


def test_of_few_points_there_are_as_many_components(rng):
    found = gram_components(np.cov(rng.normal(size=(6, 9))), np.tile([-1, 1], 3), neighbours=2)
    assert len(found.eigenvalues) == 6
    assert len(gram_components(np.eye(30), np.tile([-1, 1], 15)).eigenvalues) == 10


def test_a_component_that_is_the_label_holds_it():
    labels = np.tile([-1.0, 1.0], 25)
    found = gram_components(np.outer(labels, labels) + 1e-3 * np.eye(50), labels, components=2)
    assert found.projections[0] == pytest.approx(1)
    assert found.information[0] > 0.99


def test_components_of_a_model_and_of_its_last_layer():
    t.manual_seed(0)
    model = nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Linear(8, 1)).double()
    x, labels = t.randn(30, 3, dtype=t.float64), t.arange(30) % 2
    tangent = measure.tangent_components(model, x, labels, components=3)
    gram = measure.neural_tangent_gram(model, x)
    np.testing.assert_allclose(
        tangent.eigenvalues, gram_components(gram, labels).eigenvalues[:3], rtol=1e-10
    )
    activations = model[1](model[0](x)).detach()
    np.testing.assert_allclose(
        last_layer_gram(model, x), activations @ activations.T + 1, atol=ROUNDING
    )


class ReadoutFirst(nn.Module):
    """A network whose readout is registered before the layer that it follows, with a factor of its own."""

    def __init__(self):
        super().__init__()
        self.readout = nn.Linear(8, 1)
        self.hidden = nn.Linear(3, 8)
        self.factor = nn.Parameter(t.tensor(2.0))

    def forward(self, x):
        return self.factor * self.readout(t.tanh(self.hidden(x)))


def test_the_last_layer_is_the_one_that_is_called_last():
    t.manual_seed(0)
    model, x = ReadoutFirst().double(), t.randn(30, 3, dtype=t.float64)
    active = t.tanh(model.hidden(x)).detach()
    np.testing.assert_allclose(
        last_layer_gram(model, x), 4 * (active @ active.T + 1), atol=ROUNDING
    )
    assert not any(module._forward_pre_hooks for module in model.modules())


def test_shallow_kernels_are_those_of_automatic_differentiation():
    t.manual_seed(1)
    hidden, output = t.randn(7, 4, dtype=t.float64), t.randn(7, dtype=t.float64)
    x, z = t.randn(5, 3, dtype=t.float64), t.randn(6, 3, dtype=t.float64)
    model = Shallow(hidden, output)
    for y in (None, z):
        np.testing.assert_allclose(
            shallow_tangent_gram(hidden, output, x, y),
            measure.neural_tangent_gram(model, x, y),
            atol=ROUNDING,
        )
    model.hidden.requires_grad_(False)
    np.testing.assert_allclose(
        shallow_last_layer_gram(hidden, x, z),
        measure.neural_tangent_gram(model, x, z),
        atol=ROUNDING,
    )


def test_one_point_on_a_line_with_one_neuron():
    """The neuron's value is 3 + 1/2; its slopes in its weight and in its bias are the output weight, 2."""
    hidden, output, x = (
        t.tensor(rows, dtype=t.float64) for rows in ([[3.0, 0.5]], [2.0], [[1.0]])
    )
    assert shallow_last_layer_gram(hidden, x).item() == 2 * 3.5**2
    assert shallow_tangent_gram(hidden, output, x).item() == 2 * (3.5**2 + 2**2 * (1 + 1))


def test_analytic_kernel_is_that_of_the_theory_and_the_limit_of_wide_networks():
    from theory import compression

    generator = t.Generator().manual_seed(2)
    x, z = (t.randn(4, 3, dtype=t.float64, generator=generator) for _ in range(2))
    kernel = analytic_tangent_gram(x, z)
    form = compression.tangent_kernel()
    assert "sqrt(2) max(0, u)" in " ".join(form.assumptions)  # it doubles the kernel of max(0, u)
    xx, zz, xz = (x**2).sum(1)[:, None] + 0 * kernel, (z**2).sum(1) + 0 * kernel, x @ z.T
    np.testing.assert_allclose(
        kernel, form.function()(xx.numpy(), zz.numpy(), xz.numpy(), 3), rtol=ANGLE
    )
    own = analytic_tangent_gram(x)
    np.testing.assert_allclose(own.diagonal(), 2 * (1 + (x**2).sum(1) / 3), rtol=ROUNDING)
    hidden = t.randn(200_000, 4, dtype=t.float64, generator=generator)
    output = t.randn(200_000, dtype=t.float64, generator=generator)
    np.testing.assert_allclose(
        shallow_tangent_gram(hidden, output, x, z), kernel, rtol=0.05, atol=0.03
    )


@pytest.mark.parametrize(
    ("call", "named"),
    [
        (lambda: measure.label_information(np.zeros((3, 2, 2)), [0, 1, 0]), "features"),
        (lambda: measure.label_information([np.nan] * 4, [0, 1, 0, 1]), "features"),
        (lambda: measure.label_information(np.arange(4.0), [0, 1, 0]), "labels"),
        (lambda: measure.label_information(np.arange(4.0), [0, 0, 0, 0]), "labels"),
        (lambda: measure.label_information(np.arange(4.0), [0, 1, 0, 1], 0), "neighbours"),
        (lambda: measure.label_information(np.arange(4.0), [0, 1, 0, 1], 2), "labels"),
        (lambda: gram_components(np.zeros((2, 3)), [0, 1]), "gram"),
        (lambda: gram_components(np.arange(4.0).reshape(2, 2), [0, 1]), "gram"),
        (lambda: gram_components(np.eye(20), np.arange(20) % 2, components=21), "components"),
        (lambda: last_layer_gram(nn.ReLU(), t.zeros(2, 1)), "model"),
        (lambda: analytic_tangent_gram(t.zeros(3)), "x"),
        (lambda: analytic_tangent_gram(t.zeros(0, 2)), "x"),
        (lambda: analytic_tangent_gram(t.zeros(3, 2), t.zeros(3, 1)), "z"),
        (lambda: shallow_tangent_gram(t.zeros(3, 2), t.zeros(2), t.zeros(1, 1)), "output"),
        (lambda: shallow_tangent_gram(t.full((3, 2), t.nan), t.zeros(3), t.zeros(1, 1)), "hidden"),
    ],
)
def test_bad_input_is_named(call, named):
    with pytest.raises((ValueError, TypeError), match=f"^{named}"):
        call()
