"""Kernel matrices of networks in words: against neural-tangents, the matrices of one activation, and loops by hand."""

import json
from itertools import product
from pathlib import Path

import numpy as np
import pytest
import sympy as sp

from tests.marks import slow
from tests.oracles.convolutional_kernels import kernels
from tests.theory.neural_tangents import NETWORKS, REFERENCE
from theory import geometry
from theory.engine import (
    Act,
    Attention,
    Conv,
    Dense,
    Flatten,
    Pool,
    Sum,
    kernel,
    residual,
)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", NETWORKS)
@pytest.mark.parametrize(("index", "kind"), [(0, "nngp"), (1, "scaled_ntk")])
def test_matrices_are_those_of_neural_tangents(name, index, kind):
    inputs = np.array(REFERENCE["xc" if "conv" in name else "x"])
    inputs = inputs / np.sqrt(inputs.shape[-1])
    matrix, expected = (
        geometry.kernel_matrix(NETWORKS[name], inputs, kind=kind),
        np.array(REFERENCE[name][index]),
    )
    np.testing.assert_allclose(matrix[0, 1], expected[0, 1], rtol=2e-12)
    np.testing.assert_allclose(matrix, expected, rtol=2e-9)
    diagonal = geometry.kernel_diagonal(NETWORKS[name], inputs, kind=kind)
    np.testing.assert_array_equal(diagonal, np.diag(matrix))


# Kernels of four digits by `tests/oracles/neural_tangents_mnist.py`. Against 30 digits, its pooled kernels are off by
# up to 9e-13, and ours of parts of these digits by 2e-16.
DIGITS = json.loads((Path(__file__).parent / "neural_tangents_mnist.json").read_text())
ENDS = {"conv_flat": (Flatten(), 1e-14, 1e-14), "conv_pool": (Pool(), 2e-12, 1e-12)}


@pytest.mark.parametrize(
    ("name", "index", "kind"),
    [
        ("conv_flat", 0, "nngp"),
        ("conv_flat", 1, "scaled_ntk"),
        *slow(("conv_pool", 0, "nngp"), ("conv_pool", 1, "scaled_ntk")),
    ],
)
def test_kernels_of_digits_are_those_of_neural_tangents(data_directory, name, index, kind):
    torch = pytest.importorskip("torch", reason="torch is not installed (extra `empirics`)")
    from empirics import data

    images, _ = data.load("mnist", data_directory, "test", dtype=torch.float64)
    pixels = images[:4].permute(0, 2, 3, 1).numpy()
    layer = Conv(2, "1/100", padding="zeros") >> Act("relu")
    end, *tolerances = ENDS[name]
    net = layer >> layer >> end >> Dense()
    matrix = geometry.kernel_matrix(net, pixels, kind=kind)
    np.testing.assert_allclose(matrix, DIGITS[name][index], rtol=tolerances[index])


@pytest.mark.parametrize("kind", ["nngp", "ntk", "scaled_ntk"])
def test_equal_layers_are_the_matrix_of_one_activation(kind):
    inputs = np.random.default_rng(0).normal(size=(40, 6))
    inputs[7] = inputs[3]
    net = Dense(1.5, 0.25) >> Act("relu") >> Dense(1.5, 0.25) >> Act("relu")
    if kind != "nngp":
        net = net >> Dense(1, 0, gains=(1, 0))  # the readout, which has no bias
    same = geometry.kernel_matrix("relu", inputs, depth=2, kind=kind, sigma=1.5**0.5, zeta=0.5)
    made = geometry.kernel_matrix(net, inputs, kind=kind)
    np.testing.assert_allclose(made, same, rtol=1e-13)
    half = geometry.kernel_matrix(net, inputs[:5], inputs, kind=kind, dtype=np.float32)
    np.testing.assert_allclose(half, same[:5], rtol=1e-6)
    operator = geometry.kernel_operator(net, inputs, kind=kind)
    np.testing.assert_allclose(operator @ np.eye(40), made, rtol=1e-12, atol=1e-12)


# Both images have equal patches, of which some are blank: angles between them are zero, and no rounding of covariances
# knows it.
IMAGES = np.random.default_rng(1).normal(size=(2, 4, 5, 30))
IMAGES[:, :, 3:] = 0
IMAGES[:, :3, :3] = IMAGES[0, 0, 0]


@pytest.mark.sampled(4)
@pytest.mark.parametrize("padding", ["circular", "zeros"])
@pytest.mark.parametrize("pooled", [True, False])
def test_images_are_what_loops_over_positions_give(padding, pooled):
    layer = Conv(1.5, 0.1, padding=padding) >> Act("relu")
    net = layer >> layer >> (Pool() if pooled else Flatten()) >> Dense()
    made = [geometry.kernel_matrix(net, IMAGES, kind=kind) for kind in ("nngp", "scaled_ntk")]
    for i, j in [(0, 0), (0, 1), (1, 1)]:
        expected = kernels(IMAGES[i], IMAGES[j], 2, padding, pooled)
        for matrix, value in zip(made, expected, strict=True):
            assert matrix[i, j] == pytest.approx(float(value), rel=1e-14)


