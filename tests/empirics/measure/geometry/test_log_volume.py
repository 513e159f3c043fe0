"""Tests of volume element and spectrum: against 60 digits for ill-conditioned maps, in all shapes, within memory."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch as t
from torch import nn

from empirics import measure
from tests.oracles.geometry_autodiff import log_volume

ROUNDING = 1e-12


def graded(rows, columns, decades, rng):
    """A matrix with singular values from 1 to 10^-decades, whose Gram matrix has lost the smallest."""
    k = min(rows, columns)
    u, v = (np.linalg.qr(rng.normal(size=(n, k)))[0] for n in (rows, columns))
    return t.from_numpy((u * np.logspace(0, -decades, k)) @ v.T)


@pytest.mark.parametrize(("rows", "columns"), [(12, 8), (8, 12), (9, 9)])
def test_graded_spectra(rows, columns, rng):
    j = graded(rows, columns, 8, rng)
    exact = float(log_volume(j))
    x = t.zeros(1, columns, dtype=t.float64)
    phi = lambda y: y @ j.T  # noqa: E731
    # 1e-16 times 1e8, a few times
    assert float(measure.log_volume_element(phi, x)) == pytest.approx(exact, abs=1e-7)
    spectrum = measure.metric_spectrum(phi, x)[0]
    k = min(rows, columns)
    np.testing.assert_allclose(spectrum[:k].sqrt(), np.logspace(0, -8, k), rtol=1e-7)
    assert (spectrum[k:] == 0).all()
    # what the measure is not: float64's Cholesky factorisation of the Gram matrix
    with t.no_grad():
        gram = j @ j.T if rows < columns else j.T @ j
        bad = t.linalg.cholesky_ex(gram + 0).L.diagonal().log().sum()
    assert not abs(float(bad) - exact) < 1e-4


def test_scales_of_inputs_do_not_matter(rng):
    """Columns of lengths from 1 to 1e-60: relative accuracy all the same."""
    j = t.from_numpy(rng.normal(size=(10, 6)) * np.logspace(0, -60, 6))
    found = measure.log_volume_element(lambda y: y @ j.T, t.zeros(1, 6, dtype=t.float64))
    assert float(found) == pytest.approx(float(log_volume(j, digits=200)), abs=ROUNDING * 100)


def test_says_when_conditioning_leaves_less_than_promised(rng):
    j = graded(12, 8, 12, rng)
    with pytest.warns(
        RuntimeWarning, match="ill-conditioned at 1 of 1 points that the result may be off by"
    ):
        found = measure.log_volume_element(lambda y: y @ j.T, t.zeros(1, 8, dtype=t.float64))
    assert float(found) == pytest.approx(float(log_volume(j)), abs=0.05)


@pytest.mark.parametrize("features", [2, 5, 6, 9])
def test_features_on_the_unit_sphere(features):
    """Against the eigenvalues of the metric of the normalised map, one of which is zero."""
    t.manual_seed(features)
    net = nn.Sequential(nn.Linear(5, 20), nn.GELU(), nn.Linear(20, features)).double()
    x = t.randn(3, 5, dtype=t.float64)
    on_sphere = lambda y: net(y) / net(y).norm(dim=-1, keepdim=True)  # noqa: E731
    jacobian = t.stack([t.func.jacrev(on_sphere)(point) for point in x])
    eigenvalues = t.linalg.eigvalsh(jacobian @ jacobian.mT).flip(1)[:, : min(features - 1, 5)]
    found = measure.log_volume_element(net, x, target="sphere")
    t.testing.assert_close(found, eigenvalues.log().sum(1) / 2, rtol=1e-9, atol=1e-9)


def test_the_plane_seen_from_the_centre_of_the_sphere():
    x = t.tensor([[0.0, 0.0], [0.3, -1.7], [40.0, 9.0], [-1e6, 0.0]], dtype=t.float64)
    found = measure.log_volume_element(
        lambda y: t.cat([y, t.ones_like(y[:, :1])], 1), x, target="sphere"
    )
    t.testing.assert_close(found, -1.5 * (1 + x.square().sum(1)).log(), rtol=1e-12, atol=1e-12)
    with pytest.raises(ValueError, match="for one feature"):
        measure.log_volume_element(lambda y: y[:, :1], x, target="sphere")
    with pytest.raises(ValueError, match="all features are zero at point 0"):
        measure.log_volume_element(lambda y: y, x, target="sphere")
    with pytest.raises(ValueError, match="target: got 'ball'"):
        measure.log_volume_element(lambda y: y, x, target="ball")


@pytest.mark.sampled(2)
@pytest.mark.parametrize("features", [3, 5, 9])
@pytest.mark.parametrize("chain", [True, False])
def test_networks_against_their_metric(features, chain):
    t.manual_seed(features)
    net = nn.Sequential(nn.Linear(5, 20), nn.GELU(), nn.Linear(20, features), nn.Tanh()).double()
    x = t.randn(7, 5, dtype=t.float64)
    phi = net if chain else lambda y: net(y)
    g = measure.metric(phi, x)
    j = t.func.vmap(t.func.jacrev(lambda y: net(y[None])[0]))(x)
    t.testing.assert_close(g, j.mT @ j, rtol=ROUNDING, atol=1e-14)
    gram = j @ j.mT if features < 5 else g
    t.testing.assert_close(
        measure.log_volume_element(phi, x), t.logdet(gram) / 2, rtol=1e-9, atol=1e-9
    )
    eigenvalues = t.linalg.eigvalsh(g).flip(1)
    t.testing.assert_close(measure.metric_spectrum(phi, x), eigenvalues, rtol=1e-9, atol=1e-14)


def test_convolutions_any_shape_arrays_and_methods():
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.body = nn.Sequential(nn.Conv2d(2, 3, 3, padding=1), nn.GELU())
            self.readout = nn.Linear(3 * 16, 2)

        def features(self, x):
            return self.body(x).mean(dim=3)

        def forward(self, x):
            return self.readout(self.body(x).flatten(1))

    t.manual_seed(0)
    net = Net()
    x = np.random.default_rng(0).normal(size=(2, 2, 4, 4)).astype(np.float32)
    found = measure.log_volume_element(net.features, x)  # 12 features of 32 inputs
    double = Net().double()
    double.load_state_dict(net.state_dict())
    j = t.func.vmap(t.func.jacrev(lambda y: double.features(y[None]).flatten()))(
        t.from_numpy(x).double()
    ).flatten(2)
    t.testing.assert_close(found, t.logdet(j @ j.mT) / 2, rtol=1e-10, atol=0)
    assert net.readout.weight.dtype == t.float32
    assert found.dtype == t.float64
    quick = measure.log_volume_element(net.features, x, precision="model")
    t.testing.assert_close(quick, found, rtol=0, atol=1e-3)


@pytest.mark.parametrize(
    "flattened", [lambda y: y.view(len(y), -1), lambda y: y.as_strided((len(y), 36), (36, 1))]
)
def test_maps_that_need_numbers_in_the_order_of_rows(flattened):
    t.manual_seed(0)
    net = nn.Sequential(nn.Conv2d(2, 4, 3), nn.GELU()).double()
    x, readout = t.randn(1, 2, 5, 5, dtype=t.float64), t.randn(36, 8, dtype=t.float64)
    exact = measure.log_volume_element(lambda z: net(z).flatten(1) @ readout, x)
    found = measure.log_volume_element(lambda z: flattened(net(z)) @ readout, x)
    t.testing.assert_close(found, exact, rtol=ROUNDING, atol=0)


def test_piecewise_linear_networks_have_a_piecewise_constant_volume():
    t.manual_seed(0)
    net = nn.Sequential(nn.Linear(2, 30), nn.ReLU()).double()
    x = t.randn(40, 2, dtype=t.float64)
    found = measure.log_volume_element(net, x)
    active = (net[0](x) > 0).double()
    w = net[0].weight
    exact = t.logdet(t.einsum("bk,ki,kj->bij", active, w, w)) / 2
    t.testing.assert_close(found, exact.detach(), rtol=1e-10, atol=1e-12)
    near = measure.log_volume_element(net, x + 1e-9)
    t.testing.assert_close(near, found, rtol=1e-12, atol=1e-13)


def test_singular_maps():
    x = t.tensor([[1.0, 2.0, 3.0]], dtype=t.float64)
    # 4 features, rank 2
    assert measure.log_volume_element(lambda y: t.cat([y[:, :2], y[:, :2]], 1), x) == -math.inf
    dead = lambda y: t.stack([2 * y[:, 0], 0 * y[:, 1]], 1)  # noqa: E731  (2 features, one constant: the other counts)
    assert float(measure.log_volume_element(dead, x)) == pytest.approx(math.log(2))
    same = lambda y: t.stack([y[:, 0], y[:, 0]], 1)  # noqa: E731  (eigenvalues of g: 2, 0, 0)
    assert float(measure.log_volume_element(same, x)) == pytest.approx(math.log(2) / 2)
    assert measure.log_volume_element(lambda y: 0 * y[:, :2], x) == -math.inf


def test_few_bytes_give_the_same_numbers_and_too_few_are_refused():
    t.manual_seed(0)
    net = nn.Sequential(
        nn.Conv2d(1, 4, 3), nn.GELU(), nn.Flatten(), nn.Linear(4 * 16, 20)
    ).double()
    x = t.randn(5, 1, 6, 6, dtype=t.float64)
    plenty = measure.log_volume_element(net, x)
    t.testing.assert_close(
        measure.log_volume_element(net, x, memory="110kB"), plenty, rtol=1e-12, atol=0
    )
    with pytest.raises(
        ValueError, match=r"memory: got 1000 B, needs at least .* KiB for one point"
    ):
        measure.log_volume_element(net, x, memory=1000)


def test_derivatives_that_cannot_be_batched_or_taken_forward():
    class Cube(t.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x**3

        @staticmethod
        def backward(ctx, gradient):
            (x,) = ctx.saved_tensors
            return t.from_numpy(3 * x.detach().numpy() ** 2) * gradient

    x = t.tensor([[1.0, 2.0], [0.5, 3.0]], dtype=t.float64)
    exact = (3 * x**2).log().sum(1)
    t.testing.assert_close(measure.log_volume_element(Cube.apply, x), exact, rtol=ROUNDING, atol=0)
    single = measure.log_volume_element(lambda y: Cube.apply(y)[:, :1], x)
    t.testing.assert_close(single, (3 * x[:, 0] ** 2).log(), rtol=ROUNDING, atol=1e-14)