def test_the_matrix_is_the_closed_form_at_each_pair():
    net = Dense(1.2, 0.1) >> residual(Act("erf") >> Dense(0.5)) >> Act("relu") >> Dense()
    inputs = np.random.default_rng(2).normal(size=(3, 3))
    products = inputs @ inputs.T
    form, matrix = kernel(net), geometry.kernel_matrix(net, inputs)
    for i, j in product(range(3), repeat=2):
        if i != j:
            value = form(xx=products[i, i], yy=products[j, j], xy=products[i, j])
            assert matrix[i, j] == pytest.approx(value, rel=1e-12)


def test_nearly_parallel_inputs_of_large_variance_are_spoken_of():
    inputs = np.array([[1e8, 2e8, 3e8], [1e8, 2e8, 3.0000001e8], [1.0, 2.0, 3.0]])
    net = Dense(1.5, 0.3) >> Act("erf") >> Dense(1.5, 0.3) >> Act("erf") >> Dense()
    with pytest.warns(RuntimeWarning, match="inputs 0 and 1 differ, but are nearly parallel"):
        geometry.kernel_matrix(net, inputs, kind="scaled_ntk")


def test_equal_inputs_need_no_integral():
    inputs = np.array([[1.0, 2.0], [1.0, 2.0], [0.5, -1.0]])
    net = Dense(1, 0.1) >> Act("elu") >> Dense(1, 0.1) >> Act("elu")
    matrix = geometry.kernel_matrix(net, inputs)
    assert matrix[0, 1] == matrix[0, 0] == geometry.kernel_diagonal(net, inputs)[0]
    np.testing.assert_array_equal(matrix, matrix.T)


FITS_NOT = [
    (lambda x: geometry.kernel_matrix(Dense(sp.Symbol("s")) >> Act("relu"), x), "needs numbers"),
    (lambda x: geometry.kernel_matrix(Act("relu") >> Dense(), x), "needs a Dense or Conv first"),
    (lambda x: geometry.kernel_matrix(Dense() >> Act("relu"), x, depth=2), "has its own"),
    (lambda x: geometry.kernel_matrix(Conv() >> Act("relu"), x.reshape(2, 3, 1)), "Pool or Flatten"),
    (lambda x: geometry.kernel_matrix(Conv() >> Pool() >> Act("relu"), x.reshape(2, 3, 1)), "mean over"),
    (lambda x: geometry.kernel_matrix(Dense(), x, x[:, :2]), "needs inputs of shape"),
    (lambda x: geometry.kernel_matrix(Conv() >> Pool(), x), "without positions"),
    (lambda x: geometry.kernel_matrix(Dense() >> Attention() >> Pool(), x[..., None]), "between its own positions"),
    (lambda x: geometry.kernel_matrix(Sum(Conv() >> Pool(), Conv()), x[..., None]), "the same in all"),
]  # fmt: skip


@pytest.mark.parametrize(("call", "words"), FITS_NOT, ids=[words for _, words in FITS_NOT])
def test_a_network_that_does_not_fit_its_inputs_is_refused(call, words):
    with pytest.raises(ValueError, match=words):
        call(np.arange(6.0).reshape(2, 3))


def test_inputs_that_differ_in_a_last_bit_are_not_taken_for_equal():
    x = 300 * np.array([3.0, -5.0, 4.0])
    other = x * [1, 1, 1 - 2e-16]
    assert (x != other).any()
    net = Dense(2.25, 0.25, gains=(1, 1)) >> Act("sin") >> Dense(1, gains=(1, 0))
    with pytest.warns(RuntimeWarning, match="nearly parallel"):
        geometry.kernel_matrix(net, np.stack([x, other]), kind="ntk")


def test_slopes_of_the_identity_are_one_everywhere(rng):
    x, images = rng.normal(size=(3, 4)), rng.normal(size=(3, 2, 2, 1))
    linear, convolutional = (
        below >> Act("linear") >> above
        for below, above in ((Dense(2), Dense()), (Conv(2), Flatten() >> Dense()))
    )
    plain = Dense(2) >> Dense(), Conv(2) >> Flatten() >> Dense()
    for net, without, inputs in zip((linear, convolutional), plain, (x, images), strict=True):
        matrix, expected = (geometry.kernel_matrix(n, inputs, kind="ntk") for n in (net, without))
        np.testing.assert_allclose(matrix, expected, rtol=1e-14)
